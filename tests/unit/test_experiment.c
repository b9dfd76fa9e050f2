/* What an experiment file means, and what is said of a wrong one, word for word.
 *
 * The files are those of tests/experiments: good/NAME.yaml, and bad/NAME.yaml beside NAME.expected,
 * which holds all that is said of it; {algorithms}, {heuristics}, {methods}
 * and {metrics} stand for the names of their tables, {folder} for the files' folder.
 * sets/ is the data that ships. What cannot be a file there is written into a folder of its own. */
#include "algorithms/algorithm.h"
#include "harness/experiment/data.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/problems.h"
#include "harness/experiment/schema.h"
#include "harness/external/external.h"
#include "heuristics/heuristic.h"
#include "instances/generate.h"
#include "puzzle/goal.h"
#include "tests/folder.h"
#include <glob.h>
#include <sys/stat.h>

static char *experiments; /* tests/experiments of the source */

static int start(void **state)
{
    const char *source = getenv("TILELAB_SOURCE");
    if (source == NULL) {
        print_error("TILELAB_SOURCE must name the top of the source\n");
        return -1;
    }
    experiments = heap_format("%s/tests/experiments", source);
    if (make_folder(state) != 0 || setenv("TILELAB_DATA", experiments, 1) != 0 ||
        mkdir("here", 0700) != 0 || mkdir("experiments", 0700) != 0)
        return -1;
    write_text("here/two.txt", "1 2 3\n4 5 6\n0 7 8\n\n1 2 3\n4 0 6\n7 5 8\n");
    return 0;
}

static int end(void **state)
{
    free(experiments);
    return remove_folder(state);
}

#define HEAD    "experiment: e\n"
#define SETS    "instances: [{name: u, size: 3x3, count: 2}]\n"
#define SOLVERS "solvers: [bfs]\n"
/* Loads an experiment of tests/experiments/good, or of another path, that must be right. */
static struct experiment load(const char *name)
{
    struct experiment experiment;
    SCOPED_BY(report_end) struct report report = {0};
    char *path = strchr(name, '/') == NULL ? heap_format("%s/good/%s.yaml", experiments, name)
                                           : heap_text(name);
    bool fine = experiment_load(path, NULL, &report, &experiment);
    if (!fine)
        print_error("%s", report.text);
    assert_true(fine);
    assert_int_equal(report.count, 0);
    assert_string_equal(experiment.path, path);
    free(path);
    return experiment;
}

/* The solvers as "text time/bytes/nodes", each on a line. */
static char *solver_lines(const struct experiment *experiment)
{
    char *text = heap_text("");
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct experiment_solver *solver = &experiment->solvers[i];
        heap_append(&text, "%s %g/%zu/%zu\n", solver->text, solver->limits.seconds,
                    (size_t)solver->limits.bytes, (size_t)solver->limits.nodes);
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
        heap_append(&text, "%s/%s %s, %s, %d\n", instance->set, instance->name, start, goal,
                    instance->optimal_length);
    }
    return text;
}

static void expect_solvers(const char *name, const char *lines)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load(name);
    ASSERT_TEXT(solver_lines(&experiment), lines);
}

static void expect_instances(const char *name, const char *lines)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load(name);
    ASSERT_TEXT(instance_lines(&experiment), lines);
}

TEST(test_defaults)
{
    static const char text[] = HEAD SETS SOLVERS;
    SCOPED_BY(experiment_end) struct experiment experiment = load("defaults");
    assert_string_equal(experiment.name, "e");
    assert_string_equal(experiment.source, text);
    assert_int_equal(experiment.source_length, strlen(text));
    assert_string_equal(experiment.description, "");
    assert_int_equal(experiment.seed, 1);
    assert_string_equal(experiment.order, "ULRD");
    assert_int_equal(experiment.repetitions, 1);
    assert_true(experiment.limits.seconds == 60);
    assert_int_equal(experiment.limits.bytes, UINT64_C(2) << 30);
    assert_int_equal(experiment.limits.nodes, 0);
    assert_true(experiment.limits.cpu_seconds == 0);
    assert_int_equal(experiment.jobs, 0);
    assert_string_equal(experiment.output, "results/e");
    assert_null(experiment.baseline);
    assert_int_equal(experiment.instances.count, 2);
    assert_string_equal(goal_name(&experiment.instances.items[0].goal), "blank-last");
    assert_true(experiment.instances.items[0].optimal_length >= 0); /* looked up */
}

