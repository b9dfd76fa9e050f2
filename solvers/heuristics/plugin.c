#include "heuristics/plugin.h"
#include "base/heap.h"
#include <string.h>
#include <tilelab/heuristic.h>

/* What a plugin made for a goal. Searches follow one another on the same goal, so the last one is
 * kept when no heuristic uses it any more. */
struct prepared {
    struct prepared *next;
    const struct plugin *plugin;
    unsigned users;
    struct board goal;
    uint8_t home[MAX_CELLS];
    struct tilelab_puzzle puzzle; /* its pointers point to `goal` and `home` */
    void *data;
};

/* ---- A heuristic kind made of it ---- */

/* Fills in what a plugin is told of a goal. */
static void describe(struct prepared *prepared, const struct board *goal)
{
    prepared->goal = *goal;
    for (unsigned i = 0; i < goal->shape.cells; i++)
        prepared->home[goal->cell[i]] = (uint8_t)i;
    prepared->puzzle = (struct tilelab_puzzle){.width = goal->shape.width,
                                               .height = goal->shape.height,
                                               .cells = goal->shape.cells,
                                               .goal = prepared->goal.cell,
                                               .home = prepared->home};
}

/* Frees what no heuristic uses. */
static void end_unused(struct plugin *plugin)
{
    for (struct prepared **at = &plugin->prepared; *at != NULL;) {
        struct prepared *prepared = *at;
        if (prepared->users > 0) {
            at = &prepared->next;
            continue;
        }
        *at = prepared->next;
        object_enter();
        if (plugin->heuristic->end != NULL)
            plugin->heuristic->end(prepared->data);
        object_leave();
        free(prepared);
    }
}

static char *refuses(const struct heuristic_choice *choice, const struct board *goal)
{
    const struct plugin *plugin = plugin_of(choice->kind);
    if (plugin->heuristic->refuses == NULL)
        return NULL;
    struct prepared asked = {0};
    describe(&asked, goal);
    object_enter();
    const char *why = plugin->heuristic->refuses(&asked.puzzle);
    object_leave();
    return why == NULL ? NULL : heap_format("%s %s", choice->kind->name, why);
}

static void prepare(struct heuristic *heuristic)
{
    struct plugin *plugin = (struct plugin *)(uintptr_t)plugin_of(heuristic->kind);
    struct prepared *prepared = plugin->prepared;
    while (prepared != NULL && !board_equal(&prepared->goal, &heuristic->goal))
        prepared = prepared->next;
    if (prepared == NULL) {
        end_unused(plugin);
        prepared = heap_take(1, sizeof *prepared);
        prepared->plugin = plugin;
        describe(prepared, &heuristic->goal);
        if (plugin->heuristic->prepare != NULL) {
            object_enter();
            prepared->data = plugin->heuristic->prepare(&prepared->puzzle);
            object_leave();
            if (prepared->data == NULL)
                heap_exhausted();
        }
        prepared->next = plugin->prepared;
        plugin->prepared = prepared;
    }
    prepared->users++;
    heuristic->data = prepared;
}

static void end(struct heuristic *heuristic)
{
    struct prepared *prepared = heuristic->data;
    prepared->users--;
}

/* Searches keep h in few bits (search/node_heap.h), so no larger value may reach them. */
static unsigned evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct prepared *prepared = heuristic->data;
    object_enter();
    const unsigned h =
        prepared->plugin->heuristic->evaluate(&prepared->puzzle, prepared->data, board->cell);
    object_leave();
    return h > TILELAB_LARGEST_VALUE ? TILELAB_LARGEST_VALUE : h;
}

static unsigned step(const struct heuristic *heuristic, const struct board *child, unsigned h,
                     unsigned tile, unsigned from, unsigned to)
{
    (void)h;
    (void)tile;
    (void)from;
    (void)to;
    return evaluate(heuristic, child);
}

static const struct heuristic_extras extras = {.refuses = refuses, .end = end};
static const struct option_row no_options[] = NO_OPTIONS;

const struct plugin *plugin_of(const struct heuristic_kind *kind)
{
    return kind->extras == &extras ? (const struct plugin *)kind : NULL;
}

/* ---- Loading ---- */

