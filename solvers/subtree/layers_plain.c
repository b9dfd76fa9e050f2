#include "subtree/layers_plain.h" /* before the body that is made of it */

#include "subtree/layers_body.h"

STAMP_LAYERS(layers_plain)
