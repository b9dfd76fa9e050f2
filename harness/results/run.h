/* A run, resolved: everything that determines it, as a plain value.
 *
 * An experiment's runs are resolved in one place (run_ids.h). The queue hands the value out, a
 * worker searches by it, the verdict and the cross check judge the answer against it, and the row
 * sink writes it. None of them knows the experiment. */
#pragma once

#include "harness/external/external.h"

enum { RUN_ID_BYTES = 33 };

/* The cells that all rows of a solver within its limits share (record.h: run_texts_of). */
struct run_texts;

struct run {
    char id[RUN_ID_BYTES]; /* 32 hexadecimal digits: record_run_id */
    size_t number;         /* in the experiment's matrix, from 0, and its place there; */
    size_t instance_number, solver_number; /* all 0 outside an experiment */
    unsigned repetition;                   /* from 1 */

    /* Not owned; they belong to the experiment or to the caller that made the run. */
    const char *experiment; /* its name; "" outside an experiment */
    const struct instance *instance;
    const struct solver *solver;
    const struct external *external; /* the program that is the solver; NULL: a built-in one. Its
                                        `solver` then only says what it promises */
    const char *solver_text;         /* the canonical short form */
    const char *label;               /* what the experiment calls it; NULL: nothing */
    const char *order;               /* operator order, such as "ULRD" */
    struct limits limits;
    const struct run_texts *texts; /* NULL: made whenever they are needed */
};
