/* The runs that a page has of many: all of some boards, so that solvers can be compared on them.
 *
 * Of each set and size boards are drawn for its share of the runs, first those on which a run is
 * not solved, where these are at most a quarter of that share. The draw follows from the boards
 * alone, so that the same rows give the same page. */
#pragma once

#include "harness/report/page_runs.h"

struct page_sample {
    bool *boards;                        /* owned; by instance; NULL: all are in the page */
    size_t count;                        /* of these */
    size_t runs, unsolved, all_unsolved; /* in the page; not solved: there, and of all */
};

/* Draws boards with about `most` runs of settled results; page_sample_end. */
struct page_sample page_sample_draw(const struct results *results, size_t most);

/* Reads the rows of these boards' runs again, from the same results as the command line names them.
 * False, with a message, if they are no longer what they were. */
bool page_sample_read(const struct page_sample *sample, const struct results *results,
                      const char *const *paths, size_t count, struct page_runs *runs, FILE *errors);

/* What a page says of it, a sentence or two in heap memory. */
char *page_sample_text(const struct page_sample *sample, const struct results *results);

void page_sample_end(struct page_sample *sample);
