/* Lists of what the program has: algorithms, heuristics, sets, .. (tilelab list). */
#pragma once

#include "harness/text/tidy.h"
#include "puzzle/board.h"

struct list {
    const struct board *goal; /* of list_depths */
    unsigned table;           /* of list_columns: enum table; TABLES: all */
    unsigned sheet;           /* of list_sheets: the enum sheet whose card it is; SHEETS: all */
    bool names;               /* only the first column is wanted, as it is typed */
    struct tidy rows;         /* of texts; tidy_end */
};

/* Gives a list its columns: their headings with bars between. The first one names the rows. */
void list_start(struct list *list, const char *headings);

/* Says what a narrow terminal leaves out: the column that explains the rows stays. */
void list_rank(struct list *list);

/* Each starts a list and adds its rows. */
typedef void list_fill(struct list *list);
list_fill list_algorithms, list_heuristics, list_sets, list_experiments, list_keys, list_columns,
    list_statuses, list_figures, list_depths, list_partitions, list_placeholders, list_sheets;
