/* IDA* that is killed and goes on: path, counters and rounds are those of an undisturbed search.
 * Searches are killed (SIGKILL, as a process of their own) and interrupted at random moments, again
 * and again until one comes to its end, and pause at every look at the clock. TILELAB_LONG=1:
 * larger searches, at least 300 kills. */
#include "puzzle/replay.h"
#include "tests/support.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a search comes to, as it passes a pipe. */
struct outcome {
    enum status status;
    struct statistics statistics;
    size_t round_count, length;
    struct search_round rounds[64];
    char moves[128];
    double cpu_seconds;
};

struct trial {
    const char *solver, *start;
    bool is_long;
};

static const struct trial trials[] = {
    {"idastar(manhattan)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", false}, /* in layers */
    {"idastar(manhattan, threads=2)", "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", false},
    {"idastar(linear_conflict)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", false}, /* subtrees */
    {"idastar(misplaced)", "8 0 6 5 4 7 2 3 1", false},                           /* walked */
    {"idastar(misplaced, step=parity)", "8 0 6 5 4 7 2 3 1", false},
    {"idastar(max:linear_conflict+walking_distance)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
     true},
    {"idastar(pdb:5-5-5)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", true},
    {"idastar(pdb:5-5-5, threads=2)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", true},
    {"idastar(manhattan)", "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", true}, /* 999 million nodes */
};

static char folder[32];
static char path[64];
static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal)
{
    interrupted = signal;
}

static struct outcome search(const struct trial *trial, const struct checkpoint *checkpoint)
{
    const struct solver solver = solver_of(trial->solver);
    const struct board start = board_of(trial->start);
    const struct board goal = goal_of("blank-first", start.shape.width, start.shape.height);
    const struct task task = {start, goal, "ULRD"};
    const struct limits limits = {
        .bytes = UINT64_C(1) << 30, .interrupted = &interrupted, .checkpoint = checkpoint};
    struct result result = result_of(&solver, &task, &limits, NULL);
    struct outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    outcome.status = result.status;
    outcome.statistics = result.statistics;
    outcome.round_count = result.round_count;
    outcome.cpu_seconds = result.cpu_seconds;
    assert_in_range(result.round_count, 1, 64);
    memcpy(outcome.rounds, result.rounds, result.round_count * sizeof *result.rounds);
    if (result.moves != NULL) {
        outcome.length = result.length;
        memcpy(outcome.moves, result.moves, result.length);
    }
    result_end(&result);
    return outcome;
}

static void assert_same(const struct outcome *a, const struct outcome *b)
{
    assert_int_equal(a->status, STATUS_solved);
    assert_int_equal(a->status, b->status);
    assert_memory_equal(&a->statistics, &b->statistics, sizeof a->statistics);
    assert_int_equal(a->round_count, b->round_count);
    assert_memory_equal(a->rounds, b->rounds, sizeof a->rounds);
    assert_string_equal(a->moves, b->moves);
}

