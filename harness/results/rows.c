/* Each line is a row (CSV_LINES), so that lines can be cut and read ahead of their turn, in any
 * order. That only ever finds that a row is good: any other line is read again when its turn comes,
 * by the one thread that reports. The lines at hand are divided into pieces. The other threads read
 * them one after the other while this one hands out the rows of those that are read; if the next
 * piece is not, it helps. */
#include "harness/results/rows.h"
#include "algorithms/plugin.h"
#include "base/crew.h"
#include "base/heap.h"
#include "base/named.h"
#include "base/processors.h"
#include "harness/external/protocol.h"
#include "puzzle/text.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>

enum { PIECE_BYTES = 64 << 10, PIECES = 16, MOST_THREADS = 8 };

/* What is wrong with a row: the cell of a column. */
struct problem {
    unsigned column;
    bool empty;
    const char *expected; /* NULL: a value of the column's type */
};

/* A line that was read ahead of its turn. */
struct rows_line {
    struct row row;
    struct problem problem;
    size_t bytes; /* with its end */
    enum {
        LINE_GOOD,
        LINE_BAD, /* a cell is wrong: `problem` */
        LINE_RAW, /* it could not be cut */
        LINE_EMPTY
    } kind;
};

struct rows_piece {
    char *text; /* not owned */
    size_t bytes;
    struct rows_line *lines; /* owned */
    size_t count, room;
    struct csv_field *fields; /* owned; of the line at hand */
    atomic_bool read;         /* else another thread is at it, or nobody was yet */
};

/* What the threads share. */
struct rows_work {
    const struct rows *rows;
    struct rows_piece piece[PIECES];
    atomic_uint next; /* the piece that is to be read next */
};

