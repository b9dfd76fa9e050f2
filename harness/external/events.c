#include "harness/external/events.h"
#include "base/file.h"
#include "base/heap.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *const event_names[EVENTS] = {
#define EVENT(name, type, number, unit, meaning) #name,
#include "harness/external/events.def"
#undef EVENT
};

static const struct {
    uint32_t type;
    uint64_t number;
} kinds[EVENTS] = {
#define EVENT(name, type, number, unit, meaning) {type, number},
#include "harness/external/events.def"
#undef EVENT
};

static int open_here(struct perf_event_attr *attributes)
{
    return (int)syscall(SYS_perf_event_open, attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

int (*events_perf)(struct perf_event_attr *attributes) = open_here;

static int open_counter(unsigned event, bool with_children)
{
    struct perf_event_attr attributes = {
        .type = kinds[event].type,
        .size = sizeof attributes,
        .config = kinds[event].number,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .inherit = with_children,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    return events_perf(&attributes);
}

void events_open(struct events *events, unsigned asked)
{
    *events = (struct events){.asked = asked};
    for (unsigned i = 0; i < EVENTS; i++) {
        const bool wanted = (asked >> i & 1) != 0;
        events->alone[i] = wanted ? open_counter(i, false) : -1;
        events->with_children[i] = wanted ? open_counter(i, true) : -1;
    }
}

/* A counter that cannot be read has run for less time than it was enabled. */
static struct event_seen look(int counter)
{
    struct event_seen seen;
    if (counter >= 0)
        lseek(counter, 0, SEEK_SET); /* a file of a test; a counter has no place */
    if (counter < 0 || read(counter, &seen, sizeof seen) != sizeof seen)
        return (struct event_seen){.enabled = UINT64_MAX};
    return seen;
}

void events_look(const struct events *events, struct events_seen *seen)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    seen->faults = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
    for (unsigned i = 0; i < EVENTS; i++)
        if ((events->asked >> i & 1) != 0) {
            seen->alone[i] = look(events->alone[i]);
            seen->with_children[i] = look(events->with_children[i]);
        }
}

/* Whether a counter counted all the time between two looks. */
static bool is_whole(const struct event_seen *before, const struct event_seen *after)
{
    return before->enabled != UINT64_MAX && after->enabled != UINT64_MAX &&
           after->enabled - before->enabled == after->running - before->running;
}

void events_between(const struct events *events, const struct events_seen *before,
                    const struct events_seen *after, bool program, uint64_t counts[EVENTS])
{
    for (unsigned i = 0; i < EVENTS; i++) {
        const struct event_seen *all[] = {&before->with_children[i], &after->with_children[i]};
        const struct event_seen *own[] = {&before->alone[i], &after->alone[i]};
        counts[i] = EVENT_UNKNOWN;
        if ((events->asked >> i & 1) == 0)
            continue;
        if (is_whole(all[0], all[1]) && (!program || is_whole(own[0], own[1])))
            counts[i] =
                all[1]->count - all[0]->count - (program ? own[1]->count - own[0]->count : 0);
        else if (i == EVENT_page_faults && !program && events->with_children[i] < 0)
            counts[i] = after->faults - before->faults;
    }
}

json_t *events_json(unsigned asked, char **missing)
{
    json_t *words = json_array();
    json_t *counted = json_array();
    SCOPED char *names = NULL;
    int why = 0;
    int paranoid = -1;
    SCOPED_BY(stream_end) FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    if (file != NULL && fscanf(file, "%d", &paranoid) != 1)
        paranoid = -1;
    for (unsigned i = 0; i < EVENTS; i++) {
        if ((asked >> i & 1) == 0)
            continue;
        json_array_append_new(words, json_string(event_names[i]));
        const int counter = open_counter(i, true);
        if (counter >= 0) {
            close(counter);
            json_array_append_new(counted, json_string(event_names[i]));
            continue;
        }
        why = errno;
        heap_append(&names, "%s%s", names == NULL ? "" : ", ", event_names[i]);
    }
    *missing = names == NULL ? NULL
               : why == ENOENT || why == EOPNOTSUPP || why == ENODEV
                   ? heap_format("%s: this machine has no such counter", names)
                   : heap_format("%s: %s (/proc/sys/kernel/perf_event_paranoid is %d)", names,
                                 strerror(why), paranoid);
    return json_pack("{s:o, s:o, s:o}", "asked", words, "counted", counted, "perf_event_paranoid",
                     paranoid < 0 && file == NULL ? json_null() : json_integer(paranoid));
}
