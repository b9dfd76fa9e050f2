/* How a run ended. */
#pragma once

#include <stdbool.h>

enum status {
#define STATUS(name, code, again, tried, summary) STATUS_##name,
#include "search/status.def"
#undef STATUS
    STATUSES
};

struct status_row {
    const char *name;
    int exit_code;   /* of `solve` */
    bool made_again; /* it is no result: the next call of `run` makes the run again */
    bool tried;      /* comparisons count the run, as unsolved unless it is solved */
    const char *summary;
};

extern const struct status_row status_rows[STATUSES];

/* Whether a limit ended the run. Its result may have the best solution so far. */
static inline bool status_is_limit(enum status status)
{
    return status == STATUS_time_limit || status == STATUS_cpu_limit ||
           status == STATUS_node_limit || status == STATUS_memory_limit;
}
