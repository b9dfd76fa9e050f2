/* Counters worked out by hand, on boards small enough to follow with a pencil.
 *
 * The 2x2 puzzle is a ring of 12 boards: the root has two successors, every other node one (the way
 * back is left out). On a 2x2 board with the goal 1 2 / 3 0 and the order ULRD, the first successor
 * of the goal's neighbourhood is fixed by where the blank is: with the blank at the bottom right, U
 * comes before L. `a` below is the side that the first operator opens, `b` the other. */
#include "tests/support.h"

struct expected {
    enum status status;
    size_t length;
    uint64_t expanded, generated, duplicates, max_open, max_stored, max_depth;
};

static struct statistics check_within(const struct limits *limits, const char *solver_text,
                                      const char *start, const char *goal, struct expected expected)
{
    struct task task = {board_of(start), board_of(goal), DEFAULT_ORDER};
    SCOPED_BY(result_end) struct result result = result_by(solver_text, &task, limits, NULL);
    assert_string_equal(status_rows[result.status].name, status_rows[expected.status].name);
    assert_int_equal(result.length, expected.length);
    if (result.status == STATUS_solved)
        ASSERT_REACHES_GOAL(&task, &result);
    assert_int_equal(result.statistics.expanded, expected.expanded);
    assert_int_equal(result.statistics.generated, expected.generated);
    assert_int_equal(result.statistics.duplicates, expected.duplicates);
    assert_int_equal(result.statistics.max_open, expected.max_open);
    assert_int_equal(result.statistics.max_stored, expected.max_stored);
    assert_int_equal(result.statistics.max_depth, expected.max_depth);
    return result.statistics;
}

/* A search that ends as its row says, with these counters, in all the memory that it needs. */
#define SOLVED(...)        ((struct expected){STATUS_solved, __VA_ARGS__})
#define ENDED(status, ...) ((struct expected){STATUS_##status, 0, __VA_ARGS__})

static const struct limits roomy = {.bytes = 1 << 26};

static struct statistics check(const char *solver_text, const char *start, const char *goal,
                               struct expected expected)
{
    return check_within(&roomy, solver_text, start, goal, expected);
}

/* From 1 2 / 3 0 the blank goes U: 1 0 / 3 2, then L: 0 1 / 3 2, then D: 3 1 / 0 2. So from the
 * start 3 1 / 0 2 the goal 1 2 / 3 0 lies three moves away by U R D. At that start the operators
 * are U and R: side a is U, and the goal is its third node. */
TEST(test_ring_bfs)
{
    /* root -> a1 b1; a1 -> a2; b1 -> b2; a2 -> a3, the goal, on generation. Live nodes: 1, 2, 2, 2,
     * then b2 and a3. */
    check("bfs", "3 1 0 2", "1 2 3 0", SOLVED(3, 4, 6, 0, 2, 6, 3));
    /* On removal b2 is expanded as well, to b3, before a3 is looked at. */
    check("bfs(goal_test=removal)", "3 1 0 2", "1 2 3 0", SOLVED(3, 5, 7, 0, 2, 7, 3));
}

TEST(test_ring_dfs)
{
    /* root -> a1 b1; a1 -> a2; a2 -> a3, which is taken next. b1 stays live: 2 live nodes at most,
     * 5 stored. */
    check("dfs", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 5, 0, 2, 5, 3));
    check("dfs(duplicates=path)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 5, 0, 2, 4, 3));
    /* The other way round, from the goal: U first leads the long way, 9 moves to what lies 3 moves
     * away by L U R: 1 2 / 3 0, L: 1 2 / 0 3, U: 0 2 / 1 3, R: 2 0 / 1 3. root -> a1 b1, then one
     * successor for each of a1 .. a8. */
    check("dfs", "1 2 3 0", "2 0 1 3", SOLVED(9, 9, 11, 0, 2, 11, 9));
    /* Under a depth limit of 3: a1, a2 expanded, a3 not; then b1, b2, and b3 is the goal. */
    check("dfs(duplicates=path, depth_limit=3)", "1 2 3 0", "2 0 1 3", SOLVED(3, 5, 7, 0, 2, 4, 3));
    /* Under a limit of 2 the space is spent: root, a1, b1 expanded, a2 and b2 not. */
    check("dfs(depth_limit=2)", "1 2 3 0", "2 0 1 3", ENDED(exhausted, 3, 5, 0, 2, 5, 2));
    /* With no check at all the first operator goes U, then D, then U ..: every node has two
     * successors, the way back included. From the blank at the bottom right: U; there L comes
     * before D: L; there R before D: R; and so on between those two: U L R L R .. The 51st
     * expansion is cut short by the limit, and counts. */
    check_within(&(struct limits){.bytes = 1 << 26, .nodes = 101}, "dfs(duplicates=none)",
                 "1 2 3 0", "2 0 1 3",
                 (struct expected){STATUS_node_limit, 0, 51, 101, 0, 51, 51, 50});
}

