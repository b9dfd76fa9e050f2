/* Pruned moves (idastar/pruning.h): of the sequences from a cell one is left for each board, and it
 * is one of the shortest. So as many of n moves are left as there are boards at distance n. What is
 * longer than sequences that are pruned, property.idastar compares with their definition. */
#include "search/search.h"
#include "tests/support.h"

/* Makes the automaton in search->arena, which has so many bytes. False when they are spent. */
static bool make(struct search *search, struct task *task, struct pruning *pruning, unsigned length,
                 uint64_t bytes)
{
    *search = (struct search){.task = task};
    arena_start(&search->arena, bytes);
    assert_true(operators_make(task->start.shape, task->order, &search->operators));
    return pruning_make(pruning, search, length);
}

/* Counts the sequences of 0 .. `length` moves that begin with the blank on a cell. */
static void count_sequences(const struct pruning *pruning, unsigned cell, unsigned length,
                            uint64_t counts[])
{
    uint64_t *ways = calloc(pruning->count, sizeof *ways); /* to each context */
    ways[cell] = 1;
    for (unsigned n = 0; n <= length; n++) {
        uint64_t *longer = calloc(pruning->count, sizeof *longer);
        counts[n] = 0;
        for (unsigned context = 0; context < pruning->count; context++) {
            counts[n] += ways[context];
            for (unsigned move = 0; move < MOVES; move++)
                if (context_after(pruning, context, move) != PRUNED)
                    longer[context_after(pruning, context, move)] += ways[context];
        }
        free(ways);
        ways = longer;
    }
    free(ways);
}

TEST(one_sequence_is_left_for_each_board)
{
    static const char *const sizes[] = {"3x3", "2x5", "4x2"};
    for (unsigned i = 0; i < 3; i++) {
        struct task task = {.order = i == 0 ? "ULRD" : "RDUL"};
        struct search search;
        struct pruning pruning;
        uint64_t counts[MAX_PRUNING + 1];
        assert_true(shape_parse(sizes[i], &task.start.shape));
        const struct shape shape = task.start.shape;
        assert_true(make(&search, &task, &pruning, MAX_PRUNING, 1 << 26));
        for (unsigned cell = 0; cell < shape.cells; cell++) {
            struct board goal = {.shape = shape, .blank = (uint8_t)cell};
            SCOPED_BY(distances_end) struct distances distances;
            for (unsigned j = 0, tile = 1; j < shape.cells; j++)
                goal.cell[j] = j == cell ? 0 : (uint8_t)tile++;
            assert_true(distances_make(&goal, &distances));
            count_sequences(&pruning, cell, MAX_PRUNING, counts);
            for (unsigned n = 0; n <= MAX_PRUNING; n++)
                assert_int_equal(counts[n], distances.states[n]);
        }
        arena_end(&search.arena);
    }
}

/* From the corner: Korf and Schultze, "Large-scale parallel breadth-first search", AAAI 2005, count
 * the boards of the 15-puzzle at each distance. With shorter sequences fewer are pruned, but none
 * of those up to their length. */
TEST(boards_of_the_15_puzzle)
{
    static const uint64_t boards[] = {1,   2,    4,    10,   24,    54,    107,   212,   446,
                                      946, 1948, 3938, 7808, 15544, 30821, 60842, 119000};
    for (unsigned length = 2; length <= MAX_PRUNING; length += 7) {
        struct task task = {.start.shape = {4, 4, 16}, .order = "ULRD"};
        struct search search;
        struct pruning pruning;
        uint64_t counts[MAX_PRUNING + 1];
        assert_true(make(&search, &task, &pruning, length, 1 << 26));
        count_sequences(&pruning, 0, MAX_PRUNING, counts);
        for (unsigned n = 0; n <= MAX_PRUNING; n++)
            assert_true(n <= length ? counts[n] == boards[n] : counts[n] >= boards[n]);
        arena_end(&search.arena);
    }
}

