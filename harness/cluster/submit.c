#include "harness/cluster/submit.h"
#include "base/heap.h"
#include "base/processors.h"
#include "harness/cluster/job_template.h"
#include "harness/cluster/shard_status.h"
#include "harness/cluster/slurm.h"
#include "harness/cluster/submissions.h"
#include "harness/execution/ask.h"
#include "harness/execution/tables.h"
#include "harness/judge/row_check.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"
#include "harness/text/shell.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DEFAULT_SECONDS = 3600,  /* the time of a shard */
    LONGEST_SECONDS = 86400, /* the most that is asked for where --time says nothing */
    MARGIN_SECONDS = 60,     /* for the start and the end of a shard */
    MOST_SHARDS = 1000,      /* unless more are asked for */
    SHARDS_A_PROCESSOR = 4,  /* for parallel: so that machines end at about the same time */
    SHARDS_OVER_HOSTS = 64,  /* likewise, where nobody knows their processors */
};

struct submit {
    const struct submit_options *options;
    const struct experiment *experiment;
    struct display *display;
    char *folder;                   /* owned; absolute */
    char *program;                  /* owned */
    char *file;                     /* owned; the experiment's, absolute */
    char *tables;                   /* owned; where pattern databases are; or NULL */
    struct submissions submissions; /* earlier calls */
    struct tables_needed needed;
    struct shards shards;
    bool *missing;  /* owned; by shard, from 0: it misses rows */
    unsigned *sent; /* owned; the numbers of shards to run, from 1 */
    size_t missing_runs;
    size_t merged_runs; /* that have a row in RESULTS itself */
    size_t busy;        /* shards that miss rows, but wait or run */
    struct job job;
    struct slurm_options slurm;
    struct job_template template;
};

/* A path from the root. The current folder is called as the shell calls it, links included: what a
 * link leads to may have another name on other machines. Heap memory. */
static char *absolute(const char *path)
{
    if (path[0] == '/')
        return heap_text(path);
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    SCOPED char *here = get_current_dir_name();
    return heap_format("%s/%s", here == NULL ? "." : here, path);
}

/* The path of this program; heap memory. */
static char *own_path(void)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    return length <= 0 ? heap_text("tilelab") : heap_format("%.*s", (int)length, path);
}

/* What a shard takes at most beside its runs: its start, its end, and Slurm's warning. Warm-up
 * runs, which stand in `load`, are made while it starts. */
static double seconds_beside(const struct shard_load *load)
{
    return SLURM_WARNING_SECONDS + fmax(MARGIN_SECONDS - load->before, 0);
}

/* How many shards there must be for each to end in `time` at worst: a unit, all runs of an instance
 * and repetition, is in one shard. As many as there are units if one takes longer. */
static double shards_for(const struct submit *submit, double time)
{
    const struct experiment *experiment = submit->experiment;
    const unsigned searches = submit->job.searches;
    struct shard_load load = shard_load_of(experiment);
    const double units = (double)experiment->instances.count * experiment->repetitions;
    const double unit_seconds = load.seconds / units;
    const double usable = time - seconds_beside(&load);
    double fit = fmax(fmin(floor(usable * searches / unit_seconds), units), 1);
    for (; fit > 1; fit--) {
        load.runs = (size_t)fit * experiment->solver_count;
        load.seconds = fit * unit_seconds;
        if (shard_load_worst(&load, searches) <= usable)
            break;
    }
    return ceil(units / fit);
}

