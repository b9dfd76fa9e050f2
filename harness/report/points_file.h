/* points.csv: the points of each label, in the results folder.
 *
 * It has label, points, comment and a column for each rule, and whatever columns a person adds. A
 * new marking keeps those, the order of columns and of rows, and the rows of labels that are gone,
 * which come last. It makes tilelab's own columns anew; where they held something else, the earlier
 * file is kept as points.csv.1, .2, .. Equal results and rules give the same bytes. */
#pragma once

#include "harness/report/marks.h"

/* Writes the file, whole or not at all, and names it in datapackage.json. False, with a message, if
 * it cannot be written, or if one of that name cannot be read; that one is then unchanged. */
bool points_file_write(const struct marks *marks, const char *folder, FILE *errors);
