/* A* for boards of up to 25 cells and any heuristic, consistent or not: in 12 bytes for up to 4
 * states and 8 for live children of a node, above 16 cells in 18 for up to 5 and 12.
 *
 * The search is that of astar/compact.h. What astar/consistent_body.h concludes from consistency is
 * not true here: h may change by any number in a move, f may fall, and a closed node is reopened
 * when a shorter path to its state is found. So the g of every state is stored, and the open list
 * has a bucket for each f and g.
 *
 * The closed list (astar/closed.h) holds a state with the move that leads back, whether
 * its node is closed, and half of its g: the other bit of g follows from the colour of the blank's
 * cell, as every move takes the blank to a cell of the other colour.
 *  1. A shorter path to a stored state only changes that note. The words that the open list holds
 *     of nodes that were replaced are stale. A node is taken if its g is the one of the note: as g
 *     only falls, there is one node of a state and a g, and it is put on the list once. A node that
 *     was closed is on it no more.
 *  2. Live nodes of one f that one node generates are one word, as in the other form: they are put
 *     on the same bucket one after the other, and the newest word of a bucket is taken first.
 *     Their h is f - g, so a word needs none.
 *  3. A node is taken because none of smaller f, and none of equal f and larger g, is live. So if
 *     its expansion makes nodes of no larger f, the next one taken is one of these: of least f, and
 *     of these the newest. It does not go through the open list.
 *  4. When a node n is taken, each node on its path is still the one of its state; so the stored
 *     moves lead back along it. Suppose that it is not so, and let `a` be the last node on the path
 *     whose state has another one by now, a', of smaller g. Then a' is live: if it had been
 *     expanded, the next node on the path would have been replaced. As n is taken, f(n) <= f(a'),
 *     and f(a') < f(a), since h is the same. Let z be the last node on the path, from `a` on, with
 *     f(z) >= f(a). When z was taken, no live node had an f below f(z). So a' was not among them;
 *     it came later, from one that was, y say, and not from z, since its g is below that of z. But
 *     y could not be taken before n: f(y) >= f(z) >= f(a), and some node behind z on the path was
 *     live, of an f below f(a).
 *
 * When a node's children are made, their lines of the closed list are prefetched, and so are the
 * values that their h needs if it comes from pattern databases (heuristics/pdb_trail.h). Before a
 * node's children are looked up, the children of the node that is likely to be next are made: of
 * one of these children or, if none is good enough, of the node that would be taken from the open
 * list now. If another one comes first, that one is kept until its turn. Half of the nodes that are
 * taken from the open list were put on it a few expansions before, as siblings of the next node: so
 * the newest parents of such siblings are kept as they were, with what their h was made of. No
 * counter depends on that. */
#pragma once

#include "astar/rows.h"
#include "heuristics/pdb_trail.h"

/* Parents that are kept: with 16, as many are found as with a thousand. */
enum { PARENTS = 16 };

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

/* A node while it is at hand, with what its children's h are made of. */
struct stage {
    struct node *node;
    struct board *board;
    struct pdb_trail trail;
};

/* A node that was expanded, with siblings of its next child on the open list. */
struct parent {
    open_word word; /* theirs, without bits; at first of no node */
    struct kept_board kept;
    struct board board;
    struct pdb_trail trail;
};

/* Three stages: two that take turns, and one ahead. They are on the stack, as small as they are. */
struct stages {
    struct stage stage[3];
    struct board board[2]; /* the first board is in struct reopening, ... */
    struct node third;     /* ... as the first two nodes are */
    struct stage *ahead;   /* a node of the open list, ... */
    open_word word;        /* ... the newest of this word; at first of none, as it has no bits */
    struct parent parent[PARENTS]; /* by their g */
};

struct reopening {
    struct compact shared;
    struct rows rows;
    uint64_t live;
    bool undecided;
    struct node node[2];
    struct board board;
    struct ways ways;
};

/* The f of a node's children by the heuristic's step. */
KERNEL void step_children(const struct reopening *reopening, struct stage *stage)
{
    const struct heuristic *heuristic = reopening->shared.search->heuristic;
    struct node *node = stage->node;
    const struct way *ways = reopening->ways.way[node->blank];
    struct board *board = stage->board;
    const unsigned h = node->f - node->g;
    for (unsigned i = 0; i < node->count; i++) {
        struct child *child = &node->child[i];
        const unsigned from = way_cell(&ways[child->number]);
        const unsigned tile = board->cell[from];
        board_slide(board, from);
        child->f =
            node->g + 1 + heuristic->kind->step(heuristic, board, h, tile, from, node->blank);
        board_slide(board, node->blank);
    }
}

