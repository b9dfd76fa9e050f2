/* What the CSV reader makes of a text, what it says of a wrong one, and that fields survive a round
 * trip. */
#include "instances/csv.h"
#include "tests/test.h"

struct reading {
    struct csv csv;
    struct report report;
    FILE *file;
    bool started;
};

static void open_bytes(struct reading *reading, const char *bytes, size_t count, unsigned flags)
{
    reading->file = tmpfile();
    assert_non_null(reading->file);
    assert_int_equal(fwrite(bytes, 1, count, reading->file), count);
    rewind(reading->file);
    report_start(&reading->report, "t.csv");
    reading->started = csv_start(&reading->csv, reading->file, flags, &reading->report);
}

static void open_text(struct reading *reading, const char *text, unsigned flags)
{
    open_bytes(reading, text, strlen(text), flags);
}

static void close_text(struct reading *reading)
{
    csv_end(&reading->csv);
    report_end(&reading->report);
    fclose(reading->file);
}

/* The rows as text: fields between < and >, a line for each row. */
static void expect_rows(const char *text, unsigned flags, const char *rows, const char *problems)
{
    SCOPED_BY(close_text) struct reading reading;
    open_text(&reading, text, flags);
    SCOPED char *seen = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&seen, &length);
    while (reading.started && csv_next(&reading.csv)) {
        for (size_t i = 0; i < reading.csv.columns; i++)
            fprintf(out, "<%s>", reading.csv.fields[i].text);
        putc('\n', out);
    }
    fclose(out);
    assert_string_equal(seen, rows);
    assert_string_equal(reading.report.text == NULL ? "" : reading.report.text, problems);
}

TEST(test_rows)
{
    expect_rows("a,b\n1,2\n3,4\n", 0, "<1><2>\n<3><4>\n", "");
    expect_rows("a,b\r\n1,2\r\n3,4", 0, "<1><2>\n<3><4>\n", "");
    expect_rows("a,b\n,\n\"\",\"\"\n", 0, "<><>\n<><>\n", "");
    expect_rows("a,b\n\"x, y\",\"say \"\"no\"\"\"\n", 0, "<x, y><say \"no\">\n", "");
    expect_rows("a,b\n\"two\r\nlines\",2\n3,4\n", 0, "<two\r\nlines><2>\n<3><4>\n", "");
    expect_rows("a,b\n\n1,2\n\r\n\n3,4\n\n", 0, "<1><2>\n<3><4>\n", "");
    expect_rows("a,b\n1\r2,3\n", 0, "<1\r2><3>\n", "");
    expect_rows("a,b\n1,2\r", 0, "<1><2>\n", "");
    expect_rows("\xEF\xBB\xBF\"a\",b\n1,2\n", 0, "<1><2>\n", "");
    expect_rows("a\nx\n\"\"\n", 0, "<x>\n<>\n", "");
    expect_rows("a,b\n", 0, "", "");
}

/* Lines as rows: an open quote spoils only its own line. */
TEST(test_lines)
{
    expect_rows("a,b\n\"1,2\n3,4\n5,\"6\n\"7\",\"8,\"\n", CSV_LINES, "<3><4>\n<7><8,>\n",
                "t.csv:2:1: this quote is not closed on its line; expected a closing quote\n"
                "t.csv:4:3: this quote is not closed on its line; expected a closing quote\n");
    expect_rows("a,b\n1,2\n\"3,4", CSV_LINES | CSV_APPENDED, "<1><2>\n", "");
}

TEST(test_comments)
{
    const char *text = "# source: \"Korf, 1985\nboard\n#1\n";
    expect_rows(text, CSV_COMMENTS, "<#1>\n", ""); /* only before the header */
    expect_rows("#a,b\n1,2\n", 0, "<1><2>\n", "");
    expect_rows("# only\n# comments", CSV_COMMENTS, "",
                "t.csv: no header; expected a first line of column names\n");
}

