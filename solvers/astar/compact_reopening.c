#define COMPACT_REOPENING
#include "astar/compact_reopening.h"
#include "astar/compact_closed.h"
#include "astar/word_buckets.h"

/* The note of a state: half of its g and 1, so that it is not 0; whether its node is closed; the
 * move that leads back. */
enum { NOTE_CLOSED = 128, NOTE_UNDO = 8 };

enum { DEPTHS = 2 * (NOTE_CLOSED - 1), COSTS = 512 }; /* g and f are below these */

struct child {
    struct kept_board kept;
    compact_key key;
    unsigned f;
    uint8_t number; /* of the way, in operator order */
};

/* A node that is being expanded, or may be the next one. */
struct node {
    struct kept_board kept;
    compact_key key;
    unsigned f;
    unsigned g;
    uint8_t blank;
    uint8_t undo; /* the way that undoes the last move, as a bit */
    uint8_t count;
    struct child child[MOVES]; /* in the order in which they are generated */
};

struct reopening {
    struct search *search;
    struct compact_closed closed;
    struct word_buckets open; /* a word: a node, a mask of live children */
    uint64_t *row[COSTS];     /* by f: the buckets, by g; NULL if there was none yet */
    uint16_t deepest[COSTS];  /* by f: buckets are empty from this g on */
    unsigned lowest;          /* rows are empty below this f */
    uint64_t live;
    bool undecided;
    struct board_code code;
    compact_board goal;
    struct node node[2];
    struct board board;          /* for the heuristic */
    uint8_t ways[COMPACT_CELLS]; /* by the blank's cell: the ways that there are, as bits */
    struct way way[COMPACT_CELLS][MOVES];
};

/* The node's child by a way. */
KERNEL struct kept_board child_of(const struct reopening *reopening, const struct kept_board *node,
                                  const struct way *way)
{
    const unsigned tile = way_tile(way, node->board);
    const compact_board board = way_board(way, node->board, tile);
    return keep_board(board, way_key(&reopening->code, way, node, tile, board));
}

/* What a note says of g. */
KERNEL unsigned note_of(unsigned g)
{
    return 1 + g / 2;
}

/* Makes a node's children. */
KERNEL void make_children(struct reopening *reopening, struct node *node)
{
    const struct heuristic *heuristic = reopening->search->heuristic;
    const struct compact_closed *closed = &reopening->closed;
    const struct way *ways = reopening->way[node->blank];
    struct board *board = &reopening->board;
    const unsigned h = node->f - node->g;
    unsigned count = 0;
    for (unsigned left = reopening->ways[node->blank] & ~(unsigned)node->undo; left != 0;
         left &= left - 1) {
        struct child *child = &node->child[count++];
        child->number = (uint8_t)__builtin_ctz(left);
        child->kept = child_of(reopening, &node->kept, &ways[child->number]);
        child->key = kept_key(&reopening->code, &child->kept, way_cell(&ways[child->number]));
        closed_prefetch(closed, child->key);
    }
    node->count = (uint8_t)count;
    board->blank = node->blank;
    compact_unpack(node->kept.board, board);
    for (unsigned i = 0; i < count; i++) {
        struct child *child = &node->child[i];
        const unsigned from = way_cell(&ways[child->number]);
        const unsigned tile = board->cell[from];
        board_slide(board, from);
        child->f =
            node->g + 1 + heuristic->kind->step(heuristic, board, h, tile, from, node->blank);
        board_slide(board, node->blank);
    }
}

/* A while later: prefetches the lines behind the homes that are full. */
KERNEL void prefetch_behind(const struct reopening *reopening, const struct node *node)
{
    for (unsigned i = 0; i < node->count; i++)
        closed_prefetch_behind(closed_home(&reopening->closed, node->child[i].key));
}

/* Takes the newest word's newest node of the deepest bucket of the lowest f from the open list, and
 * makes its children. Passes over those that were replaced. False if none is left. */
