#include "harness/external/process_tree.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/text/sorting.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long a sum of memory may wait for other processes. */
#define PATIENCE_SECONDS 0.02

/* A process of the machine. */
struct process {
    pid_t id, parent;
    char state;
    unsigned long long start; /* in ticks since the start of the system */
    enum { UNKNOWN, INSIDE, OUTSIDE } place;
};

void process_tree_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

bool process_read(pid_t id, const char *name, char *text, size_t room)
{
    char path[128];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)id, name);
    return file_peek(path, text, room);
}

/* The part of /proc/PID/stat after the name, in which any character may stand: from the state on.
 * NULL: the process is gone. */
static const char *read_stat(pid_t id, char *text, size_t room)
{
    const char *end = process_read(id, "stat", text, room) ? strrchr(text, ')') : NULL;
    return end == NULL || end[1] == '\0' ? NULL : end + 2;
}

char process_state(pid_t process)
{
    char text[512];
    const char *stat = read_stat(process, text, sizeof text);
    return stat == NULL ? '\0' : stat[0];
}

static bool is_spared(const struct process_tree *tree, const struct process *process)
{
    for (size_t i = 0; i < tree->spared_count; i++) {
        const uint64_t start = tree->spared_starts == NULL ? 0 : tree->spared_starts[i];
        if (tree->spared[i] == process->id && (start == 0 || start == process->start))
            return true;
    }
    return false;
}

/* The numbers of all processes of the machine, ascending as /proc has them; heap memory. */
static pid_t *list_ids(size_t *count)
{
    pid_t *ids = NULL;
    const struct dirent *entry;
    size_t capacity = 0;
    SCOPED_BY(listing_end) DIR *folder = opendir("/proc");
    *count = 0;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        const pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
        ids = heap_reserve(ids, &capacity, *count + 1, sizeof *ids);
        if (id > 0)
            ids[(*count)++] = id;
    }
    return ids;
}

unsigned long process_tasks_of_user(void)
{
    char text[2048];
    size_t left;
    unsigned long tasks = 0;
    SCOPED pid_t *ids = list_ids(&left);
    while (left-- > 0) {
        unsigned user;
        unsigned long threads;
        if (!process_read(ids[left], "status", text, sizeof text))
            continue;
        const char *whose = strstr(text, "\nUid:");
        const char *many = strstr(text, "\nThreads:");
        if (whose != NULL && many != NULL && sscanf(whose, "\nUid: %u", &user) == 1 &&
            sscanf(many, "\nThreads: %lu", &threads) == 1 && user == getuid())
            tasks += threads;
    }
    return tasks;
}

/* All processes of the machine, in heap memory. With `stop`, children of this process are stopped
 * as soon as they are seen, the newest ones first: one that would start another and end has no time
 * to. */
static struct process *list_processes(const struct process_tree *tree, bool stop, size_t *count)
{
    char text[1024];
    size_t left;
    const pid_t self = getpid();
    SCOPED pid_t *ids = list_ids(&left);
    struct process *list = heap_take(left + 1, sizeof *list);
    *count = 0;
    while (left-- > 0) {
        long parent;
        struct process process = {.id = ids[left]};
        const char *stat = read_stat(process.id, text, sizeof text);
        if (stat == NULL ||
            sscanf(stat,
                   "%c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
                   "%llu",
                   &process.state, &parent, &process.start) != 3)
            continue;
        process.parent = (pid_t)parent;
        if (stop && process.parent == self && !is_spared(tree, &process))
            kill(process.id, SIGSTOP);
        list[(*count)++] = process;
    }
    return list;
}

ORDER_BY(by_id, struct process, BY(id));

/* Says of each process whether it is inside the tree: its parent is, or it is a child of this
 * process that is not spared. Numbers mostly grow from parent to child, so few rounds do. */
