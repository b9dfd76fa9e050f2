/* The one-bit form of zero-aware tables: bits, steps and descents, against all values of tables. */
#include "base/pages.h"
#include "pdb/pattern_bits.h"
#include "pdb/pattern_build.h"
#include "puzzle/moves.h"
#include "tests/support.h"

TEST(bits_by_hand)
{
    static const uint8_t values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255};
    uint8_t bits[2] = {0};
    assert_int_equal(pattern_bits_bytes(0), 0);
    assert_int_equal(pattern_bits_bytes(8), 1);
    assert_int_equal(pattern_bits_bytes(9), 2);
    pattern_bits_enter(bits, 0, values, 5); /* in two parts */
    pattern_bits_enter(bits, 5, values + 5, 7);
    assert_int_equal(bits[0], 0xCC);
    assert_int_equal(bits[1], 0x0C);
    for (unsigned i = 0; i < sizeof values; i++)
        assert_int_equal(pattern_bits_at(bits, i), values[i] / 2 % 2);
    for (unsigned value = 1; value < 10; value++) {
        assert_int_equal(pattern_bits_next(value, pattern_bits_at(bits, value + 1)), value + 1);
        assert_int_equal(pattern_bits_next(value, pattern_bits_at(bits, value - 1)), value - 1);
    }
    assert_int_equal(pattern_bits_next(0, 0), 1);
}

/* Row 0 of 3x2 is "0 1 2", row 1 "3 4 5"; the tile of cell 1 alone. On cell 2 with the blank
 * anywhere but there it is one move from home; on cell 5 two, and on cell 3 two. */
TEST(a_descent_by_hand)
{
    struct pattern pattern = {.blank = 0, .count = 1, .cell = {1}, .kind = PATTERN_ZERO_AWARE};
    const char *problem;
    assert_true(shape_make(3, 2, &pattern.shape));
    uint8_t *values = pattern_build(&pattern, 1, NULL, NULL, &problem);
    struct pattern_sets *sets = pattern_sets_make(pattern.shape, 1);
    uint8_t bits[1] = {0};
    assert_int_equal(pattern_entries(&pattern), 6);
    pattern_bits_enter(bits, 0, values, 6);
    assert_int_equal(bits[0], 0x28); /* values 1 0 1 2 1 2 */
    static const uint8_t expected[] = {1, 0, 1, 2, 1, 2};
    for (uint8_t cell = 0; cell < 6; cell++) {
        const uint8_t at[MAX_PATTERN] = {cell};
        assert_int_equal(pattern_bits_value(bits, sets, &pattern, at, (cell + 1U) % 6),
                         expected[cell]);
        assert_int_equal(pattern_parity(&pattern, at), expected[cell] % 2);
    }
    pattern_sets_end(sets);
    pages_end(values, 6);
}

/* What the bits say of a placement and of all its neighbours. Returns 1 if it is not reachable. */
static unsigned check_placement(const struct pattern *pattern, const struct pattern_sets *sets,
                                const uint8_t *values, const uint8_t *bits,
                                const uint8_t at[MAX_PATTERN], unsigned blank)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        set |= UINT64_C(1) << at[i];
    const uint32_t order = pattern_order(pattern->count, at);
    const unsigned value = values[pattern_sets_entry(sets, set, blank) + order];
    assert_int_equal(pattern_bits_value(bits, sets, pattern, at, blank), value);
    if (value == UNREACHABLE)
        return 1;
    assert_int_equal(pattern_parity(pattern, at), value % 2);
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned cell = move_target(pattern->shape, blank, move);
        uint8_t moved[MAX_PATTERN];
        unsigned slot = 0;
        while (slot < pattern->count && at[slot] != cell)
            slot++;
        if (cell == NO_CELL || slot == pattern->count)
            continue;
        memcpy(moved, at, sizeof moved);
        moved[slot] = (uint8_t)blank;
        const uint32_t entry =
            pattern_sets_entry(sets, set ^ (UINT64_C(1) << cell | UINT64_C(1) << blank), cell) +
            pattern_order(pattern->count, moved);
        assert_true(values[entry] + 1U == value || values[entry] == value + 1);
        assert_int_equal(pattern_bits_next(value, pattern_bits_at(bits, entry)), values[entry]);
    }
    return 0;
}

/* Each placement (a code with the cells of the slots as digits) or each of some, and each cell of
 * the blank. */
TEST(bits_give_every_value)
{
    static const struct {
        unsigned width, height, blank, count;
        uint8_t cell[MAX_PATTERN];
        unsigned step;
        bool some_unreachable;
    } rows[] = {
        {2, 2, 0, 1, {1}, 1, false},
        {2, 2, 0, 3, {1, 2, 3}, 1, true},
        {3, 2, 0, 4, {1, 2, 4, 5}, 1, true},
        {3, 2, 4, 5, {0, 1, 2, 3, 5}, 1, true},
        {4, 2, 0, 5, {1, 2, 3, 4, 5}, 7, false},
        {3, 3, 0, 4, {1, 3, 5, 8}, 1, false},
        {3, 3, 4, 4, {1, 3, 5, 7}, 1, false},
        {3, 3, 1, 7, {0, 2, 3, 4, 5, 6, 7}, 997, true},
        {3, 3, 0, 8, {1, 2, 3, 4, 5, 6, 7, 8}, 4999, true},
        {4, 4, 0, 4, {1, 4, 5, 15}, 11, false},
        {2, 6, 0, 4, {2, 3, 8, 9}, 7, false},
        {6, 6, 0, 3, {1, 6, 7}, 31, false},
        {18, 2, 0, 2, {1, 18}, 1, false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pattern pattern = {.blank = (uint8_t)rows[i].blank,
                                  .count = (uint8_t)rows[i].count,
                                  .kind = PATTERN_ZERO_AWARE};
        const char *problem;
        uint64_t codes = 1;
        unsigned checked = 0;
        unsigned unreachable = 0;
        assert_true(shape_make(rows[i].width, rows[i].height, &pattern.shape));
        memcpy(pattern.cell, rows[i].cell, sizeof pattern.cell);
        const unsigned cells = pattern.shape.cells;
        const uint64_t entries = pattern_entries(&pattern);
        for (unsigned j = 0; j < pattern.count; j++)
            codes *= cells;
        uint8_t *values = pattern_build(&pattern, 1, NULL, NULL, &problem);
        SCOPED uint8_t *bits = heap_take(pattern_bits_bytes(entries), 1);
        struct pattern_sets *sets = pattern_sets_make(pattern.shape, pattern.count);
        pattern_bits_enter(bits, 0, values, entries);
        for (uint64_t code = 0; code < codes; code += rows[i].step) {
            uint8_t at[MAX_PATTERN] = {0};
            uint64_t set = 0;
            uint64_t rest = code;
            for (unsigned j = 0; j < pattern.count; j++, rest /= cells) {
                at[j] = (uint8_t)(rest % cells);
                set |= UINT64_C(1) << at[j];
            }
            if (__builtin_popcountll(set) != (int)pattern.count)
                continue;
            for (unsigned blank = 0; blank < cells; blank++)
                if ((set >> blank & 1) == 0) {
                    unreachable += check_placement(&pattern, sets, values, bits, at, blank);
                    checked++;
                }
        }
        assert_true(checked > 0);
        assert_true((unreachable > 0) == rows[i].some_unreachable);
        assert_true(unreachable < checked);
        pattern_sets_end(sets);
        pages_end(values, entries);
    }
}
