/* What an experiment file means, and what is said of a wrong one, word for word.
 *
 * Each test runs in a folder of its own that also holds the data that ships, so that the messages
 * do not depend on where the tests run. */
#include "algorithms/algorithm.h"
#include "base/heap.h"
#include "harness/experiment.h"
#include "harness/problems.h"
#include "harness/schema.h"
#include "heuristics/heuristic.h"
#include "puzzle/goal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_experiment.XXXXXX";

static void write_bytes(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

static const char *const files[] = {
    "e.yaml",           "wrong.txt",      "one.txt",
    "here/e.yaml",      "here/two.txt",   "here/sets",
    "here/experiments", "sets/three.csv", "experiments/shipped.yaml"};
static const char *const folders[] = {"here", "sets", "experiments"};

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || setenv("TILELAB_DATA", folder, 1) != 0)
        return -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(folders[i], 0700) != 0)
            return -1;
    write_text("sets/three.csv", "# from nowhere\n"
                                 "id,start,goal,optimal_length\n"
                                 "a,1 2 3 5 6 0 7 8 4,1 2 3 5 8 6 0 7 4,3\n"
                                 "b,1 2 3 4 5 6 7 0 8,blank-last,1\n"
                                 "c,1 2 3 4 5 6 0 7 8,,2\n");
    write_text("wrong.txt", "1 2 3 4 5 6 7 0 8\n\n1 2 3 4 5 6 7 7 8\n");
    write_text("one.txt", "1 2 3 4 5 6 7 0 8\n");
    write_text("here/two.txt", "1 2 3\n4 5 6\n0 7 8\n\n1 2 3\n4 0 6\n7 5 8\n");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        rmdir(folders[i]);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

#define HEAD    "experiment: e\n"
#define SETS    "instances: [{name: u, size: 3x3, count: 2}]\n"
#define SOLVERS "solvers: [bfs]\n"
#define GOOD    HEAD SETS SOLVERS

/* Loads a text that must be right. */
static struct experiment load(const char *text)
{
    struct experiment experiment;
    struct report report;
    write_text("e.yaml", text);
    report_start(&report, NULL);
    bool fine = experiment_load("e.yaml", &report, &experiment);
    if (!fine)
        print_error("%s", report.text);
    assert_true(fine);
    assert_int_equal(report.count, 0);
    report_end(&report);
    return experiment;
}

/* The solvers as "text time/bytes/nodes", each on a line. */
static char *solver_lines(const struct experiment *experiment)
{
    char *text = heap_text("");
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct experiment_solver *solver = &experiment->solvers[i];
        char *longer = heap_format("%s%s %g/%zu/%zu\n", text, solver->text, solver->limits.seconds,
                                   (size_t)solver->limits.bytes, (size_t)solver->limits.nodes);
        free(text);
        text = longer;
    }
    return text;
}

/* The instances as "set/name start goal length", each on a line. */
static char *instance_lines(const struct experiment *experiment)
{
    char *text = heap_text("");
    for (size_t i = 0; i < experiment->instances.count; i++) {
        const struct instance *instance = &experiment->instances.items[i];
        char start[BOARD_LINE];
        char goal[BOARD_LINE];
        board_line(&instance->start, start);
        board_line(&instance->goal, goal);
        char *longer = heap_format("%s%s/%s %s, %s, %d\n", text, instance->set, instance->name,
                                   start, goal, instance->optimal_length);
        free(text);
        text = longer;
    }
    return text;
}

static void expect_solvers(const char *text, const char *lines)
{
    struct experiment experiment = load(text);
    char *seen = solver_lines(&experiment);
    assert_string_equal(seen, lines);
    free(seen);
    experiment_end(&experiment);
}

static void expect_instances(const char *text, const char *lines)
{
    struct experiment experiment = load(text);
    char *seen = instance_lines(&experiment);
    assert_string_equal(seen, lines);
    free(seen);
    experiment_end(&experiment);
}

static void test_defaults(void **state)
{
    (void)state;
    struct experiment experiment = load(GOOD);
    assert_string_equal(experiment.name, "e");
    assert_string_equal(experiment.path, "e.yaml");
    assert_string_equal(experiment.source, GOOD);
    assert_int_equal(experiment.source_length, strlen(GOOD));
    assert_string_equal(experiment.description, "");
    assert_int_equal(experiment.seed, 1);
    assert_string_equal(experiment.order, "ULRD");
    assert_int_equal(experiment.repetitions, 1);
    assert_true(experiment.limits.seconds == 60);
    assert_int_equal(experiment.limits.bytes, UINT64_C(2) << 30);
    assert_int_equal(experiment.limits.nodes, 0);
    assert_int_equal(experiment.jobs, 0);
    assert_string_equal(experiment.output, "results/e");
    assert_null(experiment.baseline);
    assert_int_equal(experiment.instances.count, 2);
    assert_string_equal(goal_name(&experiment.instances.items[0].goal), "blank-last");
    assert_true(experiment.instances.items[0].optimal_length >= 0); /* looked up */
    experiment_end(&experiment);
}

static void test_every_key(void **state)
{
    (void)state;
    struct experiment experiment =
        load("experiment: all-1.0_x\n"
             "description: |\n"
             "  two\n"
             "  lines\n"
             "seed: 18446744073709551615\n" SETS "goal: snail\n"
             "solvers: [bfs, 'lcbb(misplaced, duplicates=none)']\n"
             "order: rdlu\n"
             "repetitions: 3\n"
             "limits: {time: 1.5m, memory: 1GB, nodes: 500M}\n"
             "jobs: 2\n"
             "output: there/it goes\n"
             "compare: {baseline: \"lcbb( misplaced,duplicates=none )\"}\n");
    assert_string_equal(experiment.name, "all-1.0_x");
    assert_string_equal(experiment.description, "two\nlines");
    assert_true(experiment.seed == UINT64_MAX);
    assert_string_equal(goal_name(&experiment.instances.items[0].goal), "snail");
    assert_string_equal(experiment.order, "RDLU");
    assert_int_equal(experiment.repetitions, 3);
    assert_true(experiment.limits.seconds == 90);
    assert_int_equal(experiment.limits.bytes, 1000000000);
    assert_int_equal(experiment.limits.nodes, 500000000);
    assert_int_equal(experiment.jobs, 2);
    assert_string_equal(experiment.output, "there/it goes");
    assert_string_equal(experiment.baseline, "lcbb(misplaced, duplicates=none)");
    experiment_end(&experiment);
}

