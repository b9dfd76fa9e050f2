#include "harness/results/folder.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/results/record.h"
#include "harness/text/human.h"
#include "instances/csv.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A run of the matrix by its id, sorted for looking up. */
struct known_run {
    char id[RUN_ID_BYTES];
    size_t index;
};

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct known_run *)a)->id, ((const struct known_run *)b)->id);
}

static struct known_run *known_runs(const struct experiment *experiment, size_t count)
{
    struct known_run *known = heap_take(count, sizeof *known);
    for (size_t i = 0; i < count; i++) {
        struct run run = experiment_run(experiment, i);
        const struct experiment_solver *solver = &experiment->solvers[run.solver];
        record_run_id(&experiment->instances.items[run.instance], solver->text, experiment->order,
                      &solver->limits, run.repetition, known[i].id);
        known[i].index = i;
    }
    qsort(known, count, sizeof *known, by_id);
    return known;
}

bool folder_set_aside(const char *path, const char *what)
{
    for (unsigned i = 1; i < 10000; i++) {
        char *aside = heap_format("%s.%u", path, i);
        bool is_free = access(aside, F_OK) != 0;
        bool fine = is_free && rename(path, aside) == 0;
        if (fine)
            fprintf(stderr, "tilelab: %s set aside in %s\n", what, aside);
        free(aside);
        if (is_free)
            return fine;
    }
    errno = EEXIST;
    return false;
}

/* Cuts what stands behind the last line end. */
static bool mend_tail(int file, const char *path)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return false;
    off_t end = status.st_size;
    char last = '\n';
    while (end > 0 && pread(file, &last, 1, end - 1) == 1 && last != '\n')
        end--;
    if (end == status.st_size)
        return true;
    fprintf(stderr,
            "tilelab: %s ended in the middle of a row; the torn row (%lld bytes) was removed and "
            "will be run again\n",
            path, (long long)(status.st_size - end));
    return ftruncate(file, end) == 0;
}

/* Where the cells stand that read_rows needs; looked up once for all rows. */
struct places {
    size_t run_id, status, length, h_start, counters[COUNTERS];
};

/* False, with the problem in the reader's report, when one is missing. */
static bool find_places(struct csv *csv, struct places *places)
{
    places->run_id = csv_need(csv, "run_id");
    places->status = csv_need(csv, "status");
    places->length = csv_need(csv, "length");
    places->h_start = csv_need(csv, "h_start");
    bool all = places->run_id != CSV_NONE && places->status != CSV_NONE &&
               places->length != CSV_NONE && places->h_start != CSV_NONE;
    for (unsigned i = 0; i < COUNTERS; i++) {
        places->counters[i] = csv_need(csv, counters[i].name);
        all = all && places->counters[i] != CSV_NONE;
    }
    return all;
}

/* A number of a row; `otherwise` where the cell is empty. */
static int64_t row_number(const struct csv *csv, size_t place, int64_t otherwise)
{
    const char *text = csv->fields[place].text;
    return text[0] == '\0' ? otherwise : strtoll(text, NULL, 10);
}

/* What a row says of its run, without the path. */
static struct result result_of_row(const struct csv *csv, const struct places *places)
{
    struct result result = {.status = STATUS_crashed,
                            .length = (size_t)row_number(csv, places->length, 0),
                            .h_start = (int)row_number(csv, places->h_start, -1)};
    uint64_t values[COUNTERS];
    for (unsigned i = 0; i < STATUSES; i++)
        if (strcmp(csv->fields[places->status].text, status_rows[i].name) == 0)
            result.status = (enum status)i;
    for (unsigned i = 0; i < COUNTERS; i++)
        values[i] = (uint64_t)row_number(csv, places->counters[i], 0);
    memcpy(&result.statistics, values, sizeof values);
    return result;
}

/* Reads the rows that are there: marks those of the matrix, counts the others. False when the file
 * is not ours. */
static bool read_rows(struct folder *folder, const char *path, const struct experiment *experiment,
                      bool *done, struct cross *cross, size_t *foreign)
{
    struct report report;
    struct csv csv;
    *foreign = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "tilelab: %s cannot be read: %s\n", path, strerror(errno));
        return false;
    }
    size_t count = experiment_run_count(experiment);
    struct known_run *known = known_runs(experiment, count);
    report_start(&report, path);
    struct places places;
    bool fine = csv_start(&csv, file, 0, &report) && find_places(&csv, &places);
    while (fine && csv_next(&csv)) {
        struct known_run key = {.index = 0};
        snprintf(key.id, sizeof key.id, "%s", csv.fields[places.run_id].text);
        const struct known_run *found = bsearch(&key, known, count, sizeof *known, by_id);
        if (found == NULL) {
            ++*foreign;
            continue;
        }
        done[found->index] = true;
        struct result result = result_of_row(&csv, &places);
        char *why = cross_check(cross, found->index, &result);
        if (why != NULL)
            fprintf(stderr, "tilelab: %s:%zu: %s\n", path, csv.fields[places.run_id].line, why);
        folder->solved += result.status == STATUS_solved;
        folder->findings +=
            why != NULL || result.status == STATUS_crashed || result.status == STATUS_wrong_answer;
        free(why);
    }
    fine = fine && report.count == 0;
    if (report.count > 0)
        fputs(report.text, stderr);
    csv_end(&csv);
    report_end(&report);
    fclose(file);
    free(known);
    return fine;
}

/* Locks the folder and leaves this process's number in it. Where another process holds it, says
 * which. A tilelab that was killed lets go when the last of its workers is gone, which can take a
 * moment. */
