#include "harness/analysis/trends.h"
#include "base/heap.h"

struct trend trend_of(const struct results *results, const struct block *block, struct shape shape,
                      size_t solver, enum metric metric)
{
    struct trend trend = {.solver = solver};
    const bool whole = results_reported(results, block, solver, metric) != REPORTED_PART;
    SCOPED double *x = heap_take(block->count, sizeof *x);
    SCOPED double *y = heap_take(block->count, sizeof *y);
    for (size_t i = block->first; i < block->first + block->count; i++) {
        const struct outcome *outcome = results_outcome(results, solver, i);
        const struct known_instance *known = &results->known[i];
        const double optimum = optimum_of(known);
        if (outcome->attempts == 0 || isnan(optimum) || known->unsolvable ||
            known->model != block->model || !shape_equal(known->start.shape, shape))
            continue;
        trend.unsolved += !outcome->finished;
        if (!whole || !outcome->finished || !(outcome_value(results, outcome, metric) > 0))
            continue;
        x[trend.solved] = optimum;
        y[trend.solved++] = log(outcome_value(results, outcome, metric));
    }
    trend.least_squares = growth_least_squares(x, y, trend.solved);
    trend.theil_sen = growth_theil_sen(x, y, trend.solved);
    if (block->whole)
        trend.least_squares.interval = trend.theil_sen.interval = (struct interval){NAN, NAN};
    return trend;
}

/* The branching factor of the space without the move back. Edelkamp and Korf, The Branching Factor
 * of Regular Search Spaces, AAAI 1998. */
static double branching_of(struct shape shape)
{
    static const struct {
        int width, height;
        double branching;
    } rows[] = {{3, 3, 1.7320508075688772}, {4, 4, 2.1304}, {5, 5, 2.36761}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].width == shape.width && rows[i].height == shape.height)
            return rows[i].branching;
    return NAN;
}

struct heuristic_quality heuristic_quality_of(const struct results *results,
                                              const struct block *block, size_t solver)
{
    struct heuristic_quality quality = {.eta = NAN};
    SCOPED double *h = heap_take(block->count, sizeof *h);
    SCOPED double *length = heap_take(block->count, sizeof *length);
    SCOPED double *all = heap_take(block->count, sizeof *all);
    size_t known_h = 0;
    size_t moved = 0;
    double error = 0;
    size_t above = 0;
    for (size_t i = block->first; i < block->first + block->count; i++) {
        const double own = outcome_value(results, results_outcome(results, solver, i), RUN_H_START);
        const struct known_instance *known = &results->known[i];
        if (isnan(own) || known->unsolvable)
            continue;
        all[known_h++] = own;
        if (known->optimal < 0 || is_priced(known))
            continue; /* h counts moves */
        const double optimal = (double)known->optimal;
        h[quality.instances] = own;
        length[quality.instances++] = optimal;
        above += own > optimal;
        if (known->optimal > 0) {
            moved++;
            error += (optimal - own) / optimal;
        }
    }
    quality.mean_h = mean_of(h, quality.instances);
    quality.mean_length = mean_of(length, quality.instances);
    quality.error = moved == 0 ? NAN : error / (double)moved;
    quality.above = quality.instances == 0 ? NAN : (double)above / (double)quality.instances;
    quality.tau = kendall_tau_b(h, length, quality.instances);
    if (block->whole)
        quality.tau.p = quality.tau.log10_p = NAN;
    if (block->width > 0)
        quality.eta =
            heuristic_eta(all, known_h, branching_of(results->known[block->first].start.shape));
    return quality;
}

double mean_h_at(const struct results *results, const struct block *block, struct shape shape,
                 size_t solver, long length)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = block->first; i < block->first + block->count; i++) {
        const double h = outcome_value(results, results_outcome(results, solver, i), RUN_H_START);
        const struct known_instance *known = &results->known[i];
        if (isnan(h) || known->unsolvable || is_priced(known) || known->optimal != length ||
            !shape_equal(known->start.shape, shape))
            continue;
        sum += h;
        count++;
    }
    return count == 0 ? NAN : sum / (double)count;
}