static bool take(struct reopening *reopening, struct node *node)
{
    struct word_buckets *open = &reopening->open;
    for (;;) {
        const unsigned f = reopening->lowest;
        if (f == COSTS)
            return false;
        uint16_t *deepest = &reopening->deepest[f];
        while (*deepest > 0 && reopening->row[f][*deepest - 1] == EMPTY_BUCKET)
            --*deepest;
        if (*deepest == 0) {
            reopening->lowest++;
            continue;
        }
        uint64_t *bucket = &reopening->row[f][*deepest - 1];
        open_word *word = &open->words[*bucket];
        struct kept_board parent;
        const unsigned blank = word_board(&reopening->code, *word, &parent);
        const unsigned newest = 31U - (unsigned)__builtin_clz(word_bits(*word));
        const struct way *way = &reopening->way[blank][newest];
        *word = word_without(*word, 1U << newest);
        if (word_bits(*word) == 0)
            bucket_pop(open, bucket);
        node->kept = child_of(reopening, &parent, way);
        node->f = f;
        node->g = *deepest - 1U;
        node->blank = (uint8_t)way_cell(way);
        node->undo = way->next;
        node->key = kept_key(&reopening->code, &node->kept, node->blank);
        closed_prefetch(&reopening->closed, node->key);
        make_children(reopening, node);
        const struct closed_place place = closed_find(&reopening->closed, node->key);
        const unsigned shift = closed_shift(&reopening->code, node->blank);
        const unsigned note = closed_note(place, shift);
        if (note % NOTE_CLOSED == note_of(node->g)) {
            closed_set_note(place, shift, note | NOTE_CLOSED);
            return true;
        }
    }
}

/* Writes the solution: from the goal back along the stored moves. */
static void walk_back(struct reopening *reopening, unsigned length)
{
    struct search *search = reopening->search;
    struct board board = search->task->goal;
    char *moves = search_solved(search, length);
    for (unsigned g = length; g > 0 && moves != NULL; g--) {
        const unsigned note =
            closed_note(closed_find(&reopening->closed, board_key(&reopening->code, &board)),
                        closed_shift(&reopening->code, board.blank));
        const unsigned undo = note >> NOTE_UNDO;
        assert(note % NOTE_CLOSED == note_of(g));
        moves[g - 1] = move_letters[move_undo(undo)];
        board_slide(&board, search->operators.target[board.blank][undo]);
    }
    assert(moves == NULL || board_equal(&board, &search->task->start));
}

/* Makes room for the node's children. False when the search must end. */
static bool make_room(struct reopening *reopening)
{
    if (!closed_grow(&reopening->closed, reopening->search))
        return false;
    if (word_buckets_has_room(&reopening->open) || word_buckets_grow(&reopening->open))
        return true;
    reopening->search->status = STATUS_memory_limit;
    return false;
}

/* What a look-up says of a child. */
enum finding { FOUND_LIVE, FOUND_DUPLICATE };

/* Looks up a child that may be known, or whose strip may not lie at its home. `note` is that of a
 * live node. */
static CALLED enum finding settle_child(struct reopening *reopening, compact_key key,
                                        unsigned shift, unsigned note)
{
    struct compact_closed *closed = &reopening->closed;
    const struct closed_place place = closed_find(closed, key);
    if (!place.known) {
        closed_enter(closed, place, key, shift, note);
        return FOUND_LIVE;
    }
    const unsigned known = closed_note(place, shift);
    if (known != 0 && note % NOTE_CLOSED >= known % NOTE_CLOSED)
        return FOUND_DUPLICATE;
    closed_set_note(place, shift, note);
    closed->states += known == 0;
    reopening->search->statistics.reopened += (known & NOTE_CLOSED) != 0;
    reopening->live -= known != 0 && (known & NOTE_CLOSED) == 0;
    return FOUND_LIVE;
}

/* Looks up as many of the node's children as are allowed. *live: those that are. False when the
 * search must end. */
