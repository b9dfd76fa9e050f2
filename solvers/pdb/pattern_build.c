/* While the table is built, placements are grouped in rows: a row holds the placements on one set
 * of cells, numbered by the permutation of the slots on these cells. What makes this fast:
 *
 * - The blank's regions depend only on the set. So the states of one row and one of its regions are
 * the bits of a map, and a level is done map by map: k! states in a few kilobytes.
 * - A tile's move leads from one map to one other. If the tile passes no other tile, the
 * permutation stays as it is, and the move is made for all states at once: one map is added to the
 * other, 64 states at a time. That is more than half of all moves. Otherwise the move rotates a
 * part of the permutation, which a table looks up for each state that is new at this level.
 * - A move changes the chessboard colour of one cell of the set: a level reads rows of one colour
 * and writes rows of the other, so threads that work on different rows can only collide on the row
 * that they write, which is locked once for all placements of a move.
 * - Writing only sets `found`; whether a mark is new is determined when its row is next read.
 * - Values are written in an order in which those of a row lie side by side, and put in the order
 * of ranks at the end (pdb/pattern_blocks.h). Those of a zero-aware table stay in the order of the
 * maps. */
#include "pdb/pattern_build.h"
#include "base/clock.h"
#include "base/crew.h"
#include "base/heap.h"
#include "base/pages.h"
#include "base/processors.h"
#include "pdb/arrangements.h"
#include "pdb/pattern_blocks.h"
#include "pdb/pattern_priced.h"
#include "pdb/pattern_sets.h"
#include "puzzle/moves.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
    LOCKS = 1024,
    MAX_THREADS = 256,
    MAX_MEMORIES =
        1000,      /* three for each thread, a table of rotations for each pair of places .. */
    CHUNK = 40320, /* placements that a thread takes at a time; at least one row */
    WORD = 64
};

struct memory {
    void *start;
    size_t bytes;
};

/* What one thread works with. */
struct worker {
    struct build *build;
    uint64_t *fresh;        /* what is new in a region of the current row */
    uint64_t *first;        /* the placements of this row that get their value */
    uint16_t *permutations; /* those in one of the two */
    struct block_sorter sorter;
};

struct build {
    struct pattern pattern;
    struct pattern_blocks blocks;
    unsigned cells;
    unsigned count;
    uint32_t words; /* of a map: a bit for each permutation */
    uint32_t rows;
    uint64_t black;            /* cells of one colour */
    unsigned goal_colour;      /* how many of them the goal's tiles occupy */
    struct pattern_sets *sets; /* by row: its regions; a map for each */
    uint64_t *set;             /* by row: its cells; increasing */
    uint16_t *order; /* zero-aware: by permutation: the number of the order (pdb/pattern_sets.h) */
    uint16_t *turn[MAX_PATTERN]
                  [MAX_PATTERN]; /* by place from and place to: the permutation that each becomes */
    uint64_t *seen;              /* maps of what was found at earlier levels */
    uint64_t *found;  /* maps of what was found since the row was last read, seen before or not */
    uint8_t *touched; /* by row: whether anything was found */
    uint8_t *table;   /* the result */
    unsigned threads;
    struct crew *crew;
    struct worker workers[MAX_THREADS];
    pthread_mutex_t locks[LOCKS];
    struct memory memories[MAX_MEMORIES];
    unsigned memory_count;

    /* The current work of the threads. */
    void (*work)(struct worker *worker, uint32_t part);
    unsigned level;
    uint32_t parts; /* its number of parts, and how many of them a thread takes at a time */
    uint32_t step;
    _Atomic uint32_t next_part;
    atomic_bool stopped;
    atomic_bool any;       /* whether anything was new at this level */
    _Atomic uint64_t done; /* entries that have their value */
    pattern_progress *progress;
    void *context;
    double last_progress; /* clock_wall() of the last call of `progress` */
};

