/* Boards as people write them, and the messages for texts that are not boards. */
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include "tests/test.h"
#include <time.h>

#define EIGHT "3x3@1: 1 2 3 4 5 6 7 8 0\n"

/* Reads a text (with a shape such as "2x3", or NULL) and writes what came of it: for each board its
 * shape, the line on which it begins and its tiles; else the problems. */
static char *reading_of(const char *text, const char *size)
{
    SCOPED_BY(report_end) struct report report;
    SCOPED_BY(board_list_end) struct board_list list;
    struct shape shape;
    char *seen = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&seen, &length);
    assert_non_null(out);
    assert_true(size == NULL || shape_parse(size, &shape));
    report_start(&report, "b");
    if (boards_parse(text, size == NULL ? NULL : &shape, FIRST_PLACE, &report, &list)) {
        assert_int_equal(report.count, 0);
        for (size_t i = 0; i < list.count; i++) {
            char line[BOARD_LINE];
            board_line(&list.boards[i], line);
            fprintf(out, "%ux%u@%zu: %s\n", list.boards[i].shape.width, list.boards[i].shape.height,
                    list.lines[i], line);
        }
    } else {
        assert_int_equal(list.count, 0);
        assert_true(report.count > 0);
        fputs(report.text, out);
    }
    fclose(out);
    return seen;
}

struct example {
    const char *text;
    const char *expected;
    const char *size; /* NULL: deduced from the text */
};

static void expect(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        SCOPED char *seen = reading_of(examples[i].text, examples[i].size);
        if (strcmp(seen, examples[i].expected) != 0)
            fail_msg("example %zu, '%s', was read as\n%sexpected:\n%s", i, examples[i].text, seen,
                     examples[i].expected);
    }
}

#define EXPECT(examples) expect(examples, sizeof(examples) / sizeof *(examples))

/* Texts that are boards. */

TEST(one_line_or_a_grid)
{
    static const struct example examples[] = {
        {"1 2 3 4 5 6 7 8 0", EIGHT, NULL},
        {"1 2 3 4 5 6 7 8 0\n", EIGHT, NULL},
        {"   1   2 3 4 5 6 7 8 0   ", EIGHT, NULL},
        {"1 2 3\n4 5 6\n7 8 0", EIGHT, NULL},
        {"1 2 3\n4 5 6\n7 8 0\n", EIGHT, NULL},
        {"  1 2 3\n  4 5 6\n  7 8 0\n", EIGHT, NULL},
        {"\n\n1 2 3\n4 5 6\n7 8 0\n\n\n", "3x3@3: 1 2 3 4 5 6 7 8 0\n", NULL},
        {"1 2 3 4\n5 6 7 0", "4x2@1: 1 2 3 4 5 6 7 0\n", NULL},
        {"1 2\n3 4\n5 0", "2x3@1: 1 2 3 4 5 0\n", NULL},
        {"1 2\n3 0\n5 4", "2x3@1: 1 2 3 0 5 4\n", NULL}, /* its first half is a 2x2 board too */
        {"1 2 3\n4 5 0", "3x2@1: 1 2 3 4 5 0\n", NULL},
        {"1 2\n3 0", "2x2@1: 1 2 3 0\n", NULL},
        {"01 2 3 4 5 6 7 8 00", EIGHT, NULL},
    };
    EXPECT(examples);
}

TEST(the_blank_has_many_forms)
{
    static const struct example examples[] = {
        {"1 2 3 4 5 6 7 8 -1", EIGHT, NULL}, {"1 2 3 4 5 6 7 8 _", EIGHT, NULL},
        {"1 2 3 4 5 6 7 8 x", EIGHT, NULL},  {"1 2 3 4 5 6 7 8 X", EIGHT, NULL},
        {"1 2 3 4 5 6 7 8 .", EIGHT, NULL},  {"-1 1 2 3", "2x2@1: 0 1 2 3\n", NULL},
    };
    EXPECT(examples);
}

