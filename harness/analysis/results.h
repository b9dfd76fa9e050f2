/* The rows of one or more runs.csv, checked, and reduced to what the analysis needs.
 *
 * An instance is what (set, instance, width, height, cost_model, start, goal) names. Rows of
 * several files are pooled; rows with the same run_id are one run, of which the one that finished
 * last counts, except that a run that is to be made again (`interrupted`, `out_of_memory`) replaces
 * nothing.
 *
 * A file may come from anywhere, so no row is believed. The moves of a solved run are replayed on
 * its board; a path that is not one, a length or a cost that is not the path's or is below the
 * optimum, an unknown status and an invalid number are problems, reported with line and column. A
 * solved run is `unverified` when its row_hash does not fit, or, in a file without row_hash, when
 * it has no moves. Solvers that tilelab does not know are not an error.
 *
 * results_settle then reduces the repetitions of a solver on an instance to one outcome, so that
 * every (solver, instance) counts once: solved when all repetitions were, each value the median
 * over the repetitions. (Counters do not differ between repetitions; where they do, results of
 * different builds or operator orders are pooled, and `disagreeing` says so.) If some were not
 * solved, the values are those of the unsolved ones: what was spent in vain. A run that is to be
 * repeated says nothing about its solver: it is a run but not an attempt. A run that says
 * `unsolvable` of a board that cannot reach its goal has answered: it is neither solved nor
 * unsolved.
 *
 * Boards of different sets, sizes and models of costs are not compared together: each set, size and
 * model is a block, unless `pooled` asks for one over all.
 *
 * Times and bytes of external solvers (the column `measured`) are of whole processes, as the system
 * saw them. Counters that such a solver does not report are not known: NaN, never 0.
 *
 * Nothing depends on the order of the rows. */
#pragma once

#include "harness/analysis/choice.h"
#include "harness/analysis/compact.h"
#include "harness/analysis/drift.h"
#include "harness/analysis/metric.h"

struct row;
struct run_ids;

/* The limits that a run may have, in the unit of a metric. */
enum { LIMIT_S, LIMIT_NODES, LIMIT_BYTES, LIMIT_CPU_S, LIMITS };

/* The numbers of a run: each metric as its number, and these; results_number. */
enum {
    RUN_LIMIT = METRICS, /* the first of LIMITS */
    RUN_H_START = RUN_LIMIT + LIMITS,
    RUN_COVER,
    RUN_NUMBERS_KEPT
};

struct run_row {
    uint32_t solver, instance;
    uint32_t host, control; /* names in `hosts` and `controls`; that of 0 is "": not known, none */
    uint64_t finished;      /* finished_at as the number YYYYMMDDhhmmss; 0 where it is not known */
    uint8_t status;         /* enum status */
    uint8_t measured;       /* enum measured */
    bool unverified;        /* solved by its own account alone */
    bool edited;            /* its row_hash does not fit its cells */
    bool impossible;        /* it has counters that no search can count (judge/verdict.h) */
    bool drifted;           /* its times are beside control runs that drifted (drift.h) */
};

/* What is known of an instance. */
struct known_instance {
    long optimal; /* the optimal length, -1 where unknown: what rows say; else, once settled, that
                     of the verified solutions of built-in solvers that claim to be optimal */
    double shortest; /* private: the length of the shortest verified solution so far; INFINITY */
    bool unsolvable; /* no moves lead from the start to the goal */
    enum cost_model model;
    uint64_t scale;        /* a cost of 1 */
    uint64_t optimal_cost; /* what a cheapest solution costs, in that scale, from where `optimal`
                              is; COST_UNKNOWN. With unit costs: `optimal` */
    struct board start, goal;
};

/* What results->count runs of a solver on an instance came to; outcome_value and others have its
 * numbers. */
struct outcome {
    uint32_t attempts;   /* runs, without those that are to be made again */
    uint32_t solved;     /* of these, unverified ones too */
    uint32_t unverified; /* of the solved */
    uint32_t impossible; /* likewise: with counters that no search can count */
    uint32_t drifted;    /* runs, solved or not, with times beside control runs that drifted */
    uint32_t answered;   /* of the attempts: rightly said to be unsolvable */
    uint32_t run;        /* the number of the run whose run_id comes first; UINT32_MAX: none */
    uint32_t place;      /* private: of its numbers in `medians`; UINT32_MAX: they are those of its
                            only run */
    uint64_t hosts;   /* alike for outcomes whose attempts ran on the same machines; 0 where one is
                         not known */
    uint8_t status;   /* enum status; solved where it is finished; else of the unsolved attempts the
                         first in the order of statuses */
    uint8_t measured; /* enum measured: what its times and bytes are of */
    bool disagrees;   /* its solved runs differ in a counter */
    bool edited;      /* one of its runs is */
    bool finished;    /* solved in every attempt, of which there is one at least */
    bool limited;     /* of those that are not finished: a limit ended each unsolved attempt */
};

