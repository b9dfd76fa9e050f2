/* What an observer is told is true. Of every algorithm, on boards of several shapes, goals,
 * operator orders and limits: a search that is viewed has the counters, the path and the order of
 * expansion of one that is not; the events add up to the counters; a node is live from the time it
 * is kept until it is expanded, dropped, replaced or forgotten; the live nodes are shown whole, and
 * the first of them is the next to go. */
#include "search/search.h"
#include "tests/support.h"
#include <inttypes.h>

enum { MAX_SEEN = 100000, FEW = 400 };

/* Each algorithm is viewed in its default form, and in these. */
static const char *const solvers[] = {"dfs(depth_limit=14)",
                                      "dfs(duplicates=path, depth_limit=14)",
                                      "dfs(duplicates=none, depth_limit=9)",
                                      "iddfs(duplicates=path, parity)",
                                      "iddfs(duplicates=none, depth_limit=6)",
                                      "bfs(goal_test=removal)",
                                      "bfs(depth_limit=9)",
                                      "ucs(ties=lifo)",
                                      "bibfs(side=alternate)",
                                      "lcbb(misplaced)",
                                      "lcbb(manhattan, duplicates=none, ties=lifo)",
                                      "lcbb(manhattan, duplicates=stored, goal_test=generation)",
                                      "lcbb(max:misplaced+out_of_row_column, duplicates=stored)",
                                      "dfbnb(misplaced, depth_limit=20)",
                                      "descent(misplaced, count_blank)",
                                      "greedy(misplaced, duplicates=none, ties=lifo)",
                                      "astar(misplaced)",
                                      "astar(zero)",
                                      "astar(linear_conflict, ties=low_g)",
                                      "astar(manhattan, depth_limit=12)",
                                      "wastar(manhattan, w=2.5, ties=fifo)",
                                      "wastar(manhattan, w=3, reopen=false)",
                                      "idastar(misplaced)",
                                      "idastar(linear_conflict, step=parity)",
                                      "idastar(manhattan, depth_limit=13)",
                                      "rbfs(misplaced)",
                                      "beam(manhattan, width=3)",
                                      "pea(linear_conflict, cutoff=2)",
                                      "epea(misplaced)",
                                      "bfhs(misplaced, bound=12)",
                                      "astar_idastar(manhattan, share=1)",
                                      "idastar(misplaced, table=20000)"};

/* The boards that are expanded, as one number. */
struct order {
    uint64_t hash;
    uint64_t count;
};

static void add_to_order(struct order *order, const struct board *board, unsigned g, unsigned h)
{
    order->count++;
    for (unsigned i = 0; i < board->shape.cells; i++)
        order->hash = (order->hash ^ board->cell[i]) * UINT64_C(0x100000001b3);
    order->hash = (order->hash ^ (g << 8 | h)) * UINT64_C(0x100000001b3);
}

static void note_expansion(void *context, const struct board *board, unsigned g, unsigned h)
{
    add_to_order(context, board, g, h);
}

/* A node as it was told of. */
struct told {
    struct board board;
    uint64_t parent;
    unsigned move;
    unsigned side;
    unsigned g;
    double f;
    bool live;
    bool frontier;  /* IDA* searches below it, round by round */
    uint64_t shown; /* the step at which it was shown last, and where */
    uint64_t place;
};

/* What was seen of a search. */
struct record {
    const struct task *task;
    struct operators operators;
    bool moves_order; /* the live nodes may change places: rbfs, both ends */
    bool whole;       /* all live nodes are looked at */
    struct order order;
    uint64_t roots, children, duplicates, reopened, rounds, steps, goals;
    uint64_t solution; /* the length of the last */
    uint64_t bound;    /* dfbnb: nodes whose cost is not below it will be dropped; 0: none */
    uint64_t last;
    struct told *nodes;
    uint64_t enode;  /* number of the node expanded last */
    int turn;        /* of the child seen last: children come in operator order */
    uint64_t *queue; /* the live nodes at the end of the last step */
    uint64_t queued, expected;
    uint64_t place; /* the place of the last survivor among those of the step before */
};

/* Of all searches, one after the other: to clear them for each would take longer than most do. */
static struct told nodes_told[MAX_SEEN];
static uint64_t queue_told[MAX_SEEN];

static struct told *node_told(struct record *record, uint64_t number)
{
    assert_true(number >= 1 && number <= record->last);
    return &record->nodes[number];
}

/* The first of the queue that is still live. */
static uint64_t queue_first(const struct record *record)
{
    for (uint64_t i = 0; i < record->queued; i++)
        if (record->nodes[record->queue[i]].live)
            return record->queue[i];
    return 0;
}

