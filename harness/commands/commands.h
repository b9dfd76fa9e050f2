/* The subcommands. Each is a file of its own, named after the command, and a row of commands.def.
 * It parses its own part of the command line (argv[0] is "tilelab NAME") and returns the exit
 * code. */
#pragma once

#include "harness/commands/arguments.h"
#include "harness/text/ending.h"
#include "harness/text/shell.h"
#include "harness/text/tidy.h"

/* Exit codes. */
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2, /* wrong usage, configuration or input */
    EXIT_FINDINGS =
        3, /* done, but a run crashed or gave a wrong answer, or `solve` found no solution */
    EXIT_INTERRUPTED = 130
};

struct command {
    const char *name;
    const char *exit_codes; /* "0 done; 1 failed": their meanings, separated by "; " */
    const char *summary;
    int (*run)(int argc, char **argv);
    const struct command_line *line;
};

#define COMMAND(name, exit_codes, summary)                                                         \
    int command_##name(int argc, char **argv);                                                     \
    extern const struct command_line name##_line;
#include "harness/commands/commands.def"
#undef COMMAND

enum {
#define COMMAND(name, exit_codes, summary) COMMAND_##name,
#include "harness/commands/commands.def"
#undef COMMAND
    COMMANDS
};

extern const struct command commands[COMMANDS];

/* Prints the list of commands, as `tilelab help` does. */
void commands_print(FILE *file);

/* Reports an unknown command on standard error, with the nearest known one. */
void commands_refuse(const char *word);

/* Prints a value as JSON on standard output, with a line end, and releases it. */
void print_json(json_t *json);

/* Flushes standard output. Returns `code`, or EXIT_FAILED with a message if any of it could not be
 * written (a full disk, a closed pipe). */
int finish_output(int code);

/* The exit code of a piece of work. */
int exit_code_of(enum ending ending);

/* Whether there are completions for a shell: bash, zsh or fish; and prints them on standard output.
 * They are made from the tables of commands and their options, as are the pages below. */
bool completion_known(const char *shell);
void completion_print(const char *shell);

/* Prints the page of a command in the language of man(7), tilelab-NAME(1), or with NULL that of the
 * program, tilelab(1); and the page of the experiment file's format, tilelab-experiment(5). */
void manual_print(const struct command *command);
void manual_print_experiment(void);
