/* Rows of runs.csv: a file that several threads read in pieces gives the rows and the problems of
 * one that is read by one, whatever is wrong with it and wherever the borders lie. */
#include "harness/results/record.h"
#include "harness/results/rows.h"
#include "harness/results/side_table.h"
#include "tests/unit/numbers.h"

/* What a line is, and how it counts. */
enum kind {
    LINE_GOOD,
    LINE_QUOTED, /* good, with commas and quotes in its cells */
    LINE_CRLF,
    LINE_LONG,
    LINE_EDITED, /* row_hash does not fit */
    LINE_EMPTY,
    LINE_WRONG_CELL,
    LINE_NO_COUNTER,
    LINE_NO_LENGTH,
    LINE_SHORT,
    LINE_OPEN_QUOTE,
    LINE_STRAY_QUOTE,
    LINE_ZERO,
    KINDS
};

/* A file, and what must be read from it. */
struct sample {
    char *text;
    size_t length, room;
    size_t lines, rows, whole, problems;
};

static void put(struct sample *sample, const char *text, size_t length)
{
    sample->text = heap_reserve(sample->text, &sample->room, sample->length + length + 1, 1);
    memcpy(sample->text + sample->length, text, length);
    sample->length += length;
}

/* A row's cells in their order. */
static void fill_cells(const char *cells[COLUMNS], const char *run_id, const char *name)
{
    for (size_t i = 0; i < COLUMNS; i++)
        cells[i] = row_columns[i].may_be_empty ? "" : "1";
    for (size_t i = FIRST_COUNTER; i < FIRST_COUNTER + COUNTERS; i++)
        cells[i] = "12";
    cells[COLUMN_run_id] = run_id;
    cells[COLUMN_experiment] = name;
    cells[COLUMN_width] = cells[COLUMN_height] = "2";
    cells[COLUMN_start] = "1 2 0 3";
    cells[COLUMN_goal] = "1 2 3 0";
    cells[COLUMN_solver] = "astar(manhattan)";
    cells[COLUMN_status] = "solved";
    cells[COLUMN_length] = "1";
    cells[COLUMN_moves] = "R";
    cells[COLUMN_wall_s] = "0.000001";
    cells[COLUMN_finished_at] = "2026-01-31T23:59:59Z";
    cells[COLUMN_options_json] = "{}";
    cells[COLUMN_measured] = "search";
}

static void add_line(struct sample *sample, enum kind kind, const char *name)
{
    const char *cells[COLUMNS];
    char row_hash[ROW_HASH_BYTES];
    SCOPED char *run_id = heap_format("%zx", ++sample->lines);
    SCOPED char *line = heap_resize(NULL, 2 * strlen(name) + 2048);
    char *at = line;
    fill_cells(cells, run_id, name);
    if (kind == LINE_QUOTED) {
        cells[COLUMN_solver] = "wastar(manhattan, w=2)";
        cells[COLUMN_options_json] = "{\"w\":2}";
        cells[COLUMN_host] = "\"h\xC3\xB6st\",";
    }
    if (kind == LINE_NO_COUNTER)
        cells[COLUMN_generated] = "";
    if (kind == LINE_NO_LENGTH)
        cells[COLUMN_length] = "";
    if (kind == LINE_WRONG_CELL)
        cells[COLUMN_status] = "solvd";
    cells_row_hash(cells, row_hash);
    cells[COLUMN_row_hash] = row_hash;
    if (kind == LINE_EDITED)
        cells[COLUMN_wall_s] = "0.5";
    for (size_t i = 0; i < COLUMNS && kind != LINE_EMPTY; i++) {
        if (i > 0)
            *at++ = ',';
        if (i == COLUMN_host && kind == LINE_OPEN_QUOTE)
            *at++ = '"';
        if (i == COLUMN_host && kind == LINE_STRAY_QUOTE)
            at = stpcpy(at, "a\"b");
        if (i == COLUMN_host && kind == LINE_ZERO)
            *at++ = '\0';
        at = csv_put_field(at, cells[i], strlen(cells[i]));
        if (i == COLUMN_host && kind == LINE_SHORT)
            break;
    }
    if (kind == LINE_CRLF || (kind == LINE_EMPTY && sample->lines % 2 == 0))
        *at++ = '\r';
    *at++ = '\n';
    put(sample, line, (size_t)(at - line));
    sample->rows += kind <= LINE_EDITED;
    sample->whole += kind < LINE_EDITED;
    sample->problems += kind > LINE_EMPTY;
}

/* Lines of all kinds by chance, three of them longer than a block; the last one is torn. */
static struct sample sample_of(uint64_t seed, size_t lines, bool torn)
{
    static const size_t lengths[] = {70000, 200000, 300};
    struct sample sample = {0};
    SCOPED char *header = side_table_header(TABLE_RUNS);
    SCOPED char *name = heap_resize(NULL, lengths[1] + 1);
    put(&sample, header, strlen(header));
    for (size_t i = 0; i < lines; i++) {
        const bool plain = next_random(&seed) < 0.5;
        const enum kind kind = plain ? LINE_GOOD : (enum kind)(next_random(&seed) * (double)KINDS);
        const size_t length = kind == LINE_LONG
                                  ? lengths[sample.lines % 7 < 2 ? sample.lines % 7 : 2]
                                  : (size_t)(next_random(&seed) * 100);
        memset(name, 'x', length);
        name[length] = '\0';
        add_line(&sample, kind, name);
    }
    if (torn)
        sample.length -= 1;
    return sample;
}

