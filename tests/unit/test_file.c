/* Whole files and folders: base/file.h. */
#include "tests/folder.h"
#include "tests/support.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void expect_text(const char *path, const char *expected)
{
    struct report report = {.file = path};
    SCOPED char *text = file_read(path, NULL, &report);
    assert_non_null(text);
    assert_string_equal(text, expected);
}

TEST(a_file_is_replaced_whole)
{
    assert_true(file_write("a", "one\n", 4));
    expect_text("a", "one\n");
    assert_true(file_write("a", "2", 1));
    expect_text("a", "2");
    assert_int_equal(access(".a.part", F_OK), -1);
}

TEST(what_a_killed_writer_left_is_written_over)
{
    FILE *left = fopen(".b.part", "w");
    fputs("half of a long text that nobody finished", left);
    fclose(left);
    assert_true(file_write("b", "whole", 5));
    expect_text("b", "whole");
}

TEST(links_are_not_followed)
{
    assert_true(file_write("mine", "mine", 4));
    assert_int_equal(symlink("mine", ".c.part"), 0);
    assert_false(file_write("c", "theirs", 6));
    assert_int_equal(errno, ELOOP);
    assert_int_equal(link("mine", ".d.part"), 0);
    assert_false(file_write("d", "theirs", 6));
    assert_int_equal(errno, EEXIST);
    expect_text("mine", "mine");
}

