/* What the heuristics table claims, held against every board of the 8-puzzle, of 2x3 and of 2x4,
 * for goals with the blank in a corner, at an edge and in the middle: admissible, consistent, of
 * the distance's parity, 0 at the goal only, changed by a move as a table says. What is claimed
 * holds on every board; what is not claimed fails on some. (Of the goals of 3x3 the first is
 * asked with every board, the others with a sample; TILELAB_LONG=1 asks them with every board, and
 * has larger databases on the walks.) The
 * incremental value is the one from scratch, on all these boards and along random walks on larger
 * shapes. What has a shorter or an older definition is compared with that. */
#include "heuristics/heuristic.h"
#include "heuristics/judge.h"
#include "puzzle/moves.h"
#include "tests/support.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>

static const struct {
    unsigned width, height;
    const char *tiles;
} goals[] = {
    {3, 3, "1 2 3 4 5 6 7 8 0"}, {3, 3, "0 1 2 3 4 5 6 7 8"}, {3, 3, "1 0 2 3 4 5 6 7 8"},
    {3, 3, "1 2 3 8 0 4 7 6 5"}, {3, 2, "1 2 3 4 5 0"},       {3, 2, "0 1 2 3 4 5"},
    {2, 3, "1 2 3 0 4 5"},       {4, 2, "1 2 3 4 5 6 7 0"},   {4, 2, "1 0 2 3 4 5 6 7"},
    {2, 4, "0 1 2 3 4 5 6 7"},   {2, 4, "1 2 3 4 0 5 6 7"},
};
/* Of the first goal of 3x3, and of its others, one board in so many, which shares no divisor with
 * their number. With TILELAB_LONG=1 every board. */
enum { STRIDE_OF_FIRST = 11, STRIDE = 101 };
enum { GOALS = sizeof goals / sizeof *goals };

/* Judges heuristics on the boards of one goal, on one in `stride` of them and on the goal. */
static void judge_boards(struct judge *judges, unsigned count, const struct distances *distances,
                         uint32_t stride)
{
    const struct ranking *ranking = &distances->ranking;
    uint32_t judged = 0;
    for (uint32_t rank = 0; rank < ranking->size; rank++) {
        if (rank % stride != 0 && distances->depth[rank] != 0)
            continue;
        struct board board = board_ranked(ranking, rank);
        for (unsigned i = 0; i < count; i++)
            judge_board(&judges[i], &board, distances->depth[rank]);
        judged++;
    }
    assert_in_range(judged, ranking->size / stride, ranking->size / stride + 2);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(judges[i].judgement.boards, judged);
        assert_int_equal(judges[i].judgement.boards_at[0], 1);
    }
}

/* Ends a judge. Says which of all claims failed. */
static unsigned broken_claims(const struct heuristic_choice *choice, struct judge *judge)
{
    if (judge->judgement.unequal != 0)
        fail_msg("heuristics.def, row %s: %s: NAME_step and NAME_evaluate must agree\n"
                 "  expected  0 moves where they differ\n  got       %" PRIu64,
                 choice->kind->name, heuristic_text(choice), judge->judgement.unequal);
    const unsigned broken = judgement_broken(&judge->judgement);
    judge_end(judge);
    return broken;
}

static const struct {
    unsigned claim;
    const char *name;
    const char *expected;
} claims[] = {
    {ADMISSIBLE, "ADMISSIBLE", "h at most the distance"},
    {CONSISTENT, "CONSISTENT", "h 0 at the goal, and 1 less after a move at the least"},
    {KEEPS_PARITY, "KEEPS_PARITY", "h as odd or even as the distance"},
    {POSITIVE, "POSITIVE", "h 0 at the goal, and above 0 elsewhere"},
    {INCREMENTAL, "INCREMENTAL", "the same change of h by a move of a tile on every board"},
};

/* The least h after a move from a board. */
static unsigned least_next(const struct heuristic *heuristic, const struct board *board)
{
    unsigned least = UINT_MAX;
    for (unsigned move = 0; move < MOVES; move++) {
        struct board next = *board;
        const unsigned target = move_target(board->shape, board->blank, move);
        if (target == NO_CELL)
            continue;
        board_slide(&next, target);
        const unsigned h = heuristic->kind->evaluate(heuristic, &next);
        least = h < least ? h : least;
    }
    return least;
}

