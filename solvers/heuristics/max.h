/* What pattern databases a heuristic is made of, whether it is `pdb` itself or a maximum of
 * several.
 */
#pragma once

#include "heuristics/pdb.h"

/* The databases of a heuristic if it is `pdb`, or a `max` whose parts are all `pdb` and of one
 * form; else NULL. They belong to the heuristic. */
const struct pdb *pdb_of(const struct heuristic *heuristic);
