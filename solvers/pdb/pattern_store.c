#include "pdb/pattern_store.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/pages.h"
#include "pdb/pattern_build.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { HEADER = 4096, VERSION = 1, BYTE_ORDER_MARK = 0x01020304 };

static const char magic[8] = "TILEPDB";

/* The first bytes of a file; zeros up to HEADER. */
struct header {
    char magic[8];
    uint32_t byte_order;
    uint32_t version;
    uint8_t width;
    uint8_t height;
    uint8_t blank;
    uint8_t count;
    uint8_t cell[MAX_PATTERN];
    uint32_t unused;
    uint64_t entries;
    uint64_t values[2]; /* XXH3, 128 bits: low, high */
    uint64_t header;    /* XXH3, 64 bits, of all before */
};

struct shelf {
    struct pattern_table table;
    bool mapped; /* the values are a file's, not this process's own */
    struct shelf *next;
};

static struct shelf *shelf;
static bool folder_known;
static char *folder; /* NULL: no files are kept */
static bool told_of_folder;

static void say(const struct pattern_watcher *watcher, char *text)
{
    if (watcher != NULL && watcher->says != NULL)
        watcher->says(watcher->context, text);
    free(text);
}

void pattern_store_folder(const char *name)
{
    free(folder);
    folder = name == NULL || name[0] == '\0' ? NULL : heap_text(name);
    folder_known = true;
    told_of_folder = false;
}

const char *pattern_store_place(void)
{
    const char *own = getenv("TILELAB_PDB_DIR");
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (folder_known)
        return folder;
    folder_known = true;
    if (own != NULL)
        folder = own[0] == '\0' ? NULL : heap_text(own);
    else if (cache != NULL && cache[0] == '/') /* the XDG rules: others are to be ignored */
        folder = heap_format("%s/tilelab", cache);
    else if (home != NULL && home[0] != '\0')
        folder = heap_format("%s/.cache/tilelab", home);
    return folder;
}

char *pattern_name(const struct pattern *pattern)
{
    char *name =
        heap_format("%ux%u-blank%u", pattern->shape.width, pattern->shape.height, pattern->blank);
    for (unsigned i = 0; i < pattern->count; i++) {
        char *longer = heap_format("%s%c%u", name, i == 0 ? '-' : '.', pattern->cell[i]);
        free(name);
        name = longer;
    }
    return name;
}

uint64_t pattern_table_bytes(const struct pattern_table *table)
{
    return HEADER + table->entries;
}

static struct header header_of(const struct pattern *pattern, const uint8_t *values)
{
    struct header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, magic, sizeof magic);
    header.byte_order = BYTE_ORDER_MARK;
    header.version = VERSION;
    header.width = pattern->shape.width;
    header.height = pattern->shape.height;
    header.blank = pattern->blank;
    header.count = pattern->count;
    memcpy(header.cell, pattern->cell, sizeof header.cell);
    header.entries = pattern_entries(pattern);
    const XXH128_hash_t hash = XXH3_128bits(values, header.entries);
    header.values[0] = hash.low64;
    header.values[1] = hash.high64;
    header.header = XXH3_64bits(&header, offsetof(struct header, header));
    return header;
}

/* Whether a pattern is one that a table can be of: what the header says is not to be trusted. */
static bool sound(const struct header *header, struct pattern *pattern)
{
    uint64_t occupied = 0;
    *pattern = (struct pattern){.blank = header->blank, .count = header->count};
    memcpy(pattern->cell, header->cell, sizeof header->cell);
    if (!shape_make(header->width, header->height, &pattern->shape) || header->count == 0 ||
        header->count > MAX_PATTERN || header->count >= pattern->shape.cells ||
        header->blank >= pattern->shape.cells)
        return false;
    for (unsigned i = 0; i < header->count; i++) {
        if (header->cell[i] >= pattern->shape.cells || (occupied >> header->cell[i] & 1) != 0)
            return false;
        occupied |= UINT64_C(1) << header->cell[i];
    }
    return (occupied >> header->blank & 1) == 0 && header->entries == pattern_entries(pattern) &&
           header->entries <= MAX_ENTRIES;
}

/* What is wrong with the header of an open file; NULL: nothing. Heap memory. */
static char *look(int file, struct header *header, struct pattern *pattern)
{
    struct stat status;
    const ssize_t got = pread(file, header, sizeof *header, 0);
    if (got < 0 || fstat(file, &status) != 0)
        return heap_format("cannot be read (%s)", strerror(errno));
    if (got < (ssize_t)sizeof *header)
        return heap_format("is cut short (%zd bytes)", got);
    if (memcmp(header->magic, magic, sizeof magic) != 0)
        return heap_text("is no pattern database");
    if (header->byte_order != BYTE_ORDER_MARK)
        return heap_text("is of a machine with another order of bytes");
    if (header->version != VERSION)
        return heap_format("is of version %" PRIu32 " (this program's is %d)", header->version,
                           VERSION);
    if (header->header != XXH3_64bits(header, offsetof(struct header, header)))
        return heap_text("is damaged (checksum of the header)");
    if (!sound(header, pattern))
        return heap_text("is damaged (its header makes no sense)");
    if ((uint64_t)status.st_size != HEADER + header->entries)
        return heap_format("is %s (%jd bytes, expected %" PRIu64 ")",
                           (uint64_t)status.st_size < HEADER + header->entries ? "cut short"
                                                                               : "too long",
                           (intmax_t)status.st_size, HEADER + header->entries);
    return NULL;
}