TEST(separators_are_free)
{
    static const struct example examples[] = {
        {"1,2,3,4,5,6,7,8,0", EIGHT, NULL},           {"1, 2, 3, 4, 5, 6, 7, 8, 0", EIGHT, NULL},
        {"1\t2\t3\t4\t5\t6\t7\t8\t0", EIGHT, NULL},   {"1;2;3;4;5;6;7;8;0", EIGHT, NULL},
        {"1|2|3|4|5|6|7|8|0", EIGHT, NULL},           {"[1 2 3 4 5 6 7 8 0]", EIGHT, NULL},
        {"(1, 2, 3, 4, 5, 6, 7, 8, 0)", EIGHT, NULL}, {"{1,2,3,4,5,6,7,8,0}", EIGHT, NULL},
        {"[1 2 3, 4 5 6, 7 8 0]", EIGHT, NULL},       {"|1|2|3|\n|4|5|6|\n|7|8|.|", EIGHT, NULL},
        {"[1][2][3][4][5][6][7][8][0]", EIGHT, NULL},
    };
    EXPECT(examples);
}

TEST(semicolons_and_brackets_part_rows)
{
    static const struct example examples[] = {
        {"[[1,2,3],[4,5,6],[7,8,0]]", EIGHT, NULL},
        {"{{1,2,3},{4,5,6},{7,8,0}}", EIGHT, NULL},
        {"((1 2 3) (4 5 6) (7 8 0))", EIGHT, NULL},
        {"1 2 3; 4 5 6; 7 8 0", EIGHT, NULL},
        {"[1 2 3; 4 5 6; 7 8 0;]", EIGHT, NULL},
        {"1 2 3 4; 5 6 7 0", "4x2@1: 1 2 3 4 5 6 7 0\n", NULL},
        {"[[1,2],[3,4],[5,0]]", "2x3@1: 1 2 3 4 5 0\n", NULL},
        {"[[1,2],[3,4],[5,0]]", "2x3@1: 1 2 3 4 5 0\n", "2x3"},
        {"[[1,2,3],\n [4,5,6],\n [7,8,0]]\n", EIGHT, NULL},
        {"[\n[1,2,3],\n[4,5,6],\n[7,8,0]\n]\n", "3x3@2: 1 2 3 4 5 6 7 8 0\n", NULL},
        {"1 2 3;4 5 0\n1 2 3;4 0 5\n", "3x2@1: 1 2 3 4 5 0\n3x2@2: 1 2 3 4 0 5\n", NULL},
    };
    EXPECT(examples);
}

TEST(nine_characters_are_an_8_puzzle)
{
    static const struct example examples[] = {
        {"123456780", EIGHT, NULL},
        {" 12345678_ ", EIGHT, NULL},
        {"12345678x", EIGHT, NULL},
        {"[12345678.]", EIGHT, NULL},
        {"123456780\n123456708\n", "3x3@1: 1 2 3 4 5 6 7 8 0\n3x3@2: 1 2 3 4 5 6 7 0 8\n", NULL},
        {"123456780", EIGHT, "3x3"},
    };
    EXPECT(examples);
}

TEST(several_boards_one_a_line)
{
    static const struct example examples[] = {
        {"1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 0 8\n",
         "3x3@1: 1 2 3 4 5 6 7 8 0\n3x3@2: 1 2 3 4 5 6 7 0 8\n", NULL},
        {"1 2 3 0\n3 2 1 0", "2x2@1: 1 2 3 0\n2x2@2: 3 2 1 0\n", NULL},
        /* Four lines of four that would be a 4x4 grid, were they not whole boards. */
        {"1 2 3 0\n3 2 1 0\n1 2 0 3\n0 1 2 3",
         "2x2@1: 1 2 3 0\n2x2@2: 3 2 1 0\n2x2@3: 1 2 0 3\n2x2@4: 0 1 2 3\n", NULL},
        {"1 2 3 4 5 0\n5 4 3 2 1 0\n", "3x2@1: 1 2 3 4 5 0\n3x2@2: 5 4 3 2 1 0\n", "3x2"},
        {"1 2 3 4 5 6 7 8 0\n\n1 2 3 0\n", "3x3@1: 1 2 3 4 5 6 7 8 0\n2x2@3: 1 2 3 0\n", NULL},
    };
    EXPECT(examples);
}