TEST(test_every_key)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load("every-key");
    assert_string_equal(experiment.name, "all-1.0_x");
    assert_string_equal(experiment.description, "two\nlines");
    assert_true(experiment.seed == UINT64_MAX);
    assert_string_equal(goal_name(&experiment.instances.items[0].goal), "snail");
    assert_string_equal(experiment.order, "RDLU");
    assert_int_equal(experiment.repetitions, 3);
    assert_int_equal(experiment.warmup, 5);
    assert_true(experiment.pin);
    assert_true(experiment.rounds);
    assert_true(experiment.limits.seconds == 90);
    assert_int_equal(experiment.limits.bytes, 1000000000);
    assert_int_equal(experiment.limits.nodes, 500000000);
    assert_true(experiment.limits.cpu_seconds == 70);
    assert_int_equal(experiment.jobs, 2);
    assert_string_equal(experiment.output, "there/it goes");
    assert_string_equal(experiment.baseline, "lcbb(misplaced, duplicates=none)");
    assert_true(experiment.all_pairs);
}

TEST(test_metrics)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load("metrics");
    assert_int_equal(experiment.metric_count, 2);
    assert_string_equal(experiment.metrics[0], "max_stored");
    assert_string_equal(experiment.metrics[1], "wall_s");
}

/* Instances vary slowest, repetitions fastest. */
TEST(test_matrix)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load("matrix");
    size_t index = 0;
    assert_int_equal(experiment_run_count(&experiment), 2 * 3 * 4);
    for (size_t instance = 0; instance < 2; instance++)
        for (size_t solver = 0; solver < 3; solver++)
            for (unsigned repetition = 1; repetition <= 4; repetition++) {
                struct matrix_cell run = experiment_cell(&experiment, index++);
                assert_int_equal(run.instance, instance);
                assert_int_equal(run.solver, solver);
                assert_int_equal(run.repetition, repetition);
            }
}

