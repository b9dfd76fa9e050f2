/* `tilelab compare`: statistics over results folders, printed and written as CSV. */
#ifndef COMMANDS_COMPARE_H
#define COMMANDS_COMPARE_H

#include "harness/analysis/multiplicity.h"
#include "harness/analysis/results.h"
#include "harness/report/document.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct run_ids;

struct compare_options {
    const char
        *baseline;      /* a solver as the results name it; NULL: the key "baseline" of the first
                           manifest.json that has it, if that solver has runs, else the first solver */
    enum metric metric; /* of the verdicts and the printed paired table; pairs.csv has all */
    const char *output; /* the folder for the CSV files, made if need be; NULL: the results folder
                           where that is the only result, else no files are written */
    enum format format; /* of what is printed */
    bool full;          /* print all tables and sentences, not one screen; CSV and JSON do so in any
                           case */
    bool all_pairs;     /* every solver against every other; so too where a manifest says so */
    bool quiet;         /* do not say where the files are */
    const char *table;  /* print this table alone; NULL: all */
    bool pooled;        /* one block over all sets and sizes */
    enum correction correction;
    bool raw, pratt; /* of Wilcoxon's test, as struct pairs_options */
    const char
        *against;     /* hold the results against these older ones instead; NULL: compare solvers */
    double tolerance; /* with it: how much worse a time may be, as a share; 0 or below: times are
                         not compared */
    const struct run_ids *only; /* the runs to look at, all others are left out; NULL: all */
    const char *others;         /* what the others are, for the note, as others_text; may be NULL */
    bool silent;                /* print nothing in the format text */
    FILE *stream;               /* where to print; NULL: standard output */
};

/* Pools the results (folders with a runs.csv, or CSV files), prints how runs ended, medians and
 * verdicts to standard output and writes summary.csv, by_depth.csv and pairs.csv, each whole or not
 * at all, and names them in datapackage.json. Rows that are not of the experiment in manifest.json
 * beside a runs.csv are left out and named. Returns the program's exit code: 0 done, 1 something
 * could not be written, 2 wrong input, 3 something changed against the older results; messages,
 * also where the files are, go to standard error. */
int compare_print(const char *const *results, size_t count, const struct compare_options *options);

/* What else the reader of the tables should know, and its subject in a word or two. */
struct note {
    const char *about;
    char *text; /* owned */
};

/* What was found, and what else should be known. Commands that show the same in another form use
 * comparison_read, comparison_tell and comparison_end; `results.only`, `results.pooled` and
 * `results.counted` are set before the first, all else is 0. */
struct comparison {
    struct results results;
    json_t *manifest;     /* the first there is; or NULL */
    struct names order;   /* the solvers of the experiments */
    char *named_baseline; /* from the first manifest that names one; or NULL */
    size_t baseline;
    bool all_pairs; /* a manifest asks for them */
    struct document document;
    struct tidy tables[TABLES]; /* the derived ones */
    struct note *notes;
    size_t note_count;
};

/* Reads and settles the results, and finds the baseline (NULL: the usual one). False, with messages
 * on standard error, if they cannot be used. Call comparison_end in either case. */
bool comparison_read(struct comparison *comparison, const char *const *results, size_t count,
                     const char *baseline);

/* Fills the document and the tables. */
void comparison_tell(struct comparison *comparison, const struct compare_options *options);

void comparison_end(struct comparison *comparison);

#endif
