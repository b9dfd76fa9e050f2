/* While the table is built, placements are stored in rows: a row holds the placements on one set of
 * cells, indexed by the permutation of the slots on these cells. What makes this fast:
 *
 * - The blank's regions depend only on the set, so one byte per placement records the regions in
 * which it was found.
 * - A tile's move leads from one row to one other row, and from one region to one other. It rotates
 * a part of the permutation, which a table looks up, or leaves the permutation as it is if the tile
 * passes no other tile. So a move is made for all placements of a row that are new at this level at
 * once, in a loop that touches only two rows of k! bytes.
 * - A move changes the chessboard colour of one cell of the set: a level reads rows of one colour
 * and writes rows of the other, so threads that work on different rows can only collide on the row
 * that they write, which is locked once for all placements of a move.
 * - Writing only sets `found`; whether a mark is new is determined when its row is next read. */
#include "pdb/pattern_build.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/pages.h"
#include "base/processors.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
    LOCKS = 1024,
    MAX_THREADS = 256,
    MAX_MEMORIES = 128, /* a table of rotations for each pair of places, and some more */
    CHUNK = 40320,      /* placements that a thread takes at a time; at least one row */
    DEEPEST = UNREACHABLE - 1
};

struct memory {
    void *start;
    size_t bytes;
};

/* What one thread works with. */
struct worker {
    struct build *build;
    uint8_t *fresh;                /* by permutation: the regions that are new in the current row */
    uint16_t *permutations;        /* the permutations with a new region */
    uint16_t *region_permutations; /* those of them new in one given region */
};

struct build {
    struct pattern pattern;
    unsigned cells;
    unsigned count;
    uint32_t permutations; /* count! */
    uint32_t stride;       /* of rows: permutations, rounded up to whole words */
    uint32_t rows;
    uint32_t choose[MAX_CELLS][MAX_PATTERN + 1];
    uint64_t black;       /* cells of one colour */
    unsigned goal_colour; /* how many of them the goal's tiles occupy */
    uint64_t *set;        /* by row: its cells; increasing */
    uint8_t *region;      /* by row and cell */
    uint8_t *slots;       /* by permutation and place: the slot there; MAX_PATTERN apart */
    uint16_t *turn[MAX_PATTERN]
                  [MAX_PATTERN]; /* by place from and place to: the permutation that each becomes */
    uint32_t *earlier; /* by permutation: what to subtract from the rank for earlier slots on
                          earlier places */
    uint8_t *value;    /* 0: none yet; else the value + 1 */
    uint8_t *seen;     /* bits: regions found at earlier levels */
    uint8_t *found;    /* bits: regions found since the row was last read, seen before or not */
    uint8_t *touched;  /* by row: whether anything was found */
    uint8_t *table;    /* the result */
    unsigned threads;
    struct worker workers[MAX_THREADS];
    pthread_mutex_t locks[LOCKS];
    struct memory memories[MAX_MEMORIES];
    unsigned memory_count;

