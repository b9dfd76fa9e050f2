#include "harness/cluster/submissions.h"
#include "base/file.h"
#include "base/heap.h"
#include <jansson.h>
#include <unistd.h>

static char *path_of(const char *folder)
{
    return heap_format("%s/" SUBMISSIONS_FILE, folder);
}

/* Reads one; false if it is none. */
static bool read_one(const json_t *json, struct submissions *submissions)
{
    const char *sent;
    const char *at;
    json_int_t shards;
    json_int_t jobs[3];
    if (json_unpack((json_t *)json, "{s:I, s:s, s:s, s:I, s:I, s:I}", "shards", &shards, "sent",
                    &sent, "at", &at, "databases", &jobs[0], "array", &jobs[1], "merge",
                    &jobs[2]) != 0 ||
        shards < 1 || shards > 1000000 || jobs[0] < 0 || jobs[1] < 0 || jobs[2] < 0)
        return false;
    submissions_add(submissions, (struct submission){.shards = (unsigned)shards,
                                                     .sent = heap_text(sent),
                                                     .at = heap_text(at),
                                                     .tables = (unsigned long)jobs[0],
                                                     .array = (unsigned long)jobs[1],
                                                     .merge = (unsigned long)jobs[2]});
    return true;
}

bool submissions_read(const char *folder, struct submissions *submissions, char **problem)
{
    SCOPED char *path = path_of(folder);
    bool fine = true;
    *submissions = (struct submissions){0};
    SCOPED_BY(report_end) struct report report = {.file = path};
    if (access(path, F_OK) == 0 || file_is_link(path)) {
        SCOPED char *text = file_read_own(path, NULL, &report);
        json_auto_t *json = text == NULL ? NULL : json_loads(text, 0, NULL);
        const json_t *list = json_object_get(json, "submissions");
        fine = json_is_array(list);
        for (size_t i = 0; fine && i < json_array_size(list); i++)
            fine = read_one(json_array_get(list, i), submissions);
        if (!fine)
            *problem = report.count > 0
                           ? report_first(&report)
                           : heap_format("%s is not as tilelab wrote it; expected the jobs that "
                                         "were sent, or no such file",
                                         path);
    }
    return fine;
}

struct submission *submissions_add(struct submissions *submissions, struct submission submission)
{
    struct submission *added = HEAP_ADD(submissions->items, submissions->count);
    *added = submission;
    return added;
}

bool submissions_write(const char *folder, const struct submissions *submissions)
{
    json_t *list = json_array();
    for (size_t i = 0; i < submissions->count; i++) {
        const struct submission *one = &submissions->items[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:I, s:s, s:I, s:I, s:I}", "at", one->at, "shards",
                                        (json_int_t)one->shards, "sent", one->sent, "databases",
                                        (json_int_t)one->tables, "array", (json_int_t)one->array,
                                        "merge", (json_int_t)one->merge));
    }
    json_auto_t *json = json_pack("{s:s, s:o}", "engine", "slurm", "submissions", list);
    SCOPED char *text = json_dumps(json, JSON_INDENT(4));
    SCOPED char *path = path_of(folder);
    SCOPED char *whole = heap_format("%s\n", text);
    return file_write(path, whole, strlen(whole));
}

char *submissions_arrays(const struct submissions *submissions)
{
    char *arrays = heap_text("");
    for (size_t i = 0; i < submissions->count; i++)
        if (submissions->items[i].array != 0)
            heap_append(&arrays, "%s%lu", arrays[0] == '\0' ? "" : ",",
                        submissions->items[i].array);
    return arrays;
}

const struct submission *submissions_find(const struct submissions *submissions,
                                          unsigned long array)
{
    for (size_t i = 0; i < submissions->count; i++)
        if (submissions->items[i].array == array)
            return &submissions->items[i];
    return NULL;
}

void submissions_end(struct submissions *submissions)
{
    for (size_t i = 0; i < submissions->count; i++)
        FREE(submissions->items[i].sent, submissions->items[i].at);
    free(submissions->items);
    *submissions = (struct submissions){0};
}
