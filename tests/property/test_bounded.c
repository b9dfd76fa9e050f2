/* Searches that give up some of a solution's length for time, and searches that get it back: what
 * each promises, against the exact distances of the 8-puzzle.
 *
 * TILELAB_LONG=1 takes every board where a bound is claimed; the quick tests take a sample. Only
 * solvers that begin with TILELAB_SOLVER are asked. */
#include "puzzle/replay.h"
#include "search/search.h"
#include "tests/support.h"
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

/* Boards of 3x3, `step` ranks apart, in two operator orders, and their distances: for each goal, or
 * every board for the first. */
static void on_boards(uint32_t step, void (*check)(const struct task *task, unsigned distance))
{
    for (unsigned g = 0; g < (step == 1 ? 1 : GOALS); g++) {
        struct task task = {.goal = board_of(goals[g])};
        struct distances distances = distances_to(&task.goal);
        for (uint32_t rank = g; rank < distances.ranking.size; rank += step) {
            task.order = rank % 2 == 0 ? DEFAULT_ORDER : "DRLU";
            task.start = board_ranked(&distances.ranking, rank);
            check(&task, distances.depth[rank]);
        }
        distances_end(&distances);
    }
}

/* ---- Priorities ---- */

/* The same path and counters. */
static void expect_same(const char *text, const char *other, const struct task *task)
{
    const struct solver solvers[] = {solver_of(text), solver_of(other)};
    struct result results[] = {result_of(&solvers[0], task, &roomy, NULL),
                               result_of(&solvers[1], task, &roomy, NULL)};
    assert_string_equal(results[0].moves, results[1].moves);
    for (unsigned i = 0; i < COUNTERS; i++) {
        const uint64_t is = statistics_value(&results[0].statistics, i);
        const uint64_t was = statistics_value(&results[1].statistics, i);
        if (is != was && strcmp(counters[i].name, "peak_bytes") != 0)
            fail_msg("%s: %s %" PRIu64 "; %s: %" PRIu64, text, counters[i].name, is, other, was);
    }
    result_end(&results[0]);
    result_end(&results[1]);
}

static void check_w_1(const struct task *task, unsigned distance)
{
    static const char *const priorities[] = {"pwxd", "pwxu", "xdp", "xup"};
    static const char *const kinds[] = {"manhattan", "misplaced", "manhattan, ties=low_g",
                                        "linear_conflict, ties=fifo",
                                        "pdb:1.2.3.4/5.6.7.8, ties=lifo"};
    (void)distance;
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

/* %s is where w stands. */
static const char *const within[] = {"wastar(manhattan, w=%s, priority=pwxd)",
                                     "wastar(manhattan, w=%s, priority=pwxu)",
                                     "wastar(manhattan, w=%s, priority=xdp)",
                                     "wastar(manhattan, w=%s, priority=xup)",
                                     "wastar(misplaced, w=%s, priority=xdp)",
                                     "wastar(linear_conflict, w=%s, priority=pwxu)",
                                     "focal(manhattan, w=%s)",
                                     "focal(misplaced, w=%s)",
                                     "ees(manhattan, w=%s)",
                                     "ees(misplaced, w=%s)",
                                     "dps(manhattan, w=%s)",
                                     "dps(pdb:1.2.3.4/5.6.7.8, w=%s)",
                                     "optimistic(manhattan, w=%s)",
                                     "optimistic(misplaced, w=%s)",
                                     "ios(manhattan, w=%s)",
                                     "ios(linear_conflict, w=%s)"};

static size_t proofs[2]; /* searches of optimistic, and of ios, that had to go on for a proof */

static void check_within(const struct task *task, unsigned distance)
{
    for (unsigned i = 0; i < COUNT_OF(within) * COUNT_OF(weights); i++) {
        char text[99];
        int64_t w;
        snprintf(text, sizeof text, within[i / COUNT_OF(weights)], weights[i % COUNT_OF(weights)]);
        if (!is_asked(text))
            continue;
        assert_true(decimal_parse(weights[i % COUNT_OF(weights)], &w));
        const struct solver solver = solver_of(text);
        struct result result = result_of(&solver, task, &roomy, NULL);
        assert_int_equal(solver_bound(&solver), w);
        assert_int_equal(result.status, STATUS_solved);
        assert_int_equal(
            replay_path(&task->start, &task->goal, result.moves, result.length).outcome,
            REPLAY_REACHES_GOAL);
        if (result.length * DECIMAL_ONE > distance * (uint64_t)w)
            fail_msg("%s: %zu moves, a shortest path has %u", text, result.length, distance);
        proofs[text[0] == 'i'] += result.statistics.best_found > 0 &&
                                  result.statistics.generated > result.statistics.best_found;
        if (strstr(text, "priority") != NULL || strncmp(text, "ios", 3) == 0)
            assert_int_equal(result.statistics.reopened, 0);
        result_end(&result);
    }
}

TEST(test_solutions_are_within_w)
{
    proofs[0] = proofs[1] = 0;
    on_boards(is_long() ? 1 : 70001, check_within);
    assert_true((proofs[0] > 0 && proofs[1] > 10) || getenv("TILELAB_SOLVER") != NULL);
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
        struct result result = result_of(&solver, task, &roomy, NULL);
        assert_int_equal(result.status, STATUS_solved);
        several += check_incumbents(anytime[i], &result, distance) > 1;
        if ((solver_properties(&solver) & OPTIMAL) != 0)
            assert_int_equal(result.length, distance);
        const struct limits few = {
            .bytes = roomy.bytes,
            .nodes = result.statistics.first_found +
                     (result.statistics.generated - result.statistics.first_found) / 2};
        struct result early = result_of(&solver, task, &few, NULL);
        check_incumbents(anytime[i], &early, distance);
        if (result.statistics.generated > few.nodes) {
            assert_int_equal(early.status, STATUS_node_limit);
            cut++;
        }
        assert_true(early.moves != NULL && early.length >= result.length);
        result_end(&early);
        result_end(&result);
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
    struct result result = result_of(&solver, &task, &roomy, NULL);
    assert_true(result.incumbent_count > 0);
    for (size_t i = 0; i < result.incumbent_count; i++)
        assert_int_equal(result.incumbents[i].bound, 0);
    result_end(&result);
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
        for (unsigned i = 0; i < COUNT_OF(within) + COUNT_OF(anytime); i++)
            for (uint64_t bytes = 1 << 12; bytes < 1 << 24; bytes *= 8) {
                char text[99];
                const struct limits limits = {.bytes = bytes, .nodes = 20000};
                if (i < COUNT_OF(within))
                    snprintf(text, sizeof text, within[i], "3");
                if (i < COUNT_OF(within) && strstr(text, "pdb") != NULL)
                    continue; /* of 3x3 */
                const struct solver solver =
                    solver_of(i < COUNT_OF(within) ? text : anytime[i - COUNT_OF(within)]);
                struct result result = result_of(&solver, &task, &limits, NULL);
                if (result.status == STATUS_solved)
                    assert_int_equal(
                        replay_path(&task.start, &task.goal, result.moves, result.length).outcome,
                        REPLAY_REACHES_GOAL);
                else
                    assert_true(status_is_limit(result.status));
                assert_true(result.statistics.peak_bytes <= bytes);
                result_end(&result);
            }
    }
}

AROUND_ALL_TESTS(no_files, NULL)