bool rows_start(struct rows *rows, FILE *file, const unsigned *needed, size_t count,
                struct report *report)
{
    const size_t problems = report->count;
    const unsigned processors = processors_count();
    *rows = (struct rows){.hashed = true};
    rows_divide(rows, PIECE_BYTES, processors < MOST_THREADS ? processors : MOST_THREADS);
    if (!csv_start(&rows->csv, file, CSV_APPENDED | CSV_LINES, report))
        return false;
    bool older = false; /* it lacks a column that came later, and so those after it */
    rows->in_order = rows->csv.columns == COLUMNS;
    for (size_t i = 0; i < COLUMNS; i++) {
        rows->places[i] = csv_column(&rows->csv, row_columns[i].name);
        rows->in_order = rows->in_order && rows->places[i] == i;
        if (rows->places[i] != CSV_NONE)
            rows->hashed = rows->hashed && !(older && i < COLUMN_row_hash);
        else if (i >= FIRST_LATER && i < COLUMN_row_hash)
            older = true;
        else
            rows->hashed = false;
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
    uint64_t number = 0;
    for (; is_digit(*at); at++)
        number = 10 * number + (uint64_t)(*at - '0');
    *value = number;
    if (*at == '\0' && at - text <= SURE_DIGITS)
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

/* Whether a text has the form of another, in which 0 stands for any digit. */
static bool has_form(const char *text, const char *form)
{
    for (; *form != '\0'; text++, form++)
        if (*form == '0' ? !is_digit(*text) : *text != *form)
            return false;
    return *text == '\0';
}

static bool are_moves(const char *text)
{
    static const bool is_move[UCHAR_MAX + 1] = {
        ['U'] = true, ['D'] = true, ['L'] = true, ['R'] = true};
    while (is_move[(unsigned char)*text])
        text++;
    return *text == '\0';
}

static bool is_object(const char *text)
{
    if (strcmp(text, "{}") == 0)
        return true;
    json_auto_t *json = json_loads(text, 0, NULL);
    return json_is_object(json);
}

/* Reads a cell by its type; boards are read by row_boards. Returns NULL or what was expected.
 * `ascii`: all in it is printable ASCII. */
static const char *read_cell(const struct rows *rows, enum column_type type, bool ascii,
                             struct cell *cell)
{
    const char *text = cell->text;
    switch (type) {
#define TYPE(name, word, kind, pattern, good, expected)                                            \
    case COLUMN_TYPE_##name:                                                                       \
        return (good) ? NULL : (expected);
#include "harness/results/types.def"
#undef TYPE
    default:
        return NULL;
    }
}

static bool read_board(struct rows *rows, const struct row *row, unsigned column,
                       const struct shape *shape, struct board *board)
{
    if (rows->places[column] == CSV_NONE)
        return true;
    if (shape != NULL && board_of_line(row->cells[column].text, *shape, board))
        return true;
    SCOPED_BY(report_end) struct report report = {.file = ""};
    const bool good =
        board_parse(row->cells[column].text, shape,
                    (struct text_place){row->line, row->cells[column].column}, &report, board);
    if (!good) { /* the first problem is ":LINE:COLUMN: what is wrong" */
        SCOPED char *why = report_first(&report);
        char *rest = why;
        const size_t line = strtoul(rest + 1, &rest, 10);
        const size_t place = strtoul(rest + 1, &rest, 10);
        csv_blame(&rows->csv, (struct text_place){line, place}, "%s%s", row_columns[column].name,
                  rest);
    }
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
        csv_blame(&rows->csv, (struct text_place){row->line, row->cells[COLUMN_width].column},
                  "a board of %ju x %ju; expected both sides at least 2, at most 36 cells",
                  (uintmax_t)width, (uintmax_t)height);
        return false;
    }
    return read_board(rows, row, COLUMN_start, sized ? &shape : NULL, &row->start) &&
           read_board(rows, row, COLUMN_goal, sized ? &shape : NULL, &row->goal);
}

static void blame(struct rows *rows, const struct row *row, const struct problem *problem)
{
    const struct cell *cell = &row->cells[problem->column];
    const char *name = row_columns[problem->column].name;
    SCOPED char *listed = NULL;
    SCOPED char *meant = NULL;
    if (problem->empty) {
        csv_blame(&rows->csv, (struct text_place){row->line, cell->column},
                  "%s is empty; expected %s%s", name, problem->expected == NULL ? "its " : "",
                  problem->expected == NULL ? column_type_names[row_columns[problem->column].type]
                                            : problem->expected);
        return;
    }
    if (problem->column == COLUMN_status) {
        const char *names[STATUSES];
        for (unsigned i = 0; i < STATUSES; i++)
            names[i] = status_rows[i].name;
        listed = words_listed(names, STATUSES);
        meant = word_meant(cell->text, names, STATUSES);
    }
    csv_blame(&rows->csv, (struct text_place){row->line, cell->column},
              "%s '%.60s%s'; expected %s%s", name, cell->text, strlen(cell->text) > 60 ? ".." : "",
              listed == NULL ? problem->expected : listed, meant == NULL ? "" : meant);
}

/* Whether a cell may be empty in another program's file: a row needs a name, a solver and a status.
 */
static bool may_be_left_out(const struct rows *rows, size_t column)
{
    return !rows->hashed && column != COLUMN_run_id && column != COLUMN_solver &&
           column != COLUMN_status;
}

static bool is_built_in(const char *name)
{
    const struct algorithm *algorithm = algorithm_find(name);
    return algorithm != NULL && algorithm_plugin_of(algorithm) == NULL;
}

/* Only an external solver may leave counters out, and a plugin some of them: an algorithm that is
 * not of the table. COLUMNS, or the first one that another one left out. */
static unsigned missing_counter(const struct rows *rows, const struct row *row)
{
    if (!rows->hashed ||
        strcmp(row->cells[COLUMN_measured].text, measured_names[MEASURED_SEARCH]) != 0)
        return COLUMNS;
    for (unsigned i = 0; i < COUNTERS; i++)
        if (row->cells[FIRST_COUNTER + i].text[0] == '\0' && !counters[i].optional &&
            (counter_of_plugins(i) || is_built_in(row->cells[COLUMN_algorithm].text)))
            return FIRST_COUNTER + i;
    return COLUMNS;
}

/* Reads the cells of a row from its fields. False if one is wrong: the first is the problem. */
static bool read_cells(const struct rows *rows, const struct csv_field *fields, bool ascii,
                       struct row *row, struct problem *problem)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        struct cell *cell = &row->cells[i];
        *cell = (struct cell){.text = "", .column = 1};
        if (rows->places[i] == CSV_NONE)
            continue;
        cell->text = fields[rows->places[i]].text;
        cell->column = fields[rows->places[i]].place.column;
        const bool empty = cell->text[0] == '\0';
        if (empty && (row_columns[i].may_be_empty || may_be_left_out(rows, i)))
            continue;
        const char *expected = empty ? NULL : read_cell(rows, row_columns[i].type, ascii, cell);
        if (!empty && expected == NULL)
            continue;
        *problem = (struct problem){i, empty, expected};
        return false;
    }
    const unsigned missing = missing_counter(rows, row);
    if (missing != COLUMNS) {
        *problem = (struct problem){missing, true, NULL};
        return false;
    }
    if (row->cells[COLUMN_status].status == STATUS_solved &&
        rows->places[COLUMN_length] != CSV_NONE && row->cells[COLUMN_length].text[0] == '\0') {
        *problem = (struct problem){COLUMN_length, true, "a whole number, as the run is solved"};
        return false;
    }
    return true;
}

