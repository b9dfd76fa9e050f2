/* Batch weighted A* (algorithms/batch.h): f = g + w h, as wastar has it, for a heuristic that
 * values many boards at once. */
#include "algorithms/batch.h"

DECLARE_ALGORITHM(batch_wastar);

enum { W, BATCH };

const struct option_row batch_wastar_options[] = {
    [W] = WEIGHT_OPTION, [BATCH] = BATCH_OPTION, {.kind = OPTION_END}};

void batch_wastar_run(struct search *search)
{
    struct best_first settings = {.counts_g = true, .duplicates = DUPLICATES_STORED};
    best_first_weigh(&settings, search->options[W]);
    batch_best_first(search, &settings, (uint32_t)search->options[BATCH]);
}