TEST(several_grids)
{
    static const struct example examples[] = {
        {"1 2 3\n4 5 6\n7 8 0\n\n1 2 3\n4 5 6\n7 0 8\n",
         "3x3@1: 1 2 3 4 5 6 7 8 0\n3x3@5: 1 2 3 4 5 6 7 0 8\n", NULL},
        {"1 2 3\n4 5 6\n7 8 0\n1 2 3\n4 5 6\n7 0 8\n",
         "3x3@1: 1 2 3 4 5 6 7 8 0\n3x3@4: 1 2 3 4 5 6 7 0 8\n", NULL},
        {"1 2\n3 0\n3 2\n1 0\n", "2x2@1: 1 2 3 0\n2x2@3: 3 2 1 0\n", NULL},
        {"1 2 3\n4 5 0\n1 2 3\n4 0 5\n", "3x2@1: 1 2 3 4 5 0\n3x2@3: 1 2 3 4 0 5\n", NULL},
        {"1 2\n3 4\n5 0\n\n1 2 3\n4 0 5\n", "2x3@1: 1 2 3 4 5 0\n3x2@5: 1 2 3 4 0 5\n", NULL},
        {"1 2 3\n4 5 0\n0 1 2\n3 4 5\n", "3x2@1: 1 2 3 4 5 0\n3x2@3: 0 1 2 3 4 5\n", "3x2"},
        {"1 2 3 4 5 6 7 8 0\n1 2 3\n4 5 6\n7 0 8\n",
         "3x3@1: 1 2 3 4 5 6 7 8 0\n3x3@2: 1 2 3 4 5 6 7 0 8\n", NULL},
        {"1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n",
         "4x4@1: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0\n"
         "4x4@5: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n",
         NULL},
    };
    EXPECT(examples);
}

TEST(comments_are_left_out)
{
    static const struct example examples[] = {
        {"# the goal\n1 2 3 4 5 6 7 8 0 # solved\n", "3x3@2: 1 2 3 4 5 6 7 8 0\n", NULL},
        {"1 2 3 # 9 9\n# between the rows\n4 5 6\n7 8 0#", EIGHT, NULL},
        {"# only this\n", "", NULL},
        {"1 2 3 0 # a\n#\n3 2 1 0", "2x2@1: 1 2 3 0\n2x2@3: 3 2 1 0\n", NULL},
    };
    EXPECT(examples);
}

TEST(line_ends_and_byte_order_marks_do_not_matter)
{
    static const struct example examples[] = {
        {"1 2 3\r\n4 5 6\r\n7 8 0\r\n", EIGHT, NULL},
        {"123456780\r\n\r\n", EIGHT, NULL},
        {"1 2\r\n3 0\r\n\r\n3 2\r\n1 0", "2x2@1: 1 2 3 0\n2x2@4: 3 2 1 0\n", NULL},
        {"\xEF\xBB\xBF"
         "1 2 3 4 5 6 7 8 0",
         EIGHT, NULL},
    };
    EXPECT(examples);
}

TEST(the_shape_may_be_given)
{
    static const struct example examples[] = {
        {"1 2 3 4 5 0", "2x3@1: 1 2 3 4 5 0\n", "2x3"},
        {"1 2 3 4 5 0", "3x2@1: 1 2 3 4 5 0\n", "3x2"},
        {"1 2\n3 4\n5 0", "2x3@1: 1 2 3 4 5 0\n", "2x3"},
        {"1 2 3 4\n5 6 7 8\n9 10 11 0", "4x3@1: 1 2 3 4 5 6 7 8 9 10 11 0\n", "4x3"},
        {"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0", "8x2@1: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0\n",
         "8x2"},
    };
    EXPECT(examples);
}

TEST(no_cell_is_no_board_and_no_problem)
{
    static const struct example examples[] = {
        {"", "", NULL}, {"\n\n", "", NULL}, {"  \t", "", NULL}, {"[]", "", NULL}, {"", "", "3x3"},
    };
    EXPECT(examples);
}

/* Every shape there is: written as a grid, as rows separated by semicolons, and as one line with
 * the shape given. */