/* Instances vary slowest, repetitions fastest. */
static void test_matrix(void **state)
{
    (void)state;
    struct experiment experiment = load(HEAD SETS "solvers: [bfs, dfs, astar(manhattan)]\n"
                                                  "repetitions: 4\n");
    size_t index = 0;
    assert_int_equal(experiment_run_count(&experiment), 2 * 3 * 4);
    for (size_t instance = 0; instance < 2; instance++)
        for (size_t solver = 0; solver < 3; solver++)
            for (unsigned repetition = 1; repetition <= 4; repetition++) {
                struct run run = experiment_run(&experiment, index++);
                assert_int_equal(run.instance, instance);
                assert_int_equal(run.solver, solver);
                assert_int_equal(run.repetition, repetition);
            }
    experiment_end(&experiment);
}

static void test_solvers(void **state)
{
    (void)state;
    expect_solvers(HEAD SETS "solvers: [bfs, dfs(depth_limit=31)]\n"
                             "limits: {time: 10s, memory: 64KiB}\n",
                   "bfs 10/65536/0\n"
                   "dfs(depth_limit=31) 10/65536/0\n");
    /* The first key varies slowest, whatever it is. */
    expect_solvers(HEAD SETS
                   "solvers:\n"
                   "  - {algorithm: [greedy, astar], heuristic: [misplaced, manhattan]}\n",
                   "greedy(misplaced) 60/2147483648/0\n"
                   "greedy(manhattan) 60/2147483648/0\n"
                   "astar(misplaced) 60/2147483648/0\n"
                   "astar(manhattan) 60/2147483648/0\n");
    expect_solvers(
        HEAD SETS
        "solvers:\n"
        "  - {depth_limit: [none, 7], heuristic: [misplaced, manhattan], algorithm: astar}\n",
        "astar(misplaced) 60/2147483648/0\n"
        "astar(manhattan) 60/2147483648/0\n"
        "astar(misplaced, depth_limit=7) 60/2147483648/0\n"
        "astar(manhattan, depth_limit=7) 60/2147483648/0\n");
    expect_solvers(HEAD SETS "solvers:\n"
                             "  - algorithm: descent\n"
                             "    heuristic: misplaced\n"
                             "    count_blank: [true, false]\n",
                   "descent(misplaced, count_blank) 60/2147483648/0\n"
                   "descent(misplaced) 60/2147483648/0\n");
    /* A solver's limits go before the experiment's, key by key; the experiment's may stand below.
     */
    expect_solvers(HEAD SETS "solvers:\n"
                             "  - {algorithm: bfs, limits: {nodes: 2M}}\n"
                             "  - {algorithm: dfs, limits: {nodes: none, time: 500ms}}\n"
                             "  - {algorithm: astar, heuristic: zero, limits: {memory: 1MiB}}\n"
                             "limits: {time: 1h, nodes: 7k}\n",
                   "bfs 3600/2147483648/2000000\n"
                   "dfs 0.5/2147483648/0\n"
                   "astar(zero) 3600/1048576/7000\n");
    /* Aliases are fine where they are not part of themselves. */
    expect_solvers(HEAD SETS "limits: &all {time: 2s}\n"
                             "solvers:\n"
                             "  - {algorithm: bfs, limits: *all}\n",
                   "bfs 2/2147483648/0\n");
}

static void test_written_boards(void **state)
{
    (void)state;
    expect_instances(
        HEAD "instances:\n"
             "  - {name: a, boards: [1 2 3 4 5 6 7 0 8, [1,2,3,4,0,6,7,5,8], \"123456_78\"]}\n"
             "  - name: b\n"
             "    boards: |\n"
             "      # two of them\n"
             "      1 2 3\n"
             "      4 5 6\n"
             "      7 _ 8\n"
             "\n"
             "      1 2 3\n"
             "      4 5 6\n"
             "      _ 7 8\n"
             "  - {name: c, boards: [1 2 3 4 0 5], size: 3x2}\n"
             "  - name: d\n"
             "    boards:\n"
             "      - |\n"
             "        0 1\n"
             "        3 2\n"
             "      - 1 2 3 0\n" SOLVERS,
        "a/1 1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 7 8 0, 1\n"
        "a/2 1 2 3 4 0 6 7 5 8, 1 2 3 4 5 6 7 8 0, 2\n"
        "a/3 1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 7 8 0, 2\n"
        "b/1 1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 7 8 0, 1\n"
        "b/2 1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 7 8 0, 2\n"
        "c/1 1 2 3 4 0 5, 1 2 3 4 5 0, 1\n"
        "d/1 0 1 3 2, 1 2 3 0, 2\n"
        "d/2 1 2 3 0, 1 2 3 0, 0\n");
}

/* All ways to write one goal mean the same. */
static void test_goals(void **state)
{
    (void)state;
    static const char *const goals[] = {
        "    goal: snail\n",
        "    goal: 1 2 3 8 0 4 7 6 5\n",
        "    goal: 1238_4765\n",
        "    goal: [1 2 3, 8 0 4, 7 6 5]\n",
        "    goal: [[1, 2, 3], [8, 0, 4], [7, 6, 5]]\n",
        "    goal: [1, 2, 3, 8, 0, 4, 7, 6, 5]\n",
        "    goal: ['1 2 3', \"8 0 4\", 7 6 5]\n",
        "    goal: \"1 2 3\\n8 0 4\\n7 6 5\"\n",
        "    goal: &anchor [1 2 3, 8 0 4, 7 6 5]\n",
        "    goal: |\n      1 2 3\n      8 _ 4\n      7 6 5\n",
        "    goal: >-\n      1 2 3\n      8 _ 4\n      7 6 5\n",
        "    goal: # rows\n      - 1 2 3 # the first\n      - 8 -1 4\n      - 7 6 5\n",
        "goal: [1 2 3, 8 0 4, 7 6 5]\n",
    };
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        char *text = heap_format(HEAD "instances:\n"
                                      "  - name: g\n"
                                      "    boards: 1 2 3 8 4 0 7 6 5\n"
                                      "%s" SOLVERS,
                                 goals[i]);
        expect_instances(text, "g/1 1 2 3 8 4 0 7 6 5, 1 2 3 8 0 4 7 6 5, 1\n");
        free(text);
    }
    /* Rows show a shape that is no square. */
    expect_instances(
        HEAD
        "instances: [{name: g, boards: [[[1, 2, 0], [4, 5, 3]]], goal: [1 2 3, 4 5 0]}]\n" SOLVERS,
        "g/1 1 2 0 4 5 3, 1 2 3 4 5 0, 1\n");
}

