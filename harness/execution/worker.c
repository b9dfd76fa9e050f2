#include "harness/execution/worker.h"
#include "base/heap.h"
#include "harness/execution/checkpoints.h"
#include "harness/execution/fault.h"
#include "harness/execution/run_question.h"
#include "harness/execution/sharing.h"
#include "harness/external/output_log.h"
#include "harness/external/program_heuristic.h"
#include "harness/results/version.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long a worker may take to end, in milliseconds: one that was idle, and one that was not. */
enum { ENDING_MS = 1000, DYING_MS = 200 };

/* How long beyond its time limit a search may take to notice it. */
#define GRACE_SECONDS 5.0

/* What the parent asks for: this, then `count` struct run. A worker is a fork: what a run points to
 * is its own as well. */
struct request {
    unsigned count;
    enum batch_kind kind;
    unsigned events;
};

/* A result on its way through the socket: this, whose pointers say only what there is, then what
 * they point to (`struct parts`). */
struct reply {
    uint64_t run;
    uint64_t last; /* 1: the worker makes no more runs of this batch; else 0 */
    struct result result;
    struct answer answer;
    uint32_t extra, message; /* the bytes of the answer's texts with their zero bytes; 0: none */
    uint64_t events[EVENTS];
};

/* How many bytes follow a reply, in their order; the path with its zero byte. */
struct parts {
    size_t moves, rounds, incumbents, extra, message, log;
};

static struct parts parts_of(const struct reply *reply)
{
    const struct result *result = &reply->result;
    return (struct parts){.moves = result->moves == NULL ? 0 : result->length + 1,
                          .rounds = result->round_count * sizeof *result->rounds,
                          .incumbents = result->incumbent_count * sizeof *result->incumbents,
                          .extra = reply->extra,
                          .message = reply->message,
                          .log = reply->answer.log_bytes};
}

/* A reply of up to SHORT_BYTES is sent at once and waits for the batch's end; before a longer one,
 * and when QUIET_BYTES wait, the worker rings, so that it is not held up by a full socket. */
enum { SHORT_BYTES = 4096, QUIET_BYTES = 32768 };

/* How much of a socket is read at once. */
enum { READ_BYTES = 65536 };

/* The exit code of a worker that the system refuses memory. */
enum { STARVED = 71 };

/* The longest path that is accepted: longer than any that a search in memory can find; and the
 * longest of an answer's texts. */
#define LONGEST_PATH (UINT64_C(1) << 30)
enum { LONGEST_TEXT = 1 << 16 };

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
    file_peek("/proc/self/statm", text, sizeof text);
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
    /* Only its own: an external solver that it starts has the limits from before. */
    struct rlimit data;
    if (getrlimit(RLIMIT_DATA, &data) != 0)
        return;
    data.rlim_cur = fair_bytes + SLACK_BYTES;
    if (data.rlim_cur > data.rlim_max)
        data.rlim_cur = data.rlim_max;
    setrlimit(RLIMIT_DATA, &data);
}

/* Memory outside the arena, such as a heuristic's tables, was refused. That is the system's doing,
 * unless this process has much more than it may: then it is a crash. */
static void end_starved(void)
{
    if (data_bytes() <= fair_bytes)
        _exit(STARVED);
}

/* As much processor time as the threads of the next run may take, and a little more.
 * `anew`: also where the run has the last one's limit, which is true for a batch as a whole. */
static void limit_processor(double seconds, bool anew)
{
    static double limited = -1; /* the seconds of the last call */
    struct rlimit cpu;
    if ((!anew && seconds == limited) || getrlimit(RLIMIT_CPU, &cpu) != 0)
        return;
    const double until = clock_cpu() + seconds + 2 * GRACE_SECONDS;
    limited = seconds;
    cpu.rlim_cur = cpu.rlim_max; /* not the last run's limit */
    if (seconds > 0 && until < (double)cpu.rlim_max)
        cpu.rlim_cur = (rlim_t)until + 1;
    setrlimit(RLIMIT_CPU, &cpu);
}

/* Asks a program. Should the parent die, the interrupt ends the program with all that it started;
 * to be killed as well would leave those. */
