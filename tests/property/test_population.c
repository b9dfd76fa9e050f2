/* The whole 8-puzzle, without the harness: the means over every board at an optimal length, against
 * results/reference/eight-population.csv, which `tilelab run eight-population` is held against too.
 *
 * Every solver of the reference is asked, from length 0 on until it has spent a number of nodes;
 * with TILELAB_LONG=1, bfs and astar(manhattan) are asked about all 181,440 boards and the others
 * about more. `property_population SOLVER ..` prints the rows of solvers: so the reference is made.
 * It is written as the means of whole numbers over whole classes, and reads back to the last node:
 * the means have 12 digits, 17 where the sum is 10^11 or more (all are below 10^15). */
#include "base/file.h"
#include "harness/analysis/statistics.h"
#include "instances/csv.h"
#include "tests/support.h"
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>

enum { LENGTHS = 32, BOARDS = 181440 };

/* OEIS A089473: how many boards lie at each distance from a goal with the blank in a corner. */
static const uint32_t classes[LENGTHS] = {1,     2,     4,     8,     16,    20,    39,    62,
                                          116,   152,   286,   396,   748,   1024,  1893,  2512,
                                          4485,  5638,  9529,  10878, 16993, 17110, 23952, 20224,
                                          24047, 15578, 14560, 6274,  3910,  760,   221,   2};

/* All boards, class by class. */
struct space {
    struct board goal;
    struct ranking ranking;
    uint32_t boards[BOARDS];
    size_t start[LENGTHS + 1];
};

/* What the boards of a class cost a solver together. */
struct sums {
    uint64_t solved, expanded, generated, max_stored, reopened, length, h_start;
    long double with_parent, squares; /* generated - 1 + expanded - 1, and its squares */
};

static struct space *space_of(void)
{
    struct space *space = heap_take(1, sizeof *space);
    size_t next[LENGTHS];
    space->goal = goal_of("blank-first", 3, 3);
    assert_true(ranking_make(&space->goal, &space->ranking));
    SCOPED_BY(distances_end) struct distances distances = distances_to(&space->goal);
    assert_int_equal(space->ranking.size, BOARDS);
    for (unsigned i = 0; i < LENGTHS; i++) {
        next[i] = space->start[i];
        space->start[i + 1] = space->start[i] + classes[i];
    }
    for (uint32_t rank = 0; rank < BOARDS; rank++) {
        struct board board = board_ranked(&space->ranking, rank);
        const int length = distances_of(&distances, &board);
        assert_in_range(length, 0, LENGTHS - 1);
        assert_true(next[length] < space->start[length + 1]);
        space->boards[next[length]++] = rank;
    }
    return space;
}

static struct sums class_of(const struct space *space, const struct solver *solver, unsigned length)
{
    const struct limits limits = {.bytes = UINT64_C(256) << 20};
    struct sums sums = {0};
    for (size_t i = space->start[length]; i < space->start[length + 1]; i++) {
        struct task task = {.goal = space->goal, .order = "ULRD"};
        ranking_unrank(&space->ranking, space->boards[i], &task.start);
        SCOPED_BY(result_end) struct result result = result_of(solver, &task, &limits, NULL);
        assert_true(result.status == STATUS_solved || result.status == STATUS_stuck);
        sums.solved += result.status == STATUS_solved;
        sums.expanded += result.statistics.expanded;
        sums.generated += result.statistics.generated;
        sums.max_stored += result.statistics.max_stored;
        sums.reopened += result.statistics.reopened;
        sums.length += result.length;
        sums.h_start += result.h_start < 0 ? 0 : (uint64_t)result.h_start;
        const long double with_parent =
            (long double)result.statistics.generated - 1 +
            (result.statistics.expanded == 0 ? 0 : (long double)result.statistics.expanded - 1);
        sums.with_parent += with_parent;
        sums.squares += with_parent * with_parent;
    }
    return sums;
}

/* ---- Without a search ----
 *
 * iddfs and idastar(zero) know nothing of a node but its depth. So the tree below a node follows
 * from where its blank is, the move not to be made and the depth left, and what they count follows
 * from the first shortest path in operator order: each node on it, and the trees below the children
 * before it. A board takes microseconds in place of minutes. */

