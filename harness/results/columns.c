#include "harness/results/columns.h"

const char *const column_type_names[COLUMN_TYPES] = {
    "text", "board", "integer", "number", "status", "moves", "time", "json", "hash",
};

const struct column row_columns[COLUMNS] = {
#define COLUMN(name, type, unit, may_be_empty, repeats, meaning)                                   \
    {#name, COLUMN_TYPE_##type, unit, may_be_empty, repeats, meaning},
#include "harness/results/columns.def"
#undef COLUMN
};
