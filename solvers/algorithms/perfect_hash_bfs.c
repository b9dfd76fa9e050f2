#include "algorithms/perfect_hash_bfs.h"
#include "puzzle/slide.h"

/* Nodes between two looks at the clock. */
enum { NODES_PER_LOOK = 4096 };

/* What is left of a layer, or what there is of the next one, in the order of the queue. */
struct layer {
    uint32_t *codes;
    uint64_t count;
    uint64_t capacity;
};

/* A code holds the place of the blank times 4: the shift of its 4 bits in a word of the table. */
enum { PLACE_BITS = 15 << CODE_PLACE };

/* A value that no state has. */
#define NO_GOAL UINT32_MAX

/* A search over the table. */
struct perfect_hash_bfs {
    struct search *search;
    struct slides *slides;
    /* A word for each arrangement / 2, with 4 bits for each place of the blank: 0 if the state was
     * not seen, else 1 + the move that led to it. */
    uint64_t *seen;
    bool prefetches;    /* the table is too large for the processor's nearer caches */
    struct layer layer; /* of this depth */
    struct layer next;
    unsigned depth;
    uint64_t depth_limit;
};

/* Makes room for `count` codes: twice the room while it is small, a quarter more when it is large,
 * or as much as the budget still allows. False when that is too little. */
static bool layer_reserve(struct layer *layer, struct arena *arena, uint64_t count)
{
    enum { LARGE = 1 << 20 };
    if (count <= layer->capacity)
        return true;
    const uint64_t max = layer->capacity + (arena->budget - arena->used) / sizeof *layer->codes;
    uint64_t capacity = layer->capacity + layer->capacity / (layer->capacity < LARGE ? 1 : 4);
    if (capacity < count)
        capacity = count;
    if (capacity > max)
        capacity = max;
    if (capacity < count)
        return false;
    uint32_t *codes = arena_resize(arena, layer->codes, capacity * sizeof *codes);
    if (codes == NULL)
        return false;
    layer->codes = codes;
    layer->capacity = capacity;
    return true;
}

/* Whether a state was seen; `state` is its code without the move. */
static bool is_seen(const struct perfect_hash_bfs *bfs, uint32_t state)
{
    const uint32_t code = state << CODE_PLACE;
    return (bfs->seen[code >> CODE_ARRANGEMENT >> 1] >> (code & PLACE_BITS) & 15) != 0;
}

/* Writes the solution, back from the goal by the moves in the table. */
static void bfs_solution(const struct perfect_hash_bfs *bfs, uint32_t code, size_t length)
{
    char *moves = search_solved(bfs->search, length);
    if (moves == NULL)
        return;
    for (size_t i = length; i > 0; i--) {
        const uint64_t seen = bfs->seen[code >> CODE_ARRANGEMENT >> 1];
        const unsigned move = (unsigned)(seen >> (code & PLACE_BITS) & 15) - 1;
        moves[i - 1] = move_letters[move];
        code = slides_move(bfs->slides, code, move_undo(move));
    }
}

static void bfs_end(struct perfect_hash_bfs *bfs)
{
    struct arena *arena = &bfs->search->arena;
    arena_release(arena, bfs->slides);
    arena_release(arena, bfs->seen);
    arena_release(arena, bfs->layer.codes);
    arena_release(arena, bfs->next.codes);
}

/* Fills the table and the layer with all that is stored, expanded nodes included. False when the
 * budget has no room for it or, with search->status set, when the search must end. */
