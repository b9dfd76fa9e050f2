/* A reference: published cells that results are held against, read from a CSV file.
 *
 * Lines before the header that begin with '#' say where the cells come from and how they were
 * counted. Each row is a cell. What names it: `solver` (in the short form, or its label), and by
 * what the reference is keyed `instance` or `optimal_length`, and `set` where several sets have
 * that key. Its value: `column`, the name of a column of runs.csv (by instance), by_depth.csv (by
 * depth) or summary.csv (by solver), or REFERENCE_WITHOUT_ROOT, and `published`. How it is held
 * against the results:
 *
 * - `tolerance`: it may differ by so much, or by such a share (1%); without one it must be equal.
 * - `boards`: it is a mean over this many random boards, whose standard deviation was `sd` (empty:
 *   that of our boards). Two samples differ: analysis/expect.h says by how much they may. What
 *   rounding took goes into `tolerance`.
 * - `whole`: it is over all the boards that there are, this many; it has no sampling error, and is
 *   held against results over as many boards alone.
 * - `corrected`: `published` is a slip of print, and this the true value; `note` must say why.
 *
 * `source` says how the value is known: published (also where it is empty), recalled (published,
 * but written from memory), relabelled (published under another name), corrected, or own: not
 * published, but this program's, as all of a file that says "# Source: this program" below its
 * first line. `note` is for people. Columns but `solver`, `column`, `published` and the key may be
 * missing. */
#pragma once

#include "harness/experiment/experiment.h"
#include <math.h>

/* The copy in a results folder of the reference of that name, which compare reads again. */
#define EXPECTED_FILE "expected-%s.csv"

/* What a cell by instance may be of, besides the columns of runs.csv: generated - 1, for sources
 * that do not count the root. */
#define REFERENCE_WITHOUT_ROOT "generated_without_root"

struct reference_cell {
    char *set;      /* owned, as all texts; "": any */
    char *instance; /* "" unless by instance */
    char *solver, *column, *note;
    const char *source;             /* a static text */
    bool is_label;                  /* the solver is not written in the short form */
    struct text_place solver_place; /* where it is written */
    long optimal_length;            /* -1 unless by depth */
    double published;
    double corrected; /* NaN: it is no slip of print */
    double tolerance; /* in the unit of the column */
    double boards;    /* NaN: no mean of a sample */
    double sd;        /* NaN: not known */
    double whole;     /* over all boards there are: how many; NaN: it need not be */
};

/* What is true of the cell: the published value, or what corrects a slip of print. */
static inline double reference_truth(const struct reference_cell *cell)
{
    return isnan(cell->corrected) ? cell->published : cell->corrected;
}

struct reference {
    char *name; /* owned */
    enum expect_by by;
    double level; /* of all its sampling intervals together */
    bool own;     /* it is not published */
    struct reference_cell *cells;
    size_t count;
};

/* Reads a text as such a file. False, with the problems in the report, if something is wrong; call
 * reference_end in either case. */
bool reference_read(struct reference *reference, const char *name, enum expect_by by, double level,
                    const char *text, struct report *report);

/* The columns of by_depth.csv and summary.csv that a mean over boards stands on: the mean itself
 * and the standard deviation of the same values, in heap memory. The mean of a branching factor of
 * by_depth.csv is that of its nodes; `nodes_of_root` is then what is added to it before the factor
 * is taken (0 or 1), else -1. False where the column is no mean. */
struct reference_mean {
    char *mean, *sd;
    int nodes_of_root;
};
bool reference_mean_of(enum expect_by by, const char *column, struct reference_mean *of);
void reference_mean_end(struct reference_mean *of);

void reference_end(struct reference *reference);