/* Decides into how many shards the runs are divided; 0 after a message. */
static unsigned decide_shards(struct submit *submit)
{
    const struct submit_options *options = submit->options;
    const size_t runs = experiment_run_count(submit->experiment);
    const unsigned last =
        options->engine == ENGINE_SLURM && options->show == NULL ? slurm_last_task() : 0;
    if (options->shards != 0) {
        const bool shares = submit->experiment->split > 0; /* runs of other shards, too */
        const unsigned shards =
            runs < options->shards && !shares ? (unsigned)runs : options->shards;
        if (last == 0 || shards <= last)
            return shards;
        display_say(submit->display,
                    "--shards %u: the arrays of this cluster end at task %u (MaxArraySize); "
                    "expected at most that many",
                    shards, last);
        return 0;
    }
    if (submit->submissions.count > 0)
        return submit->submissions.items[submit->submissions.count - 1].shards;
    double shards = shards_for(submit, options->seconds != 0 ? options->seconds : DEFAULT_SECONDS);
    if (options->engine == ENGINE_PARALLEL)
        shards =
            fmax(shards, options->hosts != NULL ? SHARDS_OVER_HOSTS
                                                : SHARDS_A_PROCESSOR * (double)processors_count());
    const double most = last != 0 && last < MOST_SHARDS ? last : MOST_SHARDS;
    /* More would tear apart what is compared (experiment/shards.h). */
    const double units =
        (double)submit->experiment->instances.count * submit->experiment->repetitions;
    return (unsigned)fmax(fmin(fmin(shards, most), units), 1);
}

/* Decides how long a shard may take; false after a message. */
static bool decide_time(struct submit *submit)
{
    const struct submit_options *options = submit->options;
    const struct shard_load load = shard_load_of(submit->experiment);
    const double longest = load.longest;
    const double least = longest + SLURM_WARNING_SECONDS + MARGIN_SECONDS;
    double seconds = options->seconds;
    if (seconds == 0)
        seconds = fmin(submit->job.worst_seconds + seconds_beside(&load), LONGEST_SECONDS);
    if (options->seconds == 0 && options->shards == 0)
        seconds = fmax(seconds, DEFAULT_SECONDS);
    if (options->seconds == 0)
        seconds = fmax(seconds, least);
    submit->job.minutes = (unsigned)ceil(seconds / 60);
    if (seconds >= least)
        return true;
    display_say(
        submit->display,
        "--time %g s is too short: a run may take %g s (limits.time%s), and a shard %d s to start "
        "and end; expected at least %.0fm",
        seconds, longest, load.starts ? ", and the start of a persistent program" : "",
        SLURM_WARNING_SECONDS + MARGIN_SECONDS, ceil(least / 60));
    return false;
}

/* Says that there are rows of other runs: their shards would refuse to start, and the merge, too.
 */
static bool refuse_others(struct submit *submit, const struct others *others)
{
    const size_t count = others_count(others);
    if (count == 0)
        return false;
    SCOPED char *text = others_text(others);
    display_say(submit->display,
                "%s holds %zu row%s of other runs than this experiment's:", submit->folder, count,
                plural(count));
    submit->display->show(submit->display, text);
    display_say(submit->display,
                "expected another results folder (--output), or the experiment as it was");
    return true;
}

/* Finds the shards that miss rows; false after a message. */
static bool find_missing(struct submit *submit)
{
    const struct experiment *experiment = submit->experiment;
    const size_t runs = experiment_run_count(experiment);
    SCOPED_BY(run_ids_end) struct run_ids ids = run_ids_of(experiment, NULL, 0);
    SCOPED_BY(shard_folders_end) struct shard_folders folders = shard_folders_list(submit->folder);
    SCOPED bool *done = heap_take(runs, sizeof *done);
    struct others *others = others_start(experiment);
    submit->merged_runs = row_check_mark(submit->folder, &ids, done, others);
    for (size_t i = 0; i < folders.count; i++) {
        SCOPED char *folder = shard_folder(submit->folder, folders.items[i]);
        row_check_mark(folder, &ids, done, others);
    }
    submit->missing = heap_take(submit->shards.count, sizeof *submit->missing);
    for (size_t run = 0; run < runs; run++)
        if (!done[run]) {
            submit->missing[submit->shards.of[run]] = true;
            submit->missing_runs++;
        }
    for (unsigned i = 0; i < submit->shards.count; i++) /* shards share what is missing */
        submit->missing[i] |= experiment->split > 0 && submit->missing_runs > 0;
    const bool refused = refuse_others(submit, others);
    others_end(others);
    return !refused;
}

