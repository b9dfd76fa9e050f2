/* Searches that give up some of a solution's length for time, and searches that get it back: what
 * each promises, against the exact distances and costs of the 8-puzzle and 2x4.
 *
 * TILELAB_LONG=1 takes every board where a bound is claimed, or the share of them that a claim
 * says; TILELAB_LONG=whole takes every board for every claim, of 2x4 too; the quick tests take a
 * sample. Only solvers that begin with TILELAB_SOLVER are asked. */
#include "search/search.h"
#include "tests/exact_costs.h"
#include <inttypes.h>

static const char *const goals[] = {"1 2 3 4 5 6 7 8 0", "1 0 2 3 4 5 6 7 8", "1 2 3 8 0 4 7 6 5"};

enum { GOALS = sizeof goals / sizeof *goals };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const struct limits roomy = {.bytes = UINT64_C(1) << 30};

static bool is_asked(const char *text)
{
    const char *chosen = getenv("TILELAB_SOLVER");
    return chosen == NULL || strncmp(text, chosen, strlen(chosen)) == 0;
}

/* Boards of 3x3, `step` ranks apart, in two operator orders, and their distances, for each goal. */
static void on_boards(uint32_t step, void (*check)(const struct task *task, unsigned distance))
{
    for (unsigned g = 0; g < GOALS; g++) {
        struct task task = {.goal = board_of(goals[g])};
        SCOPED_BY(distances_end) struct distances distances = distances_to(&task.goal);
        for (uint32_t rank = g; rank < distances.ranking.size; rank += step) {
            task.order = rank % 2 == 0 ? DEFAULT_ORDER : "DRLU";
            task.start = board_ranked(&distances.ranking, rank);
            check(&task, distances.depth[rank]);
        }
    }
}

/* ---- Priorities ---- */

/* The same path and counters. */
static void expect_same(const char *text, const char *other, const struct task *task)
{
    SCOPED_BY(result_end) struct result result = result_by(text, task, &roomy, NULL);
    SCOPED_BY(result_end) struct result same = result_by(other, task, &roomy, NULL);
    assert_string_equal(result.moves, same.moves);
    expect_same_counters(text, &result, other, &same, "peak_bytes");
}

static void check_w_1(const struct task *task, UNUSED unsigned distance)
{
    static const char *const priorities[] = {"pwxd", "pwxu", "xdp", "xup"};
    static const char *const kinds[] = {"manhattan", "misplaced", "manhattan, ties=low_g",
                                        "linear_conflict, ties=fifo",
                                        "pdb:1.2.3.4/5.6.7.8, ties=lifo"};
    for (unsigned i = 0; i < COUNT_OF(priorities); i++)
        for (unsigned k = 0; k < COUNT_OF(kinds); k++) {
            char text[99], other[99];
            snprintf(text, sizeof text, "wastar(%s, w=1, priority=%s)", kinds[k], priorities[i]);
            snprintf(other, sizeof other, "astar(%s)", kinds[k]);
            expect_same(text, other, task);
        }
}

TEST(test_priorities_with_w_1_are_a_star)
{
    on_boards(is_long() ? 997 : 40009, check_w_1);
}

/* ---- Within w ---- */

static const char *const weights[] = {"1", "1.01", "1.1", "1.5", "2", "5", "10"};

#define PDB "pdb:1.2.3.4/5.6.7.8"

/* Each algorithm keeps its promise on every board of 3x3 with the costs of every model, by a
 * pattern database, and with unit costs by Manhattan distance, too. What would take hours more is
 * asked one board in 101: other costs by Manhattan distance, and misplaced, by which searches are
 * ten times as large. */
