/* From rows to tables, on results small enough to work out by hand. */
#include "harness/analysis/by_depth.h"
#include "harness/analysis/pairs.h"
#include "harness/analysis/summary.h"
#include "harness/analysis/threads.h"
#include "harness/commands/commands.h"
#include "harness/compare/compare_print.h"
#include "instances/csv.h"
#include "tests/folder.h"
#include <argp.h>
#include <fcntl.h>
#include <math.h>
#include <sys/wait.h>

#define HEADER                                                                                     \
    "run_id,experiment,set,instance,width,height,start,goal,optimal_length,solver,algorithm,"      \
    "heuristic,options,order,repetition,status,length,moves,h_start,expanded,generated,"           \
    "duplicates,"                                                                                  \
    "reopened,max_open,max_stored,max_depth,iterations,peak_bytes,first_found,best_found,"         \
    "open_at_end,wall_s,"                                                                          \
    "cpu_s,host,finished_at\n"

/* One row of the real form. The numbers are texts, so that they can be empty. */
#define ROW(id, instance, start, optimal, solver, repetition, status, length, moves, expanded,     \
            generated, wall)                                                                       \
    id ",e,s," instance ",3,3," start "," GOAL "," optimal "," solver ",x,,,ULRD," repetition      \
       "," status "," length "," moves ",," expanded "," generated ",0,0,0,0,0,1,1000,,,0," wall   \
       ",0,h,t\n"

#define GOAL  "1 2 3 4 5 6 7 8 0"
#define TWO   "1 2 0 4 5 3 7 8 6" /* DD */
#define THREE "1 0 2 4 5 3 7 8 6" /* RDD */

#define A "alpha"
#define B "\"beta(x, y=1)\""

/* Two solvers on five instances; 3 starts at its goal, 4 has no optimal length, 5 is solved by
 * none. */
static const char small[] = HEADER ROW("01", "1", TWO, "2", A, "0", "solved", "2", "DD", "2", "7",
                                       "0.1")                               /* b* = 2: 1 + 2 + 4 */
    ROW("02", "1", TWO, "2", A, "1", "solved", "2", "DD", "2", "7", "0.3")  /* the median is 0.2 */
    ROW("03", "1", TWO, "2", A, "2", "solved", "2", "DD", "2", "7", "0.2")  /* */
    ROW("04", "1", TWO, "2", B, "0", "solved", "2", "DD", "1", "3", "0.4")  /* b* = 1 */
    ROW("05", "2", TWO, "2", A, "0", "solved", "2", "DD", "4", "13", "0.4") /* b* = 3: 1 + 3 + 9 */
    ROW("06", "2", TWO, "2", B, "0", "node_limit", "", "", "900", "1000", "9")  /* */
    ROW("07", "3", GOAL, "0", A, "0", "solved", "0", "", "0", "1", "0.01")      /* no b* */
    ROW("08", "3", GOAL, "0", B, "0", "solved", "0", "", "0", "1", "0.01")      /* */
    ROW("09", "4", THREE, "", A, "0", "time_limit", "", "", "900", "1000", "9") /* */
    ROW("10", "4", THREE, "", B, "0", "solved", "3", "RDD", "8", "15", "1")     /* b* = 2 */
    ROW("11", "5", TWO, "2", A, "0", "stuck", "", "", "5", "6", "0.1")          /* */
    ROW("12", "5", TWO, "2", B, "0", "stuck", "", "", "5", "6", "0.1");

static void expect_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void expect_text_in(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("not there: %s\nin:\n%s", part, text);
}

/* Reads a text as results; `problems` is what the report must say, or NULL. */
static struct results results_of(const char *text, const char *problems)
{
    struct results results = {0};
    write_text("runs.csv", text);
    SCOPED char *file = results_file(folder);
    SCOPED_BY(report_end) struct report report = {.file = "runs.csv"};
    bool good = results_read(&results, file, NULL, &report);
    assert_string_equal(report.text == NULL ? "" : report.text, problems == NULL ? "" : problems);
    assert_int_equal(good, problems == NULL);
    if (good)
        results_settle(&results, NULL);
    return results;
}

TEST(test_summary)
{
    SCOPED_BY(results_end) struct results results = results_of(small, NULL);
    assert_int_equal(results.count, 12);
    assert_int_equal(results.instances.count, 5);
    assert_int_equal(results.repeated, 0);
    assert_int_equal(results.disagreeing, 0);
    SCOPED_BY(summary_end) struct summary summary = summary_of(&results, &results.blocks[0]);
    assert_int_equal(summary.count, 2);

    const struct solver_summary *a = &summary.solvers[0];
    assert_string_equal(results.solvers.text[0], "alpha");
    assert_int_equal(a->runs, 7);
    assert_int_equal(a->solved, 5);
    assert_int_equal(a->instances, 5);
    assert_int_equal(a->instances_solved, 3);
    assert_int_equal(a->by_status[STATUS_time_limit], 1);
    assert_int_equal(a->by_status[STATUS_stuck], 1);
    assert_int_equal(a->by_status[STATUS_node_limit], 0);
    expect_near(a->value[METRIC_expanded].quartiles.median, 2);
    expect_near(a->value[METRIC_expanded].mean, 2);
    expect_near(a->value[METRIC_generated].quartiles.median, 7);
    expect_near(a->value[METRIC_generated].mean, 7);
    expect_near(a->value[METRIC_length].quartiles.median, 2);
    expect_near(a->value[METRIC_length].mean, 4.0 / 3);
    expect_near(a->value[METRIC_wall_s].quartiles.median, 0.2);
    expect_near(a->value[METRIC_wall_s].mean, (0.2 + 0.4 + 0.01) / 3);
    expect_near(a->branching.quartiles.median, 2.5);
    expect_near(a->branching.mean, 2.5);
    expect_near(a->peak_bytes, 1000);

    const struct solver_summary *b = &summary.solvers[1];
    assert_string_equal(results.solvers.text[1], "beta(x, y=1)");
    assert_int_equal(b->runs, 5);
    assert_int_equal(b->solved, 3);
    expect_near(b->value[METRIC_expanded].quartiles.median, 1);
    expect_near(b->value[METRIC_expanded].mean, 3);
    expect_near(b->value[METRIC_generated].mean, 19.0 / 3);
    expect_near(b->branching.mean, 1); /* of instance 1 alone: 4 has no optimal length */
    assert_int_equal(b->branching.count, 1);
}

