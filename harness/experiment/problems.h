/* Problems of an experiment: collected in any order, reported in the file's, shown with the lines
 * they refer to.
 *
 * Reading an experiment goes over its file more than once (a goal can only be read when the sizes
 * of the boards are known), so problems do not come up in the file's order. They go to `inbox`, a
 * report whose file is "", and are sorted at the end. */
#pragma once

#include "harness/experiment/overrides.h"
#include <stdio.h>

struct problems {
    const struct overrides *overrides; /* whose lines are not the file's; may be NULL */
    struct report inbox;
    struct attachment *attachments;
    size_t attachment_count;
};

void problems_start(struct problems *problems, const struct overrides *overrides);

/* Adds the problems of another file, with their own places, at the place where the experiment names
 * that file. Leaves `other` empty. */
void problems_attach(struct problems *problems, struct text_place place, struct report *other);

bool problems_none(const struct problems *problems);

/* Moves everything to `report`, sorted by place, repeated ones once. Leaves `problems` empty. */
void problems_end(struct problems *problems, struct report *report);

/* Prints a report, each entry followed by its line of the file, if that can be read, and a caret
 * below the column. In colour on a terminal, unless NO_COLOR is set or TERM is dumb. */
void problems_print(FILE *stream, const struct report *report);
