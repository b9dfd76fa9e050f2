/* The runs of an experiment divided among machines: which run is in which shard.
 *
 * The division follows from the experiment and the number of shards alone, so every machine finds
 * the same one without asking another. A unit of it is what must not be torn apart: all solvers on
 * an instance in one repetition, so that times that are compared come from one machine. With more
 * shards than such units, each run is a unit of its own.
 *
 * Units go, the longest worst case first, to the shard with the shortest worst case so far (Graham,
 * "Bounds on multiprocessing timing anomalies", 1969: LPT); among equals in the order in which the
 * runs are started, to the lowest number. So the worst cases of two shards differ by that of one
 * unit at most. */
#pragma once

#include "harness/experiment/experiment.h"

enum { MAX_SHARDS = 1000000 };

/* Shard K/N. */
struct shard {
    unsigned number; /* from 1 */
    unsigned count;
};

/* Reads "K/N"; false unless it is one with 1 <= K <= N <= MAX_SHARDS. */
bool shard_parse(const char *text, struct shard *shard);

/* Of runs that all take their limits, those of persistent programs also the start of a process. */
struct shard_load {
    size_t runs;
    double seconds; /* one after the other */
    double longest; /* the longest run */
    double before;  /* what a worker may take before its first run: the runs that warm it up */
    bool starts;    /* the start of persistent programs is part of these times */
};

/* The most time that the runs take if `jobs` at a time are made, whatever their order, unless a
 * worker ends before its time: the last to start is the longest (R. L. Graham, Bounds for certain
 * multiprocessing anomalies, 1966). */
double shard_load_worst(const struct shard_load *load, unsigned jobs);

/* That of the whole experiment. */
struct shard_load shard_load_of(const struct experiment *experiment);

/* The processor time that all runs together take if each takes its limit of it; 0 if a solver has
 * none. */
double experiment_cpu_seconds(const struct experiment *experiment);

struct shards {
    unsigned count;
    size_t runs;
    bool torn;                /* each run is a unit of its own */
    uint32_t *order;          /* owned; all runs in the order in which they are started */
    uint32_t *of;             /* owned; by run number: its shard, from 0 */
    struct shard_load *loads; /* owned; by shard, from 0 */
};

/* Divides an experiment's runs; heap memory, shards_end. */
struct shards shards_of(const struct experiment *experiment, unsigned count);

/* The numbers of the runs in a shard, or with `others` of those that are not, in the order in which
 * they are started; heap memory. */
uint32_t *shards_runs(const struct shards *shards, unsigned number, bool others, size_t *count);

void shards_end(struct shards *shards);