static void test_generated(void **state)
{
    (void)state;
    struct experiment experiment = load(
        HEAD
        "seed: 7\n"
        "instances:\n"
        "  - {name: u, size: 4x3, count: 5, distinct: true}\n"
        "  - {name: w, size: 5x5, count: 3, method: walk, steps: 9, goal: blank-first}\n"
        "  - {name: d, size: 3x3, count: 2, method: depth, depths: {from: 2, to: 7, step: 2}}\n"
        "  - {name: e, size: 3x3, count: 1, method: depth, depths: [1-3, 31]}\n"
        "  - {name: f, size: 3x3, count: 1, method: depth, depths: [5, {from: 8, to: 9}]}\n"
        "  - {name: g, size: 3x3, count: 1, method: depth, depths: 0}\n" SOLVERS);
    static const char *const names[] = {"u/1",   "u/2",   "u/3",   "u/4",   "u/5",   "w/1",
                                        "w/2",   "w/3",   "d/2-1", "d/2-2", "d/4-1", "d/4-2",
                                        "d/6-1", "d/6-2", "e/1-1", "e/2-1", "e/3-1", "e/31-1",
                                        "f/5-1", "f/8-1", "f/9-1", "g/0-1"};
    static const int lengths[] = {-1, -1, -1, -1, -1, -1, -1, -1, 2, 2, 4,
                                  4,  6,  6,  1,  2,  3,  31, 5,  8, 9, 0};
    assert_int_equal(experiment.instances.count, sizeof names / sizeof *names);
    for (size_t i = 0; i < experiment.instances.count; i++) {
        const struct instance *instance = &experiment.instances.items[i];
        char *name = heap_format("%s/%s", instance->set, instance->name);
        assert_string_equal(name, names[i]);
        assert_int_equal(instance->optimal_length, lengths[i]);
        free(name);
    }
    assert_int_equal(experiment.instances.items[0].start.shape.width, 4);
    assert_int_equal(experiment.instances.items[5].goal.blank, 0);
    experiment_end(&experiment);
}

static void test_sets_in_files(void **state)
{
    (void)state;
    expect_instances(HEAD "instances: [{set: three}]\ngoal: snail\n" SOLVERS,
                     "three/a 1 2 3 5 6 0 7 8 4, 1 2 3 5 8 6 0 7 4, 3\n"
                     "three/b 1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 7 8 0, 1\n"
                     "three/c 1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 7 8 0, 2\n");
    expect_instances(HEAD
                     "instances: [{set: three, name: some, select: [3, 1]}, {set: three, select: "
                     "{from: 2, to: 3, step: 2}}]\n" SOLVERS,
                     "some/a 1 2 3 5 6 0 7 8 4, 1 2 3 5 8 6 0 7 4, 3\n"
                     "some/c 1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 7 8 0, 2\n"
                     "three/b 1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 7 8 0, 1\n");
    expect_instances(
        HEAD
        "instances: [{name: f, file: one.txt, size: 3x3, goal: [1 2 3, 4 5 6, 7 0 8]}]\n" SOLVERS,
        "f/1 1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 7 0 8, 0\n");
}

/* Paths begin at the experiment's folder, not at the current one. */
static void test_paths(void **state)
{
    (void)state;
    struct experiment experiment;
    struct report report;
    report_start(&report, NULL);
    write_text("here/e.yaml", HEAD "instances: [{name: f, file: two.txt, select: 2}]\n" SOLVERS);
    assert_true(experiment_load("here/e.yaml", &report, &experiment));
    assert_int_equal(experiment.instances.count, 1);
    assert_string_equal(experiment.instances.items[0].name, "2");
    experiment_end(&experiment);
    /* One that ships, by its name. */
    write_text("experiments/shipped.yaml", "experiment: other-name\n" SETS SOLVERS);
    assert_true(experiment_load("shipped", &report, &experiment));
    assert_string_equal(experiment.name, "other-name");
    assert_string_equal(report.file, experiment.path);
    experiment_end(&experiment);
    assert_false(experiment_load("shiped", &report, &experiment));
    assert_string_equal(
        report.text,
        "shiped: no such experiment; expected a YAML file, or one that ships: shipped; "
        "did you mean 'shipped'?\n");
    report_end(&report);
    assert_false(experiment_load("none.yaml", &report, &experiment));
    assert_string_equal(report.text, "none.yaml: cannot be opened: No such file or directory\n");
    report_end(&report);
    assert_false(experiment_load("here/", &report, &experiment));
    assert_string_equal(report.text, "here/: cannot be read: Is a directory\n");
    report_end(&report);
}

struct bad {
    const char *text;
    const char *problems; /* {algorithms} and {heuristics} stand for the tables' names */
};

static const struct bad bad_syntax[] = {
    {"", "e.yaml: nothing in it; expected an experiment\n"},
    {"# nothing\n", "e.yaml: nothing in it; expected an experiment\n"},
    {"~\n", "e.yaml: nothing in it; expected an experiment\n"},
    {"bfs\n", "e.yaml:1:1: a text; expected an experiment, a mapping of keys and values\n"},
    {"- bfs\n", "e.yaml:1:1: a list; expected an experiment, a mapping of keys and values\n"},
    {HEAD "seed: 1\n"
          "---\n"
          "experiment: f\n",
     "e.yaml:3:1: a second document begins here; expected one experiment in a file\n"},
    {HEAD "a: b: c\n", "e.yaml:2:5: not YAML: mapping values are not allowed in this context\n"},
    {HEAD "instances:\n"
          "\t- x\n",
     "e.yaml:3:1: a tab indents this line; expected spaces\n"},
    {HEAD "description: @here\n", "e.yaml:2:14: '@' cannot begin a value; expected it in quotes\n"},
    {HEAD "instances: [bfs\n"
          "seed: 1\n",
     "e.yaml:3:5: not YAML: did not find expected ',' or ']', while parsing a flow sequence that "
     "begins at line 2, column 12\n"},
    {HEAD "description: \"open\n", "e.yaml:3:1: not YAML: found unexpected end of stream, while "
                                   "scanning a quoted scalar that begins at line 2, column 14\n"},
    {GOOD "seed: 1\n"
          "seed: 2\n"
          "seed: 3\n",
     "e.yaml:5:1: key 'seed' a second time; the first is at line 4, column 1\n"
     "e.yaml:6:1: key 'seed' a second time; the first is at line 4, column 1\n"},
    {HEAD "? [a, b]\n"
          ": 1\n",
     "e.yaml:2:3: a list or mapping as a key; expected a word\n"},
    {HEAD "instances: &a [*a]\n",
     "e.yaml:2:16: an alias of what it stands in; expected an alias of something complete\n"},
    {HEAD "instances: *nothing\n", "e.yaml:2:12: an alias of nothing; expected its anchor above\n"},
    {HEAD "seed: !!int 1\n",
     "e.yaml:2:7: a tag (a word that begins with '!'); expected none, or the value in quotes\n"},
    {HEAD "description: \"\\0\"\n",
     "e.yaml:2:14: a control character in this text; expected plain text\n"},
    {HEAD "description: \xFF\n",
     "e.yaml:2:14: the byte 0xFF is not UTF-8; expected a text file saved as UTF-8\n"},
    {HEAD "description: \x1B[1m\n",
     "e.yaml:2:14: the control character 0x1B; expected plain text\n"},
    {HEAD "description: [[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]\n",
     "e.yaml:2:33: lists and mappings more than 20 deep; expected fewer\n"},
    {HEAD "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
          "b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
          "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
          "d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n"
          "e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n"
          "f: [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]\n",
     "e.yaml:7:4: more than 1000000 values with all aliases written out; expected fewer\n"},
};

