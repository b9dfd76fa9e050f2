/* A solver: an algorithm, its heuristic, and their options. Written the same everywhere:
 *     ALGORITHM(HEURISTIC, option=value, ..)
 * with the heuristic's options first, defaults left out, and flags as bare words: bfs,
 * dfs(depth_limit=31), astar(manhattan), descent(misplaced, count_blank), idastar(pdb:7-8).
 * Every algorithm has the option order, the last one: bfs(order=RDLU). */
#pragma once

#include "algorithms/algorithm.h"
#include "base/report.h"
#include "heuristics/heuristic.h"
#include "search/task.h"

struct solver {
    const struct algorithm *algorithm;
    int64_t options[MAX_OPTIONS];      /* the algorithm's */
    struct heuristic_choice heuristic; /* its kind is NULL for uninformed algorithms */
    char order[MOVES + 1]; /* the option of every algorithm: an operator order of its own; "": the
                              task's */
};

/* Reads the short form. Problems go to `report`; the text begins at `place`. */
bool solver_parse(const char *text, struct text_place place, struct report *report,
                  struct solver *solver);

/* The same in steps, for other notations. Each reports its own problem at the given place and
 * returns false.
 *
 * solver_start names the algorithm and sets every option to its default. solver_set_heuristic
 * reads NAME or NAME:ARGUMENT and must come before the options of the heuristic. solver_set gives
 * one option its value, as text; a flag takes true or false, or NULL for true; a number that may be
 * left out also takes `none`. solver_complete says whether an informed algorithm has its heuristic.
 */
bool solver_start(struct solver *solver, const char *algorithm, struct text_place place,
                  struct report *report);
bool solver_set_heuristic(struct solver *solver, const char *text, struct text_place place,
                          struct report *report);
bool solver_set(struct solver *solver, const char *option, const char *value,
                struct text_place place, struct report *report);
bool solver_complete(const struct solver *solver, struct text_place place, struct report *report);

/* A heuristic without an algorithm, with the same grammar: NAME, NAME:ARGUMENT, or either with
 * options, as in misplaced(count_blank); and as such a text, defaults left out (heap memory). */
bool solver_read_heuristic(const char *text, struct text_place place, struct report *report,
                           struct heuristic_choice *choice);
char *solver_heuristic_text(const struct heuristic_choice *choice);

/* Whether it searches from both ends with a heuristic, which is then prepared for the start as a
 * goal, too. */
bool solver_estimates_back(const struct solver *solver);

/* Why the solver, that is, its heuristic, is not defined for a task; heap memory, NULL if it is. A
 * start that cannot reach the goal needs no heuristic. */
char *solver_refuses(const struct solver *solver, const struct board *start,
                     const struct board *goal);

/* Why the solver is not defined where moves cost what `costs` says (NULL: 1 each); heap memory,
 * NULL if it is. An algorithm without a heuristic that counts moves is defined, and claims nothing
 * of costs. */
char *solver_refuses_costs(const struct solver *solver, const struct move_costs *costs);

/* The same as a problem in `report`, without a place. */
bool solver_defined(const struct solver *solver, const struct board *start,
                    const struct board *goal, struct report *report);

/* The short form in its canonical spelling; heap memory, free(). */
char *solver_text(const struct solver *solver);

/* The options alone, in canonical spelling and order ("" where all have their defaults); heap
 * memory, free(). */
char *solver_options_text(const struct solver *solver);

/* The operator order it searches by, where that of its task is `order`. */
const char *solver_order(const struct solver *solver, const char *order);

/* What the solver claims with these options: OPTIMAL, BOUNDED and COMPLETE of the algorithm,
 * ADMISSIBLE and CONSISTENT of the heuristic. An informed algorithm loses OPTIMAL and BOUNDED if
 * its heuristic is not admissible. BOUNDED by a factor of 1 is OPTIMAL. */
unsigned solver_properties(const struct solver *solver);

/* The bound on the length of a solution, in thousandths of the length of a shortest one:
 * DECIMAL_ONE for a solver that is OPTIMAL; 0 if nothing is promised. */
int64_t solver_bound(const struct solver *solver);

/* The same bound on the cost of a solution, where moves cost different amounts. */
int64_t solver_cost_bound(const struct solver *solver);

/* How many threads a search of it uses at once. */
unsigned solver_threads(const struct solver *solver);

/* Runs a solver on a task for which it is defined. Checks parity first (`unsolvable`),
 * prepares the heuristic outside the measured time, and searches within the limits. `result` is
 * always filled; result_end frees it. `solved` is only a claim here: the verifier (puzzle/replay.h)
 * makes it a fact. `observer` may be NULL. */
void solver_run(const struct solver *solver, const struct task *task, const struct limits *limits,
                const struct observer *observer, struct result *result);

/* The same where moves cost what `costs` says (NULL: 1 each), in a way that the solver does not
 * refuse. */
void solver_run_priced(const struct solver *solver, const struct task *task,
                       const struct move_costs *costs, const struct limits *limits,
                       const struct observer *observer, struct result *result);

void result_end(struct result *result);
