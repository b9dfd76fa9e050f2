#include "puzzle/text.h"
#include "base/file.h"
#include "base/heap.h"
#include "puzzle/goal.h"
#include <ctype.h>

/* One cell as written. */
struct token {
    int tile; /* 0 for the blank */
    struct text_place place;
    unsigned row; /* its row within the line, if semicolons or brackets separate rows */
};

/* The cells of one line. */
struct line {
    size_t first; /* index of its first token */
    size_t count;
    unsigned rows; /* rows within the line; 1 if nothing separates them */
};

struct reader {
    struct report *report;
    struct token *tokens;
    size_t token_count;
    struct line *lines; /* lines that hold cells */
    size_t line_count;
    struct board_list *list;
};

static const char separators[] = " \t\r,;|[](){}";

enum { MAX_SQUARE_SIDE = 6 }; /* of a square board */

static void add_token(struct reader *reader, int tile, struct text_place place, unsigned row)
{
    *HEAP_ADD(reader->tokens, reader->token_count) = (struct token){tile, place, row};
}

static bool is_blank_sign(char sign)
{
    return sign != '\0' && strchr("_xX.", sign) != NULL;
}

/* Reads one word as a cell; false, with a problem in the report, if it is not one. */
static bool read_word(struct reader *reader, const char *word, size_t length,
                      struct text_place place, unsigned row)
{
    if (length == 1 && is_blank_sign(word[0])) {
        add_token(reader, 0, place, row);
        return true;
    }
    if (length == 2 && memcmp(word, "-1", 2) == 0) {
        add_token(reader, 0, place, row);
        return true;
    }
    int tile = 0;
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)word[digits]) && tile <= 9999)
        tile = 10 * tile + (word[digits++] - '0');
    if (digits == length) {
        add_token(reader, tile, place, row);
        return true;
    }
    return report_add(
        reader->report, place,
        "'%.*s' is not a cell; expected a tile's number, or 0, -1, _, x or . for the blank",
        length > 40 ? 40 : (int)length, word);
}

/* A line that is one word of nine digits or blank signs: each character is a cell. */
static bool read_compact(struct reader *reader, const char *word, size_t length,
                         struct text_place place)
{
    enum { COMPACT = 9 };
    if (length != COMPACT)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)word[i]) && !is_blank_sign(word[i]))
            return false;
    for (size_t i = 0; i < length; i++)
        add_token(reader, isdigit((unsigned char)word[i]) ? word[i] - '0' : 0,
                  place_after(place, i), 0);
    return true;
}

static bool read_line(struct reader *reader, const char *text, size_t length,
                      struct text_place place)
{
    struct line read = {.first = reader->token_count};
    unsigned row = 0;
    bool fine = true;
    bool row_open = false; /* cells were read since the last row separator */
    size_t at = 0;
    while (at < length && fine) {
        if (strchr(separators, text[at]) != NULL) {
            if (strchr(";]})", text[at]) != NULL && row_open) {
                row++;
                row_open = false;
            }
            at++;
            continue;
        }
        size_t end = at;
        while (end < length && strchr(separators, text[end]) == NULL)
            end++;
        bool alone = reader->token_count == read.first;
        for (size_t i = end; i < length && alone; i++)
            alone = strchr(separators, text[i]) != NULL;
        if (!alone || !read_compact(reader, text + at, end - at, place_after(place, at)))
            fine = read_word(reader, text + at, end - at, place_after(place, at), row);
        row_open = true;
        at = end;
    }
    read.count = reader->token_count - read.first;
    read.rows = row + (row_open ? 1 : 0);
    if (read.count > 0) {
        *HEAP_ADD(reader->lines, reader->line_count) = read;
    }
    return fine;
}

