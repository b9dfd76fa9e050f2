#include "harness/analysis/improvements.h"
#include "base/heap.h"
#include <unistd.h>

static bool read_table(struct run_numbers *numbers, const struct results *results, const char *path,
                       const char *const *columns, size_t count, FILE *errors)
{
    SCOPED_BY(report_end) struct report report = {.file = path};
    const bool good = access(path, F_OK) != 0 ||
                      run_numbers_read(numbers, results, path, columns, count, &report);
    if (!good)
        fputs(report.text, errors);
    return good;
}

bool side_numbers_read(struct side_numbers *numbers, const struct results *results,
                       const char *result, bool rounds, FILE *errors)
{
    static const char *const of_round[] = {"round", "expanded", "generated"};
    static const char *const of_incumbent[] = {"wall_s", "expanded", "generated", "cost",
                                               "verified"};
    SCOPED char *folder = results_folder(result);
    char *paths[] = {heap_format("%s/rounds.csv", folder),
                     heap_format("%s/incumbents.csv", folder)};
    bool good = !rounds || read_table(&numbers->rounds, results, paths[0], of_round, 3, errors);
    good = read_table(&numbers->incumbents, results, paths[1], of_incumbent, 5, errors) && good;
    FREE(paths[0], paths[1]);
    return good;
}

int improvement_column(enum metric metric)
{
    return metric == METRIC_wall_s      ? AT_WALL_S
           : metric == METRIC_expanded  ? AT_EXPANDED
           : metric == METRIC_generated ? AT_GENERATED
                                        : -1;
}

void side_numbers_end(struct side_numbers *numbers)
{
    run_numbers_end(&numbers->rounds);
    run_numbers_end(&numbers->incumbents);
}

struct improvement *improvements_of(const struct results *results,
                                    const struct run_numbers *incumbents, const struct block *block,
                                    size_t solver, size_t *count)
{
    struct improvement *found = heap_take(incumbents->count + block->count, sizeof *found);
    *count = 0;
    for (size_t i = 0; i < incumbents->count; i++) {
        const struct run_numbers_row *row = &incumbents->rows[i];
        const size_t instance = results->runs[row->run].instance;
        if (results->runs[row->run].solver != solver || instance - block->first >= block->count ||
            results_outcome(results, solver, instance)->run != row->run ||
            (row->value[AT_VERIFIED] != 1 && !results->claimed))
            continue;
        found[*count].board = instance - block->first;
        memcpy(found[(*count)++].at, row->value, sizeof row->value);
    }
    for (size_t i = block->first; i < block->first + block->count; i++) {
        const struct outcome *outcome = results_outcome(results, solver, i);
        if (outcome->finished)
            found[(*count)++] = (struct improvement){
                i - block->first,
                {outcome_value(results, outcome, METRIC_wall_s),
                 outcome_value(results, outcome, METRIC_expanded),
                 outcome_value(results, outcome, METRIC_generated),
                 outcome_value(results, outcome,
                               is_priced(&results->known[i]) ? METRIC_cost : METRIC_length)}};
    }
    return found;
}

double *improvements_cheapest(const struct results *results, const struct run_numbers *incumbents,
                              const struct block *block)
{
    double *cheapest = heap_take(block->count, sizeof *cheapest);
    for (size_t i = 0; i < block->count; i++) {
        const double optimum = optimum_of(&results->known[block->first + i]);
        cheapest[i] = optimum > 0 ? optimum : INFINITY;
    }
    for (size_t solver = 0; solver < results->solvers.count; solver++) {
        size_t count;
        SCOPED struct improvement *found =
            improvements_of(results, incumbents, block, solver, &count);
        for (size_t i = 0; i < count; i++)
            cheapest[found[i].board] = fmin(cheapest[found[i].board], found[i].at[AT_COST]);
    }
    return cheapest;
}
