/* Repeats one row of a results folder (tilelab rerun).
 *
 * Start, goal, solver, operator order and limits are the row's own; where the program of an
 * external solver or a plugin is, manifest.json says. */
#pragma once

#include "harness/experiment/plugins.h"
#include "harness/results/rows.h"
#include "harness/text/ending.h"

struct repeat {
    FILE *messages;     /* zeroed at the start, but for this */
    const char *folder; /* and the folder that may have the manifest */
    char **was, **is;   /* owned; the cells of the row and, if it was run again, of the new one */
    struct row row;     /* its cells are `was` */
    bool contradicts;   /* its cells are not as they were written */
    struct instance instance;
    struct solver solver;
    struct external external;
    struct plugins plugins;
    char *text; /* owned; the solver's */
};

/* Finds the one row of a file whose run_id begins so. False, with a message, if there is not one.
 */
bool repeat_find(struct repeat *repeat, const char *path, const char *run_id);

/* Runs it. Messages say why it cannot be run, and which files have changed since. */
enum ending repeat_run(struct repeat *repeat, bool quiet);

void repeat_end(struct repeat *repeat);
