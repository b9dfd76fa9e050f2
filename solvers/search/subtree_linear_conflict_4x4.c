#define WIDTH  4
#define HEIGHT 4
#include "heuristics/linear_conflict_bits.h"
#include "search/subtree_body.h"

STAMP_SUBTREE(linear_conflict, 4x4)
