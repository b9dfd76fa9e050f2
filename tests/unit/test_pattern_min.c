/* Min-compressed tables: entries, minima and their parity, by hand and against ordinary tables. */
#include "base/pages.h"
#include "pdb/pattern_build.h"
#include "pdb/pattern_min.h"
#include "puzzle/moves.h"
#include "tests/support.h"

static void minima_by_hand(void **state)
{
    static const uint8_t values[] = {4, 1, 7, 255, 255, 0, 9};
    static const struct {
        unsigned merged;
        unsigned count;
        uint8_t entries[4];
    } rows[] = {{2, 4, {1, 7, 0, 9}}, {3, 3, {1, 0, 9}}, {6, 2, {0, 9}}, {255, 1, {0}}};
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t entries[5] = {77, 77, 77, 77, 77};
        pattern_min_make(entries, values, sizeof values, rows[i].merged);
        assert_memory_equal(entries, rows[i].entries, rows[i].count);
        assert_int_equal(entries[rows[i].count], 77);
    }
    assert_int_equal(pattern_min_value(4, 0), 4);
    assert_int_equal(pattern_min_value(4, 1), 5);
    assert_int_equal(pattern_min_value(5, 0), 6);
    assert_int_equal(pattern_min_value(5, 1), 5);
}

/* The multiplication is the division, beside every multiple and at the end. */
static void entries_are_quotients(void **state)
{
    (void)state;
    for (uint32_t merged = MIN_MERGED; merged <= MAX_MERGED; merged++) {
        const uint64_t share = pattern_min_share(merged);
        for (uint32_t i = 0; i < 10000; i++) {
            const uint32_t near = i * 429496 / merged * merged;
            assert_int_equal(pattern_min_entry(near, share), near / merged);
            assert_int_equal(pattern_min_entry(near + merged - 1, share), near / merged);
            assert_int_equal(pattern_min_entry(UINT32_MAX - i, share), (UINT32_MAX - i) / merged);
        }
    }
}

/* One tile of 3x3 that belongs on cell 1, the goal's blank on cell 0. Its ordinary table has the
 * distances 1 0 1, 2 1 2, 3 2 3 of the cells. With two in one: 0 1 1 2 3, and with the parity of
 * each cell every distance is known again. With four in one: 0 1 3, and cell 3 loses 2. */
static void a_tile_by_hand(void **state)
{
    static const struct {
        unsigned merged;
        unsigned entries;
        uint8_t stored[5];
        uint8_t values[9];
    } rows[] = {{2, 5, {0, 1, 1, 2, 3}, {1, 0, 1, 2, 1, 2, 3, 2, 3}},
                {4, 3, {0, 1, 3}, {1, 0, 1, 0, 1, 2, 1, 2, 3}}};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct pattern pattern = {
            .blank = 0, .count = 1, .cell = {1}, .merged = (uint8_t)rows[i].merged};
        const char *problem;
        assert_true(shape_make(3, 3, &pattern.shape));
        uint8_t *table = pattern_build(&pattern, 1, NULL, NULL, &problem);
        assert_int_equal(pattern_entries(&pattern), rows[i].entries);
        assert_memory_equal(table, rows[i].stored, rows[i].entries);
        for (uint8_t cell = 0; cell < 9; cell++) {
            const uint8_t at[MAX_PATTERN] = {cell};
            const uint32_t entry =
                pattern_min_entry(pattern_rank(&pattern, at), pattern_min_share(pattern.merged));
            assert_int_equal(pattern_min_value(table[entry], pattern_parity(&pattern, at)),
                             rows[i].values[cell]);
        }
        pages_end(table, rows[i].entries);
    }
}

/* Every entry of larger tables is the minimum of its ranks, the last of those that are left. */
static void entries_are_minima(void **state)
{
    static const uint8_t merged[] = {2, 3, 5, 6, 7, 64, 255};
    struct pattern whole = {.blank = 0, .count = 4, .cell = {1, 2, 5, 8}};
    const char *problem;
    (void)state;
    assert_true(shape_make(3, 4, &whole.shape));
    const uint64_t ranks = pattern_entries(&whole);
    uint8_t *values = pattern_build(&whole, 1, NULL, NULL, &problem);
    for (unsigned i = 0; i < sizeof merged; i++) {
        struct pattern pattern = whole;
        uint64_t rank = 0;
        pattern.merged = merged[i];
        const uint64_t entries = pattern_entries(&pattern);
        uint8_t *table = pattern_build(&pattern, 1, NULL, NULL, &problem);
        for (uint64_t entry = 0; entry < entries; entry++) {
            uint8_t least = UNREACHABLE;
            for (unsigned j = 0; j < merged[i] && rank < ranks; j++, rank++)
                least = values[rank] < least ? values[rank] : least;
            assert_int_equal(table[entry], least);
        }
        assert_int_equal(rank, ranks);
        pages_end(table, entries);
    }
    pages_end(values, ranks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minima_by_hand),
        cmocka_unit_test(entries_are_quotients),
        cmocka_unit_test(a_tile_by_hand),
        cmocka_unit_test(entries_are_minima),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
