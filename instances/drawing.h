/* What the methods of instances/methods.def share: drawing boards one by one, each from a random
 * stream of its own, and keeping those that are new. */
#pragma once

#include "instances/generate.h"
#include "puzzle/moves.h"
#include <gsl/gsl_rng.h>

struct drawing {
    const struct generation *generation;
    gsl_rng *generator; /* set to the board's stream before it is drawn */
    struct operators operators;
    uint32_t set;   /* the set's number in the random streams */
    uint32_t depth; /* of the boards that are drawn now */
    void *own;      /* the method's */
    struct instance_list *list;
    struct text_place place; /* where problems are reported */
    struct report *report;
};

typedef struct board draw_board(struct drawing *drawing);

/* Draws generation->count boards and adds them to the list: named 1, 2, .., with depths d08-1, ...
 * Where `distinct` is set, a board that equals an earlier one of this call is drawn again, up to
 * `max_draws` times in a row. False if that was not enough; the list has those found so far. */
bool draw_batch(struct drawing *drawing, draw_board *draw, uint32_t max_draws);

/* What suffices where `count` is known not to exceed the boards there are. */
#define DRAWS_UNLIMITED UINT32_MAX

/* Adds a problem at the set's place, and returns false. */
bool drawing_refuse(struct drawing *drawing, const char *format, ...) PRINTF_LIKE(2, 3);

/* The number of boards that can reach a goal of this shape, if it is less than 2^32; else some
 * number above that. */
uint64_t connected_boards(struct shape shape);

#define METHOD(name, needs, takes, max_cells, max_cells_at_depths)                                 \
    bool generate_##name(struct drawing *drawing);
#include "instances/methods.def"
#undef METHOD
