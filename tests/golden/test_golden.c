/* Every row of the tables on a few boards of every packing: all counters are compared with a
 * committed table, cell by cell.
 *
 * The solvers are those listed below and, of the rows of algorithms.def and heuristics.def that the
 * list does not name, NAME or NAME(manhattan), and astar(NAME). The table is golden.csv beside this
 * file. It is written anew, when a row is added or a change of a search is meant to change
 * counters, by TILELAB_GOLDEN_WRITE=1 ctest --preset release -R golden.golden and the commit says
 * what changed there and why. Counters are the same for every compiler, build and machine. */
#include "harness/judge/verdict.h"
#include "tests/folder.h"
#include "tests/support.h"
#include <inttypes.h>

static const struct {
    const char *size;
    const char *start;
    const char *goal;
} boards[] = {
    {"3x3", "1 2 3 5 6 0 7 8 4", "1 2 3 5 8 6 0 7 4"},
    {"3x3", "1 5 2 8 0 3 4 7 6", "blank-last"},
    {"3x3", "2 8 3 1 6 4 7 0 5", "snail"},
    {"3x3", "7 2 4 5 0 6 8 3 1", "blank-first"},
    {"3x3", "8 6 7 2 5 4 3 0 1", "blank-last"},
    {"5x2", "6 1 2 5 9 0 8 3 4 7", "blank-first"},
    {"4x4", "1 2 3 4 5 6 0 8 9 10 7 11 13 14 15 12", "blank-last"},
    {"4x4", "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15", "blank-first"},
    {"4x4", "4 1 2 3 5 6 10 7 8 0 9 11 12 13 14 15", "blank-first"},
    {"5x5", "1 2 3 4 5 6 7 8 9 10 11 12 0 13 15 16 17 18 14 20 21 22 23 19 24", "blank-last"},
    {"6x5", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15 17 18 19 20 21 16 22 24 25 26 27 28 23 29",
     "blank-last"},
    {"6x6",
     "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 0 21 23 24 25 26 27 22 28 30 31 32 33 34 "
     "29 35",
     "blank-last"},
};

