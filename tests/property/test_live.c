/* What the compact forms of A* leave when their memory is spent (astar/live_body.h): the live nodes
 * are those of the general form after as many expansions, each once, by f, with its h, its path and
 * the move that it came by, whichever budget ends the search and wherever one begins to ask. And
 * astar_idastar, which goes on below them, finds shortest paths with any memory.
 *
 * TILELAB_LONG=1 takes more budgets and boards. */
#include "astar/compact.h"
#include "idastar/idastar.h"
#include "search/observer.h"
#include "tests/forms.h"
#include <limits.h>

enum { MAX_LIVE = 60000, MAX_PATH = 256 };

/* Live nodes, one number for each. */
struct nodes {
    uint64_t node[MAX_LIVE];
    uint64_t count;
    uint64_t expanded, wanted; /* general form: the expansion after which they are asked for */
};

static uint64_t number_of(const struct board *board, unsigned g, unsigned h, unsigned undo)
{
    return XXH3_64bits_withSeed(board->cell, board->shape.cells,
                                (uint64_t)g << 32 | (uint64_t)h << 8 | undo);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *first = a;
    const uint64_t *second = b;
    return (*first > *second) - (*first < *second);
}

static struct nodes compact, general;
static const struct heuristic *prepared;

/* Checks all that the callback is given. */
static void look(struct search *search, const struct compact_live *live)
{
    char moves[MAX_PATH];
    unsigned last_f = 0;
    struct enode enode = {.board = search->task->start};
    assert_in_range(live->count, 1, MAX_LIVE);
    for (uint64_t i = 0; i < live->count; i++) {
        assert_true(live->node(live->context, i, &enode));
        const unsigned f = enode.g + enode.h;
        assert_true(f >= last_f && enode.g < MAX_PATH);
        last_f = f;
        assert_int_equal(enode.h, prepared->kind->evaluate(prepared, &enode.board));
        live->path(live->context, moves);
        assert_int_equal(replay_path(&search->task->start, &enode.board, moves, enode.g).outcome,
                         REPLAY_REACHES_GOAL);
        assert_int_equal(enode.undo,
                         enode.g == 0 ? MOVE_NONE : move_undo(move_parse(moves[enode.g - 1])));
        compact.node[i] = number_of(&enode.board, enode.g, enode.h, enode.undo);
    }
    compact.count = live->count;
    assert_false(live->node(live->context, live->count, &enode));
    for (uint64_t i = live->count; i > 0; i -= i < live->count / 9 + 1 ? i : live->count / 9 + 1) {
        assert_true(live->node(live->context, i - 1, &enode));
        assert_int_equal(number_of(&enode.board, enode.g, enode.h, enode.undo),
                         compact.node[i - 1]);
    }
    assert_int_equal(search->statistics.open_at_end, live->count);
    search->status = STATUS_stuck;
}

static bool see(void *context, const struct event *event)
{
    struct nodes *nodes = context;
    const struct node_seen *node = &event->node;
    nodes->expanded += event->kind == EVENT_EXPANDS;
    if (event->kind == EVENT_LIVE && nodes->expanded == nodes->wanted)
        nodes->node[nodes->count++] =
            number_of(node->board, node->g, node->h,
                      node->move == MOVE_NONE ? MOVE_NONE : move_undo(node->move));
    return nodes->expanded == nodes->wanted;
}

static bool compact_form(struct search *search, const void *given)
{
    prepared = search->heuristic;
    const bool fits = compact_fits(search, COMPACT_CONSISTENT);
    return compact_run(search, fits ? COMPACT_CONSISTENT : COMPACT_REOPENING, given);
}

/* Runs both. Returns false if the budget is too small to begin. */
static bool live_nodes_agree(const struct solver *solver, const struct task *task, uint64_t bytes)
{
    const struct compact_pace pace = {
        .lines = 16, .ahead = (unsigned)(bytes % 17), .go_on = look, .budget = 2 * bytes};
    const struct limits limits = {.bytes = bytes};
    struct result result;
    memset(&compact, 0, sizeof compact);
    memset(&general, 0, sizeof general);
    assert_true(run_form(solver, task, &limits, compact_form, &pace, &result));
    if (result.status == STATUS_memory_limit)
        return false;
    assert_int_equal(result.status, STATUS_stuck);
    general.wanted = result.statistics.expanded;
    const struct limits nodes = {.bytes = UINT64_C(1) << 32, .nodes = result.statistics.generated};
    const struct observer observer = {.sees = see, .context = &general};
    SCOPED_BY(result_end) struct result stopped = result_of(solver, task, &nodes, &observer);
    result_end(&result);
    assert_int_equal(compact.count, general.count);
    qsort(compact.node, compact.count, sizeof *compact.node, by_number);
    qsort(general.node, general.count, sizeof *general.node, by_number);
    assert_memory_equal(compact.node, general.node, compact.count * sizeof *compact.node);
    return true;
}

TEST_HEURISTIC(patchy, ADMISSIBLE);

TEST(live_nodes_are_those_of_the_general_form)
{
    const struct task tasks[] = {narrow_task(), wide_task()};
    struct solver solvers[] = {solver_of("astar(manhattan)"), solver_of("astar(linear_conflict)"),
                               solver_of("astar(max:manhattan+pdb:1.2.3/4.5.6/7.8.9/10.11.12/"
                                         "13.14.15)"),
                               solver_of("astar(manhattan)")};
    const uint64_t step = is_long() ? 997 : 43403;
    solvers[3].heuristic.kind = &patchy;
    for (unsigned t = 0; t < 2; t++)
        for (unsigned s = 0; s < 4; s++) {
            unsigned begun = 0;
            if (!is_defined(&solvers[s].heuristic, &tasks[t].goal))
                continue;
            for (uint64_t bytes = 20000; bytes < 330000; bytes += step)
                begun += live_nodes_agree(&solvers[s], &tasks[t], bytes);
            assert_true(begun > 5);
        }
}