/* Whether the row_hash of a row follows from these cells, as far as the file has them. */
static bool fits(const struct rows *rows, const struct row *row, const char *texts[COLUMNS])
{
    char row_hash[ROW_HASH_BYTES];
    const char *had[COLUMNS];
    for (unsigned i = 0; i < COLUMNS; i++)
        had[i] = rows->places[i] == CSV_NONE ? NULL : texts[i];
    cells_row_hash(had, row_hash);
    return row_hash_fits(row_hash, row->cells[COLUMN_row_hash].text);
}

/* Whether row_hash follows from the other cells. */
static bool is_whole(const struct rows *rows, const struct row *row)
{
    char row_hash[ROW_HASH_BYTES];
    const char *texts[COLUMNS];
    if (!rows->hashed)
        return true;
    if (!rows->in_order) {
        row_texts(row, texts);
        return fits(rows, row, texts);
    }
    const char *first = row->cells[0].text; /* the texts follow one another */
    joined_row_hash(first, (size_t)(row->cells[COLUMN_row_hash].text - first), row_hash);
    return row_hash_fits(row_hash, row->cells[COLUMN_row_hash].text);
}

/* A spreadsheet keeps the value of a number, not its text (0.000001 becomes 1E-06). A row whose
 * hash fits the texts that tilelab writes for its numbers is whole, and has those again. */
static struct row *restored(struct rows *rows, struct row *row)
{
    const char *texts[COLUMNS];
    if (row->whole)
        return row;
    row_texts(row, texts);
    for (unsigned i = 0, n = 0; i < COLUMNS; i++) {
        if (row_columns[i].type != COLUMN_TYPE_NUMBER || texts[i][0] == '\0')
            continue;
        number_text(i, row->cells[i].number, rows->numbers[n]);
        texts[i] = rows->numbers[n++];
    }
    row->whole = fits(rows, row, texts);
    for (unsigned i = 0; row->whole && i < COLUMNS; i++)
        row->cells[i].text = texts[i];
    return row;
}

/* Reads a row from its fields. */
static bool read_row(const struct rows *rows, const struct csv_field *fields, bool ascii,
                     struct row *row, struct problem *problem)
{
    memset(row->notes, 0, sizeof row->notes);
    if (!read_cells(rows, fields, ascii, row, problem))
        return false;
    row->whole = is_whole(rows, row);
    return true;
}

/* Whether the row of a line is asked for (rows->wanted). */
static bool is_wanted(const struct rows *rows, const char *text, size_t bytes)
{
    char id[RUN_ID_BYTES];
    if (rows->wanted == NULL || !rows->in_order)
        return true;
    if (bytes <= sizeof id || text[sizeof id - 1] != ',')
        return false;
    memcpy(id, text, sizeof id - 1);
    id[sizeof id - 1] = '\0';
    return rows->wanted(rows->context, id);
}

/* Reads a line ahead of its turn. */
static void read_line(const struct rows *rows, struct csv_field *fields, char *text,
                      struct rows_line *line)
{
    bool ascii;
    if (line->bytes == 1 || (line->bytes == 2 && text[0] == '\r') ||
        !is_wanted(rows, text, line->bytes))
        line->kind = LINE_EMPTY;
    else if (!csv_cut(&rows->csv, text, line->bytes - 1, fields, &ascii))
        line->kind = LINE_RAW;
    else if (!read_row(rows, fields, ascii, &line->row, &line->problem))
        line->kind = LINE_BAD;
    else
        line->kind = LINE_GOOD;
}

