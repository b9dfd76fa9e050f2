#include "instances/instance.h"
#include "base/heap.h"
#include "puzzle/distance.h"
#include "puzzle/replay.h"

void instance_add(struct instance_list *list, const char *set, const char *name,
                  const struct board *start, const struct board *goal, int optimal_length)
{
    struct instance *added = HEAP_ADD(list->items, list->count);
    *added = (struct instance){.set = heap_text(set),
                               .name = heap_text(name),
                               .start = *start,
                               .goal = *goal,
                               .optimal_length = optimal_length};
    for (unsigned i = 0; i < COST_MODELS; i++)
        added->optimal_costs[i] = COST_UNKNOWN;
}

const struct move_costs *instance_costs(const struct instance *instance, struct move_costs *made)
{
    if (instance->cost == COST_unit)
        return NULL;
    *made = costs_make(instance->cost, instance->start.shape);
    return made;
}

uint64_t instance_optimal_cost(const struct instance *instance)
{
    if (instance->cost != COST_unit)
        return instance->optimal_costs[instance->cost];
    return instance->optimal_length == LENGTH_UNKNOWN ? COST_UNKNOWN
                                                      : (uint64_t)instance->optimal_length;
}

uint64_t path_cost_of(const struct instance *instance, const struct result *result)
{
    const struct move_costs costs = costs_make(instance->cost, instance->start.shape);
    const struct replay replay =
        replay_path(&instance->start, &instance->goal, result->moves, result->length);
    uint64_t cost;
    return replay_cost(&replay, &costs, &cost) ? cost : COST_UNKNOWN;
}

/* The index of the first instance from `first` on whose unknown length a table can give, or
 * list->count. */
static size_t next_unknown(const struct instance_list *list, size_t first)
{
    while (first < list->count &&
           (list->items[first].optimal_length != LENGTH_UNKNOWN ||
            list->items[first].start.shape.cells > MAX_TABLE_CELLS ||
            !board_connected(&list->items[first].start, &list->items[first].goal)))
        first++;
    return first;
}

void instances_look_up_optimal(struct instance_list *list)
{
    /* One table at a time, for all instances with its goal. */
    for (size_t first = next_unknown(list, 0); first < list->count;
         first = next_unknown(list, first)) {
        struct distances distances;
        const struct board goal = list->items[first].goal;
        if (!distances_make(&goal, &distances))
            return;
        for (size_t i = first; i < list->count; i = next_unknown(list, i + 1))
            if (board_equal(&list->items[i].goal, &goal))
                list->items[i].optimal_length = distances_of(&distances, &list->items[i].start);
        distances_end(&distances);
    }
}

void instance_list_end(struct instance_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].set);
        free(list->items[i].name);
    }
    free(list->items);
    *list = (struct instance_list){0};
}

bool path_holds(const struct instance *instance, const struct result *result)
{
    return result->moves != NULL && strlen(result->moves) == result->length &&
           replay_path(&instance->start, &instance->goal, result->moves, result->length).outcome ==
               REPLAY_REACHES_GOAL;
}
