#include "base/heap.h"
#include "harness/external/output_log.h"
#include "harness/external/running.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>

/* How often the memory of the known processes is looked at, at most; how much longer than the look
 * itself that is, so that looks take a hundredth of the time; and the longest that it may be. In
 * seconds. */
#define GLANCE_SECONDS  0.005
#define LONGEST_SECONDS 5.0
enum { LOOK_FACTOR = 100 };

/* How long to wait for news at most: an interrupt does not always end the wait. */
enum { WAIT_MS = 50 };

enum { READ_BYTES = 1 << 16 };

bool program_read(struct program *program)
{
    program->output =
        heap_reserve(program->output, &program->output_room, program->output_bytes + READ_BYTES, 1);
    const ssize_t got = read(program->out, program->output + program->output_bytes, READ_BYTES);
    if (got > 0) {
        struct arrivals *arrivals = &program->arrivals;
        program->output_bytes += (size_t)got;
        *HEAP_ADD(arrivals->items, arrivals->count) =
            (struct arrival){program->output_bytes, clock_wall() - program->asked};
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        program_close(&program->out);
    return program->output_bytes <= OUTPUT_BYTES;
}

/* Keeps the beginning of standard error for the log. */
static void note_error(struct program *program, const char *text, size_t bytes)
{
    const size_t before = program->error_bytes;
    program->error_bytes += bytes;
    if (!program->external->logs || before >= LOG_BYTES)
        return;
    if (program->errors == NULL)
        program->errors = heap_take(LOG_BYTES, 1);
    memcpy(program->errors + before, text, bytes < LOG_BYTES - before ? bytes : LOG_BYTES - before);
}

/* Reads standard error and keeps its end. */
static void read_error(struct program *program)
{
    char text[READ_BYTES];
    const ssize_t got = read(program->error, text, sizeof text);
    if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            program_close(&program->error);
        return;
    }
    note_error(program, text, (size_t)got);
    size_t fresh = (size_t)got < TAIL_BYTES ? (size_t)got : TAIL_BYTES;
    size_t kept =
        TAIL_BYTES - fresh < program->tail_bytes ? TAIL_BYTES - fresh : program->tail_bytes;
    memmove(program->tail, program->tail + program->tail_bytes - kept, kept);
    memcpy(program->tail + kept, text + (size_t)got - fresh, fresh);
    program->tail_bytes = kept + fresh;
    program->tail[program->tail_bytes] = '\0';
}

bool program_drain(struct program *program)
{
    bool fine = true;
    struct pollfd ends[] = {{.fd = program->out, .events = POLLIN},
                            {.fd = program->error, .events = POLLIN}};
    while (fine && poll(ends, 2, 0) > 0) {
        if (ends[0].revents != 0)
            fine = program_read(program);
        if (ends[1].revents != 0)
            read_error(program);
        ends[0].fd = program->out;
        ends[1].fd = program->error;
    }
    return fine;
}

/* Writes as much of the board as the program takes; a one-shot program's input ends with it. */
static void feed(struct exchange *exchange)
{
    struct program *program = exchange->program;
    const ssize_t written = write(program->in, exchange->input, exchange->input_bytes);
    if (written > 0) {
        exchange->input += written;
        exchange->input_bytes -= (size_t)written;
    }
    const bool refused = written < 0 && errno != EAGAIN && errno != EINTR;
    if (refused || (exchange->input_bytes == 0 && !program->external->persistent))
        program_close(&program->in);
}

/* When to look again after a look that took `cost` seconds of processor time. */
static double next_time(double cost, double least)
{
    return clock_wall() + fmin(fmax(LOOK_FACTOR * cost, least), LONGEST_SECONDS);
}

/* Adds a process to those of the others. */
static void spare(struct process_tree *others, pid_t id, uint64_t start)
{
    others->members = heap_grow(others->members, others->count, sizeof *others->members);
    others->starts = heap_grow(others->starts, others->count, sizeof *others->starts);
    others->members[others->count] = id;
    others->starts[others->count++] = start;
}

void program_spare_others(struct program *program)
{
    const struct programs *programs = program->programs;
    struct process_tree *others = &program->programs->others;
    process_tree_end(others);
    for (size_t i = 0; i < programs->count; i++) {
        const struct program *other = programs->waiting[i];
        SCOPED pid_t *members = other == program ? NULL : cgroup_members(&other->group);
        if (other == program)
            continue;
        spare(others, other->tree.root, 0); /* not waited for: its number is its own */
        for (size_t k = 0; k < other->tree.count; k++)
            spare(others, other->tree.members[k], other->tree.starts[k]);
        for (size_t k = 0; members != NULL && members[k] > 0; k++)
            spare(others, members[k], 0);
    }
    program->tree.spared = others->members;
    program->tree.spared_starts = others->starts;
    program->tree.spared_count = others->count;
}

