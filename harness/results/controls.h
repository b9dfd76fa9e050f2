/* control.csv: what the control runs took that an experiment asks for (`control: {every: 50}`):
 * always the same search on the same board, at the start of each worker, after every 50 runs of it,
 * and at its end. It says how fast the machine was, and is no result: runs.csv has none of it. A
 * row of runs.csv names, in its column `control`, the control run before it. */
#pragma once

#include "harness/results/columns.h"
#include "harness/results/run.h"

#define CONTROL_FILE "control.csv"

/* 16 hexadecimal digits, the first a letter: no spreadsheet takes them for a number. */
enum { CONTROL_ID_BYTES = 17 };

/* An id that no other control run has: of the machine, the process, the time and the worker. */
void control_id_new(const char *host, unsigned worker, char id[CONTROL_ID_BYTES]);

/* Appends the row of a control run to the folder's table, which is made when it is missing;
 * `previous` ("": none) is that of the same worker before it. False when it cannot be kept: the
 * reason, a static text, is in *why. */
bool controls_add(const char *folder, const struct run *run, const struct result *result,
                  const char *id, const char *previous, const char *host, unsigned worker,
                  const char **why);
