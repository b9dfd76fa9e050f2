#include "search/view.h"
#include "base/heap.h"
#include <limits.h>
#include <xxhash.h>

/* ---- The book of live nodes ---- */

static uint32_t *list_of(struct viewed_live *live, const struct board *board, unsigned g,
                         unsigned side)
{
    const uint64_t hash = XXH3_64bits_withSeed(board->cell, MAX_CELLS, 2 * g + side);
    return &live->heads[hash & (live->head_count - 1)];
}

static uint32_t *list_of_node(struct viewed_live *live, const struct viewed_node *node)
{
    return list_of(live, &node->board, node->seen.g, node->seen.side);
}

static void make_lists(struct viewed_live *live)
{
    live->head_count = live->head_count == 0 ? 64 : 2 * live->head_count;
    live->heads = heap_resize(live->heads, live->head_count * sizeof *live->heads);
    memset(live->heads, 0, live->head_count * sizeof *live->heads);
    for (size_t i = 0; i < live->count; i++) {
        uint32_t *list = list_of_node(live, &live->nodes[i]);
        live->nodes[i].next = *list;
        *list = (uint32_t)i + 1;
    }
}

/* Adds a node to the book, as the newest. */
static void add(struct viewing *viewing, struct viewed_node node)
{
    struct viewed_live *live = &viewing->live;
    if (live->count == live->head_count)
        make_lists(live);
    live->nodes = heap_reserve(live->nodes, &live->room, live->count + 1, sizeof *live->nodes);
    node.sequence = ++viewing->sequence;
    uint32_t *list = list_of_node(live, &node);
    node.next = *list;
    live->nodes[live->count++] = node;
    *list = (uint32_t)live->count;
}

/* Where the list of node `at` refers to it. */
static uint32_t *link_to(struct viewed_live *live, size_t at)
{
    uint32_t *link = list_of_node(live, &live->nodes[at]);
    while (*link != at + 1)
        link = &live->nodes[*link - 1].next;
    return link;
}

/* Removes a node; the last one takes its place. */
static struct viewed_node take_out(struct viewed_live *live, size_t at)
{
    const struct viewed_node node = live->nodes[at];
    *link_to(live, at) = node.next;
    if (--live->count > at) {
        *link_to(live, live->count) = (uint32_t)at + 1;
        live->nodes[at] = live->nodes[live->count];
    }
    return node;
}

/* The newest of the live nodes with this board, depth and side, or that of number `expected`.
 * SIZE_MAX if there is none. */
static size_t find(struct viewed_live *live, const struct board *board, unsigned g, unsigned side,
                   uint64_t expected)
{
    size_t found = SIZE_MAX;
    for (uint32_t at = live->count == 0 ? 0 : *list_of(live, board, g, side); at != 0;) {
        const struct viewed_node *node = &live->nodes[at - 1];
        if (node->seen.g == g && node->seen.side == side && board_equal(&node->board, board) &&
            (found == SIZE_MAX || node->seen.number == expected))
            found = at - 1;
        at = node->next;
    }
    return found;
}

static void forget_all(struct viewing *viewing)
{
    viewing->live.count = 0;
    if (viewing->live.head_count > 0)
        memset(viewing->live.heads, 0, viewing->live.head_count * sizeof *viewing->live.heads);
}

void viewing_start(struct viewing *viewing, const struct observer *observer, bool informed)
{
    *viewing = (struct viewing){.observer = observer, .g_weight = informed, .h_weight = informed};
}

void viewing_end(struct viewing *viewing)
{
    free(viewing->path);
    free(viewing->live.nodes);
    free(viewing->live.heads);
    free(viewing->frontier);
}

/* ---- What the observer is told ---- */

void view_costs(struct search *search, int g_weight, int h_weight)
{
    if (!viewed(search))
        return;
    search->viewing->g_weight = g_weight;
    search->viewing->h_weight = h_weight;
}

void view_in_order(struct search *search, enum view_order order)
{
    if (viewed(search))
        search->viewing->order = order;
}

void view_limit(struct search *search, uint64_t limit)
{
    if (viewed(search))
        search->viewing->limit = limit;
}

void view_expects(struct search *search, uint64_t number)
{
    if (viewed(search))
        search->viewing->expected = number;
}

