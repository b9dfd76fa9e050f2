/* By how far the nodes that a round drops are above its limit, and the limit of the next round that
 * follows (Sarkar, Chakrabarti, Ghose and De Sarkar, "Reducing reexpansions in iterative-deepening
 * search by controlling cutoff bounds", Artificial Intelligence 50, 1991). */
#pragma once

#include <stdint.h>

/* A bucket for each excess below 8, then eight for each power of two. */
enum { EXCESS_BUCKETS = 8 * 62 };

/* The bucket of an excess. */
static inline unsigned excess_bucket(uint64_t excess)
{
    if (excess < 8)
        return (unsigned)excess;
    const unsigned power = 63U - (unsigned)__builtin_clzll(excess); /* at least 3 */
    return 8 * (power - 2) + (unsigned)(excess >> (power - 3) & 7);
}

/* The largest excess of a bucket. */
static inline uint64_t excess_end(unsigned bucket)
{
    if (bucket < 8)
        return bucket;
    const unsigned power = bucket / 8 + 2;
    return ((UINT64_C(8) + bucket % 8 + 1) << (power - 3)) - 1;
}

/* The smallest limit, as far as the buckets tell, under which the next round keeps at least
 * `wanted` of the nodes that this one dropped above its `limit`; all of them if there are fewer.
 * above: the smallest f that was dropped. */
static inline uint64_t excess_next(const uint64_t dropped[EXCESS_BUCKETS], uint64_t limit,
                                   uint64_t above, uint64_t wanted)
{
    uint64_t sum = 0, last = above;
    for (unsigned i = 0; i < EXCESS_BUCKETS; i++) {
        if (dropped[i] == 0)
            continue;
        sum += dropped[i];
        last = limit + excess_end(i);
        if (sum >= wanted)
            break;
    }
    return last > above ? last : above;
}