TEST(test_solvers)
{
    expect_solvers("orders", "bfs 60/2147483648/0\n"
                             "bfs(order=RDUL) 60/2147483648/0\n"
                             "bfs(order=ULRD) 60/2147483648/0\n"
                             "dfs(order=RDUL) 60/2147483648/0\n"
                             "dfs(order=ULRD) 60/2147483648/0\n"
                             "greedy(zero, order=DLRU) 60/2147483648/0\n");
    expect_solvers("solvers", "bfs 10/65536/0\n"
                              "dfs(depth_limit=31) 10/65536/0\n");
    expect_solvers("heuristics",
                   "astar(gaschnig) 60/2147483648/0\n"
                   "astar(euclidean) 60/2147483648/0\n"
                   "astar(inversion) 60/2147483648/0\n"
                   "astar(out_of_row_column) 60/2147483648/0\n"
                   "astar(pdb:5-5-5) 60/2147483648/0\n"
                   "astar(pdb:5-5-5:reflect) 60/2147483648/0\n"
                   "astar(pdb:1.2.15/3.4.5/6.7.8/9.10.11/12.13.14:reflect) 60/2147483648/0\n"
                   "idastar(pdb:6-6-3:reflect) 60/2147483648/0\n"
                   "idastar(pdb:1.2.3/4.5.6/7/8/9.10.11/14.15/12.13) 60/2147483648/0\n"
                   "idastar(pdb:7-8) 60/2147483648/0\n"
                   "idastar(max:manhattan+pdb:5-5-5+inversion) 60/2147483648/0\n"
                   "idastar(max:misplaced+euclidean) 60/2147483648/0\n"
                   "rbfs(pdb:6-6-3:reflect) 60/2147483648/0\n"
                   "rbfs(pdb:1.2.3/4.5.6/7/8/9.10.11/14.15/12.13) 60/2147483648/0\n"
                   "rbfs(pdb:7-8) 60/2147483648/0\n"
                   "rbfs(max:manhattan+pdb:5-5-5+inversion) 60/2147483648/0\n"
                   "rbfs(max:misplaced+euclidean) 60/2147483648/0\n"
                   "idastar(max:manhattan+pdb:5-5-5:reflect, step=parity) 60/2147483648/0\n"
                   "idastar(pdb:5-5-5:zero) 60/2147483648/0\n"
                   "idastar(pdb:6-6-3:zero:reflect) 60/2147483648/0\n"
                   "idastar(pdb:7-8:zero:reflect) 60/2147483648/0\n"
                   "idastar(pdb:5-5-5;6-6-3:reflect) 60/2147483648/0\n"
                   "idastar(pdb:5-5-5;6-6-3:zero) 60/2147483648/0\n"
                   "idastar(pdb:5-5-5:zero:onebit) 60/2147483648/0\n"
                   "idastar(pdb:7-8:zero:onebit:reflect) 60/2147483648/0\n");
    expect_solvers("solvers-short",
                   "bfs(goal_test=removal) 60/2147483648/0\n"
                   "dfs 60/2147483648/0\n"
                   "dfs(duplicates=path, depth_limit=7) 60/2147483648/0\n"
                   "astar(manhattan) 60/2147483648/0\n"
                   "astar(misplaced, count_blank, depth_limit=9, ties=fifo) "
                   "60/2147483648/0\n"
                   "descent(misplaced, count_blank) 60/2147483648/0\n"
                   "descent(misplaced) 60/2147483648/0\n"
                   "lcbb(zero, duplicates=stored, goal_test=generation, ties=lifo) "
                   "60/2147483648/0\n");
    /* The first key varies slowest, whatever it is. */
    expect_solvers("solvers-multiplied", "greedy(misplaced) 60/2147483648/0\n"
                                         "greedy(manhattan) 60/2147483648/0\n"
                                         "astar(misplaced) 60/2147483648/0\n"
                                         "astar(manhattan) 60/2147483648/0\n");
    expect_solvers("solvers-first-key-slowest",
                   "astar(misplaced) 60/2147483648/0\n"
                   "astar(manhattan) 60/2147483648/0\n"
                   "astar(misplaced, depth_limit=7) 60/2147483648/0\n"
                   "astar(manhattan, depth_limit=7) 60/2147483648/0\n");
    expect_solvers("solvers-flag", "descent(misplaced, count_blank) 60/2147483648/0\n"
                                   "descent(misplaced) 60/2147483648/0\n");
    expect_solvers("solvers-decimals", "wastar(manhattan, w=1) 60/2147483648/0\n"
                                       "wastar(manhattan, w=1.25) 60/2147483648/0\n"
                                       "wastar(manhattan, w=2) 60/2147483648/0\n"
                                       "wastar(manhattan, w=7.125) 60/2147483648/0\n"
                                       "wastar(manhattan, w=999.999) 60/2147483648/0\n"
                                       "wastar(manhattan, w=1000) 60/2147483648/0\n"
                                       "wastar(misplaced) 60/2147483648/0\n"
                                       "wastar(misplaced, reopen=false) 60/2147483648/0\n"
                                       "wastar(misplaced, w=2) 60/2147483648/0\n");
    /* A solver's limits go before the experiment's, key by key; the experiment's may stand below.
     */
    expect_solvers("solvers-limits", "bfs 3600/2147483648/2000000\n"
                                     "dfs 0.5/2147483648/0\n"
                                     "astar(zero) 3600/1048576/7000\n");
    /* Aliases are fine where they are not part of themselves. */
    expect_solvers("alias", "bfs 2/2147483648/0\n");
}

