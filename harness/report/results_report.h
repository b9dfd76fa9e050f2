/* The reports of a results folder: a page that needs no network, and the skeleton of a text to hand
 * in. */
#ifndef REPORT_RESULTS_REPORT_H
#define REPORT_RESULTS_REPORT_H

#include "harness/compare/comparison.h"
#include "harness/figures/figures.h"
#include "harness/report/page_runs.h"
#include <stdio.h>

struct results_report {
    const char *results;           /* as the command line names them */
    const char *folder;            /* that they lie in */
    struct comparison *comparison; /* read and told (compare/findings.h) */
    const struct page_runs *runs;  /* by the number of the run in the results */
    FILE *errors;
};

/* Writes the page, with its figures drawn where that can be done. */
void results_page_write(const struct results_report *report, FILE *file);

/* Writes the skeleton, in Markdown: what was run and what came of it is there, what was asked and
 * what it means is to be written. `output` is the file that it goes to, from which it links to the
 * figures of `tilelab plot`. Changes the headings of the comparison's document. */
void results_skeleton_write(const struct results_report *report, const char *output, FILE *file);

/* ---- What the two share ---- */

/* The figures that the results can carry; figures_end. */
struct figures report_figures(const struct results_report *report);

/* Whether some figure is not missing. */
bool any_figure(const struct figures *figures);

/* Draws the figures in a folder of the moment. HTML with all of them, or with a sentence that says
 * why there are none; heap memory. */
char *figures_html(const struct results_report *report);

#endif
