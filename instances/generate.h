/* Generated instances: random ones, or all boards.
 *
 * Each instance is drawn from a random stream of its own (base/random.h: key = seed, counter = set,
 * depth and index), so that instance i does not depend on the count, the other sets, the number of
 * jobs or the order. The set is represented by a hash of its name. This also holds without
 * duplicates: an instance that equals an earlier one is drawn again from its own stream. */
#pragma once

#include "instances/instance.h"

enum method {
#define METHOD(name, needs, takes, max_cells, max_cells_at_depths) METHOD_##name,
#include "instances/methods.def"
#undef METHOD
    METHODS
};

enum { METHOD_KEYS = 4 };

struct method_row {
    const char *name;
    const char *needs[METHOD_KEYS], *takes[METHOD_KEYS]; /* settings; the rest is NULL */
    unsigned max_cells[2]; /* of boards: without depths, and with them */
};
extern const struct method_row methods[METHODS];

extern const char *const method_names[METHODS];

/* Whether a method must have or may have a setting. */
bool method_needs(enum method method, const char *key);
bool method_takes(enum method method, const char *key);

struct generation {
    const char *set; /* the set's name */
    enum method method;
    struct board goal; /* also gives the shape */
    uint64_t seed;
    uint32_t count;         /* of instances, with depths of each depth; 0 if the method has none */
    uint32_t steps;         /* of a walk */
    const uint32_t *depths; /* optimal distances */
    size_t depth_count;
    bool distinct;   /* no board twice */
    bool unsolvable; /* of method uniform: boards that cannot reach the goal */
};

/* How many boards these settings give; 0 where only making them shows it. */
uint64_t generation_boards(const struct generation *generation);

/* How many boards method all with depths may pass on its way, and how many it gives at most. */
enum { MAX_LAYER = 200000 };

/* Adds the instances to `list`, named 1, 2, .. or, with depths, d08-1, d08-2, .. (the d keeps
 * spreadsheets from reading a date; an index with leading zeros would change with the count, and so
 * would all names). Method all names them by their rank (puzzle/rank.h), from 1; with depths, as
 * above, in the order of their tiles. Returns false, with the problem at `place`
 * of the report, if there are too few boards for `distinct`, no board at a depth, more than
 * MAX_LAYER at one, or no exact table for the shape. */
bool instances_generate(const struct generation *generation, struct text_place place,
                        struct report *report, struct instance_list *list);