TEST(test_units)
{
    expect_solvers("units", "dfs(depth_limit=1) 60/65536/1\n"
                            "dfs(depth_limit=2) 0.5/65536/2000\n"
                            "dfs(depth_limit=3) 0.001/70000/2000\n"
                            "dfs(depth_limit=4) 0.001/70000/2000\n"
                            "dfs(depth_limit=5) 2/3000000/3000000\n"
                            "dfs(depth_limit=6) 90/1000000000/4000000000\n"
                            "dfs(depth_limit=7) 120/1000000000000/5000000000000\n"
                            "dfs(depth_limit=8) 3.16224e+07/65536/1000000000000000000\n"
                            "dfs(depth_limit=9) 3.16224e+07/1048576/1000000000000000000\n"
                            "dfs(depth_limit=10) 7/2147483648/7\n"
                            "dfs(depth_limit=11) 0.001/1125899906842624/0\n");
}

/* A value is what is written, whatever YAML's own rules would take it for. */
TEST(test_texts_and_numbers)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load("texts-and-numbers");
    assert_string_equal(experiment.name, "2026");
    assert_string_equal(experiment.description, "1.5");
    assert_int_equal(experiment.seed, 7);
    assert_string_equal(experiment.output, "7");
    ASSERT_TEXT(solver_lines(&experiment), "dfs(depth_limit=5) 60/2147483648/0\n"
                                           "dfs(depth_limit=6) 60/2147483648/0\n"
                                           "dfs 60/2147483648/0\n"
                                           "descent(misplaced, count_blank) 60/2147483648/0\n");
    assert_int_equal(experiment.instances.count, 2 + 1000 + 1 + 1);
    assert_string_equal(experiment.instances.items[0].set, "3.3");
    assert_string_equal(experiment.instances.items[2].set, "true");
    assert_string_equal(experiment.instances.items[1002].set, "0-1");
    assert_string_equal(experiment.instances.items[1003].set, "007");
}

TEST(test_written_boards)
{
    expect_instances("boards", "a/1 1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 7 8 0, 1\n"
                               "a/2 1 2 3 4 0 6 7 5 8, 1 2 3 4 5 6 7 8 0, 2\n"
                               "a/3 1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 7 8 0, 2\n"
                               "b/1 1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 7 8 0, 1\n"
                               "b/2 1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 7 8 0, 2\n"
                               "c/1 1 2 3 4 0 5, 1 2 3 4 5 0, 1\n"
                               "d/1 0 1 3 2, 1 2 3 0, 2\n"
                               "d/2 1 2 3 0, 1 2 3 0, 0\n");
}

/* All ways to write one goal mean the same. */
TEST(test_goals)
{
    static const char *const goals[] = {
        "goal-name",   "goal-line",        "goal-compact",          "goal-rows",   "goal-lists",
        "goal-cells",  "goal-rows-quoted", "goal-escapes",          "goal-anchor", "goal-block",
        "goal-folded", "goal-block-list",  "goal-of-the-experiment"};
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        expect_instances(goals[i], "g/1 1 2 3 8 4 0 7 6 5, 1 2 3 8 0 4 7 6 5, 1\n");
    /* Rows show a shape that is no square. */
    expect_instances("goal-not-square", "g/1 1 2 0 4 5 3, 1 2 3 4 5 0, 1\n");
}

