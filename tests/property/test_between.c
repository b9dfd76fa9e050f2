/* Algorithms between A* and IDA*: what their papers promise, against A* and against each other.
 *
 * TILELAB_LONG=1 takes every board of the 8-puzzle for each goal, or one in seven, where that takes
 * minutes; the quick tests take a sample. */
#include "search/search.h"
#include "tests/support.h"
#include <limits.h>
#include <xxhash.h>

static const struct limits roomy = {.bytes = UINT64_C(1) << 30};

static const char *const goals[] = {"1 2 3 4 5 6 7 8 0", "1 0 2 3 4 5 6 7 8", "1 2 3 8 0 4 7 6 5"};

/* Boards of the 8-puzzle that are passed over in a sample. */
enum { FEW_STEP = 39989, GOALS = sizeof goals / sizeof *goals };

static uint32_t step_of(uint32_t sample_step, uint32_t long_step)
{
    return is_long() ? long_step : sample_step;
}

static struct result run(const char *text, const struct task *task, const struct observer *observer)
{
    struct result result = result_by(text, task, &roomy, observer);
    assert_int_equal(result.status, STATUS_solved);
    return result;
}

/* The same path and counters, but for those named (separated by spaces). */
static void expect_same(const char *text, const char *other, const struct task *task,
                        const char *but)
{
    SCOPED_BY(result_end) struct result result = run(text, task, NULL);
    SCOPED_BY(result_end) struct result same = run(other, task, NULL);
    assert_string_equal(result.moves, same.moves);
    expect_same_counters(text, &result, other, &same, but);
}

/* Boards of 3x3 for each goal, `step` ranks apart, in two operator orders. */
static void on_boards(uint32_t step, void (*check)(const struct task *task))
{
    for (unsigned g = 0; g < GOALS; g++) {
        struct task task = {.goal = board_of(goals[g])};
        struct ranking ranking = ranking_of(&task.goal);
        for (uint32_t rank = g; rank < ranking.size; rank += step) {
            task.order = rank % 2 == 0 ? DEFAULT_ORDER : "DRLU";
            ranking_unrank(&ranking, rank, &task.start);
            check(&task);
        }
    }
}

/* ---- Partial expansion ---- */

/* Which states a search expanded whose f is below the length of a shortest path, by rank. */
struct expanded {
    const struct ranking *ranking;
    unsigned length;
    uint32_t *seen; /* the number of the search that expanded a state last */
    uint32_t search;
    uint64_t states; /* distinct ones */
    uint64_t shared; /* with the search before */
};

static void note_expansion(void *context, const struct board *board, unsigned g, unsigned h)
{
    struct expanded *expanded = context;
    if (g + h >= expanded->length)
        return;
    uint32_t *seen = &expanded->seen[ranking_rank(expanded->ranking, board)];
    if (*seen == expanded->search)
        return;
    expanded->states++;
    expanded->shared += *seen + 1 == expanded->search;
    *seen = expanded->search;
}

/* With a consistent heuristic, the states of f below the length C* of a shortest path that pea and
 * epea expand are exactly those that astar expands. (Of those of f = C* each expands some, in an
 * order of its own.) */
TEST(test_states_expanded_below_the_solution)
{
    static const char *const heuristics[] = {"manhattan", "linear_conflict", "misplaced"};
    static const char *const algorithms_here[] = {"astar", "pea", "epea"};
    for (unsigned g = 0; g < GOALS; g++) {
        struct task task = {.goal = board_of(goals[g]), .order = DEFAULT_ORDER};
        SCOPED_BY(distances_end) struct distances distances = distances_to(&task.goal);
        const struct ranking *ranking = &distances.ranking;
        struct expanded expanded = {.ranking = ranking,
                                    .seen = calloc(ranking->size, sizeof *expanded.seen)};
        const struct observer observer = {.expands = note_expansion, .context = &expanded};
        for (unsigned h = 0; h < sizeof heuristics / sizeof *heuristics; h++)
            for (uint32_t rank = h; rank < ranking->size;
                 rank += h < 1 ? step_of(2999, 1) : 3 * FEW_STEP) {
                uint64_t states = 0;
                ranking_unrank(ranking, rank, &task.start);
                for (unsigned a = 0; a < 3; a++) {
                    const char *text = text_of("%s(%s)", algorithms_here[a], heuristics[h]);
                    expanded.search++;
                    expanded.length = distances.depth[rank];
                    expanded.states = expanded.shared = 0;
                    SCOPED_BY(result_end) struct result result = run(text, &task, &observer);
                    assert_int_equal(result.length, distances.depth[rank]);
                    if (a > 0) {
                        assert_int_equal(expanded.states, states);
                        assert_int_equal(expanded.shared, states);
                    }
                    states = expanded.states;
                }
            }
        free(expanded.seen);
    }
}

