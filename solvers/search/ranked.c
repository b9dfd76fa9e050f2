#include "search/ranked.h"
#include "base/heap.h"
#include "puzzle/slide.h"

/* How many nodes are looked at between two looks at the clock. */
enum { NODES_PER_LOOK = 4096 };

/* The rest of a layer, or what there is of the next one, in the order of the queue. */
struct layer {
    uint32_t *codes;
    uint64_t count;
    uint64_t capacity;
};

/* The blank's place where it stands in a code is 4 times its number: by so much its 4 bits are
 * shifted in the table. */
enum { PLACE_BITS = 15 << CODE_PLACE };

/* What no board is. */
#define NO_GOAL UINT32_MAX

/* A search over the table. */
struct ranked {
    struct search *search;
    struct slides *slides;
    /* By half the arrangement, 4 bits for each place of the blank: 0 where the board was not seen,
     * else 1 + the move that led to it. */
    uint64_t *seen;
    struct layer layer; /* of this depth */
    struct layer next;
    unsigned depth;
};

/* Room for `count` codes: twice the room while it is small, a quarter more when it is large, or as
 * much as the budget still allows. False when that is less. */
static bool layer_reserve(struct layer *layer, struct arena *arena, uint64_t count)
{
    enum { LARGE = 1 << 20 };
    if (count <= layer->capacity)
        return true;
    const uint64_t most = layer->capacity + (arena->budget - arena->used) / sizeof *layer->codes;
    uint64_t capacity = layer->capacity + layer->capacity / (layer->capacity < LARGE ? 1 : 4);
    if (capacity < count)
        capacity = count;
    if (capacity > most)
        capacity = most;
    if (capacity < count)
        return false;
    uint32_t *codes = arena_resize(arena, layer->codes, capacity * sizeof *codes);
    if (codes == NULL)
        return false;
    layer->codes = codes;
    layer->capacity = capacity;
    return true;
}

/* The way back from the goal: the table knows the move that led to each board. */
static void ranked_solution(const struct ranked *ranked, uint32_t code, size_t length)
{
    struct search *search = ranked->search;
    char *moves = heap_resize(search->moves, length + 1);
    moves[length] = '\0';
    for (size_t i = length; i > 0; i--) {
        const uint64_t seen = ranked->seen[code >> CODE_ARRANGEMENT >> 1];
        const unsigned move = (unsigned)(seen >> (code & PLACE_BITS) & 15) - 1;
        moves[i - 1] = move_letters[move];
        code = slides_move(ranked->slides, code, move_undo(move));
    }
    search->moves = moves;
    search->length = length;
    search->status = STATUS_solved;
}

static void ranked_end(struct ranked *ranked)
{
    struct arena *arena = &ranked->search->arena;
    arena_release(arena, ranked->slides);
    arena_release(arena, ranked->seen);
    arena_release(arena, ranked->layer.codes);
    arena_release(arena, ranked->next.codes);
}

/* Takes over what is stored; the layer is all of it, the nodes expanded already included. False
 * when the budget has no room for it, or, with search->status set, when the search must end. */
static bool ranked_start(struct ranked *ranked, const struct store *store)
{
    /* Codes for an eighth of the table's bytes are taken as well: with fewer the table could end
     * sooner than the store would have in the same budget. */
    enum { SPARE = 4 };
    struct search *search = ranked->search;
    struct arena *arena = &search->arena;
    struct ranking ranking;
    ranking_make(&search->task->goal, &ranking);
    const uint64_t table_bytes = ranking.per_cell * sizeof *ranked->seen;
    const uint64_t spare = ranking.per_cell / SPARE + SLIDES_CHILDREN;
    if (sizeof *ranked->slides + table_bytes + (store->count + spare) * sizeof(uint32_t) >
        arena->budget - arena->used)
        return false;
    ranked->slides = arena_take(arena, sizeof *ranked->slides);
    ranked->seen = arena_take(arena, table_bytes);
    if (ranked->slides == NULL || ranked->seen == NULL ||
        !layer_reserve(&ranked->layer, arena, store->count) ||
        !layer_reserve(&ranked->next, arena, spare))
        return false;
    slides_make(&ranking, &search->operators, ranked->slides);
    ranked->depth = store->nodes[store->count - 1].g;
    uint32_t *const codes = ranked->layer.codes;
    for (uint32_t id = 0; id < store->count; id++) {
        if (id % NODES_PER_LOOK == 0 && !search_may_go_on(search))
            return false;
        const struct node node = store->nodes[id];
        codes[id] = id == 0 ? slides_code(ranked->slides, &search->task->start, 0)
                            : slides_move(ranked->slides, codes[node.parent], node.move);
        ranked->seen[codes[id] >> CODE_ARRANGEMENT >> 1] |= (uint64_t)(1 + node.move % MOVES)
                                                            << (codes[id] & PLACE_BITS);
    }
    ranked->layer.count = store->count;
    return true;
}