static void ask_program(struct programs **programs, const struct run *run, const struct task *task,
                        const struct limits *limits, struct result *result, struct answer *answer)
{
    if (*programs == NULL) {
        *programs = programs_start();
        prctl(PR_SET_PDEATHSIG, SIGINT);
    }
    limit_processor(0, true); /* this process only watches */
    const struct question question = run_question(run, task, limits);
    programs_ask(*programs, run->external, &question, result, answer);
}

static struct keeping keeping;

void workers_keep(struct keeping given)
{
    keeping = given;
}

/* Makes a run of a built-in solver. */
static void search_run(const struct run *run, const struct task *task, struct limits *limits,
                       enum batch_kind kind, struct result *result)
{
    struct checkpoint checkpoint = {NULL, keeping.seconds};
    struct split split = {NULL, keeping.parts, kind == BATCH_JOINED};
    const bool keeps = kind == BATCH_OF_RUNS || kind == BATCH_JOINED;
    char *path = NULL;
    if (keeps && keeping.shared != NULL) {
        split.folder = path = sharing_folder(keeping.shared, run->id);
        limits->split = &split;
    } else if (keeps && keeping.seconds > 0) {
        checkpoint.path = path = checkpoint_path(keeping.folder, run->id);
        limits->checkpoint = &checkpoint;
    }
    struct move_costs costs;
    solver_run_priced(run->solver, task, instance_costs(run->instance, &costs), limits, NULL,
                      result);
    free(path);
}

/* Makes a run, perhaps the first of its batch. */
static void make_run(struct programs **programs, const struct run *run, bool first,
                     enum batch_kind kind, struct result *result, struct answer *answer)
{
    const struct instance *instance = run->instance;
    const struct task task = {instance->start, instance->goal, run->order};
    struct limits limits = run->limits;
    limits.interrupted = &interrupted;
    *answer = (struct answer){0};
    if (run->external != NULL) {
        ask_program(programs, run, &task, &limits, result, answer);
        return;
    }
    double seconds = limits.seconds * solver_threads(run->solver);
    if (limits.cpu_seconds > 0 && (seconds == 0 || limits.cpu_seconds < seconds))
        seconds = limits.cpu_seconds;
    limit_processor(seconds, first);
    const bool asks = program_heuristics_has(run->solver);
    if (asks) {
        prctl(PR_SET_PDEATHSIG, SIGINT); /* as in ask_program */
        program_heuristics_begin(programs, run->solver, &task.goal, &limits);
    }
    search_run(run, &task, &limits, asks ? BATCH_WARM_UP : kind, result);
    if (asks)
        program_heuristics_end(result, answer);
}

static uint32_t text_bytes(const char *text)
{
    return text == NULL ? 0 : (uint32_t)strlen(text) + 1;
}

/* The parent's ends, in the worker. */
struct line {
    int channel;
    int bell;
    size_t quiet; /* bytes sent since the bell was rung */
};

static void ring(struct line *line)
{
    const uint64_t once = 1;
    line->quiet = 0;
    if (write(line->bell, &once, sizeof once) < 0)
        _exit(1);
}

/* Sends the parts of a reply. False if the parent is gone. */
static bool send_parts(struct line *line, const struct iovec *parts, unsigned count)
{
    char whole[SHORT_BYTES];
    size_t bytes = 0;
    for (unsigned i = 0; i < count; i++)
        bytes += parts[i].iov_len;
    if (bytes > SHORT_BYTES || line->quiet + bytes > QUIET_BYTES)
        ring(line);
    line->quiet += bytes;
    bool sent = true;
    if (bytes > SHORT_BYTES) {
        for (unsigned i = 0; sent && i < count; i++)
            sent = write_all(line->channel, parts[i].iov_base, parts[i].iov_len);
        return sent;
    }
    char *at = whole;
    for (unsigned i = 0; i < count; i++)
        if (parts[i].iov_len > 0)
            at = mempcpy(at, parts[i].iov_base, parts[i].iov_len);
    return write_all(line->channel, whole, bytes);
}

