#include "harness/experiment/remarks.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/external/external.h"

static void add_line(char **text, char *line)
{
    char *shown = text_printable(line);
    heap_append(text, "%s\n", shown);
    free(shown);
    free(line);
}

char *externals_text(const struct experiment *experiment, bool files)
{
    char *text = heap_text("");
    size_t count = 0;
    const struct external *first = NULL;
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct external *external = experiment->solvers[i].external;
        if (external == NULL)
            continue;
        if (first == NULL)
            first = external;
        count++;
    }
    if (first == NULL) {
        free(text);
        return NULL;
    }
    add_line(&text,
             heap_format("%zu solver%s, run in %s. An experiment file with a command is a "
                         "program: read it first",
                         count, count == 1 ? " is a command" : "s are commands", first->folder));
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct external *external = experiment->solvers[i].external;
        if (external == NULL)
            continue;
        char *command = external_command(external);
        add_line(&text, heap_format("  %s", command));
        free(command);
        for (size_t j = 0; files && j < external->file_count; j++)
            add_line(&text,
                     heap_format("    %s  %s", external->files[j].hash, external->files[j].name));
    }
    return text;
}

char *unsolvable_text(const struct experiment *experiment)
{
    enum { MAX_NAMED = 5 };
    char *text = heap_text("");
    size_t found = 0;
    for (size_t i = 0; i < experiment->instances.count; i++) {
        const struct instance *instance = &experiment->instances.items[i];
        uint8_t tiles[2];
        if (board_connected(&instance->start, &instance->goal) || found++ >= MAX_NAMED)
            continue;
        heap_append(&text, "tilelab: %s/%s", instance->set, instance->name);
        if (instance->line > 0)
            heap_append(&text, " (line %zu of its file)", instance->line);
        board_exchange(&instance->start, &instance->goal, tiles);
        heap_append(&text,
                    ": unsolvable for this goal, the parity is wrong; its rows will say so; "
                    "exchanging %u and %u makes it solvable\n",
                    tiles[0], tiles[1]);
    }
    if (found > MAX_NAMED)
        heap_append(&text, "tilelab: %zu more board%s unsolvable\n", found - MAX_NAMED,
                    found - MAX_NAMED == 1 ? " is" : "s are");
    return text;
}
