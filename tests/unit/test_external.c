/* External solvers as an experiment has them: their text, their files, and what identifies them. */
#include "harness/external/external.h"
#include "harness/results/record.h"
#include "tests/folder.h"
#include "tests/support.h"
#include <fcntl.h>
#include <sys/stat.h>

/* A solver of these words, ended by NULL. */
static struct external external_of(const char *const *words)
{
    struct external external = {.folder = heap_text(folder)};
    while (words[external.word_count] != NULL)
        external.word_count++;
    external.words = heap_take(external.word_count + 1, sizeof *external.words);
    for (size_t i = 0; i < external.word_count; i++)
        external.words[i] = heap_text(words[i]);
    return external;
}

#define EXTERNAL(...) external_of((const char *const[]){__VA_ARGS__, NULL})

static void expect_text(struct external external, const char *expected)
{
    ASSERT_TEXT(external_text(&external), expected);
    external_end(&external);
}

TEST(test_texts)
{
    struct external external = EXTERNAL("python3", "mine.py");
    external.optimal = external.persistent = external.json = external.tile_moves = true;
    expect_text(external,
                "external(python3 mine.py, persistent, protocol=json, moves=tile, optimal)");
    expect_text(EXTERNAL("./a", "{board}", "--size={size}", "x=1"),
                "external(./a {board} --size={size} x=1)");
    /* What a shell, or a reader of the short form, would take apart is quoted. */
    expect_text(EXTERNAL("A=b", "", "a b", "a,b", "f(x)", "$HOME", "*", "{1..3}"),
                "external('A=b' '' 'a b' 'a,b' 'f(x)' '$HOME' '*' '{1..3}')");
}

/* The shell reads the command as it was written. */
TEST(test_a_shell_reads_it)
{
    const char *const words[] = {"printf", "%s\\n",  "it's", "",     "a  b", "$HOME", "*",
                                 "a,b",    "{1..3}", "{a}",  "\\",   "\"",   "~",     "'",
                                 "; echo", "&&",     "#",    "`ls`", "!x",   NULL};
    SCOPED_BY(external_end) struct external external = external_of(words);
    SCOPED char *command = external_command(&external);
    assert_int_equal(system(text_of("%s > out", command)), 0);
    SCOPED_BY(stream_end) FILE *file = fopen("out", "r");
    char line[100];
    assert_non_null(file);
    for (size_t i = 2; words[i] != NULL; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        line[strcspn(line, "\n")] = '\0';
        assert_string_equal(line, words[i]);
    }
}

static char *text_as_json(const struct external *external)
{
    json_auto_t *json = external_json(external);
    char *text = json_dumps(json, JSON_COMPACT);
    return text;
}

TEST(test_json_and_back)
{
    struct external external = EXTERNAL("sh", "mine.py", "it's");
    struct external again;
    write_text("mine.py", "");
    external.persistent = external.tile_moves = true;
    assert_null(external_find_files(&external));
    SCOPED char *text = text_as_json(&external);
    assert_string_equal(text, "{\"command\":[\"sh\",\"mine.py\",\"it's\"],\"files\":{\"mine.py\":"
                              "\"2d06800538d394c2\"},\"persistent\":true,\"moves\":\"tile\"}");
    json_t *json = external_json(&external);
    assert_true(external_read(json, folder, &again));
    json_decref(json);
    assert_null(external_find_files(&again));
    ASSERT_TEXT(text_as_json(&again), text);
    external_end(&again);
    external_end(&external);
    json = json_object();
    assert_false(external_read(json, folder, &again));
    json_decref(json);
}

static void expect_problem(struct external external, const char *before, const char *after)
{
    SCOPED char *why = external_find_files(&external);
    assert_non_null(why);
    assert_string_equal(
        why, text_of("%s%s%s", before, after == NULL ? "" : folder, after == NULL ? "" : after));
    external_end(&external);
}

static void expect_files(struct external external, const char *expected)
{
    char *why = external_find_files(&external);
    SCOPED char *names = heap_text("");
    if (why != NULL)
        fail_msg("%s", why);
    for (size_t i = 0; i < external.file_count; i++)
        heap_append(&names, "%s%s", i == 0 ? "" : " ", external.files[i].name);
    assert_string_equal(names, expected);
    external_end(&external);
}

