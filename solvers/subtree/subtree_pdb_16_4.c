#define NODE_CELLS   16
#define NODE_GROUPS  4
#define NODE_BETWEEN 3
#include "subtree/subtree_pdb_body.h"

STAMP_SUBTREE(16_4)
