/* Runs that a limit cut short: how the share of unsolved instances falls as more is spent.
 *
 * An observation is what a run spent (nodes, seconds, bytes: the unit of all results) and whether
 * it was censored: it ended at that cost unsolved, and would have needed more. Censoring must have
 * nothing to do with how hard the instance is, but for the limit: a common limit is fine. Costs
 * are not negative and finite; a NaN among them makes the results NaN (an empty curve).
 *
 * Sources: Kaplan and Meier, Nonparametric Estimation from Incomplete Observations, JASA 53 (1958);
 * Klein and Moeschberger, Survival Analysis, 2nd edition, chapters 4 and 7. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct survival_step {
    double cost;
    size_t at_risk;  /* observations of at least this cost */
    size_t solved;   /* at exactly this cost */
    size_t censored; /* at exactly this cost; they count as still at risk then */
    double unsolved; /* the share still unsolved after this cost: the product limit */
    double variance; /* of that share, by Greenwood's formula */
};

struct survival {
    size_t count; /* steps, one for each cost that occurs, ascending */
    struct survival_step *steps;
};

/* The curve of Kaplan and Meier. O(n log n). Free with survival_end. */
struct survival survival_of(const double *costs, const bool *censored, size_t count);
void survival_end(struct survival *survival);

/* The smallest cost by which half are solved, or the middle of the costs where exactly half are (as
 * the median of a sample, and as in R). NaN where fewer than half are solved. */
double survival_median(const struct survival *survival);

struct restricted_mean {
    double mean, variance;
};

/* The mean of the smaller of cost and limit: the area under the curve up to the limit. Variance by
 * Greenwood's formula. NaN where the limit lies beyond the last observation and that was censored.
 * Compare solvers at the same limit. O(n). */
struct restricted_mean survival_restricted_mean(const struct survival *survival, double limit);

struct logrank {
    double chi_squared;
    size_t freedom; /* groups that had anything to solve, less 1 */
    double p;       /* the chi-squared approximation; upper tail */
};

/* The log-rank test (Mantel and Cox) that all groups have the same curve: group[i] < groups says
 * which group observation i is of. For runs of the same instances it is conservative, as it does
 * not know that they are pairs. NaN for fewer than two groups with observations at risk, or nothing
 * solved. O(n (log n + groups) + solved costs * groups^2 + groups^3). */
struct logrank logrank_test(const double *costs, const bool *censored, const size_t *group,
                            size_t count, size_t groups);
