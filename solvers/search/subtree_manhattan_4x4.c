#define WIDTH  4
#define HEIGHT 4
#include "heuristics/manhattan_bits.h"
#include "search/subtree_body.h"

STAMP_SUBTREE(manhattan, 4x4)