/* Leaves out the shards that wait or run as tasks of earlier arrays. False after a message. */
static bool leave_out_busy(struct submit *submit)
{
    SCOPED char *arrays = submissions_arrays(&submit->submissions);
    SCOPED char *problem = NULL;
    SCOPED_BY(slurm_tasks_end) struct slurm_tasks tasks = {0};
    bool fine = true;
    if (arrays[0] != '\0' && !slurm_tasks(arrays, &tasks, &problem)) {
        if (submit->options->show != NULL) {
            display_say(submit->display, "%s; shown as if none of its shards waited or ran",
                        problem);
        } else {
            display_say(submit->display,
                        "%s. Which shards wait or run is not known, so none was sent", problem);
            fine = false;
        }
    }
    for (size_t i = 0; i < tasks.count && fine; i++) {
        const struct slurm_task *task = &tasks.items[i];
        const struct submission *of = submissions_find(&submit->submissions, task->job);
        if (of == NULL || task->task == 0)
            continue;
        if (of->shards != submit->shards.count) {
            display_say(
                submit->display,
                "job %lu still has shards of %u; expected --shards %u, or first scancel %lu",
                task->job, of->shards, of->shards, task->job);
            fine = false;
        } else if (task->task <= submit->shards.count && submit->missing[task->task - 1]) {
            submit->missing[task->task - 1] = false;
            submit->busy++;
        }
    }
    return fine;
}

/* Leaves out the shards that run, as their folders show: of a scheduler that tilelab does not know
 * nobody says which wait. */
static void leave_out_running(struct submit *submit)
{
    SCOPED_BY(run_ids_end) struct run_ids ids = run_ids_of(submit->experiment, NULL, 0);
    SCOPED_BY(shards_status_end)
    struct shards_status status = shards_status_of(submit->folder, &ids, submit->shards.count);
    for (size_t i = 0; i < status.count; i++) {
        const struct shard_status *one = &status.items[i];
        if (one->state != SHARD_RUNNING || one->shard.count != submit->shards.count ||
            !submit->missing[one->shard.number - 1])
            continue;
        submit->missing[one->shard.number - 1] = false;
        submit->busy++;
    }
}

/* Lists the shards that are to be run. */
static void list_sent(struct submit *submit)
{
    struct job *job = &submit->job;
    submit->sent = heap_take(submit->shards.count, sizeof *submit->sent);
    job->cpu_seconds = experiment_cpu_seconds(submit->experiment);
    for (unsigned i = 0; i < submit->shards.count; i++)
        if (submit->missing[i]) {
            submit->sent[job->sent_count++] = i + 1;
            job->worst_seconds =
                fmax(job->worst_seconds, shard_load_worst(&submit->shards.loads[i], job->searches));
        }
    job->sent = submit->sent;
    job->missing = submit->missing_runs;
    job->shards = submit->shards.count;
}

/* Whether all pattern databases are in the folder already. */
static bool tables_are_there(const struct submit *submit)
{
    bool there = true;
    for (size_t i = 0; i < submit->needed.count && there; i++) {
        struct pattern_table table;
        SCOPED char *problem = NULL;
        SCOPED char *name = pattern_name(&submit->needed.patterns[i]);
        SCOPED char *path = heap_format("%s/%s.pdb", submit->tables, name);
        there = pattern_file_look(path, &table, &problem);
    }
    return there;
}

/* Memory that searches, tables and merging take: what searches may hold, and an allowance for what
 * the program holds beside it. */
