#include "harness/show/trace.h"
#include "base/heap.h"
#include "harness/show/cards.h"
#include "harness/text/screen.h"
#include "harness/text/tidy.h"
#include <inttypes.h>
#include <jansson.h>
#include <math.h>

enum { USUAL_WIDTH = 110 }; /* of what goes to no terminal */

/* An event that is kept until its step is printed. */
struct kept {
    struct event event;
    struct board board;
};

struct kept_list {
    struct kept *items;
    size_t count;
};

struct trace {
    struct trace_wanted wanted;
    FILE *file;
    volatile sig_atomic_t *stop;
    bool informed; /* nodes have an h */
    bool stores;   /* they have a stored cost (rbfs, pea, epea) */
    bool f_limits; /* E-nodes have an f-limit (rbfs) */
    bool sided;    /* they have a side (searches from both ends) */
    uint64_t step;
    uint64_t round;
    struct event round_begun; /* shown with the first step of it that is shown */
    bool round_shown;
    bool noted; /* lines without an empty one behind them were printed last */

    /* The step that is being made, or what comes of a node after the search went back to it. */
    bool open;
    bool again;            /* it went back to node `parent` */
    bool ended;            /* only live nodes are to come */
    uint64_t parent;       /* the number of the node */
    struct kept enode;     /* unless `again` */
    struct kept_list told; /* children and what else happened, in order */
    struct kept_list live;
    uint64_t live_count;
};

/* The words for what becomes of a child in JSON. */
static const char *const fate_words[FATES] = {
    [FATE_KEPT] = "kept",           [FATE_SHORTER] = "shorter",   [FATE_REOPENED] = "reopened",
    [FATE_DUPLICATE] = "duplicate", [FATE_ON_PATH] = "on_path",   [FATE_ABOVE] = "above_threshold",
    [FATE_BOUNDED] = "bounded",     [FATE_DEPTH] = "depth_limit", [FATE_WORSE] = "worse",
    [FATE_MEETS] = "meets",
};

struct trace *trace_start(const struct trace_wanted *wanted, const struct solver *solver,
                          FILE *file, volatile sig_atomic_t *stop)
{
    const unsigned properties = solver->algorithm->properties;
    struct trace *trace = heap_take(1, sizeof *trace);
    *trace = (struct trace){.wanted = *wanted,
                            .file = file,
                            .stop = stop,
                            .informed = solver->algorithm->informed,
                            .stores = (properties & STORES_COSTS) != 0,
                            .f_limits = (properties & LIMITS_F) != 0,
                            .sided = (properties & BOTH_ENDS) != 0,
                            .round_shown = true};
    return trace;
}

void trace_cost(double f, char text[32])
{
    snprintf(text, 32, "%.10g", round(f * 1000) / 1000);
}

char *trace_reason(const struct event *event)
{
    char f[32];
    trace_cost(event->node.f, f);
    switch (event->fate) {
    case FATE_SHORTER:
        return heap_format("kept: replaces g %u", event->known_g);
    case FATE_REOPENED:
        return heap_format("reopened: closed with g %u", event->known_g);
    case FATE_DUPLICATE:
        return heap_format(event->known_closed ? "duplicate: closed with g %u, not reopened"
                                               : "duplicate: known with g %u",
                           event->known_g);
    case FATE_ON_PATH:
        return heap_text("duplicate: on the path");
    case FATE_ABOVE:
        return heap_format("pruned: f %s > threshold %" PRIu64, f, event->limit);
    case FATE_BOUNDED:
        return heap_format("pruned: f %s >= bound %" PRIu64, f, event->limit);
    case FATE_DEPTH:
        return heap_format("not expanded: depth limit %" PRIu64, event->limit);
    case FATE_WORSE:
        return heap_text("dropped: others go before it");
    case FATE_MEETS:
        return heap_text("meets the other side");
    default:
        if (event->node.f >= 0 && event->stored > event->node.f)
            return heap_format("kept: stored cost %u", event->stored);
        if (event->joins != 0)
            return heap_format("kept: meets the other side, %" PRIu64 " moves in all",
                               event->joins);
        return heap_text("kept");
    }
}

/* "g 1  h 2  f 3", as far as the node has them. */
static char *costs_text(const struct trace *trace, const struct event *event)
{
    const struct node_seen *node = &event->node;
    char f[32];
    char *text = heap_format("g %u", node->g);
    if (trace->informed)
        heap_append(&text, "  h %u", node->h);
    trace_cost(node->f, f);
    if (node->f >= 0)
        heap_append(&text, "  f %s", f);
    if (event->kind == EVENT_LIVE && trace->stores)
        heap_append(&text, "  stored %u", event->stored);
    return text;
}

