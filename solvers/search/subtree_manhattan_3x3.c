#define WIDTH  3
#define HEIGHT 3
#include "heuristics/manhattan_bits.h"
#include "search/subtree_body.h"

STAMP_SUBTREE(manhattan, 3x3)
