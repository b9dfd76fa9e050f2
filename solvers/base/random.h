/* Independent random streams, one per instance, so that an instance does not depend on what was
 * drawn before it.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC
 * 2011; Random123's implementation) as a generator of the GNU Scientific Library: everything in
 * gsl_rng.h and gsl_randist.h works with it. The experiment's seed is the key. The 128-bit counter
 * is (block, index, part, set): the block counts up as numbers are drawn; the other three words
 * name the stream. A stream holds 2^34 numbers of 32 bits. */
#pragma once

#include <gsl/gsl_rng.h>
#include <stdint.h>

extern const gsl_rng_type *const random_philox;

/* Sets `generator` (of type random_philox) to the beginning of stream (set, part, index) of
 * `seed`. */
void random_stream(gsl_rng *generator, uint64_t seed, uint32_t set, uint32_t part, uint32_t index);