static const struct bad bad_keys[] = {
    {SETS SOLVERS, "e.yaml:1:1: the key 'experiment' is missing; expected a name of letters, "
                   "digits, '-', '_' and '.', a letter or digit first\n"},
    {HEAD SOLVERS,
     "e.yaml:1:1: the key 'instances' is missing; expected a list of sets of boards\n"},
    {HEAD SETS, "e.yaml:1:1: the key 'solvers' is missing; expected a list of solvers such as "
                "astar(manhattan)\n"},
    {GOOD "sede: 1\n",
     "e.yaml:4:1: unknown key 'sede'; expected experiment, description, seed, instances, goal, "
     "solvers, order, repetitions, limits, jobs, output or compare; did you mean 'seed'?\n"},
    {GOOD "color: red\n",
     "e.yaml:4:1: unknown key 'color'; expected experiment, description, seed, instances, goal, "
     "solvers, order, repetitions, limits, jobs, output or compare\n"},
    {"experiment: [e]\n" SETS SOLVERS,
     "e.yaml:1:13: a list as value of 'experiment'; expected a name of letters, digits, '-', '_' "
     "and '.', a letter or digit first\n"},
    {"experiment: {a: b}\n" SETS SOLVERS,
     "e.yaml:1:13: a mapping as value of 'experiment'; expected a name of letters, digits, '-', "
     "'_' and '.', a letter or digit first\n"},
    {"experiment: ../e\n" SETS SOLVERS,
     "e.yaml:1:13: '../e' is no value of 'experiment'; expected a name of letters, digits, '-', "
     "'_' and '.', a letter or digit first\n"},
    {"experiment:\n" SETS SOLVERS, "e.yaml:1:12: 'experiment' has no value; expected a name of "
                                   "letters, digits, '-', '_' and '.', a letter or digit first\n"},
    {GOOD "seed: -1\n", "e.yaml:4:7: '-1' is no value of 'seed'; expected a whole number from 0 to "
                        "18446744073709551615\n"},
    {GOOD "seed: 1x\n", "e.yaml:4:7: '1x' is no value of 'seed'; expected a whole number from 0 to "
                        "18446744073709551615\n"},
    {GOOD "seed: 18446744073709551616\n",
     "e.yaml:4:7: '18446744073709551616' is no value of 'seed'; expected a whole number from 0 to "
     "18446744073709551615\n"},
    {GOOD "seed: \"\"\n",
     "e.yaml:4:7: 'seed' has no value; expected a whole number from 0 to 18446744073709551615\n"},
    {GOOD "repetitions: 0\n",
     "e.yaml:4:14: '0' is no value of 'repetitions'; expected a whole number from 1 to 1000000\n"},
    {GOOD "jobs: 2000\n",
     "e.yaml:4:7: '2000' is no value of 'jobs'; expected a whole number from 0 to 1024\n"},
    {GOOD "order: ULR\n", "e.yaml:4:8: 'ULR' is no value of 'order'; expected the letters U, L, R "
                          "and D in some order, such as ULRD\n"},
    {GOOD "order: [U, L, R, D]\n", "e.yaml:4:8: a list as value of 'order'; expected the letters "
                                   "U, L, R and D in some order, such as ULRD\n"},
    {GOOD "output: \"a\\nb\"\n",
     "e.yaml:4:9: a text of 3 bytes as value of 'output'; expected a text of one line\n"},
    {GOOD "description: [a]\n", "e.yaml:4:14: a list as value of 'description'; expected a text\n"},
    {GOOD "limits: 60s\n",
     "e.yaml:4:9: '60s' is no value of 'limits'; expected a mapping with time, memory or nodes\n"},
    {GOOD "limits: {time: 0s}\n", "e.yaml:4:16: '0s' is no value of 'time'; expected a time such "
                                  "as 500ms, 60s, 2m or 1h, from 1ms to 8784h\n"},
    {GOOD "limits: {time: 60 seconds}\n",
     "e.yaml:4:16: '60 seconds' is no value of 'time'; expected a time such as 500ms, 60s, 2m or "
     "1h, from 1ms to 8784h\n"},
    {GOOD "limits: {memory: 1KiB}\n", "e.yaml:4:18: '1KiB' is no value of 'memory'; expected bytes "
                                      "such as 512MiB, 2GiB or 1GB, from 64KiB to 1024TiB\n"},
    {GOOD "limits: {memory: 2G}\n", "e.yaml:4:18: '2G' is no value of 'memory'; expected bytes "
                                    "such as 512MiB, 2GiB or 1GB, from 64KiB to 1024TiB\n"},
    {GOOD "limits: {nodes: 0}\n",
     "e.yaml:4:17: '0' is no value of 'nodes'; expected a whole number such as 2000, 500k, 2M or "
     "1G, from 1 to 1000000000000000000, or none\n"},
    {GOOD "limits: {nodes: 1.5M}\n",
     "e.yaml:4:17: '1.5M' is no value of 'nodes'; expected a whole number such as 2000, 500k, 2M "
     "or 1G, from 1 to 1000000000000000000, or none\n"},
    {GOOD "limits: {nodes: 20000000000G}\n",
     "e.yaml:4:17: '20000000000G' is no value of 'nodes'; expected a whole number such as 2000, "
     "500k, 2M or 1G, from 1 to 1000000000000000000, or none\n"},
    {GOOD "limits: {tiem: 1s}\n",
     "e.yaml:4:10: unknown key 'tiem'; expected time, memory or nodes; did you mean 'time'?\n"},
    {GOOD "goal: blnak-last\n",
     "e.yaml:4:7: unknown goal 'blnak-last'; expected blank-last, blank-first, snail or a whole "
     "board; did you mean 'blank-last'?\n"},
    {GOOD "goal: [1 2 3, 4 5 6, 7 8 8]\n",
     "e.yaml:4:8: the blank is missing; expected a 0, -1, _, x or .\n"
     "e.yaml:4:26: tile 8 a second time; the first is at line 4, column 24\n"},
    {GOOD "goal: {a: b}\n", "e.yaml:4:7: a mapping as value of 'goal'; expected blank-last, "
                            "blank-first, snail or a board such as [1 2 3, 4 5 6, 7 8 0]\n"},
    {GOOD "compare: {baseline: dfs}\n", "e.yaml:4:21: the baseline dfs does not run here; expected "
                                        "one of the solvers; did you mean 'bfs'?\n"},
    {GOOD "compare: {baseline: bsf}\n",
     "e.yaml:4:21: unknown algorithm 'bsf'; expected {algorithms}; did you mean 'bfs'?\n"},
    {GOOD "compare: {baseline: [bfs]}\n",
     "e.yaml:4:21: a list as value of 'baseline'; expected a solver such as astar(manhattan)\n"},
    {GOOD "compare: {bseline: bfs}\n",
     "e.yaml:4:11: unknown key 'bseline'; expected baseline; did you mean 'baseline'?\n"},
    {"\xEF\xBB\xBF"
     "experimant: e\n" SETS SOLVERS,
     "e.yaml:1:1: the key 'experiment' is missing; expected a name of letters, digits, '-', '_' "
     "and '.', a letter or digit first\n"
     "e.yaml:1:1: unknown key 'experimant'; expected experiment, description, seed, instances, "
     "goal, solvers, order, repetitions, limits, jobs, output or compare; did you mean "
     "'experiment'?\n"},
    {"experiment: e\r\n"
     "sede: 1\r\n" SETS SOLVERS,
     "e.yaml:2:1: unknown key 'sede'; expected experiment, description, seed, instances, goal, "
     "solvers, order, repetitions, limits, jobs, output or compare; did you mean 'seed'?\n"},
    {HEAD "description: \"gr\xC3\xB6\xC3\x9F"
          "er\"\n"
          "instances: [{name: u, size: 3x3, count: 2}]   # \xC3\xA4\n"
          "solvers: [bfs, \"gr\xC3\xB6\xC3\x9F"
          "er\", bsf]\n",
     "e.yaml:4:17: unknown algorithm 'gr\xC3\xB6\xC3\x9F"
     "er'; expected {algorithms}\n"
     "e.yaml:4:28: unknown algorithm 'bsf'; expected {algorithms}; did you mean 'bfs'?\n"},
};

