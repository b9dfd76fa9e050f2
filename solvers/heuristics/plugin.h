/* Heuristics from shared objects that a person brings (tilelab/heuristic.h): while one is loaded,
 * it is a kind like those of the table (heuristic_at, heuristic_find). */
#pragma once

#include "base/object.h"
#include "base/object_options.h"
#include "heuristics/heuristic.h"
#include <tilelab/heuristic.h>

struct plugin {
    struct heuristic_kind kind;
    struct object object;

    struct tilelab_heuristic heuristic; /* as the object says it: claims */
    struct object_options options;

    /* Private. */
    struct prepared *prepared; /* a list */

    void *owner; /* of whoever made it, for its functions (plugin_owner); not freed */
};

/* Makes a kind of what an object or, where nothing is loaded and no search may use it, a manifest
 * says, and takes the object over. NULL, with what is wrong and what was expected in *problem (heap
 * memory); the object is then gone. Names are checked among heuristics alone. What is `said` is
 * copied, but for its functions. */
struct plugin *plugin_make(const struct object *object, const struct tilelab_heuristic *said,
                           char **problem);

/* Takes it away. No heuristic_choice may have its kind any more; may be NULL. */
void plugin_end(struct plugin *plugin);

/* The owner of the plugin whose function is given this puzzle. */
void *plugin_owner(const struct tilelab_puzzle *puzzle);

/* The plugin that a kind comes from; NULL for one of the table. */
const struct plugin *plugin_of(const struct heuristic_kind *kind);