static void read_piece(const struct rows *rows, struct rows_piece *piece)
{
    if (piece->fields == NULL)
        piece->fields = heap_take(rows->csv.columns, sizeof *piece->fields);
    for (size_t at = 0; at < piece->bytes;) {
        char *text = piece->text + at;
        const char *end = memchr(text, '\n', piece->bytes - at);
        piece->lines =
            heap_reserve(piece->lines, &piece->room, piece->count + 1, sizeof *piece->lines);
        struct rows_line *line = &piece->lines[piece->count++];
        line->bytes = (size_t)(end + 1 - text);
        read_line(rows, piece->fields, text, line);
        at += line->bytes;
    }
}

/* Reads the next piece that nobody is at; false if there is none. */
static bool read_some(struct rows_work *work)
{
    const unsigned next = atomic_fetch_add(&work->next, 1);
    if (next >= PIECES)
        return false;
    read_piece(work->rows, &work->piece[next]);
    atomic_store(&work->piece[next].read, true);
    return true;
}

static void read_pieces(void *context, unsigned number)
{
    (void)number;
    while (read_some(context))
        continue;
}

/* Until none of the others reads. */
static void await_crew(struct rows *rows)
{
    if (rows->busy)
        crew_wait(rows->crew);
    rows->busy = false;
}

/* Has the whole lines that are at hand read; false where there is none. */
static bool read_ahead(struct rows *rows)
{
    size_t bytes = 0;
    await_crew(rows);
    char *text = csv_lines(&rows->csv, PIECES * rows->piece_bytes, &bytes);
    if (rows->work == NULL)
        rows->work = heap_take(1, sizeof *rows->work);
    rows->work->rows = rows;
    rows->piece = text == NULL ? PIECES : 0;
    rows->next = 0;
    if (text == NULL)
        return false;
    rows->busy = bytes > rows->piece_bytes && rows->threads > 1;
    for (unsigned i = 0; i < PIECES; i++) {
        struct rows_piece *piece = &rows->work->piece[i];
        const size_t share =
            rows->piece_bytes < bytes && i + 1 < PIECES ? rows->piece_bytes : bytes;
        const char *end = bytes == 0 ? NULL : memchr(text + share - 1, '\n', bytes - share + 1);
        piece->text = text;
        piece->count = 0;
        piece->bytes = end == NULL ? 0 : (size_t)(end + 1 - text);
        piece->read = false;
        text += piece->bytes;
        bytes -= piece->bytes;
    }
    rows->work->next = 0;
    if (rows->busy && rows->crew == NULL)
        rows->crew = crew_start(rows->threads);
    if (rows->busy)
        crew_begin(rows->crew, read_pieces, rows->work);
    return true;
}

/* Returns when a piece is read. */
static void await_piece(struct rows_work *work, const struct rows_piece *piece)
{
    while (!atomic_load(&piece->read))
        if (!read_some(work))
            sched_yield();
}

void rows_divide(struct rows *rows, size_t piece_bytes, unsigned threads)
{
    rows->piece_bytes = piece_bytes;
    rows->threads = threads;
}

/* The line whose turn it is, if it is read ahead; NULL behind the last. */
static struct rows_line *next_line(struct rows *rows)
{
    for (; rows->work != NULL && rows->piece < PIECES; rows->piece++, rows->next = 0) {
        struct rows_piece *piece = &rows->work->piece[rows->piece];
        if (rows->next == 0)
            await_piece(rows->work, piece);
        if (rows->next < piece->count)
            return &piece->lines[rows->next++];
    }
    return NULL;
}

/* Reads the next line, which was not read ahead or could not be cut. */
static enum csv_row read_own(struct rows *rows)
{
    struct problem problem;
    const enum csv_row kind = csv_try(&rows->csv);
    if (kind != CSV_ROW)
        return kind;
    rows->own.line = rows->csv.fields[0].place.line;
    if (read_row(rows, rows->csv.fields, false, &rows->own, &problem))
        return CSV_ROW;
    blame(rows, &rows->own, &problem);
    return CSV_BAD;
}

