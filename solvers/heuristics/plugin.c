#include "heuristics/plugin.h"
#include "base/heap.h"

/* What a plugin made for a goal. Searches follow one another on the same goal, so the last one is
 * kept when no heuristic uses it any more. */
struct prepared {
    struct prepared *next;
    const struct plugin *plugin;
    unsigned users;
    struct heuristic_choice choice;
    struct board goal;
    uint8_t home[MAX_CELLS];
    long long options[MAX_OPTIONS];
    struct tilelab_puzzle puzzle; /* its pointers point to the three before */
    void *data;
};

/* ---- A heuristic kind made of it ---- */

/* Fills in what a plugin is told of a goal. */
static void describe(struct prepared *prepared, const struct heuristic_choice *choice,
                     const struct board *goal)
{
    prepared->choice = *choice;
    prepared->goal = *goal;
    for (unsigned i = 0; i < MAX_OPTIONS; i++)
        prepared->options[i] = choice->options[i];
    for (unsigned i = 0; i < goal->shape.cells; i++)
        prepared->home[goal->cell[i]] = (uint8_t)i;
    prepared->puzzle = (struct tilelab_puzzle){.width = goal->shape.width,
                                               .height = goal->shape.height,
                                               .cells = goal->shape.cells,
                                               .goal = prepared->goal.cell,
                                               .home = prepared->home,
                                               .options = prepared->options};
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
        if (plugin->heuristic.end != NULL)
            plugin->heuristic.end(prepared->data);
        object_leave();
        free(prepared);
    }
}

static char *refuses(const struct heuristic_choice *choice, const struct board *goal)
{
    const struct plugin *plugin = plugin_of(choice->kind);
    if (plugin->heuristic.refuses == NULL)
        return NULL;
    struct prepared asked = {0};
    describe(&asked, choice, goal);
    object_enter();
    const char *why = plugin->heuristic.refuses(&asked.puzzle);
    object_leave();
    return why == NULL ? NULL : heap_format("%s %s", choice->kind->name, why);
}

