/* Radix sort from the lowest digit on, 11 bits at a time, of the bits in which the keys differ;
 * where these are many, of the highest of them alone, which leaves little for insertion to do. */
#include "harness/analysis/order.h"
#include "base/heap.h"
#include <stdint.h>

enum { DIGIT_BITS = 11, RADIX = 1 << DIGIT_BITS, KEY_BITS = 64 };

/* Whole numbers in the order of the values. */
static uint64_t key_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key)
{
    const uint64_t bits = key >> 63 != 0 ? key & ~(UINT64_C(1) << 63) : ~key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Items are `words` words each, of which the first is the key. */

KERNEL void copy_item(uint64_t *to, const uint64_t *from, size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] = from[i];
}

/* Sorts by insertion; false, and in some other order in which equal keys still have theirs, where
 * that takes more than `most` steps. */
KERNEL bool insert_items(uint64_t *items, size_t count, size_t words, size_t most)
{
    uint64_t own[2];
    for (size_t i = 1; i < count; i++) {
        size_t at = i;
        copy_item(own, items + i * words, words);
        for (; at > 0 && items[(at - 1) * words] > own[0]; at--)
            copy_item(items + at * words, items + (at - 1) * words, words);
        copy_item(items + at * words, own, words);
        if (i - at > most)
            return false;
        most -= i - at;
    }
    return true;
}

/* Sorts by the bits of the key from `low` up to and without `high`; equal ones keep their order.
 * Returns where the items are then, the other place being spare. */
KERNEL uint64_t *sort_bits(uint64_t *items, uint64_t *spare, size_t count, size_t words,
                           unsigned low, unsigned high)
{
    size_t place[RADIX];
    for (unsigned shift = low; shift < high; shift += DIGIT_BITS) {
        memset(place, 0, sizeof place);
        for (size_t i = 0; i < count; i++)
            place[items[i * words] >> shift & (RADIX - 1)]++;
        size_t before = 0;
        for (size_t i = 0; i < RADIX; i++) {
            const size_t own = place[i];
            place[i] = before;
            before += own;
        }
        for (size_t i = 0; i < count; i++)
            copy_item(spare + words * place[items[i * words] >> shift & (RADIX - 1)]++,
                      items + i * words, words);
        uint64_t *swapped = items;
        items = spare;
        spare = swapped;
    }
    return items;
}

/* Sorts the items; `spare` has room for as many. Returns where they are then. */
KERNEL uint64_t *sort_items(uint64_t *items, uint64_t *spare, size_t count, size_t words)
{
    enum { FEW = 64, MOST_DIGITS = 3, STEPS = 4 /* an item */ };
    uint64_t differing = 0;
    bool sorted = true;
    for (size_t i = 1; i < count; i++) {
        differing |= items[i * words] ^ items[0];
        sorted &= items[(i - 1) * words] <= items[i * words];
    }
    if (sorted || (count <= FEW && insert_items(items, count, words, SIZE_MAX)))
        return items;
    const unsigned low = (unsigned)__builtin_ctzll(differing);
    const unsigned high = KEY_BITS - (unsigned)__builtin_clzll(differing);
    if (high - low <= MOST_DIGITS * DIGIT_BITS)
        return sort_bits(items, spare, count, words, low, high);
    uint64_t *found = sort_bits(items, spare, count, words, high - 2 * DIGIT_BITS, high);
    if (insert_items(found, count, words, STEPS * count))
        return found;
    return sort_bits(found, found == items ? spare : items, count, words, low, high);
}

void sort_values(double *values, size_t count)
{
    SCOPED uint64_t *room =
        heap_resize(NULL, 2 * count * sizeof *room); /* not cleared: it is filled */
    for (size_t i = 0; i < count; i++)
        room[i] = key_of(values[i]);
    const uint64_t *sorted = sort_items(room, room + count, count, 1);
    for (size_t i = 0; i < count; i++)
        values[i] = value_of(sorted[i]);
}

void sort_numbers(size_t *order, const double *values, size_t count)
{
    SCOPED uint64_t *room = heap_resize(NULL, 4 * count * sizeof *room);
    for (size_t i = 0; i < count; i++) {
        room[2 * i] = key_of(values[i]);
        room[2 * i + 1] = i;
    }
    const uint64_t *sorted = sort_items(room, room + 2 * count, count, 2);
    for (size_t i = 0; i < count; i++)
        order[i] = sorted[2 * i + 1];
}
