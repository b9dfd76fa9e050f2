#include "harness/prediction/tilted.h"
#include "base/heap.h"
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

void tilted_make(const struct board *goal, double base, struct tilted *tilted)
{
    const unsigned cells = goal->shape.cells;
    *tilted = (struct tilted){.goal = *goal, .base = base};
    for (unsigned home = 0; home < cells; home++)
        for (unsigned cell = 0; cell < cells; cell++)
            tilted->factor[goal->cell[home]][cell] =
                home == goal->blank ? 1
                                    : pow(base, -(double)shape_distance(goal->shape, home, cell));
    double *sums = tilted->sums = heap_take((size_t)1 << cells, sizeof *sums);
    sums[0] = 1;
    for (uint32_t set = 1; set < (UINT32_C(1) << cells); set++) {
        const double *factor = tilted->factor[__builtin_popcount(set) - 1];
        double sum = 0;
        for (uint32_t rest = set; rest != 0; rest &= rest - 1)
            sum += sums[set ^ (rest & -rest)] * factor[__builtin_ctz(rest)];
        sums[set] = sum;
    }
    tilted->log_sum = log(sums[((size_t)1 << cells) - 1]);
    tilted->log_boards = gsl_sf_lnfact(cells) - M_LN2;
}

void tilted_end(struct tilted *tilted)
{
    free(tilted->sums);
}

bool tilted_draw(const struct tilted *tilted, gsl_rng *generator, struct board *board)
{
    const unsigned cells = tilted->goal.shape.cells;
    uint32_t set = (UINT32_C(1) << cells) - 1;
    *board = (struct board){.shape = tilted->goal.shape};
    for (unsigned tile = cells; tile-- > 0;) {
        double left = gsl_rng_uniform(generator) * tilted->sums[set];
        uint32_t taken = 0;
        for (uint32_t rest = set; rest != 0 && left >= 0; rest &= rest - 1) {
            taken = rest & -rest;
            left -= tilted->sums[set ^ taken] * tilted->factor[tile][__builtin_ctz(taken)];
        }
        board->cell[__builtin_ctz(taken)] = (uint8_t)tile;
        if (tile == 0)
            board->blank = (uint8_t)__builtin_ctz(taken);
        set ^= taken;
    }
    return board_connected(board, &tilted->goal);
}

double tilted_mean(const struct tilted *tilted)
{
    const struct board *goal = &tilted->goal;
    const unsigned cells = goal->shape.cells;
    gsl_matrix *matrix = gsl_matrix_alloc(cells, cells);
    gsl_permutation *order = gsl_permutation_alloc(cells);
    int sign;
    for (unsigned home = 0; home < cells; home++)
        for (unsigned cell = 0; cell < cells; cell++) {
            const unsigned tile = goal->cell[home];
            const bool odd = tile == 0 && shape_distance(goal->shape, home, cell) % 2 == 1;
            gsl_matrix_set(matrix, home, cell, (odd ? -1 : 1) * tilted->factor[tile][cell]);
        }
    gsl_linalg_LU_decomp(matrix, order, &sign);
    const double determinant = gsl_linalg_LU_det(matrix, sign);
    gsl_permutation_free(order);
    gsl_matrix_free(matrix);
    const double half = (1 + determinant / tilted->sums[((size_t)1 << cells) - 1]) / 2;
    return half * exp(tilted->log_sum - tilted->log_boards);
}
