#include "algorithms/plugin.h"
#include "base/heap.h"
#include "search/view.h"

/* ---- A search ---- */

/* What an object is given of a search; its address is that of `face`. */
struct guest {
    struct tilelab_search face;
    struct search *search;
    struct tilelab_puzzle puzzle;
    struct tilelab_counters counters;
    uint8_t home[MAX_CELLS];
    long long options[MAX_OPTIONS];
    struct enode enode;
    struct step_table steps;
    bool ended; /* search->status says why */
};

static struct guest *guest_of(struct tilelab_search *face)
{
    return (struct guest *)face;
}

/* The move that would undo the one that led to a node. */
static unsigned undo_of(const struct tilelab_node *node)
{
    switch (node->move) {
    case 'U':
        return MOVE_D;
    case 'D':
        return MOVE_U;
    case 'L':
        return MOVE_R;
    case 'R':
        return MOVE_L;
    default:
        return MOVE_NONE;
    }
}

static struct board board_of(const struct guest *guest, const unsigned char *tiles, unsigned blank)
{
    struct board board = {.shape = guest->search->task->start.shape, .blank = (uint8_t)blank};
    memcpy(board.cell, tiles, board.shape.cells);
    return board;
}

static int expand(struct tilelab_search *face, const struct tilelab_node *node)
{
    struct guest *guest = guest_of(face);
    struct enode *enode = &guest->enode;
    if (guest->ended)
        return 0;
    enode->g = node->g;
    enode->h = node->h;
    enode->undo = undo_of(node);
    if (guest->search->observer != NULL)
        enode->board = board_of(guest, node->tiles, node->blank);
    guest->ended = !search_expands(guest->search, enode);
    return !guest->ended;
}

/* The heuristic's value of a child, which is filled in but for it. */
static unsigned child_h(const struct guest *guest, const struct tilelab_node *node,
                        const struct tilelab_node *child, unsigned move)
{
    const struct heuristic *heuristic = guest->search->heuristic;
    if (heuristic == NULL)
        return 0;
    if (guest->search->steps != NULL)
        return node->h + (unsigned)guest->steps.of[node->blank][move][child->tile];
    const struct board board = board_of(guest, child->tiles, child->blank);
    return heuristic->kind->step(heuristic, &board, node->h, child->tile, child->blank,
                                 node->blank);
}

static int child(struct tilelab_search *face, const struct tilelab_node *node, unsigned number,
                 struct tilelab_node *made)
{
    struct guest *guest = guest_of(face);
    const struct exits *exits = &guest->search->operators.exits[node->blank][undo_of(node)];
    if (guest->ended)
        return -1;
    if (number >= exits->count)
        return 0;
    if (!search_generates(guest->search)) {
        guest->ended = true;
        return -1;
    }
    const struct exit exit = exits->exit[number];
    *made = *node;
    made->tile = node->tiles[exit.from];
    made->tiles[node->blank] = made->tile;
    made->tiles[exit.from] = 0;
    made->blank = exit.from;
    made->move = move_letters[exit.move];
    made->g = node->g + 1;
    made->h = (unsigned short)child_h(guest, node, made, exit.move);
    return 1;
}

static unsigned value(struct tilelab_search *face, const unsigned char *tiles)
{
    const struct guest *guest = guest_of(face);
    const struct heuristic *heuristic = guest->search->heuristic;
    if (heuristic == NULL)
        return 0;
    unsigned blank = 0;
    while (blank + 1 < guest->puzzle.cells && tiles[blank] != 0)
        blank++;
    const struct board board = board_of(guest, tiles, blank);
    return heuristic->kind->evaluate(heuristic, &board);
}

static int begin_round(struct tilelab_search *face, unsigned threshold)
{
    struct guest *guest = guest_of(face);
    if (guest->ended)
        return 0;
    if (guest->search->round_count == 0)
        guest->search->statistics.iterations = 0;
    guest->ended = !search_begins_round(guest->search, "threshold", threshold);
    return !guest->ended;
}

static void *resize(struct tilelab_search *face, void *block, size_t bytes)
{
    struct guest *guest = guest_of(face);
    struct arena *arena = &guest->search->arena;
    if (guest->ended)
        return NULL;
    void *found = block == NULL ? arena_take(arena, bytes) : arena_resize(arena, block, bytes);
    if (found == NULL) {
        guest->search->status = STATUS_memory_limit;
        guest->ended = true;
    }
    return found;
}

static void *take(struct tilelab_search *face, size_t bytes)
{
    return resize(face, NULL, bytes);
}

static void release(struct tilelab_search *face, void *block)
{
    arena_release(&guest_of(face)->search->arena, block);
}

static void solution(struct tilelab_search *face, const char *moves, size_t length)
{
    struct guest *guest = guest_of(face);
    if (guest->ended)
        return;
    guest->ended = true;
    char *copy = search_solved(guest->search, length);
    for (size_t i = 0; copy != NULL && i < length; i++)
        copy[i] = strchr(move_letters, moves[i]) != NULL && moves[i] != '\0' ? moves[i] : '?';
}

/* Notes what the object counted. */
static void note_counters(const struct tilelab_counters *said, struct statistics *statistics)
{
    statistics->duplicates = said->duplicates;
    statistics->reopened = said->reopened;
    statistics->max_open = said->max_open;
    statistics->max_stored = said->max_stored;
    statistics->max_depth = said->max_depth;
    statistics->open_at_end = said->open_at_end;
}

