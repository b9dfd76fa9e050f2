#include "heuristics/pdb.h"
#include "base/heap.h"
#include "pdb/partition.h"
#include <assert.h>
#include <string.h>

/* Whether a cell lies on the diagonal from the top left, and whether on the one from the top right.
 */
static bool on_first(struct shape shape, unsigned cell)
{
    return cell / shape.width == cell % shape.width;
}

static bool on_second(struct shape shape, unsigned cell)
{
    return cell / shape.width + cell % shape.width == shape.width - 1U;
}

bool pdb_reflects(const struct board *goal)
{
    return goal->shape.width == goal->shape.height &&
           (on_first(goal->shape, goal->blank) || on_second(goal->shape, goal->blank));
}

/* The mirror image of a cell at a diagonal that `blank` lies on. */
static unsigned mirror_cell(struct shape shape, unsigned blank, unsigned cell)
{
    const unsigned last = shape.width - 1U;
    const unsigned row = cell / shape.width;
    const unsigned column = cell % shape.width;
    return on_first(shape, blank) ? column * shape.width + row
                                  : (last - column) * shape.width + last - row;
}

static struct pattern mirror_pattern(const struct pattern *pattern, unsigned blank)
{
    struct pattern mirrored = *pattern;
    mirrored.blank = (uint8_t)mirror_cell(pattern->shape, blank, pattern->blank);
    for (unsigned i = 0; i < pattern->count; i++)
        mirrored.cell[i] = (uint8_t)mirror_cell(pattern->shape, blank, pattern->cell[i]);
    return mirrored;
}

/* Lists each step as the table of the group sees it; `back` maps its cells to those of the board.
 */
static void steps_make(struct pdb_group *group, struct shape shape, const uint8_t *back)
{
    for (unsigned to = 0; to < shape.cells; to++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = move_target(shape, to, move);
            struct pdb_step *step = &group->step[to][move];
            if (from == NO_CELL)
                continue;
            const bool ahead = group->map[from] < group->map[to];
            const unsigned first = group->map[ahead ? from : to];
            const unsigned last = group->map[ahead ? to : from];
            step->direction = ahead ? 1 : -1;
            for (unsigned cell = first + 1; cell < last; cell++)
                step->between[step->between_count++] = back[cell];
        }
}

static bool group_make(struct pdb_group *group, const struct board *goal,
                       const struct pattern *pattern, const struct pattern_watcher *watcher,
                       char **problem)
{
    struct pattern canonical;
    uint8_t slot[MAX_PATTERN];
    uint8_t back[MAX_CELLS];
    pattern_canonical(pattern, &canonical, group->map, slot);
    group->table = pattern_table_hold(&canonical, watcher, problem);
    if (group->table == NULL)
        return false;
    group->values = group->table->values;
    group->count = pattern->count;
    for (unsigned i = 0; i < pattern->count; i++)
        group->tile[slot[i]] = goal->cell[pattern->cell[i]];
    for (unsigned cell = 0; cell < goal->shape.cells; cell++)
        back[group->map[cell]] = (uint8_t)cell;
    pattern_weights(&canonical, group->weight);
    steps_make(group, goal->shape, back);
    return true;
}

/* Fills in how moves of the group's tiles change its rank. */
static void changes_make(struct pdb_sum *sum, unsigned number, unsigned width)
{
    const struct pdb_group *group = &sum->group[number];
    for (unsigned slot = 0; slot < group->count; slot++) {
        const unsigned tile = group->tile[slot];
        sum->group_of[tile] = (uint8_t)number;
        sum->ahead[tile] = (int32_t)group->weight[slot];
        sum->leap[tile] = (int32_t)(group->weight[slot] * width);
        for (unsigned other = 0; other < group->count; other++)
            if (other != slot)
                sum->passed[tile][group->tile[other]] =
                    other < slot ? -(int32_t)group->weight[slot] : (int32_t)group->weight[other];
    }
}

