/* bfs is the textbook's: every counter, the path and the order of expansion are those of a plain
 * search with one queue and one table of whole boards, which shares nothing with it but the board.
 *
 * Boards of up to 12 cells go over to a table of the whole space on the way
 * (algorithms/perfect_hash_bfs.h), the larger ones never do, and neither may be seen in any counter
 * but peak_bytes. */
#include "puzzle/slide.h"
#include "tests/support.h"
#include <inttypes.h>

enum { SEED = 20260, CELLS = 16, MOST_NODES = 2000000, SLOTS = 1 << 22 };

struct plain_node {
    uint8_t cell[CELLS];
    uint32_t slot;
    uint32_t parent;
    uint16_t g;
    uint8_t blank;
    uint8_t move;
};

static struct {
    struct plain_node nodes[MOST_NODES];
    uint32_t count;
    uint32_t mask;         /* of the slots in use: few for a small space, as they are faster */
    uint32_t slots[SLOTS]; /* a node's index + 1 */
} * plain;

/* What a search answers, and a digest of what it expanded, in order. */
struct answer {
    enum status status;
    struct statistics statistics;
    char moves[256];
    uint64_t trace;
};

static void trace_board(void *context, const struct board *board, unsigned g, unsigned h)
{
    uint64_t *trace = context;
    assert_int_equal(h, 0);
    assert_int_equal(board->cell[board->blank], 0);
    for (unsigned i = 0; i < CELLS; i++)
        *trace = (*trace ^ board->cell[i]) * UINT64_C(0x100000001b3);
    *trace = (*trace ^ g) * UINT64_C(0x100000001b3);
}

