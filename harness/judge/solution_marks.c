#include "harness/judge/solution_marks.h"
#include "algorithms/solver.h"
#include "base/file.h"
#include "base/heap.h"
#include "heuristics/walking_distance.h"
#include "instances/set.h"
#include "puzzle/replay.h"
#include "puzzle/text.h"
#include <ctype.h>

#define SEARCH_MEMORY (UINT64_C(1) << 30)

/* The answer as it was given. */
struct answer {
    struct board *boards; /* the start and, if the answer is boards, what follows it */
    size_t count;
    char *moves; /* letters as typed, without what separates them; NULL if boards were given */
};

static bool separates(char letter)
{
    return letter == ' ' || letter == ',' || letter == ';' || letter == '\t' || letter == '\n' ||
           letter == '\r';
}

/* Whether a text is moves: letters and what separates them, no digit and nothing else a board has.
 * `strict`: only the letters of moves. */
static bool is_moves(const char *text, bool strict)
{
    bool others = false;
    for (; *text != '\0'; text++) {
        if (separates(*text))
            continue;
        if (!isalpha((unsigned char)*text) || (strict && move_parse(*text) == MOVE_NONE))
            return false;
        others = others || (*text != 'x' && *text != 'X');
    }
    return others || strict;
}

/* Whether a word is a file. One that consists of digits is a tile, whatever files there are. */
static bool is_file(const char *word)
{
    bool letters = false;
    for (const char *at = word; *at != '\0'; at++)
        letters = letters || (isalpha((unsigned char)*at) && *at != 'x' && *at != 'X');
    return strcmp(word, "-") == 0 || (letters && !is_moves(word, true) && text_names_file(word));
}

static void add_moves(struct answer *answer, const char *text)
{
    size_t length = answer->moves == NULL ? 0 : strlen(answer->moves);
    answer->moves = heap_resize(answer->moves, length + strlen(text) + 1);
    for (; *text != '\0'; text++)
        if (!separates(*text))
            answer->moves[length++] = *text;
    answer->moves[length] = '\0';
}

static bool add_boards(const struct solution_question *question, struct answer *answer,
                       const char *text, struct report *report)
{
    struct board_list list;
    const struct shape *shape = answer->count > 0 ? &answer->boards[0].shape : question->shape;
    if (!boards_parse(text, shape, FIRST_PLACE, report, &list))
        return false;
    for (size_t i = 0; i < list.count; i++) {
        /* A file of boards begins with the start, which may have been typed as well. */
        if (i == 0 && answer->count == 1 && board_equal(&list.boards[0], &answer->boards[0]))
            continue;
        *HEAP_ADD(answer->boards, answer->count) = list.boards[i];
    }
    board_list_end(&list);
    return true;
}

static bool add_file(const struct solution_question *question, struct answer *answer,
                     const char *path, struct report *report)
{
    report->file = strcmp(path, "-") == 0 ? "standard input" : path;
    SCOPED char *text = file_read_typed(path, NULL, report);
    bool fine = text != NULL;
    if (fine && is_moves(text, false))
        add_moves(answer, text);
    else if (fine)
        fine = add_boards(question, answer, text, report);
    return fine;
}

/* Reads the words: the moves, files, and what is left is a board. */
static bool read_answer(const struct solution_question *question, struct answer *answer,
                        struct report *report)
{
    SCOPED char *board = NULL;
    bool fine = true;
    for (size_t i = 0; i < question->count; i++) {
        const char *word = question->words[i];
        if (*word != '\0' && !is_moves(word, false) && !is_file(word))
            heap_append(&board, "%s ", word);
    }
    report->file = "board";
    if (board != NULL)
        fine = add_boards(question, answer, board, report);
    for (size_t i = 0; fine && i < question->count; i++) {
        const char *word = question->words[i];
        if (is_file(word))
            fine = add_file(question, answer, word, report);
        else if (*word == '\0' || is_moves(word, false))
            add_moves(answer, word);
    }
    return fine;
}

static bool check_answer(const struct answer *answer, struct report *report)
{
    report->file = "tilelab verify solution";
    if (answer->count == 0)
        report_add(report, NO_PLACE, "no board; expected the start and then moves, or boards");
    else if (answer->moves != NULL && answer->count > 1)
        report_add(report, NO_PLACE,
                   "%zu boards and moves; expected one board and moves, or boards", answer->count);
    else if (answer->moves == NULL && answer->count == 1)
        report_add(report, NO_PLACE,
                   "no answer; expected moves, boards or a file behind the board");
    return report->count == 0;
}

