/* Points: the rows of solvers with a command and a label, held against the rules of the experiment
 * (experiment/points.h).
 *
 * A rule's points are what it is worth x (rows that satisfy it) / (rows that it applies to), summed
 * exactly and shown with two decimals. It applies to rows of its set: `unsolvable` to those of
 * boards that cannot be solved, all others to those of boards that can, `optimal` where the optimal
 * length is known, `within` where the other solver solved the board. Only a path that was replayed
 * satisfies; `unsolvable` also takes `exhausted` for an answer. A row that lacks the metric, or
 * whose counters no search can have, does not satisfy a rule about a counter.
 *
 * What the machine did costs no point: a row that is to be made again (status.def), that lost a
 * rule about times while others disturbed the machine, or that they kept from the processor until
 * its time was over, is excused: it counts neither way, and the points are preliminary. */
#pragma once

#include "harness/compare/comparison.h"
#include "harness/report/page_runs.h"
#include "harness/text/human.h"

enum point_verdict {
    POINT_NONE /* the rule does not apply */,
    POINT_EARNED,
    POINT_LOST,
    POINT_EXCUSED
};

/* What a solver has of a rule. */
struct tally {
    size_t earned, of, excused;
    size_t silent; /* of those that were lost: solved, but without the metric */
};

struct marked_solver {
    size_t solver; /* its number in the results */
    const char *label;
    size_t *runs; /* owned; the last of each board and repetition, board by board */
    size_t run_count;
    struct tally *tallies; /* owned; by rule */
    double points;
    bool preliminary;
    char *comment; /* owned */
};

struct disturbance {
    const char *from, *to; /* as in finished_at; the manifest's */
};

struct marks {
    const struct results *results;
    const struct page_runs *runs;
    struct point_rule *rules; /* owned */
    size_t *others;           /* owned; by rule: the solver that it names; NAMES_NONE */
    size_t rule_count;
    struct marked_solver *solvers; /* owned; in the order of the results */
    size_t solver_count;
    struct disturbance *disturbed; /* owned; sessions during which others kept the machine busy */
    size_t disturbed_count;
};

/* Marks the solvers of a results folder that was read; its manifest may have no rules. False, with
 * a message, if a rule cannot be read or no row is of a labelled program; marks_end in either case.
 */
bool marks_make(struct marks *marks, const struct comparison *comparison,
                const struct page_runs *runs, FILE *errors);

enum point_verdict marks_verdict(const struct marks *marks, size_t rule, size_t run);

/* What a rule expects of a run, and what the run has: "expanded up to 24", "43"; heap memory. */
char *marks_expected(const struct marks *marks, size_t rule, size_t run);
char *marks_got(const struct marks *marks, size_t rule, size_t run);

/* The points of a tally, NAN where the rule applies to none of the rows; and a number of points as
 * it is shown. */
double marks_points(const struct point_rule *rule, const struct tally *tally);
struct human points_text(double points);

/* The table label x rule. */
struct tidy marks_view(const struct marks *marks);

/* Tells which rows of a solver earned and lost the points of each rule. */
void marks_tell_rows(const struct marks *marks, const struct marked_solver *solver,
                     struct document *document);

/* The marked solver of a label; NULL: none. */
const struct marked_solver *marks_find(const struct marks *marks, const char *label);

void marks_end(struct marks *marks);
