/* The hash of a packed board, apart from pack.h: XXH3 in the caller costs each file that compiles
 * it. */
#pragma once

#include "puzzle/pack.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A hash for tables; no counter depends on it. 64 bits: multiply and fold, since the high half of a
 * product depends on all lower bits. The larger packings use XXH3. */
KERNEL uint64_t packed_hash(enum packing packing, union packed packed)
{
    if (packing == PACK_64) {
        uint128 product = (uint128)(packed.narrow ^ 0x9e3779b97f4a7c15U) * 0xd6e8feb86659fd93U;
        return (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    return XXH3_64bits(&packed, packed_bytes(packing));
}
