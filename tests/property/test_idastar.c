/* IDA* against a plain recursive one written down here, counter by counter: in all shapes, for many
 * goals, all 24 operator orders, every heuristic, and wherever a limit of nodes may stop it. Each
 * search is run twice: as it is, where subtrees are counted at once if they can be, and with an
 * observer, which makes it walk every node. TILELAB_LONG=1 tries more limits of nodes, larger
 * searches, and twice as many goals of pattern databases. */
#include "heuristics/pdb.h"
#include "idastar/layers.h"
#include "tests/support.h"
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sys/time.h>

enum { LONGEST = 600 };

/* Whether sequences of moves are pruned, by definition: whether another leads earlier, as a shorter
 * one or in operator order, from the same board to the same. What was found out is kept by cell,
 * length and moves, for one shape and order. */
enum { LONGEST_PRUNED = 6 };
struct pruned {
    struct shape shape;
    char order[MOVES + 1];
    uint8_t known[MAX_CELLS][LONGEST_PRUNED + 1][1 << 2 * LONGEST_PRUNED]; /* 1: no; 2: it is */
};

/* The first sequence of `length` moves, none of which is `undo` or undoes the one before, from a
 * board to another, 2 bits a move; UINT_MAX: none. */
static unsigned first_sequence(const struct operators *operators, const struct board *from,
                               unsigned undo, const struct board *to, unsigned length)
{
    if (length == 0)
        return board_equal(from, to) ? 0 : UINT_MAX;
    for (unsigned turn = 0; turn < MOVES; turn++) {
        const unsigned move = operators->order[turn];
        const unsigned target = operators->target[from->blank][move];
        struct board child = *from;
        if (target == NO_CELL || move == undo)
            continue;
        board_slide(&child, target);
        const unsigned rest = first_sequence(operators, &child, move_undo(move), to, length - 1);
        if (rest != UINT_MAX)
            return move << 2 * (length - 1) | rest;
    }
    return UINT_MAX;
}

static bool is_pruned(struct pruned *pruned, const struct operators *operators,
                      const struct board *from, const struct board *to, unsigned length,
                      unsigned moves)
{
    uint8_t *known = &pruned->known[from->blank][length][moves];
    for (unsigned shorter = 0; *known == 0; shorter++) {
        const unsigned first = first_sequence(operators, from, MOVE_NONE, to, shorter);
        if (first != UINT_MAX)
            *known = shorter == length && first == moves ? 1 : 2;
    }
    return *known == 2;
}

static struct pruned pruned;

/* The plain IDA*. */
struct reference {
    const struct task *task;
    const struct heuristic *heuristic;
    struct operators operators;
    uint64_t nodes; /* the limit */
    unsigned threshold;
    unsigned above;
    enum status status;
    struct statistics statistics;
    char moves[LONGEST];
    size_t length;
    unsigned prune; /* sequences of at most so many moves are pruned */
    struct board path[LONGEST];
};

/* Whether the path to a node of depth g and a move from there to a child end in a sequence that is
 * pruned. */
static bool ends_pruned(struct reference *reference, const struct board *child, unsigned g,
                        unsigned move)
{
    unsigned moves = move;
    for (unsigned length = 1; length <= reference->prune && length <= g + 1; length++) {
        const unsigned from = g + 1 - length;
        if (length > 1)
            moves |= (unsigned)move_parse(reference->moves[from]) << 2 * (length - 1);
        if (is_pruned(&pruned, &reference->operators, &reference->path[from], child, length, moves))
            return true;
    }
    return false;
}

/* Visits a node that is within the threshold; true when the search is over. */
static bool visit(struct reference *reference, const struct board *board, unsigned g, unsigned undo)
{
    struct statistics *statistics = &reference->statistics;
    raise_to(&statistics->max_depth, g);
    raise_to(&statistics->max_stored, g + 1);
    if (board_equal(board, &reference->task->goal)) {
        reference->length = g;
        reference->status = STATUS_solved;
        return true;
    }
    statistics->expanded++;
    reference->path[g] = *board;
    for (unsigned turn = 0; turn < MOVES; turn++) {
        const unsigned move = reference->operators.order[turn];
        const unsigned from = reference->operators.target[board->blank][move];
        if (from == NO_CELL || move == undo)
            continue;
        struct board child = *board;
        board_slide(&child, from);
        if (ends_pruned(reference, &child, g, move))
            continue;
        if (statistics->generated == reference->nodes) {
            reference->status = STATUS_node_limit;
            return true;
        }
        statistics->generated++;
        const unsigned cost =
            g + 1 + reference->heuristic->kind->evaluate(reference->heuristic, &child);
        assert_in_range(g, 0, LONGEST - 2);
        reference->moves[g] = move_letters[move];
        if (cost > reference->threshold)
            reference->above = cost < reference->above ? cost : reference->above;
        else if (visit(reference, &child, g + 1, move_undo(move)))
            return true;
    }
    return false;
}