/* No node is kept whose f is above the length of the solution. */
struct kept {
    uint64_t count;
    double largest;
};

static bool see_kept(void *context, const struct event *event)
{
    struct kept *kept = context;
    if (event->kind == EVENT_CHILD && event->fate <= FATE_REOPENED) {
        kept->count++;
        if (event->node.f > kept->largest)
            kept->largest = event->node.f;
    }
    return false;
}

TEST_OF_TASKS(test_no_surplus_node_is_stored, on_boards, FEW_STEP)
{
    static const char *const texts[] = {"pea(manhattan)", "epea(manhattan)", "epea(pdb:4-4)",
                                        "epea(misplaced)"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct kept kept = {0};
        const struct observer observer = {.sees = see_kept, .context = &kept};
        const struct solver solver = solver_of(texts[i]);
        if (!is_defined(&solver.heuristic, &task->goal))
            continue;
        SCOPED_BY(result_end) struct result result = run(texts[i], task, &observer);
        assert_true(kept.largest <= (double)result.length);
        assert_true(result.statistics.max_stored <= kept.count + 1);
    }
}

/* pea and epea expand the same nodes in the same order; with a large cutoff pea is astar. */
TEST_OF_TASKS(test_relations_of_partial_expansion, on_boards, FEW_STEP)
{
    expect_same("epea(manhattan)", "pea(manhattan)", task, "generated duplicates peak_bytes");
    expect_same("epea(misplaced)", "pea(misplaced)", task, "generated duplicates peak_bytes");
    expect_same("pea(manhattan, cutoff=1000)", "astar(manhattan)", task, "peak_bytes");
    expect_same("pea(misplaced, cutoff=2)", "astar(misplaced)", task, "peak_bytes");
}

/* ---- Layers ---- */

/* The boards expanded before the first piece of the path is looked for, as one number. */
struct order {
    uint64_t hash;
    uint64_t count;
    bool over;
};

static bool see_order(void *context, const struct event *event)
{
    struct order *order = context;
    if (event->kind == EVENT_ROUND && strcmp(event->round, "piece") == 0)
        order->over = true;
    if (event->kind == EVENT_EXPANDS && !order->over) {
        order->count++;
        for (unsigned i = 0; i < event->node.board->shape.cells; i++)
            order->hash = (order->hash ^ event->node.board->cell[i]) * UINT64_C(0x100000001b3) + 1;
    }
    return false;
}

/* The search of frontier for the goal is that of bfs, node by node, in less memory. */
TEST_OF_TASKS(test_frontier_is_bfs, on_boards, 2 * FEW_STEP)
{
    struct order orders[2] = {{0}, {0}};
    const struct observer observers[2] = {{.sees = see_order, .context = &orders[0]},
                                          {.sees = see_order, .context = &orders[1]}};
    SCOPED_BY(result_end) struct result bfs = run("bfs", task, &observers[0]);
    SCOPED_BY(result_end) struct result frontier = run("frontier", task, &observers[1]);
    assert_int_equal(orders[1].count, orders[0].count);
    assert_true(orders[1].hash == orders[0].hash);
    assert_int_equal(frontier.length, bfs.length);
    assert_int_equal(frontier.statistics.open_at_end, bfs.statistics.open_at_end);
    if (bfs.length > 4)
        assert_true(frontier.statistics.max_stored < bfs.statistics.max_stored);
}

/* With a consistent heuristic, the rounds of bfida have the thresholds of idastar; and each but the
 * last expands every state whose distance from the start plus h is within the threshold once, and
 * no other. So one previous layer is enough to recognise all duplicates. */
TEST_OF_TASKS(test_rounds_of_bfida, on_boards, 2 * FEW_STEP)
{
    static const char *const names[] = {"manhattan", "linear_conflict"};
    SCOPED_BY(distances_end) struct distances distances = distances_to(&task->start);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        char text[64];
        uint64_t states[MAX_DISTANCES * 2] = {0}; /* by distance plus h */
        SCOPED_BY(heuristic_end) struct heuristic heuristic = started(names[i], &task->goal);
        snprintf(text, sizeof text, "idastar(%s)", names[i]);
        SCOPED_BY(result_end) struct result idastar = run(text, task, NULL);
        snprintf(text, sizeof text, "bfida(%s)", names[i]);
        SCOPED_BY(result_end) struct result bfida = run(text, task, NULL);
        for (uint32_t rank = 0; rank < distances.ranking.size; rank++) {
            struct board board = board_ranked(&distances.ranking, rank);
            states[distances.depth[rank] + heuristic.kind->evaluate(&heuristic, &board)]++;
        }
        assert_int_equal(bfida.round_count, idastar.round_count);
        for (size_t r = 0; r < bfida.round_count; r++) {
            uint64_t within = 0;
            assert_int_equal(bfida.rounds[r].threshold, idastar.rounds[r].threshold);
            for (uint64_t f = 0; f <= bfida.rounds[r].threshold; f++)
                within += states[f];
            if (r + 1 < bfida.round_count)
                assert_int_equal(bfida.rounds[r].expanded, within);
        }
    }
}

