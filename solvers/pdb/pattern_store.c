#include "pdb/pattern_store.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/pages.h"
#include "pdb/arrangements.h"
#include "pdb/pattern_bits.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { HEADER = 4096, VERSION = 1, BYTE_ORDER_MARK = 0x01020304, TURNED_MARK = 0x04030201 };

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
    uint16_t kind;  /* enum pattern_kind */
    uint16_t model; /* of priced ones: enum cost_model; else 0 */
    uint64_t entries;
    uint64_t values[2]; /* XXH3, 128 bits: low, high */
    uint64_t header;    /* XXH3, 64 bits, of all before */
    /* Of priced ones alone; else 0. */
    uint8_t tile[MAX_PATTERN];
    uint64_t priced; /* XXH3, 64 bits, of all before */
};

struct held {
    struct pattern_table table;
    struct held *next;
};

/* Shared by the zero-aware tables of a shape and a number of tiles. */
struct held_sets {
    struct pattern_sets *sets;
    struct held_sets *next;
};

static struct held *tables; /* in memory, the latest first */
static struct held_sets *all_sets;
static bool folder_known;
static char *folder; /* NULL: no files are kept */
static bool memory_only_reported;

static void say(const struct pattern_watcher *watcher, char *text)
{
    if (watcher != NULL && watcher->message != NULL)
        watcher->message(watcher->context, text);
    free(text);
}

void pattern_store_folder(const char *name)
{
    free(folder);
    folder = name == NULL || name[0] == '\0' ? NULL : heap_text(name);
    folder_known = true;
    memory_only_reported = false;
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
        heap_format("%ux%u-blank%u%s", pattern->shape.width, pattern->shape.height, pattern->blank,
                    pattern->kind == PATTERN_WALKING      ? "-walking"
                    : pattern->kind == PATTERN_ZERO_AWARE ? "-zero"
                                                          : "");
    if (pattern->kind == PATTERN_PRICED)
        heap_append(&name, "-%s", cost_names[pattern->model]);
    for (unsigned i = 0; i < pattern->count; i++) {
        heap_append(&name, "%c%u", i == 0 ? '-' : '.', pattern->cell[i]);
        if (pattern->kind == PATTERN_PRICED)
            heap_append(&name, "=%u", pattern->tile[i]);
    }
    return name;
}

uint64_t pattern_table_bytes(const struct pattern_table *table)
{
    return HEADER + pattern_bytes(&table->pattern);
}

uint64_t pattern_table_memory(const struct pattern_table *table, bool onebit)
{
    return onebit ? pattern_bits_bytes(table->entries) : pattern_bytes(&table->pattern);
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
    header.kind = pattern->kind;
    header.model = pattern->model;
    header.entries = pattern_entries(pattern);
    const XXH128_hash_t hash = XXH3_128bits(values, pattern_bytes(pattern));
    header.values[0] = hash.low64;
    header.values[1] = hash.high64;
    header.header = XXH3_64bits(&header, offsetof(struct header, header));
    if (pattern->kind == PATTERN_PRICED) {
        memcpy(header.tile, pattern->tile, sizeof header.tile);
        header.priced = XXH3_64bits(&header, offsetof(struct header, priced));
    }
    return header;
}

/* Whether the header describes a possible table: it cannot be trusted. */
static bool sound(const struct header *header, struct pattern *pattern)
{
    uint64_t occupied = 0;
    const bool priced = header->kind == PATTERN_PRICED;
    *pattern = (struct pattern){.blank = header->blank,
                                .count = header->count,
                                .kind = (uint8_t)header->kind,
                                .model = (uint8_t)header->model};
    memcpy(pattern->cell, header->cell, sizeof header->cell);
    if (priced)
        memcpy(pattern->tile, header->tile, sizeof header->tile);
    if (!shape_make(header->width, header->height, &pattern->shape) ||
        header->kind > PATTERN_PRICED || header->model >= (priced ? COST_MODELS : 1) ||
        header->blank >= pattern->shape.cells)
        return false;
    if (header->kind == PATTERN_WALKING)
        return header->count == 0 && numbering_exists(pattern->shape) &&
               header->entries == pattern_entries(pattern);
    if (header->count == 0 || header->count > MAX_PATTERN || header->count >= pattern->shape.cells)
        return false;
    for (unsigned i = 0; i < header->count; i++) {
        if (header->cell[i] >= pattern->shape.cells || (occupied >> header->cell[i] & 1) != 0 ||
            (priced && (header->tile[i] == 0 || header->tile[i] >= pattern->shape.cells)))
            return false;
        occupied |= UINT64_C(1) << header->cell[i];
    }
    return (occupied >> header->blank & 1) == 0 && header->entries == pattern_entries(pattern) &&
           header->entries <= MAX_ENTRIES;
}

