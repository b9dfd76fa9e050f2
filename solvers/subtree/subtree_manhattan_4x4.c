#define WIDTH  4
#define HEIGHT 4
#include "subtree/manhattan_bits.h"
#include "subtree/subtree_body.h"

STAMP_SUBTREE(manhattan, 4x4)