/* Or prefetches what it is made of. Begins the node's trail unless it is known. */
KERNEL void prefetch_values(const struct reopening *reopening, struct stage *stage)
{
    const struct node *node = stage->node;
    const struct board *board = stage->board;
    if (!stage->trail.known)
        pdb_trail_begin(&stage->trail, board);
    for (unsigned i = 0; i < node->count; i++) {
        const struct way *way = &reopening->ways.way[node->blank][node->child[i].number];
        pdb_trail_child(&stage->trail, board, i, board->cell[way_cell(way)], move_undo(way->undo));
    }
}

/* Makes a node's children; of a heuristic with trails, all but their f. */
KERNEL void make_children(struct reopening *reopening, struct stage *stage)
{
    struct node *node = stage->node;
    const struct compact_closed *closed = &reopening->shared.closed;
    const struct way *ways = reopening->ways.way[node->blank];
    unsigned count = 0;
    for (unsigned left = reopening->ways.bits[node->blank] & ~(unsigned)node->undo; left != 0;
         left &= left - 1) {
        struct child *child = &node->child[count++];
        child->number = (uint8_t)__builtin_ctz(left);
        child->kept = child_of(&reopening->shared.code, &node->kept, &ways[child->number]);
        child->key =
            kept_key(&reopening->shared.code, &child->kept, way_cell(&ways[child->number]));
        closed_prefetch(closed, child->key);
    }
    node->count = (uint8_t)count;
    if (stage->trail.pdb != NULL)
        prefetch_values(reopening, stage);
    else
        step_children(reopening, stage);
}

/* A while later: the f of the children of a heuristic with trails. */
KERNEL void value_children(struct stage *stage)
{
    struct node *node = stage->node;
    if (stage->trail.pdb == NULL)
        return;
    pdb_trail_read(&stage->trail);
    for (unsigned i = 0; i < node->count; i++)
        node->child[i].f = node->g + 1 + pdb_trail_h(&stage->trail, i);
}

/* A while later: prefetches the lines after the homes that are full. */
KERNEL void prefetch_behind(const struct reopening *reopening, const struct node *node)
{
    for (unsigned i = 0; i < node->count; i++)
        closed_prefetch_behind(closed_home(&reopening->shared.closed, node->child[i].key));
}

/* Keeps a node some of whose children, all of an f that is not above its own, are on the open list.
 */
KERNEL void keep_parent(const struct reopening *reopening, struct stages *stages,
                        const struct stage *stage)
{
    const struct node *node = stage->node;
    struct parent *parent = &stages->parent[node->g % PARENTS];
    parent->word = word_of(&reopening->shared.code, &node->kept, node->blank, 0);
    parent->kept = node->kept;
    parent->board = *stage->board;
    if (stage->trail.pdb != NULL)
        pdb_trail_copy(&parent->trail, &stage->trail);
}

/* The parent of a word's nodes, of that g, if it is kept; else NULL. */
KERNEL struct parent *kept_parent(struct stages *stages, open_word word, unsigned g)
{
    struct parent *parent = &stages->parent[g % PARENTS];
    const open_word bare = word_without(word, 15);
    return memcmp(&parent->word, &bare, sizeof bare) == 0 ? parent : NULL;
}

/* Goes on from a kept parent to the node ahead, which is a child of it by a way. */
KERNEL void go_on_ahead(struct stage *ahead, struct parent *parent, const struct way *way)
{
    const unsigned from = way_cell(way);
    if (ahead->trail.pdb != NULL) {
        pdb_trail_child(&parent->trail, &parent->board, 0, parent->board.cell[from],
                        move_undo(way->undo));
        (void)pdb_trail_h(&parent->trail, 0);
        pdb_trail_go_on(&ahead->trail, &parent->trail, 0);
    }
    *ahead->board = parent->board;
    board_slide(ahead->board, from);
}

