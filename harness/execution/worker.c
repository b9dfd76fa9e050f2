#include "harness/execution/worker.h"
#include "base/clock.h"
#include "base/heap.h"
#include "harness/execution/fault.h"
#include "harness/results/version.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long a worker may take to end, in milliseconds: one that was idle, and one that was not. */
enum { ENDING_MS = 1000, DYING_MS = 20 };

/* How long beyond its time limit a search may take to notice it. */
#define GRACE_SECONDS 5.0

/* What the parent asks for. A worker is a fork: what the run points to is its own as well. */
struct request {
    struct run run;
    bool warming;
};

/* A result on its way through the socket: this, then `length` characters when the run is solved,
 * then `rounds` struct search_round. */
struct reply {
    uint64_t run;
    uint64_t length;
    uint64_t rounds;
    uint32_t status;
    int32_t h_start;
    struct statistics statistics;
    double wall_seconds;
    double cpu_seconds;
};

/* The worker's end of the socket. */
enum { CHANNEL = 3 };

/* The exit code of a worker that the system refuses memory. */
enum { STARVED = 71 };

/* The longest path that is accepted: longer than any that a search in memory can find. */
#define LONGEST_PATH (UINT64_C(1) << 30)

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal)
{
    interrupted = signal;
}

static bool write_all(int channel, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        ssize_t written = send(channel, at, bytes, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        bytes -= (size_t)written;
    }
    return true;
}

