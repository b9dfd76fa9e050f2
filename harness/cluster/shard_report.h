/* How far shards are, told to a person or a program. */
#pragma once

#include "harness/cluster/shard_manifest.h"
#include "harness/cluster/shard_status.h"

/* Prints the counts, a table of the shards and what to do next. Of many shards, unless `all` are
 * wanted, the table has only those that are neither done nor waiting for their start. */
void shards_print(FILE *file, const char *results, const struct recalled *recalled,
                  const struct shards_status *status, bool all);

/* The same as JSON; a new reference. */
json_t *shards_json(const char *results, const struct recalled *recalled,
                    const struct shards_status *status);
