#include "harness/results/rows.h"
#include "base/heap.h"
#include "harness/results/record.h"
#include "puzzle/text.h"
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

bool rows_start(struct rows *rows, FILE *file, const unsigned *needed, size_t count,
                struct report *report)
{
    const size_t problems = report->count;
    rows->hashed = true;
    rows->in_order = false;
    if (!csv_start(&rows->csv, file, CSV_APPENDED | CSV_LINES, report))
        return false;
    rows->in_order = rows->csv.columns == COLUMNS;
    for (size_t i = 0; i < COLUMNS; i++) {
        rows->places[i] = csv_column(&rows->csv, row_columns[i].name);
        rows->in_order = rows->in_order && rows->places[i] == i;
        rows->hashed = rows->hashed && rows->places[i] != CSV_NONE;
        if (needed == NULL)
            csv_need(&rows->csv, row_columns[i].name);
    }
    for (size_t i = 0; i < count; i++)
        csv_need(&rows->csv, row_columns[needed[i]].name);
    return report->count == problems;
}

/* isdigit() without a call: it is asked for each letter of a number. */
static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/* A whole number below 2^64; other programs may write it with a fraction of zeros. */
static bool read_integer(const char *text, uint64_t *value)
{
    enum { SURE_DIGITS = 19 }; /* that make no number too large */
    const char *at = text;
    char *end;
    *value = 0;
    for (; is_digit(*at) && at - text < SURE_DIGITS; at++)
        *value = 10 * *value + (uint64_t)(*at - '0');
    if (*at == '\0')
        return at != text;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (*end == '.')
        end += 1 + strspn(end + 1, "0");
    return is_digit(text[0]) && *end == '\0' && errno == 0;
}

/* A decimal number of up to 15 digits, all that a row usually has: both parts of the quotient are
 * exact, so that it is rounded once, as strtod rounds. False for any other text. */
static bool read_short_number(const char *text, double *value)
{
    enum { MOST_DIGITS = 15 };
    static const double powers[MOST_DIGITS + 1] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t number = 0;
    const char *point = NULL;
    const char *at = text;
    for (; is_digit(*at) || (*at == '.' && point == NULL && at > text); at++) {
        if (*at == '.')
            point = at;
        else
            number = 10 * number + (uint64_t)(*at - '0');
        if (at - text > MOST_DIGITS)
            return false;
    }
    const ptrdiff_t decimals = point == NULL ? 0 : at - point - 1;
    *value = (double)number / powers[decimals];
    return *at == '\0' && at > text && (point == NULL || decimals > 0) &&
           at - text - (point != NULL) <= MOST_DIGITS;
}

static bool read_number(const char *text, double *value)
{
    char *end;
    if (read_short_number(text, value))
        return true;
    *value = strtod(text, &end);
    return is_digit(text[0]) && text[strspn(text, "0123456789.eE+-")] == '\0' && *end == '\0' &&
           isfinite(*value);
}

static bool read_status(const char *text, enum status *status)
{
    for (unsigned i = 0; i < STATUSES; i++)
        if (strcmp(text, status_rows[i].name) == 0) {
            *status = (enum status)i;
            return true;
        }
    return false;
}

/* Whether a text has the form of another, in which 0 stands for any digit. */
static bool has_form(const char *text, const char *form)
{
    for (; *form != '\0'; text++, form++)
        if (*form == '0' ? !is_digit(*text) : *text != *form)
            return false;
    return *text == '\0';
}

static bool is_object(const char *text)
{
    if (strcmp(text, "{}") == 0)
        return true;
    json_t *json = json_loads(text, 0, NULL);
    const bool object = json_is_object(json);
    json_decref(json);
    return object;
}

