/* Reports: base/report.h. */
#include "base/report.h"
#include "tests/support.h"

TEST(entries_tell_their_place)
{
    struct report report;
    report_start(&report, "a.csv");
    report_add(&report, (struct text_place){3, 7}, "'%s' is no number", "x");
    report_add(&report, NO_PLACE, "no board in it");
    assert_string_equal(report.text, "a.csv:3:7: 'x' is no number\na.csv: no board in it\n");
    ASSERT_TEXT(report_first(&report), "a.csv:3:7: 'x' is no number");
    report_end(&report);
    report_start(&report, NULL);
    report_add(&report, (struct text_place){3, 7}, "bad");
    assert_string_equal(report.text, "bad\n");
    report_end(&report);
}

/* The number of lines of a text, and the last line. */
static size_t count_lines(const char *text, const char **last)
{
    size_t lines = 0;
    for (*last = text; *text != '\0'; text++)
        if (*text == '\n') {
            lines++;
            *last = text[1] == '\0' ? *last : text + 1;
        }
    return lines;
}

TEST(a_hundred_are_reported_and_the_others_counted)
{
    SCOPED_BY(report_end) struct report report;
    struct report all;
    const char *last;
    report_start(&report, "a.csv");
    for (size_t i = 1; i <= 1000000; i++) {
        report_add(&report, (struct text_place){i, 1}, "bad");
        if (i == 100) {
            assert_int_equal(count_lines(report.text, &last), 100);
            assert_string_equal(last, "a.csv:100:1: bad\n");
        } else if (i == 101) {
            count_lines(report.text, &last);
            assert_string_equal(last, "and 1 more problem\n");
        }
    }
    assert_int_equal(report.count, 1000000);
    assert_int_equal(count_lines(report.text, &last), 101);
    assert_string_equal(last, "and 999,900 more problems\n");

    /* Joined to others: the same number in total. */
    report_start(&all, "b.csv");
    report_add(&all, FIRST_PLACE, "worse");
    report_join(&all, &report);
    report_join(&all, &report);
    assert_int_equal(all.count, 2000001);
    assert_int_equal(count_lines(all.text, &last), 101);
    assert_string_equal(last, "and 1,999,901 more problems\n");
    assert_ptr_equal(strstr(all.text, "b.csv:1:1: worse\na.csv:1:1: bad\na.csv:2:1: bad\n"),
                     all.text);
    report_end(&all);
    all.unlimited = true;
    for (size_t i = 1; i <= 150; i++)
        report_add(&all, (struct text_place){i, 1}, "bad");
    assert_int_equal(count_lines(all.text, &last), 150);
    report_end(&all);
}

static void expect_printable(const char *text, const char *expected)
{
    SCOPED char *shown = text_printable(text);
    if (strcmp(shown, expected) != 0)
        fail_msg("'%s' is shown as '%s'; expected '%s'", text, shown, expected);
    assert_int_equal(text_is_printable(text), strcmp(text, expected) == 0);
}

TEST(terminals_are_not_commanded)
{
    SCOPED_BY(report_end) struct report report;
    expect_printable("", "");
    expect_printable("plain ~ text", "plain ~ text");
    expect_printable("Gr\xC3\xB6\xC3\x9F"
                     "e \xE2\x82\xAC \xF0\x9F\xA7\xA9 \xD7\xA9\xD7\x9C",
                     "Gr\xC3\xB6\xC3\x9F"
                     "e \xE2\x82\xAC \xF0\x9F\xA7\xA9 \xD7\xA9\xD7\x9C");
    expect_printable("\033[2J", "?[2J");
    expect_printable("a\tb\r\nc\x7F", "a?b??c?");
    expect_printable("\xC2\x9B"
                     "31m\xC2\xA0",
                     "?31m\xC2\xA0"); /* C1: CSI as one character */
    expect_printable("\x9B"
                     "31m",
                     "?31m"); /* and as one byte */
    expect_printable("a\xE2\x80\xAE"
                     "b\xE2\x81\xA6"
                     "c\xE2\x80\xA8"
                     "d",
                     "a?b?c?d");
    expect_printable("a\xD8\x9C"
                     "b\xE2\x80\x8F"
                     "c",
                     "a?b?c");
    expect_printable("\xE2\x80\xAB\xE2\x80\xAC\xE2\x81\xA9", "???");
    expect_printable("\xC0\xAF \xE0\x80\xAF \xED\xA0\x80 \xF4\x90\x80\x80 \xFF", "? ? ? ? ?");
    expect_printable("cut \xE2\x80", "cut ?");
    report_start(&report, "evil\033[1m.csv");
    report_add(&report, (struct text_place){1, 2}, "id '%s'",
               "\xE2\x80\xAE"
               "x\n");
    assert_string_equal(report.text, "evil?[1m.csv:1:2: id '?x?'\n");
}
