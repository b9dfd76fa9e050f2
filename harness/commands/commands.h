/* The subcommands. Each is a file of its own, named after the command, and a row of commands.def.
 * It parses its own part of the command line (argv[0] is "tilelab NAME") and returns the exit
 * code. */
#ifndef COMMANDS_COMMANDS_H
#define COMMANDS_COMMANDS_H

#include "harness/commands/command_line.h"
#include <stdio.h>

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

#endif
