#include "harness/execution/ask.h"
#include "base/heap.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void reply_end(struct reply *reply)
{
    FREE(reply->text, reply->errors, reply->problem);
}

/* Appends what a pipe has to a text; false once it is at its end. */
static bool read_on(int file, char **text)
{
    char part[4096];
    ssize_t length;
    do
        length = read(file, part, sizeof part);
    while (length < 0 && errno == EINTR);
    if (length > 0)
        heap_append(text, "%.*s", (int)length, part);
    return length > 0;
}

/* Reads two pipes until both are at their ends. */
static void read_both(const int files[2], char **texts[2])
{
    struct pollfd waiting[2] = {{.fd = files[0], .events = POLLIN},
                                {.fd = files[1], .events = POLLIN}};
    while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
        if (poll(waiting, 2, -1) < 0)
            continue;
        for (unsigned i = 0; i < 2; i++)
            if (waiting[i].revents != 0 && !read_on(files[i], texts[i]))
                waiting[i].fd = -1;
    }
}

struct reply ask(char *const *words, const char *folder)
{
    struct reply reply = {heap_text(""), heap_text(""), false, NULL};
    posix_spawn_file_actions_t actions;
    int output[2];
    int errors[2];
    pid_t process;
    int status;
    if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0) {
        reply.problem = heap_format("no pipe to %s: %s", words[0], strerror(errno));
        return reply;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
    if (folder != NULL)
        posix_spawn_file_actions_addchdir_np(&actions, folder);
    const int failed = posix_spawnp(&process, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    close(errors[1]);
    if (failed == 0) {
        read_both((const int[]){output[0], errors[0]}, (char **[]){&reply.text, &reply.errors});
        while (waitpid(process, &status, 0) < 0 && errno == EINTR)
            ;
        reply.fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        for (size_t end = strlen(reply.errors); end > 0 && reply.errors[end - 1] == '\n'; end--)
            reply.errors[end - 1] = '\0';
    } else if (failed == ENOENT) {
        reply.problem = heap_format("%s is not on the PATH", words[0]);
    } else {
        reply.problem = heap_format("%s cannot be started: %s", words[0], strerror(failed));
    }
    close(output[0]);
    close(errors[0]);
    return reply;
}
