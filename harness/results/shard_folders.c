#include "harness/results/shard_folders.h"
#include "base/heap.h"
#include "harness/text/sorting.h"

char *shard_folder(const char *results, struct shard shard)
{
    return heap_format("%s/shards/%u-of-%u", results, shard.number, shard.count);
}

/* Reads "K-of-N", as shard_folder writes it. */
static bool read_name(const char *name, struct shard *shard)
{
    const char *of = strstr(name, "-of-");
    if (of == NULL)
        return false;
    SCOPED char *text = heap_format("%.*s/%s", (int)(of - name), name, of + strlen("-of-"));
    return shard_parse(text, shard);
}

ORDER_BY(by_count_and_number, struct shard, BY(count), BY(number));

struct shard_folders shard_folders_list(const char *results)
{
    struct shard_folders folders = {0};
    SCOPED char *path = heap_format("%s/shards", results);
    SCOPED_BY(listing_end) DIR *entries = opendir(path);
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        struct shard shard;
        if (!read_name(entry->d_name, &shard))
            continue;
        *HEAP_ADD(folders.items, folders.count) = shard;
    }
    if (folders.count > 0)
        qsort(folders.items, folders.count, sizeof *folders.items, by_count_and_number);
    return folders;
}

bool shard_folders_have(const struct shard_folders *folders, struct shard shard)
{
    return folders->count > 0 && bsearch(&shard, folders->items, folders->count,
                                         sizeof *folders->items, by_count_and_number) != NULL;
}

void shard_folders_end(struct shard_folders *folders)
{
    free(folders->items);
    *folders = (struct shard_folders){0};
}