static const struct claim {
    const char *text;      /* %s is where w stands */
    uint32_t unit, priced; /* of the boards of 3x3, so many ranks apart, with unit costs and with
                              those of the other models; 0: none */
} claims[] = {
    {"wastar(manhattan, w=%s)", 1, 101},
    {"wastar(manhattan, w=%s, priority=pwxd)", 1, 101},
    {"wastar(manhattan, w=%s, priority=pwxu)", 1, 101},
    {"wastar(manhattan, w=%s, priority=xdp)", 1, 101},
    {"wastar(manhattan, w=%s, priority=xup)", 1, 101},
    {"wastar(linear_conflict, w=%s, priority=pwxu)", 1, 0},
    {"wastar(misplaced, w=%s, priority=xdp)", 101, 0},
    {"wastar(" PDB ", w=%s)", 1, 1},
    {"wastar(" PDB ", w=%s, priority=pwxd)", 1, 1},
    {"wastar(" PDB ", w=%s, priority=pwxu)", 1, 1},
    {"wastar(" PDB ", w=%s, priority=xdp)", 1, 1},
    {"wastar(" PDB ", w=%s, priority=xup)", 1, 1},
    {"focal(manhattan, w=%s)", 1, 101},
    {"focal(misplaced, w=%s)", 101, 0},
    {"focal(" PDB ", w=%s)", 1, 1},
    {"focal(" PDB ", w=%s, by=moves)", 1, 1},
    {"ees(manhattan, w=%s)", 1, 101},
    {"ees(misplaced, w=%s)", 101, 0},
    {"ees(" PDB ", w=%s)", 1, 1},
    {"dps(manhattan, w=%s)", 1, 101},
    {"dps(" PDB ", w=%s)", 1, 1},
    {"optimistic(manhattan, w=%s)", 1, 101},
    {"optimistic(misplaced, w=%s)", 101, 0},
    {"optimistic(" PDB ", w=%s)", 1, 1},
    {"ios(manhattan, w=%s)", 1, 101},
    {"ios(linear_conflict, w=%s)", 1, 0},
    {"ios(" PDB ", w=%s)", 1, 1},
};

static size_t proofs[2]; /* searches of optimistic, and of ios, that had to go on for a proof */

/* One board, from which a cheapest path costs `optimum`. */
static void check_within(const struct solver *solver, const struct task *task,
                         const struct move_costs *costs, uint64_t optimum, bool reopens)
{
    SCOPED_BY(result_end) struct result result;
    uint64_t cost;
    solver_run_priced(solver, task, costs->model == COST_unit ? NULL : costs, &roomy, NULL,
                      &result);
    assert_int_equal(result.status, STATUS_solved);
    const struct replay replay =
        replay_path(&task->start, &task->goal, result.moves, result.length);
    assert_int_equal(replay.outcome, REPLAY_REACHES_GOAL);
    assert_true(replay_cost(&replay, costs, &cost));
    if (cost * DECIMAL_ONE > optimum * (uint64_t)solver_bound(solver) || cost < optimum) {
        fail_msg("%s, cost: %s: %" PRIu64 "; a cheapest path costs %" PRIu64 " (%s)",
                 solver_text(solver), cost_names[costs->model], cost, optimum,
                 line_of(&task->start));
    }
    proofs[solver->algorithm->name[0] == 'i'] +=
        result.statistics.best_found > 0 &&
        result.statistics.generated > result.statistics.best_found;
    if (!reopens && result.statistics.reopened > 0)
        fail_msg("%s, cost: %s: opens %" PRIu64 " nodes again", solver_text(solver),
                 cost_names[costs->model], result.statistics.reopened);
}

/* Boards that are `step` ranks apart, in two operator orders. */
static void check_claim(const struct claim *claim, const struct exact *exact,
                        const struct move_costs *costs, uint32_t step)
{
    struct task task = {.goal = exact->ranking.goal};
    for (unsigned i = 0; i < COUNT_OF(weights); i++) {
        int64_t w;
        const char *text = text_of(claim->text, weights[i]);
        const struct solver solver = solver_of(text);
        const bool reopens = (strstr(text, "priority") == NULL && strncmp(text, "ios", 3) != 0) ||
                             (solver_properties(&solver) & CONSISTENT) == 0;
        if (!is_asked(text) || !is_defined(&solver.heuristic, &task.goal))
            continue;
        assert_true(decimal_parse(weights[i], &w));
        assert_int_equal(solver_bound(&solver), w);
        for (uint32_t rank = 3 * i % step; rank < exact->ranking.size; rank += step) {
            task.order = rank % 2 == 0 ? DEFAULT_ORDER : "DRLU";
            task.start = board_ranked(&exact->ranking, rank);
            check_within(&solver, &task, costs, exact->cost[rank], reopens);
        }
        if (is_long())
            printf("%s: cost: %s: one of %u of %u\n", text, cost_names[costs->model], step,
                   exact->ranking.size);
        fflush(stdout);
    }
}

