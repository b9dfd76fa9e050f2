#include "harness/results/folder.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/results/datapackage.h"
#include "harness/results/record.h"
#include "harness/results/shard_folders.h"
#include "harness/results/side_table.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { BLOCK = 1 << 20, MAX_ASIDE = 10000 };

/* ---- Whose folder it is ---- */

/* What any version's runs.csv begins with. */
static const char any_header[] = "run_id,experiment,set,instance,";

/* Whether a folder holds a runs.csv of any version. */
static bool has_our_rows(const char *path)
{
    const char *why;
    char begins[sizeof any_header] = "";
    SCOPED char *name = heap_format("%s/runs.csv", path);
    SCOPED_BY(stream_end) FILE *file = file_open(name, &why);
    if (file == NULL)
        return false;
    const size_t got = fread(begins, 1, sizeof begins - 1, file);
    return got == sizeof begins - 1 && strcmp(begins, any_header) == 0;
}

/* Whether a shard wrote to the folder. */
static bool has_our_shards(const char *path)
{
    SCOPED_BY(shard_folders_end) struct shard_folders shards = shard_folders_list(path);
    bool ours = false;
    for (size_t i = 0; !ours && i < shards.count; i++) {
        SCOPED char *folder = shard_folder(path, shards.items[i]);
        ours = has_our_rows(folder);
    }
    return ours;
}

enum manifest_news { MANIFEST_NONE, MANIFEST_OURS, MANIFEST_BROKEN, MANIFEST_REFUSED };

/* Whether the folder's manifest.json, if any, is ours. If not, returns why, in heap memory. */
static enum manifest_news look_at_manifest(const char *path, char **reason)
{
    struct stat status;
    const char *why;
    json_error_t error;
    SCOPED char *name = heap_format("%s/manifest.json", path);
    const bool there = lstat(name, &status) == 0;
    SCOPED_BY(stream_end) FILE *file = there ? file_open_own(name, &why) : NULL;
    json_auto_t *manifest = file == NULL ? NULL : json_loadf(file, 0, &error);
    const bool ours = json_object_get(manifest, "tilelab") != NULL;
    *reason = NULL;
    if (there && file == NULL)
        *reason = heap_format("%s cannot be read: %s", name, why);
    else if (there && manifest == NULL)
        *reason = heap_format("%s:%d:%d: %s", name, error.line, error.column, error.text);
    else if (there && !ours)
        *reason = heap_format("%s has no key \"tilelab\"", name);
    const bool broken = file != NULL && manifest == NULL;
    return !there   ? MANIFEST_NONE
           : ours   ? MANIFEST_OURS
           : broken ? MANIFEST_BROKEN
                    : MANIFEST_REFUSED;
}

/* Whether a file can be a leftover of a call of tilelab that ended early. runs.csv is checked when
 * it is opened. */
static bool is_leftover(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, ".lock") == 0 ||
           strcmp(name, "shards") == 0 || strcmp(name, "submit") == 0 ||
           strncmp(name, "runs.csv", strlen("runs.csv")) == 0 ||
           (name[0] == '.' && file_ends(name, ".part"));
}

/* Whether `tilelab run`, `merge` and `submit` write files of this name. */
static bool is_written(const char *name)
{
    enum { NAMES = 3 };
    static const char *const names[NAMES] = {"manifest.json", "experiment.yaml", DATAPACKAGE_FILE};
    bool written =
        (name[0] == '.' && file_ends(name, ".part")) || WORD_PLACE(names, NAMES, name) < NAMES;
    if (file_ends(name, ".csv"))
        written = strncmp(name, "expected-", strlen("expected-")) == 0;
    for (size_t i = 0; i < TABLES; i++) {
        const size_t stem = strlen(table_schemas[i].name);
        written = written || (strncmp(name, table_schemas[i].name, stem) == 0 &&
                              strcmp(name + stem, ".csv") == 0);
    }
    return written;
}

