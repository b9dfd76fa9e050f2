#include "harness/prediction/estimators.h"
#include "base/heap.h"
#include "puzzle/moves.h"
#include <math.h>

/* A node of a tree that is probed. */
struct node {
    struct board board;
    unsigned h;
    unsigned back; /* the move to the parent; MOVES at the root */
    double weight; /* how many nodes it stands for */
};

/* The children of a node at depth g that the round keeps: those with f up to the threshold. */
static unsigned children_of(const struct heuristic *heuristic, const struct node *node, unsigned g,
                            unsigned threshold, struct node children[MOVES])
{
    unsigned count = 0;
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned from = node->board.blank;
        const unsigned to = move_target(node->board.shape, from, move);
        if (to == NO_CELL || move == node->back)
            continue;
        struct node *child = &children[count];
        *child =
            (struct node){.board = node->board, .back = move_undo(move), .weight = node->weight};
        const unsigned tile = child->board.cell[to];
        board_slide(&child->board, to);
        child->h = heuristic->kind->step(heuristic, &child->board, node->h, tile, to, from);
        count += g + 1 + child->h <= threshold;
    }
    return count;
}

static struct node root_of(const struct heuristic *heuristic, const struct board *start)
{
    return (struct node){.board = *start,
                         .h = heuristic->kind->evaluate(heuristic, start),
                         .back = MOVES,
                         .weight = 1};
}

static struct estimate mean_of(double sum, double squares, unsigned count)
{
    const double mean = sum / count;
    const double variance = squares / count - mean * mean;
    return (struct estimate){
        .mean = mean, .error = count < 2 ? NAN : sqrt((variance > 0 ? variance : 0) / (count - 1))};
}

struct estimate knuth_estimate(const struct heuristic *heuristic, const struct board *start,
                               unsigned threshold, unsigned probes, gsl_rng *generator)
{
    const struct node root = root_of(heuristic, start);
    double sum = 0, squares = 0;
    for (unsigned i = 0; i < probes && root.h <= threshold; i++) {
        struct node node = root;
        double total = 1;
        for (unsigned g = 0;; g++) {
            struct node children[MOVES];
            const unsigned count = children_of(heuristic, &node, g, threshold, children);
            if (count == 0)
                break;
            node = children[gsl_rng_uniform_int(generator, count)];
            node.weight *= count;
            total += node.weight;
        }
        sum += total;
        squares += total * total;
    }
    return mean_of(sum, squares, probes);
}

/* The nodes that are followed on a level, one of a type. */
struct level {
    struct node *nodes; /* owned */
    size_t count;
    size_t *place; /* owned; by type: 1 more than the node's place; 0: none */
};

static size_t type_of(const struct node *node, unsigned threshold)
{
    return ((size_t)node->board.blank * (MOVES + 1) + node->back) * (threshold + 1) + node->h;
}

/* Adds a node to a level, or lets it stand for the one of its type with a chance by its weight. */
static void level_add(struct level *level, const struct node *node, unsigned threshold,
                      gsl_rng *generator)
{
    size_t *place = &level->place[type_of(node, threshold)];
    if (*place == 0) {
        *HEAP_ADD(level->nodes, level->count) = *node;
        *place = level->count;
        return;
    }
    struct node *followed = &level->nodes[*place - 1];
    const double weight = followed->weight + node->weight;
    if (gsl_rng_uniform(generator) * weight < node->weight)
        *followed = *node;
    followed->weight = weight;
}

static void level_clear(struct level *level, unsigned threshold)
{
    for (size_t i = 0; i < level->count; i++)
        level->place[type_of(&level->nodes[i], threshold)] = 0;
    level->count = 0;
}

static double chen_probe(const struct heuristic *heuristic, const struct node *root,
                         unsigned threshold, struct level pair[2], gsl_rng *generator)
{
    double total = 0;
    level_add(&pair[0], root, threshold, generator);
    for (unsigned g = 0; pair[g % 2].count > 0; g++) {
        struct level *now = &pair[g % 2], *next = &pair[(g + 1) % 2];
        for (size_t i = 0; i < now->count; i++) {
            struct node children[MOVES];
            const unsigned count = children_of(heuristic, &now->nodes[i], g, threshold, children);
            total += now->nodes[i].weight;
            for (unsigned c = 0; c < count; c++)
                level_add(next, &children[c], threshold, generator);
        }
        level_clear(now, threshold);
    }
    return total;
}

