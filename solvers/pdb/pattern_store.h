/* Pattern databases in memory and on disk: each table is built once, kept in a file, read into
 * memory once per process, and shared with the processes that it forks.
 *
 * A file is named after its canonical pattern ("4x4-blank0-1.2.3.pdb", if it is zero-aware
 * "4x4-blank0-zero-1.2.3.pdb", the table of walking distance "5x5-blank0-walking.pdb"); of a priced
 * one, which is canonical as it is, the name has the model and the tiles on their goal cells
 * ("4x4-blank0-heavy-1=1.2=2.3=3.pdb"). It holds a header of 4096 bytes, with checksums (XXH3),
 * then the values, one byte each, eight of priced ones. It is written under another name,
 * "..pdb.part", and renamed when it is complete. That file is locked (flock) meanwhile, so that of
 * two processes that want the same table one builds it and the other waits. A builder that is
 * killed leaves its ".part", unlocked, and the next one overwrites it. A file that is damaged,
 * truncated or of another version is detected when it is read; this is reported and the table is
 * rebuilt.
 *
 * Checksums detect damage, not malice. So a file is read only if no one but this process's user and
 * root can have written it: the file and its folder belong to one of the two and are not writable
 * by the group or by others (a folder such as /tmp is refused: its sticky bit is not enough). Both
 * are checked after opening, not by name, and links are followed only on the way to the folder. A
 * folder that fails the check is not used, a table whose file fails it is rebuilt; both are
 * reported.
 *
 * The values are copied and the copy is checked, so that nothing that happens to the file later can
 * change or crash a search. Processes started separately have a copy each. The one-bit form of a
 * table (pdb/pattern_bits.h) has the same file: its bits are made while the values are read, and
 * only they stay in memory. While the table is built, all values are.
 *
 * Not thread-safe. */
#pragma once

#include "pdb/pattern_sets.h"
#include <stdbool.h>
#include <stddef.h>

/* Callbacks. Any function may be NULL. */
struct pattern_watcher {
    void *context;
    /* A table is being built and `done` of `all` entries are known. Returns false to stop. */
    bool (*builds)(void *context, const struct pattern *pattern, uint64_t done, uint64_t all);
    /* A message for the user: a damaged file, a folder that cannot be used, waiting for another
     * process. One line, no newline. */
    void (*message)(void *context, const char *text);
};

struct pattern_table {
    struct pattern pattern; /* canonical */
    uint64_t entries;
    const uint8_t *values; /* by pattern_rank or, if zero-aware, by pattern_sets_entry + the number
                              of the order; memory of base/pages.h; NULL if it has bits; of priced
                              ones see pattern_costs */
    const uint8_t *bits;   /* the one-bit form (pdb/pattern_bits.h), memory of base/pages.h */
    const struct pattern_sets *sets; /* if zero-aware and held, else NULL */
    bool built;                      /* built by this process, not read from a file */
    double build_seconds;
    char *path; /* owned by the table; NULL if it is only in memory */
};

/* Sets the folder for this process; "" or NULL: no files are kept. Without this call it is
 * $TILELAB_PDB_DIR, else $XDG_CACHE_HOME/tilelab, else ~/.cache/tilelab. */
void pattern_store_folder(const char *folder);

/* That folder, not owned; NULL if no files are kept. */
const char *pattern_store_place(void);

/* Returns the table of a canonical pattern (of at most MAX_ENTRIES placements), in its one-bit form
 * if `onebit` (zero-aware ones only): one already in memory, read from its file, or built now on
 * all cores and kept in a file. If no file can be
 * written, or the folder cannot be trusted, the table is only in memory, which is reported to the
 * watcher once. Returns NULL, with a text in *problem (heap memory, free()), if the watcher stopped
 * it or memory runs out. The table stays in memory until the process ends or pattern_store_end is
 * called; processes forked later share it. */
const struct pattern_table *pattern_table_hold(const struct pattern *canonical, bool onebit,
                                               const struct pattern_watcher *watcher,
                                               char **problem);

/* The values of a priced table, by pattern_rank, in the scale of its costs. */
static inline const uint64_t *pattern_costs(const struct pattern_table *table)
{
    return (const uint64_t *)(const void *)table->values;
}

/* The size of a table's file, and of the table in memory. */
uint64_t pattern_table_bytes(const struct pattern_table *table);
uint64_t pattern_table_memory(const struct pattern_table *table, bool onebit);

/* The tables in memory, the latest first: number 0, 1, ..; NULL after the last. */
const struct pattern_table *pattern_store_table(unsigned number);

/* Frees all tables; none may be in use. */
void pattern_store_end(void);

/* The name of a pattern's file without ".pdb": "4x4-blank0-1.2.3", "4x4-blank0-zero-1.2.3",
 * "4x4-blank0-min2-1.2.3"; heap memory, free(). */
char *pattern_name(const struct pattern *pattern);

/* Reads a file: only its header, or its values too (they are then checked, and the caller frees
 * them with pattern_file_end). Returns false, with what is wrong in *problem ("is damaged (checksum
 * of the values)", "is writable by others .."; heap memory, free()). table->path stays NULL. */
bool pattern_file_look(const char *path, struct pattern_table *table, char **problem);
bool pattern_file_open(const char *path, struct pattern_table *table, char **problem);
void pattern_file_end(struct pattern_table *table);