TEST(every_shape_is_read_in_every_form)
{
    for (unsigned width = MIN_SIDE; width <= MAX_SIDE; width++)
        for (unsigned height = MIN_SIDE; width * height <= MAX_CELLS; height++) {
            struct shape shape;
            assert_true(shape_make(width, height, &shape));
            for (unsigned form = 0; form < 3; form++) {
                char text[256] = "";
                size_t length = 0;
                for (unsigned i = 0; i < shape.cells; i++) {
                    const bool row_end = (i + 1) % width == 0;
                    length += (size_t)snprintf(text + length, sizeof text - length, "%u%s",
                                               (i + 1) % shape.cells,
                                               !row_end    ? " "
                                               : form == 0 ? "\n"
                                               : form == 1 ? "; "
                                                           : " ");
                }
                struct report report = {.file = "b"};
                struct board board;
                struct board goal;
                if (!board_parse(text, form == 2 ? &shape : NULL, FIRST_PLACE, &report, &board))
                    fail_msg("%s\n%s", text, report.text);
                assert_true(goal_named("blank-last", shape, &goal));
                assert_true(board_equal(&board, &goal));
            }
        }
}

/* Texts that are not boards. */

#define NO_CELL_FORM "expected a tile's number, or 0, -1, _, x or . for the blank\n"
#define SHOWS_NO_SHAPE                                                                             \
    "not show the board's width and height; expected 4, 9, 16, 25 or 36 cells, a grid of lines, "  \
    "or a given shape (such as --size 4x3)\n"
#define NO_BLANK "b:1:1: the blank is missing; expected a 0, -1, _, x or .\n"
#define UNEVEN   "in the first; expected rows of the same length\n"

TEST(wrong_tiles)
{
    static const struct example examples[] = {
        {"1 2 3 4 5 6 7 8 8",
         "b:1:17: tile 8 a second time; the first is at line 1, column 15\n" NO_BLANK, NULL},
        {"1 2 3 4 5 6 7 8 9",
         "b:1:17: tile 9 does not exist on a 3x3 board; expected 1 to 8, or 0 for the "
         "blank\n" NO_BLANK,
         NULL},
        {"1 2 3 4 5 6 7 0 0",
         "b:1:17: a second blank; the first is at line 1, column 15\nb:1:1: tile 8 is missing\n",
         NULL},
        {"1 2 3 4 5 6 7 x _",
         "b:1:17: a second blank; the first is at line 1, column 15\nb:1:1: tile 8 is missing\n",
         NULL},
        {"1 1 3 4 5 6 7 8 8",
         "b:1:3: tile 1 a second time; the first is at line 1, column 1\n"
         "b:1:17: tile 8 a second time; the first is at line 1, column 15\n" NO_BLANK
         "b:1:1: tile 2 is missing\n",
         NULL},
        {"1 2 3\n4 5 6\n7 7 0",
         "b:3:3: tile 7 a second time; the first is at line 3, column 1\nb:1:1: tile 8 is "
         "missing\n",
         NULL},
        {"1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 8 8\n1 2 3 4 5 6 7 7 0",
         "b:2:17: tile 8 a second time; the first is at line 2, column 15\n"
         "b:2:1: the blank is missing; expected a 0, -1, _, x or .\n"
         "b:3:15: tile 7 a second time; the first is at line 3, column 13\n"
         "b:3:1: tile 8 is missing\n",
         NULL},
        {"1 2 3\n4 5 6\n7 8 8\n\n1 2 3\n4 5 6\n7 7 0\n",
         "b:3:5: tile 8 a second time; the first is at line 3, column 3\n" NO_BLANK
         "b:7:3: tile 7 a second time; the first is at line 7, column 1\nb:5:1: tile 8 is "
         "missing\n",
         NULL},
        {"1 2 3\n4 5 6\n \t \n",
         "b:2:5: tile 6 does not exist on a 3x2 board; expected 1 to 5, or 0 for the blank\n"
         "b:1:1: the blank is missing; expected a 0, -1, _, x or .\n",
         NULL},
        {"123456789",
         "b:1:9: tile 9 does not exist on a 3x3 board; expected 1 to 8, or 0 for the "
         "blank\n" NO_BLANK,
         NULL},
        {"112345670",
         "b:1:2: tile 1 a second time; the first is at line 1, column 1\nb:1:1: tile 8 is "
         "missing\n",
         NULL},
        {"1 2 3 99999",
         "b:1:7: tile 99999 does not exist on a 2x2 board; expected 1 to 3, or 0 for the "
         "blank\n" NO_BLANK,
         NULL},
        {"1 2 3 4 5 6",
         "b:1:11: tile 6 does not exist on a 2x3 board; expected 1 to 5, or 0 for the "
         "blank\n" NO_BLANK,
         "2x3"},
    };
    EXPECT(examples);
}

