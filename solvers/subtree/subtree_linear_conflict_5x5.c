#define WIDTH  5
#define HEIGHT 5
#include "subtree/linear_conflict_bits.h"
#include "subtree/subtree_body.h"

STAMP_SUBTREE(linear_conflict, 5x5)