static const struct bad bad_sets[] = {
    {HEAD "instances: []\n" SOLVERS,
     "e.yaml:2:12: an empty list as value of 'instances'; expected a list of sets of boards\n"},
    {HEAD "instances: uniform\n" SOLVERS,
     "e.yaml:2:12: 'uniform' is no value of 'instances'; expected a list of sets of boards\n"},
    {HEAD "instances: [uniform]\n" SOLVERS,
     "e.yaml:2:13: a text; expected a set of instances, a mapping of keys and values\n"},
    {HEAD "instances:\n"
          "  - {size: 3x3, count: 1}\n" SOLVERS,
     "e.yaml:3:5: the key 'name' is missing; expected a name of letters, digits, '-', '_' and '.', "
     "a letter or digit first\n"},
    {HEAD "instances:\n"
          "  - {name: u, count: 1}\n" SOLVERS,
     "e.yaml:3:5: the key 'size' is missing; expected columns x rows such as 3x3, both at least 2, "
     "at most 36 cells\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3}\n" SOLVERS,
     "e.yaml:3:5: the key 'count' is missing; expected a whole number such as 2000, 500k, 2M or "
     "1G, from 1 to 1000000\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3, count: 1}\n" SOLVERS,
     "e.yaml:3:21: '3' is no value of 'size'; expected columns x rows such as 3x3, both at least "
     "2, at most 36 cells\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 9x9, count: 1}\n" SOLVERS,
     "e.yaml:3:21: '9x9' is no value of 'size'; expected columns x rows such as 3x3, both at least "
     "2, at most 36 cells\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 0}\n" SOLVERS,
     "e.yaml:3:33: '0' is no value of 'count'; expected a whole number such as 2000, 500k, 2M or "
     "1G, from 1 to 1000000\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 2M}\n" SOLVERS,
     "e.yaml:3:33: '2M' is no value of 'count'; expected a whole number such as 2000, 500k, 2M or "
     "1G, from 1 to 1000000\n"},
    {HEAD "instances:\n"
          "  - {name: u v, size: 3x3, count: 1}\n" SOLVERS,
     "e.yaml:3:12: 'u v' is no value of 'name'; expected a name of letters, digits, '-', '_' and "
     "'.', a letter or digit first\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: wlak}\n" SOLVERS,
     "e.yaml:3:44: 'wlak' is no value of 'method'; expected uniform, walk or depth; did you mean "
     "'walk'?\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: [uniform]}\n" SOLVERS,
     "e.yaml:3:44: a list as value of 'method'; expected uniform, walk or depth\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, steps: 4}\n" SOLVERS,
     "e.yaml:3:36: 'steps' means nothing with method uniform; expected name, size, count, method, "
     "goal or distinct\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: walk}\n" SOLVERS,
     "e.yaml:3:5: the key 'steps' is missing; expected a whole number such as 2000, 500k, 2M or "
     "1G, from 1 to 1000000\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: walk, steps: 4, depths: [1]}\n" SOLVERS,
     "e.yaml:3:60: 'depths' means nothing with method walk; expected name, size, count, steps, "
     "method, goal or distinct\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1M, method: walk, steps: 1M}\n" SOLVERS,
     "e.yaml:3:58: 1000000 walks of 1000000 steps; expected at most 100000000 steps in all\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 4x4, count: 1, method: depth, depths: [4]}\n" SOLVERS,
     "e.yaml:3:21: 4x4 boards have no exact table; expected at most 10 cells with method depth\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: depth, depths: []}\n" SOLVERS,
     "e.yaml:3:59: an empty list as value of 'depths'; expected numbers\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: depth, depths: [1-4, 3]}\n" SOLVERS,
     "e.yaml:3:65: depth 3 a second time; expected each depth once\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: depth, depths: [4-1]}\n" SOLVERS,
     "e.yaml:3:60: '4-1' is no value of 'depths'; expected a list such as [1-10, 79] or {from: 2, "
     "to: 30, step: 2}, its numbers from 0 to 255\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: depth, depths: {from: 2, to: 30, stop: "
          "2}}\n" SOLVERS,
     "e.yaml:3:77: unknown key 'stop'; expected from, to or step; did you mean 'step'?\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: depth, depths: {from: 2, step: 0}}\n" SOLVERS,
     "e.yaml:3:59: the key 'to' is missing; expected a whole number from 0 to 255\n"
     "e.yaml:3:75: '0' is no value of 'step'; expected a whole number from 1 to 255\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: depth, depths: {from: 9, to: 3}}\n" SOLVERS,
     "e.yaml:3:59: from 9 to 3 holds no number; expected 'to' at least as large as 'from'\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, method: depth, depths: 32}\n" SOLVERS,
     "e.yaml:3:59: no 3x3 board lies 32 moves from this goal; expected a depth from 0 to 31\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 2x2, count: 13, distinct: true}\n" SOLVERS,
     "e.yaml:3:33: too few boards: 12 distinct ones can reach this goal; expected a count of at "
     "most that, or distinct: false\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, distinct: yes}\n" SOLVERS,
     "e.yaml:3:46: 'yes' is no value of 'distinct'; expected true or false\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, goal: [1 2 3, 4 5 6]}\n" SOLVERS,
     "e.yaml:3:43: 6 cells in this line do not make a 3x3 board; expected all 9 cells in one line, "
     "or 3 lines of 3\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, goal: 8 7 6 5 4 3 2 1 9}\n" SOLVERS,
     "e.yaml:3:42: the blank is missing; expected a 0, -1, _, x or .\n"
     "e.yaml:3:58: tile 9 does not exist on a 3x3 board; expected 1 to 8, or 0 for the blank\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1, goal: snial}\n" SOLVERS,
     "e.yaml:3:42: unknown goal 'snial'; expected blank-last, blank-first, snail or a whole board; "
     "did you mean 'snail'?\n"},
    {HEAD "instances:\n"
          "  - {name: u, size: 3x3, count: 1}\n"
          "  - {name: v, size: 3x3, count: 1}\n"
          "  - {name: u, size: 4x4, count: 1}\n" SOLVERS,
     "e.yaml:5:12: the set 'u' a second time; the first is at line 3, column 12\n"},
    {HEAD "instances:\n"
          "  - {set: thre}\n" SOLVERS,
     "e.yaml:3:11: unknown set 'thre'; expected three; did you mean 'three'?\n"},
    {HEAD "instances:\n"
          "  - {set: three, count: 4}\n" SOLVERS,
     "e.yaml:3:18: 'count' means nothing with 'set'; expected set, name or select\n"},
    {HEAD "instances:\n"
          "  - {set: three, goal: snail}\n" SOLVERS,
     "e.yaml:3:18: 'goal' means nothing with 'set'; expected set, name or select\n"},
    {HEAD "instances:\n"
          "  - {set: three, select: [1, 4]}\n" SOLVERS,
     "e.yaml:3:30: position 4 does not exist; expected 1 to 3, as the set has 3 instances\n"},
    {HEAD "instances:\n"
          "  - {set: three, select: [1-3, 2]}\n" SOLVERS,
     "e.yaml:3:32: position 2 a second time; expected each position once\n"},
    {HEAD "instances:\n"
          "  - {set: three, select: [0]}\n" SOLVERS,
     "e.yaml:3:27: '0' is no value of 'select'; expected a list such as [1-10, 79] or {from: 2, "
     "to: 30, step: 2}, its numbers from 1 to 1000000\n"},
    {HEAD "instances:\n"
          "  - {set: three, select: x}\n" SOLVERS,
     "e.yaml:3:26: 'x' is no value of 'select'; expected a list such as [1-10, 79] or {from: 2, "
     "to: 30, step: 2}, its numbers from 1 to 1000000\n"},
    {HEAD "instances:\n"
          "  - {name: f, file: none.txt}\n" SOLVERS,
     "e.yaml:3:21: 'none.txt' cannot be read: No such file or directory; expected a file of "
     "boards\n"},
    {HEAD "instances:\n"
          "  - {name: f, file: .}\n" SOLVERS,
     "e.yaml:3:21: '.' is no file; expected a file of boards\n"},
    {HEAD "instances:\n"
          "  - {file: one.txt, name: f, depths: [1]}\n" SOLVERS,
     "e.yaml:3:30: 'depths' means nothing with 'file'; expected name, file, size, goal or "
     "select\n"},
    {HEAD "instances:\n"
          "  - {name: f, file: wrong.txt}\n" SOLVERS,
     "wrong.txt:3:15: tile 7 a second time; the first is at line 3, column 13\n"
     "wrong.txt:3:1: the blank is missing; expected a 0, -1, _, x or .\n"},
    {HEAD "instances:\n"
          "  - {name: f, file: one.txt, size: 4x4}\n" SOLVERS,
     "one.txt:1:1: 9 cells in this line do not make a 4x4 board; expected all 16 cells in one "
     "line, or 4 lines of 4\n"},
    {HEAD "instances:\n"
          "  - {name: b, boards: []}\n" SOLVERS,
     "e.yaml:3:23: no board here; expected boards such as 1 2 3 4 5 6 7 0 8\n"},
    {HEAD "instances:\n"
          "  - {name: b, boards: [1 2 3 4 5 6 7 8 9]}\n" SOLVERS,
     "e.yaml:3:24: the blank is missing; expected a 0, -1, _, x or .\n"
     "e.yaml:3:40: tile 9 does not exist on a 3x3 board; expected 1 to 8, or 0 for the blank\n"},
    {HEAD "instances:\n"
          "  - {name: b, boards: [{a: b}]}\n" SOLVERS,
     "e.yaml:3:24: a mapping among the boards; expected a board such as 1 2 3 4 5 6 7 0 8\n"},
    {HEAD "instances:\n"
          "  - {name: b, boards: [1 2 3 4 5 6 7 8 0], count: 3}\n" SOLVERS,
     "e.yaml:3:44: 'count' means nothing with 'boards'; expected name, boards, size or goal\n"},
    {HEAD "instances:\n"
          "  - name: b\n"
          "    boards: |\n"
          "      1 2 3\n"
          "      4 5 6\n"
          "      7 7 0\n" SOLVERS,
     "e.yaml:5:7: tile 8 is missing\n"
     "e.yaml:7:9: tile 7 a second time; the first is at line 7, column 7\n"},
    {HEAD "instances:\n"
          "  - {name: b, boards: [\"1 2 3 4 5 6 7 8 0\", '1 2 3 4 5 6 7 8']}\n" SOLVERS,
     "e.yaml:3:46: 8 cells in one line do not show the board's width and height; expected 4, 9, "
     "16, 25 or 36 cells, a grid of lines, or the shape to be given (such as --size 4x3)\n"},
    {HEAD "instances:\n"
          "  - {name: b, boards: [0 1 2 3], goal: [1 2 3, 4 5 6, 7 8 0]}\n" SOLVERS,
     "e.yaml:3:40: 9 cells in this line do not make a 2x2 board; expected all 4 cells in one line, "
     "or 2 lines of 2\n"},
    {HEAD "repetitions: 1M\n"
          "instances: [{name: u, size: 3x3, count: 11}]\n" SOLVERS,
     "e.yaml:2:14: '1M' is no value of 'repetitions'; expected a whole number from 1 to 1000000\n"},
    {HEAD "instances: [{name: u, size: 3x3, count: 1M}]\n"
          "solvers: [{algorithm: dfs, depth_limit: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}]\n",
     "e.yaml:2:12: 11000000 runs (1000000 instances x 11 solvers x 1 repetitions); expected at "
     "most 10000000\n"},
};