struct pdb *pdb_make(const struct board *goal, const struct pattern *groups, unsigned count,
                     bool reflect, const struct pattern_watcher *watcher, char **problem)
{
    assert(!reflect || pdb_reflects(goal));
    const unsigned sums = reflect ? 2 : 1;
    struct pdb *pdb = heap_take(1, sizeof *pdb + sums * count * sizeof(struct pdb_group));
    pdb->sums = sums;
    for (unsigned s = 0; s < sums; s++) {
        struct pdb_sum *sum = &pdb->sum[s];
        sum->count = count;
        sum->group = pdb->groups + s * count;
        for (unsigned i = 0; i < count; i++) {
            const struct pattern pattern =
                s == 0 ? groups[i] : mirror_pattern(&groups[i], goal->blank);
            if (!group_make(&sum->group[i], goal, &pattern, watcher, problem)) {
                free(pdb);
                return NULL;
            }
            changes_make(sum, i, goal->shape.width);
        }
    }
    return pdb;
}

uint32_t pdb_group_rank(const struct pdb_group *group, const struct board *board)
{
    uint8_t where[MAX_CELLS];
    uint8_t at[MAX_PATTERN];
    uint32_t rank = 0;
    for (unsigned cell = 0; cell < board->shape.cells; cell++)
        where[board->cell[cell]] = group->map[cell];
    for (unsigned i = 0; i < group->count; i++) {
        uint32_t digit = at[i] = where[group->tile[i]];
        for (unsigned j = 0; j < i; j++)
            digit -= at[j] < at[i];
        rank += digit * group->weight[i];
    }
    return rank;
}

unsigned pdb_sum_value(const struct pdb_sum *sum, const struct board *board)
{
    unsigned value = 0;
    for (unsigned i = 0; i < sum->count; i++)
        value += sum->group[i].values[pdb_group_rank(&sum->group[i], board)];
    return value;
}

/* The functions of the heuristic's row. */

unsigned pdb_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct pdb *pdb = heuristic->data;
    const unsigned h = pdb_sum_value(&pdb->sum[0], board);
    if (pdb->sums == 1)
        return h;
    const unsigned mirrored = pdb_sum_value(&pdb->sum[1], board);
    return h > mirrored ? h : mirrored;
}

unsigned pdb_step(const struct heuristic *heuristic, const struct board *child, unsigned h,
                  unsigned tile, unsigned from, unsigned to)
{
    const struct pdb *pdb = heuristic->data;
    const struct pdb_sum *sum = &pdb->sum[0];
    if (pdb->sums > 1) /* the two sums do not follow from h */
        return pdb_evaluate(heuristic, child);
    const struct pdb_group *group = &sum->group[sum->group_of[tile]];
    unsigned move = 0;
    while (move_target(child->shape, to, move) != from)
        move++;
    const uint32_t rank = pdb_group_rank(group, child);
    const uint32_t before = rank - (uint32_t)pdb_rank_change(sum, child, tile, to, move);
    return h + group->values[rank] - group->values[before];
}

/* What is written after `pdb:`, PARTITION or PARTITION:reflect: reading it, and making the tables.
 */

#define REFLECT ":reflect"

const struct option_row pdb_options[] = NO_OPTIONS;

/* The text from `at` to `end` without the spaces around it; heap memory. */
static char *trimmed(const char *at, const char *end)
{
    at += strspn(at, " \t");
    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return heap_format("%.*s", end > at ? (int)(end - at) : 0, at);
}

static bool read_reflect(const char *text, size_t line, size_t column, struct report *report)
{
    const char *const words[] = {&REFLECT[1]};
    char *word = trimmed(text, text + strlen(text));
    const bool fine = strcmp(word, words[0]) == 0;
    if (!fine)
        report_unknown(report, line, column + strspn(text, " \t"), "word after the partition", word,
                       words, 1);
    free(word);
    return fine;
}

static char *pdb_argument(const char *text, size_t line, size_t column, struct report *report)
{
    const char *colon = strchr(text, ':');
    char *word = trimmed(text, colon == NULL ? text + strlen(text) : colon);
    char *partition = NULL;
    if (word[0] == '\0')
        report_add(report, line, column, "pdb needs a partition; expected one such as pdb:7-8");
    else
        partition = partition_read(word, line, column + strspn(text, " \t"), report);
    free(word);
    if (partition != NULL && colon != NULL) {
        if (read_reflect(colon + 1, line, column + (size_t)(colon + 1 - text), report)) {
            heap_append(&partition, REFLECT);
        } else {
            free(partition);
            partition = NULL;
        }
    }
    return partition;
}

