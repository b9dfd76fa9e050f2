/* Costs of moves: the models by their definitions; heuristics and searches against exact costs, by
 * an algorithm of Dijkstra's of the test's own; with costs of 1 by a model, the counters of unit
 * costs; how many shortest solutions there are.
 *
 * All boards of 3x2, samples of 2x4 and 3x3. TILELAB_LONG=1: heuristics on all boards of 2x4 and
 * 3x3, searches that promise cheapest paths on all boards of 2x4, and more of 3x3 (those within w
 * are test_bounded.c's). With TILELAB_SOLVER, too: searches that begin with it on all boards of
 * 3x3, with one model, and else what is quick; misplaced, by which searches are ten times as large,
 * on one board in 101, and on all with TILELAB_LONG=whole. */
#include "harness/judge/verdict.h"
#include "instances/set.h"
#include "tests/exact_costs.h"

AROUND_ALL_TESTS(many_searches, NULL)

static const struct limits roomy = {.bytes = UINT64_C(1) << 30};

static bool is_thorough(void)
{
    return is_long() && getenv("TILELAB_SOLVER") == NULL;
}

/* ---- Models ---- */

TEST(models_are_exact_by_their_definitions)
{
    const struct shape shape = shape_of(4, 4);
    char text[COST_TEXT];
    assert_int_equal(costs_make(COST_fractional, shape).scale, 720720);
    assert_int_equal(costs_make(COST_inverse, shape).scale, 360360);
    assert_int_equal(costs_make(COST_heavy, shape).scale, 1);
    assert_int_equal(costs_make(COST_sqrt, shape).of[9], 3 << 20);
    assert_int_equal(costs_make(COST_sqrt, shape).of[2], 1482910); /* 1.41421356 x 2^20 */
    assert_int_equal(costs_make(COST_sqrt, shape).of[3], 1816187); /* 1816186.93 */
    for (unsigned tile = 1; tile < 16; tile++) {
        assert_int_equal(costs_make(COST_unit, shape).of[tile], 1);
        assert_int_equal(costs_make(COST_heavy, shape).of[tile], tile);
        assert_int_equal(costs_make(COST_inverse, shape).of[tile] * tile, 360360);
        assert_int_equal((costs_make(COST_fractional, shape).of[tile] - 720720) * (tile + 1),
                         720720);
    }
    assert_string_equal(cost_text(41, 1, text), "41");
    assert_string_equal(cost_text(720720 * 7 + 90090, 720720, text), "7.125");
    assert_string_equal(cost_text(47 * 60060, 720720, text), "47/12");
    assert_string_equal(cost_text(1, 1 << 20, text), "0.00000095367431640625");
}

