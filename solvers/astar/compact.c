#include "astar/compact.h"

bool compact_fits(const struct search *search, enum compact_form form)
{
    const bool needs_consistent = form == COMPACT_CONSISTENT || form == COMPACT_DISTRIBUTED;
    if (packing_of(search->task->start.shape) == PACK_BYTES)
        return false;
    if (needs_consistent && (heuristic_properties(&search->heuristic->choice) & CONSISTENT) == 0)
        return false;
    return form == COMPACT_CONSISTENT || search->observer == NULL;
}

bool compact_run(struct search *search, enum compact_form form, const struct compact_pace *pace)
{
    static bool (*const runs[COMPACT_FORMS][2])(struct search *, const struct compact_pace *) = {
        [COMPACT_CONSISTENT] = {compact_consistent_64, compact_consistent_128},
        [COMPACT_REOPENING] = {compact_reopening_64, compact_reopening_128},
        [COMPACT_DISTRIBUTED] = {compact_distributed_64, compact_distributed_128},
        [COMPACT_DISTRIBUTED_ANY] = {compact_distributed_any_64, compact_distributed_any_128},
    };
    return runs[form][packing_of(search->task->start.shape) == PACK_128](search, pace);
}
