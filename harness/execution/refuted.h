/* Rows that were taken as right before a later row refuted them (cross.h): in runs.csv they become
 * wrong answers, and keep all else that they hold. */
#ifndef EXECUTION_REFUTED_H
#define EXECUTION_REFUTED_H

#include "harness/judge/cross.h"
#include "harness/results/folder.h"
#include "harness/results/rows.h"

struct refuted {
    size_t was[STATUSES]; /* rows marked, by the status that they had */
    size_t count;
};

/* Marks the rows of an open folder that the rows in `cross` refute, and says why of each, on the
 * folder's display and in messages.csv. Other lines stay as they are. False, with a message, if
 * runs.csv cannot be rewritten; it is then unchanged. */
bool refuted_mark(struct folder *folder, const struct run_ids *ids, const struct cross *cross,
                  struct refuted *refuted);

/* Whether the status of a row may be such a mark: it is a wrong answer, but shows a path or the
 * heuristic's value at the start. Only other rows tell. */
bool refuted_perhaps(const struct row *row);

#endif