/* Reads a cell by its type; boards are read by row_boards. Returns NULL or what was expected. */
static const char *read_cell(const struct rows *rows, enum column_type type, struct cell *cell)
{
    const char *text = cell->text;
    bool good = true;
    const char *expected = "";
    switch (type) {
    case COLUMN_TYPE_INTEGER:
        good = read_integer(text, &cell->integer);
        expected = "a whole number";
        break;
    case COLUMN_TYPE_NUMBER:
        good = read_number(text, &cell->number);
        expected = "a number that is not negative";
        break;
    case COLUMN_TYPE_STATUS:
        good = read_status(text, &cell->status);
        expected = "a status";
        break;
    case COLUMN_TYPE_MOVES:
        good = text[strspn(text, "UDLR")] == '\0';
        expected = "the moves U, D, L and R";
        break;
    case COLUMN_TYPE_TIME:
        good = !rows->hashed || has_form(text, "0000-00-00T00:00:00Z");
        expected = "a time such as 2026-01-31T23:59:59Z";
        break;
    case COLUMN_TYPE_JSON:
        good = is_object(text);
        expected = "a JSON object such as {}";
        break;
    case COLUMN_TYPE_HASH: /* an invalid hash matches nothing; other programs have other run_ids */
    case COLUMN_TYPE_TEXT:
        good = text_is_printable(text);
        expected = "a text without control characters";
        break;
    case COLUMN_TYPE_BOARD:
    case COLUMN_TYPE_SIGNED: /* of derived tables, which are not read */
    case COLUMN_TYPE_P:
    case COLUMN_TYPES:
        break;
    }
    return good ? NULL : expected;
}

static bool read_board(struct rows *rows, const struct row *row, unsigned column,
                       const struct shape *shape, struct board *board)
{
    struct report report;
    if (rows->places[column] == CSV_NONE)
        return true;
    if (shape != NULL && board_of_line(row->cells[column].text, *shape, board))
        return true;
    report_start(&report, NULL);
    const bool good = board_parse(row->cells[column].text, shape, 0, 0, &report, board);
    if (!good) {
        char *why = report_first(&report);
        csv_blame(&rows->csv, row->line, row->cells[column].column, "%s: %s",
                  row_columns[column].name, why);
        free(why);
    }
    report_end(&report);
    return good;
}

bool row_boards(struct rows *rows, struct row *row)
{
    const bool sized =
        rows->places[COLUMN_width] != CSV_NONE && rows->places[COLUMN_height] != CSV_NONE;
    const uint64_t width = row->cells[COLUMN_width].integer;
    const uint64_t height = row->cells[COLUMN_height].integer;
    struct shape shape;
    if (sized && (width > MAX_SIDE || height > MAX_SIDE ||
                  !shape_make((unsigned)width, (unsigned)height, &shape))) {
        csv_blame(&rows->csv, row->line, row->cells[COLUMN_width].column,
                  "a board of %ju x %ju; expected both sides at least 2, at most 36 cells",
                  (uintmax_t)width, (uintmax_t)height);
        return false;
    }
    return read_board(rows, row, COLUMN_start, sized ? &shape : NULL, &row->start) &&
           read_board(rows, row, COLUMN_goal, sized ? &shape : NULL, &row->goal);
}

static void blame_cell(struct rows *rows, const struct row *row, size_t column,
                       const char *expected)
{
    const struct cell *cell = &row->cells[column];
    char *listed = NULL;
    char *meant = NULL;
    if (column == COLUMN_status) {
        const char *names[STATUSES];
        for (unsigned i = 0; i < STATUSES; i++)
            names[i] = status_rows[i].name;
        listed = words_listed(names, STATUSES);
        meant = word_meant(cell->text, names, STATUSES);
    }
    csv_blame(&rows->csv, row->line, cell->column, "%s '%.60s%s'; expected %s%s",
              row_columns[column].name, cell->text, strlen(cell->text) > 60 ? ".." : "",
              listed == NULL ? expected : listed, meant == NULL ? "" : meant);
    free(listed);
    free(meant);
}

/* Whether a cell may be empty in another program's file: a row needs a name, a solver and a status.
 */
static bool may_be_left_out(const struct rows *rows, size_t column)
{
    return !rows->hashed && column != COLUMN_run_id && column != COLUMN_solver &&
           column != COLUMN_status;
}

/* Only an external solver may leave counters out. False if another one does; the first is then
 * reported. */
