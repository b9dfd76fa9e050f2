/* IDA* with the Manhattan distance on the 100 boards of Korf 1985: the generated nodes of each are
 * those of the set's column ida_generated_recomputed, to the last digit, and the length is the one
 * he gives. The 20 smallest; with TILELAB_LONG=1 all, some 36 billion nodes.
 *
 * And what follows from such rounds: bts counts as IDA* does where moves cost 1, and makes far
 * fewer nodes where they do not; all shortest solutions are as many as in the column
 * shortest_solutions.
 */
#include "base/file.h"
#include "instances/csv.h"
#include "tests/support.h"

enum { BOARDS = 100 };

/* Fewer where the build is slow (assertions are on in every such build). */
#ifdef NDEBUG
enum { SMALLEST = 20, SMALLEST_WALKED = 8 };
#else
enum { SMALLEST = 6, SMALLEST_WALKED = 2 };
#endif

struct row {
    char name[16];
    struct board start;
    size_t length;
    uint64_t generated;
    uint64_t solutions; /* shortest ones; 0: not known */
};

static int by_generated(const void *a, const void *b)
{
    const struct row *first = a;
    const struct row *second = b;
    return (first->generated > second->generated) - (first->generated < second->generated);
}

static void read_rows(struct row rows[BOARDS])
{
    SCOPED char *path = heap_format("%s/instances/sets/korf100.csv", getenv("TILELAB_SOURCE"));
    SCOPED_BY(stream_end) FILE *file = fopen(path, "r");
    struct report report = {.file = path};
    SCOPED_BY(csv_end) struct csv csv;
    size_t count = 0;
    assert_non_null(file);
    assert_true(csv_start(&csv, file, CSV_COMMENTS, &report));
    const size_t id = csv_need(&csv, "id");
    const size_t start = csv_need(&csv, "start");
    const size_t length = csv_need(&csv, "optimal_length");
    const size_t generated = csv_need(&csv, "ida_generated_recomputed");
    const size_t solutions = csv_need(&csv, "shortest_solutions");
    assert_int_equal(report.count, 0);
    for (; csv_next(&csv); count++) {
        assert_in_range(count, 0, BOARDS - 1);
        snprintf(rows[count].name, sizeof rows->name, "%s", csv.fields[id].text);
        rows[count].start = board_of(csv.fields[start].text);
        rows[count].length = strtoul(csv.fields[length].text, NULL, 10);
        rows[count].generated = strtoull(csv.fields[generated].text, NULL, 10);
        rows[count].solutions = strtoull(csv.fields[solutions].text, NULL, 10);
    }
    assert_int_equal(count, BOARDS);
}

TEST(test_korfs_counts)
{
    const struct limits limits = {.bytes = 1 << 20};
    const struct solver solver = solver_of("idastar(manhattan)");
    const size_t boards = is_long() ? BOARDS : SMALLEST;
    struct row rows[BOARDS];
    uint64_t generated = 0;
    double seconds = 0;
    read_rows(rows);
    qsort(rows, BOARDS, sizeof *rows, by_generated);
    for (size_t i = 0; i < boards; i++) {
        struct task task = {rows[i].start, goal_of("blank-first", 4, 4), "ULRD"};
        SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
        assert_int_equal(result.status, STATUS_solved);
        ASSERT_REACHES_GOAL(&task, &result);
        if (result.length != rows[i].length || result.statistics.generated != rows[i].generated)
            fail_msg("board %s: %zu moves, %ju generated, not %zu, %ju", rows[i].name,
                     result.length, (uintmax_t)result.statistics.generated, rows[i].length,
                     (uintmax_t)rows[i].generated);
        generated += result.statistics.generated;
        seconds += result.cpu_seconds;
    }
    printf("%zu boards, %ju generated nodes, %.2f s\n", boards, (uintmax_t)generated, seconds);
    if (boards == BOARDS)
        assert_true(generated == UINT64_C(36302808031));
}

/* The counters of bts are those of IDA*, as each round here grows more than c1 times. In the long
 * tests the boards of up to half a billion nodes. */
TEST(bts_does_what_idastar_does_with_unit_costs)
{
    const struct limits limits = {.bytes = 1 << 20};
    const struct solver bts = solver_of("bts(manhattan)");
    const struct solver idastar = solver_of("idastar(manhattan)");
    struct row rows[BOARDS];
    read_rows(rows);
    qsort(rows, BOARDS, sizeof *rows, by_generated);
    for (size_t i = 0; i < (is_long() ? BOARDS : SMALLEST_WALKED); i++) {
        struct task task = {rows[i].start, goal_of("blank-first", 4, 4), "ULRD"};
        if (rows[i].generated > 500000000)
            break;
        SCOPED_BY(result_end) struct result result = result_of(&bts, &task, &limits, NULL);
        SCOPED_BY(result_end) struct result same = result_of(&idastar, &task, &limits, NULL);
        assert_string_equal(result.moves, same.moves);
        assert_int_equal(result.statistics.generated, rows[i].generated);
        assert_int_equal(result.statistics.expanded, same.statistics.expanded);
        assert_int_equal(result.statistics.iterations, same.statistics.iterations);
    }
}

TEST(bts_makes_far_fewer_nodes_with_fractional_costs)
{
    const struct solver bts = solver_of("bts(manhattan)");
    const struct solver idastar = solver_of("idastar(manhattan)");
    const struct task task = {board_of("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15"), /* Korf's 12 */
                              goal_of("blank-first", 4, 4), "ULRD"};
    const struct move_costs costs = costs_make(COST_fractional, task.start.shape);
    struct limits limits = {.bytes = 1 << 20};
    struct result result, much;
    uint64_t cost;
    solver_run_priced(&bts, &task, &costs, &limits, NULL, &result);
    assert_int_equal(result.status, STATUS_solved);
    const struct replay replay = replay_path(&task.start, &task.goal, result.moves, result.length);
    assert_true(replay_cost(&replay, &costs, &cost));
    assert_int_equal((uint64_t)((double)cost / (double)costs.scale * 1e6 + 0.5), 52315340);
    limits.nodes = (is_long() ? 50 : 10) * result.statistics.generated;
    solver_run_priced(&idastar, &task, &costs, &limits, NULL, &much);
    assert_int_equal(much.status, STATUS_node_limit);
    result_end(&result);
    result_end(&much);
}

/* In the long tests half of the boards, the smaller ones. */
TEST(all_shortest_solutions_are_as_many_as_published)
{
    const struct limits limits = {.bytes = 1 << 20};
    const struct solver solver = solver_of("idastar(manhattan, solutions=all)");
    struct row rows[BOARDS];
    size_t counted = 0;
    read_rows(rows);
    qsort(rows, BOARDS, sizeof *rows, by_generated);
    for (size_t i = 0; i < (is_long() ? BOARDS / 2 : SMALLEST_WALKED); i++) {
        struct task task = {rows[i].start, goal_of("blank-first", 4, 4), "ULRD"};
        if (rows[i].solutions == 0)
            continue;
        SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
        assert_int_equal(result.status, STATUS_solved);
        assert_int_equal(result.length, rows[i].length);
        if (result.solutions != rows[i].solutions)
            fail_msg("board %s: %ju solutions, published %ju", rows[i].name,
                     (uintmax_t)result.solutions, (uintmax_t)rows[i].solutions);
        counted++;
    }
    assert_true(counted > 0);
}
