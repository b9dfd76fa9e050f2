/* The clocks, in seconds: monotonic wall time and processor time. Resolution: a nanosecond where
 * the kernel has it (clock_getres), as in what is written. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

static inline double clock_seconds(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double clock_wall(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

/* The processor time of this thread, which is what a search takes. */
static inline double clock_thread(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* The processor time of this process, all threads. Only to the tick of the kernel's clock, 4 ms as
 * a rule, once the process has a limit on it (RLIMIT_CPU, as workers have). */
static inline double clock_cpu(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
