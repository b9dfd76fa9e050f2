/* Completions for shells, made from the tables of commands and their options. */
#ifndef COMMANDS_COMPLETION_H
#define COMMANDS_COMPLETION_H

#include <stdbool.h>

/* Whether there are completions for a shell: bash, zsh or fish. */
bool completion_known(const char *shell);

/* Prints the completions for a known shell on standard output. */
void completion_print(const char *shell);

#endif