/* Why an open file or folder cannot be trusted; NULL: only this process's user and root can write
 * it. Heap memory. */
static char *distrust(const struct stat *status)
{
    if (status->st_uid != geteuid() && status->st_uid != 0)
        return heap_format("belongs to user %ju (expected your own user or root)",
                           (uintmax_t)status->st_uid);
    if ((status->st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return heap_format("is writable by others (mode %04jo; expected chmod go-w)",
                           (uintmax_t)(status->st_mode & 07777));
    return NULL;
}

/* Opens a folder that can be trusted; -1, with what is wrong in *problem (heap memory). */
static int open_folder(const char *path, char **problem)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *problem = file < 0 || fstat(file, &status) != 0
                   ? heap_format("cannot be opened (%s)", strerror(errno))
                   : distrust(&status);
    if (*problem == NULL)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* Opens the file of a table; -1, with what is wrong in *problem (heap memory). */
static int open_table(int place, const char *name, char **problem)
{
    struct stat status;
    const int file = openat(place, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 && errno == ELOOP)
        *problem = heap_text("is a link (expected the file itself)");
    else if (file < 0 || fstat(file, &status) != 0)
        *problem = heap_format("cannot be opened (%s)", strerror(errno));
    else if (!S_ISREG(status.st_mode))
        *problem = heap_text(S_ISDIR(status.st_mode) ? "is a folder" : "is not a regular file");
    else
        *problem = distrust(&status);
    if (*problem == NULL)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* What is wrong with the header of an open file; NULL: nothing. Heap memory. */
static char *look(int file, struct header *header, struct pattern *pattern)
{
    struct stat status;
    memset(header, 0, sizeof *header);
    const ssize_t got = pread(file, header, sizeof *header, 0);
    if (got < 0 || fstat(file, &status) != 0)
        return heap_format("cannot be read (%s)", strerror(errno));
    if (got < (ssize_t)offsetof(struct header, tile))
        return heap_format("is cut short (%zd bytes)", got);
    if (memcmp(header->magic, magic, sizeof magic) != 0)
        return heap_text("is not a pattern database");
    if (header->byte_order == TURNED_MARK)
        return heap_text("was written on a machine with another byte order");
    if (header->byte_order != BYTE_ORDER_MARK)
        return heap_text("is damaged (its byte-order mark)");
    if (header->version != VERSION)
        return heap_format("is of version %" PRIu32 " (this program's is %d)", header->version,
                           VERSION);
    if (header->header != XXH3_64bits(header, offsetof(struct header, header)) ||
        (header->kind == PATTERN_PRICED &&
         header->priced != XXH3_64bits(header, offsetof(struct header, priced))))
        return heap_text("is damaged (checksum of the header)");
    if (!sound(header, pattern))
        return heap_text("is damaged (its header makes no sense)");
    const uint64_t bytes = HEADER + pattern_bytes(pattern);
    if ((uint64_t)status.st_size != bytes)
        return heap_format("is %s (%jd bytes, expected %" PRIu64 ")",
                           (uint64_t)status.st_size < bytes ? "cut short" : "too long",
                           (intmax_t)status.st_size, bytes);
    return NULL;
}

/* What of a file is read. */
enum extent { ONLY_HEADER, ALL_VALUES, THEIR_BITS };

/* Reads the values of an open file, or makes their bits. Returns what is wrong with them; NULL:
 * nothing. Heap memory. */
static char *read_values(int file, const struct header *header, enum extent extent,
                         struct pattern_table *table)
{
    enum { CHUNK = 1 << 20 };
    const bool onebit = extent == THEIR_BITS;
    const uint64_t bytes = pattern_bytes(&table->pattern);
    const uint64_t size = onebit ? pattern_bits_bytes(header->entries) : bytes;
    uint8_t *memory = pages_take(size);
    SCOPED uint8_t *part = onebit ? heap_take(CHUNK, 1) : NULL;
    XXH3_state_t *state = XXH3_createState();
    char *problem = NULL;
    if (memory == NULL || state == NULL || XXH3_128bits_reset(state) == XXH_ERROR)
        problem = heap_text("cannot be read (not enough memory)");
    for (uint64_t at = 0; at < bytes && problem == NULL;) {
        const uint64_t left = bytes - at;
        uint8_t *values = onebit ? part : memory + at;
        const ssize_t got = pread(file, values, left < CHUNK ? left : CHUNK, (off_t)(HEADER + at));
        if (got > 0) {
            XXH3_128bits_update(state, values, (size_t)got);
            if (onebit)
                pattern_bits_enter(memory, at, values, (uint64_t)got);
            at += (uint64_t)got;
        } else if (got == 0) {
            problem = heap_format("is cut short (%" PRIu64 " bytes)", HEADER + at);
        } else if (errno != EINTR) {
            problem = heap_format("cannot be read (%s)", strerror(errno));
        }
    }
    if (problem == NULL) {
        const XXH128_hash_t hash = XXH3_128bits_digest(state);
        if (hash.low64 != header->values[0] || hash.high64 != header->values[1])
            problem = heap_text("is damaged (checksum of the values)");
    }
    XXH3_freeState(state);
    if (problem != NULL) {
        pages_end(memory, size);
        return problem;
    }
    pages_freeze(memory, size);
    *(onebit ? &table->bits : &table->values) = memory;
    return NULL;
}

/* Reads a file in an open folder. */
static bool read_table(int place, const char *name, enum extent extent, struct pattern_table *table,
                       char **problem)
{
    struct header header;
    *table = (struct pattern_table){0};
    const int file = open_table(place, name, problem);
    if (file < 0)
        return false;
    *problem = look(file, &header, &table->pattern);
    if (*problem == NULL) {
        table->entries = header.entries;
        if (extent != ONLY_HEADER)
            *problem = read_values(file, &header, extent, table);
    }
    close(file);
    return *problem == NULL;
}

static bool read_path(const char *path, enum extent extent, struct pattern_table *table,
                      char **problem)
{
    SCOPED char *place = file_folder(path);
    const int file = open_folder(place, problem);
    if (file < 0) {
        char *text = heap_format("is in a folder that %s", *problem);
        free(*problem);
        *problem = text;
        return false;
    }
    const bool fine = read_table(file, file_name(path), extent, table, problem);
    close(file);
    return fine;
}

bool pattern_file_look(const char *path, struct pattern_table *table, char **problem)
{
    return read_path(path, ONLY_HEADER, table, problem);
}

bool pattern_file_open(const char *path, struct pattern_table *table, char **problem)
{
    return read_path(path, ALL_VALUES, table, problem);
}

void pattern_file_end(struct pattern_table *table)
{
    pages_end(table->values, pattern_bytes(&table->pattern));
    pages_end(table->bits, pattern_bits_bytes(table->entries));
    table->values = table->bits = NULL;
}

/* A table that is being read or built. */
struct request {
    const struct pattern *pattern;
    bool onebit; /* wanted in this form */
    const struct pattern_watcher *watcher;
    struct pattern_table *table;
    char *path;       /* for messages; NULL: no file is wanted */
    const char *name; /* of the file, within path */
    char *part;       /* the name of the file that is written, in the same folder */
    int place;        /* that folder; -1: it is not used */
    bool kept;        /* the table is in its file */
    bool waiting;     /* for another process, which is reported */
    char *problem;
};

static bool report_progress(void *context, uint64_t done, uint64_t all)
{
    const struct request *request = context;
    const struct pattern_watcher *watcher = request->watcher;
    return watcher == NULL || watcher->builds == NULL ||
           watcher->builds(watcher->context, request->pattern, done, all);
}

/* Reads the table from its file if that exists and is valid; reports what is wrong with it if
 * `loud`. */
static bool load(struct request *request, bool loud)
{
    SCOPED char *problem = NULL;
    if (faccessat(request->place, request->name, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    if (read_table(request->place, request->name, request->onebit ? THEIR_BITS : ALL_VALUES,
                   request->table, &problem)) {
        request->kept =
            memcmp(&request->table->pattern, request->pattern, sizeof *request->pattern) == 0;
        if (request->kept)
            return true;
        SCOPED char *name = pattern_name(&request->table->pattern);
        problem = heap_format("holds another table (%s)", name);
        pattern_file_end(request->table);
    }
    *request->table = (struct pattern_table){0};
    if (loud)
        say(request->watcher, heap_format("%s %s; rebuilding it", request->path, problem));
    return false;
}

enum lock { LOCKED, UNLOCKABLE, TRY_AGAIN, STOPPED };

/* Reports, once, why no file is kept: `what` is a path and `why` what is wrong with it. */
static void say_memory_only(const struct request *request, const char *what, const char *why)
{
    if (!memory_only_reported)
        say(request->watcher,
            heap_format("%s %s; pattern databases are kept only in memory (for another folder: "
                        "--pdb-dir DIR)",
                        what, why));
    memory_only_reported = true;
}

/* The same for a path that cannot be written; errno says why. */
static void say_unwritable(const struct request *request, const char *what)
{
    SCOPED char *why = heap_format("cannot be written (%s)", strerror(errno));
    say_memory_only(request, what, why);
}

/* What is wrong with the locked file: writing to it might overwrite something else. Heap memory. */
static char *refuse_part(const struct stat *status)
{
    if (!S_ISREG(status->st_mode))
        return heap_text("is not a regular file");
    if (status->st_nlink > 1)
        return heap_text("has another name (a hard link)");
    return distrust(status);
}

/* Waits for another process that builds the same table, as long as the watcher lets it. */
static bool waits(void *context)
{
    struct request *request = context;
    if (!request->waiting)
        say(request->watcher,
            heap_format("waiting for another process, which is building %s", request->path));
    request->waiting = true;
    return report_progress(request, 0, pattern_entries(request->pattern));
}

/* Opens and locks the file that the table is written to. UNLOCKABLE: the reason is reported.
 * TRY_AGAIN: another process had locked it and has finished. */
static enum lock lock_part(struct request *request, int *file)
{
    const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    struct stat mine;
    struct stat named;
    SCOPED char *path = heap_format("%s.part", request->path);
    SCOPED char *problem = NULL;
    enum lock lock = UNLOCKABLE;
    *file = openat(request->place, request->part, flags, 0644);
    request->waiting = false;
    bool failed = *file < 0;
    if (!failed && !file_lock(*file, waits, request)) {
        failed = errno != EWOULDBLOCK;
        lock = failed ? UNLOCKABLE : STOPPED;
    }
    if (failed) {
        say_unwritable(request, path);
    } else if (lock != STOPPED) {
        /* The process that held the lock may have renamed or removed the file meanwhile. */
        if (fstat(*file, &mine) != 0 ||
            fstatat(request->place, request->part, &named, AT_SYMLINK_NOFOLLOW) != 0 ||
            mine.st_ino != named.st_ino || mine.st_dev != named.st_dev)
            lock = TRY_AGAIN;
        else if ((problem = refuse_part(&mine)) != NULL)
            say_memory_only(request, path, problem);
        else
            lock = LOCKED;
    }
    if (*file >= 0 && lock != LOCKED)
        close(*file);
    return lock;
}

static bool build(struct request *request)
{
    const char *problem = NULL;
    const double start = clock_wall();
    uint8_t *values = pattern_build(request->pattern, 0, report_progress, request, &problem);
    if (values == NULL) {
        SCOPED char *name = pattern_name(request->pattern);
        request->problem = heap_format("table %s (%" PRIu64 " bytes): %s", name,
                                       pattern_entries(request->pattern), problem);
        return false;
    }
    pages_freeze(values, pattern_bytes(request->pattern));
    *request->table = (struct pattern_table){.pattern = *request->pattern,
                                             .entries = pattern_entries(request->pattern),
                                             .values = values,
                                             .built = true,
                                             .build_seconds = clock_wall() - start};
    return true;
}

/* Writes the values to the locked file and gives it its final name. */
static bool save(const struct request *request, int file)
{
    static const uint8_t zeros[HEADER];
    const struct header header = header_of(request->pattern, request->table->values);
    FILE *stream = ftruncate(file, 0) == 0 ? fdopen(dup(file), "w") : NULL;
    if (stream == NULL)
        return false;
    bool fine = fwrite(&header, sizeof header, 1, stream) == 1 &&
                fwrite(zeros, HEADER - sizeof header, 1, stream) == 1 &&
                fwrite(request->table->values, pattern_bytes(request->pattern), 1, stream) == 1 &&
                fflush(stream) == 0 && fsync(fileno(stream)) == 0;
    const int reason = errno;
    fine = fclose(stream) == 0 && fine;
    if (!fine)
        errno = reason;
    return fine && renameat(request->place, request->part, request->place, request->name) == 0;
}

/* Opens the folder, and makes it if it does not exist; false, with the reason reported, if it is
 * not used. What is made is writable only by its owner, whatever the umask. */
static bool open_place(struct request *request)
{
    const char *path = pattern_store_place();
    SCOPED char *problem = NULL;
    if (path == NULL)
        return false;
    const mode_t mask = umask(0);
    umask(mask | S_IWGRP | S_IWOTH);
    const bool made = folders_make(path);
    const int reason = errno;
    umask(mask);
    errno = reason;
    if (!made) {
        say_unwritable(request, path);
        return false;
    }
    request->place = open_folder(path, &problem);
    if (problem != NULL)
        say_memory_only(request, path, problem);
    return request->place >= 0;
}

/* Fills the table from its file or builds it. */
static bool fill(struct request *request)
{
    int file = -1;
    enum lock lock = TRY_AGAIN;
    if (!open_place(request))
        return build(request);
    if (load(request, true))
        return true;
    while (lock == TRY_AGAIN) {
        lock = lock_part(request, &file);
        if (lock == STOPPED) {
            request->problem = heap_text("stopped");
            return false;
        }
        if (lock == UNLOCKABLE)
            return build(request);
        if (load(request, false)) {
            if (lock == LOCKED) {
                unlinkat(request->place, request->part, 0);
                close(file);
            }
            return true;
        }
    }
    const bool fine = build(request);
    request->kept = fine && save(request, file);
    if (fine && !request->kept)
        say_unwritable(request, request->path);
    if (!request->kept)
        unlinkat(request->place, request->part, 0);
    close(file);
    return fine;
}

/* Puts the bits of a table that was built in the place of its values; false if memory runs out. */
static bool turn_to_bits(struct request *request)
{
    struct pattern_table *table = request->table;
    uint8_t *bits = pages_take(pattern_bits_bytes(table->entries));
    if (bits != NULL) {
        pattern_bits_enter(bits, 0, table->values, table->entries);
        pages_freeze(bits, pattern_bits_bytes(table->entries));
    } else {
        SCOPED char *name = pattern_name(request->pattern);
        request->problem = heap_format("the bits of table %s (%" PRIu64 " bytes): %s", name,
                                       pattern_bits_bytes(table->entries), "not enough memory");
    }
    pattern_file_end(table);
    table->bits = bits;
    return bits != NULL;
}

static const struct pattern_sets *hold_sets(struct shape shape, unsigned count)
{
    for (const struct held_sets *at = all_sets; at != NULL; at = at->next)
        if (shape_equal(at->sets->shape, shape) && at->sets->count == count)
            return at->sets;
    struct held_sets *added = heap_take(1, sizeof *added);
    *added = (struct held_sets){pattern_sets_make(shape, count), all_sets};
    all_sets = added;
    return added->sets;
}

const struct pattern_table *pattern_table_hold(const struct pattern *canonical, bool onebit,
                                               const struct pattern_watcher *watcher,
                                               char **problem)
{
    assert(!onebit || canonical->kind == PATTERN_ZERO_AWARE);
    for (struct held *at = tables; at != NULL; at = at->next)
        if (memcmp(&at->table.pattern, canonical, sizeof *canonical) == 0 &&
            (at->table.bits != NULL) == onebit)
            return &at->table;
    struct held *added = heap_take(1, sizeof *added);
    struct request request = {.pattern = canonical,
                              .onebit = onebit,
                              .watcher = watcher,
                              .table = &added->table,
                              .place = -1};
    const char *place = pattern_store_place();
    if (place != NULL) {
        SCOPED char *name = pattern_name(canonical);
        request.path = heap_format("%s/%s.pdb", place, name);
        request.name = request.path + strlen(place) + 1;
        request.part = heap_format("%s.part", request.name);
    }
    bool fine = fill(&request);
    if (fine && onebit && added->table.bits == NULL)
        fine = turn_to_bits(&request);
    if (request.place >= 0)
        close(request.place);
    free(request.part);
    if (!fine) {
        *problem = request.problem;
        free(request.path);
        free(added);
        return NULL;
    }
    if (!request.kept) {
        free(request.path);
        request.path = NULL;
    }
    added->table.path = request.path;
    if (canonical->kind == PATTERN_ZERO_AWARE)
        added->table.sets = hold_sets(canonical->shape, canonical->count);
    added->next = tables;
    tables = added;
    return &added->table;
}

const struct pattern_table *pattern_store_table(unsigned number)
{
    const struct held *at = tables;
    while (at != NULL && number-- > 0)
        at = at->next;
    return at == NULL ? NULL : &at->table;
}

void pattern_store_end(void)
{
    while (tables != NULL) {
        struct held *taken = tables;
        tables = taken->next;
        pattern_file_end(&taken->table);
        free(taken->table.path);
        free(taken);
    }
    while (all_sets != NULL) {
        SCOPED struct held_sets *taken = all_sets;
        all_sets = taken->next;
        pattern_sets_end(taken->sets);
    }
}