/* Fails the test with the first board on which a claim does not hold. Of INCREMENTAL no board alone
 * shows it. */
static void complain_of_claim(const struct heuristic_choice *choice,
                              const struct distances *distances, size_t claim)
{
    char cells[BOARD_LINE] = "(tilelab verify heuristics shows what differs)";
    unsigned h = 0, distance = 0, next = 0;
    bool found = false;
    SCOPED_BY(heuristic_end) struct heuristic heuristic;
    heuristic_start(&heuristic, choice, &distances->ranking.goal);
    for (uint32_t rank = 0; rank < distances->ranking.size && !found; rank++) {
        const struct board board = board_ranked(&distances->ranking, rank);
        h = heuristic.kind->evaluate(&heuristic, &board);
        distance = distances->depth[rank];
        next = least_next(&heuristic, &board);
        const unsigned of = claims[claim].claim;
        found = (of == ADMISSIBLE && h > distance) ||
                (of == KEEPS_PARITY && h % 2 != distance % 2) ||
                (of == CONSISTENT && (h > next + 1 || (distance == 0 && h > 0))) ||
                (of == POSITIVE && (h == 0) != (distance == 0));
        if (found)
            board_line(&board, cells);
    }
    fail_msg("heuristics.def, row %s: %s claims %s\n"
             "  board     %s (goal: %s)\n"
             "  expected  %s\n"
             "  got       h %u, distance %u, h %u after a move",
             choice->kind->name, heuristic_text(choice), claims[claim].name, cells,
             line_of(&distances->ranking.goal), claims[claim].expected, h, distance, next);
}

/* What must have failed somewhere, as it is not claimed. */
static void check_not_claimed(const struct heuristic_choice *choice, unsigned broken)
{
    const unsigned holding = CLAIMS_JUDGED & ~heuristic_properties(choice) & ~broken;
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        if ((holding & claims[i].claim) != 0)
            fail_msg("heuristics.def, row %s: %s does not claim %s\n"
                     "  board     any\n  expected  some board where it does not hold\n"
                     "  got       none: the row can claim it",
                     choice->kind->name, heuristic_text(choice), claims[i].name);
}

enum { ALL_CHOICES = MAX_ROWS + 8 };

/* Every row of the table with each flag of its options in turn, and some with other arguments. */
static unsigned all_choices(const struct board *goal, struct heuristic_choice choices[ALL_CHOICES])
{
    unsigned count = all_rows(goal, choices);
    choices[count++] = choice_of("max:out_of_row_column+gaschnig");
    choices[count++] = choice_of("max:inversion+euclidean");
    choices[count++] = choice_of("pdb:4-4");
    choices[count++] = choice_of("pdb:4-4:reflect");
    choices[count++] = choice_of("pdb:5-3:reflect");
    choices[count++] = choice_of("pdb:4-4:zero");
    choices[count++] = choice_of("pdb:5-3:zero:reflect");
    choices[count++] = choice_of("pdb:4-4:zero:onebit");
    return count;
}

/* Every heuristic for one goal; what is claimed must hold. Adds what failed to `broken`. */
static void check_claims(const struct board *goal, uint32_t stride, unsigned broken[ALL_CHOICES])
{
    struct heuristic_choice choices[ALL_CHOICES];
    static struct judge judges[ALL_CHOICES];
    unsigned chosen[ALL_CHOICES];
    unsigned judged = 0;
    SCOPED_BY(distances_end) struct distances distances = distances_to(goal);
    const unsigned count = all_choices(goal, choices);
    for (unsigned i = 0; i < count; i++)
        if (is_defined(&choices[i], goal)) {
            judge_start(&judges[judged], &choices[i], goal);
            chosen[judged++] = i;
        }
    judge_boards(judges, judged, &distances, stride);
    for (unsigned j = 0; j < judged; j++) {
        const struct heuristic_choice *choice = &choices[chosen[j]];
        const unsigned here = broken_claims(choice, &judges[j]);
        for (size_t c = 0; c < sizeof claims / sizeof *claims; c++)
            if ((here & heuristic_properties(choice) & claims[c].claim) != 0)
                complain_of_claim(choice, &distances, c);
        broken[chosen[j]] |= here;
    }
}

