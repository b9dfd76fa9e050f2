#include "search/status.h"

const struct status_row status_rows[STATUSES] = {
#define STATUS(name, code, again, tried, summary) {#name, code, again, tried, summary},
#include "search/status.def"
#undef STATUS
};