TEST(test_files)
{
    write_text("mine.py", "");
    write_text("Solver.class", "");
    write_text("run.sh", "");
    assert_int_equal(chmod("run.sh", 0755), 0);
    /* An interpreter that the PATH finds is the machine's; alone, it is the solver. */
    expect_files(EXTERNAL("sh", "mine.py"), "mine.py");
    expect_files(EXTERNAL("sh"), "sh");
    expect_files(EXTERNAL("./run.sh", "mine.py", "./run.sh", "--x", "8"), "mine.py ./run.sh");
    expect_files(EXTERNAL("sh", "-cp", ".", "Solver"), "Solver.class");
    expect_files(EXTERNAL("sh", "-m", "mine"), "mine.py");
    /* What only looks like a file is none: options, numbers, templates, folders. */
    expect_files(EXTERNAL("./run.sh", "--out=x.py", "1.5", "{board}.py", "..", "a.b"), "./run.sh");
    expect_problem(EXTERNAL("sh", "mine.pi"), "no file 'mine.pi' in ", "; did you mean 'mine.py'?");
    expect_problem(EXTERNAL("sh", "other.jar"), "no file 'other.jar' in ", "");
    expect_problem(EXTERNAL("./mine.py"),
                   "'./mine.py' is not executable; expected chmod +x './mine.py', or the program "
                   "that runs it as the first word",
                   NULL);
    expect_problem(EXTERNAL("run.sh"),
                   "no program 'run.sh' in the PATH; expected './run.sh' for the one in ", "");
    expect_problem(EXTERNAL("./rum.sh"), "no program './rum.sh' in ", "; did you mean './run.sh'?");
}

TEST(test_changes)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1}};
    write_text("mine.py", "one");
    SCOPED_BY(external_end) struct external external = EXTERNAL("sh", "mine.py");
    assert_null(external_find_files(&external));
    assert_null(external_changed(&external));
    assert_int_equal(utimensat(AT_FDCWD, "mine.py", times, 0), 0); /* touched, but the same */
    assert_null(external_changed(&external));
    write_text("mine.py", "two");
    ASSERT_TEXT(external_changed(&external),
                "its file mine.py has changed since the start of the experiment");
    unlink("mine.py");
    ASSERT_TEXT(external_changed(&external),
                "its file mine.py is gone since the start of the experiment");
}

/* The row of an answer, as cells. */
static char **cells_of(const struct external *external, const struct answer *answer, char *run_id)
{
    static char set[] = "s";
    static char name[] = "1";
    const struct solver solver = {.algorithm = external_algorithm(external->optimal)};
    const struct instance instance = {.set = set,
                                      .name = name,
                                      .start = board_of("1 2 3 4 5 6 7 0 8"),
                                      .goal = board_of("1 2 3 4 5 6 7 8 0"),
                                      .optimal_length = 1};
    SCOPED char *text = external_text(external);
    struct run run = {.experiment = "e",
                      .instance = &instance,
                      .solver = &solver,
                      .external = external,
                      .solver_text = text,
                      .order = "ULRD",
                      .repetition = 1};
    const struct result result = {.status = STATUS_exhausted,
                                  .h_start = -1,
                                  .statistics = {.expanded = 43, .peak_bytes = 7},
                                  .wall_seconds = 0.5};
    const struct record record = {
        .run = &run, .result = &result, .answer = answer, .host = "", .finished_at = ""};
    char id[RUN_ID_BYTES];
    record_run_id(&run);
    memcpy(run_id, run.id, RUN_ID_BYTES);
    char **cells = record_cells(&record, true);
    cells_run_id((const char *const *)cells, id); /* the row's own cells give its id, too */
    assert_string_equal(id, run.id);
    return cells;
}

static void identify(const char *contents, const char *word, char *run_id)
{
    write_text("mine.py", contents);
    struct external external = EXTERNAL("sh", "mine.py", word);
    assert_null(external_find_files(&external));
    cells_end(cells_of(&external, NULL, run_id));
    external_end(&external);
}

TEST(test_identity)
{
    char first[RUN_ID_BYTES];
    char same[RUN_ID_BYTES];
    char byte[RUN_ID_BYTES];
    char word[RUN_ID_BYTES];
    identify("print(1)", "a", first);
    identify("print(1)", "a", same);
    identify("print(2)", "a", byte);
    identify("print(1)", "b", word);
    assert_string_equal(first, same);
    assert_string_not_equal(first, byte);
    assert_string_not_equal(first, word);
}