static void prepare(struct heuristic *heuristic)
{
    struct plugin *plugin = (struct plugin *)(uintptr_t)plugin_of(heuristic->kind);
    struct prepared *prepared = plugin->prepared;
    while (prepared != NULL && (!board_equal(&prepared->goal, &heuristic->goal) ||
                                memcmp(prepared->choice.options, heuristic->choice.options,
                                       sizeof prepared->choice.options) != 0))
        prepared = prepared->next;
    if (prepared == NULL) {
        end_unused(plugin);
        prepared = heap_take(1, sizeof *prepared);
        prepared->plugin = plugin;
        describe(prepared, &heuristic->choice, &heuristic->goal);
        if (plugin->heuristic.prepare != NULL) {
            object_enter();
            prepared->data = plugin->heuristic.prepare(&prepared->puzzle);
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
static unsigned limited(unsigned h)
{
    return h > TILELAB_LARGEST_VALUE ? TILELAB_LARGEST_VALUE : h;
}

static void evaluate_batch(const struct heuristic *heuristic, const struct board *boards,
                           unsigned count, unsigned *values)
{
    const struct prepared *prepared = heuristic->data;
    const struct tilelab_heuristic *own = &prepared->plugin->heuristic;
    const struct tilelab_puzzle *puzzle = &prepared->puzzle;
    unsigned char *tiles = NULL;
    if (own->evaluate_batch != NULL && count > 0) {
        tiles = heap_take(count, puzzle->cells);
        for (unsigned i = 0; i < count; i++)
            memcpy(tiles + (size_t)i * puzzle->cells, boards[i].cell, puzzle->cells);
    }
    object_enter();
    if (tiles != NULL)
        own->evaluate_batch(puzzle, prepared->data, tiles, count, values);
    for (unsigned i = 0; i < count; i++)
        values[i] = limited(tiles != NULL ? values[i]
                                          : own->evaluate(puzzle, prepared->data, boards[i].cell));
    object_leave();
    free(tiles);
}

static unsigned evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct prepared *prepared = heuristic->data;
    const struct tilelab_heuristic *own = &prepared->plugin->heuristic;
    unsigned h = 0;
    object_enter();
    if (own->evaluate != NULL)
        h = own->evaluate(&prepared->puzzle, prepared->data, board->cell);
    else
        own->evaluate_batch(&prepared->puzzle, prepared->data, board->cell, 1, &h);
    object_leave();
    return limited(h);
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

static const struct heuristic_extras extras = {
    .refuses = refuses, .evaluate_batch = evaluate_batch, .end = end};

const struct plugin *plugin_of(const struct heuristic_kind *kind)
{
    return kind->extras == &extras ? (const struct plugin *)kind : NULL;
}

void *plugin_owner(const struct tilelab_puzzle *puzzle)
{
    const char *place = (const char *)puzzle - offsetof(struct prepared, puzzle);
    return ((const struct prepared *)(const void *)place)->plugin->owner;
}

/* ---- Making one ---- */

static bool is_claim(unsigned claims)
{
    return claims == 0 || claims == TILELAB_ADMISSIBLE || claims == TILELAB_CONSISTENT;
}

/* What is wrong with the options and what they forfeit; heap memory, or NULL. */
static char *check_options(const char *file, const struct tilelab_option *options)
{
    char *problem = object_options_check(file, options);
    for (unsigned i = 0; problem == NULL && options != NULL && options[i].name != NULL; i++)
        if (!is_claim(options[i].forfeits))
            problem = heap_format("%s has a wrong option '%s': it forfeits %u; expected 0, "
                                  "TILELAB_ADMISSIBLE or TILELAB_CONSISTENT",
                                  file, options[i].name, options[i].forfeits);
    return problem;
}

/* What is wrong with what an object says of itself; heap memory, or NULL. */
static char *check(const struct object *object, const struct tilelab_heuristic *said)
{
    const char *file = object->file;
    if (said->name == NULL || !object_is_name(said->name))
        return heap_format("%s calls its heuristic '%.60s'; expected a lower-case letter, then "
                           "lower-case letters, digits and _, at most %d",
                           file, said->name == NULL ? "" : said->name, LONGEST_NAME);
    const struct heuristic_kind *other = heuristic_find(said->name);
    const struct plugin *twin = other == NULL ? NULL : plugin_of(other);
    if (twin != NULL && strcmp(twin->object.path, object->path) == 0 &&
        strcmp(twin->object.hash, object->hash) == 0)
        return heap_format("%s a second time; expected each plugin once", file);
    if (twin != NULL)
        return heap_format("%s calls its heuristic %s, as %s does; expected another name", file,
                           said->name, twin->object.file);
    if (other != NULL)
        return heap_format("%s calls its heuristic %s, which tilelab has already; expected "
                           "another name",
                           file, said->name);
    if (said->evaluate == NULL && said->evaluate_batch == NULL)
        return heap_format("%s has no function `evaluate`; expected one in tilelab_heuristic",
                           file);
    if (!is_claim(said->claims))
        return heap_format("%s claims %u; expected 0, TILELAB_ADMISSIBLE or TILELAB_CONSISTENT",
                           file, said->claims);
    return check_options(file, said->options);
}

static unsigned properties_of(unsigned claims)
{
    return claims == TILELAB_CONSISTENT ? ADMISSIBLE | CONSISTENT : claims != 0 ? ADMISSIBLE : 0;
}

/* What no longer holds without a claim: what is not admissible is not consistent. */
static unsigned forfeits_of(unsigned claims)
{
    return claims == TILELAB_CONSISTENT ? CONSISTENT : claims != 0 ? ADMISSIBLE | CONSISTENT : 0;
}

struct plugin *plugin_make(const struct object *object, const struct tilelab_heuristic *said,
                           char **problem)
{
    struct plugin *plugin = heap_take(1, sizeof *plugin);
    const unsigned version = said->version;
    plugin->object = *object;
    *problem = NULL;
    if (version == 0 || version > TILELAB_HEURISTIC_VERSION) {
        *problem = heap_format("%s was made for version %u of tilelab/heuristic.h; this tilelab "
                               "understands versions 1 to %d",
                               object->file, version, TILELAB_HEURISTIC_VERSION);
    } else {
        /* An object of version 1 ends before `options`. */
        memcpy(&plugin->heuristic, said,
               version == 1 ? offsetof(struct tilelab_heuristic, options) : sizeof *said);
        *problem = check(object, &plugin->heuristic);
    }
    if (*problem != NULL) {
        plugin_end(plugin);
        return NULL;
    }
    object_options_make(&plugin->options, plugin->heuristic.options, forfeits_of);
    plugin->kind = (struct heuristic_kind){
        .name = heap_text(said->name),
        .summary = text_printable(said->summary == NULL ? "" : said->summary),
        .properties = properties_of(said->claims),
        .extras = &extras,
        .options = plugin->options.rows,
        .prepare = prepare,
        .evaluate = evaluate,
        .step = step};
    heuristic_add(&plugin->kind);
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
    object_options_end(&plugin->options);
    free((char *)(uintptr_t)plugin->kind.name);
    free((char *)(uintptr_t)plugin->kind.summary);
    object_end(&plugin->object);
    free(plugin);
}
