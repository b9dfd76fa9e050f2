#define WIDTH  5
#define HEIGHT 5
#include "subtree/manhattan_bits.h"
#include "subtree/subtree_body.h"

STAMP_SUBTREE(manhattan, 5x5)
