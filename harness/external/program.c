#include "harness/external/program.h"
#include "base/heap.h"
#include "harness/external/cgroup.h"
#include "harness/external/isolation.h"
#include "harness/external/output_log.h"
#include "harness/external/process_tree.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often the memory of the known processes and the list of processes are looked at, at most; how
 * much longer than the look itself that is, so that looks take a hundredth of the time; and the
 * longest that it may be. In seconds. */
#define GLANCE_SECONDS  0.005
#define LOOK_SECONDS    0.02
#define LONGEST_SECONDS 5.0
enum { LOOK_FACTOR = 100 };

/* How long to wait for news at most: an interrupt does not always end the wait. */
enum { WAIT_MS = 50 };

enum { READ_BYTES = 1 << 16 };

/* A program that runs. */
struct program {
    const struct external *external;
    struct programs *programs; /* that it is one of */
    struct process_tree tree;
    struct cgroup group;
    double lost_seconds; /* processor time of those killed that the system's books lack */
    int handle;          /* its pidfd; -1 if the system has none */
    int in, out, error;  /* our ends of its pipes; -1: closed */
    char *output;        /* what it printed and is no part of an answer yet; owned */
    size_t output_bytes;
    size_t output_room;
    struct answer_scan scan;
    double asked;              /* on clock_wall(): when it was asked */
    struct arrivals arrivals;  /* of its output */
    char tail[TAIL_BYTES + 1]; /* the end of its standard error */
    size_t tail_bytes;
    char *errors;         /* the first LOG_BYTES of its standard error, if they are kept; owned */
    size_t error_bytes;   /* how many it printed there */
    unsigned long tasks;  /* that its user may have, with those from before */
    uint64_t floor_bytes; /* what this process held when it became the program: its peak as the
                             system has it is not below that */
    uint64_t oom_kills;   /* cgroup_oom_kills, before it was started */
    bool persistent;      /* as its solver, which may be gone when the program is ended */
    bool killed;          /* others ended it by SIGKILL; or it ended after the system had killed a
                             process of this group for want of memory */
};

struct programs {
    double warm_up_seconds;
    struct program **waiting; /* persistent ones; owned */
    size_t count;
    struct cgroups groups; /* where its programs have theirs */
    unsigned long tasks;   /* of the user, with those that a program may have */
    struct program *last;  /* the one that was asked last, if it waits; else NULL */
    struct process_tree
        others; /* the processes of those that wait, but for the one that is asked */
};

struct programs *programs_start(void)
{
    process_tree_adopt();
    signal(SIGPIPE, SIG_IGN);
    struct programs *programs = heap_take(1, sizeof *programs);
    programs->warm_up_seconds = WARM_UP_SECONDS;
    programs->tasks = process_tasks_of_user() + MOST_TASKS;
    cgroups_open(&programs->groups, CGROUP_ROOT, CGROUP_SELF);
    return programs;
}

void programs_set_warm_up(struct programs *programs, double seconds)
{
    programs->warm_up_seconds = seconds;
}

/* What the new process says on its way: how much it holds, then, if it fails, why. */
struct birth {
    uint64_t bytes;
    int error;     /* errno; 0: none */
    int in_folder; /* it is the folder that cannot be entered */
};

/* Raises the limits that this process set itself, which are not the program's. */
static void restore_limit(__rlimit_resource_t which)
{
    struct rlimit limit;
    if (getrlimit(which, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(which, &limit);
}

/* The system refuses processes beyond so many of the user, unless that is root; also within the
 * user namespace of an isolated program, whose processes count in those around it, too. */
static void limit_tasks(unsigned long tasks)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur <= tasks)
        return;
    limit = (struct rlimit){tasks, tasks};
    setrlimit(RLIMIT_NPROC, &limit);
}

