/* A results folder: runs.csv being written, and what stands beside it.
 *
 * Rows are appended, each with one write; a row is there when its line end is. A folder is locked
 * while it is written to: `.lock` in it holds the number of the process that last did. */
#ifndef RESULTS_FOLDER_H
#define RESULTS_FOLDER_H

#include "harness/experiment/experiment.h"
#include "harness/results/cross.h"

struct folder {
    char *path;      /* owned */
    int lock;        /* .lock, open and locked */
    int file;        /* runs.csv, open for appending */
    size_t solved;   /* rows of the experiment that were there and say solved */
    size_t findings; /* rows of the experiment that were there and say crashed or wrong_answer */
};

/* What to do with rows that are there already and are none of this experiment's runs (another
 * build, other limits, ...). */
enum foreign_rows {
    FOREIGN_REFUSE,
    FOREIGN_KEEP,     /* --keep: leave them where they are */
    FOREIGN_SET_ASIDE /* --fresh: the whole runs.csv is renamed, and a new one begun */
};

/* Opens or makes the folder for an experiment, mends a torn last row, and marks in `done` (one flag
 * for each run of the matrix) the runs whose rows are there. The rows are taken into `cross`, too.
 * Problems and what was mended are said on standard error. Returns EXIT_DONE or another exit code.
 */
int folder_open(struct folder *folder, const char *path, const struct experiment *experiment,
                enum foreign_rows foreign, bool *done, struct cross *cross);

/* Appends one line, its newline included. False with errno when it could not be written whole;
 * nothing of it stays then. */
bool folder_append(const struct folder *folder, const char *line);

/* Waits until the rows are on the disk. False with errno. */
bool folder_sync(const struct folder *folder);

/* Writes a file of the folder whole or not at all. False with errno. */
bool folder_write(const struct folder *folder, const char *name, const char *text, size_t length);

/* Renames a file to the first of PATH.1, PATH.2, .. that is free, and says so: WHAT ("the earlier
 * rows are") "set aside in" that. False with errno. */
bool folder_set_aside(const char *path, const char *what);

void folder_close(struct folder *folder);

#endif