static int lock_folder(struct folder *folder)
{
    const struct timespec moment = {0, 20 * 1000 * 1000};
    char *path = heap_format("%s/.lock", folder->path);
    char holder[32] = "";
    bool locked = false;
    folder->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int why = errno;
    for (unsigned tries = 0; folder->lock >= 0 && !locked && tries < 50; tries++) {
        locked = flock(folder->lock, LOCK_EX | LOCK_NB) == 0;
        if (!locked)
            nanosleep(&moment, NULL);
    }
    if (folder->lock < 0) {
        fprintf(stderr, "tilelab: %s cannot be written: %s\n", path, strerror(why));
    } else if (!locked) {
        ssize_t got = pread(folder->lock, holder, sizeof holder - 1, 0);
        holder[got < 0 ? 0 : strcspn(holder, "\n")] = '\0';
        fprintf(stderr,
                "tilelab: %s is being written by another tilelab, process %s; wait for it or "
                "choose another folder with --output\n",
                folder->path, holder[0] == '\0' ? "unknown" : holder);
    } else if (ftruncate(folder->lock, 0) != 0 ||
               dprintf(folder->lock, "%ld\n", (long)getpid()) < 0) {
        fprintf(stderr, "tilelab: %s cannot be written: %s\n", path, strerror(errno));
        locked = false;
    }
    free(path);
    return locked ? EXIT_DONE : folder->lock >= 0 && holder[0] != '\0' ? EXIT_USAGE : EXIT_FAILED;
}

/* Whether a file begins with our header, or is the beginning of it. Nothing is changed in a file
 * that is not ours. */
static bool is_ours(int file)
{
    char *header = record_header();
    size_t length = strlen(header);
    char *begins = heap_take(length, 1);
    ssize_t got = pread(file, begins, length, 0);
    bool ours = got >= 0 && memcmp(begins, header, (size_t)got) == 0;
    free(begins);
    free(header);
    return ours;
}

static int open_rows(struct folder *folder, const char *path, const struct experiment *experiment,
                     enum foreign_rows foreign, bool *done, struct cross *cross)
{
    struct stat status;
    size_t others;
    if (foreign == FOREIGN_SET_ASIDE && stat(path, &status) == 0 && status.st_size > 0 &&
        !folder_set_aside(path, "the earlier rows are")) {
        fprintf(stderr, "tilelab: %s cannot be set aside: %s\n", path, strerror(errno));
        return EXIT_FAILED;
    }
    folder->file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (folder->file < 0) {
        fprintf(stderr, "tilelab: %s cannot be written: %s\n", path, strerror(errno));
        return EXIT_FAILED;
    }
    if (!is_ours(folder->file)) {
        fprintf(stderr,
                "tilelab: %s:1:1: the columns are not those that this version writes; use --fresh "
                "to set the file aside and begin anew\n",
                path);
        return EXIT_USAGE;
    }
    if (!mend_tail(folder->file, path) || fstat(folder->file, &status) != 0) {
        fprintf(stderr, "tilelab: %s cannot be mended: %s\n", path, strerror(errno));
        return EXIT_FAILED;
    }
    if (status.st_size == 0) {
        char *header = record_header();
        bool fine = folder_append(folder, header);
        free(header);
        if (!fine)
            fprintf(stderr, "tilelab: %s cannot be written: %s\n", path, strerror(errno));
        return fine ? EXIT_DONE : EXIT_FAILED;
    }
    if (!read_rows(folder, path, experiment, done, cross, &others))
        return EXIT_USAGE;
    if (others > 0 && foreign == FOREIGN_REFUSE) {
        fprintf(stderr,
                "tilelab: %s holds %zu row%s of other runs than this experiment's (another build, "
                "or changed solvers, limits or instances); use --fresh to set the file aside and "
                "begin anew, or --keep to leave the rows where they are\n",
                path, others, plural(others));
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

int folder_open(struct folder *folder, const char *path, const struct experiment *experiment,
                enum foreign_rows foreign, bool *done, struct cross *cross)
{
    *folder = (struct folder){.path = heap_text(path), .lock = -1, .file = -1};
    if (!folders_make(path)) {
        fprintf(stderr, "tilelab: the results folder %s cannot be made: %s\n", path,
                strerror(errno));
        folder_close(folder);
        return EXIT_FAILED;
    }
    char *rows = heap_format("%s/runs.csv", path);
    int code = lock_folder(folder);
    if (code == EXIT_DONE)
        code = open_rows(folder, rows, experiment, foreign, done, cross);
    free(rows);
    if (code != EXIT_DONE)
        folder_close(folder);
    return code;
}

bool folder_append(const struct folder *folder, const char *line)
{
    size_t length = strlen(line);
    off_t before = lseek(folder->file, 0, SEEK_END);
    ssize_t written = write(folder->file, line, length);
    if (written == (ssize_t)length)
        return true;
    int why = written < 0 ? errno : ENOSPC;
    if (written > 0 && before >= 0 && ftruncate(folder->file, before) != 0)
        why = errno;
    errno = why;
    return false;
}

bool folder_sync(const struct folder *folder)
{
    return fdatasync(folder->file) == 0 || errno == EINVAL; /* EINVAL: no disk behind it */
}

bool folder_write(const struct folder *folder, const char *name, const char *text, size_t length)
{
    char *path = heap_format("%s/%s", folder->path, name);
    const bool fine = file_write(path, text, length);
    const int why = errno;
    free(path);
    errno = why;
    return fine;
}

void folder_close(struct folder *folder)
{
    if (folder->file >= 0)
        close(folder->file);
    if (folder->lock >= 0)
        close(folder->lock);
    free(folder->path);
    *folder = (struct folder){.lock = -1, .file = -1};
}