TEST(test_by_depth)
{
    SCOPED_BY(results_end) struct results results = results_of(small, NULL);
    SCOPED_BY(by_depth_end) struct by_depth by_depth = by_depth_of(&results, &results.blocks[0]);
    assert_int_equal(by_depth.count, 2);
    expect_near(by_depth.rows[0].from, 0);
    expect_near(by_depth.rows[1].from, 2);
    assert_int_equal(by_depth.unknown, 1);
    const struct depth_cell *zero = &by_depth.cells[0];
    assert_int_equal(zero->solved, 1);
    expect_near(zero->value[METRIC_generated].mean, 1);
    assert_true(isnan(zero->branching));
    const struct depth_cell *a = &by_depth.cells[2];
    assert_int_equal(a->instances, 3);
    assert_int_equal(a->solved, 2);
    expect_near(a->value[METRIC_expanded].mean, 3);
    expect_near(a->value[METRIC_generated].mean, 10);
    expect_near(a->value[METRIC_wall_s].mean, 0.3);
    expect_near(a->branching, (sqrt(37) - 1) / 2); /* b + b^2 = 9 */
    const struct depth_cell *b = &by_depth.cells[3];
    assert_int_equal(b->instances, 3);
    assert_int_equal(b->solved, 1);
    expect_near(b->branching, 1);
}

/* b* is that of the optimal length, however long a path a solver finds; none where it is not known.
 */
TEST(test_branching_is_by_the_optimal_length)
{
    SCOPED_BY(results_end)
    struct results results =
        results_of(HEADER ROW("1", "1", TWO, "2", A, "0", "solved", "4", "DUDD", "2", "7", "1")
                       ROW("2", "2", TWO, "", A, "0", "solved", "4", "DUDD", "2", "31", "1"),
                   NULL);
    SCOPED_BY(summary_end) struct summary summary = summary_of(&results, &results.blocks[0]);
    SCOPED_BY(by_depth_end) struct by_depth by_depth = by_depth_of(&results, &results.blocks[0]);
    expect_near(summary.solvers[0].branching.mean, 2); /* 7 = 1 + 2 + 4 */
    assert_int_equal(summary.solvers[0].branching.count, 1);
    assert_int_equal(by_depth.count, 1);
    expect_near(by_depth.cells[0].branching, 2);
}

/* Boards of two sizes at the same depth are never averaged together. */
#define FIFTEEN "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"

TEST(test_by_depth_and_size)
{
    const char *text =
        "run_id,set,instance,width,height,start,goal,optimal_length,solver,status,length,expanded,"
        "generated,peak_bytes,wall_s\n"
        "a,s,1,4,4," FIFTEEN "," FIFTEEN ",2,alpha,solved,2,4,100,1,0.1\n"
        "b,s,2,3,3," GOAL "," GOAL ",2,alpha,solved,2,4,10,1,0.1\n"
        "c,s,3,3,3," GOAL "," GOAL ",2,alpha,solved,2,4,20,1,0.1\n";
    SCOPED_BY(results_end) struct results results = results_of(text, NULL);
    assert_int_equal(results.block_count, 2);
    assert_string_equal(results.blocks[0].name, "s 3x3");
    assert_string_equal(results.blocks[1].name, "s 4x4");
    for (size_t pooled = 0; pooled < 2; pooled++) {
        const struct block all = {.count = results.instances.count};
        struct by_depth small_boards = by_depth_of(&results, pooled ? &all : &results.blocks[0]);
        struct by_depth large_boards = by_depth_of(&results, pooled ? &all : &results.blocks[1]);
        assert_int_equal(small_boards.count, 1 + pooled);
        assert_int_equal(small_boards.rows[0].width, 3);
        expect_near(small_boards.cells[0].value[METRIC_generated].mean, 15);
        assert_int_equal(large_boards.rows[pooled].width, 4);
        expect_near(large_boards.cells[pooled].value[METRIC_generated].mean, 100);
        by_depth_end(&small_boards);
        by_depth_end(&large_boards);
    }
}

