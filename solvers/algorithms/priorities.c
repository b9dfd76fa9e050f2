#include "algorithms/priorities.h"
#include "search/lists.h"
#include <math.h>

struct by_priority {
    struct lists lists;
    enum priority priority;
};

/* A priority is whole + sqrt(square), times what all nodes have in common. w being thousandths,
 * both are whole numbers, below 2^100 for costs below 2^40. */
struct key {
    uint128 whole, square;
};

static struct key key_of(const struct lists *lists, uint32_t id)
{
    const enum priority priority = ((const struct by_priority *)lists)->priority;
    const uint128 one = DECIMAL_ONE;
    const uint128 w = lists->w;
    const uint128 twice = 2 * w - one; /* 2w - 1 */
    const uint128 g = lists->labels[id].g;
    const uint128 h = lists->labels[id].h;
    const uint128 between = g > h ? g - h : h - g;
    if (priority == PRIORITY_PWXD)
        return (struct key){h > g ? w * (g + h) : one * g + twice * h, 0};
    if (priority == PRIORITY_PWXU)
        return (struct key){one * g < twice * h ? w * (one * g + twice * h) : twice * one * (g + h),
                            0};
    if (priority == PRIORITY_XDP)
        return (struct key){one * g + twice * h,
                            one * one * between * between + 4 * one * w * g * h};
    return (struct key){one * (g + h), one * one * (g + h) * (g + h) + 4 * w * (w - one) * h * h};
}

/* A product of two numbers. */
struct product {
    uint128 high, low;
};

static struct product product_of(uint128 a, uint128 b)
{
    const uint128 low_a = (uint64_t)a, high_a = a >> 64;
    const uint128 low_b = (uint64_t)b, high_b = b >> 64;
    const uint128 low = low_a * low_b;
    const uint128 middle = high_a * low_b + (low >> 64);
    const uint128 other = low_a * high_b + (uint64_t)middle;
    return (struct product){high_a * high_b + (middle >> 64) + (other >> 64),
                            other << 64 | (uint64_t)low};
}

static int compare(uint128 a, uint128 b)
{
    return (a > b) - (a < b);
}

/* Exactly: with x = b.whole - a.whole, at least 0, the question is whether sqrt(a.square) is below
 * x + sqrt(b.square), or, both being squared twice, y = a.square - b.square - x^2 below
 * 2 x sqrt(b.square). */
static int compare_keys(struct key a, struct key b)
{
    if (a.whole > b.whole)
        return -compare_keys(b, a);
    const uint128 x = b.whole - a.whole;
    if (x == 0 || a.square <= b.square)
        return x == 0 ? compare(a.square, b.square) : -1;
    if (a.square - b.square < x * x)
        return -1;
    const uint128 y = a.square - b.square - x * x;
    const struct product left = product_of(y, y);
    const struct product right = product_of(4 * x * x, b.square);
    return left.high != right.high ? compare(left.high, right.high) : compare(left.low, right.low);
}

/* A priority, rounded down: numbers that are compared in its place as long as they differ. */
static uint64_t rounded_key(const struct lists *lists, uint32_t id)
{
    const struct key key = key_of(lists, id);
    uint128 root = (uint64_t)sqrtl((long double)key.square); /* or one off */
    root -= root * root > key.square;
    root += (root + 1) * (root + 1) <= key.square;
    const uint128 sum = key.whole + root;
    return sum < UINT64_MAX ? (uint64_t)sum : UINT64_MAX;
}

static bool before(const struct lists *lists, uint32_t a, uint32_t b)
{
    const int order = compare_keys(key_of(lists, a), key_of(lists, b));
    return order != 0 ? order < 0 : lists_tie(lists, a, b);
}

static uint32_t choose(struct lists *lists)
{
    return list_first(&lists->of[0]);
}

void search_by_priority(struct search *search, enum priority priority, int64_t w, int ties,
                        bool keeps_closed)
{
    struct by_priority by = {.priority = priority};
    lists_start(&by.lists, search, 1, (lists_order *const[]){before});
    by.lists.key = rounded_key;
    by.lists.w = (uint64_t)w;
    by.lists.settings.ties = (enum ties)ties;
    by.lists.settings.keeps_closed = keeps_closed || lists_is_consistent(search);
    lists_run(&by.lists, choose);
}