static void mark_boards(const struct answer *answer, struct solution_marks *marks)
{
    for (size_t i = 0; i + 1 < answer->count; i++) {
        const enum move move = move_between(&answer->boards[i], &answer->boards[i + 1]);
        if (move == MOVE_NONE) {
            marks->problem = heap_format(board_equal(&answer->boards[i], &answer->boards[i + 1])
                                             ? "board %zu is board %zu again: no tile was moved"
                                             : "board %zu is not one move from board %zu",
                                         i + 2, i + 1);
            return;
        }
        marks->moves[marks->length++] = move_letters[move];
    }
}

static void mark_moves(const struct answer *answer, struct solution_marks *marks)
{
    struct board board = answer->boards[0];
    for (const char *letter = answer->moves; *letter != '\0'; letter++) {
        const enum move move = move_parse(*letter);
        const uint8_t target =
            move == MOVE_NONE ? NO_CELL : move_target(board.shape, board.blank, move);
        if (move == MOVE_NONE)
            marks->problem = heap_format("'%c' is no move; expected U, D, L or R", *letter);
        else if (target == NO_CELL)
            marks->problem = heap_format("%c takes the blank over the edge", move_letters[move]);
        if (marks->problem != NULL)
            return;
        board_slide(&board, target);
        marks->moves[marks->length++] = move_letters[move];
    }
}

/* Plays the legal moves with the verifier, which shares no code with what found them, and sees
 * where the goal is met. */
static void mark_end(struct solution_marks *marks)
{
    const struct board *start = &marks->start;
    const struct board *goal = &marks->goal;
    const struct replay replay = replay_path(start, goal, marks->moves, marks->length);
    struct board board = *start;
    marks->last = replay.last;
    marks->reaches_goal = marks->problem == NULL && replay.outcome == REPLAY_REACHES_GOAL;
    marks->goal_passed = board_equal(start, goal);
    for (size_t i = 0; i < marks->length && !marks->goal_passed; i++) {
        board = replay_path(&board, goal, marks->moves + i, 1).last;
        marks->goal_passed = board_equal(&board, goal);
        marks->goal_after = i + 1;
    }
}

/* Whether the letters reach the goal when they are read as moves of the tiles. */
static bool fits_tiles(const struct answer *answer, const struct board *goal)
{
    if (answer->moves == NULL)
        return false;
    SCOPED char *turned = heap_text(answer->moves);
    for (char *letter = turned; *letter != '\0'; letter++)
        if (move_parse(*letter) != MOVE_NONE)
            *letter = move_letters[move_undo(move_parse(*letter))];
    const struct replay replay = replay_path(&answer->boards[0], goal, turned, strlen(turned));
    return replay.outcome == REPLAY_REACHES_GOAL;
}

/* Looks for a shorter solution. Both heuristics keep the parity of g + h, so each round that ended
 * without one raises what is known of the shortest length by two. */
static void find_shortest(double seconds, struct solution_marks *marks)
{
    const struct board *start = &marks->start;
    struct solver solver;
    struct result result;
    const struct task task = {*start, marks->goal, DEFAULT_ORDER};
    const struct limits limits = {.seconds = seconds, .bytes = SEARCH_MEMORY};
    struct report report = {0};
    marks->decided = true;
    marks->shortest = marks->length;
    if (marks->length == 0)
        return;
    SCOPED char *limit = heap_format("%zu", marks->length - 1);
    solver_start(&solver, "idastar", FIRST_PLACE, &report);
    solver_set_heuristic(&solver, "walking_distance", FIRST_PLACE, &report);
    if (!walking_small(start->shape)) { /* a table would take longer than most searches */
        solver_start(&solver, "idastar", FIRST_PLACE, &report);
        solver_set_heuristic(&solver, "linear_conflict", FIRST_PLACE, &report);
    }
    solver_set(&solver, "depth_limit", limit, FIRST_PLACE, &report);
    solver_run(&solver, &task, &limits, NULL, &result);
    if (result.status == STATUS_solved) {
        marks->shortest = result.length;
    } else if (result.status != STATUS_exhausted) {
        marks->decided = false;
        marks->shortest = (size_t)result.h_start + 2 * (result.statistics.iterations - 1);
    }
    result_end(&result);
    report_end(&report);
}

