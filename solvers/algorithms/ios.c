/* Improved optimistic search (Chen, Sturtevant, Doyle and Ruml, "Revisiting suboptimal search",
 * SoCS 2019): optimistic search that opens no node again within a phase.
 *
 * First weighted A* with a weight of 2 w - 1, in which no node is opened again. The largest
 * weighted f that was the least, divided by the weight, is a lower bound on the cost of a shortest
 * solution, sometimes enough to end with the first one. If not, A* begins anew at the start, with
 * what is stored, and its f is the bound. Where it comes to a node of the solution by a shorter
 * path, the solution becomes shorter at once. (Nodes are opened again if the heuristic is not
 * consistent.) */
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(ios);

enum { W };

const struct option_row ios_options[] = {
    [W] = WITHIN_OPTION,
    {.kind = OPTION_END},
};

/* ALONG holds, of the nodes of the solution, how many of its moves are left there, + 1. */
enum { ALONG = 1 };

struct ios {
    struct lists lists;
    uint128 least;   /* the largest weighted f that was the least */
    uint64_t *rest;  /* the cost of the last n moves of the solution */
    uint32_t shared; /* how many last moves it has in common with the first */
};

/* A live node lies on the solution, which becomes shorter by the path to the node. */
static bool shorten(struct ios *ios, uint32_t id, uint32_t left)
{
    struct search *search = ios->lists.search;
    const struct node *nodes = ios->lists.store.nodes;
    const size_t before = search->length;
    size_t depth = 0;
    for (uint32_t at = id; nodes[at].parent != NO_NODE; at = nodes[at].parent)
        depth++;
    char *last = arena_take(&search->arena, left + 1);
    if (last == NULL)
        return false;
    memcpy(last, search->moves + before - left, left);
    char *moves = search_solved(search, depth + left);
    if (moves != NULL) {
        memcpy(moves + depth, last, left);
        for (; nodes[id].parent != NO_NODE; id = nodes[id].parent)
            moves[--depth] = move_letters[nodes[id].move];
        ios->shared = left;
    }
    arena_release(&search->arena, last);
    return moves != NULL;
}

static bool arrives(struct lists *lists, uint32_t id)
{
    struct ios *ios = (struct ios *)lists;
    const uint32_t along = lists->columns[ALONG][id];
    if (along != 0 && along - 1 <= ios->shared) {
        const uint64_t cost = lists->labels[id].g + ios->rest[along - 1];
        if (cost < lists->bound && (!shorten(ios, id, along - 1) || !lists_improves(lists, cost)))
            return false;
    }
    return lists_put(lists, &lists->of[0], id);
}

/* Notes the nodes of the first solution, and begins anew. */
static bool improved(struct lists *lists, uint32_t goal)
{
    struct ios *ios = (struct ios *)lists;
    const struct node *nodes = lists->store.nodes;
    if (ios->rest != NULL)
        return true;
    ios->shared = (uint32_t)lists->search->length;
    ios->rest = arena_take(lists->store.arena, (ios->shared + 1) * sizeof *ios->rest);
    if (ios->rest == NULL)
        return false;
    ios->rest[0] = 0;
    lists->columns[ALONG][goal] = 1;
    for (uint32_t at = goal, left = 1; nodes[at].parent != NO_NODE; at = nodes[at].parent) {
        ios->rest[left] = ios->rest[left - 1] + lists_last_cost(lists, at);
        lists->columns[ALONG][nodes[at].parent] = ++left;
    }
    return true;
}

static bool is_proved(const struct ios *ios)
{
    const struct lists *lists = &ios->lists;
    return lists_within_w(lists, lists->bound, lists->proved) ||
           (uint128)lists->bound * lists->weight * DECIMAL_ONE <= ios->least * lists->w;
}

static uint32_t choose(struct lists *lists)
{
    struct ios *ios = (struct ios *)lists;
    const bool first = lists->since == 0;
    if (lists->bound != NO_COST && is_proved(ios))
        return NO_NODE;
    if (lists->bound != NO_COST && first) {
        lists->of[0].before = lists_by_f;
        view_round(lists->search, "proof", 0);
        if (!lists_restart(lists)) {
            lists->search->status = STATUS_memory_limit;
            return NO_NODE;
        }
    }
    const uint32_t id = list_first(&lists->of[0]);
    if (id == NO_NODE)
        return NO_NODE;
    if (lists->bound != NO_COST)
        raise_to(&lists->proved, lists_f(lists, id));
    else if (lists_weighted(lists, id) > ios->least)
        ios->least = lists_weighted(lists, id);
    return lists->bound != NO_COST && is_proved(ios) ? NO_NODE : id;
}

void ios_run(struct search *search)
{
    struct ios ios = {.rest = NULL};
    struct lists *lists = &ios.lists;
    lists_start(lists, search, 1, (lists_order *const[]){lists_by_weighted_f});
    lists->column_count = ALONG + 1;
    lists->w = (uint64_t)search->options[W];
    lists->weight = 2 * lists->w - DECIMAL_ONE;
    lists->improves = true;
    lists->settings.keeps_closed = lists_is_consistent(search);
    lists->arrives = arrives;
    lists->improved = improved;
    lists_run(lists, choose);
    arena_release(&search->arena, ios.rest);
}
