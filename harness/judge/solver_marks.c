#include "harness/judge/solver_marks.h"
#include "base/heap.h"
#include "harness/judge/verdict.h"
#include "harness/text/human.h"
#include "puzzle/goal.h"
#include "puzzle/replay.h"
#include <inttypes.h>
#include <math.h>

/* ---- One answer ---- */

static void set_mark(struct marked *marked, enum mark mark, char *why)
{
    marked->mark = mark;
    free(marked->why);
    marked->why = why;
}

static void judge_path(const struct external *external, const struct limits *limits,
                       struct marked *marked)
{
    struct result *result = &marked->result;
    const struct solver solver = {.algorithm = external_algorithm(false)};
    const struct run run = {.instance = marked->instance,
                            .experiment = "",
                            .solver = &solver,
                            .external = external,
                            .order = DEFAULT_ORDER,
                            .limits = *limits};
    char *why = marked->shortest < 0
                    ? heap_format("a path of %zu move%s, but the board is unsolvable",
                                  result->length, plural(result->length))
                    : verify_result(&run, result);
    if (why == NULL)
        why = verify_cells(&run, INFINITY, result);
    if (why != NULL)
        set_mark(marked, MARK_PATH, why);
    else if (external->optimal && result->length > (size_t)marked->shortest)
        set_mark(
            marked, MARK_LONGER,
            heap_format("%zu moves; a shortest path has %d", result->length, marked->shortest));
}

void marked_judge(const struct external *external, const struct limits *limits,
                  struct marked *marked)
{
    const enum status status = marked->result.status;
    set_mark(marked, MARK_RIGHT, NULL);
    switch (status) {
    case STATUS_solved:
        judge_path(external, limits, marked);
        break;
    case STATUS_unsolvable:
    case STATUS_exhausted:
        if (marked->shortest >= 0)
            set_mark(marked, MARK_DENIED,
                     heap_format("it says %s, but there is a path of %d move%s",
                                 status_rows[status].name, marked->shortest,
                                 plural((size_t)marked->shortest)));
        break;
    case STATUS_time_limit:
        if (marked->result.wall_seconds < limits->seconds)
            set_mark(marked, MARK_GAVE_UP, heap_text("it says status: time_limit"));
        else
            set_mark(marked, MARK_LATE, heap_format("no answer within %g s", limits->seconds));
        break;
    case STATUS_cpu_limit:
        set_mark(marked, MARK_LATE, heap_text("no answer within its processor time"));
        break;
    case STATUS_memory_limit:
        if (marked->result.statistics.peak_bytes <= limits->bytes)
            set_mark(marked, MARK_GAVE_UP, heap_text("it says status: memory_limit"));
        else
            set_mark(marked, MARK_LARGE,
                     heap_format("it needed more than %" PRIu64 " MiB", limits->bytes >> 20));
        break;
    case STATUS_lost:
    case STATUS_crashed:
    case STATUS_claimed:
        set_mark(marked, MARK_NONE,
                 heap_text(marked->answer.message == NULL ? "it crashed" : marked->answer.message));
        break;
    default:
        set_mark(marked, MARK_GAVE_UP, heap_format("it says status: %s", status_rows[status].name));
    }
}

void marked_end(struct marked *marked, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        result_end(&marked[i].result);
        answer_end(&marked[i].answer);
        free(marked[i].why);
    }
}

/* ---- Sets of boards ---- */

static uint32_t bit(size_t board)
{
    return UINT32_C(1) << board;
}

static unsigned size_of(uint32_t boards)
{
    return (unsigned)__builtin_popcount(boards);
}

static bool within(uint32_t boards, uint32_t others)
{
    return boards != 0 && (boards & ~others) == 0;
}

/* "board 7", "boards 7, 8 and 12 to 15"; heap memory. */
static char *named(uint32_t boards)
{
    char *text = heap_text(size_of(boards) == 1 ? "board" : "boards");
    uint32_t left = boards;
    for (size_t i = 0; left != 0; i++) {
        size_t last = i;
        if ((left & bit(i)) == 0)
            continue;
        while (last + 1 < MAX_MARKED && (left & bit(last + 1)) != 0)
            last++;
        const bool range = last >= i + 2;
        const char *before = left == boards ? " " : ", ";
        for (size_t j = i; j <= (range ? last : i); j++)
            left &= ~bit(j);
        if (left == 0 && *before == ',')
            before = " and ";
        heap_append(&text, "%s%zu", before, i + 1);
        if (range)
            heap_append(&text, " to %zu", last + 1);
    }
    return text;
}

/* The boards that have a mark, as bits: board number i is bit i. */
static uint32_t marked_with(const struct marked *marked, size_t count, enum mark mark)
{
    uint32_t boards = 0;
    for (size_t i = 0; i < count; i++)
        if (marked[i].mark == mark)
            boards |= bit(i);
    return boards;
}

