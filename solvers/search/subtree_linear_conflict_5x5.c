#define WIDTH  5
#define HEIGHT 5
#include "heuristics/linear_conflict_bits.h"
#include "search/subtree_body.h"

STAMP_SUBTREE(linear_conflict, 5x5)
