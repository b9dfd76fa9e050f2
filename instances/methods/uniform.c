/* Uniform over the boards that can reach the goal, or over those that cannot. */
#include "instances/drawing.h"
#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <string.h>

/* Uniform over all permutations; if one is of the wrong half, two of its tiles are swapped, which
 * pairs each board that can reach the goal with one that cannot. */
static struct board draw_uniform(struct drawing *drawing)
{
    const struct board *goal = &drawing->generation->goal;
    uint8_t tiles[MAX_CELLS];
    struct board board;
    memcpy(tiles, goal->cell, sizeof tiles);
    gsl_ran_shuffle(drawing->generator, tiles, goal->shape.cells, sizeof *tiles);
    board_make(goal->shape, tiles, &board);
    if (board_connected(&board, goal) == drawing->generation->unsolvable) {
        unsigned first = board.blank == 0 ? 1 : 0;
        unsigned second = board.blank == first + 1 ? first + 2 : first + 1;
        uint8_t tile = board.cell[first];
        board.cell[first] = board.cell[second];
        board.cell[second] = tile;
    }
    return board;
}

bool generate_uniform(struct drawing *drawing)
{
    const struct generation *generation = drawing->generation;
    const uint64_t boards = connected_boards(generation->goal.shape);
    if (generation->distinct && boards < generation->count)
        return drawing_refuse(drawing,
                              "too few boards: %" PRIu64 " distinct ones can%s reach this goal; "
                              "expected a count of at most that, or distinct: false",
                              boards, generation->unsolvable ? "not" : "");
    return draw_batch(drawing, draw_uniform, DRAWS_UNLIMITED);
}
