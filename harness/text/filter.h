/* A program that reads a text on its standard input and writes to its standard output: both are
 * files in memory, so that no pipe fills up and nothing is written to disk. */
#pragma once

#include <stddef.h>

/* Runs a program (its name, its arguments, NULL) and waits for its end. Its messages go to standard
 * error. *output (NULL: it is not wanted) becomes what it writes, *written bytes in heap memory.
 * What waitpid says of it, 0 if all is well; below 0, with errno, if it cannot be started. */
int filter_run(char *const *words, const char *text, size_t length, char **output, size_t *written);

/* The same in a folder (NULL: here). Both *output, whatever the end, and *errors (NULL: its
 * messages go to standard error) are texts, NULL where it cannot be started. */
int filter_run_in(char *const *words, const char *folder, const char *text, size_t length,
                  char **output, size_t *written, char **errors);
