/* `tilelab compare`: statistics over results folders, printed and written as CSV. */
#ifndef COMMANDS_COMPARE_H
#define COMMANDS_COMPARE_H

#include "harness/compare/findings.h"

/* Pools the results (folders with a runs.csv, or CSV files), prints how runs ended, medians and
 * verdicts to standard output and writes summary.csv, by_depth.csv and pairs.csv, each whole or not
 * at all, and names them in datapackage.json. Rows that are not of the experiment in manifest.json
 * next to a runs.csv are left out and named. Returns the program's exit code: 0 done, 1 something
 * could not be written, 2 wrong input, 3 something changed against the older results; messages,
 * also where the files are, go to standard error. */
int compare_print(const char *const *results, size_t count, const struct compare_options *options);

#endif
