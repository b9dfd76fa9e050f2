/* Several threads for an analysis of many values. What they compute does not depend on them: each
 * item has a place of its own for its result. */
#pragma once

#include <stddef.h>

/* Calls work(context, item) for each item below `count`, in any order; all together look at so many
 * values. Few are not worth a thread. */
void threads_work(size_t count, size_t values, void (*work)(void *context, size_t item),
                  void *context);

/* Sets the number of threads, and from how many values on they are used: for tests. */
void threads_divide(size_t values, unsigned threads);

/* Makes GSL return errors instead of ending the program, as for p-values below the smallest number.
 * Its handler is the whole process's, so no function sets it for a while. */
void threads_quiet_errors(void);
