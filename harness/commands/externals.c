#include "harness/commands/externals.h"
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
