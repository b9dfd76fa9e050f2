/* The vector of idastar/layers_body.h with AVX-512 (F and BW): eight nodes. */
#pragma once

#include "base/compiler.h"
#include <immintrin.h>
#include <stdint.h>

enum { LANES = 8, BYTES = 64 };

typedef uint64_t vector __attribute__((vector_size(64)));

/* For each byte of the node: the code of the tile in its low half, and in its high half. */
struct codes {
    vector half[2];
};

KERNEL vector vector_load(const uint64_t *from)
{
    return (vector)_mm512_loadu_si512(from);
}

KERNEL struct codes vector_codes(vector tiles, const uint8_t code[16])
{
    const __m512i table =
        _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)code));
    const __m512i low = _mm512_set1_epi8(15);
    return (struct codes){
        {(vector)_mm512_shuffle_epi8(table, _mm512_and_si512((__m512i)tiles, low)),
         (vector)_mm512_shuffle_epi8(table, _mm512_and_si512((__m512i)(tiles >> 4), low))}};
}

/* The lanes that have a bit. */
KERNEL unsigned vector_bit(vector words, unsigned bit)
{
    return _mm512_test_epi64_mask((__m512i)words, _mm512_set1_epi64((long long)UINT64_C(1) << bit));
}

KERNEL unsigned vector_test(struct codes codes, unsigned cell, unsigned bit)
{
    return vector_bit(codes.half[cell & 1], 8 * (cell / 2) + bit);
}

/* of[number], and table[number], in each lane. */
KERNEL vector vector_choose(const uint64_t of[16], vector number)
{
    return (vector)_mm512_permutex2var_epi64(_mm512_loadu_si512(of), (__m512i)number,
                                             _mm512_loadu_si512(of + 8));
}

KERNEL vector vector_gather(const uint32_t *table, vector number)
{
    return (vector)_mm512_cvtepu32_epi64(_mm512_i64gather_epi32((__m512i)number, table, 4));
}

KERNEL void vector_store(uint64_t *to, vector words)
{
    _mm512_storeu_si512(to, (__m512i)words);
}

KERNEL uint64_t *vector_keep(uint64_t *to, vector tiles, unsigned mask)
{
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi64((__mmask8)mask, (__m512i)tiles));
    return to + __builtin_popcount(mask);
}