static double cost_of(const struct viewing *viewing, const struct node_seen *node)
{
    const double cost = viewing->g_weight * (double)node->g + viewing->h_weight * (double)node->h;
    if (viewing->g_weight == 0)
        return viewing->h_weight == 0 ? -1 : cost;
    return cost / viewing->g_weight;
}

static bool tell(struct search *search, struct event *event, const struct board *board)
{
    const struct observer *observer = search->viewing->observer;
    event->node.board = board;
    event->node.f = cost_of(search->viewing, &event->node);
    return observer->sees(observer->context, event);
}

static void tell_root(struct search *search, const struct board *board, struct node_seen node)
{
    struct viewing *viewing = search->viewing;
    node.number = ++viewing->last;
    node.move = MOVE_NONE;
    const struct viewed_node root = {.seen = node, .board = *board, .stored = node.h};
    if (node.number == 1)
        viewing->root = root;
    add(viewing, root);
    struct event event = {.kind = EVENT_ROOT, .node = node};
    tell(search, &event, board);
}

void view_root(struct search *search, const struct board *board, unsigned h, unsigned side)
{
    if (viewed(search))
        tell_root(search, board, (struct node_seen){.h = h, .side = side});
}

/* Below the frontier each round begins with what was live before the first; elsewhere with the
 * root, but for that of a piece, which comes next. */
void view_round(struct search *search, const char *round, uint64_t limit)
{
    struct viewing *viewing = search->viewing;
    if (!viewed(search))
        return;
    struct event event = {.kind = EVENT_ROUND, .round = round, .limit = limit};
    const bool frontier = strcmp(round, "frontier") == 0;
    if (frontier && viewing->frontier == NULL) {
        viewing->frontier_count = viewing->live.count;
        viewing->frontier = heap_take(viewing->live.count + 1, sizeof *viewing->frontier);
        for (size_t i = 0; i < viewing->frontier_count; i++)
            viewing->frontier[i] = viewing->live.nodes[i];
    }
    forget_all(viewing);
    for (size_t i = 0; frontier && i < viewing->frontier_count; i++)
        add(viewing, viewing->frontier[i]);
    if (!frontier && strcmp(round, "piece") != 0 && viewing->root.seen.number != 0)
        add(viewing, viewing->root);
    tell(search, &event, NULL);
}

/* The live node that is expanded, which is taken from the book; one that was expanded already; or a
 * new one. */
static struct viewed_node node_expanded(struct search *search, const struct enode *enode)
{
    struct viewing *viewing = search->viewing;
    const unsigned g = enode->g;
    const size_t at = find(&viewing->live, &enode->board, g, enode->side, viewing->expected);
    if (at != SIZE_MAX)
        return take_out(&viewing->live, at);
    if (g < viewing->depth && board_equal(&viewing->path[g].board, &enode->board))
        return viewing->path[g];
    if (g == 0 || enode->undo == MOVE_NONE || g > viewing->depth)
        tell_root(search, &enode->board,
                  (struct node_seen){.g = g, .h = enode->h, .side = enode->side});
    else
        view_child(search, &enode->board, g, enode->h, move_undo(enode->undo),
                   (struct event){.node.side = enode->side});
    return take_out(&viewing->live, viewing->live.count - 1);
}

void view_expands(struct search *search, const struct enode *enode)
{
    struct viewing *viewing = search->viewing;
    const struct viewed_node node = node_expanded(search, enode);
    viewing->path =
        heap_reserve(viewing->path, &viewing->room, enode->g + 1, sizeof *viewing->path);
    while (viewing->depth <= enode->g)
        viewing->path[viewing->depth++] = (struct viewed_node){.sequence = 0};
    viewing->path[enode->g] = node;
    struct event event = {
        .kind = EVENT_EXPANDS, .node = node.seen, .limit = viewing->limit, .stored = node.stored};
    tell(search, &event, &enode->board);
}

void view_child(struct search *search, const struct board *board, unsigned g, unsigned h,
                unsigned move, struct event event)
{
    struct viewing *viewing = search->viewing;
    if (!viewed(search))
        return;
    const bool kept = event.fate <= FATE_REOPENED;
    event.kind = EVENT_CHILD;
    event.node = (struct node_seen){.number = kept ? ++viewing->last : 0,
                                    .parent = viewing->path[g - 1].seen.number,
                                    .move = move,
                                    .side = event.node.side,
                                    .g = g,
                                    .h = h};
    if (event.fate == FATE_SHORTER) {
        const size_t longer = find(&viewing->live, board, event.known_g, event.node.side, 0);
        if (longer != SIZE_MAX)
            take_out(&viewing->live, longer);
    }
    if (kept)
        add(viewing,
            (struct viewed_node){.seen = event.node, .board = *board, .stored = event.stored});
    tell(search, &event, board);
}

