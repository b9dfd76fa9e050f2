/* Manual pages in the language of man(7), made from the tables of commands and their options. */
#ifndef COMMANDS_MANUAL_H
#define COMMANDS_MANUAL_H

#include "harness/commands/commands.h"

/* Prints the page of a command, tilelab-NAME(1), or with NULL that of the program, tilelab(1), on
 * standard output. */
void manual_print(const struct command *command);

/* Prints the page of the experiment file's format, tilelab-experiment(5). */
void manual_print_experiment(void);

#endif