/* Instances that are compared together: those from `first` on, `count` of them. */
struct block {
    char *name; /* owned; "uniform 3x3", or "all sets" where they are pooled; with the model of
                   costs where other blocks have the same set and size */
    char *set;  /* owned; "" where pooled */
    long width, height;    /* 0 where pooled */
    enum cost_model model; /* of its first board, where pooled */
    size_t first, count;
    bool whole; /* it holds every board from which its goal can be reached, each once: no sample,
                   but the population */
};

/* Rows left out, counted by the solver's name. */
struct left_out {
    struct names solvers;
    size_t *rows; /* by number; owned */
};

struct results {
    struct run_row *runs;
    size_t count;
    struct compact numbers;       /* by run; NaN where the cell is empty or the column missing */
    struct names hosts, controls; /* what runs name */
    struct names solvers;
    struct names instances;       /* their keys */
    char **options;               /* by solver, owned: the cell options_json of a row, or "" */
    char **row_labels;            /* private: the same of the cell label */
    struct known_instance *known; /* by instance */
    size_t repeated;              /* rows that repeat a run_id */
    size_t cut_files;             /* files whose last row was not whole and was left out */
    struct left_out strangers;    /* rows of solvers that are not expected */
    struct left_out other_limits; /* rows made under other limits than expected */
    bool claimed;                 /* runs that are `claimed` count as solved, unverified */
    const struct run_ids *only;   /* rows of other runs are left out; NULL: none is */
    size_t left_out;              /* how many were */
    bool (*wanted)(const void *context, const char *run_id); /* rows of others are passed over; */
    const void *wanted_of;                                   /* its context; NULL: none is */
    struct choice sets, chosen; /* of sets (also "SET WxH") and of solvers (also by their labels);
                                   rows of others are passed over */
    /* Is given the row of each run that counts, with the number of the run, while it is read; once
     * more where another row of that run_id replaces it. May be NULL. */
    void (*counted)(void *context, size_t run, const struct row *row);
    void *context;
    struct drift drift; /* the control runs beside the files */
    size_t drifted;     /* runs whose times are beside control runs that drifted */
    size_t edited;      /* rows whose row_hash does not fit their cells */

    bool pooled;          /* one block over all sets and sizes */
    struct block *blocks; /* from results_settle */
    size_t block_count;
    const char **shown; /* by solver: its label, or the solver itself; from results_settle */
    size_t mixed;       /* outcomes of which some attempts are solved and some are not */

    struct compact medians;   /* private: of outcomes that several runs have */
    struct outcome *outcomes; /* by solver * instances.count + instance; from results_settle */
    size_t disagreeing;       /* outcomes whose solved runs differ in a counter; */
    size_t unrepeated;        /* and, not among them, those of external solvers */

    uint8_t (*reported)[METRICS]; /* private: by block * solvers.count + solver; enum reported */
    struct names labelled;        /* private: solvers that have labels; and these, by number */
    char **labels;
    struct names run_ids; /* the number of a run_id is that of its run */
    struct names extras;  /* where a metric is extra.NAME: the names of all numbers in `extra` */
};

/* Between the parts of an instance's key: it sorts below all text, and is in none, as it is a
 * control character. */
enum { SEPARATOR = '\x1f' };

/* Which rows of a file count: those of these solvers, made under these limits. Rows that do not say
 * their limits (columns limit_s, limit_nodes, ..) are taken to have the right ones. */
struct expected {
    struct names solvers;
    struct limits *limits; /* by number; owned; seconds below 0: not known */
};

void expected_end(struct expected *expected);

/* Whether `path` is a folder. */
bool results_is_folder(const char *path);

/* The CSV file that `path` means: runs.csv within a folder, or the file itself; and the folder it
 * lies in. To be freed. */
