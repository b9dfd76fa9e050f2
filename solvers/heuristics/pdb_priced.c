#include "heuristics/pdb_priced.h"
#include "base/heap.h"
#include "heuristics/pdb.h"
#include <string.h>

enum { MAX_PLACEMENTS = 1 << 20 };

/* The values of a group, by the rank of its placement; they are never freed. */
struct table {
    struct pattern pattern;
    uint64_t cost[MAX_PATTERN]; /* of moving the tile of each slot */
    uint64_t *values;
    struct table *next;
};

/* A group of tiles on a board. */
struct group {
    const struct table *table;
    uint8_t slot_of[MAX_CELLS]; /* by tile: its slot + 1; 0: it is of another group */
};

struct priced_pdb {
    unsigned count;
    struct group group[];
};

/* A state on the open list: a placement, and a cell of the region that holds the blank. */
struct state {
    uint64_t cost;
    uint8_t at[MAX_PATTERN];
    uint8_t blank;
};

struct open {
    struct state *heap;
    size_t count, room;
};

static void push(struct open *open, struct state state)
{
    open->heap = heap_reserve(open->heap, &open->room, open->count + 1, sizeof *open->heap);
    size_t at = open->count++;
    for (; at > 0 && open->heap[(at - 1) / 2].cost > state.cost; at = (at - 1) / 2)
        open->heap[at] = open->heap[(at - 1) / 2];
    open->heap[at] = state;
}

static struct state pop(struct open *open)
{
    const struct state first = open->heap[0];
    const struct state last = open->heap[--open->count];
    size_t at = 0;
    for (size_t child = 1; child < open->count; child = 2 * at + 1) {
        if (child + 1 < open->count && open->heap[child + 1].cost < open->heap[child].cost)
            child++;
        if (open->heap[child].cost >= last.cost)
            break;
        open->heap[at] = open->heap[child];
        at = child;
    }
    open->heap[at] = last;
    return first;
}

/* Puts each state on the open list that a move of one tile makes of a state. Moves are as dear
 * back as forth. */
static void expand(const struct table *table, const struct state *state,
                   const uint8_t region[MAX_CELLS], struct open *open)
{
    const struct pattern *pattern = &table->pattern;
    for (unsigned slot = 0; slot < pattern->count; slot++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned to = move_target(pattern->shape, state->at[slot], move);
            if (to == NO_CELL || region[to] != region[state->blank])
                continue;
            struct state next = *state;
            next.cost += table->cost[slot];
            next.blank = state->at[slot];
            next.at[slot] = (uint8_t)to;
            push(open, next);
        }
}

static void fill(struct table *table)
{
    const struct pattern *pattern = &table->pattern;
    const uint64_t entries = pattern_entries(pattern);
    uint8_t *closed = heap_take(entries, 1); /* a bit for each region */
    struct open open = {0};
    struct state state = {.blank = pattern->blank};
    memcpy(state.at, pattern->cell, sizeof state.at);
    table->values = heap_take(entries, sizeof *table->values);
    for (push(&open, state); open.count > 0;) {
        uint8_t region[MAX_CELLS];
        uint64_t occupied = 0;
        state = pop(&open);
        for (unsigned slot = 0; slot < pattern->count; slot++)
            occupied |= UINT64_C(1) << state.at[slot];
        pattern_regions(pattern->shape, occupied, region);
        const uint32_t rank = pattern_rank(pattern, state.at);
        const uint8_t bit = (uint8_t)(1U << region[state.blank]);
        if ((closed[rank] & bit) != 0)
            continue;
        if (closed[rank] == 0)
            table->values[rank] = state.cost;
        closed[rank] |= bit;
        expand(table, &state, region, &open);
    }
    free(open.heap);
    free(closed);
}

static const struct table *table_of(const struct pattern *pattern, const struct board *goal,
                                    const struct move_costs *costs)
{
    static struct table *tables;
    struct table wanted = {.pattern = *pattern};
    for (unsigned slot = 0; slot < pattern->count; slot++)
        wanted.cost[slot] = costs->of[goal->cell[pattern->cell[slot]]];
    for (const struct table *table = tables; table != NULL; table = table->next)
        if (shape_equal(table->pattern.shape, pattern->shape) &&
            table->pattern.blank == pattern->blank && table->pattern.count == pattern->count &&
            memcmp(table->pattern.cell, pattern->cell, pattern->count) == 0 &&
            memcmp(table->cost, wanted.cost, sizeof wanted.cost) == 0)
            return table;
    struct table *made = heap_take(1, sizeof *made);
    *made = wanted;
    fill(made);
    made->next = tables;
    tables = made;
    return made;
}

void *pdb_priced_make(const struct heuristic *heuristic)
{
    const struct board *goal = &heuristic->goal;
    struct pdb_settings settings;
    struct report report;
    report_start(&report, NULL);
    if (!pdb_settings_make(heuristic->choice.argument, goal, &report, &settings))
        heap_exhausted(); /* it is not refused: pdb_refuses, pdb_unpriced */
    report_end(&report);
    const struct partition *partition = &settings.partitions[0];
    struct priced_pdb *pdb = heap_take(1, sizeof *pdb + partition->count * sizeof pdb->group[0]);
    pdb->count = partition->count;
    for (unsigned i = 0; i < pdb->count; i++) {
        const struct pattern *pattern = &partition->group[i];
        pdb->group[i].table = table_of(pattern, goal, heuristic->costs);
        for (unsigned slot = 0; slot < pattern->count; slot++)
            pdb->group[i].slot_of[goal->cell[pattern->cell[slot]]] = (uint8_t)(slot + 1);
    }
    pdb_settings_end(&settings);
    return pdb;
}

uint64_t pdb_priced(const struct heuristic *heuristic, const struct board *board)
{
    const struct priced_pdb *pdb = heuristic->data;
    uint64_t sum = 0;
    for (unsigned i = 0; i < pdb->count; i++) {
        const struct group *group = &pdb->group[i];
        uint8_t at[MAX_PATTERN] = {0};
        for (unsigned cell = 0; cell < board->shape.cells; cell++) {
            const unsigned slot = group->slot_of[board->cell[cell]];
            if (slot > 0)
                at[slot - 1] = (uint8_t)cell;
        }
        sum += group->table->values[pattern_rank(&group->table->pattern, at)];
    }
    return sum;
}

bool pdb_unpriced(const struct heuristic_choice *choice)
{
    const char *text = choice->argument;
    unsigned tiles = 1, count = 1, largest = 1, cells = 0;
    for (unsigned i = 0; i < partition_count; i++)
        if (strcmp(partitions[i].name, text) == 0) {
            text = partitions[i].groups;
            cells = (unsigned)partitions[i].width * partitions[i].height;
            break;
        }
    if (strpbrk(text, ":;@") != NULL)
        return true;
    for (const char *at = text; *at != '\0'; at++) {
        count = *at == '/' ? 1 : count + (*at == '.');
        tiles += *at == '/' || *at == '.';
        largest = count > largest ? count : largest;
    }
    uint64_t placements = 1;
    cells = cells == 0 ? tiles + 1 : cells;
    for (unsigned i = 0; i < largest && placements <= MAX_PLACEMENTS; i++)
        placements *= cells - i;
    return placements > MAX_PLACEMENTS;
}
