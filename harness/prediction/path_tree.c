#include "harness/prediction/path_tree.h"
#include "base/heap.h"
#include "puzzle/moves.h"
#include <math.h>

enum { GROWTH_LEVELS = 2000 };

/* How many nodes of a level have the blank on a cell, by the move that came last. */
typedef double level[MAX_CELLS][MOVES + 1];

static void next_level(struct shape shape, level now, level next)
{
    memset(next, 0, sizeof(level));
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned last = 0; last <= MOVES; last++)
            for (unsigned move = 0; move < MOVES; move++) {
                const unsigned to = move_target(shape, cell, move);
                if (to != NO_CELL && (last == MOVE_NONE || move != move_undo(last)))
                    next[to][move] += now[cell][last];
            }
}

static double level_sum(level nodes)
{
    double sum = 0;
    for (unsigned cell = 0; cell < MAX_CELLS; cell++)
        for (unsigned last = 0; last <= MOVES; last++)
            sum += nodes[cell][last];
    return sum;
}

void path_tree_make(struct shape shape, unsigned levels, struct path_tree *tree)
{
    level pair[2];
    *tree = (struct path_tree){.shape = shape, .levels = levels};
    tree->nodes = heap_take((size_t)shape.cells * levels, sizeof *tree->nodes);
    tree->mean = heap_take(levels, sizeof *tree->mean);
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        double *nodes = &tree->nodes[(size_t)cell * levels];
        memset(pair[0], 0, sizeof(level));
        pair[0][cell][MOVE_NONE] = 1;
        for (unsigned i = 0; i < levels; i++) {
            nodes[i] = level_sum(pair[i % 2]) + (i > 0 ? nodes[i - 1] : 0);
            tree->mean[i] += nodes[i] / shape.cells;
            next_level(shape, pair[i % 2], pair[(i + 1) % 2]);
        }
    }
}

void path_tree_end(struct path_tree *tree)
{
    FREE(tree->nodes, tree->mean);
}

double path_tree_branching_factor(struct shape shape)
{
    level pair[2];
    memset(pair[0], 0, sizeof(level));
    for (unsigned cell = 0; cell < shape.cells; cell++)
        pair[0][cell][MOVE_NONE] = 1;
    double growth = 1;
    for (unsigned i = 0; i < GROWTH_LEVELS; i++) { /* two levels at a time; the sum is kept at 1 */
        const double before = level_sum(pair[0]);
        next_level(shape, pair[0], pair[1]);
        next_level(shape, pair[1], pair[0]);
        const double after = level_sum(pair[0]);
        growth = after / before;
        for (unsigned cell = 0; cell < MAX_CELLS; cell++)
            for (unsigned last = 0; last <= MOVES; last++)
                pair[0][cell][last] /= after;
    }
    return sqrt(growth);
}

/* A node on the path of a walk. */
struct step {
    unsigned h, max_f; /* the largest g + h from the root to here */
    uint8_t back;      /* the move to the parent; MOVES at the root */
    uint8_t turn;      /* moves tried so far */
};

bool path_tree_walk(const struct heuristic *heuristic, const struct board *start, unsigned end,
                    uint64_t limit, uint64_t *nodes)
{
    struct board board = *start;
    SCOPED struct step *path = heap_take((size_t)end + 1, sizeof *path);
    unsigned g = 0;
    uint64_t walked = 0;
    SCOPED uint64_t *at = heap_take((size_t)end + 1, sizeof *at); /* nodes by max_f */
    path[0].h = path[0].max_f = heuristic->kind->evaluate(heuristic, &board);
    path[0].back = MOVES;
    bool more = path[0].max_f < end;
    if (more)
        at[path[0].max_f] += ++walked;
    while (more && walked <= limit) {
        struct step *step = &path[g];
        if (step->turn == MOVES) {
            if (g-- == 0)
                break;
            board_slide(&board, move_target(board.shape, board.blank, step->back));
            continue;
        }
        const unsigned move = step->turn++, from = board.blank;
        const unsigned to = move_target(board.shape, from, move);
        if (to == NO_CELL || move == step->back)
            continue;
        const unsigned tile = board.cell[to];
        board_slide(&board, to);
        const unsigned h = heuristic->kind->step(heuristic, &board, step->h, tile, to, from);
        const unsigned f = g + 1 + h;
        if (f >= end) {
            board_slide(&board, from);
            continue;
        }
        path[++g] = (struct step){
            .h = h, .max_f = f > step->max_f ? f : step->max_f, .back = (uint8_t)move_undo(move)};
        at[path[g].max_f]++;
        walked++;
    }
    uint64_t sum = 0;
    for (unsigned t = 0; t < end; t++)
        nodes[t] += sum += at[t];
    return walked <= limit;
}
