/* What holds between algorithms: one that is another under a different name counts the same, cell
 * by cell. */
#include "tests/support.h"
#include <xxhash.h>

static const struct limits roomy = {.bytes = UINT64_C(1) << 30};

static struct result run(const char *text, const struct task *task, const struct limits *limits)
{
    struct result result = result_by(text, task, limits, NULL);
    if (result.status == STATUS_solved)
        ASSERT_REACHES_GOAL(task, &result);
    return result;
}

/* The same status, path length and counters, but for the counters in `but`; bytes are another
 * matter. */
static void expect_same_but(const char *but, const char *text, const char *other,
                            const struct task *task)
{
    SCOPED_BY(result_end) struct result result = run(text, task, &roomy);
    SCOPED_BY(result_end) struct result same = run(other, task, &roomy);
    assert_string_equal(status_rows[result.status].name, status_rows[same.status].name);
    assert_int_equal(result.length, same.length);
    expect_same_counters(text, &result, other, &same, text_of("peak_bytes %s", but));
}

static void expect_same(const char *text, const char *other, const struct task *task)
{
    expect_same_but("", text, other, task);
}

/* Boards of 3x3 evenly spread over the ranks, for each goal and order. */
static void on_sample(uint32_t count, void (*check)(const struct task *task))
{
    const char *const goals[] = {"1 2 3 4 5 6 7 8 0", "1 2 3 8 0 4 7 6 5"};
    const char *const orders[] = {DEFAULT_ORDER, "DRLU"};
    for (unsigned i = 0; i < 2; i++) {
        struct task task = {.goal = board_of(goals[i]), .order = orders[i]};
        struct ranking ranking = ranking_of(&task.goal);
        for (uint32_t k = 0; k < count; k++) {
            ranking_unrank(&ranking, (uint32_t)(k * UINT64_C(104729) % ranking.size), &task.start);
            check(&task);
        }
    }
}

/* With moves that all cost 1, uniform-cost search is A* without an estimate, and first come, first
 * served is breadth first. */
TEST_OF_TASKS(test_ucs_is_astar_without_an_estimate, on_sample, 4)
{
    expect_same("ucs", "astar(zero, ties=fifo)", task);
    expect_same("ucs(ties=lifo)", "astar(zero, ties=lifo)", task);
    expect_same("ucs(ties=lifo)", "astar(zero)", task);
    expect_same("ucs", "bfs(goal_test=removal)", task);
}

/* Iterative deepening counts what its rounds would count as searches of their own, but for the
 * root, generated once. */
static void check_rounds(const char *options, const struct task *task, unsigned deepest)
{
    char text[64];
    struct statistics sum = {.generated = 1};
    enum status status = STATUS_exhausted;
    for (unsigned limit = 0; limit <= deepest && status == STATUS_exhausted; limit++) {
        snprintf(text, sizeof text, "dfs(%s, depth_limit=%u)", options, limit);
        SCOPED_BY(result_end) struct result round = run(text, task, &roomy);
        sum.expanded += round.statistics.expanded;
        sum.generated += round.statistics.generated - 1;
        sum.duplicates += round.statistics.duplicates;
        raise_to(&sum.max_open, round.statistics.max_open);
        raise_to(&sum.max_stored, round.statistics.max_stored);
        raise_to(&sum.max_depth, round.statistics.max_depth);
        sum.open_at_end = round.statistics.open_at_end;
        sum.iterations++;
        status = round.status;
    }
    snprintf(text, sizeof text, "iddfs(%s, depth_limit=%u)", options, deepest);
    SCOPED_BY(result_end) struct result result = run(text, task, &roomy);
    assert_int_equal(result.status, status);
    for (unsigned i = 0; i < COUNTERS; i++)
        if (strcmp(counters[i].name, "peak_bytes") != 0)
            assert_int_equal(statistics_value(&result.statistics, i), statistics_value(&sum, i));
}

static void check_iddfs(const struct task *task)
{
    check_rounds("duplicates=path", task, 15);
    check_rounds("duplicates=none", task, 9);
    /* No path of fewer than twelve moves meets itself. */
    expect_same("iddfs(depth_limit=11)", "iddfs(duplicates=path, depth_limit=11)", task);
}

TEST(test_iddfs_is_a_series_of_dfs)
{
    struct task task = {.start = board_of("1 5 2 8 0 3 4 7 6"),
                        .goal = board_of("1 2 3 4 5 6 7 8 0"),
                        .order = DEFAULT_ORDER};
    on_sample(6, check_iddfs);
    check_rounds("duplicates=path", &task, 15); /* found after eight moves */
    check_rounds("duplicates=none", &task, 15);
    task.start = board_of("2 4 1 7 5 3 8 0 6");
    check_rounds("duplicates=path", &task, 20);
}

