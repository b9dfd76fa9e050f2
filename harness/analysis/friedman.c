#include "harness/analysis/friedman.h"
#include "base/heap.h"
#include "harness/analysis/ranks.h"
#include "harness/analysis/threads.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

/* The logarithm of the number of ways to rank solvers with the ties of these doubled ranks: a group
 * of t equal ranks is t! orders that are one. */
static double log_rankings(const size_t *ranks, size_t solvers)
{
    double ways = gsl_sf_lngamma((double)solvers + 1);
    for (size_t i = 0; i < solvers; i++) {
        size_t before = 1; /* i is that member of its group: the product is t! */
        for (size_t j = 0; j < i; j++)
            before += ranks[j] == ranks[i];
        ways -= log((double)before);
    }
    return ways;
}

struct friedman friedman_test(const double *costs, size_t solvers, size_t instances,
                              double *average_ranks)
{
    struct friedman test = {0, NAN, NAN, NAN, NAN};
    SCOPED double *row = heap_take(solvers, sizeof *row);
    SCOPED size_t *ranks = heap_take(solvers, sizeof *ranks);
    SCOPED double *sums = heap_take(solvers, sizeof *sums); /* of doubled ranks: whole */
    double tied = 0;
    double ways = 0;
    for (size_t instance = 0; instance < instances; instance++) {
        bool whole = true;
        for (size_t solver = 0; solver < solvers; solver++) {
            row[solver] = costs[solver * instances + instance];
            whole &= !isnan(row[solver]);
        }
        if (!whole)
            continue;
        test.instances++;
        tied += doubled_ranks(row, solvers, ranks);
        if (test.instances == 1)
            ways = log_rankings(ranks, solvers);
        for (size_t solver = 0; solver < solvers; solver++)
            sums[solver] += (double)ranks[solver];
    }
    const double n = (double)test.instances;
    const double k = (double)solvers;
    double squares = 0; /* of the doubled sums' deviations: whole */
    for (size_t solver = 0; solver < solvers; solver++) {
        const double deviation = sums[solver] - n * (k + 1);
        squares += deviation * deviation;
        average_ranks[solver] = n == 0 ? NAN : sums[solver] / (2 * n);
    }
    /* The squared deviations of doubled ranks in all rows: what `squares / n` is if all rows are
     * the same. Both are whole, so that they are then the very same number. */
    const double possible = (n * (k * k * k - k) - tied) / 3;
    if (solvers < 2 || test.instances == 0 || possible == 0)
        return test;
    test.chi_squared = (k - 1) * squares / possible;
    test.p_chi_squared = gsl_cdf_chisq_Q(test.chi_squared, k - 1);
    if (squares == n * possible) {
        test.f = INFINITY;
        test.p = exp(-(n - 1) * ways);
    } else {
        test.f = (n - 1) * squares / (n * possible - squares);
        test.p = gsl_cdf_fdist_Q(test.f, k - 1, (k - 1) * (n - 1));
    }
    return test;
}

struct range {
    double range;
    double count;
    double level;
};

static double range_density(double z, void *of)
{
    const struct range *range = of;
    /* on the side where both tails are small, so that their difference is right */
    const double inside = z > 0 ? gsl_cdf_ugaussian_Q(z - range->range) - gsl_cdf_ugaussian_Q(z)
                                : gsl_cdf_ugaussian_P(z) - gsl_cdf_ugaussian_P(z - range->range);
    return range->count * gsl_ran_ugaussian_pdf(z) * pow(fmax(0, inside), range->count - 1);
}

double studentized_range_cdf(double range, size_t count)
{
    if (count < 2 || isnan(range))
        return NAN;
    if (range <= 0)
        return 0;
    threads_quiet_errors();
    gsl_integration_cquad_workspace *work = gsl_integration_cquad_workspace_alloc(100);
    if (work == NULL)
        heap_exhausted();
    struct range of = {range, (double)count, 0};
    gsl_function density = {range_density, &of};
    double chance = NAN;
    /* beyond 9 the normal density is below 1e-18 */
    if (gsl_integration_cquad(&density, -9, 9, 1e-13, 1e-12, work, &chance, NULL, NULL) !=
        GSL_SUCCESS)
        chance = NAN;
    gsl_integration_cquad_workspace_free(work);
    return fmin(1, chance);
}

static double beyond_level(double range, void *of)
{
    const struct range *wanted = of;
    return studentized_range_cdf(range, (size_t)wanted->count) - (1 - wanted->level);
}

double studentized_range_quantile(double level, size_t count)
{
    if (count < 2 || !(level > 0 && level < 1))
        return NAN;
    struct range wanted = {.count = (double)count, .level = level};
    gsl_function function = {beyond_level, &wanted};
    double high = 1;
    while (high < 64 && beyond_level(high, &wanted) < 0)
        high *= 2;
    threads_quiet_errors();
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (solver == NULL)
        heap_exhausted();
    double root = NAN;
    if (gsl_root_fsolver_set(solver, &function, 0, high) == GSL_SUCCESS) {
        for (int step = 0; step < 200; step++) {
            gsl_root_fsolver_iterate(solver);
            root = gsl_root_fsolver_root(solver);
            if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                       gsl_root_fsolver_x_upper(solver), 0, 1e-12) == GSL_SUCCESS)
                break;
        }
    }
    gsl_root_fsolver_free(solver);
    return root;
}

double critical_difference(size_t solvers, size_t instances, double level)
{
    const double k = (double)solvers;
    if (instances == 0)
        return NAN;
    return studentized_range_quantile(level, solvers) / M_SQRT2 *
           sqrt(k * (k + 1) / (6 * (double)instances));
}