struct row *rows_next(struct rows *rows)
{
    for (;;) {
        struct rows_line *line = next_line(rows);
        if (line == NULL && read_ahead(rows))
            continue;
        if (line == NULL || line->kind == LINE_RAW) {
            const enum csv_row kind = read_own(rows);
            if (kind != CSV_BAD)
                return kind == CSV_ROW ? restored(rows, &rows->own) : NULL;
            continue;
        }
        line->row.line = rows->csv.at_line;
        csv_take_line(&rows->csv, line->bytes);
        if (line->kind == LINE_GOOD)
            return restored(rows, &line->row);
        if (line->kind == LINE_BAD)
            blame(rows, &line->row, &line->problem);
    }
}

struct row *rows_ahead(struct rows *rows, size_t lines)
{
    const size_t at = rows->next + lines - 1;
    if (rows->work == NULL || rows->piece == PIECES || at >= rows->work->piece[rows->piece].count)
        return NULL;
    struct rows_line *line = &rows->work->piece[rows->piece].lines[at];
    return line->kind == LINE_GOOD ? &line->row : NULL;
}

/* Whether a row without moves has a path nevertheless: one of no move. */
static bool has_empty_path(const struct cell *cells)
{
    return cells[COLUMN_length].text[0] != '\0' && cells[COLUMN_length].integer == 0;
}

/* The bound that a program's row has in `extra`; 0: it is none. */
static uint64_t bound_of(const struct row *row)
{
    const struct cell *cells = row->cells;
    enum cost_model model = COST_unit;
    struct shape shape;
    uint64_t bound = 0;
    json_auto_t *extra = json_loads(cells[COLUMN_extra].text, JSON_DECODE_INT_AS_REAL, NULL);
    const json_t *said = json_object_get(extra, "bound");
    char number[32];
    snprintf(number, sizeof number, "%.15g", json_number_value(said));
    (void)cost_model_parse(cells[COLUMN_cost_model].text, &model);
    return said != NULL &&
                   shape_make((unsigned)cells[COLUMN_width].integer,
                              (unsigned)cells[COLUMN_height].integer, &shape) &&
                   bound_parse(json_is_string(said) ? json_string_value(said) : number, model,
                               shape, &bound)
               ? bound
               : 0;
}

struct result row_result(const struct row *row)
{
    const struct cell *cells = row->cells;
    const char *moves = cells[COLUMN_moves].text;
    struct result result = {
        .status = cells[COLUMN_status].status,
        .length = (size_t)cells[COLUMN_length].integer,
        .moves = moves[0] == '\0' && !has_empty_path(cells) ? NULL : (char *)(uintptr_t)moves,
        .h_start =
            cells[COLUMN_h_start].text[0] == '\0' || cells[COLUMN_h_start].integer > INT32_MAX
                ? -1
                : (int)cells[COLUMN_h_start].integer,
        .solutions = cells[COLUMN_solutions].integer,
        .wall_seconds = cells[COLUMN_wall_s].number,
        .cpu_seconds = cells[COLUMN_cpu_s].number,
    };
    uint64_t values[COUNTERS];
    for (unsigned i = 0; i < COUNTERS; i++)
        values[i] = cells[FIRST_COUNTER + i].integer;
    memcpy(&result.statistics, values, sizeof values);
    if (strstr(cells[COLUMN_extra].text, "\"bound\":") != NULL &&
        measured_of(cells[COLUMN_measured].text) != MEASURED_SEARCH)
        result.bound = bound_of(row);
    return result;
}

void row_texts(const struct row *row, const char *texts[COLUMNS])
{
    for (size_t i = 0; i < COLUMNS; i++)
        texts[i] = row->cells[i].text;
}

void rows_end(struct rows *rows)
{
    await_crew(rows);
    crew_end(rows->crew);
    for (unsigned i = 0; rows->work != NULL && i < PIECES; i++)
        FREE(rows->work->piece[i].lines, rows->work->piece[i].fields);
    free(rows->work);
    rows->work = NULL;
    rows->crew = NULL;
    csv_end(&rows->csv);
}