enum { NOT_MADE = MOVES + 1, ROUNDS = LENGTHS + 1 };

/* Nodes expanded and generated below a node, by the depth left, the blank's cell and the move not
 * to be made. */
struct trees {
    struct operators operators;
    uint64_t expanded[ROUNDS][9][NOT_MADE], generated[ROUNDS][9][NOT_MADE];
};

static struct trees *trees_of(void)
{
    struct trees *trees = heap_take(1, sizeof *trees);
    assert_true(operators_make(goal_of("blank-first", 3, 3).shape, "ULRD", &trees->operators));
    for (unsigned left = 1; left < ROUNDS; left++)
        for (unsigned cell = 0; cell < 9; cell++)
            for (unsigned undo = 0; undo < NOT_MADE; undo++) {
                trees->expanded[left][cell][undo] = 1;
                for (unsigned move = 0; move < MOVES; move++) {
                    const unsigned next = trees->operators.target[cell][move];
                    if (next == NO_CELL || move == undo)
                        continue;
                    trees->expanded[left][cell][undo] +=
                        trees->expanded[left - 1][next][move_undo(move)];
                    trees->generated[left][cell][undo] +=
                        1 + trees->generated[left - 1][next][move_undo(move)];
                }
            }
    return trees;
}

/* Adds the last round: `depth` is how deep nodes are expanded below the start. one_by_one: the
 * children after the path's are not made any more. */
static void add_last_round(const struct trees *trees, const struct distances *distances,
                           struct board board, unsigned depth, bool one_by_one, struct sums *sums)
{
    unsigned undo = MOVE_NONE;
    for (int length = distances_of(distances, &board); length > 0; length--, depth--) {
        const struct board node = board;
        unsigned taken = MOVE_NONE;
        sums->expanded++;
        for (unsigned turn = 0; turn < MOVES; turn++) {
            const unsigned move = trees->operators.order[turn];
            const unsigned next = trees->operators.target[node.blank][move];
            if (next == NO_CELL || move == undo || (one_by_one && taken != MOVE_NONE))
                continue;
            sums->generated++;
            if (taken != MOVE_NONE)
                continue;
            board_slide(&board, next);
            if (distances_of(distances, &board) < length) {
                taken = move;
                continue;
            }
            board = node;
            sums->expanded += trees->expanded[depth - 1][next][move_undo(move)];
            sums->generated += trees->generated[depth - 1][next][move_undo(move)];
        }
        assert_true(taken != MOVE_NONE);
        undo = move_undo(taken);
    }
}

/* Whether a solver's counts need no search. */
static bool is_counted(const char *solver)
{
    return strcmp(solver, "iddfs") == 0 || strcmp(solver, "idastar(zero)") == 0;
}

/* What iddfs or idastar(zero) counts on the boards of a length. iddfs expands nodes above the depth
 * of the round and makes all children at once; idastar expands those at that depth, too. */
static struct sums counted_class(const struct space *space, const char *solver, unsigned length)
{
    const bool idastar = strcmp(solver, "idastar(zero)") == 0;
    SCOPED struct trees *trees = trees_of();
    struct sums sums = {.solved = classes[length]};
    SCOPED_BY(distances_end) struct distances distances = distances_to(&space->goal);
    for (size_t i = space->start[length]; i < space->start[length + 1]; i++) {
        struct board board = board_ranked(&space->ranking, space->boards[i]);
        sums.generated++;
        sums.max_stored += length + 1;
        for (unsigned round = 0; round < length; round++) {
            sums.expanded += trees->expanded[round + idastar][board.blank][MOVE_NONE];
            sums.generated += trees->generated[round + idastar][board.blank][MOVE_NONE];
        }
        add_last_round(trees, &distances, board, length + idastar, idastar, &sums);
    }
    return sums;
}

