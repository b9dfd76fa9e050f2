/* Walking distance with the last moves of a solution, walking_distance:last1 and :last2 (after
 * Korf and Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996, who look at
 * the last moves of Manhattan distance).
 *
 * A solution of N moves or more ends with one of a few ways of the blank to its goal cell, N moves
 * long without a move back, and begins with a solution of the board from which that way leads to
 * the goal. So the least, over these boards, of N plus a distance to the board is never above the
 * distance to the goal.
 *
 * The distance to such a board is a walking distance in which the tiles that its way moves are told
 * from the others of their goal line, in the direction in which they move
 * (pdb/marked_arrangements.h). Without that the last move would add nothing: the arrangement from
 * which it leads to the goal's is the only one beside it, so it is on every way there already. But
 * walking distance takes any tile of a line for the last one that leaves the blank's, and the
 * puzzle takes a certain one.
 *
 * Each of these distances changes by at most 1 with a move, so their least does. Boards nearer than
 * N moves are those of a walking distance below N, which is their distance. */
#include "base/heap.h"
#include "heuristics/walking_distance.h"
#include "puzzle/moves.h"
#include <assert.h>
#include <limits.h>
#include <string.h>

bool walking_last_defined(struct shape shape, unsigned last)
{
    return last == 0 ||
           (walking_small(shape) &&
            marked_entries(numbering_hold(shape, 0), last) <= MAX_LAST_ENTRIES &&
            marked_entries(numbering_hold(on_its_side(shape), 0), last) <= MAX_LAST_ENTRIES);
}

/* The tables made so far, kept as those of walking distance are. */
static struct kept {
    const struct numbering *numbering;
    uint32_t number;
    struct marked_tiles marks;
    const uint8_t *distance;
    struct kept *next;
} * all_kept;

static const uint8_t *hold(const struct numbering *numbering, uint32_t number,
                           const struct marked_tiles *marks)
{
    for (const struct kept *held = all_kept; held != NULL; held = held->next)
        if (held->numbering == numbering && held->number == number &&
            memcmp(&held->marks, marks, sizeof *marks) == 0)
            return held->distance;
    struct kept *made = heap_take(1, sizeof *made);
    *made =
        (struct kept){numbering, number, *marks, marked_build(numbering, number, marks), all_kept};
    all_kept = made;
    return made->distance;
}

/* The line of a direction that a cell is in: its row or its column. */
static unsigned line_of(struct shape shape, unsigned cell, bool by_row)
{
    return by_row ? cell / shape.width : cell % shape.width;
}

/* Fills in one direction of an end, whose tiles it knows, for the board at which the end begins. */
static void end_lines_make(struct end_lines *end, const struct walking_lines *lines,
                           const struct heuristic *heuristic, const struct board *board,
                           bool by_row)
{
    struct marked_tiles marks = {.count = end->tiles};
    assert(!lines->reversed);
    for (unsigned i = 0; i < end->tiles; i++) {
        unsigned cell = 0;
        while (board->cell[cell] != end->tile[i])
            cell++;
        marks.line[i] = (uint8_t)line_of(board->shape, cell, by_row);
        marks.goal_line[i] = (uint8_t)line_of(board->shape, heuristic->home[end->tile[i]], by_row);
    }
    end->distance = end->tiles == 0 ? lines->distance
                                    : hold(lines->numbering, walking_number(lines, board), &marks);
}

/* Adds the ends that go on backward from a board, after the moves of `end`. */
static void add_ends(struct walking *walking, const struct heuristic *heuristic,
                     const struct board *board, unsigned undo, struct solution_end end)
{
    if (end.rows.tiles + end.columns.tiles == walking->last) {
        assert(walking->ends < MAX_ENDS);
        end_lines_make(&end.rows, &walking->rows, heuristic, board, true);
        end_lines_make(&end.columns, &walking->columns, heuristic, board, false);
        walking->end[walking->ends++] = end;
        return;
    }
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned from = move_target(board->shape, board->blank, move);
        if (from == NO_CELL || move == undo)
            continue;
        struct solution_end longer = end;
        struct end_lines *moved = move == MOVE_U || move == MOVE_D ? &longer.rows : &longer.columns;
        struct board before = *board;
        moved->tile[moved->tiles++] = board->cell[from];
        board_slide(&before, from);
        add_ends(walking, heuristic, &before, move_undo(move), longer);
    }
}

void walking_last_prepare(struct walking *walking, const struct heuristic *heuristic, unsigned last)
{
    assert(last <= MAX_LAST && walking->ends == 0);
    walking->last = last;
    add_ends(walking, heuristic, &heuristic->goal, MOVE_NONE, (struct solution_end){0});
}

/* A board's distance in one direction to where an end begins. */
static unsigned distance_to(const struct end_lines *end, const struct numbering *numbering,
                            unsigned number, const uint8_t cell_of[], struct shape shape,
                            bool by_row)
{
    struct marked_tiles marks = {.count = end->tiles};
    for (unsigned i = 0; i < end->tiles; i++)
        marks.line[i] = (uint8_t)line_of(shape, cell_of[end->tile[i]], by_row);
    return end->distance[marked_entry(numbering, number, &marks)];
}

unsigned walking_last_evaluate(const struct walking *walking, const struct board *board,
                               unsigned rows, unsigned columns, unsigned plain)
{
    uint8_t cell_of[MAX_CELLS];
    unsigned least = UINT_MAX;
    if (plain < walking->last)
        return plain;
    for (unsigned cell = 0; cell < board->shape.cells; cell++)
        cell_of[board->cell[cell]] = (uint8_t)cell;
    for (unsigned i = 0; i < walking->ends; i++) {
        const struct solution_end *end = &walking->end[i];
        const unsigned distance =
            distance_to(&end->rows, walking->rows.numbering, rows, cell_of, board->shape, true) +
            distance_to(&end->columns, walking->columns.numbering, columns, cell_of, board->shape,
                        false);
        least = distance < least ? distance : least;
    }
    return walking->last + least;
}
