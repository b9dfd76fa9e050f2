#define WIDTH  5
#define HEIGHT 5
#include "heuristics/manhattan_bits.h"
#include "search/subtree_body.h"

STAMP_SUBTREE(manhattan, 5x5)
