#define WIDTH  3
#define HEIGHT 3
#include "subtree/linear_conflict_bits.h"
#include "subtree/subtree_body.h"

STAMP_SUBTREE(linear_conflict, 3x3)