/* What builds a program writes no file larger than this. */
static void limit_files(void)
{
    const struct rlimit limit = {1 << 30, 1 << 30};
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* Where a program runs: a submission in its copy. */
static const char *external_place(const struct external *external)
{
    return external->copy != NULL ? external->copy : external->folder;
}

/* Becomes the program: the file that was hashed, or the one that the system's PATH finds. Returns
 * only if that fails, with errno. */
static void execute(const struct external *external, char **words, char **environment)
{
    for (size_t i = 0; i < external->file_count && !external->isolated; i++)
        if (strcmp(external->files[i].name, external->words[0]) == 0) {
            execve(external->files[i].path, words, environment);
            return;
        }
    execvpe(words[0], words, environment);
}

/* The life of the new process until it is the program. Takes no heap memory. */
_Noreturn static void become(const struct program *program, char **words, char **environment,
                             const int ends[3], int channel, pid_t parent)
{
    enum { KIBIBYTE = 1024 };
    const struct external *external = program->external;
    struct rusage usage = {0};
    const struct rlimit no_core = {0, 0};
    sigset_t none;
    struct birth birth = {0};
    setpgid(0, 0);
    process_goes_first(false);
    cgroup_enter(&program->group);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    setrlimit(RLIMIT_CORE, &no_core);
    restore_limit(RLIMIT_DATA);
    restore_limit(RLIMIT_CPU);
    limit_tasks(program->tasks);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int i = 0; i < 3; i++)
        if (dup2(ends[i], i) < 0)
            birth.error = errno;
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    if (external->building)
        limit_files();
    if (birth.error == 0 && chdir(external_place(external)) != 0) {
        birth.error = errno;
        birth.in_folder = 1;
    }
    getrusage(RUSAGE_SELF, &usage);
    birth.bytes = (uint64_t)usage.ru_maxrss * KIBIBYTE;
    if (birth.error == 0 && write(channel, &birth, sizeof birth) == sizeof birth) {
        execute(external, words, environment);
        birth.error = errno;
    }
    if (write(channel, &birth, sizeof birth) < 0)
        _exit(126);
    _exit(127);
}

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* Waits until the new process is the program or has failed. Returns what is wrong, in heap memory,
 * or NULL. */