TEST(test_ring_iddfs)
{
    struct statistics statistics;
    /* Depth 1: root -> a1 b1. Depth 2: root, a1 -> a2, b1 -> b2. Depth 3: root, a1, a2 -> a3. The
     * root is generated once. */
    statistics = check("iddfs", "3 1 0 2", "1 2 3 0", SOLVED(3, 7, 11, 0, 2, 4, 3));
    assert_int_equal(statistics.iterations, 4);
    /* The blank is one step from its goal: depths 1 and 3. */
    statistics = check("iddfs(parity)", "3 1 0 2", "1 2 3 0", SOLVED(3, 4, 7, 0, 2, 4, 3));
    assert_int_equal(statistics.iterations, 2);
    statistics =
        check("iddfs(depth_limit=2)", "3 1 0 2", "1 2 3 0", ENDED(exhausted, 4, 7, 0, 2, 3, 2));
    assert_int_equal(statistics.iterations, 3);
    statistics = check("iddfs(parity, depth_limit=0)", "3 1 0 2", "1 2 3 0",
                       ENDED(exhausted, 0, 1, 0, 1, 1, 0));
    assert_int_equal(statistics.iterations, 0);
    /* The way back too: two successors each. At a2, L leads back and comes before D to the goal;
     * then b1, the way back to the root and these two are live. */
    check("iddfs(duplicates=none)", "3 1 0 2", "1 2 3 0", SOLVED(3, 7, 15, 0, 4, 4, 3));
}

TEST(test_ring_ucs)
{
    /* The oldest first: as bfs with the goal test on removal. */
    check("ucs", "3 1 0 2", "1 2 3 0", SOLVED(3, 5, 7, 0, 2, 7, 3));
    /* The newest of equal g first: root -> a1 b1; b1 -> b2; a1 -> a2; a2 -> a3; b2 -> b3; b3 -> b4;
     * then a3, the goal, is what is left at g = 3. */
    check("ucs(ties=lifo)", "3 1 0 2", "1 2 3 0", SOLVED(3, 6, 8, 0, 2, 8, 4));
}

TEST(test_ring_bibfs)
{
    /* Both roots are generated. The start's layer: root -> a1 b1. The goal's, now the smaller: U is
     * a2, L is behind it. Two against two, the start's again: a1 -> a2, which the goal's side
     * holds. Live nodes before: a1 b1, a2 and the one behind the goal. */
    check("bibfs", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 7, 0, 4, 6, 1));
    /* Next to the goal: L is new, D is the other root. */
    check("bibfs", "1 0 3 2", "1 2 3 0", SOLVED(1, 1, 4, 0, 2, 3, 1));
}

/* From the middle to the corner, four moves: U R D D. */
TEST(test_bibfs_sides)
{
    const char *start = "1 5 2 4 0 3 7 8 6";
    const char *goal = "1 2 3 4 5 6 7 8 0";
    /* The start's 1 -> 4; the goal's 1 -> 2 -> 4, as it is the smaller twice; then the start's U,
     * whose L is new and whose R the other side holds. Live nodes: 5, 6, 7, 8, and 3 + 1 + 4. */
    check("bibfs", start, goal, SOLVED(4, 5, 14, 0, 8, 13, 2));
    /* In turn: the start's 1 -> 4, the goal's 1 -> 2, the start's 4 -> 8, which live beside the
     * other side's 2; then the goal's U, whose U the other side holds. */
    check("bibfs(side=alternate)", start, goal, SOLVED(4, 7, 17, 0, 10, 16, 2));
}