/* Whether a name in the folder may be written to as it is: ours are regular files and folders, no
 * links. Says what is wrong. */
static bool is_usable(const char *path, const char *name, struct display *display)
{
    struct stat status;
    SCOPED char *whole = heap_format("%s/%s", path, name);
    enum { FOLDERS = 5 };
    static const char *const folders[FOLDERS] = {"shards", "submit", "builds", "logs",
                                                 "checkpoints"};
    const char *why = NULL;
    if (WORD_PLACE(folders, FOLDERS, name) < FOLDERS && lstat(whole, &status) == 0 &&
        !S_ISDIR(status.st_mode))
        why = S_ISLNK(status.st_mode) ? "it is a link; expected a folder"
                                      : "it is a file; expected a folder";
    else if (is_written(name) && !file_may_write(whole))
        why = file_problem(errno);
    if (why != NULL)
        display_say(display, "%s: %s. Move it away or choose another folder with --output", whole,
                    why);
    return why == NULL;
}

/* Whether every name in the folder may be written to. */
static bool all_usable(const char *path, struct display *display)
{
    bool fine = true;
    SCOPED_BY(listing_end) DIR *entries = opendir(path);
    for (const struct dirent *entry; entries != NULL && fine && (entry = readdir(entries)) != NULL;)
        fine = is_usable(path, entry->d_name, display);
    return fine;
}

/* The name of a file in the folder that is not a leftover, in heap memory; NULL if there is none.
 */
static char *find_stranger(const char *path)
{
    char *found = NULL;
    SCOPED_BY(listing_end) DIR *entries = opendir(path);
    for (const struct dirent *entry;
         entries != NULL && found == NULL && (entry = readdir(entries)) != NULL;)
        if (!is_leftover(entry->d_name))
            found = heap_text(entry->d_name);
    return found;
}

enum ending folder_claim(const char *path, struct display *display)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        if (folders_make(path))
            return ENDING_DONE;
        display_say(display, "the results folder %s cannot be made: %s", path, strerror(errno));
        return ENDING_FAILED;
    }
    SCOPED char *reason = NULL;
    /* In this order: another tilelab, such as another shard, may begin the folder meanwhile, and
     * its manifest is the first file of it. */
    SCOPED char *stranger = find_stranger(path);
    const enum manifest_news manifest = look_at_manifest(path, &reason);
    if (manifest == MANIFEST_OURS || has_our_rows(path) || has_our_shards(path)) {
        free(stranger);
        stranger = NULL;
    }
    enum ending ending = ENDING_REFUSED;
    if (stranger != NULL)
        display_say(
            display,
            "%s is not a results folder: it holds %s, and neither a runs.csv nor a "
            "manifest.json that tilelab wrote; nothing in it was changed. Choose a new or an "
            "empty folder with --output",
            path, stranger);
    else if (manifest == MANIFEST_REFUSED) /* a broken one is set aside: execution/manifest.h */
        display_say(display,
                    "%s; expected the manifest that tilelab wrote. Put it back or move it "
                    "away, or choose another folder with --output",
                    reason);
    else if (all_usable(path, display))
        ending = ENDING_DONE;
    return ending;
}

/* ---- runs.csv as a file ---- */

/* The offset after the last line end; -1 with errno. Reads blocks from the end. */
static off_t end_of_rows(int file, off_t size)
{
    SCOPED char *block = heap_take(BLOCK, 1);
    off_t end = size;
    while (end > 0) {
        const size_t length = end < BLOCK ? (size_t)end : BLOCK;
        const ssize_t got = pread(file, block, length, end - (off_t)length);
        if (got != (ssize_t)length) {
            errno = got < 0 ? errno : EIO;
            end = -1;
            break;
        }
        const char *newline = memrchr(block, '\n', length);
        end -= (off_t)length;
        if (newline != NULL) {
            end += newline - block + 1;
            break;
        }
    }
    return end;
}