/* In the long tier by every model; else each goal by some. */
TEST(test_solutions_are_within_w)
{
    const struct board spaces[] = {board_of(goals[0]), goal_at(2, 4, 0), board_of(goals[1]),
                                   board_of(goals[2])};
    const bool whole = is_whole();
    const unsigned count = whole ? 2 : is_long() ? 1 : COUNT_OF(spaces);
    proofs[0] = proofs[1] = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned model = 0; model < COST_MODELS; model++) {
            if (!is_long() && model != COST_unit && model % COUNT_OF(spaces) != i)
                continue;
            const struct move_costs costs = costs_make((enum cost_model)model, spaces[i].shape);
            struct exact exact = exact_to(&spaces[i], &costs);
            for (unsigned c = 0; c < COUNT_OF(claims); c++) {
                const uint32_t share = model == COST_unit ? claims[c].unit : claims[c].priced;
                const uint32_t step = whole ? 1 : is_long() ? share : exact.ranking.size / 3 - 1;
                if (share > 0)
                    check_claim(&claims[c], &exact, &costs, step);
            }
            free(exact.cost);
        }
    assert_true((proofs[0] > 0 && proofs[1] > 10) || getenv("TILELAB_SOLVER") != NULL);
}

/* The least f of the live nodes is no bound then, as the best of them may be its children. */
TEST(test_a_solution_is_shortened_while_a_node_is_expanded)
{
    const struct solver solver = solver_of("ios(" PDB ", w=1.5)");
    struct task task = {.start = board_of("7 8 4 5 2 3 1 6 0"), .goal = board_of(goals[0])};
    const struct move_costs heavy = costs_make(COST_heavy, task.goal.shape);
    struct exact exact = exact_to(&task.goal, &heavy);
    static const char *const orders[] = {DEFAULT_ORDER, "DRLU"};
    for (unsigned i = 0; i < COUNT_OF(orders); i++) {
        task.order = orders[i];
        check_within(&solver, &task, &heavy, exact.cost[ranking_rank(&exact.ranking, &task.start)],
                     true);
    }
    free(exact.cost);
}

/* ---- Better and better ---- */

static const char *const anytime[] = {"arastar(manhattan)",
                                      "arastar(manhattan, w=5, decrease=0.5)",
                                      "arastar(misplaced, w=2, decrease=0)",
                                      "awastar(manhattan)",
                                      "awastar(misplaced, w=5)",
                                      "anastar(manhattan)",
                                      "anastar(linear_conflict)",
                                      "rectangle(manhattan)",
                                      "rectangle(misplaced, aspect=500)",
                                      "optimistic(manhattan, w=1.1)",
                                      "ios(manhattan, w=1.1)"};

/* Each solution is better than the one before, what is proved never falls and is true, and the best
 * is what the row has. Returns how many there were. */
static size_t check_incumbents(const char *text, const struct result *result, unsigned distance)
{
    for (size_t i = 0; i < result->incumbent_count; i++) {
        const struct incumbent *is = &result->incumbents[i];
        const struct incumbent *was = i == 0 ? NULL : is - 1;
        assert_true(is->verified);
        assert_true(was == NULL || (is->length < was->length && is->bound >= was->bound &&
                                    is->generated >= was->generated));
        if (is->bound > distance || is->bound > is->length || is->length < distance)
            fail_msg("%s: solution %zu of %" PRIu64 " moves, bound %" PRIu64 "; optimum %u", text,
                     i + 1, is->length, is->bound, distance);
    }
    if (result->incumbent_count > 0)
        assert_int_equal(result->incumbents[result->incumbent_count - 1].length, result->length);
    return result->incumbent_count;
}

