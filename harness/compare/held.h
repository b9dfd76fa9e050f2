/* `tilelab compare NEW --against OLD`: two results compared, with what made them. */
#pragma once

#include "harness/compare/findings.h"

/* The rows of one build. */
struct origin {
    size_t rows, edited;
    struct names hosts;
};

/* One side. The paths are set before held_read, all else is 0. */
struct held {
    const char *const *paths; /* results folders or CSV files; not owned */
    size_t path_count;
    struct comparison comparison;
    struct names builds;
    struct origin *origins; /* by build; owned */
};

/* Reads one side. False, with messages on standard error, where that is impossible. held_end in
 * either case. */
bool held_read(struct held *held, FILE *errors);

/* Fills an empty document: provenance, times side by side, edited rows, differences. Whether
 * something changed that must not, by `options`. */
bool held_tell(struct document *document, const struct held *now, const struct held *before,
               const struct compare_options *options);

void held_end(struct held *held);
