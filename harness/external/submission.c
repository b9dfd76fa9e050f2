#include "harness/external/submission.h"
#include "base/heap.h"
#include "harness/text/sorting.h"
#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

/* How folders are run and built, by the first file that they have. * stands for that file; * in a
 * build for all files that fit the last column. */
enum { KIND_WORDS = 7 };
static const struct kind {
    const char *file; /* a pattern */
    const char *command[KIND_WORDS];
    const char *build[KIND_WORDS];
    const char *sources;
} kinds[] = {
    {"run.sh", {"bash", "run.sh"}, {NULL}, NULL},
    {"main.py", {"python3", "main.py"}, {NULL}, NULL},
    {"Main.java", {"java", "-cp", ".", "Main"}, {"javac", "-encoding", "UTF-8", "*"}, "Main.java"},
    {"*.jar", {"java", "-jar", "*"}, {NULL}, NULL},
    {"main.js", {"node", "main.js"}, {NULL}, NULL},
    {"[Mm]akefile", {"./main"}, {"make", "-B"}, NULL},
    {"main.c", {"./main"}, {"cc", "-O2", "-o", "main", "*", "-lm"}, "*.c"},
    {"main.cpp", {"./main"}, {"c++", "-O2", "-o", "main", "*"}, "*.cpp"},
};
enum { KINDS = sizeof kinds / sizeof *kinds, KIND_MAKE = 5 };

/* What the file system says of a name in a folder; a link is none of its own. */
static mode_t mode_of(const char *folder, const char *name, bool follow)
{
    struct stat status;
    SCOPED char *path = heap_format("%s/%s", folder, name);
    const bool there = (follow ? stat : lstat)(path, &status) == 0;
    return there ? status.st_mode : 0;
}

/* The names in a folder, sorted, but for those that nobody handed in; NULL with errno. */
static char **names_in(const char *folder, size_t *count)
{
    char **names = heap_take(1, sizeof *names);
    SCOPED_BY(listing_end) DIR *stream = opendir(folder);
    *count = 0;
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "__MACOSX") != 0)
            *HEAP_ADD(names, *count) = heap_text(entry->d_name);
    if (stream == NULL) {
        free(names);
        return NULL;
    }
    qsort(names, *count, sizeof *names, order_texts);
    return names;
}

char *submission_list(const char *folder, struct submission_list *list)
{
    enum { MOST_SHOWN = 5 };
    size_t count;
    size_t others = 0;
    *list = (struct submission_list){0};
    char **names = names_in(folder, &count);
    if (names == NULL)
        return heap_format("the folder '%s' cannot be read: %s", folder, strerror(errno));
    for (size_t i = 0; i < count; i++) {
        const mode_t mode = mode_of(folder, names[i], false);
        if (S_ISDIR(mode) || S_ISLNK(mode))
            *HEAP_ADD(list->names, list->count) = heap_text(names[i]);
        else if (others++ < MOST_SHOWN)
            heap_append(&list->others, "%s%s", others == 1 ? "" : ", ", names[i]);
    }
    if (others > MOST_SHOWN)
        heap_append(&list->others, " and %zu more", others - MOST_SHOWN);
    heap_free_texts(names, count);
    return NULL;
}

void submission_list_end(struct submission_list *list)
{
    heap_free_texts(list->names, list->count);
    free(list->others);
    *list = (struct submission_list){0};
}

/* Cuts a text after so many characters, and spaces from its end. */
static void cut(char *text, size_t most)
{
    char *at = text;
    for (size_t characters = 0; *at != '\0'; at++)
        if ((*at & 0xC0) != 0x80 && characters++ == most)
            break;
    while (at > text && at[-1] == ' ')
        at--;
    *at = '\0';
}

