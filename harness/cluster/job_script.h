/* The shell scripts by which other machines run the shards of an experiment.
 *
 * A script is complete: it shows what is run, and can be run by hand. It is kept in
 * the folder submit/ of the results folder, and is started there, so that its options name files
 * without a path. Every path within is absolute. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is run, and what it may take. Nothing is owned. */
struct job {
    const char *name;       /* of the job: "tilelab-coursework" */
    const char *program;    /* paths: of tilelab, .. */
    const char *experiment; /* .. of the experiment's file, .. */
    const char *folder;     /* .. of the results folder, .. */
    const char *tables;     /* .. of the pattern databases; NULL: none are needed, or kept */
    bool builds;            /* a job of its own builds them first */
    const char *const *set; /* KEY=VALUE of --set */
    size_t set_count;
    bool quick;           /* --quick */
    size_t runs;          /* of the whole experiment */
    unsigned shards;      /* that the experiment is divided into */
    size_t missing;       /* runs without a row */
    const unsigned *sent; /* which of them are to be run: numbers from 1, ascending */
    size_t sent_count;    /* at least 1 */
    unsigned searches;    /* at the same time in a shard */
    unsigned threads;     /* the most that one of them uses */
    double cpu_seconds;   /* of all runs at worst; 0: not limited */
    double worst_seconds; /* the longest of those shards, if every run takes its limit */
    unsigned minutes;     /* that a shard may take; 0: no limit */
    uint64_t bytes;       /* the memory of a shard */
    uint64_t build_bytes; /* the memory in which the pattern databases are built */
    uint64_t merge_bytes; /* the memory in which shards are merged */
};

/* The command that runs the shard which the shell's word `shard` stands for, such as 3/16; heap
 * memory. */
char *shard_command(const struct job *job, const char *shard);

/* ---- Slurm ---- */

/* How long before the end of its time a shard is told to end. */
enum { SLURM_WARNING_SECONDS = 60 };

struct slurm_options {
    const char *partition;    /* NULL: the cluster's default */
    const char *const *words; /* further options of sbatch */
    size_t word_count;
};

/* The names of the scripts of the array and of the job after it, in submit/. */
#define SLURM_SCRIPT   "array.sh"
#define CLOSING_SCRIPT "closing.sh"

/* In the results folder: a line "node1: what was wrong" for each time a job left a node. */
#define LEFT_NODES_FILE "submit/left-nodes"

/* The script of a job array with a task for each shard that is sent; heap memory. A task whose time
 * is over goes back to the queue if it has made a row. One whose node does not see the folder or
 * the program, or where the program ends at once, goes back without that node. */
char *slurm_script(const struct job *job, const struct slurm_options *options);

/* The script of the job after it, which merges and sends what is missing again; heap memory. */
char *slurm_closing_script(const struct job *job, const struct slurm_options *options);

/* The three commands of sbatch, as words ended by NULL; heap memory, heap_free_words. The jobs that
 * are waited for are named by their numbers; NULL: none. */
char **slurm_tables_words(const struct job *job, const struct slurm_options *options);
char **slurm_array_words(const struct slurm_options *options, const char *tables_job);
char **slurm_closing_words(const struct job *job, const struct slurm_options *options,
                           const char *array_job);

/* Numbers as Slurm writes them: "1-3,7"; heap memory. */
char *number_ranges(const unsigned *numbers, size_t count);

/* ---- GNU parallel ---- */

#define PARALLEL_SCRIPT "parallel.sh"

/* The script that has GNU parallel run the shards, then merges them; `hosts` as --sshlogin takes
 * them, or the path of a file of them (`hosts_are_file`); NULL: this machine alone. Heap memory. */
char *parallel_script(const struct job *job, const char *hosts, bool hosts_are_file);