/* What tilelab writes by itself goes through nothing that lies under its name. */
TEST(only_regular_files_are_replaced)
{
    struct stat status;
    assert_true(file_write("kept", "kept", 4));
    assert_int_equal(symlink("kept", "to-kept"), 0);
    assert_int_equal(symlink("no-such-file", "to-nothing"), 0);
    assert_int_equal(mkfifo("waits", 0600), 0); /* nobody reads: to open it would block */
    const struct {
        const char *name;
        int why;
    } refused[] = {{"to-kept", ELOOP}, {"to-nothing", ELOOP}, {"waits", ENODEV}, {".", EISDIR}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_false(file_may_write(refused[i].name));
        assert_false(file_write(refused[i].name, "lost", 4));
        assert_int_equal(errno, refused[i].why);
    }
    assert_false(file_write_through("own.part", "to-kept", "lost", 4));
    assert_int_equal(access("own.part", F_OK), -1);
    assert_int_equal(access("no-such-file", F_OK), -1);
    assert_int_equal(lstat("to-kept", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    expect_text("kept", "kept");
    assert_true(file_may_write("kept"));
    assert_true(file_may_write("free"));
}

/* What a person names may be anything. */
TEST(what_is_no_regular_file_is_written_in_place)
{
    struct stat status;
    char text[8] = "";
    assert_int_equal(mkfifo("channel", 0600), 0);
    const int reader = open("channel", O_RDONLY | O_NONBLOCK);
    assert_true(file_write_typed("channel", "through", 7));
    assert_int_equal(read(reader, text, sizeof text), 7);
    assert_string_equal(text, "through");
    close(reader);
    assert_int_equal(lstat("channel", &status), 0);
    assert_true(S_ISFIFO(status.st_mode));

    assert_true(file_write("target", "what was there before", 21));
    assert_int_equal(symlink("target", "link"), 0);
    assert_true(file_write_typed("link", "new", 3));
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    expect_text("target", "new");

    assert_int_equal(symlink("/dev/full", "full"), 0);
    assert_false(file_write_typed("full", "lost", 4));
    assert_int_equal(errno, ENOSPC);
    assert_false(file_write_typed(".", "lost", 4));
    assert_int_equal(errno, EISDIR);
}

TEST(writers_take_turns)
{
    enum { WRITERS = 8, TIMES = 50, LENGTH = 20000 };
    for (int writer = 0; writer < WRITERS; writer++) {
        if (fork() == 0) {
            char text[LENGTH];
            memset(text, 'a' + writer, sizeof text);
            for (int i = 0; i < TIMES; i++)
                if (!file_write("shared", text, sizeof text))
                    _exit(1);
            _exit(0);
        }
    }
    int status;
    while (wait(&status) > 0)
        assert_int_equal(status, 0);
    struct report report = {0};
    size_t length;
    SCOPED char *text = file_read("shared", &length, &report);
    assert_int_equal(length, LENGTH);
    for (size_t i = 1; i < length; i++)
        assert_int_equal(text[i], text[0]);
    assert_int_equal(access(".shared.part", F_OK), -1);
}

TEST(only_regular_files_are_opened)
{
    const char *why = NULL;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_null(file_open("pipe", &why)); /* and it does not wait for a writer */
    assert_string_equal(why, "it is not a regular file");
    assert_null(file_open("/dev/full", &why));
    assert_string_equal(why, "it is not a regular file");
    assert_null(file_open(".", &why));
    assert_string_equal(why, "it is a folder");
    assert_null(file_open("none", &why));
    assert_string_equal(why, strerror(ENOENT));
    FILE *file = file_open("a", &why);
    assert_non_null(file);
    fclose(file);
    SCOPED_BY(report_end) struct report report = {.file = "pipe"};
    assert_null(file_read("pipe", NULL, &report));
    assert_string_equal(report.text, "pipe: cannot be opened: it is not a regular file\n");
    assert_int_equal(symlink("a", "to-a"), 0);
    file = file_open("to-a", &why);
    assert_non_null(file);
    fclose(file);
    assert_null(file_open_own("to-a", &why));
    assert_string_equal(why, "it is a link; expected a regular file");
    assert_null(file_read_own("to-a", NULL, &report));
}

TEST(folders_are_made_with_those_above)
{
    SCOPED char *absolute = heap_format("%s/x/y", folder);
    assert_true(folders_make("p/q//r/"));
    assert_true(folders_make("p/q/r"));
    assert_true(folders_make(absolute));
    assert_int_equal(access("p/q/r", F_OK), 0);
    assert_int_equal(access("x/y", F_OK), 0);
    assert_false(folders_make("a/b"));
    assert_int_equal(errno, ENOTDIR);
    assert_false(folders_make("a"));
}

TEST(a_whole_path_means_the_same_file_from_everywhere)
{
    SCOPED char *here = file_whole_path("");
    SCOPED char *gone = file_whole_path("no/such/file");
    assert_int_equal(symlink(".", "around"), 0);
    SCOPED char *linked = file_whole_path("around/");
    assert_string_equal(here, linked);
    assert_int_equal(here[0], '/');
    assert_string_equal(gone, "no/such/file");
}

TEST(parts_of_a_path)
{
    static const struct {
        const char *path, *name, *folder;
    } paths[] = {{"a", "a", "."},  {"a/b", "b", "a"},   {"a/b/c.csv", "c.csv", "a/b"},
                 {"/a", "a", "/"}, {"/a/b", "b", "/a"}, {"a/", "", "a"},
                 {"/", "", "/"},   {"", "", "."}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        SCOPED char *own = file_folder(paths[i].path);
        assert_string_equal(file_name(paths[i].path), paths[i].name);
        assert_string_equal(own, paths[i].folder);
    }
    assert_true(file_ends("a.csv", ".csv"));
    assert_false(file_ends(".csv", ".csv"));
    assert_false(file_ends("a.csv.gz", ".csv"));
    assert_false(file_ends("v", ".csv"));
}

TEST(the_beginning_of_a_file_is_a_text)
{
    char text[4] = "xyz";
    assert_true(file_write("whole", "12345", 5));
    assert_true(file_peek("whole", text, sizeof text));
    assert_string_equal(text, "123");
    assert_false(file_peek("no such file", text, sizeof text));
    assert_string_equal(text, "");
}

AROUND_ALL_TESTS(make_folder, remove_folder)
