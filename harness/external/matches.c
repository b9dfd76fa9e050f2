#include "harness/external/matches.h"
#include "base/heap.h"
#include "harness/text/sorting.h"
#include <errno.h>
#include <fts.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* A file or a link that was found. */
struct match {
    char *path; /* owned */
    bool link;
    int64_t size, seconds, nanoseconds;
};

struct matches {
    struct match *items; /* owned */
    size_t count;
    char *why; /* owned; what is wrong; NULL: nothing is */
};

/* The first character of a pattern; NULL: there is none. */
static const char *pattern_in(const char *path)
{
    return strpbrk(path, "*?[");
}

bool matches_pattern(const char *path, size_t own)
{
    struct stat status;
    return pattern_in(path + own) != NULL && lstat(path, &status) != 0;
}

static void add_match(struct matches *matches, const char *path, const struct stat *status)
{
    *HEAP_ADD(matches->items, matches->count) =
        (struct match){.path = heap_text(path),
                       .link = S_ISLNK(status->st_mode),
                       .size = status->st_size,
                       .seconds = status->st_mtim.tv_sec,
                       .nanoseconds = status->st_mtim.tv_nsec};
}

bool matches_leave_out(const char *name)
{
    return name[0] == '.' || strcmp(name, "__pycache__") == 0 || file_ends(name, ".pyc");
}

/* Adds the files at and below some paths, ended by NULL. */
static void walk(struct matches *matches, char *const *roots, int follow)
{
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | follow, NULL);
    FTSENT *entry;
    while (walk != NULL && matches->why == NULL && (entry = fts_read(walk)) != NULL) {
        if (entry->fts_level > 0 && matches_leave_out(entry->fts_name)) {
            fts_set(walk, entry, FTS_SKIP);
            continue;
        }
        if (entry->fts_info == FTS_F || entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE)
            add_match(matches, entry->fts_path, entry->fts_statp);
        else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR ||
                 entry->fts_info == FTS_NS)
            matches->why =
                heap_format("%s cannot be read: %s", entry->fts_path, strerror(entry->fts_errno));
        if (matches->count > MOST_MATCHES)
            matches->why = heap_format("more than %d files; expected those of the program alone",
                                       MOST_MATCHES);
    }
    if (walk != NULL)
        fts_close(walk);
}

/* Adds what a pattern stands for. */
static void walk_pattern(struct matches *matches, const char *path, size_t own)
{
    glob_t found;
    SCOPED char *pattern = heap_text("");
    for (size_t i = 0; i < own; i++) /* the folder's name is none */
        heap_append(&pattern, "%s%c", strchr("*?[\\", path[i]) != NULL ? "\\" : "", path[i]);
    heap_append(&pattern, "%s", path + own);
    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        walk(matches, found.gl_pathv, 0);
        globfree(&found);
    }
}

/* The files that a folder or a pattern stands for, in the order of their names. */
static struct matches find_matches(const char *path, size_t own)
{
    struct matches matches = {0};
    if (!matches_pattern(path, own)) {
        SCOPED char *copy = heap_text(path);
        walk(&matches, (char *const[]){copy, NULL}, FTS_COMFOLLOW);
    } else {
        walk_pattern(&matches, path, own);
    }
    if (matches.why == NULL && matches.count == 0)
        matches.why = heap_text("no file is there");
    if (matches.count > 0)
        qsort(matches.items, matches.count, sizeof *matches.items, order_texts);
    return matches;
}

static void matches_end(struct matches *matches)
{
    for (size_t i = 0; i < matches->count; i++)
        free(matches->items[i].path);
    FREE(matches->items, matches->why);
}

/* Where the names begin that do not depend on where the folder lies. */
static size_t base_of(const char *path, size_t own)
{
    size_t base = strlen(path);
    if (matches_pattern(path, own))
        for (base = (size_t)(pattern_in(path + own) - path); base > 0 && path[base - 1] != '/';)
            base--;
    return base;
}

/* The hash of a file's contents, or of where a link leads; NULL, or why it cannot be read. */
static const char *hash_match(const struct match *match, char hash[FILE_HASH_BYTES])
{
    const char *why;
    char target[PATH_MAX];
    if (!match->link)
        return file_hash(match->path, hash, &why) ? NULL : why;
    const ssize_t length = readlink(match->path, target, sizeof target);
    if (length < 0)
        return strerror(errno);
    snprintf(hash, FILE_HASH_BYTES, "%016" PRIx64, XXH3_64bits(target, (size_t)length));
    return NULL;
}

/* Hashes several files into one, and what they look like. */
static char *hash_all(const struct matches *matches, size_t base, char hash[FILE_HASH_BYTES],
                      uint64_t *looks)
{
    char *why = NULL;
    SCOPED char *contents = heap_text("");
    *looks = 0;
    for (size_t i = 0; i < matches->count && why == NULL; i++) {
        const struct match *match = &matches->items[i];
        const char *name = match->path + base;
        const int64_t seen[] = {match->size, match->seconds, match->nanoseconds, match->link};
        char own[FILE_HASH_BYTES];
        *looks = XXH3_64bits_withSeed(name, strlen(name) + 1, *looks);
        *looks = XXH3_64bits_withSeed(seen, sizeof seen, *looks);
        const char *unread = hash == NULL ? NULL : hash_match(match, own);
        if (unread != NULL)
            why = heap_format("%s cannot be read: %s", match->path, unread);
        else if (hash != NULL)
            heap_append(&contents, "%s\n%c%s\n", name, match->link ? '>' : ' ', own);
    }
    if (hash != NULL)
        snprintf(hash, FILE_HASH_BYTES, "%016" PRIx64, XXH3_64bits(contents, strlen(contents)));
    return why;
}

char *matches_hash(const char *path, size_t own, char hash[FILE_HASH_BYTES], uint64_t *looks)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        const char *why;
        const int64_t seen[] = {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
        *looks = XXH3_64bits(seen, sizeof seen);
        return hash == NULL || file_hash(path, hash, &why) ? NULL : heap_text(why);
    }
    SCOPED_BY(matches_end) struct matches matches = find_matches(path, own);
    char *why = matches.why;
    matches.why = NULL;
    if (why == NULL)
        why = hash_all(&matches, base_of(path, own), hash, looks);
    return why;
}
