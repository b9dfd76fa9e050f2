/* submit/jobs.json of a results folder: which shards were sent to a scheduler, as which jobs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SUBMISSIONS_FILE "submit/jobs.json"

/* One call of `tilelab submit`. */
struct submission {
    unsigned shards;      /* that the experiment was divided into */
    char *sent;           /* owned; those that were sent: "1-3,7" */
    char *at;             /* owned; when: "2026-11-22T10:00:00Z" */
    unsigned long tables; /* numbers of jobs; 0: none */
    unsigned long array;
    unsigned long merge;
};

struct submissions {
    struct submission *items; /* owned; the latest last */
    size_t count;
};

/* Reads them; there are none where the file is missing. False, with what is wrong in *problem (heap
 * memory, free()). submissions_end in any case. */
bool submissions_read(const char *folder, struct submissions *submissions, char **problem);

/* Adds one; takes its texts. Returns it, to be filled in until the next is added. */
struct submission *submissions_add(struct submissions *submissions, struct submission submission);

/* Writes them; false with errno. */
bool submissions_write(const char *folder, const struct submissions *submissions);

/* The numbers of all arrays, separated by commas; "" if there are none; heap memory. */
char *submissions_arrays(const struct submissions *submissions);

/* The one with this array; NULL if there is none. */
const struct submission *submissions_find(const struct submissions *submissions,
                                          unsigned long array);

void submissions_end(struct submissions *submissions);