static void decide_memory(struct submit *submit)
{
    static const uint64_t mebibyte = 1 << 20;
    struct job *job = &submit->job;
    const uint64_t tables = submit->needed.bytes;
    job->threads = experiment_threads(submit->experiment);
    job->build_bytes = 3 * tables + 256 * mebibyte;
    job->bytes = job->searches * (experiment_max_bytes(submit->experiment) + 32 * mebibyte) +
                 tables + 128 * mebibyte + 512 * (uint64_t)job->runs;
    if (job->bytes < job->build_bytes && tables > 0) /* it may have to build them itself */
        job->bytes = job->build_bytes;
    job->merge_bytes =
        256 * mebibyte + 1024 * (uint64_t)job->runs + 16384 * (uint64_t)submit->shards.count;
}

/* ---- Sending ---- */

/* A message with a file that could not be written. */
static bool cannot_write(struct submit *submit, const char *name)
{
    display_say(submit->display, "%s/%s cannot be written: %s", submit->folder, name,
                file_problem(errno));
    return false;
}

static bool write_script(struct submit *submit, const char *name, const char *text)
{
    SCOPED char *path = heap_format("%s/submit/%s", submit->folder, name);
    SCOPED char *shown = heap_format("submit/%s", name);
    return (file_write(path, text, strlen(text)) && chmod(path, 0755) == 0) ||
           cannot_write(submit, shown);
}

/* Sends a job and notes its number in jobs.json at once. False after a message; takes the words. */
static bool send(struct submit *submit, char **words, unsigned long *number)
{
    SCOPED char *problem = NULL;
    SCOPED char *inside = heap_format("%s/submit", submit->folder);
    SCOPED char *job = slurm_send(words, inside, &problem);
    bool fine = job != NULL;
    if (!fine)
        display_say(submit->display, "%s", problem);
    else
        *number = strtoul(job, NULL, 10);
    if (fine && !submissions_write(submit->folder, &submit->submissions))
        fine = cannot_write(submit, SUBMISSIONS_FILE);
    heap_free_words(words);
    return fine;
}

/* Sends the jobs that are to be sent. */
static enum ending send_all(struct submit *submit)
{
    const struct job *job = &submit->job;
    char at[32];
    char numbers[2][24];
    record_time(at);
    struct submission *now = submissions_add(
        &submit->submissions, (struct submission){.shards = job->shards,
                                                  .sent = number_ranges(job->sent, job->sent_count),
                                                  .at = heap_text(at)});
    if (job->builds && !send(submit, slurm_tables_words(job, &submit->slurm), &now->tables))
        return ENDING_FAILED;
    snprintf(numbers[0], sizeof numbers[0], "%lu", now->tables);
    if (!send(submit, slurm_array_words(&submit->slurm, job->builds ? numbers[0] : NULL),
              &now->array))
        return ENDING_FAILED;
    snprintf(numbers[1], sizeof numbers[1], "%lu", now->array);
    if (!send(submit, slurm_closing_words(job, &submit->slurm, numbers[1]), &now->merge))
        return ENDING_FAILED;
    display_note(submit->display,
                 "sent %zu of %u shard%s as job %lu%s; job %lu merges them, and sends again what "
                 "is missing then",
                 job->sent_count, job->shards, plural(job->shards), now->array,
                 job->builds ? ", behind one that builds the pattern databases" : "", now->merge);
    SCOPED char *word = shell_quoted(submit->folder);
    SCOPED char *program = shell_program();
    display_note(submit->display, "next: %s status %s", program, word);
    return ENDING_DONE;
}

/* Writes the script of a shard and has the template's command send it. The first line that it
 * printed, in heap memory; NULL after a message. */
static char *send_one(struct submit *submit, unsigned shard)
{
    SCOPED char *inside = heap_format("%s/submit", submit->folder);
    SCOPED char *name = template_script_name(&submit->job, shard);
    SCOPED char *script = template_script(&submit->template, &submit->job, shard);
    if (!write_script(submit, name, script))
        return NULL;
    char **words = template_words(&submit->template, &submit->job, shard);
    SCOPED_BY(reply_end) struct reply reply = ask(words, inside);
    if (!reply.fine)
        display_say(submit->display, "%s: %s", words[0],
                    reply.problem != NULL     ? reply.problem
                    : reply.errors[0] == '\0' ? "it failed and did not say why"
                                              : reply.errors);
    heap_free_words(words);
    return reply.fine ? heap_format("%.*s", (int)strcspn(reply.text, "\n"), reply.text) : NULL;
}

