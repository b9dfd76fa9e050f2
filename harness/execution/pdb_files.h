/* Pattern databases in the folder where they are kept: built in advance, listed and checked
 * (tilelab pdb). */
#pragma once

#include "harness/execution/tables.h"
#include "harness/text/tidy.h"
#include "heuristics/pdb.h"

/* The partitions of a goal. */
struct pdb_request {
    struct board goal;
    enum cost_model cost;
    struct pdb_settings settings;
};

/* Builds the tables of the requests, or finds them in files; a row of `out` for each. Says on
 * standard error what cannot be built. *not_kept: how many are in no file. */
enum ending pdb_build(const struct pdb_request *requests, size_t count, bool quiet,
                      struct tidy *out, size_t *not_kept);

/* The files in the folder, sorted. */
struct pdb_paths {
    char **items; /* owned, as the texts */
    size_t count;
};

/* Finds them. False, with a message, if the folder cannot be read; pdb_paths_end. */
bool pdb_paths_find(struct pdb_paths *paths, struct display *display);
void pdb_paths_end(struct pdb_paths *paths);

/* A row of `out` for each file, from its header alone. */
void pdb_list(const struct pdb_paths *paths, struct tidy *out);

/* Rebuilds a file's table and compares every entry. What is wrong, heap memory; NULL: nothing. */
char *pdb_check(const char *path, const struct pattern_watcher *watcher);