static char *await_birth(struct program *program, int channel)
{
    struct birth birth = {0};
    ssize_t got;
    do {
        got = read(channel, &birth, sizeof birth);
        if (got == sizeof birth)
            program->floor_bytes = birth.bytes;
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (birth.error == 0)
        return NULL;
    return birth.in_folder ? heap_format("its folder %s cannot be entered: %s",
                                         external_place(program->external), strerror(birth.error))
                           : heap_format("%s cannot be started: %s", program->external->words[0],
                                         strerror(birth.error));
}

/* Starts the program. Returns what is wrong, in heap memory, or NULL. The caller ends it in either
 * case. */
static char *launch_as(struct program *program, char **words, char **environment)
{
    enum { OURS_IN = 1, OURS_OUT = 2, OURS_ERROR = 4, CHANNEL = 6, PIPES = 4 };
    int ends[2 * PIPES] = {-1, -1, -1, -1, -1, -1, -1, -1};
    const pid_t parent = getpid();
    pid_t process = -1;
    bool fine = true;
    for (int i = 0; i < PIPES && fine; i++)
        fine = pipe2(ends + 2 * i, O_CLOEXEC) == 0;
    if (fine)
        process = fork();
    if (process == 0)
        become(program, words, environment, (const int[]){ends[0], ends[3], ends[5]},
               ends[CHANNEL + 1], parent);
    if (process < 0) {
        char *why = heap_format("no process can be started: %s", strerror(errno));
        for (int i = 0; i < 2 * PIPES; i++)
            close_end(&ends[i]);
        return why;
    }
    program->tree.root = process;
    program->handle = pidfd_open(process, 0);
    program->in = ends[OURS_IN];
    program->out = ends[OURS_OUT];
    program->error = ends[OURS_ERROR];
    close(ends[0]);
    close(ends[3]);
    close(ends[5]);
    close(ends[CHANNEL + 1]);
    fcntl(program->in, F_SETFL, O_NONBLOCK);
    fcntl(program->out, F_SETFL, O_NONBLOCK);
    fcntl(program->error, F_SETFL, O_NONBLOCK);
    char *why = await_birth(program, ends[CHANNEL]);
    close(ends[CHANNEL]);
    return why;
}

/* What a program finds in its environment: "NAME=VALUE", ended by NULL. */
struct environment {
    char **entries; /* owned */
    size_t count;
};

/* Adds an entry (taken over), in place of what there is of that name. */
static void set_entry(struct environment *environment, char *entry)
{
    const size_t name = strcspn(entry, "=") + 1;
    size_t i = 0;
    while (i < environment->count && strncmp(environment->entries[i], entry, name) != 0)
        i++;
    if (i == environment->count) {
        environment->entries =
            heap_resize(environment->entries, (i + 2) * sizeof *environment->entries);
        environment->entries[++environment->count] = NULL;
    } else {
        free(environment->entries[i]);
    }
    environment->entries[i] = entry;
}

static void set_variable(struct environment *environment, const char *name, const char *value)
{
    set_entry(environment, heap_format("%s=%s", name, value));
}

/* The environment of a program, ended by NULL; protocol_words_end. A persistent program has boards
 * of several runs. */
static char **environment_of(const struct external *external, const struct question *question)
{
    static const char *const kept[] = {"LANG", "LC_ALL", "LC_CTYPE", "TZ"};
    const char *name;
    json_t *value;
    struct environment all = {0};
    for (char **entry = environ; *entry != NULL && !external->isolated; entry++)
        set_entry(&all, heap_text(*entry));
    if (external->isolated) {
        set_variable(&all, "PATH", external->path != NULL ? external->path : ISOLATED_PATH);
        for (size_t i = 0; external->shown != NULL && isolation_variables[i] != NULL; i++)
            if (getenv(isolation_variables[i]) != NULL)
                set_variable(&all, isolation_variables[i], getenv(isolation_variables[i]));
        set_variable(&all, "HOME", "/tmp");
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            if (getenv(kept[i]) != NULL)
                set_variable(&all, kept[i], getenv(kept[i]));
    }
    for (unsigned i = 0; i < PLACEHOLDERS; i++) {
        const bool of_one_run = i == PLACEHOLDER_seed || i == PLACEHOLDER_repetition;
        if (placeholders[i].variable == NULL || (external->persistent && of_one_run))
            continue; /* a persistent program has the boards of several runs */
        SCOPED char *text = placeholder_value(i, question);
        set_variable(&all, placeholders[i].variable, text);
    }
    json_object_foreach(external->environment, name, value)
    {
        SCOPED char *text = placeholders_filled(json_string_value(value), question);
        set_variable(&all, name, text);
    }
    return all.entries;
}

/* Starts the program for a question, or, if it is persistent, for that and those that follow. What
 * launch_as returns. */
static char *launch(struct program *program, const struct question *question)
{
    const struct external *external = program->external;
    char **words = protocol_words(external, question);
    char **environment = environment_of(external, question);
    char **whole =
        external->isolated ? isolation_words(external, words, question->limits->bytes) : NULL;
    char *why = launch_as(program, whole != NULL ? whole : words, environment);
    if (whole != NULL)
        protocol_words_end(whole);
    protocol_words_end(environment);
    protocol_words_end(words);
    return why;
}

/* Reads what has come. False: it is more than a program may print. The end of the output closes
 * our end. */
static bool read_output(struct program *program)
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
        close_end(&program->out);
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
            close_end(&program->error);
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

/* Reads all that is left of a program that has ended. False: too much. */
static bool drain(struct program *program)
{
    bool fine = true;
    struct pollfd ends[] = {{.fd = program->out, .events = POLLIN},
                            {.fd = program->error, .events = POLLIN}};
    while (fine && poll(ends, 2, 0) > 0) {
        if (ends[0].revents != 0)
            fine = read_output(program);
        if (ends[1].revents != 0)
            read_error(program);
        ends[0].fd = program->out;
        ends[1].fd = program->error;
    }
    return fine;
}

/* How an exchange with a program ended. */
enum outcome {
    ANSWERED, /* a persistent one answered */
    ENDED,    /* the process ended, or a persistent one closed its output */
    LATE,
    SPENT, /* its limit of processor time */
    LARGE,
    STOPPED,
    TALKATIVE,
    BREEDING,
    UNREAD, /* a persistent one answered before it had read any of the board */
    UNSEEN  /* it cannot be watched */
};

/* One board and its answer. */
struct exchange {
    struct program *program;
    const struct limits *limits;
    double begun;      /* on clock_wall() */
    double cpu_before; /* the processor time that the tree had taken by then */
    const char *input; /* what is still to be written, */
    size_t input_bytes;
    uint64_t peak_bytes; /* the most that was seen */
    bool kept;           /* the system kept a peak too: it does not depend on looks alone */
    unsigned looks;      /* that saw some memory */
    bool growing;        /* the last look for all saw more processes than the one before */
    double next_glance, next_look;
    unsigned long tasks, looked_tasks; /* of the machine, at the last glance and look */
    double wall_seconds;
};

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
        close_end(&program->in);
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

/* The processes of the other programs that wait are not part of this one's tree: those that they
 * had when they were asked last, and those of their groups. */
static void spare_others(struct program *program)
{
    const struct programs *programs = program->programs;
    struct process_tree *others = &program->programs->others;
    process_tree_end(others);
    for (size_t i = 0; i < programs->count; i++) {
        const struct program *other = programs->waiting[i];
        pid_t *members = other == program ? NULL : cgroup_members(&other->group);
        if (other == program)
            continue;
        spare(others, other->tree.root, 0); /* not waited for: its number is its own */
        for (size_t k = 0; k < other->tree.count; k++)
            spare(others, other->tree.members[k], other->tree.starts[k]);
        for (size_t k = 0; members != NULL && members[k] > 0; k++)
            spare(others, members[k], 0);
        free(members);
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
    const int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    text[got < 0 ? 0 : got] = '\0';
    if (file >= 0)
        close(file);
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
        spare_others(exchange->program);
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
        if (!read_output(program))
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

/* Notes whether a program that ended was killed by others. One that only closed its output may be
 * ending: that is awaited for a moment. */
static void note_kill(struct program *program)
{
    enum { DYING_MS = 100 };
    struct process_tree *tree = &program->tree;
    struct pollfd ending = {.fd = program->handle, .events = POLLIN};
    if (!process_tree_root_ended(tree) && poll(&ending, 1, DYING_MS) > 0)
        process_tree_root_ended(tree);
    program->killed = tree->root_ended &&
                      ((WIFSIGNALED(tree->root_status) && WTERMSIG(tree->root_status) == SIGKILL) ||
                       cgroup_oom_kills(CGROUP_ROOT, CGROUP_SELF) > program->oom_kills);
}

/* Gives the program its board and waits for what comes of it. */
static enum outcome converse(struct exchange *exchange)
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

/* The first lines of its standard error, or where there are none of its output. */
static char *first_words(const struct program *program)
{
    enum { MOST_BYTES = 600 };
    const bool errors = program->error_bytes > 0;
    const char *text = errors ? program->errors : program->output;
    const size_t bytes = errors ? program->error_bytes : program->output_bytes;
    SCOPED char *first = heap_format("%.*s", (int)(bytes < MOST_BYTES ? bytes : MOST_BYTES),
                                     text == NULL ? "" : text);
    char *end = bytes > MOST_BYTES ? strrchr(first, '\n') : NULL;
    if (end != NULL)
        *end = '\0';
    return printed_words(first);
}

/* How the process ended: "exit code 1: last lines"; heap memory. */
static char *how_it_ended(const struct program *program)
{
    const int status = program->tree.root_status;
    SCOPED char *words = printed_words(program->tail);
    return !program->tree.root_ended ? heap_format("it cannot be ended%s", words)
           : WIFSIGNALED(status)     ? heap_format("signal %d (%s)%s", WTERMSIG(status),
                                                   strsignal(WTERMSIG(status)), words)
                                     : heap_format("exit code %d%s", WEXITSTATUS(status), words);
}

/* Ends a program and all that it started, and reads what it left to be read. False: it printed too
 * much. */
static bool finish(struct program *program)
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
    const bool fine = drain(program);
    close_end(&program->in);
    close_end(&program->out);
    close_end(&program->error);
    close_end(&program->handle);
    return fine;
}

static void program_end(struct program *program)
{
    finish(program);
    if (program->programs->last == program)
        program->programs->last = NULL;
    process_tree_end(&program->tree);
    cgroup_end(&program->group);
    FREE(program->output, program->errors, program->arrivals.items, program);
}

/* A program's turn begins. What is there by now and new is what the last one has started, or left:
 * such processes have this one as their parent, and nothing else says whose they are. */
static void take_turn(struct program *program)
{
    struct programs *programs = program->programs;
    if (programs->last != NULL && programs->last != program)
        process_tree_look(&programs->last->tree);
    programs->last = program->persistent ? program : NULL;
    spare_others(program);
}

static struct program *new_program(struct programs *programs, const struct external *external)
{
    struct program *program = heap_take(1, sizeof *program);
    *program = (struct program){.external = external,
                                .persistent = external->persistent,
                                .programs = programs,
                                .handle = -1,
                                .in = -1,
                                .out = -1,
                                .error = -1,
                                .tasks = programs->tasks,
                                .oom_kills = cgroup_oom_kills(CGROUP_ROOT, CGROUP_SELF)};
    cgroup_start(&program->group, &programs->groups);
    take_turn(program);
    return program;
}

static struct program *find_waiting(const struct programs *programs,
                                    const struct external *external)
{
    for (size_t i = 0; i < programs->count; i++)
        if (programs->waiting[i]->external == external)
            return programs->waiting[i];
    return NULL;
}

static void keep_waiting(struct programs *programs, struct program *program)
{
    programs->waiting = heap_grow(programs->waiting, programs->count, sizeof(struct program *));
    programs->waiting[programs->count++] = program;
}

static void wait_no_more(struct programs *programs, const struct program *program)
{
    for (size_t i = 0; i < programs->count; i++)
        if (programs->waiting[i] == program) {
            programs->waiting[i] = programs->waiting[--programs->count];
            return;
        }
}

/* What an outcome other than an answer makes of the run. */
static void judge(const struct program *program, enum outcome outcome, struct result *result,
                  struct answer *answer)
{
    switch (outcome) {
    case LATE:
        printed_fail(result, answer, STATUS_time_limit, NULL);
        break;
    case SPENT:
        printed_fail(result, answer, STATUS_cpu_limit, NULL);
        break;
    case LARGE:
        printed_fail(result, answer, STATUS_memory_limit, NULL);
        break;
    case STOPPED:
        printed_fail(result, answer, STATUS_interrupted, NULL);
        break;
    case TALKATIVE:
        printed_fail(result, answer, STATUS_crashed,
                     heap_format("more than %d MiB of output", OUTPUT_BYTES >> 20));
        break;
    case BREEDING:
        printed_fail(result, answer, STATUS_crashed,
                     heap_format("it started more than %d processes", MOST_PROCESSES));
        break;
    case UNREAD:
        printed_fail(result, answer, STATUS_crashed,
                     heap_text("it answered before it had read any of the board"));
        break;
    case UNSEEN:
        printed_fail(result, answer, STATUS_crashed, heap_text("its output cannot be watched"));
        break;
    case ENDED: {
        SCOPED char *how = how_it_ended(program);
        printed_fail(result, answer, program->killed ? STATUS_lost : STATUS_crashed,
                     program->external->persistent
                         ? heap_format("it ended without an answer: %s", how)
                         : heap_text(how));
        break;
    }
    case ANSWERED:
        break;
    }
}

/* The first bytes of what a program printed. */
static struct printed printed_of(const struct program *program, size_t bytes)
{
    return (struct printed){.output = program->output == NULL ? "" : program->output,
                            .bytes = bytes,
                            .error = program->tail,
                            .arrivals = &program->arrivals,
                            .killed = program->killed};
}

/* Keeps what the program printed in a run that ended so, if it is to be kept. */
static void keep_log(const struct program *program, struct printed printed, enum status status,
                     struct answer *answer)
{
    if (!program->external->logs)
        return;
    printed.error = program->errors;
    printed.status = status;
    printed.message = answer->message;
    answer->log = output_log_pack(&printed, program->error_bytes, &answer->log_bytes);
}

/* Reads the first bytes of what a program printed: as an answer, if it gave one. */
static struct printed read_printed(const struct program *program, const struct question *question,
                                   enum outcome outcome, size_t bytes, struct result *result,
                                   struct answer *answer)
{
    struct printed printed = printed_of(program, bytes);
    printed.answered = outcome == ANSWERED;
    if (printed.answered)
        printed_read(program->external, question, &printed, result, answer);
    else
        judge(program, outcome, result, answer);
    keep_log(program, printed, result->status, answer);
    return printed;
}

/* Whether a signal ended the program that schedulers send to all processes of a job; an exit code
 * of 128 and its number says the same. */
static bool ended_by_scheduler(const struct program *program)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGUSR1};
    enum { SIGNALS = sizeof signals / sizeof *signals, SHELLS_BASE = 128 };
    const int status = program->tree.root_status;
    if (!program->tree.root_ended)
        return false;
    for (unsigned i = 0; i < SIGNALS; i++)
        if (WIFSIGNALED(status) ? WTERMSIG(status) == signals[i]
                                : WEXITSTATUS(status) == SHELLS_BASE + signals[i])
            return true;
    return false;
}

