/* datapackage.json: what the tables of a results folder hold, for programs that know Frictionless
 * tabular data packages (specs.frictionlessdata.io/tabular-data-package, version 1).
 *
 * It is made from the tables of columns, so that types, missing values and meanings are the
 * writer's own. */
#pragma once

#include "harness/experiment/experiment.h"
#include "harness/text/display.h"

#define DATAPACKAGE_FILE "datapackage.json"

/* Writes the folder's datapackage.json, which names the tables that exist, with the columns that
 * this version writes. Names and description are the experiment's; NULL: those of the existing
 * file, if any. A file that tilelab did not write is left alone, which is reported. False with
 * errno if it cannot be written. */
bool datapackage_write(const char *folder, const struct experiment *experiment,
                       struct display *display);

/* Removes the folder's datapackage.json, if tilelab wrote it. Whether it did. */
bool datapackage_remove(const char *folder);