/* Makes the newest node of a word of the open list the node ahead. */
KERNEL void make_ahead(struct reopening *reopening, struct stages *stages, open_word word,
                       unsigned f, unsigned g)
{
    const struct board_code *code = &reopening->shared.code;
    struct node *node = stages->ahead->node;
    struct parent *parent = kept_parent(stages, word, g - 1);
    struct kept_board kept;
    unsigned blank;
    if (parent != NULL) {
        blank = parent->board.blank;
        kept = parent->kept;
    } else {
        blank = word_board(code, word, &kept);
    }
    const unsigned newest = 31U - (unsigned)__builtin_clz(word_bits(word));
    const struct way *way = &reopening->ways.way[blank][newest];
    stages->word = word;
    node->kept = child_of(code, &kept, way);
    node->f = f;
    node->g = g;
    node->blank = (uint8_t)way_cell(way);
    node->undo = way->next;
    node->key = kept_key(code, &node->kept, node->blank);
    closed_prefetch(&reopening->shared.closed, node->key);
    stages->ahead->trail.known = false;
    if (parent != NULL) {
        go_on_ahead(stages->ahead, parent, way);
    } else {
        stages->ahead->board->blank = node->blank;
        compact_unpack(node->kept.board, stages->ahead->board);
    }
    make_children(reopening, stages->ahead);
}

/* Has the node ahead be the one that would be taken from the open list now: the newest word's
 * newest node of the deepest bucket of the lowest f. Once taken, no node comes again with that f
 * and g. Returns the bucket; NULL if the list is empty. */
KERNEL uint64_t *look_ahead(struct reopening *reopening, struct stages *stages)
{
    const struct node *ahead = stages->ahead->node;
    uint64_t *bucket = rows_first(&reopening->rows);
    if (bucket == NULL)
        return NULL;
    const open_word word = reopening->shared.open.words[*bucket];
    const unsigned f = reopening->rows.lowest;
    const unsigned g = rows_first_g(&reopening->rows);
    if (memcmp(&word, &stages->word, sizeof word) != 0 || ahead->f != f || ahead->g != g)
        make_ahead(reopening, stages, word, f, g);
    return bucket;
}

/* Takes that node from the open list; `other` is the next one ahead. Passes over those that were
 * replaced. NULL if none is left. */
static struct stage *take(struct reopening *reopening, struct stages *stages, struct stage *other)
{
    struct word_buckets *open = &reopening->shared.open;
    uint64_t *bucket;
    while ((bucket = look_ahead(reopening, stages)) != NULL) {
        struct stage *const taken = stages->ahead;
        const struct node *node = taken->node;
        open_word *word = &open->words[*bucket];
        *word = word_without(*word, 1U << (31U - (unsigned)__builtin_clz(word_bits(*word))));
        if (word_bits(*word) == 0)
            bucket_pop(open, bucket);
        const struct closed_place place = closed_find(&reopening->shared.closed, node->key);
        const unsigned shift = closed_shift(&reopening->shared.code, node->blank);
        const unsigned note = closed_note(place, shift);
        if (note_is_of(note, node->g)) {
            closed_set_note(place, shift, note_closed(note));
            stages->ahead = other;
            return taken;
        }
    }
    return NULL;
}

/* What a look-up says of a child. */
enum finding { FOUND_LIVE, FOUND_DUPLICATE };

/* Looks up a child that may be known, or whose strip may not lie at its home. `note` is that of a
 * live node. */
static CALLED enum finding settle_child(struct reopening *reopening, compact_key key,
                                        unsigned shift, unsigned note)
{
    struct compact_closed *closed = &reopening->shared.closed;
    const struct closed_place place = closed_find(closed, key);
    if (!place.known) {
        closed_enter(closed, place, key, shift, note);
        return FOUND_LIVE;
    }
    const unsigned known = closed_note(place, shift);
    if (known != 0 && !note_replaces(note, known))
        return FOUND_DUPLICATE;
    closed_set_note(place, shift, note);
    closed->states += known == 0;
    reopening->shared.search->statistics.reopened += note_is_closed(known);
    reopening->live -= known != 0 && !note_is_closed(known);
    return FOUND_LIVE;
}

/* Looks up as many of the node's children as are allowed. *live: those that are. False when the
 * search must end. */
