/* Rows of numbers in little memory: a column whose numbers are all the same takes none, one of
 * whole numbers four bytes for each row, any other eight. Each number comes back as it was. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct compact {
    size_t rows;
    /* Private. */
    unsigned count;
    size_t room; /* rows that the columns have memory for */
    struct compact_column {
        double same;     /* of all rows, where there is neither of these: */
        uint32_t *whole; /* owned; COMPACT_NAN: NaN */
        double *full;    /* owned */
    } * columns;         /* owned */
};

#define COMPACT_NAN UINT32_MAX

/* So many columns and no row; compact_end. */
struct compact compact_start(unsigned columns);

/* Sets the numbers of a row that is there, or the next. */
void compact_set(struct compact *compact, size_t row, const double *numbers);

static inline double compact_get(const struct compact *compact, size_t row, size_t column)
{
    const struct compact_column *own = &compact->columns[column];
    if (own->full != NULL)
        return own->full[row];
    if (own->whole == NULL)
        return own->same;
    return own->whole[row] == COMPACT_NAN ? NAN : (double)own->whole[row];
}

/* Asks memory for a row that is needed soon. */
void compact_fetch(const struct compact *compact, size_t row);

void compact_end(struct compact *compact);
