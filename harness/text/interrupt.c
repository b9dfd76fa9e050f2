#include "harness/text/interrupt.h"

volatile sig_atomic_t interrupted;

enum { SIGNALS = 3 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGUSR1};
static struct sigaction before[SIGNALS];

static void note(int number)
{
    (void)number;
    interrupted = 1;
}

void interrupt_start(void)
{
    const struct sigaction noting = {.sa_handler = note};
    interrupted = 0;
    for (unsigned i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &noting, &before[i]);
}

void interrupt_end(void)
{
    for (unsigned i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}