static void see_kept(struct record *record, const struct event *event)
{
    const struct node_seen *node = &event->node;
    assert_int_equal(node->number, record->last + 1);
    assert_true(++record->last < MAX_SEEN);
    record->nodes[record->last] = (struct told){.board = *node->board,
                                                .parent = node->parent,
                                                .move = node->move,
                                                .side = node->side,
                                                .g = node->g,
                                                .f = node->f,
                                                .live = true};
}

static void see_round(struct record *record, const struct event *event)
{
    record->steps = 0;
    const bool frontier = strcmp(event->round, "frontier") == 0;
    const bool first = frontier && record->rounds == 0;
    record->rounds +=
        frontier || strcmp(event->round, "threshold") == 0 || strcmp(event->round, "depth") == 0;
    record->bound = strcmp(event->round, "bound") == 0 ? event->limit : 0;
    record->queued = record->expected = 0;
    for (uint64_t i = 1; i <= record->last; i++) {
        struct told *told = &record->nodes[i];
        if (first)
            told->frontier = told->live;
        told->live = frontier ? told->frontier : i == 1 && strcmp(event->round, "piece") != 0;
    }
}

static void see_expansion(struct record *record, const struct event *event)
{
    const struct node_seen *node = &event->node;
    struct told *told = node_told(record, node->number);
    add_to_order(&record->order, node->board, node->g, node->h);
    assert_true(board_equal(&told->board, node->board));
    assert_int_equal(told->g, node->g);
    assert_int_equal(told->parent, node->parent);
    assert_int_equal(told->move, node->move);
    assert_int_equal(told->side, node->side);
    assert_true(told->live);
    if (record->whole && record->queued > 0)
        assert_int_equal(queue_first(record), node->number);
    told->live = false;
    record->enode = node->number;
    record->turn = -1;
}

/* The live node that is replaced by one with the same board. */
static void see_replaced(struct record *record, const struct event *event)
{
    uint64_t found = 0;
    for (uint64_t i = 1; i <= record->last; i++)
        if (record->nodes[i].live && record->nodes[i].side == event->node.side &&
            board_equal(&record->nodes[i].board, event->node.board)) {
            assert_int_equal(record->nodes[i].g, event->known_g);
            record->nodes[i].live = false;
            found++;
        }
    assert_int_equal(found, 1);
}

static void see_child(struct record *record, const struct event *event)
{
    const struct node_seen *node = &event->node;
    const struct told *parent = node_told(record, node->parent);
    struct board board = parent->board;
    board_slide(&board, record->operators.target[board.blank][node->move]);
    assert_true(board_equal(&board, node->board));
    assert_int_equal(node->g, parent->g + 1);
    record->children++;
    record->duplicates += event->fate == FATE_DUPLICATE || event->fate == FATE_ON_PATH;
    record->reopened += event->fate == FATE_REOPENED;
    if (node->parent == record->enode) {
        int turn = 0;
        while (record->operators.order[turn] != node->move)
            turn++;
        assert_true(turn > record->turn);
        record->turn = turn;
    }
    if (event->fate == FATE_SHORTER)
        see_replaced(record, event);
    if (event->fate <= FATE_REOPENED)
        see_kept(record, event);
    else
        assert_int_equal(node->number, 0);
}

/* All that is live below a node is gone, and it is live again. */
static void see_forgotten(struct record *record, const struct event *event)
{
    for (uint64_t i = record->last; i > event->node.number; i--) {
        uint64_t above = i;
        while (above > event->node.number)
            above = record->nodes[above].parent;
        if (above == event->node.number)
            record->nodes[i].live = false;
    }
    node_told(record, event->node.number)->live = true;
}

static bool see_step(struct record *record, const struct event *event)
{
    assert_int_equal(record->queued, record->expected);
    record->steps++;
    record->queued = record->place = 0;
    record->expected = 0;
    if (!record->whole)
        return false;
    uint64_t live = 0;
    for (uint64_t i = 1; i <= record->last; i++)
        live += record->nodes[i].live &&
                (record->bound == 0 || record->nodes[i].f < (double)record->bound);
    assert_int_equal(event->count, live);
    record->expected = live;
    return true;
}

