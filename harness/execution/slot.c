#include "harness/execution/slot.h"
#include "base/heap.h"
#include "harness/external/process_tree.h"
#include <errno.h>

void slots_start(struct slots *slots, unsigned count, const unsigned *processors, unsigned threads,
                 unsigned warmup, uint64_t max_bytes)
{
    *slots = (struct slots){.items = heap_take(count, sizeof *slots->items),
                            .count = count,
                            .threads = threads,
                            .warmup = warmup,
                            .max_bytes = max_bytes,
                            .overhead = gsl_rstat_quantile_alloc(0.5)};
    if (slots->overhead == NULL)
        heap_exhausted();
    for (unsigned i = 0; i < count; i++)
        slots->items[i].processors = processors == NULL ? NULL : &processors[i * threads];
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
    if (!worker_start(&slot->worker, slots->max_bytes, slot->processors, slots->threads)) {
        close_slot(slots, slot, strerror(errno), display);
        return false;
    }
    slot->warm_left = slots->warmup;
    slot->cold = true;
    slot->worker.events = slots->events;
    slot->freed = 0; /* starting a process is not overhead of a run */
    return true;
}

void slot_free(struct slots *slots, struct slot *slot, double sync_time)
{
    const double now = clock_wall();
    const double syncing = sync_time - slot->sync_time;
    const unsigned runs = slot->worker.batch.made;
    const double each = (now - slot->freed - syncing - slot->searched) / runs;
    for (unsigned i = 0; i < runs && slot->searched >= 0 && slot->freed > 0; i++)
        gsl_rstat_quantile_add(each, slots->overhead);
    slot->freed = now;
    slot->sync_time = sync_time;
}

void slots_adopt(struct slots *slots)
{
    if (!slots->adopting) {
        process_tree_adopt();
        cgroups_open(&slots->groups, CGROUP_ROOT, CGROUP_SELF);
    }
    slots->adopting = true;
}

/* Ends all that is no worker and has none among those it descends from. */
static void end_orphans(const struct slots *slots)
{
    SCOPED pid_t *workers = heap_take(slots->count, sizeof *workers);
    struct process_tree orphans = {.spared = workers};
    for (unsigned i = 0; i < slots->count; i++)
        if (slots->items[i].worker.process != 0)
            workers[orphans.spared_count++] = slots->items[i].worker.process;
    process_tree_kill(&orphans);
    process_tree_end(&orphans);
}

char *slot_stop(struct slots *slots, struct slot *slot, enum status *meaning)
{
    if (slot->worker.process != 0)
        slots->ended_seconds += worker_cpu_seconds(&slot->worker);
    char *how = worker_stop(&slot->worker, meaning);
    if (slots->adopting)
        end_orphans(slots);
    return how;
}

/* The same as slots_own_seconds, from the whole tree of processes. */
static double tree_seconds(const struct slots *slots)
{
    struct process_tree tree = {0};
    process_tree_look(&tree);
    const double seconds = clock_cpu() + slots->ended_seconds + process_tree_seconds(&tree);
    process_tree_end(&tree);
    return seconds;
}

double slots_own_seconds(const struct slots *slots)
{
    double seconds = clock_cpu() + slots->ended_seconds;
    if (slots->adopting)
        return tree_seconds(slots);
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
    cgroups_close(&slots->groups);
}

void slots_end(struct slots *slots)
{
    gsl_rstat_quantile_free(slots->overhead);
    free(slots->items);
    *slots = (struct slots){0};
}