/* With a weight of 1, and with any weight of nothing, weighted A* is A*. */
TEST_OF_TASKS(test_wastar_is_astar_without_a_weight, on_sample, 4)
{
    const char *const ties[] = {"high_g", "low_g", "fifo", "lifo"};
    for (unsigned i = 0; i < 4; i++) {
        char weighted[64];
        snprintf(weighted, sizeof weighted, "wastar(manhattan, w=1, ties=%s)", ties[i]);
        const char *plain = text_of("astar(manhattan, ties=%s)", ties[i]);
        expect_same(weighted, plain, task);
        /* Under a consistent heuristic nothing is reopened. */
        snprintf(weighted, sizeof weighted, "wastar(manhattan, w=1, reopen=false, ties=%s)",
                 ties[i]);
        expect_same(weighted, plain, task);
    }
    expect_same("wastar(misplaced, w=1)", "astar(misplaced)", task);
    expect_same("wastar(zero, w=7.125)", "astar(zero)", task);
    /* Weights that are the same number. */
    expect_same("wastar(manhattan, w=2.5)", "wastar(manhattan, w=02.500)", task);
}

/* Batches of one node are the searches without batches, with heuristics that have a table of steps,
 * that have none, and that are not consistent. */
TEST_OF_TASKS(test_batches_of_one_node_are_no_batches, on_sample, 2)
{
    const char *const heuristics[] = {"manhattan", "linear_conflict", "max:misplaced+gaschnig",
                                      "misplaced, count_blank", "inversion"};
    for (unsigned i = 0; i < sizeof heuristics / sizeof *heuristics; i++) {
        char batch[80];
        char plain[80];
        snprintf(batch, sizeof batch, "batch_astar(%s, batch=1)", heuristics[i]);
        snprintf(plain, sizeof plain, "astar(%s)", heuristics[i]);
        expect_same_but("first_found best_found", batch, plain, task);
        snprintf(batch, sizeof batch, "batch_wastar(%s, w=1.7, batch=1)", heuristics[i]);
        snprintf(plain, sizeof plain, "wastar(%s, w=1.7)", heuristics[i]);
        expect_same_but("first_found best_found", batch, plain, task);
    }
}

/* Larger batches do not make solutions longer than promised, and expand what A* has to: all nodes
 * whose f is below the optimum (Dechter and Pearl 1985). */
TEST_OF_TASKS(test_batches_keep_what_is_promised, on_sample, 8)
{
    const unsigned sizes[] = {1, 2, 7, 100, 100000};
    SCOPED_BY(result_end) struct result shortest = run("astar(walking_distance)", task, &roomy);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *astar = text_of("batch_astar(linear_conflict, batch=%u)", sizes[i]);
        const char *wastar = text_of("batch_wastar(manhattan, w=2, batch=%u)", sizes[i]);
        SCOPED_BY(result_end) struct result result = run(astar, task, &roomy);
        assert_int_equal(result.status, shortest.status);
        assert_int_equal(result.length, shortest.length);
        SCOPED_BY(result_end) struct result weighted = run(wastar, task, &roomy);
        assert_int_equal(weighted.status, shortest.status);
        assert_true(weighted.length <= 2 * shortest.length);
    }
}

/* Without reopening, closed nodes stay closed; with it, some are opened again. */
static uint64_t reopened;

static void count_reopened(const struct task *task)
{
    SCOPED_BY(result_end) struct result with = run("wastar(manhattan, w=3)", task, &roomy);
    reopened += with.statistics.reopened;
    SCOPED_BY(result_end)
    struct result without = run("wastar(manhattan, w=3, reopen=false)", task, &roomy);
    assert_int_equal(without.statistics.reopened, 0);
}

TEST(test_wastar_reopens)
{
    reopened = 0;
    on_sample(20, count_reopened);
    assert_true(reopened > 0);
}

/* Recursive best-first search as its paper has it, word for word, to count by. */
struct recursion {
    const struct task *task;
    const struct heuristic *heuristic;
    struct operators operators;
    uint64_t expanded;
    uint64_t generated;
    size_t length; /* of the solution, once it is found */
};

enum { NEVER = 1000000, FOUND = NEVER + 1 };

