/* The rules by which runs earn points (the key `points` of an experiment).
 *
 * A rule is solved, optimal or unsolvable, or METRIC within Nx of SOLVER (or of reference, which is
 * the baseline), or METRIC at most VALUE; each may end with `on SET`. Here is what a rule says;
 * report/marks.h holds rows against it. */
#pragma once

#include "base/report.h"

enum point_kind { POINT_SOLVED, POINT_OPTIMAL, POINT_UNSOLVABLE, POINT_WITHIN, POINT_AT_MOST };

enum { CENTS = 100, MAX_POINTS = 1000 };

struct point_rule {
    char *text;     /* owned; as it is written: what tables call the rule */
    unsigned cents; /* hundredths of a point that it is worth */
    enum point_kind kind;
    char *metric; /* owned; of WITHIN and AT_MOST: a column of runs.csv, or extra.NAME; or NULL */
    double bound; /* N; VALUE in the metric's unit */
    char *solver; /* owned; of WITHIN: as it is written, "reference" for the baseline; or NULL */
    char *set;    /* owned; the set whose boards alone it is about; NULL: all sets */
    struct text_place place; /* in the file */
};

/* Reads a rule; false, with a problem at the place, if it is none. Call point_rule_end in either
 * case. Whether its solver and set exist is for the caller to ask. */
bool point_rule_parse(const char *text, struct text_place place, struct report *report,
                      struct point_rule *rule);

/* Whether a text is a rule: such a column of points.csv is tilelab's own. */
bool point_rule_is(const char *text);

void point_rule_end(struct point_rule *rule);
