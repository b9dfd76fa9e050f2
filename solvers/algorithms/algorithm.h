/* The table of the algorithms. */
#pragma once

#include "search/algorithm.h"

extern const struct algorithm algorithms[];
extern const unsigned algorithm_count;

/* Adds an algorithm that is no row of the table, or takes it away again. Its name must be new; it
 * belongs to the caller and must not change in between. */
void algorithm_add(const struct algorithm *algorithm);
void algorithm_remove(const struct algorithm *algorithm);

/* Algorithm `number`: first the rows of the table, then those added; NULL beyond the last. */
const struct algorithm *algorithm_at(unsigned number);

/* The algorithm of this name, or NULL. */
const struct algorithm *algorithm_find(const char *name);