static const char *const listed[] = {
    "dfs",
    "dfs(depth_limit=20)",
    "dfs(duplicates=path, depth_limit=14)",
    "dfs(duplicates=none)",
    "iddfs",
    "iddfs(parity)",
    "iddfs(duplicates=path, depth_limit=14)",
    "iddfs(duplicates=none)",
    "bfs",
    "bfs(goal_test=removal)",
    "ucs",
    "ucs(ties=lifo)",
    "bibfs",
    "bibfs(side=alternate)",
    "mm(manhattan)",
    "mm(misplaced, ties=high_g)",
    "mm(linear_conflict, side=smaller)",
    "mme(manhattan)",
    "mme(walking_distance, ties=high_g)",
    "nbs(manhattan)",
    "nbs(zero)",
    "nbs(linear_conflict, epsilon=0)",
    "dvcbs(manhattan)",
    "dvcbs(zero)",
    "dvcbs(linear_conflict, epsilon=0)",
    "bae(manhattan)",
    "bae(zero)",
    "bae(linear_conflict, side=smaller)",
    "bae(misplaced, bounds=all)",
    "bsstar(manhattan)",
    "bsstar(misplaced)",
    "lcbb(zero)",
    "lcbb(misplaced)",
    "lcbb(misplaced, duplicates=none)",
    "lcbb(misplaced, duplicates=stored)",
    "lcbb(misplaced, goal_test=generation)",
    "lcbb(misplaced, ties=lifo)",
    "lcbb(manhattan)",
    "dfbnb(misplaced)",
    "dfbnb(manhattan)",
    "dfbnb(manhattan, depth_limit=31)",
    "descent(misplaced)",
    "descent(misplaced, count_blank)",
    "descent(manhattan)",
    "greedy(misplaced)",
    "greedy(manhattan)",
    "greedy(manhattan, duplicates=parent)",
    "greedy(manhattan, ties=lifo)",
    "astar(zero)",
    "astar(misplaced)",
    "astar(misplaced, count_blank)",
    "astar(manhattan)",
    "astar(linear_conflict)",
    "astar(walking_distance)",
    "astar(manhattan, ties=low_g)",
    "astar(manhattan, ties=fifo)",
    "astar(manhattan, ties=lifo)",
    "astar(manhattan, depth_limit=20)",
    "astar(manhattan, threads=2)",
    "astar(misplaced, count_blank, threads=16)",
    "astar(pdb:4-4, threads=3)",
    "wastar(misplaced, w=1.001)",
    "wastar(manhattan)",
    "wastar(manhattan, w=2.5, reopen=false)",
    "wastar(manhattan, w=3, ties=low_g)",
    "wastar(manhattan, w=3, ties=fifo)",
    "wastar(manhattan, w=3, ties=lifo)",
    "wastar(manhattan, w=1000)",
    "wastar(manhattan, priority=xdp)",
    "wastar(manhattan, w=3, priority=pwxu)",
    "wastar(misplaced, w=2, priority=xup)",
    "wastar(linear_conflict, ties=fifo, priority=pwxd)",
    "rbfs(zero)",
    "rbfs(misplaced)",
    "rbfs(misplaced, count_blank)",
    "rbfs(manhattan)",
    "rbfs(linear_conflict)",
    "rbfs(walking_distance)",
    "beam(manhattan)",
    "beam(manhattan, width=1)",
    "beam(misplaced, width=7)",
    "beam(manhattan, width=1000)",
    "idastar(zero)",
    "idastar(zero, step=parity)",
    "idastar(misplaced)",
    "idastar(misplaced, step=parity)",
    "idastar(misplaced, count_blank)",
    "idastar(manhattan)",
    "idastar(linear_conflict)",
    "idastar(walking_distance)",
    "astar(gaschnig)",
    "astar(out_of_row_column)",
    "astar(euclidean)",
    "astar(inversion)",
    "idastar(inversion, step=parity)",
    "wastar(max:linear_conflict+inversion)",
    "astar(pdb:4-4)",
    "idastar(pdb:5-3:reflect)",
    "astar(pdb:5-5-5:reflect)",
    "rbfs(pdb:5-5-5)",
    "idastar(pdb:5-5-5)",
    "idastar(pdb:5-5-5:reflect)",
    "astar(pdb:4-4:zero)",
    "astar(pdb:5-5-5:zero:reflect)",
    "idastar(pdb:5-3:zero:reflect)",
    "idastar(pdb:5-5-5:zero)",
    "idastar(pdb:5-5-5:zero:reflect)",
    "astar(pdb:4-4:zero:onebit)",
    "idastar(pdb:5-5-5:zero:onebit:reflect)",
    "idastar(pdb:4-4;5-3:reflect)",
    "astar(pdb:4-4;5-3:zero)",
    "idastar(pdb:5-5-5;1.2.3.4.5/6.7.8.9.10/11.12.13.14.15:zero:reflect)",
    "idastar(max:pdb:4-4+pdb:5-3:reflect)",
    "idastar(manhattan, depth_limit=20)",
    "idastar(misplaced, table=100000)"};

enum { LISTED = sizeof listed / sizeof *listed, MAX_SOLVERS = LISTED + 200 };

static char *solvers[MAX_SOLVERS];
static unsigned solver_count;

/* Makes the list of all solvers: those listed, then one for each row that has none. */
static void list_solvers(void)
{
    bool has_algorithm[MAX_SOLVERS] = {false};
    bool has_heuristic[MAX_SOLVERS] = {false};
    const struct board goal = goal_of("blank-last", 3, 3);
    assert_true(algorithm_count + heuristic_count <= MAX_SOLVERS - LISTED);
    for (unsigned i = 0; i < LISTED; i++) {
        const struct solver solver = solver_of(listed[i]);
        has_algorithm[solver.algorithm - algorithms] = true;
        if (solver.heuristic.kind != NULL)
            has_heuristic[solver.heuristic.kind - heuristic_kinds] = true;
        solvers[solver_count++] = heap_text(listed[i]);
    }
    for (unsigned i = 0; i < algorithm_count; i++)
        if (!has_algorithm[i])
            solvers[solver_count++] = heap_format("%s%s", algorithms[i].name,
                                                  algorithms[i].informed ? "(manhattan)" : "");
    for (unsigned i = 0; i < heuristic_count; i++)
        if (!has_heuristic[i]) {
            SCOPED char *text = heuristic_example(&heuristic_kinds[i], &goal);
            solvers[solver_count++] = heap_format("astar(%s)", text);
        }
}

