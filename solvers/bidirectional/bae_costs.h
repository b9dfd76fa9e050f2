/* BAE* (bidirectional/bae.c) where moves cost different amounts: the same search, by open lists of
 * search/lists.h, with costs of 64 bits. */
#pragma once

#include "search/search.h"

/* smaller: the side with fewer live nodes is next, not each in turn. all_bounds: every bound may
 * end the search. */
void bae_by_costs(struct search *search, bool smaller, bool all_bounds);