char *submission_label(const char *name, unsigned number)
{
    SCOPED char *text = text_printable(name);
    char *end = text;
    for (const char *at = text; *at != '\0'; at++)
        if (*at != ' ' || (end > text && end[-1] != ' '))
            *end++ = *at;
    *end = '\0';
    SCOPED char *ending = number < 2 ? heap_text("") : heap_format(" (%u)", number);
    cut(text, MAX_LABEL - strlen(ending));
    return heap_format("%s%s", text[0] == '\0' ? "unnamed" : text, ending);
}

/* ---- What a folder has ---- */

/* The first name of a folder that is a regular file, printable, and fits a pattern; NULL. */
static const char *fitting(const char *folder, char *const *names, size_t count,
                           const char *pattern)
{
    for (size_t i = 0; i < count; i++)
        if (fnmatch(pattern, names[i], 0) == 0 && text_is_printable(names[i]) &&
            S_ISREG(mode_of(folder, names[i], true)))
            return names[i];
    return NULL;
}

static const struct kind *kind_of(const char *folder, char *const *names, size_t count)
{
    for (size_t i = 0; i < KINDS; i++)
        if (fitting(folder, names, count, kinds[i].file) != NULL)
            return &kinds[i];
    return NULL;
}

/* The only folder among some names; NULL: there is none, or are several. */
static const char *only_folder(const char *folder, char *const *names, size_t count)
{
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!S_ISDIR(mode_of(folder, names[i], false)))
            continue;
        if (found != NULL)
            return NULL;
        found = names[i];
    }
    return found;
}

static void set_command(struct external *external, const struct kind *kind, char *const *names,
                        size_t count)
{
    if (external->word_count > 0)
        return;
    if (kind == NULL)
        ADD_WORDS(&external->words, "none");
    for (size_t i = 0; kind != NULL && i < KIND_WORDS && kind->command[i] != NULL; i++)
        ADD_WORDS(&external->words, strcmp(kind->command[i], "*") != 0
                                        ? kind->command[i]
                                        : fitting(external->folder, names, count, kind->file));
    while (external->words[external->word_count] != NULL)
        external->word_count++;
}

/* Sets how a folder is built: as its kind is, by a Makefile beside run.sh too. */
static void set_build(struct external *external, const struct kind *kind, char *const *names,
                      size_t count)
{
    if (kind == &kinds[0] && fitting(external->folder, names, count, kinds[KIND_MAKE].file) != NULL)
        kind = &kinds[KIND_MAKE];
    for (size_t i = 0; i < KIND_WORDS && kind->build[i] != NULL; i++) {
        const bool all = strcmp(kind->build[i], "*") == 0;
        if (!all)
            ADD_WORDS(&external->build_words, kind->build[i]);
        for (size_t j = 0; j < count && all; j++)
            if (fitting(external->folder, &names[j], 1, kind->sources) != NULL)
                heap_add_word(&external->build_words, "./%s", names[j]); /* not an option */
    }
}

/* The kind whose build makes what a given command runs; NULL: an interpreter needs none. */
static const struct kind *kind_of_command(const struct external *external, char *const *names,
                                          size_t count)
{
    const bool own = strchr(external->words[0], '/') != NULL;
    const bool java = strcmp(external->words[0], "java") == 0;
    for (size_t i = KINDS; own && i-- > 0;)
        if (strcmp(kinds[i].command[0], "./main") == 0 &&
            fitting(external->folder, names, count, kinds[i].file) != NULL &&
            (i == KIND_MAKE || fitting(external->folder, names, count, "[Mm]akefile") == NULL))
            return &kinds[i];
    return java && fitting(external->folder, names, count, "Main.java") != NULL ? &kinds[2] : NULL;
}

