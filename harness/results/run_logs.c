#include "harness/results/run_logs.h"
#include "base/file.h"
#include "base/heap.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define LOGS "logs"

bool run_log_write(const char *folder, const char *id, const char *log, size_t length)
{
    char *inside = heap_format("%s/" LOGS, folder);
    char *path = heap_format("%s/%s.log.gz", inside, id);
    bool fine = !file_is_link(inside);
    if (!fine)
        errno = ELOOP;
    fine = fine && folders_make(inside) && file_write(path, log, length);
    const int why = errno;
    free(path);
    free(inside);
    errno = why;
    return fine;
}

bool run_logs_set_aside(const struct folder *folder)
{
    struct stat status;
    char *path = heap_format("%s/" LOGS, folder->path);
    const bool fine = lstat(path, &status) != 0 ||
                      folder_set_aside(path, "the earlier logs are", folder->display);
    if (!fine)
        display_say(folder->display, "%s cannot be set aside: %s", path, strerror(errno));
    free(path);
    return fine;
}
