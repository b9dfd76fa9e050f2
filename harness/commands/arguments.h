/* Arguments that several commands share: parsers for the `children` of theirs, each with the input
 * that it says. Wrong usage ends the program.
 *
 * A command hands a child its input at ARGP_KEY_INIT: state->child_inputs[i] = ... */
#ifndef COMMANDS_ARGUMENTS_H
#define COMMANDS_ARGUMENTS_H

#include "harness/experiment/experiment.h"
#include "puzzle/shape.h"
#include <argp.h>
#include <stdbool.h>

/* --size WxH and --goal GOAL. */
struct board_arguments {
    unsigned max_cells;
    struct shape shape; /* 3x3 unless given */
    const char *goal;   /* DEFAULT_GOAL unless given */
    bool has_shape, has_goal;
};
extern const struct argp board_parser;

/* Neither given yet; boards may have `max_cells` cells at most. */
struct board_arguments board_arguments_start(unsigned max_cells);

/* Takes the value of --size. */
void board_arguments_size(struct board_arguments *arguments, const char *value,
                          const struct argp_state *state);

/* The number of a word in a list of `count`; any other ends the program and is called an unknown
 * `what`. */
unsigned arguments_word(const struct argp_state *state, const char *what, const char *text,
                        const char *const *words, unsigned count);

/* EXPERIMENT, one or several, and --set KEY=VALUE. */
struct experiment_arguments {
    bool several;       /* filled in by the caller: more than one may be named */
    bool optional;      /* likewise, when an option says so: none need be named */
    const char **names; /* owned, not what it points to */
    size_t count;
    struct overrides overrides;
};
extern const struct argp experiment_parser;

/* The argument RESULTS, a folder that has shards; the input is a const char *, NULL before. */
extern const struct argp results_parser;

/* Loads the first of the experiments, which the arguments must outlive. False where it has
 * problems, which go to standard error. */
bool experiment_arguments_load(const struct experiment_arguments *arguments,
                               struct experiment *experiment);

/* Reads the references of a loaded experiment. False, with their problems in the report, where one
 * is none. Says on standard error which solvers of theirs are likely typing errors. Sets
 * report->file to a path that belongs to the experiment. */
bool references_check(const struct experiment *experiment, struct report *report);

void experiment_arguments_end(struct experiment_arguments *arguments);

/* --plugin FILE, as often as wanted; the input is a struct plugins, which it loads at once. */
extern const struct argp plugins_parser;

/* --json and --quiet; the input of each is a bool. */
extern const struct argp json_parser;
extern const struct argp quiet_parser;

/* A board's -1 is not an option: puts a space before it, so that argp does not read it as one. */
void hide_minus_one(int argc, char **argv);

/* Whether an argument names a file: the file exists, or the argument contains a dot or slash and
 * letters, which no board does. */
bool names_file(const char *text);

#endif