TEST(costs_are_read_back)
{
    static const char *const wrong[] = {"",   "x",   "-1",   "1.", "1/0",
                                        "1/", "1e3", "1.5 ", ".5", "99999999999999999999"};
    const struct move_costs costs = costs_make(COST_fractional, shape_of(4, 4));
    char text[COST_TEXT];
    uint64_t cost;
    for (uint64_t i = 0; i < 4000; i++) {
        assert_true(cost_parse(cost_text(i * 7919, costs.scale, text), costs.scale, &cost));
        assert_int_equal(cost, i * 7919);
        snprintf(text, sizeof text, "%.6f", (double)(i * 7919) / (double)costs.scale);
        assert_true(cost_parse(text, costs.scale, &cost)); /* as they are published */
        assert_int_equal(cost, i * 7919);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(cost_parse(wrong[i], costs.scale, &cost));
}

TEST(the_verifier_adds_up_by_itself)
{
    const struct board start = board_of("1 2 3 4 5 6 0 7 8");
    const struct board goal = board_of("1 2 3 4 5 6 7 8 0");
    const struct move_costs heavy = costs_make(COST_heavy, start.shape);
    uint64_t cost;
    const struct replay replay = replay_path(&start, &goal, "RR", 2);
    assert_int_equal(replay.outcome, REPLAY_REACHES_GOAL);
    assert_true(replay_cost(&replay, &heavy, &cost));
    assert_int_equal(cost, 7 + 8);
    struct move_costs huge = heavy;
    huge.of[8] = UINT64_MAX - 6;
    assert_false(replay_cost(&replay, &huge, &cost));
}

/* The path costs 7 + 8 with heavy moves. */
TEST(a_cost_is_held_against_the_known_optimum_and_the_promise)
{
    static const struct {
        const char *solver;
        uint64_t optimal;
        const char *why; /* "": it is right */
        uint64_t bound;  /* what it says that it proved; 0: nothing */
    } cases[] = {
        {"astar(manhattan)", 15, "", 15},
        {"astar(manhattan)", COST_UNKNOWN, "", 0},
        {"astar(manhattan)", 14, "a cheapest one, which this solver promises, costs 14", 0},
        {"bfs", 14, "", 14},
        {"wastar(manhattan, w=1.1)", 14, "", 0},
        {"wastar(manhattan, w=1.05)", 14, "at most 1.05 times the 14", 0},
        {"bfs", 16, "less than the known optimum of 16", 0},
        {"bfs", 14, "bound: 15, above the known optimum of 14", 15},
        {"bfs", COST_UNKNOWN, "bound: 16, above the 15 that its own path costs", 16},
    };
    struct instance instance = {.start = board_of("1 2 3 4 5 6 0 7 8"),
                                .goal = board_of("1 2 3 4 5 6 7 8 0"),
                                .optimal_length = LENGTH_UNKNOWN,
                                .cost = COST_heavy};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char moves[] = "RR";
        const struct solver solver = solver_of(cases[i].solver);
        const struct run run = {.instance = &instance, .solver = &solver, .order = "ULRD"};
        struct result result = {.status = STATUS_solved,
                                .moves = moves,
                                .length = 2,
                                .h_start = -1,
                                .bound = cases[i].bound};
        instance.optimal_costs[COST_heavy] = cases[i].optimal;
        SCOPED char *why = verify_result(&run, &result);
        if ((why == NULL) != (cases[i].why[0] == '\0') ||
            (why != NULL && strstr(why, cases[i].why) == NULL))
            fail_msg("%s: '%s'; expected '%s'", cases[i].solver, why == NULL ? "" : why,
                     cases[i].why);
        assert_int_equal(result.status, why == NULL ? STATUS_solved : STATUS_wrong_answer);
    }
}

TEST(a_set_gives_optimal_costs)
{
    static const char set[] = "start,optimal_cost_heavy,optimal_cost_fractional\n"
                              "1 2 3 4 5 6 0 7 8,15,2.236111\n"
                              "1 2 3 4 5 6 7 0 8,,10/9\n";
    struct instance_list list = {0};
    SCOPED_BY(report_end) struct report report = {.file = "set"};
    assert_true(set_parse(set, "s", NULL, "blank-last", &report, &list));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].optimal_costs[COST_heavy], 15);
    assert_int_equal(list.items[0].optimal_costs[COST_fractional], 2520 * 2 + 2520 / 8 + 2520 / 9);
    assert_true(list.items[1].optimal_costs[COST_heavy] == COST_UNKNOWN);
    assert_int_equal(list.items[1].optimal_costs[COST_fractional], 2800);
    instance_list_end(&list);
    assert_false(set_parse("start,optimal_cost_heavy\n1 2 3 4 5 6 7 0 8,heavy\n", "s", NULL,
                           "blank-last", &report, &list));
    assert_non_null(strstr(report.text, "invalid optimal cost 'heavy'"));
    instance_list_end(&list);
}

/* ---- Heuristics ---- */

static const char *const heuristics[] = {
    "zero", "misplaced", "manhattan", "linear_conflict", "max:misplaced+linear_conflict",
};
enum { HEURISTICS = sizeof heuristics / sizeof *heuristics };

/* A value is no more than the exact cost, falls by no more than a move costs, and is found by steps
 * as by looking at the board. */
