#include "harness/execution/checkpoints.h"
#include "base/heap.h"
#include <unistd.h>

#define CHECKPOINTS "checkpoints"

char *checkpoint_path(const char *folder, const char *run_id)
{
    return heap_format("%s/" CHECKPOINTS "/%s", folder, run_id);
}

void checkpoints_tidy(const char *folder, const struct run_ids *ids, const bool *done)
{
    SCOPED char *path = heap_format("%s/" CHECKPOINTS, folder);
    DIR *entries = file_is_link(path) ? NULL : opendir(path);
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        const char *name = entry->d_name;
        /* What a killed writer left is called .RUN_ID.part. */
        const bool is_run = strlen(name) == RUN_ID_BYTES - 1;
        const bool is_part = name[0] == '.' && strstr(name, ".part") != NULL;
        const ptrdiff_t run = is_run ? run_ids_find(ids, name) : RUN_UNKNOWN;
        if ((is_run && (run == RUN_UNKNOWN || done == NULL || done[run])) || is_part)
            unlinkat(dirfd(entries), name, 0);
    }
    if (entries != NULL) {
        closedir(entries);
        rmdir(path);
    }
}

bool checkpoints_make(const char *folder)
{
    SCOPED char *path = heap_format("%s/" CHECKPOINTS, folder);
    return !file_is_link(path) && folders_make(path);
}
