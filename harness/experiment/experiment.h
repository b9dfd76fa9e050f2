/* An experiment: what a YAML file describes, read, checked and resolved into instances x solvers x
 * repetitions.
 *
 * The run matrix is not stored: run number i is instance i / (solvers x repetitions) and so on
 * (experiment_cell). */
#pragma once

#include "algorithms/solver.h"
#include "harness/experiment/overrides.h"
#include "harness/experiment/plugins.h"
#include "harness/experiment/points.h"
#include "instances/instance.h"

struct external;

struct experiment_solver {
    struct solver solver;      /* of an external one: what it promises */
    struct external *external; /* owned; the program that is the solver; NULL: a built-in one */
    char *text;                /* owned; the canonical short form */
    char *label;               /* owned; what tables and figures call it, or NULL */
    struct limits limits;      /* the solver's own, or the experiment's */
    struct text_place place;   /* where its heuristic is written, or where it is itself */
};

/* What people call a solver; and whether its text or its label is a name. */
static inline const char *experiment_solver_name(const struct experiment_solver *solver)
{
    return solver->label != NULL ? solver->label : solver->text;
}

static inline bool solver_is_named(const struct experiment_solver *solver, const char *name)
{
    return strcmp(solver->text, name) == 0 || strcmp(experiment_solver_name(solver), name) == 0;
}

/* What an experiment is for. */
enum experiment_group { GROUP_PUBLISHED, GROUP_COURSEWORK, GROUP_BENCHMARKS, GROUP_OWN, GROUPS };
extern const char *const group_names[GROUPS];

/* What names a cell of a reference: an instance, an optimal length, or a solver alone. */
enum expect_by { EXPECT_BY_INSTANCE, EXPECT_BY_DEPTH, EXPECT_BY_SOLVER, EXPECT_BYS };
extern const char *const expect_by_names[EXPECT_BYS];

/* What a run can be measured by (metrics.def), each called as its column of runs.csv. */
enum {
    METRIC_WORDS = 0
#define METRIC(name, unit, repeats, rises) +1
#include "harness/experiment/metrics.def"
#undef METRIC
};
extern const char *const metric_words[METRIC_WORDS];

/* Or it is extra.NAME, a number that programs print under a name of their own: letters, digits, _,
 * - and dots, as in their lines `name: value`. */
#define EXTRA_PREFIX "extra."
enum { MAX_EXTRA_NAME = 64, MAX_UNIT = 16, MAX_EXTRAS = 4 }; /* so many at a time */
bool metric_word_is_extra(const char *word);

/* Published cells that the results are held against: a reference (results/reference.h reads it). */
struct expectation {
    char *name; /* owned; its file's, without folder and ending */
    char *path; /* owned */
    char *text; /* owned; what the file holds, ended by a zero byte */
    enum expect_by by;
    double level; /* of all its sampling intervals together, such as 0.99 */
};