static size_t several; /* searches that found more than one solution */
static size_t cut;     /* that ended at a limit with one */

static void check_anytime(const struct task *task, unsigned distance)
{
    for (unsigned i = 0; i < COUNT_OF(anytime); i++) {
        if (!is_asked(anytime[i]))
            continue;
        const struct solver solver = solver_of(anytime[i]);
        SCOPED_BY(result_end) struct result result = result_of(&solver, task, &roomy, NULL);
        assert_int_equal(result.status, STATUS_solved);
        several += check_incumbents(anytime[i], &result, distance) > 1;
        if ((solver_properties(&solver) & OPTIMAL) != 0)
            assert_int_equal(result.length, distance);
        const struct limits few = {
            .bytes = roomy.bytes,
            .nodes = result.statistics.first_found +
                     (result.statistics.generated - result.statistics.first_found) / 2};
        SCOPED_BY(result_end) struct result early = result_of(&solver, task, &few, NULL);
        check_incumbents(anytime[i], &early, distance);
        if (result.statistics.generated > few.nodes) {
            assert_int_equal(early.status, STATUS_node_limit);
            cut++;
        }
        assert_true(early.moves != NULL && early.length >= result.length);
    }
}

TEST(test_solutions_become_better)
{
    several = cut = 0;
    on_boards(is_long() ? 101 : 40009, check_anytime);
    assert_true((several > 20 && cut > 70) || getenv("TILELAB_SOLVER") != NULL);
}

/* With estimates that are too high nothing is proved. */
TEST(test_nothing_is_proved_by_a_heuristic_that_is_not_admissible)
{
    const struct solver solver = solver_of("awastar(misplaced, count_blank)");
    const struct task task = {
        .start = board_of("8 6 7 2 5 4 3 0 1"), .goal = board_of(goals[0]), .order = DEFAULT_ORDER};
    SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &roomy, NULL);
    assert_true(result.incumbent_count > 0);
    for (size_t i = 0; i < result.incumbent_count; i++)
        assert_int_equal(result.incumbents[i].bound, 0);
}

/* On larger boards, of every packing, at any limit of memory: no crash, and a path that is right.
 */
TEST(test_larger_boards)
{
    static const struct {
        const char *start, *goal;
        unsigned width, height;
    } boards[] = {
        {"14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15", "blank-first", 4, 4},
        {"1 2 3 4 5 6 7 8 9 10 11 12 0 13 15 16 17 18 14 20 21 22 23 19 24", "blank-last", 5, 5},
        {"1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15 17 18 19 20 21 16 22 24 25 26 27 28 23 29",
         "blank-last", 6, 5}};
    for (unsigned b = 0; b < COUNT_OF(boards); b++) {
        const struct task task = {board_sized(boards[b].width, boards[b].height, boards[b].start),
                                  goal_of(boards[b].goal, boards[b].width, boards[b].height),
                                  DEFAULT_ORDER};
        for (unsigned i = 0; i < COUNT_OF(claims) + COUNT_OF(anytime); i++)
            for (uint64_t bytes = 1 << 12; bytes < 1 << 24; bytes *= 8) {
                char text[99];
                const struct limits limits = {.bytes = bytes, .nodes = 20000};
                if (i < COUNT_OF(claims))
                    snprintf(text, sizeof text, claims[i].text, "3");
                if (i < COUNT_OF(claims) && strstr(text, "pdb") != NULL)
                    continue; /* of 3x3 */
                const struct solver solver =
                    solver_of(i < COUNT_OF(claims) ? text : anytime[i - COUNT_OF(claims)]);
                struct result result = result_of(&solver, &task, &limits, NULL);
                if (result.status == STATUS_solved)
                    ASSERT_REACHES_GOAL(&task, &result);
                else
                    assert_true(status_is_limit(result.status));
                assert_true(result.statistics.peak_bytes <= bytes);
                result_end(&result);
            }
    }
}

AROUND_ALL_TESTS(many_searches, NULL)
