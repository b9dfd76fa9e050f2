#include "harness/external/isolation.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/external/interpreter.h"
#include "harness/external/submission.h"
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const isolation_variables[] = {"PYTHONPATH", "NODE_PATH", "CLASSPATH", "PERL5LIB",
                                           "RUBYLIB",    "LUA_PATH",  "JAVA_HOME", NULL};

/* Hides a folder that lies in one that is shown. */
static void hide(char ***words, const char *folder)
{
    if (strncmp(folder, "/usr/", 5) == 0 && access(folder, F_OK) == 0)
        ADD_WORDS(words, "--tmpfs", folder);
}

/* The sets and references that ship with tilelab have the optimal lengths. */
static void hide_data(char ***words)
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
    SCOPED char *share = heap_format("%s/share/tilelab", program);
    if (strcmp(program, "/usr") != 0 && strcmp(program, "/usr/local") != 0)
        hide(words, share);
}

static void add_private(char ***words, const char *folder, uint64_t bytes)
{
    const uint64_t many = UINT64_C(1) << 50; /* no limit: rerun of a row that had none */
    if (bytes > 0 && bytes < many) {
        SCOPED char *size = heap_format("%llu", (unsigned long long)bytes);
        ADD_WORDS(words, "--size", size);
    }
    ADD_WORDS(words, "--tmpfs", folder);
}

/* What every program sees. */
static const char *const system_folders[] = {"/usr",   "/bin",    "/sbin", "/lib", "/lib32",
                                             "/lib64", "/libx32", "/etc",  NULL};

static char **begin(uint64_t bytes)
{
    char **words = NULL;
    ADD_WORDS(&words, "bwrap", "--unshare-all", "--die-with-parent", "--new-session");
    for (size_t i = 0; system_folders[i] != NULL; i++)
        ADD_WORDS(&words, "--ro-bind-try", system_folders[i], system_folders[i]);
    hide_data(&words);
    ADD_WORDS(&words, "--proc", "/proc", "--dev", "/dev");
    add_private(&words, "/tmp", bytes);
    add_private(&words, "/dev/shm", bytes);
    return words;
}

/* Such a folder, or what is in it. */
static bool is_of_system(const char *path)
{
    for (size_t i = 0; system_folders[i] != NULL; i++) {
        const size_t length = strlen(system_folders[i]);
        if (strncmp(path, system_folders[i], length) == 0 &&
            (path[length] == '/' || path[length] == '\0'))
            return true;
    }
    return false;
}

/* Whether a folder holds results of tilelab: rows, or what a shard of them has. */
static bool has_results(const char *folder)
{
    static const char *const names[] = {"runs.csv", "manifest.json"};
    bool has = false;
    for (size_t i = 0; i < 2; i++) {
        SCOPED char *path = heap_format("%s/%s", folder, names[i]);
        has = has || access(path, F_OK) == 0;
    }
    return has;
}

/* nftw has no context. */
static char ***hidden;
static size_t looked;

/* Hides results in a folder that is shown. */
static int hide_results(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    enum { DEEPEST = 4, MOST = 20000 };
    (void)status;
    if (++looked > MOST)
        return 1;
    if (kind != FTW_D)
        return FTW_CONTINUE;
    if (has_results(path)) {
        ADD_WORDS(hidden, "--tmpfs", path, "--remount-ro", path);
        return FTW_SKIP_SUBTREE;
    }
    return at->level >= DEEPEST ? FTW_SKIP_SUBTREE : FTW_CONTINUE;
}

/* Shows what isolation_show found, but no results in it. */
static void add_shown(char ***words, char *const *shown)
{
    enum { FILES = 16 };
    for (size_t i = 0; shown != NULL && shown[i] != NULL; i++)
        ADD_WORDS(words, "--ro-bind", shown[i], shown[i]);
    for (size_t i = 0; shown != NULL && shown[i] != NULL; i++) {
        hidden = words;
        looked = 0;
        nftw(shown[i], hide_results, FILES, FTW_ACTIONRETVAL | FTW_PHYS);
    }
}

/* Adds a name of a submission's copy: a link stays one, as what it leads to is not the
 * submission's. */
