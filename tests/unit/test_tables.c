/* Texts for terminals, aligned tables, and tables for programs. */
#include "base/report.h"
#include "harness/text/tidy.h"
#include "tests/test.h"
#include <math.h>

static void expect_printable(const char *text, const char *expected)
{
    ASSERT_TEXT(text_printable(text), expected);
}

TEST(what_commands_a_terminal_is_shown_as_a_question_mark)
{
    expect_printable("", "");
    expect_printable("astar(manhattan)", "astar(manhattan)");
    expect_printable("\033[2Jx\ny\rz\t\x7f", "?[2Jx?y?z??");
    expect_printable("\xC2\x9B"
                     "2J",
                     "?2J"); /* U+009B begins a sequence too */
    expect_printable("a\u202Eb\u2066c\u200Fd\u2028e\u061Cf", "a?b?c?d?e?f");
    expect_printable("\u202A\u202B\u202C\u202D\u2067\u2068\u2069", "???????");
}

TEST(characters_of_all_languages_stay)
{
    expect_printable("M\u00FCller \u4E2D\u6587 \U0001F9E9 \u00A0",
                     "M\u00FCller \u4E2D\u6587 \U0001F9E9 \u00A0");
}

TEST(bytes_that_are_not_utf8_are_question_marks)
{
    expect_printable("\x9B"
                     "2J",
                     "?2J");
    expect_printable("a\xC3", "a?");
    expect_printable("\xC0\x9B", "?");         /* too long a form of ESC */
    expect_printable("\xE2\x80", "?");         /* cut short */
    expect_printable("\xED\xA0\x80", "?");     /* half a pair of UTF-16 */
    expect_printable("\xF5\x80\x80\x80", "?"); /* beyond Unicode */
    expect_printable("\xFF\xFE", "??");
}

/* The table within a width; heap memory. */
static char *printed(const struct tidy *table, size_t width)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    tidy_print_within(table, width, file);
    fclose(file);
    return text;
}

TEST(cells_and_headings_are_harmless_and_aligned)
{
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_column_as(&table, "na\nme", "", SHAPE_TEXT);
    tidy_column_as(&table, "n", "", SHAPE_FULL);
    tidy_text(&table, "M\u00FCller");
    tidy_number(&table, 1);
    tidy_text(&table, "\033[31mred");
    tidy_number(&table, 23);
    ASSERT_TEXT(printed(&table, SIZE_MAX), "na?me      n\nM\u00FCller     1\n?[31mred  23\n");
}

/* Ideographs and emoji are two cells wide, marks that combine none. */
TEST(wide_letters_are_aligned)
{
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_column_as(&table, "name", "", SHAPE_TEXT);
    tidy_column_as(&table, "n", "", SHAPE_FULL);
    tidy_text(&table, "\u4E2D\u6587A*");
    tidy_number(&table, 1);
    tidy_text(&table, "\U0001F9E9");
    tidy_number(&table, 2);
    tidy_text(&table, "e\u0301a");
    tidy_number(&table, 3);
    SCOPED char *text = printed(&table, SIZE_MAX);
    assert_string_equal(text, "name    n\n\u4E2D\u6587A*  1\n\U0001F9E9      2\ne\u0301a      3\n");
}

