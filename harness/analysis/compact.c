#include "harness/analysis/compact.h"
#include "base/heap.h"

struct compact compact_start(unsigned columns)
{
    return (struct compact){
        .count = columns, .columns = heap_take(columns, sizeof *((struct compact *)NULL)->columns)};
}

static bool is_same(double a, double b)
{
    return a == b ? signbit(a) == signbit(b) : isnan(a) && isnan(b);
}

static bool is_whole(double number)
{
    return isnan(number) || (number >= 0 && number < COMPACT_NAN && !signbit(number) &&
                             number == (double)(uint32_t)number);
}

/* Gives a column the memory that a number needs which is not as those before. */
static void widen(const struct compact *compact, struct compact_column *column, double number)
{
    const bool whole = is_whole(number) && (column->whole != NULL || is_whole(column->same));
    if (whole && column->whole == NULL) {
        column->whole = heap_resize(NULL, compact->room * sizeof *column->whole);
        for (size_t i = 0; i < compact->rows; i++)
            column->whole[i] = isnan(column->same) ? COMPACT_NAN : (uint32_t)column->same;
    } else if (!whole) {
        double *full = heap_resize(NULL, compact->room * sizeof *full);
        for (size_t i = 0; i < compact->rows; i++)
            full[i] = compact_get(compact, i, (unsigned)(column - compact->columns));
        free(column->whole);
        column->whole = NULL;
        column->full = full;
    }
}

static void set_number(const struct compact *compact, struct compact_column *column, size_t row,
                       double number)
{
    const bool only = row == 0 && compact->rows <= 1; /* there is no other row */
    if (column->full == NULL && column->whole == NULL && only)
        column->same = number;
    else if (column->full == NULL &&
             (column->whole == NULL ? !is_same(number, column->same) : !is_whole(number)))
        widen(compact, column, number);
    if (column->full != NULL)
        column->full[row] = number;
    else if (column->whole != NULL)
        column->whole[row] = isnan(number) ? COMPACT_NAN : (uint32_t)number;
}

static void make_room(struct compact *compact)
{
    enum { FIRST = 1 << 10 };
    compact->room = compact->room == 0 ? FIRST : 2 * compact->room;
    for (unsigned i = 0; i < compact->count; i++) {
        struct compact_column *column = &compact->columns[i];
        if (column->full != NULL)
            column->full = heap_resize(column->full, compact->room * sizeof *column->full);
        if (column->whole != NULL)
            column->whole = heap_resize(column->whole, compact->room * sizeof *column->whole);
    }
}

void compact_set(struct compact *compact, size_t row, const double *numbers)
{
    if (row == compact->room)
        make_room(compact);
    for (unsigned i = 0; i < compact->count; i++)
        set_number(compact, &compact->columns[i], row, numbers[i]);
    if (row == compact->rows)
        compact->rows++;
}

void compact_fetch(const struct compact *compact, size_t row)
{
    for (unsigned i = 0; i < compact->count; i++) {
        const struct compact_column *column = &compact->columns[i];
        if (column->full != NULL)
            __builtin_prefetch(&column->full[row]);
        else if (column->whole != NULL)
            __builtin_prefetch(&column->whole[row]);
    }
}

void compact_end(struct compact *compact)
{
    for (unsigned i = 0; i < compact->count; i++)
        FREE(compact->columns[i].whole, compact->columns[i].full);
    free(compact->columns);
    *compact = (struct compact){0};
}
