/* Partitions: a goal's tiles parted into groups, one pattern database each, as people write them.
 *
 * By name ("7-8": one that is known to be good, for a shape and any goal whose blank is in a
 * corner) or group by group: tiles joined by '.', groups by '/': "1.2.3.4/5.6.7.8". Every tile of
 * the goal is in exactly one group. */
#ifndef PDB_PARTITION_H
#define PDB_PARTITION_H

#include "base/report.h"
#include "pdb/pattern.h"
#include "puzzle/board.h"

enum { MAX_GROUPS = MAX_CELLS - 1 };

struct partition {
    unsigned count;
    struct pattern group[MAX_GROUPS]; /* slots by rising tile: that of slot i is
 goal->cell[group.cell[i]] */
};

/* A named partition. `groups` is in the form above for a goal that has each tile on the cell of its
 * number (blank-first), so that its tiles are cells. */
struct partition_row {
    const char *name;
    uint8_t width;
    uint8_t height;
    const char *groups;
};
enum { PARTITIONS = 7 };
extern const struct partition_row partitions[PARTITIONS];

/* Reads a text whose shape is not known yet: all that can be wrong with it for any goal is told in
 * the report, at (line, column) of the text's first byte. The canonical text (heap memory, free()):
 * a name as it is, groups in their order with their tiles rising, no zeros in front; NULL where
 * something is wrong. */
char *partition_read(const char *text, size_t line, size_t column, struct report *report);

/* The groups of a text that partition_read has let pass, for a goal. False, with what is wrong in
 * the report, where they are not the goal's: a name that is for another shape or needs a corner,
 * tiles that are missing or too many, a group whose table is too large (MAX_ENTRIES). */
bool partition_make(const char *text, const struct board *goal, size_t line, size_t column,
                    struct report *report, struct partition *partition);

/* The text of a pattern's tiles, "1.2.3"; heap memory, free(). */
char *partition_group_text(const struct pattern *group, const struct board *goal);

#endif
