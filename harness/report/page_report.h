/* The pages that the program writes: the report of an experiment, and the boards that `tilelab
 * solve` was given. */
#pragma once

#include "harness/compare/comparison.h"
#include "harness/report/page_runs.h"

struct page_report {
    const char *name;                /* where the manifest has none */
    const char *results;             /* as the command line names them; NULL: there are several */
    const char *folder;              /* that they lie in; NULL: the same */
    const char *experiment;          /* the text of experiment.yaml; or NULL */
    const struct document *document; /* what `tilelab compare --full` tells, or of a class */
    const struct comparison *comparison;
    const struct page_runs *runs; /* all, or some; */
    const char *sampled;          /* which ones, as sentences; NULL: all */
    const char *figures;          /* HTML */
};

/* What a report is called: the experiment's name, or else `name`. */
const char *page_report_name(const char *name, const json_t *manifest);

/* The sentence below: what was run. Heap memory. */
char *page_report_lead(const struct results *results, const json_t *manifest);

/* The numbers of the runs by board, solver and repetition; heap memory. */
size_t *page_report_order(const struct results *results, const struct page_runs *runs);

void page_report_write(const struct page_report *report, FILE *file);

/* A submission: what the document tells, in its order, a figure (HTML), and runs that are played,
 * those of a board beside each other. */
void page_submission_write(const char *title, const char *lead, const struct document *document,
                           const char *figure, const struct page_data *data, FILE *file);

/* Runs of boards, with a title. */
void page_solve_write(const char *title, const struct page_data *data, FILE *file);
