#include "harness/figures/making.h"

void figure_box(const struct making *making, struct figure *figure)
{
    make_boxes(making, figure);
}
