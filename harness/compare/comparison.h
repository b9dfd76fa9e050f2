/* One or more results read for commands that compare, plot or report: rows, manifests, baseline. */
#pragma once

#include "harness/analysis/improvements.h"
#include "harness/analysis/pairs.h"
#include "harness/analysis/summary.h"
#include "harness/results/reference.h"
#include "harness/text/document.h"

/* What else the reader of the tables should know, and its subject in a word or two. */
struct note {
    const char *about;
    char *text; /* owned */
};

/* Which of the tables beside results are read: each has a row for every round or solution. */
enum side_wanted { SIDE_NONE, SIDE_INCUMBENTS, SIDE_ALL };

struct extra_columns;

/* What was found, and what else should be known. `results.only`, `results.pooled`,
 * `results.sets` and `.chosen`, `results.counted` and `side_wanted` are set before comparison_read,
 * all else is 0.
 */
struct comparison {
    struct results results;
    struct side_numbers side; /* what stands beside the results: rounds, incumbents; */
    enum side_wanted side_wanted;
    bool side_wrong;      /* some of it cannot be read, which was said */
    json_t *manifest;     /* the first there is; or NULL */
    struct names order;   /* the solvers of the experiments */
    char *named_baseline; /* from the first manifest that names one; or NULL */
    size_t baseline;
    bool all_pairs;               /* a manifest asks for them */
    bool has_references;          /* a manifest names some */
    enum metric metrics[METRICS]; /* named by the first manifest that has any; or none */
    size_t metric_count;
    /* From findings_tell: */
    struct document document;
    struct tidy tables[TABLES];   /* the derived ones */
    struct extra_columns *extras; /* by row of the table summary (columns_view.h) */
    size_t extra_rows;
    enum metric metric;        /* of the verdicts */
    struct pairs *pairs;       /* by block; NULL before; */
    struct summary *summaries; /* likewise */

    struct reference *references; /* of the one result, if its manifest names any */
    size_t reference_count;
    size_t expect_failed; /* references of which a cell differs, or none was measured */
    struct note *notes;
    size_t note_count;
};

/* Reads and settles the results, and finds the baseline (NULL: the usual one). False, with messages
 * to `errors`, if they cannot be used. Call comparison_end in either case. */
bool comparison_read(struct comparison *comparison, const char *const *results, size_t count,
                     const char *baseline, FILE *errors);

/* The metric of verdicts: `asked`, or where that is METRICS the first that is named, or expanded.
 */
enum metric comparison_metric(const struct comparison *comparison, enum metric asked);

/* Sets the metrics of tables by optimal length and of figures: those that are named, or
 * generated. */
void comparison_metrics(const struct comparison *comparison, bool metrics[METRICS]);

/* Adds a note. */
void comparison_note(struct comparison *comparison, const char *about, const char *format, ...)
    PRINTF_LIKE(3, 4);

void comparison_end(struct comparison *comparison);
