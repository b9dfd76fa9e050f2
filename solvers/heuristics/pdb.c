#include "heuristics/pdb.h"
#include "base/heap.h"
#include "base/named.h"
#include "heuristics/pdb_priced.h"
#include <assert.h>

DECLARE_HEURISTIC(pdb);

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
                       const struct pattern *pattern, bool onebit,
                       const struct pattern_watcher *watcher, char **problem)
{
    struct pattern canonical;
    uint8_t slot[MAX_PATTERN];
    uint8_t back[MAX_CELLS];
    pattern_canonical(pattern, &canonical, group->map, slot);
    group->table = pattern_table_hold(&canonical, onebit, watcher, problem);
    if (group->table == NULL)
        return false;
    group->values = group->table->values;
    group->bits = group->table->bits;
    group->zero = pattern->kind == PATTERN_ZERO_AWARE;
    group->count = pattern->count;
    for (unsigned i = 0; i < pattern->count; i++)
        group->tile[slot[i]] = goal->cell[pattern->cell[i]];
    for (unsigned cell = 0; cell < goal->shape.cells; cell++)
        back[group->map[cell]] = (uint8_t)cell;
    pattern_weights(&canonical, group->weight);
    steps_make(group, goal->shape, back);
    return true;
}

/* Fills in how moves of the group's tiles change its rank or order. */
static void changes_make(struct pdb_sum *sum, unsigned number, unsigned width)
{
    const struct pdb_group *group = sum->group[number];
    int32_t weight[MAX_PATTERN]; /* of a rank's digit, or of an order's */
    for (unsigned slot = 0; slot < group->count; slot++) {
        weight[slot] = (int32_t)group->weight[slot];
        if (group->zero)
            weight[slot] = slot < 2 ? 1 : (int32_t)slot * weight[slot - 1];
    }
    for (unsigned slot = 0; slot < group->count; slot++) {
        const unsigned tile = group->tile[slot];
        const int32_t sign = group->zero ? -1 : 1;
        sum->group_of[tile] = (uint8_t)number;
        sum->ahead[tile] = group->zero ? 0 : weight[slot];
        sum->leap[tile] = group->zero ? 0 : weight[slot] * (int32_t)width;
        for (unsigned other = 0; other < group->count; other++)
            if (other != slot)
                sum->passed[tile][group->tile[other]] =
                    sign * (other < slot ? -weight[slot] : weight[other]);
    }
}

/* The cell of each tile. */
static void find_tiles(const struct board *board, uint8_t where[MAX_CELLS])
{
    for (unsigned cell = 0; cell < board->shape.cells; cell++)
        where[board->cell[cell]] = (uint8_t)cell;
}

void pdb_end(struct pdb *pdb)
{
    if (pdb == NULL)
        return;
    free(pdb->sum);
    free(pdb->group);
    free(pdb);
}

static uint64_t cells_of(const struct pattern *pattern)
{
    uint64_t cells = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        cells |= UINT64_C(1) << pattern->cell[i];
    return cells;
}

/* The group of a pattern: one that is there or a new one; NULL, with the problem. `cells` has those
 * of the patterns of all groups. */
static const struct pdb_group *find_group(struct pdb *pdb, uint64_t *cells,
                                          const struct board *goal, const struct pattern *pattern,
                                          const struct pattern_watcher *watcher, char **problem)
{
    const uint64_t own = cells_of(pattern);
    unsigned number = 0;
    while (number < pdb->group_count && cells[number] != own)
        number++;
    if (number == pdb->group_count) {
        cells[number] = own;
        if (!group_make(&pdb->group[number], goal, pattern, pdb->onebit, watcher, problem))
            return NULL;
        pdb->group_count++;
    }
    return &pdb->group[number];
}

