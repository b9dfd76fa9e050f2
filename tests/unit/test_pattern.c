/* Patterns and their tables, compared with a plain search without any tricks. */
#include "base/pages.h"
#include "pdb/pattern_blocks.h"
#include "pdb/pattern_build.h"
#include "pdb/pattern_sets.h"
#include "puzzle/moves.h"
#include "tests/support.h"
#include <sys/resource.h>

static struct pattern pattern_of(unsigned width, unsigned height, unsigned blank, unsigned count,
                                 const uint8_t *cells)
{
    struct pattern pattern = {.blank = (uint8_t)blank, .count = (uint8_t)count};
    assert_true(shape_make(width, height, &pattern.shape));
    memcpy(pattern.cell, cells, count);
    return pattern;
}

static uint8_t *build(const struct pattern *pattern, unsigned threads)
{
    const char *problem = NULL;
    uint8_t *table = pattern_build(pattern, threads, NULL, NULL, &problem);
    assert_null(problem);
    assert_non_null(table);
    return table;
}

static void end(const struct pattern *pattern, const uint8_t *table)
{
    pages_end(table, pattern_entries(pattern));
}

/* The placement after `at` in the order of their words, or false. */
static bool next_placement(const struct pattern *pattern, uint8_t at[MAX_PATTERN])
{
    for (unsigned i = pattern->count; i-- > 0;) {
        uint64_t taken = 0;
        for (unsigned j = 0; j < i; j++)
            taken |= UINT64_C(1) << at[j];
        do
            at[i]++;
        while (at[i] < pattern->shape.cells && (taken >> at[i] & 1) != 0);
        if (at[i] == pattern->shape.cells)
            continue;
        taken |= UINT64_C(1) << at[i];
        for (unsigned j = i + 1; j < pattern->count; j++) {
            at[j] = 0;
            while ((taken >> at[j] & 1) != 0)
                at[j]++;
            taken |= UINT64_C(1) << at[j];
        }
        return true;
    }
    return false;
}

static void first_placement(const struct pattern *pattern, uint8_t at[MAX_PATTERN])
{
    memset(at, 0, MAX_PATTERN);
    for (unsigned i = 0; i < pattern->count; i++)
        at[i] = (uint8_t)i;
}

TEST(ranks_number_the_placements_in_order)
{
    static const struct {
        unsigned width, height, count;
        uint32_t entries;
    } rows[] = {{3, 3, 1, 9},     {3, 3, 4, 3024},  {3, 3, 8, 362880}, {2, 4, 5, 6720},
                {4, 4, 4, 43680}, {6, 6, 3, 42840}, {18, 2, 2, 1260}};
    static const uint8_t cells[MAX_PATTERN] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct pattern pattern =
            pattern_of(rows[i].width, rows[i].height, 0, rows[i].count, cells);
        uint32_t weight[MAX_PATTERN];
        uint8_t at[MAX_PATTERN];
        uint32_t rank = 0;
        first_placement(&pattern, at);
        pattern_weights(&pattern, weight);
        do {
            uint32_t sum = 0;
            for (unsigned j = 0; j < pattern.count; j++) {
                uint32_t digit = at[j];
                for (unsigned before = 0; before < j; before++)
                    digit -= at[before] < at[j];
                sum += digit * weight[j];
            }
            assert_int_equal(pattern_rank(&pattern, at), rank);
            assert_int_equal(sum, rank);
            rank++;
        } while (next_placement(&pattern, at));
        assert_int_equal(rank, rows[i].entries);
        assert_int_equal(pattern_entries(&pattern), rows[i].entries);
    }
}

/* The number of the zero-aware entry of a placement and a cell of the blank. */
static uint64_t entry_of(const struct pattern *pattern, const struct pattern_sets *sets,
                         const uint8_t at[MAX_PATTERN], unsigned blank)
{
    uint64_t cells = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        cells |= UINT64_C(1) << at[i];
    return pattern_sets_entry(sets, cells, blank) + pattern_order(pattern->count, at);
}

/* An empty table of a pattern. */
static uint8_t *slow_table(const struct pattern *pattern)
{
    uint8_t *table = malloc(pattern_entries(pattern));
    assert_non_null(table);
    memset(table, UNREACHABLE, pattern_entries(pattern));
    return table;
}

/* Moves of the pattern's tiles from the goal to every placement and cell of the blank, by a search
 * in the order of cost: moves of the pattern cost 1, others nothing. The state is a number whose
 * digits to the base `cells` are the cells of the slots and of the blank. Fills both tables, the
 * ordinary and the zero-aware. */
