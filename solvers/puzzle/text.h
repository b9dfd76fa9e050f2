/* Boards as people write them.
 *
 * Cells are numbers; the blank is 0, -1, `_`, `x`, `X` or `.`. Spaces, tabs, commas, semicolons,
 * bars and brackets of any kind separate cells; `#` starts a comment that runs to the end of the
 * line. A board is one line (1 2 3 4 5 6 7 8 0), a grid of H lines with W cells each, or one line
 * whose rows are separated by semicolons or brackets ([[1,2,3],[4,5,6],[7,8,0]]). A text holds any
 * number of boards: one per line, or grids one after the other, with or without empty lines between
 * them; above an NxN grid there may be a line with N. A line that is one word of nine characters
 * (123456780) is a 3x3 board. The shape is deduced
 * from the text; a single line without separated rows can only be a square, so other shapes must be
 * given. */
#pragma once

#include "base/report.h"
#include "puzzle/board.h"

struct board_list {
    struct board *boards; /* owned; free() */
    size_t *lines;        /* the line on which each board starts; owned; free() */
    size_t count;
};

/* Reads all boards of `text`. `shape` is the shape that they must have, or NULL to deduce it from
 * the text. Problems go to `report` with their line and column; `line` and `column` are those of
 * the text's first byte (1 and 1 for a whole file). If there are any, returns false and the list is
 * empty. A text without cells gives an empty list and no problem. */
bool boards_parse(const char *text, const struct shape *shape, struct text_place place,
                  struct report *report, struct board_list *list);

/* Reads what board_line writes, and nothing else: false for any other text, which board_parse
 * may still take for a board. */
bool board_of_line(const char *text, struct shape shape, struct board *board);

/* Reads a text that must hold exactly one board. */
bool board_parse(const char *text, const struct shape *shape, struct text_place place,
                 struct report *report, struct board *board);

/* Reads a goal: one of goal_names, or a complete board of this shape. */
bool goal_parse(const char *text, struct shape shape, struct text_place place,
                struct report *report, struct board *goal);

void board_list_end(struct board_list *list);