static void check_value(const struct heuristic *heuristic, UNUSED const struct exact *exact,
                        const struct board *board, uint64_t cost)
{
    const bool consistent = (heuristic_properties(&heuristic->choice) & CONSISTENT) != 0;
    const uint64_t h = heuristic_priced(heuristic, board);
    if (h > cost || (cost == 0 && h != 0))
        fail_msg("%s, cost: %s: %llu on %s, from which the goal costs %llu", heuristic->kind->name,
                 cost_names[heuristic->costs->model], (unsigned long long)h, line_of(board),
                 (unsigned long long)cost);
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned to = move_target(board->shape, board->blank, move);
        if (to == NO_CELL)
            continue;
        struct board child = *board;
        const unsigned tile = board->cell[to];
        board_slide(&child, to);
        const uint64_t next = heuristic_priced_step(heuristic, &child, h, tile, to, board->blank);
        assert_int_equal(next, heuristic_priced(heuristic, &child));
        if (consistent && h > next + heuristic->costs->of[tile])
            fail_msg("%s, cost: %s: falls from %llu to %llu on %s by tile %u",
                     heuristic->kind->name, cost_names[heuristic->costs->model],
                     (unsigned long long)h, (unsigned long long)next, line_of(board), tile);
    }
}

static void check_heuristics(const struct board *goal, uint32_t step)
{
    for (unsigned model = 0; model < COST_MODELS; model++) {
        const struct move_costs costs = costs_make((enum cost_model)model, goal->shape);
        struct exact exact = exact_to(goal, &costs);
        SCOPED char *pdb = heuristic_example(heuristic_find("pdb"), goal);
        for (unsigned i = 0; i <= HEURISTICS; i++) {
            const struct heuristic_choice choice = choice_of(i < HEURISTICS ? heuristics[i] : pdb);
            SCOPED_BY(heuristic_end) struct heuristic heuristic;
            assert_true(heuristic_has_price(&choice));
            heuristic_start_priced(&heuristic, &choice, goal, &costs);
            for (uint32_t rank = i % step; rank < exact.ranking.size; rank += step) {
                struct board board;
                ranking_unrank(&exact.ranking, rank, &board);
                check_value(&heuristic, &exact, &board, exact.cost[rank]);
            }
        }
        free(exact.cost);
    }
}

TEST(heuristics_are_admissible_and_consistent)
{
    const struct board goals[] = {goal_at(3, 2, 5), goal_at(2, 4, 0),
                                  goal_at(4, 2, 6), goal_at(3, 3, 8),
                                  goal_at(3, 3, 4), board_of("1 2 3 8 0 4 7 6 5")};
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        if (is_thorough() || i < 4)
            check_heuristics(&goals[i], is_thorough() || goals[i].shape.cells < 8 ? 1
                                        : goals[i].shape.cells == 8               ? 17
                                                                                  : 997);
}

TEST(what_is_not_defined_is_refused)
{
    static const char *const refused[] = {
        "astar(walking_distance)",        "astar(inversion)", "astar(max:manhattan+gaschnig)",
        "astar(misplaced, count_blank)",  "bfhs(manhattan)",  "idastar(manhattan, step=parity)",
        "idastar(manhattan, table=1000)", "beam(manhattan)",  "astar(pdb:7-8)",
        "astar(pdb:5-5-5:zero)",          "dvcbs(manhattan)", "batch_astar(manhattan)",
    };
    static const char *const defined[] = {"bfs", "ucs", "idastar(manhattan, step=cr)",
                                          "bts(max:manhattan+linear_conflict)"};
    const struct move_costs costs = costs_make(COST_heavy, shape_of(3, 3));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct solver solver = solver_of(refused[i]);
        SCOPED char *reason = solver_refuses_costs(&solver, &costs);
        if (reason == NULL || strstr(reason, "heavy") == NULL)
            fail_msg("%s: %s", refused[i], reason == NULL ? "not refused" : reason);
        assert_null(solver_refuses_costs(&solver, NULL));
    }
    for (size_t i = 0; i < sizeof defined / sizeof *defined; i++) {
        const struct solver solver = solver_of(defined[i]);
        assert_null(solver_refuses_costs(&solver, &costs));
    }
}

/* ---- Searches ---- */

static struct result run(const char *text, const struct task *task, const struct move_costs *costs)
{
    const struct solver solver = solver_of(text);
    struct result result;
    solver_run_priced(&solver, task, costs, &roomy, NULL, &result);
    if (result.status != STATUS_solved) {
        fail_msg("%s on %s: %s", text, line_of(&task->start), status_rows[result.status].name);
    }
    return result;
}

