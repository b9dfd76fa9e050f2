#include "harness/cluster/job_script.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/text/human.h"
#include "harness/text/shell.h"
#include "text_files.h" /* what the build makes of *.sh */

/* ---- Words of commands ---- */

/* The words as one command; frees them. */
static char *as_command(char **words)
{
    char *command = shell_command((const char *const *)words);
    heap_free_words(words);
    return command;
}

/* The same for a comment, which is one line. */
static char *as_comment(char **words)
{
    SCOPED char *command = as_command(words);
    return text_printable(command);
}

static void add_settings(char ***words, const struct job *job)
{
    if (job->quick)
        ADD_WORDS(words, "--quick");
    for (size_t i = 0; i < job->set_count; i++)
        ADD_WORDS(words, "--set", job->set[i]);
    if (job->tables != NULL)
        ADD_WORDS(words, "--pdb-dir", job->tables);
}

/* A text as a part of the command that GNU parallel is given: it replaces {} and the like wherever
 * they stand, even in quotes, so each brace, which quotes surround, gets quotes of its own. */
static char *hidden_braces(const char *command)
{
    char *hidden = heap_text("");
    for (const char *at = command; *at != '\0'; at++)
        heap_append(&hidden, *at == '{' ? "'\"{\"'" : "%c", *at);
    return hidden;
}

/* Runs the shard that the shell's word `shard` stands for; `hides`: in a command of GNU parallel.
 */
static char *run_command(const struct job *job, const char *shard, bool hides)
{
    char **before = NULL;
    char **after = NULL;
    ADD_WORDS(&before, job->program, "run", job->experiment, "--output", job->folder);
    ADD_WORDS(&after, "--jobs");
    heap_add_word(&after, "%u", job->searches);
    add_settings(&after, job);
    SCOPED char *first = as_command(before);
    SCOPED char *last = as_command(after);
    if (hides) {
        char *const shown[] = {first, last};
        first = hidden_braces(first);
        last = hidden_braces(last);
        FREE(shown[0], shown[1]);
    }
    return heap_format("%s --shard %s %s", first, shard, last);
}

char *shard_command(const struct job *job, const char *shard)
{
    return run_command(job, shard, false);
}

static char *tables_command(const struct job *job)
{
    char **words = NULL;
    ADD_WORDS(&words, job->program, "pdb", "build", "--experiment", job->experiment);
    add_settings(&words, job);
    return as_command(words);
}

static char *merge_command(const struct job *job)
{
    char **words = NULL;
    ADD_WORDS(&words, job->program, "merge", job->folder);
    return as_command(words);
}

char *number_ranges(const unsigned *numbers, size_t count)
{
    char *ranges = heap_text("");
    for (size_t i = 0; i < count;) {
        size_t last = i;
        while (last + 1 < count && numbers[last + 1] == numbers[last] + 1)
            last++;
        heap_append(&ranges, "%s%u", i == 0 ? "" : ",", numbers[i]);
        if (last > i)
            heap_append(&ranges, "-%u", numbers[last]);
        i = last + 1;
    }
    return ranges;
}

/* The first lines of a script. A name is safe in a comment: it has letters, digits, '-', '_' and
 * '.' alone (experiment/schema.h). */
static void add_head(char **script, const struct job *job)
{
    heap_append(script,
                "# %s: %zu run%s in %u shard%s, of which %zu %s run here, %u search%s at a time "
                "in each.\n"
                "# At worst a shard takes %.2f hours, if every run takes its limit.\n",
                job->name, job->runs, plural(job->runs), job->shards, plural(job->shards),
                job->sent_count, job->sent_count == 1 ? "is" : "are", job->searches,
                job->searches == 1 ? "" : "es", job->worst_seconds / 3600);
    if (job->cpu_seconds > 0)
        heap_append(script, "# All runs take %.2f hours of processor time at most.\n",
                    job->cpu_seconds / 3600);
}

/* ---- Slurm ---- */

static unsigned long long mebibytes(uint64_t bytes)
{
    return (bytes + (1 << 20) - 1) >> 20;
}

