/* What the tests share: boards and solvers from their texts, which are known to be right. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include "algorithms/solver.h"
#include "puzzle/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

/* The board of a text whose shape shows; the test fails when it is none. */
static inline struct board board_of(const char *text)
{
    struct report report;
    struct board board = {0};
    report_start(&report, NULL);
    if (!board_parse(text, NULL, 1, 1, &report, &board))
        fail_msg("%s", report.text);
    return board;
}

/* The solver of a short form; the test fails when it is none. */
static inline struct solver solver_of(const char *text)
{
    struct report report;
    struct solver solver = {0};
    report_start(&report, NULL);
    if (!solver_parse(text, 1, 1, &report, &solver))
        fail_msg("%s", report.text);
    return solver;
}

#endif
