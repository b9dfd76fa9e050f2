#include "heuristics/pdb_priced.h"
#include "base/heap.h"
#include "heuristics/pdb.h"

enum { MAX_PLACEMENTS = 1 << 20 };

/* A group of tiles on a board. */
struct group {
    const struct pattern_table *table;
    uint8_t slot_of[MAX_CELLS]; /* by tile: its slot + 1; 0: it is of another group */
};

struct priced_pdb {
    unsigned count;
    struct group group[];
};

/* The table of a group; NULL, with a text in *problem unless that is NULL, if it cannot be had. */
static const struct pattern_table *table_of(const struct pattern *pattern, const struct board *goal,
                                            enum cost_model model,
                                            const struct pattern_watcher *watcher, char **problem)
{
    const struct pattern priced = pattern_priced(pattern, goal, model);
    return pattern_table_hold(&priced, false, watcher, problem);
}

/* The groups of a heuristic that is not refused. */
static struct pdb_settings settings_of(const char *argument, const struct board *goal)
{
    struct pdb_settings settings;
    SCOPED_BY(report_end) struct report report = {0};
    if (!pdb_settings_make(argument, goal, &report, &settings))
        heap_exhausted(); /* it is not refused: pdb_refuses, pdb_unpriced */
    return settings;
}

bool pdb_priced_build(const struct heuristic_choice *choice, const struct board *goal,
                      enum cost_model model, const struct pattern_watcher *watcher, char **problem)
{
    SCOPED_BY(pdb_settings_end)
    struct pdb_settings settings = settings_of(choice->argument, goal);
    const struct partition *partition = &settings.partitions[0];
    bool fine = true;
    for (unsigned i = 0; i < partition->count && fine; i++)
        fine = table_of(&partition->group[i], goal, model, watcher, problem) != NULL;
    return fine;
}

void *pdb_priced_make(const struct heuristic *heuristic)
{
    const struct board *goal = &heuristic->goal;
    SCOPED_BY(pdb_settings_end)
    struct pdb_settings settings = settings_of(heuristic->choice.argument, goal);
    const struct partition *partition = &settings.partitions[0];
    struct priced_pdb *pdb = heap_take(1, sizeof *pdb + partition->count * sizeof pdb->group[0]);
    pdb->count = partition->count;
    for (unsigned i = 0; i < pdb->count; i++) {
        const struct pattern *pattern = &partition->group[i];
        SCOPED char *problem = NULL;
        pdb->group[i].table = table_of(pattern, goal, heuristic->costs->model, NULL, &problem);
        if (pdb->group[i].table == NULL)
            heap_exhausted();
        for (unsigned slot = 0; slot < pattern->count; slot++)
            pdb->group[i].slot_of[goal->cell[pattern->cell[slot]]] = (uint8_t)(slot + 1);
    }
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
        sum += pattern_costs(group->table)[pattern_rank(&group->table->pattern, at)];
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
