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

/* Starts the program between files and waits; as filter_run. */
static int run_between(char *const *words, const char *folder, const int files[3])
{
    posix_spawn_file_actions_t actions;
    pid_t process;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3 && files[i] >= 0; i++)
        posix_spawn_file_actions_adddup2(&actions, files[i], i);
    if (folder != NULL)
        posix_spawn_file_actions_addchdir_np(&actions, folder);
    const int failed = posix_spawnp(&process, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = failed;
    if (failed != 0)
        return -1;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

int filter_run_in(char *const *words, const char *folder, const char *text, size_t length,
                  char **output, size_t *written, char **errors)
{
    const int count = errors == NULL ? 2 : 3;
    int files[] = {-1, -1, -1};
    int status = -1;
    size_t bytes;
    int made = 0;
    while (made < count &&
           (files[made] = memory_file(made == 0 ? text : "", made == 0 ? length : 0)) >= 0)
        made++;
    if (made == count)
        status = run_between(words, folder, files);
    const int why = errno;
    if (output != NULL)
        *output = status < 0 ? NULL : read_back(files[1], written);
    if (errors != NULL)
        *errors = status < 0 ? NULL : read_back(files[2], &bytes);
    while (made-- > 0)
        close(files[made]);
    errno = why;
    return status;
}

int filter_run(char *const *words, const char *text, size_t length, char **output, size_t *written)
{
    const int status = filter_run_in(words, NULL, text, length, output, written, NULL);
    if (output != NULL)
        *output = heap_keep(status == 0, *output);
    return status;
}
