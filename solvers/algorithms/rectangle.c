/* Rectangle search (Lemons, Ruml, Holte and Linares Lopez, "Rectangle search: an anytime beam
 * search", AAAI 2024): a beam search that becomes wider and deeper together, and is complete.
 *
 * Live nodes wait at their depth, the least f first. In round k up to k nodes have been expanded at
 * each of the first k times `aspect` depths, from the shallowest down. A node whose f is not below
 * the cost of the best solution is not expanded; when no other is left, that solution is a shortest
 * one. A large `aspect` reaches the goal early, with a narrow beam. */
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(rectangle);

enum { ASPECT };

const struct option_row rectangle_options[] = {
    [ASPECT] = {NUMBER_OPTION(
        "aspect", "how many depths are added for each node that a depth may expand more", 1, 1,
        1000000)},
    {.kind = OPTION_END},
};

enum { BY_DEPTH = BY_F + 1 };

struct depth {
    struct open_list live;
    uint64_t expanded;
};

struct rectangle {
    struct lists lists;
    struct depth *depths;
    uint32_t count; /* depths that have had nodes */
    uint32_t room;
    uint32_t at;    /* the depth whose turn it is */
    uint64_t width; /* how many nodes each depth may expand now */
};

static bool arrives(struct lists *lists, uint32_t id)
{
    struct rectangle *rectangle = (struct rectangle *)lists;
    const uint32_t depth = lists->store.nodes[id].g;
    if (depth >= rectangle->room) {
        const uint32_t room = 2 * depth + 64;
        struct depth *depths =
            arena_resize(lists->store.arena, rectangle->depths, room * sizeof *depths);
        if (depths == NULL)
            return false;
        for (uint32_t i = rectangle->room; i < room; i++)
            depths[i] = (struct depth){.live = {.before = lists_by_f, .column = BY_DEPTH}};
        rectangle->depths = depths;
        rectangle->room = room;
    }
    if (depth >= rectangle->count)
        rectangle->count = depth + 1;
    return lists_put(lists, &lists->of[BY_F], id) &&
           lists_put(lists, &rectangle->depths[depth].live, id);
}

static void leaves(struct lists *lists, uint32_t id)
{
    struct rectangle *rectangle = (struct rectangle *)lists;
    lists_remove(lists, &lists->of[BY_F], id);
    lists_remove(lists, &rectangle->depths[lists->store.nodes[id].g].live, id);
}

static uint32_t choose(struct lists *lists)
{
    struct rectangle *rectangle = (struct rectangle *)lists;
    const uint64_t aspect = (uint64_t)lists->search->options[ASPECT];
    if (lists_least_f(lists) >= lists->bound)
        return NO_NODE;
    for (;; rectangle->at++) {
        if (rectangle->at >= rectangle->count || rectangle->at >= aspect * rectangle->width) {
            rectangle->at = 0;
            rectangle->width++;
        }
        struct depth *depth = &rectangle->depths[rectangle->at];
        const uint32_t id = list_first(&depth->live);
        if (id == NO_NODE || depth->expanded >= rectangle->width ||
            lists_f(lists, id) >= lists->bound)
            continue;
        depth->expanded++;
        return id;
    }
}

void rectangle_run(struct search *search)
{
    struct rectangle rectangle = {.width = 1};
    struct lists *lists = &rectangle.lists;
    lists_start(lists, search, 1, (lists_order *const[]){lists_by_f});
    lists->column_count = BY_DEPTH + 1;
    lists->improves = true;
    lists->arrives = arrives;
    lists->leaves = leaves;
    lists_run(lists, choose);
    for (uint32_t i = 0; i < rectangle.count; i++)
        arena_release(&search->arena, rectangle.depths[i].live.entries);
    arena_release(&search->arena, rectangle.depths);
}
