/* A results folder: runs.csv being written, and the files next to it.
 *
 * Rows are appended, each with one write; a row counts once its line end is written. runs.csv
 * itself is locked meanwhile. If another program renames, removes, replaces or changes it, the rows
 * that tilelab wrote are saved next to it (runs.csv.1, ..), and later rows go there. */
#pragma once

#include "harness/text/display.h"
#include "harness/text/ending.h"
#include <stdio.h>
#include <sys/types.h>

struct folder {
    struct display *display;
    char *path;  /* owned */
    char *rows;  /* owned; the file that rows are written to: PATH/runs.csv, or one next to it */
    int file;    /* that file, open for appending, and locked */
    off_t size;  /* its size, as far as we wrote it */
    void *hash;  /* owned; XXH3 of these bytes, as found when it was opened and as written since */
    char *moved; /* owned; what happened to runs.csv, not reported yet; or NULL */
};

/* Opens or makes the folder, mends a torn last row and begins runs.csv where it is empty. `fresh`
 * first sets an earlier runs.csv aside. A folder that tilelab did not make is refused and left
 * unchanged. Problems and repairs are reported on the display. Anything but ENDING_DONE: the folder
 * is not open. */
enum ending folder_open(struct folder *folder, const char *path, bool fresh,
                        struct display *display);

/* Makes the folder, or checks whether tilelab may write into an existing one; opens nothing. A
 * problem is reported on the display. */
enum ending folder_claim(const char *path, struct display *display);

/* The file of an open folder's rows, to be read from its beginning; NULL with errno. To be closed.
 * Streams share the place where they read: a new one is to be the last that is read from. */
FILE *folder_rows(const struct folder *folder);

/* Writes runs.csv anew, whole or not at all, and locks the new file before it gets the name.
 * `write` gets a stream for it, and returns false with errno if it cannot. False with errno;
 * runs.csv is then unchanged. */
bool folder_replace(struct folder *folder, bool (*write)(FILE *out, void *context), void *context);

/* A line of runs.csv, from 1, and what it becomes, its newline included. */
struct new_line {
    size_t number;
    char *text;
};

/* The same with these lines (ascending) changed; those that it does not have come last. */
bool folder_change(struct folder *folder, const struct new_line *lines, size_t count);

/* Appends one line, its newline included. False with errno if it could not be written whole;
 * nothing of it stays then. */
bool folder_append(struct folder *folder, const char *line);

/* Waits until the rows are on the disk and checks that runs.csv is still the file that they are
 * written to; at the end of a run also that every byte of it is as it was written. NULL if all is
 * well, else what is wrong, where the rows are and what to do, in heap memory. */
char *folder_sync(struct folder *folder, bool at_end);

/* Gives runs.csv the present time, so that others see that its writer lives. */
void folder_beat(const struct folder *folder);

/* Writes a file of the folder whole or not at all. False with errno. */
bool folder_write(const struct folder *folder, const char *name, const char *text, size_t length);

/* Renames a file, if it is there, to the first of PATH.1, PATH.2, .. that is free, and says so on
 * the display: WHAT ("the earlier rows are") "set aside in" that. False where it cannot be; that
 * has been said. */
bool folder_set_aside(const char *path, const char *what, struct display *display);

void folder_close(struct folder *folder);
