#include "harness/show/teaching.h"
#include "base/heap.h"
#include "base/named.h"
#include <xxhash.h>

const struct convention repeats_rows[REPEATS_ALL] = {
#define REPEATS(id, word, meaning) [REPEATS_##id] = {word, meaning},
#include "harness/show/conventions.def"
};

const struct convention ordered_rows[ORDERED_ALL] = {
#define ORDERED(id, word, meaning) [ORDERED_##id] = {word, meaning},
#include "harness/show/conventions.def"
};

/* Nodes are numbers, from 1; 0 is none. */
struct node {
    struct board board;
    uint32_t parent, next; /* in the list of its hash */
    unsigned g, h, move;
    int64_t cost;
    bool closed;   /* it was expanded */
    bool replaced; /* a shorter path was found to its state while it was open */
};

struct program {
    const struct teaching *settings;
    const struct task *task;
    const struct heuristic *heuristic; /* NULL: none */
    struct operators operators;
    struct node *nodes;
    size_t count, room;
    uint32_t *heads; /* by hash, lists of nodes, the newest first */
    size_t head_count;
    uint32_t *open;                       /* a binary heap */
    size_t open_count, open_room, passed; /* how many of them were replaced */
    struct tally *tally;
};

/* ---- The open list ---- */

static bool goes_before(const struct program *program, uint32_t a, uint32_t b)
{
    const struct node *x = &program->nodes[a];
    const struct node *y = &program->nodes[b];
    const enum ordered ordered = program->settings->ordered;
    if (x->cost != y->cost)
        return x->cost < y->cost;
    if ((ordered == ORDERED_HIGH_G || ordered == ORDERED_HIGH_G_FIFO) && x->g != y->g)
        return x->g > y->g;
    if ((ordered == ORDERED_LOW_G || ordered == ORDERED_LOW_G_FIFO) && x->g != y->g)
        return x->g < y->g;
    const int boards =
        ordered == ORDERED_BOARD ? memcmp(x->board.cell, y->board.cell, MAX_CELLS) : 0;
    if (boards != 0)
        return boards < 0;
    return ordered == ORDERED_HIGH_G || ordered == ORDERED_LOW_G || ordered == ORDERED_LIFO ? a > b
                                                                                            : a < b;
}

static void push(struct program *program, uint32_t id)
{
    program->open = heap_reserve(program->open, &program->open_room, program->open_count + 1,
                                 sizeof *program->open);
    size_t at = program->open_count++;
    for (; at > 0 && goes_before(program, id, program->open[(at - 1) / 2]); at = (at - 1) / 2)
        program->open[at] = program->open[(at - 1) / 2];
    program->open[at] = id;
    program->tally->kept++;
    raise_to(&program->tally->max_open, program->open_count - program->passed);
    raise_to(&program->tally->max_depth, program->nodes[id].g);
}

static uint32_t pop(struct program *program)
{
    uint32_t *open = program->open;
    const uint32_t first = open[0];
    const uint32_t last = open[--program->open_count];
    size_t at = 0;
    for (size_t child = 1; child < program->open_count; child = 2 * at + 1) {
        if (child + 1 < program->open_count && goes_before(program, open[child + 1], open[child]))
            child++;
        if (!goes_before(program, open[child], last))
            break;
        open[at] = open[child];
        at = child;
    }
    open[at] = last;
    return first;
}

/* ---- The nodes, found by their states ---- */

static uint32_t *list_of(const struct program *program, const struct board *board)
{
    return &program->heads[XXH3_64bits(board->cell, MAX_CELLS) & (program->head_count - 1)];
}

static void enter(struct program *program, uint32_t id)
{
    uint32_t *list = list_of(program, &program->nodes[id].board);
    program->nodes[id].next = *list;
    *list = id;
}

