/* How a test program is made. TEST(name) { .. } defines a test, which runs without being listed
 * anywhere: main.c runs all tests of a file in the order in which they stand there. What most tests
 * use comes with it: headers of the C library, and heap memory. */
#pragma once

#include "base/heap.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
// clang-format on

/* Before a parameter: the function need not use it. */
#define UNUSED __attribute__((unused))

#define TEST(name) TEST_OF_TIER(name, false)

/* A test that runs only with TILELAB_LONG=1. */
#define LONG_TEST(name) TEST_OF_TIER(name, true)

#define TEST_OF_TIER(name, is_long)                                                                \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void register_##name(void)                                 \
    {                                                                                              \
        tests_add(#name, name, __LINE__, is_long);                                                 \
    }                                                                                              \
    static void name(UNUSED void **state)

/* What runs before and after each test of the file; either may be NULL. */
#define AROUND_EACH_TEST(before, after)                                                            \
    __attribute__((constructor)) static void register_around_each(void)                            \
    {                                                                                              \
        tests_around_each(before, after);                                                          \
    }

/* What runs once, before the first test of the file and after the last; either may be NULL. */
#define AROUND_ALL_TESTS(before, after)                                                            \
    __attribute__((constructor)) static void register_around_all(void)                             \
    {                                                                                              \
        tests_around_all(before, after);                                                           \
    }

/* A text made as by printf, which stays for the next 99 calls. */
const char *text_of(const char *format, ...) PRINTF_LIKE(1, 2);

/* Heap memory is this text; it is freed. */
#define ASSERT_TEXT(made, expected)                                                                \
    do {                                                                                           \
        SCOPED char *text_made = made;                                                             \
        assert_string_equal(text_made, expected);                                                  \
    } while (0)

void tests_add(const char *name, CMUnitTestFunction function, int line, bool is_long);
void tests_around_each(CMFixtureFunction before, CMFixtureFunction after);
void tests_around_all(CMFixtureFunction before, CMFixtureFunction after);

/* Runs the tests, or those whose names match TILELAB_TEST (* and ? stand for any letters); returns
 * how many failed. A file with a main of its own calls it. */
int tests_run(void);
