#define WIDTH  4
#define HEIGHT 4
#include "subtree/linear_conflict_bits.h"
#include "subtree/subtree_body.h"

STAMP_SUBTREE(linear_conflict, 4x4)