static void find_places(const struct process_tree *tree, struct process *list, size_t count)
{
    const pid_t self = getpid();
    bool changed = true;
    if (count > 0)
        qsort(list, count, sizeof *list, by_id);
    for (size_t i = 0; i < count; i++)
        if (list[i].id == self || is_spared(tree, &list[i]))
            list[i].place = OUTSIDE;
        else if (list[i].parent == self)
            list[i].place = INSIDE;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            const struct process wanted = {.id = list[i].parent};
            if (list[i].place != UNKNOWN)
                continue;
            const struct process *parent = bsearch(&wanted, list, count, sizeof *list, by_id);
            list[i].place = parent == NULL ? OUTSIDE : parent->place;
            changed = changed || list[i].place != UNKNOWN;
        }
    }
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Takes in a process that was waited for. */
static void note_end(struct process_tree *tree, pid_t id, int status, const struct rusage *usage)
{
    enum { KIBIBYTE = 1024 };
    tree->ended_seconds += seconds_of(usage->ru_utime) + seconds_of(usage->ru_stime);
    if (id != tree->root)
        return;
    tree->root_ended = true;
    tree->root_status = status;
    tree->root_peak_bytes = (uint64_t)usage->ru_maxrss * KIBIBYTE;
}

/* Waits for a child (-1: any) that has ended. Returns its number, 0 if none has, -1 if there is no
 * such child. */
static pid_t wait_for(struct process_tree *tree, pid_t id)
{
    int status;
    struct rusage usage;
    pid_t ended;
    do
        ended = wait4(id, &status, WNOHANG, &usage);
    while (ended < 0 && errno == EINTR);
    if (ended > 0)
        note_end(tree, ended, status, &usage);
    return ended;
}

bool process_tree_root_ended(struct process_tree *tree)
{
    if (!tree->root_ended)
        wait_for(tree, tree->root);
    return tree->root_ended;
}

static void forget_members(struct process_tree *tree)
{
    FREE(tree->members, tree->starts);
    tree->members = NULL;
    tree->starts = NULL;
    tree->count = 0;
}

enum looking { ONLY_LOOK, REAP, STOP };

/* Looks for the members. Returns how many are in the tree, those that have ended included. */
static size_t look(struct process_tree *tree, enum looking how)
{
    size_t count;
    size_t inside = 0;
    const pid_t self = getpid();
    SCOPED struct process *list = list_processes(tree, how == STOP, &count);
    if (count == 0) { /* nothing is known without /proc but the root */
        return tree->root > 0 && !process_tree_root_ended(tree);
    }
    find_places(tree, list, count);
    forget_members(tree);
    tree->members = heap_take(count + 1, sizeof *tree->members);
    tree->starts = heap_take(count + 1, sizeof *tree->starts);
    for (size_t i = 0; i < count; i++) {
        if (list[i].place != INSIDE)
            continue;
        inside++;
        const bool ended = list[i].state == 'Z' || list[i].state == 'X';
        if (!ended) {
            tree->starts[tree->count] = list[i].start;
            tree->members[tree->count++] = list[i].id;
        } else if (how != ONLY_LOOK && list[i].parent == self) {
            wait_for(tree, list[i].id);
        }
    }
    return inside;
}

void process_tree_look(struct process_tree *tree)
{
    look(tree, ONLY_LOOK);
}

void process_tree_reap(struct process_tree *tree)
{
    look(tree, REAP);
}

/* The members, or the root before the first look. */
static size_t members(const struct process_tree *tree, const pid_t **ids)
{
    *ids = tree->members != NULL ? tree->members : &tree->root;
    return tree->members != NULL ? tree->count : tree->root > 0 && !tree->root_ended;
}

static uint64_t resident_bytes(pid_t id)
{
    char text[256];
    unsigned long pages;
    if (!process_read(id, "statm", text, sizeof text) || sscanf(text, "%*u %lu", &pages) != 1)
        return 0;
    return pages * (uint64_t)sysconf(_SC_PAGE_SIZE);
}

/* Resident memory of which shared pages count in parts; where that cannot be read, in full. */
static uint64_t proportional_bytes(pid_t id)
{
    char text[4096];
    unsigned long kibibytes;
    const char *line =
        process_read(id, "smaps_rollup", text, sizeof text) ? strstr(text, "\nPss:") : NULL;
    if (line == NULL || sscanf(line, "\nPss: %lu", &kibibytes) != 1)
        return resident_bytes(id);
    return kibibytes * UINT64_C(1024);
}

