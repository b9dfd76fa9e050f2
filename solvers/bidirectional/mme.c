/* MMe (Sharon, Holte, Felner and Sturtevant, "An improved priority function for bidirectional
 * heuristic search", SoCS 2016): MM with the priority max(f, 2 g + e), e being the cost of the
 * cheapest move, 1: a node beyond the middle less one move cannot be needed by both sides. mm.h has
 * the rest. */
#include "bidirectional/mm.h"

DECLARE_ALGORITHM(mme);

const struct option_row mme_options[] = MM_OPTIONS;

KERNEL void mme_search(struct search *search, enum packing packing)
{
    mm_with_margin(search, packing, 1);
}

STAMP_ALGORITHM(mme)
