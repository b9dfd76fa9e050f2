#include "base/random.h"
#include <Random123/philox.h>

struct philox {
    philox4x32_key_t key;
    philox4x32_ctr_t counter;
    philox4x32_ctr_t block; /* the four numbers of the current counter */
    unsigned next;          /* the index of the next one; 4 when all are used */
};

static void philox_set(void *state, unsigned long seed)
{
    struct philox *philox = state;
    *philox = (struct philox){.next = 4};
    philox->key.v[0] = (uint32_t)seed;
    philox->key.v[1] = (uint32_t)((uint64_t)seed >> 32);
}

static unsigned long philox_get(void *state)
{
    struct philox *philox = state;
    if (philox->next == 4) {
        philox->block = philox4x32(philox->counter, philox->key);
        philox->counter.v[0]++;
        philox->next = 0;
    }
    return philox->block.v[philox->next++];
}

static double philox_get_double(void *state)
{
    return (double)philox_get(state) / 4294967296.0;
}

static const gsl_rng_type philox_type = {
    .name = "philox4x32-10",
    .max = 0xffffffffUL,
    .min = 0,
    .size = sizeof(struct philox),
    .set = philox_set,
    .get = philox_get,
    .get_double = philox_get_double,
};

const gsl_rng_type *const random_philox = &philox_type;

void random_stream(gsl_rng *generator, uint64_t seed, uint32_t set, uint32_t part, uint32_t index)
{
    struct philox *philox = generator->state;
    philox_set(philox, seed);
    philox->counter.v[1] = index;
    philox->counter.v[2] = part;
    philox->counter.v[3] = set;
}
