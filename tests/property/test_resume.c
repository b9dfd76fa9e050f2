/* IDA*, alone or after A*, that is killed and goes on, and that several processes share: path,
 * counters and rounds are those of an undisturbed search, also at a limit of nodes. Searches are
 * interrupted at looks at the clock, some at each, and go on in the same process; they are killed
 * (SIGKILL, as a process of their own) at random moments, again and again until one comes to its
 * end, and pause at every look; of those that share a board some are killed, others start later.
 * TILELAB_LONG=1: larger searches, at least 300 kills. */
#include "base/file.h"
#include "tests/support.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a search comes to, as it passes a pipe. */
struct outcome {
    enum status status;
    struct statistics statistics;
    size_t round_count, length;
    struct search_round rounds[64];
    char moves[128];
    double cpu_seconds, wall_seconds;
};

struct trial {
    const char *solver, *start;
    bool is_long;
};

static const struct trial trials[] = {
    {"idastar(manhattan)", "1 7 15 14 2 6 4 9 12 11 13 3 0 8 5 10", false}, /* in layers */
    {"idastar(manhattan, threads=2)", "1 7 15 14 2 6 4 9 12 11 13 3 0 8 5 10", false},
    {"idastar(linear_conflict)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", false}, /* subtrees */
    {"idastar(misplaced)", "8 0 6 5 4 7 2 3 1", false},                           /* walked */
    {"idastar(misplaced, step=parity, prune=6)", "8 0 6 5 4 7 2 3 1", false},
    {"astar_idastar(manhattan, share=1)", "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", false},
    {"idastar(manhattan)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", true},
    {"idastar(max:linear_conflict+walking_distance)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
     true},
    {"idastar(pdb:5-5-5)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", true},
    {"idastar(pdb:5-5-5, threads=2)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", true},
    {"idastar(manhattan)", "12 15 11 10 4 5 14 0 13 7 1 2 9 8 3 6", true}, /* 1,032 million nodes */
};

static char folder[32];
static char path[64];
static const struct checkpoint seldom = {path, 1000}; /* where it is interrupted, or never */
static volatile sig_atomic_t interrupted;

static struct outcome search_to(const char *goal_name, const struct trial *trial,
                                struct limits limits, const struct observer *observer)
{
    const struct board start = board_of(trial->start);
    const struct board goal = goal_of(goal_name, start.shape.width, start.shape.height);
    const struct task task = {start, goal, "ULRD"};
    if (limits.bytes == 0)
        limits.bytes = UINT64_C(1) << 28;
    limits.interrupted = &interrupted;
    SCOPED_BY(result_end) struct result result = result_by(trial->solver, &task, &limits, observer);
    struct outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    outcome.status = result.status;
    outcome.statistics = result.statistics;
    outcome.round_count = result.round_count;
    outcome.cpu_seconds = result.cpu_seconds;
    outcome.wall_seconds = result.wall_seconds;
    assert_in_range(result.round_count, 0, 64);
    if (result.round_count > 0)
        memcpy(outcome.rounds, result.rounds, result.round_count * sizeof *result.rounds);
    if (result.moves != NULL) {
        outcome.length = result.length;
        memcpy(outcome.moves, result.moves, result.length);
    }
    return outcome;
}

static struct outcome search_within(const struct trial *trial, struct limits limits)
{
    return search_to("blank-first", trial, limits, NULL);
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

/* Paused as often as there is something new to write, within one process. */
TEST(test_pauses_change_nothing)
{
    const struct checkpoint checkpoint = {path, 1e-4};
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        if (trials[i].is_long)
            continue;
        const struct outcome undisturbed = undisturbed_search(&trials[i]);
        unlink(path);
        const struct outcome outcome = search(&trials[i], &checkpoint);
        assert_same(&undisturbed, &outcome);
    }
}

/* ---- Interrupted at chosen looks at the clock ---- */

struct looks {
    uint64_t seen;
    uint64_t last; /* at which the search is interrupted; 0: none */
};

static void look(void *context, UNUSED const struct statistics *so_far)
{
    struct looks *looks = context;
    if (++looks->seen == looks->last)
        interrupted = 1;
}

static struct outcome search_looked_at(const struct trial *trial, struct limits limits,
                                       struct looks *looks)
{
    const struct observer observer = {.watch = look, .context = looks};
    const struct outcome outcome = search_to("blank-first", trial, limits, &observer);
    interrupted = 0;
    return outcome;
}

