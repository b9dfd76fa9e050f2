/* What the files of the figures share: the costs of boards, and the parts of tables and captions
 * that several figures have. Each figure is a function that fills figure->table and says what it
 * shows, or refuses. */
#pragma once

#include "harness/analysis/costs.h"
#include "harness/analysis/profile.h"
#include "harness/analysis/ranks.h"
#include "harness/figures/figures.h"

/* More bands than that hide one another, and so do more lines. */
enum { MAX_BANDS = 6, MAX_LINES = 12 };

/* What a figure is made from. */
struct making {
    const struct results *results;
    const struct block *block;
    enum metric metric;
    const bool *reported; /* by solver: that it reports the metric */
    size_t baseline;
    const struct side_numbers *tables;
    const char *parameter;   /* NULL: none */
    bool quality;            /* make_sweep: quality_of, not the metric */
    struct figures *figures; /* for the names of series */
};

#define FIGURE(name, of_metric, shows)                                                             \
    void figure_##name(const struct making *making, struct figure *figure);
#include "harness/figures/figures.def"
#undef FIGURE

/* Says why there is no figure, in place of any earlier reason. */
void figure_refuse(struct figure *figure, const char *format, ...) PRINTF_LIKE(2, 3);

/* Adds a sentence to the caption. */
void figure_say(struct figure *figure, const char *format, ...) PRINTF_LIKE(2, 3);

/* "n = 100 boards." */
void say_boards(struct figure *figure, const struct block *block, size_t count);

/* Counts a solved board of a solver whose solution or whose metric is doubtful; and says how many
 * there are. */
struct doubts {
    size_t unverified, impossible, drifted;
};
void count_doubts(struct doubts *doubts, const struct making *making,
                  const struct outcome *outcome);
void say_doubts(struct figure *figure, const struct doubts *doubts);

/* "Unsolved: lcbb(misplaced) 3 of 150." of the boards that have a place in the figure (`known`:
 * whose optimal length is known); and what nobody checked. */
void say_unsolved(struct figure *figure, const struct making *making, bool known);

/* Says whose times and bytes are of something else. */
void say_measured(struct figure *figure, const struct making *making);

/* The same after whose metric is missing. */
void say_sources(struct figure *figure, const struct making *making);

/* How many boards have a known optimal length and can be solved, and how many do not. */
void say_lengths(struct figure *figure, const struct making *making);
size_t boards_with_length(const struct making *making);

/* The name of a solver in the tables. */
const char *solver_name(const struct making *making, size_t solver);

/* Whether something can be said of a solver on a board: it tried the board, which can be solved. */
bool tried(const struct making *making, size_t solver, size_t instance);

/* By solver: whether it reports the metric of every board that it solved; else its quartiles would
 * be those of other boards. Heap memory. */
bool *reported_by(const struct making *making);

/* The cost of a run: INFINITY if it is unsolved, NaN if there is no run or no value. */
double cost_of(const struct making *making, size_t solver, size_t instance);

/* The name of a metric on an axis; heap memory. */
char *metric_label(enum metric metric);

/* ---- Lines with bands ---- */

/* Adds a row for each x of the points, which it sorts: the series, x, how many points and how many
 * are finite, the quartiles of y. */
void add_bands(struct tidy *tidy, const char *series, struct point *points, size_t count);

/* Whether the medians of the bands have at least two different x. */
bool is_line(const struct tidy *tidy);

/* Says what the lines are; decides whether their quartiles are drawn, and whether in panels. */
void say_bands(struct figure *figure);

/* Adds to a figure of expansions by optimal length what theory knows of them: covers, and
 * expectations of idastar. Not in panels. */
void add_theories(const struct making *making, struct figure *figure);

/* Explains the marks of points of which boards are unsolved: "some boards are unsolved". Panels
 * have no room for a word at the line on which unsolved medians lie. */
void say_hollow(struct figure *figure, const char *what);

/* A line for each family of solvers that differ in nothing but the parameter, which there is. */
void make_sweep(const struct making *making, struct figure *figure);

/* ---- Boxes ---- */

/* Begins a table of boxes; columns 3 to 7 are their numbers. */
void start_boxes(struct tidy *tidy);

/* Adds a box: `count` values of the boards that were tried. */
void add_box(struct tidy *tidy, const char *series, size_t boards, double *values, size_t count);

/* Begins the table and adds each solver's box of the values of its boards; NaN: the board has none.
 * Returns the largest number of boards of a solver. */
size_t add_boxes(const struct making *making, struct figure *figure,
                 double (*value)(const struct making *making, size_t solver, size_t instance));

/* Says what a box of one value is drawn as, if there is one. */
void say_single(struct figure *figure);

/* The figure of boxes of the costs. */
void make_boxes(const struct making *making, struct figure *figure);

/* ---- Shares of boards ---- */

/* The costs over the boards that all solvers tried; refuses if there are too few boards or solvers.
 */
struct costs shared_costs(const struct making *making, struct figure *figure, size_t solvers);

/* Refuses a figure of which unsolved runs would be part, where they say nothing of the metric. */
void refuse_unknown(const struct making *making, struct figure *figure, const struct costs *costs);

/* Adds the steps of a line, which it ends; a line without any begins at 0. */
void add_steps(struct tidy *tidy, const char *series, struct profile steps);

/* Gives the y axis shares, and says the rest of the caption of a figure of lines of them. */
void end_shares(const struct making *making, struct figure *figure, const char *y_label);