/* The value of a column of by_depth.csv; NaN: the class has none. */
static double value_of(const struct sums *sums, const char *column, unsigned length)
{
    const struct {
        const char *name;
        uint64_t sum;
    } means[] = {
        {"mean_expanded", sums->expanded},     {"mean_generated", sums->generated},
        {"mean_max_stored", sums->max_stored}, {"mean_reopened", sums->reopened},
        {"mean_length", sums->length},         {"mean_h_start", sums->h_start},
    };
    const long double n = classes[length];
    if (strcmp(column, "solved") == 0)
        return (double)sums->solved;
    if (strcmp(column, "mean_generated_with_parent") == 0)
        return (double)(sums->with_parent / n);
    if (strcmp(column, "sd_generated_with_parent") == 0)
        return sqrt(
            (double)((sums->squares - sums->with_parent * sums->with_parent / n) / (n - 1)));
    if (strcmp(column, "branching_factor_with_parent") == 0)
        return effective_branching_factor((double)(sums->with_parent / n) + 1, length);
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        if (strcmp(column, means[i].name) == 0)
            return sums->solved == classes[length] ? (double)means[i].sum / classes[length] : NAN;
    fail_msg("a column '%s' that this test does not know", column);
    return NAN;
}

/* ---- The reference ---- */

struct cell {
    char *solver, *column;
    unsigned length;
    double published, whole;
};

struct cells {
    struct cell *cells;
    size_t count;
};

static struct cells read_cells(const char *reference)
{
    const char *path = text_of("%s/results/reference/%s.csv", getenv("TILELAB_SOURCE"), reference);
    SCOPED_BY(stream_end) FILE *file = fopen(path, "r");
    SCOPED_BY(report_end) struct report report = {.file = path};
    SCOPED_BY(csv_end) struct csv csv;
    struct cells cells = {0};
    assert_non_null(file);
    assert_true(csv_start(&csv, file, CSV_COMMENTS, &report));
    const size_t length = csv_need(&csv, "optimal_length");
    const size_t solver = csv_need(&csv, "solver");
    const size_t column = csv_need(&csv, "column");
    const size_t published = csv_need(&csv, "published");
    const size_t whole = csv_column(&csv, "whole");
    while (csv_next(&csv)) {
        cells.cells = heap_grow(cells.cells, cells.count, sizeof *cells.cells);
        cells.cells[cells.count++] =
            (struct cell){.solver = heap_text(csv.fields[solver].text),
                          .column = heap_text(csv.fields[column].text),
                          .length = (unsigned)strtoul(csv.fields[length].text, NULL, 10),
                          .published = strtod(csv.fields[published].text, NULL),
                          .whole = whole == CSV_NONE ? 0 : strtod(csv.fields[whole].text, NULL)};
    }
    assert_true(report.count == 0 && cells.count > 0);
    return cells;
}

static void end_cells(struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        free(cells->cells[i].solver);
        free(cells->cells[i].column);
    }
    free(cells->cells);
}

/* The cells of a solver at a length; returns how many there are. */
static size_t expect_class(const struct cells *cells, const char *solver, unsigned length,
                           const struct sums *sums)
{
    size_t count = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cells[i];
        if (cell->length != length || strcmp(cell->solver, solver) != 0)
            continue;
        const double value = value_of(sums, cell->column, length);
        const bool mean = strncmp(cell->column, "mean_", 5) == 0;
        if (!(cell->whole == classes[length] &&
              (mean ? llround(cell->published * cell->whole) == llround(value * cell->whole)
                    : fabs(cell->published - value) <= 1e-11 * value)))
            fail_msg("%s, length %u, %s: %.12g over %.0f boards in the reference, %.12g here",
                     solver, length, cell->column, cell->published, cell->whole, value);
        count++;
    }
    return count;
}

static void expect_solver(const struct space *space, const struct cells *cells, const char *text,
                          double budget)
{
    const struct solver solver = solver_of(text);
    double spent = 0;
    size_t count = 0;
    unsigned length = 0;
    for (; length < LENGTHS && spent < budget; length++) {
        const struct sums sums = class_of(space, &solver, length);
        spent += (double)sums.generated;
        count += expect_class(cells, text, length, &sums);
    }
    for (unsigned counted = 0; is_counted(text) && counted < LENGTHS; counted++) {
        const struct sums sums = counted_class(space, text, counted);
        count += expect_class(cells, text, counted, &sums);
    }
    if (is_counted(text) && budget > 1e6) { /* the two hardest boards */
        const struct sums sums = class_of(space, &solver, LENGTHS - 1);
        count += expect_class(cells, text, LENGTHS - 1, &sums);
    }
    assert_true(count > 0);
    printf("%s: %zu cells, lengths 0 to %u\n", text, count, length - 1);
}

