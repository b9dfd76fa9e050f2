/* Predictions against what they predict: trees that are walked, boards that are enumerated, graphs
 * whose edges are listed. */
#include "harness/prediction/cover.h"
#include "harness/prediction/estimators.h"
#include "harness/prediction/path_tree.h"
#include "puzzle/moves.h"
#include "tests/support.h"
#include <math.h>

/* ---- Trees ---- */

TEST(levels_of_a_corner)
{
    SCOPED_BY(path_tree_end) struct path_tree tree;
    /* From a corner of 3x3 the blank has 2 ways, then 2 each (on, or to the centre), and so on. */
    path_tree_make(goal_at(3, 3, 8).shape, 5, &tree);
    assert_true(tree.nodes[0] == 1 && tree.nodes[1] == 1 + 2);
    assert_true(tree.nodes[2] == 1 + 2 + 4);
    assert_true(tree.nodes[3] == 1 + 2 + 4 + 2 * (1 + 3));
}

TEST(branching_factors_are_the_published_ones)
{
    /* Edelkamp and Korf 1998, table 1: 1.732, 2.130 and 2.368 for 3x3, 4x4 and 5x5 */
    assert_true(fabs(path_tree_branching_factor(goal_at(3, 3, 0).shape) - sqrt(3)) < 1e-9);
    assert_true(fabs(path_tree_branching_factor(goal_at(4, 4, 0).shape) - 2.130) < 5e-4);
    assert_true(fabs(path_tree_branching_factor(goal_at(5, 5, 0).shape) - 2.368) < 5e-4);
}

/* ---- Nodes: an identity over a population ---- */

struct below {
    const struct path_tree *tree;
    unsigned threshold;
};

static double nodes_below(const void *context, unsigned blank, unsigned h)
{
    const struct below *below = context;
    const struct path_tree *tree = below->tree;
    return h > below->threshold ? 0
                                : tree->nodes[(size_t)blank * tree->levels + below->threshold - h];
}

static double mean_below(const void *context, UNUSED unsigned blank, unsigned h)
{
    const struct below *below = context;
    return h > below->threshold ? 0 : below->tree->mean[below->threshold - h];
}

/* Returns by how much the sum that is not split by the blank's cell is off, at the most. */
static double check_identity(const char *name, const struct board *goal, unsigned last)
{
    SCOPED_BY(heuristic_end) struct heuristic heuristic = started(name, goal);
    SCOPED_BY(population_end) struct population population;
    SCOPED_BY(path_tree_end) struct path_tree tree;
    SCOPED uint64_t *nodes = heap_take(last + 1, sizeof *nodes);
    double off = 0;
    struct ranking ranking = ranking_of(goal);
    population_start(&population, NULL, true);
    path_tree_make(goal->shape, last + 1, &tree);
    for (uint32_t rank = 0; rank < ranking.size; rank++) {
        struct board board = board_ranked(&ranking, rank);
        population_add(&population, &board, heuristic.kind->evaluate(&heuristic, &board), true);
        assert_true(path_tree_walk(&heuristic, &board, last + 1, UINT64_MAX, nodes));
    }
    for (unsigned t = 0; t <= last; t++) {
        const struct below below = {&tree, t};
        const double measured = (double)nodes[t] / ranking.size;
        const struct estimate expected = population_mean(&population, nodes_below, &below);
        assert_true(fabs(expected.mean - measured) <= 1e-12 * measured);
        assert_true(expected.error == 0);
        const double unsplit = population_mean(&population, mean_below, &below).mean;
        off = fmax(off, measured == 0 ? 0 : fabs(unsplit - measured) / measured);
    }
    return off;
}

