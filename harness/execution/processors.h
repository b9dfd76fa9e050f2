/* The processors that workers may be pinned to. */
#ifndef EXECUTION_PROCESSORS_H
#define EXECUTION_PROCESSORS_H

#include <stddef.h>

/* The numbers of the processors that this process may run on, in heap memory: first one of each
 * core, then those that share a core with one before them. */
unsigned *processors_list(size_t *count);

#endif