/* NULL if memory runs out. */
static void *take(struct build *build, size_t bytes)
{
    assert(build->memory_count < MAX_MEMORIES);
    void *start = pages_take(bytes);
    build->memories[build->memory_count++] = (struct memory){start, bytes};
    return start;
}

static unsigned below(uint64_t set, unsigned cell)
{
    return (unsigned)__builtin_popcountll(set & ((UINT64_C(1) << cell) - 1));
}

/* Calls `progress` at most five times a second; only the calling thread does. */
static void report_progress(struct build *build)
{
    const double now = clock_wall();
    if (build->progress == NULL || now - build->last_progress < 0.2)
        return;
    build->last_progress = now;
    if (!build->progress(build->context, atomic_load(&build->done),
                         pattern_entries(&build->pattern)))
        atomic_store(&build->stopped, true);
}

/* What each thread of the crew does. */
static void work_off(void *context, unsigned number)
{
    struct build *build = context;
    struct worker *worker = &build->workers[number];
    const uint32_t step = build->step;
    while (!atomic_load_explicit(&build->stopped, memory_order_relaxed)) {
        const uint32_t first =
            atomic_fetch_add_explicit(&build->next_part, step, memory_order_relaxed);
        if (first >= build->parts)
            break;
        const uint32_t end = step < build->parts - first ? first + step : build->parts;
        for (uint32_t part = first; part < end; part++)
            build->work(worker, part);
        if (number == 0)
            report_progress(build);
    }
}

/* Does the work for all parts. */
static void do_work(struct build *build, void (*work)(struct worker *worker, uint32_t part),
                    uint32_t parts, uint32_t step)
{
    build->work = work;
    build->parts = parts;
    build->step = step;
    atomic_store(&build->next_part, 0);
    crew_work(build->crew, work_off, build);
}

/* Sets fresh to what is new in a region's map and adds it to what was seen. False if nothing is. */
static bool take_news(struct worker *worker, uint32_t map)
{
    const struct build *build = worker->build;
    const uint32_t words = build->words;
    uint64_t *restrict seen = build->seen + (size_t)map * words;
    uint64_t *restrict found = build->found + (size_t)map * words;
    uint64_t *restrict fresh = worker->fresh;
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++) {
        const uint64_t news = found[i] & ~seen[i];
        seen[i] |= news;
        found[i] = 0;
        fresh[i] = news;
        any |= news;
    }
    return any != 0;
}

/* Lists the permutations in a map; returns how many. */
static uint32_t list_permutations(struct worker *worker, const uint64_t *restrict map)
{
    uint16_t *restrict at = worker->permutations;
    const uint32_t words = worker->build->words;
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t rest = map[i]; rest != 0; rest &= rest - 1)
            *at++ = (uint16_t)(i * WORD + (unsigned)__builtin_ctzll(rest));
    return (uint32_t)(at - worker->permutations);
}

/* A tile of a row that moves from cell a to cell b. */
struct step {
    uint32_t row;         /* that it leads to */
    const uint16_t *turn; /* NULL if the tile passes no other */
    uint64_t *found;
};

static struct step step_of(const struct build *build, uint64_t set, unsigned a, unsigned b)
{
    const uint64_t moved = (set & ~(UINT64_C(1) << a)) | UINT64_C(1) << b;
    const struct pattern_set *to = pattern_sets_at(build->sets, moved);
    const uint32_t row = (uint32_t)(to - build->sets->set);
    const uint32_t map = to->first + build->sets->region[to->list][a];
    return (struct step){row, build->turn[below(set, a)][below(moved, b)],
                         build->found + (size_t)map * build->words};
}

static void turn_permutations(uint64_t *restrict found, const uint16_t *restrict turn,
                              const uint16_t *restrict permutations, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const unsigned turned = turn[permutations[i]];
        found[turned / WORD] |= UINT64_C(1) << turned % WORD;
    }
}

/* Makes a move in all permutations that are new in a region. `count` of them are listed; 0: none
 * yet. Returns how many are. */
