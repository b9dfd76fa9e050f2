#define WIDTH  3
#define HEIGHT 3
#include "heuristics/linear_conflict_bits.h"
#include "search/subtree_body.h"

STAMP_SUBTREE(linear_conflict, 3x3)