/* What a program leaves undone at an interrupt says nothing of it. The signal may reach the program
 * before this process: then it is awaited for a moment. */
static void heed_interrupt(const struct program *program, const struct limits *limits,
                           struct result *result, struct answer *answer)
{
    enum { MOMENTS = 50 };
    const struct timespec moment = {.tv_nsec = 10000000};
    if (result->status == STATUS_solved || limits->interrupted == NULL)
        return;
    for (int i = 0; i < MOMENTS && *limits->interrupted == 0 && ended_by_scheduler(program); i++)
        nanosleep(&moment, NULL);
    if (*limits->interrupted != 0)
        printed_fail(result, answer, STATUS_interrupted, NULL);
}

/* What the system knows of a run. */
static struct measured_run measured(const struct exchange *exchange, double cpu_seconds)
{
    /* A program that is gone after a look or two was hardly seen, be it that this process had no
     * time for more. */
    enum { HARDLY = 2 };
    return (struct measured_run){
        .wall_seconds = exchange->wall_seconds,
        .cpu_seconds = cpu_seconds,
        .peak_bytes = exchange->peak_bytes,
        .sure = exchange->kept ||
                (exchange->looks > HARDLY && exchange->wall_seconds >= 2 * LOOK_SECONDS)};
}

/* The most that the root held, as the system kept it; 0 if that is not known: the peak of a new
 * process begins with what this process held, and with the pages of code, dozens at a time, that it
 * needs to become the program. */
