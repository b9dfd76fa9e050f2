/* Ranking is a bijection, and the exact distances over it are the published ones. */
#include "tests/support.h"

enum { SEED = 31 };

/* Every rank gives a board that can reach the goal and has this rank: then no board has two ranks,
 * and as there are as many ranks as boards, every board has one. */
static void expect_bijection(const struct board *goal, uint32_t size)
{
    struct ranking ranking = ranking_of(goal);
    assert_int_equal(ranking.size, size);
    for (uint32_t rank = 0; rank < size; rank++) {
        struct board board;
        struct board again;
        ranking_unrank(&ranking, rank, &board);
        assert_true(board_make(goal->shape, board.cell, &again)); /* a permutation */
        assert_memory_equal(&board, &again, sizeof board);
        assert_true(board_connected(&board, goal));
        assert_int_equal(ranking_rank(&ranking, &board), rank);
    }
}

TEST(ranking_is_a_bijection)
{
    static const struct {
        unsigned width, height;
        uint32_t size;
        const char *goals[5];
    } shapes[] = {
        {2, 2, 12, {"1 2 3 0", "0 1 2 3", "1 2 0 3", "2 1 3 0"}},
        {2, 3, 360, {"1 2 3 4 5 0", "0 1 2 3 4 5", "4 0 1 3 5 2", "2 1 3 4 5 0"}},
        {3, 2, 360, {"1 2 3 4 5 0", "0 1 2 3 4 5", "4 0 1 3 5 2"}},
        {3,
         3,
         181440,
         {"1 2 3 4 5 6 7 8 0", "0 1 2 3 4 5 6 7 8", "1 2 3 8 0 4 7 6 5", "1 2 3 5 8 6 0 7 4"}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (const char *const *goal = shapes[i].goals; *goal != NULL; goal++) {
            struct board board = board_sized(shapes[i].width, shapes[i].height, *goal);
            expect_bijection(&board, shapes[i].size);
        }
}

TEST(boards_of_12_cells_are_ranked_and_larger_ones_are_not)
{
    static const unsigned sides[][2] = {{4, 3}, {3, 4}, {6, 2}, {2, 6}};
    struct ranking ranking;
    struct board goal;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        goal = goal_of("blank-last", sides[i][0], sides[i][1]);
        assert_true(ranking_make(&goal, &ranking));
        assert_int_equal(ranking.size, 239500800);
        for (uint32_t rank = 0; rank < ranking.size; rank += 23951) {
            struct board board = board_ranked(&ranking, rank);
            assert_true(board_connected(&board, &goal));
            assert_int_equal(ranking_rank(&ranking, &board), rank);
        }
    }
    goal = goal_of("blank-last", 7, 2);
    assert_false(ranking_make(&goal, &ranking));
    goal = goal_of("blank-last", 6, 6);
    assert_false(ranking_make(&goal, &ranking));
}

/* A wide board is read column by column: as the high board that it becomes when rows and columns
 * are exchanged. */
TEST(wide_boards_are_read_by_columns)
{
    struct board wide = board_sized(3, 2, "1 2 3 4 5 0");
    struct board high = board_sized(2, 3, "1 4 2 5 3 0");
    struct ranking rankings[2];
    assert_true(ranking_make(&wide, &rankings[0]));
    assert_true(ranking_make(&high, &rankings[1]));
    for (uint32_t rank = 0; rank < rankings[0].size; rank++) {
        ranking_unrank(&rankings[0], rank, &wide);
        ranking_unrank(&rankings[1], rank, &high);
        for (unsigned row = 0; row < 2; row++)
            for (unsigned column = 0; column < 3; column++)
                assert_int_equal(wide.cell[3 * row + column], high.cell[2 * column + row]);
    }
}

/* Counts of boards by depth. */

static void expect_depths(const struct board *goal, const uint32_t *expected, unsigned deepest)
{
    SCOPED_BY(distances_end) struct distances distances = distances_to(goal);
    assert_int_equal(distances.deepest, deepest);
    for (unsigned depth = 0; depth < MAX_DISTANCES; depth++)
        assert_int_equal(distances.states[depth], depth <= deepest ? expected[depth] : 0);
}

TEST(depths_of_the_8_puzzle)
{
    /* OEIS A089473: states of the 8-puzzle at each distance from a goal with the blank in a corner.
     */
    static const uint32_t expected[] = {1,     2,     4,     8,     16,    20,    39,    62,
                                        116,   152,   286,   396,   748,   1024,  1893,  2512,
                                        4485,  5638,  9529,  10878, 16993, 17110, 23952, 20224,
                                        24047, 15578, 14560, 6274,  3910,  760,   221,   2};
    static const char *const corners[] = {"1 2 3 4 5 6 7 8 0", "0 1 2 3 4 5 6 7 8",
                                          "1 2 0 3 4 5 6 7 8", "1 2 3 5 8 6 0 7 4"};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        struct board goal = board_sized(3, 3, corners[i]);
        expect_depths(&goal, expected, 31);
    }
}

