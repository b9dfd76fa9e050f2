/* The live nodes that a form with one open list leaves when memory is spent, for a search that goes
 * on below them (compact.h: struct compact_pace). They come by f, of equal f the deepest first.
 *
 * The body says what its open list is: `form`, LIVE_ROWS rows of buckets by g, live_row,
 * live_depth, live_f and live_way. Nodes that it holds elsewhere, all of the smallest f, are
 * `spare`. */
#pragma once

#include <limits.h>

struct live_node {
    struct kept_board kept;
    unsigned g, f;
    uint8_t blank;
    uint8_t undo; /* the move that would undo the last one, or MOVE_NONE */
};

struct live {
    form *of;
    const struct live_node *spare;
    uint64_t spares;
    uint64_t next;         /* number of the node that comes next */
    unsigned row;          /* where it lies: the row, .. */
    uint64_t g;            /* .. the bucket, .. */
    uint64_t at;           /* .. the word, EMPTY_BUCKET where another bucket comes first, .. */
    unsigned bits;         /* .. and those of its nodes that are left */
    struct live_node node; /* that came last */
};

/* The first node comes next. */
static void live_begin(struct live *live)
{
    live->next = 0;
    live->row = UINT_MAX;
    live->g = 0;
    live->at = EMPTY_BUCKET;
    live->bits = 0;
}

/* Goes on to a bucket that has words, unless the one at hand has. False after the last. */
static bool live_bucket(struct live *live)
{
    while (live->at == EMPTY_BUCKET) {
        if (live->g > 0)
            live->at = live_row(live->of, live->row)[--live->g];
        else if (++live->row < LIVE_ROWS)
            live->g = live_row(live->of, live->row) == NULL ? 0 : live_depth(live->of);
        else
            return false;
    }
    return true;
}

/* Goes on to a word that has nodes left, unless the one at hand has. False after the last. */
static bool live_word(struct live *live)
{
    const struct word_buckets *open = &live->of->shared.open;
    while (live->bits == 0) {
        if (live->at != EMPTY_BUCKET && --live->at % BUCKET_CHUNK == 0)
            live->at = word_index(open->words[live->at]);
        if (!live_bucket(live))
            return false;
        live->bits = word_bits(open->words[live->at]);
    }
    return true;
}

/* The newest of the nodes that are left in the word. */
static void live_decode(const struct live *live, struct live_node *node)
{
    const struct compact *shared = &live->of->shared;
    struct kept_board parent;
    const unsigned newest = 31U - (unsigned)__builtin_clz(live->bits);
    const unsigned blank = word_board(&shared->code, shared->open.words[live->at], &parent);
    const struct way *way = live_way(live->of, blank, newest);
    const unsigned tile = way_tile(way, parent.board);
    const compact_board board = way_board(way, parent.board, tile);
    *node = (struct live_node){
        .kept = keep_board(board, way_key(&shared->code, way, &parent, tile, board)),
        .g = (unsigned)live->g,
        .f = live_f(live->of, live->row),
        .blank = (uint8_t)way_cell(way),
        .undo = way->undo};
}

/* Takes those out of all words that were replaced by a shorter path, and counts how many nodes are
 * left, with the spare ones. False when time is up. */
static bool live_count(struct live *live, uint64_t *count)
{
    enum { NODES_PER_LOOK = 1 << 14 };
    struct compact *shared = &live->of->shared;
    uint64_t looked_at = 0;
    *count = live->spares;
    for (live_begin(live); live_word(live);) {
        const unsigned newest = 1U << (31 - __builtin_clz(live->bits));
        struct live_node node;
        if (++looked_at % NODES_PER_LOOK == 0 && !search_may_go_on(shared->search))
            return false;
        live_decode(live, &node);
        const struct closed_place place =
            closed_find(&shared->closed, kept_key(&shared->code, &node.kept, node.blank));
        live->bits ^= newest;
        if (note_is_live(closed_note(place, closed_shift(&shared->code, node.blank)), node.g))
            ++*count;
        else
            shared->open.words[live->at] = word_without(shared->open.words[live->at], newest);
    }
    live_begin(live);
    return true;
}

/* As compact_live_node. */
static bool live_at(void *context, uint64_t number, struct enode *enode)
{
    struct live *live = context;
    struct live_node *node = &live->node;
    if (number < live->next)
        live_begin(live);
    for (; live->next <= number; live->next++) {
        if (live->next < live->spares) {
            *node = live->spare[live->next];
        } else if (live_word(live)) {
            if (live->next == number)
                live_decode(live, node);
            live->bits ^= 1U << (31 - __builtin_clz(live->bits));
        } else {
            return false;
        }
    }
    enode->board.blank = node->blank;
    compact_unpack(node->kept.board, &enode->board);
    enode->g = node->g;
    enode->h = node->f - node->g;
    enode->undo = node->undo;
    return true;
}

/* Writes the moves that lead to the node that came last. */
static void live_path(void *context, char *moves)
{
    const struct live *live = context;
    struct board board = live->of->shared.search->task->start;
    board.blank = live->node.blank;
    compact_unpack(live->node.kept.board, &board);
    walk_back(&live->of->shared, &board, live->node.g, moves);
}

/* Has the search go on below the live nodes. */
static void go_on_below(form *of, const struct compact_pace *pace, const struct live_node *spare,
                        uint64_t spares)
{
    struct search *search = of->shared.search;
    struct live live = {.of = of, .spare = spare, .spares = spares};
    struct compact_live nodes = {.node = live_at, .path = live_path, .context = &live};
    if (!live_count(&live, &nodes.count) || nodes.count == 0) /* there was no memory to begin */
        return;
    search->statistics.open_at_end = nodes.count;
    pace->go_on(search, &nodes);
}
