/* Memory for tables of many megabytes, straight from the system: zeroed pages.
 *
 * Unlike base/heap.h it may be refused, and then says so: a table that does not fit is told to
 * whoever asked for it. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/* `bytes` zeroed bytes (at least 1), for which the system is asked to use huge pages; NULL when it
 * has no more. Give back by pages_end. */
void *pages_take(size_t bytes);

/* From now on the memory is read only: whoever writes to it crashes. The limit RLIMIT_DATA does not
 * count it any more. */
void pages_freeze(void *memory, size_t bytes);

/* `memory` may be NULL; `bytes` as when it was taken. */
void pages_end(const void *memory, size_t bytes);

#endif
