/* Arguments that several commands share. */
#ifndef COMMANDS_ARGUMENTS_H
#define COMMANDS_ARGUMENTS_H

#include "puzzle/shape.h"
#include <argp.h>
#include <stdbool.h>

/* Parses the value of --size, "WxH", with at most `max_cells` cells; wrong usage ends the
 * program. */
struct shape size_argument(struct argp_state *state, const char *value, unsigned max_cells);

/* A board's -1 is not an option: puts a space before it, so that argp does not read it as one. */
void hide_minus_one(int argc, char **argv);

/* Whether an argument names a file: the file exists, or the argument contains a dot or slash and
 * letters, which no board does. */
bool names_file(const char *text);

#endif