static void search_plainly(struct reference *reference, const struct solver *solver,
                           const struct task *task, uint64_t nodes)
{
    struct heuristic heuristic;
    const bool parity = solver->options[0] != 0;
    *reference = (struct reference){.task = task, .heuristic = &heuristic, .nodes = nodes};
    heuristic_start(&heuristic, &solver->heuristic, &task->goal);
    operators_make(task->start.shape, task->order, &reference->operators);
    reference->prune = (unsigned)solver->options[5];
    if (reference->prune > 0 &&
        (!shape_equal(pruned.shape, task->start.shape) || strcmp(pruned.order, task->order) != 0)) {
        memset(&pruned, 0, sizeof pruned);
        pruned.shape = task->start.shape;
        strcpy(pruned.order, task->order);
    }
    unsigned odd = shape_distance(task->start.shape, task->start.blank, task->goal.blank) % 2;
    reference->threshold = heuristic.kind->evaluate(&heuristic, &task->start);
    if (parity && reference->threshold % 2 != odd)
        reference->threshold++;
    reference->statistics.generated = 1;
    reference->statistics.max_open = 1;
    do {
        reference->above = UINT32_MAX;
        reference->statistics.iterations++;
        if (visit(reference, &task->start, 0, MOVE_NONE))
            break;
        reference->threshold = parity ? reference->threshold + 2 : reference->above;
    } while (true);
    reference->moves[reference->length] = '\0';
    heuristic_end(&heuristic);
}

static uint64_t seen; /* by the observer */

static void count_expansion(UNUSED void *context, UNUSED const struct board *board,
                            UNUSED unsigned g, UNUSED unsigned h)
{
    seen++;
}

static const struct observer observer = {.expands = count_expansion};

/* A search that walks every node: the observer must see each. */
static void run_walking(const struct solver *solver, const struct task *task,
                        const struct limits *limits, struct result *result)
{
    seen = 0;
    solver_run(solver, task, limits, &observer, result);
    assert_int_equal(seen, result->statistics.expanded);
}

/* Whether two results are the same but for the bytes held. */
static bool same(const struct result *result, enum status status, size_t length, const char *moves,
                 const struct statistics *statistics)
{
    struct statistics counted = result->statistics;
    counted.peak_bytes = statistics->peak_bytes;
    return result->status == status && memcmp(&counted, statistics, sizeof counted) == 0 &&
           (status != STATUS_solved ||
            (result->length == length && strcmp(result->moves, moves) == 0));
}

static void explain(const char *what, const char *solver, const struct task *task, uint64_t nodes,
                    const struct result *result, const struct statistics *statistics)
{
    for (unsigned i = 0; i < COUNTERS; i++)
        print_error("%s: %ju, not %ju\n", counters[i].name,
                    (uintmax_t)statistics_value(&result->statistics, i),
                    (uintmax_t)statistics_value(statistics, i));
    fail_msg("%s: %s on %ux%u %s, goal %s, order %s, limit %ju: %s, %zu moves", what, solver,
             task->start.shape.width, task->start.shape.height, line_of(&task->start),
             line_of(&task->goal), task->order, (uintmax_t)nodes, status_rows[result->status].name,
             result->length);
}

/* One search in all three ways; how many nodes it generated. */
static uint64_t check(const char *text, const struct task *task, uint64_t nodes)
{
    const struct solver solver = solver_of(text);
    const struct limits limits = {.bytes = 1 << 21, .nodes = nodes};
    struct reference reference;
    SCOPED_BY(result_end) struct result watched;
    search_plainly(&reference, &solver, task, nodes);
    SCOPED_BY(result_end) struct result counted = result_of(&solver, task, &limits, NULL);
    if (!same(&counted, reference.status, reference.length, reference.moves, &reference.statistics))
        explain("counted", text, task, nodes, &counted, &reference.statistics);
    run_walking(&solver, task, &limits, &watched);
    if (!same(&watched, reference.status, reference.length, reference.moves, &reference.statistics))
        explain("walked", text, task, nodes, &watched, &reference.statistics);
    assert_int_equal(counted.statistics.peak_bytes, watched.statistics.peak_bytes);
    if (reference.status == STATUS_node_limit)
        assert_true(counted.statistics.generated == nodes);
    return reference.statistics.generated;
}

static const char *const orders[] = {
    "UDLR", "UDRL", "ULDR", "ULRD", "URDL", "URLD", "DULR", "DURL", "DLUR", "DLRU", "DRUL", "DRLU",
    "LUDR", "LURD", "LDUR", "LDRU", "LRUD", "LRDU", "RUDL", "RULD", "RDUL", "RDLU", "RLUD", "RLDU"};
enum { ORDERS = sizeof orders / sizeof *orders };

/* A goal: the named ones, and after them any board. */
static struct board goal_number(gsl_rng *generator, struct shape shape, unsigned number)
{
    if (number >= GOAL_NAMES)
        return any_board(generator, shape);
    struct board goal = goal_for(goal_names[number], shape);
    return goal;
}

