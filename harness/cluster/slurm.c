#include "harness/cluster/slurm.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/execution/ask.h"

/* What is wrong with a command that could not be started; heap memory. */
static char *lacking(const struct reply *reply)
{
    return heap_format("%s; expected a machine from which jobs are sent to Slurm (a login node)",
                       reply->problem);
}

char *slurm_send(char *const *words, const char *folder, char **problem)
{
    SCOPED_BY(reply_end) struct reply reply = ask(words, folder);
    char *job = NULL;
    /* --parsable prints "123" or "123;cluster". */
    const size_t digits = strspn(reply.text, "0123456789");
    if (reply.problem != NULL)
        *problem = lacking(&reply);
    else if (!reply.fine)
        *problem = heap_format("Slurm refused the job: %s",
                               reply.errors[0] == '\0' ? "it did not say why" : reply.errors);
    else if (digits == 0)
        *problem = heap_format("sbatch said '%.*s' in place of a job's number",
                               (int)strcspn(reply.text, "\n"), reply.text);
    else
        job = heap_format("%.*s", (int)digits, reply.text);
    return job;
}

/* The next field of a line that is separated by '|'; ends it there. */
static char *next_field(char **at)
{
    char *field = *at;
    field[strcspn(field, "|")] = '\0';
    *at = field + strlen(field) + 1;
    return field;
}

/* Adds the task of a line "123|7|RUNNING|None|comment". Without a task number ("N/A") it is no
 * array. */
static void add_task(struct slurm_tasks *tasks, const char *line, size_t length)
{
    static const char left[] = "left ";
    SCOPED char *copy = heap_format("%.*s||||", (int)length, line);
    char *at = copy;
    struct slurm_task task = {.job = strtoul(next_field(&at), NULL, 10)};
    task.task = (unsigned)strtoul(next_field(&at), NULL, 10);
    task.state = text_printable(next_field(&at));
    task.reason = text_printable(next_field(&at));
    if (strncmp(at, left, sizeof left - 1) == 0) { /* a comment of our script */
        free(task.reason);
        task.reason = text_printable(next_field(&at));
    }
    task.runs = strcmp(task.state, "PENDING") != 0;
    *HEAP_ADD(tasks->items, tasks->count) = task;
}

bool slurm_tasks(const char *jobs, struct slurm_tasks *tasks, char **problem)
{
    SCOPED char *list = heap_format("--jobs=%s", jobs);
    char *words[] = {"squeue", "--noheader", "--array", list, "--format=%F|%K|%T|%r|%k", NULL};
    SCOPED_BY(reply_end) struct reply reply = ask(words, NULL);
    /* One job alone that Slurm has forgotten is an error to squeue; of several it is not. */
    const bool forgotten = strstr(reply.errors, "Invalid job id") != NULL;
    *tasks = (struct slurm_tasks){0};
    if (reply.problem != NULL)
        *problem = lacking(&reply);
    else if (!reply.fine && !forgotten)
        *problem = heap_format("squeue failed: %s", reply.errors);
    const bool fine = reply.problem == NULL && (reply.fine || forgotten);
    for (const char *at = reply.text; fine && *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        if (length > 0)
            add_task(tasks, at, length);
        at += length + (at[length] == '\n');
    }
    return fine;
}

void slurm_tasks_end(struct slurm_tasks *tasks)
{
    for (size_t i = 0; i < tasks->count; i++)
        FREE(tasks->items[i].state, tasks->items[i].reason);
    free(tasks->items);
    *tasks = (struct slurm_tasks){0};
}

unsigned slurm_last_task(void)
{
    char *words[] = {"scontrol", "show", "config", NULL};
    SCOPED_BY(reply_end) struct reply reply = ask(words, NULL);
    const char *at = reply.fine ? strstr(reply.text, "\nMaxArraySize") : NULL;
    unsigned long size = 0;
    if (at != NULL && (at = strchr(at, '=')) != NULL)
        size = strtoul(at + 1, NULL, 10);
    return size > 1 && size <= 1000000000 ? (unsigned)size - 1 : 0;
}