TEST(words_that_are_no_cell)
{
    static const struct example examples[] = {
        {"1 2 3 4 a 6 7 8 0", "b:1:9: 'a' is not a cell; " NO_CELL_FORM, NULL},
        {"1 2 3 4 -2 6 7 8 0", "b:1:9: '-2' is not a cell; " NO_CELL_FORM, NULL},
        {"1 2 3 4 5.0 6 7 8 0", "b:1:9: '5.0' is not a cell; " NO_CELL_FORM, NULL},
        {"1 2 3 +4", "b:1:7: '+4' is not a cell; " NO_CELL_FORM, NULL},
        {"1 2 3 --1", "b:1:7: '--1' is not a cell; " NO_CELL_FORM, NULL},
        {"1 2 3 __", "b:1:7: '__' is not a cell; " NO_CELL_FORM, NULL},
        {"1 2 3 \"0\"", "b:1:7: '\"0\"' is not a cell; " NO_CELL_FORM, NULL},
        {"1 2 3 0x0", "b:1:7: '0x0' is not a cell; " NO_CELL_FORM, NULL},
        {"1 2 3 99999999999999999999", "b:1:7: '99999999999999999999' is not a cell; " NO_CELL_FORM,
         NULL},
        {"12345678", "b:1:1: '12345678' is not a cell; " NO_CELL_FORM, NULL},
        {"1234567890", "b:1:1: '1234567890' is not a cell; " NO_CELL_FORM, NULL},
        {"1 2 3\n4 five 6\n7 8 0", "b:2:3: 'five' is not a cell; " NO_CELL_FORM, NULL},
        {"+--+--+\n|1|2|\n|3|0|\n", "b:1:1: '+--+--+' is not a cell; " NO_CELL_FORM, NULL},
        {"an_uncommonly_long_word_that_goes_on_and_on_and_on",
         "b:1:1: 'an_uncommonly_long_word_that_goes_on_and' is not a cell; " NO_CELL_FORM, NULL},
        /* A bad board does not hide the problems of the next one. */
        {"1 2 a 0\n\n1 2 b 0",
         "b:1:5: 'a' is not a cell; " NO_CELL_FORM "b:3:5: 'b' is not a cell; " NO_CELL_FORM, NULL},
    };
    EXPECT(examples);
}

TEST(wrong_counts)
{
    static const struct example examples[] = {
        {"1 2 3 4 5 6 7 8", "b:1:1: 8 cells in one line do " SHOWS_NO_SHAPE, NULL},
        {"1 2 3 4 5 6 7 8 0 9", "b:1:1: 10 cells in one line do " SHOWS_NO_SHAPE, NULL},
        {"  1 2 3 4 5 0", "b:1:3: 6 cells in one line do " SHOWS_NO_SHAPE, NULL},
        {"0", "b:1:1: 1 cell in one line does " SHOWS_NO_SHAPE, NULL},
        {"1\n2\n3\n0", "b:1:1: 1 cell in one line does " SHOWS_NO_SHAPE, NULL},
        {"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 "
         "33 34 35 36 0",
         "b:1:1: 37 cells in one line do " SHOWS_NO_SHAPE, NULL},
        {"1 2 3 4 5 6 7 8 0",
         "b:1:1: 9 cells in this line do not make a 4x4 board; expected all 16 cells in one line, "
         "or 4 lines of 4\n",
         "4x4"},
        {"1 2 3\n4 5 0",
         "b:1:1: 3 cells in this line do not make a 2x3 board; expected all 6 cells in one line, "
         "or 3 lines of 2\n",
         "2x3"},
        {"1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 8\n",
         "b:2:1: 8 cells in this line do not make a 3x3 board; expected all 9 cells in one line, "
         "or 3 lines of 3\n",
         NULL},
        {"1 2 3 4 5 0\n7\n",
         "b:2:1: 1 cell in this line does not make a 3x2 board; expected all 6 cells in one line, "
         "or 2 lines of 3\n",
         "3x2"},
    };
    EXPECT(examples);
}