static bool see_live(struct record *record, const struct event *event)
{
    struct told *told = node_told(record, event->node.number);
    assert_true(told->live);
    assert_true(told->shown != record->steps);
    assert_true(board_equal(&told->board, event->node.board));
    assert_int_equal(told->g, event->node.g);
    assert_int_equal(told->move, event->node.move);
    assert_int_equal(told->parent, event->node.parent);
    assert_true(told->f >= event->node.f && told->f <= event->node.f);
    if (told->shown + 1 == record->steps && told->shown > 0 && !record->moves_order) {
        assert_true(told->place >= record->place); /* survivors keep their order */
        record->place = told->place;
    }
    told->shown = record->steps;
    told->place = record->queued;
    record->queue[record->queued++] = event->node.number;
    return true;
}

static bool see(void *context, const struct event *event)
{
    struct record *record = context;
    switch (event->kind) {
    case EVENT_ROOT:
        record->roots++;
        see_kept(record, event);
        return true;
    case EVENT_ROUND:
        see_round(record, event);
        return true;
    case EVENT_EXPANDS:
        see_expansion(record, event);
        return true;
    case EVENT_CHILD:
        see_child(record, event);
        return true;
    case EVENT_FORGETS:
        see_forgotten(record, event);
        return true;
    case EVENT_RETURNS:
        assert_int_equal(event->node.number, record->enode);
        assert_true(event->stored > event->node.g + event->node.h);
        node_told(record, record->enode)->live = true;
        node_told(record, record->enode)->shown = 0; /* it goes to another place */
        return true;
    case EVENT_STEP:
        return see_step(record, event);
    case EVENT_LIVE:
        return see_live(record, event);
    case EVENT_DROPS:
        assert_true(node_told(record, event->node.number)->live);
        node_told(record, event->node.number)->live = false;
        record->duplicates += event->fate == FATE_DUPLICATE;
        return true;
    case EVENT_GOAL:
        record->goals++;
        record->solution = event->count;
        if (record->bound != 0 && record->whole) { /* it was taken, and the search goes on */
            const uint64_t goal = record->steps > 0 ? queue_first(record) : 1;
            assert_true(goal != 0);
            assert_true(board_equal(&record->nodes[goal].board, &record->task->goal));
            record->nodes[goal].live = false;
            record->bound = event->count;
        }
        return true;
    }
    return false;
}

static void expect_same(const char *text, const struct task *task, const struct result *seen,
                        const struct result *plain)
{
    bool same = seen->status == plain->status && seen->length == plain->length &&
                (plain->moves == NULL || strcmp(seen->moves, plain->moves) == 0);
    for (unsigned i = 0; i < COUNTERS; i++)
        same = same &&
               (strcmp(counters[i].name, "peak_bytes") == 0 ||
                statistics_value(&seen->statistics, i) == statistics_value(&plain->statistics, i));
    if (!same)
        fail_msg("%s on %s, order %s: viewed %s, expanded %" PRIu64 ", generated %" PRIu64
                 "; not viewed %s, %" PRIu64 ", %" PRIu64,
                 text, line_of(&task->start), task->order, status_rows[seen->status].name,
                 seen->statistics.expanded, seen->statistics.generated,
                 status_rows[plain->status].name, plain->statistics.expanded,
                 plain->statistics.generated);
}

static void expect_sum(const char *text, const char *what, uint64_t told, uint64_t counted)
{
    if (told != counted)
        fail_msg("%s told its observer of %" PRIu64 " %s and counted %" PRIu64, text, told, what,
                 counted);
}

static void expect_sums(const char *text, const struct record *record, const struct result *result)
{
    const struct statistics *statistics = &result->statistics;
    expect_sum(text, "expansions", record->order.count, statistics->expanded);
    expect_sum(text, "nodes", record->roots + record->children, statistics->generated);
    expect_sum(text, "duplicates", record->duplicates, statistics->duplicates);
    expect_sum(text, "nodes reopened", record->reopened, statistics->reopened);
    if (record->rounds > 0)
        expect_sum(text, "rounds", record->rounds, statistics->iterations);
    if (result->status == STATUS_solved)
        expect_sum(text, "moves", record->solution, result->length);
}

static void check(const char *text, const struct task *task, uint64_t nodes)
{
    const struct solver solver = solver_of(text);
    /* A* is to leave off early. */
    const bool shared = strncmp(text, "astar_idastar", 13) == 0;
    const struct limits limits = {.bytes = shared ? 1300000 : UINT64_C(1) << 32, .nodes = nodes};
    struct record record = {.task = task,
                            .nodes = nodes_told,
                            .queue = queue_told,
                            .moves_order = strcmp(solver.algorithm->name, "rbfs") == 0 ||
                                           (solver.algorithm->properties & BOTH_ENDS) != 0,
                            .whole = nodes <= FEW};
    struct order order = {0};
    const struct observer expansions = {.expands = note_expansion, .context = &order};
    const struct observer everything = {.sees = see, .context = &record};
    operators_make(task->start.shape, task->order, &record.operators);
    SCOPED_BY(result_end) struct result plain = result_of(&solver, task, &limits, NULL);
    SCOPED_BY(result_end) struct result ordered = result_of(&solver, task, &limits, &expansions);
    SCOPED_BY(result_end) struct result seen = result_of(&solver, task, &limits, &everything);
    expect_same(text, task, &ordered, &plain);
    expect_same(text, task, &seen, &plain);
    assert_int_equal(record.order.count, order.count);
    assert_true(record.order.hash == order.hash);
    expect_sums(text, &record, &seen);
}