/* Adds a node. */
static uint32_t add(struct program *program, struct node node)
{
    const struct teaching *settings = program->settings;
    if (program->heuristic != NULL)
        node.h = program->heuristic->kind->evaluate(program->heuristic, &node.board);
    node.cost = settings->g_weight * node.g + settings->h_weight * node.h;
    program->nodes =
        heap_reserve(program->nodes, &program->room, program->count + 1, sizeof *program->nodes);
    const uint32_t id = (uint32_t)program->count++;
    program->nodes[id] = node;
    if (program->count > program->head_count) {
        program->head_count = 2 * program->head_count;
        program->heads = heap_resize(program->heads, program->head_count * sizeof *program->heads);
        memset(program->heads, 0, program->head_count * sizeof *program->heads);
        for (uint32_t i = 1; i < program->count; i++)
            enter(program, i);
    } else {
        enter(program, id);
    }
    return id;
}

/* The newest node of a state, of the closed ones alone if that is asked; 0: none. */
static uint32_t find(const struct program *program, const struct board *board, bool closed)
{
    uint32_t id = *list_of(program, board);
    while (id != 0 && !(board_equal(&program->nodes[id].board, board) &&
                        (program->nodes[id].closed || !closed)))
        id = program->nodes[id].next;
    return id;
}

static bool on_path(const struct program *program, uint32_t id, const struct board *board)
{
    while (id != 0 && !board_equal(&program->nodes[id].board, board))
        id = program->nodes[id].parent;
    return id != 0;
}

/* ---- The search ---- */

/* Whether a child of a node is put on the open list. */
static bool is_kept(struct program *program, uint32_t parent, const struct node *child)
{
    const enum repeats repeats = program->settings->repeats;
    if (repeats == REPEATS_PATH)
        return !on_path(program, parent, &child->board);
    if (repeats == REPEATS_CLOSED || repeats == REPEATS_BOTH)
        return find(program, &child->board, true) == 0;
    if (repeats == REPEATS_AT_REMOVAL || repeats == REPEATS_NONE)
        return true;
    const uint32_t known = find(program, &child->board, false);
    if (known == 0)
        return true;
    struct node *node = &program->nodes[known];
    if (repeats == REPEATS_FIRST || node->g <= child->g ||
        (node->closed && repeats == REPEATS_KEPT_CLOSED))
        return false;
    if (!node->closed)
        program->passed++;
    node->replaced = true;
    return true;
}

static void solved(struct program *program, const struct node *goal)
{
    program->tally->status = STATUS_solved;
    program->tally->length = goal->g;
}

/* Makes the children of a node. False when the search is over. */
static bool expand(struct program *program, uint32_t id, uint64_t limit)
{
    const struct teaching *settings = program->settings;
    struct tally *tally = program->tally;
    struct node waiting[MOVES];
    unsigned count = 0;
    for (unsigned turn = 0; turn < MOVES; turn++) {
        const struct node *parent = &program->nodes[id];
        const unsigned move = program->operators.order[turn];
        const uint8_t target = program->operators.target[parent->board.blank][move];
        if (target == NO_CELL ||
            (!settings->back && parent->move != MOVE_NONE && move == move_undo(parent->move)))
            continue;
        if (tally->generated == limit) {
            tally->status = STATUS_node_limit;
            return false;
        }
        tally->generated++;
        struct node child = {
            .board = parent->board, .parent = id, .g = parent->g + 1, .move = move};
        board_slide(&child.board, target);
        if (!is_kept(program, id, &child)) {
            tally->duplicates++;
            continue;
        }
        if (settings->stack)
            waiting[count++] = child;
        else
            push(program, add(program, child));
        if (settings->early && board_equal(&child.board, &program->task->goal)) {
            solved(program, &child);
            return false;
        }
    }
    while (count > 0) /* the newest goes first: the first child is to be the newest */
        push(program, add(program, waiting[--count]));
    return true;
}

static void search(struct program *program, uint64_t limit, const struct observer *observer)
{
    const struct teaching *settings = program->settings;
    struct tally *tally = program->tally;
    const bool asks_late =
        settings->repeats == REPEATS_AT_REMOVAL || settings->repeats == REPEATS_BOTH;
    push(program, add(program, (struct node){.board = program->task->start, .move = MOVE_NONE}));
    tally->generated = 1;
    if (settings->early && board_equal(&program->task->start, &program->task->goal)) {
        solved(program, &program->nodes[1]);
        return;
    }
    while (program->open_count > 0) {
        const uint32_t id = pop(program);
        struct node *node = &program->nodes[id];
        if (node->replaced) {
            program->passed--;
            continue;
        }
        tally->taken++;
        if (asks_late && find(program, &node->board, true) != 0)
            continue;
        if (!settings->early && board_equal(&node->board, &program->task->goal)) {
            tally->goal_taken = true;
            solved(program, node);
            return;
        }
        node->closed = true;
        if (node->g >= settings->depth_limit)
            continue;
        if (observer != NULL)
            observer->expands(observer->context, &node->board, node->g, node->h);
        tally->expanded++;
        raise_to(&tally->deepest, node->g);
        if (!expand(program, id, limit))
            return;
    }
}

