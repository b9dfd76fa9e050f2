/* Memory for tables of many megabytes, straight from the system: zeroed pages.
 *
 * Unlike in base/heap.h, a request may fail: the caller reports that the table does not fit. */
#pragma once

#include <stddef.h>

/* Returns `bytes` zeroed bytes (at least 1) and asks the system to use huge pages for them; NULL if
 * it has no more. Free with pages_end. */
void *pages_take(size_t bytes);

/* Makes the memory read-only: writing to it crashes. It no longer counts towards RLIMIT_DATA. */
void pages_freeze(void *memory, size_t bytes);

/* Frees the memory. `memory` may be NULL; `bytes` is the size it was taken with. */
void pages_end(const void *memory, size_t bytes);
