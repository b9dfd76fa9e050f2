/* Instances: a start, a goal and, if known, the distance between them. */
#ifndef INSTANCES_INSTANCE_H
#define INSTANCES_INSTANCE_H

#include "base/report.h"
#include "puzzle/board.h"
#include "search/task.h"

enum { LENGTH_UNKNOWN = -1 };

struct instance {
    char *set;  /* owned: the set's name */
    char *name; /* owned: the instance's name, unique within its set */
    struct board start;
    struct board goal;
    size_t line;        /* its line in the file that it was read from; 0: it was generated */
    int optimal_length; /* LENGTH_UNKNOWN if neither the set nor an exact table gives it */
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

/* Whether the path of a result leads from the instance's start to its goal. */
bool path_holds(const struct instance *instance, const struct result *result);

void instance_list_end(struct instance_list *list);

#endif