/* Adds a sum of a partition's groups, or of their mirror images. */
static bool add_sum(struct pdb *pdb, uint64_t *cells, const struct board *goal,
                    const struct partition *partition, bool mirror,
                    const struct pattern_watcher *watcher, char **problem)
{
    struct pdb_sum *sum = &pdb->sum[pdb->sums++];
    for (unsigned i = 0; i < partition->count; i++) {
        const struct pattern *given = &partition->group[i];
        const struct pattern pattern = mirror ? mirror_pattern(given, goal->blank) : *given;
        sum->group[i] = find_group(pdb, cells, goal, &pattern, watcher, problem);
        if (sum->group[i] == NULL)
            return false;
        for (unsigned slot = 0; slot < sum->group[i]->count; slot++)
            sum->index[sum->group[i]->tile[slot]] = (uint16_t)(sum->group[i] - pdb->group);
        changes_make(sum, sum->count++, goal->shape.width);
    }
    return true;
}

struct pdb *pdb_make(const struct board *goal, const struct pdb_settings *settings, unsigned count,
                     const struct pattern_watcher *watcher, char **problem)
{
    unsigned groups = 0;
    unsigned sums = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned p = 0; p < settings[i].count; p++) {
            const unsigned images = settings[i].reflect ? 2 : 1;
            groups += images * settings[i].partitions[p].count;
            sums += images;
        }
    struct pdb *pdb = heap_take(1, sizeof *pdb);
    SCOPED uint64_t *cells = heap_take(groups, sizeof *cells);
    bool fine = true;
    pdb->zero = settings->partitions[0].group[0].kind == PATTERN_ZERO_AWARE;
    pdb->onebit = settings->onebit;
    pdb->goal = *goal;
    pdb->sum = heap_take(sums, sizeof *pdb->sum);
    pdb->group = heap_take(groups, sizeof *pdb->group);
    for (unsigned i = 0; i < count; i++)
        for (unsigned p = 0; p < settings[i].count && fine; p++) {
            const struct partition *partition = &settings[i].partitions[p];
            assert(!settings[i].reflect || pdb_reflects(goal));
            fine = add_sum(pdb, cells, goal, partition, false, watcher, problem) &&
                   (!settings[i].reflect ||
                    add_sum(pdb, cells, goal, partition, true, watcher, problem));
        }
    if (fine)
        return pdb;
    pdb_end(pdb);
    return NULL;
}

/* The cells of the group's tiles, in those of the table, by slot. */
static void group_at(const struct pdb_group *group, const uint8_t where[MAX_CELLS],
                     uint8_t at[MAX_PATTERN])
{
    for (unsigned i = 0; i < group->count; i++)
        at[i] = group->map[where[group->tile[i]]];
}

static uint32_t group_rank(const struct pdb_group *group, const uint8_t where[MAX_CELLS],
                           uint64_t *set)
{
    uint8_t at[MAX_PATTERN];
    uint32_t rank = 0;
    *set = 0;
    group_at(group, where, at);
    for (unsigned i = 0; i < group->count; i++)
        *set |= UINT64_C(1) << at[i];
    if (group->zero)
        return pattern_order(group->count, at);
    for (unsigned i = 0; i < group->count; i++) {
        uint32_t digit = at[i];
        for (unsigned j = 0; j < i; j++)
            digit -= at[j] < at[i];
        rank += digit * group->weight[i];
    }
    return rank;
}

static uint32_t group_entry(const struct pdb_group *group, const uint8_t where[MAX_CELLS])
{
    uint64_t set;
    uint32_t entry = group_rank(group, where, &set);
    if (group->zero)
        entry += pattern_sets_entry(group->table->sets, set, group->map[where[0]]);
    return entry;
}

static uint8_t group_value(const struct pdb_group *group, const uint8_t where[MAX_CELLS])
{
    const struct pattern_table *table = group->table;
    uint8_t at[MAX_PATTERN];
    if (group->bits == NULL)
        return group->values[group_entry(group, where)];
    group_at(group, where, at);
    return (uint8_t)pattern_bits_value(group->bits, table->sets, &table->pattern, at,
                                       group->map[where[0]]);
}

/* The value of a child less that of its parent, where only a tile of the group has moved, in the
 * one-bit form: 1 or -1. */