TEST(test_claims_on_all_boards)
{
    const bool all = is_long();
    unsigned broken[ALL_CHOICES] = {0};
    struct heuristic_choice choices[ALL_CHOICES];
    for (size_t g = 0; g < GOALS; g++) {
        const struct board goal = board_sized(goals[g].width, goals[g].height, goals[g].tiles);
        const bool large = goal.shape.cells == 9;
        const uint32_t stride = g == 0 ? STRIDE_OF_FIRST : STRIDE;
        check_claims(&goal, all || !large ? 1 : stride, broken);
    }
    const struct board goal = board_sized(3, 3, goals[0].tiles);
    const unsigned count = all_choices(&goal, choices);
    for (unsigned i = 0; i < count; i++)
        check_not_claimed(&choices[i], broken[i]);
}

/* Of each walk; and how many shapes there are, both sides at least 2, at most 36 cells. */
enum { STEPS = 200, SHAPES = 69 };

static void walk(gsl_rng *generator, const struct heuristic *heuristic, const struct board *start)
{
    const struct heuristic_kind *kind = heuristic->kind;
    struct board board = *start;
    struct operators operators = operators_of(board.shape, DEFAULT_ORDER);
    unsigned h = kind->evaluate(heuristic, &board);
    for (unsigned step = 0; step < STEPS; step++) {
        const unsigned blank = board.blank;
        const unsigned from = operators.target[blank][gsl_rng_uniform_int(generator, MOVES)];
        if (from == NO_CELL)
            continue;
        const unsigned tile = board.cell[from];
        const unsigned before = h;
        board_slide(&board, from);
        h = kind->step(heuristic, &board, h, tile, from, blank);
        if ((heuristic_properties(&heuristic->choice) & INCREMENTAL) != 0 &&
            heuristic_rise(heuristic, tile, from, blank) != (int)h - (int)before)
            fail_msg("heuristics.def, row %s: claims INCREMENTAL, so NAME_step must add to h what "
                     "depends on the tile and its cells alone",
                     kind->name);
        assert_int_equal(h, kind->evaluate(heuristic, &board));
    }
}

/* The databases of a goal that is no other's take most of the time, so in the quick tier there is a
 * group for each pair of tiles and not for three. */
static struct heuristic_choice in_pairs(const struct board *goal)
{
    SCOPED char *text = heap_text("pdb:1");
    for (unsigned tile = 2; tile < goal->shape.cells; tile++)
        heap_append(&text, "%c%u", tile % 2 == 1 ? '/' : '.', tile);
    return choice_of(text);
}

/* Every shape there is, from the goal and from anywhere, for the usual goal and for any. */
TEST(test_step_equals_evaluate_on_walks)
{
    gsl_rng *generator = any_generator();
    struct heuristic_choice choices[ALL_CHOICES];
    struct shape shape;
    unsigned shapes = 0;
    for (unsigned width = MIN_SIDE; width <= MAX_SIDE; width++)
        for (unsigned height = MIN_SIDE; height <= MAX_SIDE; height++) {
            if (!shape_make(width, height, &shape))
                continue;
            random_stream(generator, 2026, 1, 0, shapes++);
            const struct board usual = goal_of("blank-last", width, height);
            const struct board odd = any_board(generator, shape);
            const unsigned count = all_choices(&usual, choices);
            for (unsigned i = 0; i < count; i++)
                for (unsigned g = 0; g < 2; g++) {
                    const struct board *goal = g == 0 ? &usual : &odd;
                    const struct board start = any_board(generator, shape);
                    const bool large = shape.cells > 9 && strcmp(choices[i].kind->name, "pdb") == 0;
                    const struct heuristic_choice choice =
                        large && g == 1 && !is_long() ? in_pairs(goal) : choices[i];
                    struct heuristic heuristic;
                    const bool again = large && g == 1 && !is_long() &&
                                       choices[i].kind == choices[i - 1].kind; /* the same pairs */
                    /* Each table is that of some shape; to build them for all takes most of the
                     * time. */
                    const bool costly = large && shapes % 5 != 0 && !is_long();
                    if (again || costly || !is_defined(&choices[i], goal))
                        continue;
                    heuristic_start(&heuristic, &choice, goal);
                    walk(generator, &heuristic, goal);
                    walk(generator, &heuristic, &start);
                    heuristic_end(&heuristic);
                }
        }
    assert_int_equal(shapes, SHAPES);
}