TEST(test_pairs)
{
    SCOPED_BY(results_end) struct results results = results_of(small, NULL);
    struct pairs pairs =
        pairs_of(&results, &results.blocks[0], &(struct pairs_options){.baseline = 0});
    assert_int_equal(pairs.solvers, 1);
    const struct pair *expanded = &pairs.pairs[METRIC_expanded];
    assert_int_equal(expanded->solver, 1);
    assert_int_equal(expanded->instances, 5);
    assert_int_equal(expanded->order.both, 2);         /* instances 1 and 3 */
    assert_int_equal(expanded->order.wins, 2);         /* 1, and 4, which alpha did not solve */
    assert_int_equal(expanded->order.ties, 2);         /* 3, and 5, which neither solved */
    assert_int_equal(expanded->order.losses, 1);       /* 2, which beta did not solve */
    assert_int_equal(expanded->ratio.solved_pairs, 1); /* 3 needed nothing */
    expect_near(expanded->ratio.solved.value, 0.5);
    assert_true(isnan(expanded->ratio.solved.interval.low));
    assert_int_equal(expanded->ratio.bound, RATIO_UNKNOWN);
    /* Of 1, 2, 4 and 5 at what they had spent: 1/2, 900/4, 8/900 and 5/5. */
    expect_near(expanded->ratio.spent, pow(1, 0.25));
    expect_near(expanded->p, 1);
    expect_near(expanded->p_adjusted, 1);
    assert_int_equal(expanded->conclusion, CONCLUSION_NOT_ENOUGH);
    assert_int_equal(expanded->order.only_a, 1);
    assert_int_equal(expanded->order.only_b, 1);
    assert_int_equal(expanded->order.neither, 1);
    const struct pair *generated = &pairs.pairs[METRIC_generated];
    assert_int_equal(generated->ratio.solved_pairs, 2);
    expect_near(generated->ratio.solved.value, sqrt(3.0 / 7));
    const struct pair *length = &pairs.pairs[METRIC_length]; /* says nothing where it is unsolved */
    assert_true(length->order.wins == 0 && length->order.ties == 2 && length->order.losses == 0);
    assert_int_equal(length->ratio.bound, RATIO_UNKNOWN);
    assert_true(isnan(length->a12) && isnan(length->sign_p) && length->p == 1);
    const struct pair *wall = &pairs.pairs[METRIC_wall_s];
    assert_int_equal(wall->order.losses, 2);
    expect_near(wall->ratio.solved.value, sqrt(0.4 / 0.2));
    pairs_end(&pairs);

    pairs = pairs_of(&results, &results.blocks[0],
                     &(struct pairs_options){.baseline = 1}); /* the other way round */
    assert_int_equal(pairs.pairs[METRIC_expanded].solver, 0);
    assert_int_equal(pairs.pairs[METRIC_expanded].order.losses, 2);
    expect_near(pairs.pairs[METRIC_expanded].ratio.solved.value, 2);
    pairs_end(&pairs);
}

/* Three solvers, eight instances: the p of each is exact, and Holm's correction is over the two
 * compared. */
TEST(test_pairs_tests)
{
    SCOPED char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fputs(
        "run_id,set,instance,width,height,start,goal,optimal_length,solver,status,length,expanded,"
        "generated,peak_bytes,wall_s\n",
        out);
    for (int i = 1; i <= 8; i++) {
        int better = 100 - 10 * i;             /* always less: p = 2 / 256 */
        int mixed = i <= 6 ? 100 + i : 99 - i; /* gains of ranks 7 and 8, losses of ranks 1 to 6 */
        fprintf(out, "%d0,s,%d,3,3," GOAL "," GOAL ",,base,solved,5,100,200,,1\n", i, i);
        fprintf(out, "%d1,s,%d,3,3," GOAL "," GOAL ",,better,solved,5,%d,200,,1\n", i, i, better);
        fprintf(out, "%d2,s,%d,3,3," GOAL "," GOAL ",,mixed,solved,5,%d,200,,1\n", i, i, mixed);
    }
    fclose(out);
    SCOPED_BY(results_end) struct results results = results_of(text, NULL);
    SCOPED_BY(pairs_end)
    struct pairs pairs =
        pairs_of(&results, &results.blocks[0], &(struct pairs_options){.baseline = 0});
    const struct pair *better = &pairs.pairs[0];
    const struct pair *mixed = &pairs.pairs[1];
    expect_near(better->p, 2.0 / 256);
    expect_near(better->p_adjusted, 4.0 / 256);
    const struct estimate *ratio = &better->ratio.solved;
    assert_true(ratio->interval.low < ratio->value && ratio->value < ratio->interval.high);
    assert_int_equal(better->conclusion, CONCLUSION_FEWER);
    assert_int_equal(mixed->order.wins, 2);
    assert_int_equal(mixed->order.losses, 6);
    assert_int_equal(mixed->conclusion, CONCLUSION_NONE_SHOWN);
    /* Ranks of gains: 15 of 36. Sets of distinct ranks 1 .. 8 that sum to at most 15 are 95 of 256.
     */
    expect_near(mixed->p, 2 * 95.0 / 256);
    expect_near(mixed->p_adjusted, 2 * 95.0 / 256);
    /* Equal everywhere: no difference and a ratio of exactly 1. */
    const struct pair *equal = &pairs.pairs[METRIC_generated * 2];
    assert_int_equal(equal->order.ties, 8);
    assert_int_equal(equal->conclusion, CONCLUSION_SAME);
    expect_near(equal->p, 1);
    ratio = &equal->ratio.solved;
    assert_true(ratio->value == 1 && ratio->interval.low == 1 && ratio->interval.high == 1);
}

