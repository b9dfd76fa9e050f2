#include "heuristics/walking_lines.h"

bool walking_small(struct shape shape)
{
    return numbering_exists(shape) && numbering_hold(shape, 0)->count <= UNKEPT_ARRANGEMENTS &&
           numbering_hold(on_its_side(shape), 0)->count <= UNKEPT_ARRANGEMENTS;
}

unsigned walking_number(const struct walking_lines *lines, const struct board *board)
{
    const struct numbering *numbering = lines->numbering;
    const uint8_t *cell = lines->cell;
    unsigned number = 0;
    unsigned state = 0;
    for (unsigned line = 0; line < numbering->lines; line++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < numbering->length; i++)
            sum += lines->weight[board->cell[*cell++]];
        const struct arrangement_step step = numbering_step(numbering, state, numbering->code[sum]);
        number += step.before;
        state = step.next;
    }
    return number;
}
