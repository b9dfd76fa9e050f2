/* The closed list with notes of 10 bits, for boards of up to 16 cells. */
#define NOTE_BITS 10
#include "astar/board_64.h"

#include "tests/unit/test_closed_128.c"