/* An instance that one of the two never ran says nothing of either; nor does an interrupted run. */
TEST(test_unshared)
{
    SCOPED_BY(results_end)
    struct results results =
        results_of(HEADER ROW("1", "1", TWO, "2", A, "0", "solved", "2", "DD", "2", "7", "1")
                       ROW("2", "2", TWO, "2", A, "0", "solved", "2", "DD", "2", "7", "1")
                           ROW("3", "2", TWO, "2", B, "0", "interrupted", "", "", "", "", "")
                               ROW("4", "3", TWO, "2", A, "0", "solved", "2", "DD", "2", "7", "1")
                                   ROW("5", "3", TWO, "2", B, "0", "crashed", "", "", "", "", ""),
                   NULL);
    SCOPED_BY(pairs_end)
    struct pairs pairs =
        pairs_of(&results, &results.blocks[0], &(struct pairs_options){.baseline = 0});
    assert_int_equal(pairs.pairs[0].unshared, 2);
    assert_int_equal(pairs.pairs[0].order.only_b, 1);
    assert_int_equal(pairs.pairs[0].order.both, 0);
    assert_true(isnan(pairs.pairs[0].ratio.solved.value));
    SCOPED_BY(summary_end) struct summary summary = summary_of(&results, &results.blocks[0]);
    assert_int_equal(summary.solvers[1].runs, 2);
    assert_int_equal(summary.solvers[1].instances, 1);
    assert_true(isnan(summary.solvers[1].value[METRIC_length].mean));
}

TEST(test_repeated)
{
    SCOPED_BY(results_end)
    struct results results =
        results_of(HEADER ROW("1", "1", TWO, "2", A, "0", "interrupted", "", "", "", "", "")
                       ROW("2", "2", TWO, "2", A, "0", "solved", "2", "DD", "2", "7", "1")
                           ROW("1", "1", TWO, "2", A, "0", "solved", "2", "DD", "2", "7", "1")
                               ROW("2", "2", TWO, "2", A, "0", "interrupted", "", "", "", "", ""),
                   NULL);
    assert_int_equal(results.count, 2);
    assert_int_equal(results.repeated, 2);
    assert_int_equal(results.runs[0].status, STATUS_solved); /* the later row counts */
    assert_int_equal(results.runs[1].status, STATUS_solved); /* but not for being interrupted */
}

TEST(test_disagreeing)
{
    SCOPED_BY(results_end)
    struct results results =
        results_of(HEADER ROW("1", "1", TWO, "2", A, "0", "solved", "2", "DD", "2", "7", "1")
                       ROW("2", "1", TWO, "2", A, "1", "solved", "2", "DD", "4", "7", "1"),
                   NULL);
    assert_int_equal(results.disagreeing, 1);
    expect_near(outcome_value(&results, results_outcome(&results, 0, 0), METRIC_expanded), 3);
}

TEST(test_wrong_input)
{
#define LINE(start, optimal, status, length, moves, expanded)                                      \
    HEADER ROW("1", "1", start, optimal, A, "0", status, length, moves, expanded, "7", "1")
#define EXPANDED(text) LINE(TWO, "2", "solved", "2", "DD", text)
#define ODD            "2 1 3 4 5 6 7 8 0" /* cannot reach the goal */
    static const char *const cases[][2] = {
        {"", "runs.csv: no header; expected a first line of column names\n"},
        {"run_id,set,instance,width,height,start,goal,optimal_length,solver,length,expanded,"
         "generated\n",
         "runs.csv:1:1: no column 'status'; expected it in the header\n"
         "runs.csv:1:1: no column 'wall_s'; expected it in the header\n"},
        {HEADER "1,2\n", "runs.csv:2:3: the row has 2 fields; expected 35 as in the header\n"},
        {HEADER ROW("", "1", TWO, "2", A, "0", "solved", "2", "DD", "3", "7", "1"),
         "runs.csv:2:1: run_id is empty; expected its hash\n"},
        /* Numbers. */
        {EXPANDED("many"), "runs.csv:2:81: expanded 'many'; expected a whole number\n"},
        {EXPANDED("-3"), "runs.csv:2:81: expanded '-3'; expected a whole number\n"},
        {EXPANDED("0x3"), "runs.csv:2:81: expanded '0x3'; expected a whole number\n"},
        {EXPANDED("nan"), "runs.csv:2:81: expanded 'nan'; expected a whole number\n"},
        {EXPANDED("3.5"), "runs.csv:2:81: expanded '3.5'; expected a whole number\n"},
        {EXPANDED("3 "), "runs.csv:2:81: expanded '3 '; expected a whole number\n"},
        {EXPANDED("1e3"), "runs.csv:2:81: expanded '1e3'; expected a whole number\n"},
        {EXPANDED("18446744073709551616"),
         "runs.csv:2:81: expanded '18446744073709551616'; expected a whole number\n"},
        {HEADER ROW("1", "1", TWO, "2", A, "0", "solved", "2", "DD", "3", "7", "-1"),
         "runs.csv:2:106: wall_s '-1'; expected a number that is not negative\n"},
        {HEADER ROW("1", "1", TWO, "2", A, "0", "solved", "2", "DD", "3", "7", "inf"),
         "runs.csv:2:106: wall_s 'inf'; expected a number that is not negative\n"},
        {LINE(TWO, "2.5", "solved", "2", "DD", "3"),
         "runs.csv:2:49: optimal_length '2.5'; expected a whole number\n"},
        {LINE(TWO, "2", "solved", "", "", "3"),
         "runs.csv:2:75: length is empty; expected a whole number, as the run is solved\n"},
        {HEADER ROW("1", "1", TWO, "2", A, "0", "solved", "2", "DD", "3", "7", "1")
             ROW("2", "1", TWO, "4", A, "1", "crashed", "", "", "3", "7", "1"),
         "runs.csv:3:49: optimal_length '4'; expected 2, as in a row before for the same "
         "instance\n"},
        {HEADER ROW("1", "1", TWO, "4", A, "0", "crashed", "", "", "3", "7", "1")
             ROW("2", "1", TWO, "", A, "1", "solved", "2", "DD", "3", "7", "1"),
         "runs.csv:3:74: length '2'; expected 4 or more, the optimal length\n"},
        {HEADER ROW("1", "1", TWO, "", A, "0", "solved", "2", "DD", "3", "7", "1")
             ROW("2", "1", TWO, "4", A, "1", "crashed", "", "", "3", "7", "1"),
         "runs.csv:3:49: optimal_length '4'; expected 2 or less, as a row before has a solution of "
         "the same instance that long\n"},
        /* Statuses. */
        {LINE(TWO, "2", "sovled", "2", "DD", "3"),
         "runs.csv:2:68: status 'sovled'; expected solved, exhausted, unsolvable, stuck, "
         "time_limit, cpu_limit, memory_limit, out_of_memory, node_limit, claimed, lost, crashed, "
         "wrong_answer or "
         "interrupted; did you mean 'solved'?\n"},
        {LINE(ODD, "", "solved", "2", "", "3"),
         "runs.csv:2:67: status 'solved'; expected unsolvable, as no moves lead from the start to "
         "the goal\n"},
        {LINE(TWO, "2", "unsolvable", "", "", "3"), "runs.csv:2:68: status 'unsolvable'; expected "
                                                    "another, as moves lead from the start to the "
                                                    "goal\n"},
        /* Paths. */
        {LINE(TWO, "2", "solved", "1", "U", "3"),
         "runs.csv:2:75: length '1'; expected 2 or more, the optimal length\n"},
        {LINE(TWO, "", "solved", "1", "D", "3"),
         "runs.csv:2:76: moves 'D'; expected a path to the goal; it ends at 1 2 3 4 5 0 7 8 6\n"},
        {LINE(TWO, "", "solved", "0", "", "3"),
         "runs.csv:2:76: moves ''; expected a path to the goal; it ends at " TWO "\n"},
        {LINE(TWO, "2", "solved", "2", "DR", "3"),
         "runs.csv:2:77: moves 'DR'; expected moves on the board; move 2 leaves it\n"},
        {LINE(TWO, "2", "solved", "2", "dd", "3"),
         "runs.csv:2:77: moves 'dd'; expected the moves U, D, L and R\n"},
        {LINE(TWO, "2", "solved", "4", "DD", "3"),
         "runs.csv:2:75: length '4'; expected 2, as there are so many moves\n"},
        /* Characters that command a terminal. */
        {HEADER ROW("1", "1", TWO, "2", "al\033[2Jpha", "0", "solved", "2", "DD", "3", "7", "1"),
         "runs.csv:2:51: solver 'al?[2Jpha'; expected a text without control characters\n"},
        {HEADER ROW("1", "\"a\nb\"", TWO, "2", A, "0", "solved", "2", "DD", "3", "7", "1"),
         "runs.csv:2:7: this quote is not closed on its line; expected a closing quote\n"
         "runs.csv:3:2: a quote inside a field; expected the whole field in quotes\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct results results = results_of(cases[i][0], cases[i][1]);
        results_end(&results);
    }
}

/* What the program said last. */
static struct {
    int code;
    char *out, *err;
} said;

static int forget(void **state)
{
    FREE(said.out, said.err);
    said.out = said.err = NULL;
    return remove_folder(state);
}

static int divert(int stream, const char *path)
{
    int kept = dup(stream);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && file >= 0);
    dup2(file, stream);
    close(file);
    return kept;
}

