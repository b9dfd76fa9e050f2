#include "harness/experiment/plugins.h"
#include "algorithms/algorithm.h"
#include "base/clock.h"
#include "base/heap.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long an object may take to be loaded. */
#define LOAD_SECONDS 10.0

/* Whether a solver's short form has this word for something else: an algorithm or an option. */
static bool is_taken(const char *name)
{
    bool taken = false;
    for (unsigned i = 0; i < algorithm_count; i++) {
        taken = taken || strcmp(algorithms[i].name, name) == 0;
        for (const struct option_row *at = algorithms[i].options; at->kind != OPTION_END; at++)
            taken = taken || strcmp(at->name, name) == 0;
    }
    for (unsigned i = 0; i < heuristic_count; i++)
        for (const struct option_row *at = heuristic_kinds[i].options; at->kind != OPTION_END; at++)
            taken = taken || strcmp(at->name, name) == 0;
    return taken;
}

/* Takes a plugin, or NULL for none. */
static bool keep(struct plugins *plugins, struct plugin *plugin)
{
    if (plugin == NULL)
        return false;
    plugins->items = heap_grow(plugins->items, plugins->count, sizeof *plugins->items);
    plugins->items[plugins->count++] = plugin;
    return true;
}

/* From now on descriptor 1 is standard error, and what this program prints has another one: code of
 * an object may write to the descriptor as well as to the stream (plugin.c). */
static void keep_output_apart(void)
{
    static bool apart;
    const int own = apart ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *stream = own < 0 ? NULL : fdopen(own, "w");
    fflush(stdout);
    if (stream != NULL)
        stdout = stream;
    if (stream != NULL || fcntl(STDOUT_FILENO, F_GETFD) < 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    apart = true;
}

/* The life of the process that loads an object first, to say what is wrong with it. */
_Noreturn static void try_object(const char *file, const char *path, int channel, pid_t parent)
{
    char *problem = NULL;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    plugin_end(plugin_load(file, path, &problem));
    const char *said = problem == NULL ? "" : problem;
    const size_t bytes = strlen(said) + 1;
    _exit(write(channel, said, bytes) != (ssize_t)bytes);
}

/* Whether a child ends in time. It is not waited for yet. */
static bool ends_in_time(pid_t process)
{
    const double until = clock_wall() + LOAD_SECONDS;
    siginfo_t ended = {0};
    while (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0 && clock_wall() < until)
        poll(NULL, 0, 1);
    return ended.si_pid != 0;
}

/* How the process ended that should have loaded an object; heap memory. */
static char *failure(const char *file, bool late, int status)
{
    return late ? heap_format("%s cannot be loaded: it takes more than %g s; expected what takes "
                              "long in its function `prepare`",
                              file, LOAD_SECONDS)
           : WIFSIGNALED(status)
               ? heap_format("%s cannot be loaded: it ends the program by signal %d (%s); expected "
                             "a whole file, and constructors that return",
                             file, WTERMSIG(status), strsignal(WTERMSIG(status)))
               : heap_format("%s cannot be loaded: it ends the program with exit code %d; expected "
                             "constructors that return",
                             file, WEXITSTATUS(status));
}

/* What is wrong with an object, whatever its code does when it is loaded and taken away: a process
 * of its own tries it. Heap memory, or NULL. */
static char *find_problem(const char *file, const char *path)
{
    char said[4 * PATH_MAX];
    int ends[2] = {-1, -1};
    int status = 0;
    const pid_t parent = getpid();
    const pid_t process = pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? fork() : -1;
    if (process == 0)
        try_object(file, path, ends[1], parent);
    if (process < 0) {
        char *why = heap_format("%s cannot be loaded: %s", file, strerror(errno));
        close(ends[0]);
        close(ends[1]);
        return why;
    }
    const bool late = !ends_in_time(process);
    kill(-process, SIGKILL); /* together with what it started */
    kill(process, SIGKILL);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    const ssize_t bytes = read(ends[0], said, sizeof said);
    close(ends[0]);
    close(ends[1]);
    if (bytes <= 0 || said[bytes - 1] != '\0')
        return failure(file, late, status);
    return said[0] == '\0' ? NULL : heap_text(said);
}

/* Loads an object that a process of its own has tried; its constructors may change the folder that
 * this process is in. */
static struct plugin *load(const char *file, const char *path, char **problem)
{
    keep_output_apart();
    *problem = find_problem(file, path);
    if (*problem != NULL)
        return NULL;
    const int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct plugin *plugin = plugin_load(file, path, problem);
    if (here >= 0 && fchdir(here) == 0)
        close(here);
    keep_output_apart();
    return plugin;
}

bool plugins_add(struct plugins *plugins, const char *file, const char *path, char **problem)
{
    struct plugin *plugin = load(file, path, problem);
    if (plugin != NULL && is_taken(plugin->kind.name)) {
        *problem = heap_format("%s calls its heuristic %s, which is the name of an algorithm or "
                               "an option; expected another name",
                               file, plugin->kind.name);
        plugin_end(plugin);
        plugin = NULL;
    }
    return keep(plugins, plugin);
}

bool plugins_recall(struct plugins *plugins, const json_t *known, const char *file, char **problem)
{
    struct plugin *plugin = NULL;
    size_t i;
    const json_t *own;
    json_array_foreach(known, i, own)
    {
        const char *text[5];
        static const char *const keys[] = {"file", "heuristic", "path", "hash", "claims"};
        for (size_t j = 0; j < 5; j++) {
            text[j] = json_string_value(json_object_get(own, keys[j]));
            text[j] = text[j] == NULL ? "" : text[j];
        }
        const unsigned properties = strcmp(text[4], "consistent") == 0   ? ADMISSIBLE | CONSISTENT
                                    : strcmp(text[4], "admissible") == 0 ? ADMISSIBLE
                                                                         : 0;
        if (plugin == NULL && strcmp(text[0], file) == 0 && !is_taken(text[1]))
            plugin = plugin_recall(file, text[2], text[3], text[1], properties);
    }
    if (plugin == NULL)
        *problem = heap_format("manifest.json does not say which heuristic %s has; here no plugin "
                               "is loaded",
                               file);
    return keep(plugins, plugin);
}

void plugins_end(struct plugins *plugins)
{
    for (size_t i = 0; i < plugins->count; i++)
        plugin_end(plugins->items[i]);
    free(plugins->items);
    *plugins = (struct plugins){0};
}

json_t *plugins_json(const struct plugins *plugins)
{
    json_t *array = json_array();
    for (size_t i = 0; i < plugins->count; i++) {
        const struct plugin *plugin = plugins->items[i];
        const unsigned properties = plugin->kind.properties;
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s, s:s}", "heuristic",
                                               plugin->kind.name, "file", plugin->file, "path",
                                               plugin->path, "hash", plugin->hash, "claims",
                                               (properties & CONSISTENT) != 0   ? "consistent"
                                               : (properties & ADMISSIBLE) != 0 ? "admissible"
                                                                                : "nothing"));
    }
    return array;
}