static int group_change(const struct pdb_group *group, const struct board *parent,
                        const struct board *child)
{
    uint8_t before[MAX_CELLS] = {0};
    uint8_t after[MAX_CELLS] = {0};
    uint8_t at[MAX_PATTERN];
    find_tiles(parent, before);
    find_tiles(child, after);
    group_at(group, before, at);
    const unsigned rest = /* the parent's value mod 4, and 4 */
        4 + 2 * pattern_bits_at(group->bits, group_entry(group, before)) +
        pattern_parity(&group->table->pattern, at);
    return (int)pattern_bits_next(rest, pattern_bits_at(group->bits, group_entry(group, after))) -
           (int)rest;
}

uint32_t pdb_group_rank(const struct pdb_group *group, const struct board *board, uint64_t *set)
{
    uint8_t where[MAX_CELLS] = {0};
    find_tiles(board, where);
    return group_rank(group, where, set);
}

/* Ranks up to LANES groups side by side, as loops that compilers turn into vectors. */
enum { LANES = 16 };

static void rank_lanes(const struct pdb_group *group, unsigned count,
                       const uint8_t where[MAX_CELLS], uint32_t *rank, uint64_t *set)
{
    static const uint32_t factorial[MAX_PATTERN] = {1, 1, 2, 6, 24, 120, 720, 5040};
    uint8_t at[MAX_PATTERN][LANES] = {0};
    unsigned slots = 0;
    for (unsigned lane = 0; lane < count; lane++) {
        rank[lane] = 0;
        slots = group[lane].count > slots ? group[lane].count : slots;
        for (unsigned i = 0; i < group[lane].count; i++)
            at[i][lane] = group[lane].map[where[group[lane].tile[i]]];
        for (unsigned i = 0; set != NULL && i < group[lane].count; i++)
            set[lane] |= UINT64_C(1) << at[i][lane];
    }
    for (unsigned i = 0; i < slots; i++) {
        uint8_t digit[LANES];
        memcpy(digit, at[i], sizeof digit);
        for (unsigned j = 0; j < i; j++)
            for (unsigned lane = 0; lane < LANES; lane++)
                digit[lane] = (uint8_t)(digit[lane] - (at[j][lane] < at[i][lane]));
        for (unsigned lane = 0; lane < count; lane++) /* a group of fewer slots adds 0 */
            rank[lane] += set == NULL ? digit[lane] * group[lane].weight[i]
                                      : (uint32_t)(at[i][lane] - digit[lane]) * factorial[i];
    }
}

void pdb_ranks(const struct pdb *pdb, const struct board *board, uint32_t *rank, uint64_t *set)
{
    uint8_t where[MAX_CELLS] = {0};
    find_tiles(board, where);
    assert((set != NULL) == pdb->zero);
    if (set != NULL)
        memset(set, 0, pdb->group_count * sizeof *set);
    for (unsigned first = 0; first < pdb->group_count; first += LANES) {
        const unsigned left = pdb->group_count - first;
        rank_lanes(&pdb->group[first], left < LANES ? left : LANES, where, rank + first,
                   set == NULL ? NULL : set + first);
    }
}

unsigned pdb_group_value(const struct pdb_group *group, const struct board *board)
{
    uint8_t where[MAX_CELLS] = {0};
    find_tiles(board, where);
    return group_value(group, where);
}

/* The values of all groups, of which there are at most ALL_GROUPS. */
enum { ALL_GROUPS = 2 * MAX_PARTITIONS * MAX_GROUPS };

static void group_values(const struct pdb *pdb, const struct board *board,
                         uint8_t value[ALL_GROUPS])
{
    uint8_t where[MAX_CELLS] = {0};
    uint32_t rank[ALL_GROUPS];
    uint64_t set[ALL_GROUPS];
    if (pdb->onebit) {
        find_tiles(board, where);
        for (unsigned i = 0; i < pdb->group_count; i++)
            value[i] = group_value(&pdb->group[i], where);
        return;
    }
    pdb_ranks(pdb, board, rank, pdb->zero ? set : NULL);
    for (unsigned i = 0; i < pdb->group_count; i++)
        value[i] = *pdb_value_at(&pdb->group[i], rank[i], pdb->zero ? set[i] : 0, board->blank);
}