static void restore(int stream, int kept)
{
    dup2(kept, stream);
    close(kept);
}

static void say(const char *const *paths, size_t count, const struct compare_options *options)
{
    fflush(stdout);
    int kept_out = divert(STDOUT_FILENO, "out");
    int kept_err = divert(STDERR_FILENO, "err");
    struct compare_options printed = *options;
    bool differs;
    printed.stream = stdout;
    printed.errors = stderr;
    said.code = exit_code_of(compare_print(paths, count, &printed, &differs));
    fflush(stdout);
    restore(STDOUT_FILENO, kept_out);
    restore(STDERR_FILENO, kept_err);
    FREE(said.out, said.err);
    said.out = read_text("out");
    said.err = read_text("err");
}

static void say_here(const struct compare_options *options)
{
    const char *const here = folder;
    say(&here, 1, options);
}

static void say_small(const struct compare_options *options)
{
    write_text("runs.csv", small);
    say_here(options);
}

/* Holds the cells of one row of a CSV file (from 1) against "column=value column=value ..". */
static void expect_cells(const char *name, size_t row, const char *expected)
{
    SCOPED char *pairs = heap_text(expected);
    struct report report = {.file = name};
    SCOPED_BY(csv_end) struct csv csv;
    SCOPED_BY(stream_end) FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_true(csv_start(&csv, file, 0, &report));
    while (row-- > 0)
        assert_true(csv_next(&csv));
    for (char *at = strtok(pairs, " "); at != NULL; at = strtok(NULL, " ")) {
        char *value = strchr(at, '=');
        *value++ = '\0';
        const size_t column = csv_column(&csv, at);
        if (column == CSV_NONE || strcmp(csv.fields[column].text, value) != 0)
            fail_msg("%s: %s is '%s', expected '%s'", name, at,
                     column == CSV_NONE ? "missing" : csv.fields[column].text, value);
    }
}

