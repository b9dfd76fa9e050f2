/* Rows that belong to none of an experiment's runs, and why: from each row's own cells. */
#pragma once

#include "harness/experiment/experiment.h"
#include "harness/results/rows.h"

struct others;

/* Starts with no row; heap memory, others_end. */
struct others *others_start(const struct experiment *experiment);

void others_add(struct others *others, const struct row *row);

size_t others_count(const struct others *others);

/* "20 rows of dfs, which is no longer in the file" and so on, one per line, indented by two spaces;
 * heap memory. */
char *others_text(const struct others *others);

void others_end(struct others *others);