/* What is wrong with what the object says of itself; heap memory, or NULL. */
static char *check(const struct plugin *plugin)
{
    const struct tilelab_heuristic *heuristic = plugin->heuristic;
    if (heuristic->version == 0 || heuristic->version > TILELAB_HEURISTIC_VERSION)
        return heap_format("%s was made for version %u of tilelab/heuristic.h; this tilelab "
                           "understands version %d",
                           plugin->object.file, heuristic->version, TILELAB_HEURISTIC_VERSION);
    if (heuristic->name == NULL || !object_is_name(heuristic->name))
        return heap_format("%s calls its heuristic '%.60s'; expected a lower-case letter, then "
                           "lower-case letters, digits and _, at most %d",
                           plugin->object.file, heuristic->name == NULL ? "" : heuristic->name,
                           LONGEST_NAME);
    const struct heuristic_kind *other = heuristic_find(heuristic->name);
    if (other != NULL && plugin_of(other) != NULL &&
        strcmp(plugin_of(other)->object.path, plugin->object.path) == 0)
        return heap_format("%s a second time; expected each plugin once", plugin->object.file);
    if (other != NULL && plugin_of(other) != NULL)
        return heap_format("%s calls its heuristic %s, as %s does; expected another name",
                           plugin->object.file, heuristic->name, plugin_of(other)->object.file);
    if (other != NULL)
        return heap_format("%s calls its heuristic %s, which tilelab has already; expected "
                           "another name",
                           plugin->object.file, heuristic->name);
    if (heuristic->evaluate == NULL)
        return heap_format("%s has no function `evaluate`; expected one in tilelab_heuristic",
                           plugin->object.file);
    if ((heuristic->claims & ~(unsigned)TILELAB_CONSISTENT) != 0 || heuristic->claims == 2)
        return heap_format("%s claims %u; expected 0, TILELAB_ADMISSIBLE or TILELAB_CONSISTENT",
                           plugin->object.file, heuristic->claims);
    return NULL;
}

/* Makes a kind of a plugin and has it found by its name. */
static void add_kind(struct plugin *plugin, const char *name, const char *summary, unsigned claims)
{
    plugin->kind =
        (struct heuristic_kind){.name = heap_text(name),
                                .summary = text_printable(summary == NULL ? "" : summary),
                                .properties = claims == TILELAB_CONSISTENT ? ADMISSIBLE | CONSISTENT
                                              : claims != 0                ? ADMISSIBLE
                                                                           : 0,
                                .extras = &extras,
                                .options = no_options,
                                .prepare = prepare,
                                .evaluate = evaluate,
                                .step = step};
    heuristic_add(&plugin->kind);
}

struct plugin *plugin_make(const struct object *object, char **problem)
{
    struct plugin *plugin = heap_take(1, sizeof *plugin);
    plugin->object = *object;
    plugin->heuristic = object_find(object, "tilelab_heuristic");
    *problem = check(plugin);
    if (*problem != NULL) {
        plugin_end(plugin);
        return NULL;
    }
    const struct tilelab_heuristic *heuristic = plugin->heuristic;
    add_kind(plugin, heuristic->name, heuristic->summary, heuristic->claims);
    return plugin;
}

/* ---- By what is known of it ---- */

static unsigned no_value(const struct tilelab_puzzle *puzzle, const void *data,
                         const unsigned char *tiles)
{
    (void)puzzle;
    (void)data;
    (void)tiles;
    return 0;
}

struct plugin *plugin_recall(const char *file, const char *path, const char *hash, const char *name,
                             unsigned properties)
{
    static const struct tilelab_heuristic unloaded = {.evaluate = no_value};
    struct object object;
    if (!object_is_name(name) || heuristic_find(name) != NULL ||
        !object_recall(&object, file, path, hash))
        return NULL;
    struct plugin *plugin = heap_take(1, sizeof *plugin);
    plugin->object = object;
    plugin->heuristic = &unloaded;
    add_kind(plugin, name, "",
             (properties & CONSISTENT) != 0   ? TILELAB_CONSISTENT
             : (properties & ADMISSIBLE) != 0 ? TILELAB_ADMISSIBLE
                                              : 0);
    return plugin;
}

void plugin_end(struct plugin *plugin)
{
    if (plugin == NULL)
        return;
    if (plugin->kind.name != NULL) {
        heuristic_remove(&plugin->kind);
        end_unused(plugin);
    }
    free((char *)(uintptr_t)plugin->kind.name);
    free((char *)(uintptr_t)plugin->kind.summary);
    object_end(&plugin->object);
    free(plugin);
}
