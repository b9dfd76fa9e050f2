#include "subtree/layers_avx2.h" /* before what is made of it */

#include "subtree/layers_manhattan.h"

#include "subtree/layers_body.h"

STAMP_LAYERS(layers_avx2)
