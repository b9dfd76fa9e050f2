/* Submissions before their first run: a private copy of each folder, built once, within limits.
 *
 * RESULTS/builds/HASH has a copy in `files`, what the build printed in build.log.gz, and in `built`
 * how it ended. The hash follows from the submission's files, its label, how it is built and
 * whether that is isolated: what is built is not built again. What failed is, once in each call
 * that makes runs: a full disk or a killed compiler says nothing of the submission. */
#pragma once

#include "harness/experiment/experiment.h"
#include "harness/text/display.h"
#include "harness/text/ending.h"

/* What a build may take. */
#define BUILD_SECONDS     60.0
#define BUILD_CPU_SECONDS 120.0
#define BUILD_BYTES       (UINT64_C(2) << 30)

/* Copies and builds the submissions of an experiment, so many at a time, and sets their copies, or
 * their problems where a build fails. `beat` is called about ten times a second. FAILED, with a
 * message, if a copy cannot be made; INTERRUPTED. */
enum ending builds_make(const struct experiment *experiment, const char *results, unsigned jobs,
                        struct display *display, void (*beat)(void *context), void *context);

/* The same for one submission, for a run of it alone. */
enum ending builds_make_one(struct external *external, const char *results,
                            struct display *display);
