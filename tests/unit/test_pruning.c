/* Pruned moves (idastar/pruning.h): of the sequences from a cell one is left for each board, and it
 * is one of the shortest. So as many of n moves are left as there are boards at distance n. What is
 * longer than sequences that are pruned, property.idastar compares with their definition. */
#include "idastar/pruning.h"
#include "puzzle/distance.h"
#include "search/search.h"
#include "tests/support.h"

static struct pruning make(struct arena *arena, struct shape shape, const char *order,
                           unsigned length)
{
    struct pruning pruning;
    struct operators operators;
    arena_start(arena, 1 << 26);
    assert_true(operators_make(shape, order, &operators));
    assert_true(pruning_make(&pruning, arena, shape, &operators, length));
    return pruning;
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
                if (pruning->next[context][move] != PRUNED)
                    longer[pruning->next[context][move]] += ways[context];
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
        struct shape shape;
        struct arena arena;
        uint64_t counts[MAX_PRUNING + 1];
        assert_true(shape_parse(sizes[i], &shape));
        const struct pruning pruning = make(&arena, shape, i == 0 ? "ULRD" : "RDUL", MAX_PRUNING);
        for (unsigned cell = 0; cell < shape.cells; cell++) {
            struct board goal = {.shape = shape, .blank = (uint8_t)cell};
            struct distances distances;
            for (unsigned j = 0, tile = 1; j < shape.cells; j++)
                goal.cell[j] = j == cell ? 0 : (uint8_t)tile++;
            assert_true(distances_make(&goal, &distances));
            count_sequences(&pruning, cell, MAX_PRUNING, counts);
            for (unsigned n = 0; n <= MAX_PRUNING; n++)
                assert_int_equal(counts[n], distances.states[n]);
            distances_end(&distances);
        }
        arena_end(&arena);
    }
}

/* From the corner: Korf and Schultze, "Large-scale parallel breadth-first search", AAAI 2005, count
 * the boards of the 15-puzzle at each distance. With shorter sequences fewer are pruned, but none
 * of those up to their length. */
TEST(boards_of_the_15_puzzle)
{
    static const uint64_t boards[] = {1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808};
    for (unsigned length = 2; length <= MAX_PRUNING; length += 5) {
        struct arena arena;
        uint64_t counts[MAX_PRUNING + 1];
        const struct pruning pruning = make(&arena, (struct shape){4, 4, 16}, "ULRD", length);
        count_sequences(&pruning, 0, MAX_PRUNING, counts);
        for (unsigned n = 0; n <= MAX_PRUNING; n++)
            assert_true(n <= length ? counts[n] == boards[n] : counts[n] >= boards[n]);
        arena_end(&arena);
    }
}

/* What the counters in batches read says the same. */
TEST(followers_are_the_next_contexts)
{
    struct arena arena;
    struct operators operators;
    const struct shape shape = {5, 3, 15};
    const struct pruning pruning = make(&arena, shape, "ULRD", 8);
    assert_true(operators_make(shape, "ULRD", &operators));
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned context = pruning.next[cell][move];
            assert_int_equal(context == PRUNED, operators.target[cell][move] == NO_CELL);
            if (context == PRUNED)
                continue;
            assert_int_equal(pruning.followers[context].undo, move_undo(move));
            const unsigned root = root_context(&pruning, cell, move);
            assert_int_equal(pruning.followers[root].undo, move);
            assert_int_equal(pruning.next[root][move], PRUNED);
            for (unsigned other = 0; other < MOVES; other++)
                if (other != move)
                    assert_int_equal(pruning.next[root][other], pruning.next[cell][other]);
        }
    for (unsigned context = shape.cells; context < pruning.count; context++) {
        const struct followers *followers = &pruning.followers[context];
        unsigned number = 0;
        for (unsigned move = 0; move < MOVES; move++)
            number += pruning.next[context][move] != PRUNED;
        assert_int_equal(followers->number, number);
        assert_int_equal(pruning.next[context][followers->undo], PRUNED);
        for (unsigned i = 0; i < number; i++) {
            const struct follower follower = followers->slide[i];
            assert_int_equal(pruning.next[context][follower.slide % MOVES], follower.context);
            if (context < pruning.roots)
                assert_int_not_equal(operators.target[follower.slide / MOVES][followers->undo],
                                     NO_CELL);
        }
    }
    arena_end(&arena);
}

/* Of a board that would need more contexts, some of the longest sequences are not pruned. */
TEST(contexts_are_as_many_as_there_are_numbers)
{
    struct arena arena;
    uint64_t counts[MAX_PRUNING + 1], all[MAX_PRUNING + 1];
    const struct shape shape = {6, 6, 36};
    const struct pruning most = make(&arena, shape, "ULRD", 12);
    assert_in_range(most.count, MAX_CONTEXTS - 12, MAX_CONTEXTS);
    count_sequences(&most, 0, 12, counts);
    arena_end(&arena);
    const struct pruning fewer = make(&arena, shape, "ULRD", 9);
    assert_true(fewer.count < most.count);
    count_sequences(&fewer, 0, 12, all);
    assert_memory_equal(counts, all, 10 * sizeof *all);
    assert_true(counts[12] < all[12]);
    arena_end(&arena);
}

TEST(a_budget_that_is_spent)
{
    struct operators operators;
    const struct shape shape = {3, 3, 9};
    assert_true(operators_make(shape, "ULRD", &operators));
    bool made = false;
    for (uint64_t budget = 0; !made; budget += 1 << 10) {
        struct arena arena;
        struct pruning pruning;
        arena_start(&arena, budget);
        made = pruning_make(&pruning, &arena, shape, &operators, 8);
        assert_true(arena.peak <= budget);
        if (made)
            assert_int_equal(arena.used,
                             pruning.count * (sizeof *pruning.next + sizeof *pruning.followers));
        arena_end(&arena);
        assert_true(budget < 1 << 20);
    }
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
                const struct solver solver = solver_of(pairs[i][j]);
                result[j] = result_of(&solver, &task, &limits, NULL);
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
