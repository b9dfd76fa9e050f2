/* compact_reopening.c for boards of 17 to 25 cells (search/compact_width.h). */
#define COMPACT_128
#include "search/compact_reopening.c"