TEST(depths_of_the_2x3_puzzle)
{
    static const uint32_t expected[] = {1,  2,  3,  5,  6,  7,  10, 12, 12, 16, 23,
                                        25, 28, 39, 44, 40, 29, 21, 18, 12, 6,  1};
    struct board goals[] = {goal_of("blank-last", 2, 3), goal_of("blank-first", 2, 3),
                            goal_of("blank-last", 3, 2), goal_of("blank-first", 3, 2),
                            board_sized(3, 2, "3 0 1 2 5 4")};
    for (size_t i = 0; i < 4; i++)
        expect_depths(&goals[i], expected, 21);
    struct distances distances; /* a goal with the blank on an edge has other depths */
    assert_true(distances_make(&goals[4], &distances));
    assert_int_equal(distances.states[1], 3);
    distances_end(&distances);
}

/* Twelve boards on a ring: two at each depth but the first and the last. */
TEST(depths_of_the_2x2_puzzle)
{
    static const uint32_t expected[] = {1, 2, 2, 2, 2, 2, 1};
    for (unsigned i = 0; i < GOAL_NAMES; i++) {
        struct board goal = goal_of(goal_names[i], 2, 2);
        expect_depths(&goal, expected, 6);
    }
}

TEST(all_boards_lie_at_some_depth)
{
    static const struct {
        unsigned width, height;
        uint32_t boards;
    } shapes[] = {{2, 4, 20160}, {4, 2, 20160}, {5, 2, 1814400}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct board goal = goal_of("blank-last", shapes[i].width, shapes[i].height);
        uint32_t sum = 0;
        SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
        for (unsigned depth = 0; depth < MAX_DISTANCES; depth++)
            sum += distances.states[depth];
        assert_int_equal(sum, shapes[i].boards);
        assert_true(distances.states[distances.deepest] > 0);
        assert_int_equal(distances.deepest, shapes[i].width * shapes[i].height == 8 ? 36 : 55);
    }
}

TEST(no_table_for_more_than_12_cells)
{
    struct board goal = goal_of("blank-last", 7, 2);
    struct distances distances;
    assert_false(distances_make(&goal, &distances));
    assert_null(distances.depth);
    distances_end(&distances); /* allowed */
}

/* Single distances. */

TEST(known_distances)
{
    struct board last = goal_of("blank-last", 3, 3);
    struct board classic_goal = board_sized(3, 3, "1 2 3 5 8 6 0 7 4");
    struct board classic = board_sized(3, 3, "1 2 3 5 6 0 7 8 4");
    struct board astar = board_sized(3, 3, "1 5 2 8 0 3 4 7 6");
    struct board first_farthest = board_sized(3, 3, "8 6 7 2 5 4 3 0 1");
    struct board second_farthest = board_sized(3, 3, "6 4 7 8 5 0 3 2 1");
    struct board exchanged = board_sized(3, 3, "1 2 3 4 5 6 8 7 0");
    struct board small = board_sized(2, 2, "1 2 3 0");
    struct distances distances = distances_to(&last);
    assert_int_equal(distances_of(&distances, &last), 0);
    assert_int_equal(distances_of(&distances, &astar), 8);
    assert_int_equal(distances_of(&distances, &first_farthest), 31);
    assert_int_equal(distances_of(&distances, &second_farthest), 31);
    assert_int_equal(distances_of(&distances, &exchanged), -1);
    assert_int_equal(distances_of(&distances, &small), -1);
    distances_end(&distances);
    assert_true(distances_make(&classic_goal, &distances));
    assert_int_equal(distances_of(&distances, &classic), 3);
    distances_end(&distances);
}

