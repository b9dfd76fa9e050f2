#include "tests/test.h"

enum { MAX_TESTS = 100 };

static struct CMUnitTest tests[MAX_TESTS];
static int lines[MAX_TESTS];
static size_t count;
static CMFixtureFunction before_each, after_each, before_all, after_all;

const char *text_of(const char *format, ...)
{
    static char *texts[100];
    static size_t last;
    va_list values;
    last = (last + 1) % (sizeof texts / sizeof *texts);
    free(texts[last]);
    va_start(values, format);
    texts[last] = heap_format_list(format, values);
    va_end(values);
    return texts[last];
}

/* The compiler may call the constructors of a file in any order: they are put in that of lines. */
void tests_add(const char *name, CMUnitTestFunction function, int line, bool is_long)
{
    if (is_long && getenv("TILELAB_LONG") == NULL)
        return;
    if (count == MAX_TESTS)
        abort();
    size_t at = count++;
    for (; at > 0 && lines[at - 1] > line; at--) {
        tests[at] = tests[at - 1];
        lines[at] = lines[at - 1];
    }
    tests[at] = (struct CMUnitTest){.name = name, .test_func = function};
    lines[at] = line;
}

void tests_around_each(CMFixtureFunction before, CMFixtureFunction after)
{
    before_each = before;
    after_each = after;
}

void tests_around_all(CMFixtureFunction before, CMFixtureFunction after)
{
    before_all = before;
    after_all = after;
}

int tests_run(void)
{
    cmocka_set_test_filter(getenv("TILELAB_TEST"));
    for (size_t i = 0; i < count; i++) {
        tests[i].setup_func = before_each;
        tests[i].teardown_func = after_each;
    }
    return count == 0 ? 1 : _cmocka_run_group_tests("tests", tests, count, before_all, after_all);
}
