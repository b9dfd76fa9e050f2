#define WIDTH  3
#define HEIGHT 3
#include "heuristics/walking_distance_bits.h"
#include "search/subtree_body.h"

STAMP_SUBTREE(walking_distance, 3x3)
