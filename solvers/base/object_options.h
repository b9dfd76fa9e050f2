/* The options of what a shared object has (struct tilelab_option), as rows of a table. */
#pragma once

#include "base/option.h"
#include <tilelab/heuristic.h>

struct object_options {
    struct option_row rows[MAX_OPTIONS + 1]; /* texts are owned */
    unsigned forfeits[MAX_OPTIONS];          /* by option: as the object says them */
};

/* What is wrong with the options that `file` has (NULL: none), and what was expected: heap memory,
 * or NULL. */
char *object_options_check(const char *file, const struct tilelab_option *said);

/* Copies options in which nothing is wrong; `properties` translates what they forfeit. */
void object_options_make(struct object_options *options, const struct tilelab_option *said,
                         unsigned (*properties)(unsigned forfeits));

void object_options_end(struct object_options *options);