/* Removes whatever follows the last line end. */
static bool mend_tail(const struct folder *folder)
{
    struct stat status;
    if (fstat(folder->file, &status) != 0)
        return false;
    const off_t end = end_of_rows(folder->file, status.st_size);
    if (end < 0 || end == status.st_size)
        return end >= 0;
    display_note(folder->display,
                 "%s ended in the middle of a row; the torn row (%lld bytes) was removed and "
                 "will be run again",
                 folder->rows, (long long)(status.st_size - end));
    return ftruncate(folder->file, end) == 0;
}

bool folder_set_aside(const char *path, const char *what, struct display *display)
{
    struct stat status;
    bool is_free = lstat(path, &status) != 0;
    bool fine = is_free;
    for (unsigned i = 1; !is_free && i < MAX_ASIDE; i++) {
        SCOPED char *aside = heap_format("%s.%u", path, i);
        is_free = lstat(aside, &status) != 0;
        fine = is_free && rename(path, aside) == 0;
        if (fine)
            display_note(display, "%s set aside in %s", what, aside);
    }
    if (!fine)
        display_say(display, "%s cannot be set aside: %s", path,
                    strerror(is_free ? errno : EEXIST));
    return fine;
}

/* The process that holds the lock on a file, as the system lists it; 0 if it is not known. */
static long lock_holder(int file)
{
    struct stat status;
    char line[256];
    long holder = 0;
    SCOPED_BY(stream_end)
    FILE *locks = fstat(file, &status) == 0 ? fopen("/proc/locks", "r") : NULL;
    while (locks != NULL && holder == 0 && fgets(line, sizeof line, locks) != NULL) {
        long process;
        uintmax_t number;
        if (sscanf(line, "%*d: FLOCK %*s WRITE %ld %*x:%*x:%ju", &process, &number) == 2 &&
            number == (uintmax_t)status.st_ino)
            holder = process;
    }
    return holder;
}

/* Whether to keep waiting for a lock: for one second. */
static bool waits(void *context)
{
    unsigned *tries = context;
    return ++*tries < 50;
}

/* Locks an open runs.csv. A killed tilelab releases the lock when the last of its workers is gone,
 * which can take a moment. */
static enum ending lock_rows(const struct folder *folder, int file)
{
    unsigned tries = 0;
    if (file_lock(file, waits, &tries))
        return ENDING_DONE;
    if (errno != EWOULDBLOCK) {
        display_say(folder->display, "%s cannot be locked: %s", folder->rows, strerror(errno));
        return ENDING_FAILED;
    }
    const long holder = lock_holder(file);
    SCOPED char *name =
        holder > 0 ? heap_format("process %ld", holder) : heap_text("process unknown");
    display_say(folder->display,
                "%s is being written by another tilelab, %s; wait for it or choose another "
                "folder with --output",
                folder->path, name);
    return ENDING_REFUSED;
}

/* Opens runs.csv, creating it if it is missing, and locks it. Follows no link, and neither writes
 * to nor waits for anything but a regular file. */
