/* MM (Holte, Felner, Sharon and Sturtevant, "Bidirectional search that is guaranteed to meet in the
 * middle", AAAI 2016): no node is expanded that lies farther from its root than half the shortest
 * path. The priority is max(f, 2 g); mm.h has the rest. */
#include "bidirectional/mm.h"

DECLARE_ALGORITHM(mm);

const struct option_row mm_options[] = MM_OPTIONS;

KERNEL void mm_search(struct search *search, enum packing packing)
{
    mm_with_margin(search, packing, 0);
}

STAMP_ALGORITHM(mm)
