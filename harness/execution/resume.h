/* The rows that exist when an experiment is resumed: each is read, checked against its own hashes
 * and the experiment's run, and counted. */
#pragma once

#include "harness/execution/refuted.h"

struct resumed {
    struct tally tally;       /* of the rows of the experiment */
    char first[32], last[32]; /* the first and the last finished_at of those; "" without any */
    size_t *old_lines; /* owned; by run number: the line of a row whose run is made again, or 0;
                          NULL: there is none */
    char **versions;   /* owned, as its texts are; by solver: what its last row says of its version,
                          NULL: nothing; NULL: no solver has any */
    size_t version_count;
    char *others; /* owned; what rows of other runs were left in the file (others_text), or NULL */
};

/* Reads the rows of an open folder: marks in `done` (one flag for each run of the matrix) the runs
 * that have a row, adds them to `cross` and marks those that others refute (refuted.h), but for
 * rows whose runs are made again: those of statuses that are no result (status.def) and of those
 * marked in `again` (NULL: none). Each stands until there is a new one. Rows that are none of the
 * experiment's runs (another build, other limits, ..) are refused unless `keep`; rows that are not
 * as tilelab wrote them are always refused, and the file is left unchanged. Findings are reported
 * on the folder's display. Call resumed_end in any case.
 */
enum ending resume_rows(struct folder *folder, const struct run_ids *ids, bool keep,
                        const bool *again, bool *done, struct cross *cross,
                        struct resumed *resumed);

/* Counts the finished_at of another row of the experiment among those of `first` and `last`. */
void resumed_note_time(struct resumed *resumed, const char *time);

void resumed_end(struct resumed *resumed);
