/* Standard output: JSON, and its end. */
#ifndef COMMANDS_OUTPUT_H
#define COMMANDS_OUTPUT_H

#include "harness/text/ending.h"
#include "harness/text/shell.h"
#include "harness/text/tidy.h"
#include <jansson.h>

/* Prints a value as JSON, with a line end, and releases it. */
void print_json(json_t *json);

/* Flushes standard output. Returns `code`, or EXIT_FAILED with a message if any of it could not be
 * written (a full disk, a closed pipe). */
int finish_output(int code);

/* The exit code of a piece of work. */
int exit_code_of(enum ending ending);

#endif
