/* Events of the processor, counted by files in place of perf events. */
#include "harness/external/events.h"
#include "tests/test.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

static int opened[2 * EVENTS]; /* alone, with children, of each event that is asked for */
static struct perf_event_attr how[2 * EVENTS];
static unsigned opened_count;

static int open_file(struct perf_event_attr *attributes)
{
    how[opened_count] = *attributes;
    return opened[opened_count++] = memfd_create("counter", 0);
}

static int refuse(struct perf_event_attr *attributes)
{
    errno = attributes->type == PERF_TYPE_HARDWARE ? ENOENT : EACCES;
    return -1;
}

static void set(unsigned counter, uint64_t count, uint64_t enabled, uint64_t running)
{
    const uint64_t values[] = {count, enabled, running};
    assert_true(pwrite(opened[counter], values, sizeof values, 0) == sizeof values);
}

TEST(test_values)
{
    struct events events;
    struct events_seen before, after;
    uint64_t counts[EVENTS];
    events_perf = open_file;
    opened_count = 0;
    events_open(&events, 1 << EVENT_instructions | 1 << EVENT_llc_misses);
    assert_true(opened_count == 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_true(how[i].exclude_kernel && how[i].exclude_hv && how[i].inherit == i % 2);
        assert_true(how[i].config ==
                    (i < 2 ? PERF_COUNT_HW_INSTRUCTIONS : PERF_COUNT_HW_CACHE_MISSES));
        set(i, 100, 10, 10);
    }
    events_look(&events, &before);
    set(0, 150, 20, 20);
    set(1, 1100, 90, 90);
    set(2, 110, 20, 20);
    set(3, 400, 90, 70); /* it had to share the registers */
    events_look(&events, &after);
    events_between(&events, &before, &after, false, counts);
    assert_true(counts[EVENT_instructions] == 1000 && counts[EVENT_llc_misses] == EVENT_UNKNOWN);
    assert_true(counts[EVENT_page_faults] == EVENT_UNKNOWN); /* not asked for */
    events_between(&events, &before, &after, true, counts);
    assert_true(counts[EVENT_instructions] == 950); /* without the process that watches */
}

TEST(test_refused)
{
    struct events events;
    struct events_seen before, after;
    uint64_t counts[EVENTS];
    char *missing;
    events_perf = refuse;
    events_open(&events, (1 << EVENTS) - 1);
    events_look(&events, &before);
    events_look(&events, &after);
    after.faults = before.faults + 7;
    events_between(&events, &before, &after, false, counts);
    assert_true(counts[EVENT_instructions] == EVENT_UNKNOWN && counts[EVENT_page_faults] == 7);
    events_between(&events, &before, &after, true, counts);
    assert_true(counts[EVENT_page_faults] == EVENT_UNKNOWN);
    json_t *json = events_json(1 << EVENT_instructions, &missing);
    assert_string_equal(missing, "instructions: this machine has no such counter");
    assert_true(json_array_size(json_object_get(json, "asked")) == 1 &&
                json_array_size(json_object_get(json, "counted")) == 0);
    json_decref(json);
    free(missing);
    json = events_json(1 << EVENT_page_faults, &missing);
    assert_true(strncmp(missing, "page_faults: Permission denied (/proc/sys/", 42) == 0);
    json_decref(json);
    free(missing);
}
