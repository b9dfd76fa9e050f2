/* Has a cluster's scheduler, or GNU parallel, run the shards of an experiment that miss rows. */
#pragma once

#include "harness/experiment/experiment.h"
#include "harness/text/display.h"
#include "harness/text/ending.h"

enum engine { ENGINE_SLURM, ENGINE_PARALLEL, ENGINE_TEMPLATE, ENGINES };

struct submit_options {
    enum engine engine;
    const char *output;       /* the results folder; NULL: the experiment's */
    unsigned shards;          /* 0: so many that each keeps its time */
    unsigned searches;        /* at the same time in a shard; 0: one */
    double seconds;           /* the wall time of a shard; 0: not given */
    uint64_t if_below;        /* nothing is sent unless fewer runs miss rows; 0: given by nobody */
    const char *partition;    /* of Slurm; NULL: the cluster's */
    const char *template;     /* the path of ENGINE_TEMPLATE's; else NULL */
    const char *hosts;        /* of GNU parallel; NULL: this machine */
    const char *const *words; /* for sbatch */
    size_t word_count;
    FILE *show; /* gets the script, and nothing is written or sent; NULL: they are sent */
};

/* Divides the runs, finds the shards that miss rows and neither wait nor run, and sends them. With
 * ENGINE_PARALLEL this process becomes the script. The experiment was loaded with overrides. */
enum ending submit_shards(const struct experiment *experiment, const struct submit_options *options,
                          struct display *display);
