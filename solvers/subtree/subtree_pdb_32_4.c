#define NODE_CELLS   32
#define NODE_GROUPS  4
#define NODE_BETWEEN 4
#include "subtree/subtree_pdb_body.h"

STAMP_SUBTREE(32_4)
