/* The values of a heuristic: eta, and their distribution and mean. */
#include "base/heap.h"
#include "harness/prediction/estimators.h"
#include "harness/prediction/path_tree.h"
#include "harness/prediction/predict.h"
#include <math.h>

static double power_of(const void *context, unsigned blank, unsigned h)
{
    const double *base = context;
    (void)blank;
    return pow(*base, -(double)h);
}

/* Whether eta needs no boards: the Manhattan distance with no options set, and few enough cells. */
static bool is_product(const struct prediction *prediction)
{
    return (heuristic_properties(&prediction->choice) & SUMS_STEPS) != 0 &&
           prediction->goal.shape.cells <= MAX_TILTED_CELLS;
}

enum ending predict_eta(struct prediction *prediction)
{
    const double base = path_tree_branching_factor(prediction->goal.shape);
    struct estimate eta = {0};
    SCOPED_BY(tilted_end) struct tilted tilted = {0};
    struct tidy table = {0};
    bool exact = prediction->exact;
    if (!exact && is_product(prediction)) {
        tilted_make(&prediction->goal, base, &tilted);
        eta.mean = tilted_mean(&tilted);
        exact = true;
    } else {
        SCOPED_BY(population_end)
        struct population population = predict_population(prediction, &tilted, NULL, NULL);
        eta = population_mean(&population, power_of, &base);
        predict_say_sample(prediction, &population);
    }
    predict_column(&table, "heuristic", NULL, SHAPE_TEXT, "the heuristic");
    predict_column(&table, "branching_factor", NULL, SHAPE_FULL,
                   "b: by which the levels of the tree grow in the end");
    predict_column(&table, "eta", NULL, SHAPE_FULL, "mean of b^-h over all boards");
    predict_column(&table, "eta_error", "+-", SHAPE_FULL,
                   "half an interval of 95 %; 0: exact but for rounding");
    tidy_add(&table, "%s %g %g %g", prediction->name, base, eta.mean,
             exact ? 0 : NORMAL_95 * eta.error);
    predict_table(prediction, "eta", heap_text("eta, "), &table);
    return ENDING_DONE;
}

/* How often each h comes, by distance; the last row of counts is of all boards. */
struct values {
    uint64_t (*count)[MAX_VALUE]; /* owned; [distance][h] */
    uint64_t all[MAX_VALUE];
};

static struct values values_of(const struct prediction *prediction,
                               const struct population *population)
{
    struct values values = {0};
    for (size_t i = 0; i < population->count; i++)
        values.all[population->classes[i].h] += population->classes[i].boards;
    if (!prediction->by_distance)
        return values;
    values.count = heap_take(MAX_DISTANCES, sizeof *values.count);
    for (uint32_t rank = 0; rank < prediction->distances.ranking.size; rank++) {
        struct board board;
        ranking_unrank(&prediction->distances.ranking, rank, &board);
        values.count[prediction->distances.depth[rank]]
                    [prediction->heuristic.kind->evaluate(&prediction->heuristic, &board)]++;
    }
    return values;
}

/* The rows of one distance (NAN: all boards). */
static void add_values(const struct prediction *prediction, double distance,
                       const uint64_t count[MAX_VALUE], struct tidy *table)
{
    double boards = 0, below = 0;
    for (unsigned h = 0; h < MAX_VALUE; h++)
        boards += (double)count[h];
    for (unsigned h = 0; h < MAX_VALUE; h++) {
        if (count[h] == 0)
            continue;
        const double share = (double)count[h] / boards;
        below += (double)count[h];
        if (prediction->by_distance)
            tidy_number(table, distance);
        tidy_numbers(table, h, (double)count[h], share);
        if (!prediction->exact)
            tidy_number(table, NORMAL_95 * sqrt(share * (1 - share) / (boards - 1)));
        tidy_number(table, below / boards);
    }
}

/* The row of means of one distance (NAN: all boards). */
static void add_mean(const struct prediction *prediction, double distance,
                     const uint64_t count[MAX_VALUE], struct tidy *table)
{
    double boards = 0, sum = 0, squares = 0;
    for (unsigned h = 0; h < MAX_VALUE; h++) {
        boards += (double)count[h];
        sum += (double)count[h] * h;
        squares += (double)count[h] * h * h;
    }
    if (boards == 0)
        return;
    const double mean = sum / boards;
    if (prediction->by_distance)
        tidy_number(table, distance);
    tidy_numbers(table, boards, mean);
    if (!prediction->exact) /* at least two boards: --boards asks for them */
        tidy_number(table,
                    NORMAL_95 * sqrt(fmax(0, squares / boards - mean * mean) / (boards - 1)));
}

/* The mean of h, by distance too where asked for. */
static void say_means(struct prediction *prediction, const struct values *values)
{
    struct tidy table = {0};
    if (prediction->by_distance)
        predict_column(&table, "distance", NULL, SHAPE_FULL, "from the goal; empty: all boards");
    tidy_column(&table, "boards", "", "how many boards it is the mean of");
    predict_column(&table, "mean_h", "mean h", SHAPE_FULL, "mean of the heuristic's values");
    if (!prediction->exact)
        predict_column(&table, "mean_h_error", "+-", SHAPE_RATIO, "half an interval of 95 %");
    for (unsigned distance = 0; prediction->by_distance && distance < MAX_DISTANCES; distance++)
        add_mean(prediction, distance, values->count[distance], &table);
    add_mean(prediction, NAN, values->all, &table);
    document_table(&prediction->document, "mean", &table, "Mean of %s", prediction->name);
}

char *distribution_refuses(const struct prediction *prediction)
{
    return prediction->by_distance && !prediction->exact
               ? heap_format("--by-distance needs all distances; expected a size of up to %d cells",
                             MAX_TABLE_CELLS)
               : NULL;
}

enum ending predict_distribution(struct prediction *prediction)
{
    SCOPED_BY(population_end)
    struct population population = predict_population(prediction, NULL, NULL, NULL);
    for (size_t i = 0; i < population.count; i++)
        if (population.classes[i].h >= MAX_VALUE) {
            prediction->problem = heap_format("%s has the value %u; expected values below %d",
                                              prediction->name, population.classes[i].h, MAX_VALUE);
            return ENDING_FAILED;
        }
    struct values values = values_of(prediction, &population);
    struct tidy table = {0};
    if (prediction->by_distance)
        predict_column(&table, "distance", NULL, SHAPE_FULL, "from the goal; empty: all boards");
    predict_column(&table, "h", NULL, SHAPE_FULL, "the heuristic's value");
    tidy_column(&table, "boards", "", "how many boards have it");
    predict_column(&table, "share", NULL, SHAPE_RATIO, "of the boards");
    if (!prediction->exact)
        predict_column(&table, "share_error", "+-", SHAPE_RATIO, "half an interval of 95 %");
    predict_column(&table, "share_up_to", "P(h)", SHAPE_RATIO,
                   "share of the boards with this value or a smaller one");
    for (unsigned distance = 0; prediction->by_distance && distance < MAX_DISTANCES; distance++)
        add_values(prediction, distance, values.count[distance], &table);
    add_values(prediction, NAN, values.all, &table);
    predict_table(prediction, "distribution", heap_format("Values of %s, ", prediction->name),
                  &table);
    say_means(prediction, &values);
    predict_say_sample(prediction, &population);
    free(values.count);
    return ENDING_DONE;
}
