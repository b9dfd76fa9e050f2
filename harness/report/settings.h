/* What was run on what, from manifest.json, as tables for people. A member that is missing, or is
 * not what tilelab writes, is left out. */
#pragma once

#include "harness/analysis/results.h"

/* A row a setting: boards, solvers, seed, operator order, baseline, version. `manifest` may be
 * NULL: the results alone speak then. */
struct tidy settings_view(const json_t *manifest, const struct results *results);

/* The limits of each solver. */
struct tidy limits_view(const json_t *manifest, const struct results *results);

/* A row for each call of `tilelab run`: when, on what machine, and what disturbed its times. */
struct tidy sessions_view(const json_t *manifest);
