/* The closed list with notes of 10 bits, for boards of up to 16 cells. */
#define COMPACT_REOPENING
#include "tests/unit/test_closed_128.c"