TEST(test_counts_of_all_kinds)
{
    /* How far the starts lie from the goal at most, for the heuristics to need some rounds, and the
     * rounds to end. */
    static const struct {
        const char *solver;
        unsigned steps;
    } solvers[] = {
        {"idastar(manhattan)", 60},
        {"idastar(manhattan, step=parity)", 60},
        {"idastar(linear_conflict)", 60},
        {"idastar(linear_conflict, step=parity)", 60},
        {"idastar(walking_distance)", 60},
        {"idastar(walking_distance, step=parity)", 60},
        {"idastar(misplaced)", 22},
        {"idastar(misplaced, step=parity)", 22},
        {"idastar(misplaced, count_blank)", 20},
        {"idastar(misplaced, count_blank, step=parity)", 20},
        {"idastar(zero)", 13},
        {"idastar(zero, step=parity)", 13},
        {"idastar(manhattan, prune=6)", 60},
        {"idastar(linear_conflict, prune=6)", 60},
        {"idastar(walking_distance, prune=6)", 60},
        {"idastar(misplaced, prune=5)", 22},
        {"idastar(zero, prune=6, step=parity)", 13},
    };
    static const char *const sizes[] = {"3x3", "4x4", "5x5", "2x2", "3x2", "2x5",
                                        "4x3", "3x4", "5x4", "6x4", "6x6", "2x18"};
    enum { GOALS = 6, NODES = 20000 };
    gsl_rng *generator = any_generator();
    /* In the quick tier a size has half of the goals, named ones and any, and the next the others.
     */
    const unsigned step = is_long() ? 1 : 2;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned g = i % step; g < GOALS; g += step)
            for (unsigned s = 0; s < sizeof solvers / sizeof *solvers; s++) {
                random_stream(generator, 2026, i, g, s);
                const struct shape shape = shape_read(sizes[i]);
                struct task task = {.goal = goal_number(generator, shape, g)};
                const struct solver solver = solver_of(solvers[s].solver);
                if (!is_defined(&solver.heuristic, &task.goal))
                    continue;
                for (unsigned steps = 0; steps <= solvers[s].steps; steps += 1 + steps / 2) {
                    task.start = walked(generator, &task.goal, steps);
                    task.order =
                        orders[solver.options[5] > 0 ? i + g
                                                     : gsl_rng_uniform_int(generator, ORDERS)];
                    check(solvers[s].solver, &task, NODES);
                }
            }
}

/* Pattern databases: every way in which boards, steps and groups are kept while they are counted,
 * the mirrored sum, more groups than are counted, and tables turned in all ways, as the goals are
 * any boards. */
