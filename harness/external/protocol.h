/* What is written to an external solver, and what its answer says. Texts only: program.h runs it.
 *
 * A text answer is lines `name: value`, as `tilelab solve` prints them; a JSON answer is an object
 * with the same names. `moves` (or `boards`: the boards of the path, from the start to the goal) or
 * `status` makes it an answer; without a status, moves mean solved. A `length` (or a whole `cost`)
 * without a path is a claim: `claimed`. `bound` says that no solution is shorter. The counters of
 * search/statistics.def are taken by their names, but peak_bytes, which the system knows better;
 * other names are kept as extra. A name that comes again replaces what it said before. Text that is
 * not `name: value`, such as "Solving ..", counts for nothing. */
#pragma once

#include "harness/external/external.h"

/* How much is kept of what else an answer says: names, and bytes of its JSON text. What is beyond
 * is left out, and `not_kept` says how many names that are. */
enum { EXTRA_NAMES = 64, EXTRA_BYTES = 4096 };

/* The words of the command with their placeholders filled in, ended by NULL; heap memory,
 * heap_free_words. */
char **protocol_words(const struct external *external, const struct question *question);

/* What the program reads: its own `input`, filled in; else "W H", the rows of the start, an empty
 * line, the rows of the goal; or, as JSON, one object on a line: width, height, start and goal, the
 * boards as the columns of runs.csv have them. Heap memory. */
char *protocol_input(const struct external *external, const struct question *question);

/* How far the output of a persistent program was searched for the end of its answer; starts as
 * {0}. */
struct answer_scan {
    size_t line; /* where the first line begins that was not whole */
    bool begun;
};

/* The bytes of the answer at the beginning of `text`: a text ends with an empty line (empty lines
 * before it are passed over), JSON with the line that begins with a brace. 0: not whole yet; ask
 * again with the same scan when there is more. */
size_t protocol_answer_bytes(const struct external *external, const char *text, size_t length,
                             struct answer_scan *scan);

/* When how much of an answer had come: seconds since the question, ascending. */
struct arrival {
    size_t bytes;
    double seconds;
};

struct arrivals {
    struct arrival *items; /* owned */
    size_t count;
};

/* Reads a whole answer of `length` bytes, any bytes: fills the status, the path (moves of the
 * blank), h_start and the counters of `result`, and `answer`; times and bytes are left at 0. If it
 * is no answer, returns why, in heap memory, one printable line, and the status is crashed; else
 * NULL. Nobody has checked the path yet. */
char *protocol_read(const struct external *external, const struct question *question,
                    const char *text, size_t length, const struct arrivals *arrivals,
                    struct result *result, struct answer *answer);

/* Reads a bound on what solutions cost, in the scale of the costs. False if it is none. */
bool bound_parse(const char *text, enum cost_model model, struct shape shape, uint64_t *bound);

/* Reads what a program printed that was ended: of its whole lines the cheapest path that leads to
 * the goal, the incumbents and the bound, which `result` gets. Nothing else of it counts. */
void protocol_read_best(const struct external *external, const struct question *question,
                        const char *text, size_t length, const struct arrivals *arrivals,
                        struct result *result);
