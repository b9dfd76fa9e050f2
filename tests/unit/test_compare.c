/* From rows to tables, on results small enough to work out by hand. */
#include "base/heap.h"
#include "harness/analysis/by_depth.h"
#include "harness/analysis/pairs.h"
#include "harness/analysis/summary.h"
#include "harness/commands/commands.h"
#include "harness/commands/compare.h"
#include <argp.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define HEADER                                                                                     \
    "run_id,experiment,set,instance,width,height,start,goal,optimal_length,solver,algorithm,"      \
    "heuristic,options,order,repetition,status,length,moves,h_start,expanded,generated,"           \
    "duplicates,"                                                                                  \
    "reopened,max_open,max_stored,max_depth,iterations,peak_bytes,first_found,best_found,wall_s,"  \
    "cpu_s,host,finished_at\n"

/* One row of the real form. The numbers are texts, so that they can be empty. */
#define ROW(id, instance, optimal, solver, repetition, status, length, expanded, generated, wall)  \
    id ",e,s," instance ",3,3,1 2 3,1 2 3," optimal "," solver ",x,,,ULRD," repetition "," status  \
       "," length ",,," expanded "," generated ",0,0,0,0,0,1,1000,,," wall ",0,h,t\n"

#define A "alpha"
#define B "\"beta(x, y=1)\""

/* Two solvers on five instances; 3 starts at its goal, 4 has no optimal length, 5 is solved by
 * none. */
static const char small[] =
    HEADER ROW("01", "1", "2", A, "0", "solved", "2", "2", "7", "0.1") /* b* = 2: 1 + 2 + 4 */
    ROW("02", "1", "2", A, "1", "solved", "2", "2", "7", "0.3")        /* the median is 0.2 */
    ROW("03", "1", "2", A, "2", "solved", "2", "2", "7", "0.2")        /* */
    ROW("04", "1", "2", B, "0", "solved", "2", "1", "3", "0.4")        /* b* = 1 */
    ROW("05", "2", "2", A, "0", "solved", "2", "4", "13", "0.4")       /* b* = 3: 1 + 3 + 9 */
    ROW("06", "2", "2", B, "0", "node_limit", "", "900", "1000", "9")  /* */
    ROW("07", "3", "0", A, "0", "solved", "0", "0", "1", "0.01")       /* no b* */
    ROW("08", "3", "0", B, "0", "solved", "0", "0", "1", "0.01")       /* */
    ROW("09", "4", "", A, "0", "time_limit", "", "900", "1000", "9")   /* */
    ROW("10", "4", "", B, "0", "solved", "3", "8", "15", "1")          /* b* = 2 */
    ROW("11", "5", "2", A, "0", "stuck", "", "5", "6", "0.1")          /* */
    ROW("12", "5", "2", B, "0", "stuck", "", "5", "6", "0.1");