static void slow_tables(const struct pattern *pattern, uint8_t *ordinary, uint8_t *aware)
{
    const unsigned cells = pattern->shape.cells;
    size_t codes = cells;
    for (unsigned i = 0; i < pattern->count; i++)
        codes *= cells;
    SCOPED uint8_t *cost = malloc(codes);
    struct pattern_sets *sets = pattern_sets_make(pattern->shape, pattern->count);
    SCOPED size_t *now = malloc(codes * MOVES * sizeof *now);
    SCOPED size_t *later = malloc(codes * MOVES * sizeof *later);
    size_t now_count = 1;
    size_t later_count = 0;
    assert_true(cost != NULL && now != NULL && later != NULL);
    memset(cost, UNREACHABLE, codes);
    now[0] = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        now[0] = now[0] * cells + pattern->cell[i];
    now[0] = now[0] * cells + pattern->blank;
    for (uint8_t level = 0; now_count > 0; level++) {
        while (now_count > 0) { /* a stack: moves without cost push onto it again */
            const size_t code = now[--now_count];
            uint8_t at[MAX_PATTERN] = {0};
            if (cost[code] <= level)
                continue;
            cost[code] = level;
            const unsigned blank = (unsigned)(code % cells);
            size_t rest = code / cells;
            for (unsigned i = pattern->count; i-- > 0; rest /= cells)
                at[i] = (uint8_t)(rest % cells);
            uint8_t *entry = &ordinary[pattern_rank(pattern, at)];
            if (level < *entry)
                *entry = level;
            entry = &aware[entry_of(pattern, sets, at, blank)];
            if (*entry != UNREACHABLE && *entry != level)
                fail_msg("cells of one region have costs %u and %u", *entry, level);
            *entry = level;
            for (unsigned move = 0; move < MOVES; move++) {
                const uint8_t to = move_target(pattern->shape, blank, move);
                if (to == NO_CELL)
                    continue;
                size_t next = code - blank + to;
                size_t digit = cells;
                bool counts = false;
                for (unsigned i = pattern->count; i-- > 0; digit *= cells)
                    if (at[i] == to) {
                        next += digit * blank;
                        next -= digit * to;
                        counts = true;
                    }
                if (cost[next] == UNREACHABLE && counts)
                    later[later_count++] = next;
                else if (cost[next] == UNREACHABLE)
                    now[now_count++] = next;
            }
        }
        size_t *emptied = now;
        now = later;
        now_count = later_count;
        later = emptied;
        later_count = 0;
    }
    pattern_sets_end(sets);
}

static void expect_as_slow(const struct pattern *pattern)
{
    struct pattern aware = *pattern;
    aware.kind = PATTERN_ZERO_AWARE;
    uint8_t *slow[] = {slow_table(pattern), slow_table(&aware)};
    slow_tables(pattern, slow[0], slow[1]);
    for (unsigned zero = 0; zero < 2; zero++) {
        const struct pattern *either = zero == 0 ? pattern : &aware;
        uint8_t *table = build(either, 1);
        assert_memory_equal(table, slow[zero], pattern_entries(either));
        free(slow[zero]);
        end(either, table);
    }
}

/* All patterns of so many tiles of a shape whose index is a multiple of `step`. */
static unsigned expect_all_as_slow(unsigned width, unsigned height, unsigned blank, unsigned count,
                                   unsigned step)
{
    const unsigned cells = width * height;
    unsigned number = 0;
    for (uint32_t set = 0; set < 1U << cells; set++) {
        if ((unsigned)__builtin_popcount(set) != count || (set >> blank & 1) != 0 ||
            number++ % step != 0)
            continue;
        struct pattern pattern = {.blank = (uint8_t)blank};
        assert_true(shape_make(width, height, &pattern.shape));
        /* In decreasing order: slots need not be sorted. */
        for (unsigned cell = cells; cell-- > 0;)
            if ((set >> cell & 1) != 0)
                pattern.cell[pattern.count++] = (uint8_t)cell;
        expect_as_slow(&pattern);
    }
    return number;
}