static uint64_t cost_of(const struct task *task, const struct result *result,
                        const struct move_costs *costs)
{
    const struct replay replay =
        replay_path(&task->start, &task->goal, result->moves, result->length);
    uint64_t cost;
    assert_int_equal(replay.outcome, REPLAY_REACHES_GOAL);
    assert_true(replay_cost(&replay, costs, &cost));
    return cost;
}

/* What each finds costs at most so many times the optimum (0: nothing is promised). The last
 * column: only boards as cheap as so many moves. */
static const struct promise {
    const char *solver;
    unsigned times, by;
    unsigned nearest;
} promises[] = {
    {"ucs", 1, 1, 99},
    {"ucs(ties=lifo)", 1, 1, 99},
    {"astar(manhattan)", 1, 1, 99},
    {"astar(linear_conflict, ties=low_g)", 1, 1, 99},
    {"astar(max:misplaced+linear_conflict)", 1, 1, 99},
    {"wastar(manhattan, w=1)", 1, 1, 99},
    {"wastar(manhattan, w=1.1)", 11, 10, 99},
    {"wastar(linear_conflict, w=2, reopen=false)", 2, 1, 99},
    {"wastar(manhattan, w=1.1, priority=xdp)", 11, 10, 99},
    {"wastar(misplaced, w=2, priority=xup)", 2, 1, 99},
    {"wastar(manhattan, w=5, priority=pwxd)", 5, 1, 99},
    {"wastar(linear_conflict, w=1.01, priority=pwxu)", 101, 100, 99},
    {"focal(manhattan, w=1.1)", 11, 10, 99},
    {"focal(misplaced, w=1.5, by=moves)", 3, 2, 99},
    {"ees(manhattan, w=1.5)", 3, 2, 99},
    {"ees(misplaced, w=1.1)", 11, 10, 99},
    {"dps(manhattan, w=1.1)", 11, 10, 99},
    {"dps(linear_conflict, w=2)", 2, 1, 99},
    {"optimistic(manhattan, w=1.1)", 11, 10, 99},
    {"ios(manhattan, w=1.1)", 11, 10, 99},
    {"ios(misplaced, w=2)", 2, 1, 99},
    {"arastar(manhattan)", 1, 1, 99},
    {"awastar(manhattan)", 1, 1, 99},
    {"anastar(manhattan)", 1, 1, 99},
    {"rectangle(manhattan)", 1, 1, 99},
    {"greedy(manhattan)", 0, 0, 99},
    {"lcbb(linear_conflict)", 1, 1, 16},
    {"lcbb(manhattan, duplicates=stored)", 1, 1, 99},
    {"dfbnb(linear_conflict)", 1, 1, 14},
    {"rbfs(manhattan)", 1, 1, 14},
    {"idastar(manhattan)", 1, 1, 14},
    {"idastar(linear_conflict, step=cr)", 1, 1, 20},
    {"idastar(manhattan, solutions=all)", 1, 1, 14},
    {"bts(manhattan)", 1, 1, 20},
    {"bts(linear_conflict, c1=3, c2=2, growth=3)", 1, 1, 20},
    {"astar_idastar(manhattan)", 1, 1, 99},
    {"bfida(manhattan)", 1, 1, 99},
    {"bfida(misplaced)", 1, 1, 99},
    {"mm(manhattan)", 1, 1, 99},
    {"mm(misplaced, ties=high_g, side=smaller)", 1, 1, 99},
    {"mme(manhattan)", 1, 1, 99},
    {"mme(linear_conflict, ties=high_g)", 1, 1, 99},
    {"nbs(manhattan)", 1, 1, 99},
    {"nbs(linear_conflict, epsilon=0)", 1, 1, 99},
    {"bae(manhattan)", 1, 1, 99},
    {"bae(linear_conflict, bounds=all, side=smaller)", 1, 1, 99},
    {"bsstar(manhattan)", 1, 1, 99},
    {"bsstar(misplaced)", 1, 1, 99},
};