void solution_marks_print(const struct solution_marks *marks, FILE *file)
{
    char last[BOARD_LINE];
    board_line(&marks->last, last);
    if (marks->problem == NULL)
        fputs("legal: yes\n", file);
    else
        fprintf(file, "legal: no, move %zu is not: %s\n", marks->length + 1, marks->problem);
    fprintf(file, "moves: %zu\n", marks->length);
    if (marks->reaches_goal)
        fputs("reaches the goal: yes\n", file);
    else
        fprintf(file, "reaches the goal: no, it ends at %s\n", last);
    if (marks->goal_passed && marks->goal_after < marks->length)
        fprintf(file, "the goal was there already after: %zu\n", marks->goal_after);
    if (marks->as_tiles)
        fputs(
            "note: read as moves of the tiles, the letters do reach the goal; here they are moves "
            "of the blank\n",
            file);
    if (marks->exchange[0] != 0)
        fprintf(file,
                "note: no moves lead from the board to the goal: the parity is wrong; exchanging "
                "%u and %u makes it solvable\n",
                marks->exchange[0], marks->exchange[1]);
    if (!marks->reaches_goal)
        return;
    const size_t longer = marks->length - marks->shortest;
    if (!marks->decided)
        fprintf(file,
                "shortest: not decided within the limit of time; no solution is shorter than %zu, "
                "so it is at most %zu longer\n",
                marks->shortest, longer);
    else if (longer == 0)
        fputs("shortest: yes\n", file);
    else
        fprintf(file, "shortest: no, a shortest solution has %zu: %zu longer\n", marks->shortest,
                longer);
}

json_t *solution_marks_json(const struct solution_marks *marks)
{
    char start[BOARD_LINE];
    char goal[BOARD_LINE];
    char last[BOARD_LINE];
    const bool legal = marks->problem == NULL;
    const bool known = marks->reaches_goal && marks->decided;
    const json_int_t length = (json_int_t)marks->length;
    const json_int_t longer = length - (json_int_t)marks->shortest;
    board_line(&marks->start, start);
    board_line(&marks->goal, goal);
    board_line(&marks->last, last);
    return json_pack(
        "{s:i, s:i, s:s, s:s, s:b, s:o, s:s?, s:I, s:s, s:s, s:b, s:o, s:b, s:o, s:o, s:o, s:o}",
        "width", (int)marks->goal.shape.width, "height", (int)marks->goal.shape.height, "start",
        start, "goal", goal, "legal", legal, "illegal_move",
        legal ? json_null() : json_integer(length + 1), "problem", marks->problem, "length", length,
        "moves", marks->moves, "last", last, "reaches_goal", marks->reaches_goal, "goal_after",
        marks->goal_passed ? json_integer((json_int_t)marks->goal_after) : json_null(), "as_tiles",
        marks->as_tiles, "optimal_length",
        known ? json_integer((json_int_t)marks->shortest) : json_null(), "longer",
        known ? json_integer(longer) : json_null(), "longer_at_most",
        marks->reaches_goal ? json_integer(longer) : json_null(), "exchange",
        marks->exchange[0] == 0
            ? json_null()
            : json_pack("[ii]", (int)marks->exchange[0], (int)marks->exchange[1]));
}

static void mark(const struct solution_question *question, const struct answer *answer,
                 struct solution_marks *marks)
{
    const size_t most = answer->moves != NULL ? strlen(answer->moves) : answer->count;
    marks->start = answer->boards[0];
    marks->moves = heap_take(most + 1, 1);
    if (answer->moves != NULL)
        mark_moves(answer, marks);
    else
        mark_boards(answer, marks);
    mark_end(marks);
    if (!board_connected(&marks->start, &marks->goal))
        board_exchange(&marks->start, &marks->goal, marks->exchange);
    marks->as_tiles = !marks->reaches_goal && fits_tiles(answer, &marks->goal);
    if (marks->reaches_goal)
        find_shortest(question->seconds, marks);
}

bool solution_mark(const struct solution_question *question, struct solution_marks *marks,
                   struct report *report)
{
    struct answer answer = {0};
    *marks = (struct solution_marks){0};
    bool fine = read_answer(question, &answer, report) && check_answer(&answer, report);
    if (fine) {
        report->file = "--goal";
        fine =
            goal_parse(question->goal, answer.boards[0].shape, FIRST_PLACE, report, &marks->goal);
    }
    if (fine)
        mark(question, &answer, marks);
    FREE(answer.boards, answer.moves);
    return fine;
}

void solution_marks_end(struct solution_marks *marks)
{
    FREE(marks->moves, marks->problem);
}
