#include "harness/commands/unsolvable.h"
#include "harness/text/screen.h"
#include <stdio.h>

void say_unsolvable(const struct experiment *experiment)
{
    enum { MAX_NAMED = 5 };
    size_t found = 0;
    for (size_t i = 0; i < experiment->instances.count; i++) {
        const struct instance *instance = &experiment->instances.items[i];
        if (board_connected(&instance->start, &instance->goal) || found++ >= MAX_NAMED)
            continue;
        screen_say(stderr, "tilelab: %s/%s", instance->set, instance->name);
        if (instance->line > 0)
            fprintf(stderr, " (line %zu of its file)", instance->line);
        fputs(": unsolvable for this goal, the parity is wrong; its rows will say so\n", stderr);
    }
    if (found > MAX_NAMED)
        screen_say(stderr, "tilelab: %zu more board%s unsolvable\n", found - MAX_NAMED,
                   found - MAX_NAMED == 1 ? " is" : "s are");
}
