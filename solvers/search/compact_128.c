/* The compact A* for boards of 17 to 25 cells: its sources once more, with the types and functions
 * of search/compact_128.h (search/compact_width.h). */
#define COMPACT_128
#include "search/bucket_open.c"
#include "search/compact_astar.c"
#include "search/compact_closed.c"