unsigned pdb_value(const struct pdb *pdb, const struct board *board)
{
    uint8_t value[ALL_GROUPS];
    unsigned largest = 0;
    group_values(pdb, board, value);
    for (unsigned s = 0; s < pdb->sums; s++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < pdb->sum[s].count; i++)
            sum += value[pdb->sum[s].group[i] - pdb->group];
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

void pdb_children(const struct pdb *pdb, const struct board *node, const uint8_t *move,
                  unsigned count, unsigned *h)
{
    uint32_t rank[ALL_GROUPS];
    uint64_t set[ALL_GROUPS];
    const uint8_t *value[ALL_GROUPS];
    const uint8_t *next[MOVES][2 * MAX_PARTITIONS]; /* of the group that changes */
    unsigned changed[MOVES][2 * MAX_PARTITIONS];
    pdb_ranks(pdb, node, rank, pdb->zero ? set : NULL);
    for (unsigned i = 0; i < pdb->group_count; i++) {
        value[i] = pdb_value_at(&pdb->group[i], rank[i], pdb->zero ? set[i] : 0, node->blank);
        __builtin_prefetch(value[i]);
    }
    for (unsigned c = 0; c < count; c++)
        for (unsigned s = 0; s < pdb->sums; s++) {
            const unsigned from = move_target(node->shape, node->blank, move[c]);
            const unsigned i = changed[c][s] = pdb->sum[s].index[node->cell[from]];
            const struct pdb_group *group = &pdb->group[i];
            const int32_t change =
                pdb_rank_change(&pdb->sum[s], node, node->cell[from], node->blank, move[c]);
            const uint64_t cells = UINT64_C(1) << group->map[from] | UINT64_C(1)
                                                                         << group->map[node->blank];
            next[c][s] = pdb_value_at(group, rank[i] + (uint32_t)change,
                                      pdb->zero ? set[i] ^ cells : 0, from);
            __builtin_prefetch(next[c][s]);
        }
    memset(h, 0, count * sizeof *h);
    for (unsigned s = 0; s < pdb->sums; s++) {
        unsigned total = 0;
        for (unsigned i = 0; i < pdb->sum[s].count; i++)
            total += *value[pdb->sum[s].group[i] - pdb->group];
        for (unsigned c = 0; c < count; c++) {
            const unsigned sum = total - *value[changed[c][s]] + *next[c][s];
            h[c] = sum > h[c] ? sum : h[c];
        }
    }
}

/* The functions of the heuristic's row. */

unsigned pdb_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    return pdb_value(heuristic->data, board);
}

unsigned pdb_step(const struct heuristic *heuristic, const struct board *child, unsigned h,
                  unsigned tile, unsigned from, unsigned to)
{
    const struct pdb *pdb = heuristic->data;
    const struct pdb_sum *sum = &pdb->sum[0];
    if (pdb->sums > 1) /* the sums do not follow from h */
        return pdb_evaluate(heuristic, child);
    const struct pdb_group *group = sum->group[sum->group_of[tile]];
    if (pdb->onebit) {
        struct board parent = *child;
        board_slide(&parent, to);
        return h + (unsigned)group_change(group, &parent, child);
    }
    unsigned move = 0;
    while (move_target(child->shape, to, move) != from)
        move++;
    uint64_t set;
    const uint32_t rank = pdb_group_rank(group, child, &set);
    const uint32_t before = rank - (uint32_t)pdb_rank_change(sum, child, tile, to, move);
    const uint64_t cells = UINT64_C(1) << group->map[from] | UINT64_C(1) << group->map[to];
    return h + *pdb_value_at(group, rank, set, from) -
           *pdb_value_at(group, before, set ^ cells, to);
}

/* What is written after `pdb:`, PARTITIONS[:zero[:onebit]][:reflect]: reading it, and
 * making the tables. */

enum { WORD_ZERO, WORD_ONEBIT, WORD_REFLECT, WORDS };

static const char *const names[WORDS] = {"zero", "onebit", "reflect"};

/* The words of an argument. */
struct words {
    bool has[WORDS];
    struct text_place place[WORDS];
};

const struct option_row pdb_options[] = NO_OPTIONS;