struct experiment {
    char *path;   /* owned; the file it was read from */
    char *folder; /* owned; where the files that it names are: "", or ended by a slash */
    char *source; /* owned; the file as read, ended by a zero byte */
    size_t source_length;
    const struct overrides *overrides; /* values that replace the file's; may be NULL */
    char *name;
    char *description; /* "" when there is none */
    enum experiment_group group;
    uint64_t seed;
    char *seed_file; /* owned; the file that it was made of and that one's hash, which is all that
                        is told of it; NULL: it is a number of the experiment's own */
    struct instance_list instances;
    bool is_outline;  /* to be shown, not run: boards are counted, not drawn, where that suffices */
    uint64_t undrawn; /* its boards that are not among its instances */
    struct plugins plugins; /* its solvers may have heuristics from them */
    bool is_copy;           /* of a results folder: nothing that it names is executed */
    const json_t *known;    /* of a copy: what its manifest says of its plugins; or NULL */
    struct experiment_solver *solvers;
    size_t solver_count;
    char order[MOVES + 1]; /* operator order, such as "ULRD" */
    unsigned repetitions;
    unsigned warmup;           /* unrecorded runs that each new worker makes first */
    bool pin;                  /* each worker stays on processors of its own, one for each thread */
    bool logs;                 /* what external solvers print is kept, unless they say otherwise */
    double checkpoint_seconds; /* between two checkpoints of a run; 0: there are none */
    unsigned split;            /* parts of each large round that shards share; 0: they share none */
    bool rounds;               /* what each round of a search that deepens counted is recorded */
    unsigned control_every;    /* runs of a worker between two control runs; 0: there are none */
    unsigned events;           /* bit i: event i of each run is counted (external/events.h) */
    bool measures_cover;       /* the cover of each run's board is recorded (results/row_cover.h) */
    struct limits limits;
    unsigned jobs;  /* 0: as many as there are processors for their threads */
    char *output;   /* the results folder, relative to the current folder */
    char *baseline; /* canonical text of the solver that compare measures against, or NULL */
    bool all_pairs; /* compare measures every solver against every other */
    char **metrics; /* owned; by what solvers are compared, columns of runs.csv or
                       extra.NAME, the first for verdicts; none: the commands' own choice */
    size_t metric_count;
    json_t *units; /* of the numbers that programs print, by NAME; NULL: none has one */
    struct expectation *expectations;
    size_t expectation_count;
    struct point_rule *points; /* owned; how runs earn points, in the file's order; their solvers in
                                  the canonical short form */
    size_t point_count;
    char *notes; /* owned; what a person should know of the folders that it names, lines; NULL */
};

/* A run's place in the matrix. */
struct matrix_cell {
    size_t instance; /* numbers from 0 */
    size_t solver;
    unsigned repetition; /* from 1 */
};

/* Loads an experiment: a path, or the name of one that ships (data_path in
 * harness/experiment/data.h). `overrides` (may be NULL) take precedence over the file and must
 * outlive the experiment. Generates or reads the instances. If anything is wrong, reports every
 * problem, in the file's order, and returns false; nothing need be freed then. Sets report->file to
 * the path. */
bool experiment_load(const char *name, const struct overrides *overrides, struct report *report,
                     struct experiment *experiment);

/* The same for an outline. */
bool experiment_outline(const char *name, struct report *report, struct experiment *experiment);

/* The same for a copy of an experiment file in another folder: the files that it names are in
 * `folder`, where the original was. No plugin is loaded: what the manifest says of them stands for
 * them (`plugins`, plugins_json), and no search may be run. */
bool experiment_load_copy(const char *path, const char *folder, const json_t *plugins,
                          const struct overrides *overrides, struct report *report,
                          struct experiment *experiment);

/* The texts and labels of its solvers, `*count` words; free() the array. */
const char **experiment_solver_words(const struct experiment *experiment, size_t *count);

/* What may be told of its seed: the number, or "file secret.txt, hash 0123abcd"; heap memory. */
char *experiment_seed_text(const struct experiment *experiment);

/* The JSON Schema (draft 7) of an experiment file, for editors; heap memory, free(). */
char *experiment_schema(void);

size_t experiment_run_count(const struct experiment *experiment);
struct matrix_cell experiment_cell(const struct experiment *experiment, size_t number);

/* The largest of its solvers' memory limits, in bytes. */
uint64_t experiment_max_bytes(const struct experiment *experiment);

/* The most threads that one of its searches uses. */
unsigned experiment_threads(const struct experiment *experiment);

/* How many searches run at a time, if no option says: what the file says, or as many as keep
 * `processors` busy with their threads: those of the solver that has the fewest, or, if workers are
 * pinned, the most. */
unsigned experiment_jobs(const struct experiment *experiment, unsigned processors);

/* How many of `jobs` searches surely run at a time: fewer than all where some have several threads
 * and the threads of those that run may not be more than the processors (scheduler.h). */
unsigned experiment_at_once(const struct experiment *experiment, unsigned jobs,
                            unsigned processors);

/* The runs' numbers in the order in which they are started: shuffled by the seed, so that a machine
 * that grows slower or busier does so for all solvers alike. Heap memory, free(). */
uint32_t *experiment_run_order(const struct experiment *experiment);

void experiment_end(struct experiment *experiment);