/* What is wrong with the values of an open file, which is mapped if nothing is. */
static char *map(int file, const struct header *header, struct pattern_table *table)
{
    const uint8_t *start = pages_map(file, HEADER + header->entries);
    if (start == NULL)
        return heap_format("cannot be mapped (%s)", strerror(errno));
    const XXH128_hash_t hash = XXH3_128bits(start + HEADER, header->entries);
    if (hash.low64 == header->values[0] && hash.high64 == header->values[1]) {
        table->values = start + HEADER;
        return NULL;
    }
    pages_end(start, HEADER + header->entries);
    return heap_text("is damaged (checksum of the values)");
}

static bool file_read_in(const char *path, bool whole, struct pattern_table *table, char **problem)
{
    struct header header;
    *table = (struct pattern_table){0};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        *problem = heap_format("cannot be opened (%s)", strerror(errno));
        return false;
    }
    *problem = look(file, &header, &table->pattern);
    if (*problem == NULL) {
        table->entries = header.entries;
        if (whole)
            *problem = map(file, &header, table);
    }
    close(file);
    return *problem == NULL;
}

bool pattern_file_look(const char *path, struct pattern_table *table, char **problem)
{
    return file_read_in(path, false, table, problem);
}

bool pattern_file_open(const char *path, struct pattern_table *table, char **problem)
{
    return file_read_in(path, true, table, problem);
}

void pattern_file_end(struct pattern_table *table)
{
    if (table->values != NULL)
        pages_end(table->values - HEADER, HEADER + table->entries);
    table->values = NULL;
}

/* A table on its way to the shelf. */
struct request {
    const struct pattern *pattern;
    const struct pattern_watcher *watcher;
    struct pattern_table *table;
    char *path; /* NULL: no file is wanted */
    char *part;
    bool mapped;
    char *problem;
};

static bool tell_progress(void *context, uint64_t done, uint64_t all)
{
    const struct request *request = context;
    const struct pattern_watcher *watcher = request->watcher;
    return watcher == NULL || watcher->builds == NULL ||
           watcher->builds(watcher->context, request->pattern, done, all);
}

/* Takes the table from its file, if that is there and whole; says what is wrong with it when
 * `loud`. */
static bool load(struct request *request, bool loud)
{
    char *problem = NULL;
    if (access(request->path, F_OK) != 0)
        return false;
    if (pattern_file_open(request->path, request->table, &problem)) {
        request->mapped =
            memcmp(&request->table->pattern, request->pattern, sizeof *request->pattern) == 0;
        if (request->mapped)
            return true;
        char *name = pattern_name(&request->table->pattern);
        problem = heap_format("holds another table (%s)", name);
        free(name);
        pattern_file_end(request->table);
    }
    *request->table = (struct pattern_table){0};
    if (loud)
        say(request->watcher, heap_format("%s %s; building it anew", request->path, problem));
    free(problem);
    return false;
}

enum lock { LOCKED, UNLOCKABLE, TRY_AGAIN, STOPPED };

/* Opens and locks the file that the table is written to. TRY_AGAIN: another process had it, and is
 * done with it. */