char *results_file(const char *path);
char *results_folder(const char *path);

/* Adds the rows of a file as results_file names it to zeroed or already filled results; rows that
 * are not `expected` (NULL: all are) are only counted. Problems go to the report, whose file should
 * be that name; false when there were
 * any. */
bool results_read(struct results *results, const char *file, const struct expected *expected,
                  struct report *report);

/* Sets what tables call a solver; before results_settle, and before rows are read by a choice of
 * solvers. The first label given counts, and is returned; NULL where another solver has it, and
 * this one has none: then the solver speaks for itself. Rows say theirs for solvers that have none.
 */
const char *results_label(struct results *results, const char *solver, const char *label);

/* Brings solvers and instances into an order that does not depend on that of the rows, and computes
 * the outcomes; once, after the last file. Solvers that are in `order` (NULL: none) come first, in
 * that order, the others in natural order; instances come by set, size and name. */
void results_settle(struct results *results, const struct names *order);

const struct outcome *results_outcome(const struct results *results, size_t solver,
                                      size_t instance);

/* A number of a run: a metric, RUN_H_START, .. */
static inline double results_number(const struct results *results, size_t run, size_t number)
{
    return compact_get(&results->numbers, run, number);
}

/* Of an outcome. A metric: finished, what it took; else what the unsolved attempts had spent; NaN
 * where no run has one. RUN_LIMIT + LIMIT_S and so on: of its runs; NaN where it has none or they
 * differ. RUN_H_START: NaN where it is not known. */
static inline double outcome_value(const struct results *results, const struct outcome *outcome,
                                   size_t number)
{
    return outcome->place == UINT32_MAX ? results_number(results, outcome->run, number)
                                        : compact_get(&results->medians, outcome->place, number);
}

/* A number, or a fraction such as 47/12; NaN if the text is neither. */
double cost_number(const char *text);

/* Whether moves cost different amounts on a board. */
static inline bool is_priced(const struct known_instance *known)
{
    return known->model != COST_unit;
}

/* What an optimal solution of a board costs: its moves, or its cost by the board's model. NaN where
 * that is not known. */
double optimum_of(const struct known_instance *known);

/* What a solver's solution of a board costs over an optimal one; of whole numbers, rounded once.
 * NaN where either is not known, or there is nothing to do. */
double quality_of(const struct results *results, const struct outcome *outcome,
                  const struct known_instance *known);

/* The metric that solutions of a block are compared by: `length`, or `cost` where moves cost
 * different amounts. */
enum metric solution_metric(const struct block *block);

/* The words for what that is and for an optimal solution: "length" and "shortest", or "cost" and
 * "cheapest". */
const char *solution_word(const struct block *block);
const char *optimal_word(const struct block *block);

/* What a block's optima are: "length (moves)", "cost (heavy)". */
const char *optimum_name(const struct block *block);

/* Whether a solver has a try at a board of a block. */
bool results_tried(const struct results *results, const struct block *block, size_t solver);

/* Whether a solver reports a counter in a block, over the boards that it solved: a counter with
 * missing values is not compared, as the others may not be typical. */
enum reported {
    REPORTED_ALL,  /* of every solved board */
    REPORTED_SOME, /* a metric that only some algorithms have, and they not on every board */
    REPORTED_PART, /* some are missing: an external solver left them out, or a file lacks them */
    REPORTED_NONE  /* it is nowhere, perhaps as nothing is solved */
};

enum reported results_reported(const struct results *results, const struct block *block,
                               size_t solver, enum metric metric);

/* The solvers of a block that solved boards of it and whose metric is REPORTED_PART or
 * REPORTED_NONE: "mine, theirs"; NULL where there are none, or where no solver has it. To be freed.
 */
char *results_lacking(const struct results *results, const struct block *block, enum metric metric);

/* Who is left out where the metric is compared, and why, in sentences: those, and those that solved
 * no board and do not say what they spent on it; NULL: there is none. The caller frees it. */
char *results_left_out(const struct results *results, const struct block *block,
                       enum metric metric);

/* What the times of a block are of where that differs between its solvers, as a sentence; NULL
 * where it does not. To be freed. */
char *results_measured(const struct results *results, const struct block *block);

/* The set and the name of an instance; to be freed. */
char *results_set(const struct results *results, size_t instance);
char *results_instance(const struct results *results, size_t instance);

void results_end(struct results *results);