TEST(test_problems)
{
    expect_rows("a,b\n1\n3,4\n5,6,7\n", 0, "<3><4>\n",
                "t.csv:2:1: the row has 1 field; expected 2 as in the header\n"
                "t.csv:4:5: the row has 3 fields; expected 2 as in the header\n");
    expect_rows("a,b\n\"x\"y,2\n3,4\n", 0, "<3><4>\n",
                "t.csv:2:4: text after a closing quote; expected ',' or the end of the line\n");
    expect_rows("a,b\nx\"y,2\n3,4\n", 0, "<3><4>\n",
                "t.csv:2:2: a quote inside a field; expected the whole field in quotes\n");
    expect_rows("a,b\n1,2\n3,\"x\n5,6\n", 0, "<1><2>\n", "t.csv:3:3: this quote is never closed\n");
    expect_rows("", 0, "", "t.csv: no header; expected a first line of column names\n");
    expect_rows("a,b,a\n1,2,3\n", 0, "", "t.csv:1:5: column 'a' occurs twice\n");
    expect_rows("\xEF\xBFnonsense", 0, "",
                "t.csv:1:1: not a CSV file; expected a header of column names\n");
}

TEST(test_zero_byte)
{
    SCOPED_BY(close_text) struct reading reading;
    static const char bytes[] = "a,b\n1,\0\n3,4\n";
    open_bytes(&reading, bytes, sizeof bytes - 1, 0);
    assert_true(reading.started);
    assert_true(csv_next(&reading.csv));
    assert_string_equal(reading.csv.fields[0].text, "3");
    assert_false(csv_next(&reading.csv));
    assert_string_equal(reading.report.text, "t.csv:2:3: a zero byte; expected text\n");
}

TEST(test_many_problems)
{
    SCOPED_BY(close_text) struct reading reading;
    SCOPED char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fputs("a,b\n", out);
    for (int i = 0; i < 1000; i++)
        fputs("1,2,3\n", out);
    fputs("1,2\n", out);
    fclose(out);
    open_text(&reading, text, 0);
    assert_true(csv_next(&reading.csv));
    assert_false(csv_next(&reading.csv));
    assert_int_equal(reading.csv.bad, 1000);
    assert_int_equal(reading.report.count, 1000);
}

static void expect_cut(const char *text, const char *rows, bool cut, uint64_t end)
{
    expect_rows(text, CSV_APPENDED, rows, "");
    SCOPED_BY(close_text) struct reading reading;
    open_text(&reading, text, CSV_APPENDED);
    while (reading.started && csv_next(&reading.csv))
        ;
    assert_int_equal(reading.csv.cut, cut);
    assert_int_equal(reading.csv.end, end);
}

/* A file that is being written: whatever the cut, the whole rows are read, and `end` is where they
 * end. */
TEST(test_appended)
{
    expect_cut("a,b\n1,2\n3,4\n", "<1><2>\n<3><4>\n", false, 12);
    expect_cut("a,b\n1,2\n3,4", "<1><2>\n", true, 8);
    expect_cut("a,b\n1,2\n3", "<1><2>\n", true, 8);
    expect_cut("a,b\n1,2\n3,", "<1><2>\n", true, 8);
    expect_cut("a,b\n1,2\n3,\"", "<1><2>\n", true, 8);
    expect_cut("a,b\n1,2\n\"3\n", "<1><2>\n", true, 8);
    expect_cut("a,b\n1,2\n\"3\"", "<1><2>\n", true, 8);
    expect_cut("a,b\n1,2\n3x\"", "<1><2>\n", true, 8);
}

TEST(test_columns_and_places)
{
    SCOPED_BY(close_text) struct reading reading;
    open_text(&reading, "# c\nset,start\n\"a\nb\",\"1 2\"\n", CSV_COMMENTS);
    assert_int_equal(csv_column(&reading.csv, "start"), 1);
    assert_int_equal(csv_column(&reading.csv, "goal"), CSV_NONE);
    assert_int_equal(csv_need(&reading.csv, "set"), 0);
    assert_int_equal(csv_need(&reading.csv, "goal"), CSV_NONE);
    assert_string_equal(reading.report.text,
                        "t.csv:2:1: no column 'goal'; expected it in the header\n");
    assert_true(csv_next(&reading.csv));
    assert_int_equal(reading.csv.fields[0].place.line, 3);
    assert_int_equal(reading.csv.fields[0].place.column, 2);
    assert_int_equal(reading.csv.fields[1].place.line, 4);
    assert_int_equal(reading.csv.fields[1].place.column, 5);
}

