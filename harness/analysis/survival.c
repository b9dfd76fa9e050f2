#include "harness/analysis/survival.h"
#include "base/heap.h"
#include "harness/analysis/order.h"
#include "harness/analysis/threads.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

static bool any_nan(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            return true;
    }
    return false;
}

struct survival survival_of(const double *costs, const bool *censored, size_t count)
{
    struct survival survival = {0};
    if (count == 0 || any_nan(costs, count))
        return survival;
    SCOPED size_t *order = heap_take(count, sizeof *order);
    survival.steps = heap_take(count, sizeof *survival.steps);
    sort_numbers(order, costs, count);
    double unsolved = 1;
    double sum = 0; /* Greenwood's */
    for (size_t i = 0; i < count;) {
        struct survival_step step = {.cost = costs[order[i]], .at_risk = count - i};
        for (; i < count && costs[order[i]] == step.cost; i++) {
            step.censored += censored[order[i]];
            step.solved += !censored[order[i]];
        }
        const double at_risk = (double)step.at_risk;
        const double left = (double)(step.at_risk - step.solved);
        unsolved *= left / at_risk;
        sum += left == 0 ? 0 : (double)step.solved / (at_risk * left);
        step.unsolved = unsolved;
        step.variance = unsolved * unsolved * sum;
        survival.steps[survival.count++] = step;
    }
    return survival;
}

void survival_end(struct survival *survival)
{
    free(survival->steps);
    *survival = (struct survival){0};
}

/* Whether the curve says nothing about a cost. */
static bool is_beyond(const struct survival *survival, double cost)
{
    if (survival->count == 0 || isnan(cost))
        return true;
    const struct survival_step *last = &survival->steps[survival->count - 1];
    return cost > last->cost && last->unsolved > 0;
}

double survival_median(const struct survival *survival)
{
    static const double rounding = 1e-9; /* the product of shares may miss one half by this */
    for (size_t i = 0; i < survival->count; i++) {
        const struct survival_step *step = &survival->steps[i];
        if (step->unsolved > 0.5 + rounding)
            continue;
        size_t next = i + 1; /* the next fall of the curve */
        while (next < survival->count && survival->steps[next].solved == 0)
            next++;
        const bool even = step->unsolved >= 0.5 - rounding && next < survival->count;
        return even ? 0.5 * step->cost + 0.5 * survival->steps[next].cost : step->cost;
    }
    return NAN;
}

struct restricted_mean survival_restricted_mean(const struct survival *survival, double limit)
{
    if (is_beyond(survival, limit))
        return (struct restricted_mean){NAN, NAN};
    double area = 0; /* under the curve, from the right */
    double variance = 0;
    double right = limit;
    for (size_t i = survival->count; i-- > 0;) {
        const struct survival_step *step = &survival->steps[i];
        if (step->cost > limit)
            continue;
        const double left = (double)(step->at_risk - step->solved);
        area += step->unsolved * (right - step->cost);
        if (left > 0)
            variance += area * area * (double)step->solved / ((double)step->at_risk * left);
        right = step->cost;
    }
    return (struct restricted_mean){area + right, variance};
}

/* Solved less expected of each group, and the covariances, over all costs at which something is
 * solved. */
static void logrank_sums(const double *costs, const bool *censored, const size_t *group,
                         size_t count, size_t groups, double *expected, double *excess,
                         gsl_matrix *covariance)
{
    SCOPED size_t *order = heap_take(count, sizeof *order);
    SCOPED double *at_risk = heap_take(groups, sizeof *at_risk);
    sort_numbers(order, costs, count);
    for (size_t i = 0; i < count; i++)
        at_risk[group[i]]++;
    for (size_t start = 0, end; start < count; start = end) {
        const double total = (double)(count - start);
        double solved = 0;
        for (end = start; end < count && costs[order[end]] == costs[order[start]]; end++) {
            const size_t i = order[end];
            solved += !censored[i];
            excess[group[i]] += !censored[i];
        }
        /* the hypergeometric distribution of those solved over the groups */
        const double spread = total > 1 ? solved * (total - solved) / (total - 1) : 0;
        for (size_t g = 0; g < groups && solved > 0; g++) {
            const double share = at_risk[g] / total;
            expected[g] += solved * share;
            excess[g] -= solved * share;
            for (size_t h = 0; h < groups; h++)
                *gsl_matrix_ptr(covariance, g, h) +=
                    spread * share * ((g == h) - at_risk[h] / total);
        }
        for (size_t i = start; i < end; i++)
            at_risk[group[order[i]]]--;
    }
}

/* The quadratic form of the excess in the inverse covariance of those groups that expect anything,
 * without the last (they sum to zero); NAN when the covariance has no inverse. */
static double quadratic_form(const double *expected, const double *excess,
                             const gsl_matrix *covariance, size_t groups, size_t *freedom)
{
    SCOPED size_t *kept = heap_take(groups, sizeof *kept);
    size_t count = 0;
    for (size_t g = 0; g < groups; g++) {
        if (expected[g] > 0)
            kept[count++] = g;
    }
    double form = NAN;
    *freedom = count == 0 ? 0 : count - 1;
    if (*freedom > 0) {
        gsl_matrix *matrix = gsl_matrix_alloc(*freedom, *freedom);
        gsl_vector *vector = gsl_vector_alloc(*freedom);
        gsl_vector *solution = gsl_vector_alloc(*freedom);
        if (matrix == NULL || vector == NULL || solution == NULL)
            heap_exhausted();
        for (size_t g = 0; g < *freedom; g++) {
            gsl_vector_set(vector, g, excess[kept[g]]);
            for (size_t h = 0; h < *freedom; h++)
                gsl_matrix_set(matrix, g, h, gsl_matrix_get(covariance, kept[g], kept[h]));
        }
        if (gsl_linalg_cholesky_decomp1(matrix) == GSL_SUCCESS &&
            gsl_linalg_cholesky_solve(matrix, vector, solution) == GSL_SUCCESS)
            gsl_blas_ddot(vector, solution, &form);
        gsl_vector_free(solution);
        gsl_vector_free(vector);
        gsl_matrix_free(matrix);
    }
    return form;
}

struct logrank logrank_test(const double *costs, const bool *censored, const size_t *group,
                            size_t count, size_t groups)
{
    struct logrank test = {.chi_squared = NAN, .p = NAN};
    if (count == 0 || groups < 2 || any_nan(costs, count))
        return test;
    threads_quiet_errors();
    SCOPED double *expected = heap_take(groups, sizeof *expected);
    SCOPED double *excess = heap_take(groups, sizeof *excess);
    gsl_matrix *covariance = gsl_matrix_calloc(groups, groups);
    if (covariance == NULL)
        heap_exhausted();
    logrank_sums(costs, censored, group, count, groups, expected, excess, covariance);
    test.chi_squared = quadratic_form(expected, excess, covariance, groups, &test.freedom);
    if (!isnan(test.chi_squared))
        test.p = gsl_cdf_chisq_Q(test.chi_squared, (double)test.freedom);
    gsl_matrix_free(covariance);
    return test;
}
