/* Control groups, in a folder that looks like their file system: new folders get files, and a
 * folder with nothing but those can be removed. */
#include "harness/external/cgroup.h"
#include "tests/folder.h"
#include "tests/support.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define BYTES (UINT64_C(1) << 30)

int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __real_rmdir(const char *path);
int __wrap_rmdir(const char *path);

static const char *const files[] = {
    "cgroup.controllers", "cgroup.procs",    "cgroup.subtree_control", "cgroup.kill", "memory.max",
    "memory.oom.group",   "memory.swap.max", "memory.events.local",    "pids.max"};
enum { FILES = sizeof files / sizeof *files };

static const char *missing; /* a file that the system does not have */
static struct cgroups groups;
static char *job, *self; /* a group, and the file that says where this process is */

static void put(const char *place, const char *name, const char *text)
{
    write_text(text_of("%s/%s", place, name), text);
}

static const char *get(const char *place, const char *name)
{
    static char text[256];
    const int file = open(text_of("%s/%s", place, name), O_RDONLY);
    const ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    text[got] = '\0';
    if (file >= 0)
        close(file);
    return text;
}

int __wrap_mkdir(const char *path, mode_t mode)
{
    const int made = __real_mkdir(path, mode);
    for (size_t i = 0; made == 0 && i < FILES; i++)
        if (missing == NULL || strcmp(files[i], missing) != 0)
            put(path, files[i],
                strcmp(files[i], "memory.events.local") == 0 ? "low 0\noom 0\n" : "");
    return made;
}

int __wrap_rmdir(const char *path)
{
    for (size_t i = 0; i < FILES; i++) {
        unlink(text_of("%s/%s", path, files[i]));
    }
    return __real_rmdir(path);
}

static char *in_root(const char *name)
{
    return heap_format("%s/%s", folder, name);
}

static bool is_there(const char *name)
{
    SCOPED char *path = in_root(name);
    return access(path, F_OK) == 0;
}

static char *name_of(const char *format, pid_t id)
{
    return heap_format("%s%s%s", "job/tilelab-", text_of("%ld", (long)id), format);
}

static bool has_home(void)
{
    SCOPED char *home = name_of("-home", getpid());
    return is_there(home);
}

/* This process is in the group `job` alone. */
static int start(void **state)
{
    missing = NULL;
    if (make_folder(state) != 0)
        return 1;
    job = in_root("job");
    self = in_root("self");
    mkdir(job, 0755);
    put(job, "cgroup.controllers", "cpu memory pids\n");
    put(job, "cgroup.procs", text_of("%ld\n", (long)getpid()));
    put(folder, "self", "12:pids:/elsewhere\n0::/job\n");
    return 0;
}

static int end(void **state)
{
    cgroups_close(&groups);
    FREE(job, self);
    return remove_folder(state);
}

static void open_groups(void)
{
    cgroups_open(&groups, folder, self);
}

static pid_t dead_process(void)
{
    const pid_t id = fork();
    if (id == 0)
        _exit(0);
    waitpid(id, NULL, 0);
    return id;
}

TEST(who_is_alone_moves_and_comes_back)
{
    const char *home = text_of("%s/tilelab-%ld-home", job, (long)getpid());
    open_groups();
    assert_string_equal(groups.folder, job);
    assert_int_equal(strtol(get(home, "cgroup.procs"), NULL, 10), getpid());
    assert_non_null(strstr(get(job, "cgroup.subtree_control"), "+memory"));
    put(job, "cgroup.procs", "");
    cgroups_close(&groups);
    assert_int_equal(strtol(get(job, "cgroup.procs"), NULL, 10), getpid());
    assert_non_null(strstr(get(job, "cgroup.subtree_control"), "-memory"));
    assert_false(has_home());
}

TEST(a_program_has_a_group_with_limits)
{
    struct cgroup group, second;
    open_groups();
    cgroup_start(&group, &groups);
    cgroup_start(&second, &groups);
    assert_string_not_equal(group.folder, second.folder);
    cgroup_limit(&group, BYTES);
    cgroup_limit(&second, 0);
    /* Above the limit, as the kernel's own memory counts; not so far that it is none. */
    const uint64_t most = strtoull(get(group.folder, "memory.max"), NULL, 10);
    assert_in_range(most, BYTES + 1, BYTES + BYTES / 4);
    assert_string_equal(get(second.folder, "memory.max"), "max");
    assert_string_equal(get(group.folder, "memory.swap.max"), "0");
    assert_string_equal(get(group.folder, "memory.oom.group"), "1");
    assert_true(strtol(get(group.folder, "pids.max"), NULL, 10) > 1000);
    cgroup_enter(&group);
    assert_string_equal(get(group.folder, "cgroup.procs"), "0");
    cgroup_kill(&group);
    assert_string_equal(get(group.folder, "cgroup.kill"), "1");
    assert_string_equal(get(second.folder, "cgroup.kill"), "");
    SCOPED char *was = heap_text(group.folder);
    cgroup_end(&group);
    cgroup_end(&second);
    assert_int_equal(access(was, F_OK), -1);
}

