/* Whole files: reading a text, writing one whole or not at all, making folders. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/report.h"
#include <stdbool.h>
#include <stdio.h>

/* The contents of a file, ended by a zero byte, in heap memory; "-" is standard input. NULL, with a
 * problem in the report, when it cannot be read, is larger than 1 GiB or holds a zero byte: it is
 * no text then. `length` may be NULL. */
char *file_read(const char *path, size_t *length, struct report *report);

/* Opens a regular file for reading. Anything else (a folder, a pipe that nobody writes to, a
 * device) is refused without waiting. NULL, with a static text in *why ("No such file or
 * directory", "it is not a regular file"), on failure. */
FILE *file_open(const char *path, const char **why);

/* Writes `length` bytes of `text` as the file `path`, whole or not at all, and waits until they are
 * on the disk. They are written to FOLDER/.NAME.part first, which is locked, so that several
 * writers take turns, and then renamed; what a killed writer leaves is written over by the next.
 * No link is followed. False with errno; the file at `path` is then as it was. */
bool file_write(const char *path, const char *text, size_t length);

/* Locks an open file (flock). As long as another process has the lock, asks `waits` fifty times
 * a second whether to wait on; NULL waits for ever. False with errno; EWOULDBLOCK when it was not
 * to wait. */
bool file_lock(int file, bool (*waits)(void *context), void *context);

/* Whether a name means an open file; links are not followed. */
bool file_is_named(int file, const char *path);

/* Makes a folder and those above it that are missing. False with errno; ENOTDIR where something
 * else has the name. */
bool folders_make(const char *path);

#endif