TEST(expected_nodes_are_the_mean_of_all_boards)
{
    static const char *const names[] = {"manhattan", "misplaced", "linear_conflict", "zero"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        for (unsigned blank = 0; blank < 6; blank += 4) {
            const struct board goal = goal_at(2, 3, blank);
            check_identity(names[i], &goal, strcmp(names[i], "zero") == 0 ? 12 : 21);
        }
    const struct board corner = goal_at(3, 3, 8), middle = goal_at(3, 3, 4);
    const double off = check_identity("manhattan", &corner, is_long() ? 31 : 17);
    assert_true(off > 0.02); /* not split by cell, it is no identity */
    check_identity("manhattan", &middle, is_long() ? 25 : 15);
    check_identity("walking_distance", &corner, 15);
}

/* A walk counts what idastar counts in a whole round: h lower than its parent's minus 1 hides
 * nodes, as the parent is dropped. */
TEST(a_walk_drops_what_lies_below_a_dropped_node)
{
    const struct board goal = goal_at(3, 3, 8);
    SCOPED_BY(heuristic_end) struct heuristic heuristic = started("inversion", &goal);
    struct board board = goal;
    uint64_t nodes[8] = {0}, few[8] = {0};
    board_slide(&board, 7);
    assert_int_equal(heuristic.kind->evaluate(&heuristic, &board), 1);
    assert_true(path_tree_walk(&heuristic, &board, 8, UINT64_MAX, nodes));
    assert_int_equal(nodes[0], 0);
    assert_true(nodes[1] >= 2); /* the board and the goal */
    for (unsigned t = 1; t < 8; t++)
        assert_true(nodes[t] >= nodes[t - 1]);
    assert_false(path_tree_walk(&heuristic, &board, 8, nodes[7] - 1, few));
}

/* ---- Boards near the goal ---- */

static double product_mean(const struct board *goal, double base)
{
    SCOPED_BY(heuristic_end) struct heuristic heuristic = started("manhattan", goal);
    double sum = 0;
    struct ranking ranking = ranking_of(goal);
    for (uint32_t rank = 0; rank < ranking.size; rank++) {
        struct board board = board_ranked(&ranking, rank);
        sum += pow(base, -(double)heuristic.kind->evaluate(&heuristic, &board));
    }
    return sum / ranking.size;
}

TEST(the_permanent_is_the_sum_over_all_boards)
{
    const struct board goals[] = {goal_at(2, 2, 3), goal_at(3, 2, 1), goal_at(2, 4, 5),
                                  goal_at(3, 3, 8), goal_at(3, 3, 4)};
    for (unsigned i = 0; i < sizeof goals / sizeof *goals; i++) {
        SCOPED_BY(tilted_end) struct tilted tilted;
        tilted_make(&goals[i], 1.7, &tilted);
        const double mean = product_mean(&goals[i], 1.7);
        assert_true(fabs(tilted_mean(&tilted) - mean) < 1e-12 * mean);
    }
}

static double power_of(const void *context, UNUSED unsigned blank, unsigned h)
{
    return pow(*(const double *)context, -(double)h);
}

/* Means over all boards, and what a tilted sample says of them. */
TEST(a_tilted_sample_is_right_within_its_error)
{
    static const char *const names[] = {"manhattan", "linear_conflict", "misplaced"};
    const double base = sqrt(3);
    const struct board goal = goal_at(3, 3, 8);
    SCOPED_BY(tilted_end) struct tilted tilted;
    gsl_rng *generator = any_generator();
    struct ranking ranking = ranking_of(&goal);
    tilted_make(&goal, base, &tilted);
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
        SCOPED_BY(heuristic_end) struct heuristic heuristic = started(names[n], &goal);
        struct population all, sample;
        population_start(&all, NULL, true);
        population_start(&sample, &tilted, false);
        struct board board;
        for (uint32_t rank = 0; rank < ranking.size; rank++) {
            ranking_unrank(&ranking, rank, &board);
            population_add(&all, &board, heuristic.kind->evaluate(&heuristic, &board), true);
        }
        random_stream(generator, 5, 0, 0, n);
        for (unsigned i = 0; i < 40000; i++) {
            const bool solvable = tilted_draw(&tilted, generator, &board);
            population_add(&sample, &board,
                           solvable ? heuristic.kind->evaluate(&heuristic, &board) : 0, solvable);
        }
        const struct estimate exact = population_mean(&all, power_of, &base);
        const struct estimate ours = population_mean(&sample, power_of, &base);
        assert_true(fabs(ours.mean - exact.mean) < 4 * ours.error);
        assert_true(ours.error > 0 && ours.error < 0.05 * ours.mean);
        population_end(&all);
        population_end(&sample);
    }
}

/* ---- One board ---- */

TEST(probes_are_right_within_their_error)
{
    static const unsigned starts[] = {1000, 77777, 181000};
    const struct board goal = goal_at(3, 3, 8);
    SCOPED_BY(heuristic_end) struct heuristic heuristic = started("manhattan", &goal);
    gsl_rng *generator = any_generator();
    struct ranking ranking = ranking_of(&goal);
    for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct board board = board_ranked(&ranking, starts[i]);
        const unsigned t = heuristic.kind->evaluate(&heuristic, &board) + 6;
        uint64_t nodes[64] = {0};
        assert_true(path_tree_walk(&heuristic, &board, t + 1, UINT64_MAX, nodes));
        random_stream(generator, 1, 0, 0, i);
        const struct estimate knuth = knuth_estimate(&heuristic, &board, t, 20000, generator);
        const struct estimate chen = chen_estimate(&heuristic, &board, t, 2000, generator);
        assert_true(fabs(knuth.mean - (double)nodes[t]) < 4 * knuth.error);
        assert_true(fabs(chen.mean - (double)nodes[t]) <= 4 * chen.error);
        assert_true(chen.error < knuth.error);
        assert_true(knuth_estimate(&heuristic, &board, t - 7, 2, generator).mean == 0);
    }
}

