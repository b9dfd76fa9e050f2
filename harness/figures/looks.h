/* How solvers look in figures: a colour, a mark and a line each, which tell them apart in grey,
 * too, and for people who see colours differently.
 *
 * The rule: a look follows from the solver's short form alone, so that a solver looks the same in
 * every figure of every experiment. The algorithm gives the colour, the heuristic the kind of line,
 * both together the mark, each by its row in the .def tables (for words that are in neither, by a
 * hash); arguments and options, by a hash, change mark and line. So solvers that share a colour or
 * a line still have different marks. If two solvers that are drawn together would have the same
 * look, the one that is later by name takes the next free mark. A row that is added at the end of a
 * table changes no look. */
#pragma once

#include <stddef.h>

struct look {
    const char *colour; /* "#0077BB" */
    const char *mark;   /* as matplotlib calls it: "o", "s", "^" .. */
    const char *dashes; /* lengths of ink and gaps in widths of the line: "5 2"; "" is solid */
};

/* Writes the looks of solvers in their short form, or of heuristics by their names. Their order
 * does not matter. */
void looks_of(const char *const *solvers, size_t count, struct look *looks);
