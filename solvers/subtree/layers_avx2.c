#include "subtree/layers_avx2.h" /* before the body that is made of it */

#include "subtree/layers_body.h"

STAMP_LAYERS(layers_avx2)
