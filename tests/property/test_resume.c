/* IDA*, alone or after A*, that is killed and goes on, and that several processes share: path,
 * counters and rounds are those of an undisturbed search. Searches are killed (SIGKILL, as a
 * process of their own) and interrupted at random moments, again and again until one comes to its
 * end, and pause at every look at the clock; of those that share a board some are killed, others
 * start later. TILELAB_LONG=1: larger searches, at least 300 kills. */
#include "puzzle/replay.h"
#include "tests/support.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
    {"astar_idastar(manhattan, share=1)", "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", false},
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

static struct outcome search_within(const struct trial *trial, struct limits limits)
{
    const struct solver solver = solver_of(trial->solver);
    const struct board start = board_of(trial->start);
    const struct board goal = goal_of("blank-first", start.shape.width, start.shape.height);
    const struct task task = {start, goal, "ULRD"};
    limits.bytes = UINT64_C(1) << 30;
    limits.interrupted = &interrupted;
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

static struct outcome search(const struct trial *trial, const struct checkpoint *checkpoint)
{
    return search_within(trial, (struct limits){.checkpoint = checkpoint});
}

/* What a trial comes to alone, which several tests ask. */
static struct outcome undisturbed_search(const struct trial *trial)
{
    enum { MAX_TRIALS = 32 };
    static const struct trial *searched[MAX_TRIALS];
    static struct outcome outcomes[MAX_TRIALS];
    size_t i = 0;
    while (searched[i] != NULL && searched[i] != trial)
        i++;
    assert_true(i < MAX_TRIALS - 1);
    if (searched[i] == NULL)
        outcomes[i] = search(trial, NULL);
    searched[i] = trial;
    return outcomes[i];
}

static void assert_same(const struct outcome *a, const struct outcome *b)
{
    assert_int_equal(a->status, b->status);
    assert_memory_equal(&a->statistics, &b->statistics, sizeof a->statistics);
    assert_int_equal(a->round_count, b->round_count);
    assert_memory_equal(a->rounds, b->rounds, sizeof a->rounds);
    assert_string_equal(a->moves, b->moves);
}

/* A search as a process of its own, and the pipe that brings what it comes to. */
struct process {
    pid_t id;
    int pipe;
};

static struct process search_elsewhere(const struct trial *trial, struct limits limits)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct outcome own = search_within(trial, limits);
        _exit(write(ends[1], &own, sizeof own) == sizeof own ? 0 : 1);
    }
    close(ends[1]);
    return (struct process){child, ends[0]};
}

/* Kills the process after `microseconds` unless it has ended: then what it came to is in *outcome.
 */
static bool survives(const struct process *process, unsigned microseconds, struct outcome *outcome)
{
    struct pollfd waiting = {.fd = process->pipe, .events = POLLIN};
    const struct timespec patience = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    const bool ended = ppoll(&waiting, 1, &patience, NULL) > 0;
    if (!ended)
        kill(process->id, SIGKILL);
    const bool whole = ended && read(process->pipe, outcome, sizeof *outcome) == sizeof *outcome;
    close(process->pipe);
    assert_int_equal(waitpid(process->id, NULL, 0), process->id);
    return whole;
}

static unsigned kill_again_and_again(const struct trial *trial, gsl_rng *generator)
{
    const struct checkpoint checkpoint = {path, 0.002};
    const struct outcome undisturbed = undisturbed_search(trial);
    struct outcome outcome;
    unsigned kills = 0;
    unlink(path);
    for (;; kills++) {
        const struct process process =
            search_elsewhere(trial, (struct limits){.checkpoint = &checkpoint});
        if (survives(&process,
                     10000 + (is_long() ? 500 : 20000) * kills +
                         (unsigned)gsl_rng_uniform_int(generator, 30000),
                     &outcome))
            break;
    }
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
        const struct outcome undisturbed = undisturbed_search(&trials[i]);
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
    const struct outcome undisturbed = undisturbed_search(trial);
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

/* ---- One board, several processes ---- */

static char shared[64];
static const struct split split = {.folder = shared, .parts = 3};

/* Removes the folder that processes share, and says of how many rounds it had the sum. */
static unsigned remove_shared(void)
{
    unsigned rounds = 0;
    DIR *entries = opendir(shared);
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        char name[400];
        rounds += strstr(entry->d_name, ".round") != NULL;
        snprintf(name, sizeof name, "%s/%s", shared, entry->d_name);
        unlink(name);
    }
    if (entries != NULL)
        closedir(entries);
    rmdir(shared);
    return rounds;
}