/* Sends what a run gave. False if the parent is gone. */
static bool send_reply(struct line *line, const struct run *run, const struct result *result,
                       const struct answer *answer, const uint64_t events[EVENTS], bool last)
{
    struct reply reply;
    memset(&reply, 0, sizeof reply);
    reply.run = run->number;
    reply.last = last;
    reply.result = *result;
    reply.answer = *answer;
    if (result->moves == NULL && result->status != STATUS_claimed)
        reply.result.length = 0;
    if (answer->log == NULL)
        reply.answer.log_bytes = 0;
    reply.extra = text_bytes(answer->extra);
    reply.message = text_bytes(answer->message);
    memcpy(reply.events, events, sizeof reply.events);
    const struct parts own = parts_of(&reply);
    const struct iovec parts[] = {
        {&reply, sizeof reply},       {result->moves, own.moves},
        {result->rounds, own.rounds}, {result->incumbents, own.incumbents},
        {answer->extra, own.extra},   {answer->message, own.message},
        {answer->log, own.log},
    };
    return send_parts(line, parts, sizeof parts / sizeof *parts);
}

/* Makes the runs of a batch. False if the parent is gone. */
static bool serve_batch(struct line *line, const struct request *request, const struct run *runs,
                        struct programs **programs, struct events *events)
{
    double searched = 0;
    bool last = false;
    for (unsigned i = 0; !last; i++) {
        SCOPED_BY(result_end) struct result result;
        SCOPED_BY(answer_end) struct answer answer;
        if (request->kind == BATCH_OF_RUNS)
            fault_strike(runs[i].number, line->channel);
        struct events_seen before;
        struct events_seen after;
        uint64_t counts[EVENTS];
        if (request->events != events->asked) /* before programs are started */
            events_open(events, request->events);
        events_look(events, &before);
        make_run(programs, &runs[i], i == 0, request->kind, &result, &answer);
        events_look(events, &after);
        events_between(events, &before, &after, runs[i].external != NULL, counts);
        if (request->kind == BATCH_OF_RUNS)
            fault_lie(runs[i].number, &result);
        searched += result.cpu_seconds;
        last = i + 1 == request->count || interrupted || searched > BATCH_SECONDS;
        /* An interrupt counts for one batch: should the parent have got it too, there is no other.
         * Before the last reply is sent, as the parent's next one may come from then on. */
        if (last)
            interrupted = 0;
        const bool sent = send_reply(line, &runs[i], &result, &answer, counts, last);
        if (!sent)
            return false;
    }
    ring(line);
    return true;
}

/* The life of a worker process: ends when the parent closes the channel. */
_Noreturn static void serve(int channel, int bell)
{
    struct line line = {.channel = channel, .bell = bell};
    struct request request;
    struct run runs[BATCH_RUNS];
    struct programs *programs = NULL;
    struct events events;
    events_open(&events, 0);
    while (read_all(channel, &request, sizeof request) &&
           read_all(channel, runs, request.count * sizeof *runs) &&
           serve_batch(&line, &request, runs, &programs, &events))
        ;
    if (programs != NULL)
        programs_end(programs);
    _exit(0);
}

/* Pins this process to some processors. If the system refuses, it runs unpinned. */
static void pin(const unsigned *processors, unsigned count)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    for (unsigned i = 0; i < count; i++)
        CPU_SET((size_t)processors[i], &only);
    sched_setaffinity(0, sizeof only, &only);
}

/* Closes those of the files that are open. */
static void close_all(const int *files, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (files[i] >= 0)
            close(files[i]);
}

/* Closes all that the parent has open but these two: the lock on its results, the other workers'
 * channels. */
static void close_others(int channel, int bell)
{
    const unsigned low = (unsigned)(channel < bell ? channel : bell);
    const unsigned high = (unsigned)(channel < bell ? bell : channel);
    const unsigned first = STDERR_FILENO + 1;
    if ((low > first && close_range(first, low - 1, 0) != 0) ||
        (high > low + 1 && close_range(low + 1, high - 1, 0) != 0) ||
        close_range(high + 1, ~0U, 0) != 0)
        _exit(1);
}