static unsigned rounds_compared;
static int64_t prune; /* as the option says */

/* Goes on as astar_idastar does, and counts what it should have counted. */
static void go_below(struct search *search, const struct compact_live *live)
{
    static struct enode nodes[MAX_LIVE];
    const uint64_t before = search->statistics.expanded;
    assert_in_range(live->count, 1, MAX_LIVE);
    for (uint64_t i = 0; i < live->count; i++) {
        nodes[i].board = search->task->start;
        assert_true(live->node(live->context, i, &nodes[i]));
    }
    const struct arena own = search->arena; /* idastar_below leaves its memory in an arena */
    struct pruning pruning;
    arena_start(&search->arena, 1 << 26);
    assert_true(pruning_start(&pruning, search, prune));
    idastar_below(search, &(struct idastar_roots){live->count, live->node, live->context});
    const struct arena used = search->arena;
    search->arena = own;
    assert_int_equal(search->status, STATUS_solved);
    live->path(live->context, search->moves);
    for (size_t r = 0; r + 1 < search->round_count; r++, rounds_compared++) {
        const struct search_round *round = &search->rounds[r];
        uint64_t expanded = r == 0 ? before : round->expanded;
        struct bounded_tree tree = {prepared, search->pruning, (unsigned)round->threshold,
                                    UINT_MAX};
        for (uint64_t i = 0; i < live->count; i++)
            expanded += tree_within(&tree, &nodes[i].board, nodes[i].g, nodes[i].undo,
                                    nodes[i].board.blank);
        assert_int_equal(round[1].expanded, expanded);
        assert_int_equal(round[1].threshold, tree.above);
    }
    search->arena = used;
    arena_end(&search->arena);
    search->arena = own;
    free(search->rounds);
    search->rounds = NULL;
    search->round_count = 0;
}

/* Each round but the last expands all within the threshold below the live nodes, but for what is
 * pruned from each of them on, whether roots are counted many at once or one by one. */
TEST(rounds_below_live_nodes)
{
    static const struct {
        const char *solver;
        bool patchy;
        int64_t prune;
    } rows[] = {
        {"astar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15)", false, 0},
        {"astar(pdb:5-5-5:reflect)", false, 0},
        {"astar(pdb:5-5-5:reflect)", false, 12},
        {"astar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:zero)", false, 0},
        {"astar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:zero)", false, 8},
        {"astar(manhattan)", false, 0},
        {"astar(manhattan)", false, 6},
        {"astar(manhattan)", true, 0},
        {"astar(manhattan)", true, 10},
    };
    static const char *const boards[] = {"6 14 10 5 15 8 7 1 3 4 2 0 12 9 11 13",
                                         "14 13 4 11 15 8 6 9 0 7 3 1 2 10 12 5"};
    static const char *const near[] = {"4 1 2 3 5 6 10 7 8 0 9 11 12 13 14 15",
                                       "1 5 2 3 4 6 10 7 8 9 14 11 12 0 13 15"};
    for (unsigned s = 0; s < sizeof rows / sizeof *rows; s++)
        for (unsigned b = 0; b < 2; b++)
            for (uint64_t bytes = 40000; bytes < 80000; bytes += is_long() ? 997 : 39000) {
                struct solver solver = solver_of(rows[s].solver);
                const struct task task = {board_of(rows[s].patchy ? near[b] : boards[b]),
                                          goal_of("blank-first", 4, 4), DEFAULT_ORDER};
                if (rows[s].patchy)
                    solver.heuristic.kind = &patchy;
                prune = rows[s].prune;
                const struct compact_pace pace = {
                    .lines = 16, .go_on = go_below, .budget = 1 << 26};
                const struct limits limits = {.bytes = bytes};
                struct result result;
                assert_true(run_form(&solver, &task, &limits, compact_form, &pace, &result));
                if (result.status == STATUS_memory_limit)
                    continue;
                ASSERT_REACHES_GOAL(&task, &result);
                result_end(&result);
            }
    print_message("%u rounds\n", rounds_compared);
    assert_true(rounds_compared > 25);
}

/* Paths stay shortest where A* ends early, in either form; what it held is less than its share. */
TEST(astar_idastar_goes_on)
{
    static const char *const solvers[] = {"astar_idastar(manhattan)",
                                          "astar_idastar(linear_conflict, share=60, prune=10)",
                                          "astar_idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15)"};
    static const char *const boards[] = {
        "4 7 14 13 10 3 9 12 11 5 6 15 1 2 8 0", "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6",
        "14 13 4 11 15 8 6 9 0 7 3 1 2 10 12 5", "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6",
        "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15"};
    static const size_t lengths[] = {56, 55, 56, 56, 59};
    for (unsigned b = 0; b < (is_long() ? 5 : 3); b++)
        for (unsigned s = 0; s < 3; s++) {
            const struct solver solver = solver_of(solvers[s]);
            const struct task task = {board_of(boards[b]), goal_of("blank-first", 4, 4),
                                      DEFAULT_ORDER};
            const struct limits limits = {.bytes = UINT64_C(2000000) << s};
            SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
            assert_int_equal(result.status, STATUS_solved);
            assert_int_equal(result.length, lengths[b]);
            assert_true(result.round_count > 0);
            assert_true(result.statistics.max_stored > 60000);
            assert_true(result.statistics.peak_bytes <= limits.bytes);
            ASSERT_REACHES_GOAL(&task, &result);
        }
}

AROUND_ALL_TESTS(no_files, NULL)
