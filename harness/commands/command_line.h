/* What all commands share: parsing the command line and visiting its options.
 *
 * Options follow GNU argp. Every command has -h, --help, --usage and -V, --version; its help ends
 * with its exit codes. An unknown option is reported with the nearest known one. */
#ifndef COMMANDS_COMMAND_LINE_H
#define COMMANDS_COMMAND_LINE_H

#include <argp.h>

/* Parses like argp_parse, passing `input` to the parser. Wrong usage ends the program with a
 * message and exit code 2; --help and --version print and end it with exit code 0. */
void command_line_parse(const struct argp *parser, int argc, char **argv, void *input);

/* Calls `visit` for each option that a parser and its children show, including those of all
 * commands: long name (NULL: none), letter (0: none), argument (NULL: none), meaning. */
struct option_shown {
    const char *name;
    int letter;
    const char *argument;
    const char *meaning;
};
void command_line_options(const struct argp *parser,
                          void (*visit)(void *context, const struct option_shown *option),
                          void *context);

/* Prints the version, the compiler and the kind of build on standard output. */
void version_print(void);

#endif