/* Whether the files of a folder are larger together than a submission may be. */
static bool is_large(const char *folder)
{
    SCOPED char *root = heap_text(folder);
    char *roots[] = {root, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    FTSENT *entry;
    uint64_t bytes = 0;
    while (walk != NULL && (entry = fts_read(walk)) != NULL)
        if (entry->fts_info == FTS_F)
            bytes += (uint64_t)entry->fts_statp->st_size;
    if (walk != NULL)
        fts_close(walk);
    return bytes > SUBMISSION_BYTES;
}

/* The folder's files are one file of the solver. */
static void hash_all(struct external *external)
{
    for (size_t i = 0; i < external->file_count; i++)
        FREE(external->files[i].name, external->files[i].path);
    external->file_count = 0;
    *HEAP_ADD(external->files, external->file_count) =
        (struct program_file){.name = heap_format("%s/", external->submission)};
    char *why = is_large(external->folder) ? heap_format("its folder holds more than %d GiB",
                                                         (int)(SUBMISSION_BYTES >> 30))
                                           : external_find_files(external);
    if (external->problem == NULL)
        external->problem = why;
    else
        free(why);
}

/* Goes down into folders that hold a folder alone. What is there, in heap memory; NULL with errno.
 */
static char **go_down(struct external *external, size_t *count)
{
    enum { DEEPEST = 5 };
    char **names = names_in(external->folder, count);
    for (int i = 0; i < DEEPEST && names != NULL; i++) {
        const char *inner = kind_of(external->folder, names, *count) != NULL
                                ? NULL
                                : only_folder(external->folder, names, *count);
        if (inner == NULL)
            break;
        char *below = heap_format("%s/%s", external->folder, inner);
        heap_append(&external->note, "%s%s/", external->note == NULL ? "in " : "", inner);
        free(external->folder);
        external->folder = below;
        heap_free_texts(names, *count);
        names = names_in(below, count);
    }
    return names;
}

void submission_find(struct external *external, bool builds)
{
    size_t count = 0;
    const bool given = external->word_count > 0;
    struct stat status;
    errno = 0;
    char **names = lstat(external->folder, &status) == 0 && S_ISDIR(status.st_mode)
                       ? go_down(external, &count)
                       : NULL;
    const struct kind *kind = kind_of(external->folder, names, count);
    set_command(external, kind, names, count);
    if (given)
        kind = kind_of_command(external, names, count);
    if (names == NULL)
        external->problem = heap_text(errno != 0 ? strerror(errno) : "it is a link, not a folder");
    else if (count == 0)
        external->problem = heap_text("its folder is empty");
    else if (kind == NULL && !given)
        external->problem =
            heap_text("its folder has no run.sh, main.py, Main.java, jar, main.js, Makefile, "
                      "main.c or main.cpp");
    if (builds && kind != NULL && external->problem == NULL)
        set_build(external, kind, names, count);
    if (external->problem == NULL)
        external->problem = external_check_words(external, external->build_words != NULL);
    hash_all(external);
    heap_free_texts(names, count);
}

/* ---- What make made ---- */

char *submission_name_made(const char *copy)
{
    size_t count = 0;
    size_t made = 0;
    const char *name = NULL;
    SCOPED char *shown = heap_text("");
    char *why = NULL;
    char **names = names_in(copy, &count);
    for (size_t i = 0; i < count; i++) {
        const mode_t mode = mode_of(copy, names[i], false);
        const char *dot = strrchr(names[i], '.');
        const bool script = dot != NULL && (strcmp(dot, ".sh") == 0 || strcmp(dot, ".py") == 0 ||
                                            strcmp(dot, ".so") == 0);
        if (!S_ISREG(mode) || (mode & S_IXUSR) == 0 || script)
            continue;
        heap_append(&shown, "%s%s", made++ == 0 ? "" : ", ", names[i]);
        if (name == NULL || strcmp(names[i], "solver") == 0)
            name = names[i];
    }
    SCOPED char *link = heap_format("%s/main", copy);
    if (access(link, X_OK) == 0)
        ;
    else if (made == 0)
        why = heap_text("make made no program; expected main, solver or one of another name");
    else if (made > 1 && strcmp(name, "solver") != 0)
        why = heap_format("make made several programs (%s); expected main, solver or one alone",
                          shown);
    else if (symlink(name, link) != 0)
        why = heap_format("the program %s cannot be named main: %s", name, strerror(errno));
    heap_free_texts(names, count);
    return why;
}