static bool read_all(int channel, void *data, size_t bytes)
{
    char *at = data;
    while (bytes > 0) {
        ssize_t got = read(channel, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

/* The bytes of this process that RLIMIT_DATA limits; 0 where they are not known. Takes no memory.
 */
static uint64_t data_bytes(void)
{
    char text[256];
    unsigned long pages = 0;
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[got < 0 ? 0 : got] = '\0';
    if (sscanf(text, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
        pages = 0;
    return pages * (uint64_t)sysconf(_SC_PAGE_SIZE);
}

/* What a worker may hold by all that is right, and how much more the system is asked to allow. */
static uint64_t fair_bytes = UINT64_MAX;
#define SLACK_BYTES (UINT64_C(512) << 20)

/* Limits set by the system, well above the search's own, for what those cannot catch: code that
 * allocates or computes unseen by the search. Sanitizers need room that no limit allows for. */
static void limit_process(uint64_t max_bytes)
{
    if (build_sanitizers[0] != '\0')
        return;
    /* A block that is moved may exist twice for a moment. */
    fair_bytes = data_bytes() + 2 * max_bytes;
    const struct rlimit data = {fair_bytes + SLACK_BYTES, fair_bytes + SLACK_BYTES};
    setrlimit(RLIMIT_DATA, &data);
}

/* Memory outside the arena, such as a heuristic's tables, was refused. That is the system's doing,
 * unless this process has much more than it may: then it is a crash. */
static void end_starved(void)
{
    if (data_bytes() <= fair_bytes)
        _exit(STARVED);
}

/* As much processor time as the next run may take, and a little more: a search uses one processor.
 */
static void limit_processor(const struct limits *limits)
{
    struct rlimit cpu;
    if (getrlimit(RLIMIT_CPU, &cpu) != 0)
        return;
    const double until = clock_cpu() + limits->seconds + 2 * GRACE_SECONDS;
    cpu.rlim_cur = cpu.rlim_max; /* not the last run's limit */
    if (limits->seconds > 0 && until < (double)cpu.rlim_max)
        cpu.rlim_cur = (rlim_t)until + 1;
    setrlimit(RLIMIT_CPU, &cpu);
}

static void search_run(const struct run *run, struct result *result)
{
    const struct instance *instance = run->instance;
    const struct task task = {instance->start, instance->goal, run->order};
    struct limits limits = run->limits;
    limits.interrupted = &interrupted;
    limit_processor(&limits);
    solver_run(run->solver, &task, &limits, NULL, result);
}

/* The life of a worker process: ends when the parent closes the channel. */
_Noreturn static void serve(int channel)
{
    struct request request;
    while (read_all(channel, &request, sizeof request)) {
        struct result result;
        if (!request.warming)
            fault_strike(request.run.number, channel);
        search_run(&request.run, &result);
        if (!request.warming)
            fault_lie(request.run.number, &result);
        struct reply reply;
        memset(&reply, 0, sizeof reply);
        reply.run = request.run.number;
        reply.length = result.status == STATUS_solved ? result.length : 0;
        reply.rounds = result.round_count;
        reply.status = (uint32_t)result.status;
        reply.h_start = result.h_start;
        reply.statistics = result.statistics;
        reply.wall_seconds = result.wall_seconds;
        reply.cpu_seconds = result.cpu_seconds;
        bool sent = write_all(channel, &reply, sizeof reply) &&
                    (reply.length == 0 || write_all(channel, result.moves, result.length)) &&
                    write_all(channel, result.rounds, reply.rounds * sizeof *result.rounds);
        result_end(&result);
        if (!sent)
            break;
    }
    _exit(0);
}

/* Pins this process to one processor. If the system refuses, it runs unpinned. */
static void pin(int processor)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET((size_t)processor, &only);
    sched_setaffinity(0, sizeof only, &only);
}

bool worker_start(struct worker *worker, uint64_t max_bytes, int processor)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    pid_t parent = getpid();
    pid_t process = fault_refuses_fork() ? -1 : fork();
    if (process < 0) {
        int why = errno;
        close(ends[0]);
        close(ends[1]);
        errno = why;
        return false;
    }
    if (process == 0) {
        struct sigaction noting = {.sa_handler = note_interrupt};
        struct rlimit no_core = {0, 0};
        setpgid(0, 0); /* a Ctrl-C at the terminal is the parent's to handle */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(0);
        setrlimit(RLIMIT_CORE, &no_core);
        limit_process(max_bytes);
        heap_on_exhausted(end_starved);
        if (processor != ANY_PROCESSOR)
            pin(processor);
        sigaction(SIGINT, &noting, NULL);
        signal(SIGTERM, SIG_DFL);
        /* Nothing else of the parent's stays open here: not the lock on its results, not the
         * other workers' channels. */
        if (dup2(ends[1], CHANNEL) < 0 || close_range(CHANNEL + 1, ~0U, 0) != 0)
            _exit(1);
        serve(CHANNEL);
    }
    close(ends[1]);
    *worker =
        (struct worker){.process = process, .handle = pidfd_open(process, 0), .channel = ends[0]};
    const bool has_handle = worker->handle >= 0 || errno == ENOSYS || errno == EPERM;
    const int spare = has_handle ? fcntl(worker->channel, F_DUPFD_CLOEXEC, 0) : -1;
    const int why = errno;
    if (spare >= 0)
        close(spare);
    else
        free(worker_stop(worker, NULL));
    errno = why;
    return spare >= 0;
}

void workers_allow(unsigned count)
{
    enum { PARENTS_OWN = 32 };
    struct rlimit files;
    const rlim_t wanted = (rlim_t)count * WORKER_DESCRIPTORS + PARENTS_OWN;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted)
        return;
    files.rlim_cur = wanted < files.rlim_max ? wanted : files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

bool worker_send(struct worker *worker, const struct run *run, bool warming)
{
    struct request request;
    const double seconds = run->limits.seconds;
    memset(&request, 0, sizeof request); /* its padding is sent, too */
    request.run = *run;
    request.warming = warming;
    worker->busy = true;
    worker->warming = warming;
    worker->run = *run;
    worker->received_bytes = 0;
    worker->sent = clock_wall();
    worker->deadline = seconds > 0 ? worker->sent + seconds + GRACE_SECONDS : 0;
    return write_all(worker->channel, &request, sizeof request);
}

/* How many bytes of the reply are missing; SIZE_MAX if what came is not a reply. */
static size_t missing(const struct worker *worker)
{
    struct reply reply;
    if (worker->received_bytes < sizeof reply)
        return sizeof reply - worker->received_bytes;
    memcpy(&reply, worker->received, sizeof reply);
    const uint64_t whole = sizeof reply + reply.length + reply.rounds * sizeof(struct search_round);
    if (reply.run != worker->run.number || reply.status >= STATUSES ||
        reply.length > LONGEST_PATH || reply.rounds > MAX_ROUNDS ||
        reply.status == STATUS_crashed || reply.status == STATUS_wrong_answer ||
        worker->received_bytes > whole)
        return SIZE_MAX;
    return whole - worker->received_bytes;
}

enum worker_news worker_receive(struct worker *worker, struct result *result)
{
    size_t wanted;
    while ((wanted = missing(worker)) > 0) {
        if (wanted == SIZE_MAX)
            return WORKER_GONE;
        worker->received = heap_resize(worker->received, worker->received_bytes + wanted);
        ssize_t got =
            recv(worker->channel, worker->received + worker->received_bytes, wanted, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return WORKER_PENDING;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return WORKER_GONE;
        worker->received_bytes += (size_t)got;
    }
    struct reply reply;
    memcpy(&reply, worker->received, sizeof reply);
    *result = (struct result){.status = (enum status)reply.status,
                              .length = reply.length,
                              .h_start = reply.h_start,
                              .statistics = reply.statistics,
                              .wall_seconds = reply.wall_seconds,
                              .cpu_seconds = reply.cpu_seconds};
    if (result->status == STATUS_solved)
        result->moves = heap_format("%.*s", (int)reply.length, worker->received + sizeof reply);
    if (reply.rounds > 0) {
        const size_t bytes = reply.rounds * sizeof *result->rounds;
        result->rounds =
            memcpy(heap_resize(NULL, bytes), worker->received + sizeof reply + reply.length, bytes);
        result->round_count = reply.rounds;
    }
    worker->busy = false;
    return WORKER_DONE;
}

void worker_interrupt(const struct worker *worker)
{
    kill(worker->process, SIGINT); /* not waited for yet: the number is still its own */
}

double worker_cpu_seconds(const struct worker *worker)
{
    clockid_t clock;
    return clock_getcpuclockid(worker->process, &clock) == 0 ? clock_seconds(clock) : 0;
}

char *worker_stop(struct worker *worker, bool *starved)
{
    int status = 0;
    if (starved != NULL)
        *starved = false;
    if (worker->process == 0)
        return heap_text("not started");
    shutdown(worker->channel,
             SHUT_RDWR); /* not only close: workers started later hold copies of this end */
    close(worker->channel);
    /* An idle or dead worker ends on its own, in a moment. There is no point in waiting for a busy
     * one, unless it is just dying: then its status says why. */
    struct pollfd ending = {.fd = worker->handle, .events = POLLIN};
    siginfo_t ended = {0};
    for (int left = worker->busy ? DYING_MS : ENDING_MS; left > 0 && ended.si_pid == 0; left--)
        if (waitid(P_PID, (id_t)worker->process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            ended.si_pid == 0)
            poll(&ending, 1, 1);
    /* Together with all that it may have started. It has not been waited for, so the numbers are
     * still its own; if it has ended, its status does not change. */
    kill(-worker->process, SIGKILL);
    kill(worker->process, SIGKILL);
    while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR)
        continue;
    if (worker->handle >= 0)
        close(worker->handle);
    free(worker->received);
    *worker = (struct worker){0};
    if (WIFSIGNALED(status))
        return heap_format("signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (starved != NULL)
        *starved = WEXITSTATUS(status) == STARVED;
    return heap_format("exit code %d", WEXITSTATUS(status));
}