TEST(tables_are_those_of_a_plain_search)
{
    for (unsigned blank = 0; blank < 5; blank++) /* corners, edges, middle */
        for (unsigned count = 1; count <= 4; count++)
            expect_all_as_slow(3, 3, blank, count, blank == 0 ? 1 : 5);
    expect_all_as_slow(3, 3, 8, 6, 9);
    expect_all_as_slow(4, 2, 0, 4, 1);
    expect_all_as_slow(2, 4, 3, 4, 1);
    expect_all_as_slow(2, 4, 7, 3, 1);
    expect_all_as_slow(4, 2, 0, 7, 1); /* all tiles: half the placements cannot be reached */
    expect_all_as_slow(2, 2, 0, 3, 1);
    expect_all_as_slow(2, 2, 1, 2, 1);
    assert_int_equal(expect_all_as_slow(4, 3, 0, 4, 60), 330);
    expect_all_as_slow(4, 3, 5, 3, 20);
    expect_all_as_slow(3, 4, 11, 4, 80);
}

/* By hand: one tile on 2x2 leaves one region; two tiles on 3x2 may cut off a corner, or part the
 * board. */
TEST(zero_aware_entries_are_counted_region_by_region)
{
    static const struct {
        unsigned width, height, count;
        uint64_t entries;
    } rows[] = {{2, 2, 1, 4},
                {3, 2, 2, (15 + 5) * 2}, /* each corner cut off; the middle column taken */
                {2, 2, 2, (6 + 2) * 2},  /* a diagonal */
                {5, 5, 6, 181008000}};
    static const uint8_t cells[MAX_PATTERN] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pattern pattern = pattern_of(rows[i].width, rows[i].height, 0, rows[i].count, cells);
        pattern.kind = PATTERN_ZERO_AWARE;
        assert_int_equal(pattern_entries(&pattern), rows[i].entries);
        struct pattern_sets *sets = pattern_sets_make(pattern.shape, pattern.count);
        assert_int_equal((uint64_t)sets->regions * sets->orders, rows[i].entries);
        pattern_sets_end(sets);
    }
}