TEST(test_counts_of_pattern_databases)
{
    static const struct {
        const char *size;
        const char *solver;
        unsigned steps;
        unsigned goals;
    } rows[] = {
        {"3x3", "idastar(pdb:1.2.3.4/5.6.7.8)", 60, 12},
        {"3x3", "idastar(pdb:1.2.3/4.5/6/7/8)", 60, 6},
        {"3x3", "idastar(pdb:1.2.3.4/5.6.7.8:reflect)", 60, 12},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15)", 70, 6},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:reflect)", 70, 6},
        {"3x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11)", 60, 4},
        {"5x3", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11/12.13.14)", 60, 4},
        {"2x7", "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11/12.13)", 40, 4},
        {"3x6", "idastar(pdb:1.2.3.4.6/5.7.8.9/10.11.12.13/14.15.16.17)", 60, 1},
        {"5x5", "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24)", 70,
         6},
        {"5x5",
         "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24:reflect)", 70,
         6},
        {"6x5",
         "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24/25.26.27/"
         "28.29)",
         60, 4},
        {"18x2",
         "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24/25.26.27/"
         "28.29.30/31.32.33/34.35)",
         60, 4},
        {"6x6",
         "idastar(pdb:1.2/3.4/5.6/7.8/9.10/11.12/13.14/15.16/17.18/19.20/21.22/23.24/25.26/27.28/"
         "29.30/31.32/33.34/35)",
         60, 2},
        {"3x3", "idastar(pdb:1.2.3.4/5.6.7.8:zero)", 60, 12},
        {"3x3", "idastar(pdb:1.2.3.4.5/6.7.8:zero:reflect)", 60, 12},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:zero)", 70, 6},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:zero:reflect)", 70, 6},
        {"5x3", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11/12.13.14:zero)", 60, 4},
        {"2x7", "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11/12.13:zero)", 40, 4},
        {"7x2", "idastar(pdb:1.2.3.8/4.5.6.7/9.10.11/12.13:zero)", 40, 6},
        {"5x5", "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24:zero)",
         70, 6},
        /* Catalogues: shared groups, groups that are their own mirror images, other sums of other
         * sizes, more sums or groups than the smaller counter takes, more than any does. */
        {"3x3", "idastar(pdb:1.2.3.4/5.6.7.8;1.2.3.5/4.6.7.8;1.2.3.4/5/6.7.8)", 60, 8},
        {"3x3", "idastar(pdb:1.2.3/4.5/6/7.8;1.2.3/4.6.7/5.8:zero:reflect)", 60, 12},
        {"4x4",
         "idastar(max:pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:reflect+"
         "pdb:1.5.9.13/2.6.10.14/3.7.11.15/4.8.12)",
         70, 4},
        {"4x4",
         "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15;1.5.9.13/2.6.10.14/3.7.11.15/"
         "4.8.12:zero:reflect)",
         70, 4},
        {"3x4",
         "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11;1.2.3/4.7.10/5.6.8/9.11;1/2.3/4.5.6/7.8.9.10/"
         "11:zero)",
         60, 4},
        {"5x5",
         "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24;"
         "1.6.11/2.7.12/3.8.13/4.9.14/5.10.15/16.17.18/19.20.21/22.23.24:reflect)",
         70, 3},
        {"5x5",
         "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24;"
         "1.6.11/2.7.12/3.8.13/4.9.14/5.10.15/16.17.18/19.20.21/22.23.24:zero:reflect)",
         70, 3},
        {"7x2",
         "idastar(pdb:1.2.3.8/4.5.6.7/9.10.11/12.13;1.2.8/3.4.10/5.6.7/9.11/12.13;1.8/2.9/"
         "3.10/4.11/5.12/6.7.13)",
         40, 4},
        {"7x2",
         "idastar(pdb:1.2.3.8/4.5.6.7/9.10.11/12.13;1.2.8/3.4.10/5.6.7/9.11/12.13;1.8/2.9/"
         "3.10/4.11/5.12/6.7.13:zero)",
         40, 4},
        {"6x6",
         "idastar(pdb:1.2/3.4/5.6/7.8/9.10/11.12/13.14/15.16/17.18/19.20/21.22/23.24/25.26/"
         "27.28/29.30/31.32/33.34/35:zero:reflect)",
         60, 1},
        {"3x3", "idastar(pdb:1.2.3.4.5/6.7.8:zero:onebit:reflect)", 60, 12},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:zero:onebit)", 70, 2},
        {"2x7", "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11/12.13:zero:onebit)", 40, 2},
        {"7x2", "idastar(pdb:1.2.3.8/4.5.6.7/9.10.11/12.13:zero:onebit)", 40, 2},
        {"3x3", "idastar(pdb:1.2.3/4.5/6/7.8;1.2.3/4.6.7/5.8:zero:onebit:reflect)", 60, 12},
        {"4x4",
         "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15;1.5.9.13/2.6.10.14/3.7.11.15/4.8.12;"
         "1.2.5.6/3.4.7.8/9.10.13.14/11.12.15:reflect)",
         70, 4},
        {"4x4",
         "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15;1.5.9.13/2.6.10.14/3.7.11.15/4.8.12;"
         "1.2.5.6/3.4.7.8/9.10.13.14/11.12.15:zero:reflect)",
         70, 4},
        {"4x4",
         "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15;1.5.9.13/2.6.10.14/3.7.11.15/"
         "4.8.12:zero:onebit:reflect)",
         70, 1},
        {"3x3", "idastar(pdb:1.2.3.4/5.6.7.8, prune=6)", 60, 12},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:reflect, prune=6)", 70, 2},
        {"5x5",
         "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24, prune=6)", 70,
         1},
        {"6x6",
         "idastar(pdb:1.2/3.4/5.6/7.8/9.10/11.12/13.14/15.16/17.18/19.20/21.22/23.24/25.26/27.28/"
         "29.30/31.32/33.34/35, prune=6)",
         60, 1},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:zero, prune=6)", 70, 1},
        {"7x2", "idastar(pdb:1.2.3.8/4.5.6.7/9.10.11/12.13:zero:onebit, prune=6)", 40, 2},
        {"4x4",
         "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15;1.5.9.13/2.6.10.14/3.7.11.15/4.8.12;"
         "1.2.5.6/3.4.7.8/9.10.13.14/11.12.15:reflect, prune=6)",
         70, 1},
        {"3x3", "idastar(pdb:1.2.3/4.5/6/7.8;1.2.3/4.6.7/5.8:zero:reflect, prune=6)", 60, 6},
        {"3x3", "idastar(pdb:1.2.3/4.5/6/7.8;1.2.3/4.6.7/5.8:zero:onebit:reflect, prune=6)", 60, 6},
    };
    enum { NODES = 5000, NODES_OF_LONG = 9000 };
    const uint64_t nodes = is_long() ? NODES_OF_LONG : NODES;
    gsl_rng *generator = any_generator();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t generated = 0;
        const bool reflect = strstr(rows[i].solver, "reflect") != NULL;
        /* In the quick tier some of the goals: fewer where the tables are large. */
        const unsigned part = is_long() ? 1 : rows[i].goals > 6 ? 3 : 6;
        const unsigned goals = (rows[i].goals + part - 1) / part;
        for (unsigned g = 0; g < goals; g++) {
            struct task task;
            random_stream(generator, 2026, 400, i, g);
            const struct shape shape = shape_read(rows[i].size);
            do
                task.goal = goal_number(generator, shape, GOAL_NAMES + g);
            while (reflect && !pdb_reflects(&task.goal));
            for (unsigned steps = 0; steps <= 3 * rows[i].steps; steps += 1 + steps / 2) {
                task.start = walked(generator, &task.goal, steps);
                task.order = orders[strstr(rows[i].solver, "prune") != NULL
                                        ? i % ORDERS
                                        : gsl_rng_uniform_int(generator, ORDERS)];
                generated += check(rows[i].solver, &task, nodes);
            }
        }
        if (generated <= nodes / 3)
            fail_msg("%s: the boards are too easy", rows[i].solver);
    }
}