static char *days_and_hours(unsigned minutes)
{
    char *time = heap_text("");
    if (minutes >= 24 * 60)
        heap_append(&time, "%u-", minutes / (24 * 60));
    heap_append(&time, "%02u:%02u:00", minutes / 60 % 24, minutes % 60);
    return time;
}

/* What all jobs have: the last words win, so the user's stand behind ours. */
static void add_user_words(char ***words, const struct slurm_options *options)
{
    for (size_t i = 0; i < options->word_count; i++)
        ADD_WORDS(words, options->words[i]);
}

/* A job beside the array, without what it runs. `log`: where its output goes; NULL: it writes its
 * own log, and may go back to the queue. */
static char **side_job(const struct job *job, const struct slurm_options *options, const char *kind,
                       const char *log, unsigned processors, uint64_t bytes)
{
    char **words = NULL;
    ADD_WORDS(&words, "sbatch", "--parsable");
    heap_add_word(&words, "--job-name=%s-%s", job->name, kind);
    heap_add_word(&words, "--output=%s", log == NULL ? "/dev/null" : log);
    ADD_WORDS(&words, log == NULL ? "--requeue" : "--open-mode=append", "--ntasks=1");
    heap_add_word(&words, "--cpus-per-task=%u", processors);
    heap_add_word(&words, "--mem=%lluM", mebibytes(bytes));
    ADD_WORDS(&words, "--time=01:00:00");
    if (options->partition != NULL)
        heap_add_word(&words, "--partition=%s", options->partition);
    add_user_words(&words, options);
    return words;
}

char **slurm_tables_words(const struct job *job, const struct slurm_options *options)
{
    char **words =
        side_job(job, options, "databases", "databases.log", job->searches, job->build_bytes);
    SCOPED char *command = tables_command(job);
    heap_add_word(&words, "--wrap=exec %s", command);
    return words;
}

char **slurm_closing_words(const struct job *job, const struct slurm_options *options,
                           const char *array_job)
{
    char **words = side_job(job, options, "closing", NULL, 1, job->merge_bytes);
    heap_add_word(&words, "--dependency=afterany:%s", array_job);
    ADD_WORDS(&words, CLOSING_SCRIPT, array_job);
    return words;
}

char **slurm_array_words(const struct slurm_options *options, const char *tables_job)
{
    char **words = NULL;
    ADD_WORDS(&words, "sbatch", "--parsable");
    add_user_words(&words, options);
    if (tables_job != NULL)
        heap_add_word(&words, "--dependency=afterany:%s", tables_job);
    ADD_WORDS(&words, SLURM_SCRIPT);
    return words;
}

/* How the script is sent, as comments. */
static void add_how_sent(char **script, const struct job *job, const struct slurm_options *options)
{
    SCOPED char *array = as_comment(slurm_array_words(options, job->builds ? "DATABASES" : NULL));
    SCOPED char *merge = as_comment(slurm_closing_words(job, options, "ARRAY"));
    heap_append(script, "#\n# tilelab submit sends it by these commands, in this file's folder");
    if (job->builds) {
        SCOPED char *tables = as_comment(slurm_tables_words(job, options));
        heap_append(script, "; DATABASES and ARRAY are the numbers of jobs:\n#   %s\n", tables);
    } else {
        heap_append(script, "; ARRAY is the number of a job:\n");
    }
    heap_append(script, "#   %s\n#   %s\n", array, merge);
}

/* What both scripts begin with (node_check.sh). Where the node does not see what it needs, the job
 * goes back to the queue and leaves that node out; `task` is its number, `log` its log, as the
 * shell reads them. Heap memory. */
static char *node_check(const struct job *job, const char *task, const char *log)
{
    SCOPED char *folder = shell_quoted(job->folder);
    SCOPED char *program = shell_quoted(job->program);
    return heap_format("folder=%s\nprogram=%s\ntask=%s\nlog=%s\n%s", folder, program, task, log,
                       text_node_check_sh);
}

