/* Solvers with the same heuristic share a row or a column. */
#include "harness/compare/heuristic_views.h"
#include "base/heap.h"
#include "harness/compare/heuristic_names.h"
#include "harness/compare/views.h"

/* By solver the name of its heuristic, NULL where another solver with more known values has the
 * same, or where it has none; each to be freed. */
static char **heuristic_names(const struct results *results, const struct block *block)
{
    char **names = heap_take(results->solvers.count + 1, sizeof *names);
    SCOPED size_t *known = heap_take(results->solvers.count + 1, sizeof *known);
    for (size_t i = 0; i < results->solvers.count; i++) {
        for (size_t j = block->first; j < block->first + block->count; j++)
            known[i] +=
                isnan(outcome_value(results, results_outcome(results, i, j), RUN_H_START)) ? 0 : 1;
        if (known[i] == 0)
            continue;
        SCOPED char *astar = astar_with_its_heuristic(results->solvers.text[i]);
        names[i] = strcmp(astar, results->solvers.text[i]) == 0 && strncmp(astar, "astar(", 6) != 0
                       ? heap_text(results->shown[i])
                       : heuristic_of(astar);
        for (size_t j = 0; j < i; j++) {
            if (names[j] == NULL || strcmp(names[i], names[j]) != 0)
                continue;
            const size_t less = known[i] > known[j] ? j : i;
            free(names[less]);
            names[less] = NULL;
            break;
        }
    }
    return names;
}

static void names_free(char **names, size_t count)
{
    heap_free_texts(names, count);
}

struct tidy heuristics_view(const struct results *results, const struct block *block)
{
    struct tidy tidy = view_start(false);
    tidy_heads(&tidy, "heuristic:t|boards|mean h:m|mean optimum:m|relative error:r|above "
                      "optimum:s|Kendall's tau:s|p:p|eta:r");
    char **names = heuristic_names(results, block);
    for (size_t i = 0; i < results->solvers.count; i++) {
        if (names[i] == NULL)
            continue;
        const struct heuristic_quality quality = heuristic_quality_of(results, block, i);
        if (quality.instances == 0)
            continue;
        tidy_add(&tidy, "%s %s %g %g %g %g %g %g %g %g", block->name, names[i],
                 (double)quality.instances, quality.mean_h, quality.mean_length, quality.error,
                 quality.above, quality.tau.tau, quality.tau.p, quality.eta);
    }
    names_free(names, results->solvers.count);
    return tidy;
}

struct tidy h_view(const struct results *results, const struct by_depth *by_depth)
{
    struct tidy tidy = view_start(false);
    const struct block *block = by_depth->block;
    const bool sized = !by_depth_one_size(by_depth);
    char **names = heuristic_names(results, block);
    tidy_column_as(&tidy, sized ? "board d" : "d", "", sized ? SHAPE_TEXT : SHAPE_NUMBER);
    for (size_t i = 0; i < results->solvers.count; i++)
        if (names[i] != NULL)
            tidy_column_as(&tidy, names[i], "", SHAPE_MEAN);
    for (size_t i = 0; i < by_depth->count; i++) {
        const struct depth_row *row = &by_depth->rows[i];
        SCOPED char *name = by_depth_name(by_depth, i);
        tidy_text(&tidy, block->name);
        if (sized)
            tidy_text(&tidy, name);
        else
            tidy_number(&tidy, row->from);
        for (size_t j = 0; j < results->solvers.count; j++)
            if (names[j] != NULL)
                tidy_number(&tidy, mean_h_at(results, block,
                                             (struct shape){.width = (uint8_t)row->width,
                                                            .height = (uint8_t)row->height},
                                             j, (long)row->from));
    }
    names_free(names, results->solvers.count);
    return tidy;
}

struct tidy better_view(const struct anomalies *anomalies, const struct results *results,
                        const struct block *block)
{
    struct tidy tidy = view_start(true);
    tidy_heads(&tidy, "better than:t|both solved|fewer|same|more");
    for (size_t i = 0; i < anomalies->pair_count; i++) {
        const struct better_pair *pair = &anomalies->pairs[i];
        tidy_add(&tidy, "%s %s %s %g %g %g %g", block->name, results->shown[pair->better],
                 results->shown[pair->worse], (double)pair->boards, (double)pair->fewer,
                 (double)pair->same, (double)pair->more);
    }
    return tidy;
}

static void add_anomaly(struct tidy *tidy, const struct results *results, const struct block *block,
                        const struct better_pair *pair, const struct anomaly *board)
{
    const struct known_instance *known = &results->known[board->instance];
    SCOPED char *name = results_instance(results, board->instance);
    char start[BOARD_LINE];
    board_line(&known->start, start);
    tidy_add(tidy, "%s %s %s %g %s %g %g %s %g %g", block->name, name, start,
             known->optimal < 0 ? NAN : (double)known->optimal, results->shown[pair->better],
             board->h_better, board->expanded_better, results->shown[pair->worse], board->h_worse,
             board->expanded_worse);
}

struct tidy anomalies_view(const struct anomalies *anomalies, const struct results *results,
                           const struct block *block, size_t most)
{
    struct tidy tidy = view_start(false);
    size_t told = 0;
    tidy_heads(&tidy,
               "board:t|start:t|d|solver:t|h|expanded[nodes]|against:t|its h|it expanded[nodes]");
    for (size_t i = 0; i < anomalies->pair_count; i++) {
        const struct better_pair *pair = &anomalies->pairs[i];
        for (size_t j = pair->first; j < pair->first + pair->more && told < most; j++, told++)
            add_anomaly(&tidy, results, block, pair, &anomalies->boards[j]);
    }
    return tidy;
}
