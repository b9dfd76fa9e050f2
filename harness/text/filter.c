#include "harness/text/filter.h"
#include "base/file.h"
#include "base/heap.h"
#include <errno.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A file in memory that holds the text, to be read from its beginning; below 0, with errno. */
static int memory_file(const char *text, size_t length)
{
    const int file = memfd_create("filter", MFD_CLOEXEC);
    if (file >= 0 && file_write_all(file, text, length) && lseek(file, 0, SEEK_SET) == 0)
        return file;
    const int why = errno;
    if (file >= 0)
        close(file);
    errno = why;
    return -1;
}

/* All that was written to a file in memory; heap memory. */
static char *read_back(int file, size_t *written)
{
    const off_t end = lseek(file, 0, SEEK_END);
    const size_t length = end < 0 ? 0 : (size_t)end;
    char *text = heap_take(length + 1, 1);
    ssize_t got = 1;
    for (*written = 0; *written < length && got > 0; *written += got > 0 ? (size_t)got : 0)
        got = pread(file, text + *written, length - *written, (off_t)*written);
    return text;
}

/* Starts the program between two files and waits; as filter_run. */
static int run_between(char *const *words, int input, int output)
{
    posix_spawn_file_actions_t actions;
    pid_t process;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    const int failed = posix_spawnp(&process, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = failed;
    if (failed != 0)
        return -1;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

int filter_run(char *const *words, const char *text, size_t length, char **output, size_t *written)
{
    const int input = memory_file(text, length);
    const int target = input < 0 ? -1 : memory_file("", 0);
    int status = -1;
    if (target >= 0)
        status = run_between(words, input, target);
    const int why = errno;
    if (output != NULL)
        *output = status == 0 ? read_back(target, written) : NULL;
    if (input >= 0)
        close(input);
    if (target >= 0)
        close(target);
    errno = why;
    return status;
}