/* A folder of its own for each test. */
static int make_folder(void **state)
{
    char *folder = heap_text("/tmp/test_compare.XXXXXX");
    *state = folder;
    return mkdtemp(folder) == NULL;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static int remove_folder(void **state)
{
    int result = nftw(*state, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return result;
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char *path = heap_format("%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(path);
}

/* The text of a file, or NULL. */
static char *read_path(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return NULL;
    char *text = NULL;
    size_t capacity = 0;
    if (getdelim(&text, &capacity, '\0', file) < 0) {
        free(text);
        text = heap_text("");
    }
    fclose(file);
    return text;
}

static char *read_file(const char *folder, const char *name)
{
    char *path = heap_format("%s/%s", folder, name);
    char *text = read_path(path);
    free(path);
    return text;
}

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
static struct results results_of(const char *folder, const char *text, const char *problems)
{
    struct results results = {0};
    write_file(folder, "runs.csv", text);
    char *file = results_file(folder);
    struct report report;
    report_start(&report, "runs.csv");
    bool good = results_read(&results, file, &report);
    assert_string_equal(report.text == NULL ? "" : report.text, problems == NULL ? "" : problems);
    assert_int_equal(good, problems == NULL);
    report_end(&report);
    free(file);
    if (good)
        results_settle(&results);
    return results;
}

static void test_summary(void **state)
{
    struct results results = results_of(*state, small, NULL);
    assert_int_equal(results.count, 12);
    assert_int_equal(results.instances.count, 5);
    assert_int_equal(results.repeated, 0);
    assert_int_equal(results.disagreeing, 0);
    struct summary summary = summary_of(&results);
    assert_int_equal(summary.count, 2);

    const struct solver_summary *a = &summary.solvers[0];
    assert_string_equal(results.solvers.text[0], "alpha");
    assert_int_equal(a->runs, 7);
    assert_int_equal(a->solved, 5);
    assert_int_equal(a->instances, 5);
    assert_int_equal(a->instances_solved, 3);
    assert_int_equal(a->by_status[names_find(&results.statuses, "time_limit")], 1);
    assert_int_equal(a->by_status[names_find(&results.statuses, "stuck")], 1);
    assert_int_equal(a->by_status[names_find(&results.statuses, "node_limit")], 0);
    expect_near(a->value[METRIC_EXPANDED].median, 2);
    expect_near(a->value[METRIC_EXPANDED].mean, 2);
    expect_near(a->value[METRIC_GENERATED].median, 7);
    expect_near(a->value[METRIC_GENERATED].mean, 7);
    expect_near(a->value[METRIC_LENGTH].median, 2);
    expect_near(a->value[METRIC_LENGTH].mean, 4.0 / 3);
    expect_near(a->value[METRIC_WALL_S].median, 0.2);
    expect_near(a->value[METRIC_WALL_S].mean, (0.2 + 0.4 + 0.01) / 3);
    expect_near(a->branching.median, 2.5);
    expect_near(a->branching.mean, 2.5);
    expect_near(a->peak_bytes, 1000);

    const struct solver_summary *b = &summary.solvers[1];
    assert_string_equal(results.solvers.text[1], "beta(x, y=1)");
    assert_int_equal(b->runs, 5);
    assert_int_equal(b->solved, 3);
    expect_near(b->value[METRIC_EXPANDED].median, 1);
    expect_near(b->value[METRIC_EXPANDED].mean, 3);
    expect_near(b->value[METRIC_GENERATED].mean, 19.0 / 3);
    expect_near(b->branching.mean, 1.5);
    summary_end(&summary);
    results_end(&results);
}

static void test_by_depth(void **state)
{
    struct results results = results_of(*state, small, NULL);
    struct by_depth by_depth = by_depth_of(&results);
    assert_int_equal(by_depth.count, 2);
    assert_int_equal(by_depth.rows[0].length, 0);
    assert_int_equal(by_depth.rows[1].length, 2);
    assert_int_equal(by_depth.left_out, 1);
    const struct depth_cell *zero = &by_depth.cells[0];
    assert_int_equal(zero->solved, 1);
    expect_near(zero->mean[METRIC_GENERATED], 1);
    assert_true(isnan(zero->branching));
    const struct depth_cell *a = &by_depth.cells[2];
    assert_int_equal(a->instances, 3);
    assert_int_equal(a->solved, 2);
    expect_near(a->mean[METRIC_EXPANDED], 3);
    expect_near(a->mean[METRIC_GENERATED], 10);
    expect_near(a->mean[METRIC_WALL_S], 0.3);
    expect_near(a->branching, (sqrt(37) - 1) / 2); /* b + b^2 = 9 */
    const struct depth_cell *b = &by_depth.cells[3];
    assert_int_equal(b->instances, 3);
    assert_int_equal(b->solved, 1);
    expect_near(b->branching, 1);
    by_depth_end(&by_depth);
    results_end(&results);
}

/* Boards of two sizes at the same depth are never averaged together. */
static void test_by_depth_and_size(void **state)
{
    const char *text =
        "run_id,set,instance,width,height,start,goal,optimal_length,solver,status,length,expanded,"
        "generated,peak_bytes,wall_s\n"
        "a,s,1,4,4,x,y,2,alpha,solved,2,4,100,1,0.1\n"
        "b,s,2,3,3,x,y,2,alpha,solved,2,4,10,1,0.1\n"
        "c,s,3,3,3,x,y,2,alpha,solved,2,4,20,1,0.1\n";
    struct results results = results_of(*state, text, NULL);
    struct by_depth by_depth = by_depth_of(&results);
    assert_int_equal(by_depth.count, 2);
    assert_int_equal(by_depth.rows[0].width, 3);
    expect_near(by_depth.cells[0].mean[METRIC_GENERATED], 15);
    assert_int_equal(by_depth.rows[1].width, 4);
    expect_near(by_depth.cells[1].mean[METRIC_GENERATED], 100);
    by_depth_end(&by_depth);
    results_end(&results);
}

static void test_pairs(void **state)
{
    struct results results = results_of(*state, small, NULL);
    struct pairs pairs = pairs_of(&results, 0);
    assert_int_equal(pairs.solvers, 1);
    const struct pair *expanded = &pairs.pairs[METRIC_EXPANDED];
    assert_int_equal(expanded->solver, 1);
    assert_int_equal(expanded->pairs, 2); /* instances 1 and 3 */
    assert_int_equal(expanded->wins, 1);
    assert_int_equal(expanded->ties, 1);
    assert_int_equal(expanded->losses, 0);
    assert_int_equal(expanded->ratio_pairs, 1); /* 3 needed nothing */
    expect_near(expanded->ratio, 0.5);
    assert_true(isnan(expanded->interval.low));
    expect_near(expanded->p, 1);
    expect_near(expanded->p_holm, 1);
    assert_int_equal(expanded->only_solver, 1);
    assert_int_equal(expanded->only_baseline, 1);
    assert_int_equal(expanded->neither, 1);
    const struct pair *generated = &pairs.pairs[METRIC_GENERATED];
    assert_int_equal(generated->ratio_pairs, 2);
    expect_near(generated->ratio, sqrt(3.0 / 7));
    const struct pair *wall = &pairs.pairs[METRIC_WALL_S];
    assert_int_equal(wall->losses, 1);
    expect_near(wall->ratio, sqrt(0.4 / 0.2));
    pairs_end(&pairs);

    pairs = pairs_of(&results, 1); /* the other way round */
    assert_int_equal(pairs.pairs[METRIC_EXPANDED].solver, 0);
    assert_int_equal(pairs.pairs[METRIC_EXPANDED].losses, 1);
    expect_near(pairs.pairs[METRIC_EXPANDED].ratio, 2);
    pairs_end(&pairs);
    results_end(&results);
}

/* Three solvers, eight instances: the p of each is exact, and Holm's correction is over the two
 * compared. */
static void test_pairs_tests(void **state)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fputs(
        "run_id,set,instance,width,height,start,goal,optimal_length,solver,status,length,expanded,"
        "generated,peak_bytes,wall_s\n",
        out);
    for (int i = 1; i <= 8; i++) {
        int better = 100 - 10 * i;             /* always less: p = 2 / 256 */
        int mixed = i <= 6 ? 100 + i : 99 - i; /* gains of ranks 7 and 8, losses of ranks 1 to 6 */
        fprintf(out, "%d0,s,%d,3,3,b,g,,base,solved,5,100,200,,1\n", i, i);
        fprintf(out, "%d1,s,%d,3,3,b,g,,better,solved,5,%d,200,,1\n", i, i, better);
        fprintf(out, "%d2,s,%d,3,3,b,g,,mixed,solved,5,%d,200,,1\n", i, i, mixed);
    }
    fclose(out);
    struct results results = results_of(*state, text, NULL);
    struct pairs pairs = pairs_of(&results, 0);
    const struct pair *better = &pairs.pairs[0];
    const struct pair *mixed = &pairs.pairs[1];
    expect_near(better->p, 2.0 / 256);
    expect_near(better->p_holm, 4.0 / 256);
    assert_true(better->interval.low < better->ratio && better->ratio < better->interval.high);
    assert_int_equal(mixed->wins, 2);
    assert_int_equal(mixed->losses, 6);
    /* Ranks of gains: 15 of 36. Sets of distinct ranks 1 .. 8 that sum to at most 15 are 95 of 256.
     */
    expect_near(mixed->p, 2 * 95.0 / 256);
    expect_near(mixed->p_holm, 2 * 95.0 / 256);
    /* Equal everywhere: no difference and a ratio of exactly 1. */
    const struct pair *equal = &pairs.pairs[METRIC_GENERATED * 2];
    assert_int_equal(equal->ties, 8);
    expect_near(equal->p, 1);
    assert_true(equal->ratio == 1 && equal->interval.low == 1 && equal->interval.high == 1);
    pairs_end(&pairs);
    results_end(&results);
    free(text);
}

/* An instance that one of the two never ran says nothing of either; nor does an interrupted run. */
static void test_unshared(void **state)
{
    struct results results =
        results_of(*state,
                   HEADER ROW("1", "1", "2", A, "0", "solved", "2", "2", "7", "1")
                       ROW("2", "2", "2", A, "0", "solved", "2", "2", "7", "1")
                           ROW("3", "2", "2", B, "0", "interrupted", "", "", "", "")
                               ROW("4", "3", "2", A, "0", "solved", "2", "2", "7", "1")
                                   ROW("5", "3", "2", B, "0", "crashed", "", "", "", ""),
                   NULL);
    struct pairs pairs = pairs_of(&results, 0);
    assert_int_equal(pairs.pairs[0].unshared, 2);
    assert_int_equal(pairs.pairs[0].only_baseline, 1);
    assert_int_equal(pairs.pairs[0].pairs, 0);
    assert_true(isnan(pairs.pairs[0].p) && isnan(pairs.pairs[0].ratio));
    pairs_end(&pairs);
    struct summary summary = summary_of(&results);
    assert_int_equal(summary.solvers[1].runs, 2);
    assert_int_equal(summary.solvers[1].instances, 1);
    assert_true(isnan(summary.solvers[1].value[METRIC_LENGTH].mean));
    summary_end(&summary);
    results_end(&results);
}

static void test_repeated(void **state)
{
    struct results results =
        results_of(*state,
                   HEADER ROW("1", "1", "2", A, "0", "interrupted", "", "", "", "")
                       ROW("2", "2", "2", A, "0", "solved", "2", "2", "7", "1")
                           ROW("1", "1", "2", A, "0", "solved", "2", "2", "7", "1")
                               ROW("2", "2", "2", A, "0", "interrupted", "", "", "", ""),
                   NULL);
    assert_int_equal(results.count, 2);
    assert_int_equal(results.repeated, 2);
    assert_true(results.runs[0].solved); /* the later row counts */
    assert_true(results.runs[1].solved); /* but not for being interrupted */
    results_end(&results);
}

static void test_disagreeing(void **state)
{
    struct results results =
        results_of(*state,
                   HEADER ROW("1", "1", "2", A, "0", "solved", "2", "2", "7", "1")
                       ROW("2", "1", "2", A, "1", "solved", "2", "4", "7", "1"),
                   NULL);
    assert_int_equal(results.disagreeing, 1);
    expect_near(results_outcome(&results, 0, 0)->value[METRIC_EXPANDED], 3);
    results_end(&results);
}

static void test_wrong_input(void **state)
{
    static const char *const cases[][2] = {
        {"", "runs.csv: no header; expected a first line of column names\n"},
        {"run_id,set,instance,width,height,start,goal,optimal_length,solver,length,expanded,"
         "generated,wall_s\n",
         "runs.csv:1:1: no column 'status'; expected it in the header\n"
         "runs.csv:1:1: no column 'peak_bytes'; expected it in the header\n"},
        {HEADER ROW("1", "1", "2", A, "0", "solved", "2", "many", "7", "1"),
         "runs.csv:2:55: expanded 'many'; expected a number\n"},
        {HEADER ROW("1", "1", "2", A, "0", "solved", "2", "-3", "7", "1"),
         "runs.csv:2:55: expanded '-3'; expected a number\n"},
        {HEADER ROW("1", "1", "2", A, "0", "solved", "2", "0x3", "7", "1"),
         "runs.csv:2:55: expanded '0x3'; expected a number\n"},
        {HEADER ROW("1", "1", "2", A, "0", "solved", "", "3", "7", "1"),
         "runs.csv:2:51: length ''; expected a number, as the run is solved\n"},
        {HEADER ROW("1", "1", "2.5", A, "0", "solved", "2", "3", "7", "1"),
         "runs.csv:2:25: optimal_length '2.5'; expected a whole number of moves\n"},
        {HEADER ROW("1", "1", "2", A, "0", "solved", "2", "3", "7", "1")
             ROW("2", "1", "4", A, "1", "solved", "2", "3", "7", "1"),
         "runs.csv:3:25: optimal_length '4'; expected 2, as in a row before for the same "
         "instance\n"},
        {HEADER ROW("", "1", "2", A, "0", "solved", "2", "3", "7", "1"),
         "runs.csv:2:1: run_id ''; expected a text\n"},
        {HEADER "1,2\n", "runs.csv:2:3: the row has 2 fields; expected 34 as in the header\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct results results = results_of(*state, cases[i][0], cases[i][1]);
        results_end(&results);
    }
}

/* What the program says. */
struct said {
    int code;
    char *out, *err;
};

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

static struct said say(const char *folder, const char *const *paths, size_t count,
                       const struct compare_options *options)
{
    char *out = heap_format("%s.out", folder);
    char *err = heap_format("%s.err", folder);
    fflush(stdout);
    int kept_out = divert(STDOUT_FILENO, out);
    int kept_err = divert(STDERR_FILENO, err);
    struct said said = {.code = compare_print(paths, count, options)};
    fflush(stdout);
    restore(STDOUT_FILENO, kept_out);
    restore(STDERR_FILENO, kept_err);
    said.out = read_path(out);
    said.err = read_path(err);
    unlink(out);
    unlink(err);
    free(out);
    free(err);
    return said;
}

static struct said say_small(const char *folder, const struct compare_options *options)
{
    write_file(folder, "runs.csv", small);
    return say(folder, &folder, 1, options);
}

static void end_said(struct said *said)
{
    free(said->out);
    free(said->err);
}

static void expect_file(const char *folder, const char *name, const char *expected)
{
    char *text = read_file(folder, name);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void test_files(void **state)
{
    const char *folder = *state;
    struct said said = say_small(folder, &(struct compare_options){0});
    assert_int_equal(said.code, 0);
    assert_string_equal(said.err, "");
    end_said(&said);
    expect_file(
        folder, "summary.csv",
        "solver,runs,solved,node_limit,time_limit,stuck,instances,instances_solved,expanded_median,"
        "expanded_mean,generated_median,generated_mean,length_median,length_mean,wall_s_median,"
        "wall_s_mean,effective_branching_factor_median,effective_branching_factor_mean,"
        "peak_bytes_max\n"
        "alpha,7,5,0,1,1,5,3,2,2,7,7,2,1.33333333333,0.2,0.203333333333,2.5,2.5,1000\n"
        "\"beta(x, y=1)\",5,3,1,0,1,5,3,1,3,3,6.33333333333,2,1.66666666667,0.4,0.47,1.5,1.5,"
        "1000\n");
    expect_file(folder, "by_depth.csv",
                "width,height,optimal_length,solver,instances,solved,mean_expanded,mean_generated,"
                "mean_length,mean_wall_s,effective_branching_factor\n"
                "3,3,0,alpha,1,1,0,1,0,0.01,\n"
                "3,3,0,\"beta(x, y=1)\",1,1,0,1,0,0.01,\n"
                "3,3,2,alpha,3,2,3,10,2,0.3,2.54138126515\n"
                "3,3,2,\"beta(x, y=1)\",3,1,1,3,2,0.4,1\n");
    expect_file(folder, "pairs.csv",
                "metric,solver,baseline,pairs,wins,ties,losses,ratio,ratio_low,ratio_high,p,p_holm,"
                "only_solver,only_baseline,neither,ratio_pairs,unshared\n"
                "expanded,\"beta(x, y=1)\",alpha,2,1,1,0,0.5,,,1,1,1,1,1,1,0\n"
                "generated,\"beta(x, y=1)\",alpha,2,1,1,0,0.654653670708,0.428571428571,1,1,1,"
                "1,1,1,2,0\n"
                "length,\"beta(x, y=1)\",alpha,2,0,2,0,1,,,1,1,1,1,1,1,0\n"
                "wall_s,\"beta(x, y=1)\",alpha,2,0,1,1,1.41421356237,1,2,1,1,1,1,1,2,0\n");
}

static void test_text(void **state)
{
    struct said said = say_small(*state, &(struct compare_options){0});
    expect_text_in(said.out, "[1]  alpha            7       5           0           1      1");
    expect_text_in(said.out, "*2.50"); /* not all were solved */
    expect_text_in(said.out, "*: over the solved runs only");
    expect_text_in(said.out, "10.00 (2/3)");
    expect_text_in(said.out, "3.00 (1/3)");
    expect_text_in(said.out, "*2.54");
    expect_text_in(said.out, "Left out: 1 of 5 instances");
    expect_text_in(said.out, "expanded against the baseline [1] alpha");
    expect_text_in(said.out, "The ratio leaves out pairs where a value is 0: 1 of [2].");
    for (const char *line = said.out; *line != '\0';) {
        size_t width = strcspn(line, "\n");
        assert_true(width <= 110);
        assert_true(width == 0 || line[width - 1] != ' ');
        line += width + (line[width] == '\n');
    }
    end_said(&said);
}

static void test_baseline(void **state)
{
    const char *folder = *state;
    struct compare_options options = {.baseline = "beta(x, y=1)", .metric = METRIC_WALL_S};
    struct said said = say_small(folder, &options);
    assert_int_equal(said.code, 0);
    expect_text_in(said.out, "wall_s against the baseline [2] beta(x, y=1)");
    end_said(&said);

    options.baseline = "alhpa";
    said = say_small(folder, &options);
    assert_int_equal(said.code, 2);
    assert_string_equal(said.out, "");
    assert_string_equal(said.err, "tilelab compare: no runs of the baseline 'alhpa'; did you mean "
                                  "'alpha'?\nThe solvers there are:\n  alpha\n  beta(x, y=1)\n");
    end_said(&said);

    write_file(folder, "manifest.json", "{\"baseline\": \"beta(x, y=1)\"}");
    options.baseline = NULL;
    said = say_small(folder, &options);
    expect_text_in(said.out, "against the baseline [2] beta(x, y=1)");
    end_said(&said);

    write_file(folder, "manifest.json", "{\"baseline\": \"gamma\"}");
    said = say_small(folder, &options);
    assert_int_equal(said.code, 0);
    expect_text_in(said.out, "against the baseline [1] alpha");
    expect_text_in(said.out, "Note: The experiment's baseline gamma has no runs here");
    end_said(&said);

    write_file(folder, "manifest.json", "{\"baseline\": ");
    said = say_small(folder, &options);
    assert_int_equal(said.code, 0);
    expect_text_in(said.out, "manifest.json:1:");
    end_said(&said);
}

static void test_json(void **state)
{
    struct compare_options options = {.json = true};
    struct said said = say_small(*state, &options);
    assert_int_equal(said.code, 0);
    json_t *object = json_loads(said.out, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(object);
    assert_int_equal(json_integer_value(json_object_get(object, "runs")), 12);
    assert_string_equal(json_string_value(json_object_get(object, "baseline")), "alpha");
    assert_int_equal(json_array_size(json_object_get(object, "by_depth")), 4);
    assert_int_equal(json_array_size(json_object_get(object, "pairs")), METRICS);
    json_t *first = json_array_get(json_object_get(object, "summary"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "solver")), "alpha");
    expect_near(json_real_value(json_object_get(first, "effective_branching_factor_mean")), 2.5);
    json_t *pair = json_array_get(json_object_get(object, "pairs"), 0);
    assert_true(json_is_null(json_object_get(pair, "ratio_low")));
    json_decref(object);
    end_said(&said);
}

static void test_output(void **state)
{
    const char *folder = *state;
    char *inside = heap_format("%s/tables", folder);
    struct compare_options options = {.output = inside};
    struct said said = say_small(folder, &options);
    assert_int_equal(said.code, 0);
    end_said(&said);
    char *pairs = read_file(inside, "pairs.csv");
    assert_non_null(pairs);
    free(pairs);
    assert_null(read_file(folder, "pairs.csv"));
    free(inside);

    inside = heap_format("%s/runs.csv", folder); /* not a folder */
    options.output = inside;
    said = say_small(folder, &options);
    assert_int_equal(said.code, 1);
    expect_text_in(said.out, "Runs");
    expect_text_in(said.err, "cannot write");
    end_said(&said);
    free(inside);
}

static void test_pooled(void **state)
{
    const char *folder = *state;
    write_file(folder, "runs.csv", small);
    write_file(folder, "more.csv",
               HEADER ROW("12", "5", "2", B, "0", "stuck", "", "5", "6", "0.1")
                   ROW("13", "5", "2", "gamma", "0", "solved", "2", "5", "6", "1") "14,e,s,5,3");
    char *more = heap_format("%s/more.csv", folder);
    const char *paths[] = {folder, more};
    struct said said = say(folder, paths, 2, &(struct compare_options){0});
    assert_int_equal(said.code, 0);
    expect_text_in(said.out, "[3]  gamma");
    expect_text_in(said.out, "Note: Rows that repeat a run_id, and count once: 1.");
    expect_text_in(said.out, "Note: The last row of 1 file has no line end");
    expect_text_in(said.out, "[3]: 4 instances were run by only one of the two");
    end_said(&said);
    free(more);
}

static void test_empty(void **state)
{
    const char *folder = *state;
    write_file(folder, "runs.csv", HEADER);
    struct compare_options options = {.baseline = "alpha"};
    struct said said = say(folder, &folder, 1, &options);
    assert_int_equal(said.code, 0);
    assert_string_equal(said.out, "There are no runs in these results.\n");
    end_said(&said);
    options.json = true;
    said = say(folder, &folder, 1, &options);
    assert_int_equal(said.code, 0);
    json_t *object = json_loads(said.out, 0, NULL);
    assert_true(json_is_null(json_object_get(object, "baseline")));
    assert_int_equal(json_array_size(json_object_get(object, "summary")), 0);
    json_decref(object);
    end_said(&said);
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

static void test_command(void **state)
{
    char *folder = *state;
    write_file(folder, "runs.csv", small);
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

static void test_paths(void **state)
{
    char *folder = *state;
    char *with_slash = heap_format("%s/", folder);
    char *expected = heap_format("%s/runs.csv", folder);
    char *file = results_file(folder);
    assert_string_equal(file, expected);
    free(file);
    file = results_file(with_slash);
    assert_string_equal(file, expected);
    char *inside = results_folder(file);
    assert_string_equal(inside, folder);
    free(inside);
    free(file);
    inside = results_folder("runs.csv");
    assert_string_equal(inside, ".");
    free(inside);
    inside = results_folder("/runs.csv");
    assert_string_equal(inside, "/");
    free(inside);
    free(expected);
    free(with_slash);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_summary),  TEST(test_by_depth),    TEST(test_by_depth_and_size),
        TEST(test_pairs),    TEST(test_pairs_tests), TEST(test_unshared),
        TEST(test_repeated), TEST(test_disagreeing), TEST(test_wrong_input),
        TEST(test_files),    TEST(test_text),        TEST(test_baseline),
        TEST(test_json),     TEST(test_output),      TEST(test_pooled),
        TEST(test_empty),    TEST(test_command),     TEST(test_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