/* Sends each shard by the template's command, and notes at once that it was sent. */
static enum ending send_by_template(struct submit *submit)
{
    const struct job *job = &submit->job;
    SCOPED char *first = NULL;
    char at[32];
    size_t sent = 0;
    bool fine = true;
    record_time(at);
    struct submission *now = submissions_add(
        &submit->submissions, (struct submission){.shards = job->shards, .at = heap_text(at)});
    while (fine && sent < job->sent_count) {
        char *answer = send_one(submit, job->sent[sent]);
        fine = answer != NULL;
        if (!fine)
            break;
        free(now->sent);
        now->sent = number_ranges(job->sent, ++sent);
        fine = submissions_write(submit->folder, &submit->submissions) ||
               cannot_write(submit, SUBMISSIONS_FILE);
        if (first == NULL)
            first = answer;
        else
            free(answer);
    }
    if (sent == 0)
        return ENDING_FAILED;
    SCOPED char *word = shell_quoted(submit->folder);
    SCOPED char *program = shell_program();
    display_note(submit->display, "sent %zu of %u shard%s by %s%s%s", sent, job->shards,
                 plural(job->shards), submit->template.path,
                 first[0] == '\0' ? "" : "; of the first it said: ", first);
    display_note(submit->display,
                 "next: %s status %s; when the queue is empty %s merge %s, and the same command "
                 "sends again what is missing",
                 program, word, program, word);
    return fine ? ENDING_DONE : ENDING_FAILED;
}

/* Whether GNU parallel is there: another program has that name, too. */
static bool has_parallel(struct submit *submit)
{
    char *words[] = {"parallel", "--version", NULL};
    SCOPED_BY(reply_end) struct reply reply = ask(words, NULL);
    const bool fine = reply.fine && strncmp(reply.text, "GNU parallel", 12) == 0;
    if (!fine)
        display_say(submit->display, "%s; expected GNU parallel (Debian: parallel)",
                    reply.problem != NULL ? reply.problem : "'parallel' is another program");
    return fine;
}

/* Becomes the script, which runs the shards here and over the hosts, and merges. */
static enum ending become_script(struct submit *submit)
{
    char bash[] = "/bin/bash";
    char script[] = PARALLEL_SCRIPT;
    char *words[] = {bash, script, NULL};
    SCOPED char *inside = heap_format("%s/submit", submit->folder);
    display_note(submit->display, "%zu of %u shard%s by GNU parallel", submit->job.sent_count,
                 submit->job.shards, plural(submit->job.shards));
    fflush(NULL);
    if (chdir(inside) == 0)
        execv(bash, words);
    display_say(submit->display, "%s/" PARALLEL_SCRIPT " cannot be run: %s", inside,
                strerror(errno));
    return ENDING_FAILED;
}

/* Whether no link, pipe or the like lies in submit/: Slurm and parallel would write their logs
 * through it. Says which. */
static bool holds_plain_files(struct submit *submit, const char *path)
{
    bool fine = true;
    SCOPED_BY(listing_end) DIR *entries = opendir(path);
    for (const struct dirent *entry;
         entries != NULL && fine && (entry = readdir(entries)) != NULL;) {
        SCOPED char *whole = heap_format("%s/%s", path, entry->d_name);
        fine = file_may_write(whole) || errno == EISDIR;
        if (!fine)
            display_say(submit->display, "%s: %s. Move it away", whole, file_problem(errno));
    }
    return fine;
}

/* Locks the folder submit/, so that two calls do not send one shard. The file of the lock, -1 where
 * there are no locks; -2 after a message. */