/* The shapes whose subtrees are counted at once, and the heuristics. */
static const char *const counted_sizes[] = {"3x3", "4x4", "5x5"};
static const char *const counted_solvers[] = {"idastar(manhattan)", "idastar(linear_conflict)",
                                              "idastar(walking_distance)"};

/* Boards from far away, every order. */
TEST(test_counts_in_every_order)
{
    enum { GOALS = 7, NODES = 50000 };
    const unsigned step = is_long() ? 1 : 3;
    gsl_rng *generator = any_generator();
    uint64_t generated[3] = {0};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned o = 0; o < ORDERS; o++) {
            random_stream(generator, 2026, 100 + i, 0, o);
            const struct shape shape = shape_read(counted_sizes[i]);
            struct task task = {.goal = goal_number(generator, shape, o % GOALS),
                                .order = orders[o]};
            for (unsigned board = o % step; board < 3; board += step) {
                task.start = walked(generator, &task.goal, 60 + 30 * board + o % 2);
                for (unsigned s = 0; s < 3; s++) {
                    const struct solver solver = solver_of(counted_solvers[s]);
                    if (is_defined(&solver.heuristic, &task.goal))
                        generated[s] += check(counted_solvers[s], &task, NODES);
                }
            }
        }
    assert_true(generated[0] > 3000000 / step); /* the boards are not too easy */
    assert_true(generated[1] > 2000000 / step);
    assert_true(generated[2] > 400000 / step);
}

/* Walking distance where it has no links: counters of their own, of arrangements that are numbered
 * from the first line and from the last. (On 5x5 the tests above, TILELAB_LONG=1.) */
TEST(test_counts_of_large_arrangements)
{
    enum { NODES = 20000 };
    static const char *const goals[] = {"blank-first", "blank-last"};
    gsl_rng *generator = any_generator();
    uint64_t generated = 0;
    for (unsigned g = 0; g < 2; g++)
        for (unsigned o = 0; o < ORDERS; o++) {
            struct task task = {.goal = goal_of(goals[g], 5, 4), .order = orders[o]};
            random_stream(generator, 2026, 500, g, o);
            task.start = walked(generator, &task.goal, 30 + 3 * o);
            generated += check("idastar(walking_distance)", &task, NODES);
        }
    assert_true(generated > 200000); /* the boards are not too easy */
}

/* A search that is stopped at any node has counted exactly so many, and everything else as the
 * plain one. */
TEST(test_every_limit_of_nodes)
{
    static const struct {
        const char *size;
        const char *solver;
    } rows[] = {
        {"3x3", "idastar(manhattan)"},
        {"4x4", "idastar(manhattan)"},
        {"5x5", "idastar(manhattan)"},
        {"3x3", "idastar(linear_conflict)"},
        {"4x4", "idastar(linear_conflict)"},
        {"5x5", "idastar(linear_conflict)"},
        {"3x3", "idastar(walking_distance)"},
        {"4x4", "idastar(walking_distance)"},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15)"},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:reflect)"},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:zero:reflect)"},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15;1.5.9.13/2.6.10.14/3.7.11.15/"
                "4.8.12:reflect)"},
        {"4x4", "idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:zero:onebit)"},
    };
#ifdef NDEBUG
    const uint64_t limits = is_long() ? 3000 : 250;
#else
    const uint64_t limits = 400;
#endif
    gsl_rng *generator = any_generator();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        random_stream(generator, 2026, 200 + i, 0, 0);
        const struct shape shape = shape_read(rows[i].size);
        struct task task = {.goal = goal_number(generator, shape, i % 3),
                            .order = orders[5 * i % ORDERS]};
        uint64_t generated;
        do
            task.start = walked(generator, &task.goal, 100);
        while ((generated = check(rows[i].solver, &task, limits)) < limits / 3);
        for (uint64_t nodes = 1; nodes <= generated; nodes++)
            check(rows[i].solver, &task, nodes);
    }
}

/* Searches of more rounds, in which small subtrees are counted and large ones walked. Counting is
 * what makes it fast. */
