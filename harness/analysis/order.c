/* Radix sort from the lowest digit on, 11 bits at a time; digits that all values share are passed
 * over, so that counters take three passes. */
#include "harness/analysis/order.h"
#include "base/heap.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 6, RADIX = 1 << DIGIT_BITS };

struct entry {
    uint64_t key;
    size_t number;
};

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

static unsigned digit_of(uint64_t key, unsigned digit)
{
    return (unsigned)(key >> (digit * DIGIT_BITS)) & (RADIX - 1);
}

/* For few values the passes over the digits cost more than they save. */
static void sort_few(struct entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct entry own = entries[i];
        size_t at = i;
        for (; at > 0 && entries[at - 1].key > own.key; at--)
            entries[at] = entries[at - 1];
        entries[at] = own;
    }
}

/* Sorts the entries; `spare` has room for as many. Returns where they are then. */
static struct entry *sort_entries(struct entry *entries, struct entry *spare, size_t count)
{
    enum { FEW = 64 };
    if (count <= FEW) {
        sort_few(entries, count);
        return entries;
    }
    size_t(*places)[RADIX] = heap_take(DIGITS, sizeof *places);
    for (size_t i = 0; i < count; i++)
        for (unsigned digit = 0; digit < DIGITS; digit++)
            places[digit][digit_of(entries[i].key, digit)]++;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        size_t *place = places[digit];
        if (place[digit_of(entries[0].key, digit)] == count)
            continue;
        size_t before = 0;
        for (size_t i = 0; i < RADIX; i++) {
            const size_t own = place[i];
            place[i] = before;
            before += own;
        }
        for (size_t i = 0; i < count; i++)
            spare[place[digit_of(entries[i].key, digit)]++] = entries[i];
        struct entry *swapped = entries;
        entries = spare;
        spare = swapped;
    }
    free(places);
    return entries;
}

/* Sorted entries in `room`, which is to be freed. */
static const struct entry *sorted_entries(const double *values, size_t count, struct entry **room)
{
    *room = heap_resize(NULL, 2 * count * sizeof **room); /* not cleared: it is filled at once */
    for (size_t i = 0; i < count; i++)
        (*room)[i] = (struct entry){key_of(values[i]), i};
    return sort_entries(*room, *room + count, count);
}

void sort_values(double *values, size_t count)
{
    struct entry *room;
    const struct entry *sorted = sorted_entries(values, count, &room);
    for (size_t i = 0; i < count; i++)
        values[i] = value_of(sorted[i].key);
    free(room);
}

void sort_numbers(size_t *order, const double *values, size_t count)
{
    struct entry *room;
    const struct entry *sorted = sorted_entries(values, count, &room);
    for (size_t i = 0; i < count; i++)
        order[i] = sorted[i].number;
    free(room);
}
