/* Whole files as texts. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/report.h"

/* The contents of a file, ended by a zero byte, in heap memory; "-" is standard input. NULL, with a
 * problem in the report, when it cannot be read, is larger than 1 GiB or holds a zero byte: it is
 * no text then. `length` may be NULL. */
char *file_read(const char *path, size_t *length, struct report *report);

#endif