static unsigned recurse(struct recursion *recursion, struct board *board, unsigned g, unsigned cost,
                        unsigned bound, unsigned undo)
{
    const unsigned f = g + recursion->heuristic->kind->evaluate(recursion->heuristic, board);
    unsigned costs[MOVES + 1] = {NEVER, NEVER, NEVER, NEVER, NEVER};
    unsigned moves[MOVES];
    unsigned count = 0;
    if (f > bound)
        return f;
    if (board_equal(board, &recursion->task->goal)) {
        recursion->length = g;
        return FOUND;
    }
    recursion->expanded++;
    for (unsigned turn = 0; turn < MOVES; turn++) {
        const unsigned move = recursion->operators.order[turn];
        const unsigned blank = board->blank;
        if (recursion->operators.target[blank][move] == NO_CELL || move == undo)
            continue;
        recursion->generated++;
        board_slide(board, recursion->operators.target[blank][move]);
        unsigned child = g + 1 + recursion->heuristic->kind->evaluate(recursion->heuristic, board);
        board_slide(board, blank);
        if (f < cost && child < cost)
            child = cost;
        unsigned at = count++;
        for (; at > 0 && costs[at - 1] > child; at--) {
            costs[at] = costs[at - 1];
            moves[at] = moves[at - 1];
        }
        costs[at] = child;
        moves[at] = move;
    }
    while (costs[0] <= bound && costs[0] < NEVER) {
        const unsigned move = moves[0];
        const unsigned blank = board->blank;
        board_slide(board, recursion->operators.target[blank][move]);
        const unsigned child = recurse(recursion, board, g + 1, costs[0],
                                       costs[1] < bound ? costs[1] : bound, move_undo(move));
        board_slide(board, blank);
        if (child == FOUND)
            return FOUND;
        unsigned at = 0;
        for (; costs[at + 1] <= child; at++) {
            costs[at] = costs[at + 1];
            moves[at] = moves[at + 1];
        }
        costs[at] = child;
        moves[at] = move;
    }
    return costs[0];
}

static void check_rbfs(const struct task *task)
{
    const char *const heuristics[] = {"manhattan", "misplaced"};
    for (unsigned i = 0; i < 2; i++) {
        const char *text = text_of("rbfs(%s)", heuristics[i]);
        const struct solver solver = solver_of(text);
        struct recursion recursion = {.task = task, .generated = 1};
        SCOPED_BY(heuristic_end) struct heuristic heuristic;
        struct board board = task->start;
        heuristic_start(&heuristic, &solver.heuristic, &task->goal);
        recursion.heuristic = &heuristic;
        assert_true(operators_make(board.shape, task->order, &recursion.operators));
        assert_int_equal(recurse(&recursion, &board, 0,
                                 solver.heuristic.kind->evaluate(&heuristic, &board), NEVER - 1,
                                 MOVE_NONE),
                         FOUND);
        SCOPED_BY(result_end) struct result result = run(text, task, &roomy);
        assert_int_equal(result.length, recursion.length);
        assert_int_equal(result.statistics.expanded, recursion.expanded);
        assert_int_equal(result.statistics.generated, recursion.generated);
    }
}

TEST(test_rbfs_is_the_recursive_procedure)
{
    struct task task = {.goal = board_of("1 2 3 4 5 6 7 8 0"), .order = DEFAULT_ORDER};
    const char *const starts[] = {"1 5 2 8 0 3 4 7 6", "8 1 3 4 0 2 7 6 5", "2 4 1 7 5 3 8 0 6"};
    for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++) {
        task.start = board_of(starts[i]);
        check_rbfs(&task);
    }
}

/* The nodes of a search tree as they are expanded: each is known by the boards on its path. In a
 * recursive search the parent of a node of depth g is the last that was expanded at depth g - 1. */
struct tree {
    uint64_t path[64];    /* of each depth: a hash of the boards down to it */
    uint64_t *seen;       /* hashes of all nodes so far; 0: empty */
    uint64_t first[64];   /* first expansions by f */
    uint64_t all[64];     /* expansions by f */
    unsigned latest_cost; /* of a node expanded for the first time */
};

enum { SEEN = 1 << 20 };

static void observe_tree(void *context, const struct board *board, unsigned g, unsigned h)
{
    struct tree *tree = context;
    assert_true(g < 64 && g + h < 64);
    tree->all[g + h]++;
    tree->path[g] =
        XXH3_64bits_withSeed(board->cell, sizeof board->cell, g == 0 ? 0 : tree->path[g - 1]);
    uint64_t slot = tree->path[g] % SEEN;
    for (; tree->seen[slot] != 0; slot = (slot + 1) % SEEN)
        if (tree->seen[slot] == tree->path[g])
            return;
    tree->seen[slot] = tree->path[g];
    tree->first[g + h]++;
    assert_true(g + h >= tree->latest_cost);
    tree->latest_cost = g + h;
}

