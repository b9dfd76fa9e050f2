/* Algorithms from shared objects that a person brings (tilelab/algorithm.h): while one is loaded,
 * it is an algorithm like those of the table (algorithm_at, algorithm_find). */
#pragma once

#include "algorithms/algorithm.h"
#include "base/object.h"
#include "base/object_options.h"
#include <tilelab/algorithm.h>

struct algorithm_plugin {
    struct algorithm row;
    struct object object;
    unsigned claims; /* as the object says them */
    struct object_options options;

    /* Private. */
    int (*search)(struct tilelab_search *search); /* of the object */
};

/* Makes an algorithm of what an object or, where nothing is loaded and no search may use it, a
 * manifest says, and takes the object over. NULL, with what is wrong and what was expected in
 * *problem (heap memory); the object is then gone. Names are checked among algorithms alone. What
 * is `said` is copied, but for its function. */
struct algorithm_plugin *algorithm_plugin_make(const struct object *object,
                                               const struct tilelab_algorithm *said,
                                               char **problem);

/* Takes it away. No solver may have it any more; may be NULL. */
void algorithm_plugin_end(struct algorithm_plugin *plugin);

/* The plugin that an algorithm comes from; NULL for one of the table. */
const struct algorithm_plugin *algorithm_plugin_of(const struct algorithm *algorithm);
