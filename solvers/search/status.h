/* How a run ended. */
#ifndef SEARCH_STATUS_H
#define SEARCH_STATUS_H

enum status {
#define STATUS(name, code, summary) STATUS_##name,
#include "search/status.def"
#undef STATUS
    STATUSES
};

struct status_row {
    const char *name;
    int exit_code;
    const char *summary;
};

extern const struct status_row status_rows[STATUSES];

#endif
