/* More than two solvers over the same instances: Friedman's test by ranks, and how far apart
 * average ranks must lie.
 *
 * A table of costs holds cost(solver, instance) at costs[solver * instances + instance]. On each
 * instance the smallest cost has rank 1, and equal costs share the mean of their ranks. Costs may
 * be infinite (unsolved runs: worse than every solved one, tied among themselves). An instance
 * where a cost is NaN is left out. */
#pragma once

#include <stddef.h>

struct friedman {
    size_t instances;   /* not left out */
    double chi_squared; /* Friedman's statistic, corrected for ties; solvers - 1 degrees */
    double p_chi_squared;
    double f; /* Iman and Davenport's, with solvers - 1 and (solvers - 1)(instances - 1) degrees:
                 INFINITY where all instances rank the solvers alike */
    double p; /* of f, which is nearer the truth than that of chi_squared. Where f is infinite it is
                 exact: the chance that rankings with these ties are all the same */
};

/* Writes the average ranks of the solvers (NaN for no instances) and tests whether all solvers are
 * alike. NaN where no instance, fewer than two solvers, or nothing but ties. O(instances * solvers
 * * log(solvers)). Sources: Conover, Practical Nonparametric Statistics, 3rd edition, section 5.8;
 * Iman and Davenport, Approximations of the Critical Region of the Friedman Statistic,
 * Communications in Statistics A 9 (1980). */
struct friedman friedman_test(const double *costs, size_t solvers, size_t instances,
                              double *average_ranks);

/* Nemenyi's critical difference: two average ranks that lie further apart are of different solvers,
 * the chance of any false such claim being `level` (0.05). It is the quantile of the studentized
 * range over sqrt(2), times sqrt(k (k + 1) / (6 n)). NaN for fewer than two solvers, no instance or
 * a level that is not between 0 and 1. Source: Demsar, Statistical Comparisons of Classifiers over
 * Multiple Data Sets, JMLR 7 (2006). */
double critical_difference(size_t solvers, size_t instances, double level);

/* The distribution function of the studentized range of `count` standard normal variables (infinite
 * degrees of freedom): k * the integral of phi(z) (Phi(z) - Phi(z - range))^(k - 1). And where it
 * is 1 - level. NaN for fewer than two. Errors below 1e-10. Source: David and Nagaraja, Order
 * Statistics, 3rd edition, section 6.2. */
double studentized_range_cdf(double range, size_t count);
double studentized_range_quantile(double level, size_t count);
