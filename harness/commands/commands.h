/* The subcommands. Each is a file of its own, named as the command, and a row of commands.def. It
 * takes its own part of the command line (argv[0] is "tilelab NAME") and returns the exit code. */
#ifndef COMMANDS_COMMANDS_H
#define COMMANDS_COMMANDS_H

#include <argp.h>
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
    const char *words; /* that complete its arguments; @WHAT are the names of `tilelab list WHAT` */
    const char *exit_codes; /* "0 done; 1 failed": what each means, parted by "; " */
    const char *summary;
    int (*run)(int argc, char **argv);
    const struct argp *parser;
};

#define COMMAND(name, words, exit_codes, summary)                                                  \
    int command_##name(int argc, char **argv);                                                     \
    extern const struct argp name##_parser;
#include "harness/commands/commands.def"
#undef COMMAND

enum {
#define COMMAND(name, words, exit_codes, summary) COMMAND_##name,
#include "harness/commands/commands.def"
#undef COMMAND
    COMMANDS
};

extern const struct command commands[COMMANDS];

/* The list of commands, as `tilelab help` prints it. */
void commands_print(FILE *file);

/* Says on standard error that there is no such command, and which is the nearest. */
void commands_refuse(const char *word);

#endif