    /* The current work of the threads. */
    void (*work)(struct worker *worker, uint32_t row);
    unsigned level;
    _Atomic uint32_t next_row;
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

static void give_back(struct build *build, const void *start)
{
    for (unsigned i = 0; i < build->memory_count; i++)
        if (build->memories[i].start == start) {
            pages_end(start, build->memories[i].bytes);
            build->memories[i].start = NULL;
        }
}

static unsigned below(uint64_t set, unsigned cell)
{
    return (unsigned)__builtin_popcountll(set & ((UINT64_C(1) << cell) - 1));
}

/* The index of a set among those of its size, in increasing order. */
static uint32_t row_of(const struct build *build, uint64_t set)
{
    uint32_t row = 0;
    for (unsigned i = 1; set != 0; set &= set - 1, i++)
        row += build->choose[__builtin_ctzll(set)][i];
    return row;
}

/* The index of a permutation in lexicographic order. */
static uint32_t permutation_of(const struct build *build, const uint8_t slots[MAX_PATTERN])
{
    uint32_t permutation = 0;
    for (unsigned i = 0; i < build->count; i++) {
        unsigned later = 0;
        for (unsigned j = i + 1; j < build->count; j++)
            later += slots[j] < slots[i];
        permutation = permutation * (build->count - i) + later;
    }
    return permutation;
}

static void slots_of(const struct build *build, uint32_t permutation, uint8_t slots[MAX_PATTERN])
{
    for (unsigned i = build->count; i-- > 0;) {
        slots[i] = (uint8_t)(permutation % (build->count - i));
        permutation /= build->count - i;
        for (unsigned j = i + 1; j < build->count; j++)
            slots[j] = (uint8_t)(slots[j] + (slots[j] >= slots[i]));
    }
}

/* Calls `progress` at most five times a second; only the calling thread does. */
static void report_progress(struct build *build)
{
    const double now = clock_wall();
    if (build->progress == NULL || now - build->last_progress < 0.2)
        return;
    build->last_progress = now;
    if (!build->progress(build->context, atomic_load(&build->done),
                         (uint64_t)build->rows * build->permutations))
        atomic_store(&build->stopped, true);
}

static void work_off(struct worker *worker)
{
    struct build *build = worker->build;
    const uint32_t step = 1 + CHUNK / (build->permutations + 1);
    while (!atomic_load_explicit(&build->stopped, memory_order_relaxed)) {
        const uint32_t first =
            atomic_fetch_add_explicit(&build->next_row, step, memory_order_relaxed);
        if (first >= build->rows)
            break;
        const uint32_t end = step < build->rows - first ? first + step : build->rows;
        for (uint32_t row = first; row < end; row++)
            build->work(worker, row);
        if (worker == build->workers)
            report_progress(build);
    }
}

static void *work_off_thread(void *worker)
{
    work_off(worker);
    return NULL;
}

/* Does the work for all rows. If a thread cannot be started, the others do its work. */
static void all_rows(struct build *build, void (*work)(struct worker *worker, uint32_t row))
{
    pthread_t threads[MAX_THREADS];
    unsigned started = 1;
    build->work = work;
    atomic_store(&build->next_row, 0);
    while (started < build->threads &&
           pthread_create(&threads[started], NULL, work_off_thread, &build->workers[started]) == 0)
        started++;
    work_off(&build->workers[0]);
    while (--started > 0)
        pthread_join(threads[started], NULL);
}

/* Moves what is new in a row to worker->fresh and lists its permutations. Returns their number. */
static uint32_t take_news(struct worker *worker, uint32_t row)
{
    struct build *build = worker->build;
    const uint32_t stride = build->stride;
    const uint8_t reached = (uint8_t)(build->level + 1);
    uint8_t *restrict value = build->value + (size_t)row * stride;
    uint8_t *restrict seen = build->seen + (size_t)row * stride;
    uint8_t *restrict found = build->found + (size_t)row * stride;
    uint8_t *restrict fresh = worker->fresh;
    uint32_t first_seen = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < stride; i++) {
        const uint8_t news = found[i] & (uint8_t)~seen[i];
        first_seen += seen[i] == 0 && news != 0;
        value[i] = seen[i] == 0 && news != 0 ? reached : value[i];
        seen[i] |= news;
        found[i] = 0;
        fresh[i] = news;
    }
    for (uint32_t i = 0; i < stride; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, fresh + i, sizeof word);
        if (word == 0)
            continue;
        for (uint32_t j = i; j < i + sizeof word; j++) {
            worker->permutations[count] = (uint16_t)j;
            count += fresh[j] != 0;
        }
    }
    if (first_seen > 0)
        atomic_fetch_add_explicit(&build->done, first_seen, memory_order_relaxed);
    return count;
}

/* Moves the tile on cell a to cell b, in the given permutations of a row. */
static void move_permutations(struct build *build, uint64_t set, unsigned a, unsigned b,
                              const uint16_t *permutations, uint32_t count)
{
    const uint64_t moved = (set & ~(UINT64_C(1) << a)) | UINT64_C(1) << b;
    const uint32_t row = row_of(build, moved);
    const uint8_t mark = (uint8_t)(1U << build->region[(size_t)row * build->cells + a]);
    const uint16_t *turn = build->turn[below(set, a)][below(moved, b)];
    uint8_t *found = build->found + (size_t)row * build->stride;
    pthread_mutex_lock(&build->locks[row % LOCKS]);
    build->touched[row] = 1;
    if (turn == NULL)
        for (uint32_t i = 0; i < count; i++)
            found[permutations[i]] |= mark;
    else
        for (uint32_t i = 0; i < count; i++)
            found[turn[permutations[i]]] |= mark;
    pthread_mutex_unlock(&build->locks[row % LOCKS]);
}

