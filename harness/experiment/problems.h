/* Problems of an experiment: gathered in any order, reported in the file's, shown with the lines
 * that they speak of.
 *
 * Reading an experiment goes over its file more than once (a goal can only be read when the sizes
 * of the boards are known), so problems do not come up in the file's order. They go to `inbox`, a
 * report whose file is "", and are sorted at the end. */
#ifndef EXPERIMENT_PROBLEMS_H
#define EXPERIMENT_PROBLEMS_H

#include "harness/experiment/overrides.h"
#include <stdbool.h>
#include <stdio.h>

struct problems {
    const struct overrides *overrides; /* whose lines are not the file's; may be NULL */
    struct report inbox;
    struct attachment *attachments;
    size_t attachment_count;
};

void problems_start(struct problems *problems, const struct overrides *overrides);

/* Puts the problems of another file, with their own places, where the experiment names that file.
 * Takes what `other` holds and leaves it empty. */
void problems_attach(struct problems *problems, size_t line, size_t column, struct report *other);

bool problems_none(const struct problems *problems);

/* Moves everything to `report`, sorted by place; what is there twice is told once. Leaves
 * `problems` empty. */
void problems_end(struct problems *problems, struct report *report);

/* Prints a report, each entry followed by the line of the file that it speaks of and a caret below
 * the column, where the file can be read. In colour on a terminal, unless NO_COLOR is set or TERM
 * is dumb. */
void problems_print(FILE *stream, const struct report *report);

#endif