static bool bfs_start(struct perfect_hash_bfs *bfs, const struct store *store)
{
    /* Memory for codes, an eighth of the table, is taken as well: with less, the search could end
     * sooner than the store would have ended it in the same budget. */
    enum { SPARE = 4, NEAR_BYTES = 1 << 18 };
    struct search *search = bfs->search;
    struct arena *arena = &search->arena;
    struct ranking ranking;
    ranking_make(&search->task->goal, &ranking);
    const uint64_t table_bytes = ranking.per_cell * sizeof *bfs->seen;
    const uint64_t spare = ranking.per_cell / SPARE + SLIDES_CHILDREN;
    if (sizeof *bfs->slides + table_bytes + (store->count + spare) * sizeof(uint32_t) >
        arena->budget - arena->used)
        return false;
    bfs->slides = arena_take(arena, sizeof *bfs->slides);
    bfs->seen = arena_take(arena, table_bytes);
    if (bfs->slides == NULL || bfs->seen == NULL ||
        !layer_reserve(&bfs->layer, arena, store->count) ||
        !layer_reserve(&bfs->next, arena, spare))
        return false;
    slides_make(&ranking, &search->operators, bfs->slides);
    bfs->prefetches = table_bytes > NEAR_BYTES;
    bfs->depth = store->nodes[store->count - 1].g;
    uint32_t *const codes = bfs->layer.codes;
    for (uint32_t id = 0; id < store->count; id++) {
        if (id % NODES_PER_LOOK == 0 && !search_may_go_on(search))
            return false;
        const struct node node = store->nodes[id];
        codes[id] = id == 0 ? slides_code(bfs->slides, &search->task->start, 0)
                            : slides_move(bfs->slides, codes[node.parent], node.move);
        bfs->seen[codes[id] >> CODE_ARRANGEMENT >> 1] |= (uint64_t)(1 + node.move % MOVES)
                                                         << (codes[id] & PLACE_BITS);
    }
    bfs->layer.count = store->count;
    return true;
}

/* Enters children in the table and those not seen before in `next`. added[i] is the number of new
 * ones up to child i. Two in five children are duplicates, at random, so a branch would often be
 * mispredicted. Instead the code is always written, and counted only if it is new. */
static void enter_children(uint64_t *restrict seen, const uint32_t *restrict children,
                           unsigned count, uint32_t *restrict next, uint8_t *restrict added)
{
    unsigned all = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t code = children[i];
        const unsigned shift = code & PLACE_BITS;
        uint64_t *const word = &seen[code >> CODE_ARRANGEMENT >> 1];
        const unsigned is_new = (*word >> shift & 15) == 0;
        *word |= (uint64_t)((1 + code % MOVES) & -is_new) << shift;
        next[all] = code;
        all += is_new;
        added[i] = (uint8_t)all;
    }
}

/* The maximum, over children, of the new ones up to it less the nodes expanded before. */
static uint64_t max_open_in_row(uint64_t open, const uint8_t *added, const uint8_t *parents,
                                unsigned count)
{
    uint8_t max = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint8_t now = (uint8_t)(SLIDES_CHUNK + added[i] - parents[i]);
        max = now > max ? now : max;
    }
    return open + max - SLIDES_CHUNK;
}

/* Notes how many nodes are open once `taken` codes of the layer were taken from it. */
KERNEL void leave_open(struct perfect_hash_bfs *bfs, uint64_t taken)
{
    bfs->search->statistics.open_at_end = bfs->layer.count - taken + bfs->next.count;
}

/* Expands `count` codes of the layer, from `head` on. False when the search is over. Whether the
 * goal is among the children the table says after they were entered; those after it do not count
 * then. */
KERNEL bool bfs_expand(struct perfect_hash_bfs *bfs, uint64_t head, unsigned count,
                       uint32_t early_goal)
{
    struct search *search = bfs->search;
    struct statistics *statistics = &search->statistics;
    uint32_t children[SLIDES_CHILDREN];
    uint8_t parents[SLIDES_CHILDREN];
    uint8_t added[SLIDES_CHILDREN];
    const unsigned made =
        slides_expand(bfs->slides, bfs->layer.codes + head, count, children, parents);
    unsigned done = made;
    if (UNLIKELY(made > search->limits.nodes - statistics->generated)) {
        done = (unsigned)(search->limits.nodes - statistics->generated);
        search->status = STATUS_node_limit;
    }
    if (bfs->prefetches)
        for (unsigned i = 0; i < made; i++)
            __builtin_prefetch(&bfs->seen[children[i] >> CODE_ARRANGEMENT >> 1], 1);
    const uint64_t open = bfs->layer.count - head - 1 + bfs->next.count;
    enter_children(bfs->seen, children, done, bfs->next.codes + bfs->next.count, added);
    const bool found = early_goal != NO_GOAL && is_seen(bfs, early_goal);
    if (UNLIKELY(found)) {
        done = 0;
        while (children[done++] >> CODE_PLACE != early_goal)
            continue;
    }
    /* The last node expanded is the parent of the goal, or of the first child that the limit does
     * not allow. */
    const unsigned last = found ? done - 1 : done < made ? done : made - 1;
    const unsigned kept = done > 0 ? added[done - 1] : 0;
    statistics->expanded += parents[last] + 1U;
    statistics->generated += done;
    statistics->duplicates += done - kept;
    if (done > 0)
        raise_to(&statistics->max_open, max_open_in_row(open, added, parents, done));
    statistics->max_stored += kept;
    bfs->next.count += kept;
    if (bfs->next.count > 0)
        raise_to(&statistics->max_depth, bfs->depth + UINT64_C(1));
    leave_open(bfs, head + parents[last] + 1);
    if (found)
        bfs_solution(bfs, children[last], bfs->depth + 1);
    return !found && search->status != STATUS_node_limit;
}