TEST(test_larger_searches)
{
    static const struct {
        const char *solver;
        const char *start;
        const char *goal;
        const char *order;
        uint64_t nodes;
    } searches[] = {
        {"idastar(manhattan)", "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", "blank-first", "ULRD", 0},
        {"idastar(manhattan)", "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", "blank-first", "DRLU", 0},
        {"idastar(manhattan)", "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15", "blank-first", "LRUD",
         1234567},
        {"idastar(manhattan)", "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0", "blank-last", "ULRD",
         1000001},
        {"idastar(manhattan)", "17 9 23 12 11 19 3 20 21 4 10 6 14 5 8 16 0 13 1 18 7 22 24 15 2",
         "blank-last", "RUDL", 1500000},
        {"idastar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15)",
         "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0", "blank-last", "URDL", 1500000},
        {"idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24:reflect)",
         "17 9 23 12 11 19 3 20 21 4 10 6 14 5 8 16 0 13 1 18 7 22 24 15 2", "blank-last", "RUDL",
         700000},
        {"idastar(linear_conflict)", "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15", "blank-first", "LRUD",
         0},
        {"idastar(linear_conflict)",
         "17 9 23 12 11 19 3 20 21 4 10 6 14 5 8 16 0 13 1 18 7 22 24 15 2", "blank-last", "RUDL",
         1500000},
        {"idastar(walking_distance)", "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0", "blank-last", "ULRD",
         2000001},
        {"idastar(walking_distance)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "blank-first",
         "DRLU", 3000000},
    };
#ifdef NDEBUG
    const size_t count = sizeof searches / sizeof *searches;
#else
    const size_t count = 1;
#endif
    /* The first two end within a million nodes, the others are stopped there in the quick tier. */
    const uint64_t most = is_long() ? UINT64_MAX : 1000000;
    double counting = 0;
    double walking = 0;
    for (size_t i = 0; i < count; i++) {
        const struct solver solver = solver_of(searches[i].solver);
        struct task task = {.start = board_of(searches[i].start), .order = searches[i].order};
        const uint64_t nodes = searches[i].nodes - 1 < most ? searches[i].nodes : most;
        const struct limits limits = {.bytes = 1 << 21, .nodes = nodes};
        SCOPED_BY(result_end) struct result watched;
        assert_true(goal_named(searches[i].goal, task.start.shape, &task.goal));
        assert_true(board_connected(&task.start, &task.goal));
        SCOPED_BY(result_end) struct result counted = result_of(&solver, &task, &limits, NULL);
        run_walking(&solver, &task, &limits, &watched);
        assert_true(watched.statistics.generated > 500000);
        if (!same(&counted, watched.status, watched.length, watched.moves, &watched.statistics))
            explain("counted", searches[i].solver, &task, limits.nodes, &counted,
                    &watched.statistics);
        counting += counted.cpu_seconds;
        walking += watched.cpu_seconds;
    }
    printf("%.3f s counting, %.3f s walking\n", counting, walking);
#ifdef NDEBUG
    assert_true(2 * counting < walking);
#endif
}

/* Runs a search whose subtrees are counted by at most `lanes` nodes at once; 0: one by one. */
static void run_in_lanes(const char *text, unsigned threads, unsigned lanes,
                         const struct task *task, const struct limits *limits,
                         struct result *result)
{
    const struct solver solver = solver_of(text_of("idastar(%s, threads=%u)", text, threads));
    layers_allow(lanes);
    solver_run(&solver, task, limits, NULL, result);
    layers_allow(UINT_MAX);
}

/* With how few lanes layers are counted for pattern databases; UINT_MAX on processors that have no
 * vectors. */
static unsigned fewest_lanes_of_pdb(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2"))
        return 4;
#endif
    return UINT_MAX;
}

/* What is counted ahead, by several threads and in layers, is what one search counts alone: every
 * form on boards that take some rounds of it, at every kind of end: the goal, and limits of nodes
 * within subtrees, on the trunk between them, and before and behind them. */
