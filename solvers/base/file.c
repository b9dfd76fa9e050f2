#include "base/file.h"
#include "base/heap.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

/* Reads a stream to its end and closes it, unless it is standard input; NULL is reported with why.
 */
static char *read_stream(FILE *file, const char *why, size_t *length, struct report *report)
{
    enum { CHUNK = 1 << 16, MAX_BYTES = 1 << 30 };
    if (file == NULL) {
        report_add(report, NO_PLACE, "cannot be opened: %s", why);
        return NULL;
    }
    char *text = NULL;
    const char *zero = NULL;
    size_t used = 0;
    size_t got;
    do { /* a file that never ends, such as a device, is abandoned at a zero byte or at MAX_BYTES */
        text = heap_resize(text, used + CHUNK + 1);
        got = fread(text + used, 1, CHUNK, file);
        zero = memchr(text + used, '\0', got);
        used += got;
    } while (got > 0 && zero == NULL && used <= MAX_BYTES);
    text[used] = '\0';
    int failed = ferror(file) ? errno : 0;
    if (file != stdin)
        fclose(file);
    if (failed != 0) {
        report_add(report, NO_PLACE, "cannot be read: %s", strerror(failed));
    } else if (zero != NULL) {
        report_add(report, place_in(text, zero), "a zero byte; expected a text file");
    } else if (used > MAX_BYTES) {
        report_add(report, NO_PLACE, "more than 1 GiB; expected a text file");
    } else {
        if (length != NULL)
            *length = used;
        return text;
    }
    free(text);
    return NULL;
}

/* Opens a regular file for reading; `more` may forbid links. */
static FILE *open_regular(const char *path, int more, const char **why)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | more);
    FILE *stream = NULL;
    if (file >= 0 && fstat(file, &status) == 0 && !S_ISREG(status.st_mode))
        *why = S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file";
    else if (file < 0 || (stream = fdopen(file, "r")) == NULL)
        *why = more != 0 ? file_problem(errno) : strerror(errno);
    if (stream == NULL && file >= 0)
        close(file);
    return stream;
}

bool file_peek(const char *path, char *text, size_t room)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? 0 : read(file, text, room - 1);
    if (file >= 0)
        close(file);
    text[got < 0 ? 0 : got] = '\0';
    return got > 0;
}

const char *file_past_mark(const char *text)
{
    return strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
}

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

bool file_ends(const char *name, const char *ending)
{
    const size_t length = strlen(name);
    const size_t end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

char *file_folder(const char *path)
{
    const int length = (int)(file_name(path) - path);
    return length == 0 ? heap_text(".") : heap_format("%.*s", length - (length > 1), path);
}

void stream_end(FILE **stream)
{
    const int why = errno;
    if (*stream != NULL)
        fclose(*stream);
    errno = why;
}

void listing_end(DIR **entries)
{
    const int why = errno;
    if (*entries != NULL)
        closedir(*entries);
    errno = why;
}

FILE *file_open(const char *path, const char **why)
{
    return open_regular(path, 0, why);
}

FILE *file_open_own(const char *path, const char **why)
{
    return open_regular(path, O_NOFOLLOW, why);
}

char *file_read(const char *path, size_t *length, struct report *report)
{
    const char *why = NULL;
    FILE *file = file_open(path, &why);
    return read_stream(file, why, length, report);
}

char *file_read_own(const char *path, size_t *length, struct report *report)
{
    const char *why = NULL;
    FILE *file = file_open_own(path, &why);
    return read_stream(file, why, length, report);
}

char *file_read_typed(const char *path, size_t *length, struct report *report)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    return read_stream(file, strerror(errno), length, report);
}

bool file_lock(int file, bool (*waits)(void *context), void *context)
{
    const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
    while (flock(file, waits == NULL ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR)
            continue;
        if (errno != EWOULDBLOCK)
            return false;
        if (!waits(context)) {
            errno = EWOULDBLOCK;
            return false;
        }
        nanosleep(&moment, NULL);
    }
    return true;
}

/* Whether a name in an open folder means an open file. */
static bool is_named(int file, int folder, const char *name)
{
    struct stat own;
    struct stat named;
    return fstat(file, &own) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

bool file_is_named(int file, const char *path)
{
    return is_named(file, AT_FDCWD, path);
}

bool file_is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* A file by its name in an open folder. */
struct place {
    int folder;
    const char *name; /* points into the path */
};

/* Opens the folder of a file; below 0 with errno. */
static struct place place_of(const char *path)
{
    SCOPED char *folder = file_folder(path);
    return (struct place){.folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC),
                          .name = file_name(path)};
}

static void leave(struct place place)
{
    const int why = errno;
    if (place.folder >= 0)
        close(place.folder);
    errno = why;
}

