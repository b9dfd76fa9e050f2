/* The compact A* for boards of 17 to 25 cells: its sources once more, with the types and functions
 * of astar/compact_128.h (astar/compact_width.h). */
#define COMPACT_128
#include "astar/compact_astar.c"
#include "astar/compact_closed.c"
#include "astar/word_buckets.c"