static int lock_folder(struct submit *submit)
{
    SCOPED char *path = heap_format("%s/submit", submit->folder);
    int file = -2;
    if (!folders_make(path))
        display_say(submit->display, "%s cannot be made: %s", path, strerror(errno));
    else if (holds_plain_files(submit, path))
        file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    errno = 0;
    if (file >= 0 && !file_lock(file, NULL, NULL) && errno == EWOULDBLOCK) {
        display_say(submit->display,
                    "another tilelab submit is sending shards of %s; expected one at a time",
                    submit->folder);
        close(file);
        file = -2;
    }
    return file;
}

/* The script for what is to be sent; heap memory. */
static char *make_script(const struct submit *submit)
{
    const struct submit_options *options = submit->options;
    if (options->engine == ENGINE_SLURM)
        return slurm_script(&submit->job, &submit->slurm);
    if (options->engine == ENGINE_TEMPLATE)
        return template_script(&submit->template, &submit->job, submit->job.sent[0]);
    struct stat status;
    const bool is_file =
        options->hosts != NULL && stat(options->hosts, &status) == 0 && S_ISREG(status.st_mode);
    SCOPED char *hosts = options->hosts == NULL ? NULL
                         : is_file              ? absolute(options->hosts)
                                                : heap_text(options->hosts);
    return parallel_script(&submit->job, hosts, is_file);
}

/* Says why nothing is sent. */
static enum ending nothing_to_send(struct submit *submit)
{
    SCOPED char *word = shell_quoted(submit->folder);
    if (submit->merged_runs == submit->job.runs)
        display_note(submit->display,
                     "nothing is missing: all %zu run%s have their rows in %s/runs.csv",
                     submit->job.runs, plural(submit->job.runs), submit->folder);
    else if (submit->missing_runs == 0)
        display_note(submit->display,
                     "nothing is missing: all %zu run%s have their rows; tilelab merge %s "
                     "writes them into runs.csv",
                     submit->job.runs, plural(submit->job.runs), word);
    else
        display_note(submit->display,
                     "nothing to send: the %zu shard%s that miss%s rows %s queued or running; "
                     "tilelab status %s",
                     submit->busy, plural(submit->busy), submit->busy == 1 ? "es" : "",
                     submit->busy == 1 ? "is" : "are", word);
    return ENDING_DONE;
}

static void say_what_is_sent(struct submit *submit)
{
    struct display *display = submit->display;
    const struct job *job = &submit->job;
    if (submit->busy > 0)
        display_note(display, "%zu shard%s more %s queued or running", submit->busy,
                     plural(submit->busy), submit->busy == 1 ? "is" : "are");
    if (submit->options->engine != ENGINE_PARALLEL &&
        job->worst_seconds + SLURM_WARNING_SECONDS > submit->job.minutes * 60.0)
        display_note(display,
                     "at worst a shard takes %.1f hours, more than its time of %.1f hours: what is "
                     "not done then, the same command sends again",
                     job->worst_seconds / 3600, submit->job.minutes / 60.0);
}

