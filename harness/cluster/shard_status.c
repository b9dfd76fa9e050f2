#include "harness/cluster/shard_status.h"
#include "base/heap.h"
#include "harness/execution/manifest.h"
#include "harness/execution/scheduler.h"
#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const shard_state_names[SHARD_STATES] = {
    [SHARD_DONE] = "done",
    [SHARD_RUNNING] = "running",
    [SHARD_FAILED] = "failed",
    [SHARD_INTERRUPTED] = "interrupted",
    [SHARD_KILLED] = "killed",
    [SHARD_STOPPED] = "stopped",
    [SHARD_NOT_STARTED] = "not started",
};

/* What the rows say, by run number: a status + 1. */
enum { NO_ROW };

static bool is_failure(unsigned char mark)
{
    return mark == STATUS_crashed + 1 || mark == STATUS_wrong_answer + 1;
}

/* Of a folder. */
struct look {
    size_t rows, failed;
    double beaten;   /* seconds since runs.csv had the present time; negative: there is none */
    double last_row; /* seconds since the last row; negative: there is none */
    struct rate {
        size_t rows;    /* in the last RATE_SECONDS */
        double seconds; /* since the first of them */
    } rate;
};

static int64_t time_of(const char *text)
{
    struct tm utc = {0};
    return strptime(text, "%Y-%m-%dT%H:%M:%SZ", &utc) == NULL ? 0 : timegm(&utc);
}

/* Seconds from a time to the present; a clock that is ahead of ours makes that none. */
static double since(double then)
{
    const double seconds = (double)time(NULL) - then;
    return seconds < 0 ? 0 : seconds;
}

static void note_rate(struct rate *rate, double ago)
{
    if (ago > RATE_SECONDS)
        return;
    rate->rows++;
    rate->seconds = fmax(rate->seconds, ago);
}

/* Reads the rows of a folder: marks their runs. */
static struct look look_at(const char *folder, const struct run_ids *ids, unsigned char *marks,
                           size_t *others)
{
    static const unsigned needed[] = {COLUMN_run_id, COLUMN_status, COLUMN_finished_at};
    const char *why;
    struct look look = {.beaten = -1, .last_row = -1};
    struct stat file_status;
    SCOPED_BY(rows_end) struct rows rows = {0};
    struct row *row;
    int64_t last = 0;
    SCOPED char *path = heap_format("%s/runs.csv", folder);
    SCOPED_BY(stream_end)
    FILE *file = file_open(path, &why); /* opening asks a file server for the present state */
    SCOPED_BY(report_end) struct report report = {.file = path};
    if (file != NULL && fstat(fileno(file), &file_status) == 0)
        look.beaten = since((double)file_status.st_mtime);
    if (file != NULL && rows_start(&rows, file, needed, sizeof needed / sizeof *needed, &report))
        while ((row = rows_next(&rows)) != NULL) {
            const enum status status = row->cells[COLUMN_status].status;
            const ptrdiff_t run = run_ids_find(ids, row->cells[COLUMN_run_id].text);
            if (!row->whole || status_rows[status].made_again)
                continue;
            if (run == RUN_UNKNOWN) {
                ++*others;
                continue;
            }
            const unsigned char mark = (unsigned char)(status + 1);
            const int64_t finished = time_of(row->cells[COLUMN_finished_at].text);
            last = finished > last ? finished : last;
            look.rows++;
            look.failed += is_failure(mark);
            note_rate(&look.rate, since((double)finished));
            if (!is_failure(marks[run]))
                marks[run] = mark;
        }
    if (last > 0)
        look.last_row = since((double)last);
    return look;
}

/* Whether the process of a session without an end lives, as far as that can be told. */
static bool lives(const json_t *session, const char *host, double beaten)
{
    char own[256] = "";
    const json_int_t process = json_integer_value(json_object_get(session, "process"));
    if (beaten < 0 || beaten > SILENT_SECONDS)
        return false;
    if (gethostname(own, sizeof own - 1) != 0 || strcmp(own, host) != 0 || process <= 0)
        return true;
    return kill((pid_t)process, 0) == 0 || errno != ESRCH;
}

