/* Batch A* (algorithms/batch.h): A* for a heuristic that values many boards at once. */
#include "algorithms/batch.h"

DECLARE_ALGORITHM(batch_astar);

enum { BATCH };

const struct option_row batch_astar_options[] = {[BATCH] = BATCH_OPTION, {.kind = OPTION_END}};

void batch_astar_run(struct search *search)
{
    const struct best_first settings = {.counts_g = true, .duplicates = DUPLICATES_STORED};
    batch_best_first(search, &settings, (uint32_t)search->options[BATCH]);
}
