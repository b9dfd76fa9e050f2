/* Heuristics from shared objects that a person brings (tilelab/heuristic.h): while one is loaded,
 * it is a kind like those of the table (heuristic_at, heuristic_find). */
#ifndef HEURISTICS_PLUGIN_H
#define HEURISTICS_PLUGIN_H

#include "base/object.h"
#include "heuristics/heuristic.h"

struct plugin {
    struct heuristic_kind kind;
    struct object object;

    /* Private. */
    const struct tilelab_heuristic *heuristic;
    struct prepared *prepared; /* a list */
};

/* Makes a kind of a loaded object that has the variable tilelab_heuristic, and takes the object
 * over. NULL, with what is wrong and what was expected in *problem (heap memory); the object is
 * then gone.
 */
struct plugin *plugin_make(const struct object *object, char **problem);

/* The same by what a manifest says of it: nothing is loaded and no code of it runs, so that only
 * what rows say can be judged, and no search may use it. NULL if this cannot be a plugin's. */
struct plugin *plugin_recall(const char *file, const char *path, const char *hash, const char *name,
                             unsigned properties);

/* Takes it away. No heuristic_choice may have its kind any more; may be NULL. */
void plugin_end(struct plugin *plugin);

/* The plugin that a kind comes from; NULL for one of the table. */
const struct plugin *plugin_of(const struct heuristic_kind *kind);

#endif
