/* Submissions: folders that were handed in, each of which is an external solver.
 *
 * What a folder has decides how it is built and run, unless the caller says so. Nothing of it is
 * executed here. */
#pragma once

#include "harness/external/external.h"

/* No submission has more in its files. */
#define SUBMISSION_BYTES (UINT64_C(2) << 30)

/* No label is longer, in characters. */
enum { MAX_LABEL = 60 };

/* Where a submission finds itself while it is isolated. */
#define SUBMISSION_PLACE "/submission"

/* The folders in a folder. */
struct submission_list {
    char **names; /* owned, each too; any bytes, sorted by them */
    size_t count;
    char *others; /* owned; what else is there, such as a forgotten archive: "a.zip, b.pdf"; NULL:
                     nothing. Names with a dot in front and __MACOSX do not count */
};

/* Lists them. NULL, or why they cannot be listed, in heap memory; then there are none. */
char *submission_list(const char *folder, struct submission_list *list);

void submission_list_end(struct submission_list *list);

/* The label of a folder: its name with ? for what is not printable, single spaces, cut to MAX_LABEL
 * characters; of number 2 and more, " (2)" at its end. Heap memory. */
char *submission_label(const char *name, unsigned number);

/* Looks into external->folder: goes down while it has no program but one folder alone; finds the
 * command, unless there is one already, and with `builds` how it is built; hashes all files. What
 * is wrong goes to external->problem, what a person should know to external->note. */
void submission_find(struct external *external, bool builds);

/* Names the program that `make` made in a copy "main", as the command has it, where it has another
 * name: "solver", or that of the only program that is there. NULL, or what is wrong, in heap
 * memory.
 */
char *submission_name_made(const char *copy);
