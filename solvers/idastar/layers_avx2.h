/* The vector of idastar/layers_body.h with AVX2: four nodes. There is no instruction that writes
 * chosen lanes side by side; a table of permutations does it. */
#pragma once

#include "base/compiler.h"
#include <immintrin.h>
#include <stdint.h>

enum { LANES = 4, BYTES = 32 };

typedef uint64_t vector __attribute__((vector_size(32)));

/* For each byte of the node: the code of the tile in its low half, and in its high half. */
struct codes {
    vector half[2];
};

KERNEL vector vector_load(const uint64_t *from)
{
    return (vector)_mm256_loadu_si256((const __m256i *)from);
}

KERNEL struct codes vector_codes(vector tiles, const uint8_t code[16])
{
    const __m256i table =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)code));
    const __m256i low = _mm256_set1_epi8(15);
    return (struct codes){
        {(vector)_mm256_shuffle_epi8(table, _mm256_and_si256((__m256i)tiles, low)),
         (vector)_mm256_shuffle_epi8(table, _mm256_and_si256((__m256i)(tiles >> 4), low))}};
}

/* The lanes that have a bit: it goes to the top of its lane, where a sign would be. */
KERNEL unsigned vector_bit(vector words, unsigned bit)
{
    return (unsigned)_mm256_movemask_pd((__m256d)(words << (63 - bit)));
}

KERNEL unsigned vector_test(struct codes codes, unsigned cell, unsigned bit)
{
    return vector_bit(codes.half[cell & 1], 8 * (cell / 2) + bit);
}

/* of[number], and table[number], in each lane. */
KERNEL vector vector_choose(const uint64_t of[16], vector number)
{
    return (vector)_mm256_i64gather_epi64((const long long *)of, (__m256i)number, 8);
}

KERNEL vector vector_gather(const uint32_t *table, vector number)
{
    return (vector)_mm256_cvtepu32_epi64(
        _mm256_i64gather_epi32((const int *)table, (__m256i)number, 4));
}

KERNEL void vector_store(uint64_t *to, vector words)
{
    _mm256_storeu_si256((__m256i *)to, (__m256i)words);
}

KERNEL uint64_t *vector_keep(uint64_t *to, vector tiles, unsigned mask)
{
#define PAIR(lane) 2 * (lane), 2 * (lane) + 1
#define FOUR(a, b, c, d)                                                                           \
    {                                                                                              \
        PAIR(a), PAIR(b), PAIR(c), PAIR(d)                                                         \
    }
    /* By the mask: the lanes of its bits, then any. */
    static const _Alignas(32) uint32_t chosen[16][8] = {
        FOUR(0, 0, 0, 0), FOUR(0, 0, 0, 0), FOUR(1, 0, 0, 0), FOUR(0, 1, 0, 0),
        FOUR(2, 0, 0, 0), FOUR(0, 2, 0, 0), FOUR(1, 2, 0, 0), FOUR(0, 1, 2, 0),
        FOUR(3, 0, 0, 0), FOUR(0, 3, 0, 0), FOUR(1, 3, 0, 0), FOUR(0, 1, 3, 0),
        FOUR(2, 3, 0, 0), FOUR(0, 2, 3, 0), FOUR(1, 2, 3, 0), FOUR(0, 1, 2, 3)};
#undef FOUR
#undef PAIR
    const __m256i lanes = _mm256_load_si256((const __m256i *)chosen[mask]);
    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32((__m256i)tiles, lanes));
    return to + __builtin_popcount(mask);
}