/* The trials with a round that is large enough to be split in three. */
static const struct trial large[] = {
    {"idastar(manhattan)", "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", true},
    {"idastar(manhattan)", "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", false}, /* in layers */
    {"idastar(manhattan, threads=2)", "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", false},
    {"idastar(linear_conflict)", "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", false}, /* subtrees */
    {"idastar(misplaced)", "8 0 6 5 4 7 2 3 1", false},                           /* walked */
    {"idastar(max:linear_conflict+walking_distance)", "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6",
     true},
    {"idastar(pdb:5-5-5, threads=2)", "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", true},
};

/* Three processes share a board and are killed at random moments, until one comes to its end. Then
 * a late one takes over what it left. Those that find the adding up left by one that was killed
 * wait ten seconds, which no process lasts before many have been killed: then none is killed. */
static unsigned share_and_kill(const struct trial *trial, gsl_rng *generator)
{
    enum { PROCESSES = 3, MANY_KILLS = 60 };
    const struct limits limits = {.split = &split};
    const struct outcome undisturbed = undisturbed_search(trial);
    unsigned kills = 0;
    unsigned ended = 0;
    remove_shared();
    while (ended == 0) {
        struct process processes[PROCESSES];
        for (unsigned i = 0; i < PROCESSES; i++)
            processes[i] = search_elsewhere(trial, limits);
        for (unsigned i = 0; i < PROCESSES; i++) {
            struct outcome outcome;
            const unsigned patience =
                kills < MANY_KILLS ? 20000 * kills + (unsigned)gsl_rng_uniform_int(generator, 60000)
                                   : UINT_MAX;
            if (survives(&processes[i], patience, &outcome)) {
                assert_same(&undisturbed, &outcome);
                ended++;
            } else {
                kills++;
            }
        }
    }
    const struct outcome late = search_within(trial, limits);
    assert_same(&undisturbed, &late);
    assert_true(remove_shared() > 0);
    return kills;
}

TEST(test_processes_share_a_board)
{
    gsl_rng *generator = any_generator();
    unsigned kills = 0;
    (void)state;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        if (is_long() || !large[i].is_long)
            kills += share_and_kill(&large[i], generator);
    print_message("%u kills\n", kills);
}

/* One process alone, at any limit of nodes: the part in which it is reached is searched to it. */
TEST(test_parts_end_at_the_limit_of_nodes)
{
    const struct trial *trial = &large[1];
    gsl_rng *generator = any_generator();
    (void)state;
    const uint64_t all = undisturbed_search(trial).statistics.generated;
    for (unsigned i = 0; i < (is_long() ? 200 : 8); i++) {
        const uint64_t nodes = all / 8 + gsl_rng_uniform_int(generator, all - all / 8);
        struct outcome alone = search_within(trial, (struct limits){.nodes = nodes});
        remove_shared();
        struct outcome outcome =
            search_within(trial, (struct limits){.nodes = nodes, .split = &split});
        assert_int_equal(alone.status, STATUS_node_limit);
        assert_same(&alone, &outcome);
    }
}

/* A part that is cut, changed or of another search is counted again; what cannot be shared is
 * searched alone. */
TEST(test_damaged_parts_are_counted_again)
{
    const struct trial *trial = &large[1];
    const struct limits limits = {.split = &split};
    (void)state;
    const struct outcome undisturbed = undisturbed_search(trial);
    remove_shared();
    search_within(&large[4], limits); /* of another board, for thresholds that are not ours */
    struct outcome outcome = search_within(trial, limits);
    assert_same(&undisturbed, &outcome);
    DIR *entries = opendir(shared);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char name[400];
        snprintf(name, sizeof name, "%s/%s", shared, entry->d_name);
        assert_true(entry->d_name[0] == '.' || truncate(name, 100) == 0);
    }
    closedir(entries);
    outcome = search_within(trial, limits);
    assert_same(&undisturbed, &outcome);
    struct split nowhere = {.folder = "/proc/no/such/folder", .parts = 3};
    outcome = search_within(trial, (struct limits){.split = &nowhere});
    assert_same(&undisturbed, &outcome);
    nowhere.joins = true; /* what only helps has nobody to help */
    outcome = search_within(trial, (struct limits){.split = &nowhere});
    assert_int_equal(outcome.status, STATUS_interrupted);
}

static int make_folder(void **state)
{
    /* In memory where there is a place for that: each checkpoint would wait for the disk. */
    snprintf(folder, sizeof folder, "%s/tilelab-resume-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    snprintf(shared, sizeof shared, "%s/parts", folder);
    return no_files(state);
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    remove_shared();
    return rmdir(folder);
}

AROUND_ALL_TESTS(make_folder, remove_folder)
