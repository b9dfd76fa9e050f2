/* What several commands take on their command line. */
#ifndef HARNESS_ARGUMENTS_H
#define HARNESS_ARGUMENTS_H

#include "puzzle/shape.h"
#include <argp.h>

/* The value of --size, "WxH", of at most `most_cells` cells; wrong usage ends the program. */
struct shape size_argument(struct argp_state *state, const char *value, unsigned most_cells);

#endif
