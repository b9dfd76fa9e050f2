/* Instance sets in files.
 *
 * A set is a CSV file with a header: `start` (the tiles, as puzzle/text.h reads them; `board` is
 * the same) is needed; fields may be parted by semicolons instead of commas; `id`, `width`,
 * `height`, `goal` (a name or a board) and `optimal_length` are used where they are there; other
 * columns are left alone. An id is one line of printable text, and an optimal length one that the
 * board can have: exact where a table gives it (up to 10 cells, the first four goals of a set),
 * else not below the Manhattan distance, of the parity of the blank's way, for the 15-puzzle not
 * above 80, and none where the goal cannot be reached. Lines that begin with # before the header
 * say where the set comes from. A file whose first line is not such a header is plain text with
 * boards in any form that puzzle/text.h knows. */
#ifndef INSTANCES_SET_H
#define INSTANCES_SET_H

#include "instances/instance.h"
#include <stdio.h>

/* Reads a set file or a text of boards. `set` names the instances' set. `shape` is NULL where the
 * file is to show it. `goal` is the goal of instances that bring none, as a name or a board. A
 * board that cannot reach its goal is kept: finding that out is an answer. Problems go to `report`,
 * which must be on this file; false then. */
bool set_read(const char *path, const char *set, const struct shape *shape, const char *goal,
              struct report *report, struct instance_list *list);

/* Reads instances from a text in memory, as set_read does from a file. */
bool set_parse(const char *text, const char *set, const struct shape *shape, const char *goal,
               struct report *report, struct instance_list *list);

/* Keeps the instances whose position (from 1) is marked; `keep` has list->count elements. */
void set_select(struct instance_list *list, const bool *keep);

/* Writes a set file. False when the stream reports an error. */
bool set_write(FILE *stream, const struct instance_list *list);

#endif
