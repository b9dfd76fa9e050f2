/* What a name in `program` means: a file; a folder, with all files below it; or a pattern of
 * names (*, ?, [..]) for files and folders. */
#pragma once

#include "base/file.h"
#include <stdint.h>

enum { MOST_MATCHES = 10000 };

/* Whether a path is a pattern: its part from `own` on has a character of one, and nothing has that
 * name. */
bool matches_pattern(const char *path, size_t own);

/* Whether a file below a folder is left out: what interpreters write on their own, and what nobody
 * calls part of a program. */
bool matches_leave_out(const char *name);

/* Hashes what the path names. *looks follows from the names, sizes and times of change alone.
 * `hash` is that of a file's contents; of several files it follows from their names, below the
 * folder or the pattern's own, and contents, in the order of the names. Names with a dot in front,
 * *.pyc and __pycache__ are left out. Links below a folder or that match a pattern are not
 * followed: where they lead is their contents. NULL `hash`: only *looks. Returns NULL or what is
 * wrong, in heap memory. */
char *matches_hash(const char *path, size_t own, char hash[FILE_HASH_BYTES], uint64_t *looks);
