/* Pattern databases on the shelf and on the disk: each table is built once, kept as a file, mapped
 * into memory once in a process and shared with all processes. */
#ifndef HEURISTICS_PATTERN_STORE_H
#define HEURISTICS_PATTERN_STORE_H

#include "heuristics/pattern.h"
#include <stdbool.h>
#include <stddef.h>

/* Who wants to know what happens. Any function may be NULL. */
struct pattern_watcher {
    void *context;
    /* A table is being built, `done` of `all` entries are known; false: stop. */
    bool (*builds)(void *context, const struct pattern *pattern, uint64_t done, uint64_t all);
    /* Something a person should hear: a damaged file, a folder that cannot be written, waiting for
     * another process. One line, no newline. */
    void (*says)(void *context, const char *text);
};

struct pattern_table {
    struct pattern pattern; /* canonical */
    uint64_t entries;
    const uint8_t *values; /* by pattern_rank */
    bool built;            /* by this process: it was in no file */
    double build_seconds;
    char *path; /* NULL where it is in memory only */
};

/* The folder for this process: "" or NULL keeps no files. Without this call it is $TILELAB_PDB_DIR,
 * else $XDG_CACHE_HOME/tilelab, else ~/.cache/tilelab. */
void pattern_store_folder(const char *folder);

/* The table of a canonical pattern: from the shelf, from its file, or built now on all cores and
 * kept in a file. NULL, with a text in *problem (heap memory, free()), when it was stopped or
 * memory is short. It stays on the shelf until the process ends, and processes forked later share
 * it. */
const struct pattern_table *pattern_table_hold(const struct pattern *canonical,
                                               const struct pattern_watcher *watcher,
                                               char **problem);

#endif
