#define WIDTH  3
#define HEIGHT 3
#include "subtree/manhattan_bits.h"
#include "subtree/subtree_body.h"

STAMP_SUBTREE(manhattan, 3x3)