/* ---- What wrong answers have in common ---- */

/* The answers, and what was found out about them. */
struct findings {
    const struct external *external;
    const struct limits *limits;
    const struct marked *marked;
    size_t count;
    uint32_t unsolvable, other_goal, other_size, even_width; /* kinds of boards */
    uint32_t explained;                                      /* wrong answers with a known cause */
    char **texts;                                            /* owned */
    size_t text_count;
};

/* Adds a text, with the names of boards in place of its %s; nothing if there are none. */
static void add(struct findings *findings, const char *format, uint32_t boards)
{
    if (boards == 0)
        return;
    SCOPED char *names = named(boards);
    const char *place = strstr(format, "%s");
    char *text = place == NULL
                     ? heap_text(format)
                     : heap_format("%.*s%s%s", (int)(place - format), format, names, place + 2);
    *HEAP_ADD(findings->texts, findings->text_count) = text;
}

static uint32_t with(const struct findings *findings, enum mark mark)
{
    return marked_with(findings->marked, findings->count, mark);
}

/* A way to read a path: what U, D, L and R (in this order) stand for, and whether it runs from the
 * goal to the start. */
struct reading {
    const char *letters;
    bool backwards;
    const char *text; /* what to say of it; %s: the boards */
};
static const struct reading readings[] = {
    {"UDLR", false, NULL},
    {"DURL", false,
     "The moves of %s look as if they name the direction of the tile, not that of the blank: read "
     "so, they are right. Exchange U with D and L with R; or say --moves tile here and moves: tile "
     "in an experiment."},
    {"DULR", false,
     "In the moves of %s, U and D look exchanged: U takes the blank to the row above."},
    {"UDRL", false, "In the moves of %s, L and R look exchanged: L takes the blank to the left."},
    {"LRUD", false,
     "In the moves of %s, rows and columns look exchanged (U for L, L for U): a board is read row "
     "by row, and U and D change the row."},
    {"RLDU", false,
     "In the moves of %s, rows and columns look exchanged, and they look as if they name the "
     "direction of the tile, not that of the blank."},
    {"UDLR", true, "The moves of %s are in the opposite order: the path begins at the board."},
    {"DURL", true,
     "The moves of %s lead from the goal to the board; the path begins at the board."},
};
enum { READINGS = sizeof readings / sizeof *readings };

/* Whether a path, read in a way, leads from a start to a goal. */
static bool leads(const struct marked *marked, const struct reading *reading,
                  const struct board *start, const struct board *goal)
{
    const size_t length = marked->result.length;
    const char *said = marked->result.moves;
    if (said == NULL)
        return false;
    SCOPED char *moves = heap_take(length + 1, 1);
    for (size_t i = 0; i < length; i++) {
        const unsigned move = move_parse(said[reading->backwards ? length - 1 - i : i]);
        moves[i] = move == MOVE_NONE ? '?' : reading->letters[move];
    }
    return replay_path(start, goal, moves, length).outcome == REPLAY_REACHES_GOAL;
}

/* Looks for the one way to read wrong paths that makes most of them right. Those that it does are
 * no chance: at least two, and half of all. Returns the way. */
static const struct reading *find_reading(struct findings *findings)
{
    const uint32_t wrong = with(findings, MARK_PATH) & ~findings->unsolvable;
    uint32_t best = 0;
    const struct reading *found = &readings[0];
    for (unsigned r = 1; r < READINGS; r++) {
        uint32_t fit = 0;
        for (size_t i = 0; i < findings->count; i++) {
            const struct marked *marked = &findings->marked[i];
            if ((wrong & bit(i)) != 0 &&
                leads(marked, &readings[r], &marked->instance->start, &marked->instance->goal))
                fit |= bit(i);
        }
        if (size_of(fit) > size_of(best)) {
            best = fit;
            found = &readings[r];
        }
    }
    if (size_of(best) < 2 || 2 * size_of(best) < size_of(wrong & ~findings->other_goal))
        return &readings[0];
    add(findings, found->text, best);
    findings->explained |= best;
    return found;
}

/* Whether paths lead to a goal that was not given. */
static void find_other_goal(struct findings *findings, const struct reading *reading)
{
    const uint32_t wrong = with(findings, MARK_PATH);
    for (unsigned g = 0; g < GOAL_NAMES; g++) {
        uint32_t fit = 0;
        for (size_t i = 0; i < findings->count; i++) {
            const struct instance *instance = findings->marked[i].instance;
            struct board goal;
            goal_named(goal_names[g], instance->start.shape, &goal);
            if ((wrong & ~findings->explained & bit(i)) != 0 &&
                !board_equal(&goal, &instance->goal) &&
                leads(&findings->marked[i], reading, &instance->start, &goal))
                fit |= bit(i);
        }
        if (fit == 0)
            continue;
        SCOPED char *text =
            heap_format("It ignores the goal that it is given: its paths on %%s lead to "
                        "%s. The goal follows the board, after an empty line.",
                        goal_names[g]);
        add(findings, text, fit);
        findings->explained |= fit;
    }
}