static enum ending open_and_lock(struct folder *folder)
{
    struct stat status;
    for (unsigned tries = 0; tries < 100; tries++) {
        folder->file = open(
            folder->rows, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (folder->file < 0) {
            display_say(folder->display, "%s cannot be written: %s", folder->rows,
                        file_problem(errno));
            return ENDING_FAILED;
        }
        if (fstat(folder->file, &status) == 0 && !S_ISREG(status.st_mode)) {
            display_say(folder->display, "%s: %s", folder->rows, file_problem(ENODEV));
            return ENDING_REFUSED;
        }
        const enum ending ending = lock_rows(folder, folder->file);
        if (ending != ENDING_DONE || file_is_named(folder->file, folder->rows))
            return ending;
        close(folder->file); /* it was renamed before the lock was ours */
        folder->file = -1;
    }
    display_say(folder->display, "%s is renamed again and again by another program", folder->rows);
    return ENDING_FAILED;
}

/* Whether a file begins with our header, or is the beginning of it; a spreadsheet may have put a
 * carriage return behind it. Nothing is changed in a file that is not ours. */
static bool has_header(int file)
{
    SCOPED char *header = side_table_header(TABLE_RUNS);
    const size_t length = strlen(header);
    SCOPED char *begins = heap_take(length, 1);
    const ssize_t got = pread(file, begins, length, 0);
    if (got == (ssize_t)length && begins[length - 1] == '\r')
        begins[length - 1] = '\n';
    return got >= 0 && memcmp(begins, header, (size_t)got) == 0;
}

/* ---- Opening ---- */

/* Begins the hash anew with what is in the file up to its size. */
static void hash_file(const struct folder *folder, XXH3_state_t *state)
{
    enum { PIECE = 1 << 16 }; /* small: the memory of a run does not grow with its rows */
    SCOPED char *block = heap_take(PIECE, 1);
    if (XXH3_64bits_reset(state) != XXH_OK)
        heap_exhausted();
    for (off_t at = 0; at < folder->size;) {
        const off_t left = folder->size - at;
        const ssize_t got = pread(folder->file, block, left < PIECE ? (size_t)left : PIECE, at);
        if (got <= 0)
            break;
        XXH3_64bits_update(state, block, (size_t)got);
        at += got;
    }
}

static XXH3_state_t *new_hash(void)
{
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        heap_exhausted();
    return state;
}

/* Whether the file holds what was written, byte by byte. */
static bool is_as_written(const struct folder *folder)
{
    XXH3_state_t *present = new_hash();
    hash_file(folder, present);
    const bool same = XXH3_64bits_digest(present) == XXH3_64bits_digest(folder->hash);
    XXH3_freeState(present);
    return same;
}

/* Opens runs.csv, locked, mended and not of another version; status.st_size is what is in it. */
static enum ending open_rows(struct folder *folder, bool fresh, struct stat *status)
{
    enum ending ending = open_and_lock(folder);
    if (ending != ENDING_DONE)
        return ending;
    if (fresh && fstat(folder->file, status) == 0 && status->st_size > 0) {
        if (!folder_set_aside(folder->rows, "the earlier rows are", folder->display))
            return ENDING_FAILED;
        close(folder->file);
        folder->file = -1;
        ending = open_and_lock(folder);
        if (ending != ENDING_DONE)
            return ending;
    }
    if (!has_header(folder->file)) {
        display_say(folder->display,
                    "%s:1:1: the columns are not those that this version writes; use --fresh to "
                    "set the file aside and start afresh",
                    folder->rows);
        return ENDING_REFUSED;
    }
    if (mend_tail(folder) && fstat(folder->file, status) == 0)
        return ENDING_DONE;
    display_say(folder->display, "%s cannot be mended: %s", folder->rows, strerror(errno));
    return ENDING_FAILED;
}

static enum ending begin_rows(struct folder *folder)
{
    SCOPED char *header = side_table_header(TABLE_RUNS);
    const bool fine = folder_append(folder, header);
    if (!fine)
        display_say(folder->display, "%s cannot be written: %s", folder->rows, strerror(errno));
    return fine ? ENDING_DONE : ENDING_FAILED;
}

enum ending folder_open(struct folder *folder, const char *path, bool fresh,
                        struct display *display)
{
    struct stat status;
    *folder = (struct folder){.display = display,
                              .path = heap_text(path),
                              .rows = heap_format("%s/runs.csv", path),
                              .hash = new_hash(),
                              .file = -1};
    enum ending ending = folder_claim(path, display);
    if (ending == ENDING_DONE)
        ending = open_rows(folder, fresh, &status);
    if (ending == ENDING_DONE) {
        folder->size = status.st_size;
        hash_file(folder, folder->hash); /* before the rows are checked */
        if (folder->size == 0)
            ending = begin_rows(folder);
    }
    if (ending != ENDING_DONE)
        folder_close(folder);
    return ending;
}

FILE *folder_rows(const struct folder *folder)
{
    const int file = dup(folder->file);
    FILE *stream = file < 0 ? NULL : fdopen(file, "r");
    if (stream != NULL)
        rewind(stream);
    return stream;
}

bool folder_replace(struct folder *folder, bool (*write)(FILE *out, void *context), void *context)
{
    SCOPED char *part = heap_format("%s/.runs.csv.part", folder->path);
    unlink(part); /* what a killed call left: nobody else writes here */
    const int file =
        open(part, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *out = file < 0 ? NULL : fdopen(dup(file), "w");
    const bool fine = out != NULL && write(out, context) && fflush(out) == 0 &&
                      (fsync(file) == 0 || errno == EINVAL) &&
                      flock(file, LOCK_EX | LOCK_NB) == 0 && rename(part, folder->rows) == 0;
    const int why = errno;
    if (out != NULL)
        fclose(out);
    if (fine) {
        struct stat status;
        close(folder->file);
        folder->file = file;
        folder->size = fstat(file, &status) == 0 ? status.st_size : 0;
        hash_file(folder, folder->hash);
    } else if (file >= 0) {
        unlink(part);
        close(file);
    }
    errno = why;
    return fine;
}

/* ---- While it is written ---- */

/* What another program did to the file that rows are written to; NULL: nothing. */
static const char *what_happened(const struct folder *folder)
{
    struct stat own;
    struct stat named;
    if (fstat(folder->file, &own) != 0)
        return NULL;
    if (lstat(folder->rows, &named) != 0)
        return errno == ENOENT || errno == ENOTDIR ? "renamed or removed" : NULL;
    if (own.st_ino != named.st_ino || own.st_dev != named.st_dev)
        return "replaced";
    return own.st_size < folder->size   ? "cut short"
           : own.st_size > folder->size ? "written to"
                                        : NULL;
}

/* Creates the first of runs.csv.1, runs.csv.2, .. that does not exist, and the folder if that is
 * gone too. Writes the file's name to `name` (heap memory). -1 with errno. */
static int make_aside(const struct folder *folder, char **name)
{
    *name = NULL;
    if (!folders_make(folder->path))
        return -1;
    for (unsigned i = 1; i < MAX_ASIDE; i++) {
        *name = heap_format("%s/runs.csv.%u", folder->path, i);
        const int file =
            open(*name, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file >= 0)
            return file;
        const int why = errno;
        free(*name);
        *name = NULL;
        errno = why;
        if (why != EEXIST)
            break;
    }
    return -1;
}

/* Copies the whole rows of a file. */
static bool copy_rows(int from, int to, off_t *size)
{
    struct stat status;
    *size = fstat(from, &status) == 0 ? end_of_rows(from, status.st_size) : -1;
    SCOPED char *block = heap_take(BLOCK, 1);
    bool fine = *size >= 0;
    for (off_t at = 0; fine && at < *size;) {
        const off_t left = *size - at;
        const ssize_t got = pread(from, block, left < BLOCK ? (size_t)left : BLOCK, at);
        fine = got > 0 && file_write_all(to, block, (size_t)got);
        at += got;
    }
    return fine && (fsync(to) == 0 || errno == EINVAL);
}

/* Saves the rows of the open file beside runs.csv, where later rows will follow, and notes what to
 * report. */
static void step_aside(struct folder *folder, const char *happened)
{
    char *name;
    off_t size;
    const int file = make_aside(folder, &name);
    const bool copied = file >= 0 && copy_rows(folder->file, file, &size);
    const int why = errno;
    free(folder->moved);
    if (!copied) {
        folder->moved = heap_format(
            "%s was %s by another program while tilelab wrote to it, and the rows cannot be saved "
            "beside it: %s; rows may be missing. Running again makes those again",
            folder->rows, happened, strerror(why));
        if (file >= 0) {
            unlink(name);
            close(file);
        }
        free(name);
        return;
    }
    folder->moved = heap_format(
        "%s was %s by another program while tilelab wrote to it; the run stops. All rows that the "
        "file held, and those that came since, are in %s. To go on from there, give that file the "
        "name %s/runs.csv and run again",
        folder->rows, happened, name, folder->path);
    flock(file, LOCK_EX | LOCK_NB);
    close(folder->file);
    free(folder->rows);
    folder->file = file;
    folder->rows = name;
    folder->size = size;
    hash_file(folder, folder->hash);
}

/* Lines that change, and the file that they are in. */
struct change {
    const struct folder *folder;
    const struct new_line *lines;
    size_t count;
};

static bool write_changed(FILE *out, void *context)
{
    const struct change *change = context;
    const struct new_line *next = change->lines;
    const struct new_line *end = next + change->count;
    SCOPED char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;
    FILE *stream = folder_rows(change->folder);
    bool fine = stream != NULL;
    for (size_t number = 1; fine && (length = getline(&line, &room, stream)) > 0; number++) {
        if (next < end && next->number == number)
            fine = fputs(next++->text, out) >= 0;
        else
            fine = fwrite(line, 1, (size_t)length, out) == (size_t)length;
    }
    fine = fine && !ferror(stream);
    while (fine && next < end)
        fine = fputs(next++->text, out) >= 0;
    const int why = errno;
    if (stream != NULL)
        fclose(stream);
    errno = why;
    return fine;
}

bool folder_change(struct folder *folder, const struct new_line *lines, size_t count)
{
    const char *happened = what_happened(folder);
    if (happened != NULL)
        step_aside(folder, happened);
    struct change change = {folder, lines, count};
    return folder_replace(folder, write_changed, &change);
}

bool folder_append(struct folder *folder, const char *line)
{
    const size_t length = strlen(line);
    const off_t end = lseek(folder->file, 0, SEEK_END);
    if (end >= 0 && end != folder->size)
        step_aside(folder, end < folder->size ? "cut short" : "written to");
    if (file_write_all(folder->file, line, length)) {
        folder->size += (off_t)length;
        XXH3_64bits_update(folder->hash, line, length);
        return true;
    }
    int why = errno;
    if (ftruncate(folder->file, folder->size) != 0)
        why = errno;
    errno = why;
    return false;
}

char *folder_sync(struct folder *folder, bool at_end)
{
    const bool synced = fdatasync(folder->file) == 0 || errno == EINVAL; /* EINVAL: no disk */
    const int why = errno;
    const char *happened = what_happened(folder);
    if (happened != NULL)
        step_aside(folder, happened);
    char *said = folder->moved;
    folder->moved = NULL;
    if (said == NULL && at_end && !is_as_written(folder))
        said = heap_format("%s was edited by another program while tilelab wrote to it: its rows "
                           "are not those that were written. Running again names the lines",
                           folder->rows);
    if (said == NULL && !synced)
        said = heap_format("%s cannot be written to the disk: %s", folder->rows, strerror(why));
    return said;
}

void folder_beat(const struct folder *folder)
{
    futimens(folder->file, NULL); /* where that fails, no more than this sign is missing */
}

bool folder_write(const struct folder *folder, const char *name, const char *text, size_t length)
{
    SCOPED char *path = heap_format("%s/%s", folder->path, name);
    return file_write(path, text, length);
}

void folder_close(struct folder *folder)
{
    if (folder->file >= 0)
        close(folder->file);
    FREE(folder->path, folder->rows, folder->moved);
    XXH3_freeState(folder->hash);
    *folder = (struct folder){.file = -1};
}
