/* What several commands take on their command line. */
#ifndef COMMANDS_ARGUMENTS_H
#define COMMANDS_ARGUMENTS_H

#include "puzzle/shape.h"
#include <argp.h>

/* The value of --size, "WxH", of at most `most_cells` cells; wrong usage ends the program. */
struct shape size_argument(struct argp_state *state, const char *value, unsigned most_cells);

#endif
