/* Memory for tables of many megabytes, straight from the system: zeroed pages, and files as memory.
 *
 * Unlike base/heap.h it may be refused, and then says so: a table that does not fit is told to
 * whoever asked for it. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/* `bytes` zeroed bytes (at least 1), for which the system is asked to use huge pages; NULL when it
 * has no more. Give back by pages_end. */
void *pages_take(size_t bytes);

/* The first `bytes` of an open file, to be read only, shared with every process that maps them, all
 * read in; NULL (errno says why) when that cannot be. Give back by pages_end; the file may be
 * closed before. */
const void *pages_map(int file, size_t bytes);

/* `memory` may be NULL; `bytes` as when it was taken. */
void pages_end(const void *memory, size_t bytes);

#endif
