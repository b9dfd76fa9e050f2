/* The tree of processes: who belongs to it, and that nobody is left. */
#include "../support.h"
#include "base/clock.h"
#include "harness/external/process_tree.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_PIDS = 64, TREE_BYTES = 32 << 20 };

/* Where the processes of a test write their numbers, and how many have. */
static struct {
    _Atomic int begun, count;
    pid_t ids[MOST_PIDS];
} * seen;

_Noreturn static void report_and_wait(void)
{
    seen->ids[seen->begun++] = getpid();
    seen->count++;
    for (;;)
        pause();
}

static pid_t waiting_child(void)
{
    const pid_t process = fork();
    if (process == 0)
        report_and_wait();
    return process;
}

static void await(int count)
{
    while (seen->count < count)
        usleep(200);
}

static int start(UNUSED void **state)
{
    process_tree_adopt();
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return seen == MAP_FAILED;
}

static int end(UNUSED void **state)
{
    errno = 0;
    const pid_t left = waitpid(-1, NULL, WNOHANG);
    const int why = errno;
    struct process_tree all = {0}; /* a test that failed leaves nothing to the next one */
    process_tree_kill(&all);
    process_tree_end(&all);
    assert_int_equal(left, -1);
    assert_int_equal(why, ECHILD);
    for (int i = 0; i < seen->count; i++)
        assert_int_equal(kill(seen->ids[i], 0), -1);
    munmap(seen, sizeof *seen);
    return 0;
}

static bool is_member(const struct process_tree *tree, pid_t id)
{
    for (size_t i = 0; i < tree->count; i++)
        if (tree->members[i] == id)
            return true;
    return false;
}

/* A child, its child, one in a session of its own, and one whose parent has ended. */
static void plant(void)
{
    const pid_t root = fork();
    if (root == 0) {
        waiting_child();
        if (fork() == 0) {
            setsid();
            report_and_wait();
        }
        const pid_t between = fork();
        if (between == 0) {
            if (fork() == 0) {
                setsid();
                signal(SIGTERM, SIG_IGN);
                report_and_wait();
            }
            _exit(0);
        }
        waitpid(between, NULL, 0);
        report_and_wait();
    }
    await(4);
}

TEST(test_members)
{
    SCOPED_BY(process_tree_end) struct process_tree tree = {0};
    plant();
    process_tree_look(&tree);
    assert_int_equal(tree.count, 4);
    for (int i = 0; i < 4; i++)
        assert_true(is_member(&tree, seen->ids[i]));
    assert_true(process_tree_kill(&tree));
}

/* What is spared stays, with its descendants; so does its end, for whoever waits for it. */
TEST(test_spared)
{
    pid_t spared[2];
    spared[0] = fork();
    if (spared[0] == 0) {
        waiting_child();
        report_and_wait();
    }
    spared[1] = fork();
    if (spared[1] == 0)
        _exit(7);
    await(2);
    waiting_child();
    await(3);
    struct process_tree tree = {.spared = spared, .spared_count = 2};
    process_tree_look(&tree);
    assert_int_equal(tree.count, 1);
    assert_true(is_member(&tree, seen->ids[2]));
    assert_true(process_tree_kill(&tree));
    assert_int_equal(kill(seen->ids[0], 0), 0);
    assert_int_equal(kill(seen->ids[1], 0), 0);
    int status;
    assert_int_equal(waitpid(spared[1], &status, 0), spared[1]);
    assert_int_equal(WEXITSTATUS(status), 7);
    process_tree_end(&tree);
    tree = (struct process_tree){0};
    assert_true(process_tree_kill(&tree));
    process_tree_end(&tree);
}

/* Processes that start others as fast as they can, and end: nobody gets away. */
TEST(test_moving)
{
    SCOPED_BY(process_tree_end) struct process_tree tree = {0};
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            for (int k = 0; k < 1000; k++) {
                if (fork() != 0)
                    _exit(0);
                usleep(100);
            }
            _exit(0);
        }
    usleep(20000);
    assert_true(process_tree_kill(&tree));
}

