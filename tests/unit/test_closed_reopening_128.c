/* The same for boards of 17 to 25 cells. */
#define COMPACT_REOPENING
#define COMPACT_128
#include "tests/unit/test_closed_128.c"