/* Adds a reason, in two lines if it has a colon, so that cards stay narrow. */
static void add_reason(struct cards *cards, const char *reason)
{
    const char *colon = strchr(reason, ':');
    if (colon != NULL)
        cards_line(cards, "%.*s", (int)(colon + 1 - reason), reason);
    cards_line(cards, "%s", colon == NULL ? reason : colon + 2);
}

static void add_card(const struct trace *trace, struct cards *cards, const struct kept *kept)
{
    const struct event *event = &kept->event;
    const struct node_seen *node = &event->node;
    SCOPED char *costs = costs_text(trace, event);
    SCOPED char *reason = event->kind == EVENT_CHILD ? trace_reason(event) : NULL;
    cards_add(cards);
    if (event->kind == EVENT_EXPANDS)
        cards_line(cards, "E-node %" PRIu64, node->number);
    else if (event->kind == EVENT_LIVE)
        cards_line(cards, "node %" PRIu64, node->number);
    else if (node->number == 0)
        cards_line(cards, "%c", move_letters[node->move]);
    else
        cards_line(cards, "%c: node %" PRIu64, move_letters[node->move], node->number);
    cards_board(cards, &kept->board);
    cards_line(cards, "%s", costs);
    if (reason != NULL)
        add_reason(cards, reason);
}

/* Prints an empty line where one is due. */
static void end_notes(struct trace *trace)
{
    if (trace->noted)
        putc('\n', trace->file);
    trace->noted = false;
}

static void print_round(struct trace *trace)
{
    const struct event *event = &trace->round_begun;
    if (trace->round_shown)
        return;
    end_notes(trace);
    trace->round_shown = true;
    if (strcmp(event->round, "greedy") == 0)
        fprintf(trace->file, "round %" PRIu64 ": greedy search for a first bound\n\n",
                trace->round);
    else if (strcmp(event->round, "weighted") == 0)
        fprintf(trace->file, "round %" PRIu64 ": weighted A* for a first bound\n\n", trace->round);
    else if (strcmp(event->round, "frontier") == 0)
        fprintf(trace->file, "round %" PRIu64 ": below all live nodes, threshold %" PRIu64 "\n\n",
                trace->round, event->limit);
    else if (strcmp(event->round, "piece") == 0)
        fprintf(trace->file, "round %" PRIu64 ": %" PRIu64 " moves of the path\n\n", trace->round,
                event->limit);
    else
        fprintf(trace->file, "round %" PRIu64 ": %s%s %" PRIu64 "\n\n", trace->round, event->round,
                strcmp(event->round, "depth") == 0 ? " limit" : "", event->limit);
}

static void print_heading(const struct trace *trace)
{
    const struct event *event = &trace->enode.event;
    const struct node_seen *node = &event->node;
    FILE *file = trace->file;
    if (trace->again) {
        fprintf(file, "back at node %" PRIu64 "\n\n", trace->parent);
        return;
    }
    fprintf(file, "step %" PRIu64 ": node %" PRIu64 ", ", trace->step, node->number);
    if (node->move == MOVE_NONE)
        fprintf(file, "the %s", trace->sided && node->side == 1 ? "goal" : "start");
    else
        fprintf(file, "by %c from node %" PRIu64, move_letters[node->move], node->parent);
    if (trace->stores) {
        fprintf(file, "; stored cost %u", event->stored);
        if (trace->f_limits && event->limit > 0)
            fprintf(file, ", f-limit %" PRIu64, event->limit);
        else if (trace->f_limits)
            fputs(", no f-limit", file);
    } else if (event->limit > 0) {
        fprintf(file, "; bound %" PRIu64, event->limit);
    }
    fputs("\n\n", file);
}

/* What is told of nodes that are live no more, or again. */
static void print_note(struct trace *trace, const struct event *event)
{
    trace->noted = true;
    if (event->kind == EVENT_FORGETS) {
        fprintf(trace->file,
                "  node %" PRIu64 " is left: what lies below it is forgotten, its stored cost "
                "is %u from now on\n",
                event->node.number, event->stored);
        return;
    }
    if (event->kind == EVENT_RETURNS) {
        fprintf(trace->file,
                "  node %" PRIu64 " is live again: its stored cost is %u from now on\n",
                event->node.number, event->stored);
        return;
    }
    SCOPED char *reason = trace_reason(event);
    fprintf(trace->file, "  node %" PRIu64 " %s\n", event->node.number, reason);
}

