#include "harness/results/row_cover.h"
#include "base/heap.h"

enum { MOST_KEPT = 16 }; /* goals and heuristics: some megabytes each */

static void end_first(struct row_covers *covers)
{
    SCOPED struct row_covered *first = covers->items[0];
    covers_end(&first->covers);
    distances_end(&first->distances);
    covers->count--;
    memmove(covers->items, covers->items + 1, covers->count * sizeof *covers->items);
}

void row_covers_end(struct row_covers *covers)
{
    while (covers->count > 0)
        end_first(covers);
    free(covers->items);
    *covers = (struct row_covers){0};
}

static bool is_same(const struct heuristic_choice *a, const struct heuristic_choice *b)
{
    return a->kind == b->kind && strcmp(a->argument, b->argument) == 0 &&
           memcmp(a->options, b->options, sizeof a->options) == 0;
}

/* What the covers of a goal and a heuristic are counted with. */
static struct row_covered *find(struct row_covers *covers, const struct board *goal,
                                const struct heuristic_choice *choice)
{
    for (size_t i = 0; i < covers->count; i++)
        if (board_equal(&covers->items[i]->goal, goal) &&
            is_same(&covers->items[i]->choice, choice))
            return covers->items[i];
    if (covers->count == MOST_KEPT)
        end_first(covers);
    struct row_covered *covered = heap_take(1, sizeof *covered);
    covered->goal = *goal;
    covered->choice = *choice;
    distances_make(goal, &covered->distances);
    covers_start(&covered->covers, &covered->distances, &covered->choice);
    covers->items = heap_grow(covers->items, covers->count, sizeof(struct row_covered *));
    return covers->items[covers->count++] = covered;
}

const uint64_t *row_cover_of(struct row_covers *covers, const struct run *run)
{
    const struct instance *instance = run->instance;
    struct heuristic_choice choice = run->solver->heuristic;
    if (run->external != NULL || instance->goal.shape.cells > MAX_TABLE_CELLS ||
        !board_connected(&instance->start, &instance->goal))
        return NULL;
    if (choice.kind == NULL)
        choice = (struct heuristic_choice){.kind = heuristic_find("zero"), .argument = ""};
    SCOPED char *reason = heuristic_refuses(&choice, &instance->start);
    if (reason != NULL || (heuristic_properties(&choice) & CONSISTENT) == 0)
        return NULL;
    struct row_covered *covered = find(covers, &instance->goal, &choice);
    if (!covered->counted || !board_equal(&covered->start, &instance->start)) {
        covered->start = instance->start;
        covered->cover = cover_of(&covered->covers, &covered->start).size[1];
        covered->counted = true;
    }
    return &covered->cover;
}
