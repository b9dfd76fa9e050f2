/* datapackage.json: what the tables of a results folder hold, for programs that know Frictionless
 * tabular data packages (specs.frictionlessdata.io/tabular-data-package, version 1).
 *
 * It is made from the tables of columns, so that types, missing values and meanings are the
 * writer's own. */
#ifndef RESULTS_DATAPACKAGE_H
#define RESULTS_DATAPACKAGE_H

#include "harness/experiment/experiment.h"
#include "harness/results/folder.h"

/* Writes the folder's datapackage.json, which names the tables that exist. A file that tilelab did
 * not write is left alone, which is reported on the folder's display. False with errno if it cannot
 * be written. */
bool datapackage_write(const struct folder *folder, const struct experiment *experiment);

#endif
