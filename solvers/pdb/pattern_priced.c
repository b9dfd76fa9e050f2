#include "pdb/pattern_priced.h"
#include "base/cost_heap.h"
#include "base/pages.h"
#include "puzzle/moves.h"

/* A state on the open list: a placement, and a cell of the region that holds the blank. */
struct state {
    uint64_t cost;
    uint8_t at[MAX_PATTERN];
    uint8_t blank;
};

/* Puts each state on the open list that a move of one tile makes of a state. Moves are as dear
 * back as forth. */
static void expand(const struct pattern *pattern, const struct move_costs *costs,
                   const struct state *state, const uint8_t region[MAX_CELLS],
                   struct cost_heap *open)
{
    for (unsigned slot = 0; slot < pattern->count; slot++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned to = move_target(pattern->shape, state->at[slot], move);
            if (to == NO_CELL || region[to] != region[state->blank])
                continue;
            struct state next = *state;
            next.cost += costs->of[pattern->tile[slot]];
            next.blank = state->at[slot];
            next.at[slot] = (uint8_t)to;
            cost_heap_push(open, &next, sizeof next);
        }
}

/* Fills the values; `closed` has a bit for each region of an entry. False if it is stopped. */
static bool fill(const struct pattern *pattern, uint64_t *values, uint8_t *closed,
                 pattern_progress *progress, void *context)
{
    enum { EACH = 1 << 16 };
    const struct move_costs costs = costs_make((enum cost_model)pattern->model, pattern->shape);
    const uint64_t entries = pattern_entries(pattern);
    struct cost_heap open = {0};
    struct state state = {.blank = pattern->blank};
    uint64_t done = 0, popped = 0;
    bool goes_on = true;
    memcpy(state.at, pattern->cell, sizeof state.at);
    cost_heap_push(&open, &state, sizeof state);
    while (open.count > 0 && goes_on) {
        uint8_t region[MAX_CELLS];
        uint64_t occupied = 0;
        cost_heap_pop(&open, &state, sizeof state);
        for (unsigned slot = 0; slot < pattern->count; slot++)
            occupied |= UINT64_C(1) << state.at[slot];
        pattern_regions(pattern->shape, occupied, region);
        const uint32_t rank = pattern_rank(pattern, state.at);
        const uint8_t bit = (uint8_t)(1U << region[state.blank]);
        if (popped++ % EACH == 0 && progress != NULL)
            goes_on = progress(context, done, entries);
        if ((closed[rank] & bit) != 0)
            continue;
        if (closed[rank] == 0) {
            values[rank] = state.cost;
            done++;
        }
        closed[rank] |= bit;
        expand(pattern, &costs, &state, region, &open);
    }
    free(open.items);
    return goes_on;
}

uint8_t *pattern_priced_build(const struct pattern *pattern, pattern_progress *progress,
                              void *context, const char **problem)
{
    uint64_t *values = pages_take(pattern_bytes(pattern));
    uint8_t *closed = values == NULL ? NULL : pages_take(pattern_entries(pattern));
    const bool whole = closed != NULL && fill(pattern, values, closed, progress, context);
    if (!whole) {
        *problem = closed == NULL ? "not enough memory" : "stopped";
        pages_end(values, pattern_bytes(pattern));
        values = NULL;
    }
    pages_end(closed, pattern_entries(pattern));
    return (uint8_t *)values;
}