TEST(test_root)
{
    const pid_t root = fork();
    if (root == 0) {
        usleep(1000);
        _exit(5);
    }
    SCOPED_BY(process_tree_end) struct process_tree tree = {.root = root};
    while (!process_tree_root_ended(&tree))
        usleep(200);
    assert_int_equal(WEXITSTATUS(tree.root_status), 5);
    assert_true(tree.root_peak_bytes > 0);
    assert_true(process_tree_kill(&tree));
}

/* Pages that parent and children share count once. */
TEST(test_bytes)
{
    const pid_t root = fork();
    if (root == 0) {
        volatile char *kept = malloc(TREE_BYTES);
        for (size_t i = 0; kept != NULL && i < TREE_BYTES; i += 1024)
            kept[i] = 1;
        for (int i = 0; i < 3; i++)
            waiting_child();
        report_and_wait();
    }
    await(4);
    SCOPED_BY(process_tree_end) struct process_tree tree = {.root = root};
    assert_true(process_tree_bytes(&tree, 0) >= TREE_BYTES);
    process_tree_look(&tree);
    const uint64_t shared_once = process_tree_bytes(&tree, 0);
    assert_true(shared_once >= TREE_BYTES);
    assert_true(shared_once < 2 * TREE_BYTES);
    /* Not asked for where even the larger sum is no more than what is known. */
    assert_true(process_tree_bytes(&tree, UINT64_MAX) >= 3 * (uint64_t)TREE_BYTES);
    assert_true(process_tree_kill(&tree));
}

/* Where there is no /proc, a root and what stayed in its group end all the same. */
TEST(test_without_proc)
{
    const pid_t blind = fork();
    if (blind == 0) {
        if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount("none", "/proc", "tmpfs", 0, NULL) != 0)
            _exit(2);
        process_tree_adopt();
        const pid_t root = fork();
        if (root == 0) {
            setpgid(0, 0);
            waiting_child();
            report_and_wait();
        }
        await(2);
        struct process_tree tree = {.root = root};
        process_tree_look(&tree);
        const bool killed = process_tree_kill(&tree) && tree.root_ended;
        alarm(5);
        while (wait(NULL) > 0)
            continue;
        _exit(killed && errno == ECHILD ? 0 : 1);
    }
    int status;
    waitpid(blind, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        skip(); /* this user may not hide it */
    assert_int_equal(status, 0);
}

/* A number that is used again is not the process that was spared. */
TEST(test_spared_numbers)
{
    const pid_t child = waiting_child();
    uint64_t start = 0;
    await(1);
    struct process_tree tree = {.spared = &child, .spared_starts = &start, .spared_count = 1};
    process_tree_look(&tree);
    assert_int_equal(tree.count, 0);
    start = 1;
    process_tree_look(&tree);
    assert_int_equal(tree.count, 1);
    start = tree.starts[0];
    assert_true(start > 1);
    process_tree_look(&tree);
    assert_int_equal(tree.count, 0);
    tree.spared_count = 0;
    assert_true(process_tree_kill(&tree));
    process_tree_end(&tree);
}

_Noreturn static void spin(double seconds)
{
    while (clock_cpu() < seconds)
        continue;
    _exit(0);
}

/* Processor time: of those that run, of those that someone in the tree waited for, and of those
 * that fell to this process. */
TEST(test_seconds)
{
    const pid_t root = fork();
    if (root == 0) {
        const pid_t waited_for = fork();
        if (waited_for == 0)
            spin(0.03);
        waitpid(waited_for, NULL, 0);
        if (fork() == 0) {
            if (fork() == 0)
                spin(0.03);
            _exit(0);
        }
        while (clock_cpu() < 0.03)
            continue;
        report_and_wait();
    }
    SCOPED_BY(process_tree_end) struct process_tree tree = {.root = root};
    await(1);
    do
        process_tree_reap(&tree);
    while (tree.count > 1);
    const double seconds = process_tree_seconds(&tree);
    assert_true(seconds > 0.065 && seconds < 1);
    assert_true(process_tree_kill(&tree));
    assert_true(process_tree_seconds(&tree) > 0.085);
}

AROUND_EACH_TEST(start, end)
