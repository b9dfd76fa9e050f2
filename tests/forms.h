/* What the tests of A*'s compact forms share: a search by either form, and how the two are held
 * against each other. */
#pragma once

#include "search/search.h"
#include "tests/support.h"
#include <inttypes.h>
#include <xxhash.h>

/* A compact form with what it is given; false if it decides nothing. */
typedef bool form(struct search *search, const void *given);

/* Runs one form of A* as solver_run would: NULL is the general one, which a depth limit out of
 * reach asks for. False if the compact form decided nothing. */
static inline bool run_form(const struct solver *solver, const struct task *task,
                            const struct limits *limits, form *compact, const void *given,
                            struct result *result)
{
    SCOPED_BY(heuristic_end) struct heuristic heuristic;
    struct solver general = *solver;
    struct report report = {0};
    bool decided = true;
    assert_true(solver_set(&general, "depth_limit", "1000000", FIRST_PLACE, &report));
    struct search search = {.task = task,
                            .options = general.options,
                            .heuristic = &heuristic,
                            .limits = *limits,
                            .statistics = {.iterations = 1}};
    if (search.limits.nodes == 0)
        search.limits.nodes = UINT64_MAX;
    assert_true(operators_make(task->start.shape, task->order, &search.operators));
    heuristic_start(&heuristic, &solver->heuristic, &task->goal);
    arena_start(&search.arena, limits->bytes);
    if (compact == NULL)
        solver->algorithm->run(&search);
    else
        decided = compact(&search, given);
    assert_int_equal(search.arena.used, 0);
    arena_end(&search.arena);
    search.statistics.peak_bytes = search.arena.peak;
    *result = (struct result){.status = search.status,
                              .moves = search.moves,
                              .length = search.length,
                              .statistics = search.statistics};
    return decided;
}

static inline void expect_equal(const struct task *task, const struct result *compact,
                                const struct result *general)
{
    bool same = compact->status == general->status && compact->length == general->length &&
                (compact->status != STATUS_solved || strcmp(compact->moves, general->moves) == 0);
    for (unsigned i = 0; i < COUNTERS; i++) {
        const uint64_t a = statistics_value(&compact->statistics, i);
        const uint64_t b = statistics_value(&general->statistics, i);
        /* Where memory ends a search, the forms differ in whether the E-node was counted as
         * expanded. */
        const bool differs = strcmp(counters[i].name, "peak_bytes") == 0 ||
                             (compact->status == STATUS_memory_limit &&
                              strcmp(counters[i].name, "open_at_end") == 0);
        if (!differs && a != b) {
            print_error("%s: %" PRIu64 ", not %" PRIu64 "\n", counters[i].name, a, b);
            same = false;
        }
    }
    if (!same)
        fail_msg("%s -> %s, order %s: %s %zu %s, not %s %zu %s", line_of(&task->start),
                 line_of(&task->goal), task->order, status_rows[compact->status].name,
                 compact->length, compact->moves == NULL ? "" : compact->moves,
                 status_rows[general->status].name, general->length,
                 general->moves == NULL ? "" : general->moves);
}

/* Holds the compact form against the general one. False if it decided nothing. */
static inline bool forms_agree(const struct solver *solver, const struct task *task,
                               const struct limits *limits, form *compact, const void *given)
{
    struct result general;
    SCOPED_BY(result_end) struct result result;
    const bool decided = run_form(solver, task, limits, compact, given, &result);
    if (decided) {
        run_form(solver, task, limits, NULL, NULL, &general);
        expect_equal(task, &result, &general);
        if (result.status == STATUS_solved)
            ASSERT_REACHES_GOAL(task, &result);
        result_end(&general);
    } else {
        assert_true(result.moves == NULL);
        assert_int_equal(result.statistics.generated, 0);
        assert_int_equal(result.statistics.expanded, 0);
    }
    return decided;
}

/* Runs the compact form until a budget is spent: it stays within it, and its counters say how far
 * it came: they are those of a search that was stopped there by a limit of nodes, which has begun
 * the next expansion. Returns max_stored. */
static inline uint64_t stored_within(const struct solver *solver, const struct task *task,
                                     uint64_t bytes, form *compact, const void *given)
{
    const struct limits limits = {.bytes = bytes, .nodes = 1000000};
    SCOPED_BY(result_end) struct result stopped;
    assert_true(run_form(solver, task, &limits, compact, given, &stopped));
    assert_int_equal(stopped.status, STATUS_memory_limit);
    assert_true(stopped.statistics.peak_bytes <= bytes);
    if (stopped.statistics.expanded > 0) {
        const struct limits nodes = {.bytes = UINT64_C(1) << 32,
                                     .nodes = stopped.statistics.generated};
        SCOPED_BY(result_end) struct result general;
        run_form(solver, task, &nodes, NULL, NULL, &general);
        assert_int_equal(general.status, STATUS_node_limit);
        general.status = STATUS_memory_limit;
        general.statistics.expanded--;
        expect_equal(task, &stopped, &general);
    }
    return stopped.statistics.max_stored;
}

/* Values made of the Manhattan distance m by a hash of the board: 0 or m; any of 0 .. 4 m, which is
 * not admissible; and 512 and m wherever the goal is not. */

static inline uint32_t hash_of(const struct board *board)
{
    return XXH32(board->cell, board->shape.cells, 1) >> 8;
}

static inline unsigned evaluate_patchy(const struct heuristic *heuristic, const struct board *board)
{
    return hash_of(board) % 2 == 0 ? 0 : manhattan_evaluate(heuristic, board);
}

static inline unsigned evaluate_boastful(const struct heuristic *heuristic,
                                         const struct board *board)
{
    return hash_of(board) % (4 * manhattan_evaluate(heuristic, board) + 1);
}

static inline unsigned evaluate_huge(const struct heuristic *heuristic, const struct board *board)
{
    const unsigned h = manhattan_evaluate(heuristic, board);
    return h == 0 ? 0 : 512 + h;
}

/* A board of each width that takes long. */
static inline struct task narrow_task(void)
{
    return (struct task){board_of("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"),
                         goal_of("blank-first", 4, 4), DEFAULT_ORDER};
}

static inline struct task wide_task(void)
{
    return (struct task){
        board_of("14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"),
        goal_of("blank-first", 5, 5), DEFAULT_ORDER};
}