/* The distance between two boards of 2x3 or 3x2 by a search that shares nothing with the code under
 * test: boards are texts. */
static int plain_distance(const char *start, const char *goal, int width)
{
    static char queue[720][8];
    static int depth[720];
    int count = 1;
    const int cells = (int)strlen(goal);
    memcpy(queue[0], goal, (size_t)cells + 1);
    depth[0] = 0;
    for (int head = 0; head < count; head++) {
        if (strcmp(queue[head], start) == 0)
            return depth[head];
        const int blank = (int)(strchr(queue[head], '0') - queue[head]);
        const int ways[4] = {blank % width > 0 ? blank - 1 : -1,
                             blank % width < width - 1 ? blank + 1 : -1, blank - width,
                             blank + width};
        for (int way = 0; way < 4; way++) {
            int known = 0;
            if (ways[way] < 0 || ways[way] >= cells)
                continue;
            memcpy(queue[count], queue[head], sizeof queue[0]);
            queue[count][blank] = queue[head][ways[way]];
            queue[count][ways[way]] = '0';
            while (strcmp(queue[known], queue[count]) != 0)
                known++;
            depth[count] = depth[head] + 1;
            count += known == count;
            assert_true(count <= 360);
        }
    }
    return -1;
}

TEST(a_sample_agrees_with_a_plain_search)
{
    srandom(SEED);
    for (int width = 2; width <= 3; width++) {
        for (int sample = 0; sample < 60; sample++) {
            char texts[2][8] = {"012345", "012345"};
            struct board boards[2];
            for (int i = 0; i < 2; i++) {
                uint8_t tiles[6];
                for (int last = 5; last > 0; last--) {
                    int other = (int)(random() % (last + 1));
                    char kept = texts[i][last];
                    texts[i][last] = texts[i][other];
                    texts[i][other] = kept;
                }
                for (int cell = 0; cell < 6; cell++)
                    tiles[cell] = (uint8_t)(texts[i][cell] - '0');
                struct shape shape = shape_of((unsigned)width, 6 / (unsigned)width);
                assert_true(board_make(shape, tiles, &boards[i]));
            }
            SCOPED_BY(distances_end) struct distances distances = distances_to(&boards[1]);
            int found = distances_of(&distances, &boards[0]);
            int expected = plain_distance(texts[0], texts[1], width);
            if (found != expected)
                fail_msg("width %d, seed %d: from %s to %s: %d, not %d", width, SEED, texts[0],
                         texts[1], found, expected);
        }
    }
}

/* Deeper boards of 3x3: each lies one step nearer to the goal than some neighbour allows, and none
 * jumps by more than one. */
TEST(neighbours_differ_by_one_step)
{
    struct board goal = goal_of("snail", 3, 3);
    srandom(SEED);
    SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
    for (unsigned sample = 0; sample < 20000; sample++) {
        uint32_t rank = (uint32_t)random() % distances.ranking.size;
        struct board board = board_ranked(&distances.ranking, rank);
        const int depth = distances_of(&distances, &board);
        bool nearer = depth == 0;
        assert_int_equal(depth, distances.depth[rank]);
        for (unsigned to = 0; to < 9; to++) {
            if (shape_distance(board.shape, to, board.blank) != 1)
                continue;
            struct board neighbour = board;
            board_slide(&neighbour, to);
            int step = distances_of(&distances, &neighbour) - depth;
            assert_true(step == 1 || step == -1);
            nearer = nearer || step == -1;
        }
        assert_true(nearer);
    }
}