TEST(test_counting_ahead)
{
    static const struct {
        const char *size;
        const char *heuristic;
        uint64_t nodes; /* the most that the search may take */
        unsigned first; /* before the last round, in which something then is */
        unsigned least; /* in all, if layers are counted; else 0 */
        unsigned steps, boards, limits;
        unsigned unfit[2]; /* by board: so many walks lead to boards that do not fit */
    } rows[] = {
        {"4x4", "manhattan", 12000000, 1 << 21, 1, 170, 2, 7, {0, 4}},
        {"5x5", "manhattan", 9000000, 1 << 21, 0, 120, 1, 2, {0}},
        {"4x4",
         "pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15",
         6500000,
         1 << 21,
         5000000,
         200,
         1,
         5,
         {9}},
        {"4x4",
         "pdb:1.5.9.13.2/3/7.4/15.14.12.11/8.6.10",
         12000000,
         1 << 21,
         5000000,
         200,
         1,
         5,
         {0}},
        {"3x4", "zero", 4500000, 1 << 21, 0, 30, 1, 1, {0}},
        {"4x4", "manhattan, prune=8", 6500000, 1 << 21, 0, 170, 1, 1, {0}}, /* not in layers */
    };
    static const unsigned forms[][2] = {{1, 1}, {1, 4}, {1, 8}, {2, 8},
                                        {3, 1}, {3, 8}, {8, 8}, {2, 0}};
#ifdef NDEBUG
    const unsigned rare = 1;
#else
    const unsigned rare = 3; /* all takes a minute */
#endif
    const unsigned fewest = fewest_lanes_of_pdb();
    gsl_rng *generator = any_generator();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i += rare)
        for (unsigned b = 0; b < rows[i].boards; b += rare) {
            struct result alone, ahead;
            struct limits limits = {.bytes = 1 << 26, .nodes = rows[i].nodes};
            random_stream(generator, 2026, 500 + i, b, 0);
            const struct shape shape = shape_read(rows[i].size);
            struct task task = {.goal = goal_number(generator, shape, b)};
            for (unsigned walks = 0; walks <= rows[i].unfit[b]; walks++) {
                task.start = walked(generator, &task.goal, rows[i].steps);
                task.order = orders[gsl_rng_uniform_int(generator, ORDERS)];
            }
            run_in_lanes(rows[i].heuristic, 1, 0, &task, &limits, &alone);
            const uint64_t most = alone.statistics.generated;
            const uint64_t last = alone.rounds[alone.round_count - 1].generated; /* round */
            if (most - last < rows[i].first || last < 100000 || most < rows[i].least ||
                (i == 0 && alone.status != STATUS_solved)) /* the goal is met, too */
                fail_msg("%s, board %u: the board is too easy, or too hard", rows[i].heuristic, b);
            const unsigned last_limit = is_long() ? rows[i].limits : (rows[i].limits + 1) / 2;
            for (unsigned l = 0; l <= last_limit; l += rare) {
                const unsigned *form =
                    forms[(4 * (b + (i == 3) + (i == 5)) + l) % (sizeof forms / sizeof *forms)];
                if (l > 0) {
                    limits.nodes = most - gsl_rng_uniform_int(generator, last);
                    run_in_lanes(rows[i].heuristic, 1, 0, &task, &limits, &alone);
                }
                run_in_lanes(rows[i].heuristic, form[0], form[1], &task, &limits, &ahead);
                if (!same(&ahead, alone.status, alone.length, alone.moves, &alone.statistics)) {
                    print_error("%u threads, %u lanes\n", form[0], form[1]);
                    explain("ahead", rows[i].heuristic, &task, limits.nodes, &ahead,
                            &alone.statistics);
                }
                assert_int_equal(ahead.round_count, alone.round_count);
                assert_memory_equal(ahead.rounds, alone.rounds,
                                    alone.round_count * sizeof *alone.rounds);
                assert_true((ahead.statistics.peak_bytes > alone.statistics.peak_bytes) ==
                            (form[0] > 1 || i == 0 ||
                             (rows[i].least > 0 && form[1] >= fewest))); /* counted ahead */
                result_end(&alone);
                result_end(&ahead);
            }
        }
}

/* With too little memory for the counter's tables all is walked, and counted the same. */
TEST(test_without_memory_for_tables)
{
    const struct solver solver = solver_of("idastar(manhattan)");
    const struct limits limits = {.bytes = 1000, .nodes = 100000};
    const struct limits roomy = {.bytes = 1 << 20, .nodes = 100000};
    const struct task task = {board_of("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15"),
                              goal_of("blank-first", 4, 4), "ULRD"};
    SCOPED_BY(result_end) struct result poor = result_of(&solver, &task, &limits, NULL);
    SCOPED_BY(result_end) struct result rich = result_of(&solver, &task, &roomy, NULL);
    assert_true(poor.statistics.peak_bytes <= limits.bytes);
    assert_true(rich.statistics.peak_bytes > limits.bytes);
    assert_true(same(&poor, rich.status, rich.length, rich.moves, &rich.statistics));
}

static volatile sig_atomic_t interrupted;

static void interrupt(UNUSED int signal_number)
{
    interrupted = 1;
}

/* Boards that no one waits for: an interruption and the end of the time are noticed, also in the
 * middle of a subtree of hundreds of millions of nodes, as there are below the second board. */
static const char *const hard[] = {
    "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0",
    "17 9 23 12 11 19 3 20 21 4 10 6 14 5 8 16 0 13 1 18 7 22 24 15 2",
};

/* Runs a search that limits->interrupted or ->seconds ends after 50 ms. A busy machine may make one
 * of them late, but not three. Returns what the last one generated. */
static uint64_t expect_end(const char *text, const struct task *task, const struct limits *limits,
                           const char *status)
{
    const struct solver solver = solver_of(text);
    const double late =
        (0.05 + 0.2) * solver_threads(&solver); /* 50 ms, and some for the machine */
    const struct itimerval timer = {.it_value.tv_usec = 50000};
    uint64_t generated = 0;
    double seconds = HUGE_VAL;
    for (unsigned i = 0; i < 3 && seconds >= 0.05 + late; i++) {
        interrupted = 0;
        if (limits->interrupted != NULL)
            assert_int_equal(setitimer(ITIMER_VIRTUAL, &timer, NULL), 0);
        SCOPED_BY(result_end) struct result result = result_of(&solver, task, limits, NULL);
        assert_string_equal(status_rows[result.status].name, status);
        seconds = result.cpu_seconds;
        generated = result.statistics.generated;
    }
    if (seconds >= 0.05 + late)
        fail_msg("%s: %s after %.3f s of processor time; expected at most %.3f", text, status,
                 seconds, 0.05 + late);
    return generated;
}

