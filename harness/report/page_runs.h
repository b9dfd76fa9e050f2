/* The runs of a page: the cells of their rows, and with them the JSON that its script reads.
 *
 * It is {"results", "count", "solvers": [{name, shown, colour}], "statuses": {name: {meaning,
 * solved, counts}}, "unverified": a 0 or 1 for each run, "columns": [..]}. A column has "numbers"
 * or "words", once each, and "at", as many digits of base 90 for each run: the number of its value.
 * "at" is left out where there is one value, or one for each run. The digits are the letters from
 * '#' to
 * '~' but '<' and '\\'. Run-IDs of 32 digits of base 16 are "ids", each eight of them as five such.
 *
 * The runs of a report, which come board by board, also have what its figures need: "metrics"
 * [{name, label, whole, optional}]; the name of the "metric" of the answer; "boards" [runs,
 * optimum, place, ..], of each board how many runs it has there, its optimal length or cost (null:
 * not known; -1: it cannot be solved) and the length, or the middle of the bin of costs, where the
 * figure by optimal length draws it; "blocks" [{name, count, optimum, word}], of so many boards
 * each, with the name of their optima and "length" or "cost"; the number of the "baseline"; and
 * "searches" (report/searches.h). Their solvers have "params", those that are numbers. A solver's
 * mark and dashes are those of looks.h.
 */
#pragma once

#include "harness/analysis/results.h"

/* A zeroed struct page_runs has no runs. */
struct page_runs {
    struct names words[COLUMNS]; /* the texts of each column */
    uint32_t (*cells)[COLUMNS];  /* by run; owned */
    size_t count;
    size_t *of;  /* owned; by run: its number in the results; NULL: the same */
    size_t most; /* as soon as there are more, none is kept; 0: all are */
    bool many;   /* there were */
};

/* Sets the cells (COLUMNS texts) of a run: one that is there, or the next. */
void page_runs_set(struct page_runs *runs, size_t run, const char *const *cells);

/* The same for a row that is read: `counted` of struct results; `runs` is a struct page_runs. */
struct row;
void page_runs_keep(void *runs, size_t run, const struct row *row);

/* The number of a run in the results. */
static inline size_t page_runs_of(const struct page_runs *runs, size_t run)
{
    return runs->of == NULL ? run : runs->of[run];
}

/* The text of a cell. */
const char *page_runs_text(const struct page_runs *runs, size_t run, size_t column);

/* The first runs in this order, for readers without a script. */
struct tidy page_runs_view(const struct page_runs *runs, const size_t *order);

/* What a page's script is given. */
struct page_data {
    const char *results;      /* the results as the command line names them; NULL: there are none */
    char *const *solvers;     /* in their order */
    const char *const *shown; /* what the page calls them */
    size_t solver_count;
    const struct page_runs *runs;
    const size_t *order;        /* of the runs in the page; NULL: as they are */
    const bool *unverified;     /* by run; NULL: none is */
    const char *folder;         /* whose messages.csv says why runs crashed or are wrong; or NULL */
    const struct results *read; /* of a report, whose order is page_report_order; or NULL */
    size_t baseline;            /* of a report: the number of a solver; */
    enum metric metric;         /* of its answer */
};

/* Writes the data as JSON that is safe within <script>. */
void page_data_write(const struct page_data *data, FILE *file);

void page_runs_end(struct page_runs *runs);
