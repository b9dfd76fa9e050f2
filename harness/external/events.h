/* What the processor and the kernel count of a run in user space (external/events.def), by
 * perf_event_open(2), where the system lets this process.
 *
 * Each event is counted twice, of this thread alone and of it with all that it starts, threads and
 * processes: so a run of a program is what the second rose by more than the first, without the
 * thread that watches it, which is its worker's only one. A counter that had to share the
 * processor's registers (time_running < time_enabled) is not scaled: its value is unknown. Without
 * perf events, page faults of built-in searches are from getrusage, which counts those in kernel
 * mode, too; a search makes hardly any. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum {
#define EVENT(name, type, number, unit, meaning) EVENT_##name,
#include "harness/external/events.def"
#undef EVENT
    EVENTS
};
extern const char *const event_names[EVENTS];

#define EVENT_UNKNOWN UINT64_MAX

/* The counters of a process; those that the system refuses are -1. */
struct events {
    unsigned asked; /* bit i: event i is to be counted */
    int alone[EVENTS], with_children[EVENTS];
};

/* Starts to count, in this thread and in what it starts from now on. */
void events_open(struct events *events, unsigned asked);

/* Where the counters stand. */
struct events_seen {
    struct event_seen {
        uint64_t count, enabled, running;
    } alone[EVENTS], with_children[EVENTS];
    uint64_t faults; /* by getrusage */
};
void events_look(const struct events *events, struct events_seen *seen);

/* What was counted between two looks: of this thread with all that it started or, of `program`, of
 * what it started. EVENT_UNKNOWN where that is not known. */
void events_between(const struct events *events, const struct events_seen *before,
                    const struct events_seen *after, bool program, uint64_t counts[EVENTS]);

/* What of the events that are asked for can be counted here: {"asked": [..], "counted": [..],
 * "perf_event_paranoid": 2}; a new reference. *missing: those that cannot, and why, as the end of a
 * sentence, in heap memory; NULL: none. */
json_t *events_json(unsigned asked, char **missing);

/* perf_event_open, for tests to replace. */
struct perf_event_attr;
extern int (*events_perf)(struct perf_event_attr *attributes);