char *slurm_script(const struct job *job, const struct slurm_options *options)
{
    SCOPED char *log =
        heap_format("$folder/submit/shard-$SLURM_ARRAY_TASK_ID-of-%u.log", job->shards);
    SCOPED char *shard = heap_format("\"$SLURM_ARRAY_TASK_ID/%u\"", job->shards);
    char *head = NULL;
    add_head(&head, job);
    add_how_sent(&head, job, options);
    return FILLED(text_array_sh, {"head", head}, {"name", heap_text(job->name)},
                  {"tasks", number_ranges(job->sent, job->sent_count)},
                  {"processors", heap_format("%u", job->searches * job->threads)},
                  {"mebibytes", heap_format("%llu", mebibytes(job->bytes))},
                  {"time", days_and_hours(job->minutes)},
                  {"partition", options->partition == NULL
                                    ? heap_text("")
                                    : heap_format("#SBATCH --partition=%s\n", options->partition)},
                  {"warning", heap_format("%d", SLURM_WARNING_SECONDS)},
                  {"check", node_check(job, "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID", log)},
                  {"shards", heap_format("%u", job->shards)},
                  {"command", shard_command(job, shard)});
}

char *slurm_closing_script(const struct job *job, const struct slurm_options *options)
{
    char **words = NULL;
    SCOPED char *missing = heap_format("%zu", job->missing);
    SCOPED char *time = heap_format("%um", job->minutes);
    SCOPED char *jobs = heap_format("%u", job->searches);
    ADD_WORDS(&words, job->program, "submit", job->experiment, "--output", job->folder,
              "--if-below", missing, "--time", time, "--jobs", jobs);
    add_settings(&words, job);
    if (options->partition != NULL)
        ADD_WORDS(&words, "--partition", options->partition);
    if (options->word_count > 0)
        ADD_WORDS(&words, "--");
    add_user_words(&words, options);
    return FILLED(text_closing_sh,
                  {"check", node_check(job, "$SLURM_JOB_ID", "$folder/submit/closing.log")},
                  {"merge", merge_command(job)}, {"again", as_command(words)});
}

/* ---- GNU parallel ---- */

/* The list of hosts, a line each, and what leaves one out (leave_out.sh): GNU parallel reads the
 * list again when it changes. Heap memory. */
static char *list_hosts(const char *hosts, bool hosts_are_file)
{
    SCOPED char *word = shell_quoted(hosts);
    SCOPED char *list =
        heap_format(hosts_are_file ? "cp %s hosts\n" : "tr , '\\n' <<<%s >hosts\n", word);
    return heap_format("%s%s", list, text_leave_out_sh);
}

char *parallel_script(const struct job *job, const char *hosts, bool hosts_are_file)
{
    const bool here = hosts == NULL;
    SCOPED char *shard = heap_format("{}/%u", job->shards);
    SCOPED char *whole = run_command(job, shard, true);
    SCOPED char *tried = heap_format("%s || [ $? = 3 ]", whole); /* 3: done, though a run crashed */
    const unsigned share = 100 / (job->searches * job->threads);
    char *head = NULL;
    char *numbers = heap_text("");
    add_head(&head, job);
    for (size_t i = 0; i < job->sent_count; i++)
        heap_append(&numbers, " %u", job->sent[i]);
    return FILLED(text_parallel_sh, {"head", head},
                  {"place", heap_text(here ? "on this machine" : "on the hosts")},
                  {"hosts", here ? heap_text("") : list_hosts(hosts, hosts_are_file)},
                  {"left", heap_text(here ? "" : ", on the hosts that are left")},
                  {"percent", heap_format("%u", share < 1 ? 1 : share)}, /* 0 would mean no limit */
                  {"options", heap_text(here ? "" : "--sshloginfile hosts --filter-hosts ")},
                  {"command", shell_quoted(tried)}, {"numbers", numbers},
                  {"watch", heap_text(here ? "" : "    leave_out &\n")},
                  {"merge", merge_command(job)});
}