static uint32_t move_news(struct worker *worker, struct step step, uint32_t count)
{
    struct build *build = worker->build;
    const uint64_t *restrict fresh = worker->fresh;
    uint64_t *restrict found = step.found;
    if (step.turn != NULL && count == 0)
        count = list_permutations(worker, fresh);
    pthread_mutex_lock(&build->locks[step.row % LOCKS]);
    build->touched[step.row] = 1;
    if (step.turn == NULL)
        for (uint32_t i = 0; i < build->words; i++)
            found[i] |= fresh[i];
    else
        turn_permutations(found, step.turn, worker->permutations, count);
    pthread_mutex_unlock(&build->locks[step.row % LOCKS]);
    return count;
}

/* Makes all moves from a region of a row in the permutations that are new there. */
static void expand_region(struct worker *worker, uint64_t set, const uint8_t *region, unsigned r)
{
    const struct build *build = worker->build;
    const struct shape shape = build->pattern.shape;
    uint32_t count = 0;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        const unsigned a = (unsigned)__builtin_ctzll(rest);
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned b = move_target(shape, a, move);
            if (b != NO_CELL && (set >> b & 1) == 0 && region[b] == r)
                count = move_news(worker, step_of(build, set, a, b), count);
        }
    }
}

/* Gives the listed permutations of a row their value. */
static void write_values(const struct build *build, uint64_t set, const uint16_t *permutations,
                         uint32_t count)
{
    const uint32_t orders = build->blocks.row_orders;
    const uint8_t level = (uint8_t)build->level;
    for (uint32_t i = 0; i < count;) {
        const uint32_t number = permutations[i] / orders;
        uint8_t *values = build->table + blocks_row(&build->blocks, set, number);
        for (; i < count && permutations[i] - number * orders < orders; i++)
            values[permutations[i] - number * orders] = level;
    }
}

/* Lists the placements of a row that are found and were seen in no region. */
static uint32_t list_first(struct worker *worker, uint32_t row)
{
    const struct build *build = worker->build;
    const uint32_t words = build->words;
    uint64_t *restrict first = worker->first;
    memset(first, 0, words * sizeof *first);
    const uint32_t start = build->sets->set[row].first;
    const uint32_t end = build->sets->set[row + 1].first;
    for (uint32_t map = start; map < end; map++)
        for (uint32_t i = 0; i < words; i++)
            first[i] |= build->found[(size_t)map * words + i];
    for (uint32_t map = start; map < end; map++)
        for (uint32_t i = 0; i < words; i++)
            first[i] &= ~build->seen[(size_t)map * words + i];
    return list_permutations(worker, first);
}

/* Zero-aware: gives what is new in a region its value; returns how many entries these are. */
static uint32_t write_region(struct worker *worker, uint32_t map)
{
    const struct build *build = worker->build;
    const uint32_t count = list_permutations(worker, worker->fresh);
    uint8_t *values = build->table + (size_t)map * build->blocks.permutations;
    for (uint32_t i = 0; i < count; i++)
        values[build->order[worker->permutations[i]]] = (uint8_t)build->level;
    return count;
}

static void expand(struct worker *worker, uint32_t row)
{
    struct build *build = worker->build;
    const uint64_t set = build->set[row];
    const struct pattern_set *at = &build->sets->set[row];
    const uint8_t *region = build->sets->region[at->list];
    const unsigned colour = (unsigned)__builtin_popcountll(set & build->black);
    const uint32_t map = at->first;
    const unsigned regions = at[1].first - map;
    const bool zero = build->pattern.kind == PATTERN_ZERO_AWARE;
    if (((colour + build->goal_colour + build->level) & 1) != 0 || !build->touched[row])
        return;
    build->touched[row] = 0;
    uint32_t count = 0;
    if (!zero) {
        count = list_first(worker, row);
        write_values(build, set, worker->permutations, count);
    }
    for (unsigned r = 0; r < regions; r++)
        if (take_news(worker, map + r)) {
            atomic_store_explicit(&build->any, true, memory_order_relaxed);
            if (zero)
                count += write_region(worker, map + r);
            expand_region(worker, set, region, r);
        }
    atomic_fetch_add_explicit(&build->done, count, memory_order_relaxed);
}

