#include "harness/external/isolation.h"
#include "base/heap.h"
#include "harness/external/submission.h"
#include "puzzle/text.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct words {
    char **items; /* owned, as its texts are; ended by NULL */
    size_t count;
};

static void add(struct words *words, const char *text)
{
    words->items = heap_resize(words->items, (words->count + 2) * sizeof *words->items);
    words->items[words->count++] = heap_text(text);
    words->items[words->count] = NULL;
}

static void add_all(struct words *words, const char *const *texts)
{
    for (; *texts != NULL; texts++)
        add(words, *texts);
}

/* Hides a folder that lies in one that is shown. */
static void hide(struct words *words, const char *folder)
{
    if (strncmp(folder, "/usr/", 5) != 0 || access(folder, F_OK) != 0)
        return;
    add(words, "--tmpfs");
    add(words, folder);
}

/* The sets and references that ship with tilelab have the optimal lengths. */
static void hide_data(struct words *words)
{
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    hide(words, "/usr/share/tilelab");
    hide(words, "/usr/local/share/tilelab");
    if (getenv("TILELAB_DATA") != NULL)
        hide(words, getenv("TILELAB_DATA"));
    if (length <= 0)
        return;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    *slash = '\0';
    slash = strrchr(program, '/');
    if (slash == NULL)
        return;
    *slash = '\0';
    char *share = heap_format("%s/share/tilelab", program);
    if (strcmp(program, "/usr") != 0 && strcmp(program, "/usr/local") != 0)
        hide(words, share);
    free(share);
}

static void add_private(struct words *words, const char *folder, uint64_t bytes)
{
    const uint64_t many = UINT64_C(1) << 50; /* no limit: rerun of a row that had none */
    if (bytes > 0 && bytes < many) {
        char *size = heap_format("%llu", (unsigned long long)bytes);
        add(words, "--size");
        add(words, size);
        free(size);
    }
    add(words, "--tmpfs");
    add(words, folder);
}

static struct words begin(uint64_t bytes)
{
    static const char *const apart[] = {"bwrap", "--unshare-all", "--die-with-parent",
                                        "--new-session", NULL};
    static const char *const shown[] = {"/usr",   "/bin",    "/sbin", "/lib", "/lib32",
                                        "/lib64", "/libx32", "/etc",  NULL};
    struct words words = {0};
    add_all(&words, apart);
    for (size_t i = 0; shown[i] != NULL; i++) {
        add(&words, "--ro-bind-try");
        add(&words, shown[i]);
        add(&words, shown[i]);
    }
    hide_data(&words);
    add_all(&words, (const char *const[]){"--proc", "/proc", "--dev", "/dev", NULL});
    add_private(&words, "/tmp", bytes);
    add_private(&words, "/dev/shm", bytes);
    return words;
}

/* Adds a name of a submission's copy: a link stays one, as what it leads to is not the
 * submission's. */
static void add_entry(struct words *words, const char *copy, const char *name)
{
    char target[PATH_MAX];
    char *from = heap_format("%s/%s", copy, name);
    char *to = heap_format(SUBMISSION_PLACE "/%s", name);
    const ssize_t length = readlink(from, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = '\0';
    add(words, length < 0 ? "--ro-bind" : "--symlink");
    add(words, length < 0 ? from : target);
    add(words, to);
    free(from);
    free(to);
}

/* Shows a submission its copy: while it is built it may write there, later it finds its files in a
 * folder of its own that is gone at its end. */
static void add_copy(struct words *words, const struct external *external, uint64_t bytes)
{
    enum { MOST_ENTRIES = 500 };
    size_t count = 0;
    struct dirent *entry;
    DIR *stream = external->building ? NULL : opendir(external->copy);
    while (stream != NULL && readdir(stream) != NULL)
        count++;
    const bool whole = stream == NULL || count > MOST_ENTRIES;
    if (whole) {
        add(words, external->building ? "--bind" : "--ro-bind");
        add(words, external->copy);
        add(words, SUBMISSION_PLACE);
    } else {
        add_private(words, SUBMISSION_PLACE, bytes);
        rewinddir(stream);
    }
    while (!whole && (entry = readdir(stream)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            add_entry(words, external->copy, entry->d_name);
    if (stream != NULL)
        closedir(stream);
}

char **isolation_words(const struct external *external, char *const *words, uint64_t bytes)
{
    struct words all = begin(bytes);
    const bool submission = external->submission != NULL;
    const char *folder = submission ? SUBMISSION_PLACE : external->folder;
    add(&all, "--dir");
    add(&all, folder);
    if (submission)
        add_copy(&all, external, bytes);
    for (size_t i = 0; i < external->file_count && !submission; i++) {
        add(&all, "--ro-bind");
        add(&all, external->files[i].path);
        add(&all, external->files[i].path);
    }
    add_all(&all, (const char *const[]){"--remount-ro", "/dev", "--remount-ro", "/", "--chdir",
                                        folder, "--", NULL});
    add_all(&all, (const char *const *)words);
    return all.items;
}

/* The last line that a program prints to its standard error while it does nothing, isolated. */
static char *try_it(char **words, int *status)
{
    enum { SHOWN = 300 };
    char text[SHOWN + 1] = "";
    int ends[2];
    *status = -1;
    if (pipe(ends) != 0)
        return heap_text(strerror(errno));
    const pid_t process = fork();
    if (process == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(words[0], words);
        _exit(127);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while (
        process > 0 && length < SHOWN &&
        ((got = read(ends[0], text + length, SHOWN - length)) > 0 || (got < 0 && errno == EINTR)))
        length += got > 0 ? (size_t)got : 0;
    close(ends[0]);
    while (process > 0 && waitpid(process, status, 0) < 0 && errno == EINTR)
        ;
    text[strcspn(text, "\n")] = '\0';
    return text_printable(text);
}

char *isolation_missing(void)
{
    int status;
    char *why = NULL;
    struct words words = begin(0);
    add_all(&words,
            (const char *const[]){"--remount-ro", "/dev", "--remount-ro", "/", "--", "true", NULL});
    char *said = try_it(words.items, &status);
    if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        why = heap_text("bwrap is not installed (Debian and Ubuntu: apt install bubblewrap)");
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        why = heap_format("bwrap cannot isolate here: %s", said);
    free(said);
    for (size_t i = 0; i < words.count; i++)
        free(words.items[i]);
    free(words.items);
    return why;
}