static uint64_t known_peak(const struct program *program)
{
    enum { MARGIN = 1 << 20 };
    const uint64_t peak = program->tree.root_peak_bytes;
    if (program->external->isolated) /* the root is bwrap */
        return 0;
    return peak > program->floor_bytes + MARGIN ? peak : 0;
}

static void ask_once(struct programs *programs, const struct external *external,
                     const struct question *question, struct result *result, struct answer *answer)
{
    const struct limits *limits = question->limits;
    SCOPED char *input = protocol_input(external, question);
    struct program *program = new_program(programs, external);
    struct exchange exchange = {
        .program = program, .limits = limits, .input = input, .begun = clock_wall()};
    program->asked = exchange.begun;
    char *why = launch(program, question);
    if (why != NULL) {
        printed_fail(result, answer, STATUS_crashed, why);
    } else {
        enum outcome outcome = converse(&exchange);
        if (!finish(program) && outcome == ENDED)
            outcome = TALKATIVE;
        const int status = program->tree.root_status;
        const bool ended_well = outcome == ENDED && program->tree.root_ended && WIFEXITED(status) &&
                                (WEXITSTATUS(status) == 0 ||
                                 WEXITSTATUS(status) == status_rows[STATUS_stuck].exit_code);
        const struct printed printed =
            read_printed(program, question, ended_well ? ANSWERED : outcome, program->output_bytes,
                         result, answer);
        heed_interrupt(program, limits, result, answer);
        exchange.kept = known_peak(program) > 0;
        if (known_peak(program) > exchange.peak_bytes)
            exchange.peak_bytes = known_peak(program);
        const struct measured_run took = measured(&exchange, program->tree.ended_seconds);
        printed_complete(external, question, &printed, &took, result, answer);
    }
    program_end(program);
}

