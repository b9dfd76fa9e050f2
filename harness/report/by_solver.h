/* The pages of a class: one for the lecturer, and one for each labelled program with nothing of the
 * others but quantiles (tilelab report --by-solver). */
#pragma once

#include "harness/report/marks.h"
#include "harness/report/results_report.h"

/* Writes FOLDER/class.html and FOLDER/submissions/NAME.html, a label each. False with a message to
 * report->errors. */
bool by_solver_write(const struct results_report *report, const struct marks *marks,
                     const char *folder);

/* ---- Its parts ---- */

/* What the class came to: points, how runs ended, equal counters, answers known by heart. `pages`
 * are the names of the submissions' files. */
struct document class_document(const struct marks *marks, char *const *pages);

/* Writes the page of a submission: points with their rows, what its answers have in common, three
 * boards beside the baseline's answers, and its figure (HTML). `messages`: by run; NULL: none. */
void submission_write(const struct results_report *report, const struct marks *marks,
                      const struct marked_solver *solver, char *const *messages, const char *figure,
                      FILE *file);
