/* Every board that can reach the goal, in the order of its rank; with depths, every board at these
 * optimal distances, breadth first from the goal. */
#include "base/heap.h"
#include "instances/drawing.h"
#include "puzzle/rank.h"
#include <inttypes.h>

static bool generate_ranks(struct drawing *drawing)
{
    const struct generation *generation = drawing->generation;
    struct ranking ranking;
    if (!ranking_make(&generation->goal, &ranking))
        return drawing_refuse(drawing, "%ux%u boards are too many", generation->goal.shape.width,
                              generation->goal.shape.height);
    for (uint32_t rank = 0; rank < ranking.size; rank++) {
        char name[32];
        struct board board;
        ranking_unrank(&ranking, rank, &board);
        snprintf(name, sizeof name, "%" PRIu32, rank + 1);
        instance_add(drawing->list, generation->set, name, &board, &generation->goal,
                     LENGTH_UNKNOWN);
    }
    return true;
}

/* The boards at one distance from the goal, in the order of their tiles. */
struct layer {
    struct board *boards; /* heap memory */
    size_t count;
};

static int by_tiles(const void *a, const void *b)
{
    const struct board *left = a;
    const struct board *right = b;
    return memcmp(left->cell, right->cell, sizeof left->cell);
}

/* The layer after `at`. A neighbour of a board lies one move nearer to the goal or one farther, so
 * what is not in the layer before is new. */
static struct layer next_layer(const struct layer *before, const struct layer *at,
                               const struct operators *operators)
{
    struct layer next = {heap_take(at->count * MOVES + 1, sizeof *next.boards), 0};
    for (size_t i = 0; i < at->count; i++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned to = operators->target[at->boards[i].blank][move];
            if (to == NO_CELL)
                continue;
            struct board board = at->boards[i];
            board_slide(&board, to);
            if (before->count == 0 ||
                bsearch(&board, before->boards, before->count, sizeof board, by_tiles) == NULL)
                next.boards[next.count++] = board;
        }
    size_t kept = 0;
    qsort(next.boards, next.count, sizeof *next.boards, by_tiles);
    for (size_t i = 0; i < next.count; i++)
        if (kept == 0 || by_tiles(&next.boards[kept - 1], &next.boards[i]) != 0)
            next.boards[kept++] = next.boards[i];
    next.count = kept;
    return next;
}

static void add_layer(const struct generation *generation, const struct layer *layer,
                      uint32_t depth, struct instance_list *list)
{
    for (size_t i = 0; i < layer->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "d%02" PRIu32 "-%zu", depth, i + 1);
        instance_add(list, generation->set, name, &layer->boards[i], &generation->goal, (int)depth);
    }
}

static bool is_wanted(const struct generation *generation, uint32_t depth)
{
    for (size_t i = 0; i < generation->depth_count; i++)
        if (generation->depths[i] == depth)
            return true;
    return false;
}

/* Breadth first from the goal, layer by layer. */
static bool generate_layers(struct drawing *drawing)
{
    const struct generation *generation = drawing->generation;
    struct layer before = {0};
    struct layer at = {heap_take(1, sizeof *at.boards), 1};
    uint32_t deepest = 0;
    uint32_t depth = 0;
    for (size_t i = 0; i < generation->depth_count; i++)
        if (generation->depths[i] > deepest)
            deepest = generation->depths[i];
    at.boards[0] = generation->goal;
    for (;; depth++) {
        if (at.count == 0 || at.count > MAX_LAYER)
            break;
        if (is_wanted(generation, depth))
            add_layer(generation, &at, depth, drawing->list);
        if (depth == deepest)
            break;
        const struct layer next = next_layer(&before, &at, &drawing->operators);
        free(before.boards);
        before = at;
        at = next;
    }
    const bool fine = at.count > 0 && at.count <= MAX_LAYER;
    if (at.count == 0)
        drawing_refuse(drawing,
                       "no %ux%u board lies %" PRIu32
                       " moves from this goal; expected a depth from 0 to %" PRIu32,
                       generation->goal.shape.width, generation->goal.shape.height, deepest,
                       depth - 1);
    else if (!fine)
        drawing_refuse(
            drawing, "%zu boards at depth %" PRIu32 "; expected depths below that, or method walk",
            at.count, depth);
    free(before.boards);
    free(at.boards);
    return fine;
}

bool generate_all(struct drawing *drawing)
{
    return drawing->generation->depth_count > 0 ? generate_layers(drawing)
                                                : generate_ranks(drawing);
}