static const char *const orders[] = {"ULRD", "DRLU"};

static void write_row(FILE *file, const char *order, unsigned board, const char *solver_name)
{
    const struct limits limits = {.bytes = UINT64_C(1) << 30, .nodes = 50000};
    const struct solver solver = solver_of(solver_name);
    struct report report = {0};
    struct task task = {.order = order};
    const struct shape shape = shape_read(boards[board].size);
    if (!board_parse(boards[board].start, &shape, FIRST_PLACE, &report, &task.start) ||
        !goal_parse(boards[board].goal, shape, FIRST_PLACE, &report, &task.goal))
        fail_msg("%s", report.text);
    if (solver.heuristic.kind != NULL && !is_defined(&solver.heuristic, &task.goal))
        return;
    ASSERT_TEXT(solver_text(&solver), solver_name);
    const double begun = clock_wall();
    SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
    const struct instance instance = {
        .start = task.start, .goal = task.goal, .optimal_length = LENGTH_UNKNOWN};
    const struct run run = {.instance = &instance, .solver = &solver, .limits = limits};
    char *why = verify_cells(&run, clock_wall() - begun, &result);
    if (why != NULL)
        fail_msg("%s on %s: %s", solver_name, boards[board].start, why);
    if (result.status == STATUS_solved)
        ASSERT_REACHES_GOAL(&task, &result);
    fprintf(file, "%s,%s,%s,%s,\"%s\",%s,%zu,%d", boards[board].size, boards[board].start,
            boards[board].goal, order, solver_name, status_rows[result.status].name, result.length,
            result.h_start);
    for (unsigned i = 0; i < COUNTERS; i++)
        fprintf(file, ",%" PRIu64, statistics_value(&result.statistics, i));
    fputc('\n', file);
}

static char *make_table(void)
{
    char *table = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&table, &length);
    assert_non_null(file);
    fputs("size,start,goal,order,solver,status,length,h_start", file);
    for (unsigned i = 0; i < COUNTERS; i++)
        fprintf(file, ",%s", counters[i].name);
    fputc('\n', file);
    for (unsigned o = 0; o < sizeof orders / sizeof *orders; o++)
        for (unsigned b = 0; b < sizeof boards / sizeof *boards; b++)
            for (unsigned s = 0; s < solver_count; s++)
                if (o == 0 || b == 1)
                    write_row(file, orders[o], b, solvers[s]);
    assert_int_equal(fclose(file), 0);
    return table;
}

/* The next cell of a line, its quotes left out; `line` moves behind it. */
static char *next_cell(char **line)
{
    char *cell = *line;
    if (*cell != '"')
        return strsep(line, ",");
    char *end = strchr(++cell, '"');
    assert_non_null(end);
    *end = '\0';
    *line = end[1] == ',' ? end + 2 : NULL;
    return cell;
}

enum { SOLVER = 4, CELLS = SOLVER + 4 + COUNTERS, SHOWN = 10 };

/* A row in its cells. */
static unsigned cells_of(char *line, char *cells[CELLS])
{
    unsigned count = 0;
    while (line != NULL && count < CELLS)
        cells[count++] = next_cell(&line);
    return count;
}

/* Says which row differs, and in which cells. */
static void print_difference(unsigned number, char *was, char *is)
{
    static const char *const names[SOLVER + 4] = {"size",   "start",  "goal",   "order",
                                                  "solver", "status", "length", "h_start"};
    char *expected[CELLS], *got[CELLS];
    if (cells_of(was, expected) != CELLS || cells_of(is, got) != CELLS) {
        print_error("golden.csv:%u: this is no row of the table\n", number);
        return;
    }
    print_error("golden.csv:%u: %s, order %s, %s: %s\n", number, got[0], got[3], got[SOLVER],
                got[1]);
    for (unsigned i = 0; i < CELLS; i++)
        if (strcmp(expected[i], got[i]) != 0)
            print_error("    %s: expected %s, got %s\n",
                        i < SOLVER + 4 ? names[i] : counters[i - SOLVER - 4].name, expected[i],
                        got[i]);
}