/* A bound at or above the shortest length gives a shortest path, one below says there is none. */
TEST_OF_TASKS(test_bounds_of_bfhs, on_boards, FEW_STEP)
{
    SCOPED_BY(result_end) struct result shortest = run("astar(manhattan)", task, NULL);
    for (unsigned more = 0; more < 8; more++) {
        const unsigned bound = (unsigned)shortest.length + more - 4;
        if (shortest.length + more < 4)
            continue;
        const struct solver solver = solver_of(text_of("bfhs(manhattan, bound=%u)", bound));
        SCOPED_BY(result_end) struct result result = result_of(&solver, task, &roomy, NULL);
        assert_int_equal(result.status, bound < shortest.length ? STATUS_exhausted : STATUS_solved);
        if (result.status == STATUS_solved) {
            assert_int_equal(result.length, shortest.length);
            ASSERT_REACHES_GOAL(task, &result);
        }
    }
}

/* ---- IDA* with a transposition table ---- */

/* A table saves nodes and changes no round's threshold; one too small for a state changes nothing.
 */
TEST_OF_TASKS(test_idastar_with_a_table, on_boards, FEW_STEP)
{
    SCOPED_BY(result_end) struct result plain = run("idastar(manhattan)", task, NULL);
    struct result table = run("idastar(manhattan, table=1000000)", task, NULL);
    assert_int_equal(table.length, plain.length);
    assert_int_equal(table.round_count, plain.round_count);
    for (size_t r = 0; r < table.round_count; r++) {
        assert_int_equal(table.rounds[r].threshold, plain.rounds[r].threshold);
        assert_true(table.rounds[r].expanded <= plain.rounds[r].expanded);
    }
    result_end(&table);
    expect_same("idastar(manhattan, table=15)", "idastar(manhattan)", task, "peak_bytes");
}

/* What is expanded again in a round at no smaller depth than before. */
struct again {
    const struct ranking *ranking;
    uint64_t *seen; /* by rank: round and depth of the last expansion */
    uint64_t round;
    uint64_t expansions;
    uint64_t again;
};

static bool see_again(void *context, const struct event *event)
{
    struct again *again = context;
    if (event->kind == EVENT_ROUND)
        again->round++;
    if (event->kind == EVENT_EXPANDS) {
        uint64_t *seen = &again->seen[ranking_rank(again->ranking, event->node.board)];
        again->expansions++;
        again->again += *seen >> 8 == again->round && (*seen & 255) <= event->node.g;
        *seen = again->round << 8 | event->node.g;
    }
    return false;
}

static uint64_t expanded_again(const char *text, const struct task *task, uint64_t *expansions)
{
    struct ranking ranking = ranking_of(&task->goal);
    struct again again = {.ranking = &ranking, .seen = calloc(ranking.size, sizeof *again.seen)};
    const struct observer observer = {.sees = see_again, .context = &again};
    struct result result = run(text, task, &observer);
    result_end(&result);
    free(again.seen);
    *expansions = again.expansions;
    return again.again;
}

/* With slots enough, few states are expanded again: those that gave their slot to another one. */
TEST(test_a_table_knows_states)
{
    const struct task task = {board_of("8 6 7 2 5 4 3 0 1"), board_of(goals[0]), DEFAULT_ORDER};
    uint64_t expansions;
    assert_true(expanded_again("idastar(manhattan)", &task, &expansions) > expansions / 20);
    assert_true(expanded_again("idastar(manhattan, table=4000000)", &task, &expansions) <
                expansions / 200);
}

/* ---- A*, then IDA* ---- */

/* With memory for all, it is astar; with little, paths stay shortest. */
TEST_OF_TASKS(test_paths_of_astar_idastar, on_boards, step_of(FEW_STEP, 7))
{
    static const uint64_t budgets[] = {12000, 30000, 100000};
    static const char *const shares[] = {"astar_idastar(manhattan)",
                                         "astar_idastar(manhattan, share=1)"};
    static unsigned turn;
    const struct solver solver = solver_of(shares[turn / 3 % 2]);
    const struct limits limits = {.bytes = budgets[turn++ % 3]};
    expect_same("astar_idastar(manhattan)", "astar(manhattan)", task, "peak_bytes");
    SCOPED_BY(result_end) struct result shortest = run("astar(manhattan)", task, NULL);
    SCOPED_BY(result_end) struct result result = result_of(&solver, task, &limits, NULL);
    assert_int_equal(result.status, STATUS_solved);
    assert_int_equal(result.length, shortest.length);
    assert_true(result.statistics.peak_bytes <= limits.bytes);
    ASSERT_REACHES_GOAL(task, &result);
}

