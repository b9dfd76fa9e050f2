/* Arguments that several commands share. */
#ifndef COMMANDS_ARGUMENTS_H
#define COMMANDS_ARGUMENTS_H

#include "puzzle/shape.h"
#include <argp.h>

/* Parses the value of --size, "WxH", with at most `max_cells` cells; wrong usage ends the
 * program. */
struct shape size_argument(struct argp_state *state, const char *value, unsigned max_cells);

#endif