static void expand(struct worker *worker, uint32_t row)
{
    struct build *build = worker->build;
    const struct shape shape = build->pattern.shape;
    const uint64_t set = build->set[row];
    const uint8_t *region = build->region + (size_t)row * build->cells;
    const unsigned colour = (unsigned)__builtin_popcountll(set & build->black);
    if (((colour + build->goal_colour + build->level) & 1) != 0 || !build->touched[row])
        return;
    build->touched[row] = 0;
    const uint32_t count = take_news(worker, row);
    if (count == 0)
        return;
    atomic_store_explicit(&build->any, true, memory_order_relaxed);
    uint8_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        all |= worker->fresh[worker->permutations[i]];
    for (unsigned r = 0; all >> r != 0; r++) {
        const uint16_t *permutations = worker->permutations;
        uint32_t some = count;
        if ((all >> r & 1) == 0)
            continue;
        if (all != 1U << r) {
            permutations = worker->region_permutations;
            some = 0;
            for (uint32_t i = 0; i < count; i++) {
                worker->region_permutations[some] = worker->permutations[i];
                some += worker->fresh[worker->permutations[i]] >> r & 1;
            }
        }
        for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
            const unsigned a = (unsigned)__builtin_ctzll(rest);
            const unsigned column = a % shape.width;
            if (a >= shape.width && region[a - shape.width] == r)
                move_permutations(build, set, a, a - shape.width, permutations, some);
            if (column > 0 && region[a - 1] == r)
                move_permutations(build, set, a, a - 1, permutations, some);
            if (column + 1 < shape.width && region[a + 1] == r)
                move_permutations(build, set, a, a + 1, permutations, some);
            if (a + shape.width < build->cells && region[a + shape.width] == r)
                move_permutations(build, set, a, a + shape.width, permutations, some);
        }
    }
}

/* Copies a row's values to their ranks in the table. */
static void lay_out(struct worker *worker, uint32_t row)
{
    const struct build *build = worker->build;
    const unsigned count = build->count;
    const uint8_t *value = build->value + (size_t)row * build->stride;
    uint32_t weight[MAX_PATTERN];
    uint32_t product[MAX_PATTERN][MAX_PATTERN]; /* place, slot */
    unsigned place = 0;
    pattern_weights(&build->pattern, weight);
    for (uint64_t rest = build->set[row]; rest != 0; rest &= rest - 1, place++)
        for (unsigned slot = 0; slot < count; slot++)
            product[place][slot] = (uint32_t)__builtin_ctzll(rest) * weight[slot];
    for (uint32_t permutation = 0; permutation < build->permutations; permutation++) {
        const uint8_t *slots = build->slots + (size_t)permutation * MAX_PATTERN;
        uint32_t rank = 0 - build->earlier[permutation];
        for (unsigned i = 0; i < count; i++)
            rank += product[i][slots[i]];
        build->table[rank] = (uint8_t)(value[permutation] - 1);
    }
}

/* A digit is the cell minus the number of earlier slots on earlier cells, that is, on earlier
 * places. */
static void fill_earlier(struct build *build)
{
    uint32_t weight[MAX_PATTERN];
    pattern_weights(&build->pattern, weight);
    for (uint32_t permutation = 0; permutation < build->permutations; permutation++) {
        const uint8_t *slots = build->slots + (size_t)permutation * MAX_PATTERN;
        for (unsigned i = 0; i < build->count; i++)
            for (unsigned j = 0; j < i; j++)
                build->earlier[permutation] += slots[j] < slots[i] ? weight[slots[i]] : 0;
    }
}

