/* The faults of tilelab-faulty (harness/execution/fault.h), in place of fault.c, which has none. */
#include "base/heap.h"
#include "harness/execution/fault.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

/* LIE(kind, what it does to an honest result r and its counters s) */
#define FAULT_LIES(LIE)                                                                            \
    LIE(lie_expanded, s->expanded = s->generated + 1)                                              \
    LIE(lie_no_expansion, s->expanded = 0)                                                         \
    LIE(lie_deep, s->max_depth = s->generated + 1)                                                 \
    LIE(lie_no_store, s->max_stored = 0)                                                           \
    LIE(lie_rounds, s->iterations = s->generated + 2)                                              \
    LIE(lie_found, s->first_found = s->best_found = 1)                                             \
    LIE(lie_generated, s->generated = UINT64_C(1) << 60)                                           \
    LIE(lie_nothing, memset(s, 0, sizeof *s))                                                      \
    LIE(lie_duplicates, s->duplicates = s->generated + 1)                                          \
    LIE(lie_reopened, s->reopened = s->generated)                                                  \
    LIE(lie_max_open, s->max_open = s->generated + 1)                                              \
    LIE(lie_max_stored, s->max_stored = s->generated + 1)                                          \
    LIE(lie_max_depth, s->max_depth = 0)                                                           \
    LIE(lie_iterations, s->iterations = 0)                                                         \
    LIE(lie_peak, s->peak_bytes = UINT64_C(1) << 50)                                               \
    LIE(lie_no_bytes, s->peak_bytes = 0)                                                           \
    LIE(lie_best_found, s->best_found = s->generated + 1)                                          \
    LIE(lie_first_found, s->first_found = 1)                                                       \
    LIE(lie_open_at_end, s->open_at_end = s->max_open + 1)                                         \
    LIE(lie_time_limit, r->status = STATUS_time_limit)                                             \
    LIE(lie_cpu_limit, r->status = STATUS_cpu_limit)                                               \
    LIE(lie_node_limit, r->status = STATUS_node_limit)                                             \
    LIE(lie_memory_limit, r->status = STATUS_memory_limit)                                         \
    LIE(lie_stuck, r->status = STATUS_stuck)                                                       \
    LIE(lie_unsolvable, r->status = STATUS_unsolvable)                                             \
    LIE(lie_crashed, r->status = STATUS_crashed)                                                   \
    LIE(lie_wall_nan, r->wall_seconds = (double)NAN)                                               \
    LIE(lie_wall_negative, r->wall_seconds = -1)                                                   \
    LIE(lie_wall_long, r->wall_seconds = 1e6)                                                      \
    LIE(lie_cpu_nan, r->cpu_seconds = (double)NAN)                                                 \
    LIE(lie_cpu_negative, r->cpu_seconds = -1)                                                     \
    LIE(lie_cpu_long, r->cpu_seconds = r->wall_seconds + 1)                                        \
    LIE(lie_no_h, r->h_start = -1)                                                                 \
    LIE(lie_h, r->h_start = -3)                                                                    \
    LIE(lie_some_h, r->h_start = 4)                                                                \
    LIE(lie_long_h, r->h_start = 1000000)                                                          \
    LIE(lie_round, r->rounds[0].expanded++)                                                        \
    LIE(lie_no_round, r->round_count--)                                                            \
    LIE(lie_path, r->moves[0] = r->moves[0] == 'U' ? 'D' : 'U')

/* What a worker does before it searches, and what the fork does. */
#define FAULT_CRASHES(CRASH)                                                                       \
    CRASH(segv)                                                                                    \
    CRASH(abort)                                                                                   \
    CRASH(kill)                                                                                    \
    CRASH(exit)                                                                                    \
    CRASH(hang)                                                                                    \
    CRASH(stack)                                                                                   \
    CRASH(memory)                                                                                  \
    CRASH(starve)                                                                                  \
    CRASH(garbage)                                                                                 \
    CRASH(short)                                                                                   \
    CRASH(orphan)                                                                                  \
    CRASH(fork)                                                                                    \
    CRASH(late)

