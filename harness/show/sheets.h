/* Answers in the forms that courses and well-known programs want: a row of sheets.def and a writer
 * for each. Its card says what each figure means there and what is printed for it. */
#pragma once

#include "algorithms/solver.h"
#include "instances/instance.h"
#include <stdio.h>

enum sheet_needs {
    SHEET_OPTIMAL = 1, /* a solver that is always optimal */
    SHEET_SQUARE = 2,  /* a board as high as wide */
    SHEET_REMOVAL = 4, /* the goal test when a node's turn comes */
    SHEET_STATES = 8   /* no state is stored twice */
};

enum sheet {
#define SHEET(id, name, of, algorithms, needs, expands, text) SHEET_##id,
#include "harness/show/sheets.def"
    SHEETS
};

struct sheet_row {
    const char *name, *of, *algorithms;
    unsigned needs;
    void (*expands)(void *file, const struct board *board, unsigned g, unsigned h);
    const char *text;
};
extern const struct sheet_row sheet_rows[SHEETS];

/* A line of a card. */
struct sheet_figure {
    enum sheet sheet;
    const char *line, *there, *here;
};
extern const struct sheet_figure sheet_figures[];
extern const size_t sheet_figure_count;

/* Whether the counters of a solver on a board are what the sheet calls so; else with a problem in
 * the report. */
bool sheet_fits(enum sheet sheet, const struct solver *solver, const struct board *start,
                struct report *report);

/* Writes the answer, of which the path was checked. False: it is none that the sheet has a form
 * for. */
bool sheet_write(enum sheet sheet, const struct instance *instance, const struct result *result,
                 FILE *file);