/* The threads of the machine; 0: not known. Takes no time that grows with them. */
static unsigned long machine_tasks(void)
{
    char text[128];
    unsigned long tasks = 0;
    file_peek("/proc/loadavg", text, sizeof text);
    return sscanf(text, "%*f %*f %*f %*u/%lu", &tasks) == 1 ? tasks : 0;
}

/* Asks for the memory of the processes. The system shows none of a process that is starting
 * another, and that may wait long for its turn: as long as more of them come, the sum is not asked
 * for unless it may be above the limit. */
static void weigh(struct exchange *exchange, bool growing)
{
    const uint64_t limit = exchange->limits->bytes > 0 ? exchange->limits->bytes : UINT64_MAX;
    const struct process_tree *tree = &exchange->program->tree;
    const bool exact = !growing || tree->count < 2;
    const uint64_t bytes = process_tree_bytes(tree, exact ? exchange->peak_bytes : limit);
    if (!exact && bytes <= limit)
        return;
    exchange->looks += bytes > 0;
    if (bytes > exchange->peak_bytes)
        exchange->peak_bytes = bytes;
}

/* Looks at the memory of the processes, and at times for new ones, when it is due, or when so many
 * have come to the machine that they may be the program's. */
static enum outcome look(struct exchange *exchange, double now)
{
    enum { CROWD = MOST_PROCESSES / 10 };
    struct process_tree *tree = &exchange->program->tree;
    if (now < exchange->next_glance && now < exchange->next_look)
        return ANSWERED;
    const unsigned long tasks = machine_tasks();
    const bool more = tasks > exchange->tasks;
    const bool for_all = now >= exchange->next_look || tasks > exchange->looked_tasks + CROWD;
    const double begun = clock_thread();
    exchange->tasks = tasks;
    if (for_all) {
        const size_t before = tree->count;
        exchange->looked_tasks = tasks;
        program_spare_others(exchange->program);
        process_tree_reap(tree);
        exchange->growing = tree->count > 1 && tree->count > before;
    }
    if (tree->count > MOST_PROCESSES)
        return BREEDING;
    weigh(exchange, more || exchange->growing);
    const double limit = exchange->limits->cpu_seconds;
    const bool spent = limit > 0 && process_tree_seconds(tree) - exchange->cpu_before >= limit;
    const double cost = clock_thread() - begun;
    if (for_all)
        exchange->next_look = next_time(exchange->growing ? 0 : cost, LOOK_SECONDS);
    exchange->next_glance = next_time(more ? 0 : cost, GLANCE_SECONDS);
    return exchange->limits->bytes > 0 && exchange->peak_bytes > exchange->limits->bytes ? LARGE
           : spent                                                                       ? SPENT
                                                                                         : ANSWERED;
}

/* Waits for news of the program until `until`. False if it cannot be watched. */
static bool wait_for_news(struct exchange *exchange, double until, struct pollfd watched[4])
{
    const struct program *program = exchange->program;
    const double left = ceil((until - clock_wall()) * 1e3);
    const int most = left < 0 ? 0 : left > WAIT_MS ? WAIT_MS : (int)left;
    watched[0] = (struct pollfd){.fd = program->out, .events = POLLIN};
    watched[1] = (struct pollfd){.fd = program->error, .events = POLLIN};
    watched[2] =
        (struct pollfd){.fd = exchange->input_bytes > 0 ? program->in : -1, .events = POLLOUT};
    watched[3] = (struct pollfd){.fd = program->handle, .events = POLLIN};
    if (poll(watched, 4, most) >= 0)
        return true;
    for (unsigned i = 0; i < 4; i++)
        watched[i].revents = 0;
    return errno == EINTR;
}

