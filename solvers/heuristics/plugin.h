/* Heuristics from shared objects that a person brings (tilelab/heuristic.h): while one is loaded,
 * it is a kind like those of the table (heuristic_at, heuristic_find).
 *
 * Whoever loads an object runs what it has of constructors, which may do anything. What the stream
 * standard output gets of an object's code goes to standard error. */
#ifndef HEURISTICS_PLUGIN_H
#define HEURISTICS_PLUGIN_H

#include "base/file.h"
#include "heuristics/heuristic.h"

struct plugin {
    struct heuristic_kind kind;
    char *file;                 /* as it was named */
    char *path;                 /* absolute */
    char hash[FILE_HASH_BYTES]; /* of its contents */

    /* Private. */
    void *object; /* of dlopen */
    const struct tilelab_heuristic *heuristic;
    struct prepared *prepared; /* a list */
};

/* Loads the object at `path`, which messages and rows call `file`. NULL, with what is wrong and
 * what was expected in *problem (heap memory). */
struct plugin *plugin_load(const char *file, const char *path, char **problem);

/* The same by what a manifest says of it: nothing is loaded and no code of it runs, so that only
 * what rows say can be judged, and no search may use it. NULL if this cannot be a plugin's. */
struct plugin *plugin_recall(const char *file, const char *path, const char *hash, const char *name,
                             unsigned properties);

/* Takes it away. No heuristic_choice may have its kind any more; may be NULL. */
void plugin_end(struct plugin *plugin);

/* The plugin that a kind comes from; NULL for one of the table. */
const struct plugin *plugin_of(const struct heuristic_kind *kind);

#endif
