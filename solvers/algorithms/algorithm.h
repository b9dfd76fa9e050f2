/* The table of the algorithms. */
#ifndef ALGORITHMS_ALGORITHM_H
#define ALGORITHMS_ALGORITHM_H

#include "search/algorithm.h"

extern const struct algorithm algorithms[];
extern const unsigned algorithm_count;

/* The algorithm of this name, or NULL. */
const struct algorithm *algorithm_find(const char *name);

#endif
