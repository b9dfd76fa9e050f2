/* A results folder: runs.csv being written, and what stands beside it.
 *
 * Rows are appended, each with one write; a row is there when its line end is. runs.csv itself is
 * locked while it is written to. Where another program renames, removes, replaces or changes it
 * meanwhile, what tilelab wrote is saved beside it (runs.csv.1, ..) and rows go on there. */
#ifndef RESULTS_FOLDER_H
#define RESULTS_FOLDER_H

#include "harness/experiment/experiment.h"
#include "harness/results/cross.h"
#include "harness/results/run_ids.h"
#include "harness/text/display.h"
#include "harness/text/ending.h"
#include <sys/types.h>

struct folder {
    struct display *display;
    char *path;      /* owned */
    char *rows;      /* owned; the file that rows are written to: PATH/runs.csv, or one beside it */
    int file;        /* that file, open for appending, and locked */
    off_t size;      /* its bytes, as far as they are ours */
    size_t solved;   /* rows of the experiment that were there and say solved */
    size_t findings; /* rows of the experiment that were there and say crashed or wrong_answer */
    char *others;    /* owned; what rows of other runs were left in it (others_text), or NULL */
    char *moved;     /* owned; what happened to runs.csv, not reported yet; or NULL */
};

/* What to do with rows that are there already and are none of this experiment's runs (another
 * build, other limits, ...). */
enum foreign_rows {
    FOREIGN_REFUSE,
    FOREIGN_KEEP,     /* --keep: leave them where they are */
    FOREIGN_SET_ASIDE /* --fresh: the whole runs.csv is renamed, and a new one begun */
};

/* Opens or makes the folder for an experiment, mends a torn last row, takes out the rows whose runs
 * are to be made again (status.def), and marks in `done` (one flag for each run of the matrix) the
 * runs whose rows are there. The rows are taken into `cross`, too. A folder that tilelab did not
 * make, and a file whose rows are not as tilelab wrote them, are refused and left as they are.
 * Problems and what was mended are said on the display. Anything but ENDING_DONE: the folder is
 * not open. */
enum ending folder_open(struct folder *folder, const char *path,
                        const struct experiment *experiment, const struct run_ids *ids,
                        enum foreign_rows foreign, bool *done, struct cross *cross,
                        struct display *display);

/* Appends one line, its newline included. False with errno when it could not be written whole;
 * nothing of it stays then. */
bool folder_append(struct folder *folder, const char *line);

/* Waits until the rows are on the disk and looks whether runs.csv is still the file that they are
 * written to. NULL when all is well, else what is wrong, where the rows are and what to do, in heap
 * memory. */
char *folder_sync(struct folder *folder);

/* Writes a file of the folder whole or not at all. False with errno. */
bool folder_write(const struct folder *folder, const char *name, const char *text, size_t length);

/* Renames a file to the first of PATH.1, PATH.2, .. that is free, and says so on the display: WHAT
 * ("the earlier rows are") "set aside in" that. False with errno. */
bool folder_set_aside(const char *path, const char *what, struct display *display);

void folder_close(struct folder *folder);

#endif