/* How many codes, from `head` on, are expanded together: at most up to the goal, 0 if `head` is the
 * goal. One at a time for an observer, who must not see a state that is not expanded. */
KERNEL unsigned bfs_chunk(const struct perfect_hash_bfs *bfs, uint64_t head, uint32_t late_goal)
{
    const uint64_t left = bfs->layer.count - head;
    const unsigned max = bfs->search->observer != NULL ? 1
                         : left < SLIDES_CHUNK         ? (unsigned)left
                                                       : SLIDES_CHUNK;
    unsigned count = 0;
    if (late_goal == NO_GOAL)
        return max;
    while (count < max && bfs->layer.codes[head + count] >> CODE_PLACE != late_goal)
        count++;
    return count;
}

/* Looks for the goal in a layer that is not expanded, from index `head` on. */
static void find_goal(struct perfect_hash_bfs *bfs, uint64_t head, uint32_t goal)
{
    while (head < bfs->layer.count && bfs->layer.codes[head] >> CODE_PLACE != goal)
        head++;
    bfs->search->statistics.open_at_end = 0;
    if (head < bfs->layer.count) {
        leave_open(bfs, head + 1);
        bfs_solution(bfs, bfs->layer.codes[head], bfs->depth);
    }
}

/* Goes on with the search from index `head` of the layer. */
static void expand_layers(struct perfect_hash_bfs *bfs, uint64_t head, bool test_at_generation)
{
    struct search *search = bfs->search;
    const struct observer *observer = search->observer;
    const uint32_t goal = slides_code(bfs->slides, &search->task->goal, 0) >> CODE_PLACE;
    uint64_t look = search->statistics.expanded;
    while (bfs->layer.count > 0) {
        unsigned count;
        if (bfs->depth >= bfs->depth_limit) {
            find_goal(bfs, head, test_at_generation ? NO_GOAL : goal);
            return;
        }
        for (; head < bfs->layer.count; head += count) {
            if (search->statistics.expanded >= look) {
                look = search->statistics.expanded + NODES_PER_LOOK;
                if (!search_may_go_on(search))
                    return;
            }
            count = bfs_chunk(bfs, head, test_at_generation ? NO_GOAL : goal);
            if (count == 0) {
                leave_open(bfs, head + 1);
                bfs_solution(bfs, bfs->layer.codes[head], bfs->depth);
                return;
            }
            if (observer != NULL) {
                struct board board;
                ranking_unrank(&bfs->slides->ranking,
                               slides_rank(bfs->slides, bfs->layer.codes[head]), &board);
                observer->expands(observer->context, &board, bfs->depth, 0);
            }
            if (!layer_reserve(&bfs->next, &search->arena, bfs->next.count + SLIDES_CHILDREN)) {
                search->status = STATUS_memory_limit;
                return;
            }
            if (!bfs_expand(bfs, head, count, test_at_generation ? goal : NO_GOAL))
                return;
        }
        const struct layer expanded = bfs->layer;
        bfs->layer = bfs->next;
        bfs->next = expanded;
        bfs->next.count = 0;
        bfs->depth++;
        head = 0;
    }
}

uint64_t perfect_hash_bfs_from(struct shape shape)
{
    enum { PART = 1024, MIN = 2000 };
    uint64_t boards = 1;
    if (shape.cells > MAX_RANKED_CELLS)
        return UINT64_MAX;
    for (unsigned i = 3; i <= shape.cells; i++)
        boards *= i;
    return boards / PART < MIN ? MIN : boards / PART;
}

bool perfect_hash_bfs_take_over(struct search *search, struct store *store, uint32_t head,
                                bool test_at_generation, uint64_t depth_limit)
{
    struct perfect_hash_bfs bfs = {.search = search, .depth_limit = depth_limit};
    const bool started = bfs_start(&bfs, store);
    if (started) {
        store_end(store);
        expand_layers(&bfs, head, test_at_generation);
    }
    bfs_end(&bfs);
    return started || search->status != STATUS_exhausted;
}
