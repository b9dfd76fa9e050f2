/* The figures of results: everything that is drawn, as numbers. scripts/plot.py only draws them.
 * Those of predictions (prediction_figure.h) are made of the same parts.
 *
 * Each set of boards has its own figures, as it has its own tables. A figure is a table with what
 * its axes mean, a title, and a caption that says how many boards it covers and what happened to
 * unsolved runs; or the reason why the data do not suffice (one point is not a figure). Solvers
 * come in the order of the results, with their labels. In the tables an unsolved run is INFINITY:
 * worse than every solved one, as in every comparison. */
#pragma once

#include "harness/analysis/improvements.h"

struct making;
struct figure;

/* A row of figures.def. */
struct figure_row {
    const char *name;
    const char *summary;
    bool of_metric; /* there is one for each requested metric */
    void (*make)(const struct making *making, struct figure *figure); /* making.h */
};

#define FIGURE(...) +1
enum {
    FIGURES = 0
#include "harness/figures/figures.def"
};
#undef FIGURE

extern const struct figure_row figure_rows[FIGURES];

struct figure_axis {
    bool log;
    bool whole;     /* it counts: no ticks between whole numbers */
    double zero_at; /* where zeros are drawn on a logarithmic axis; NaN: there are none */
};

struct figure {
    const char *kind; /* by which plot.py chooses how to draw it; of results: its row's name */
    const struct block *block; /* NULL: it is not of results */
    char *name;    /* owned; of its files, without an ending: by_length-generated-uniform-3x3 */
    char *title;   /* owned */
    char *caption; /* owned */
    char *missing; /* owned; why there is none; NULL: there is one */
    bool unheld;   /* for few results hold what it shows, and these do not: missing if asked for */
    struct figure_axis x, y;
    char *x_label, *y_label; /* owned */
    bool bands;              /* lines have their quartiles drawn: there are few enough of them */
    bool panels;             /* each line has a panel of its own: there are too many for one */
    struct tidy table;       /* what --data writes: a row for each thing that is drawn */
};

/* A line, box or panel. A heuristic looks like A* with it. */
struct series {
    char *name;  /* owned; in the tables: the solver in its short form, or the heuristic */
    char *shown; /* owned; the label, or the name */
    char *as;    /* owned; the solver that gives it its look */
};

struct figures {
    struct figure *figures; /* block by block, in the order of figure_rows */
    size_t count;
    struct series *series; /* what the tables name: solvers, and heuristics */
    size_t series_count;
};

struct figures_options {
    size_t baseline;      /* the solver on the scatters' x axis */
    const bool *chosen;   /* by figure: make these; NULL: all that the results hold data for */
    bool metric[METRICS]; /* by which costs */
    const struct side_numbers *tables; /* beside the results; NULL: none were read */
    const char *parameter; /* on the sweeps' x axis (analysis/parameters.h); NULL: no sweeps */
};

/* The results must be settled and outlive the returned value. */
struct figures figures_of(const struct results *results, const struct figures_options *options);

/* What scripts/plot.py reads: {"series": {NAME: its label and look}, "figures": [..]}, each figure
 * with its table as an array of objects, where null is an unsolved run. Those that are missing are
 * left out. A new reference. */
json_t *figures_json(const struct figures *figures);

/* An axis for the numbers in some columns of a table, `first` to `last`: logarithmic if the largest
 * is many times the smallest. */
struct figure_axis figure_axis_of(const struct tidy *tidy, size_t first, size_t last, bool whole);

/* Adds a sentence to the caption that says where zeros are drawn, if there are any. */
void figure_note_zeros(struct figure *figure, const struct figure_axis *axis);

/* Adds a series unless it is there already. Returns its name as in the tables: texts may come from
 * anywhere, so they are made printable. */
const char *figures_add_series(struct figures *figures, const char *name, const char *shown,
                               const char *as);

void figures_end(struct figures *figures);