/* The nodes that A* left live, and what it had counted. */
struct left {
    struct enode nodes[4000];
    unsigned count;
    uint64_t expanded;
    bool over;
};

static bool see_left(void *context, const struct event *event)
{
    struct left *left = context;
    const struct node_seen *node = &event->node;
    left->over = left->over || event->kind == EVENT_ROUND;
    if (left->over)
        return false;
    left->expanded += event->kind == EVENT_EXPANDS;
    if (event->kind == EVENT_STEP)
        left->count = 0;
    if (event->kind == EVENT_LIVE) {
        assert_true(left->count < sizeof left->nodes / sizeof *left->nodes);
        left->nodes[left->count++] = (struct enode){
            .board = *node->board, .g = node->g, .h = node->h, .undo = move_undo(node->move)};
    }
    return true;
}

/* Each round but the last expands the trees below the nodes that A* left live, whole. */
TEST(test_rounds_of_astar_idastar)
{
    static const char *const starts[] = {"8 6 7 2 5 4 3 0 1", "6 4 7 8 5 0 3 2 1",
                                         "8 0 6 5 4 7 2 3 1"};
    static const uint64_t budgets[] = {24000, 40000, 80000};
    static struct left left;
    const struct solver solver = solver_of("astar_idastar(manhattan)");
    struct task task = {.goal = board_of(goals[0]), .order = DEFAULT_ORDER};
    SCOPED_BY(heuristic_end) struct heuristic heuristic = started("manhattan", &task.goal);
    unsigned rounds = 0;
    for (unsigned i = 0; i < 9; i++) {
        const struct limits limits = {.bytes = budgets[i % 3]};
        struct observer observer = {.sees = see_left, .context = &left};
        task.start = board_of(starts[i / 3]);
        memset(&left, 0, sizeof left);
        SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, &observer);
        assert_int_equal(result.status, STATUS_solved);
        for (size_t r = 0; r + 1 < result.round_count; r++, rounds++) {
            uint64_t expanded = r == 0 ? left.expanded : 0;
            struct bounded_tree tree = {.heuristic = &heuristic,
                                        .threshold = (unsigned)result.rounds[r].threshold,
                                        .above = UINT_MAX};
            for (unsigned n = 0; n < left.count; n++)
                expanded += tree_within(&tree, &left.nodes[n].board, left.nodes[n].g,
                                        left.nodes[n].undo, 0);
            assert_int_equal(result.rounds[r].expanded, expanded);
            assert_int_equal(result.rounds[r + 1].threshold, tree.above);
        }
    }
    assert_true(rounds > 9);
}

/* ---- All of them under a heuristic that is admissible but not consistent ---- */

/* The Manhattan distance, but 0 on every other board, chosen by a hash. */
static unsigned evaluate_patchy(const struct heuristic *heuristic, const struct board *board)
{
    return XXH32(board->cell, sizeof board->cell, 1) % 2 == 0
               ? 0
               : manhattan_evaluate(heuristic, board);
}

TEST_HEURISTIC(patchy, ADMISSIBLE);

TEST(test_inconsistent_heuristics)
{
    static const struct {
        const char *solver;
        uint64_t bytes;
    } cases[] = {
        {"pea(manhattan)", 1 << 26},
        {"pea(manhattan, cutoff=3)", 1 << 26},
        {"epea(manhattan)", 1 << 26},
        {"bfhs(manhattan)", 1 << 26},
        {"bfhs(manhattan, bound=31)", 1 << 26},
        {"bfida(manhattan)", 1 << 26},
        {"idastar(manhattan, table=3000000)", 1 << 26},
        {"astar_idastar(manhattan)", 1 << 26},
        {"astar_idastar(manhattan)", 400000},
    };
    const struct board goal = board_of(goals[2]);
    SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t k = 0; k < 12; k++) {
            struct solver solver = solver_of(cases[i].solver);
            const struct limits limits = {.bytes = cases[i].bytes};
            const uint32_t rank = (uint32_t)(k * UINT64_C(104729) % distances.ranking.size);
            struct task task = {.goal = goal, .order = DEFAULT_ORDER};
            solver.heuristic.kind = &patchy;
            if (distances.depth[rank] > 23)
                continue;
            ranking_unrank(&distances.ranking, rank, &task.start);
            SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
            if (result.status != STATUS_solved || result.length != distances.depth[rank])
                fail_msg("%s, rank %u at depth %u: %s, %zu moves", cases[i].solver, rank,
                         distances.depth[rank], status_rows[result.status].name, result.length);
            ASSERT_REACHES_GOAL(&task, &result);
        }
}
