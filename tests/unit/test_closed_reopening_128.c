/* The same for boards of 17 to 25 cells. */
#define NOTE_BITS 10
#include "astar/board_128.h"

#include "tests/unit/test_closed_128.c"
