/* Rows that were taken as right before a later row refuted them (cross.h): in runs.csv they become
 * wrong answers, and keep all else that they hold. */
#pragma once

#include "harness/judge/cross.h"
#include "harness/results/folder.h"
#include "harness/results/rows.h"

/* The rows of an experiment. */
struct tally {
    size_t ended[STATUSES]; /* by status */
    size_t findings;        /* that crashed, are wrong or contradict another */
};

/* Marks the rows of an open folder that the rows in `cross` refute, has the tally count them as
 * wrong answers, and says why of each, on the folder's display and in messages.csv. Other lines
 * stay as they are. Returns how many; negative, with a message, if runs.csv cannot be rewritten: it
 * is then unchanged. */
ptrdiff_t refuted_mark(struct folder *folder, const struct run_ids *ids, const struct cross *cross,
                       struct tally *tally);

/* Whether the status of a row may be such a mark: it is a wrong answer, but shows a path or the
 * heuristic's value at the start. Only other rows tell. */
bool refuted_perhaps(const struct row *row);
