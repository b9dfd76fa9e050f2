/* Rows that several commands have in their tables of options, and how their values are read.
 *
 * A macro is the inside of a row, {OPTION_JSON}; `member` of the command's struct arguments keeps
 * the value. */
#pragma once

#include "harness/analysis/metric.h"
#include "harness/commands/command_line.h"

/* --json, --quiet: a bool. */
#define OPTION_JSON          OPTION("json", 0, NULL, "Print JSON instead of text", take_flag, json)
#define OPTION_QUIET(member) OPTION("quiet", 'q', NULL, "Print only errors", take_flag, member)

/* --pdb-dir takes effect at once. */
#define OPTION_PDB_DIR                                                                             \
    .name = "pdb-dir", .letter = 'P', .argument = "DIR",                                           \
    .help = "Where pattern databases are kept (default $TILELAB_PDB_DIR, else "                    \
            "$XDG_CACHE_HOME/tilelab, else ~/.cache/tilelab)",                                     \
    .take = take_pdb_dir

/* --plugin FILE, as often as wanted: a struct plugins, into which they are loaded at once. */
#define OPTION_PLUGIN(member)                                                                      \
    OPTION("plugin", 0, "FILE",                                                                    \
           "A shared object with a heuristic or an algorithm of your own (tilelab/heuristic.h, "   \
           "tilelab/algorithm.h); it runs as part of tilelab",                                     \
           take_plugin, member)

/* --format FORMAT: an enum format. --metric METRIC,..: a bool[METRICS]; extra.NAME takes effect at
 * once (metric_extra_add), as by metric_asked. --baseline SOLVER: a text. */
#define OPTION_FORMAT(member, help)                                                                \
    OPTION("format", 0, "FORMAT", help, take_word, member), WORDS(format_names, FORMATS)
#define OPTION_METRICS(member, help)                                                               \
    OPTION("metric", 'm', "METRIC,..", help, take_metrics, member),                                \
        WORDS(metric_words, METRIC_WORDS)
#define OPTION_CLAIMED(member)                                                                     \
    OPTION("claimed", 0, NULL,                                                                     \
           "Count runs that claim a length without a path as solved, unverified (?)", take_flag,   \
           member)
/* --sets and --solvers: texts, for struct choice. */
#define OPTION_SETS(member)                                                                        \
    OPTION("sets", 0, "SET,..",                                                                    \
           "Only these sets of boards: names or patterns such as walk*, or 'walk 3x3'", take_text, \
           member)
#define OPTION_SOLVERS(member)                                                                     \
    OPTION("solvers", 0, "SOLVER,..",                                                              \
           "Only these solvers: their short forms, labels or patterns such as 'astar(*)'",         \
           take_text, member)
#define OPTION_BASELINE(member, help) OPTION("baseline", 'b', "SOLVER", help, take_text, member)

/* --set KEY=VALUE and --quick: a struct overrides. */
#define OPTION_SET(member)                                                                         \
    OPTION("set", 's', "KEY=VALUE",                                                                \
           "Replace a value of the experiment: limits.time=5s, instances.1.count=10",              \
           take_override, member)
#define OPTION_QUICK(member)                                                                       \
    OPTION("quick", 0, NULL,                                                                       \
           "The experiment's quick variant: with the values that it has under 'quick'", take_flag, \
           member.quick)

/* --size WxH and --goal GOAL: a struct board_arguments. */
#define OPTION_SIZE(member)                                                                        \
    OPTION("size", 0, "WxH", "Columns x rows (default 3x3, or as what else is given shows it)",    \
           take_size, member)
#define OPTION_GOAL(member)                                                                        \
    OPTION("goal", 'g', "GOAL", "blank-last (default), blank-first, snail or a whole board",       \
           take_goal, member)
/* What moves cost; `head` and `tail`: the beginning and the end of its help. */
#define OPTION_COST(head, tail, member)                                                            \
    OPTION("cost", 0, "MODEL",                                                                     \
           head ": unit (1, the default), heavy (t), sqrt, inverse (1 / t), fractional (1 + 1 / "  \
                "(1 + t))" tail,                                                                   \
           take_word, member),                                                                     \
        WORDS(cost_names, COST_MODELS)

#define NO_EXPERIMENT "no experiment; expected a YAML file or a name (tilelab list experiments)"

/* The argument EXPERIMENT: a struct experiment_arguments; as many as are `needed` and `allowed` (0:
 * any number). */
#define ARGUMENT_EXPERIMENT(member, needed, allowed)                                               \
    OPTION(NULL, 0, "EXPERIMENT", "experiment", take_texts, member.names),                         \
        .min = (needed), .max = (allowed), .names = "@experiments", .expected = NO_EXPERIMENT

/* The argument RESULTS: a folder that has shards, a text; or any number of results, a struct texts.
 */
#define ARGUMENT_SHARDS(member)                                                                    \
    OPTION(NULL, 0, "RESULTS", "results folder", take_text, member),                               \
        .min = 1, .max = 1,                                                                        \
        .expected = "expected a results folder that has shards (tilelab run --shard)"
#define ARGUMENT_RESULTS(member)                                                                   \
    OPTION(NULL, 0, "RESULTS", "results folder", take_texts, member),                              \
        .min = 1,                                                                                  \
        .expected = "no results; expected one or more results folders or CSV files of runs"

take_option take_metrics;
enum metric metric_asked(const struct given *given, const char *word);
take_option take_pdb_dir, take_plugin, take_override, take_size, take_goal;
take_option take_order; /* char[MOVES + 1] */

/* Ends the program where two of --format, --json, --markdown and --names are given. */
void refuse_two_formats(const struct parsing *parsing);

struct board_arguments {
    unsigned max_cells;
    struct shape shape; /* 3x3 unless given */
    const char *goal;   /* DEFAULT_GOAL unless given */
    bool has_shape, has_goal;
};

/* Neither given yet; boards may have `max_cells` cells at most. */
struct board_arguments board_arguments_start(unsigned max_cells);

struct experiment_arguments {
    struct texts names;
    struct overrides overrides;
};

/* Loads the first of the experiments, which the arguments must outlive. False where it has
 * problems, which go to standard error. */
bool experiment_arguments_load(const struct experiment_arguments *arguments,
                               struct experiment *experiment);

/* Reads the references of a loaded experiment. False, with their problems in the report, where one
 * is none. Says on standard error which solvers of theirs are likely typing errors. Sets
 * report->file to a path that belongs to the experiment. */
bool references_check(const struct experiment *experiment, struct report *report);

void experiment_arguments_end(struct experiment_arguments *arguments);

/* A board's -1 is not an option: puts a space before it, so that argp does not read it as one. */
void hide_minus_one(int argc, char **argv);