/* A board with its width for its height and the other way round; the cells in the same order. */
static struct board with_sides_exchanged(const struct board *board)
{
    struct shape shape;
    struct board exchanged = *board;
    if (shape_make(board->shape.height, board->shape.width, &shape))
        board_make(shape, board->cell, &exchanged);
    return exchanged;
}

/* Whether it takes the board's width for its height. Then it may call solvable boards unsolvable
 * too. */
static void find_exchanged_sides(struct findings *findings, const struct reading *reading)
{
    const uint32_t wrong = with(findings, MARK_PATH) & findings->other_size;
    uint32_t fit = 0;
    uint32_t denied = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const struct instance *instance = findings->marked[i].instance;
        const struct board start = with_sides_exchanged(&instance->start);
        const struct board goal = with_sides_exchanged(&instance->goal);
        if (start.shape.width == start.shape.height)
            continue;
        if ((wrong & bit(i)) != 0 && leads(&findings->marked[i], reading, &start, &goal))
            fit |= bit(i);
        if ((with(findings, MARK_DENIED) & bit(i)) != 0 && !board_connected(&start, &goal))
            denied |= bit(i);
    }
    if (fit == 0)
        return;
    add(findings,
        "It takes the width for the height on %s: the first line is the number of columns, then "
        "that of rows.",
        fit | denied);
    findings->explained |= fit | denied;
}

static void explain_paths(struct findings *findings)
{
    const struct reading *reading = find_reading(findings);
    find_other_goal(findings, reading);
    find_exchanged_sides(findings, reading);
    const uint32_t claimed = with(findings, MARK_PATH) & findings->unsolvable;
    add(findings,
        "It gives a path for an unsolvable board (%s): test the parity first and print "
        "status: unsolvable.",
        claimed & ~findings->explained);
    findings->explained |= claimed;
    const uint32_t rest = with(findings, MARK_PATH) & ~findings->explained;
    add(findings,
        "Its path is wrong on %s: play it with tilelab verify solution BOARD MOVES, which "
        "says which move is not possible or where it ends.",
        rest);
}

static void explain_denials(struct findings *findings)
{
    const uint32_t denied = with(findings, MARK_DENIED) & ~findings->explained;
    const uint32_t all = bit(findings->count) - 1;
    if (denied == 0)
        return;
    if (denied == (all & ~findings->unsolvable))
        add(findings, "It calls every solvable board unsolvable (%s).", denied);
    else if (within(denied, findings->other_goal))
        add(findings,
            "It calls %s unsolvable, where the goal is another one: the parity is that of the "
            "permutation from the board to the goal that it is given.",
            denied);
    else if (within(denied, findings->even_width))
        add(findings,
            "It calls %s unsolvable, which are of even width: there the row of the blank counts "
            "too. A board is solvable if the parity of the permutation to the goal is that of the "
            "blank's distance from its cell in the goal.",
            denied);
    else
        add(findings,
            "It calls %s unsolvable: a board is solvable if the parity of the permutation to the "
            "goal is that of the blank's distance from its cell in the goal.",
            denied);
}

static void explain_limits(struct findings *findings)
{
    const uint32_t late = with(findings, MARK_LATE);
    const uint32_t large = with(findings, MARK_LARGE);
    const uint32_t endless = (late | large) & findings->unsolvable;
    if (endless != 0) {
        SCOPED char *text =
            heap_format("On unsolvable boards (%%s) it did not stop within %g s%s: test "
                        "the parity before the search and print status: unsolvable.",
                        findings->limits->seconds, large != 0 ? " or its memory" : "");
        add(findings, text, endless);
    }
    if ((late & ~endless) != 0) {
        SCOPED char *text =
            heap_format("On %%s it had no answer within %g s (--time); if it waits for "
                        "more input, or for a key, it has to stop doing so.",
                        findings->limits->seconds);
        add(findings, text, late & ~endless);
    }
    add(findings, "On %s it needed more memory than it may use (--memory).", large & ~endless);
    add(findings, "It gave up on %s.", with(findings, MARK_GAVE_UP));
}

