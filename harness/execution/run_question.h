/* What a program is told of a run. */
#pragma once

#include "harness/results/run.h"

/* `task` is that of the run; `limits` are the run's, as far as they hold here. */
static inline struct question run_question(const struct run *run, const struct task *task,
                                           const struct limits *limits)
{
    return (struct question){task,
                             limits,
                             run->repetition,
                             placeholders_seed(run->instance, run->repetition),
                             external_threads(run->external),
                             run->instance->cost};
}
