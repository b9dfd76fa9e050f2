/* What disturbs measured times: other processes, a battery, a clock that is held down.
 *
 * Read now and then while searches run, from Linux's /proc and /sys; what a machine does not report
 * is recorded as unknown. Nothing here changes a run: it warns, and the manifest records it. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The kinds of disturbance, each reported once: bits of `reported`. */
enum noise_kind {
    NOISE_BUSY = 1,
    NOISE_BATTERY = 2,
    NOISE_CAPPED = 4,
    NOISE_HOT = 8,
    NOISE_SLOWER = 16
};

struct noise {
    const char *root;           /* "" or, in tests, a folder that holds a proc/ and a sys/ */
    double started, looked;     /* on clock_wall() */
    double busy_at_start, busy; /* seconds of all processors, by /proc/stat; negative: unknown */
    double own_at_start, own;   /* the seconds of these that were ours */
    double others;              /* processors that others kept busy, on average so far */
    double max_others;          /* ... between two checks, at most */
    unsigned processors;
    int battery; /* 1: discharging; 0: not; -1: unknown */
    double cap;  /* the share of its maximum clock that the machine may use; 0: unknown */
    uint64_t throttled_at_start; /* how often the machine was too hot, since it was started */
    uint64_t throttled;
    double max_clock,
        clock; /* kHz, of the fastest processor: highest seen, last seen; 0: unknown */
    unsigned reported;
};

/* Starts to watch. `own_seconds` is the processor time of this program and its workers so far. */
void noise_start(struct noise *noise, const char *root, double own_seconds);

/* Checks again. Returns new disturbances as text in heap memory, or NULL. */
char *noise_look(struct noise *noise, double own_seconds);

/* What was seen, for the manifest; a new reference. */
json_t *noise_json(const struct noise *noise);
