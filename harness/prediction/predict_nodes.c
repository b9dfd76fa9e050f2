/* How many nodes a round of idastar expands. Over a population: Korf, Reid and Edelkamp, "Time
 * complexity of iterative-deepening-A*", Artificial Intelligence 129, 2001: the sum over levels i
 * of N(i) P(d - i), N the nodes of a level and P the share of boards with so small an h. N and P
 * depend on the blank's cell and are split by it. A move can be undone, so as many paths of i moves
 * end at a board as begin there; the sum is then no estimate but the mean over all boards, for a
 * consistent heuristic. */
#include "base/heap.h"
#include "base/random.h"
#include "harness/prediction/estimators.h"
#include "harness/prediction/path_tree.h"
#include "harness/prediction/predict.h"
#include "harness/text/progress.h"
#include <inttypes.h>
#include <math.h>

/* A threshold, and the trees whose levels below it count. */
struct round {
    const struct path_tree *tree;
    unsigned threshold;
};

static double nodes_below(const void *context, unsigned blank, unsigned h)
{
    const struct round *round = context;
    return h > round->threshold
               ? 0
               : round->tree->nodes[(size_t)blank * round->tree->levels + round->threshold - h];
}

static double mean_nodes_below(const void *context, unsigned blank, unsigned h)
{
    const struct round *round = context;
    (void)blank;
    return h > round->threshold ? 0 : round->tree->mean[round->threshold - h];
}

/* The mean of what rounds really expand, for each threshold, over all boards of an exact
 * population; false where a tree is too large. */
static bool measure(struct prediction *prediction, double *mean)
{
    const size_t boards = prediction->distances.ranking.size;
    const unsigned end = prediction->last + 1;
    SCOPED uint64_t *nodes = heap_take(end, sizeof *nodes);
    struct progress progress;
    bool fine = true;
    progress_start(&progress, "boards", 0, boards, prediction->quiet);
    for (size_t i = 0; i < boards && fine; i++) {
        struct board board;
        ranking_unrank(&prediction->distances.ranking, (uint32_t)i, &board);
        fine = path_tree_walk(&prediction->heuristic, &board, end, prediction->limit, nodes);
        if (i % 64 == 0)
            progress_show(&progress, i, "walked");
    }
    progress_clear(&progress);
    for (unsigned t = 0; t < end; t++)
        mean[t] = fine ? (double)nodes[t] / (double)boards : NAN;
    return fine;
}

/* Twice the mean h, for thresholds where distances are unknown. */
static double value_of_h(const void *context, unsigned blank, unsigned h)
{
    (void)context;
    (void)blank;
    return h;
}

static unsigned last_threshold(const struct prediction *prediction,
                               const struct population *population)
{
    const double last = prediction->exact ? prediction->distances.deepest
                                          : 2 * population_mean(population, value_of_h, NULL).mean;
    return last < MAX_LEVELS - 1 ? (unsigned)lround(last) : MAX_LEVELS - 1;
}

/* A mean over the boards: not known where no board of a sample has so small an h, as the goal has.
 */
static struct estimate mean_over(const struct prediction *prediction,
                                 const struct population *population,
                                 double (*value)(const void *context, unsigned blank, unsigned h),
                                 const struct round *round)
{
    const struct estimate found = population_mean(population, value, round);
    return prediction->exact || found.mean > 0 ? found : (struct estimate){NAN, NAN};
}

static void whole_columns(struct tidy *table, bool sampled, bool measured)
{
    predict_column(table, "threshold", NULL, SHAPE_NUMBER,
                   "d: nodes with g + h above it are dropped");
    predict_column(
        table, "expected", NULL, SHAPE_RATIO,
        "mean number of nodes that a whole round expands, over all boards; empty: no board "
        "of the sample has so small an h");
    if (sampled)
        predict_column(table, "expected_error", "+-", SHAPE_RATIO, "half an interval of 95 %");
    if (measured)
        predict_column(table, "measured", NULL, SHAPE_RATIO,
                       "the same, counted by walking every tree");
    predict_column(table, "unsplit", NULL, SHAPE_RATIO,
                   "the same sum where levels and values of h are not split by the blank's cell");
}

static enum ending predict_whole(struct prediction *prediction)
{
    SCOPED_BY(tilted_end) struct tilted tilted = {0};
    SCOPED_BY(population_end)
    struct population population = predict_population(prediction, &tilted, NULL, NULL);
    struct tidy table = {0};
    if (!prediction->has_thresholds)
        prediction->last = last_threshold(prediction, &population);
    SCOPED_BY(path_tree_end) struct path_tree tree;
    path_tree_make(prediction->goal.shape, prediction->last + 1, &tree);
    SCOPED double *measured = heap_take((size_t)prediction->last + 1, sizeof *measured);
    const bool fine = !prediction->measure || measure(prediction, measured);
    whole_columns(&table, !prediction->exact, prediction->measure);
    for (unsigned t = prediction->first; t <= prediction->last; t++) {
        const struct round round = {&tree, t};
        const struct estimate expected = mean_over(prediction, &population, nodes_below, &round);
        tidy_numbers(&table, t, expected.mean);
        if (!prediction->exact)
            tidy_number(&table, NORMAL_95 * expected.error);
        if (prediction->measure)
            tidy_number(&table, measured[t]);
        tidy_number(&table, mean_over(prediction, &population, mean_nodes_below, &round).mean);
    }
    predict_table(prediction, "nodes",
                  heap_format("Nodes of a whole round of idastar(%s), mean over %s boards of ",
                              prediction->name, prediction->exact ? "all" : "the"),
                  &table);
    if ((heuristic_properties(&prediction->choice) & CONSISTENT) == 0)
        document_say(&prediction->document, PART_NOTE,
                     "%s does not claim to be consistent: rounds may expand fewer nodes than "
                     "expected, as a node with g + h up to the threshold can lie below one above "
                     "it.",
                     prediction->name);
    predict_say_sample(prediction, &population);
    if (!fine) {
        prediction->problem = heap_format("--measure: a tree has more than %" PRIu64
                                          " nodes; smaller --thresholds, or more --nodes",
                                          prediction->limit);
        return ENDING_FAILED;
    }
    return ENDING_DONE;
}