TEST(test_folder)
{
    SCOPED_BY(csv_end) struct csv csv;
    SCOPED_BY(report_end) struct report report = {.file = "folder"};
    FILE *file = fopen("/", "r");
    assert_non_null(file);
    assert_false(csv_start(&csv, file, 0, &report));
    assert_non_null(strstr(report.text, "folder: cannot be read: "));
    fclose(file);
}

static char *written(const char *text)
{
    char *out = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&out, &length);
    csv_write_field(file, text);
    fclose(file);
    return out;
}

TEST(test_write)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"bfs", "bfs"},
        {"1 2 3", "1 2 3"},
        {"lcbb(misplaced, duplicates=none)", "\"lcbb(misplaced, duplicates=none)\""},
        {"say \"no\"", "\"say \"\"no\"\"\""},
        {"two\nlines", "\"two\nlines\""},
        {"two\r", "\"two\r\""},
        {"=1+1", "\"=1+1\""},
        {"+1", "\"+1\""},
        {"-1", "\"-1\""},
        {"@x", "\"@x\""},
        {"\tx", "\"\tx\""},
        {"\rx", "\"\rx\""},
        {"1=1", "1=1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ASSERT_TEXT(written(cases[i][0]), cases[i][1]);
    }
}

/* Random fields with awkward characters are read back unchanged. */
TEST(test_round_trip)
{
    static const char characters[] = "a,\"\n\r #x";
    uint32_t seed = 1;
    for (int round = 0; round < 2000; round++) {
        char fields[3][12] = {"", "", ""};
        SCOPED char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);
        fputs("a,b,c\n", out);
        for (int i = 0; i < 3; i++) {
            seed = seed * 1664525u + 1013904223u;
            size_t size = (seed >> 16) % 12;
            for (size_t j = 0; j < size; j++) {
                seed = seed * 1664525u + 1013904223u;
                fields[i][j] = characters[(seed >> 16) % (sizeof characters - 1)];
            }
            fields[i][size < 12 ? size : 11] = '\0';
            csv_write_field(out, fields[i]);
            putc(i < 2 ? ',' : '\n', out);
        }
        fclose(out);
        SCOPED_BY(close_text) struct reading reading;
        open_text(&reading, text, 0);
        assert_true(csv_next(&reading.csv));
        for (int i = 0; i < 3; i++)
            assert_string_equal(reading.csv.fields[i].text, fields[i]);
        assert_false(csv_next(&reading.csv));
    }
}

/* Rows that lie across the ends of the blocks that the file is read in, and one of several blocks:
 * field, line and column are those of the text. */
TEST(test_long_files)
{
    enum { ROWS = 4000, LONG = 200000 };
    SCOPED char *text = NULL;
    size_t length = 0;
    unsigned seed = 1;
    FILE *out = open_memstream(&text, &length);
    fputs("a,b\n", out);
    for (unsigned i = 0; i < ROWS; i++) {
        seed = seed * 1664525u + 1013904223u;
        const int size = i == ROWS / 2 ? LONG : (int)(seed >> 24);
        fprintf(out, i % 3 == 0 ? "\"%0*u,\"\"\",%u\n" : "%0*u,%u\n", size, i, i);
    }
    fclose(out);
    for (unsigned flags = 0; flags <= CSV_LINES; flags += CSV_LINES) {
        SCOPED_BY(close_text) struct reading reading;
        open_text(&reading, text, flags);
        for (unsigned i = 0; i < ROWS; i++) {
            assert_true(csv_next(&reading.csv));
            const struct csv_field *fields = reading.csv.fields;
            const size_t quotes = i % 3 == 0 ? 3 : 0; /* the quotes, and one of the two within */
            assert_int_equal(strtoul(fields[0].text, NULL, 10), i);
            assert_string_equal(fields[0].text + strspn(fields[0].text, "0123456789"),
                                i % 3 == 0 ? ",\"" : "");
            assert_int_equal(strtoul(fields[1].text, NULL, 10), i);
            assert_int_equal(fields[0].place.line, i + 2);
            assert_int_equal(fields[0].place.column, i % 3 == 0 ? 2 : 1);
            assert_int_equal(fields[1].place.line, i + 2);
            assert_int_equal(fields[1].place.column, strlen(fields[0].text) + quotes + 2);
        }
        assert_false(csv_next(&reading.csv));
        assert_int_equal(reading.csv.end, length);
        assert_int_equal(reading.report.count, 0);
    }
}
