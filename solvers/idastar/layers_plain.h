/* The vector of idastar/layers_body.h in plain C: one node. */
#pragma once

#include "base/compiler.h"
#include <stdint.h>

enum { LANES = 1 };

typedef uint64_t vector;

struct codes {
    vector tiles;
    const uint8_t *code;
};

KERNEL vector vector_load(const uint64_t *from)
{
    return *from;
}

KERNEL struct codes vector_codes(vector tiles, const uint8_t code[16])
{
    return (struct codes){tiles, code};
}

KERNEL unsigned vector_test(struct codes codes, unsigned cell, unsigned bit)
{
    return (unsigned)codes.code[codes.tiles >> 4 * cell & 15] >> bit & 1U;
}

KERNEL uint64_t *vector_keep(uint64_t *to, vector tiles, unsigned mask)
{
    *to = tiles;
    return to + mask;
}