TEST(test_interruption_and_time)
{
    static const char *const solvers[] = {
        "idastar(manhattan)",
        "idastar(manhattan, threads=3)",
        "idastar(manhattan)",
        "idastar(manhattan, threads=3)",
        "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24)",
    };
    signal(SIGVTALRM, interrupt);
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        struct task task = {.start = board_of(hard[i < 2 ? 0 : 1]), .order = DEFAULT_ORDER};
        struct limits limits = {.bytes = 1 << 21, .interrupted = &interrupted};
        assert_true(goal_named("blank-last", task.start.shape, &task.goal));
        assert_true(expect_end(solvers[i], &task, &limits, "interrupted") > 20000);
        limits.interrupted = NULL;
        limits.seconds = 0.05;
        expect_end(solvers[i], &task, &limits, "time_limit");
    }
}

#ifdef NDEBUG
/* So is the limit of nodes: ten million more than thirty take no four times as long, although they
 * are the beginning of a subtree that is much larger. */
TEST(test_limit_within_a_subtree)
{
    const struct solver solver = solver_of("idastar(manhattan)");
    const uint64_t nodes[2] = {30000000, 40000000};
    double seconds[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct limits limits = {.bytes = 1 << 20, .nodes = nodes[i]};
        const struct task task = {board_of(hard[1]), goal_of("blank-last", 5, 5), DEFAULT_ORDER};
        SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
        assert_int_equal(result.statistics.generated, nodes[i]);
        seconds[i] = result.cpu_seconds;
    }
    assert_true(seconds[1] < 4 * seconds[0]);
}
#endif

/* The longest solution looked for: none of fewer moves is missed, none of more is found. */
TEST(test_depth_limit)
{
    const struct task task = {board_of("8 6 7 2 5 4 3 0 1"), goal_of("blank-last", 3, 3),
                              DEFAULT_ORDER};
    const struct limits limits = {.bytes = 1 << 20};
    for (unsigned depth = 0; depth < 36; depth++) {
        const struct solver solver =
            solver_of(text_of("idastar(manhattan, depth_limit=%u)", depth));
        SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
        assert_string_equal(status_rows[result.status].name, depth < 31 ? "exhausted" : "solved");
        assert_true(result.statistics.max_depth <= depth);
    }
}

/* A heuristic that is not admissible may hide a solution within the limit. */
TEST(test_hidden_by_the_heuristic)
{
    const struct task task = {board_of("1 2 3 4 5 6 7 0 8"), goal_of("blank-last", 3, 3),
                              DEFAULT_ORDER};
    static const char *const solvers[] = {"idastar(misplaced, count_blank, depth_limit=1)",
                                          "dfbnb(misplaced, count_blank, depth_limit=1)",
                                          "bfhs(misplaced, count_blank, bound=1)"};
    const struct limits limits = {.bytes = 1 << 20};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        SCOPED_BY(result_end) struct result result = result_by(solvers[i], &task, &limits, NULL);
        assert_string_equal(status_rows[result.status].name, "stuck");
    }
}

/* Where groups are large h may stand still at one value and then jump: a round may have nothing to
 * drop at 2 above its threshold. Every board of 3x2, and one in some of 4x2. */
TEST(rounds_that_leap)
{
    static const struct {
        unsigned width, height, step;
        const char *solver;
    } cases[] = {
        {3, 2, 1, "idastar(pdb:1.2.3.4/5)"},
        {3, 2, 1, "idastar(pdb:1.2.3/4.5)"},
        {3, 2, 1, "idastar(pdb:1.2.3.4.5)"},
        {4, 2, 7, "idastar(pdb:1.2.3.4.5.6/7)"},
        {4, 2, 7, "idastar(pdb:1.2.3.4.5/6.7)"},
        {4, 2, 7, "idastar(pdb:1.2.3.4/5.6.7)"},
        {3, 3, 997, "idastar(pdb:1.2.3.4.5.6.7/8)"},
        {3, 3, 997, "idastar(pdb:1.2.3.4.5.6/7.8)"},
        {3, 2, 1, "idastar(pdb:1.2.3/4.5:zero)"},
        {4, 2, 7, "idastar(pdb:1.2.3.4.5/6.7:zero)"},
        {3, 3, 499, "idastar(pdb:1.2.3.4.5.6/7.8:zero)"},
        {3, 3, 499, "idastar(pdb:1.2.3.4.5.6/7.8:zero:onebit)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned g = 0; g < 2; g++) {
            struct task task = {
                .goal = goal_of(g == 0 ? "blank-last" : "snail", cases[i].width, cases[i].height),
                .order = DEFAULT_ORDER};
            const bool fewer = cases[i].width * cases[i].height > 6 && !is_long();
            const uint32_t step = fewer ? 4 * cases[i].step + 1 : cases[i].step;
            struct ranking ranking = ranking_of(&task.goal);
            for (uint32_t rank = 0; rank < ranking.size; rank += step) {
                ranking_unrank(&ranking, rank, &task.start);
                check(cases[i].solver, &task, UINT64_MAX);
            }
        }
}

AROUND_ALL_TESTS(no_files, NULL)