/* Whether a name is free or a regular file's; false with errno. */
static bool may_replace(struct place place)
{
    struct stat status;
    if (fstatat(place.folder, place.name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT;
    errno = S_ISLNK(status.st_mode) ? ELOOP : S_ISDIR(status.st_mode) ? EISDIR : ENODEV;
    return S_ISREG(status.st_mode);
}

bool file_may_write(const char *path)
{
    return may_replace((struct place){AT_FDCWD, path});
}

const char *file_problem(int why)
{
    return why == ELOOP    ? "it is a link; expected a regular file"
           : why == EISDIR ? "it is a folder; expected a regular file"
           : why == ENODEV ? "it is a pipe, a device or the like; expected a regular file"
                           : strerror(why);
}

/* Opens and locks the temporary file that is renamed once it is written; -1 with errno on
 * failure. */
static int open_part(struct place part)
{
    for (unsigned tries = 0; tries < 1000; tries++) {
        struct stat status;
        const int file = openat(part.folder, part.name,
                                O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (file < 0)
            return -1;
        int why = 0;
        if (!file_lock(file, NULL, NULL) || fstat(file, &status) != 0)
            why = errno;
        else if (!S_ISREG(status.st_mode) || status.st_nlink > 1)
            why = EEXIST;
        else if (is_named(file, part.folder, part.name) && ftruncate(file, 0) == 0)
            return file;
        close(file); /* another writer has finished meanwhile and renamed it */
        errno = why;
        if (why != 0)
            return -1;
    }
    errno = EBUSY;
    return -1;
}

bool file_write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

/* Writes to what is there and stays what it is. */
static bool write_in_place(const char *path, const char *text, size_t length)
{
    const int file = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
    bool fine = file >= 0 && file_write_all(file, text, length);
    const int why = errno;
    if (file < 0 || (close(file) == 0 && fine))
        return fine;
    errno = fine ? errno : why;
    return false;
}

/* Writes what `fill` writes to the file `part` and renames it. */
static bool write_part(struct place part, struct place place,
                       bool (*fill)(FILE *out, void *context), void *context)
{
    const int file = may_replace(place) ? open_part(part) : -1;
    if (file < 0)
        return false;
    const int copy = dup(file); /* the lock stays until the file has its name */
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    const bool fine = out != NULL && fill(out, context) && fflush(out) == 0 &&
                      (fsync(file) == 0 || errno == EINVAL) && may_replace(place) &&
                      renameat(part.folder, part.name, place.folder, place.name) == 0;
    const int why = errno;
    if (!fine)
        unlinkat(part.folder, part.name, 0);
    if (out != NULL)
        fclose(out);
    else if (copy >= 0)
        close(copy);
    close(file);
    errno = why;
    return fine;
}

/* The same for paths. */
static bool write_paths(const char *part, const char *path, bool (*fill)(FILE *out, void *context),
                        void *context)
{
    const struct place places[2] = {place_of(part), place_of(path)};
    const bool fine = places[0].folder >= 0 && places[1].folder >= 0 &&
                      write_part(places[0], places[1], fill, context);
    leave(places[0]);
    leave(places[1]);
    return fine;
}

struct text {
    const char *text;
    size_t length;
};

static bool write_text(FILE *out, void *context)
{
    const struct text *text = context;
    return fwrite(text->text, 1, text->length, out) == text->length;
}

bool file_write_through(const char *part, const char *path, const char *text, size_t length)
{
    struct text whole = {text, length};
    return write_paths(part, path, write_text, &whole);
}

bool file_write_shared(const char *path, const char *text, size_t length)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    SCOPED char *part = heap_format("%s.%s.%d", path, host, (int)getpid());
    return file_write_through(part, path, text, length);
}

bool file_claim(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0)
        close(file);
    return file >= 0;
}

bool folder_make(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* FOLDER/.NAME.part in heap memory. */
static char *part_of(const char *path)
{
    const char *name = file_name(path);
    return heap_format("%.*s.%s.part", (int)(name - path), path, name);
}

bool file_write_stream(const char *path, bool (*fill)(FILE *out, void *context), void *context)
{
    SCOPED char *part = part_of(path);
    return write_paths(part, path, fill, context);
}

char *file_whole_path(const char *path)
{
    SCOPED char *real = realpath(path[0] == '\0' ? "." : path, NULL);
    return heap_text(real == NULL ? path : real);
}

bool file_hash(const char *path, char hash[FILE_HASH_BYTES], const char **why)
{
    enum { BLOCK = 1 << 16 };
    SCOPED_BY(stream_end) FILE *file = file_open(path, why);
    if (file == NULL)
        return false;
    XXH3_state_t *state = XXH3_createState();
    SCOPED char *block = heap_take(BLOCK, 1);
    if (state == NULL || XXH3_64bits_reset(state) != XXH_OK)
        heap_exhausted();
    for (size_t got; (got = fread(block, 1, BLOCK, file)) > 0;)
        XXH3_64bits_update(state, block, got);
    const bool fine = ferror(file) == 0;
    snprintf(hash, FILE_HASH_BYTES, "%016" PRIx64, (uint64_t)XXH3_64bits_digest(state));
    XXH3_freeState(state);
    *why = fine ? NULL : "reading failed";
    return fine;
}

bool file_write(const char *path, const char *text, size_t length)
{
    struct text whole = {text, length};
    return file_write_stream(path, write_text, &whole);
}

bool file_write_typed(const char *path, const char *text, size_t length)
{
    struct stat status;
    if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return write_in_place(path, text, length);
    return file_write(path, text, length);
}

static bool make_one_folder(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    if (errno != EEXIST || stat(path, &status) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(status.st_mode);
}

bool folders_make(const char *path)
{
    char *part = heap_text(path);
    bool fine = *path != '\0';
    for (char *at = part; fine && *at != '\0'; at++) {
        const char next = at[1];
        if (next != '/' && next != '\0')
            continue;
        at[1] = '\0';
        fine = make_one_folder(part);
        at[1] = next;
    }
    free(part);
    return fine;
}