TEST(test_generated)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load("generated");
    static const char *const names[] = {
        "u/1",     "u/2",     "u/3",     "u/4",     "u/5",     "w/1",     "w/2",     "w/3",
        "d/d02-1", "d/d02-2", "d/d04-1", "d/d04-2", "d/d06-1", "d/d06-2", "e/d01-1", "e/d02-1",
        "e/d03-1", "e/d31-1", "f/d05-1", "f/d08-1", "f/d09-1", "g/d00-1"};
    static const int lengths[] = {-1, -1, -1, -1, -1, -1, -1, -1, 2, 2, 4,
                                  4,  6,  6,  1,  2,  3,  31, 5,  8, 9, 0};
    assert_int_equal(experiment.instances.count, sizeof names / sizeof *names);
    for (size_t i = 0; i < experiment.instances.count; i++) {
        const struct instance *instance = &experiment.instances.items[i];
        assert_string_equal(text_of("%s/%s", instance->set, instance->name), names[i]);
        assert_int_equal(instance->optimal_length, lengths[i]);
    }
    assert_int_equal(experiment.instances.items[0].start.shape.width, 4);
    assert_int_equal(experiment.instances.items[5].goal.blank, 0);
}

TEST(test_sets_in_files)
{
    expect_instances("set", "three/a 1 2 3 5 6 0 7 8 4, 1 2 3 5 8 6 0 7 4, 3\n"
                            "three/b 1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 7 8 0, 1\n"
                            "three/c 1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 7 8 0, 2\n");
    expect_instances("set-select", "some/a 1 2 3 5 6 0 7 8 4, 1 2 3 5 8 6 0 7 4, 3\n"
                                   "some/c 1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 7 8 0, 2\n"
                                   "three/b 1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 7 8 0, 1\n");
    expect_instances("file", "f/1 1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 7 0 8, 0\n");
}

/* A byte-order mark and carriage returns are no part of the text. */
TEST(test_carriage_returns)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load("carriage-returns");
    assert_string_equal(experiment.description, "gr\xC3\xB6\xC3\x9F"
                                                "er");
    assert_int_equal(experiment.instances.count, 2);
}

/* Solvers with a command: their texts, limits and what they promise; the baseline by its label. */
TEST(test_externals)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load("external");
    char *solvers = solver_lines(&experiment);
    assert_string_equal(
        solvers,
        "astar(manhattan) 5/1073741824/0\n"
        "external(sh mine.sh, optimal) 5/1073741824/0\n"
        "external(sh mine.sh {board} --goal {goal} {size}, persistent, protocol=json, moves=tile) "
        "10/1073741824/0\n"
        "external(./mine.sh 'it'\\''s' 007 'a,b') 5/1073741824/500\n");
    free(solvers);
    assert_string_equal(experiment.baseline, experiment.solvers[1].text);
    assert_null(experiment.solvers[0].external);
    assert_int_equal(solver_properties(&experiment.solvers[1].solver), OPTIMAL | COMPLETE);
    assert_int_equal(solver_properties(&experiment.solvers[2].solver), 0);
    SCOPED char *real = realpath(text_of("%s/good", experiments), NULL);
    const struct external *last = experiment.solvers[3].external;
    assert_string_equal(last->folder, real);
    assert_int_equal(last->file_count, 3);
    assert_string_equal(last->files[0].name, "one.txt");
    assert_string_equal(last->files[2].name, "./mine.sh");
    assert_string_equal(last->files[1].hash, last->files[2].hash);
    assert_string_equal(last->words[1], "it's");
    assert_null(last->words[4]);
}

TEST(test_labels)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load("labels");
    assert_int_equal(experiment.solver_count, 4);
    assert_string_equal(experiment.solvers[0].text, "astar(manhattan)");
    assert_string_equal(experiment.solvers[0].label, "A* with Manhattan");
    assert_int_equal(strlen(experiment.solvers[1].label), 120);
    assert_null(experiment.solvers[2].label);
    assert_string_equal(experiment.solvers[3].label, "7");
}