/* Fills in what the manifest of a shard's folder says, its state as if runs were missing. */
static void read_sessions(struct shard_status *status, const char *folder, const struct look *look)
{
    SCOPED char *why = NULL;
    json_auto_t *manifest = manifest_of(folder, &why);
    const json_t *sessions = json_object_get(manifest, "sessions");
    const size_t count = json_array_size(sessions);
    const json_t *last = count == 0 ? NULL : json_array_get(sessions, count - 1);
    const char *ended = json_string_value(json_object_get(last, "ended"));
    const char *host = json_string_value(json_object_get(json_object_get(last, "machine"), "host"));
    status->starts = (unsigned)count;
    status->host = heap_text(host == NULL ? "" : host);
    if (last == NULL)
        status->state = look->beaten < 0                ? SHARD_NOT_STARTED
                        : look->beaten > SILENT_SECONDS ? SHARD_STOPPED
                                                        : SHARD_RUNNING;
    else if (ended == NULL)
        status->state = lives(last, status->host, look->beaten) ? SHARD_RUNNING : SHARD_KILLED;
    else
        status->state = strcmp(ended, "interrupted") == 0 ? SHARD_INTERRUPTED
                        : strcmp(ended, "failed") == 0    ? SHARD_FAILED
                                                          : SHARD_STOPPED;
}

/* Counts the runs of the present division by their shards. */
static void count_runs(struct shards_status *status, struct shard_status *present,
                       const struct run_ids *ids, unsigned count, const unsigned char *marks)
{
    SCOPED_BY(shards_end) struct shards shards = {0};
    if (count > 0)
        shards = shards_of(ids->experiment, count);
    for (size_t i = 0; i < ids->count; i++) {
        status->done += marks[i] != NO_ROW;
        status->failed += is_failure(marks[i]);
        if (marks[i] != NO_ROW)
            status->by_status[marks[i] - 1]++;
        if (count == 0)
            continue;
        struct shard_status *own = &present[shards.of[i]];
        own->runs++;
        own->done += marks[i] != NO_ROW;
        own->failed += is_failure(marks[i]);
    }
}

/* Looks at the folder of a shard. */
static void read_folder(struct shard_status *item, const char *results, const struct run_ids *ids,
                        unsigned char *marks, struct shards_status *status, struct rate *rate,
                        bool present)
{
    SCOPED char *path = shard_folder(results, item->shard);
    const struct look look = look_at(path, ids, marks, &status->others);
    rate->rows += look.rate.rows;
    rate->seconds = fmax(rate->seconds, look.rate.seconds);
    free(item->host);
    read_sessions(item, path, &look);
    item->quiet = look.last_row;
    if (!present) { /* what it lacks is another's now */
        item->done = look.rows;
        item->failed = look.failed;
        if (item->state != SHARD_RUNNING)
            item->state = SHARD_DONE;
    }
}

struct shards_status shards_status_of(const char *results, const struct run_ids *ids,
                                      unsigned count)
{
    struct shards_status status = {.runs = ids->count};
    struct rate rate = {0};
    SCOPED_BY(shard_folders_end) struct shard_folders folders = shard_folders_list(results);
    SCOPED unsigned char *marks = heap_take(ids->count, sizeof *marks);
    look_at(results, ids, marks, &status.others);
    for (size_t i = 0; i < ids->count; i++)
        status.merged += marks[i] != NO_ROW;
    status.items = heap_take(folders.count + count, sizeof *status.items);
    for (size_t i = 0; i < folders.count; i++)
        if (folders.items[i].count != count)
            status.items[status.count++].shard = folders.items[i];
    struct shard_status *present = &status.items[status.count];
    for (size_t i = 0; i < status.count; i++)
        read_folder(&status.items[i], results, ids, marks, &status, &rate, false);
    for (unsigned i = 0; i < count; i++)
        present[i] = (struct shard_status){.shard = {i + 1, count},
                                           .state = SHARD_NOT_STARTED,
                                           .host = heap_text(""),
                                           .quiet = -1};
    for (size_t i = 0; i < folders.count; i++)
        if (folders.items[i].count == count)
            read_folder(&present[folders.items[i].number - 1], results, ids, marks, &status, &rate,
                        true);
    count_runs(&status, present, ids, count, marks);
    for (unsigned i = 0; i < count; i++)
        if (present[i].done == present[i].runs &&
            (present[i].starts == 0 || present[i].state != SHARD_RUNNING)) /* it may help others */
            present[i].state = SHARD_DONE;
    status.count += count;
    status.left = rate.rows > 1 ? (double)(status.runs - status.done) * fmax(rate.seconds, 1) /
                                      (double)rate.rows
                                : NAN;
    return status;
}

void shards_status_end(struct shards_status *status)
{
    for (size_t i = 0; i < status->count; i++)
        free(status->items[i].host);
    free(status->items);
    *status = (struct shards_status){0};
}