/* Checks `shape.cells` tokens and adds them as a board. */
static bool add_board(struct reader *reader, size_t first, struct shape shape)
{
    const struct token *tokens = reader->tokens + first;
    const struct token *seen[MAX_CELLS] = {NULL};
    uint8_t tiles[MAX_CELLS];
    size_t before = reader->report->count;
    for (unsigned i = 0; i < shape.cells; i++) {
        const struct token *token = &tokens[i];
        if (token->tile >= shape.cells) {
            report_add(
                reader->report, token->place,
                "tile %d does not exist on a %ux%u board; expected 1 to %u, or 0 for the blank",
                token->tile, shape.width, shape.height, shape.cells - 1U);
            continue;
        }
        const struct token *other = seen[token->tile];
        if (other != NULL && token->tile == 0)
            report_add(reader->report, token->place,
                       "a second blank; the first is at line %zu, column %zu", other->place.line,
                       other->place.column);
        else if (other != NULL)
            report_add(reader->report, token->place,
                       "tile %d a second time; the first is at line %zu, column %zu", token->tile,
                       other->place.line, other->place.column);
        else
            seen[token->tile] = token;
        tiles[i] = (uint8_t)token->tile;
    }
    for (unsigned tile = 0; tile < shape.cells; tile++) {
        if (seen[tile] != NULL)
            continue;
        if (tile == 0)
            report_add(reader->report, tokens[0].place,
                       "the blank is missing; expected a 0, -1, _, x or .");
        else
            report_add(reader->report, tokens[0].place, "tile %u is missing", tile);
    }
    if (reader->report->count != before)
        return false;
    struct board_list *list = reader->list;
    list->boards = heap_grow(list->boards, list->count, sizeof *list->boards);
    list->lines = heap_grow(list->lines, list->count, sizeof *list->lines);
    list->lines[list->count] = tokens[0].place.line;
    return board_make(shape, tiles, &list->boards[list->count++]);
}

/* Whether semicolons or brackets divide a line into rows. If they stand between all cells, they
 * only separate cells. */
static bool has_rows(const struct line *line)
{
    return line->rows > 1 && line->rows < line->count;
}

/* The cells in a row of such a line, from 0; `first` is the index of its first token. */
static size_t row_cells(const struct reader *reader, const struct line *line, unsigned row,
                        size_t *first)
{
    size_t cells = 0;
    for (size_t i = line->first; i < line->first + line->count; i++)
        if (reader->tokens[i].row == row && cells++ == 0)
            *first = i;
    return cells;
}

/* The shape of a board on one line: by its rows if the line has rows, else a square. */
static bool shape_of_line(const struct reader *reader, const struct line *line, struct shape *shape)
{
    size_t count = line->count;
    if (count > MAX_CELLS)
        return false;
    if (has_rows(line) && count % line->rows == 0) {
        unsigned width = (unsigned)count / line->rows;
        bool even = true;
        for (size_t i = 0; i < count; i++)
            even = even && reader->tokens[line->first + i].row == i / width;
        if (even && shape_make(width, line->rows, shape))
            return true;
    }
    for (unsigned side = MIN_SIDE; side * side <= count; side++)
        if (side * side == count)
            return shape_make(side, side, shape);
    return false;
}

/* Whether `count` tokens are the tiles 0 .. count - 1. */
static bool is_permutation(const struct reader *reader, size_t first, size_t count)
{
    uint64_t seen = 0;
    for (size_t i = 0; i < count && count <= MAX_CELLS; i++)
        if (reader->tokens[first + i].tile < (int)count)
            seen |= (uint64_t)1 << reader->tokens[first + i].tile;
    return count <= MAX_CELLS && seen == ((uint64_t)1 << count) - 1;
}

/* Checks that the rows within a line fit the shape. */
static bool check_rows(const struct reader *reader, const struct line *line, struct shape shape)
{
    for (unsigned row = 0; has_rows(line) && row < line->rows; row++) {
        size_t first = line->first;
        size_t cells = row_cells(reader, line, row, &first);
        if (cells == shape.width)
            continue;
        return report_add(reader->report, reader->tokens[first].place,
                          "%zu cell%s in row %u of a %ux%u board; expected %u", cells,
                          cells == 1 ? "" : "s", row + 1, shape.width, shape.height, shape.width);
    }
    return true;
}

/* N where the first line is N alone and the next one has N cells, as puzzle files write their size
 * above an N x N board; else 0. */
static unsigned size_above(const struct reader *reader, const struct line *lines, size_t count)
{
    const int size = lines[0].count == 1 ? reader->tokens[lines[0].first].tile : 0;
    return size >= MIN_SIDE && count > (size_t)size && lines[1].count == (size_t)size
               ? (unsigned)size
               : 0;
}

