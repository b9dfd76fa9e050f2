/* The same for boards of 17 to 25 cells, where all tables are of one kind. */
#define COMPACT_REOPENING
#define COMPACT_128
#include "tests/unit/test_closed_128.c"