/* Unknown is not 0: what it did not say is an empty cell. */
TEST(test_rows)
{
    enum { EXPANDED = COLUMN_expanded - FIRST_COUNTER };
    char run_id[RUN_ID_BYTES];
    char extra[] = "{\"note\":\"hello\"}";
    const struct answer answer = {.known = 1U << EXPANDED, .extra = extra};
    write_text("mine.py", "");
    SCOPED_BY(external_end) struct external external = EXTERNAL("sh", "mine.py");
    assert_null(external_find_files(&external));
    char **cells = cells_of(&external, &answer, run_id);
    assert_string_equal(cells[COLUMN_expanded], "43");
    for (size_t i = COLUMN_generated; i < FIRST_COUNTER + COUNTERS; i++)
        assert_string_equal(cells[i], "");
    assert_string_equal(cells[COLUMN_measured], "process");
    assert_string_equal(cells[COLUMN_extra], extra);
    assert_string_equal(cells[COLUMN_algorithm], "external");
    assert_string_equal(cells[COLUMN_options], "");
    cells_end(cells);
    external.persistent = true;
    cells = cells_of(&external, NULL, run_id);
    assert_string_equal(cells[COLUMN_expanded], "");
    assert_string_equal(cells[COLUMN_measured], "answer");
    assert_string_equal(cells[COLUMN_options], "persistent");
    assert_string_equal(cells[COLUMN_extra], "");
    cells_end(cells);
}

/* A solver in a folder whose own name looks like a pattern, with a name in `program`. */
static struct external with_program(const char *name)
{
    struct external external = EXTERNAL("sh", "-c", "true");
    free(external.folder);
    external.folder = heap_format("%s/g[1]", folder);
    external.files = heap_take(1, sizeof *external.files);
    external.files[external.file_count++] = (struct program_file){.name = heap_text(name)};
    return external;
}

/* Does something in the folder of that solver; whether it is another solver then, for a run that
 * goes on and for one that begins. */
static bool is_other_after(const char *name, const char *command)
{
    SCOPED_BY(external_end) struct external before = with_program(name);
    SCOPED_BY(external_end) struct external after = with_program(name);
    assert_null(external_find_files(&before));
    assert_null(external_changed(&before));
    assert_int_equal(system(text_of("cd 'g[1]' && %s", command)), 0);
    SCOPED char *changed = external_changed(&before);
    assert_null(external_find_files(&after));
    const bool other = strcmp(before.files[0].hash, after.files[0].hash) != 0;
    if (other != (changed != NULL))
        fail_msg("%s after %s: %s", name, command, changed == NULL ? "not noticed" : changed);
    return other;
}

/* Whatever changes in folders and patterns makes another program; what interpreters leave there,
 * what hides, and what links lead to does not. */
TEST(test_folders_and_patterns)
{
    static const char *const names[] = {"lib", "l*", "lib/[a-z]*"};
    assert_int_equal(system("mkdir -p 'g[1]/lib/deep' far; echo 1 > 'g[1]/lib/a.py';"
                            "echo 2 > 'g[1]/lib/deep/b.py'; echo 3 > far/c.py"),
                     0);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const char *name = names[i];
        assert_true(is_other_after(name, "echo 2 > lib/a.py"));
        assert_true(is_other_after(name, "echo 3 > lib/deep/b.py"));
        assert_true(is_other_after(name, "echo 3 > lib/deep/new.py"));
        assert_true(is_other_after(name, "mv lib/deep/new.py lib/new.py"));
        assert_true(is_other_after(name, "rm lib/new.py"));
        assert_true(is_other_after(name, "ln -s ../../far lib/link"));
        assert_false(is_other_after(name, "echo $$ > ../far/c.py"));
        assert_true(is_other_after(name, "ln -sfn ../../far/c.py lib/link"));
        assert_true(is_other_after(name, "rm lib/link; echo 1 > lib/a.py; echo 2 > lib/deep/b.py"));
        assert_false(is_other_after(name, "touch lib/a.py lib/.hidden other; mkfifo lib/deep/pipe;"
                                          "mkdir lib/__pycache__; touch lib/__pycache__/a.pyc"));
        assert_false(is_other_after(name, "rm -r lib/deep/pipe lib/__pycache__ lib/.hidden"));
    }
    SCOPED_BY(external_end) struct external external = with_program("no*");
    ASSERT_TEXT(external_find_files(&external), "the file 'no*' cannot be read: no file is there");
}

/* The hash does not depend on where the folder lies. */
TEST(test_a_folder_elsewhere)
{
    for (unsigned i = 0; i < 2; i++) {
        SCOPED_BY(external_end) struct external here = with_program(i == 0 ? "lib" : "lib/*.py");
        assert_null(external_find_files(&here));
        assert_int_equal(system("mkdir other; cp -a 'g[1]' other"), 0);
        struct external there = with_program(i == 0 ? "lib" : "lib/*.py");
        free(there.folder);
        there.folder = heap_format("%s/other/g[1]", folder);
        assert_null(external_find_files(&there));
        assert_string_equal(here.files[0].hash, there.files[0].hash);
        assert_int_equal(system("rm -r other"), 0);
        external_end(&there);
    }
}

AROUND_ALL_TESTS(make_folder, remove_folder)
