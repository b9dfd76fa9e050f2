/* For functions that qsort calls. */
#pragma once

#include <stdint.h>
#include <string.h>

/* -1, 0 or 1 as one value is less than, equal to or greater than the other. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Texts, or rows that begin with one; and whole numbers, or rows that begin with one. */
static inline int order_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline int order_numbers(const void *a, const void *b)
{
    return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}