/* What a link says of its context. */
TEST(links_say_what_is_left)
{
    struct search search;
    struct pruning pruning;
    struct task task = {.start.shape = {5, 3, 15}, .order = "ULRD"};
    assert_true(make(&search, &task, &pruning, 8, 1 << 20));
    const unsigned cells = task.start.shape.cells;
    for (unsigned cell = 0; cell < cells; cell++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned context = context_after(&pruning, cell, move);
            assert_int_equal(context == PRUNED, search.operators.target[cell][move] == NO_CELL);
            if (context == PRUNED)
                continue;
            assert_int_equal(context_after(&pruning, context, move_undo(move)), PRUNED);
            const unsigned root = root_context(&pruning, cell, move);
            assert_int_equal(context_after(&pruning, root, move), PRUNED);
            for (unsigned other = 0; other < MOVES; other++)
                if (other != move)
                    assert_int_equal(pruning.next[root][other], pruning.next[cell][other]);
        }
    for (unsigned context = 0; context < pruning.count; context++)
        for (unsigned move = 0; move < MOVES; move++) {
            const uint32_t link = pruning.next[context][move];
            const unsigned blank = link >> MOVES & ((1U << (LEFT_BITS - MOVES)) - 1);
            unsigned left = 0;
            if (link >> LEFT_BITS == PRUNED)
                continue;
            assert_true(blank < cells);
            for (unsigned next = 0; next < MOVES; next++) {
                const bool dropped = context_after(&pruning, link >> LEFT_BITS, next) == PRUNED;
                left += !dropped;
                assert_int_equal(link >> next & 1, !dropped);
                assert_true(dropped || search.operators.target[blank][next] != NO_CELL);
            }
            assert_int_equal(moves_left(link), left);
            assert_int_equal(pruning_link(&pruning, link >> LEFT_BITS, blank), link);
        }
    arena_end(&search.arena);
}

TEST(a_budget_that_is_spent)
{
    struct task task = {.start.shape = {3, 3, 9}, .order = "ULRD"};
    bool made = false;
    for (uint64_t budget = 0; !made; budget += 1 << 10) {
        struct search search;
        struct pruning pruning;
        made = make(&search, &task, &pruning, 8, budget);
        assert_true(search.arena.peak <= budget);
        assert_int_equal(search.status, made ? 0 : STATUS_memory_limit);
        if (made)
            assert_int_equal(search.arena.used, pruning.count * sizeof *pruning.next);
        arena_end(&search.arena);
        assert_true(budget < 1 << 20);
    }
}

/* Making the automaton takes seconds on large boards: a search ends there, too. */
TEST(a_search_is_interrupted)
{
    const volatile sig_atomic_t interrupted = 1;
    struct task task = {.start.shape = {5, 5, 25}, .order = "ULRD"};
    struct search search = {.task = &task, .limits.interrupted = &interrupted};
    struct pruning pruning;
    arena_start(&search.arena, 1 << 26);
    assert_true(operators_make(task.start.shape, task.order, &search.operators));
    assert_false(pruning_make(&pruning, &search, 12));
    assert_int_equal(search.status, STATUS_interrupted);
    arena_end(&search.arena);
}

/* On boards from all over the 8-puzzle: the same solution, with at most as many nodes. */
TEST(searches_find_the_same_solution)
{
    enum { PAIRS = 4 };
    static const char *const pairs[PAIRS][2] = {
        {"idastar(manhattan)", "idastar(manhattan, prune=12)"},
        {"idastar(manhattan)", "idastar(manhattan, prune=8, table=4000)"},
        {"idastar(manhattan, step=cr)", "idastar(manhattan, prune=8, step=cr)"},
        {"idastar(misplaced)", "idastar(misplaced, prune=9)"},
    };
    const struct limits limits = {.bytes = 1 << 24};
    const struct board goal = goal_of("blank-first", 3, 3);
    struct ranking ranking;
    uint64_t expanded[PAIRS][2] = {{0}};
    assert_true(ranking_make(&goal, &ranking));
    for (uint32_t rank = 7; rank < ranking.size; rank += 5003) {
        struct task task = {.goal = goal, .order = "ULRD"};
        ranking_unrank(&ranking, rank, &task.start);
        for (unsigned i = 0; i < PAIRS; i++) {
            struct result result[2];
            for (unsigned j = 0; j < 2; j++) {
                result[j] = result_by(pairs[i][j], &task, &limits, NULL);
                assert_int_equal(result[j].status, STATUS_solved);
                expanded[i][j] += result[j].statistics.expanded;
            }
            assert_int_equal(result[1].length, result[0].length);
            if (strstr(pairs[i][1], "step=cr") == NULL) { /* limits depend on the nodes */
                assert_string_equal(result[1].moves, result[0].moves);
                assert_true(result[1].statistics.expanded <= result[0].statistics.expanded);
            }
            result_end(&result[0]);
            result_end(&result[1]);
        }
    }
    for (unsigned i = 0; i < PAIRS; i++)
        assert_true(expanded[i][1] < expanded[i][0] * 9 / 10);
}