/* The text from `at` to `end` without the spaces around it; heap memory. */
static char *trimmed(const char *at, const char *end)
{
    at += strspn(at, " \t");
    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return heap_format("%.*s", end > at ? (int)(end - at) : 0, at);
}

/* Enters one word. */
static bool read_word(const char *word, struct text_place place, struct report *report,
                      struct words *words)
{
    const size_t i = WORD_PLACE(names, WORDS, word);
    if (i == WORDS)
        report_unknown(report, place, "word after the partition", word, names, WORDS);
    else if (words->has[i])
        report_add(report, place, "%s a second time; expected it once", word);
    else {
        words->has[i] = true;
        words->place[i] = place;
        return true;
    }
    return false;
}

/* Reads the words after the partition, each behind a colon, in any order. */
static bool read_words(const char *text, struct text_place place, struct report *report,
                       struct words *words)
{
    *words = (struct words){0};
    for (const char *at = text; *at == ':';) {
        const char *end = at + 1 + strcspn(at + 1, ":");
        const size_t before = (size_t)(at + 1 - text) + strspn(at + 1, " \t");
        SCOPED char *word = trimmed(at + 1, end);
        const bool fine = read_word(word, place_after(place, before), report, words);
        if (!fine)
            return false;
        at = end;
    }
    if (words->has[WORD_ONEBIT] && !words->has[WORD_ZERO])
        report_add(report, words->place[WORD_ONEBIT],
                   "onebit without zero: in an ordinary table a move may change a value by 3 and "
                   "more; expected :zero:onebit");
    else
        return true;
    return false;
}

