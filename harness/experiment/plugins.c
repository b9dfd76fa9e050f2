#include "harness/experiment/plugins.h"
#include "algorithms/algorithm.h"
#include "base/heap.h"
#include <string.h>

/* Whether a solver's short form has this word for something else: an algorithm or an option. */
static bool is_taken(const char *name)
{
    bool taken = false;
    for (unsigned i = 0; i < algorithm_count; i++) {
        taken = taken || strcmp(algorithms[i].name, name) == 0;
        for (const struct option_row *at = algorithms[i].options; at->kind != OPTION_END; at++)
            taken = taken || strcmp(at->name, name) == 0;
    }
    for (unsigned i = 0; i < heuristic_count; i++)
        for (const struct option_row *at = heuristic_kinds[i].options; at->kind != OPTION_END; at++)
            taken = taken || strcmp(at->name, name) == 0;
    return taken;
}

bool plugins_add(struct plugins *plugins, const char *file, const char *path, char **problem)
{
    struct plugin *plugin = plugin_load(file, path, problem);
    if (plugin != NULL && is_taken(plugin->kind.name)) {
        *problem = heap_format("%s calls its heuristic %s, which is the name of an algorithm or "
                               "an option; expected another name",
                               file, plugin->kind.name);
        plugin_end(plugin);
        plugin = NULL;
    }
    if (plugin == NULL)
        return false;
    plugins->items = heap_grow(plugins->items, plugins->count, sizeof *plugins->items);
    plugins->items[plugins->count++] = plugin;
    return true;
}

void plugins_end(struct plugins *plugins)
{
    for (size_t i = 0; i < plugins->count; i++)
        plugin_end(plugins->items[i]);
    free(plugins->items);
    *plugins = (struct plugins){0};
}

json_t *plugins_json(const struct plugins *plugins)
{
    json_t *array = json_array();
    for (size_t i = 0; i < plugins->count; i++) {
        const struct plugin *plugin = plugins->items[i];
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s}", "heuristic",
                                               plugin->kind.name, "file", plugin->file, "path",
                                               plugin->path, "hash", plugin->hash));
    }
    return array;
}