/* The slot of a board: the one that holds it, or an empty one. */
static uint32_t plain_slot(const uint8_t cell[CELLS])
{
    uint64_t halves[2];
    memcpy(halves, cell, sizeof halves);
    uint64_t hash =
        (halves[0] ^ halves[1] * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
    for (hash >>= 36;; hash++) {
        const uint32_t slot = (uint32_t)hash & plain->mask;
        const uint32_t held = plain->slots[slot];
        if (held == 0 || memcmp(plain->nodes[held - 1].cell, cell, CELLS) == 0)
            return slot;
    }
}

/* Whether the node behind the last one is a new board; then it is one node more. */
static bool plain_add(void)
{
    struct plain_node *node = &plain->nodes[plain->count];
    node->slot = plain_slot(node->cell);
    if (plain->slots[node->slot] != 0)
        return false;
    plain->slots[node->slot] = ++plain->count;
    assert_true(plain->count < MOST_NODES);
    return true;
}

static void plain_solution(uint32_t id, struct answer *answer)
{
    answer->status = STATUS_solved;
    for (unsigned g = plain->nodes[id].g; g > 0; g--) {
        answer->moves[g - 1] = "UDLR"[plain->nodes[id].move];
        id = plain->nodes[id].parent;
    }
}

static bool plain_goal(const struct task *task, uint32_t id)
{
    return memcmp(plain->nodes[id].cell, task->goal.cell, task->goal.shape.cells) == 0;
}

/* Moore's search, step by step. */
static struct answer plain_search(const struct task *task, bool early, uint64_t limit)
{
    struct answer answer = {.status = STATUS_exhausted};
    struct statistics *counts = &answer.statistics;
    const unsigned width = task->start.shape.width;
    const unsigned height = task->start.shape.height;
    while (plain->count > 0)
        plain->slots[plain->nodes[--plain->count].slot] = 0;
    plain->mask = (task->start.shape.cells <= 9 ? SLOTS / 8 : SLOTS) - 1;
    plain->nodes[0] = (struct plain_node){.blank = task->start.blank, .move = MOVE_NONE};
    memcpy(plain->nodes[0].cell, task->start.cell, CELLS);
    plain_add();
    counts->generated = counts->max_open = counts->max_stored = counts->iterations = 1;
    counts->open_at_end = 1;
    if (early && plain_goal(task, 0)) {
        plain_solution(0, &answer);
        return answer;
    }
    for (uint32_t head = 0; head < plain->count; head++) {
        const struct plain_node *node = &plain->nodes[head];
        struct board board = {.shape = task->start.shape, .blank = node->blank};
        counts->open_at_end = plain->count - head - 1;
        if (!early && plain_goal(task, head)) {
            plain_solution(head, &answer);
            return answer;
        }
        memcpy(board.cell, node->cell, CELLS);
        trace_board(&answer.trace, &board, node->g, 0);
        counts->expanded++;
        for (const char *move = task->order; *move != '\0'; move++) {
            const unsigned column = node->blank % width;
            const unsigned row = node->blank / width;
            static const char undo[] = "DURL"; /* of U, D, L, R */
            unsigned to = node->blank;
            if (node->move != MOVE_NONE && *move == undo[node->move])
                continue;
            if (*move == 'U' && row > 0)
                to -= width;
            else if (*move == 'D' && row + 1 < height)
                to += width;
            else if (*move == 'L' && column > 0)
                to--;
            else if (*move == 'R' && column + 1 < width)
                to++;
            else
                continue;
            if (counts->generated == limit) {
                answer.status = STATUS_node_limit;
                return answer;
            }
            counts->generated++;
            struct plain_node *child = &plain->nodes[plain->count];
            *child = *node;
            child->cell[node->blank] = node->cell[to];
            child->cell[to] = 0;
            child->blank = (uint8_t)to;
            child->parent = head;
            child->g = (uint16_t)(node->g + 1);
            child->move = (uint8_t)(strchr("UDLR", *move) - "UDLR");
            if (!plain_add()) {
                counts->duplicates++;
                continue;
            }
            raise_to(&counts->max_open, ++counts->open_at_end);
            raise_to(&counts->max_stored, plain->count);
            raise_to(&counts->max_depth, child->g);
            if (early && plain_goal(task, plain->count - 1)) {
                plain_solution(plain->count - 1, &answer);
                return answer;
            }
        }
    }
    return answer;
}

static struct answer search(const struct task *task, bool early, uint64_t limit, bool observed,
                            uint64_t bytes)
{
    const struct solver solver = solver_of(early ? "bfs" : "bfs(goal_test=removal)");
    const struct limits limits = {.bytes = bytes, .nodes = limit};
    struct answer answer = {.status = STATUS_exhausted};
    const struct observer observer = {.expands = trace_board, .context = &answer.trace};
    struct result result = result_of(&solver, task, &limits, observed ? &observer : NULL);
    answer.status = result.status;
    answer.statistics = result.statistics;
    assert_true(result.length < sizeof answer.moves);
    if (result.status == STATUS_solved)
        memcpy(answer.moves, result.moves, result.length);
    assert_true(result.statistics.peak_bytes <= bytes);
    result_end(&result);
    return answer;
}

/* Says whether the two are equal but for peak_bytes, and the trace where there is none. */
static bool same(struct answer is, struct answer should_be, bool observed)
{
    is.statistics.peak_bytes = should_be.statistics.peak_bytes = 0;
    return is.status == should_be.status && strcmp(is.moves, should_be.moves) == 0 &&
           memcmp(&is.statistics, &should_be.statistics, sizeof is.statistics) == 0 &&
           (!observed || is.trace == should_be.trace);
}

static void expect_same(const struct task *task, bool early, uint64_t limit)
{
    const struct answer should_be = plain_search(task, early, limit == 0 ? UINT64_MAX : limit);
    for (int observed = 0; observed < 2; observed++) {
        const struct answer is = search(task, early, limit, observed != 0, UINT64_C(1) << 30);
        if (same(is, should_be, observed != 0))
            continue;
        for (unsigned i = 0; i < COUNTERS; i++)
            print_error("%s: %" PRIu64 ", should be %" PRIu64 "\n", counters[i].name,
                        statistics_value(&is.statistics, i),
                        statistics_value(&should_be.statistics, i));
        fail_msg("%s (observed: %d) from %s to %s, width %u, order %s, limit %" PRIu64
                 ": %s %s, should be %s %s",
                 early ? "bfs" : "bfs(goal_test=removal)", observed, line_of(&task->start),
                 line_of(&task->goal), task->start.shape.width, task->order, limit,
                 status_rows[is.status].name, is.moves, status_rows[should_be.status].name,
                 should_be.moves);
    }
}

/* Boards at random. */

static gsl_rng *generator;

static struct task random_task(unsigned width, unsigned height, char order[MOVES + 1])
{
    struct task task = {.goal = any_board(generator, shape_of(width, height)), .order = order};
    task.start = solvable_board(generator, &task.goal);
    gsl_ran_shuffle(generator, order, MOVES, 1);
    return task;
}

static void start_random(uint64_t set)
{
    random_stream(generator, SEED, (uint32_t)set, 0, 0);
}

TEST(whole_searches)
{
    static const struct {
        unsigned width, height, count;
    } shapes[] = {{2, 2, 12}, {2, 3, 12}, {3, 2, 12}, {2, 4, 8},
                  {4, 2, 8},  {3, 3, 20}, {2, 5, 1},  {5, 2, 1}};
    const size_t count = sizeof shapes / sizeof *shapes - (is_long() ? 0 : 2); /* see node_limits */
    for (size_t i = 0; i < count; i++) {
        start_random(i);
        for (unsigned sample = 0; sample < shapes[i].count; sample++) {
            char order[] = "UDLR";
            const struct task task = random_task(shapes[i].width, shapes[i].height, order);
            expect_same(&task, sample % 2 == 0, 0);
        }
    }
}

/* From one of the two farthest boards the goal is one of the last two to be looked at: everything
 * before it is the whole space. */
TEST(the_whole_8_puzzle)
{
    static const char *const starts[] = {"8 6 7 2 5 4 3 0 1", "6 4 7 8 5 0 3 2 1"};
    for (unsigned i = 0; i < 2; i++) {
        const struct task task = {board_of(starts[i]), goal_of("blank-last", 3, 3), DEFAULT_ORDER};
        expect_same(&task, true, 0);
        expect_same(&task, false, 0);
    }
}

/* Wherever a limit of nodes falls: within the store, where the table takes over, within it. */
TEST(node_limits)
{
    static const struct {
        unsigned width, height, most, count;
    } shapes[] = {{3, 3, 6000, 60},  {3, 3, 302000, 8}, {4, 2, 20000, 20},
                  {3, 4, 700000, 2}, {4, 3, 700000, 2}, {6, 2, 700000, 1},
                  {4, 4, 30000, 8},  {2, 5, 300000, 1}, {5, 2, 300000, 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        start_random(100 + i);
        for (unsigned sample = 0; sample < shapes[i].count; sample++) {
            char order[] = "UDLR";
            const struct task task = random_task(shapes[i].width, shapes[i].height, order);
            const uint64_t limit = 1 + gsl_rng_uniform_int(generator, shapes[i].most);
            expect_same(&task, sample % 2 == 0, limit);
        }
    }
}

/* Every limit in a row, over the table alone. */
TEST(every_node_limit)
{
    const struct task task = {board_of("8 6 7 2 5 4 3 0 1"), goal_of("blank-last", 3, 3), "RDLU"};
    for (uint64_t limit = 30000; limit < 30040; limit++)
        expect_same(&task, limit % 2 == 0, limit);
}

/* A search within a smaller budget is the same search, cut short; and a larger budget never makes
 * it shorter, although from some budget on the table takes the store's place. */
TEST(memory_limits)
{
    const struct task task = {board_of("8 6 7 2 5 4 3 0 1"), goal_of("blank-last", 3, 3),
                              DEFAULT_ORDER};
    const struct answer whole = plain_search(&task, true, UINT64_MAX);
    uint64_t min_generated = 0;
    bool solved = false;
    for (uint64_t bytes = 0; bytes < 600000; bytes += 3777) {
        const struct answer answer = search(&task, true, 0, false, bytes);
        const struct statistics *counts = &answer.statistics;
        assert_true(counts->generated >= min_generated);
        min_generated = counts->generated;
        if (answer.status == STATUS_solved) {
            assert_true(same(answer, whole, false));
            solved = true;
            continue;
        }
        assert_false(solved);
        assert_string_equal(status_rows[answer.status].name, "memory_limit");
        /* The one for which there was no room is counted as generated. */
        const uint64_t kept = counts->duplicates + counts->max_stored;
        assert_true(counts->generated == kept || counts->generated == kept + 1);
        assert_true(counts->expanded < whole.statistics.expanded);
        /* The table of 3x3 takes 161,280 bytes; over it nothing is left that would hold a chunk. */
        if (counts->peak_bytes > 260000)
            assert_true(bytes - counts->peak_bytes < SLIDES_CHILDREN * sizeof(uint32_t));
        if (kept > 0) {
            const struct answer as_far = plain_search(&task, true, kept);
            assert_int_equal(counts->duplicates, as_far.statistics.duplicates);
            assert_int_equal(counts->max_open, as_far.statistics.max_open);
            assert_int_equal(counts->max_depth, as_far.statistics.max_depth);
        }
    }
    assert_true(solved);
}

/* With too small a budget for the table of the space and some more, the store solves what it can.
 */
TEST(no_room_for_the_table)
{
    const struct task task = {board_sized(3, 4, "1 2 3 4 5 6 7 8 9 10 11 0"),
                              board_sized(3, 4, "1 2 3 4 5 6 7 8 9 10 11 0"), DEFAULT_ORDER};
    struct task walked = task;
    start_random(200);
    /* Far enough that more than a 1024th of the space is stored. */
    for (unsigned step = 0; step < 400; step++) {
        const unsigned to = (unsigned)gsl_rng_uniform_int(generator, 12);
        if (shape_distance(walked.start.shape, walked.start.blank, to) == 1)
            board_slide(&walked.start, to);
    }
    const uint64_t limit = 900000;
    const struct answer should_be = plain_search(&walked, true, limit);
    assert_true(should_be.statistics.max_stored > 239500800 / 1024);
    const struct answer table = search(&walked, true, limit, false, UINT64_C(1) << 30);
    assert_true(same(table, should_be, false));
    assert_true(table.statistics.peak_bytes > UINT64_C(160) << 20);
    for (uint64_t mebibytes = 64; mebibytes < 170; mebibytes += 70) {
        const struct answer store = search(&walked, true, limit, false, mebibytes << 20);
        assert_true(same(store, should_be, false));
        assert_true(store.statistics.peak_bytes < UINT64_C(64) << 20);
    }
}

/* A search that is interrupted says so, wherever it is. */
static volatile sig_atomic_t interrupted;

static void interrupt_late(void *context, UNUSED const struct board *board, UNUSED unsigned g,
                           UNUSED unsigned h)
{
    uint64_t *left = context;
    if (--*left == 0)
        interrupted = 1;
}

/* With depth_limit=N a search stores the boards up to N moves away and finds a goal as far away,
 * expanding the boards up to N - 1 moves away. */
TEST(depth_limits)
{
    const struct board centre = goal_of("blank-last", 3, 3);
    const struct limits limits = {.bytes = 1 << 26};
    struct task task = {.start = centre, .order = DEFAULT_ORDER};
    SCOPED_BY(distances_end) struct distances distances = distances_to(&centre);
    static const unsigned distances_of_goal[] = {2, 13, 31};
    for (size_t i = 0; i < sizeof distances_of_goal / sizeof *distances_of_goal; i++) {
        const unsigned away = distances_of_goal[i];
        uint32_t rank = 0;
        while (distances.depth[rank] != away)
            rank++;
        ranking_unrank(&distances.ranking, rank, &task.goal);
        uint64_t boards = 0;
        for (unsigned depth = 0; depth <= away; depth++) {
            for (unsigned late = 0; late < 2; late++) {
                const struct solver solver = solver_of(text_of(
                    "bfs(%sdepth_limit=%u)", late == 1 ? "goal_test=removal, " : "", depth));
                struct result result = result_of(&solver, &task, &limits, NULL);
                assert_string_equal(status_rows[result.status].name,
                                    depth == away ? "solved" : "exhausted");
                if (depth == away) {
                    assert_int_equal(result.length, away);
                } else {
                    assert_int_equal(result.statistics.max_stored,
                                     boards + distances.states[depth]);
                    assert_int_equal(result.statistics.expanded, boards);
                    assert_int_equal(result.statistics.max_depth, depth);
                }
                result_end(&result);
            }
            boards += distances.states[depth];
        }
    }
}

TEST(interrupts)
{
    static const uint64_t when[] = {1, 1000, 2500, 3000, 50000, 170000};
    const struct task task = {board_of("8 6 7 2 5 4 3 0 1"), goal_of("blank-last", 3, 3),
                              DEFAULT_ORDER};
    const struct limits limits = {.bytes = 1 << 26, .interrupted = &interrupted};
    for (size_t i = 0; i < sizeof when / sizeof *when; i++) {
        uint64_t left = when[i];
        const struct observer observer = {.expands = interrupt_late, .context = &left};
        interrupted = 0;
        SCOPED_BY(result_end) struct result result = result_by("bfs", &task, &limits, &observer);
        assert_string_equal(status_rows[result.status].name, "interrupted");
        assert_true(result.statistics.expanded >= when[i]);
        assert_true(result.statistics.expanded < when[i] + 5000);
    }
}

/* Boards by depth. */

static void count_depth(void *context, UNUSED const struct board *board, unsigned g,
                        UNUSED unsigned h)
{
    uint64_t *boards = context;
    boards[g]++;
}

/* Searches from `centre` for a board as far away as any, and compares how many boards are expanded
 * at each depth with the exact table, or with what was published; of the last depth, those that
 * were generated. */
static void expect_depths(const struct board *centre, const uint32_t *published)
{
    const struct solver solver = solver_of("bfs(goal_test=removal)");
    const struct limits limits = {.bytes = UINT64_C(384) << 20};
    struct task task = {.start = *centre, .order = DEFAULT_ORDER};
    uint64_t boards[MAX_DISTANCES] = {0};
    const struct observer observer = {.expands = count_depth, .context = boards};
    uint32_t farthest = 0;
    SCOPED_BY(distances_end) struct distances distances = distances_to(centre);
    while (distances.depth[farthest] != distances.deepest)
        farthest++;
    ranking_unrank(&distances.ranking, farthest, &task.goal);
    SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, &observer);
    assert_string_equal(status_rows[result.status].name, "solved");
    assert_int_equal(result.length, distances.deepest);
    ASSERT_REACHES_GOAL(&task, &result);
    assert_int_equal(result.statistics.max_stored, distances.ranking.size);
    uint64_t left = distances.ranking.size;
    for (unsigned depth = 0; depth <= distances.deepest; depth++) {
        if (depth == distances.deepest)
            boards[depth] = left;
        left -= boards[depth];
        assert_int_equal(boards[depth], distances.states[depth]);
        if (published != NULL)
            assert_int_equal(boards[depth], published[depth]);
    }
    assert_int_equal(left, 0);
}

TEST(boards_by_depth)
{
    /* OEIS A089474: the 8-puzzle with the blank in the middle. */
    static const uint32_t middle[] = {1,     4,     8,     8,     16,    32,    60,    72,
                                      136,   200,   376,   512,   964,   1296,  2368,  3084,
                                      5482,  6736,  11132, 12208, 18612, 18444, 24968, 19632,
                                      22289, 13600, 11842, 4340,  2398,  472,   148};
    /* OEIS A090035: 4x2, blank in a corner. */
    static const uint32_t eight[] = {1,    2,    3,    6,    10,   14,   19,   28,   42,   61,
                                     85,   119,  161,  215,  293,  396,  506,  632,  788,  985,
                                     1194, 1414, 1664, 1884, 1999, 1958, 1770, 1463, 1076, 667,
                                     361,  190,  88,   39,   19,   7,    1};
    const struct board goals[] = {goal_of("blank-last", 2, 2),   goal_of("snail", 3, 2),
                                  goal_of("blank-last", 2, 3),   goal_of("blank-last", 3, 3),
                                  board_of("1 0 2 3 4 5 6 7 8"), goal_of("blank-last", 2, 5)};
    const struct board wide = goal_of("blank-first", 4, 2);
    const struct board high = goal_of("blank-first", 2, 4);
    const struct board blank_in_the_middle = board_of("1 2 3 4 0 5 6 7 8");
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        expect_depths(&goals[i], NULL);
    expect_depths(&blank_in_the_middle, middle);
    expect_depths(&wide, eight);
    expect_depths(&high, eight);
}

/* The long tier: all 239,500,800 boards of 4x3 and 3x4. */

LONG_TEST(boards_of_4x3_by_depth)
{
    /* OEIS A090166: 4x3, blank in a corner. */
    static const uint32_t published[] = {
        1,        2,        4,        9,        20,       37,       63,       122,      232,
        431,      781,      1392,     2494,     4442,     7854,     13899,    24215,    41802,
        71167,    119888,   198363,   323206,   515778,   811000,   1248011,  1885279,  2782396,
        4009722,  5621354,  7647872,  10065800, 12760413, 15570786, 18171606, 20299876, 21587248,
        21841159, 20906905, 18899357, 16058335, 12772603, 9515217,  6583181,  4242753,  2503873,
        1350268,  643245,   270303,   92311,    27116,    5390,     1115,     86,       18};
    const struct board wide = goal_of("blank-first", 4, 3);
    expect_depths(&wide, published);
}

/* One of the 18 boards that lie 53 moves from the goal. Within less than a fifth of the usual
 * budget, at a rate that notices a time limit within 50 ms. */
LONG_TEST(the_farthest_board_of_3x4)
{
    const struct task task = {board_sized(3, 4, "0 7 10 9 8 11 4 5 6 1 2 3"),
                              goal_of("blank-last", 3, 4), DEFAULT_ORDER};
    for (int early = 0; early < 2; early++) {
        const struct answer answer = search(&task, early != 0, 0, false, UINT64_C(384) << 20);
        const struct statistics *counts = &answer.statistics;
        assert_string_equal(status_rows[answer.status].name, "solved");
        assert_int_equal(strlen(answer.moves), 53);
        assert_int_equal(replay_path(&task.start, &task.goal, answer.moves, 53).outcome,
                         REPLAY_REACHES_GOAL);
        assert_int_equal(counts->duplicates, counts->generated - counts->max_stored);
        assert_int_equal(counts->max_depth, 53);
        assert_true(counts->expanded < counts->max_stored);
        assert_true(early != 0 || counts->max_stored == 239500800);
    }
    for (double seconds = 0.05; seconds < 3; seconds *= 2) {
        const struct limits limits = {.bytes = UINT64_C(384) << 20, .seconds = seconds};
        SCOPED_BY(result_end) struct result result = result_by("bfs", &task, &limits, NULL);
        assert_string_equal(status_rows[result.status].name, "time_limit");
        assert_true(result.cpu_seconds < seconds + 0.05);
    }
}

static int start(UNUSED void **state)
{
    plain = calloc(1, sizeof *plain);
    generator = any_generator();
    return plain == NULL || generator == NULL;
}

static int end(UNUSED void **state)
{
    free(plain);
    return 0;
}

AROUND_ALL_TESTS(start, end)
