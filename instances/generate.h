/* Generated instances: random ones, or all boards.
 *
 * Each instance is drawn from a random stream of its own (base/random.h: key = seed, counter = set,
 * depth and index), so that instance i does not depend on the count, the other sets, the number of
 * jobs or the order. The set is represented by a hash of its name. This also holds without
 * duplicates: an instance that equals an earlier one is drawn again from its own stream. */
#ifndef INSTANCES_GENERATE_H
#define INSTANCES_GENERATE_H

#include "instances/instance.h"

enum method {
    METHOD_UNIFORM, /* uniform over the boards that can reach the goal */
    METHOD_WALK,  /* `steps` random moves away from the goal, none of which undoes the one before */
    METHOD_DEPTH, /* uniform over the boards at an exact optimal distance; shapes of up to 10 cells
                   */
    METHOD_ALL,   /* every board that can reach the goal, each once; shapes of up to 10 cells. With
                     depths: every board at those optimal distances, of any shape */
    METHODS
};

extern const char *const method_names[METHODS];

struct generation {
    const char *set; /* the set's name */
    enum method method;
    struct board goal; /* also gives the shape */
    uint64_t seed;
    uint32_t count;         /* of instances; for METHOD_DEPTH of each depth; not for METHOD_ALL */
    uint32_t steps;         /* METHOD_WALK */
    const uint32_t *depths; /* METHOD_DEPTH, METHOD_ALL */
    size_t depth_count;
    bool distinct; /* no board twice */
};

/* The number of boards that can reach a goal of this shape, if it is less than 2^32; else some
 * number above that.
 */
uint64_t connected_boards(struct shape shape);

/* How many boards METHOD_ALL with depths may pass on its way, and how many it gives at most. */
enum { MAX_LAYER = 200000 };

/* Adds the instances to `list`, named 1, 2, .. or, for METHOD_DEPTH, d08-1, d08-2, .. (the d keeps
 * spreadsheets from reading a date; an index with leading zeros would change with the count, and so
 * would all names). METHOD_ALL names them by their rank (puzzle/rank.h), from 1; with depths, as
 * METHOD_DEPTH does, in the order of their tiles. Returns false, with the problem at (line, column)
 * of the report, if there are too few boards for `distinct`, no board at a depth, more than
 * MAX_LAYER at one, or no exact table for the shape. */
bool instances_generate(const struct generation *generation, size_t line, size_t column,
                        struct report *report, struct instance_list *list);

#endif
