#include "subtree/layers_avx512.h" /* before the body that is made of it */

#include "subtree/layers_body.h"

STAMP_LAYERS(layers_avx512)
