/* Whole files: reading a text, writing a file atomically, making folders. */
#pragma once

#include "base/report.h"
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>

/* Returns the contents of a regular file, followed by a zero byte, in heap memory. Returns NULL,
 * with a problem in the report, if the file cannot be read, is larger than 1 GiB or contains a zero
 * byte and so is not text. `length` may be NULL. */
char *file_read(const char *path, size_t *length, struct report *report);

/* The same for a file that tilelab writes: a link is refused. */
char *file_read_own(const char *path, size_t *length, struct report *report);

/* The same for what a person named on the command line: "-" is standard input, and a pipe or a
 * device is read, too, and waited for. */
char *file_read_typed(const char *path, size_t *length, struct report *report);

/* Opens a regular file for reading. Anything else (a folder, a pipe without a writer, a device) is
 * refused without blocking. On failure returns NULL, with a static text in *why ("No such file or
 * directory", "it is not a regular file"). */
FILE *file_open(const char *path, const char **why);

/* The same for a file that tilelab writes: a link is refused. */
FILE *file_open_own(const char *path, const char **why);

/* The beginning of a small file, such as one of /proc, up to room - 1 bytes, as a text: "" and
 * false where it cannot be read or is empty. Takes no heap memory. */
bool file_peek(const char *path, char *text, size_t room);

/* A file's text without the byte-order mark that it may begin with, as Windows writes it. */
const char *file_past_mark(const char *text);

/* The name of a file in its path; whether a name ends so, and is longer; and the path of the folder
 * that the file is in, in heap memory. */
const char *file_name(const char *path);
bool file_ends(const char *name, const char *ending);
char *file_folder(const char *path);

/* SCOPED_BY(stream_end) FILE *file = ..: what is open, if anything, is closed where the variable's
 * scope ends; errno stays. The same for the entries of a folder. */
void stream_end(FILE **stream);
void listing_end(DIR **entries);

/* A path that means the same file from every folder, without links in it; the path itself where it
 * leads nowhere. "" is the present folder. Heap memory. */
char *file_whole_path(const char *path);

enum { FILE_HASH_BYTES = 17 };

/* The hash (XXH3, 64 bits) of what is in a regular file, as 16 hexadecimal digits. False, with a
 * static text in *why, if it cannot be read. */
bool file_hash(const char *path, char hash[FILE_HASH_BYTES], const char **why);

/* Writes `length` bytes of `text` to the file `path`, whole or not at all, and waits until they are
 * on disk. They go to FOLDER/.NAME.part first, which is locked so that several writers take turns,
 * and is then renamed; both by their names in FOLDER, which is opened once. If a writer is killed,
 * the next one overwrites what it left. Neither the file nor the part may be a link, a folder, a
 * pipe or a device. Returns false and sets errno (file_problem) on failure; what is at `path` is
 * then unchanged. */
bool file_write(const char *path, const char *text, size_t length);

/* The same for a file that a person named on the command line: what is no regular file is not
 * replaced, but the bytes go into the device, the pipe (which may wait for a reader) or what the
 * link leads to, in place. */
bool file_write_typed(const char *path, const char *text, size_t length);

/* Whether file_write may write there: the name is free or a regular file's. False with errno. */
bool file_may_write(const char *path);

/* The text of errno after a file of tilelab's own could not be written or opened. */
const char *file_problem(int why);

/* As file_write through the file `part`, which is then renamed: for writers on several machines,
 * each with a name of its own in the same file system, where locks cannot be relied on. */
bool file_write_through(const char *part, const char *path, const char *text, size_t length);

/* The same under a part's name that no other process has, on any machine. */
bool file_write_shared(const char *path, const char *text, size_t length);

/* Makes an empty file that is not there yet: of several processes one succeeds. Returns false and
 * sets errno on failure, EEXIST where another was faster. */
bool file_claim(const char *path);

/* As file_write for what `fill` writes to a stream; it returns false with errno if it cannot. */
bool file_write_stream(const char *path, bool (*fill)(FILE *out, void *context), void *context);

/* Writes `length` bytes to an open file, in as many calls as it takes. Returns false and sets errno
 * on failure; part of the bytes may have been written by then. */
bool file_write_all(int file, const char *text, size_t length);

/* Locks an open file (flock). As long as another process has the lock, asks `waits` fifty times
 * a second whether to wait on; NULL waits for ever. False with errno; EWOULDBLOCK when it was not
 * to wait. */
bool file_lock(int file, bool (*waits)(void *context), void *context);

/* Whether a name is a link. */
bool file_is_link(const char *path);

/* Whether a name means an open file; links are not followed. */
bool file_is_named(int file, const char *path);

/* Makes a folder, unless it is there. Returns false and sets errno on failure. */
bool folder_make(const char *path);

/* Makes a folder and any missing parents. Returns false and sets errno on failure; ENOTDIR if
 * something else has that name. */
bool folders_make(const char *path);