static void check_all(unsigned width, unsigned height, const char *goal_name, const char *order,
                      unsigned boards, uint64_t nodes)
{
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    const struct board goal = goal_of(goal_name, width, height);
    gsl_rng_set(generator, 5);
    for (unsigned i = 0; i < boards; i++) {
        /* Some near, so that searches end, and some far. */
        const struct board start =
            i % 3 == 2 ? solvable_board(generator, &goal) : walked(generator, &goal, 5 * i);
        const struct task task = {start, goal, order};
        for (unsigned a = 0; a < algorithm_count; a++) {
            check(text_of("%s%s", algorithms[a].name, algorithms[a].informed ? "(manhattan)" : ""),
                  &task, nodes);
        }
        for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++)
            check(solvers[s], &task, nodes);
    }
    gsl_rng_free(generator);
}

TEST(test_each_step)
{
    check_all(3, 3, "blank-last", "ULRD", 9, FEW);
    check_all(3, 3, "snail", "DRLU", 6, FEW);
    check_all(2, 3, "blank-first", "RDUL", 6, FEW);
    check_all(4, 4, "blank-first", "ULRD", 6, FEW);
    check_all(6, 4, "blank-last", "LDUR", 4, FEW);
    check_all(6, 6, "blank-last", "ULRD", 4, FEW);
}

TEST(test_long_searches)
{
    const uint64_t nodes = is_long() ? 30000 : 12000;
    check_all(3, 3, "blank-last", "ULRD", 3, nodes);
    check_all(4, 4, "blank-last", "LRUD", 3, nodes);
}

/* Looks for the goal below the E-node, at most `depth` moves on, and says no more than the manual
 * asks for. */
static bool look_below(struct search *search, const struct enode *enode, unsigned depth)
{
    if (board_equal(&enode->board, &search->task->goal)) {
        search_solved(search, enode->g);
        return true;
    }
    if (depth == 0 || !search_expands(search, enode))
        return false;
    const struct exits *exits = enode_exits(search, enode);
    for (unsigned i = 0; i < exits->count; i++) {
        struct enode child = {
            .board = enode->board, .g = enode->g + 1, .undo = move_undo(exits->exit[i].move)};
        board_slide(&child.board, exits->exit[i].from);
        if (!search_generates(search))
            return false;
        if (look_below(search, &child, depth - 1)) {
            search->moves[enode->g] = move_letters[exits->exit[i].move];
            return true;
        }
    }
    return false;
}

static void bare_run(struct search *search)
{
    const struct enode root = {.board = search->task->start, .undo = MOVE_NONE};
    search->status = STATUS_exhausted;
    if (search_generates(search))
        look_below(search, &root, 5);
}

/* Who only says what it expands is seen: every node that is expanded is entered as a child of its
 * parent. */
TEST(test_an_algorithm_that_tells_nothing)
{
    const struct option_row none[] = NO_OPTIONS;
    const struct algorithm bare = {.name = "bare", .options = none, .run = bare_run};
    const struct solver solver = {.algorithm = &bare};
    const struct limits limits = {.bytes = 1 << 20};
    struct task task = {.goal = goal_of("blank-last", 3, 3), .order = "ULRD"};
    struct record record = {.task = &task, .nodes = nodes_told, .queue = queue_told};
    const struct observer everything = {.sees = see, .context = &record};
    task.start = task.goal;
    for (const char *move = "UULD"; *move != '\0'; move++) {
        operators_make(task.goal.shape, task.order, &record.operators);
        board_slide(&task.start, record.operators.target[task.start.blank][move_parse(*move)]);
    }
    SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, &everything);
    assert_int_equal(result.status, STATUS_solved);
    assert_string_equal(result.moves, "URDD");
    assert_int_equal(record.order.count, result.statistics.expanded);
    assert_int_equal(record.roots, 1);
    assert_int_equal(record.children + record.roots, result.statistics.expanded);
    assert_int_equal(record.goals, 1);
    assert_int_equal(record.solution, 4);
}
