/* IDA* with the Manhattan distance on the 100 boards of Korf 1985: the generated nodes of each are
 * those of the set's column ida_generated_recomputed, to the last digit, and the length is the one
 * he gives. The 20 smallest; with TILELAB_LONG=1 all, some 36 billion nodes. */
#include "algorithms/solver.h"
#include "base/heap.h"
#include "instances/csv.h"
#include "puzzle/replay.h"
#include "tests/support.h"

enum { BOARDS = 100 };

/* Fewer where the build is slow (assertions are on in every such build). */
#ifdef NDEBUG
enum { SMALLEST = 20 };
#else
enum { SMALLEST = 6 };
#endif

struct row {
    char name[16];
    struct board start;
    size_t length;
    uint64_t generated;
};

static int by_generated(const void *a, const void *b)
{
    const struct row *first = a;
    const struct row *second = b;
    return (first->generated > second->generated) - (first->generated < second->generated);
}

static void read_rows(struct row rows[BOARDS])
{
    char *path = heap_format("%s/instances/sets/korf100.csv", getenv("TILELAB_SOURCE"));
    FILE *file = fopen(path, "r");
    struct report report;
    struct csv csv;
    size_t count = 0;
    report_start(&report, path);
    assert_non_null(file);
    assert_true(csv_start(&csv, file, CSV_COMMENTS, &report));
    const size_t id = csv_need(&csv, "id");
    const size_t start = csv_need(&csv, "start");
    const size_t length = csv_need(&csv, "optimal_length");
    const size_t generated = csv_need(&csv, "ida_generated_recomputed");
    assert_int_equal(report.count, 0);
    for (; csv_next(&csv); count++) {
        assert_in_range(count, 0, BOARDS - 1);
        snprintf(rows[count].name, sizeof rows->name, "%s", csv.fields[id].text);
        rows[count].start = board_of(csv.fields[start].text);
        rows[count].length = strtoul(csv.fields[length].text, NULL, 10);
        rows[count].generated = strtoull(csv.fields[generated].text, NULL, 10);
    }
    assert_int_equal(count, BOARDS);
    csv_end(&csv);
    fclose(file);
    free(path);
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
        struct result result = result_of(&solver, &task, &limits, NULL);
        assert_int_equal(result.status, STATUS_solved);
        assert_int_equal(replay_path(&task.start, &task.goal, result.moves, result.length).outcome,
                         REPLAY_REACHES_GOAL);
        if (result.length != rows[i].length || result.statistics.generated != rows[i].generated)
            fail_msg("board %s: %zu moves, %ju generated, not %zu, %ju", rows[i].name,
                     result.length, (uintmax_t)result.statistics.generated, rows[i].length,
                     (uintmax_t)rows[i].generated);
        generated += result.statistics.generated;
        seconds += result.cpu_seconds;
        result_end(&result);
    }
    printf("%zu boards, %ju generated nodes, %.2f s\n", boards, (uintmax_t)generated, seconds);
    if (boards == BOARDS)
        assert_true(generated == UINT64_C(36302808031));
}
