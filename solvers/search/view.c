#include "search/view.h"

bool view_reserve(struct search *search, unsigned g)
{
    struct viewing *viewing = search->viewing;
    if (g < viewing->room)
        return true;
    const size_t room = viewing->room == 0 ? 64 : 2 * viewing->room;
    struct viewed_node *path = arena_resize(&search->arena, viewing->path, room * sizeof *path);
    if (path == NULL) {
        search->status = STATUS_memory_limit;
        return false;
    }
    viewing->path = path;
    viewing->room = room;
    return true;
}

void view_costs(struct search *search, int g_weight, int h_weight)
{
    search->viewing->g_weight = g_weight;
    search->viewing->h_weight = h_weight;
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

void view_root(struct search *search, const struct board *board, unsigned h, unsigned side)
{
    struct event event = {
        .kind = EVENT_ROOT,
        .node = {.number = ++search->viewing->last, .move = MOVE_NONE, .h = h, .side = side}};
    tell(search, &event, board);
}

void view_round(struct search *search, const char *round, uint64_t limit)
{
    struct event event = {.kind = EVENT_ROUND, .round = round, .limit = limit};
    tell(search, &event, NULL);
}

struct node_seen view_path(const struct search *search, unsigned g, unsigned h, unsigned move)
{
    const struct viewed_node *path = search->viewing->path;
    if (g == 0)
        return (struct node_seen){.number = 1, .move = MOVE_NONE, .h = h};
    return (struct node_seen){.number = path[g - 1].child[move],
                              .parent = path[g - 1].number,
                              .move = move,
                              .g = g,
                              .h = h};
}

void view_expands(struct search *search, const struct enode *enode, struct event event)
{
    struct viewing *viewing = search->viewing;
    const unsigned g = event.node.g;
    assert(g <= viewing->depth && g < viewing->room);
    if (g == viewing->depth)
        viewing->depth++;
    viewing->path[g] = (struct viewed_node){.number = event.node.number};
    event.kind = EVENT_EXPANDS;
    tell(search, &event, &enode->board);
}

uint64_t view_child(struct search *search, const struct board *board, unsigned g, unsigned h,
                    unsigned move, struct event event)
{
    struct viewing *viewing = search->viewing;
    struct viewed_node *parent = &viewing->path[g - 1];
    const bool kept = event.fate <= FATE_REOPENED;
    event.kind = EVENT_CHILD;
    event.node = (struct node_seen){.number = kept ? ++viewing->last : 0,
                                    .parent = parent->number,
                                    .move = move,
                                    .side = event.node.side,
                                    .g = g,
                                    .h = h};
    parent->child[move] = event.node.number;
    tell(search, &event, board);
    return event.node.number;
}

uint64_t view_successor(struct search *search, const struct enode *enode,
                        struct successor successor, unsigned h, struct event event)
{
    struct board board = enode->board;
    board_slide(&board, successor.from);
    return view_child(search, &board, enode->g + 1, h, successor.move, event);
}

bool view_step(struct search *search, uint64_t live)
{
    struct event event = {.kind = EVENT_STEP, .count = live};
    return tell(search, &event, NULL);
}

bool view_live(struct search *search, struct node_seen node, const struct board *board)
{
    struct event event = {.kind = EVENT_LIVE, .node = node};
    return tell(search, &event, board);
}

bool view_stored(struct search *search, struct node_seen node, unsigned stored,
                 const struct board *board)
{
    struct event event = {.kind = EVENT_LIVE, .node = node, .stored = stored};
    return tell(search, &event, board);
}

void view_node(struct search *search, const struct board *board, struct event event)
{
    tell(search, &event, board);
}

void view_goal(struct search *search, uint64_t length)
{
    struct event event = {.kind = EVENT_GOAL, .count = length};
    tell(search, &event, NULL);
}
