#define WIDTH  4
#define HEIGHT 4
#include "subtree/walking_distance_bits.h"

#include "subtree/subtree_body.h"

STAMP_SUBTREE(walking_distance, 4x4)
