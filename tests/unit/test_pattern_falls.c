/* Where the values of pattern databases fall (pdb/pattern_falls.h): every entry against the table
 * of values; and idastar below such entries (idastar/pdb_falls.h) against idastar without. */
#include "heuristics/max.h"
#include "idastar/pdb_falls.h"
#include "idastar/round.h"
#include "idastar/walkers.h"
#include "pdb/pattern_falls.h"
#include "tests/support.h"
#include <limits.h>

static unsigned looks_left;

static bool goes_on(void *context)
{
    assert_ptr_equal(context, &looks_left);
    return looks_left > 0 && looks_left-- > 0;
}

/* Compares the entry of a placement, the tile of slot i on cell at[i]. */
static void check_entry(const struct pattern_table *table, const uint32_t *entries, uint8_t *at)
{
    const struct pattern *pattern = &table->pattern;
    const uint32_t rank = pattern_rank(pattern, at);
    uint32_t expected = (uint32_t)table->values[rank] << FALLS_VALUE;
    for (unsigned slot = 0; slot < pattern->count; slot++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = at[slot];
            const unsigned to = move_target(pattern->shape, from, move);
            if (to == NO_CELL || memchr(at, (int)to, pattern->count) != NULL)
                continue;
            at[slot] = (uint8_t)to;
            const unsigned then = table->values[pattern_rank(pattern, at)];
            at[slot] = (uint8_t)from;
            expected |= (uint32_t)(then < table->values[rank]) << pattern_falls_bit(slot, move);
        }
    assert_int_equal(entries[rank], expected);
}

/* Checks all placements that begin with `placed` tiles. Returns how many there are. */
static uint64_t check_entries(const struct pattern_table *table, const uint32_t *entries,
                              uint8_t *at, unsigned placed)
{
    uint64_t count = 0;
    if (placed == table->pattern.count) {
        check_entry(table, entries, at);
        return 1;
    }
    for (unsigned cell = 0; cell < table->pattern.shape.cells; cell++) {
        at[placed] = (uint8_t)cell;
        if (memchr(at, (int)cell, placed) == NULL)
            count += check_entries(table, entries, at, placed + 1);
    }
    return count;
}

