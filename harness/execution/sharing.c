#include "harness/execution/sharing.h"
#include "base/heap.h"
#include <ftw.h>
#include <unistd.h>

char *sharing_place(const char *results, const struct run_ids *ids)
{
    char hash[RUN_IDS_HASH_BYTES];
    run_ids_hash(ids, hash);
    return heap_format("%s/parts/%s", results, hash);
}

char *sharing_folder(const char *place, const char *run_id)
{
    return heap_format("%s/%s", place, run_id);
}

static bool can_share(const struct run *run)
{
    return run->external == NULL && (run->solver->algorithm->properties & CAN_SPLIT) != 0;
}

void sharing_note_done(const char *place, const struct run *run)
{
    if (!can_share(run))
        return;
    SCOPED char *folder = sharing_folder(place, run->id);
    SCOPED char *mark = heap_format("%s/done", folder);
    if (folder_make(folder)) /* not once merge has removed all */
        file_claim(mark);
}

bool sharing_is_done(const char *place, const char *run_id)
{
    SCOPED char *mark = heap_format("%s/%s/done", place, run_id);
    return access(mark, F_OK) == 0;
}

void sharing_find(const char *place, struct queue *queue, uint32_t *others, size_t count)
{
    queue->joined = others;
    for (size_t i = 0; i < count; i++) {
        const struct run run = run_ids_run(queue->runs, others[i]);
        if (can_share(&run) && !sharing_is_done(place, run.id))
            queue->joined[queue->join_count++] = others[i];
    }
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)place;
    return type == FTW_DP ? rmdir(path) : unlink(path);
}

void sharing_tidy(const char *place)
{
    SCOPED char *parts = file_folder(place);
    if (file_is_link(parts) || file_is_link(place))
        return;
    nftw(place, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    rmdir(parts); /* if nothing else is in it */
}
