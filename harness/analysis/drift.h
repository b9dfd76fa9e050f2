/* Whether a machine kept its speed, by the control runs of control.csv: which of them drifted, and
 * so which runs beside them have times that may not be compared.
 *
 * Control runs are compared where host, build, solver, board, status and generated nodes are the
 * same, whatever session or shard made them. x is the logarithm of their wall or processor time. A
 * control run drifted if one of its two x differs from the median of all n by more than
 *
 *     s * sqrt(1 + pi / (2 n)) * t     and by more than log 1.05,
 *
 * where s = median |x_i - x_(i-1)| / (sqrt 2 * 0.6745) over control runs that follow one another in
 * a worker (differences of neighbours, as von Neumann et al. 1941, since a slow trend or a step
 * must not pass for noise), and t is Student's quantile at 1 - 0.0125/n with 0.35 degrees of
 * freedom for each of the differences. So of all control runs of a host that did not drift, with
 * log-normal noise of any size, one or more are flagged in at most 2 of 100 experiments; with noise
 * of heavy tails (exponential on top, Student's t with 3 degrees) about 1 control run in 100
 * (tests/unit/test_drift.c). Below DRIFT_RUNS control runs nothing is said, and up to about ten
 * only a gross drift shows. */
#pragma once

#include "base/report.h"
#include <stdint.h>

enum { DRIFT_RUNS = 5 };

/* A control run. */
struct drift_run {
    uint64_t id, previous; /* as numbers; 0: none */
    uint64_t alike;        /* a hash of all that must be the same; 0: not compared */
    char *host;            /* owned */
    char finished[21];
    double log_time[2]; /* wall, processor */
    double shift[2];    /* against the median; filled in by drift_settle, as is */
    bool drifted;
    bool beside; /* it, or the next one of its worker, drifted */
};

struct drift {
    struct drift_run *runs; /* owned; after drift_settle by id */
    size_t count;
};

/* Adds the control runs of a file, if it is there. False with a problem if it is not one that
 * tilelab wrote. */
bool drift_read(struct drift *drift, const char *path, struct report *report);

/* Judges all of them; once, after the last file. The same row twice counts once. */
void drift_settle(struct drift *drift);

/* The number of a control_id; 0 for "". */
uint64_t drift_id(const char *text);

/* Whether a run between this control run and the next one of its worker may not be compared: one of
 * the two drifted. False where the id is not known. */
bool drift_beside(const struct drift *drift, uint64_t id);

/* Which control runs drifted, by how much and when, as the end of a sentence: "on HOST up to 38 %
 * longer than their median, from .. to ..". NULL: none. Heap memory. */
char *drift_text(const struct drift *drift);

void drift_end(struct drift *drift);