/* Expands `count` codes of the layer from `head` on. False when the search is over. */
KERNEL bool ranked_expand(struct ranked *ranked, uint64_t head, unsigned count, uint32_t early_goal)
{
    struct search *search = ranked->search;
    struct statistics *statistics = &search->statistics;
    uint32_t children[SLIDES_CHILDREN];
    uint32_t parents[SLIDES_CHILDREN];
    const unsigned made =
        slides_expand(ranked->slides, ranked->layer.codes + head, count, children, parents);
    unsigned allowed = made;
    if (UNLIKELY(made > search->limits.nodes - statistics->generated)) {
        allowed = (unsigned)(search->limits.nodes - statistics->generated);
        search->status = STATUS_node_limit;
    }
    uint64_t *const seen = ranked->seen;
    for (unsigned i = 0; i < made; i++)
        __builtin_prefetch(&seen[children[i] >> CODE_ARRANGEMENT >> 1], 1);
    uint32_t *const next = ranked->next.codes + ranked->next.count;
    const uint64_t open = ranked->layer.count - head - 1 + ranked->next.count;
    uint64_t max_open = statistics->max_open;
    unsigned added = 0;
    unsigned done = 0;
    bool found = false;
    while (done < allowed) {
        const uint32_t code = children[done];
        const unsigned shift = code & PLACE_BITS;
        const uint64_t known = seen[code >> CODE_ARRANGEMENT >> 1];
        /* Two of five children are duplicates, in no pattern: a branch on it would be predicted
         * wrongly again and again. The code is written in any case, and stays or not. */
        const unsigned is_new = (known >> shift & 15) == 0;
        seen[code >> CODE_ARRANGEMENT >> 1] = known | (uint64_t)((1 + code % MOVES) & -is_new)
                                                          << shift;
        next[added] = code;
        added += is_new;
        raise_to(&max_open, open - parents[done] + added);
        done++;
        if (UNLIKELY(code >> CODE_PLACE == early_goal)) {
            found = true;
            break;
        }
    }
    /* The parent of the goal, or of the first child that the limit does not allow, is the last that
     * is expanded. */
    const unsigned last = found ? done - 1 : done < made ? done : made - 1;
    statistics->expanded += parents[last] + 1;
    statistics->generated += done;
    statistics->duplicates += done - added;
    statistics->max_open = max_open;
    statistics->max_stored += added;
    ranked->next.count += added;
    if (ranked->next.count > 0)
        raise_to(&statistics->max_depth, ranked->depth + UINT64_C(1));
    if (found)
        ranked_solution(ranked, children[last], ranked->depth + 1);
    return !found && allowed == made;
}

/* How many codes from `head` on are expanded together, up to the goal: none when it is the first.
 * One at a time for an observer, who is to see no board that is not expanded. */
KERNEL unsigned ranked_chunk(const struct ranked *ranked, uint64_t head, uint32_t late_goal)
{
    const uint64_t left = ranked->layer.count - head;
    const unsigned most = ranked->search->observer != NULL ? 1
                          : left < SLIDES_CHUNK            ? (unsigned)left
                                                           : SLIDES_CHUNK;
    unsigned count = 0;
    if (late_goal == NO_GOAL)
        return most;
    while (count < most && ranked->layer.codes[head + count] >> CODE_PLACE != late_goal)
        count++;
    return count;
}

/* Searches on from node `head` of the layer. */
static void ranked_loop(struct ranked *ranked, uint64_t head, bool test_at_generation)
{
    struct search *search = ranked->search;
    const struct observer *observer = search->observer;
    const uint32_t goal = slides_code(ranked->slides, &search->task->goal, 0) >> CODE_PLACE;
    uint64_t look = search->statistics.expanded;
    while (ranked->layer.count > 0) {
        unsigned count;
        for (; head < ranked->layer.count; head += count) {
            if (search->statistics.expanded >= look) {
                look = search->statistics.expanded + NODES_PER_LOOK;
                if (!search_may_go_on(search))
                    return;
            }
            count = ranked_chunk(ranked, head, test_at_generation ? NO_GOAL : goal);
            if (count == 0) {
                ranked_solution(ranked, ranked->layer.codes[head], ranked->depth);
                return;
            }
            if (observer != NULL) {
                struct board board;
                ranking_unrank(&ranked->slides->ranking,
                               slides_rank(ranked->slides, ranked->layer.codes[head]), &board);
                observer->expands(observer->context, &board, ranked->depth, 0);
            }
            if (!layer_reserve(&ranked->next, &search->arena,
                               ranked->next.count + SLIDES_CHILDREN)) {
                search->status = STATUS_memory_limit;
                return;
            }
            if (!ranked_expand(ranked, head, count, test_at_generation ? goal : NO_GOAL))
                return;
        }
        const struct layer expanded = ranked->layer;
        ranked->layer = ranked->next;
        ranked->next = expanded;
        ranked->next.count = 0;
        ranked->depth++;
        head = 0;
    }
}

uint64_t ranked_from(struct shape shape)
{
    enum { PART = 1024, LEAST = 2000 };
    uint64_t boards = 1;
    if (shape.cells > MAX_RANKED_CELLS)
        return UINT64_MAX;
    for (unsigned i = 3; i <= shape.cells; i++)
        boards *= i;
    return boards / PART < LEAST ? LEAST : boards / PART;
}

bool ranked_go_on(struct search *search, struct store *store, uint32_t head,
                  bool test_at_generation)
{
    struct ranked ranked = {.search = search};
    const bool started = ranked_start(&ranked, store);
    if (started) {
        store_end(store);
        ranked_loop(&ranked, head, test_at_generation);
    }
    ranked_end(&ranked);
    return started || search->status != STATUS_exhausted;
}