static void add_entry(char ***words, const char *copy, const char *name)
{
    char target[PATH_MAX];
    SCOPED char *from = heap_format("%s/%s", copy, name);
    SCOPED char *to = heap_format(SUBMISSION_PLACE "/%s", name);
    const ssize_t length = readlink(from, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = '\0';
    ADD_WORDS(words, length < 0 ? "--ro-bind" : "--symlink", length < 0 ? from : target, to);
}

/* Shows a submission its copy: while it is built it may write there, later it finds its files in a
 * folder of its own that is gone at its end. */
static void add_copy(char ***words, const struct external *external, uint64_t bytes)
{
    enum { MOST_ENTRIES = 500 };
    size_t count = 0;
    struct dirent *entry;
    SCOPED_BY(listing_end) DIR *stream = external->building ? NULL : opendir(external->copy);
    while (stream != NULL && readdir(stream) != NULL)
        count++;
    const bool whole = stream == NULL || count > MOST_ENTRIES;
    if (whole) {
        ADD_WORDS(words, external->building ? "--bind" : "--ro-bind", external->copy,
                  SUBMISSION_PLACE);
    } else {
        add_private(words, SUBMISSION_PLACE, bytes);
        rewinddir(stream);
    }
    while (!whole && (entry = readdir(stream)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            add_entry(words, external->copy, entry->d_name);
}

char **isolation_words(const struct external *external, char *const *words, uint64_t bytes)
{
    char **all = begin(bytes);
    const bool submission = external->submission != NULL;
    const char *folder = submission ? SUBMISSION_PLACE : external->folder;
    ADD_WORDS(&all, "--dir", folder);
    if (submission)
        add_copy(&all, external, bytes);
    add_shown(&all, external->shown);
    for (size_t i = 0; i < external->file_count && !submission; i++) {
        const char *path = external->files[i].path;
        if (!is_of_system(path)) /* else it is there, or a link that leads to it */
            ADD_WORDS(&all, "--ro-bind", path, path);
    }
    ADD_WORDS(&all, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", folder, "--");
    heap_add_words(&all, (const char *const *)words);
    return all;
}

/* Adds a folder, or that of a file, to those that are shown; not the system's, which are, nor what
 * has all or is the program's own. */
static void show(struct external *external, const char *path, bool folder_of)
{
    static const char *const others[] = {"/",    "/tmp", "/dev",  "/dev/shm", "/proc",
                                         "/sys", "/run", "/home", "/etc",     "/var"};
    const char *home = getenv("HOME");
    SCOPED char *real = realpath(path, NULL);
    struct stat status;
    bool wanted = real != NULL && stat(real, &status) == 0;
    if (wanted && folder_of && !S_ISDIR(status.st_mode))
        real[strrchr(real, '/') == real ? 1 : strrchr(real, '/') - real] = '\0';
    for (size_t i = 0; wanted && i < sizeof others / sizeof *others; i++)
        wanted = strcmp(real, others[i]) != 0;
    if (wanted && !(folder_of && home != NULL && strcmp(real, home) == 0) && !is_of_system(real) &&
        strncmp(real, "/proc/", 6) != 0 && !has_results(real)) {
        ADD_WORDS(&external->shown, real);
        if (S_ISDIR(status.st_mode) && path[0] == '/' && strcmp(path, real) != 0)
            ADD_WORDS(&external->shown, path); /* as it is named, by a link */
    }
}

/* Shows each path of a text such as a:b or --name=a. */
static void show_paths(struct external *external, const char *text)
{
    SCOPED char *copy = heap_text(text);
    char *rest = NULL;
    for (char *part = strtok_r(copy, ":=", &rest); part != NULL; part = strtok_r(NULL, ":=", &rest))
        if (part[0] == '/' || strchr(part, '/') != NULL)
            show(external, part, true);
}

/* Shows the folder of a program, or the one whose bin/ it is in, and has the PATH begin there. */
static void show_program(struct external *external, const char *path)
{
    SCOPED char *folder = heap_format("%.*s", (int)(strrchr(path, '/') - path), path);
    const size_t length = strlen(folder);
    const bool in_bin = length > 4 && strcmp(folder + length - 4, "/bin") == 0;
    SCOPED char *above = heap_format("%.*s", (int)length - 4 * in_bin, folder);
    const char *home = getenv("HOME");
    show(external, home != NULL && strcmp(home, above) == 0 ? folder : above, true);
    SCOPED char *before = external->path;
    external->path = heap_format("%s:%s", folder, before == NULL ? ISOLATED_PATH : before);
}

/* The file that the PATH finds; heap memory, NULL: none. */
static char *on_path(const char *word)
{
    const struct external named = {.words = (char *[]){(char *)(uintptr_t)word, NULL},
                                   .word_count = 1,
                                   .folder = (char[]){"/"}};
    return external_program(&named);
}

/* The interpreter where the PATH finds it and where it is: a link to it has folders of its own (a
 * virtual environment), a shim is not to be found again. Only what the PATH finds is asked. */
static void show_interpreter(struct external *external)
{
    char option[] = "--version";
    SCOPED char *word = interpreter_of(external);
    SCOPED char *found = word == NULL ? NULL : on_path(word);
    SCOPED char *real = found == NULL ? NULL : realpath(found, NULL);
    const size_t files = external->file_count;
    if (real != NULL &&
        (strchr(word, '/') != NULL || NAME_PLACE(external->files, files, path, found) < files)) {
        /* One of the program's own files must not be run but isolated. */
        show_program(external, found);
    } else if (real != NULL) {
        struct interpreter asked =
            interpreter_ask((char *const[]){found, option, NULL}, environ, external->folder);
        if (asked.path[0] == '/' && access(asked.path, X_OK) == 0)
            show_program(external, asked.path);
        if (strcmp(real, asked.path) == 0 || asked.path[0] == '\0')
            show_program(external, found);
        interpreter_end(&asked);
    }
}

void isolation_show(struct external *external)
{
    show(external, external->folder, false);
    for (size_t i = 0; i < external->word_count; i++)
        show_paths(external, external->words[i]);
    for (size_t i = 0; i < external->file_count; i++)
        show(external, external->files[i].path, true);
    for (size_t i = 0; isolation_variables[i] != NULL; i++)
        if (getenv(isolation_variables[i]) != NULL)
            show_paths(external, getenv(isolation_variables[i]));
    show_interpreter(external);
    if (external->shown == NULL)
        external->shown = heap_take(1, sizeof *external->shown);
}

char *isolation_missing(void)
{
    char *why = NULL;
    char **words = begin(0);
    ADD_WORDS(&words, "--remount-ro", "/dev", "--remount-ro", "/", "--", "true");
    struct interpreter tried = interpreter_ask(words, environ, "/");
    if (!tried.started)
        why = heap_text("bwrap is not installed (Debian and Ubuntu: apt install bubblewrap)");
    else if (!tried.fine)
        why = heap_format("bwrap cannot isolate here: %s",
                          tried.line[0] == '\0' ? "it did not end" : tried.line);
    interpreter_end(&tried);
    heap_free_words(words);
    return why;
}