TEST(ragged_rows)
{
    static const struct example examples[] = {
        {"1 2 3\n4 5 6\n7 8", "b:3:1: 2 cells in row 3 of a 3x3 board; expected 3\n", NULL},
        {"1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15",
         "b:4:1: 3 cells in row 4 of a 4x4 board; expected 4\n", NULL},
        {"1 2 3\n4 5\n6 7 0", "b:2:1: 2 cells in this row, but 3 " UNEVEN, NULL},
        {"1 2\n3 4 5\n6 7 0", "b:2:1: 3 cells in this row, but 2 " UNEVEN, NULL},
        {"1 2 3 4\n5 6 7 8 0", "b:2:1: 5 cells in this row, but 4 " UNEVEN, NULL},
        {"1 2 3 4 5\n6", "b:2:1: 1 cell in this row, but 5 " UNEVEN, NULL},
        {"1 2 3\n4 5 6\n7 8 0\n1 2 3\n4 5 6\n", "b:4:1: a 3x3 board with 2 rows; expected 3 rows\n",
         NULL},
        {"1 2 3\n4 5 6\n7 8 0\n1 2 3\n", "b:4:1: a 3x3 board with 1 row; expected 3 rows\n", NULL},
        {"1 2 3\n4 5 0\n1 2 3\n4 0", "b:4:1: 2 cells in row 2 of a 3x2 board; expected 3\n", "3x2"},
        {"1 2 3; 4 5; 6 7 8 0", "b:1:8: 2 cells in row 2 of a 3x3 board; expected 3\n", NULL},
        {"[[1,2,3],[4,5,6],[7,8]]", "b:1:19: 2 cells in this row, but 3 " UNEVEN, NULL},
        {"1 2 3 4; 5 6 7 0", "b:1:1: 4 cells in row 1 of a 2x4 board; expected 2\n", "2x4"},
    };
    EXPECT(examples);
}

/* As puzzle files of courses have it: N above N rows of N cells. */
TEST(a_size_above_the_board)
{
    static const struct example examples[] = {
        {"3\n1 2 3\n4 5 6\n7 8 0\n", "3x3@2: 1 2 3 4 5 6 7 8 0\n", NULL},
        {"3\n 1  2  3 \n 4  5  6 \n 7  8  0 \n", "3x3@2: 1 2 3 4 5 6 7 8 0\n", "3x3"},
        {"# This puzzle is solvable\n3\n1 2 3\n4 5 6\n7 8 0\n", "3x3@3: 1 2 3 4 5 6 7 8 0\n", NULL},
        {"2\n1 2\n3 0\n2\n1 0\n3 2\n", "2x2@2: 1 2 3 0\n2x2@5: 1 0 3 2\n", NULL},
        {"2\n1 2\n3 0\n\n3\n1 2 3\n4 5 6\n7 8 0\n", "2x2@2: 1 2 3 0\n3x3@6: 1 2 3 4 5 6 7 8 0\n",
         NULL},
        {"3\n1 2 3\n4 5 6\n", "b:2:1: 3 cells in this row, but 1 " UNEVEN, NULL},
        {"4\n1 2 3\n4 5 6\n7 8 0\n", "b:2:1: 3 cells in this row, but 1 " UNEVEN, NULL},
        {"3\n1 2 3\n4 5\n7 8 0\n", "b:3:1: 2 cells in row 2 of a 3x3 board; expected 3\n", NULL},
        {"3\n1 2 3\n4 5 6\n7 8 0\n",
         "b:1:1: 1 cell in this line does not make a 3x2 board; "
         "expected all 6 cells in one line, or 2 lines of 3\n",
         "3x2"},
    };
    EXPECT(examples);
}

/* A given shape that does not fit, tabs and byte order marks: places count bytes of the text as it
 * stands after the mark. */
TEST(places_are_counted_in_bytes)
{
    static const struct example examples[] = {
        {"\t1\t2\t3\t!", "b:1:8: '!' is not a cell; " NO_CELL_FORM, NULL},
        {"\xEF\xBB\xBF"
         "1 2 3 !",
         "b:1:7: '!' is not a cell; " NO_CELL_FORM, NULL},
        {"1 2 3 0\r\n1 2 3 !\r\n", "b:2:7: '!' is not a cell; " NO_CELL_FORM, NULL},
    };
    SCOPED_BY(report_end) struct report report;
    struct board board;
    EXPECT(examples);
    /* A text within another one, as a field of a file. */
    report_start(&report, "set.csv");
    assert_false(board_parse("1 2 3 !\n", NULL, (struct text_place){12, 5}, &report, &board));
    assert_string_equal(report.text, "set.csv:12:11: '!' is not a cell; " NO_CELL_FORM);
}