/* A worker process from its first moment on. */
_Noreturn static void live(pid_t parent, int channel, int bell, uint64_t max_bytes,
                           const unsigned *processors, unsigned count, const sigset_t *signals)
{
    struct sigaction noting = {.sa_handler = note_interrupt};
    struct rlimit no_core = {0, 0};
    fault_starts_late();
    setpgid(0, 0); /* a Ctrl-C at the terminal is the parent's to handle */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    setrlimit(RLIMIT_CORE, &no_core);
    limit_process(max_bytes);
    heap_on_exhausted(end_starved);
    if (processors != NULL)
        pin(processors, count);
    /* A cluster's scheduler ends every process of a job at once: a search that it ends is no crash.
     */
    sigaction(SIGINT, &noting, NULL);
    sigaction(SIGTERM, &noting, NULL);
    sigaction(SIGUSR1, &noting, NULL);
    pthread_sigmask(SIG_SETMASK, signals, NULL);
    close_others(channel, bell);
    serve(channel, bell);
}

bool worker_start(struct worker *worker, uint64_t max_bytes, const unsigned *processors,
                  unsigned count)
{
    int ends[2] = {-1, -1};
    const int bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    const pid_t parent = getpid();
    const bool ready = bell >= 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
    /* Until the worker has handlers of its own, an interrupt would find those of its parent. */
    sigset_t interrupts, before;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    sigaddset(&interrupts, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &interrupts, &before);
    const pid_t process = !ready || fault_refuses_fork() ? -1 : fork();
    if (process == 0)
        live(parent, ends[1], bell, max_bytes, processors, count, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (process < 0) {
        const int why = errno;
        close_all((const int[]){ends[0], ends[1], bell}, 3);
        errno = why;
        return false;
    }
    close(ends[1]);
    *worker = (struct worker){
        .process = process, .handle = pidfd_open(process, 0), .channel = ends[0], .bell = bell};
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

/* The next run of the batch is under way. */
static void expect_next(struct worker *worker, double now)
{
    const struct run *run = &worker->batch.runs[worker->batch.made];
    const double seconds = run->limits.seconds;
    worker->deadline = seconds > 0 ? now + seconds + GRACE_SECONDS : 0;
    if (seconds > 0 && run->external != NULL)
        worker->deadline += programs_grace(run->external, &run->limits);
    else if (seconds > 0)
        worker->deadline += program_heuristics_grace(run->solver, &run->limits);
}

bool worker_send(struct worker *worker)
{
    struct request request;
    struct batch *batch = &worker->batch;
    memset(&request, 0, sizeof request); /* its padding is sent, too */
    request.count = batch->count;
    request.kind = batch->kind;
    request.events = worker->events;
    batch->made = 0;
    worker->busy = true;
    worker->received_bytes = worker->taken = 0;
    worker->since = clock_wall();
    expect_next(worker, worker->since);
    return write_all(worker->channel, &request, sizeof request) &&
           write_all(worker->channel, batch->runs, batch->count * sizeof *batch->runs);
}

/* The bytes of a reply after its head. */
static uint64_t tail_bytes(const struct reply *reply)
{
    const struct parts parts = parts_of(reply);
    return parts.moves + parts.rounds + parts.incumbents + parts.extra + parts.message + parts.log;
}

/* How many bytes of the next reply are missing; SIZE_MAX if what came is not a reply. */
static size_t missing(const struct worker *worker)
{
    struct reply reply;
    const struct batch *batch = &worker->batch;
    const struct run *run = &batch->runs[batch->made];
    const size_t there = worker->received_bytes - worker->taken;
    if (there < sizeof reply)
        return sizeof reply - there;
    memcpy(&reply, worker->received + worker->taken, sizeof reply);
    const struct result *result = &reply.result;
    const uint64_t whole = sizeof reply + tail_bytes(&reply);
    if (reply.run != run->number || (unsigned)result->status >= STATUSES ||
        (result->moves != NULL && result->length > LONGEST_PATH) ||
        result->round_count > MAX_ROUNDS || result->incumbent_count > MAX_INCUMBENTS ||
        reply.extra > LONGEST_TEXT || reply.message > LONGEST_TEXT ||
        reply.answer.log_bytes > LOG_PACKED_BYTES ||
        (result->status == STATUS_solved && result->moves == NULL) ||
        ((result->status == STATUS_crashed || result->status == STATUS_lost ||
          result->status == STATUS_claimed) &&
         run->external == NULL && !program_heuristics_has(run->solver)) ||
        result->status == STATUS_wrong_answer || reply.last > 1 ||
        (reply.last == 0 && batch->made + 1 == batch->count) || (reply.last == 1 && there > whole))
        return SIZE_MAX;
    return there < whole ? whole - there : 0;
}

/* Reads on, `wanted` bytes at least if they are there. PENDING: nothing more has come. DONE: some
 * has. */
static enum worker_news read_more(struct worker *worker, size_t wanted)
{
    ssize_t got;
    worker->received_bytes -= worker->taken;
    if (worker->received_bytes > 0)
        memmove(worker->received, worker->received + worker->taken, worker->received_bytes);
    worker->taken = 0;
    if (wanted < READ_BYTES)
        wanted = READ_BYTES;
    worker->received =
        heap_reserve(worker->received, &worker->room, worker->received_bytes + wanted, 1);
    do
        got = recv(worker->channel, worker->received + worker->received_bytes,
                   worker->room - worker->received_bytes, MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return WORKER_PENDING;
    if (got <= 0)
        return WORKER_GONE;
    worker->received_bytes += (size_t)got;
    return WORKER_DONE;
}

bool worker_is_sending(const struct worker *worker)
{
    return worker->received_bytes > worker->taken;
}

void worker_hear(const struct worker *worker)
{
    uint64_t times;
    if (read(worker->bell, &times, sizeof times) < 0)
        return; /* it did not ring */
}

/* A copy of `bytes` from *at on, in heap memory; NULL: there are none. */
static void *take(const char **at, size_t bytes)
{
    void *copy = bytes == 0 ? NULL : memcpy(heap_resize(NULL, bytes), *at, bytes);
    *at += bytes;
    return copy;
}

/* The same for a text, whatever its last byte is. */
static char *take_text(const char **at, size_t bytes)
{
    char *text = take(at, bytes);
    if (text != NULL)
        text[bytes - 1] = '\0';
    return text;
}

/* The result that a whole reply holds. */
static void take_reply(const struct reply *reply, const char *at, struct result *result,
                       struct answer *answer)
{
    const struct parts parts = parts_of(reply);
    *result = reply->result;
    *answer = reply->answer;
    if (keeping.seconds <= 0 || !(result->earlier_seconds >= 0))
        result->earlier_seconds = 0;
    result->moves = take_text(&at, parts.moves);
    result->rounds = take(&at, parts.rounds);
    result->incumbents = take(&at, parts.incumbents);
    answer->extra = take_text(&at, parts.extra);
    answer->message = take_text(&at, parts.message);
    answer->log = take(&at, parts.log);
}

enum worker_news worker_receive(struct worker *worker, struct result *result, struct answer *answer,
                                uint64_t events[EVENTS], double *elapsed)
{
    struct reply reply;
    size_t wanted;
    while ((wanted = missing(worker)) > 0) {
        const enum worker_news news = wanted == SIZE_MAX ? WORKER_GONE : read_more(worker, wanted);
        if (news != WORKER_DONE)
            return news;
    }
    memcpy(&reply, worker->received + worker->taken, sizeof reply);
    take_reply(&reply, worker->received + worker->taken + sizeof reply, result, answer);
    memcpy(events, reply.events, sizeof reply.events);
    worker->taken += sizeof reply + tail_bytes(&reply);
    const double now = clock_wall();
    *elapsed = now - worker->since;
    const double own = result->wall_seconds - result->earlier_seconds;
    if (own > 0 && own <= *elapsed)
        worker->since += own; /* the next one was not begun before that */
    worker->batch.made++;
    worker->busy = reply.last == 0;
    if (worker->busy)
        expect_next(worker, now);
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

char *worker_stop(struct worker *worker, enum status *meaning)
{
    int status = 0;
    if (meaning != NULL)
        *meaning = STATUS_crashed;
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
    close(worker->bell);
    if (worker->handle >= 0)
        close(worker->handle);
    free(worker->received);
    *worker = (struct worker){0};
    if (meaning != NULL && ended.si_code == CLD_KILLED && ended.si_status == SIGKILL)
        *meaning = STATUS_lost;
    if (WIFSIGNALED(status))
        return heap_format("signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (meaning != NULL && WEXITSTATUS(status) == STARVED)
        *meaning = STATUS_out_of_memory;
    return heap_format("exit code %d", WEXITSTATUS(status));
}