/* How far apart the boards are that are asked, where those of other searches are `step`. */
static uint32_t step_of(const struct promise *promise, const struct board *goal, uint32_t step)
{
    if (step > 1 || is_whole() || goal->shape.cells < 8)
        return step;
    if (goal->shape.cells == 8)
        return promise->times == promise->by ? 1 : 97;
    return strstr(promise->solver, "misplaced") == NULL ? 1 : 101;
}

static void check_promises(const struct board *goal, uint32_t step, enum cost_model first,
                           enum cost_model last)
{
    const char *chosen = getenv("TILELAB_SOLVER");
    const struct ranking ranking = ranking_of(goal);
    SCOPED_BY(distances_end) struct distances distances = distances_to(goal);
    for (unsigned model = first; model <= last; model++) {
        const struct move_costs costs = costs_make((enum cost_model)model, goal->shape);
        struct exact exact = exact_to(goal, &costs);
        for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
            const struct promise *promise = &promises[i];
            if (chosen != NULL && strncmp(promise->solver, chosen, strlen(chosen)) != 0)
                continue;
            const uint32_t apart = step_of(promise, goal, step);
            for (uint32_t rank = (uint32_t)(7 * i + model) % apart; rank < ranking.size;
                 rank += apart) {
                struct task task = {.goal = *goal, .order = rank % 2 == 0 ? "ULRD" : "DRLU"};
                if (distances.depth[rank] > promise->nearest)
                    continue;
                ranking_unrank(&ranking, rank, &task.start);
                SCOPED_BY(result_end) struct result result = run(promise->solver, &task, &costs);
                const uint64_t cost = cost_of(&task, &result, &costs);
                if (promise->times > 0 && cost * promise->by > exact.cost[rank] * promise->times)
                    fail_msg("%s, cost: %s: %llu, the optimum is %llu (rank %u)", promise->solver,
                             cost_names[model], (unsigned long long)cost,
                             (unsigned long long)exact.cost[rank], rank);
                assert_true(cost >= exact.cost[rank]);
            }
            if (is_long())
                printf("%s: cost: %s: one of %u of %u\n", promise->solver, cost_names[model], apart,
                       ranking.size);
            fflush(stdout);
        }
        free(exact.cost);
    }
}

TEST(searches_find_cheapest_paths)
{
    const struct board goals[] = {goal_at(3, 2, 5), goal_at(2, 4, 0), goal_at(3, 3, 8)};
    const enum cost_model last = COST_MODELS - 1;
    check_promises(&goals[0], is_long() ? 1 : 3, 0, last); /* each board, by a third of them */
    check_promises(&goals[1], is_thorough() ? 1 : 2503, 0, last);
    if (is_long() && !is_thorough())
        check_promises(&goals[2], 1, COST_heavy, COST_heavy);
    else
        check_promises(&goals[2], is_long() ? 97 : 40009, is_long() ? 0 : last, last);
}

/* No round of bfida opens a node again, and each is so much larger than the last that there are
 * few, where idastar has a hundred. */
TEST(rounds_by_g_are_few)
{
    const struct board goal = goal_at(3, 3, 8);
    const struct ranking ranking = ranking_of(&goal);
    const struct move_costs costs = costs_make(COST_fractional, goal.shape);
    uint64_t rounds = 0, rounds_of_idastar = 0;
    for (uint32_t rank = 5; rank < ranking.size; rank += 20011) {
        struct task task = {.goal = goal, .order = DEFAULT_ORDER};
        ranking_unrank(&ranking, rank, &task.start);
        SCOPED_BY(result_end) struct result by_g = run("bfida(linear_conflict)", &task, &costs);
        struct result by_path = run("idastar(linear_conflict)", &task, &costs);
        assert_int_equal(by_g.statistics.reopened, 0);
        assert_true(by_g.statistics.iterations <= 15);
        rounds += by_g.statistics.iterations;
        rounds_of_idastar += by_path.statistics.iterations;
        result_end(&by_path);
    }
    assert_true(rounds_of_idastar > 10 * rounds);
}

