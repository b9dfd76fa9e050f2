#include "search/status.h"

const struct status_row status_rows[STATUSES] = {
#define STATUS(name, code, again, summary) {#name, code, again, summary},
#include "search/status.def"
#undef STATUS
};