/* ---- One board ---- */

struct learning {
    struct conditional *conditional;
    const struct heuristic *heuristic;
};

static void learn(void *context, const struct board *board, double weight)
{
    const struct learning *learning = context;
    conditional_add(learning->conditional, learning->heuristic, board, weight);
}

static void board_columns(struct tidy *table)
{
    static const struct {
        const char *name, *heading, *meaning;
    } columns[] = {
        {"threshold", NULL, "d: nodes with g + h above it are dropped"},
        {"measured", NULL, "nodes that a whole round expands, counted; empty: too many"},
        {"chen", NULL, "Chen's estimate: one node of each type followed on each level"},
        {"chen_error", "+-", "half an interval of 95 %"},
        {"knuth", NULL, "Knuth's estimate: random walks"},
        {"knuth_error", "+-", "half an interval of 95 %"},
        {"conditional", NULL, "from the distribution of a child's h, given cell, h and move"},
        {"whole", "all boards", "mean over all boards (predict nodes without a board)"},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        predict_column(table, columns[i].name, columns[i].heading,
                       i == 1   ? SHAPE_NUMBER
                       : i == 0 ? SHAPE_FULL
                                : SHAPE_RATIO,
                       columns[i].meaning);
}

/* What one threshold's row is made from. */
struct board_prediction {
    const struct prediction *prediction;
    const struct population *population;
    const struct conditional *conditional;
    const struct path_tree *tree;
    gsl_rng *generator;
    unsigned h;    /* of the board */
    bool too_many; /* the tree of a threshold was too large to walk: larger ones are, too */
};

static void add_threshold(struct board_prediction *of, unsigned t, struct tidy *table)
{
    const struct prediction *prediction = of->prediction;
    const struct round round = {of->tree, t};
    SCOPED uint64_t *nodes = heap_take((size_t)t + 1, sizeof *nodes);
    of->too_many = of->too_many || !path_tree_walk(&prediction->heuristic, &prediction->board,
                                                   t + 1, prediction->limit, nodes);
    random_stream(of->generator, prediction->seed, 1, t, 0);
    const struct estimate chen = chen_estimate(&prediction->heuristic, &prediction->board, t,
                                               prediction->probes, of->generator);
    random_stream(of->generator, prediction->seed, 2, t, 0);
    const struct estimate knuth = knuth_estimate(&prediction->heuristic, &prediction->board, t,
                                                 prediction->probes, of->generator);
    tidy_numbers(table, t, of->too_many ? NAN : (double)nodes[t], chen.mean, NORMAL_95 * chen.error,
                 knuth.mean, NORMAL_95 * knuth.error,
                 conditional_estimate(of->conditional, prediction->board.blank, of->h, t),
                 mean_over(prediction, of->population, nodes_below, &round).mean);
}

static enum ending predict_board(struct prediction *prediction)
{
    const unsigned h =
        prediction->heuristic.kind->evaluate(&prediction->heuristic, &prediction->board);
    if (!prediction->has_thresholds) {
        prediction->first = h;
        prediction->last = h + 10;
    }
    if (prediction->last >= MAX_LEVELS) {
        prediction->problem =
            heap_format("h of the board is %u; expected thresholds below %d", h, MAX_LEVELS);
        return ENDING_REFUSED;
    }
    struct tidy table = {0};
    SCOPED_BY(tilted_end) struct tilted tilted = {0};
    SCOPED_BY(path_tree_end) struct path_tree tree;
    SCOPED_BY(conditional_end) struct conditional conditional;
    conditional_start(&conditional, prediction->goal.shape, prediction->last + 1);
    struct learning learning = {&conditional, &prediction->heuristic};
    SCOPED_BY(population_end)
    struct population population = predict_population(prediction, &tilted, learn, &learning);
    path_tree_make(prediction->goal.shape, prediction->last + 1, &tree);
    struct board_prediction of = {.prediction = prediction,
                                  .population = &population,
                                  .conditional = &conditional,
                                  .tree = &tree,
                                  .generator = gsl_rng_alloc(random_philox),
                                  .h = h};
    board_columns(&table);
    for (unsigned t = prediction->first; t <= prediction->last; t++)
        add_threshold(&of, t, &table);
    char line[BOARD_LINE];
    board_line(&prediction->board, line);
    predict_table(prediction, "nodes",
                  heap_format("Nodes of a whole round of idastar(%s) on %s (h = %u), ",
                              prediction->name, line, h),
                  &table);
    document_say(&prediction->document, PART_NOTE,
                 "%u probes each (seed %" PRIu64
                 "). Few probes of Knuth's find the large subtrees: his mean is right, but most "
                 "samples are below it, and the interval does not show it.",
                 prediction->probes, prediction->seed);
    predict_say_sample(prediction, &population);
    gsl_rng_free(of.generator);
    return ENDING_DONE;
}

char *nodes_refuse(const struct prediction *prediction)
{
    return prediction->measure && !prediction->exact && !prediction->has_board
               ? heap_format("--measure walks the trees of all boards; expected a size of up to %d "
                             "cells, or a board",
                             MAX_TABLE_CELLS)
               : NULL;
}

enum ending predict_nodes(struct prediction *prediction)
{
    return prediction->has_board ? predict_board(prediction) : predict_whole(prediction);
}
