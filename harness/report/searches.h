/* What a search was like as it came along the path that it found: when a board of the path was
 * expanded (the last time, of several), the f of its node and how many nodes were live then. No row
 * has that: the runs of built-in solvers that expanded the least are searched again for it, under
 * the eyes of an observer. */
#pragma once

#include "harness/report/page_runs.h"

/* Writes {"RUN": {"f": [..], "live": [..]}, ..}, by the number of the run in the page, with a
 * number for each board of the path; null: it was not expanded, or has no f. A run is left out if
 * it is not solved, its moves cost different amounts or its heuristic needs pattern databases; if
 * all that expanded less expanded so many nodes that a page would take long; and if the search now
 * is another one: its path or its count of expanded nodes is not the row's. */
void searches_write(const struct page_runs *runs, const size_t *order, FILE *file);