/* Interrupted until it comes to its end, some `legs` times if it looks as often as `looks` says,
 * and at every look if they are many. A leg that ends where it began gains nothing, and the next
 * may last longer; so does one that ends in A*, which each leg repeats. */
static unsigned interrupts;
static struct outcome search_in_legs(const struct trial *trial, struct limits limits,
                                     uint64_t looks, unsigned legs, gsl_rng *generator)
{
    const uint64_t usual = 1 + 2 * looks / legs;
    struct outcome last = {0};
    uint64_t most = usual;
    limits.checkpoint = &seldom;
    unlink(path);
    for (;;) {
        struct looks leg = {.last = 1 + gsl_rng_uniform_int(generator, most)};
        const struct outcome outcome = search_looked_at(trial, limits, &leg);
        if (outcome.status != STATUS_interrupted)
            return outcome;
        interrupts++;
        most *= 2;
        if (outcome.round_count == 0)
            continue;
        assert_int_equal(access(path, R_OK), 0);
        assert_true(outcome.statistics.generated >= last.statistics.generated);
        if (outcome.statistics.generated > last.statistics.generated)
            most = usual;
        last = outcome;
    }
}

static const struct {
    struct trial trial;
    unsigned legs, limits; /* of nodes, to which it is searched besides */
    uint64_t bytes;
} in_legs[] = {
    {{"idastar(misplaced)", "8 6 7 2 5 4 3 0 1", false}, 200, 5, 0},
    {{"idastar(misplaced, step=parity)", "8 6 7 2 5 4 3 0 1", false}, 200, 5, 0},
    {{"idastar(zero)", "6 3 4 8 0 1 2 7 5", false}, 200, 5, 0},
    {{"idastar(gaschnig)", "8 6 7 2 5 4 3 0 1", false}, 200, 5, 0},
    /* After the last look of a round, no sum is the next threshold. */
    {{"idastar(out_of_row_column)", "0 6 2 8 7 4 3 1 5", false}, 1000, 5, 0},
    {{"astar_idastar(misplaced, share=5)", "8 6 7 2 5 4 3 0 1", false}, 100, 5, 1 << 15},
    {{"astar_idastar(manhattan, share=1)", "6 0 5 10 11 12 9 2 1 7 4 3 14 8 13 15", false},
     40,
     5,
     1 << 26},
    {{"astar_idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15, share=50, prune=8)", /* groups */
      "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", false},
     12,
     1,
     5 << 19},
    {{"idastar(linear_conflict)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", false}, 30, 2, 0},
    {{"idastar(manhattan)", "1 7 15 14 2 6 4 9 12 11 13 3 0 8 5 10", false}, 25, 2, 0},
    {{"idastar(manhattan, threads=2)", "1 7 15 14 2 6 4 9 12 11 13 3 0 8 5 10", false}, 15, 1, 0},
    {{"idastar(misplaced, prune=6)", "8 6 7 2 5 4 3 0 1", false}, 100, 2, 0},
    {{"idastar(linear_conflict, prune=8, threads=2)", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
      false},
     15,
     1,
     0},
};

/* What was counted, to the end and to any limit of nodes, is as if nothing had happened. */
TEST(test_interrupted_searches_go_on)
{
    gsl_rng *generator = any_generator();
    for (size_t i = 0; i < sizeof in_legs / sizeof *in_legs; i++) {
        const struct trial *trial = &in_legs[i].trial;
        struct limits limits = {.bytes = in_legs[i].bytes};
        struct looks looks = {0};
        const struct outcome whole = search_looked_at(trial, limits, &looks);
        assert_int_equal(whole.status, STATUS_solved);
        for (unsigned k = 0; k <= in_legs[i].limits; k++) {
            limits.nodes = whole.statistics.generated;
            if (k > 0)
                limits.nodes = 1 + gsl_rng_uniform_int(generator, limits.nodes);
            const struct outcome alone = k == 0 ? whole : search_within(trial, limits);
            const struct outcome outcome =
                search_in_legs(trial, limits, looks.seen, in_legs[i].legs, generator);
            assert_same(&alone, &outcome);
        }
    }
    print_message("%u interrupts\n", interrupts);
    assert_true(interrupts > 1000);
}