void view_successor(struct search *search, const struct enode *enode, struct successor successor,
                    unsigned h, struct event event)
{
    struct board board = enode->board;
    board_slide(&board, successor.from);
    event.node.side = enode->side;
    view_child(search, &board, enode->g + 1, h, successor.move, event);
}

void view_drops(struct search *search, const struct board *board, unsigned g, unsigned side,
                struct event event)
{
    struct viewing *viewing = search->viewing;
    if (!viewed(search))
        return;
    const size_t at = find(&viewing->live, board, g, side, viewing->expected);
    if (at == SIZE_MAX)
        return;
    event.kind = EVENT_DROPS;
    event.node = take_out(&viewing->live, at).seen;
    tell(search, &event, board);
}

void view_returns(struct search *search, const struct enode *enode, enum event_kind kind,
                  unsigned stored)
{
    struct viewing *viewing = search->viewing;
    if (!viewed(search))
        return;
    struct viewed_node node = viewing->path[enode->g];
    for (size_t i = viewing->live.count; kind == EVENT_FORGETS && i-- > 0;)
        if (viewing->live.nodes[i].seen.g > enode->g)
            take_out(&viewing->live, i);
    node.stored = stored;
    add(viewing, node);
    struct event event = {.kind = kind, .node = node.seen, .stored = stored};
    tell(search, &event, &enode->board);
}

bool view_step(struct search *search, uint64_t live)
{
    struct event event = {.kind = EVENT_STEP, .count = live};
    return tell(search, &event, NULL);
}

bool view_live(struct search *search, struct node_seen node, unsigned stored,
               const struct board *board)
{
    struct event event = {.kind = EVENT_LIVE, .node = node, .stored = stored};
    return tell(search, &event, board);
}

static int by_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int in_queue(const void *left, const void *right)
{
    const struct viewed_node *a = left, *b = right;
    return by_number(a->sequence, b->sequence);
}

static int in_stack(const void *left, const void *right)
{
    const struct viewed_node *a = left, *b = right;
    if (a->seen.g != b->seen.g)
        return by_number(b->seen.g, a->seen.g);
    return a->seen.h != b->seen.h ? by_number(a->seen.h, b->seen.h) : in_queue(a, b);
}

static int by_stored_cost(const void *left, const void *right)
{
    const struct viewed_node *a = left, *b = right;
    if (a->stored != b->stored)
        return by_number(a->stored, b->stored);
    return a->seen.g != b->seen.g ? by_number(b->seen.g, a->seen.g) : in_queue(a, b);
}

static bool is_bounded(const struct viewing *viewing)
{
    return viewing->order == VIEW_STACK && viewing->limit != 0;
}

static bool is_shown(const struct viewing *viewing, const struct viewed_node *node)
{
    return !is_bounded(viewing) || node->seen.g + node->seen.h < viewing->limit;
}

void view_book(struct search *search)
{
    static int (*const orders[])(const void *, const void *) = {
        [VIEW_QUEUE] = in_queue, [VIEW_STACK] = in_stack, [VIEW_STORED] = by_stored_cost};
    const struct viewing *viewing = search->viewing;
    const struct viewed_live *live = &viewing->live;
    uint64_t count = live->count;
    for (size_t i = 0; is_bounded(viewing) && i < live->count; i++)
        count -= !is_shown(viewing, &live->nodes[i]);
    if (!view_step(search, count) || count == 0)
        return;
    struct viewed_node *nodes = heap_take(live->count, sizeof *nodes);
    for (size_t i = 0; i < live->count; i++)
        nodes[i] = live->nodes[i];
    qsort(nodes, live->count, sizeof *nodes, orders[viewing->order]);
    bool on = true;
    for (size_t i = 0; on && i < live->count; i++)
        if (is_shown(viewing, &nodes[i]))
            on = view_live(search, nodes[i].seen, nodes[i].stored, &nodes[i].board);
    free(nodes);
}

void view_goal(struct search *search, uint64_t length)
{
    struct event event = {.kind = EVENT_GOAL, .count = length};
    tell(search, &event, NULL);
}
