/* The files of an external solver: found where its process will look for them, and hashed. */
#include "base/heap.h"
#include "base/named.h"
#include "harness/external/external.h"
#include "harness/external/matches.h"
#include <sys/stat.h>
#include <unistd.h>

static bool is_there(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Heap memory. */
static char *path_in(const char *folder, const char *name)
{
    return name[0] == '/' ? heap_text(name) : heap_format("%s/%s", folder, name);
}

/* The names in some folders. */
struct names {
    char **texts; /* owned, each too */
    size_t count;
};

static void add_names(struct names *names, const char *folder)
{
    enum { MAX_NAMES = 20000 };
    SCOPED_BY(listing_end) DIR *stream = opendir(folder);
    for (struct dirent *entry;
         stream != NULL && names->count < MAX_NAMES && (entry = readdir(stream)) != NULL;) {
        *HEAP_ADD(names->texts, names->count) = heap_text(entry->d_name);
    }
}

static void end_names(struct names *names)
{
    heap_free_texts(names->texts, names->count);
}

/* A file with a name like that of a missing one, in the same folder, as the command would have it;
 * heap memory; NULL: none. */
static char *similar_file(const char *folder, const char *name)
{
    const char *slash = strrchr(name, '/');
    const int before = slash == NULL ? 0 : (int)(slash + 1 - name);
    SCOPED char *start = heap_format("%.*s", before, name);
    SCOPED char *place = path_in(folder, start);
    struct names names = {0};
    add_names(&names, place);
    const char *nearest =
        nearest_word(name + before, (const char *const *)names.texts, names.count);
    char *similar = nearest == NULL ? NULL : heap_format("%s%s", start, nearest);
    end_names(&names);
    return similar;
}

/* The endings of files that commands name: programs, and what is compiled of them. */
static bool has_known_ending(const char *name)
{
    static const char *const endings[] = {
        "c",  "class", "cpp", "exe", "go", "hs", "jar", "java", "jl",  "js", "lisp", "lua", "mjs",
        "ml", "php",   "pl",  "py",  "r",  "R",  "rb",  "rs",   "scm", "sh", "so",   "ts",  "wasm"};
    const char *dot = strrchr(name, '.');
    if (dot == NULL || dot == name || dot[-1] == '/')
        return false;
    enum { ENDINGS = sizeof endings / sizeof *endings };
    return WORD_PLACE(endings, ENDINGS, dot + 1) < ENDINGS;
}

/* "no file 'mine.pi' in FOLDER; did you mean 'mine.py'?", heap memory; takes `similar`. */
static char *missing(const char *what, const char *name, const char *folder, char *similar)
{
    char *text = heap_format("no %s '%s' in %s", what, name, folder);
    if (similar != NULL)
        heap_append(&text, "; did you mean '%s'?", similar);
    free(similar);
    return text;
}

/* Adds a file that is there; one that is named twice counts once. */
static void add_file(struct external *external, const char *name)
{
    const size_t count = external->file_count;
    if (NAME_PLACE(external->files, count, name, name) == count)
        *HEAP_ADD(external->files, external->file_count) =
            (struct program_file){.name = heap_text(name)};
}

/* The first of the PATH's folders that has a program; relative ones begin where the process does.
 * Heap memory; NULL: none. Where `names` is not NULL, it takes the names in all folders instead. */
static char *search_path(const struct external *external, const char *name, struct names *names)
{
    const char *at = getenv("PATH");
    while (at != NULL) {
        const size_t length = strcspn(at, ":");
        SCOPED char *entry = length == 0 ? heap_text(".") : heap_format("%.*s", (int)length, at);
        SCOPED char *folder = path_in(external->folder, entry);
        char *path = path_in(folder, name);
        if (names != NULL)
            add_names(names, folder);
        if (names == NULL && is_regular(path) && access(path, X_OK) == 0)
            return path;
        free(path);
        at = at[length] == '\0' ? NULL : at + length + 1;
    }
    return NULL;
}

char *external_program(const struct external *external)
{
    const char *name = external->words[0];
    return strchr(name, '/') != NULL ? path_in(external->folder, name)
                                     : search_path(external, name, NULL);
}

/* The PATH does not have it, but the folder may. */
static char *not_in_path(const struct external *external)
{
    const char *name = external->words[0];
    SCOPED char *here = path_in(external->folder, name);
    char *text = heap_format("no program '%s' in the PATH", name);
    if (is_regular(here)) {
        heap_append(&text, "; expected './%s' for the one in %s", name, external->folder);
    } else {
        struct names names = {0};
        search_path(external, name, &names);
        SCOPED char *meant = word_meant(name, (const char *const *)names.texts, names.count);
        heap_append(&text, "%s", meant);
        end_names(&names);
    }
    return text;
}

/* What is wrong with the program itself, in heap memory; NULL: nothing. */
static char *check_program(const struct external *external)
{
    const char *name = external->words[0];
    SCOPED char *path = external_program(external);
    char *why = NULL;
    if (path == NULL)
        why = not_in_path(external);
    else if (!is_there(path))
        why = missing("program", name, external->folder, similar_file(external->folder, name));
    else if (!is_regular(path))
        why = heap_format("'%s' is not a program: it is not a regular file", name);
    else if (access(path, X_OK) != 0)
        why = heap_format("'%s' is not executable; expected chmod +x '%s', or the program that "
                          "runs it as the first word",
                          name, name);
    return why;
}

/* Adds the file that a word means to an interpreter without its ending: a class of Java, a module
 * of Python or of JavaScript. */
static void add_module(struct external *external, const char *word)
{
    static const char *const endings[] = {"class", "py", "js"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        SCOPED char *name = heap_format("%s.%s", word, endings[i]);
        SCOPED char *path = path_in(external->folder, name);
        if (is_regular(path))
            add_file(external, name);
    }
}

/* Adds the words after the first that are files, and says which look like missing ones. */
static char *add_words(struct external *external)
{
    for (size_t i = 1; i < external->word_count; i++) {
        const char *word = external->words[i];
        SCOPED char *path = path_in(external->folder, word);
        const bool regular = is_regular(path);
        const bool there = is_there(path);
        if (regular)
            add_file(external, word);
        else if (!there)
            add_module(external, word);
        if (there || word[0] == '-' || strchr(word, '.') == NULL || strchr(word, '{') != NULL)
            continue;
        char *similar = similar_file(external->folder, word);
        if (has_known_ending(word) || (similar != NULL && has_known_ending(similar)))
            return missing("file", word, external->folder, similar);
        free(similar);
    }
    return NULL;
}

/* Where the PATH has a program, only the machine knows: an interpreter is part of it, like the
 * libraries. It is the solver's own file where the command names no other. */
static void add_program(struct external *external)
{
    const char *name = external->words[0];
    const bool in_path = strchr(name, '/') == NULL;
    const bool alone = external->file_count == 0 ||
                       (external->file_count == 1 && strcmp(external->files[0].name, name) == 0);
    if (in_path && !alone)
        return;
    add_file(external, name);
    if (in_path)
        external->files[0].path = external_program(external);
}

/* Where the name begins in a file's path; behind its end where the PATH found the file. */
static size_t own_part(const struct program_file *file)
{
    const size_t path = strlen(file->path);
    const size_t name = strlen(file->name);
    return name <= path && strcmp(file->path + path - name, file->name) == 0 ? path - name : path;
}

static char *read_file(const struct external *external, struct program_file *file)
{
    if (file->path == NULL)
        file->path = path_in(external->folder, file->name);
    if (!is_there(file->path) && !matches_pattern(file->path, own_part(file)))
        return missing("file", file->name, external->folder,
                       similar_file(external->folder, file->name));
    SCOPED char *why = matches_hash(file->path, own_part(file), file->hash, &file->looks);
    return why == NULL ? NULL : heap_format("the file '%s' cannot be read: %s", file->name, why);
}

char *external_check_words(struct external *external, bool made)
{
    const bool later = made && strchr(external->words[0], '/') != NULL;
    char *why = later ? NULL : check_program(external);
    return why != NULL || made ? why : add_words(external);
}

char *external_find_files(struct external *external)
{
    char *why = external->submission != NULL ? NULL : external_check_words(external, false);
    if (why == NULL && external->submission == NULL)
        add_program(external);
    for (size_t i = 0; i < external->file_count && external->submission != NULL; i++)
        external->files[i].path = heap_text(external->folder);
    for (size_t i = 0; i < external->file_count && why == NULL; i++)
        why = read_file(external, &external->files[i]);
    return why;
}

char *external_changed(const struct external *external)
{
    for (size_t i = 0; i < external->file_count; i++) {
        const struct program_file *file = &external->files[i];
        char hash[FILE_HASH_BYTES] = "";
        uint64_t looks = 0;
        if (!is_there(file->path) && !matches_pattern(file->path, own_part(file)))
            return heap_format("its file %s is gone since the start of the experiment", file->name);
        free(matches_hash(file->path, own_part(file), NULL, &looks));
        if (looks == file->looks)
            continue;
        free(matches_hash(file->path, own_part(file), hash, &looks));
        if (strcmp(hash, file->hash) != 0)
            return heap_format("its file %s has changed since the start of the experiment",
                               file->name);
    }
    return NULL;
}