/* Sends the shards that miss rows, or shows how. */
static enum ending submit_missing(struct submit *submit)
{
    const struct submit_options *options = submit->options;
    SCOPED char *problem = NULL;
    if (!submissions_read(submit->folder, &submit->submissions, &problem)) {
        display_say(submit->display, "%s", problem);
        return ENDING_REFUSED;
    }
    const unsigned shards = decide_shards(submit);
    if (shards == 0)
        return ENDING_REFUSED;
    submit->shards = shards_of(submit->experiment, shards);
    if (!find_missing(submit))
        return ENDING_REFUSED;
    if (options->engine == ENGINE_SLURM && !leave_out_busy(submit))
        return ENDING_FAILED;
    if (options->engine == ENGINE_TEMPLATE)
        leave_out_running(submit);
    list_sent(submit);
    if (submit->job.sent_count == 0)
        return nothing_to_send(submit);
    if (options->if_below > 0 && submit->missing_runs >= options->if_below) {
        display_say(submit->display,
                    "nothing is sent again: %zu run%s miss%s rows as before; the logs in %s/submit "
                    "and tilelab status say why",
                    submit->missing_runs, plural(submit->missing_runs),
                    submit->missing_runs == 1 ? "es" : "", submit->folder);
        return ENDING_FAILED;
    }
    if (options->engine != ENGINE_PARALLEL && !decide_time(submit))
        return ENDING_REFUSED;
    decide_memory(submit);
    say_what_is_sent(submit);
    SCOPED char *script = make_script(submit);
    enum ending ending = ENDING_FAILED;
    if (options->show != NULL) {
        screen_data(options->show, "%s", script);
        ending = ENDING_DONE;
    } else if (options->engine == ENGINE_SLURM) {
        SCOPED char *closing = slurm_closing_script(&submit->job, &submit->slurm);
        if (write_script(submit, SLURM_SCRIPT, script) &&
            write_script(submit, CLOSING_SCRIPT, closing))
            ending = send_all(submit);
    } else if (options->engine == ENGINE_TEMPLATE) {
        ending = send_by_template(submit);
    } else if (has_parallel(submit) && write_script(submit, PARALLEL_SCRIPT, script)) {
        ending = become_script(submit);
    }
    return ending;
}

/* The same in a folder that is ours, and that nobody else sends shards of. */
static enum ending submit_locked(struct submit *submit)
{
    const enum ending claimed = folder_claim(submit->folder, submit->display);
    if (claimed != ENDING_DONE)
        return claimed;
    const int lock = lock_folder(submit);
    const enum ending ending = lock == -2 ? ENDING_FAILED : submit_missing(submit);
    if (lock >= 0)
        close(lock);
    return ending;
}

static void submit_start(struct submit *submit)
{
    const struct submit_options *options = submit->options;
    const struct experiment *experiment = submit->experiment;
    submit->program = own_path();
    submit->file = absolute(experiment->path);
    submit->needed = tables_needed_by(experiment);
    submit->folder = absolute(options->output != NULL ? options->output : experiment->output);
    if (submit->needed.count > 0 && pattern_store_place() != NULL)
        submit->tables = absolute(pattern_store_place());
    submit->job = (struct job){.name = heap_format("tilelab-%s", experiment->name),
                               .program = submit->program,
                               .experiment = submit->file,
                               .folder = submit->folder,
                               .tables = submit->tables,
                               .builds = submit->tables != NULL && !tables_are_there(submit),
                               .set = experiment->overrides->texts,
                               .set_count = experiment->overrides->count,
                               .quick = experiment->overrides->quick,
                               .runs = experiment_run_count(experiment),
                               .searches = options->searches == 0 ? 1 : options->searches};
    submit->slurm = (struct slurm_options){.partition = options->partition,
                                           .words = options->words,
                                           .word_count = options->word_count};
}

static void submit_end(struct submit *submit)
{
    FREE((char *)submit->job.name, submit->folder, submit->program, submit->file, submit->tables);
    submissions_end(&submit->submissions);
    free(submit->needed.patterns);
    if (submit->shards.of != NULL)
        shards_end(&submit->shards);
    FREE(submit->missing, submit->sent);
    job_template_end(&submit->template);
}

/* False after a message. */
static bool read_template(struct submit *submit)
{
    const char *path = submit->options->template;
    SCOPED_BY(report_end) struct report report = {.file = path};
    const bool fine = path == NULL || job_template_read(&submit->template, path, &report);
    if (!fine)
        submit->display->show(submit->display, report.text);
    return fine;
}

enum ending submit_shards(const struct experiment *experiment, const struct submit_options *options,
                          struct display *display)
{
    struct submit submit = {.experiment = experiment, .options = options, .display = display};
    submit_start(&submit);
    const enum ending ending = !read_template(&submit) ? ENDING_REFUSED
                               : options->show != NULL ? submit_missing(&submit)
                                                       : submit_locked(&submit);
    submit_end(&submit);
    return ending;
}
