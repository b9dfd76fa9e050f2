/* Uniform over the boards at an exact optimal distance, from the table of all distances. */
#include "base/heap.h"
#include "instances/drawing.h"
#include "puzzle/distance.h"
#include <inttypes.h>

struct layers {
    struct distances distances;
    uint32_t *ranks; /* of the boards at the depth that is drawn now */
};

static struct board draw_at_depth(struct drawing *drawing)
{
    const struct layers *layers = drawing->own;
    struct board board;
    const uint32_t states = layers->distances.states[drawing->depth];
    const uint32_t chosen = layers->ranks[gsl_rng_uniform_int(drawing->generator, states)];
    ranking_unrank(&layers->distances.ranking, chosen, &board);
    return board;
}

/* Whether there are boards to draw at a depth. */
static bool check_depth(struct drawing *drawing, size_t i, uint32_t states)
{
    const struct generation *generation = drawing->generation;
    const struct layers *layers = drawing->own;
    const uint32_t depth = generation->depths[i];
    for (size_t j = 0; j < i; j++)
        if (generation->depths[j] == depth)
            return drawing_refuse(
                drawing, "depth %" PRIu32 " a second time; expected each depth once", depth);
    if (states == 0)
        return drawing_refuse(drawing,
                              "no %ux%u board lies %" PRIu32
                              " moves from this goal; expected a depth from 0 to %u",
                              generation->goal.shape.width, generation->goal.shape.height, depth,
                              layers->distances.deepest);
    if (generation->distinct && states < generation->count)
        return drawing_refuse(drawing,
                              "too few boards: %" PRIu32 " distinct one%s at depth %" PRIu32
                              "; expected a count of at most that, or distinct: false",
                              states, states == 1 ? "" : "s", depth);
    return true;
}

bool generate_depth(struct drawing *drawing)
{
    const struct generation *generation = drawing->generation;
    struct layers layers = {0};
    struct distances *distances = &layers.distances;
    drawing->own = &layers;
    if (!distances_make(&generation->goal, distances))
        return drawing_refuse(drawing, "no exact table for %ux%u boards",
                              generation->goal.shape.width, generation->goal.shape.height);
    bool fine = true;
    for (size_t i = 0; i < generation->depth_count && fine; i++) {
        const uint32_t depth = generation->depths[i];
        const uint32_t states = depth > distances->deepest ? 0 : distances->states[depth];
        fine = check_depth(drawing, i, states);
        if (!fine)
            break;
        uint32_t found = 0;
        drawing->depth = depth;
        layers.ranks = heap_resize(layers.ranks, states * sizeof *layers.ranks);
        for (uint32_t rank = 0; rank < distances->ranking.size; rank++)
            if (distances->depth[rank] == depth)
                layers.ranks[found++] = rank;
        fine = draw_batch(drawing, draw_at_depth, DRAWS_UNLIMITED);
    }
    free(layers.ranks);
    distances_end(distances);
    return fine;
}