TEST(test_files)
{
    say_small(&(struct compare_options){0});
    SCOPED char *where =
        heap_format("tilelab compare: summary.csv, by_depth.csv and pairs.csv are in %s\n", folder);
    assert_int_equal(said.code, 0);
    assert_string_equal(said.err, where);
    expect_cells("summary.csv", 1,
                 "solver=alpha runs=7 solved=5 unverified=0 node_limit=0 time_limit=1 stuck=1 "
                 "crashed=0 instances=5 instances_solved=3 expanded_median=2 expanded_mean=2 "
                 "generated_median=7 generated_mean=7 length_median=2 length_mean=1.33333333333 "
                 "wall_s_median=0.2 wall_s_mean=0.203333333333 cpu_s_median=0 max_stored_mean=0 "
                 "iterations_median=1 first_found_median= effective_branching_factor_median=2.5 "
                 "effective_branching_factor_mean=2.5 effective_branching_factor_instances=2 "
                 "max_stored_max=0 peak_bytes_max=1000");
    expect_cells("summary.csv", 2,
                 "runs=5 solved=3 node_limit=1 stuck=1 expanded_mean=3 "
                 "effective_branching_factor_mean=1 effective_branching_factor_instances=1");
    expect_cells("by_depth.csv", 2,
                 "width=3 height=3 optimal_length=0 instances=1 solved=1 mean_generated=1 "
                 "effective_branching_factor=");
    expect_cells("by_depth.csv", 3,
                 "optimal_length=2 solver=alpha instances=3 solved=2 unverified=0 mean_expanded=3 "
                 "mean_generated=10 mean_length=2 mean_wall_s=0.3 mean_peak_bytes=1000 "
                 "mean_best_found= effective_branching_factor=2.54138126515");
    expect_cells("pairs.csv", 1 + METRIC_expanded,
                 "metric=expanded baseline=alpha pairs=2 wins=2 ties=2 losses=1 ratio=0.5 "
                 "ratio_low= ratio_high= p=1 p_adjusted=1 only_solver=1 only_baseline=1 neither=1 "
                 "ratio_pairs=1 unshared=0 unverified=0 no_value=0 unsolvable=0");
    expect_cells("pairs.csv", 1 + METRIC_generated,
                 "metric=generated ratio=0.654653670708 ratio_low= ratio_high=");
    expect_cells("pairs.csv", 1 + METRIC_first_found,
                 "metric=first_found pairs=0 no_value=2 ratio= p= only_solver=0");
    expect_cells("pairs.csv", 1 + METRIC_wall_s,
                 "metric=wall_s losses=2 ratio=1.41421356237 ratio_low= ratio_high=");
}

/* What other programs write into the cells of numbers is read where it is the same number. */
TEST(test_foreign_numbers)
{
    SCOPED_BY(results_end)
    struct results results = results_of(
        HEADER ROW("1", "1", TWO, "2.0", A, "0", "solved", "2.0", "DD", "3.", "7", "1e-05"), NULL);
    expect_near(results_number(&results, 0, METRIC_expanded), 3);
    expect_near(results_number(&results, 0, METRIC_wall_s), 1e-5);
    assert_false(results.runs[0].unverified);
}

/* Of many problems a hundred are reported, the others counted. */
TEST(test_many_problems)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fputs(HEADER, out);
    for (int i = 0; i < 250; i++)
        fputs(ROW("1", "1", TWO, "2", A, "0", "solved", "2", "DD", "x", "7", "1"), out);
    for (int i = 0; i < 50; i++)
        fputs("1,2\n", out);
    fclose(out);
    write_text("runs.csv", text);
    free(text);
    SCOPED char *file = results_file(folder);
    SCOPED_BY(results_end) struct results results = {0};
    SCOPED_BY(report_end) struct report report = {.file = "runs.csv"};
    assert_false(results_read(&results, file, NULL, &report));
    size_t lines = 0;
    for (const char *at = report.text; *at != '\0'; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 101);
    expect_text_in(report.text, "and 200 more problems\n");
}

#define FEW                                                                                        \
    "run_id,set,instance,width,height,start,goal,optimal_length,solver,status,length,expanded,"    \
    "generated,wall_s\n"

/* A solution without moves counts apart, and marks what it is part of. */
TEST(test_unverified)
{
    static const char text[] = FEW /* */
        "a,s,1,3,3," TWO "," GOAL ",2,alpha,solved,2,3,4,1\n"
        "b,s,1,3,3," TWO "," GOAL ",2,beta,solved,2,3,5,1\n"
        "c,s,2,3,3," TWO "," GOAL ",2,beta,solved,2,3,5,1\n";
    write_text("runs.csv", text);
    say_here(&(struct compare_options){0});
    assert_int_equal(said.code, 0);
    expect_text_in(said.out,
                   "alpha     0+1?       3*?        4*?     2*?  1.00 s*?  (the baseline)\n");
    expect_text_in(said.out,
                   "beta      0+2?        3?         5?      2?   1.00 s?  not enough data*?\n");
    expect_text_in(said.out, " more, on unverified runs (?), boards that were not tried");
    say_here(&(struct compare_options){.full = true});
    expect_text_in(said.out, "Note: s 3x3: ?: over unverified runs too, which");
    expect_text_in(said.out, "Note: s 3x3: *: the solver did not try all boards.");
    expect_text_in(said.out, "Note: s 3x3: 1 board was run by only one of beta and alpha: not");
    expect_cells("summary.csv", 1, "solved=0 unverified=1 instances_solved=1");
    expect_cells("summary.csv", 2, "solved=0 unverified=2 instances_solved=2");
    expect_cells("by_depth.csv", 2, "solver=beta instances=2 solved=2 unverified=2");
    expect_cells("pairs.csv", 1, "pairs=1 unverified=1");
}