/* What the message of a board without an answer means; the first row whose part it has counts. */
static const struct {
    const char *part;
    const char *text;
} advice[] = {
    {"it ended without an answer: exit code 0",
     "It ended before it had answered %s: a persistent program reads board after board, until its "
     "input ends, and prints an empty line after each answer. If yours reads one board, leave "
     "--persistent out."},
    {"no answer to its first board",
     "It did not answer %s at all: after each answer it must print an empty line and flush its "
     "output (print(.., flush=True), fflush(stdout)), and it may not wait for the input's end."},
    {"before it ",
     "It printed something before it had read %s: for each board it prints one answer, an empty "
     "line after it, and nothing more until it has read the next board."},
    {"no answer: expected moves",
     "What it prints for %s is no answer: expected a line such as 'moves: RDLL', or 'status: "
     "unsolvable'."},
    {"is not one of U, D, L and R",
     "Its moves for %s cannot be read: a move is one of the letters U, D, L and R, the direction "
     "in which the blank goes."},
    {"exit code ", "It crashed on %s; the end of its standard error stands above."},
    {"signal ", "It crashed on %s; the signal stands above."},
    {"", "Its answer to %s cannot be used, as it says above."},
};
enum { ADVICE = sizeof advice / sizeof *advice };

static void explain_none(struct findings *findings)
{
    uint32_t none = with(findings, MARK_NONE);
    for (unsigned a = 0; a < ADVICE; a++) {
        uint32_t same = 0;
        for (size_t i = 0; i < findings->count; i++)
            if ((none & bit(i)) != 0 && strstr(findings->marked[i].why, advice[a].part) != NULL)
                same |= bit(i);
        none &= ~same;
        add(findings, advice[a].text, same);
    }
}

static void explain_sizes(struct findings *findings)
{
    const uint32_t all = bit(findings->count) - 1;
    const uint32_t right = with(findings, MARK_RIGHT) | with(findings, MARK_LONGER);
    const uint32_t usual = all & ~findings->other_size;
    if (findings->other_size != 0 && (right & findings->other_size & ~findings->unsolvable) == 0 &&
        2 * size_of(right & usual) >= size_of(usual))
        add(findings,
            "It is right on 3x3, but solves no board of another size (%s): the size is in the "
            "first line, columns first.",
            findings->other_size & ~findings->unsolvable);
}

/* What is no mistake but worth knowing. */
static void add_hints(struct findings *findings)
{
    uint32_t longer = with(findings, MARK_LONGER);
    uint32_t solved = 0;
    uint32_t counted = 0;
    uint32_t impossible = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const struct marked *marked = &findings->marked[i];
        const bool right = marked->mark == MARK_RIGHT && marked->shortest >= 0;
        if (!findings->external->optimal && right &&
            marked->result.length > (size_t)marked->shortest)
            longer |= bit(i);
        solved |= right ? bit(i) : 0;
        SCOPED char *why =
            impossible_counts(marked->instance, &marked->result, marked->answer.known);
        impossible |= why != NULL ? bit(i) : 0;
        for (unsigned c = 0; c < COUNTERS; c++)
            if (strcmp(counters[c].name, "expanded") == 0 && (marked->answer.known >> c & 1) != 0)
                counted |= bit(i);
    }
    add(findings,
        findings->external->optimal
            ? "Its paths on %s are not shortest, which --optimal promises."
            : "Its paths on %s are right, but not shortest. With --optimal that is wrong.",
        longer);
    add(findings,
        "On %s it counts what no search can: expanded are the nodes whose successors were "
        "made, at least as many as the path has steps; generated are these successors.",
        impossible);
    if (solved != 0 && counted == 0)
        add(findings,
            "It does not say how many nodes it expands. A line such as 'expanded: 43' lets an "
            "experiment compare them.",
            solved);
}

static void sort_boards(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct instance *instance = findings->marked[i].instance;
        const struct shape shape = instance->start.shape;
        const char *goal = goal_name(&instance->goal);
        findings->unsolvable |= findings->marked[i].shortest < 0 ? bit(i) : 0;
        findings->other_goal |= goal == NULL || strcmp(goal, DEFAULT_GOAL) != 0 ? bit(i) : 0;
        findings->other_size |= shape.width != 3 || shape.height != 3 ? bit(i) : 0;
        findings->even_width |= shape.width % 2 == 0 ? bit(i) : 0;
    }
}

char **marks_explained(const struct external *external, const struct limits *limits,
                       const struct marked *marked, size_t count)
{
    struct findings findings = {
        .external = external, .limits = limits, .marked = marked, .count = count};
    sort_boards(&findings);
    explain_none(&findings);
    explain_paths(&findings);
    explain_denials(&findings);
    explain_limits(&findings);
    explain_sizes(&findings);
    add_hints(&findings);
    findings.texts = heap_grow(findings.texts, findings.text_count, sizeof *findings.texts);
    findings.texts[findings.text_count] = NULL;
    return findings.texts;
}