/* All that reading a text says: a line for each row, then the problems. */
static char *read_all(const struct sample *sample, size_t piece_bytes, unsigned threads,
                      size_t counts[3])
{
    SCOPED_BY(rows_end) struct rows rows;
    struct row *row;
    SCOPED_BY(report_end) struct report report;
    char *said = heap_text("");
    size_t room = 0;
    size_t length = 0;
    FILE *file = fmemopen(sample->text, sample->length, "r");
    assert_non_null(file);
    report_start(&report, "runs.csv");
    report.unlimited = true;
    memset(counts, 0, 3 * sizeof *counts);
    assert_true(rows_start(&rows, file, NULL, 0, &report));
    rows_divide(&rows, piece_bytes, threads);
    while ((row = rows_next(&rows)) != NULL) {
        SCOPED char *line =
            heap_format("%zu %s %d %zu %s %zu\n", row->line, row->cells[COLUMN_run_id].text,
                        row->whole, strlen(row->cells[COLUMN_experiment].text),
                        row->cells[COLUMN_host].text, row->cells[COLUMN_host].column);
        assert_true(row_boards(&rows, row));
        assert_int_equal(row->cells[COLUMN_expanded].integer, 12);
        said = heap_reserve(said, &room, length + strlen(line) + 1, 1);
        strcpy(said + length, line);
        length += strlen(line);
        counts[0]++;
        counts[1] += row->whole;
    }
    counts[2] = report.count;
    assert_int_equal(rows.csv.bad, report.count);
    heap_append(&said, "%s%zu %zu %d", report.text == NULL ? "" : report.text, (size_t)rows.csv.end,
                rows.csv.bad, rows.csv.cut);
    fclose(file);
    return said;
}

TEST(reads_the_same_in_pieces)
{
    static const size_t pieces[] = {1, 1000, 40000, 1 << 20};
    for (unsigned seed = 1; seed <= 4; seed++) {
        size_t counts[3];
        const bool torn = seed % 2 == 0;
        struct sample sample = sample_of(seed, 400, torn);
        SCOPED char *expected = read_all(&sample, 1 << 20, 1, counts);
        if (!torn) {
            assert_int_equal(counts[0], sample.rows);
            assert_int_equal(counts[1], sample.whole);
            assert_int_equal(counts[2], sample.problems);
        }
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
            for (unsigned threads = 1; threads <= 5; threads += 2) {
                SCOPED char *said = read_all(&sample, pieces[i], threads, counts);
                if (strcmp(said, expected) != 0)
                    fail_msg("seed %u, pieces of %zu bytes, %u threads", seed, pieces[i], threads);
            }
        free(sample.text);
    }
}

/* What comes is seen before its turn, as far as it is read. */
TEST(sees_rows_ahead)
{
    struct sample sample = {0};
    SCOPED_BY(rows_end) struct rows rows;
    SCOPED_BY(report_end) struct report report;
    SCOPED char *header = side_table_header(TABLE_RUNS);
    put(&sample, header, strlen(header));
    for (size_t i = 0; i < 3; i++)
        add_line(&sample, i == 1 ? LINE_WRONG_CELL : LINE_GOOD, "");
    FILE *file = fmemopen(sample.text, sample.length, "r");
    report_start(&report, "runs.csv");
    assert_true(rows_start(&rows, file, NULL, 0, &report));
    assert_null(rows_ahead(&rows, 1));
    const struct row *first = rows_next(&rows);
    assert_string_equal(first->cells[COLUMN_run_id].text, "1");
    assert_null(rows_ahead(&rows, 1)); /* no row */
    struct row *third = rows_ahead(&rows, 2);
    assert_non_null(third);
    third->notes[0] = 5;
    assert_null(rows_ahead(&rows, 3));
    assert_ptr_equal(rows_next(&rows), third);
    assert_int_equal(third->notes[0], 5);
    assert_int_equal(third->line, 4);
    assert_null(rows_next(&rows));
    assert_int_equal(report.count, 1);
    fclose(file);
    free(sample.text);
}

/* A file of a version that had fewer columns, the last before row_hash, has rows that are checked
 * by the cells that they have; one that lacks another column is another program's. */
TEST(checks_rows_of_older_files)
{
    static const unsigned needed[] = {COLUMN_run_id};
    for (unsigned lacking = FIRST_LATER - 1; lacking < COLUMN_row_hash; lacking++)
        for (unsigned edited = 0; edited < 2; edited++) {
            const bool older = lacking >= FIRST_LATER;
            const char *cells[COLUMNS];
            char row_hash[ROW_HASH_BYTES];
            SCOPED char *text = heap_text("");
            SCOPED_BY(rows_end) struct rows rows;
            SCOPED_BY(report_end) struct report report;
            fill_cells(cells, "1", "older");
            for (unsigned i = lacking; i < (older ? COLUMN_row_hash : lacking + 1); i++)
                cells[i] = NULL;
            cells_row_hash(cells, row_hash);
            cells[COLUMN_row_hash] = row_hash;
            cells[COLUMN_host] = edited ? "other" : cells[COLUMN_host];
            for (unsigned line = 0; line < 2; line++)
                for (unsigned i = 0; i < COLUMNS; i++)
                    if (cells[i] != NULL)
                        heap_append(&text, "%s%c", line == 0 ? row_columns[i].name : cells[i],
                                    i == COLUMN_row_hash ? '\n' : ',');
            FILE *file = fmemopen(text, strlen(text), "r");
            report_start(&report, "runs.csv");
            assert_true(rows_start(&rows, file, needed, 1, &report));
            const struct row *row = rows_next(&rows);
            assert_non_null(row);
            assert_int_equal(row->whole, !edited || !older);
            assert_string_equal(row->cells[COLUMN_build].text,
                                older && lacking <= COLUMN_build ? "" : "1");
            fclose(file);
        }
}