static enum lock lock_part(struct request *request, int *file)
{
    const struct timespec pause = {.tv_nsec = 50000000};
    struct stat mine;
    struct stat named;
    bool waits = false;
    *file = open(request->part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*file < 0)
        return UNLOCKABLE;
    while (flock(*file, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        bool stopped = false;
        if (reason == EWOULDBLOCK) {
            if (!waits)
                say(request->watcher,
                    heap_format("waiting for another process, which builds %s", request->path));
            waits = true;
            stopped = !tell_progress(request, 0, pattern_entries(request->pattern));
            nanosleep(&pause, NULL);
            if (!stopped)
                continue;
        } else if (reason == EINTR) {
            continue;
        }
        close(*file);
        errno = reason;
        return stopped ? STOPPED : UNLOCKABLE;
    }
    /* What was locked may have been renamed or removed meanwhile by who had it before. */
    if (fstat(*file, &mine) == 0 && stat(request->part, &named) == 0 &&
        mine.st_ino == named.st_ino && mine.st_dev == named.st_dev)
        return LOCKED;
    close(*file);
    return TRY_AGAIN;
}

static bool build(struct request *request)
{
    const char *problem = NULL;
    const double start = clock_wall();
    uint8_t *values = pattern_build(request->pattern, 0, tell_progress, request, &problem);
    if (values == NULL) {
        char *name = pattern_name(request->pattern);
        request->problem = heap_format("table %s (%" PRIu64 " bytes): %s", name,
                                       pattern_entries(request->pattern), problem);
        free(name);
        return false;
    }
    *request->table = (struct pattern_table){.pattern = *request->pattern,
                                             .entries = pattern_entries(request->pattern),
                                             .values = values,
                                             .built = true,
                                             .build_seconds = clock_wall() - start};
    return true;
}

/* Writes the values that were built to the locked file and names it as it is to be called. */
static bool save(const struct request *request, int file)
{
    static const uint8_t zeros[HEADER];
    const struct header header = header_of(request->pattern, request->table->values);
    FILE *stream = ftruncate(file, 0) == 0 ? fdopen(dup(file), "w") : NULL;
    if (stream == NULL)
        return false;
    bool fine = fwrite(&header, sizeof header, 1, stream) == 1 &&
                fwrite(zeros, HEADER - sizeof header, 1, stream) == 1 &&
                fwrite(request->table->values, request->table->entries, 1, stream) == 1 &&
                fflush(stream) == 0 && fsync(fileno(stream)) == 0;
    const int reason = errno;
    fine = fclose(stream) == 0 && fine;
    if (!fine)
        errno = reason;
    return fine && rename(request->part, request->path) == 0;
}

/* From now on the file's pages serve, which other processes share. */
static void change_over(struct request *request)
{
    struct pattern_table mapped;
    char *problem = NULL;
    if (!pattern_file_open(request->path, &mapped, &problem)) {
        free(problem);
        return;
    }
    pages_end(request->table->values, request->table->entries);
    request->table->values = mapped.values;
    request->mapped = true;
}

/* Why no file is kept, once. */
static void say_memory_only(const struct request *request, const char *what)
{
    if (!told_of_folder)
        say(request->watcher,
            heap_format("%s cannot be written (%s); pattern databases are kept in memory only",
                        what, strerror(errno)));
    told_of_folder = true;
}

/* Fills the table from its file or builds it. */
static bool fill(struct request *request)
{
    int file = -1;
    enum lock lock = TRY_AGAIN;
    if (request->path != NULL && load(request, true))
        return true;
    if (request->path == NULL)
        return build(request);
    if (!folders_make(pattern_store_place())) {
        say_memory_only(request, pattern_store_place());
        return build(request);
    }
    while (lock == TRY_AGAIN) {
        lock = lock_part(request, &file);
        if (lock == STOPPED) {
            request->problem = heap_text("stopped");
            return false;
        }
        if (lock == UNLOCKABLE) {
            say_memory_only(request, request->part);
            return build(request);
        }
        if (load(request, false)) {
            if (lock == LOCKED) {
                unlink(request->part);
                close(file);
            }
            return true;
        }
    }
    const bool fine = build(request);
    if (fine && save(request, file)) {
        change_over(request);
    } else {
        if (fine)
            say_memory_only(request, request->path);
        unlink(request->part);
    }
    close(file);
    return fine;
}

const struct pattern_table *pattern_table_hold(const struct pattern *canonical,
                                               const struct pattern_watcher *watcher,
                                               char **problem)
{
    for (struct shelf *at = shelf; at != NULL; at = at->next)
        if (memcmp(&at->table.pattern, canonical, sizeof *canonical) == 0)
            return &at->table;
    struct shelf *added = heap_take(1, sizeof *added);
    struct request request = {.pattern = canonical, .watcher = watcher, .table = &added->table};
    const char *place = pattern_store_place();
    if (place != NULL) {
        char *name = pattern_name(canonical);
        request.path = heap_format("%s/%s.pdb", place, name);
        request.part = heap_format("%s.part", request.path);
        free(name);
    }
    const bool fine = fill(&request);
    free(request.part);
    if (!fine) {
        *problem = request.problem;
        free(request.path);
        free(added);
        return NULL;
    }
    if (!request.mapped) {
        free(request.path);
        request.path = NULL;
    }
    added->table.path = request.path;
    added->mapped = request.mapped;
    added->next = shelf;
    shelf = added;
    return &added->table;
}

const struct pattern_table *pattern_store_table(unsigned number)
{
    const struct shelf *at = shelf;
    while (at != NULL && number-- > 0)
        at = at->next;
    return at == NULL ? NULL : &at->table;
}

void pattern_store_end(void)
{
    while (shelf != NULL) {
        struct shelf *taken = shelf;
        shelf = taken->next;
        if (taken->mapped)
            pattern_file_end(&taken->table);
        else
            pages_end(taken->table.values, taken->table.entries);
        free(taken->table.path);
        free(taken);
    }
}
