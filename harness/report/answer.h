/* The first screen of a report: what was found in each set, as three sentences and a chart.
 *
 * Beside a baseline the chart is a forest plot: the ratios of the geometric means of `compare` and
 * their intervals on a logarithmic axis, the least first; an arrow shows to which side unsolved
 * runs leave a ratio open. Of one solver it is the spread, or else the shares of boards solved. It
 * is a table whose drawn column needs no script and has no width of its own, so that it is read on
 * paper, on a telephone and by a voice; `data-ratio`, `data-low` and `data-high` are as in
 * pairs.csv. */
#pragma once

#include "harness/compare/comparison.h"

/* Writes HTML, a section for each set. The findings were told. */
void put_answer(const struct comparison *comparison, FILE *file);

/* The same of a class: the title of its document, and how many submissions have which points. */
void put_class(const struct document *document, FILE *file);