enum kind {
    NO_FAULT,
#define CRASH(name)          FAULT_##name,
#define LIE(name, statement) FAULT_##name,
    FAULT_CRASHES(CRASH) FAULT_LIES(LIE)
#undef CRASH
#undef LIE
        KINDS
};

static const char *const names[KINDS] = {
#define CRASH(name)          [FAULT_##name] = #name,
#define LIE(name, statement) [FAULT_##name] = #name,
    FAULT_CRASHES(CRASH) FAULT_LIES(LIE)
#undef CRASH
#undef LIE
};

static const char *asked;
static enum kind kind_asked;
static size_t at;

/* Splits KIND@N; false for any other text. */
static bool parse(const char *text)
{
    char *end;
    const char *sign = strchr(text, '@');
    if (sign == NULL || sign[1] < '0' || sign[1] > '9' || strlen(sign + 1) > 18)
        return false;
    at = strtoull(sign + 1, &end, 10);
    for (unsigned i = 1; i < KINDS; i++)
        if (strlen(names[i]) == (size_t)(sign - text) &&
            memcmp(names[i], text, strlen(names[i])) == 0)
            kind_asked = (enum kind)i;
    return *end == '\0' && kind_asked != NO_FAULT;
}

char *fault_read(void)
{
    const char *text = getenv("TILELAB_FAULT");
    if (text == NULL)
        return NULL;
    if (!parse(text))
        return heap_format("TILELAB_FAULT=%s: expected KIND@N, such as segv@17", text);
    asked = text;
    return NULL;
}

const char *fault_asked(void)
{
    return asked;
}

static void hang(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;)
        pause();
}

/* Recurses until the stack is exhausted; the bound is beyond any stack. */
static int dig(volatile int depth)
{
    volatile char room[4096];
    room[0] = (char)depth;
    return depth == INT_MAX ? 0 : dig(depth + 1) + room[0];
}

/* The limit counts what is taken, touched or not. */
static void hoard(void)
{
    enum { PIECE = 1 << 24 };
    for (;;)
        heap_take(1, PIECE);
}

static void starve(void)
{
    const struct rlimit nothing = {0, 0};
    setrlimit(RLIMIT_AS, &nothing);
    /* What the C library has in stock. */
    void *volatile taken;
    for (size_t bytes = 1 << 20; bytes > 0; bytes /= 2)
        do
            taken = malloc(bytes);
        while (taken != NULL);
}

/* Without the signal at the parent's death, the process stays as long as it likes. */
static void leave_orphan(void)
{
    if (fork() == 0)
        hang();
    raise(SIGKILL);
}

static void send_bytes(int channel, size_t count)
{
    char bytes[1024];
    memset(bytes, 0xa5, sizeof bytes);
    if (write(channel, bytes, count) < 0)
        _exit(1);
}

void fault_strike(size_t run, int channel)
{
    if (run != at)
        return;
    switch (kind_asked) {
    case FAULT_segv:
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        break;
    case FAULT_abort:
        abort();
    case FAULT_kill:
        raise(SIGKILL);
        break;
    case FAULT_exit:
        exit(7);
    case FAULT_hang:
        hang();
        break;
    case FAULT_stack:
        _exit(dig(0));
    case FAULT_memory:
        hoard();
        break;
    case FAULT_starve:
        starve();
        break;
    case FAULT_garbage:
        send_bytes(channel, 1024);
        break;
    case FAULT_short:
        send_bytes(channel, 20);
        _exit(0);
    case FAULT_orphan:
        leave_orphan();
        break;
    default:
        break;
    }
}

void fault_lie(size_t run, struct result *result)
{
    struct result *r = result;
    struct statistics *s = &result->statistics;
    if (run != at)
        return;
    switch (kind_asked) {
#define LIE(name, statement)                                                                       \
    case FAULT_##name:                                                                             \
        statement;                                                                                 \
        break;
        FAULT_LIES(LIE)
#undef LIE
    default:
        break;
    }
}

static size_t forks;

bool fault_refuses_fork(void)
{
    const bool refused = kind_asked == FAULT_fork && forks >= at;
    forks++;
    if (refused)
        errno = EAGAIN;
    return refused;
}

void fault_starts_late(void)
{
    if (kind_asked == FAULT_late && forks == at + 1)
        usleep(500000);
}
