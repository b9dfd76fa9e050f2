/* Partitions: a goal's tiles divided into groups, with one pattern database each, as people write
 * them.
 *
 * Written as a name ("7-8": a partition known to be good, for one shape and any goal whose blank is
 * in a corner) or group by group, tiles joined by '.' and groups by '/': "1.2.3.4/5.6.7.8". Every
 * tile of the goal is in exactly one group.
 *
 * Several partitions make a catalogue. It is written as a name ("clausecker-small"), as partitions
 * joined by ';', or as "@FILE", a text file with a partition on each line ('#' starts a comment);
 * the canonical text of a file is what is in it, so that results do not depend on the file. */
#pragma once

#include "base/report.h"
#include "pdb/pattern.h"
#include "puzzle/board.h"

enum { MAX_GROUPS = MAX_CELLS - 1, MAX_PARTITIONS = 64 };

struct partition {
    unsigned count;
    /* Slots in increasing order of tile; the tile of slot i is goal->cell[group.cell[i]]. */
    struct pattern group[MAX_GROUPS];
};

/* A named partition or catalogue. `groups` is in the form above, for a goal with each tile on the
 * cell of the same number (blank-first), so that tiles are cells. */
struct partition_row {
    const char *name;
    uint8_t width;
    uint8_t height;
    const char *groups;
};
extern const struct partition_row partitions[];
extern const unsigned partition_count;

/* Reads a text before the shape is known and reports everything that is wrong for every goal;
 * `place` is that of the text's first byte. Returns the canonical text (heap memory,
 * free()): a name as it is; groups in their order, with their tiles in increasing order and no
 * leading zeros. Returns NULL if anything is wrong. */
char *partition_read(const char *text, struct text_place place, struct report *report);

/* Makes the partitions of a text that partition_read has accepted, for a goal; `zero`: for
 * zero-aware databases. Returns *count of them in heap memory, free(). Returns NULL, with the
 * problem in the report, if they do not fit the goal: a name for another shape or for goals with
 * the blank in a corner, missing or extra tiles, a group whose table is too large (MAX_ENTRIES). */
struct partition *partitions_make(const char *text, const struct board *goal, bool zero,
                                  struct text_place place, struct report *report, unsigned *count);

/* The shape that the name of a partition or catalogue is for; false if the text is not a name. */
bool partition_shape(const char *text, struct shape *shape);

/* A pattern's tiles as text, "1.2.3"; heap memory, free(). */
char *partition_group_text(const struct pattern *group, const struct board *goal);
