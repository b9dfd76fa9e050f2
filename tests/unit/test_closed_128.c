/* test_closed.c for boards of 17 to 25 cells. */
#define COMPACT_128
#include "tests/unit/test_closed.c"