/* At any limit of memory a cheapest path, and most of them by rounds below what A* left. */
TEST(rounds_go_on_where_memory_ended_the_first_part)
{
    const struct board goal = goal_at(3, 3, 8);
    const struct solver solver = solver_of("astar_idastar(linear_conflict)");
    size_t deepened = 0;
    for (unsigned model = COST_heavy; model < COST_MODELS; model++) {
        const struct move_costs costs = costs_make((enum cost_model)model, goal.shape);
        struct exact exact = exact_to(&goal, &costs);
        for (uint32_t rank = 11 * model; rank < exact.ranking.size; rank += 30011)
            for (uint64_t bytes = 24 << 10; bytes <= 96 << 10; bytes *= 2) {
                struct task task = {.goal = goal, .order = DEFAULT_ORDER};
                const struct limits limits = {.bytes = bytes};
                SCOPED_BY(result_end) struct result result;
                ranking_unrank(&exact.ranking, rank, &task.start);
                solver_run_priced(&solver, &task, &costs, &limits, NULL, &result);
                assert_int_equal(result.status, STATUS_solved);
                assert_int_equal(cost_of(&task, &result, &costs), exact.cost[rank]);
                assert_true(result.statistics.peak_bytes <= bytes);
                deepened += result.statistics.iterations > 1;
            }
        free(exact.cost);
    }
    assert_true(deepened > 20);
}

/* The first nodes of A* fit into the smallest share, of any shape. */
TEST(a_small_share_is_enough)
{
    const struct solver solver = solver_of("astar_idastar(manhattan, share=1)");
    gsl_rng *generator = any_generator();
    for (unsigned width = 3; width <= 6; width++)
        for (uint64_t bytes = 28 << 10; bytes <= 2 << 20; bytes *= 4) {
            struct task task = {.goal = goal_at(width, width, 0), .order = DEFAULT_ORDER};
            const struct move_costs costs = costs_make(COST_heavy, task.goal.shape);
            const struct limits limits = {.bytes = bytes};
            SCOPED_BY(result_end) struct result result;
            task.start = walked(generator, &task.goal, 6);
            solver_run_priced(&solver, &task, &costs, &limits, NULL, &result);
            assert_int_equal(result.status, STATUS_solved);
        }
    gsl_rng_free(generator);
}

/* A heuristic prepared for costs is asked for nothing else. */
TEST(pattern_databases_of_costs_guide_all_kinds_of_searches)
{
    static const char *const kinds[] = {"astar", "focal", "ees", "awastar", "dfbnb", "mm", "nbs"};
    struct task task = {
        .start = board_of("1 5 2 8 0 3 4 7 6"), .goal = goal_at(3, 3, 8), .order = DEFAULT_ORDER};
    const struct move_costs costs = costs_make(COST_inverse, task.goal.shape);
    struct exact exact = exact_to(&task.goal, &costs);
    const uint64_t optimum = exact.cost[ranking_rank(&exact.ranking, &task.start)];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        SCOPED_BY(result_end)
        struct result result = run(text_of("%s(pdb:1.2.3.4/5.6.7.8)", kinds[i]), &task, &costs);
        const uint64_t cost = cost_of(&task, &result, &costs);
        assert_true(cost >= optimum && 2 * cost <= 3 * optimum);
    }
    free(exact.cost);
}

