/* No faults: tests/faults.c has those of tilelab-faulty. */
#include "harness/execution/fault.h"

char *fault_read(void)
{
    return NULL;
}

const char *fault_asked(void)
{
    return NULL;
}

void fault_strike(size_t run, int channel)
{
    (void)run, (void)channel;
}

void fault_lie(size_t run, struct result *result)
{
    (void)run, (void)result;
}

bool fault_refuses_fork(void)
{
    return false;
}

void fault_starts_late(void) {}