/* One board, and goals. */

static void expect_one(const char *text, const char *problem)
{
    SCOPED_BY(report_end) struct report report = {.file = "b"};
    struct board board;
    assert_int_equal(board_parse(text, NULL, FIRST_PLACE, &report, &board), problem == NULL);
    assert_string_equal(report.text == NULL ? "" : report.text, problem == NULL ? "" : problem);
}

TEST(exactly_one_board)
{
    expect_one("1 2 3 0", NULL);
    expect_one("", "b:1:1: no board here; expected cells, such as 1 2 3 4 5 6 7 8 0\n");
    expect_one("# nothing\n", "b:1:1: no board here; expected cells, such as 1 2 3 4 5 6 7 8 0\n");
    expect_one("1 2 3 0\n\n3 2 1 0", "b:3:1: a second board begins here; expected only one\n");
    expect_one("123456780 123456780", "b:1:1: '123456780' is not a cell; " NO_CELL_FORM);
}

static void expect_goal(const char *text, const char *expected)
{
    SCOPED_BY(report_end) struct report report = {.file = "--goal"};
    struct shape shape;
    struct board goal;
    char line[BOARD_LINE];
    assert_true(shape_make(3, 3, &shape));
    if (goal_parse(text, shape, FIRST_PLACE, &report, &goal)) {
        board_line(&goal, line);
        assert_string_equal(line, expected);
    } else {
        assert_string_equal(report.text, expected);
    }
}

TEST(goals_are_names_or_boards)
{
    expect_goal("blank-last", "1 2 3 4 5 6 7 8 0");
    expect_goal("snail", "1 2 3 8 0 4 7 6 5");
    expect_goal("[1 2 3, 5 8 6, 0 7 4]", "1 2 3 5 8 6 0 7 4");
    expect_goal("123586074", "1 2 3 5 8 6 0 7 4");
    expect_goal("_12345678", "0 1 2 3 4 5 6 7 8");
    expect_goal("x12345678", "0 1 2 3 4 5 6 7 8");
    expect_goal("-1 1 2 3 4 5 6 7 8", "0 1 2 3 4 5 6 7 8");
    expect_goal(
        "blank-lst",
        "--goal:1:1: unknown goal 'blank-lst'; expected blank-last, blank-first, snail or a "
        "whole board; did you mean 'blank-last'?\n");
    expect_goal("Snail", "--goal:1:1: unknown goal 'Snail'; expected blank-last, blank-first, "
                         "snail or a whole board; "
                         "did you mean 'snail'?\n");
    expect_goal(
        "spiral-out",
        "--goal:1:1: unknown goal 'spiral-out'; expected blank-last, blank-first, snail or a "
        "whole board\n");
    expect_goal("", "--goal:1:1: no board here; expected cells, such as 1 2 3 4 5 6 7 8 0\n");
    expect_goal(
        "1 2 3 0",
        "--goal:1:1: 4 cells in this line do not make a 3x3 board; expected all 9 cells in one "
        "line, or 3 lines of 3\n");
}

/* A megabyte of cells in one line, and as many lines, are refused and read in the time that reading
 * takes. */
TEST(long_texts_are_read_in_linear_time)
{
    enum { BYTES = 1000000 };
    char *text = test_malloc(BYTES + 1);
    clock_t start = clock();
    for (size_t i = 0; i < BYTES; i += 2)
        memcpy(text + i, "0 ", 2);
    text[BYTES] = '\0';
    ASSERT_TEXT(reading_of(text, NULL), "b:1:1: 500000 cells in one line do " SHOWS_NO_SHAPE);
    for (size_t i = 0; i + 8 <= BYTES; i += 8)
        memcpy(text + i, "1 2 3 0\n", 8);
    struct report report = {.file = "b"};
    SCOPED_BY(board_list_end) struct board_list list;
    assert_true(boards_parse(text, NULL, FIRST_PLACE, &report, &list));
    assert_int_equal(list.count, BYTES / 8);
    assert_int_equal(list.lines[list.count - 1], BYTES / 8);
    test_free(text);
    assert_true((clock() - start) / CLOCKS_PER_SEC < 20);
}
