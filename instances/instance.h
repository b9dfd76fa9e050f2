/* Instances: a start, a goal and, if known, the distance between them. */
#pragma once

#include "base/report.h"
#include "puzzle/costs.h"
#include "search/task.h"

enum { LENGTH_UNKNOWN = -1 };
#define COST_UNKNOWN UINT64_MAX

struct instance {
    char *set;  /* owned: the set's name */
    char *name; /* owned: the instance's name, unique within its set */
    struct board start;
    struct board goal;
    size_t line;          /* its line in the file that it was read from; 0: it was generated */
    int optimal_length;   /* LENGTH_UNKNOWN if neither the set nor an exact table gives it */
    enum cost_model cost; /* what moves cost */
    uint64_t optimal_costs[COST_MODELS]; /* of a cheapest solution, in the scale of each model's
                                            costs; COST_UNKNOWN. Of `unit`: see optimal_length */
};

struct instance_list {
    struct instance *items; /* owned */
    size_t count;
};

/* Adds an instance; both names are copied. */
void instance_add(struct instance_list *list, const char *set, const char *name,
                  const struct board *start, const struct board *goal, int optimal_length);

/* Fills in the optimal lengths that exact tables give: those of boards of up to 10 cells that can
 * reach their goal. */
void instances_look_up_optimal(struct instance_list *list);

/* What moves cost: NULL if 1 each, else `made`, which is filled in. */
const struct move_costs *instance_costs(const struct instance *instance, struct move_costs *made);

/* The cost of a cheapest solution by the instance's own model, or COST_UNKNOWN. */
uint64_t instance_optimal_cost(const struct instance *instance);

/* What the path of a result costs by the instance's model, which it must hold; added up by the
 * verifier (puzzle/replay.h). COST_UNKNOWN if that is beyond 64 bits. */
uint64_t path_cost_of(const struct instance *instance, const struct result *result);

/* Whether the path of a result leads from the instance's start to its goal. */
bool path_holds(const struct instance *instance, const struct result *result);

void instance_list_end(struct instance_list *list);
