/* The clocks, in seconds: monotonic wall time and processor time. The resolution is a nanosecond
 * where the kernel provides it (clock_getres); results are written with the same precision. */
#pragma once

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

/* The processor time of this thread: the time that a search uses. */
static inline double clock_thread(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* The processor time of this process, all threads. Once the process has a limit on it (RLIMIT_CPU,
 * as workers have), its resolution is only one tick of the kernel's clock, usually 4 ms. */
static inline double clock_cpu(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}
