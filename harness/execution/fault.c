#include "harness/execution/fault.h"
#include "base/heap.h"
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void hang(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;)
        pause();
}

/* Goes down until the stack is spent; the bound is beyond any stack. */
static int dig(volatile int depth)
{
    volatile char room[4096];
    room[0] = (char)depth;
    return depth == INT_MAX ? 0 : dig(depth + 1) + room[0];
}

static void hoard(void)
{
    enum { PIECE = 1 << 24 };
    for (;;)
        memset(heap_take(1, PIECE), 1, PIECE);
}

/* Without the parent's death to end it, a process stays for as long as it likes. */
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
    const char *asked = getenv("TILELAB_FAULT");
    const char *at = asked == NULL ? NULL : strchr(asked, '@');
    if (at == NULL || strtoull(at + 1, NULL, 10) != run)
        return;
    size_t length = (size_t)(at - asked);
    if (strncmp(asked, "segv", length) == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    } else if (strncmp(asked, "abort", length) == 0) {
        abort();
    } else if (strncmp(asked, "kill", length) == 0) {
        raise(SIGKILL);
    } else if (strncmp(asked, "exit", length) == 0) {
        exit(7);
    } else if (strncmp(asked, "hang", length) == 0) {
        hang();
    } else if (strncmp(asked, "stack", length) == 0) {
        _exit(dig(0));
    } else if (strncmp(asked, "memory", length) == 0) {
        hoard();
    } else if (strncmp(asked, "garbage", length) == 0) {
        send_bytes(channel, 1024);
    } else if (strncmp(asked, "short", length) == 0) {
        send_bytes(channel, 20);
        _exit(0);
    } else if (strncmp(asked, "orphan", length) == 0) {
        leave_orphan();
    }
}