static void sort_block(struct worker *worker, uint32_t number)
{
    struct build *build = worker->build;
    blocks_sort(&build->blocks, build->table, number, &worker->sorter);
}

/* All rotations that a move of a tile past others can be. */
static bool prepare_turns(struct build *build)
{
    const unsigned count = build->count;
    const unsigned width = build->pattern.shape.width;
    for (unsigned from = 0; from < count; from++)
        for (unsigned to = 0; to < count; to++) {
            if (from == to || from > to + width - 1 || to > from + width - 1)
                continue;
            uint16_t *turn = take(build, build->blocks.permutations * sizeof *turn);
            if (turn == NULL)
                return false;
            for (uint32_t permutation = 0; permutation < build->blocks.permutations;
                 permutation++) {
                uint8_t slots[MAX_PATTERN] = {0};
                blocks_slots(&build->blocks, permutation, slots);
                const uint8_t slot = slots[from];
                if (from < to)
                    memmove(slots + from, slots + from + 1, to - from);
                else
                    memmove(slots + to + 1, slots + to, from - to);
                slots[to] = slot;
                turn[permutation] = (uint16_t)blocks_permutation(&build->blocks, slots);
            }
            build->turn[from][to] = turn;
        }
    return true;
}

/* Zero-aware: the numbers of the orders. */
static bool prepare_orders(struct build *build)
{
    build->order = take(build, build->blocks.permutations * sizeof *build->order);
    if (build->order == NULL)
        return false;
    for (uint32_t permutation = 0; permutation < build->blocks.permutations; permutation++) {
        uint8_t slots[MAX_PATTERN] = {0};
        uint8_t place[MAX_PATTERN] = {0};
        blocks_slots(&build->blocks, permutation, slots);
        for (unsigned i = 0; i < build->count; i++)
            place[slots[i]] = (uint8_t)i;
        build->order[permutation] = (uint16_t)pattern_order(build->count, place);
    }
    return true;
}

/* Everything that depends only on the pattern's size and shape; false if memory runs out. */
static bool prepare(struct build *build)
{
    const struct shape shape = build->pattern.shape;
    struct pattern ordinary = build->pattern;
    ordinary.kind = PATTERN_ADDITIVE;
    blocks_make(&ordinary, &build->blocks);
    build->rows = build->blocks.rows;
    build->words = (build->blocks.permutations + WORD - 1) / WORD;
    for (unsigned cell = 0; cell < build->cells; cell++)
        build->black |= (uint64_t)((cell % shape.width + cell / shape.width) & 1) << cell;
    build->set = take(build, build->rows * sizeof *build->set);
    build->touched = take(build, build->rows);
    if (build->set == NULL || build->touched == NULL)
        return false;
    build->sets = pattern_sets_make(shape, build->count);
    uint64_t set = (UINT64_C(1) << build->count) - 1;
    for (uint32_t row = 0; row < build->rows; row++, set = pattern_next_set(set))
        build->set[row] = set;
    return prepare_turns(build) &&
           (build->pattern.kind != PATTERN_ZERO_AWARE || prepare_orders(build));
}

static bool take_tables(struct build *build)
{
    const uint64_t entries = pattern_entries(&build->pattern);
    const size_t map_bytes = build->words * sizeof(uint64_t);
    const size_t bytes = (size_t)build->sets->regions * build->words * sizeof(uint64_t);
    build->seen = take(build, bytes);
    build->found = take(build, bytes);
    for (unsigned i = 0; i < build->threads; i++) {
        struct worker *worker = &build->workers[i];
        worker->build = build;
        worker->fresh = take(build, 2 * map_bytes);
        worker->permutations =
            take(build, build->blocks.permutations * sizeof *worker->permutations);
        worker->sorter.copy =
            take(build, (size_t)build->blocks.block_rows * build->blocks.row_orders);
        if (worker->fresh == NULL || worker->permutations == NULL || worker->sorter.copy == NULL)
            return false;
        worker->first = worker->fresh + build->words;
    }
    build->table = pages_take(entries);
    if (build->seen == NULL || build->found == NULL || build->table == NULL)
        return false;
    if (build->cells <= MAX_PATTERN + 2) /* on so small a board some cannot be brought home */
        memset(build->table, UNREACHABLE, entries);
    return true;
}