/* Reads a block (lines without an empty line between them) in a given shape: one board per line, or
 * H lines of W cells each. */
static bool read_block_as(struct reader *reader, const struct line *lines, size_t count,
                          struct shape shape)
{
    bool fine = true;
    for (size_t i = 0; i < count;) {
        const struct line *line = &lines[i];
        const unsigned size = size_above(reader, line, count - i);
        if (size > 0 && size == shape.width && size == shape.height) {
            i++;
            continue;
        }
        if (line->count == shape.cells) {
            fine = check_rows(reader, line, shape) && add_board(reader, line->first, shape) && fine;
            i++;
            continue;
        }
        size_t rows = 0;
        while (i + rows < count && rows < shape.height && lines[i + rows].count == shape.width)
            rows++;
        const struct token *token = &reader->tokens[line->first];
        if (rows == shape.height) {
            fine = add_board(reader, line->first, shape) && fine;
            i += rows;
            continue;
        }
        if (rows == 0)
            report_add(reader->report, token->place,
                       "%zu cell%s in this line %s not make a %ux%u board; expected all %u cells "
                       "in one line, or %u lines of %u",
                       line->count, line->count == 1 ? "" : "s", line->count == 1 ? "does" : "do",
                       shape.width, shape.height, shape.cells, shape.height, shape.width);
        else if (i + rows < count)
            report_add(reader->report, reader->tokens[lines[i + rows].first].place,
                       "%zu cell%s in row %zu of a %ux%u board; expected %u", lines[i + rows].count,
                       lines[i + rows].count == 1 ? "" : "s", rows + 1, shape.width, shape.height,
                       shape.width);
        else
            report_add(reader->report, token->place,
                       "a %ux%u board with %zu row%s; expected %u rows", shape.width, shape.height,
                       rows, rows == 1 ? "" : "s", shape.height);
        return false;
    }
    return fine;
}

/* Reports a row whose length differs from that of the first. */
static bool report_ragged(const struct reader *reader, size_t token, size_t cells, size_t width)
{
    return report_add(
        reader->report, reader->tokens[token].place,
        "%zu cell%s in this row, but %zu in the first; expected rows of the same length", cells,
        cells == 1 ? "" : "s", width);
}

/* Reports a line whose cells fit no shape. */
static bool report_line(const struct reader *reader, const struct line *line)
{
    size_t first = line->first;
    size_t width = row_cells(reader, line, 0, &first);
    for (unsigned row = 1; has_rows(line) && row < line->rows; row++) {
        size_t cells = row_cells(reader, line, row, &first);
        if (cells != width)
            return report_ragged(reader, first, cells, width);
    }
    return report_add(
        reader->report, reader->tokens[line->first].place,
        "%zu cell%s in one line do%s not show the board's width and height; expected 4, 9, "
        "16, 25 or 36 cells, a grid of lines, or a given shape (such as --size 4x3)",
        line->count, line->count == 1 ? "" : "s", line->count == 1 ? "es" : "");
}

/* Reads a block and deduces its shape: grids and one board per line can look alike, and their tiles
 * decide. */
static bool read_block(struct reader *reader, const struct line *lines, size_t count)
{
    struct shape shape;
    const size_t width = lines[0].count;
    const bool may_be_lines = shape_of_line(reader, &lines[0], &shape);
    size_t even = 1; /* leading lines of the same length */
    const unsigned size = size_above(reader, lines, count);
    if (size > 0 && shape_make(size, size, &shape))
        return read_block_as(reader, lines, count, shape);
    if (may_be_lines && (count == 1 || is_permutation(reader, lines[0].first, width)))
        return read_block_as(reader, lines, count, shape);
    while (even < count && lines[even].count == width)
        even++;
    /* Grids one below the other: the tiles of the first give its height. Tries the largest height
     * first, because 1 2, 3 0 may continue with 5 4. */
    struct shape grid;
    for (size_t height = even; height >= MIN_SIDE; height--)
        if (is_permutation(reader, lines[0].first, width * height) &&
            shape_make((unsigned)width, (unsigned)height, &grid))
            return read_block_as(reader, lines, count, grid);
    /* Nothing fits. The problem is reported for the most likely intention: a square, a grid of all
     * lines, one board per line. */
    if (width <= MAX_SIDE && width <= count && even > 1 && (count > width || even < count) &&
        shape_make((unsigned)width, (unsigned)width, &grid))
        return read_block_as(reader, lines, count, grid);
    if (even == count && width <= MAX_SIDE && count <= MAX_SIDE &&
        shape_make((unsigned)width, (unsigned)count, &grid))
        return read_block_as(reader, lines, count, grid);
    if (may_be_lines && (even == count || width > MAX_SQUARE_SIDE))
        return read_block_as(reader, lines, count, shape);
    if (even < count)
        return report_ragged(reader, lines[even].first, lines[even].count, width);
    return report_line(reader, &lines[0]);
}

