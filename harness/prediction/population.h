/* The boards that can reach a goal, by the cell of the blank and h: all of them, or a sample, which
 * is uniform or tilted towards the goal (tilted.h). */
#pragma once

#include "harness/prediction/tilted.h"

/* Boards of a population that are alike. */
struct population_class {
    uint8_t blank;
    uint16_t h;
    uint16_t manhattan; /* their Manhattan distance; 0 where boards are not drawn by it */
    uint64_t boards;
};

struct population {
    const struct tilted *tilted; /* what drew the boards; NULL: all or uniform ones */
    bool exact;                  /* all boards */
    uint64_t drawn;              /* boards; of tilted ones also those that cannot reach the goal */
    struct population_class *classes; /* owned */
    size_t count;
    size_t *index; /* owned; hash table of the classes, 1 more than their place; 0: none */
    size_t places;
};

/* An empty population; population_end frees what is added. */
void population_start(struct population *population, const struct tilted *tilted, bool exact);
void population_end(struct population *population);

/* Adds a board that can reach the goal, by its h; `solvable` false: counts as drawn alone. Returns
 * its weight: to how many boards of those drawn it amounts. */
double population_add(struct population *population, const struct board *board, unsigned h,
                      bool solvable);

/* A mean over all boards that can reach the goal; `error` is its standard error, 0 if all were
 * added, NaN if fewer than two were drawn. */
struct estimate {
    double mean;
    double error;
};

/* The mean of a function of a board's blank cell and h. */
struct estimate population_mean(const struct population *population,
                                double (*value)(const void *context, unsigned blank, unsigned h),
                                const void *context);