/* Takes in what has happened; ENDED and ANSWERED are ends only if *over. */
static enum outcome take_news(struct exchange *exchange, const struct pollfd watched[4], bool *over)
{
    struct program *program = exchange->program;
    const bool persistent = program->external->persistent;
    *over = true;
    if (watched[1].revents != 0)
        read_error(program);
    if (watched[0].revents != 0) {
        /* What it held is known as long as it has not ended: its answer may be its last act. */
        if (program->output_bytes == 0)
            exchange->next_glance = 0;
        if (!program_read(program))
            return TALKATIVE;
        if (persistent && protocol_answer_bytes(program->external, program->output,
                                                program->output_bytes, &program->scan) > 0)
            return ANSWERED;
        if (persistent && program->out < 0)
            return ENDED;
    }
    if (watched[2].revents != 0)
        feed(exchange);
    /* What it printed before its end is read first. */
    const bool ended =
        program->handle >= 0 ? watched[3].revents != 0 : process_tree_root_ended(&program->tree);
    if (ended && !(persistent && watched[0].revents != 0))
        return ENDED;
    *over = false;
    return ANSWERED;
}

/* Asks a program to end: its process group, or, as bwrap would end with it, what bwrap started. */
static void ask_to_end(const struct program *program)
{
    const struct process_tree *tree = &program->tree;
    if (!program->external->isolated)
        kill(-tree->root, SIGTERM);
    for (size_t i = 0; program->external->isolated && i < tree->count; i++)
        if (tree->members[i] != tree->root)
            kill(tree->members[i], SIGTERM);
}

/* Waits for what comes of the program's board. */
static enum outcome await_outcome(struct exchange *exchange)
{
    const struct limits *limits = exchange->limits;
    double until = limits->seconds > 0 ? exchange->begun + limits->seconds : INFINITY;
    bool warned = false;
    exchange->input_bytes = strlen(exchange->input);
    cgroup_limit(&exchange->program->group, limits->bytes);
    exchange->next_look = clock_wall() + LOOK_SECONDS;
    exchange->tasks = exchange->looked_tasks = machine_tasks();
    for (;;) {
        struct pollfd watched[4];
        bool over;
        const double now = clock_wall();
        if (limits->interrupted != NULL && *limits->interrupted != 0)
            return STOPPED;
        if (now >= until && !warned && exchange->program->external->grace > 0) {
            ask_to_end(exchange->program);
            until += exchange->program->external->grace;
            warned = true;
        }
        if (now >= until)
            return LATE;
        const enum outcome seen = look(exchange, now);
        if (seen != ANSWERED)
            return seen;
        const double next = exchange->next_glance < until ? exchange->next_glance : until;
        if (!wait_for_news(exchange, next, watched))
            return UNSEEN;
        const enum outcome outcome = take_news(exchange, watched, &over);
        if (over)
            return warned ? LATE : outcome;
    }
}

/* Notes whether a program that ended was killed by others, or only closed its output. That may be
 * its end, which is awaited for a moment. */
static void note_kill(struct program *program)
{
    enum { DYING_MS = 100 };
    struct process_tree *tree = &program->tree;
    struct pollfd ending = {.fd = program->handle, .events = POLLIN};
    if (!process_tree_root_ended(tree) && poll(&ending, 1, DYING_MS) > 0)
        process_tree_root_ended(tree);
    program->closed = !tree->root_ended;
    program->killed = tree->root_ended &&
                      ((WIFSIGNALED(tree->root_status) && WTERMSIG(tree->root_status) == SIGKILL) ||
                       cgroup_oom_kills(CGROUP_ROOT, CGROUP_SELF) > program->oom_kills);
}

enum outcome program_converse(struct exchange *exchange)
{
    const enum outcome outcome = await_outcome(exchange);
    exchange->wall_seconds = clock_wall() - exchange->begun;
    if (outcome == ENDED)
        note_kill(exchange->program);
    const uint64_t full = cgroup_full_bytes(&exchange->program->group);
    if (full == 0 || (outcome != ANSWERED && outcome != ENDED))
        return outcome;
    if (full > exchange->peak_bytes)
        exchange->peak_bytes = full;
    return LARGE;
}

bool program_finish(struct program *program)
{
    /* The time of processes that die with their namespace's first one is in no book of the system:
     * what they had is noted before. */
    if (program->tree.root > 0 && !program->tree.root_ended)
        process_tree_look(&program->tree);
    const double seconds = process_tree_seconds(&program->tree);
    cgroup_kill(&program->group);
    if (program->tree.root > 0)
        process_tree_kill(&program->tree);
    const double lost = fmax(seconds - process_tree_seconds(&program->tree), 0);
    program->tree.ended_seconds += lost;
    program->lost_seconds += lost;
    const bool fine = program_drain(program);
    program_close(&program->in);
    program_close(&program->out);
    program_close(&program->error);
    program_close(&program->handle);
    return fine;
}
