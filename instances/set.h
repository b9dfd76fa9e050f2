/* Instance sets in files.
 *
 * A set is a CSV file with a header; semicolons may separate the fields instead of commas. The
 * column `start` (the tiles, as puzzle/text.h reads them; it may be called `board`) is required;
 * `id`, `width`, `height`, `goal` (a name or a board) and `optimal_length` are optional,
 * and so is `optimal_cost_MODEL` for each model of costs, a decimal or a fraction; other
 * columns are ignored. An id is one line of printable text. An optimal length must be possible:
 * equal to the exact distance if a table gives it (up to 10 cells, the first four goals of a set),
 * else at least the Manhattan distance, of the same parity as the distance of the blank from its
 * goal cell, and for the 15-puzzle at most 80; it must be empty if the board cannot reach its goal.
 * Lines before the header that start with # say where the set comes from. A file whose first line
 * is not such a header is plain text, with boards in any form that puzzle/text.h reads; or one
 * board with its goal, as external solvers get them: a line W H, the start's rows, an empty line,
 * the goal's rows. */
#pragma once

#include "instances/instance.h"
#include <stdio.h>

/* Reads a set file or a text of boards. `set` is the name of the set. `shape` is NULL to deduce it
 * from the file. `goal`, a name or a board, is the goal of instances without one. A board that
 * cannot reach its goal is kept: to find that out is a result. Returns false, with the problems in
 * `report`, which must be for this file, if there are any. */
bool set_read(const char *path, const char *set, const struct shape *shape, const char *goal,
              struct report *report, struct instance_list *list);

/* Reads instances from a text in memory, as set_read does from a file. */
bool set_parse(const char *text, const char *set, const struct shape *shape, const char *goal,
               struct report *report, struct instance_list *list);

/* Keeps the instances i with keep[i]; `keep` has list->count elements. */
void set_select(struct instance_list *list, const bool *keep);

/* Writes a set file. False if the stream reports an error. */
bool set_write(FILE *stream, const struct instance_list *list);

/* Whether a text, which may be a board, names a file: the file exists, or the text contains a dot
 * or slash and letters, which no board does. */
bool text_names_file(const char *text);
