/* What there is to say about results: notes, tables and verdicts, as a document. */
#pragma once

#include "harness/compare/comparison.h"

struct run_ids;

struct compare_options {
    const char
        *baseline;      /* a solver as the results name it; NULL: the key "baseline" of the first
                           manifest.json that has it, if that solver has runs, else the first solver */
    enum metric metric; /* of the verdicts and the printed paired table, METRICS: the usual one
                           (comparison_metric); pairs.csv has all */
    bool also[METRICS]; /* others that were asked for beside it */
    bool metric_asked;  /* for findings_tell: whether it is no usual one */
    const char *output; /* the folder for the CSV files, made if need be; NULL: the results folder
                           where that is the only result, else no files are written */
    enum format format; /* of what is printed */
    bool full;          /* print all tables and sentences, not one screen; CSV and JSON do so in any
                           case */
    bool all_pairs;     /* every solver against every other; so too where a manifest says so */
    bool quiet;         /* do not say where the files are */
    const char *table;  /* print this table alone; NULL: all */
    const char *columns;        /* make the table "columns" of these (columns_view.h); NULL: none */
    const char *sets, *solvers; /* only these (struct choice); NULL: all */
    bool pooled;                /* one block over all sets and sizes */
    bool claimed;               /* runs that are `claimed` count as solved, unverified */
    enum correction correction;
    bool raw, pratt; /* of Wilcoxon's test, as struct pairs_options */
    const char
        *against;     /* hold the results against these older ones instead; NULL: compare solvers */
    double tolerance; /* with it: how much worse a time may be, as a share; 0 or below: no time
                         is a difference */
    bool nodes_must_equal;      /* with it: only what was searched may not differ */
    const struct run_ids *only; /* the runs to look at, all others are left out; NULL: all */
    const char *others;         /* what the others are, for the note, as others_text; may be NULL */
    bool silent;                /* print nothing in the format text */
    FILE *stream;               /* where to print */
    FILE *errors;               /* where to say what is wrong, and where the files are */
};

/* Fills the document and the tables of a comparison that was read. */
void findings_tell(struct comparison *comparison, const struct compare_options *options);
