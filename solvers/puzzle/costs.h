/* Costs of moves: what moving each tile costs, in exact whole numbers.
 *
 * A model (costs.def) says what moving tile t costs, as a fraction. All costs of a shape are
 * multiplied by one number, the scale: the least common multiple of the denominators (fractional on
 * 4x4: 720,720). Sums of 64 bits are then exact. */
#pragma once

#include "puzzle/shape.h"
#include <stddef.h>

enum cost_model {
#define COST(name, numerator, denominator, summary) COST_##name,
#include "puzzle/costs.def"
#undef COST
    COST_MODELS
};

extern const char *const cost_names[COST_MODELS];

struct move_costs {
    enum cost_model model;
    uint64_t scale;         /* a cost of 1 */
    uint64_t least;         /* the cost of the cheapest move */
    uint64_t most;          /* and of the dearest */
    uint64_t of[MAX_CELLS]; /* of moving each tile; 0 for the blank */
};

/* The costs of a model on a shape. No path of fewer than 2^15 moves overflows 64 bits. */
struct move_costs costs_make(enum cost_model model, struct shape shape);

/* The greatest common divisor; of 0 and another, that one. */
uint64_t common_divisor(uint64_t a, uint64_t b);

/* Reads the name of a model. False if there is none of that name. */
bool cost_model_parse(const char *text, enum cost_model *model);

/* The size of the longest text of a cost, its zero byte included. */
enum { COST_TEXT = 64 };

/* A cost of a scale as an exact number: decimal where that ends, else a fraction in lowest terms:
 * "41", "7.125", "47/12". Returns `text`. */
char *cost_text(uint64_t cost, uint64_t scale, char text[COST_TEXT]);

/* Reads such a text, or a decimal of as many digits as you like that is rounded to the nearest cost
 * of that scale. False if it is neither, negative or too large. */
bool cost_parse(const char *text, uint64_t scale, uint64_t *cost);