static void print_step(struct trace *trace)
{
    const size_t screen = screen_width(trace->file);
    const size_t width = screen == SIZE_MAX ? USUAL_WIDTH : screen;
    struct cards cards = {0};
    print_round(trace);
    end_notes(trace);
    print_heading(trace);
    if (!trace->again)
        add_card(trace, &cards, &trace->enode);
    for (size_t i = 0; i < trace->told.count; i++)
        if (trace->told.items[i].event.kind == EVENT_CHILD)
            add_card(trace, &cards, &trace->told.items[i]);
    cards_print(&cards, trace->file, width);
    for (size_t i = 0; i < trace->told.count; i++)
        if (trace->told.items[i].event.kind != EVENT_CHILD)
            print_note(trace, &trace->told.items[i].event);
    end_notes(trace);
    if (!trace->ended)
        return;
    const uint64_t more = trace->live_count - trace->live.count;
    if (trace->live_count == 0) {
        fputs("  no live nodes\n\n", trace->file);
        return;
    }
    fprintf(trace->file, "  %" PRIu64 " live node%s", trace->live_count,
            trace->live_count == 1 ? "" : "s, the next to go first");
    if (more > 0)
        fprintf(trace->file, "; %" PRIu64 " not shown", more);
    fputs(trace->live.count > 0 ? ":\n\n" : "\n\n", trace->file);
    for (size_t i = 0; i < trace->live.count; i++)
        add_card(trace, &cards, &trace->live.items[i]);
    cards_print(&cards, trace->file, width);
}

/* JSON. */

static json_t *json_count(uint64_t number)
{
    return json_integer((json_int_t)number);
}

/* A number that is not known if it is 0. */
static json_t *json_known(uint64_t number)
{
    return number == 0 ? json_null() : json_count(number);
}

static json_t *json_node(const struct trace *trace, const struct kept *kept)
{
    const struct node_seen *node = &kept->event.node;
    char line[BOARD_LINE];
    const char move[] = {node->move < MOVES ? move_letters[node->move] : '\0', '\0'};
    board_line(&kept->board, line);
    const bool whole = node->f >= floor(node->f) && node->f <= floor(node->f);
    const bool stored = trace->stores && kept->event.kind != EVENT_ROOT;
    return json_pack("{s:o, s:o, s:s?, s:i, s:o, s:o, s:o*, s:s*, s:s}", "number",
                     json_known(node->number), "parent", json_known(node->parent), "move",
                     move[0] == '\0' ? NULL : move, "g", (int)node->g, "h",
                     trace->informed ? json_integer(node->h) : json_null(), "f",
                     node->f < 0 ? json_null()
                     : whole     ? json_integer((json_int_t)node->f)
                                 : json_real(node->f),
                     "stored", stored ? json_integer(kept->event.stored) : NULL, "side",
                     !trace->sided     ? NULL
                     : node->side == 0 ? "start"
                                       : "goal",
                     "board", line);
}

/* A node and what becomes of it. */
static json_t *json_fate(const struct trace *trace, const struct kept *kept)
{
    const struct event *event = &kept->event;
    const bool known = event->fate >= FATE_SHORTER && event->fate <= FATE_DUPLICATE;
    json_t *object = json_node(trace, kept);
    SCOPED char *reason = trace_reason(event);
    json_object_update_new(object, json_pack("{s:s, s:s, s:o}", "fate", fate_words[event->fate],
                                             "reason", reason, "known_g",
                                             known ? json_integer(event->known_g) : json_null()));
    return object;
}

/* Prints an object, which is gone then, on a line. */
static void json_line(struct trace *trace, json_t *object)
{
    json_dumpf(object, trace->file, JSON_COMPACT | JSON_REAL_PRECISION(15));
    putc('\n', trace->file);
    json_decref(object);
}

static void json_round(struct trace *trace)
{
    if (trace->round_shown)
        return;
    trace->round_shown = true;
    const struct event *event = &trace->round_begun;
    const bool limited =
        strcmp(event->round, "greedy") != 0 && strcmp(event->round, "weighted") != 0;
    json_line(trace, json_pack("{s:s, s:o, s:s, s:o}", "event", "round", "round",
                               json_count(trace->round), "by", event->round, "limit",
                               limited ? json_count(event->limit) : json_null()));
}

static void json_step(struct trace *trace)
{
    json_round(trace);
    json_t *object = json_pack("{s:s, s:o}", "event", trace->again ? "back" : "step", "step",
                               json_count(trace->step));
    if (trace->again) {
        json_object_set_new(object, "number", json_count(trace->parent));
    } else {
        const uint64_t limit = trace->enode.event.limit;
        json_object_set_new(object, "enode", json_node(trace, &trace->enode));
        json_object_set_new(object, "limit", limit == 0 ? json_null() : json_count(limit));
    }
    json_t *children = json_array();
    json_t *dropped = json_array();
    json_t *forgotten = json_array();
    json_t *returned = json_array();
    for (size_t i = 0; i < trace->told.count; i++) {
        const struct kept *kept = &trace->told.items[i];
        if (kept->event.kind == EVENT_FORGETS)
            json_array_append_new(forgotten, json_node(trace, kept));
        else if (kept->event.kind == EVENT_RETURNS)
            json_array_append_new(returned, json_node(trace, kept));
        else
            json_array_append_new(kept->event.kind == EVENT_CHILD ? children : dropped,
                                  json_fate(trace, kept));
    }
    json_object_update_new(
        object,
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "children", children, "dropped", dropped,
                  "forgotten", forgotten, "returned", returned, "live_count",
                  trace->ended ? json_count(trace->live_count) : json_null(), "live",
                  JSON_ARRAY(i, trace->live.count, json_node(trace, &trace->live.items[i]))));
    json_line(trace, object);
}

