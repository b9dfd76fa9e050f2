#include "puzzle/distance.h"
#include "base/heap.h"
#include "puzzle/slide.h"

enum { UNSEEN = 255 };

/* The codes of one depth. */
struct layer {
    uint32_t *codes;
    size_t count;
    size_t capacity;
};

/* Makes room for the children of one more chunk. */
static void make_room(struct layer *layer)
{
    layer->codes = heap_reserve(layer->codes, &layer->capacity, layer->count + SLIDES_CHILDREN,
                                sizeof *layer->codes);
}

/* Adds a board at this depth, unless it was seen before. */
static inline void add_unseen(const struct slides *slides, uint8_t *depths, uint8_t depth,
                              struct layer *layer, uint32_t code)
{
    uint8_t *seen = &depths[slides_rank(slides, code)];
    layer->codes[layer->count] = code;
    layer->count += *seen == UNSEEN;
    *seen = *seen == UNSEEN ? depth : *seen;
}

bool distances_make(const struct board *goal, struct distances *distances)
{
    struct operators operators;
    *distances = (struct distances){0};
    if (!ranking_make(goal, &distances->ranking))
        return false;
    SCOPED struct slides *slides = heap_take(1, sizeof *slides);
    const uint32_t size = distances->ranking.size;
    uint8_t *depths = memset(heap_take(size, 1), UNSEEN, size);
    struct layer layer = {0};
    struct layer next = {0};
    operators_make(goal->shape, DEFAULT_ORDER, &operators);
    slides_make(&distances->ranking, &operators, slides);
    /* No move led to the goal, so all its slides are possible. */
    const uint32_t root = slides_code(slides, goal, 0);
    depths[slides_rank(slides, root)] = 0;
    distances->states[0] = 1;
    make_room(&next);
    for (unsigned move = 0; move < MOVES; move++)
        if (operators.target[goal->blank][move] != NO_CELL)
            add_unseen(slides, depths, 1, &next, slides_move(slides, root, move));
    for (uint8_t depth = 1; next.count > 0; depth++) {
        const struct layer expanded = layer;
        layer = next;
        next = expanded;
        next.count = 0;
        distances->states[depth] = (uint32_t)layer.count;
        distances->deepest = depth;
        for (size_t i = 0; i < layer.count; i += SLIDES_CHUNK) {
            uint32_t children[SLIDES_CHILDREN];
            uint8_t parents[SLIDES_CHILDREN];
            const size_t left = layer.count - i;
            const unsigned made = slides_expand(slides, layer.codes + i,
                                                left < SLIDES_CHUNK ? (unsigned)left : SLIDES_CHUNK,
                                                children, parents);
            for (unsigned k = 0; k < made; k++)
                __builtin_prefetch(&depths[slides_rank(slides, children[k])], 1);
            make_room(&next);
            for (unsigned k = 0; k < made; k++)
                add_unseen(slides, depths, (uint8_t)(depth + 1), &next, children[k]);
        }
    }
    free(layer.codes);
    free(next.codes);
    distances->depth = depths;
    return true;
}

int distances_of(const struct distances *distances, const struct board *board)
{
    if (!board_connected(board, &distances->ranking.goal))
        return -1;
    return distances->depth[ranking_rank(&distances->ranking, board)];
}

void distances_end(struct distances *distances)
{
    free(distances->depth);
    distances->depth = NULL;
}