KERNEL bool settle(struct reopening *reopening, const struct node *node, unsigned allowed,
                   unsigned *live)
{
    struct statistics *statistics = &reopening->shared.search->statistics;
    unsigned settled = 0;
    unsigned kept = 0;
    *live = 0;
    for (; settled < allowed; settled++) {
        const struct child *child = &node->child[settled];
        const struct way *way = &reopening->ways.way[node->blank][child->number];
        const unsigned note = note_live(node->g + 1, way->undo);
        struct closed_line *home = closed_home(&reopening->shared.closed, child->key);
        enum finding finding = FOUND_LIVE;
        if (UNLIKELY(!closed_store_at_home(&reopening->shared.closed, home, child->key, way->shift,
                                           note)))
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

/* Puts some of the node's children on the open list. Returns those for which memory is spent. */
KERNEL unsigned push(struct reopening *reopening, const struct node *node, unsigned live)
{
    const unsigned g = node->g + 1;
    while (live != 0) {
        const unsigned f = node->child[__builtin_ctz(live)].f;
        const unsigned before = live;
        unsigned equal = 0; /* all children of that f, by way */
        for (unsigned i = 0; i < node->count; i++)
            if ((live >> i & 1) != 0 && node->child[i].f == f) {
                live ^= 1U << i;
                equal |= 1U << node->child[i].number;
            }
        if (!rows_push(&reopening->rows, &reopening->shared.open, f, g,
                       word_of(&reopening->shared.code, &node->kept, node->blank, equal)))
            return before;
    }
    return 0;
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
KERNEL void descend(struct reopening *reopening, const struct stage *stage, unsigned child,
                    struct stage *other)
{
    const struct node *node = stage->node;
    struct node *next = other->node;
    const struct way *way = &reopening->ways.way[node->blank][node->child[child].number];
    next->kept = node->child[child].kept;
    next->key = node->child[child].key;
    next->f = node->child[child].f;
    next->g = node->g + 1;
    next->blank = (uint8_t)way_cell(way);
    next->undo = way->next;
    *other->board = *stage->board;
    board_slide(other->board, next->blank);
    if (other->trail.pdb != NULL)
        pdb_trail_go_on(&other->trail, &stage->trail, child);
    make_children(reopening, other);
}

/* Closes a node. */
KERNEL void close_node(struct reopening *reopening, const struct node *node)
{
    const struct closed_place place = closed_find(&reopening->shared.closed, node->key);
    const unsigned shift = closed_shift(&reopening->shared.code, node->blank);
    closed_set_note(place, shift, note_closed(closed_note(place, shift)));
}

/* Where memory ended the loop: the node that is to be expanded next; or the one that was, with its
 * live children that are not on the open list. */
struct stop {
    const struct node *next, *expanded;
    unsigned left;
};

/* Does what A* does, node by node. Most children are new: so before a node's children are looked
 * up, the next node is made as if all were. */
static void loop(struct reopening *reopening, struct stages *stages, struct stop *stop)
{
    struct search *search = reopening->shared.search;
    struct stage *stage = &stages->stage[0];
    struct stage *other = &stages->stage[1];
    for (;;) {
        const struct node *node = stage->node;
        value_children(stage);
        reopening->live--;
        if (UNLIKELY(node->kept.board == reopening->shared.goal)) {
            compact_solve(&reopening->shared, node->g);
            return;
        }
        if (UNLIKELY(node->g + 1 == DEPTHS)) {
            reopening->undecided = true;
            return;
        }
        if (UNLIKELY(!compact_has_room(&reopening->shared)) &&
            !lists_make_room(&reopening->shared.closed, &reopening->shared.open, search)) {
            stop->next = node;
            return;
        }
        if (!search_expands(search, NULL))
            return;
        prefetch_behind(reopening, node);
        const unsigned likely = next_of(node, ~0U);
        if (likely < MOVES)
            descend(reopening, stage, likely, other);
        else
            look_ahead(reopening, stages);
        unsigned live;
        if (!settle(reopening, node, search_may_generate(search, node->count), &live))
            return;
        const unsigned next = next_of(node, live);
        const unsigned others = next < MOVES ? live ^ 1U << next : live;
        if (next_of(node, others) < MOVES)
            keep_parent(reopening, stages, stage);
        const unsigned left = push(reopening, node, others);
        if (UNLIKELY(left != 0)) {
            search->status = STATUS_memory_limit;
            *stop = (struct stop){NULL, node, next < MOVES ? left | 1U << next : left};
            return;
        }
        struct stage *following = other;
        if (next == MOVES) {
            following = take(reopening, stages, other);
            if (following == NULL) {
                search->status = STATUS_exhausted;
                return;
            }
        } else {
            if (next != likely)
                descend(reopening, stage, next, other);
            close_node(reopening, other->node);
        }
        other = stage;
        stage = following;
    }
}

/* Makes the tables, and the root the node. False when memory is spent. */
static bool start(struct reopening *reopening, struct stages *stages, uint64_t lines)
{
    struct search *search = reopening->shared.search;
    const struct board *root = &search->task->start;
    compact_code(&reopening->shared);
    ways_make(&reopening->ways, search, &reopening->shared.code);
    if (!compact_start(&reopening->shared, lines))
        return false;
    reopening->rows.lowest = COSTS;
    const compact_key key = compact_enter_start(&reopening->shared, note_closed(note_live(0, 0)));
    reopening->node[0] = (struct node){.kept = keep_board(compact_pack(root), key),
                                       .f = search_start_h(search),
                                       .blank = root->blank};
    make_children(reopening, &stages->stage[0]);
    reopening->live = 1;
    search->statistics.max_open = 1;
    return true;
}

/* The open list, for astar/live_body.h. */
typedef struct reopening form;

enum { LIVE_ROWS = COSTS };

static const uint64_t *live_row(const form *reopening, unsigned row)
{
    return reopening->rows.row[row];
}

static uint64_t live_depth(const form *reopening)
{
    (void)reopening;
    return DEPTHS;
}

static unsigned live_f(const form *reopening, unsigned row)
{
    (void)reopening;
    return row;
}

static const struct way *live_way(const form *reopening, unsigned blank, unsigned bit)
{
    return &reopening->ways.way[blank][bit];
}

#include "astar/live_body.h"

/* Has the search go on below what is live. */
static void go_on(struct reopening *reopening, const struct stop *stop,
                  const struct compact_pace *pace)
{
    struct search *search = reopening->shared.search;
    const struct node *next = stop->next;
    search->arena.budget = pace->budget;
    if (next == NULL) {
        if (stop->expanded != NULL && push(reopening, stop->expanded, stop->left) == 0)
            go_on_below(reopening, pace, NULL, 0);
        return;
    }
    const unsigned undo =
        next->undo == 0 ? MOVE_NONE : search->operators.order[__builtin_ctz(next->undo)];
    go_on_below(reopening, pace,
                &(struct live_node){.kept = next->kept,
                                    .g = next->g,
                                    .f = next->f,
                                    .blank = next->blank,
                                    .undo = (uint8_t)undo},
                1);
}

static void stages_start(struct stages *stages, struct reopening *reopening)
{
    struct node *const node[] = {&reopening->node[0], &reopening->node[1], &stages->third};
    struct board *const board[] = {&reopening->board, &stages->board[0], &stages->board[1]};
    for (unsigned i = 0; i < 3; i++) {
        stages->stage[i].node = node[i];
        stages->stage[i].board = board[i];
        *board[i] = reopening->shared.search->task->start;
        stages->stage[i].trail.pdb = pdb_with_trails(reopening->shared.search->heuristic);
        stages->stage[i].trail.known = false;
    }
    for (unsigned i = 0; i < PARENTS; i++)
        stages->parent[i].word = word_of_index(0);
    stages->ahead = &stages->stage[2];
    stages->word = word_of_index(0);
}

bool STAMP(struct search *search, const struct compact_pace *pace)
{
    struct arena *arena = &search->arena;
    const struct statistics before = search->statistics;
    struct reopening *reopening = arena_take(arena, sizeof *reopening);
    struct stop stop = {0};
    search->status = STATUS_memory_limit;
    if (!search_generates(search) || reopening == NULL) {
        arena_release(arena, reopening);
        return true;
    }
    reopening->shared.search = search;
    struct stages stages;
    stages_start(&stages, reopening);
    if (start(reopening, &stages, pace->lines))
        loop(reopening, &stages, &stop);
    const bool decided = !reopening->undecided;
    search->statistics.max_stored = reopening->shared.closed.states;
    search->statistics.open_at_end = reopening->live;
    if (!decided)
        search->statistics = before;
    else if (search->status == STATUS_memory_limit && pace->go_on != NULL)
        go_on(reopening, &stop, pace);
    compact_end(&reopening->shared);
    rows_end(&reopening->rows, arena);
    arena_release(arena, reopening);
    return decided;
}
