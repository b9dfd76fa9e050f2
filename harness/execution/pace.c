#include "harness/execution/pace.h"
#include "base/heap.h"
#include <math.h>

/* Of the difference to a shorter run, the part that remains. */
#define KEPT 0.875

void pace_start(struct pace *pace, size_t solvers)
{
    pace->seconds = heap_take(solvers, sizeof *pace->seconds);
    for (size_t i = 0; i < solvers; i++)
        pace->seconds[i] = -1;
}

void pace_note(struct pace *pace, const struct run *run, double seconds)
{
    double *expected = &pace->seconds[run->solver_number];
    *expected = seconds > *expected ? seconds : seconds + KEPT * (*expected - seconds);
}

double pace_of(const struct pace *pace, const struct run *run)
{
    const double expected = pace->seconds[run->solver_number];
    return expected < 0 ? (double)INFINITY : expected;
}

void pace_end(struct pace *pace)
{
    free(pace->seconds);
}
