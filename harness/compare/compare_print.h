/* `tilelab compare`: statistics over results folders, printed and written as CSV. */
#pragma once

#include "harness/compare/findings.h"
#include "harness/text/ending.h"

/* Pools the results (folders with a runs.csv, or CSV files), prints how runs ended, medians and
 * verdicts to options->stream and writes summary.csv, by_depth.csv and pairs.csv, each whole or not
 * at all, and names them in datapackage.json. Rows that are not of the experiment in manifest.json
 * beside a runs.csv are left out and named. *differs: something changed against the older results,
 * or a published cell differs. Messages, also where the files are, go to options->errors. */
enum ending compare_print(const char *const *results, size_t count,
                          const struct compare_options *options, bool *differs);