KERNEL bool settle(struct reopening *reopening, const struct node *node, unsigned allowed,
                   unsigned *live)
{
    struct statistics *statistics = &reopening->search->statistics;
    unsigned settled = 0;
    unsigned kept = 0;
    *live = 0;
    for (; settled < allowed; settled++) {
        const struct child *child = &node->child[settled];
        const struct way *way = &reopening->way[node->blank][child->number];
        const unsigned note = (unsigned)way->undo << NOTE_UNDO | note_of(node->g + 1);
        struct closed_line *home = closed_home(&reopening->closed, child->key);
        enum finding finding = FOUND_LIVE;
        if (UNLIKELY(!closed_store_at_home(&reopening->closed, home, child->key, way->shift, note)))
            finding = settle_child(reopening, child->key, way->shift, note);
        statistics->duplicates += finding == FOUND_DUPLICATE;
        *live |= (unsigned)(finding == FOUND_LIVE) << settled;
        kept += finding == FOUND_LIVE;
        if (finding == FOUND_LIVE && UNLIKELY(child->f >= COSTS))
            reopening->undecided = true;
    }
    statistics->generated += settled;
    reopening->live += kept;
    if (kept > 0)
        raise_to(&statistics->max_depth, node->g + 1);
    raise_to(&statistics->max_open, reopening->live);
    return settled == node->count && !reopening->undecided;
}

/* Makes the buckets of an f. False when memory is spent. */
static SELDOM bool make_row(struct reopening *reopening, unsigned f)
{
    uint64_t *row = arena_take(&reopening->search->arena, DEPTHS * sizeof *row);
    for (unsigned g = 0; row != NULL && g < DEPTHS; g++)
        row[g] = EMPTY_BUCKET;
    reopening->row[f] = row;
    return row != NULL;
}

/* Puts some of the node's children on the open list. False when memory is spent. */
KERNEL bool push(struct reopening *reopening, const struct node *node, unsigned live)
{
    const unsigned g = node->g + 1;
    while (live != 0) {
        const unsigned f = node->child[__builtin_ctz(live)].f;
        unsigned equal = 0; /* all children of that f, by way */
        for (unsigned i = 0; i < node->count; i++)
            if ((live >> i & 1) != 0 && node->child[i].f == f) {
                live ^= 1U << i;
                equal |= 1U << node->child[i].number;
            }
        if (UNLIKELY(reopening->row[f] == NULL) && !make_row(reopening, f))
            return false;
        bucket_push(&reopening->open, &reopening->row[f][g],
                    word_of(&reopening->code, &node->kept, node->blank, equal));
        if (reopening->deepest[f] <= g)
            reopening->deepest[f] = (uint16_t)(g + 1);
        if (reopening->lowest > f)
            reopening->lowest = f;
    }
    return true;
}

/* Of the live children, the one that A* takes next, if its f is not above the node's; or MOVES. */
KERNEL unsigned next_of(const struct node *node, unsigned live)
{
    unsigned next = MOVES;
    unsigned least = node->f;
    for (unsigned i = 0; i < node->count; i++)
        if ((live >> i & 1) != 0 && node->child[i].f <= least) {
            least = node->child[i].f;
            next = i;
        }
    return next;
}

/* Makes a node of a node's child, with its children. */
KERNEL void descend(struct reopening *reopening, const struct node *node, unsigned child,
                    struct node *next)
{
    const struct way *way = &reopening->way[node->blank][node->child[child].number];
    next->kept = node->child[child].kept;
    next->key = node->child[child].key;
    next->f = node->child[child].f;
    next->g = node->g + 1;
    next->blank = (uint8_t)way_cell(way);
    next->undo = way->next;
    make_children(reopening, next);
}

/* Closes a node. */
KERNEL void close_node(struct reopening *reopening, const struct node *node)
{
    const struct closed_place place = closed_find(&reopening->closed, node->key);
    const unsigned shift = closed_shift(&reopening->code, node->blank);
    closed_set_note(place, shift, closed_note(place, shift) | NOTE_CLOSED);
}

/* Does what A* does, node by node. Most children are new: so before a node's children are looked
 * up, the next node is made as if all were. */
