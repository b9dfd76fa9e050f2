/* The numbers in a table beside runs.csv, such as rounds.csv and incumbents.csv, of the runs that
 * are in the results. */
#pragma once

#include "harness/analysis/results.h"

enum { RUN_NUMBERS = 5 };

struct run_numbers_row {
    size_t run;                /* its number in the results */
    double value[RUN_NUMBERS]; /* by column; NaN: the cell is empty */
};

/* A zeroed one is empty. */
struct run_numbers {
    struct run_numbers_row *rows; /* in the file's order; owned */
    size_t count;
};

/* Adds those of a file with the column run_id and `count` others (RUN_NUMBERS at most). False, with
 * problems in the report, where it cannot be read; a torn last row is left out. */
bool run_numbers_read(struct run_numbers *numbers, const struct results *results, const char *file,
                      const char *const *columns, size_t count, struct report *report);
void run_numbers_end(struct run_numbers *numbers);