/* Those above are all there are: one that no test knows is right too. */
TEST(test_all_good_files)
{
    glob_t found;
    assert_int_equal(glob(text_of("%s/good/*.yaml", experiments), 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        SCOPED_BY(experiment_end) struct experiment experiment = load(found.gl_pathv[i]);
    }
    globfree(&found);
}

/* `text` with a placeholder written out. */
static char *fill_in(char *text, const char *placeholder, const char *const *words, size_t count)
{
    SCOPED char *list = words_listed(words, count);
    for (char *at; (at = strstr(text, placeholder)) != NULL;) {
        char *longer =
            heap_format("%.*s%s%s", (int)(at - text), text, list, at + strlen(placeholder));
        free(text);
        text = longer;
    }
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
    text = fill_in(text, "{heuristics}", names, heuristic_count);
    text = fill_in(text, "{methods}", method_names, METHODS);
    text = fill_in(text, "{metrics}", metric_words, METRIC_WORDS);
    SCOPED char *here = getcwd(NULL, 0);
    names[0] = here;
    text = fill_in(text, "{folder}", names, 1);
    return text;
}

/* Whether exactly these problems are reported of a file. */
static bool tells(const char *path, const char *problems)
{
    struct experiment experiment;
    SCOPED_BY(report_end) struct report report = {0};
    SCOPED char *expected = expected_problems(problems);
    bool fine = !experiment_load(path, NULL, &report, &experiment) &&
                strcmp(report.text == NULL ? "" : report.text, expected) == 0;
    if (!fine)
        print_error("%s: expected\n%sbut it says\n%s", path, expected,
                    report.text == NULL ? "nothing\n" : report.text);
    return fine;
}

/* Paths begin at the experiment's folder, not at the current one. */
TEST(test_paths)
{
    struct experiment experiment;
    struct report report = {0};
    write_text("here/e.yaml", HEAD "instances: [{name: f, file: two.txt, select: 2}]\n" SOLVERS);
    assert_true(experiment_load("here/e.yaml", NULL, &report, &experiment));
    assert_int_equal(experiment.instances.count, 1);
    assert_string_equal(experiment.instances.items[0].name, "2");
    experiment_end(&experiment);
    /* One that ships, by its name. */
    setenv("TILELAB_DATA", folder, 1);
    write_text("experiments/shipped.yaml", "experiment: other-name\n" SETS SOLVERS);
    assert_true(experiment_load("shipped", NULL, &report, &experiment));
    assert_string_equal(experiment.name, "other-name");
    assert_string_equal(report.file, experiment.path);
    experiment_end(&experiment);
    assert_true(tells("shiped", "shiped: no such experiment; expected a YAML file, or one that "
                                "ships: shipped; did you mean 'shipped'?\n"));
    assert_true(tells("none.yaml", "none.yaml: cannot be opened: No such file or directory\n"));
    assert_true(tells("here/", "here/: cannot be opened: it is a folder\n"));
    setenv("TILELAB_DATA", experiments, 1);
}

TEST(test_bad_files)
{
    glob_t found;
    size_t wrong = 0;
    SCOPED char *bad = heap_format("%s/bad", experiments);
    assert_int_equal(chdir(bad), 0); /* so that the messages name the files alone */
    assert_int_equal(glob("*.expected", 0, NULL, &found), 0);
    const size_t count = found.gl_pathc;
    globfree(&found);
    assert_int_equal(glob("*.yaml", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, count);
    assert_true(count >= 60);
    for (size_t i = 0; i < count; i++) {
        const char *path = found.gl_pathv[i];
        SCOPED char *problems = read_text(text_of("%.*s.expected", (int)(strlen(path) - 5), path));
        /* "# schema: .." is for e2e/test_schema.py. */
        const char *first = problems[0] == '#' ? strchr(problems, '\n') + 1 : problems;
        wrong += !tells(path, first);
    }
    globfree(&found);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(wrong, 0);
}

TEST(test_too_large)
{
    SCOPED char *large = heap_take((size_t)MAX_YAML_BYTES + 1, 1);
    memset(large, '#', (size_t)MAX_YAML_BYTES + 1);
    write_bytes("e.yaml", large, (size_t)MAX_YAML_BYTES + 1);
    assert_true(tells("e.yaml", "e.yaml: a file of more than 1 MiB; expected a smaller one, with "
                                "boards in files of their own\n"));
}

/* Too many solvers are refused before they are made. */
TEST(test_too_many_solvers)
{
    char *text = heap_text(HEAD SETS "solvers:\n  - algorithm: dfs\n    depth_limit: [1");
    for (unsigned i = 2; i <= 10001; i++)
        heap_append(&text, ", %u", i);
    write_text("e.yaml", text_of("%s]\n", text));
    assert_true(tells("e.yaml", "e.yaml:4:5: more than 10000 solvers; expected fewer\n"));
    free(text);
}

/* The line of the file below each message, and a caret below the column. */
TEST(test_printing)
{
    struct experiment experiment;
    struct report report;
    SCOPED char *shown = NULL;
    size_t length = 0;
    write_text("e.yaml", "experiment: e\n\"s\xC3\xA4\": 1\n" SETS "\tx\n");
    report_start(&report, NULL);
    assert_false(experiment_load("e.yaml", NULL, &report, &experiment));
    report_end(&report);
    report_start(&report, "e.yaml");
    report_add(&report, (struct text_place){2, 7}, "first");
    report_add(&report, (struct text_place){4, 2}, "second");
    report_add(&report, NO_PLACE, "of the whole file");
    report_add(&report, (struct text_place){99, 1}, "of a line that is not there");
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
    report_end(&report);
}

/* method all: every board of a shape once, each with its optimal length. */
TEST(test_all_boards)
{
    SCOPED_BY(experiment_end) struct experiment experiment = load("all");
    const struct instance_list *list = &experiment.instances;
    int deepest = 0;
    assert_int_equal(list->count, 360 + 12);
    for (size_t i = 0; i < list->count; i++) {
        assert_true(board_connected(&list->items[i].start, &list->items[i].goal));
        assert_true(list->items[i].optimal_length >= 0);
        deepest = list->items[i].optimal_length > deepest ? list->items[i].optimal_length : deepest;
        for (size_t j = 0; j < i; j++)
            assert_false(board_equal(&list->items[i].start, &list->items[j].start) &&
                         list->items[i].set[0] == list->items[j].set[0]);
    }
    assert_int_equal(deepest, 21);
    assert_string_equal(list->items[359].name, "360");
    assert_string_equal(list->items[360].set, "other");
}

/* Loads "e.yaml" as it stands here with values put in place of its own; the problems, or "". */
static char *load_set(const char *const *texts, size_t count, struct experiment *experiment)
{
    const struct overrides overrides = {.texts = (const char **)(uintptr_t)texts, .count = count};
    SCOPED_BY(report_end) struct report report = {0};
    const bool fine = experiment_load("e.yaml", &overrides, &report, experiment);
    char *problems = heap_text(report.text == NULL ? "" : report.text);
    assert_true(fine == (problems[0] == '\0'));
    return problems;
}

TEST(test_overrides)
{
    write_text("e.yaml",
               HEAD "limits: &l {time: 3s}\n"
                    "instances: [{name: u, size: 3x3, count: 2}, {name: v, boards: [1 2 3 "
                    "4 5 6 7 0 8]}]\n"
                    "solvers: [bfs, {algorithm: dfs, limits: *l}]\n"
                    "compare:\n");
    struct experiment experiment;
    /* New keys, new mappings, items, boards; an alias's other places stay as they are. */
    const char *const fine[] = {"limits.time=5s",
                                "limits.nodes=7k",
                                "solvers.1=astar(manhattan)",
                                "instances.1.count=4",
                                "instances.2.boards=[1 2 3 4 5 6 0 7 8, [1 2 3, 4 0 6, 7 5 8]]",
                                "seed=9",
                                "seed=10",
                                "compare.baseline=astar(manhattan)"};
    ASSERT_TEXT(load_set(fine, sizeof fine / sizeof *fine, &experiment), "");
    ASSERT_TEXT(solver_lines(&experiment), "astar(manhattan) 5/2147483648/7000\n"
                                           "dfs 3/2147483648/7000\n");
    assert_int_equal(experiment.seed, 10);
    assert_int_equal(experiment.instances.count, 6);
    assert_string_equal(experiment.baseline, "astar(manhattan)");
    experiment_end(&experiment);
    static const struct {
        const char *set, *problem;
    } bad[] = {
        {"limits.time=5x",
         "invalid value '5x' for 'time'; expected a time such as 500ms, 60s, 2m or "
         "1h, from 1ms to 8784h"},
        {"limits.tme=5s",
         "unknown key 'tme'; expected time, memory, nodes or cpu; did you mean 'time'?"},
        {"experiment.x=1", "'x' has no place: the key before it holds a single value"},
        {"instances.3.count=1", "this list has no item '3'; expected a number from 1 to 2"},
        {"instances.0.count=1", "this list has no item '0'; expected a number from 1 to 2"},
        {"instances.first.count=1", "this list has no item 'first'"},
        {"limits..time=1", "a key is missing here"},
        {".=1", "a key is missing here"},
        {"limits=", "no value; expected one, as in limits.time=5s"},
        {"limits= ", "no value; expected one"},
        {"instances.2=null", "no value; expected one, as in limits.time=5s"},
        {"seed=# 3", "no value; expected one"},
        {"limits={time: 1s", "not YAML: "},
        {"limits={time: 1s, time: 2s}", "key 'time' a second time"},
        {"limits=*l", "an alias without an anchor"},
        {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u=1", "too many keys"},
    };
    write_text("e.yaml",
               HEAD "limits: &l {time: 3s}\n" SOLVERS
                    "instances: [{name: u, size: 3x3, count: 2}, {name: v, boards: [1 2 3 "
                    "4 5 6 7 0 8]}]\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        SCOPED char *expected = heap_format("--set %s: %s", bad[i].set, bad[i].problem);
        SCOPED char *problems = load_set(&bad[i].set, 1, &experiment);
        if (strncmp(problems, expected, strlen(expected)) != 0)
            fail_msg("%s instead of %s", problems, expected);
    }
    /* Problems of the file and of the command line, each at its own place. */
    write_text("e.yaml", HEAD SETS SOLVERS "jbs: 3\n");
    const char *const both[] = {"seed=x"};
    SCOPED char *problems = load_set(both, 1, &experiment);
    assert_non_null(strstr(problems, "e.yaml:4:1: unknown key 'jbs'"));
    assert_non_null(strstr(problems, "\n--set seed=x: invalid value 'x' for 'seed'"));
}

/* The experiments that ship are right, wherever the tests are built. */
TEST(test_shipped)
{
    size_t count;
    const char *source = getenv("TILELAB_SOURCE");
    SCOPED char *data = heap_format("%s/here", folder);
    assert_int_equal(symlink(text_of("%s/instances/sets", source), "here/sets"), 0);
    assert_int_equal(symlink(text_of("%s/harness/experiments", source), "here/experiments"), 0);
    assert_int_equal(symlink(text_of("%s/results/reference", source), "here/reference"), 0);
    setenv("TILELAB_DATA", data, 1);
    char **names = data_names(DATA_EXPERIMENTS, &count);
    assert_true(count > 10);
    for (size_t i = 0; i < count; i++) {
        SCOPED_BY(experiment_end) struct experiment experiment;
        struct report report = {0};
        bool fine = experiment_load(names[i], NULL, &report, &experiment);
        if (!fine)
            print_error("%s", report.text);
        assert_true(fine);
        assert_string_equal(experiment.name, names[i]);
        assert_true(experiment_run_count(&experiment) > 0);
        assert_true(experiment.group != GROUP_OWN);
        assert_true(experiment.group == GROUP_PUBLISHED || experiment.baseline != NULL);
        free(names[i]);
    }
    free(names);
    setenv("TILELAB_DATA", experiments, 1);
}

AROUND_ALL_TESTS(start, end)
