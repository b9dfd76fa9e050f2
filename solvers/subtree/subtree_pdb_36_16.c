#define NODE_CELLS   36
#define NODE_GROUPS  16
#define NODE_BETWEEN MAX_BETWEEN
#include "subtree/subtree_pdb_body.h"

STAMP_SUBTREE(36_16)