static const struct bad bad_solvers[] = {
    {HEAD SETS "solvers: []\n", "e.yaml:3:10: an empty list as value of 'solvers'; expected a list "
                                "of solvers such as astar(manhattan)\n"},
    {HEAD SETS "solvers: bfs\n", "e.yaml:3:10: 'bfs' is no value of 'solvers'; expected a list of "
                                 "solvers such as astar(manhattan)\n"},
    {HEAD SETS "solvers:\n"
               "  - bsf\n",
     "e.yaml:4:5: unknown algorithm 'bsf'; expected {algorithms}; did you mean 'bfs'?\n"},
    {HEAD SETS "solvers:\n"
               "  - bfs(manhattan)\n",
     "e.yaml:4:9: bfs takes no heuristic; expected bfs without 'manhattan'\n"},
    {HEAD SETS "solvers:\n"
               "  - astar\n",
     "e.yaml:4:5: astar needs a heuristic; expected one such as astar(manhattan)\n"},
    {HEAD SETS "solvers:\n"
               "  - astar(manhatan)\n",
     "e.yaml:4:11: unknown heuristic 'manhatan'; expected {heuristics}; did you mean "
     "'manhattan'?\n"},
    {HEAD SETS "solvers:\n"
               "  - astar(manhattan\n",
     "e.yaml:4:5: 'astar(manhattan' has no ')'; expected one, or quotes around a solver with a "
     "comma within { } or [ ]\n"},
    {HEAD SETS "solvers:\n"
               "  - astar(manhattan) x\n",
     "e.yaml:4:22: 'x' does not belong here; expected nothing behind the parenthesis\n"},
    {HEAD SETS "solvers:\n"
               "  - [bfs]\n",
     "e.yaml:4:5: a list as value of 'solvers'; expected a solver such as astar(manhattan)\n"},
    {HEAD SETS "solvers:\n"
               "  - \n",
     "e.yaml:4:4: 'solvers' has no value; expected a solver such as astar(manhattan)\n"},
    {HEAD SETS "solvers: [lcbb(misplaced, duplicates=none)]\n",
     "e.yaml:3:11: 'lcbb(misplaced' has no ')'; expected one, or quotes around a solver with a "
     "comma within { } or [ ]\n"
     "e.yaml:3:27: unknown algorithm 'duplicates'; expected {algorithms}\n"},
    {HEAD SETS "solvers:\n"
               "  - {heuristic: manhattan}\n",
     "e.yaml:4:5: the key 'algorithm' is missing; expected the name of an algorithm, or a list of "
     "them\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: bfs, heuristic: manhattan}\n",
     "e.yaml:4:33: bfs takes no heuristic; expected bfs without 'manhattan'\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: astar}\n",
     "e.yaml:4:17: astar needs a heuristic; expected one such as astar(manhattan)\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: [astar, bsf], heuristic: [manhattan, manhatan]}\n",
     "e.yaml:4:25: unknown algorithm 'bsf'; expected {algorithms}; did you mean 'bfs'?\n"
     "e.yaml:4:54: unknown heuristic 'manhatan'; expected {heuristics}; did you mean "
     "'manhattan'?\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: astar, heuristic: manhattan, depth_limt: 4}\n",
     "e.yaml:4:46: astar(manhattan) has no option 'depth_limt'; expected depth_limit or ties; did "
     "you mean 'depth_limit'?\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: astar, heuristic: manhattan, depth_limit: -4}\n",
     "e.yaml:4:59: '-4' is no value of option 'depth_limit'; expected a whole number from 0 to "
     "1000000, or none\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: lcbb, heuristic: misplaced, duplicates: nnoe}\n",
     "e.yaml:4:57: 'nnoe' is no value of option 'duplicates'; expected none, parent or stored; did "
     "you mean 'none'?\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: astar, heuristic: misplaced, depth_limit: []}\n",
     "e.yaml:4:59: an empty list as value of 'depth_limit'; expected a word or number, or a list "
     "of them\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: astar, heuristic: {a: b}}\n",
     "e.yaml:4:35: a mapping as value of 'heuristic'; expected a word or number, or a list of "
     "them\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: astar, heuristic: misplaced, depth_limit: }\n",
     "e.yaml:4:59: 'depth_limit' has no value; expected a word or number, or a list of them\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: bfs, limits: {time: 9999d, nodes: -1}}\n",
     "e.yaml:4:37: '9999d' is no value of 'time'; expected a time such as 500ms, 60s, 2m or 1h, "
     "from 1ms to 8784h\n"
     "e.yaml:4:51: '-1' is no value of 'nodes'; expected a whole number such as 2000, 500k, 2M or "
     "1G, from 1 to 1000000000000000000, or none\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: bfs, limits: 2M}\n",
     "e.yaml:4:30: '2M' is no value of 'limits'; expected a mapping with time, memory or nodes\n"},
    {HEAD SETS "solvers:\n"
               "  - bfs\n"
               "  - dfs\n"
               "  - {algorithm: [dfs, bfs]}\n",
     "e.yaml:6:18: the solver dfs a second time; the first is at line 5, column 5\n"
     "e.yaml:6:23: the solver bfs a second time; the first is at line 4, column 5\n"},
    {HEAD SETS "solvers:\n"
               "  - astar(manhattan)\n"
               "  - {algorithm: astar, heuristic: [misplaced, manhattan, manhattan]}\n",
     "e.yaml:5:47: the solver astar(manhattan) a second time; the first is at line 4, column 5\n"
     "e.yaml:5:58: the solver astar(manhattan) a second time; the first is at line 4, column 5\n"},
    {HEAD SETS "solvers:\n"
               "  - {algorithm: descent, heuristic: misplaced, count_blank: 1, wide: 2}\n",
     "e.yaml:4:61: '1' is no value of option 'count_blank'; expected true or false\n"
     "e.yaml:4:64: descent(misplaced) has no option 'wide'; expected count_blank\n"},
};