/* Makes the system forget the peak of a process, and asks for it: the resident memory at its
 * largest since then. */
static void forget_peak(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/clear_refs", (long)process);
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (write(file, "5", 1) != 1)
        errno = 0; /* then the peak is that of the looks, or of an earlier board */
    close(file);
}

static uint64_t read_peak(pid_t process)
{
    char text[4096];
    unsigned long kibibytes = 0;
    const char *peak =
        process_read(process, "status", text, sizeof text) ? strstr(text, "\nVmHWM:") : NULL;
    if (peak != NULL)
        sscanf(peak, "\nVmHWM: %lu", &kibibytes);
    return kibibytes * UINT64_C(1024);
}

/* Reads what a persistent program prints before it waits for its next board; in vain after a fifth
 * of a second. */
static void await_silence(struct program *program)
{
    const struct timespec moment = {.tv_nsec = 50000};
    const struct timespec none = {0};
    const double until = clock_wall() + 0.2;
    bool running = true;
    while (running && clock_wall() < until) {
        struct pollfd out = {.fd = program->out, .events = POLLIN};
        running = process_state(program->tree.root) == 'R'; /* it may be about to print */
        while (program->out >= 0 && ppoll(&out, 1, running ? &moment : &none, NULL) > 0 &&
               read_output(program))
            running = false; /* that will do */
    }
}

/* What a persistent program printed before it is given its board, which can be no answer to it:
 * says so, in heap memory; NULL: nothing but empty lines. */
static char *printed_early(struct program *program)
{
    enum { MOST_SHOWN = 60 };
    size_t at = 0;
    await_silence(program);
    while (at < program->output_bytes && isspace((unsigned char)program->output[at]))
        at++;
    if (at == program->output_bytes) {
        program->output_bytes = 0;
        return NULL;
    }
    size_t length = 0;
    while (at + length < program->output_bytes && length < MOST_SHOWN &&
           program->output[at + length] != '\n')
        length++;
    SCOPED char *line = heap_format("%.*s", (int)length, program->output + at);
    SCOPED char *shown = text_printable(line);
    return heap_format("it printed '%s' before it was given the board", shown);
}

/* Whether none of a board of so many bytes was read yet. */
static bool is_unread(const struct exchange *exchange, size_t bytes)
{
    int waiting = 0;
    return exchange->program->in >= 0 && ioctl(exchange->program->in, FIONREAD, &waiting) == 0 &&
           exchange->input_bytes + (size_t)waiting >= bytes;
}

/* One board and its answer, of a persistent program that is running. Returns whether it can go on.
 */