void teaching_search(const struct teaching *settings, const struct solver *solver,
                     const struct task *task, uint64_t nodes, const struct observer *observer,
                     struct tally *tally)
{
    struct heuristic heuristic;
    struct program program = {
        .settings = settings, .task = task, .tally = tally, .count = 1, .head_count = 64};
    *tally = (struct tally){.status = STATUS_exhausted, .rounds = 1};
    if (solver->heuristic.kind != NULL) {
        heuristic_start(&heuristic, &solver->heuristic, &task->goal);
        program.heuristic = &heuristic;
    }
    operators_make(task->start.shape, solver_order(solver, task->order), &program.operators);
    program.heads = heap_take(program.head_count, sizeof *program.heads);
    search(&program, nodes, observer);
    if (solver->heuristic.kind != NULL)
        heuristic_end(&heuristic);
    FREE(program.nodes, program.heads, program.open);
}

/* ---- The settings of a solver ---- */

static const struct textbook {
    const char *name;
    int g, h;
    bool lifo;
    enum repeats repeats;
} textbooks[] = {
#define TEXTBOOK(name, g, h, lifo, repeats) {#name, g, h, lifo, REPEATS_##repeats},
#include "harness/show/conventions.def"
};

/* Puts the value of an option into the settings. False: it is of none that they have. */
static bool apply(const struct option_row *row, int64_t value, struct teaching *settings)
{
    const char *word = row->kind == OPTION_CHOICE ? row->choices[value] : "";
    if (strcmp(row->name, "depth_limit") == 0) {
        settings->depth_limit = value == OPTION_UNSET ? UINT64_MAX : (uint64_t)value;
    } else if (strcmp(row->name, "goal_test") == 0) {
        settings->early = strcmp(word, "generation") == 0;
    } else if (strcmp(row->name, "w") == 0) {
        settings->g_weight = DECIMAL_ONE;
        settings->h_weight = value;
    } else if (strcmp(row->name, "reopen") == 0) {
        settings->repeats = value != 0 ? settings->repeats : REPEATS_KEPT_CLOSED;
    } else if (strcmp(row->name, "duplicates") == 0) {
        settings->back = strcmp(word, "none") == 0;
        if (strcmp(word, "path") == 0)
            settings->repeats = REPEATS_PATH;
        else if (strcmp(word, "stored") != 0)
            settings->repeats = REPEATS_NONE;
        else if (settings->g_weight > 0)
            settings->repeats = REPEATS_REPLACED;
    } else if (strcmp(row->name, "ties") == 0) {
        const size_t place = NAME_PLACE(ordered_rows, ORDERED_ALL, word, word);
        if (place < ORDERED_ALL)
            settings->ordered = (enum ordered)place;
    } else {
        return value == row->fallback;
    }
    return true;
}

bool teaching_of(const struct solver *solver, struct teaching *settings)
{
    const struct option_row *rows = solver->algorithm->options;
    enum { TEXTBOOKS = sizeof textbooks / sizeof *textbooks };
    const size_t place = NAME_PLACE(textbooks, TEXTBOOKS, name, solver->algorithm->name);
    if (place == TEXTBOOKS)
        return false;
    const struct textbook *book = &textbooks[place];
    *settings = (struct teaching){.g_weight = book->g,
                                  .h_weight = book->h,
                                  .ordered = book->lifo ? ORDERED_LIFO : ORDERED_FIFO,
                                  .repeats = book->repeats,
                                  .stack = book->lifo,
                                  .depth_limit = UINT64_MAX};
    for (unsigned i = 0; rows[i].kind != OPTION_END; i++)
        if (!apply(&rows[i], solver->options[i], settings))
            return false;
    return true;
}