/* The board seen in a mirror along the diagonal, for the goal 0 1 2 ..: cells change places, and
 * tiles their names. */
static struct board mirrored(const struct board *board)
{
    struct board mirror;
    const unsigned side = board->shape.width;
    uint8_t tiles[MAX_CELLS];
    for (unsigned i = 0; i < board->shape.cells; i++) {
        const unsigned tile = board->cell[i];
        tiles[i % side * side + i / side] = (uint8_t)(tile % side * side + tile / side);
    }
    assert_true(board_make(board->shape, tiles, &mirror));
    return mirror;
}

/* These heuristics do not tell a board from its mirror image. (A pattern database without reflect
 * may.) */
TEST(test_a_mirror_changes_nothing)
{
    static const char *const symmetric[] = {"zero",
                                            "misplaced",
                                            "gaschnig",
                                            "out_of_row_column",
                                            "euclidean",
                                            "manhattan",
                                            "linear_conflict",
                                            "walking_distance",
                                            "inversion",
                                            "pdb:4-4:reflect",
                                            "pdb:5-3:reflect",
                                            "pdb:5-3:zero:reflect",
                                            "max:inversion+euclidean",
                                            "max:out_of_row_column+gaschnig"};
    gsl_rng *generator = any_generator();
    for (unsigned side = 3; side <= 6; side++) {
        const struct board goal = goal_of("blank-first", side, side);
        for (unsigned i = 0; i < sizeof symmetric / sizeof *symmetric; i++) {
            const struct heuristic_choice choice = choice_of(symmetric[i]);
            if (!is_defined(&choice, &goal))
                continue;
            SCOPED_BY(heuristic_end) struct heuristic heuristic = started(symmetric[i], &goal);
            random_stream(generator, 2026, 2, i, side);
            for (unsigned n = 0; n < 500; n++) {
                const struct board board = any_board(generator, goal.shape);
                const struct board mirror = mirrored(&board);
                assert_int_equal(choice.kind->evaluate(&heuristic, &board),
                                 choice.kind->evaluate(&heuristic, &mirror));
            }
        }
    }
}

/* A maximum has any number of parts, and a name as long as they need: here every pair of tiles of
 * the 8-puzzle, and the other tiles one by one. A part counts once. */
TEST(test_a_maximum_of_many)
{
    static const char *const places[] = {"8 6 7 2 5 4 3 0 1", "6 4 7 8 5 0 3 2 1",
                                         "3 1 2 4 7 5 6 8 0"};
    enum { PLACES = sizeof places / sizeof *places };
    const struct board goal = goal_of("blank-last", 3, 3);
    unsigned largest[PLACES] = {0};
    SCOPED char *text = heap_text("max:zero");
    for (unsigned i = 1; i <= 8; i++)
        for (unsigned j = i + 1; j <= 8; j++) {
            SCOPED char *part = heap_format("pdb:%u.%u", i, j);
            for (unsigned tile = 1; tile <= 8; tile++)
                if (tile != i && tile != j)
                    heap_append(&part, "/%u", tile);
            heap_append(&text, "+%s", part);
            SCOPED_BY(heuristic_end) struct heuristic alone = started(part, &goal);
            for (unsigned k = 0; k < PLACES; k++) {
                const struct board board = board_of(places[k]);
                const unsigned h = alone.kind->evaluate(&alone, &board);
                largest[k] = h > largest[k] ? h : largest[k];
            }
        }
    const struct heuristic_choice choice = choice_of(text);
    assert_true(strlen(choice.argument) > 500);
    SCOPED_BY(heuristic_end) struct heuristic all = started(text, &goal);
    for (unsigned k = 0; k < PLACES; k++) {
        const struct board board = board_of(places[k]);
        assert_int_equal(all.kind->evaluate(&all, &board), largest[k]);
    }

    struct heuristic_choice none;
    SCOPED_BY(report_end) struct report report = {0};
    heap_append(&text, "+pdb:8.7/1/2/3/4/5/6");
    assert_false(heuristic_parse(text, FIRST_PLACE, &report, &none));
    assert_non_null(strstr(report.text, "a second time; expected another heuristic"));
}

/* Gaschnig's heuristic is a distance: that of the puzzle in which any tile may jump to the blank.
 */
