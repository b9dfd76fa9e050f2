#include "harness/prediction/predict.h"
#include "base/heap.h"
#include "base/random.h"
#include "harness/prediction/path_tree.h"
#include "harness/text/progress.h"
#include "instances/generate.h"
#include <inttypes.h>

void predict_table(struct prediction *prediction, const char *name, char *caption,
                   struct tidy *table)
{
    char line[BOARD_LINE];
    board_line(&prediction->goal, line);
    heap_append(&caption, "%ux%u, goal %s", prediction->goal.shape.width,
                prediction->goal.shape.height, line);
    document_table(&prediction->document, name, table, "%s", caption);
    free(caption);
}

void predict_column(struct tidy *table, const char *name, const char *heading,
                    enum tidy_shape shape, const char *meaning)
{
    struct tidy_heading *column = tidy_column(table, name, "", meaning);
    column->shape = shape;
    column->heading = heading == NULL ? NULL : heap_text(heading);
}

struct population predict_population(struct prediction *prediction, struct tilted *tilted,
                                     void (*each)(void *context, const struct board *board,
                                                  double weight),
                                     void *context)
{
    const struct heuristic *heuristic = &prediction->heuristic;
    struct population population;
    struct progress progress;
    SCOPED_BY(instance_list_end) struct instance_list list = {0};
    const bool tilts =
        !prediction->exact && tilted != NULL && prediction->goal.shape.cells <= MAX_TILTED_CELLS;
    const size_t count =
        prediction->exact ? prediction->distances.ranking.size : (size_t)prediction->boards;
    gsl_rng *generator = gsl_rng_alloc(random_philox);
    if (tilts)
        tilted_make(&prediction->goal, path_tree_branching_factor(prediction->goal.shape), tilted);
    else if (!prediction->exact) {
        SCOPED_BY(report_end) struct report report = {0};
        instances_generate(&(struct generation){.set = "generated",
                                                .goal = prediction->goal,
                                                .seed = prediction->seed,
                                                .count = (uint32_t)count},
                           NO_PLACE, &report, &list);
    }
    population_start(&population, tilts ? tilted : NULL, prediction->exact);
    progress_start(&progress, "boards", 0, count, prediction->quiet);
    for (size_t i = 0; i < count; i++) {
        struct board board;
        bool solvable = true;
        if (prediction->exact)
            ranking_unrank(&prediction->distances.ranking, (uint32_t)i, &board);
        else if (tilts) {
            random_stream(generator, prediction->seed, 0, 0, (uint32_t)i);
            solvable = tilted_draw(tilted, generator, &board);
        } else
            board = list.items[i].start;
        const unsigned h = solvable ? heuristic->kind->evaluate(heuristic, &board) : 0;
        const double weight = population_add(&population, &board, h, solvable);
        if (each != NULL && solvable)
            each(context, &board, weight);
        if (i % 1024 == 0)
            progress_show(&progress, i, prediction->name);
    }
    progress_clear(&progress);
    gsl_rng_free(generator);
    return population;
}

void predict_say_sample(struct prediction *prediction, const struct population *population)
{
    struct document *document = &prediction->document;
    if (population->exact)
        return;
    if (population->tilted != NULL)
        document_say(document, PART_NOTE,
                     "From %" PRIu64 " boards (seed %" PRIu64
                     "), drawn the more often the nearer they are to the goal, and weighted by how "
                     "often they come among all; +- is half an interval of 95 %%.",
                     population->drawn, prediction->seed);
    else
        document_say(document, PART_NOTE,
                     "From %" PRIu64 " uniform boards (seed %" PRIu64
                     "); +- is half an interval of 95 %%.%s",
                     population->drawn, prediction->seed,
                     prediction->goal.shape.cells > MAX_TILTED_CELLS
                         ? " Boards near the goal are too rare for such a sample: what hangs on "
                           "them is too small here, and the interval does not show it."
                         : "");
}