TEST(test_every_solver)
{
    const bool all = is_long();
    SCOPED struct space *space = space_of();
    SCOPED_BY(end_cells) struct cells cells = read_cells("eight-population");
    const char *last = "";
    size_t solvers = 0;
    for (size_t i = 0; i < cells.count; i++) {
        const char *solver = cells.cells[i].solver;
        if (strcmp(solver, last) == 0)
            continue;
        const bool whole = strcmp(solver, "bfs") == 0 || strcmp(solver, "astar(manhattan)") == 0;
        expect_solver(space, &cells, solver, !all ? 20000 : whole ? INFINITY : 1e8);
        last = solver;
        solvers++;
    }
    assert_true(solvers > 35);
}

/* What can be said without a search: each tile is as often on each cell, so that the mean of
 * Manhattan distances is 14 for a blank in a corner. */
TEST(test_mean_of_manhattan)
{
    SCOPED_BY(end_cells) struct cells cells = read_cells("eight-population");
    double sum = 0;
    double boards = 0;
    for (size_t i = 0; i < cells.count; i++) {
        const struct cell *cell = &cells.cells[i];
        if (strcmp(cell->solver, "astar(manhattan)") == 0 &&
            strcmp(cell->column, "mean_h_start") == 0) {
            sum += round(cell->published * cell->whole);
            boards += cell->whole;
        }
    }
    assert_int_equal(boards, BOARDS);
    assert_int_equal(sum, 14 * BOARDS);
}

static double cell_of(const struct cells *cells, const char *solver, unsigned length,
                      const char *column)
{
    for (size_t i = 0; i < cells->count; i++)
        if (cells->cells[i].length == length && strcmp(cells->cells[i].solver, solver) == 0 &&
            strcmp(cells->cells[i].column, column) == 0)
            return cells->cells[i].published;
    fail_msg("no cell %s, length %u, %s", solver, length, column);
    return NAN;
}

/* The chance that the b* of a mean over so many of the boards lies within 0.01 of a figure; the
 * mean is normal. */
static double chance_of(const struct cells *population, const char *solver, unsigned length,
                        double figure, double boards)
{
    const double mean = cell_of(population, solver, length, "mean_generated_with_parent");
    const double sd = cell_of(population, solver, length, "sd_generated_with_parent");
    double ends[] = {0, 0};
    for (unsigned i = 1; i <= length; i++) {
        ends[0] += pow(figure - 0.01, i);
        ends[1] += pow(figure + 0.01, i);
    }
    const double error = sd / sqrt(boards);
    return gsl_cdf_gaussian_P(ends[1] - mean, error) - gsl_cdf_gaussian_P(ends[0] - mean, error);
}

/* Whether 100 boards of ours can have the b* of Russell and Norvig's 100 boards in all 36 cells of
 * their figure 3.26, within 0.01: in four cells the book is farther than that from the population,
 * each at another length, so that all four agree with less than the product of their chances.
 * experiments/aima.yaml and reference/aima.csv say what this prints. */