bool boards_parse(const char *text, const struct shape *shape, struct text_place place,
                  struct report *report, struct board_list *list)
{
    struct reader reader = {.report = report, .list = list};
    const size_t before = report->count;
    size_t block = 0;             /* the first line of the current block */
    size_t block_before = before; /* problems before the block */
    bool more = true;
    *list = (struct board_list){0};
    text = file_past_mark(text);
    while (more) {
        size_t whole = strcspn(text, "\n");
        size_t length = whole;
        const char *comment = memchr(text, '#', length);
        if (comment != NULL)
            length = (size_t)(comment - text);
        size_t lines_before = reader.line_count;
        bool empty = read_line(&reader, text, length, place) && reader.line_count == lines_before &&
                     comment == NULL;
        more = text[whole] == '\n';
        if (!more || empty) { /* the block ends */
            size_t count = reader.line_count - block;
            if (count > 0 && report->count == block_before) {
                const struct line *lines = reader.lines + block;
                if (shape != NULL)
                    read_block_as(&reader, lines, count, *shape);
                else
                    read_block(&reader, lines, count);
            }
            block = reader.line_count;
            block_before = report->count;
        }
        text += whole + 1;
        place = (struct text_place){place.line + 1, 1};
    }
    free(reader.tokens);
    free(reader.lines);
    if (report->count == before)
        return true;
    board_list_end(list);
    return false;
}

bool board_parse(const char *text, const struct shape *shape, struct text_place place,
                 struct report *report, struct board *board)
{
    struct board_list list;
    if (!boards_parse(text, shape, place, report, &list))
        return false;
    bool one = list.count == 1;
    if (one)
        *board = list.boards[0];
    else if (list.count == 0)
        report_add(report, place, "no board here; expected cells, such as 1 2 3 4 5 6 7 8 0");
    else
        report_add(report, (struct text_place){list.lines[1], 1},
                   "a second board begins here; expected only one");
    board_list_end(&list);
    return one;
}

bool goal_parse(const char *text, struct shape shape, struct text_place place,
                struct report *report, struct board *goal)
{
    if (goal_named(text, shape, goal))
        return true;
    bool begins_as_board =
        isdigit((unsigned char)text[0]) || is_blank_sign(text[0]) || text[0] == '-';
    if (text[0] == '\0' || (begins_as_board && strpbrk(text, "0123456789") != NULL) ||
        strpbrk(text, separators) != NULL)
        return board_parse(text, &shape, place, report, goal);
    SCOPED char *meant = word_meant(text, goal_names, GOAL_NAMES);
    return report_add(report, place, "unknown goal '%s'; expected %s, %s, %s or a whole board%s",
                      text, goal_names[0], goal_names[1], goal_names[2], meant);
}

void board_list_end(struct board_list *list)
{
    free(list->boards);
    free(list->lines);
    *list = (struct board_list){0};
}

bool board_of_line(const char *text, struct shape shape, struct board *board)
{
    uint8_t tiles[MAX_CELLS];
    for (unsigned i = 0; i < shape.cells; i++, text++) {
        unsigned tile = (unsigned char)*text - (unsigned)'0';
        const unsigned second = tile > 9 ? 10 : (unsigned char)text[1] - (unsigned)'0';
        if (tile > 9)
            return false;
        if (tile > 0 && second <= 9) {
            tile = 10 * tile + second;
            text++;
        }
        text++;
        if (*text != (i + 1 < shape.cells ? ' ' : '\0'))
            return false;
        tiles[i] = (uint8_t)tile;
    }
    return board_make(shape, tiles, board);
}
