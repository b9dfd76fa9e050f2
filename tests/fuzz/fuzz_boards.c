/* Boards and goals from any text, in no shape or a given one, are read or refused with a problem. A
 * board that was read and is printed on a line is read from it as the same. */
#include "fuzz.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"

static void check_same(const struct board *board)
{
    char line[BOARD_LINE];
    struct report report = {0};
    struct board again;
    board_line(board, line);
    MUST_HOLD(board_parse(line, &board->shape, FIRST_PLACE, &report, &again));
    MUST_HOLD(board_equal(board, &again));
    MUST_HOLD(goal_parse(line, board->shape, FIRST_PLACE, &report, &again));
    MUST_HOLD(board_equal(board, &again));
    if (board->shape.width == board->shape.height) { /* a square shows its shape */
        MUST_HOLD(board_parse(line, NULL, FIRST_PLACE, &report, &again));
        MUST_HOLD(board_equal(board, &again));
    }
}

static void check_boards(const char *text, const struct shape *shape)
{
    SCOPED_BY(report_end) struct report report = {.file = "fuzz"};
    SCOPED_BY(board_list_end) struct board_list list;
    bool fine = boards_parse(text, shape, FIRST_PLACE, &report, &list);
    MUST_HOLD(fine == (report.count == 0));
    MUST_HOLD(fine || list.count == 0);
    for (size_t i = 0; i < list.count; i++) {
        MUST_HOLD(shape == NULL || shape_equal(list.boards[i].shape, *shape));
        MUST_HOLD(list.lines[i] > (i == 0 ? 0 : list.lines[i - 1]));
        check_same(&list.boards[i]);
    }
}

static void check_goal(const char *text, struct shape shape)
{
    SCOPED_BY(report_end) struct report report = {.file = "fuzz"};
    struct board goal;
    bool fine = goal_parse(text, shape, FIRST_PLACE, &report, &goal);
    MUST_HOLD(fine == (report.count == 0));
    if (fine) {
        MUST_HOLD(shape_equal(goal.shape, shape));
        check_same(&goal);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct shape shapes[] = {{2, 2, 4},  {3, 3, 9},   {4, 4, 16},
                                          {3, 2, 6},  {2, 3, 6},   {4, 3, 12},
                                          {6, 6, 36}, {18, 2, 36}, {2, 18, 36}};
    SCOPED char *text = fuzz_text(data, size);
    check_boards(text, NULL);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        check_boards(text, &shapes[i]);
        check_goal(text, shapes[i]);
    }
    return 0;
}