static void loop(struct reopening *reopening)
{
    struct search *search = reopening->search;
    struct node *node = &reopening->node[0];
    struct node *other = &reopening->node[1];
    for (;;) {
        reopening->live--;
        if (UNLIKELY(node->kept.board == reopening->goal)) {
            walk_back(reopening, node->g);
            return;
        }
        if (UNLIKELY(node->g + 1 == DEPTHS)) {
            reopening->undecided = true;
            return;
        }
        if (UNLIKELY(!closed_has_room(&reopening->closed) ||
                     !word_buckets_has_room(&reopening->open)) &&
            !make_room(reopening))
            return;
        if (!search_expands(search, NULL))
            return;
        const unsigned likely = next_of(node, ~0U);
        if (likely < MOVES)
            descend(reopening, node, likely, other);
        prefetch_behind(reopening, node);
        unsigned live;
        if (!settle(reopening, node, search_may_generate(search, node->count), &live))
            return;
        const unsigned next = next_of(node, live);
        if (!push(reopening, node, next < MOVES ? live ^ 1U << next : live)) {
            search->status = STATUS_memory_limit;
            return;
        }
        if (next == MOVES) {
            if (!take(reopening, other)) {
                search->status = STATUS_exhausted;
                return;
            }
        } else {
            if (next != likely)
                descend(reopening, node, next, other);
            close_node(reopening, other);
        }
        struct node *const expanded = node;
        node = other;
        other = expanded;
    }
}

/* Lists the ways from every cell, in operator order. */
static void make_ways(struct reopening *reopening)
{
    const struct search *search = reopening->search;
    uint8_t number[MOVES]; /* of a move in operator order */
    for (unsigned i = 0; i < MOVES; i++)
        number[search->operators.order[i]] = (uint8_t)i;
    for (unsigned blank = 0; blank < search->task->start.shape.cells; blank++)
        for (unsigned i = 0; i < MOVES; i++) {
            const unsigned move = search->operators.order[i];
            const unsigned from = search->operators.target[blank][move];
            if (from == NO_CELL)
                continue;
            struct way *way = &reopening->way[blank][i];
            *way = way_make(&reopening->code, from, blank);
            way->undo = (uint8_t)move_undo(move);
            way->shift = (uint8_t)closed_shift(&reopening->code, from);
            way->next = (uint8_t)(1U << number[move_undo(move)]);
            reopening->ways[blank] |= (uint8_t)(1U << i);
        }
}

/* Makes the tables, and the root the node. False when memory is spent. */
static bool start(struct reopening *reopening, uint64_t lines)
{
    struct search *search = reopening->search;
    const struct board *root = &search->task->start;
    code_make(&reopening->code, root);
    make_ways(reopening);
    reopening->goal = compact_pack(&search->task->goal);
    reopening->board = *root;
    reopening->lowest = COSTS;
    if (!closed_start(&reopening->closed, &search->arena, lines) ||
        !word_buckets_start(&reopening->open, &search->arena, 0) ||
        !word_buckets_grow(&reopening->open))
        return false;
    const compact_key key = board_key(&reopening->code, root);
    closed_enter(&reopening->closed, closed_find(&reopening->closed, key), key,
                 closed_shift(&reopening->code, root->blank), NOTE_CLOSED | note_of(0));
    reopening->node[0] = (struct node){.kept = keep_board(compact_pack(root), key),
                                       .f = search_start_h(search),
                                       .blank = root->blank};
    make_children(reopening, &reopening->node[0]);
    reopening->live = 1;
    search->statistics.max_open = 1;
    return true;
}

#ifndef COMPACT_128
bool compact_reopening_fits(const struct search *search)
{
    return packing_of(search->task->start.shape) != PACK_BYTES && search->observer == NULL;
}

bool compact_reopening(struct search *search, uint64_t lines)
{
    return (packing_of(search->task->start.shape) == PACK_64
                ? compact_reopening_64
                : compact_reopening_128)(search, lines);
}
#endif

bool compact_reopening_run(struct search *search, uint64_t lines)
{
    struct arena *arena = &search->arena;
    const struct statistics before = search->statistics;
    struct reopening *reopening = arena_take(arena, sizeof *reopening);
    search->status = STATUS_memory_limit;
    if (!search_generates(search) || reopening == NULL) {
        arena_release(arena, reopening);
        return true;
    }
    reopening->search = search;
    if (start(reopening, lines))
        loop(reopening);
    const bool decided = !reopening->undecided;
    search->statistics.max_stored = reopening->closed.states;
    search->statistics.open_at_end = reopening->live;
    if (!decided)
        search->statistics = before;
    closed_end(&reopening->closed);
    word_buckets_end(&reopening->open);
    for (unsigned f = 0; f < COSTS; f++)
        arena_release(arena, reopening->row[f]);
    arena_release(arena, reopening);
    return decided;
}

#include "astar/compact_closed.c"
