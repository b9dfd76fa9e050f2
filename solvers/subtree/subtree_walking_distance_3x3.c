#define WIDTH  3
#define HEIGHT 3
#include "subtree/walking_distance_bits.h"

#include "subtree/subtree_body.h"

STAMP_SUBTREE(walking_distance, 3x3)
