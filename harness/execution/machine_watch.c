#include "harness/execution/machine_watch.h"
#include "base/clock.h"
#include "base/heap.h"

/* When the machine is first checked, and how often from then on. */
#define FIRST_LOOK_SECONDS 1.0
#define LOOK_SECONDS       5.0

void machine_watch_start(struct machine_watch *watch, struct display *display, double own_seconds)
{
    *watch =
        (struct machine_watch){.display = display, .next_look = clock_wall() + FIRST_LOOK_SECONDS};
    noise_start(&watch->noise, "", own_seconds);
}

bool machine_watch_due(const struct machine_watch *watch)
{
    return clock_wall() > watch->next_look;
}

void machine_watch_look(struct machine_watch *watch, double own_seconds)
{
    SCOPED char *disturbed = noise_look(&watch->noise, own_seconds);
    watch->next_look = clock_wall() + LOOK_SECONDS;
    if (disturbed != NULL)
        display_note(watch->display, "%s; counters are exact all the same, times may not be",
                     disturbed);
}

void machine_watch_finish(struct machine_watch *watch, double own_seconds)
{
    if (clock_wall() - watch->noise.looked > FIRST_LOOK_SECONDS / 2)
        machine_watch_look(watch, own_seconds);
}
