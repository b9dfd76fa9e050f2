#include "harness/external/interpreter.h"
#include "base/heap.h"
#include "harness/external/process_tree.h"
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long an interpreter may take, and how long a process sleeps that is the one which runs in the
 * end, where the system does not say that it waits to print. */
#define MOST_SECONDS  5.0
#define STILL_SECONDS 0.25
enum { MOST_BYTES = 200 };

/* What an interpreter is asked, and what comes of it. */
struct asked {
    pid_t process;
    int output;          /* our end of what it prints */
    size_t filled;       /* how many bytes were in there before */
    char path[PATH_MAX]; /* of the file that it ran last; "" while that is not known */
    char text[MOST_BYTES + 1];
    bool fine; /* it ended with exit code 0 */
};

/* Fills a pipe, so that whoever prints waits. */
static size_t fill(int end)
{
    char zeros[PIPE_BUF] = {0};
    size_t filled = 0;
    ssize_t written;
    fcntl(end, F_SETPIPE_SZ, PIPE_BUF);
    fcntl(end, F_SETFL, O_NONBLOCK);
    while ((written = write(end, zeros, sizeof zeros)) > 0)
        filled += (size_t)written;
    fcntl(end, F_SETFL, 0);
    return filled;
}

/* Starts a command in a process group of its own. False if it cannot be started. */
static bool start(struct asked *asked, char *const *words, char *const *environment,
                  const char *folder)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    asked->output = ends[0];
    asked->filled = fill(ends[1]);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const bool fine =
        posix_spawnp(&asked->process, words[0], &actions, &attributes, words, environment) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!fine)
        close(ends[0]);
    return fine;
}

/* What a process is seen to do. */
enum sight { RUNS, SLEEPS, PRINTS };

/* Notes which file the process runs, or the one that it waits for: a shim may start another one. */
static enum sight look(struct asked *asked)
{
    enum { DEEPEST = 20 };
    char name[64];
    char text[512];
    pid_t process = asked->process;
    for (int i = 0; i < DEEPEST; i++) {
        snprintf(name, sizeof name, "task/%ld/children", (long)process);
        process_read(process, name, text, sizeof text);
        const long child = strtol(text, NULL, 10);
        if (child <= 0)
            break;
        process = (pid_t)child;
    }
    snprintf(name, sizeof name, "/proc/%ld/exe", (long)process);
    const ssize_t length = readlink(name, text, sizeof text - 1);
    if (length > 0)
        snprintf(asked->path, sizeof asked->path, "%.*s", (int)length, text);
    process_read(process, "wchan", text, sizeof text);
    if (strstr(text, "pipe_write") != NULL)
        return PRINTS;
    return process_state(process) == 'S' ? SLEEPS : RUNS;
}

/* Waits until the process that runs in the end waits to print, or for too long. */
static void await_print(struct asked *asked, double until)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    double since = clock_wall();
    while (clock_wall() < until && clock_wall() < since + STILL_SECONDS) {
        char before[PATH_MAX];
        siginfo_t ended = {0};
        memcpy(before, asked->path, sizeof before);
        const enum sight seen = look(asked);
        if (seen == PRINTS ||
            waitid(P_PID, (id_t)asked->process, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            ended.si_pid != 0)
            return;
        if (seen == RUNS || strcmp(before, asked->path) != 0)
            since = clock_wall();
        nanosleep(&moment, NULL);
    }
}

/* Reads what it prints, until its end or for too long. */
static void read_print(struct asked *asked, double until)
{
    size_t kept = 0;
    char part[PIPE_BUF];
    struct pollfd output = {.fd = asked->output, .events = POLLIN};
    ssize_t length = 1;
    while (length > 0 && clock_wall() < until) {
        if (poll(&output, 1, 100) <= 0)
            continue;
        length = read(asked->output, part, sizeof part);
        for (ssize_t i = 0; i < length; i++) {
            if (asked->filled > 0)
                asked->filled--;
            else if (kept < MOST_BYTES)
                asked->text[kept++] = part[i];
        }
    }
}

/* Ends the process with its group. */
static void end(struct asked *asked, double until)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(asked->process, &status, WNOHANG)) == 0 && clock_wall() < until)
        nanosleep(&moment, NULL);
    kill(-asked->process, SIGKILL);
    if (ended == 0)
        waitpid(asked->process, &status, 0);
    asked->fine = ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    close(asked->output);
}

struct interpreter interpreter_ask(char *const *words, char *const *environment, const char *folder)
{
    struct asked asked = {.output = -1};
    struct interpreter found = {0};
    const double until = clock_wall() + MOST_SECONDS;
    found.started = start(&asked, words, environment, folder);
    if (found.started) {
        await_print(&asked, until);
        read_print(&asked, until);
        end(&asked, until);
    }
    const char *line = asked.text + strspn(asked.text, " \t\r\n");
    asked.text[(size_t)(line - asked.text) + strcspn(line, "\r\n")] = '\0';
    found.fine = asked.fine;
    found.path = heap_text(asked.path);
    found.line = text_printable(line);
    return found;
}

void interpreter_end(struct interpreter *interpreter)
{
    FREE(interpreter->path, interpreter->line);
}

char *interpreter_of(const struct external *external)
{
    char line[256] = "";
    if (strchr(external->words[0], '/') == NULL)
        return heap_text(external->words[0]);
    if (external->submission != NULL) /* what its file names is not to be trusted */
        return NULL;
    const char *why;
    SCOPED char *path = external_program(external);
    SCOPED_BY(stream_end) FILE *file = path == NULL ? NULL : file_open(path, &why);
    if (file != NULL && fgets(line, sizeof line, file) == NULL)
        line[0] = '\0';
    if (strncmp(line, "#!", 2) != 0)
        return NULL;
    char *rest = NULL;
    char *word = strtok_r(line + 2, " \t\r\n", &rest);
    const char *slash = word == NULL ? NULL : strrchr(word, '/');
    if (slash != NULL && strcmp(slash, "/env") == 0)
        do
            word = strtok_r(NULL, " \t\r\n", &rest);
        while (word != NULL && (word[0] == '-' || strchr(word, '=') != NULL));
    return word == NULL ? NULL : heap_text(word);
}