/* With one value of h, the distributions have nothing to guess: every level is counted. */
TEST(conditional_distributions_of_zero_count_the_tree)
{
    const struct board goal = goal_at(3, 3, 8);
    SCOPED_BY(heuristic_end) struct heuristic heuristic = started("zero", &goal);
    SCOPED_BY(conditional_end) struct conditional conditional;
    SCOPED_BY(path_tree_end) struct path_tree tree;
    struct ranking ranking = ranking_of(&goal);
    conditional_start(&conditional, goal.shape, 2);
    for (uint32_t rank = 0; rank < ranking.size; rank += 100) {
        struct board board = board_ranked(&ranking, rank);
        conditional_add(&conditional, &heuristic, &board, 1);
    }
    path_tree_make(goal.shape, 20, &tree);
    for (unsigned blank = 0; blank < 9; blank++)
        for (unsigned t = 0; t < 20; t++) {
            const double exact = tree.nodes[(size_t)blank * tree.levels + t];
            assert_true(fabs(conditional_estimate(&conditional, blank, 0, t) / exact - 1) < 1e-9);
        }
}

/* ---- Covers ---- */

enum { STATES = 360 };

/* Lists all edges between states forward and backward, by definition, and finds the size of a
 * largest matching, which is that of a smallest cover (Koenig). */
struct graph {
    bool edge[STATES][STATES];
    bool tried[STATES];
    int partner[STATES]; /* of a state backward; -1: none */
};

static bool augment(struct graph *graph, unsigned u)
{
    for (unsigned v = 0; v < STATES; v++) {
        if (!graph->edge[u][v] || graph->tried[v])
            continue;
        graph->tried[v] = true;
        if (graph->partner[v] < 0 || augment(graph, (unsigned)graph->partner[v])) {
            graph->partner[v] = (int)u;
            return true;
        }
    }
    return false;
}

static unsigned largest_matching(struct graph *graph)
{
    unsigned size = 0;
    for (unsigned v = 0; v < STATES; v++)
        graph->partner[v] = -1;
    for (unsigned u = 0; u < STATES; u++) {
        memset(graph->tried, 0, sizeof graph->tried);
        size += augment(graph, u);
    }
    return size;
}

static void check_covers(const char *name, const struct board *goal, unsigned step)
{
    struct distances to_start;
    SCOPED_BY(heuristic_end) struct heuristic forward = started(name, goal);
    SCOPED_BY(covers_end) struct covers covers;
    SCOPED struct graph *graph = heap_take(1, sizeof *graph);
    SCOPED_BY(distances_end) struct distances to_goal = distances_to(goal);
    assert_int_equal(to_goal.ranking.size, STATES);
    covers_start(&covers, &to_goal, &forward.choice);
    for (uint32_t rank = 0; rank < STATES; rank += step) {
        struct board board;
        struct board start = board_ranked(&to_goal.ranking, rank);
        assert_true(distances_make(&start, &to_start));
        SCOPED_BY(heuristic_end) struct heuristic backward = started(name, &start);
        const struct cover cover = cover_of(&covers, &start);
        const unsigned best = to_goal.depth[rank];
        unsigned g[2][STATES], f[2][STATES];
        uint64_t must[2] = {0, 0};
        for (uint32_t i = 0; i < STATES; i++) {
            ranking_unrank(&to_goal.ranking, i, &board);
            g[0][i] = (unsigned)distances_of(&to_start, &board);
            g[1][i] = to_goal.depth[i];
            f[0][i] = g[0][i] + forward.kind->evaluate(&forward, &board);
            f[1][i] = g[1][i] + backward.kind->evaluate(&backward, &board);
            must[0] += f[0][i] < best;
            must[1] += f[1][i] < best;
        }
        assert_int_equal(cover.optimal, best);
        assert_int_equal(cover.forward, must[0]);
        assert_int_equal(cover.backward, must[1]);
        for (unsigned e = 0; e < COVER_EDGES; e++) {
            for (unsigned u = 0; u < STATES; u++)
                for (unsigned v = 0; v < STATES; v++)
                    graph->edge[u][v] =
                        f[0][u] < best && f[1][v] < best && g[0][u] + g[1][v] + e < best;
            assert_int_equal(cover.size[e], largest_matching(graph));
        }
        distances_end(&to_start);
    }
}

TEST(a_cover_is_as_large_as_a_largest_matching)
{
    const unsigned step = is_long() ? 1 : 5;
    const struct board corner = goal_at(2, 3, 5), edge = goal_at(3, 2, 1);
    check_covers("manhattan", &corner, step);
    check_covers("misplaced", &edge, step);
    check_covers("zero", &corner, 4 * step);
    check_covers("linear_conflict", &edge, step);
}