/* Everything that depends only on the pattern's size and shape; false if memory runs out. */
static bool prepare(struct build *build)
{
    const struct shape shape = build->pattern.shape;
    const unsigned count = build->count;
    for (unsigned cell = 0; cell < build->cells; cell++) {
        build->choose[cell][0] = 1;
        for (unsigned i = 1; i <= count && cell > 0; i++)
            build->choose[cell][i] = build->choose[cell - 1][i] + build->choose[cell - 1][i - 1];
        build->black |= (uint64_t)((cell % shape.width + cell / shape.width) & 1) << cell;
    }
    build->permutations = 1;
    for (unsigned i = 2; i <= count; i++)
        build->permutations *= i;
    build->stride = (build->permutations + 7) & ~7U;
    build->rows = (uint32_t)(pattern_entries(&build->pattern) / build->permutations);

    build->set = take(build, build->rows * sizeof *build->set);
    build->region = take(build, (size_t)build->rows * build->cells + MAX_CELLS);
    build->touched = take(build, build->rows);
    build->slots = take(build, (size_t)build->permutations * MAX_PATTERN);
    build->earlier = take(build, build->permutations * sizeof *build->earlier);
    if (build->set == NULL || build->region == NULL || build->touched == NULL ||
        build->slots == NULL || build->earlier == NULL)
        return false;
    uint64_t set = (UINT64_C(1) << count) - 1;
    for (uint32_t row = 0; row < build->rows; row++) {
        uint8_t region[MAX_CELLS];
        const unsigned regions = pattern_regions(shape, set, region);
        assert(regions <= 8);
        (void)regions;
        build->set[row] = set;
        memcpy(build->region + (size_t)row * build->cells, region, build->cells);
        /* The next larger number with the same number of bits (Gosper's hack). */
        const uint64_t carried = set + (set & -set);
        set = carried | ((carried ^ set) >> 2) / (set & -set);
    }
    for (uint32_t permutation = 0; permutation < build->permutations; permutation++)
        slots_of(build, permutation, build->slots + (size_t)permutation * MAX_PATTERN);
    fill_earlier(build);
    for (unsigned from = 0; from < count; from++)
        for (unsigned to = 0; to < count; to++) {
            if (from == to || from > to + shape.width - 1 || to > from + shape.width - 1)
                continue;
            uint16_t *turn = take(build, build->permutations * sizeof *turn);
            if (turn == NULL)
                return false;
            for (uint32_t permutation = 0; permutation < build->permutations; permutation++) {
                uint8_t slots[MAX_PATTERN];
                memcpy(slots, build->slots + (size_t)permutation * MAX_PATTERN, sizeof slots);
                const uint8_t slot = slots[from];
                if (from < to)
                    memmove(slots + from, slots + from + 1, to - from);
                else
                    memmove(slots + to + 1, slots + to, from - to);
                slots[to] = slot;
                turn[permutation] = (uint16_t)permutation_of(build, slots);
            }
            build->turn[from][to] = turn;
        }
    return true;
}

static bool take_tables(struct build *build)
{
    const size_t bytes = (size_t)build->rows * build->stride;
    build->value = take(build, bytes);
    build->seen = take(build, bytes);
    build->found = take(build, bytes);
    uint8_t *fresh = take(build, (size_t)build->threads * build->stride);
    uint16_t *permutations =
        take(build, (size_t)build->threads * (build->stride + 8) * 2 * sizeof *permutations);
    if (build->value == NULL || build->seen == NULL || build->found == NULL || fresh == NULL ||
        permutations == NULL)
        return false;
    for (unsigned i = 0; i < build->threads; i++)
        build->workers[i] =
            (struct worker){build, fresh + (size_t)i * build->stride,
                            permutations + (size_t)2 * i * (build->stride + 8),
                            permutations + (size_t)(2 * i + 1) * (build->stride + 8)};
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
    const uint32_t row = row_of(build, set);
    build->found[(size_t)row * build->stride + permutation_of(build, slots)] =
        (uint8_t)(1U << build->region[(size_t)row * build->cells + pattern->blank]);
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
        all_rows(build, expand);
        if (atomic_load(&build->stopped))
            return "stopped";
        if (build->level == UNREACHABLE && atomic_load(&build->any))
            return "a value above 254";
    }
    give_back(build, build->seen);
    give_back(build, build->found);
    build->table = pages_take((size_t)build->rows * build->permutations);
    if (build->table == NULL)
        return "not enough memory";
    all_rows(build, lay_out);
    if (atomic_load(&build->stopped)) {
        pages_end(build->table, (size_t)build->rows * build->permutations);
        return "stopped";
    }
    return NULL;
}

uint8_t *pattern_build(const struct pattern *pattern, unsigned threads, pattern_progress *progress,
                       void *context, const char **problem)
{
    if (pattern_entries(pattern) > MAX_ENTRIES) {
        *problem = "more than 2^31 entries";
        return NULL;
    }
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
    *problem = run(build);
    for (unsigned i = 0; i < LOCKS; i++)
        pthread_mutex_destroy(&build->locks[i]);
    for (unsigned i = 0; i < build->memory_count; i++)
        pages_end(build->memories[i].start, build->memories[i].bytes);
    uint8_t *table = *problem == NULL ? build->table : NULL;
    free(build);
    return table;
}
