#include "search/status.h"

const struct status_row status_rows[STATUSES] = {
#define STATUS(name, code, summary) {#name, code, summary},
#include "search/status.def"
#undef STATUS
};
