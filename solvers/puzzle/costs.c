#include "puzzle/costs.h"
#include "base/named.h"
#include "puzzle/pack.h"
#include <ctype.h>
#include <stdio.h>

enum { ROOT_ONE = 1 << 20 };

/* The square root of a tile's number, times ROOT_ONE, to the nearest whole number: bit by bit. */
static uint64_t root_of(uint64_t tile)
{
    const uint64_t square = tile * ROOT_ONE * ROOT_ONE;
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= square)
            root |= bit;
    return root + (square - root * root > root);
}

uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

struct fraction {
    uint64_t numerator, denominator;
};

static struct fraction cost_of(enum cost_model model, uint64_t tile)
{
    switch (model) {
#define COST(name, numerator, denominator, summary)                                                \
    case COST_##name:                                                                              \
        return (struct fraction){numerator, denominator};
#include "puzzle/costs.def"
#undef COST
    case COST_MODELS:
        break;
    }
    return (struct fraction){1, 1};
}

const char *const cost_names[COST_MODELS] = {
#define COST(name, numerator, denominator, summary) #name,
#include "puzzle/costs.def"
#undef COST
};

struct move_costs costs_make(enum cost_model model, struct shape shape)
{
    struct move_costs costs = {.model = model, .scale = 1, .least = UINT64_MAX};
    for (unsigned tile = 1; tile < shape.cells; tile++) {
        const uint64_t denominator = cost_of(model, tile).denominator;
        costs.scale *= denominator / common_divisor(costs.scale, denominator);
    }
    for (unsigned tile = 1; tile < shape.cells; tile++) {
        const struct fraction cost = cost_of(model, tile);
        costs.of[tile] = costs.scale / cost.denominator * cost.numerator;
        if (costs.of[tile] < costs.least)
            costs.least = costs.of[tile];
        if (costs.of[tile] > costs.most)
            costs.most = costs.of[tile];
    }
    return costs;
}

bool cost_model_parse(const char *text, enum cost_model *model)
{
    const size_t place = WORD_PLACE(cost_names, COST_MODELS, text);
    if (place < COST_MODELS)
        *model = (enum cost_model)place;
    return place < COST_MODELS;
}

char *cost_text(uint64_t cost, uint64_t scale, char text[COST_TEXT])
{
    const uint64_t divisor = common_divisor(cost, scale);
    const uint64_t denominator = scale / divisor;
    uint64_t rest = cost / divisor % denominator;
    uint64_t others = denominator; /* what is left without the factors of ten */
    while (others % 2 == 0)
        others /= 2;
    while (others % 5 == 0)
        others /= 5;
    if (others != 1) {
        snprintf(text, COST_TEXT, "%ju/%ju", (uintmax_t)(cost / divisor), (uintmax_t)denominator);
        return text;
    }
    int length = snprintf(text, COST_TEXT, "%ju%s", (uintmax_t)(cost / scale), rest > 0 ? "." : "");
    for (; rest > 0 && length < COST_TEXT - 1; rest = rest * 10 % denominator)
        text[length++] = (char)('0' + rest * 10 / denominator);
    text[length] = '\0';
    return text;
}

/* Reads digits, at most `most` of them; returns how many. */
static unsigned read_digits(const char **text, unsigned most, uint64_t *number)
{
    unsigned count = 0;
    for (*number = 0; isdigit((unsigned char)**text) && count < most; ++*text, count++)
        *number = *number * 10 + (uint64_t)(**text - '0');
    return count;
}

bool cost_parse(const char *text, uint64_t scale, uint64_t *cost)
{
    enum { WHOLE = 18, DECIMALS = 18 };
    uint64_t whole, rest = 0, of = 1;
    if (read_digits(&text, WHOLE, &whole) == 0)
        return false;
    if (*text == '/') {
        text++;
        if (read_digits(&text, WHOLE, &of) == 0 || of == 0)
            return false;
        rest = whole % of;
        whole /= of;
    } else if (*text == '.') {
        text++;
        const unsigned count = read_digits(&text, DECIMALS, &rest);
        if (count == 0)
            return false;
        for (unsigned i = 0; i < count; i++)
            of *= 10;
        while (isdigit((unsigned char)*text)) /* beyond what makes a difference */
            text++;
    }
    const uint64_t part = (uint64_t)(((uint128)rest * scale * 2 + of) / ((uint128)of * 2));
    return *text == '\0' && !__builtin_mul_overflow(whole, scale, cost) &&
           !__builtin_add_overflow(*cost, part, cost);
}
