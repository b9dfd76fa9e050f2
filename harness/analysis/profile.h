/* Many solvers over the same instances: penalised averages, the virtual best solver and performance
 * profiles.
 *
 * A table of costs holds cost(solver, instance) at costs[solver * instances + instance], in one
 * unit; an unsolved run is INFINITY, a run that does not exist NaN. Costs are not negative. What is
 * shown side by side must be over the same instances, so an instance for which any solver has no
 * run is left out everywhere. */
#pragma once

#include <stddef.h>

/* PAR-k, the penalised average: the mean of what was spent, an unsolved run (cost INFINITY)
 * counting as `factor` times its limit, which is in the same unit (PAR2: factor 2, PAR10: factor
 * 10). NaN for no runs, for a run without a cost, and for an unsolved one without a limit
 * (limits[i] NaN). O(n). Source: Hutter, Hoos, Leyton-Brown and Stuetzle, ParamILS, JAIR 36 (2009).
 */
double penalised_average(const double *costs, const double *limits, size_t count, double factor);

/* The virtual best solver: writes the smallest cost of each instance, INFINITY where no solver
 * solved it, NaN where a run is missing. O(solvers * instances). Source: Xu, Hutter, Hoos and
 * Leyton-Brown, Evaluating Component Solver Contributions to Portfolio-Based Algorithm Selectors,
 * SAT 2012. */
void virtual_best(const double *costs, size_t solvers, size_t instances, double *best);

/* Writes the performance ratios: each cost over the smallest of the instance, 1 where both are 0,
 * INFINITY for an unsolved run, NaN for the instances left out. O(solvers * instances). */
void performance_ratios(const double *costs, size_t solvers, size_t instances, double *ratios);

struct profile_step {
    double ratio; /* from this ratio on .. */
    double share; /* .. the solver is within it on this share of the instances */
};

struct profile {
    size_t instances; /* what shares are of: those not left out, solved or not */
    size_t count;     /* steps, one for each finite ratio that occurs, ascending */
    struct profile_step *steps;
};

/* The performance profile of one solver from its ratios (performance_ratios): a step function that
 * is 0 before the first step. Its value at 1 is the share of instances on which the solver is best,
 * its last the share it solves. Free with profile_end. O(n log n). Source: Dolan and More,
 * Benchmarking Optimization Software with Performance Profiles, Mathematical Programming 91 (2002).
 */
struct profile profile_of(const double *ratios, size_t instances);
void profile_end(struct profile *profile);

/* The share of instances within a ratio; NaN where there are no instances. O(log n). */
double profile_at(const struct profile *profile, double ratio);