static bool has_own_counters(struct rows *rows, const struct row *row)
{
    if (!rows->hashed ||
        strcmp(row->cells[COLUMN_measured].text, measured_names[MEASURED_SEARCH]) != 0)
        return true;
    for (unsigned i = 0; i < COUNTERS; i++) {
        const struct cell *cell = &row->cells[FIRST_COUNTER + i];
        if (cell->text[0] != '\0' || counters[i].optional)
            continue;
        csv_blame(&rows->csv, row->line, cell->column, "%s is empty; expected its integer",
                  counters[i].name);
        return false;
    }
    return true;
}

/* Reads the cells of the row at hand. False if one is wrong; the first problem is then reported. */
static bool read_cells(struct rows *rows, struct row *row)
{
    const struct csv *csv = &rows->csv;
    row->line = csv->fields[0].line;
    for (size_t i = 0; i < COLUMNS; i++) {
        struct cell *cell = &row->cells[i];
        *cell = (struct cell){.text = "", .column = 1};
        if (rows->places[i] == CSV_NONE)
            continue;
        cell->text = csv->fields[rows->places[i]].text;
        cell->column = csv->fields[rows->places[i]].column;
        const bool empty = cell->text[0] == '\0';
        if (empty && (row_columns[i].may_be_empty || may_be_left_out(rows, i)))
            continue;
        const char *expected = empty ? column_type_names[row_columns[i].type]
                                     : read_cell(rows, row_columns[i].type, cell);
        if (expected == NULL)
            continue;
        if (empty)
            csv_blame(&rows->csv, row->line, cell->column, "%s is empty; expected its %s",
                      row_columns[i].name, expected);
        else
            blame_cell(rows, row, i, expected);
        return false;
    }
    if (!has_own_counters(rows, row))
        return false;
    if (row->cells[COLUMN_status].status == STATUS_solved &&
        rows->places[COLUMN_length] != CSV_NONE && row->cells[COLUMN_length].text[0] == '\0') {
        csv_blame(&rows->csv, row->line, row->cells[COLUMN_length].column,
                  "length is empty; expected a whole number, as the run is solved");
        return false;
    }
    return true;
}

/* The row_hash that follows from the other cells of the row at hand. */
static void hash_row(const struct rows *rows, const struct row *row, char row_hash[ROW_HASH_BYTES])
{
    const struct csv_field *fields = rows->csv.fields;
    const char *texts[COLUMNS];
    if (rows->in_order && rows->csv.joined) {
        joined_row_hash(fields[0].text, (size_t)(fields[COLUMN_row_hash].text - fields[0].text),
                        row_hash);
    } else {
        row_texts(row, texts);
        cells_row_hash(texts, row_hash);
    }
}

bool rows_next(struct rows *rows, struct row *row)
{
    char row_hash[ROW_HASH_BYTES];
    do {
        if (!csv_next(&rows->csv))
            return false;
    } while (!read_cells(rows, row));
    row->whole = true;
    if (rows->hashed) {
        hash_row(rows, row, row_hash);
        row->whole = strcmp(row_hash, row->cells[COLUMN_row_hash].text) == 0;
    }
    return true;
}

struct result row_result(const struct row *row)
{
    const struct cell *cells = row->cells;
    const char *moves = cells[COLUMN_moves].text;
    struct result result = {
        .status = cells[COLUMN_status].status,
        .length = (size_t)cells[COLUMN_length].integer,
        .moves =
            moves[0] == '\0' && cells[COLUMN_length].integer > 0 ? NULL : (char *)(uintptr_t)moves,
        .h_start =
            cells[COLUMN_h_start].text[0] == '\0' || cells[COLUMN_h_start].integer > INT32_MAX
                ? -1
                : (int)cells[COLUMN_h_start].integer,
        .wall_seconds = cells[COLUMN_wall_s].number,
        .cpu_seconds = cells[COLUMN_cpu_s].number,
    };
    uint64_t values[COUNTERS];
    for (unsigned i = 0; i < COUNTERS; i++)
        values[i] = cells[FIRST_COUNTER + i].integer;
    memcpy(&result.statistics, values, sizeof values);
    return result;
}

void row_texts(const struct row *row, const char *texts[COLUMNS])
{
    for (size_t i = 0; i < COLUMNS; i++)
        texts[i] = row->cells[i].text;
}

void rows_end(struct rows *rows)
{
    csv_end(&rows->csv);
}