/* The events. */

static bool is_wanted(const struct trace *trace)
{
    return trace->step >= trace->wanted.first && trace->step <= trace->wanted.last;
}

static void keep(struct kept_list *list, const struct event *event)
{
    *HEAP_ADD(list->items, list->count) =
        (struct kept){.event = *event, .board = *event->node.board};
}

/* Prints the step that is being made, if there is one. */
static void close_step(struct trace *trace)
{
    if (trace->open && is_wanted(trace)) {
        (trace->wanted.json ? json_step : print_step)(trace);
        if (ferror(trace->file))
            *trace->stop = 1;
    }
    trace->open = trace->ended = trace->again = false;
    trace->told.count = trace->live.count = 0;
}

static void open_step(struct trace *trace, const struct event *event)
{
    close_step(trace);
    trace->open = true;
    trace->step++;
    trace->parent = event->node.number;
    trace->enode = (struct kept){.event = *event, .board = *event->node.board};
}

static void add_child(struct trace *trace, const struct event *event)
{
    if (!trace->open || trace->parent != event->node.parent) {
        close_step(trace);
        trace->open = trace->again = true;
        trace->parent = event->node.parent;
    }
    if (is_wanted(trace))
        keep(&trace->told, event);
}

/* Something that need not belong to a step. */
static void add_note(struct trace *trace, const struct event *event)
{
    if (trace->open && !trace->ended) {
        if (is_wanted(trace))
            keep(&trace->told, event);
        return;
    }
    close_step(trace);
    if (!is_wanted(trace))
        return;
    (trace->wanted.json ? json_round : print_round)(trace);
    if (!trace->wanted.json) {
        print_note(trace, event);
        return;
    }
    const struct kept kept = {.event = *event, .board = *event->node.board};
    json_line(trace, json_pack("{s:s, s:o, s:o}", "event", "drop", "step", json_count(trace->step),
                               "node", json_fate(trace, &kept)));
}

static void show_root(struct trace *trace, const struct event *event)
{
    if (!trace->wanted.json || trace->wanted.first > 1)
        return;
    const struct kept kept = {.event = *event, .board = *event->node.board};
    json_line(trace, json_pack("{s:s, s:o}", "event", "root", "node", json_node(trace, &kept)));
}

static void show_goal(struct trace *trace, const struct event *event)
{
    close_step(trace);
    if (!is_wanted(trace) && trace->step > 0)
        return;
    (trace->wanted.json ? json_round : print_round)(trace);
    end_notes(trace);
    if (!trace->wanted.json) {
        fprintf(trace->file, "the goal: %" PRIu64 " move%s\n\n", event->count,
                event->count == 1 ? "" : "s");
        return;
    }
    json_line(trace, json_pack("{s:s, s:o, s:o}", "event", "goal", "step", json_count(trace->step),
                               "length", json_count(event->count)));
}

bool trace_sees(void *context, const struct event *event)
{
    struct trace *trace = context;
    switch (event->kind) {
    case EVENT_ROOT:
        show_root(trace, event);
        break;
    case EVENT_ROUND:
        close_step(trace);
        trace->round++;
        trace->round_begun = *event;
        trace->round_shown = false;
        break;
    case EVENT_EXPANDS:
        open_step(trace, event);
        break;
    case EVENT_CHILD:
        add_child(trace, event);
        break;
    case EVENT_FORGETS:
    case EVENT_RETURNS:
    case EVENT_DROPS:
        add_note(trace, event);
        break;
    case EVENT_STEP:
        trace->ended = true;
        trace->live_count = event->count;
        return is_wanted(trace) && trace->wanted.live > 0;
    case EVENT_LIVE:
        keep(&trace->live, event);
        return trace->live.count < trace->wanted.live;
    case EVENT_GOAL:
        show_goal(trace, event);
        break;
    }
    return true;
}

void trace_end(struct trace *trace)
{
    close_step(trace);
    end_notes(trace);
    FREE(trace->told.items, trace->live.items, trace);
}