TEST(test_figure_of_russell_and_norvig)
{
    static const struct {
        const char *solver;
        unsigned length;
        double difference, chance;
    } far[] = {{"bfs", 8, 0.0115, 0.38},
               {"astar(manhattan, ties=low_g)", 10, -0.0105, 0.47},
               {"astar(manhattan, ties=low_g)", 18, 0.0152, 0.09},
               {"astar(manhattan, ties=low_g)", 24, 0.0144, 0.03}};
    SCOPED_BY(end_cells) struct cells population = read_cells("eight-population");
    SCOPED_BY(end_cells) struct cells figure = read_cells("aima");
    size_t count = 0;
    size_t beyond = 0;
    double expected = 0;
    double all = 1;
    for (size_t i = 0; i < figure.count; i++) {
        const struct cell *cell = &figure.cells[i];
        if (strcmp(cell->column, "branching_factor_with_parent") != 0)
            continue;
        const double ours = cell_of(&population, cell->solver, cell->length, cell->column);
        const double chance =
            chance_of(&population, cell->solver, cell->length, cell->published, 100);
        const double difference = cell->published - ours;
        printf("length %u, %s: b* %.2f in the book, %.4f over all boards, %+.4f; 100 boards within "
               "0.01 of the book: %.2f\n",
               cell->length, cell->solver, cell->published, ours, difference, chance);
        count++;
        expected += 1 - chance;
        if (fabs(difference) <= 0.01)
            continue;
        bool known = false;
        for (size_t k = 0; k < sizeof far / sizeof *far; k++)
            known = known ||
                    (strcmp(far[k].solver, cell->solver) == 0 && far[k].length == cell->length &&
                     fabs(far[k].difference - difference) < 5.1e-5 &&
                     fabs(far[k].chance - chance) < 0.02);
        assert_true(known);
        all *= chance;
        beyond++;
    }
    printf("%zu of %zu cells are more than 0.01 off over all boards; of 100 boards %.1f on "
           "average; none is with a chance below %.4f\n",
           beyond, count, expected, all);
    assert_int_equal(count, 36);
    assert_int_equal(beyond, sizeof far / sizeof *far);
    assert_true(expected > 5 && expected < 6 && all < 0.001);
}

/* ---- Making it ---- */

static void print_row(unsigned length, const char *column, double value, const char *solver)
{
    const double sum = value * classes[length];
    printf("%u,%s,%.*g,%" PRIu32 ",", length, column, sum < 1e11 ? 12 : 17, value, classes[length]);
    csv_write_field(stdout, solver);
    putchar('\n');
}

/* What figure 3.26 of Russell and Norvig is of: nodes as the book counts them, and their b*. */
static void print_figure(unsigned length, const struct sums *sums, const char *text)
{
    static const char *const columns[] = {"mean_generated_with_parent", "sd_generated_with_parent",
                                          "branching_factor_with_parent"};
    const bool needed[] = {true, classes[length] > 1, length > 0};
    for (size_t i = 0; i < 3; i++)
        if (needed[i])
            print_row(length, columns[i], value_of(sums, columns[i], length), text);
}

/* Not all columns say something of every solver. */
static void print_solver(const struct space *space, const char *text, unsigned longest)
{
    const struct solver solver = solver_of(text);
    const unsigned properties = solver_properties(&solver);
    const bool complete = (properties & COMPLETE) != 0;
    const bool heuristic = strncmp(text, "astar(", 6) == 0 && strchr(text, ',') == NULL;
    for (unsigned length = 0; length <= longest; length++) {
        const struct sums sums = is_counted(text) ? counted_class(space, text, length)
                                                  : class_of(space, &solver, length);
        if (!complete)
            print_row(length, "solved", (double)sums.solved, text);
        if (sums.solved < classes[length])
            continue;
        print_row(length, "mean_expanded", value_of(&sums, "mean_expanded", length), text);
        print_row(length, "mean_generated", value_of(&sums, "mean_generated", length), text);
        print_row(length, "mean_max_stored", value_of(&sums, "mean_max_stored", length), text);
        if (sums.reopened > 0)
            print_row(length, "mean_reopened", value_of(&sums, "mean_reopened", length), text);
        if ((properties & OPTIMAL) == 0)
            print_row(length, "mean_length", value_of(&sums, "mean_length", length), text);
        if (heuristic)
            print_row(length, "mean_h_start", value_of(&sums, "mean_h_start", length), text);
        if (strcmp(text, "bfs") == 0 || strstr(text, "ties=low_g") != NULL)
            print_figure(length, &sums, text);
    }
}

int main(int count, char **words)
{
    if (count == 1)
        return tests_run();
    const char *longest = getenv("TILELAB_LONGEST"); /* length; 31 without */
    SCOPED struct space *space = space_of();
    for (int i = 1; i < count; i++)
        print_solver(space, words[i], longest == NULL ? LENGTHS - 1 : (unsigned)atoi(longest));
    return 0;
}