char *pdb_argument(const char *text, struct text_place place, struct report *report)
{
    const char *end = text + strcspn(text, ":");
    SCOPED char *word = trimmed(text, end);
    char *argument = NULL;
    struct words words;
    if (word[0] == '\0')
        report_add(report, place, "pdb needs a partition; expected one such as pdb:7-8");
    else
        argument = partition_read(word, place_after(place, strspn(text, " \t")), report);
    if (argument != NULL &&
        !read_words(end, place_after(place, (size_t)(end - text)), report, &words)) {
        free(argument);
        return NULL;
    }
    for (unsigned i = 0; argument != NULL && i < WORDS; i++)
        if (words.has[i])
            heap_append(&argument, ":%s", names[i]);
    return argument;
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

bool pdb_shape(const char *argument, struct shape *shape)
{
    SCOPED char *word = heap_format("%.*s", (int)strcspn(argument, ":;"), argument);
    return partition_shape(word, shape);
}

bool pdb_settings_make(const char *argument, const struct board *goal, struct report *report,
                       struct pdb_settings *settings)
{
    const char *colon = argument + strcspn(argument, ":");
    SCOPED char *word = heap_format("%.*s", (int)(colon - argument), argument);
    struct words words;
    *settings = (struct pdb_settings){0};
    if (read_words(colon, NO_PLACE, report, &words))
        settings->partitions =
            partitions_make(word, goal, words.has[WORD_ZERO], NO_PLACE, report, &settings->count);
    settings->onebit = words.has[WORD_ONEBIT];
    settings->reflect = words.has[WORD_REFLECT];
    if (settings->partitions != NULL && settings->reflect && !pdb_reflects(goal)) {
        const bool square = goal->shape.width == goal->shape.height;
        report_add(report, NO_PLACE,
                   "pdb:%s is not defined %s%ux%u: the mirror image of a board is a board %s; "
                   "expected no :reflect",
                   argument, square ? "for this goal on " : "on ", goal->shape.width,
                   goal->shape.height,
                   square ? "only where the goal's blank lies on a diagonal" : "on squares only");
        pdb_settings_end(settings);
    }
    return settings->partitions != NULL;
}

void pdb_settings_end(struct pdb_settings *settings)
{
    free(settings->partitions);
    *settings = (struct pdb_settings){0};
}

static char *pdb_refuses(const struct heuristic_choice *choice, const struct board *goal)
{
    SCOPED_BY(pdb_settings_end) struct pdb_settings settings;
    SCOPED_BY(report_end) struct report report = {0};
    const bool fine = pdb_settings_make(choice->argument, goal, &report, &settings);
    return fine ? NULL : report_first(&report);
}

/* NULL, with the problem, if a table is not available. */
static struct pdb *make(const struct heuristic_choice *choice, const struct board *goal,
                        const struct pattern_watcher *watcher, char **problem)
{
    SCOPED_BY(pdb_settings_end) struct pdb_settings settings;
    SCOPED_BY(report_end) struct report report = {0};
    if (pdb_settings_make(choice->argument, goal, &report, &settings))
        return pdb_make(goal, &settings, 1, watcher, problem);
    *problem = report_first(&report);
    return NULL;
}

static bool build(const struct heuristic_choice *choice, const struct board *goal,
                  enum cost_model cost, const struct pattern_watcher *watcher, char **problem)
{
    if (cost != COST_unit)
        return pdb_priced_build(choice, goal, cost, watcher, problem);
    struct pdb *pdb = make(choice, goal, watcher, problem);
    const bool fine = pdb != NULL;
    pdb_end(pdb);
    return fine;
}

static void show_patterns(const struct heuristic_choice *choice, const struct board *goal,
                          enum cost_model cost,
                          void (*show)(void *context, const struct pattern *pattern), void *context)
{
    SCOPED_BY(pdb_settings_end) struct pdb_settings settings;
    SCOPED_BY(report_end) struct report report = {0};
    pdb_settings_make(choice->argument, goal, &report, &settings);
    for (unsigned p = 0; p < settings.count; p++)
        for (unsigned i = 0; i < settings.partitions[p].count; i++) { /* as mirror images */
            const struct pattern served =
                pattern_served(&settings.partitions[p].group[i], goal, cost);
            show(context, &served);
        }
}

/* Whether the tables are of one form. */
static bool alike(const struct pdb_settings *a, const struct pdb_settings *b)
{
    const struct pattern *first = &a->partitions[0].group[0];
    const struct pattern *second = &b->partitions[0].group[0];
    return first->kind == second->kind && a->onebit == b->onebit;
}

struct pdb *pdb_join(const struct heuristic_choice *choices, unsigned count,
                     const struct board *goal)
{
    SCOPED struct pdb_settings *settings = heap_take(count, sizeof *settings);
    SCOPED_BY(report_end) struct report report = {0};
    SCOPED char *problem = NULL;
    unsigned all = 0;
    bool fine = true;
    for (unsigned i = 0; i < count && fine; i++) {
        fine = choices[i].kind->evaluate == pdb_evaluate &&
               pdb_settings_make(choices[i].argument, goal, &report, &settings[i]);
        if (fine) {
            all += settings[i].count;
            fine = alike(&settings[i], &settings[0]) && all <= MAX_PARTITIONS;
        }
    }
    struct pdb *pdb = fine ? pdb_make(goal, settings, count, NULL, &problem) : NULL;
    for (unsigned i = 0; i < count; i++)
        pdb_settings_end(&settings[i]);
    return pdb;
}

/* Only zero-aware tables know where the blank is. */
static unsigned properties(const struct heuristic_choice *choice)
{
    const bool zero = strstr(choice->argument, ":zero") != NULL;
    return choice->kind->properties | (zero ? CONSISTENT : 0);
}

static void end(struct heuristic *heuristic)
{
    if (heuristic->costs == NULL)
        pdb_end(heuristic->data);
    else
        free(heuristic->data);
}

const struct heuristic_extras pdb_extras = {
    .argument = pdb_argument,
    .form = "PARTITIONS[:WORD..]",
    .made = MADE_OF_PARTITION,
    .example = pdb_example,
    .refuses = pdb_refuses,
    .build = build,
    .patterns = show_patterns,
    .properties = properties,
    .priced = pdb_priced,
    .unpriced = pdb_unpriced,
    .end = end,
};

void pdb_prepare(struct heuristic *heuristic)
{
    char *problem = NULL;
    if (heuristic->costs != NULL) {
        heuristic->data = pdb_priced_make(heuristic);
        return;
    }
    heuristic->data = make(&heuristic->choice, &heuristic->goal, NULL, &problem);
    if (heuristic->data == NULL)
        heap_exhausted();
}
