/* How solvers look in figures: a colour, a mark and a line each, by which they can be told apart by
 * people who see colours differently, and in grey.
 *
 * The rule: a look follows from the solver's short form alone, so that a solver looks the same in
 * every figure of every experiment. Three numbers make it: the row of its algorithm, the row of its
 * heuristic (both in the .def tables; for words that are in neither, a hash), and a hash of the
 * rest (arguments and options; 0 where there are none). Colour, mark and line are three sums of
 * them modulo the number of colours, marks and lines: one algorithm with eleven heuristics, or one
 * heuristic with twelve algorithms, has a different colour each time. Where two solvers that are
 * drawn together come to the same look in all three, the later one by name takes the next that is
 * free. A row that is added at the end of a table changes no look. */
#ifndef REPORT_LOOKS_H
#define REPORT_LOOKS_H

#include <stddef.h>

struct look {
    const char *colour; /* "#0077BB" */
    const char *mark;   /* as matplotlib calls it: "o", "s", "^" .. */
    const char *dashes; /* lengths of ink and gaps in widths of the line: "5 2"; "" is solid */
};

/* Writes the looks of solvers in their short form, or of heuristics by their names. Their order
 * does not matter. */
void looks_of(const char *const *solvers, size_t count, struct look *looks);

#endif