/* Marks the goal as found. */
static void place_goal(struct build *build)
{
    const struct pattern *pattern = &build->pattern;
    uint8_t slots[MAX_PATTERN] = {0};
    uint64_t set = 0;
    for (unsigned i = 0; i < build->count; i++)
        set |= UINT64_C(1) << pattern->cell[i];
    for (unsigned i = 0; i < build->count; i++)
        slots[below(set, pattern->cell[i])] = (uint8_t)i;
    const struct pattern_set *home = pattern_sets_at(build->sets, set);
    const uint32_t row = (uint32_t)(home - build->sets->set);
    const uint32_t map = home->first + build->sets->region[home->list][pattern->blank];
    const uint32_t permutation = blocks_permutation(&build->blocks, slots);
    build->found[(size_t)map * build->words + permutation / WORD] = UINT64_C(1)
                                                                    << permutation % WORD;
    build->touched[row] = 1;
    build->goal_colour = (unsigned)__builtin_popcountll(set & build->black);
}

static const char *run(struct build *build)
{
    if (!prepare(build) || !take_tables(build))
        return "not enough memory";
    place_goal(build);
    atomic_store(&build->any, true);
    for (build->level = 0; atomic_load(&build->any); build->level++) {
        atomic_store(&build->any, false);
        report_progress(build);
        do_work(build, expand, build->rows, 1 + CHUNK / (build->blocks.permutations + 1));
        if (atomic_load(&build->stopped))
            return "stopped";
        if (build->level == UNREACHABLE && atomic_load(&build->any))
            return "a value above 254";
    }
    if (build->pattern.kind != PATTERN_ZERO_AWARE)
        do_work(build, sort_block, build->blocks.blocks, 1);
    return atomic_load(&build->stopped) ? "stopped" : NULL;
}

uint8_t *pattern_build(const struct pattern *pattern, unsigned threads, pattern_progress *progress,
                       void *context, const char **problem)
{
    if (pattern->kind == PATTERN_WALKING)
        return arrangements_build(
            numbering_hold(pattern->shape, pattern->blank / pattern->shape.width), threads,
            progress, context, problem);
    if (pattern_entries(pattern) > MAX_ENTRIES) {
        *problem = "more than 2^31 entries";
        return NULL;
    }
    if (pattern->kind == PATTERN_PRICED)
        return pattern_priced_build(pattern, progress, context, problem);
    struct build *build = heap_take(1, sizeof *build);
    build->pattern = *pattern;
    build->cells = pattern->shape.cells;
    build->count = pattern->count;
    build->threads = threads == 0 ? processors_count() : threads;
    if (build->threads > MAX_THREADS)
        build->threads = MAX_THREADS;
    build->progress = progress;
    build->context = context;
    for (unsigned i = 0; i < LOCKS; i++)
        pthread_mutex_init(&build->locks[i], NULL);
    build->crew = crew_start(build->threads);
    *problem = run(build);
    crew_end(build->crew);
    for (unsigned i = 0; i < LOCKS; i++)
        pthread_mutex_destroy(&build->locks[i]);
    for (unsigned i = 0; i < build->memory_count; i++)
        pages_end(build->memories[i].start, build->memories[i].bytes);
    pattern_sets_end(build->sets);
    uint8_t *table = build->table;
    if (*problem != NULL) {
        pages_end(table, pattern_entries(pattern));
        table = NULL;
    }
    free(build);
    return table;
}
