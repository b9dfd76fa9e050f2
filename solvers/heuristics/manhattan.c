/* Manhattan distance: the sum of the tiles' horizontal and vertical distances from their goal cells
 * (Doran and Michie, "Experiments with the Graph Traverser program", Proceedings of the Royal
 * Society A 294, 1966; h2 in Russell and Norvig). */
#include "base/heap.h"
#include "heuristics/heuristic.h"

DECLARE_HEURISTIC(manhattan);

const struct option_row manhattan_options[] = NO_OPTIONS;

/* The distance of each tile on each cell from its goal cell; 0 for the blank. */
struct steps {
    uint8_t of[MAX_CELLS][MAX_CELLS];
};

void manhattan_prepare(struct heuristic *heuristic)
{
    struct steps *steps = heap_take(1, sizeof *steps);
    for (unsigned tile = 1; tile < heuristic->goal.shape.cells; tile++)
        for (unsigned cell = 0; cell < heuristic->goal.shape.cells; cell++)
            steps->of[tile][cell] =
                (uint8_t)shape_distance(heuristic->goal.shape, cell, heuristic->home[tile]);
    heuristic->data = steps;
}

unsigned manhattan_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct steps *steps = heuristic->data;
    unsigned sum = 0;
    for (unsigned i = 0; i < board->shape.cells; i++)
        sum += steps->of[board->cell[i]][i];
    return sum;
}

unsigned manhattan_step(const struct heuristic *heuristic, const struct board *child, unsigned h,
                        unsigned tile, unsigned from, unsigned to)
{
    const struct steps *steps = heuristic->data;
    (void)child;
    return h + steps->of[tile][to] - steps->of[tile][from];
}

/* Each step of a tile costs what moving it costs. */
static uint64_t manhattan_priced(const struct heuristic *heuristic, const struct board *board)
{
    const struct steps *steps = heuristic->data;
    uint64_t sum = 0;
    for (unsigned i = 0; i < board->shape.cells; i++)
        sum += steps->of[board->cell[i]][i] * heuristic->costs->of[board->cell[i]];
    return sum;
}

static uint64_t manhattan_priced_step(const struct heuristic *heuristic, const struct board *child,
                                      uint64_t h, unsigned tile, unsigned from, unsigned to)
{
    const struct steps *steps = heuristic->data;
    const uint64_t cost = heuristic->costs->of[tile];
    (void)child;
    return h + cost * steps->of[tile][to] - cost * steps->of[tile][from];
}

const struct heuristic_extras manhattan_extras = {.priced = manhattan_priced,
                                                  .priced_step = manhattan_priced_step};