/* Runs the search as a process that is killed after `microseconds`, unless it has ended. */
static bool survives(const struct trial *trial, const struct checkpoint *checkpoint,
                     unsigned microseconds, struct outcome *outcome)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct outcome own = search(trial, checkpoint);
        _exit(write(ends[1], &own, sizeof own) == sizeof own ? 0 : 1);
    }
    close(ends[1]);
    struct pollfd waiting = {.fd = ends[0], .events = POLLIN};
    const struct timespec patience = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    const bool ended = ppoll(&waiting, 1, &patience, NULL) > 0;
    if (!ended)
        kill(child, SIGKILL);
    const bool whole = ended && read(ends[0], outcome, sizeof *outcome) == sizeof *outcome;
    close(ends[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return whole;
}

static unsigned kill_again_and_again(const struct trial *trial, gsl_rng *generator)
{
    const struct checkpoint checkpoint = {path, 0.002};
    const struct outcome undisturbed = search(trial, NULL);
    struct outcome outcome;
    unsigned kills = 0;
    unlink(path);
    while (!survives(trial, &checkpoint,
                     10000 + (is_long() ? 500 : 20000) * kills +
                         (unsigned)gsl_rng_uniform_int(generator, 30000),
                     &outcome))
        kills++;
    assert_same(&undisturbed, &outcome);
    return kills;
}

/* As above: each kill may come at any moment of a search or of a write. */
TEST(test_killed_searches_go_on)
{
    gsl_rng *generator = any_generator();
    unsigned kills = 0;
    (void)state;
    do {
        for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
            if (is_long() || !trials[i].is_long)
                kills += kill_again_and_again(&trials[i], generator);
    } while (is_long() && kills < 300);
    print_message("%u kills\n", kills);
    assert_true(kills > 3);
}

/* Paused as often as there is something new to write, within one process. */
TEST(test_pauses_change_nothing)
{
    const struct checkpoint checkpoint = {path, 1e-4};
    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        if (trials[i].is_long)
            continue;
        const struct outcome undisturbed = search(&trials[i], NULL);
        unlink(path);
        const struct outcome outcome = search(&trials[i], &checkpoint);
        assert_same(&undisturbed, &outcome);
    }
}

/* An interrupted search has written where it stood, and its time is a sum. */
TEST(test_an_interrupted_search_goes_on)
{
    const struct checkpoint checkpoint = {path, 1000};
    const struct trial *trial = &trials[2];
    struct outcome outcome = {0};
    struct stat status;
    double before = 0;
    unsigned interrupts = 0;
    (void)state;
    const struct outcome undisturbed = search(trial, NULL);
    signal(SIGALRM, note_interrupt);
    unlink(path);
    do {
        const struct itimerval soon = {.it_value.tv_usec = 5000 + 2000 * interrupts};
        interrupted = 0;
        setitimer(ITIMER_REAL, &soon, NULL);
        outcome = search(trial, &checkpoint);
        setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
        assert_true(outcome.cpu_seconds > before - 0.01); /* it has what came before */
        before = outcome.cpu_seconds;
        if (outcome.status == STATUS_interrupted) {
            interrupts++;
            assert_int_equal(stat(path, &status), 0);
        }
    } while (outcome.status == STATUS_interrupted);
    interrupted = 0;
    assert_true(interrupts > 2);
    assert_same(&undisturbed, &outcome);
}

/* A file that is cut, changed or of another search is as none. */
TEST(test_a_damaged_file_is_as_none)
{
    const struct checkpoint checkpoint = {path, 0.001};
    const struct checkpoint never = {path, 1000};
    const struct trial *trial = &(struct trial){trials[3].solver, "8 6 7 2 5 4 3 0 1", false};
    (void)state;
    const struct outcome undisturbed = search(trial, NULL);
    unlink(path);
    search(trial, &checkpoint);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    for (off_t at = 0; at < status.st_size; at += is_long() ? 37 : 67) {
        const int file = open(path, O_RDWR);
        char byte;
        assert_int_equal(pread(file, &byte, 1, at), 1);
        byte ^= 4;
        assert_int_equal(pwrite(file, &byte, 1, at), 1);
        const struct outcome outcome = search(trial, &never);
        assert_same(&undisturbed, &outcome);
        byte ^= 4;
        assert_int_equal(pwrite(file, &byte, 1, at), 1);
        close(file);
    }
    assert_int_equal(truncate(path, status.st_size - 1), 0);
    struct outcome outcome = search(trial, &never);
    assert_same(&undisturbed, &outcome);
    const struct trial other = {trial->solver, "6 4 7 8 5 0 3 2 1", false};
    search(&other, &checkpoint);
    outcome = search(trial, &never);
    assert_same(&undisturbed, &outcome);
}

static int make_folder(void **state)
{
    /* In memory where there is a place for that: each checkpoint would wait for the disk. */
    snprintf(folder, sizeof folder, "%s/tilelab-resume-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    return no_files(state);
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

AROUND_ALL_TESTS(make_folder, remove_folder)