/* Each set has its own number, and the regions that pattern_regions finds. */
TEST(sets_are_numbered_in_order)
{
    static const uint8_t sizes[][3] = {{3, 3, 4}, {4, 4, 6}, {5, 5, 3}, {6, 6, 2}, {2, 18, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t number = 0;
        uint32_t first = 0;
        struct shape shape = shape_of(sizes[i][0], sizes[i][1]);
        struct pattern_sets *sets = pattern_sets_make(shape, sizes[i][2]);
        for (uint64_t set = (UINT64_C(1) << sizes[i][2]) - 1; set >> shape.cells == 0;
             set = pattern_next_set(set), number++) {
            uint8_t region[MAX_CELLS];
            const unsigned regions = pattern_regions(shape, set, region);
            const struct pattern_set *at = pattern_sets_at(sets, set);
            assert_ptr_equal(at, &sets->set[number]);
            assert_int_equal(at->first, first);
            first += regions;
            for (unsigned cell = 0; cell < shape.cells; cell++)
                if ((set >> cell & 1) == 0)
                    assert_int_equal(sets->region[at->list][cell], region[cell]);
        }
        assert_int_equal(number, sets->sets);
        assert_int_equal(first, sets->regions);
        pattern_sets_end(sets);
    }
}

/* A pattern of all tiles is the puzzle itself. */
TEST(a_pattern_of_all_tiles_is_the_distance)
{
    static const uint8_t cells[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const struct pattern pattern = pattern_of(3, 3, 8, 8, cells);
    const struct board goal = goal_of("blank-last", 3, 3);
    SCOPED_BY(distances_end) struct distances distances;
    uint32_t counts[UNREACHABLE + 1] = {0};
    uint8_t *table = build(&pattern, 0);
    distances_make(&goal, &distances);
    for (uint32_t i = 0; i < pattern_entries(&pattern); i++)
        counts[table[i]]++;
    assert_int_equal(counts[UNREACHABLE], 181440);
    assert_int_equal(counts[31], 2);
    for (unsigned depth = 0; depth <= distances.deepest; depth++)
        assert_int_equal(counts[depth], distances.states[depth]);
    end(&pattern, table);
}

/* Every placement has in the canonical table, translated to its cells and slots, the value that it
 * has in the pattern's own. */
static void expect_canonical_serves(const struct pattern *pattern)
{
    struct pattern canonical;
    uint8_t map[MAX_CELLS];
    uint8_t slot[MAX_PATTERN];
    uint8_t at[MAX_PATTERN];
    uint32_t rank = 0;
    pattern_canonical(pattern, &canonical, map, slot);
    uint8_t *own = build(pattern, 1);
    uint8_t *shared = build(&canonical, 1);
    first_placement(pattern, at);
    do {
        uint8_t there[MAX_PATTERN] = {0};
        for (unsigned i = 0; i < pattern->count; i++)
            there[slot[i]] = map[at[i]];
        assert_int_equal(own[rank++], shared[pattern_rank(&canonical, there)]);
    } while (next_placement(pattern, at));
    for (unsigned i = 1; i < canonical.count; i++)
        assert_true(canonical.cell[i - 1] < canonical.cell[i]);
    end(pattern, own);
    end(&canonical, shared);
}

TEST(canonical_tables_serve_all_images)
{
    static const uint8_t rows[][5] = {{0, 7, 2, 11, 5}, {14, 11, 10, 3, 2}, {4, 5, 9, 8, 1}};
    static const unsigned blanks[] = {15, 15, 0};
    static const uint8_t wide[][4] = {{10, 1, 7, 4}, {9, 8, 5, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct pattern pattern = pattern_of(4, 4, blanks[i], 4, rows[i]);
        expect_canonical_serves(&pattern);
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        struct pattern pattern = pattern_of(4, 3, 11, 4, wide[i]);
        expect_canonical_serves(&pattern);
        pattern = pattern_of(3, 4, 0, 4, wide[i]);
        expect_canonical_serves(&pattern);
    }
}

static void expect_same_canonical(const struct pattern *a, const struct pattern *b)
{
    struct pattern canonical[2];
    uint8_t map[MAX_CELLS];
    uint8_t slot[MAX_PATTERN];
    pattern_canonical(a, &canonical[0], map, slot);
    pattern_canonical(b, &canonical[1], map, slot);
    assert_memory_equal(&canonical[0], &canonical[1], sizeof canonical[0]);
}

/* Three of the 24-puzzle's four groups are the same block in three corners. */
TEST(symmetric_patterns_share_a_table)
{
    static const uint8_t groups[][6] = {
        {3, 4, 8, 9, 13, 14}, {10, 11, 15, 16, 20, 21}, {17, 18, 19, 22, 23, 24}};
    for (unsigned i = 1; i < 3; i++) {
        const struct pattern a = pattern_of(5, 5, 0, 6, groups[0]);
        const struct pattern b = pattern_of(5, 5, 0, 6, groups[i]);
        expect_same_canonical(&a, &b);
    }
    /* A blank that the pattern encloses gives another table. */
    static const uint8_t corner[] = {1, 4, 5};
    const struct pattern in = pattern_of(4, 4, 0, 3, corner);
    const struct pattern out = pattern_of(4, 4, 15, 3, corner);
    struct pattern canonical[2];
    uint8_t map[MAX_CELLS];
    uint8_t slot[MAX_PATTERN];
    pattern_canonical(&in, &canonical[0], map, slot);
    pattern_canonical(&out, &canonical[1], map, slot);
    assert_int_equal(canonical[0].blank, 0);
    assert_memory_not_equal(&canonical[0], &canonical[1], sizeof canonical[0]);
}

/* Regions are the bits of a byte: no pattern whose table can be built has more than 8. */
TEST(there_are_at_most_8_regions)
{
    unsigned most = 0;
    for (unsigned width = MIN_SIDE; width <= MAX_SIDE; width++)
        for (unsigned height = MIN_SIDE; height <= width; height++) {
            struct pattern pattern = {0};
            if (!shape_make(width, height, &pattern.shape))
                continue;
            /* One cell more can only part regions or fill one: the largest count has the most, but
             * for boards that it nearly fills. */
            for (unsigned count = MAX_PATTERN; count >= 5; count--) {
                pattern.count = (uint8_t)count;
                if (count >= pattern.shape.cells || pattern_entries(&pattern) > MAX_ENTRIES)
                    continue;
                uint64_t set = (UINT64_C(1) << count) - 1;
                while (set < UINT64_C(1) << pattern.shape.cells) {
                    uint8_t region[MAX_CELLS];
                    const unsigned regions = pattern_regions(pattern.shape, set, region);
                    most = regions > most ? regions : most;
                    const uint64_t carried = set + (set & -set);
                    set = carried | ((carried ^ set) >> 2) / (set & -set);
                }
                if (pattern.shape.cells > 16)
                    break;
            }
        }
    assert_int_equal(most, 8); /* the chessboard of 4x4 */
}

/* Writes to each placement's place in its block a number made of its rank, and sorts the blocks:
 * each entry must then have the number of its index. Entries written twice, or never, would not. */
static void expect_blocks_sort(unsigned width, unsigned height, unsigned count)
{
    static const uint8_t cells[MAX_PATTERN] = {0, 1, 2, 3, 4, 5, 6, 7};
    const struct pattern pattern = pattern_of(width, height, width * height - 1, count, cells);
    const uint64_t entries = pattern_entries(&pattern);
    SCOPED struct pattern_blocks *blocks = malloc(sizeof *blocks);
    struct block_sorter sorter = {.copy = malloc(entries)};
    SCOPED uint8_t *table = calloc(entries, 1);
    assert_true(blocks != NULL && sorter.copy != NULL && table != NULL);
    blocks_make(&pattern, blocks);
    uint64_t set = (UINT64_C(1) << count) - 1;
    for (uint32_t row = 0; row < blocks->rows; row++, set = pattern_next_set(set)) {
        assert_int_equal(blocks_set_number(blocks, set), row);
        for (uint32_t permutation = 0; permutation < blocks->permutations; permutation++) {
            uint8_t slots[MAX_PATTERN] = {0};
            uint8_t at[MAX_PATTERN] = {0};
            uint64_t rest = set;
            blocks_slots(blocks, permutation, slots);
            assert_int_equal(blocks_permutation(blocks, slots), permutation);
            for (unsigned place = 0; place < count; place++, rest &= rest - 1)
                at[slots[place]] = (uint8_t)__builtin_ctzll(rest);
            const uint32_t rank = pattern_rank(&pattern, at);
            table[blocks_row(blocks, set, permutation / blocks->row_orders) +
                  permutation % blocks->row_orders] = (uint8_t)(1 + rank * 2654435761U % 255);
        }
    }
    for (uint32_t block = 0; block < blocks->blocks; block++)
        blocks_sort(blocks, table, block, &sorter);
    for (uint32_t rank = 0; rank < entries; rank++)
        assert_int_equal(table[rank], (uint8_t)(1 + rank * 2654435761U % 255));
    free(sorter.copy);
}

TEST(blocks_are_put_in_the_order_of_ranks)
{
    for (unsigned count = 1; count <= 8; count++)
        expect_blocks_sort(3, 3, count);
    for (unsigned count = 1; count <= 5; count++)
        expect_blocks_sort(5, 2, count);
    expect_blocks_sort(2, 2, 3);
    expect_blocks_sort(6, 6, 3);
}

TEST(any_number_of_threads_builds_the_same)
{
    static const uint8_t cells[] = {2, 3, 6, 7, 10};
    struct pattern pattern = pattern_of(4, 4, 0, 5, cells);
    for (unsigned zero = 0; zero < 2; zero++) {
        pattern.kind = (uint8_t)zero;
        uint8_t *one = build(&pattern, 1);
        for (unsigned threads = 0; threads <= 8; threads += threads < 4 ? 1 : 4) {
            uint8_t *table = build(&pattern, threads);
            assert_memory_equal(one, table, pattern_entries(&pattern));
            end(&pattern, table);
        }
        end(&pattern, one);
    }
}

struct calls {
    unsigned count;
    unsigned max;
    uint64_t done;
};

static bool count_calls(void *context, uint64_t done, uint64_t all)
{
    struct calls *calls = context;
    assert_int_equal(all, 524160);
    assert_true(done >= calls->done && done <= all);
    calls->done = done;
    return ++calls->count < calls->max;
}

TEST(building_reports_progress_and_can_be_stopped)
{
    static const uint8_t cells[] = {2, 3, 6, 7, 10};
    const struct pattern pattern = pattern_of(4, 4, 0, 5, cells);
    const char *problem = NULL;
    struct calls calls = {.max = 1000};
    uint8_t *table = pattern_build(&pattern, 2, count_calls, &calls, &problem);
    assert_non_null(table);
    assert_true(calls.count >= 1);
    end(&pattern, table);
    calls = (struct calls){.max = 1};
    assert_null(pattern_build(&pattern, 2, count_calls, &calls, &problem));
    assert_string_equal(problem, "stopped");
    assert_int_equal(calls.count, 1);
}

/* Sanitizers need far more address space than the limit below; gcc and clang say so differently. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

TEST(what_is_too_large_is_refused)
{
    static const uint8_t cells[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct pattern pattern = pattern_of(5, 5, 0, 7, cells);
    const char *problem = NULL;
    assert_null(pattern_build(&pattern, 1, NULL, NULL, &problem));
    assert_string_equal(problem, "more than 2^31 entries");
#ifndef SANITIZED
    const struct pattern large = pattern_of(4, 4, 0, 8, cells);
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    const struct rlimit small = {(rlim_t)1 << 29, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    assert_null(pattern_build(&large, 1, NULL, NULL, &problem));
    assert_string_equal(problem, "not enough memory");
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
#endif
}
