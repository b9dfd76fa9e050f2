/* Rows of numbers come back as they were, whatever their columns are given one after the other. */
#include "harness/analysis/compact.h"
#include "tests/support.h"
#include <math.h>

enum { ROWS = 3000, COLUMNS_THERE = 8 };

/* The number of a row in a column: the same, whole, whole but for one, .. */
static double number_at(size_t row, unsigned column)
{
    switch (column) {
    case 0:
        return NAN;
    case 1:
        return 0.25;
    case 2:
        return (double)row;
    case 3:
        return row == 1500 ? 0.5 : (double)(row % 7);
    case 4:
        return row % 3 == 0 ? NAN : 4294967294.0; /* the largest that fits */
    case 5:
        return row < 2000 ? 7 : row == 2000 ? 4294967295.0 : 18446744073709551616.0;
    case 6:
        return row == ROWS - 1 ? 1 : NAN;
    default:
        return row < 10 ? 0.0 : row == 10 ? -0.0 : -1 / (double)row;
    }
}

static void assert_number(const struct compact *compact, size_t row, unsigned column)
{
    const double expected = number_at(row, column);
    const double found = compact_get(compact, row, column);
    if (isnan(expected) ? !isnan(found) : found != expected || signbit(found) != signbit(expected))
        fail_msg("row %zu, column %u: %g; expected %g", row, column, found, expected);
}

static void set_row(struct compact *compact, size_t row)
{
    double numbers[COLUMNS_THERE];
    for (unsigned i = 0; i < COLUMNS_THERE; i++)
        numbers[i] = number_at(row, i);
    compact_set(compact, row, numbers);
}

static void assert_all(const struct compact *compact)
{
    assert_int_equal(compact->rows, ROWS);
    for (size_t row = 0; row < ROWS; row++)
        for (unsigned i = 0; i < COLUMNS_THERE; i++)
            assert_number(compact, row, i);
}

TEST(numbers_come_back)
{
    SCOPED_BY(compact_end) struct compact compact = compact_start(COLUMNS_THERE);
    for (size_t row = 0; row < ROWS; row++)
        set_row(&compact, row);
    assert_all(&compact);
    assert_null(compact.columns[0].whole); /* the same everywhere: no memory */
    assert_null(compact.columns[1].full);
    assert_non_null(compact.columns[2].whole);
    assert_null(compact.columns[2].full);
    assert_non_null(compact.columns[4].whole);
}

TEST(rows_are_set_again_in_any_order)
{
    static const double none[COLUMNS_THERE] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    SCOPED_BY(compact_end) struct compact compact = compact_start(COLUMNS_THERE);
    for (size_t row = 0; row < ROWS; row++)
        compact_set(&compact, row, none);
    for (size_t i = 0; i < ROWS; i++)
        set_row(&compact, i * 1009 % ROWS);
    assert_all(&compact);
}