static bool ask_running(struct program *program, const struct question *question,
                        struct result *result, struct answer *answer)
{
    const struct limits *limits = question->limits;
    SCOPED char *input = protocol_input(program->external, question);
    struct exchange exchange = {.program = program, .limits = limits, .input = input};
    program->tail_bytes = 0;
    program->tail[0] = '\0';
    program->error_bytes = 0;
    program->scan = (struct answer_scan){0};
    forget_peak(program->tree.root);
    exchange.cpu_before = process_tree_seconds(&program->tree);
    exchange.begun = program->asked = clock_wall();
    program->arrivals.count = 0;
    enum outcome outcome = converse(&exchange);
    const bool answered = outcome == ANSWERED;
    const uint64_t peak = program->external->isolated ? 0 : read_peak(program->tree.root);
    exchange.kept = peak > 0;
    if (peak > exchange.peak_bytes)
        exchange.peak_bytes = peak;
    if (!answered) {
        finish(program);
        answer->lost_seconds = program->lost_seconds;
        program->lost_seconds = 0;
    } else if (is_unread(&exchange, strlen(input))) {
        outcome = UNREAD;
    }
    const size_t bytes = answered ? program->scan.line : program->output_bytes;
    const struct printed printed = read_printed(program, question, outcome, bytes, result, answer);
    heed_interrupt(program, limits, result, answer);
    const struct measured_run took =
        measured(&exchange, fmax(process_tree_seconds(&program->tree) - exchange.cpu_before, 0));
    printed_complete(program->external, question, &printed, &took, result, answer);
    if (answered) {
        program->output_bytes -= bytes;
        memmove(program->output, program->output + bytes, program->output_bytes);
    }
    return answered && result->status != STATUS_crashed && result->status != STATUS_time_limit &&
           result->status != STATUS_cpu_limit && result->status != STATUS_memory_limit;
}

/* A board one move from the goal. */
static struct task warm_up_task(const struct task *task)
{
    struct task near = {task->goal, task->goal, task->order};
    unsigned move = 0;
    while (move_target(near.goal.shape, near.goal.blank, move) == NO_CELL)
        move++;
    board_slide(&near.start, move_target(near.goal.shape, near.goal.blank, move));
    return near;
}

/* Starts a persistent program and gives it its first board, which nobody measures. NULL if that
 * fails; then the result says why. */
static struct program *start_persistent(struct programs *programs, const struct external *external,
                                        const struct question *question, struct result *result,
                                        struct answer *answer)
{
    const struct task near = warm_up_task(question->task);
    struct limits patient = *question->limits;
    struct question first = *question, born = *question;
    first.task = born.task = &near;
    first.limits = &patient;
    struct program *program = new_program(programs, external);
    patient.nodes = 0;
    patient.cpu_seconds = 0;
    if (patient.seconds < programs->warm_up_seconds)
        patient.seconds = programs->warm_up_seconds;
    char *why = launch(program, &born);
    if (why != NULL) {
        printed_fail(result, answer, STATUS_crashed, why);
    } else if (ask_running(program, &first, result, answer)) {
        process_tree_look(&program->tree);
        keep_waiting(programs, program);
        result_end(result);
        answer_end(answer);
        *result = (struct result){.status = STATUS_crashed, .h_start = -1};
        return program;
    } else if (result->status == STATUS_time_limit) {
        printed_fail(result, answer, STATUS_crashed,
                     heap_format("no answer to its first board, one move from the goal, in %g s",
                                 patient.seconds));
    } else if (result->status == STATUS_crashed || result->status == STATUS_lost) {
        const enum status status = result->status;
        SCOPED char *said = answer->message;
        answer->message = NULL;
        printed_fail(result, answer, status,
                     heap_format("at its first board, one move from the goal: %s", said));
    }
    /* The run itself took no time. */
    result->wall_seconds = result->cpu_seconds = 0;
    program_end(program);
    return NULL;
}

double programs_start_seconds(const struct external *external, const struct limits *limits)
{
    return external->persistent ? fmax(limits->seconds, WARM_UP_SECONDS) : 0;
}

double programs_grace(const struct external *external, const struct limits *limits)
{
    /* Twice: the program that failed, and one that is started in its place. */
    return 2 * KILL_SECONDS + external->grace + programs_start_seconds(external, limits);
}

static void ask_persistent(struct programs *programs, const struct external *external,
                           const struct question *question, struct result *result,
                           struct answer *answer)
{
    struct program *program = find_waiting(programs, external);
    if (program == NULL)
        program = start_persistent(programs, external, question, result, answer);
    if (program == NULL)
        return;
    take_turn(program);
    char *early = printed_early(program);
    if (early != NULL)
        printed_fail(result, answer, STATUS_crashed, early);
    if (early != NULL || !ask_running(program, question, result, answer)) {
        wait_no_more(programs, program);
        program_end(program);
    }
}

