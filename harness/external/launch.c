#include "base/heap.h"
#include "harness/external/isolation.h"
#include "harness/external/running.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>

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

/* The life of the new process until it is the program. It has the memory of its parent, which
 * waits: it takes and changes none. */
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
    process_goes_as_any();
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

void program_close(int *end)
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
    process_forget_peak(parent); /* that of a new process begins with it */
    /* A copy of this process (fork) takes more than twice the time of all else in a short run. */
    if (fine)
        process = vfork();
    if (process == 0)
        become(program, words, environment, (const int[]){ends[0], ends[3], ends[5]},
               ends[CHANNEL + 1], parent);
    if (process < 0) {
        char *why = heap_format("no process can be started: %s", strerror(errno));
        for (int i = 0; i < 2 * PIPES; i++)
            program_close(&ends[i]);
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

/* The environment of a program, ended by NULL; heap_free_words. A persistent program has boards
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

char *program_launch(struct program *program, const struct question *question)
{
    const struct external *external = program->external;
    char **words = protocol_words(external, question);
    char **environment = environment_of(external, question);
    char **whole =
        external->isolated ? isolation_words(external, words, question->limits->bytes) : NULL;
    char *why = launch_as(program, whole != NULL ? whole : words, environment);
    if (whole != NULL)
        heap_free_words(whole);
    heap_free_words(environment);
    heap_free_words(words);
    return why;
}