TEST(test_gaschnig_counts_jumps)
{
    enum { CELLS = 6, ALL = 1 << (3 * CELLS) };
    static uint8_t depth[ALL]; /* by the tiles, three bits each; 0: not seen */
    static uint32_t queue[720];
    const struct board goal = board_of("1 2 3\n4 0 5");
    const struct heuristic_choice choice = choice_of("gaschnig");
    struct heuristic heuristic;
    unsigned count = 0;
    heuristic_start(&heuristic, &choice, &goal);
    for (unsigned i = 0; i < CELLS; i++)
        queue[0] |= (uint32_t)goal.cell[i] << 3 * i;
    depth[queue[count++]] = 1;
    for (unsigned head = 0; head < count; head++) {
        struct board board = goal;
        for (unsigned i = 0; i < CELLS; i++) {
            board.cell[i] = queue[head] >> 3 * i & 7;
            board.blank = board.cell[i] == 0 ? (uint8_t)i : board.blank;
        }
        assert_int_equal(choice.kind->evaluate(&heuristic, &board), depth[queue[head]] - 1);
        for (unsigned i = 0; i < CELLS; i++) {
            const uint32_t tile = board.cell[i];
            const uint32_t next = queue[head] ^ tile << 3 * i ^ tile << 3 * board.blank;
            if (depth[next] != 0)
                continue;
            depth[next] = depth[queue[head]] + 1;
            queue[count++] = next;
        }
    }
    assert_int_equal(count, 720);
    heuristic_end(&heuristic);
}

/* Pairs of tiles that stand the other way round than in the goal, read by rows or by columns. */
static unsigned pairs(const struct board *board, const struct board *goal, bool by_row)
{
    unsigned place[MAX_CELLS] = {0};
    unsigned order[MAX_CELLS];
    unsigned count = 0;
    unsigned tiles = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        const struct board *from = pass == 0 ? goal : board;
        tiles = 0;
        for (unsigned a = 0; a < 4; a++)
            for (unsigned b = 0; b < 4; b++) {
                const unsigned tile = from->cell[by_row ? 4 * a + b : 4 * b + a];
                if (tile != 0 && pass == 0)
                    place[tile] = tiles++;
                else if (tile != 0)
                    order[tiles++] = place[tile];
            }
    }
    for (unsigned i = 0; i < tiles; i++)
        for (unsigned j = i + 1; j < tiles; j++)
            count += order[i] > order[j];
    return count;
}

/* On the 15-puzzle: inversions / 3 + inversions mod 3, both ways. The straight lines, as any
 * calculator adds them up. */
TEST(test_known_definitions)
{
    const struct board goal = goal_of("blank-last", 4, 4);
    const struct heuristic_choice choices[] = {choice_of("inversion"), choice_of("euclidean"),
                                               choice_of("out_of_row_column")};
    struct heuristic heuristics[3];
    gsl_rng *generator = any_generator();
    random_stream(generator, 2026, 3, 0, 0);
    for (unsigned i = 0; i < 3; i++)
        heuristic_start(&heuristics[i], &choices[i], &goal);
    for (unsigned n = 0; n < 2000; n++) {
        const struct board board = any_board(generator, goal.shape);
        if (!board_connected(&board, &goal))
            continue;
        const unsigned rows = pairs(&board, &goal, true);
        const unsigned columns = pairs(&board, &goal, false);
        assert_int_equal(choices[0].kind->evaluate(&heuristics[0], &board),
                         rows / 3 + rows % 3 + columns / 3 + columns % 3);
        double sum = 0;
        unsigned missed = 0;
        for (unsigned cell = 0; cell < 16; cell++) {
            const unsigned tile = board.cell[cell];
            if (tile == 0)
                continue;
            sum += hypot((double)(cell / 4) - (tile - 1) / 4, (double)(cell % 4) - (tile - 1) % 4);
            missed += (cell / 4 != (tile - 1) / 4) + 0U;
            missed += (cell % 4 != (tile - 1) % 4) + 0U;
        }
        const unsigned lines = choices[1].kind->evaluate(&heuristics[1], &board);
        assert_true(lines >= sum - 1e-9 && lines < sum + 2);
        assert_int_equal(lines % 2, shape_distance(goal.shape, board.blank, goal.blank) % 2);
        assert_int_equal(choices[2].kind->evaluate(&heuristics[2], &board), missed);
    }
    for (unsigned i = 0; i < 3; i++)
        heuristic_end(&heuristics[i]);
}
