#include "base/heap.h"
#include "harness/figures/making.h"

void figure_memory(const struct making *making, struct figure *figure)
{
    struct making own = *making;
    own.metric = METRIC_max_stored;
    SCOPED bool *reported = reported_by(&own);
    own.reported = reported;
    make_boxes(&own, figure);
}