struct estimate chen_estimate(const struct heuristic *heuristic, const struct board *start,
                              unsigned threshold, unsigned probes, gsl_rng *generator)
{
    const struct node root = root_of(heuristic, start);
    const size_t types = (size_t)start->shape.cells * (MOVES + 1) * (threshold + 1);
    struct level pair[2] = {{0}};
    double sum = 0, squares = 0;
    for (unsigned i = 0; i < 2; i++)
        pair[i].place = heap_take(types, sizeof *pair[i].place);
    for (unsigned i = 0; i < probes && root.h <= threshold; i++) {
        const double total = chen_probe(heuristic, &root, threshold, pair, generator);
        sum += total;
        squares += total * total;
    }
    for (unsigned i = 0; i < 2; i++)
        FREE(pair[i].nodes, pair[i].place);
    return mean_of(sum, squares, probes);
}

/* ---- Conditional distributions ---- */

void conditional_start(struct conditional *conditional, struct shape shape, unsigned h_end)
{
    *conditional = (struct conditional){.shape = shape, .h_end = h_end};
    conditional->weight =
        heap_take((size_t)shape.cells * MOVES * h_end * h_end, sizeof *conditional->weight);
}

void conditional_end(struct conditional *conditional)
{
    free(conditional->weight);
}

/* The weights of a child's h. */
static double *weights_of(const struct conditional *conditional, unsigned cell, unsigned move,
                          unsigned h)
{
    const size_t end = conditional->h_end;
    return &conditional->weight[(((size_t)cell * MOVES + move) * end + h) * end];
}

void conditional_add(struct conditional *conditional, const struct heuristic *heuristic,
                     const struct board *board, double weight)
{
    struct node children[MOVES];
    const struct node node = root_of(heuristic, board);
    if (node.h >= conditional->h_end)
        return;
    const unsigned count = children_of(heuristic, &node, 0, 1 + MAX_VALUE, children);
    for (unsigned i = 0; i < count; i++)
        if (children[i].h < conditional->h_end)
            weights_of(conditional, board->blank, move_undo(children[i].back),
                       node.h)[children[i].h] += weight;
}

/* Adds the children of `nodes` nodes of one type to the next level. */
static void add_children(const struct conditional *conditional, unsigned cell, unsigned back,
                         unsigned h, unsigned h_max, double nodes, double *next)
{
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned to = move_target(conditional->shape, cell, move);
        if (to == NO_CELL || move == back)
            continue;
        const double *weight = weights_of(conditional, cell, move, h);
        double sum = 0;
        for (unsigned i = 0; i < conditional->h_end; i++)
            sum += weight[i];
        for (unsigned i = 0; i <= h_max && i < conditional->h_end && sum > 0; i++)
            next[((size_t)to * (MOVES + 1) + move_undo(move)) * conditional->h_end + i] +=
                nodes * weight[i] / sum;
    }
}

double conditional_estimate(const struct conditional *conditional, unsigned blank, unsigned h,
                            unsigned threshold)
{
    const size_t end = conditional->h_end;
    const size_t types = (size_t)conditional->shape.cells * (MOVES + 1) * end;
    double *pair[2] = {heap_take(types, sizeof(double)), heap_take(types, sizeof(double))};
    double total = 0;
    if (h <= threshold && h < end)
        pair[0][((size_t)blank * (MOVES + 1) + MOVES) * end + h] = 1;
    for (unsigned g = 0; g <= threshold; g++) {
        double *now = pair[g % 2], *next = pair[(g + 1) % 2];
        for (size_t i = 0; i < types; i++)
            next[i] = 0;
        for (size_t i = 0; i < types; i++) {
            if (now[i] == 0)
                continue;
            const unsigned type = (unsigned)(i / end);
            total += now[i];
            if (g < threshold)
                add_children(conditional, type / (MOVES + 1), type % (MOVES + 1),
                             (unsigned)(i % end), threshold - g - 1, now[i], next);
        }
    }
    FREE(pair[0], pair[1]);
    return total;
}
