/* For functions that qsort calls. */
#pragma once

#include <stdint.h>
#include <string.h>

/* -1, 0 or 1 as one value is less than, equal to or greater than the other. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* ORDER_BY(NAME, TYPE, BY(a), ORDER(x->b, y->b), strcmp(x->c, y->c)); is a function NAME for rows
 * *x and *y of a type: the first of these that is not 0. */
#define ORDER_BY(name, type, ...)                                                                  \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        type const *x = a;                                                                         \
        type const *y = b;                                                                         \
        const int orders[] = {__VA_ARGS__};                                                        \
        return first_order(orders, sizeof orders / sizeof *orders);                                \
    }                                                                                              \
    static int name(const void *a, const void *b)
#define BY(member) ORDER(x->member, y->member)

static inline int first_order(const int *orders, size_t count)
{
    while (count > 1 && *orders == 0) {
        orders++;
        count--;
    }
    return *orders;
}

/* Texts, or rows that begin with one; and whole numbers, or rows that begin with one. */
static inline int order_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline int order_numbers(const void *a, const void *b)
{
    return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}