/* The ring again, from both ends. Manhattan: h is 3 at the start, 2 and 1 along U R D, 4 at b1;
 * from the goal 3, 2 at its U, which is a2, 4 at its L. So f is 3 on the way and 5 beside it. */
TEST(test_ring_from_both_ends)
{
    /* Priorities: 3 at both roots, so the start's goes: a1 has max(3, 2), b1 5. a1 as well: a2 has
     * max(3, 4). Now the goal's: its U is a2, 1 + 2 moves, and no shorter path is left, as C = 3.
     * Live nodes: b1 a2, U L. */
    check("mm(manhattan)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 7, 0, 4, 7, 2));
    /* max(3, 3) for a1, max(3, 5) for a2: the same nodes. */
    check("mme(manhattan)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 7, 0, 4, 7, 2));
    /* Priorities 0, 0, then 2 for all four: b1, the newest of the start's, then a1, which meets.
     * Then g is 2 forward at least, 1 backward, and 2 + 1 + 1 is no less than 3. */
    check("mm(zero)", "3 1 0 2", "1 2 3 0", SOLVED(3, 4, 8, 0, 4, 8, 2));
    /* Pairs: the roots, 0 + 0 + 1 and f 3; then a1 and the goal's U, 1 + 1 + 1 and f 3. a1 meets, U
     * is expanded all the same. */
    check("nbs(manhattan)", "3 1 0 2", "1 2 3 0", SOLVED(3, 4, 8, 0, 4, 8, 2));
    /* In turn: the start, b = 3 + 0 - 0, opens a1 with 2 + 2 - 1 and b1 with 2 + 4 - 1; the goal
     * likewise; a1 meets, and (3 + 3) / 2 is no less than 3. */
    check("bae(manhattan)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 7, 0, 4, 7, 2));
    /* The start's, then the goal's as it has fewer live nodes, then a1. No f is below 3 then. */
    check("bsstar(manhattan)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 7, 0, 4, 7, 2));
    /* The pair of the roots: either is a cover, so the goal's goes; its U and the start, 0 + 1 + 1:
     * again; U's L, which is a1, and the start, 0 + 2 + 1: again, and it meets the start. L waits.
     */
    check("dvcbs(manhattan)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 6, 0, 3, 6, 3));
}

/* The usual example of branch and bound: blank right of the middle, three successors; then three;
 * then two, one of them the goal. */
TEST(test_branch_and_bound_example)
{
    const char *start = "1 2 3 5 6 0 7 8 4";
    const char *goal = "1 2 3 5 8 6 0 7 4";
    check("lcbb(misplaced)", start, goal, SOLVED(3, 3, 9, 0, 6, 9, 3));
    /* With the way back: 3, 4 and 3 successors. */
    check("lcbb(misplaced, duplicates=none)", start, goal, SOLVED(3, 3, 11, 0, 8, 11, 3));
    /* On generation the goal, L, ends it before R is generated: 4 and 1 live nodes. */
    check("lcbb(misplaced, goal_test=generation)", start, goal, SOLVED(3, 3, 8, 0, 5, 8, 3));
    check("astar(misplaced)", start, goal, SOLVED(3, 3, 9, 0, 6, 9, 3));
    check("astar_idastar(misplaced)", start, goal, SOLVED(3, 3, 9, 0, 6, 9, 3));
    check("greedy(misplaced)", start, goal, SOLVED(3, 3, 9, 0, 6, 9, 3));
    check("descent(misplaced)", start, goal, SOLVED(3, 3, 9, 0, 1, 4, 3));
    /* The bound is 4: root -> L alone is below it (the others cost 1 + 4); L -> D alone; D -> L
     * alone. */
    struct statistics statistics =
        check("dfbnb(misplaced, depth_limit=3)", start, goal, SOLVED(3, 3, 9, 0, 1, 4, 3));
    assert_int_equal(statistics.first_found, 9);
    assert_int_equal(statistics.best_found, 9);
    /* Bounded by greedy's three moves, nothing is below: only the root is looked at again, and it
     * is not below the bound of 3. */
    statistics = check("dfbnb(misplaced)", start, goal, SOLVED(3, 3, 9, 0, 6, 9, 3));
    assert_int_equal(statistics.first_found, 9);
}

/* The ring under f = 2 g + w' h, with misplaced tiles h: 3 at the start, then 2, 1, 0 along U R D
 * and 3 behind R. */
TEST(test_wastar)
{
    /* w = 3 / 2: the start costs 9; a1 2 + 6, b1 2 + 9; a2 4 + 3; a3, the goal, 6. */
    check("wastar(misplaced)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 5, 0, 2, 5, 3));
    /* The usual example of branch and bound, whatever the weight: its path costs 3 w, 1 + 2 w, 2 +
     * w, 3, and all beside it more. */
    check("wastar(misplaced, w=1)", "1 2 3 5 6 0 7 8 4", "1 2 3 5 8 6 0 7 4",
          SOLVED(3, 3, 9, 0, 6, 9, 3));
    check("wastar(misplaced, w=1000)", "1 2 3 5 6 0 7 8 4", "1 2 3 5 8 6 0 7 4",
          SOLVED(3, 3, 9, 0, 6, 9, 3));
}

/* Under misplaced tiles h, 3 at the start, the children along U R D cost 3 and are kept at once; b1
 * costs 4, and the start waits for it. */
TEST(test_partial_expansion)
{
    check("pea(misplaced)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 5, 0, 2, 4, 3));
    check("epea(misplaced)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 4, 0, 2, 4, 3));
    /* b1 is kept too, and the start closed. */
    check("pea(misplaced, cutoff=1)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 5, 0, 2, 5, 3));
    /* Without an estimate each node is first expanded for nothing, as its children cost 1 more.
     * Of equal stored costs the deepest goes first, then the newest: root root b1 a1 b1 b2 a1 a2
     * a2, with the children a1 b1 and, at the second expansion of their parents, b2 a2 a3. pea
     * makes 2 + 2 + 7 children. */
    check("pea(zero)", "3 1 0 2", "1 2 3 0", SOLVED(3, 9, 12, 0, 2, 6, 3));
    check("epea(zero)", "3 1 0 2", "1 2 3 0", SOLVED(3, 9, 6, 0, 2, 6, 3));
}

/* The A* of it, while its share of the memory lasts: the start, then a1 and a2, whose child is the
 * goal; b1 costs 4 and waits. (What IDA* does below it: tests/property/test_between.c.) */
TEST(test_astar_before_idastar)
{
    struct statistics statistics =
        check("astar_idastar(misplaced)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 5, 0, 2, 5, 3));
    assert_int_equal(statistics.iterations, 1);
}

/* No state of the ring lies on two ways of at most five moves, so a table finds nothing. Rounds 0
 * to 3 expand root; root a1 b1; root a1 a2 b1 b2; root a1 a2, and make 2, 4, 6 and 3 children. */
TEST(test_idastar_with_a_table)
{
    check("idastar(zero)", "3 1 0 2", "1 2 3 0", SOLVED(3, 12, 16, 0, 1, 4, 3));
    check("idastar(zero, table=16)", "3 1 0 2", "1 2 3 0", SOLVED(3, 12, 16, 0, 1, 4, 3));
    check("idastar(zero, table=4096)", "3 1 0 2", "1 2 3 0", SOLVED(3, 12, 16, 0, 1, 4, 3));
}

TEST(test_layers)
{
    /* As bfs: root -> a1 b1; a1 -> a2; b1 -> b2; a2 -> a3, the goal. Layer 1 is the relay layer,
     * then layer 2, so a2 splits the path: to it, root -> a1 b1; a1 -> a2, and the root is
     * generated again. What is left are single moves. Most nodes are held in layers 1 and 2. */
    check("frontier", "3 1 0 2", "1 2 3 0", SOLVED(3, 6, 10, 0, 2, 4, 3));
    /* Threshold 3: root -> a1, and b1, which costs 4; a1 -> a2; a2 -> a3, the goal. Layer 1 is the
     * relay layer. From a1 to the goal: a1 is generated again; a1 -> a2, and the root, dropped; a2
     * -> a3. */
    check("bfida(misplaced)", "3 1 0 2", "1 2 3 0", SOLVED(3, 5, 9, 0, 1, 3, 3));
    check("bfhs(misplaced, bound=3)", "3 1 0 2", "1 2 3 0", SOLVED(3, 5, 9, 0, 1, 3, 3));
    /* Below what misplaced tiles say of the start. */
    check("bfhs(misplaced, bound=2)", "3 1 0 2", "1 2 3 0", ENDED(exhausted, 0, 1, 0, 1, 1, 0));
    /* The weighted A*, 4 g + 5 h, finds three moves along a1 a2 a3; no path of two may cost h = 3.
     */
    check("bfhs(misplaced)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 5, 0, 2, 5, 3));
    /* Without an estimate rounds 0 to 2 expand the root; it, a1 and b1; these, a2 and b2, and make
     * 2, 4 and 6 children. Round 3 is bfs with layer 1 as relay, five children; from a1, generated
     * again, which does not know where it came from: a1 -> a2 root; a2 -> a3. Most nodes are held
     * in layers 0 to 2. */
    struct statistics statistics =
        check("bfida(zero)", "3 1 0 2", "1 2 3 0", SOLVED(3, 15, 22, 0, 2, 5, 3));
    assert_int_equal(statistics.iterations, 4);
}

TEST(test_rbfs)
{
    /* All the way down: a path of four nodes, with two, then two, then one beside it. */
    check("rbfs(misplaced)", "1 2 3 5 6 0 7 8 4", "1 2 3 5 8 6 0 7 4", SOLVED(3, 3, 9, 0, 6, 4, 3));
    /* The ring without an estimate, the goal at a3. a1 may cost 1, as b1 does; a2 costs 2: back,
     * and a1 costs 2. b1 may cost 2: b2, which may cost 2 as well, but b3 costs 3: back, and b1
     * costs 3. a1 may cost 3: a2, and a3 is the goal. Expanded: root a1 b1 b2 a1 a2. */
    check("rbfs(zero)", "3 1 0 2", "1 2 3 0", SOLVED(3, 6, 8, 0, 2, 4, 3));
    /* The goal at b3: a1 again goes down to a3, and back when a4 costs 4. Expanded: root a1 b1 b2
     * a1 a2 a3 b1 b2. */
    check("rbfs(zero)", "1 2 3 0", "2 0 1 3", SOLVED(3, 9, 11, 0, 2, 4, 4));
}

TEST(test_beam)
{
    /* One node a layer: of a1 with 2 misplaced and b1 with 3, b1 is dropped; then a2, a3. At most
     * the start, two kept and the goal are stored. */
    check("beam(misplaced, width=1)", "3 1 0 2", "1 2 3 0", SOLVED(3, 3, 5, 0, 2, 4, 3));
    /* Wide enough for both ways, as bfs. */
    check("beam(misplaced, width=2)", "3 1 0 2", "1 2 3 0", SOLVED(3, 4, 6, 0, 2, 6, 3));
    /* Without an estimate the first generated is kept: nine moves the long way round. */
    check("beam(zero, width=1)", "1 2 3 0", "2 0 1 3", SOLVED(9, 9, 11, 0, 2, 10, 9));
    /* The usual example of branch and bound: three, three and, before R, the goal. Stored: the
     * start and 3, cut to 1; 3, cut to 1; the goal. */
    check("beam(misplaced, width=1)", "1 2 3 5 6 0 7 8 4", "1 2 3 5 8 6 0 7 4",
          SOLVED(3, 3, 8, 0, 3, 5, 3));
}

TEST(test_start_is_goal)
{
    const char *goal = "1 2 3 4 5 6 7 8 0";
    for (unsigned i = 0; i < algorithm_count; i++) {
        check(text_of("%s%s", algorithms[i].name, algorithms[i].informed ? "(manhattan)" : ""),
              goal, goal, SOLVED(0, 0, 1, 0, 1, 1, 0));
    }
}

/* A search stops with exactly as many generated nodes as it is allowed, and says so. */
TEST(test_node_limit_is_exact)
{
    for (unsigned i = 0; i < algorithm_count; i++) {
        struct task task = {board_of("8 6 7 2 5 4 3 0 1"), board_of("1 2 3 4 5 6 7 8 0"),
                            DEFAULT_ORDER};
        const struct solver solver = solver_by(&algorithms[i], "misplaced");
        for (uint64_t nodes = 1; nodes < 60; nodes++) {
            const struct limits limits = {.bytes = 1 << 26, .nodes = nodes};
            SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
            if (result.status == STATUS_node_limit)
                assert_int_equal(result.statistics.generated, nodes);
            else /* descent gets stuck before long */
                assert_string_equal(status_rows[result.status].name, "stuck");
        }
    }
}

/* A search never holds more than its budget, ends as memory_limit when it is spent, and its
 * counters say how far it came. */
TEST(test_memory_limit)
{
    const char *const boards[] = {"8 6 7 2 5 4 3 0 1", "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0"};
    const char *const solved[] = {"1 2 3 4 5 6 7 8 0", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"};
    for (unsigned b = 0; b < 2; b++)
        for (unsigned i = 0; i < algorithm_count; i++)
            for (uint64_t bytes = 0; bytes < 200000; bytes += 7001) {
                struct task task = {board_of(boards[b]), board_of(solved[b]), DEFAULT_ORDER};
                const struct limits limits = {.bytes = bytes, .nodes = 20000};
                const struct solver solver = solver_by(&algorithms[i], "misplaced");
                struct result result = result_of(&solver, &task, &limits, NULL);
                assert_true(result.statistics.peak_bytes <= bytes);
                if (bytes == 0)
                    assert_string_equal(status_rows[result.status].name, "memory_limit");
                if (result.status == STATUS_solved)
                    ASSERT_REACHES_GOAL(&task, &result);
                result_end(&result);
            }
}

/* The number of nodes a depth-first search with a stored table can keep back is what makes a depth
 * limit miss solutions: it says `stuck` then, and `exhausted` only where nothing was missed. */
TEST(test_depth_limited_dfs_tells_stuck_from_exhausted)
{
    struct solver solver;
    struct task task = {board_of("1 5 2 8 0 3 4 7 6"), board_of("1 2 3 4 5 6 7 8 0"),
                        DEFAULT_ORDER};
    solver = solver_of("dfs(depth_limit=31)");
    struct result result = result_of(&solver, &task, &roomy, NULL);
    assert_string_equal(status_rows[result.status].name, "stuck");
    result_end(&result);
    /* Eight moves are needed: with a limit of 7 there is nothing to find, however it is searched.
     */
    solver = solver_of("dfs(duplicates=path, depth_limit=7)");
    solver_run(&solver, &task, &roomy, NULL, &result);
    assert_string_equal(status_rows[result.status].name, "exhausted");
    result_end(&result);
}

/* Whoever watches a search sees its counters grow to what they are at the end. */
struct watched {
    struct statistics last;
    uint64_t looks;
};

static void look(void *context, const struct statistics *statistics)
{
    struct watched *watched = context;
    assert_true(statistics->generated >= watched->last.generated);
    assert_true(statistics->expanded >= watched->last.expanded);
    assert_true(statistics->max_depth >= watched->last.max_depth);
    watched->last = *statistics;
    watched->looks++;
}

TEST(test_a_watcher_sees_the_counters_grow)
{
    const char *const boards[] = {"8 6 7 2 5 4 3 0 1", "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0"};
    const char *const solved[] = {"1 2 3 4 5 6 7 8 0", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"};
    for (unsigned b = 0; b < 2; b++)
        for (unsigned i = 0; i < algorithm_count; i++) {
            struct watched watched = {.looks = 0};
            const struct observer observer = {.watch = look, .context = &watched};
            const struct task task = {board_of(boards[b]), board_of(solved[b]), DEFAULT_ORDER};
            const struct limits limits = {.bytes = 1 << 28, .nodes = 60000};
            const struct solver solver = solver_by(&algorithms[i], "misplaced");
            struct result result = result_of(&solver, &task, &limits, &observer);
            assert_true(watched.looks > 0);
            assert_true(watched.last.generated <= result.statistics.generated);
            if (result.statistics.expanded > 25000)
                assert_true(watched.last.expanded > result.statistics.expanded / 2);
            result_end(&result);
        }
}