static const struct bad bad_many[] = {
    {HEAD "sede: 1\n"
          "instances:\n"
          "  - {name: f, file: wrong.txt}\n"
          "  - {name: u, size: 3x3}\n"
          "goal: snial\n"
          "solvers: [bsf, bfs]\n"
          "limits: {time: x}\n"
          "repetitions: none\n"
          "compare: {baseline: dfs}\n"
          "seed: 1\n"
          "seed: 2\n",
     "e.yaml:2:1: unknown key 'sede'; expected experiment, description, seed, instances, goal, "
     "solvers, order, repetitions, limits, jobs, output or compare; did you mean 'seed'?\n"
     "wrong.txt:3:15: tile 7 a second time; the first is at line 3, column 13\n"
     "wrong.txt:3:1: the blank is missing; expected a 0, -1, _, x or .\n"
     "e.yaml:5:5: the key 'count' is missing; expected a whole number such as 2000, 500k, 2M or "
     "1G, from 1 to 1000000\n"
     "e.yaml:6:7: unknown goal 'snial'; expected blank-last, blank-first, snail or a whole board; "
     "did you mean 'snail'?\n"
     "e.yaml:7:11: unknown algorithm 'bsf'; expected {algorithms}; did you mean 'bfs'?\n"
     "e.yaml:8:16: 'x' is no value of 'time'; expected a time such as 500ms, 60s, 2m or 1h, from "
     "1ms to 8784h\n"
     "e.yaml:9:14: 'none' is no value of 'repetitions'; expected a whole number from 1 to 1000000\n"
     "e.yaml:12:1: key 'seed' a second time; the first is at line 11, column 1\n"},
};