/* Who says unsolvable of a board that is has answered: no star, and no pair. */
TEST(test_unsolvable)
{
    write_text("runs.csv",
               HEADER ROW("1", "1", TWO, "2", A, "0", "solved", "2", "DD", "2", "7", "1")
                   ROW("2", "2", ODD, "", A, "0", "unsolvable", "", "", "0", "0", "1")
                       ROW("3", "1", TWO, "2", B, "0", "solved", "2", "DD", "2", "7", "1")
                           ROW("4", "2", ODD, "", B, "0", "unsolvable", "", "", "0", "0", "1"));
    say_here(&(struct compare_options){.full = true});
    assert_int_equal(said.code, 0);
    expect_text_in(said.out, "unsolvable");
    assert_null(strstr(said.out, " 2*"));
    expect_text_in(said.out, "Left out by length: 1 of 2 instances, which cannot be solved.");
    expect_cells("summary.csv", 1, "unsolvable=1 instances=2 instances_solved=1");
    expect_cells("pairs.csv", 1, "pairs=1 neither=0 unsolvable=1");

    /* A limit on such a board is no answer. */
    write_text("runs.csv",
               HEADER ROW("1", "1", TWO, "2", A, "0", "solved", "2", "DD", "2", "7", "1")
                   ROW("2", "2", ODD, "", A, "0", "time_limit", "", "", "0", "0", "1"));
    say_here(&(struct compare_options){.full = true});
    expect_text_in(said.out, " 2.00*");
}

/* Everything at once; no line ends in spaces. */
TEST(test_text)
{
    say_small(&(struct compare_options){.full = true});
    expect_text_in(said.out, "s 3x3: 5 boards\n");
    expect_text_in(said.out,
                   "beta(x, y=1)     3/5         8         15       3  1.00 s  not enough");
    expect_text_in(said.out, "Not solved: alpha 1, beta(x, y=1) 1 (stuck); alpha 1 (time_limit); ");
    expect_text_in(said.out, "2.50*"); /* not all were solved */
    expect_text_in(said.out, "10.00 (2/3)");
    expect_text_in(said.out, "3.00 (1/3)");
    expect_text_in(said.out, "2.54 (2/3)");
    expect_text_in(said.out, "Left out by length: 1 of 5 instances");
    expect_text_in(said.out, "expanded against the baseline alpha");
    expect_text_in(said.out,
                   "Note: s 3x3: the ratio of beta(x, y=1) to alpha leaves out 1 board where a");
    expect_text_in(said.out, "- beta(x, y=1) against alpha: not enough data: 5 boards of the 6");
    for (const char *line = said.out; *line != '\0';) {
        size_t width = strcspn(line, "\n");
        assert_true(width == 0 || line[width - 1] != ' ');
        line += width + (line[width] == '\n');
    }
}

TEST(test_baseline)
{
    struct compare_options options = {.baseline = "beta(x, y=1)", .metric = METRIC_wall_s};
    say_small(&options);
    assert_int_equal(said.code, 0);
    expect_text_in(said.out, "verdict on wall_s\n");
    expect_text_in(said.out, "400 ms  not enough data\n");
    expect_text_in(said.out, "1.00 s  (the baseline)\n");

    options.baseline = "alhpa";
    say_small(&options);
    assert_int_equal(said.code, 2);
    assert_string_equal(said.out, "");
    assert_string_equal(said.err, "tilelab: no runs of the baseline 'alhpa'; did you mean "
                                  "'alpha'?\nThe solvers there are:\n  alpha\n  beta(x, y=1)\n");

    write_text("manifest.json", "{\"baseline\": \"beta(x, y=1)\"}");
    options.baseline = NULL;
    options.full = true;
    say_small(&options);
    expect_text_in(said.out, "- alpha against beta(x, y=1)");

    write_text("manifest.json", "{\"baseline\": \"gamma\"}");
    say_small(&options);
    assert_int_equal(said.code, 0);
    expect_text_in(said.out, "- beta(x, y=1) against alpha");
    expect_text_in(said.out, "Note: The experiment's baseline gamma has no runs here");

    write_text("manifest.json", "{\"baseline\": ");
    say_small(&options);
    assert_int_equal(said.code, 0);
    expect_text_in(said.out, "manifest.json:1:");
}

TEST(test_json)
{
    struct compare_options options = {.format = FORMAT_JSON};
    say_small(&options);
    assert_int_equal(said.code, 0);
    json_auto_t *object = json_loads(said.out, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(object);
    assert_int_equal(json_integer_value(json_object_get(object, "runs")), 12);
    assert_string_equal(json_string_value(json_object_get(object, "baseline")), "alpha");
    assert_int_equal(json_array_size(json_object_get(object, "by_depth")), 4);
    assert_int_equal(json_array_size(json_object_get(object, "pairs")), COLUMN_METRICS);
    json_t *first = json_array_get(json_object_get(object, "summary"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "solver")), "alpha");
    expect_near(json_real_value(json_object_get(first, "effective_branching_factor_mean")), 2.5);
    json_t *pair = json_array_get(json_object_get(object, "pairs"), 0);
    assert_true(json_is_null(json_object_get(pair, "ratio_low")));
}

TEST(test_output)
{
    struct compare_options options = {.output = "tables"};
    say_small(&options);
    assert_int_equal(said.code, 0);
    assert_int_equal(access("tables/pairs.csv", F_OK), 0);
    assert_int_equal(access("pairs.csv", F_OK), -1);

    options.output = "runs.csv"; /* not a folder */
    say_small(&options);
    assert_int_equal(said.code, 1);
    expect_text_in(said.out, "solver");
    expect_text_in(said.err, "cannot make the folder");
}