/* Times are sums, also where they come to a limit. */
TEST(test_interrupts_do_not_stop_the_clock)
{
    enum { LEGS = 30 };
    gsl_rng *generator = any_generator();
    const struct trial *trial = &trials[2];
    struct looks looks = {0};
    const struct outcome alone = search_looked_at(trial, (struct limits){0}, &looks);
    const double early = alone.cpu_seconds / 4;
    const struct limits limits = {.nodes = 2 * alone.statistics.generated};
    struct limits cpu_limits = limits;
    struct limits wall_limits = limits;
    cpu_limits.cpu_seconds = early;
    wall_limits.seconds = early;
    struct outcome outcome = search_in_legs(trial, limits, looks.seen, LEGS, generator);
    assert_true(outcome.cpu_seconds > alone.cpu_seconds / 2);
    assert_true(outcome.wall_seconds > outcome.cpu_seconds * 0.9);
    outcome = search_in_legs(trial, cpu_limits, looks.seen, LEGS, generator);
    assert_int_equal(outcome.status, STATUS_cpu_limit);
    assert_true(outcome.statistics.generated < alone.statistics.generated);
    outcome = search_in_legs(trial, wall_limits, looks.seen, LEGS, generator);
    assert_int_equal(outcome.status, STATUS_time_limit);
    assert_true(outcome.statistics.generated < alone.statistics.generated);
}

/* ---- Killed ---- */

static unsigned kill_again_and_again(const struct trial *trial, gsl_rng *generator)
{
    const struct checkpoint checkpoint = {path, 0.002};
    const struct outcome undisturbed = undisturbed_search(trial);
    /* A search that goes astray comes to an end. */
    const struct limits limits = {.checkpoint = &checkpoint,
                                  .nodes = 2 * undisturbed.statistics.generated};
    struct outcome outcome;
    unsigned kills = 0;
    unlink(path);
    for (;; kills++) {
        const struct process process = search_elsewhere(trial, limits);
        if (survives(&process,
                     (is_long() ? 10000 + 500 * kills : 2000 + 5000 * kills) +
                         (unsigned)gsl_rng_uniform_int(generator, is_long() ? 30000 : 8000),
                     &outcome))
            break;
    }
    assert_same(&undisturbed, &outcome);
    return kills;
}

/* Each kill may come at any moment of a search or of a write. */
TEST(test_killed_searches_go_on)
{
    gsl_rng *generator = any_generator();
    unsigned kills = 0;
    do {
        for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
            if (is_long() || !trials[i].is_long)
                kills += kill_again_and_again(&trials[i], generator);
    } while (is_long() && kills < 300);
    print_message("%u kills\n", kills);
    assert_true(kills > 3);
}

/* ---- Files that are as none ---- */

/* A search goes on, if at all, from what another one left when it was interrupted at its look
 * number `last`, but comes to the same as alone. */
static void assert_ignored(const struct trial *trial, const char *goal, struct limits limits,
                           const struct trial *other, struct limits other_limits, uint64_t last)
{
    struct looks looks = {.last = last};
    limits.nodes = UINT64_C(100) << 20; /* what goes astray comes to an end */
    const struct outcome undisturbed = search_to(goal, trial, limits, NULL);
    other_limits.checkpoint = limits.checkpoint = &seldom;
    unlink(path);
    const struct outcome left = search_looked_at(other, other_limits, &looks);
    assert_int_equal(left.status, STATUS_interrupted);
    assert_int_equal(access(path, R_OK), 0);
    const struct outcome outcome = search_to(goal, trial, limits, NULL);
    assert_same(&undisturbed, &outcome);
}

/* The same search, but under another name: a run is known by the name of its file. */
TEST(test_a_file_of_another_run_is_as_none)
{
    const struct trial trial = {"idastar(misplaced)", "8 6 7 2 5 4 3 0 1", false};
    struct looks looks = {.last = 500}, all = {0}, rest = {0};
    unlink(path);
    search_looked_at(&trial, (struct limits){.checkpoint = &seldom}, &looks);
    char other[sizeof path + 1];
    snprintf(other, sizeof other, "%s2", path);
    assert_int_equal(rename(path, other), 0);
    search_looked_at(&trial, (struct limits){0}, &all);
    search_looked_at(&trial, (struct limits){.checkpoint = &(struct checkpoint){other, 1000}},
                     &rest);
    assert_int_equal(rest.seen, all.seen);
    unlink(other);
}