/* The counters of a search with costs of 1 by a model are those of unit costs. */
TEST(a_model_of_unit_costs_changes_no_counter)
{
    static const char *const same[][2] = {
        {"astar(manhattan)", "peak_bytes"},
        {"astar(misplaced, ties=low_g)", "peak_bytes"},
        {"astar(linear_conflict, depth_limit=20)", "peak_bytes"},
        {"ucs", "peak_bytes"},
        {"greedy(manhattan)", "peak_bytes"},
        {"greedy(misplaced, duplicates=stored, goal_test=generation)", "peak_bytes"},
        {"wastar(manhattan, w=1.37)", "peak_bytes"},
        {"wastar(linear_conflict, w=3, reopen=false, ties=fifo)", "peak_bytes"},
        {"lcbb(linear_conflict)", "peak_bytes"},
        {"lcbb(manhattan, duplicates=none, goal_test=generation)", "peak_bytes"},
        {"dfbnb(linear_conflict)", "peak_bytes"},
        {"rbfs(manhattan)", ""},
        {"idastar(manhattan)", "peak_bytes"},
        {"idastar(misplaced)", "peak_bytes"},
        {"idastar(linear_conflict, solutions=all)", "peak_bytes"},
        {"bts(manhattan)", "peak_bytes"},
        {"astar_idastar(manhattan)", "peak_bytes"},
        {"mm(manhattan)", "peak_bytes"},
        {"mm(misplaced, ties=high_g, side=smaller)", "peak_bytes"},
        {"mme(linear_conflict)", "peak_bytes"},
        {"nbs(manhattan)", "peak_bytes"},
        {"nbs(linear_conflict, epsilon=0)", "peak_bytes"},
        {"bae(manhattan)", "peak_bytes"},
        {"bae(linear_conflict, bounds=all, side=smaller)", "peak_bytes"},
        {"bsstar(manhattan)", "peak_bytes"},
    };
    const struct board goal = goal_at(3, 3, 8);
    const struct ranking ranking = ranking_of(&goal);
    SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
    const struct move_costs costs = costs_make(COST_unit, goal.shape);
    for (uint32_t rank = 3; rank < ranking.size; rank += is_thorough() ? 499 : 997)
        for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
            struct task task = {.goal = goal, .order = "ULRD"};
            ranking_unrank(&ranking, rank, &task.start);
            if (distances.depth[rank] > 17)
                continue;
            SCOPED_BY(result_end) struct result unit = run(same[i][0], &task, NULL);
            SCOPED_BY(result_end) struct result model = run(same[i][0], &task, &costs);
            assert_string_equal(unit.moves, model.moves);
            assert_int_equal(unit.solutions, model.solutions);
            assert_memory_equal(unit.sides, model.sides, sizeof unit.sides);
            for (unsigned c = 0; c < COUNTERS; c++)
                if (strstr(same[i][1], counters[c].name) == NULL &&
                    statistics_value(&unit.statistics, c) != statistics_value(&model.statistics, c))
                    fail_msg("%s: %s %llu, but %llu by a model of 1 (rank %u)", same[i][0],
                             counters[c].name,
                             (unsigned long long)statistics_value(&unit.statistics, c),
                             (unsigned long long)statistics_value(&model.statistics, c), rank);
        }
}

/* ---- How many shortest solutions there are ---- */

/* Counts them by the distances: along each step that comes nearer. */
static uint64_t count_paths(const struct distances *distances, const struct board *board)
{
    const uint32_t rank = ranking_rank(&distances->ranking, board);
    uint64_t count = distances->depth[rank] == 0;
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned to = move_target(board->shape, board->blank, move);
        struct board next = *board;
        if (to == NO_CELL)
            continue;
        board_slide(&next, to);
        if (distances->depth[ranking_rank(&distances->ranking, &next)] + 1 ==
            distances->depth[rank])
            count += count_paths(distances, &next);
    }
    return count;
}

TEST(all_shortest_solutions_are_counted)
{
    static const char *const solvers[] = {
        "idastar(manhattan, solutions=all)",
        "idastar(linear_conflict, solutions=all)",
        "idastar(walking_distance, solutions=all)",
        "idastar(misplaced, solutions=all)",
        "idastar(manhattan, step=cr, solutions=all)",
        "idastar(manhattan, table=100000, solutions=all)",
    };
    const struct board goal = goal_at(3, 3, 8);
    SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
    for (uint32_t rank = 0; rank < distances.ranking.size; rank += is_thorough() ? 97 : 3989) {
        struct task task = {.goal = goal, .order = "ULRD"};
        ranking_unrank(&distances.ranking, rank, &task.start);
        const uint64_t count = count_paths(&distances, &task.start);
        for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
            if (i == 3 && distances.depth[rank] > 16)
                continue;
            SCOPED_BY(result_end) struct result result = run(solvers[i], &task, NULL);
            if (result.solutions != count || result.length != distances.depth[rank])
                fail_msg("%s: %llu solutions of %zu moves; there are %llu of %u (rank %u)",
                         solvers[i], (unsigned long long)result.solutions, result.length,
                         (unsigned long long)count, distances.depth[rank], rank);
        }
    }
}
