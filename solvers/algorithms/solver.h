/* A solver: an algorithm, its heuristic, and their options. Written the same everywhere:
 *     ALGORITHM(HEURISTIC, option=value, ..)
 * with the heuristic's options first, defaults left out, and flags as bare words: bfs,
 * dfs(depth_limit=31), astar(manhattan), descent(misplaced, count_blank), idastar(pdb:7-8). */
#ifndef ALGORITHMS_SOLVER_H
#define ALGORITHMS_SOLVER_H

#include "algorithms/algorithm.h"
#include "base/report.h"
#include "heuristics/heuristic.h"
#include "search/task.h"

struct solver {
    const struct algorithm *algorithm;
    int64_t options[MAX_OPTIONS];      /* the algorithm's */
    struct heuristic_choice heuristic; /* its kind is NULL for uninformed algorithms */
};

/* Reads the short form. Problems go to `report`; the text begins at (line, column). */
bool solver_parse(const char *text, size_t line, size_t column, struct report *report,
                  struct solver *solver);

/* The same in steps, for other notations. Each reports its own problem at the given place and
 * returns false.
 *
 * solver_start names the algorithm and sets every option to its default. solver_set_heuristic
 * reads NAME or NAME:ARGUMENT and must come before the options of the heuristic. solver_set gives
 * one option its value, as text; a flag takes true or false, or NULL for true; a number that may be
 * left out also takes `none`. solver_complete says whether an informed algorithm has its heuristic.
 */
bool solver_start(struct solver *solver, const char *algorithm, size_t line, size_t column,
                  struct report *report);
bool solver_set_heuristic(struct solver *solver, const char *text, size_t line, size_t column,
                          struct report *report);
bool solver_set(struct solver *solver, const char *option, const char *value, size_t line,
                size_t column, struct report *report);
bool solver_complete(const struct solver *solver, size_t line, size_t column,
                     struct report *report);

/* Whether the solver can be had for this goal: that its heuristic is defined there. If not, the
 * problem goes to `report`, without a place. */
bool solver_defined(const struct solver *solver, const struct board *goal, struct report *report);

/* The short form in its canonical spelling; heap memory, free(). */
char *solver_text(const struct solver *solver);

/* The options alone, in canonical spelling and order ("" where all have their defaults); heap
 * memory, free(). */
char *solver_options_text(const struct solver *solver);

/* What the solver claims with these options: the algorithm's OPTIMAL, BOUNDED and COMPLETE, the
 * heuristic's ADMISSIBLE and CONSISTENT; an informed algorithm loses OPTIMAL and BOUNDED with a
 * heuristic that is not admissible. BOUNDED by a factor of 1 is OPTIMAL. */
unsigned solver_properties(const struct solver *solver);

/* How many times as long as a shortest path a solution is at most, in thousandths (DECIMAL_ONE for
 * a solver that is OPTIMAL); 0 where nothing is promised. */
int64_t solver_bound(const struct solver *solver);

/* Runs a solver on a task, for whose goal it is defined. Checks parity first (`unsolvable`), makes
 * the heuristic ready outside the measured time, searches within the limits. `result` is filled
 * whatever happens; result_end frees it. A `solved` here is a claim: only the verifier
 * (puzzle/replay.h) turns it into a fact. `observer` may be NULL. */
void solver_run(const struct solver *solver, const struct task *task, const struct limits *limits,
                const struct observer *observer, struct result *result);

void result_end(struct result *result);

#endif