/* `text` with a placeholder written out. */
static char *fill_in(char *text, const char *placeholder, const char *const *words, size_t count)
{
    char *list = schema_alternatives(words, count);
    for (char *at; (at = strstr(text, placeholder)) != NULL;) {
        char *longer =
            heap_format("%.*s%s%s", (int)(at - text), text, list, at + strlen(placeholder));
        free(text);
        text = longer;
    }
    free(list);
    return text;
}

static char *expected_problems(const char *problems)
{
    const char *names[64];
    char *text = heap_text(problems);
    assert_true(algorithm_count <= 64 && heuristic_count <= 64);
    for (unsigned i = 0; i < algorithm_count; i++)
        names[i] = algorithms[i].name;
    text = fill_in(text, "{algorithms}", names, algorithm_count);
    for (unsigned i = 0; i < heuristic_count; i++)
        names[i] = heuristic_kinds[i].name;
    return fill_in(text, "{heuristics}", names, heuristic_count);
}

static void expect_problems(const char *bytes, size_t count, const char *problems)
{
    struct experiment experiment;
    struct report report;
    char *expected = expected_problems(problems);
    write_bytes("e.yaml", bytes, count);
    report_start(&report, NULL);
    assert_false(experiment_load("e.yaml", &report, &experiment));
    assert_string_equal(report.text, expected);
    report_end(&report);
    free(expected);
}

static void expect_all(const struct bad *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_problems(cases[i].text, strlen(cases[i].text), cases[i].problems);
}

#define BAD_TEST(name)                                                                             \
    static void test_bad_##name(void **state)                                                      \
    {                                                                                              \
        (void)state;                                                                               \
        expect_all(bad_##name, sizeof bad_##name / sizeof *bad_##name);                            \
    }

BAD_TEST(syntax)
BAD_TEST(keys)
BAD_TEST(sets)
BAD_TEST(solvers)
BAD_TEST(many)

/* Bytes that are no text. */
static void test_bad_bytes(void **state)
{
    (void)state;
    static const char zero[] = HEAD "description: a\0b\n";
    static const char utf16[] = "\xFF\xFE"
                                "e\0x\0";
    expect_problems(zero, sizeof zero - 1,
                    "e.yaml:2:15: a zero byte; expected a text file in UTF-8 (one in UTF-16 "
                    "must be saved as UTF-8)\n");
    expect_problems(utf16, sizeof utf16 - 1,
                    "e.yaml: a text file in UTF-16; expected it saved as UTF-8\n");
    char *large = heap_take((size_t)MAX_YAML_BYTES + 1, 1);
    memset(large, '#', (size_t)MAX_YAML_BYTES + 1);
    expect_problems(large, (size_t)MAX_YAML_BYTES + 1,
                    "e.yaml: a file of more than 1 MiB; expected a smaller one, with boards in "
                    "files of their own\n");
    free(large);
}

/* Too many solvers are refused before they are made. */
static void test_too_many_solvers(void **state)
{
    (void)state;
    char *text = heap_text(HEAD SETS "solvers:\n  - algorithm: dfs\n    depth_limit: [1");
    for (unsigned i = 2; i <= 10001; i++) {
        char *longer = heap_format("%s, %u", text, i);
        free(text);
        text = longer;
    }
    char *whole = heap_format("%s]\n", text);
    expect_problems(whole, strlen(whole), "e.yaml:4:5: more than 10000 solvers; expected fewer\n");
    free(whole);
    free(text);
}

/* The line of the file below each message, and a caret below the column. */
static void test_printing(void **state)
{
    (void)state;
    struct experiment experiment;
    struct report report;
    char *shown = NULL;
    size_t length = 0;
    write_text("e.yaml", "experiment: e\n\"s\xC3\xA4\": 1\n" SETS "\tx\n");
    report_start(&report, NULL);
    assert_false(experiment_load("e.yaml", &report, &experiment));
    report_end(&report);
    report_start(&report, "e.yaml");
    report_add(&report, 2, 7, "first");
    report_add(&report, 4, 2, "second");
    report_add(&report, 0, 0, "of the whole file");
    report_add(&report, 99, 1, "of a line that is not there");
    FILE *stream = open_memstream(&shown, &length);
    problems_print(stream, &report);
    fclose(stream);
    assert_string_equal(shown, "e.yaml:2:7: first\n"
                               "    2 | \"s\xC3\xA4\": 1\n"
                               "      |      ^\n"
                               "e.yaml:4:2: second\n"
                               "    4 |  x\n"
                               "      |  ^\n"
                               "e.yaml: of the whole file\n"
                               "e.yaml:99:1: of a line that is not there\n");
    free(shown);
    report_end(&report);
}

/* The experiments that ship are right, wherever the tests are built. */
static void test_shipped(void **state)
{
    (void)state;
    static const char *const names[] = {"coursework", "classics"};
    const char *source = getenv("TILELAB_SOURCE");
    if (source == NULL)
        skip();
    char *data = heap_format("%s/here", folder);
    char *sets = heap_format("%s/instances/sets", source);
    char *experiments = heap_format("%s/harness/experiments", source);
    assert_int_equal(symlink(sets, "here/sets"), 0);
    assert_int_equal(symlink(experiments, "here/experiments"), 0);
    setenv("TILELAB_DATA", data, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct experiment experiment;
        struct report report;
        report_start(&report, NULL);
        bool fine = experiment_load(names[i], &report, &experiment);
        if (!fine)
            print_error("%s", report.text);
        assert_true(fine);
        assert_string_equal(experiment.name, names[i]);
        assert_true(experiment_run_count(&experiment) > 0);
        assert_non_null(experiment.baseline);
        experiment_end(&experiment);
    }
    setenv("TILELAB_DATA", folder, 1);
    free(data);
    free(sets);
    free(experiments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),       cmocka_unit_test(test_every_key),
        cmocka_unit_test(test_matrix),         cmocka_unit_test(test_solvers),
        cmocka_unit_test(test_written_boards), cmocka_unit_test(test_goals),
        cmocka_unit_test(test_generated),      cmocka_unit_test(test_sets_in_files),
        cmocka_unit_test(test_paths),          cmocka_unit_test(test_bad_syntax),
        cmocka_unit_test(test_bad_keys),       cmocka_unit_test(test_bad_sets),
        cmocka_unit_test(test_bad_solvers),    cmocka_unit_test(test_bad_many),
        cmocka_unit_test(test_bad_bytes),      cmocka_unit_test(test_too_many_solvers),
        cmocka_unit_test(test_printing),       cmocka_unit_test(test_shipped),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
