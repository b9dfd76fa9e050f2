#define WIDTH  4
#define HEIGHT 4
#include "heuristics/walking_distance_bits.h"
#include "search/subtree_body.h"

STAMP_SUBTREE(walking_distance, 4x4)