/* Whether the committed table has rows of every solver; says which it lacks. */
static bool all_solvers_are_in(const char *golden)
{
    bool fine = true;
    for (unsigned i = 0; i < solver_count; i++) {
        if (strstr(golden, text_of(",\"%s\",", solvers[i])) == NULL) {
            print_error("golden.csv: no row of %s\n", solvers[i]);
            fine = false;
        }
    }
    return fine;
}

/* What a solver has counted when so many nodes are generated. */
static struct statistics counted_at(const struct solver *solver, const char *start, uint64_t nodes)
{
    const struct limits limits = {.bytes = UINT64_C(1) << 30, .nodes = nodes};
    const struct task task = {
        .start = board_of(start), .goal = goal_of("blank-last", 3, 3), .order = "ULRD"};
    SCOPED_BY(result_end) struct result result = result_of(solver, &task, &limits, NULL);
    return result.statistics;
}

/* Counters that the table says only rise never fall as the limit of nodes is raised; the list of
 * live nodes does. */
TEST(test_what_only_rises)
{
    const char *const starts[] = {"1 5 2 8 0 3 4 7 6", "8 6 7 2 5 4 3 0 1"};
    const struct board goal = goal_of("blank-last", 3, 3);
    unsigned fell = 0;
    for (unsigned i = 0; i < 2 * solver_count; i++) {
        const struct solver solver = solver_of(solvers[i / 2]);
        if (solver.heuristic.kind != NULL && !is_defined(&solver.heuristic, &goal))
            continue;
        struct statistics before = {0};
        for (uint64_t nodes = 10; nodes < 50000; nodes += nodes / 2) {
            const struct statistics now = counted_at(&solver, starts[i % 2], nodes);
            for (unsigned c = 0; c < COUNTERS; c++) {
                const bool falls = statistics_value(&now, c) < statistics_value(&before, c);
                fell += falls;
                if (falls && counters[c].rises)
                    fail_msg("%s: %s falls at %" PRIu64 " nodes on %s", solvers[i / 2],
                             counters[c].name, nodes, starts[i % 2]);
            }
            before = now;
        }
    }
    assert_true(fell > 0);
}

static int end_solvers(UNUSED void **state)
{
    for (unsigned i = 0; i < solver_count; i++)
        free(solvers[i]);
    return 0;
}

static int start_solvers(UNUSED void **state)
{
    list_solvers();
    return 0;
}

TEST(test_golden_table)
{
    SCOPED char *path = heap_format("%s/tests/golden/golden.csv", getenv("TILELAB_SOURCE"));
    SCOPED char *table = make_table();
    if (getenv("TILELAB_GOLDEN_WRITE") != NULL)
        write_text(path, table);
    SCOPED char *golden = read_text(path);
    const char *const advice = "if this is meant: TILELAB_GOLDEN_WRITE=1 ctest --preset release -R "
                               "golden.golden writes the table anew";
    if (!all_solvers_are_in(golden))
        fail_msg("%s", advice);
    unsigned different = 0;
    char *rest[2] = {golden, table};
    for (unsigned line = 1; rest[0] != NULL && rest[1] != NULL; line++) {
        char *is = strsep(&rest[1], "\n");
        char *was = strsep(&rest[0], "\n");
        if (strcmp(is, was) != 0 && different++ < SHOWN)
            print_difference(line, was, is);
    }
    if (different > 0)
        fail_msg("%u rows differ, the first %d are shown; %s", different, SHOWN, advice);
    if (rest[0] != NULL || rest[1] != NULL)
        fail_msg("golden.csv has %s rows than the tables ask for; %s",
                 rest[0] != NULL ? "more" : "fewer", advice);
}

AROUND_ALL_TESTS(start_solvers, end_solvers)
