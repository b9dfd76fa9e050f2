/* compact_reopening.c for boards of 17 to 25 cells (astar/compact_width.h). */
#define COMPACT_128
#include "astar/compact_reopening.c"