/* Of another start, goal, or part of A* that had other memory. */
TEST(test_a_file_of_another_search_is_as_none)
{
    enum { LAST = 500 };
    const struct trial trial = {"idastar(misplaced)", "8 6 7 2 5 4 3 0 1", false};
    const struct trial other = {"idastar(misplaced)", "6 4 7 8 5 0 3 2 1", false};
    const struct trial two_parts = {"astar_idastar(misplaced, share=5)", "8 6 7 2 5 4 3 0 1",
                                    false};
    assert_ignored(&trial, "blank-first", (struct limits){0}, &other, (struct limits){0}, LAST);
    assert_ignored(&trial, "blank-last", (struct limits){0}, &trial, (struct limits){0}, LAST);
    assert_ignored(&two_parts, "blank-first", (struct limits){.bytes = 1 << 15}, &two_parts,
                   (struct limits){.bytes = 1 << 16}, LAST);
}

/* A file that is cut or changed is as none. */
TEST(test_a_damaged_file_is_as_none)
{
    const struct trial *trial = &(struct trial){trials[3].solver, "8 6 7 2 5 4 3 0 1", false};
    struct looks looks = {.last = 1000};
    const struct outcome undisturbed = search(trial, NULL);
    unlink(path);
    search_looked_at(trial, (struct limits){.checkpoint = &seldom}, &looks);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    for (off_t at = 0; at < status.st_size; at += is_long() ? 37 : 67) {
        const int file = open(path, O_RDWR);
        char byte;
        assert_int_equal(pread(file, &byte, 1, at), 1);
        byte ^= 4;
        assert_int_equal(pwrite(file, &byte, 1, at), 1);
        const struct outcome outcome = search(trial, &seldom);
        assert_same(&undisturbed, &outcome);
        byte ^= 4;
        assert_int_equal(pwrite(file, &byte, 1, at), 1);
        close(file);
    }
    assert_int_equal(truncate(path, status.st_size - 1), 0);
    const struct outcome outcome = search(trial, &seldom);
    assert_same(&undisturbed, &outcome);
}

/* ---- One board, several processes ---- */

static char shared[64];
static struct split split = {.folder = shared, .parts = 3};

/* Removes the folder that processes share, and says of how many rounds it had the sum. */
static unsigned remove_shared(void)
{
    unsigned rounds = 0;
    DIR *entries = opendir(shared);
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        rounds += strstr(entry->d_name, ".round") != NULL;
        unlink(text_of("%s/%s", shared, entry->d_name));
    }
    if (entries != NULL)
        closedir(entries);
    rmdir(shared);
    return rounds;
}

/* The trials with a round that is large enough to be split in three. */
static const struct trial large[] = {
    {"idastar(manhattan)", "12 15 11 10 4 5 14 0 13 7 1 2 9 8 3 6", true},
    {"idastar(manhattan)", "1 7 15 14 2 6 4 9 12 11 13 3 0 8 5 10", false}, /* in layers */
    {"idastar(manhattan, threads=2)", "1 7 15 14 2 6 4 9 12 11 13 3 0 8 5 10", false},
    {"idastar(linear_conflict)", "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", false}, /* subtrees */
    {"idastar(misplaced, prune=4)", "8 0 6 5 4 7 2 3 1", false},                  /* walked */
    {"idastar(max:linear_conflict+walking_distance)", "12 15 11 10 4 5 14 0 13 7 1 2 9 8 3 6",
     true},
    {"idastar(pdb:5-5-5, threads=2)", "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4", true},
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
            const unsigned more = is_long() ? 20000 : 5000;
            const unsigned patience =
                kills < MANY_KILLS
                    ? more * kills + (unsigned)gsl_rng_uniform_int(generator, 3 * more)
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

/* 101 million nodes, two whole rounds of which can be split in eight. */
static const struct trial korf_25 = {"idastar(manhattan)", "11 4 2 7 1 0 10 15 6 9 14 8 3 13 5 12",
                                     false};

/* How many times the mean the largest part of a round has. */
static double unevenness(unsigned threshold)
{
    SCOPED_BY(stream_end) FILE *file = fopen(text_of("%s/%u.round", shared, threshold), "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*[^\n] %*[^\n]"), 0);
    uint64_t largest = 0;
    uint64_t sum = 0;
    unsigned parts = 0;
    for (uint64_t size; parts < split.parts && fscanf(file, "%" SCNu64, &size) == 1; parts++) {
        largest = size > largest ? size : largest;
        sum += size;
    }
    assert_int_equal(parts, split.parts);
    return (double)largest * parts / (double)sum;
}

