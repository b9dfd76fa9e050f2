#include "harness/results/run_logs.h"
#include "base/heap.h"
#include "harness/external/output_log.h"
#include "harness/results/shard_folders.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOGS "logs"

static char *log_path(const char *folder, const char *id)
{
    return heap_format("%s/" LOGS "/%s.log.gz", folder, id);
}

bool run_log_write(const char *folder, const char *id, const char *log, size_t length)
{
    SCOPED char *inside = heap_format("%s/" LOGS, folder);
    SCOPED char *path = log_path(folder, id);
    bool fine = !file_is_link(inside);
    if (!fine)
        errno = ELOOP;
    return fine && folders_make(inside) && file_write(path, log, length);
}

/* Opens the log in a folder or in those of its shards. */
static FILE *open_log(const char *folder, const char *id)
{
    const char *why;
    SCOPED char *path = log_path(folder, id);
    FILE *file = file_open_own(path, &why);
    SCOPED_BY(shard_folders_end) struct shard_folders shards = shard_folders_list(folder);
    for (size_t i = 0; file == NULL && i < shards.count; i++) {
        SCOPED char *inside = shard_folder(folder, shards.items[i]);
        free(path);
        path = log_path(inside, id);
        file = file_open_own(path, &why);
    }
    return file;
}

char *run_log_read(const char *folder, const char *id, size_t *length)
{
    SCOPED_BY(stream_end) FILE *file = open_log(folder, id);
    if (file == NULL)
        return NULL;
    char *log = heap_take(LOG_PACKED_BYTES, 1);
    *length = fread(log, 1, LOG_PACKED_BYTES, file);
    return log;
}

void run_log_remove(const char *folder, const char *id)
{
    SCOPED char *path = log_path(folder, id);
    unlink(path);
}

bool run_logs_set_aside(const struct folder *folder)
{
    SCOPED char *path = heap_format("%s/" LOGS, folder->path);
    return folder_set_aside(path, "the earlier logs are", folder->display);
}