TEST(who_is_in_a_group_is_known)
{
    struct cgroup group;
    open_groups();
    cgroup_start(&group, &groups);
    put(group.folder, "cgroup.procs", "12\n0\n345\n");
    SCOPED pid_t *ids = cgroup_members(&group);
    assert_int_equal(ids[0], 12);
    assert_int_equal(ids[1], 345);
    assert_int_equal(ids[2], 0);
    cgroup_end(&group);
    assert_null(cgroup_members(&group));
}

TEST(full_is_what_came_to_its_own_limit)
{
    struct cgroup group;
    open_groups();
    cgroup_start(&group, &groups);
    cgroup_limit(&group, BYTES);
    put(group.folder, "memory.events.local", "low 0\nhigh 2\nmax 40\noom 0\noom_kill 1\n");
    assert_int_equal(cgroup_full_bytes(&group), 0); /* the whole system had no memory left */
    put(group.folder, "memory.events.local", "low 0\nhigh 0\nmax 40\noom 1\noom_kill 1\n");
    assert_int_equal(cgroup_full_bytes(&group),
                     strtoull(get(group.folder, "memory.max"), NULL, 10));
    assert_true(cgroup_full_bytes(&group) > BYTES);
    cgroup_end(&group);
    assert_int_equal(cgroup_full_bytes(&group), 0);
}

TEST(a_child_of_who_moved_finds_the_place)
{
    const char *home = text_of("%s/tilelab-%ld-home", job, (long)getppid());
    put(folder, "self", text_of("0::/job/tilelab-%ld-home\n", (long)getppid()));
    mkdir(home, 0755);
    put(job, "cgroup.procs", "");
    open_groups();
    assert_string_equal(groups.folder, job);
    assert_false(groups.entered);
    cgroups_close(&groups);
    assert_int_equal(access(home, F_OK), 0); /* which is not the child's to end */
}

static void check_none(void)
{
    SCOPED_BY(cgroup_end) struct cgroup group;
    open_groups();
    assert_null(groups.folder);
    assert_false(has_home());
    cgroup_start(&group, &groups);
    assert_null(group.folder);
    cgroup_limit(&group, BYTES);
    cgroup_enter(&group);
    cgroup_kill(&group);
    assert_int_equal(cgroup_full_bytes(&group), 0);
    cgroups_close(&groups);
}

TEST(there_is_none_with_others_in_the_group)
{
    put(job, "cgroup.procs", text_of("%ld\n%ld\n", (long)getppid(), (long)getpid()));
    check_none();
    assert_string_equal(get(job, "cgroup.subtree_control"), "");
    put(job, "cgroup.procs", "0\n"); /* a process that this one cannot see */
    check_none();
}

TEST(there_is_none_where_something_is_missing)
{
    SCOPED char *control = heap_format("%s/cgroup.subtree_control", job);
    put(job, "cgroup.controllers", "cpu pids memorylike\n");
    check_none();
    put(job, "cgroup.controllers", "memory\n");
    missing = "cgroup.procs"; /* of the home */
    check_none();
    missing = NULL;
    unlink(control);
    check_none();
    put(folder, "self", "5:memory:/job\n");
    check_none();
    put(folder, "self", "0::/elsewhere\n");
    check_none();
}

TEST(a_group_without_what_it_needs_is_none)
{
    static const char *const needed[] = {"memory.max", "memory.oom.group", "cgroup.procs",
                                         "memory.events.local"};
    open_groups();
    for (size_t i = 0; i < 4; i++) {
        SCOPED_BY(cgroup_end) struct cgroup group;
        missing = needed[i];
        cgroup_start(&group, &groups);
        if (group.folder != NULL)
            fail_msg("a group without %s", missing);
    }
    SCOPED char *first = name_of("-program-0", getpid());
    assert_false(is_there(first));
    missing = "memory.swap.max"; /* a system without swap */
    SCOPED_BY(cgroup_end) struct cgroup group;
    cgroup_start(&group, &groups);
    assert_non_null(group.folder);
}

TEST(what_the_dead_left_is_removed)
{
    const pid_t dead = dead_process();
    char *names[] = {name_of("-program-7", dead),     name_of("-home", dead),
                     name_of("-program-7/own", dead), name_of("-program-7", getppid()),
                     name_of("-home", getppid()),     name_of("-homely", dead),
                     name_of("-program-7.old", dead)};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED char *path = in_root(names[i]);
        mkdir(path, 0755);
    }
    open_groups();
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_there(names[i]) != (i > 2))
            fail_msg("%s is%s there", names[i], i > 2 ? " not" : "");
        free(names[i]);
    }
}

/* In either version's file, by this name alone. */
TEST(kills_for_want_of_memory_are_counted)
{
    assert_int_equal(cgroup_oom_kills(folder, self), 0);
    put(job, "memory.events", "low 0\noom 7\noom_kill 3\noom_group_kill 9\n");
    assert_int_equal(cgroup_oom_kills(folder, self), 3);
    SCOPED char *controller = in_root("memory");
    SCOPED char *group = in_root("memory/job");
    mkdir(controller, 0755);
    mkdir(group, 0755);
    put(group, "memory.oom_control", "oom_kill_disable 5\nunder_oom 6\noom_kill 4\n");
    put(folder, "self", "4:memory:/job\n0::/\n");
    assert_int_equal(cgroup_oom_kills(folder, self), 4);
    assert_int_equal(cgroup_oom_kills(folder, "/nowhere"), 0);
}

AROUND_EACH_TEST(start, end)