/* Fills in what an object is given, but for the heuristic's table of steps. */
static void guest_start(struct guest *guest, struct search *search)
{
    const struct board *start = &search->task->start;
    const struct board *goal = &search->task->goal;
    *guest = (struct guest){.search = search,
                            .puzzle = {.width = goal->shape.width,
                                       .height = goal->shape.height,
                                       .cells = goal->shape.cells,
                                       .goal = goal->cell,
                                       .home = guest->home},
                            .face = {.puzzle = &guest->puzzle,
                                     .options = guest->options,
                                     .counters = &guest->counters,
                                     .expand = expand,
                                     .child = child,
                                     .value = value,
                                     .round = begin_round,
                                     .take = take,
                                     .resize = resize,
                                     .release = release,
                                     .solution = solution}};
    for (unsigned i = 0; i < goal->shape.cells; i++)
        guest->home[goal->cell[i]] = (uint8_t)i;
    for (unsigned i = 0; i < MAX_OPTIONS; i++)
        guest->options[i] = search->options[i];
    memcpy(guest->face.start.tiles, start->cell, start->shape.cells);
    guest->face.start.blank = start->blank;
    guest->face.start.h = (unsigned short)search_start_h(search);
}

static void run(struct search *search)
{
    const struct algorithm_plugin *plugin = algorithm_plugin_of(search->algorithm);
    struct guest guest;
    guest_start(&guest, search);
    if (!search_generates_root(search))
        return;
    search_table_steps(search, &guest.steps);
    object_enter();
    const int result = plugin->search(&guest.face);
    object_leave();
    note_counters(&guest.counters, &search->statistics);
    if (!guest.ended)
        search->status = result == TILELAB_EXHAUSTED ? STATUS_exhausted : STATUS_stuck;
}

const struct algorithm_plugin *algorithm_plugin_of(const struct algorithm *algorithm)
{
    return algorithm->run == run ? (const struct algorithm_plugin *)algorithm : NULL;
}

/* ---- An algorithm made of it ---- */

enum {
    ALL_CLAIMS = TILELAB_OPTIMAL | TILELAB_COMPLETE | TILELAB_INFORMED | TILELAB_NEEDS_CONSISTENT
};

/* What is wrong with what an object says of itself; heap memory, or NULL. */
static char *check(const struct object *object, const struct tilelab_algorithm *said)
{
    const char *file = object->file;
    if (said->version == 0 || said->version > TILELAB_ALGORITHM_VERSION)
        return heap_format("%s was made for version %u of tilelab/algorithm.h; this tilelab "
                           "understands version %d",
                           file, said->version, TILELAB_ALGORITHM_VERSION);
    if (said->name == NULL || !object_is_name(said->name))
        return heap_format("%s calls its algorithm '%.60s'; expected a lower-case letter, then "
                           "lower-case letters, digits and _, at most %d",
                           file, said->name == NULL ? "" : said->name, LONGEST_NAME);
    const struct algorithm *other = algorithm_find(said->name);
    const struct algorithm_plugin *twin = other == NULL ? NULL : algorithm_plugin_of(other);
    if (twin != NULL && strcmp(twin->object.path, object->path) == 0)
        return heap_format("%s a second time; expected each plugin once", file);
    if (other != NULL)
        return heap_format("%s calls its algorithm %s, %s %s; expected another name", file,
                           said->name, twin == NULL ? "which tilelab has" : "as does",
                           twin == NULL ? "already" : twin->object.file);
    if (said->search == NULL)
        return heap_format("%s has no function `search`; expected one in tilelab_algorithm", file);
    if ((said->claims & ~(unsigned)ALL_CLAIMS) != 0)
        return heap_format("%s claims %u; expected what tilelab/algorithm.h has, joined by |", file,
                           said->claims);
    return object_options_check(file, said->options);
}

static unsigned properties_of(unsigned claims)
{
    return ((claims & TILELAB_OPTIMAL) != 0 ? OPTIMAL : 0) |
           ((claims & TILELAB_COMPLETE) != 0 ? COMPLETE : 0) |
           ((claims & TILELAB_NEEDS_CONSISTENT) != 0 ? NEEDS_CONSISTENT : 0);
}

struct algorithm_plugin *algorithm_plugin_make(const struct object *object,
                                               const struct tilelab_algorithm *said, char **problem)
{
    struct algorithm_plugin *plugin = heap_take(1, sizeof *plugin);
    plugin->object = *object;
    *problem = check(object, said);
    if (*problem != NULL) {
        algorithm_plugin_end(plugin);
        return NULL;
    }
    plugin->search = said->search;
    plugin->claims = said->claims;
    object_options_make(&plugin->options, said->options, properties_of);
    plugin->row =
        (struct algorithm){.name = heap_text(said->name),
                           .summary = text_printable(said->summary == NULL ? "" : said->summary),
                           .informed = (said->claims & TILELAB_INFORMED) != 0,
                           .properties = properties_of(said->claims),
                           .memory = "",
                           .options = plugin->options.rows,
                           .run = run};
    algorithm_add(&plugin->row);
    return plugin;
}

void algorithm_plugin_end(struct algorithm_plugin *plugin)
{
    if (plugin == NULL)
        return;
    if (plugin->row.name != NULL)
        algorithm_remove(&plugin->row);
    object_options_end(&plugin->options);
    free((char *)(uintptr_t)plugin->row.name);
    free((char *)(uintptr_t)plugin->row.summary);
    object_end(&plugin->object);
    free(plugin);
}
