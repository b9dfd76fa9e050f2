/* A row of runs.csv: what was run and what came of it. */
#ifndef RESULTS_RECORD_H
#define RESULTS_RECORD_H

#include "algorithms/solver.h"
#include "instances/instance.h"

enum { RUN_ID_BYTES = 33, MOVES_SHOWN = 1000 };

struct record {
    char run_id[RUN_ID_BYTES]; /* 32 hexadecimal digits */
    const char *experiment;    /* "" outside an experiment */
    const struct instance *instance;
    const struct solver *solver;
    const char *order;
    unsigned repetition; /* from 1 */
    const struct result *result;
    const char *host;
    const char *finished_at; /* UTC, as 2026-01-31T23:59:59Z */
};

/* One column: its name, what it means, and how a record's cell is written (nothing where there is
 * nothing to say). */
struct column {
    const char *name;
    const char *summary;
};

/* The columns in their order. */
const struct column *record_columns(size_t *count);

/* The hash of what determines a run: the instance, goal, solver, order, limits, repetition and this
 * build. */
void record_run_id(const struct instance *instance, const char *solver_text, const char *order,
                   const struct limits *limits, unsigned repetition, char run_id[RUN_ID_BYTES]);

/* The header line and a record's line, each with its newline, in heap memory. Paths of more than
 * MOVES_SHOWN moves are left empty unless `all_moves`. */
char *record_header(void);
char *record_line(const struct record *record, bool all_moves);

/* A record's cells as texts, in heap memory: free each and the array. */
char **record_cells(const struct record *record, bool all_moves);

/* The time now in the form of finished_at. */
void record_time(char text[32]);

#endif