void programs_ask(struct programs *programs, const struct external *external,
                  const struct question *question, struct result *result, struct answer *answer)
{
    char *changed = external->problem != NULL ? heap_text(external->problem)
                    : external->copy != NULL  ? NULL
                                              : external_changed(external);
    *result = (struct result){.status = STATUS_crashed, .h_start = -1};
    *answer = (struct answer){0};
    process_goes_first(true);
    if (changed != NULL)
        answer->message = changed;
    else
        (external->persistent ? ask_persistent : ask_once)(programs, external, question, result,
                                                           answer);
    process_goes_first(false);
}

enum status programs_build(struct programs *programs, const struct external *build,
                           const struct limits *limits, struct answer *answer)
{
    static const struct task none;
    const struct question question = {&none, limits, 1, 1, 1, COST_unit};
    struct result result = {.status = STATUS_solved};
    struct program *program = new_program(programs, build);
    struct exchange exchange = {
        .program = program, .limits = limits, .input = "", .begun = clock_wall()};
    *answer = (struct answer){0};
    program->asked = exchange.begun;
    char *why = launch(program, &question);
    if (why != NULL) {
        printed_fail(&result, answer, STATUS_crashed, why);
    } else {
        const enum outcome outcome = converse(&exchange);
        finish(program);
        const int status = program->tree.root_status;
        judge(program, outcome, &result, answer);
        if (outcome == ENDED && program->tree.root_ended && WIFEXITED(status) && !program->killed) {
            SCOPED char *words = first_words(program);
            const bool fine = WEXITSTATUS(status) == 0;
            printed_fail(&result, answer, fine ? STATUS_solved : STATUS_crashed,
                         fine ? NULL : heap_format("exit code %d%s", WEXITSTATUS(status), words));
        }
        keep_log(program, printed_of(program, program->output_bytes), result.status, answer);
        heed_interrupt(program, limits, &result, answer);
    }
    program_end(program);
    return result.status;
}

bool programs_run(const struct programs *programs, const struct external *external)
{
    return find_waiting(programs, external) != NULL;
}

void programs_stop(struct programs *programs, const struct external *external)
{
    struct program *program = find_waiting(programs, external);
    if (program == NULL)
        return;
    take_turn(program);
    wait_no_more(programs, program);
    program_end(program);
}

/* The program that waits, or one that is started; NULL, with what is wrong in *why. */
static struct program *find_or_start(struct programs *programs, const struct external *external,
                                     const struct question *question, char **why)
{
    struct program *program = find_waiting(programs, external);
    *why = program == NULL ? external_changed(external) : NULL;
    if (program != NULL || *why != NULL)
        return program;
    program = new_program(programs, external);
    *why = launch(program, question);
    if (*why == NULL) {
        keep_waiting(programs, program);
        return program;
    }
    program_end(program);
    return NULL;
}

char *programs_exchange(struct programs *programs, const struct external *external,
                        const struct question *question, const char *input, char **line,
                        enum status *status)
{
    struct result result = {.status = STATUS_crashed};
    struct answer answer = {0};
    char *why;
    *line = NULL;
    *status = STATUS_crashed;
    process_goes_first(true);
    struct program *program = find_or_start(programs, external, question, &why);
    if (program != NULL) {
        take_turn(program);
        struct exchange exchange = {.program = program,
                                    .limits = question->limits,
                                    .input = input,
                                    .begun = clock_wall(),
                                    .cpu_before = process_tree_seconds(&program->tree)};
        program->asked = exchange.begun;
        program->arrivals.count = 0;
        drain(program);
        const bool early = program->output_bytes > 0;
        const enum outcome outcome = early ? ANSWERED : converse(&exchange);
        if (outcome == ANSWERED) {
            *line = heap_format("%s%.*s", early ? "\n" : "", (int)program->output_bytes,
                                program->output);
            program->output_bytes = 0;
        } else {
            finish(program);
            judge(program, outcome, &result, &answer);
            heed_interrupt(program, question->limits, &result, &answer);
            *status = result.status;
            why = answer.message;
            wait_no_more(programs, program);
            program_end(program);
        }
    }
    process_goes_first(false);
    return why;
}

void programs_end(struct programs *programs)
{
    while (programs->count > 0) {
        struct program *program = programs->waiting[programs->count - 1];
        take_turn(program);
        programs->count--;
        program_end(program);
    }
    cgroups_close(&programs->groups);
    free(programs->waiting);
    process_tree_end(&programs->others);
    free(programs);
}
