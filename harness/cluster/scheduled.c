#include "harness/cluster/scheduled.h"
#include "base/heap.h"
#include "harness/cluster/job_script.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"
#include "harness/text/sorting.h"

struct scheduled scheduled_read(const char *results)
{
    struct scheduled scheduled = {.results = results};
    if (!submissions_read(results, &scheduled.submissions, &scheduled.problem))
        return scheduled;
    SCOPED char *arrays = submissions_arrays(&scheduled.submissions);
    if (arrays[0] != '\0')
        slurm_tasks(arrays, &scheduled.tasks, &scheduled.problem);
    return scheduled;
}

void scheduled_end(struct scheduled *scheduled)
{
    submissions_end(&scheduled->submissions);
    slurm_tasks_end(&scheduled->tasks);
    free(scheduled->problem);
}

ORDER_BY(by_number, unsigned, ORDER(*x, *y));

/* Prints "3 PENDING (Resources): 4-6"; sorts the numbers. */
static void print_numbers(FILE *file, const char *what, const char *why, unsigned *numbers,
                          size_t count)
{
    qsort(numbers, count, sizeof *numbers, by_number);
    SCOPED char *ranges = number_ranges(numbers, count);
    screen_say(file, "  %zu %s%s%s%s: %s\n", count, what, why[0] == '\0' ? "" : " (", why,
               why[0] == '\0' ? "" : ")", ranges);
}

/* Prints the tasks that are as number `first` is, which is the first of them. */
static void print_alike(FILE *file, const struct slurm_tasks *tasks, size_t first)
{
    const struct slurm_task *like = &tasks->items[first];
    SCOPED unsigned *numbers = heap_take(tasks->count, sizeof *numbers);
    size_t count = 0;
    for (size_t i = 0; i < tasks->count; i++) {
        const struct slurm_task *task = &tasks->items[i];
        if (strcmp(task->state, like->state) != 0 || strcmp(task->reason, like->reason) != 0)
            continue;
        if (i < first)
            return;
        numbers[count++] = task->task;
    }
    print_numbers(file, like->state, strcmp(like->reason, "None") == 0 ? "" : like->reason, numbers,
                  count);
}

static bool is_scheduled(const struct slurm_tasks *tasks, unsigned shard)
{
    for (size_t i = 0; i < tasks->count; i++)
        if (tasks->items[i].task == shard)
            return true;
    return false;
}

/* Prints the shards that miss rows and neither wait nor run. */
static void print_left(FILE *file, const struct scheduled *scheduled,
                       const struct shards_status *status, unsigned shards)
{
    SCOPED unsigned *numbers = heap_take(status->count + 1, sizeof *numbers);
    size_t count = 0;
    for (size_t i = 0; i < status->count; i++) {
        const struct shard_status *shard = &status->items[i];
        if (shard->shard.count == shards && shard->done < shard->runs &&
            !is_scheduled(&scheduled->tasks, shard->shard.number))
            numbers[count++] = shard->shard.number;
    }
    if (count > 0) {
        print_numbers(file, "not queued", "", numbers, count);
        fputs("  the same tilelab submit sends those again\n", file);
    }
}

/* Prints the nodes that jobs left, with why and how often. */
static void print_left_nodes(FILE *file, const char *results)
{
    SCOPED char *path = heap_format("%s/" LEFT_NODES_FILE, results);
    SCOPED_BY(report_end) struct report report = {.file = "tilelab"};
    SCOPED char *text =
        file_read_own(path, NULL, &report); /* there is none unless a job left a node */
    SCOPED char **lines = NULL;
    size_t count = 0;
    for (char *at = text; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        const bool more = at[length] == '\n';
        at[length] = '\0';
        if (length > 0)
            *HEAP_ADD(lines, count) = at;
        at += length + more;
    }
    if (count > 0)
        qsort(lines, count, sizeof *lines, order_texts);
    for (size_t i = 0, last; i < count; i = last) {
        for (last = i; last < count && strcmp(lines[last], lines[i]) == 0; last++)
            ;
        screen_say(file, "left out %s (%zu time%s)\n", lines[i], last - i, plural(last - i));
    }
}

void scheduled_print(FILE *file, const struct scheduled *scheduled,
                     const struct shards_status *status)
{
    if (scheduled->problem != NULL) {
        screen_say(file, "which shards wait or run is not known: %s\n", scheduled->problem);
        return;
    }
    print_left_nodes(file, scheduled->results);
    if (scheduled->submissions.count == 0)
        return;
    const struct submission *last = &scheduled->submissions.items[scheduled->submissions.count - 1];
    const size_t count = scheduled->tasks.count;
    if (last->array == 0) { /* nobody says what waits */
        fprintf(file, "shards %s were sent by a template at %s\n", last->sent, last->at);
        return;
    }
    fprintf(file, "Slurm, job %lu: %zu shard%s queued or running\n", last->array, count,
            plural(count));
    for (size_t i = 0; i < count; i++)
        print_alike(file, &scheduled->tasks, i);
    if (status != NULL)
        print_left(file, scheduled, status, last->shards);
}

json_t *scheduled_json(const struct scheduled *scheduled)
{
    if (scheduled->problem != NULL || scheduled->submissions.count == 0)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < scheduled->tasks.count; i++) {
        const struct slurm_task *task = &scheduled->tasks.items[i];
        const struct submission *of = submissions_find(&scheduled->submissions, task->job);
        json_array_append_new(
            list, json_pack("{s:o, s:I, s:s, s:s}", "shard",
                            json_sprintf("%u/%u", task->task, of == NULL ? 0 : of->shards), "job",
                            (json_int_t)task->job, "state", task->state, "reason", task->reason));
    }
    return list;
}