/* Groups of three tiles, the largest whose tables are small on every shape. */
static char *pdb_example(const struct board *goal)
{
    char *text = heap_text("1");
    for (unsigned tile = 2; tile < goal->shape.cells; tile++) {
        heap_append(&text, "%c%u", tile % 3 == 1 ? '/' : '.', tile);
    }
    return text;
}

/* The groups that a canonical argument makes of a goal's tiles; false, with the reason, if it makes
 * none. */
static bool parse(const char *argument, const struct board *goal, struct report *report,
                  struct partition *partition, bool *reflect)
{
    const char *colon = strchr(argument, ':');
    char *word = heap_format("%.*s", (int)strcspn(argument, ":"), argument);
    *reflect = colon != NULL;
    bool fine = partition_make(word, goal, 0, 0, report, partition);
    free(word);
    if (fine && *reflect && !pdb_reflects(goal)) {
        const bool square = goal->shape.width == goal->shape.height;
        report_add(report, 0, 0,
                   "pdb:%s is not defined %s%ux%u: the mirror image of a board is a board %s; "
                   "expected no " REFLECT,
                   argument, square ? "for this goal on " : "on ", goal->shape.width,
                   goal->shape.height,
                   square ? "only where the goal's blank lies on a diagonal" : "on squares only");
        fine = false;
    }
    return fine;
}

static char *pdb_refuses(const struct heuristic_choice *choice, const struct board *goal)
{
    struct partition *partition = heap_take(1, sizeof *partition);
    struct report report;
    bool reflect;
    char *reason = NULL;
    report_start(&report, NULL);
    if (!parse(choice->argument, goal, &report, partition, &reflect))
        reason = report_first(&report);
    report_end(&report);
    free(partition);
    return reason;
}

/* NULL, with the problem, if a table is not available. */
static struct pdb *make(const struct heuristic_choice *choice, const struct board *goal,
                        const struct pattern_watcher *watcher, char **problem)
{
    struct partition *partition = heap_take(1, sizeof *partition);
    struct report report;
    bool reflect;
    struct pdb *pdb = NULL;
    report_start(&report, NULL);
    if (parse(choice->argument, goal, &report, partition, &reflect))
        pdb = pdb_make(goal, partition->group, partition->count, reflect, watcher, problem);
    else
        *problem = report_first(&report);
    report_end(&report);
    free(partition);
    return pdb;
}

static bool pdb_build(const struct heuristic_choice *choice, const struct board *goal,
                      const struct pattern_watcher *watcher, char **problem)
{
    struct pdb *pdb = make(choice, goal, watcher, problem);
    const bool fine = pdb != NULL;
    free(pdb);
    return fine;
}

static void pdb_patterns(const struct heuristic_choice *choice, const struct board *goal,
                         void (*show)(void *context, const struct pattern *pattern), void *context)
{
    struct partition *partition = heap_take(1, sizeof *partition);
    struct report report;
    bool reflect;
    report_start(&report, NULL);
    parse(choice->argument, goal, &report, partition, &reflect);
    for (unsigned i = 0; i < partition->count; i++) { /* mirror images are the same */
        struct pattern canonical;
        uint8_t map[MAX_CELLS];
        uint8_t slot[MAX_PATTERN];
        pattern_canonical(&partition->group[i], &canonical, map, slot);
        show(context, &canonical);
    }
    report_end(&report);
    free(partition);
}

const struct heuristic_extras pdb_extras = {
    .argument = pdb_argument,
    .form = "PARTITION[" REFLECT "]",
    .made = MADE_OF_PARTITION,
    .example = pdb_example,
    .refuses = pdb_refuses,
    .build = pdb_build,
    .patterns = pdb_patterns,
};

void pdb_prepare(struct heuristic *heuristic)
{
    char *problem = NULL;
    heuristic->data = make(&heuristic->choice, &heuristic->goal, NULL, &problem);
    if (heuristic->data == NULL)
        heap_exhausted();
}