/* With an estimate that is consistent, costs never fall along a path. Recursive best-first search
 * then expands nodes for the first time in the order of their costs, and below the cost of a
 * solution just those that branch and bound expands, which holds the whole tree. */
TEST_OF_TASKS(test_rbfs_is_best_first, on_sample, 10)
{
    static uint64_t seen[SEEN];
    struct tree linear = {.seen = seen};
    struct tree whole = {.seen = seen};
    const struct observer observers[] = {{.expands = observe_tree, .context = &linear},
                                         {.expands = observe_tree, .context = &whole}};
    const struct solver lcbb = solver_of("lcbb(manhattan)");
    memset(seen, 0, sizeof seen);
    struct result result = result_by("rbfs(manhattan)", task, &roomy, &observers[0]);
    assert_int_equal(result.status, STATUS_solved);
    const size_t length = result.length;
    result_end(&result);
    memset(seen, 0, sizeof seen);
    solver_run(&lcbb, task, &roomy, &observers[1], &result);
    assert_int_equal(result.length, length);
    for (size_t cost = 0; cost < length; cost++) {
        assert_int_equal(linear.first[cost], whole.all[cost]);
        assert_true(linear.all[cost] >= linear.first[cost]);
    }
    result_end(&result);
}

/* Beam search in the plainest words: a list of known boards, looked through from its beginning. */
struct known {
    struct board board;
    unsigned h;
    unsigned undo;
};

enum { MOST_KNOWN = 6000 };

static void plain_beam(const struct task *task, const struct solver *solver, size_t width,
                       struct result *result)
{
    static struct known known[MOST_KNOWN];
    struct heuristic heuristic;
    size_t first = 0;
    size_t count = 1;
    *result = (struct result){.status = STATUS_stuck, .statistics = {.generated = 1}};
    struct operators operators = operators_of(task->start.shape, task->order);
    heuristic_start(&heuristic, &solver->heuristic, &task->goal);
    known[0] = (struct known){task->start, 0, MOVE_NONE};
    for (size_t depth = 1; first < count && result->status == STATUS_stuck; depth++) {
        const size_t end = count;
        for (size_t head = first; head < end; head++) {
            result->statistics.expanded++;
            for (unsigned turn = 0; turn < MOVES; turn++) {
                struct known child = known[head];
                const unsigned move = operators.order[turn];
                const unsigned target = operators.target[child.board.blank][move];
                if (target == NO_CELL || move == child.undo)
                    continue;
                result->statistics.generated++;
                board_slide(&child.board, target);
                child.undo = move_undo(move);
                child.h = solver->heuristic.kind->evaluate(&heuristic, &child.board);
                size_t at = 0;
                while (at < count && !board_equal(&known[at].board, &child.board))
                    at++;
                if (at < count) {
                    result->statistics.duplicates++;
                    continue;
                }
                assert_true(count < MOST_KNOWN);
                known[count++] = child;
                if (!board_equal(&child.board, &task->goal))
                    continue;
                result->status = STATUS_solved;
                result->length = depth;
                heuristic_end(&heuristic);
                return;
            }
        }
        while (count - end > width) { /* the last of the worst goes */
            size_t worst = end;
            for (size_t at = end; at < count; at++)
                if (known[at].h >= known[worst].h)
                    worst = at;
            memmove(&known[worst], &known[worst + 1], (count - worst - 1) * sizeof *known);
            count--;
        }
        first = end;
    }
    heuristic_end(&heuristic);
}

static unsigned stuck;

static void check_beam(const struct task *task)
{
    const unsigned widths[] = {1, 2, 7, 30};
    for (unsigned i = 0; i < 4; i++) {
        struct result plain;
        const char *text = text_of("beam(manhattan, width=%u)", widths[i]);
        const struct solver solver = solver_of(text);
        plain_beam(task, &solver, widths[i], &plain);
        SCOPED_BY(result_end) struct result result = run(text, task, &roomy);
        assert_int_equal(result.status, plain.status);
        assert_int_equal(result.length, plain.length);
        assert_int_equal(result.statistics.expanded, plain.statistics.expanded);
        assert_int_equal(result.statistics.generated, plain.statistics.generated);
        assert_int_equal(result.statistics.duplicates, plain.statistics.duplicates);
        stuck += result.status == STATUS_stuck;
    }
    expect_same("beam(manhattan, width=100000000)", "bfs", task);
}

TEST(test_beam_keeps_the_best)
{
    stuck = 0;
    on_sample(10, check_beam);
    assert_true(stuck > 0);
}