/* In a narrow place prose goes on in the next line, then columns are left out and named. */
TEST(a_table_fits_where_it_can)
{
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_column_as(&table, "name", "", SHAPE_TEXT);
    tidy_column_as(&table, "what it is for", "", SHAPE_TEXT)->prose = true;
    tidy_column_as(&table, "n", "", SHAPE_FULL);
    tidy_rank(&table, 1);
    tidy_column_as(&table, "more m", "", SHAPE_FULL);
    tidy_rank(&table, 2);
    tidy_text(&table, "a");
    tidy_text(&table, "one two three four five six");
    tidy_number(&table, 12);
    tidy_number(&table, 3);
    const struct {
        size_t width;
        const char *text;
    } cases[] = {
        {SIZE_MAX, "name  what it is for                n  more m\n"
                   "a     one two three four five six  12       3\n"},
        {36, "name  what it is for       n  more m\n"
             "a     one two three four  12       3\n"
             "      five six\n"},
        {27, "name  what it is for     n\n"
             "a     one two three     12\n"
             "      four five six\n"
             "(not shown: more m; --wide shows all)\n"},
        {10, "name  what it is for\n"
             "a     one two three\n"
             "      four five six\n"
             "(not shown: n, more m; --wide shows all)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED char *text = printed(&table, cases[i].width);
        assert_string_equal(text, cases[i].text);
    }
}

/* Where all columns are wanted, they go on below, each time behind the first; no line is wider than
 * the place, as far as words allow. */
TEST(a_table_goes_on_below)
{
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_column_as(&table, "block", "", SHAPE_TEXT)->section = true;
    tidy_column_as(&table, "name", "", SHAPE_TEXT);
    tidy_column_as(&table, "peak memory", "", SHAPE_FULL);
    tidy_column_as(&table, "n", "", SHAPE_FULL);
    tidy_column_as(&table, "astar(max:a+b)", "", SHAPE_FULL);
    tidy_text(&table, "all of them");
    tidy_text(&table, "wastar(max:manhattan+gaschnig)");
    tidy_number(&table, 12);
    tidy_number(&table, 3456);
    tidy_number(&table, 7);
    const struct {
        size_t width;
        const char *text;
    } cases[] = {
        {SIZE_MAX, "name                            peak memory     n  astar(max:a+b)\n"
                   "all of them\n"
                   "wastar(max:manhattan+gaschnig)           12  3456               7\n"},
        {54, "                                              astar(\n"
             "                                  peak        max:a+\n"
             "name                            memory     n      b)\n"
             "all of them\n"
             "wastar(max:manhattan+gaschnig)      12  3456       7\n"},
        {44, "                                  peak\n"
             "name                            memory     n\n"
             "all of them\n"
             "wastar(max:manhattan+gaschnig)      12  3456\n"
             "\n"
             "                                astar(\n"
             "                                max:a+\n"
             "name                                b)\n"
             "all of them\n"
             "wastar(max:manhattan+gaschnig)       7\n"},
        {30, "                          peak\n"
             "name                    memory\n"
             "all of them\n"
             "wastar(max:manhattan+       12\n"
             " gaschnig)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED char *text = printed(&table, cases[i].width);
        if (strncmp(text, cases[i].text, strlen(cases[i].text)) != 0)
            fail_msg("within %zu:\n%s\nexpected\n%s", cases[i].width, text, cases[i].text);
    }
    for (size_t width = 30; width < 80; width++) {
        SCOPED char *text = printed(&table, width);
        for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= width);
    }
}

/* People and programs see the same cells, each in their way. */
TEST(a_cell_is_shown_and_kept)
{
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_column_as(&table, "fine", "", SHAPE_TRUTH);
    tidy_fixed(&table, "mean", 2);
    tidy_column_as(&table, "at worst", "s", SHAPE_NUMBER);
    tidy_column_as(&table, "n", "", SHAPE_FULL);
    tidy_text(&table, "yes");
    tidy_number(&table, 3);
    tidy_number(&table, 7200);
    tidy_show(&table, "%d h", 2);
    tidy_mark(&table, "?");
    tidy_number(&table, NAN);
    SCOPED char *text = printed(&table, SIZE_MAX);
    json_auto_t *rows = tidy_json(&table);
    SCOPED char *json = json_dumps(rows, JSON_REAL_PRECISION(TIDY_DIGITS));
    assert_string_equal(text, "fine  mean  at worst  n\nyes   3.00      2 h?  -\n");
    assert_string_equal(json, "[{\"fine\": true, \"mean\": 3.0, \"at worst\": 7200, \"n\": null}]");
}

/* A table of one column has no part below, however narrow the place. */
TEST(one_column_is_printed_once)
{
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_column_as(&table, "a number", "", SHAPE_FULL);
    tidy_number(&table, 1);
    ASSERT_TEXT(printed(&table, 3), "     a\nnumber\n     1\n");
}

/* JSON holds UTF-8 alone; a row must not lose its name for one byte. */
TEST(json_keeps_what_is_not_utf8)
{
    SCOPED_BY(tidy_end) struct tidy tidy = {0};
    tidy_column(&tidy, "solver", "", "");
    tidy_text(&tidy, "mine\xFF");
    json_auto_t *rows = tidy_json(&tidy);
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "solver")),
                        "mine?");
}