TEST(test_pooled)
{
    write_text("runs.csv", small);
    write_text("more.csv", HEADER ROW("12", "5", TWO, "2", B, "0", "stuck", "", "", "5", "6", "0.1")
                               ROW("13", "5", TWO, "2", "gamma", "0", "solved", "2", "DD", "5", "6",
                                   "1") "14,e,s,5,3");
    SCOPED char *more = heap_format("%s/more.csv", folder);
    const char *paths[] = {folder, more};
    say(paths, 2, &(struct compare_options){.full = true});
    assert_int_equal(said.code, 0);
    expect_text_in(said.out, "gamma");
    expect_text_in(said.out, "Note: Rows that repeat a run_id, and count once: 1.");
    expect_text_in(said.out, "Note: The last row of 1 file has no line end");
    expect_text_in(said.out,
                   "Note: s 3x3: 4 boards were run by only one of gamma and alpha: not compared.");
}

TEST(test_empty)
{
    write_text("runs.csv", HEADER);
    struct compare_options options = {.baseline = "alpha"};
    say_here(&options);
    assert_int_equal(said.code, 0);
    assert_string_equal(said.out, "There are no runs in these results.\n");
    options.format = FORMAT_JSON;
    say_here(&options);
    assert_int_equal(said.code, 0);
    json_auto_t *object = json_loads(said.out, 0, NULL);
    assert_true(json_is_null(json_object_get(object, "baseline")));
    assert_int_equal(json_array_size(json_object_get(object, "summary")), 0);
}

/* The exit code of the subcommand in a process of its own, silent. */
static int exit_code(int argc, char **argv)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        divert(STDOUT_FILENO, "/dev/null");
        divert(STDERR_FILENO, "/dev/null");
        argp_err_exit_status = EXIT_USAGE; /* as main does */
        int code = command_compare(argc, argv);
        fflush(stdout);
        _exit(code);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(test_command)
{
    write_text("runs.csv", small);
    char name[] = "tilelab compare";
    char metric[] = "--metric=wall_s";
    char wrong_metric[] = "--metric=walls";
    char unknown[] = "--unknown";
    char missing[] = "/nonexistent/results";
    char baseline[] = "--baseline=beta(x, y=1)";
    char wrong_baseline[] = "--baseline=beta";
    char json[] = "--json";
    char help[] = "--help";
    assert_int_equal(exit_code(5, (char *[]){name, metric, baseline, json, folder, NULL}), 0);
    assert_int_equal(exit_code(2, (char *[]){name, help, NULL}), 0);
    assert_int_equal(exit_code(1, (char *[]){name, NULL}), 2);
    assert_int_equal(exit_code(3, (char *[]){name, unknown, folder, NULL}), 2);
    assert_int_equal(exit_code(3, (char *[]){name, wrong_metric, folder, NULL}), 2);
    assert_int_equal(exit_code(3, (char *[]){name, wrong_baseline, folder, NULL}), 2);
    assert_int_equal(exit_code(2, (char *[]){name, missing, NULL}), 2);
}

TEST(test_paths)
{
    SCOPED char *with_slash = heap_format("%s/", folder);
    SCOPED char *expected = heap_format("%s/runs.csv", folder);
    ASSERT_TEXT(results_file(folder), expected);
    char *file = results_file(with_slash);
    assert_string_equal(file, expected);
    ASSERT_TEXT(results_folder(file), folder);
    free(file);
    ASSERT_TEXT(results_folder("runs.csv"), ".");
    ASSERT_TEXT(results_folder("/runs.csv"), "/");
}

/* Everything that is said of a folder, by so many threads. */
static char *said_by(enum format format, unsigned threads)
{
    const char *const here = folder;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = heap_stream(&text, &length);
    const struct compare_options options = {.metric = METRICS,
                                            .format = format,
                                            .full = true,
                                            .all_pairs = true,
                                            .quiet = true,
                                            .stream = stream,
                                            .errors = stderr};
    bool differs;
    threads_divide(0, threads);
    assert_int_equal(compare_print(&here, 1, &options, &differs), ENDING_DONE);
    threads_divide(0, 1);
    heap_stream_end(stream);
    return text;
}

/* Four solvers on 2,200 boards in two sets, so that there are several shares of outcomes. */
TEST(test_threads)
{
    enum { BOARDS = 2200, SOLVERS = 4 };
    static const enum format formats[] = {FORMAT_TEXT, FORMAT_JSON};
    SCOPED char *text = NULL;
    size_t length = 0;
    uint64_t seed = 3;
    FILE *stream = heap_stream(&text, &length);
    fputs(HEADER, stream);
    for (unsigned i = 0; i < BOARDS; i++)
        for (unsigned solver = 0; solver < SOLVERS; solver++)
            for (unsigned repetition = 0; repetition < 1 + (i % 50 == 0); repetition++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                const bool solved = seed >> 60 > solver;
                fprintf(stream,
                        "%x-%u-%u,e,%s,%u,3,3," TWO "," GOAL ",2,solver%u,x,,,ULRD,%u,%s,%s,%s,2,"
                        "%u,%u,0,0,0,0,0,1,1000,,,0,0.%u,0,h,t\n",
                        i, solver, repetition, i % 3 == 0 ? "s" : "t", i, solver, repetition,
                        solved ? "solved" : "node_limit", solved ? "2" : "", solved ? "DD" : "",
                        (unsigned)(seed >> 50), (unsigned)(seed >> 48), (unsigned)(seed >> 40));
            }
    heap_stream_end(stream);
    write_text("runs.csv", text);
    for (unsigned i = 0; i < 2; i++) {
        SCOPED char *expected = said_by(formats[i], 1);
        SCOPED char *by_three = said_by(formats[i], 3);
        assert_true(strlen(expected) > 3000);
        assert_string_equal(by_three, expected);
    }
}

AROUND_EACH_TEST(make_folder, forget)
