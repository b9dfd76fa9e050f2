#include "harness/execution/slot.h"
#include "base/clock.h"
#include "base/heap.h"
#include <errno.h>
#include <string.h>

void slots_start(struct slots *slots, unsigned count, const unsigned *processors, unsigned warmup,
                 uint64_t max_bytes)
{
    *slots = (struct slots){.items = heap_take(count, sizeof *slots->items),
                            .count = count,
                            .warmup = warmup,
                            .max_bytes = max_bytes,
                            .overhead = gsl_rstat_quantile_alloc(0.5)};
    if (slots->overhead == NULL)
        heap_exhausted();
    for (unsigned i = 0; i < count; i++)
        slots->items[i].processor = processors == NULL ? ANY_PROCESSOR : (int)processors[i];
}

bool slots_alive(const struct slots *slots)
{
    for (unsigned i = 0; i < slots->count; i++)
        if (slots->items[i].worker.process != 0)
            return true;
    return false;
}

/* The system refuses another process: only the slots that have one go on. */
static void close_slot(struct slots *slots, struct slot *slot, const char *why,
                       struct display *display)
{
    unsigned workers = 0;
    slot->closed = true;
    for (unsigned i = 0; i < slots->count; i++) {
        /* Those that were never started would be refused as well. */
        if (&slots->items[i] > slot && slots->items[i].worker.process == 0)
            slots->items[i].closed = true;
        workers += slots->items[i].worker.process != 0;
    }
    if (workers == 0)
        display_say(display,
                    "no worker process can be started: %s; see ulimit -n and ulimit -u; the same "
                    "command continues from here",
                    why);
    else if (!slots->reported)
        display_say(display, "only %u worker process%s can be started: %s; going on with %u",
                    workers, workers == 1 ? "" : "es", why, workers);
    slots->reported = true;
}

bool slot_open(struct slots *slots, struct slot *slot, struct display *display)
{
    if (slot->closed)
        return false;
    if (!worker_start(&slot->worker, slots->max_bytes, slot->processor)) {
        close_slot(slots, slot, strerror(errno), display);
        return false;
    }
    slot->warm_left = slots->warmup;
    slot->freed = 0; /* starting a process is not overhead of a run */
    return true;
}

void slot_free(struct slots *slots, struct slot *slot, double search_seconds, double sync_time)
{
    const double now = clock_wall();
    const double syncing = sync_time - slot->sync_time;
    if (search_seconds >= 0 && slot->freed > 0)
        gsl_rstat_quantile_add(now - slot->freed - syncing - search_seconds, slots->overhead);
    slot->freed = now;
    slot->sync_time = sync_time;
}

char *slot_stop(struct slots *slots, struct slot *slot, bool *starved)
{
    if (slot->worker.process != 0)
        slots->ended_seconds += worker_cpu_seconds(&slot->worker);
    return worker_stop(&slot->worker, starved);
}

double slots_own_seconds(const struct slots *slots)
{
    double seconds = clock_cpu() + slots->ended_seconds;
    for (unsigned i = 0; i < slots->count; i++)
        if (slots->items[i].worker.process != 0)
            seconds += worker_cpu_seconds(&slots->items[i].worker);
    return seconds;
}

double slots_overhead(const struct slots *slots)
{
    return slots->overhead->n == 0 ? -1 : gsl_rstat_quantile_get(slots->overhead);
}

void slots_stop(struct slots *slots)
{
    for (unsigned i = 0; i < slots->count; i++)
        free(slot_stop(slots, &slots->items[i], NULL));
}

void slots_end(struct slots *slots)
{
    gsl_rstat_quantile_free(slots->overhead);
    free(slots->items);
    *slots = (struct slots){0};
}
