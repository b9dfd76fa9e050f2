#include "harness/commands/arguments.h"

struct shape size_argument(struct argp_state *state, const char *value, unsigned max_cells)
{
    struct shape shape = {0};
    if (!shape_parse(value, &shape) || shape.cells > max_cells)
        argp_error(
            state,
            "--size %s: expected columns x rows such as 4x3, both at least %d, at most %u cells",
            value, MIN_SIDE, max_cells);
    return shape;
}
