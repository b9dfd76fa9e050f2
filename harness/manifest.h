/* manifest.json: what ran, where and when, so that a number can be traced to the program and
 * machine that made it. */
#ifndef HARNESS_MANIFEST_H
#define HARNESS_MANIFEST_H

#include "harness/folder.h"

/* Writes the manifest. `finished` is NULL while the experiment runs. False with errno. */
bool manifest_write(const struct folder *folder, const struct experiment *experiment, unsigned jobs,
                    const char *started, const char *finished);

#endif
