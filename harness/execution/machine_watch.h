/* When to check for what disturbs measured times (noise.h), and the message if something does. */
#pragma once

#include "harness/execution/noise.h"
#include "harness/text/display.h"

struct machine_watch {
    struct noise noise;
    double next_look; /* on clock_wall() */
    struct display *display;
};

/* Starts to watch. `own_seconds`, here and below, is the processor time of this program and its
 * workers so far. */
void machine_watch_start(struct machine_watch *watch, struct display *display, double own_seconds);

/* Whether it is time for machine_watch_look. */
bool machine_watch_due(const struct machine_watch *watch);

void machine_watch_look(struct machine_watch *watch, double own_seconds);

/* The last check: without it, what disturbs a short experiment would go unseen. */
void machine_watch_finish(struct machine_watch *watch, double own_seconds);