/* Each round is divided by what the parts of the one before had. */
TEST(test_parts_of_later_rounds_are_even)
{
    const struct outcome alone = undisturbed_search(&korf_25);
    split.parts = 8;
    remove_shared();
    const struct outcome outcome = search_within(&korf_25, (struct limits){.split = &split});
    assert_same(&alone, &outcome);
    assert_true(unevenness(48) < 1.6);
    assert_true(unevenness(50) < 1.2);
    split.parts = 3;
}

/* Where time is up in a part, what was counted before the round still counts. Of a subtree with the
 * goal, what lies beyond the goal may be counted as well. */
TEST(test_time_is_up_in_a_part)
{
    enum { TRIES = 100, WANTED = 3 };
    const struct trial *trial = &large[3];
    const struct outcome alone = undisturbed_search(trial);
    double seconds = alone.cpu_seconds * 0.8;
    unsigned in_parts = 0;
    for (unsigned i = 0; i < TRIES && in_parts < WANTED; i++) {
        const struct limits limits = {.split = &split, .cpu_seconds = seconds};
        remove_shared();
        const struct outcome outcome = search_within(trial, limits);
        const size_t last = outcome.round_count - 1;
        assert_int_equal(outcome.statistics.iterations, outcome.round_count);
        assert_memory_equal(outcome.rounds, alone.rounds, last * sizeof *alone.rounds);
        uint64_t sum = 0;
        for (size_t k = 0; k <= last; k++)
            sum += outcome.rounds[k].generated;
        assert_int_equal(outcome.statistics.generated, sum);
        assert_true(outcome.rounds[last].generated < alone.rounds[last].generated * 5 / 4);
        if (outcome.status == STATUS_cpu_limit && access(shared, F_OK) == 0)
            in_parts++;
        else
            seconds *= outcome.status == STATUS_cpu_limit ? 1.1 : 0.95;
    }
    assert_int_equal(in_parts, WANTED);
}

/* Files that are cut or of another search say nothing; what cannot be shared is searched alone. */
TEST(test_damaged_parts_are_counted_again)
{
    const struct trial *trial = &large[1];
    const struct limits limits = {.split = &split};
    const struct outcome undisturbed = undisturbed_search(trial);
    remove_shared();
    search_within(&large[4], limits); /* of another board, for thresholds that are not ours */
    struct outcome outcome = search_within(trial, limits);
    assert_same(&undisturbed, &outcome);
    DIR *entries = opendir(shared);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        assert_true(entry->d_name[0] == '.' ||
                    truncate(text_of("%s/%s", shared, entry->d_name), 100) == 0);
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

enum another { AS_IT_IS, ANOTHER_COUNT, ANOTHER_PART };

/* Renames each part that is counted: its first count or its number is another. Says how many. */
static unsigned rename_parts(enum another another)
{
    unsigned parts = 0;
    DIR *entries = opendir(shared);
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        const char *from = text_of("%s/%s", shared, entry->d_name);
        SCOPED char *to = heap_text(from);
        char *ending = strstr(to, ".part-");
        if (ending == NULL)
            continue;
        parts++;
        char *digit = another == ANOTHER_PART ? ending - 1 : ending + strlen(".part-");
        *digit = (char)(*digit == '1' ? '2' : '1');
        assert_int_equal(another == AS_IT_IS ? 0 : rename(from, to), 0);
    }
    if (entries != NULL)
        closedir(entries);
    return parts;
}

/* A process is killed when it has counted parts, which then have another name: that says nothing.
 */
TEST(test_parts_by_another_name_are_as_none)
{
    const struct trial *trial = &korf_25;
    const struct timespec moment = {.tv_nsec = 1000000};
    const struct outcome alone = undisturbed_search(trial);
    const struct limits limits = {.split = &split};
    split.parts = 8;
    for (enum another another = AS_IT_IS; another <= ANOTHER_PART; another++) {
        remove_shared();
        const struct process process = search_elsewhere(trial, limits);
        struct outcome outcome;
        for (unsigned looks = 0; rename_parts(AS_IT_IS) < 2 && looks < 60000; looks++)
            nanosleep(&moment, NULL);
        assert_false(survives(&process, 0, &outcome));
        assert_true(rename_parts(another) > 0);
        outcome = search_within(trial, limits);
        assert_same(&alone, &outcome);
    }
    split.parts = 3;
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

static int remove_folder(UNUSED void **state)
{
    unlink(path);
    remove_shared();
    return rmdir(folder);
}

AROUND_ALL_TESTS(make_folder, remove_folder)
