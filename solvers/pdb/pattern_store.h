/* Pattern databases on the shelf and on the disk: each table is built once, kept as a file, read
 * into memory once in a process, and shared with the processes that it forks.
 *
 * A file is named as its canonical pattern ("4x4-blank0-1.2.3.pdb"): a page of 4096 bytes that says
 * what it holds, with checksums (XXH3), then the values, a byte each. It is written under another
 * name, "..pdb.part", and renamed when it is whole; that file is locked as long (flock), so that of
 * two processes that want the same table one builds it and the other waits. A builder that is
 * killed leaves the ".part" behind, unlocked, and the next one writes it anew. A file that is
 * damaged, cut short or of another version is noticed whenever it is read, told, and built anew.
 *
 * Checksums find damage, not malice. So a file is read only where nobody but this process's user
 * and root can have written it: the file and its folder belong to one of the two and may not be
 * written by the group or by others (a folder such as /tmp will not do: its sticky bit is not
 * enough). Both are looked at as they were opened, not by name, and no link is followed but on the
 * way to the folder. A folder that does not satisfy this is not used, a file is built anew; both
 * are told.
 *
 * The values are copied and the copy is checked, so that nothing that happens to the file later can
 * change a search or end it. Processes started apart have a copy each.
 *
 * Not for several threads at a time. */
#ifndef PDB_PATTERN_STORE_H
#define PDB_PATTERN_STORE_H

#include "pdb/pattern.h"
#include <stdbool.h>
#include <stddef.h>

/* Who wants to know what happens. Any function may be NULL. */
struct pattern_watcher {
    void *context;
    /* A table is being built, `done` of `all` entries are known; false: stop. */
    bool (*builds)(void *context, const struct pattern *pattern, uint64_t done, uint64_t all);
    /* Something a person should hear: a damaged file, a folder that cannot be used, waiting for
     * another process. One line, no newline. */
    void (*says)(void *context, const char *text);
};

struct pattern_table {
    struct pattern pattern; /* canonical */
    uint64_t entries;
    const uint8_t *values; /* by pattern_rank; memory of base/pages.h */
    bool built;            /* by this process: it was in no file */
    double build_seconds;
    char *path; /* owned by the shelf; NULL where it is in memory only */
};

/* The folder for this process: "" or NULL keeps no files. Without this call it is $TILELAB_PDB_DIR,
 * else $XDG_CACHE_HOME/tilelab, else ~/.cache/tilelab. */
void pattern_store_folder(const char *folder);

/* That folder, not owned; NULL where no files are kept. */
const char *pattern_store_place(void);

/* The table of a canonical pattern (of at most MAX_ENTRIES placements): from the shelf, from its
 * file, or built now on all cores and kept in a file. Where no file can be written, or the folder
 * is not to be trusted, the table is in memory only, and the watcher is told so once. NULL, with a
 * text in *problem (heap memory, free()), when it was stopped or memory is short. It stays on the
 * shelf until the process ends, and processes forked later share it. */
const struct pattern_table *pattern_table_hold(const struct pattern *canonical,
                                               const struct pattern_watcher *watcher,
                                               char **problem);

/* How large the file of a table is. */
uint64_t pattern_table_bytes(const struct pattern_table *table);

/* The tables on the shelf, the latest first: number 0, 1, ..; NULL beyond the last. */
const struct pattern_table *pattern_store_table(unsigned number);

/* Takes all tables off the shelf: nobody uses any. */
void pattern_store_end(void);

/* How a pattern's file is named but for ".pdb": "4x4-blank0-1.2.3"; heap memory, free(). */
char *pattern_name(const struct pattern *pattern);

/* Reads a file: its header alone, or with its values too (then they are checked and `table` is to
 * be ended). False, with what is wrong in *problem ("is damaged (checksum of the values)", "may be
 * written by others .."; heap memory, free()). table->path stays NULL. */
bool pattern_file_look(const char *path, struct pattern_table *table, char **problem);
bool pattern_file_open(const char *path, struct pattern_table *table, char **problem);
void pattern_file_end(struct pattern_table *table);

#endif