TEST(entries_are_those_of_the_values)
{
    static const struct {
        const char *size, *goal, *partition;
    } rows[] = {
        {"3x3", "blank-first", "1.2.3.4.5.6/7/8"},
        {"3x3", "blank-last", "1.5.7/2.3.4.6.8"},
        {"5x2", "blank-last", "1.2.6.7.8.9/3.4.5"},
        {"2x5", "blank-first", "1.3.5.7.9/2.4/6/8"},
        {"4x4", "blank-first", "1.2.3.4/5.9.13/6.7.8.10.11/12.14/15"},
        {"5x5", "blank-first", "1.2.6/3.4.5.10/7.11/8.9/12.13/14.15.19/16.21/17.18/20.23/22.24"},
        {"6x6", "blank-last",
         "1.2/3.4/5.6/7.8/9.10/11.12/13.14/15.16/17.18/19.20/21.22/23.24/25.26/27.28/29.30/31.32/"
         "33.34/35"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct shape shape = shape_read(rows[i].size);
        const struct board goal = goal_of(rows[i].goal, shape.width, shape.height);
        SCOPED_BY(heuristic_end)
        struct heuristic heuristic = started(text_of("pdb:%s", rows[i].partition), &goal);
        const struct pdb *pdb = pdb_of(&heuristic);
        for (unsigned g = 0; g < pdb->group_count; g++) {
            const struct pattern_table *table = pdb->group[g].table;
            uint8_t at[MAX_PATTERN];
            SCOPED uint32_t *entries = calloc(table->entries, sizeof *entries);
            assert_true(pattern_falls_fit(table));
            looks_left = UINT_MAX;
            assert_true(pattern_falls_make(table, entries, goes_on, &looks_left));
            assert_int_equal(check_entries(table, entries, at, 0), table->entries);
            looks_left = 0;
            assert_int_equal(pattern_falls_make(table, entries, goes_on, &looks_left),
                             table->pattern.count <= 2);
        }
    }
}

/* Searches as idastar does, with entries from the first round on; on several threads from the third
 * on, when they are at work. */
static void run_below_falls(struct search *search)
{
    struct pruning pruning;
    enum { THREADS = 2, PRUNE = 5 };
    assert_true(pruning_start(&pruning, search, search->options[PRUNE]));
    struct round round = round_start(search);
    round.enode.h = search_start_h(search);
    round.enode.undo = MOVE_NONE;
    round.enode.context = search->task->start.blank;
    round.threshold = round.enode.h;
    assert_true(search_generates_root(search));
    search->statistics.max_open = search->statistics.max_stored = 1;
    search->statistics.iterations = 0;
    struct walkers walkers = walkers_start(&round, (unsigned)search->options[THREADS], false);
    walkers.from = 0;
    walkers.layered = false;
    walkers.wanted = walkers.threads > 1;
    for (unsigned begun = 0;; begun++) {
        assert_true(round_make_path(&round, &search->arena, round.threshold + UINT64_C(1)));
        round.above = UINT_MAX;
        if (begun == (walkers.threads > 1 ? 2 : 0)) {
            assert_true(pdb_falls_read(&round));
            assert_true(round.falls != NULL && round.subtrees.kind->falls);
        }
        walkers_look_ahead(&walkers, true);
        assert_true(search_begins_round(search, "threshold", round.threshold));
        if (!round_search(&round))
            break;
        round.threshold = round.above;
    }
    walkers_end(&walkers);
}

TEST(idastar_counts_the_same)
{
    static const struct {
        const char *size, *solver;
        unsigned walk;
    } rows[] = {
        {"3x3", "idastar(pdb:1.2.3.4/5.6.7.8)", 200},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15)", 90},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:reflect)", 90},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:reflect, prune=8)", 90},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:reflect, threads=2)", 90},
        {"4x4", "idastar(pdb:5-5-5, prune=10, threads=2)", 200},
        {"4x4",
         "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15;1.2.5.6/3.4.7.8/9.10.13.14/11.12.15)",
         90},
        {"3x3", "idastar(pdb:1.2.3/4.5/6.7.8;1.2.3/4.6.7/5.8)", 200},
        {"5x3", "idastar(pdb:1.2.3.4.5/6.7.11.12/8.9.10/13.14)", 90},
        {"5x3", "idastar(pdb:1.2.3.4.5/6.7.11.12/8.9.10/13.14, prune=10)", 90},
        {"2x6", "idastar(pdb:1.2.3.4.5.6/7.8.9.10.11)", 60},
        {"5x5", "idastar(pdb:1.2.5.6/3.4.8.9/7.10.11.15.16/12.13.14.17/18.19.20/21.22.23.24)", 60},
    };
    gsl_rng *generator = any_generator();
    uint64_t expanded = 0;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned repeat = 0; repeat < 3; repeat++) {
            const struct shape shape = shape_read(rows[i].size);
            const struct board goal = goal_of("blank-first", shape.width, shape.height);
            const struct task task = {walked(generator, &goal, rows[i].walk), goal, DEFAULT_ORDER};
            const struct solver solver = solver_of(rows[i].solver);
            struct solver other = solver;
            struct algorithm algorithm = *solver.algorithm;
            algorithm.run = run_below_falls;
            other.algorithm = &algorithm;
            const struct limits limits = {.bytes = 1 << 28};
            SCOPED_BY(result_end) struct result plain = result_of(&solver, &task, &limits, NULL);
            SCOPED_BY(result_end) struct result result = result_of(&other, &task, &limits, NULL);
            assert_int_equal(result.status, STATUS_solved);
            assert_int_equal(result.length, plain.length);
            assert_string_equal(result.moves, plain.moves);
            expanded += plain.statistics.expanded;
            plain.statistics.peak_bytes = result.statistics.peak_bytes;
            assert_memory_equal(&result.statistics, &plain.statistics, sizeof plain.statistics);
        }
    print_message("%ju nodes\n", (uintmax_t)expanded);
    assert_true(expanded > 1000000);
}

AROUND_ALL_TESTS(no_files, NULL)