uint64_t process_tree_bytes(const struct process_tree *tree, uint64_t known)
{
    const pid_t *ids;
    uint64_t bytes = 0;
    const size_t count = members(tree, &ids);
    for (size_t i = 0; i < count; i++)
        bytes += resident_bytes(ids[i]);
    if (count < 2 || bytes <= known)
        return bytes;
    /* To ask a process that is starting another is to wait until that is done; meanwhile those that
     * it started may start more. */
    const double idle = clock_wall() - clock_thread();
    bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (clock_wall() - clock_thread() > idle + PATIENCE_SECONDS)
            return 0;
        bytes += proportional_bytes(ids[i]);
    }
    return bytes;
}

double process_tree_seconds(const struct process_tree *tree)
{
    const pid_t *ids;
    const size_t count = members(tree, &ids);
    const double ticks = (double)sysconf(_SC_CLK_TCK);
    double seconds = tree->ended_seconds;
    for (size_t i = 0; i < count; i++) {
        char text[1024];
        unsigned long user, system;
        clockid_t clock;
        const char *stat = read_stat(ids[i], text, sizeof text);
        /* Its own time to the nanosecond; that of children it waited for in ticks. */
        if (clock_getcpuclockid(ids[i], &clock) == 0)
            seconds += clock_seconds(clock);
        if (stat != NULL &&
            sscanf(stat, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu", &user,
                   &system) == 2)
            seconds += (double)(user + system) / ticks;
    }
    return seconds;
}

/* Waits for all that have ended. Returns whether no process can be left. */
static bool none_left(struct process_tree *tree)
{
    pid_t ended;
    if (tree->spared_count > 0)
        return false; /* one that is spared must not be waited for here */
    do
        ended = wait_for(tree, -1);
    while (ended > 0);
    return ended < 0;
}

static void signal_all(const struct process_tree *tree, int signal)
{
    const pid_t *ids;
    const size_t count = members(tree, &ids);
    for (size_t i = 0; i < count; i++)
        kill(ids[i], signal);
}

void process_forget_peak(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/clear_refs", (long)process);
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (write(file, "5", 1) != 1)
        errno = 0; /* then the peak is an earlier one */
    close(file);
}

static bool goes_first;
static int policy; /* before it went first */
static struct sched_param parameter;

bool process_goes_first(bool first)
{
    const struct sched_param least = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
    const bool before = goes_first;
    if (first && !before) {
        policy = sched_getscheduler(0);
        goes_first =
            sched_getparam(0, &parameter) == 0 && sched_setscheduler(0, SCHED_FIFO, &least) == 0;
    } else if (!first && before) {
        goes_first = sched_setscheduler(0, policy, &parameter) != 0;
    }
    return before;
}

void process_goes_as_any(void)
{
    if (goes_first)
        sched_setscheduler(0, policy, &parameter);
}

bool process_tree_kill(struct process_tree *tree)
{
    const struct timespec moment = {.tv_nsec = 200000};
    const double until = clock_wall() + KILL_SECONDS;
    bool left = true;
    /* All that stayed in the root's process group, in one call. Its number is its own as long as
     * it was not waited for. */
    if (tree->root > 0 && !tree->root_ended)
        kill(-tree->root, SIGKILL);
    const bool before = process_goes_first(true);
    while (left && clock_wall() < until) {
        /* What the first look stops cannot start more while the second one looks for the rest. One
         * that has ended may have started another after the look had passed: only if there is not
         * even such a one, none is left. */
        left = !none_left(tree) && look(tree, STOP) > 0;
        if (!left)
            break;
        signal_all(tree, SIGSTOP);
        look(tree, STOP);
        signal_all(tree, SIGKILL);
        nanosleep(&moment, NULL);
    }
    process_goes_first(before);
    forget_members(tree);
    return !left;
}

void process_tree_end(struct process_tree *tree)
{
    forget_members(tree);
    *tree = (struct process_tree){0};
}
