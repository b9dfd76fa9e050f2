#include "pdb/pattern_min.h"

void pattern_min_make(uint8_t *entries, const uint8_t *values, uint64_t count, unsigned merged)
{
    for (uint64_t first = 0; first < count; first += merged, entries++) {
        *entries = values[first];
        for (uint64_t i = first + 1; i < first + merged && i < count; i++)
            if (values[i] < *entries)
                *entries = values[i];
    }
}
