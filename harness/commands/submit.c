/* tilelab submit: has a cluster's scheduler, or GNU parallel, run the shards of an experiment that
 * miss rows. */
#include "base/file.h"
#include "base/heap.h"
#include "base/processors.h"
#include "harness/cluster/job_script.h"
#include "harness/cluster/slurm.h"
#include "harness/cluster/submissions.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/execution/ask.h"
#include "harness/execution/tables.h"
#include "harness/experiment/units.h"
#include "harness/judge/row_check.h"
#include "harness/results/folder.h"
#include "harness/results/record.h"
#include "harness/results/shard_folders.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"
#include "harness/text/shell.h"
#include "harness/text/terminal.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The command line ---- */

enum engine { ENGINE_SLURM, ENGINE_PARALLEL, ENGINES };

static const char *const engine_names[ENGINES] = {"slurm", "parallel"};

enum {
    DEFAULT_SECONDS = 3600,  /* the time of a shard */
    LONGEST_SECONDS = 86400, /* the most that is asked for where --time says nothing */
    MARGIN_SECONDS = 60,     /* for the start and the end of a shard */
    MOST_SHARDS = 1000,      /* unless more are asked for */
    SHARDS_A_PROCESSOR = 4,  /* for parallel: so that machines end at about the same time */
    SHARDS_OVER_HOSTS = 64,  /* likewise, where nobody knows their processors */
};

struct arguments {
    struct experiment_arguments experiment;
    enum engine engine;
    const char *output;
    unsigned shards;   /* 0: not given */
    unsigned searches; /* at the same time in a shard; 0: not given */
    double seconds;    /* 0: not given */
    const char *partition;
    const char *hosts;
    const char *const *words; /* behind --, for sbatch */
    size_t word_count;
    bool dry_run;
    bool quiet;
};

/* Reads 02:00:00 or 1-12:00:00, as Slurm writes times. */
static bool parse_slurm_time(const char *text, double *seconds)
{
    unsigned days = 0;
    unsigned hours;
    unsigned minutes;
    unsigned rest;
    int length = 0;
    const char *dash = strchr(text, '-');
    if (strspn(text, "0123456789:-") != strlen(text) || strlen(text) > 12)
        return false;
    if (dash != NULL && (sscanf(text, "%u-%n", &days, &length) != 1 || text + length != dash + 1))
        return false;
    const char *clock = text + length;
    length = 0;
    if (sscanf(clock, "%u:%u:%u%n", &hours, &minutes, &rest, &length) != 3 || clock[length] != '\0')
        return false;
    *seconds = ((days * 24.0 + hours) * 60 + minutes) * 60 + rest;
    return true;
}

static void take_time(const struct parsing *parsing, const struct command_option *option,
                      void *target, char *value)
{
    double *seconds = target;
    const bool has_unit = value[strspn(value, "0123456789.")] != '\0';
    (void)option;
    if (!has_unit || !(parse_slurm_time(value, seconds) || parse_seconds(value, seconds)) ||
        *seconds > 366.0 * 86400)
        command_line_refuse(parsing,
                            "--time %s: expected a time with its unit, such as 30m, 2h or 02:00:00",
                            value);
}

/* Options of sbatch that would break what tilelab sends. */
static void check_sbatch_word(const struct parsing *parsing, const char *word)
{
    static const struct {
        const char *name;
        char letter;
        const char *instead;
    } ours[] = {{"array", 'a', "--shards"},
                {"dependency", 'd', "no such option"},
                {"partition", 'p', "--partition before the --"},
                {"time", 't', "--time before the --"},
                {"wrap", '\0', "no such option"},
                {"wait", 'W', "no such option"},
                {"test-only", '\0', "--dry-run"}};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        const size_t length = strlen(ours[i].name);
        const bool is_long = strncmp(word, "--", 2) == 0 &&
                             strncmp(word + 2, ours[i].name, length) == 0 &&
                             (word[2 + length] == '\0' || word[2 + length] == '=');
        if (is_long || (word[0] == '-' && word[1] != '-' && word[1] == ours[i].letter &&
                        ours[i].letter != '\0'))
            command_line_refuse(parsing, "%s: tilelab says that to sbatch itself; expected %s",
                                word, ours[i].instead);
    }
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    const struct arguments *arguments = context;
    const bool slurm = arguments->engine == ENGINE_SLURM;
    for (size_t i = 0; i < arguments->word_count; i++)
        check_sbatch_word(parsing, arguments->words[i]);
    if (slurm && arguments->hosts != NULL)
        command_line_refuse(parsing, "--hosts is for --engine parallel; Slurm knows its nodes");
    if (!slurm && arguments->partition != NULL)
        command_line_refuse(parsing, "--partition is for --engine slurm");
    if (!slurm && arguments->seconds != 0)
        command_line_refuse(parsing,
                            "--time is for --engine slurm; GNU parallel has no such limit");
    if (!slurm && arguments->word_count > 0)
        command_line_refuse(parsing, "'%s' behind --: options of sbatch are for --engine slurm",
                            arguments->words[0]);
}

static const struct command_option options[] = {
    {OPTION("engine", 0, "ENGINE", "slurm (default), or parallel: GNU parallel, over ssh",
            take_word, engine),
     WORDS(engine_names, ENGINES)},
    {OPTION("shards", 0, "N",
            "Divide the runs into N shards (default: so that each takes at most --time if all runs "
            "take their limits, at most 1,000; later calls keep the number)",
            take_unsigned, shards),
     .min = 1, .max = MAX_SHARDS},
    {OPTION("time", 't', "TIME",
            "The wall time of a shard for Slurm, such as 30m, 2h or 02:00:00 (default 1h)",
            take_time, seconds)},
    {OPTION("jobs", 'j', "N", "Searches at a time in a shard, each on a processor (default 1)",
            take_unsigned, searches),
     .min = 1, .max = 1024},
    {OPTION("partition", 'p', "NAME", "The partition of Slurm (default: the cluster's)", take_text,
            partition)},
    {OPTION("hosts", 0, "HOSTS",
            "For parallel: hosts as a,b or 8/a,user@b, or a file of them, one a line (default: "
            "this machine alone)",
            take_text, hosts)},
    {OPTION("output", 'o', "FOLDER", "The results folder, in place of the experiment's", take_text,
            output)},
    {OPTION("dry-run", 0, NULL, "Print the script; write and send nothing", take_flag, dry_run)},
    {ARGUMENT_EXPERIMENT(experiment, 1, 1)},
    {OPTION_SET(experiment.overrides)},
    {OPTION_QUICK(experiment.overrides)},
    {OPTION_QUIET(quiet)},
    {OPTION_PDB_DIR},
    {0},
};

const struct command_line submit_line = {
    .options = options,
    .arguments = "EXPERIMENT [-- SBATCH-OPTION...]",
    .help =
        "Have the machines of a cluster run an experiment.\v"
        "The runs are divided into shards (tilelab run --shard), which are sent to Slurm as one "
        "job array; a job behind it merges their rows into runs.csv. The script is kept in "
        "FOLDER/submit, with a log for each shard. FOLDER must be on a file system that all "
        "nodes share, under one path. The same command again sends only the shards that miss "
        "rows and are neither queued nor running; tilelab status FOLDER says how far each is. "
        "Options of sbatch follow --, such as -- --account=physics.",
    .check = check_arguments,
};

/* ---- What is to be done ---- */

struct submit {
    const struct arguments *arguments;
    const struct experiment *experiment;
    struct terminal terminal;
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
};

static void say(struct submit *submit, const char *format, ...) PRINTF_LIKE(2, 3);

static void say(struct submit *submit, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *text = heap_format_list(format, values);
    va_end(values);
    display_say(&submit->terminal.display, "%s", text);
    free(text);
}

/* A path from the root. The current folder is called as the shell calls it, links included: what a
 * link leads to may have another name on other machines. Heap memory. */
static char *absolute(const char *path)
{
    if (path[0] == '/')
        return heap_text(path);
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    char *here = get_current_dir_name();
    char *whole = heap_format("%s/%s", here == NULL ? "." : here, path);
    free(here);
    return whole;
}

/* The path of this program; heap memory. */
static char *own_path(void)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    return length <= 0 ? heap_text("tilelab") : heap_format("%.*s", (int)length, path);
}

/* Decides into how many shards the runs are divided; 0 after a message. */
static unsigned decide_shards(struct submit *submit)
{
    const struct arguments *arguments = submit->arguments;
    const size_t runs = experiment_run_count(submit->experiment);
    const unsigned last =
        arguments->engine == ENGINE_SLURM && !arguments->dry_run ? slurm_last_task() : 0;
    if (arguments->shards != 0) {
        const unsigned shards = runs < arguments->shards ? (unsigned)runs : arguments->shards;
        if (last == 0 || shards <= last)
            return shards;
        say(submit,
            "--shards %u: the arrays of this cluster end at task %u (MaxArraySize); "
            "expected at most that many",
            shards, last);
        return 0;
    }
    if (submit->submissions.count > 0)
        return submit->submissions.items[submit->submissions.count - 1].shards;
    const double worst = shard_load_of(submit->experiment).seconds;
    const double time = arguments->seconds != 0 ? arguments->seconds : DEFAULT_SECONDS;
    const double usable = fmax(time - SLURM_WARNING_SECONDS - MARGIN_SECONDS, 1);
    double shards = ceil(worst / submit->job.searches / usable);
    if (arguments->engine == ENGINE_PARALLEL)
        shards = fmax(shards, arguments->hosts != NULL
                                  ? SHARDS_OVER_HOSTS
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
    const struct arguments *arguments = submit->arguments;
    const struct shard_load load = shard_load_of(submit->experiment);
    const double longest = load.longest;
    const double least = longest + SLURM_WARNING_SECONDS + MARGIN_SECONDS;
    const double margin = fmax(MARGIN_SECONDS - load.before, 0); /* beside warm-up runs */
    double seconds = arguments->seconds;
    if (seconds == 0 && arguments->shards != 0)
        seconds = fmin(submit->job.worst_seconds + SLURM_WARNING_SECONDS + margin, LONGEST_SECONDS);
    else if (seconds == 0)
        seconds = DEFAULT_SECONDS;
    if (arguments->seconds == 0)
        seconds = fmax(seconds, least);
    submit->slurm.minutes = (unsigned)ceil(seconds / 60);
    if (seconds >= least)
        return true;
    say(submit,
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
    char *text = others_text(others);
    say(submit, "%s holds %zu row%s of other runs than this experiment's:", submit->folder, count,
        plural(count));
    submit->terminal.display.show(&submit->terminal.display, text);
    say(submit, "expected another results folder (--output), or the experiment as it was");
    free(text);
    return true;
}

/* Finds the shards that miss rows; false after a message. */
static bool find_missing(struct submit *submit)
{
    const struct experiment *experiment = submit->experiment;
    const size_t runs = experiment_run_count(experiment);
    struct run_ids ids = run_ids_of(experiment);
    struct shard_folders folders = shard_folders_list(submit->folder);
    bool *done = heap_take(runs, sizeof *done);
    struct others *others = others_start(experiment);
    submit->merged_runs = row_check_mark(submit->folder, &ids, done, others);
    for (size_t i = 0; i < folders.count; i++) {
        char *folder = shard_folder(submit->folder, folders.items[i]);
        row_check_mark(folder, &ids, done, others);
        free(folder);
    }
    submit->missing = heap_take(submit->shards.count, sizeof *submit->missing);
    for (size_t run = 0; run < runs; run++)
        if (!done[run]) {
            submit->missing[submit->shards.of[run]] = true;
            submit->missing_runs++;
        }
    const bool refused = refuse_others(submit, others);
    others_end(others);
    free(done);
    shard_folders_end(&folders);
    run_ids_end(&ids);
    return !refused;
}

/* Leaves out the shards that wait or run as tasks of earlier arrays. False after a message. */
static bool leave_out_busy(struct submit *submit)
{
    char *arrays = submissions_arrays(&submit->submissions);
    char *problem = NULL;
    struct slurm_tasks tasks = {0};
    bool fine = true;
    if (arrays[0] != '\0' && !slurm_tasks(arrays, &tasks, &problem)) {
        if (submit->arguments->dry_run) {
            say(submit, "%s; shown as if none of its shards waited or ran", problem);
        } else {
            say(submit, "%s. Which shards wait or run is not known, so none was sent", problem);
            fine = false;
        }
    }
    for (size_t i = 0; i < tasks.count && fine; i++) {
        const struct slurm_task *task = &tasks.items[i];
        const struct submission *of = submissions_find(&submit->submissions, task->job);
        if (of == NULL || task->task == 0)
            continue;
        if (of->shards != submit->shards.count) {
            say(submit,
                "job %lu still has shards of %u; expected --shards %u, or first scancel %lu",
                task->job, of->shards, of->shards, task->job);
            fine = false;
        } else if (task->task <= submit->shards.count && submit->missing[task->task - 1]) {
            submit->missing[task->task - 1] = false;
            submit->busy++;
        }
    }
    slurm_tasks_end(&tasks);
    free(problem);
    free(arrays);
    return fine;
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
    job->shards = submit->shards.count;
}

/* Whether all pattern databases are in the folder already. */
static bool tables_are_there(const struct submit *submit)
{
    bool there = true;
    for (size_t i = 0; i < submit->needed.count && there; i++) {
        struct pattern_table table;
        char *problem = NULL;
        char *name = pattern_name(&submit->needed.patterns[i]);
        char *path = heap_format("%s/%s.pdb", submit->tables, name);
        there = pattern_file_look(path, &table, &problem);
        free(problem);
        free(path);
        free(name);
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
    say(submit, "%s/%s cannot be written: %s", submit->folder, name, file_problem(errno));
    return false;
}

static bool write_script(struct submit *submit, const char *name, const char *text)
{
    char *path = heap_format("%s/submit/%s", submit->folder, name);
    const bool fine = file_write(path, text, strlen(text)) && chmod(path, 0755) == 0;
    if (!fine)
        cannot_write(submit, name);
    free(path);
    return fine;
}

/* Sends a job and notes its number in jobs.json at once. False after a message; takes the words. */
static bool send(struct submit *submit, char **words, unsigned long *number)
{
    char *problem = NULL;
    char *inside = heap_format("%s/submit", submit->folder);
    char *job = slurm_send(words, inside, &problem);
    bool fine = job != NULL;
    if (!fine)
        say(submit, "%s", problem);
    else
        *number = strtoul(job, NULL, 10);
    if (fine && !submissions_write(submit->folder, &submit->submissions))
        fine = cannot_write(submit, SUBMISSIONS_FILE);
    free(job);
    free(problem);
    free(inside);
    words_end(words);
    return fine;
}

/* Sends the jobs that are to be sent. */
static int send_all(struct submit *submit)
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
        return EXIT_FAILED;
    snprintf(numbers[0], sizeof numbers[0], "%lu", now->tables);
    if (!send(submit, slurm_array_words(&submit->slurm, job->builds ? numbers[0] : NULL),
              &now->array))
        return EXIT_FAILED;
    snprintf(numbers[1], sizeof numbers[1], "%lu", now->array);
    if (!send(submit, slurm_merge_words(job, &submit->slurm, numbers[1]), &now->merge))
        return EXIT_FAILED;
    display_note(&submit->terminal.display,
                 "sent %zu of %u shard%s as job %lu%s; job %lu merges them", job->sent_count,
                 job->shards, plural(job->shards), now->array,
                 job->builds ? ", behind one that builds the pattern databases" : "", now->merge);
    char *word = shell_quoted(submit->folder);
    display_note(&submit->terminal.display, "next: tilelab status %s", word);
    free(word);
    return EXIT_DONE;
}

/* Whether GNU parallel is there: another program has that name, too. */
static bool has_parallel(struct submit *submit)
{
    char *words[] = {"parallel", "--version", NULL};
    struct reply reply = ask(words, NULL);
    const bool fine = reply.fine && strncmp(reply.text, "GNU parallel", 12) == 0;
    if (!fine)
        say(submit, "%s; expected GNU parallel (Debian: parallel)",
            reply.problem != NULL ? reply.problem : "'parallel' is another program");
    reply_end(&reply);
    return fine;
}

/* Becomes the script, which runs the shards here and over the hosts, and merges. */
static int become_script(struct submit *submit)
{
    char bash[] = "/bin/bash";
    char script[] = PARALLEL_SCRIPT;
    char *words[] = {bash, script, NULL};
    char *inside = heap_format("%s/submit", submit->folder);
    display_note(&submit->terminal.display, "%zu of %u shard%s by GNU parallel",
                 submit->job.sent_count, submit->job.shards, plural(submit->job.shards));
    fflush(stdout);
    if (chdir(inside) == 0)
        execv(bash, words);
    say(submit, "%s/" PARALLEL_SCRIPT " cannot be run: %s", inside, strerror(errno));
    free(inside);
    return EXIT_FAILED;
}

/* Whether no link, pipe or the like lies in submit/: Slurm and parallel would write their logs
 * through it. Says which. */
static bool holds_plain_files(struct submit *submit, const char *path)
{
    bool fine = true;
    DIR *entries = opendir(path);
    for (const struct dirent *entry;
         entries != NULL && fine && (entry = readdir(entries)) != NULL;) {
        char *whole = heap_format("%s/%s", path, entry->d_name);
        fine = file_may_write(whole) || errno == EISDIR;
        if (!fine)
            say(submit, "%s: %s. Move it away", whole, file_problem(errno));
        free(whole);
    }
    if (entries != NULL)
        closedir(entries);
    return fine;
}

/* Locks the folder submit/, so that two calls do not send one shard. The file of the lock, -1 where
 * there are no locks; -2 after a message. */
static int lock_folder(struct submit *submit)
{
    char *path = heap_format("%s/submit", submit->folder);
    int file = -2;
    if (!folders_make(path))
        say(submit, "%s cannot be made: %s", path, strerror(errno));
    else if (holds_plain_files(submit, path))
        file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    errno = 0;
    if (file >= 0 && !file_lock(file, NULL, NULL) && errno == EWOULDBLOCK) {
        say(submit, "another tilelab submit is sending shards of %s; expected one at a time",
            submit->folder);
        close(file);
        file = -2;
    }
    free(path);
    return file;
}

/* The script for what is to be sent; heap memory. */
static char *make_script(const struct submit *submit)
{
    const struct arguments *arguments = submit->arguments;
    if (arguments->engine == ENGINE_SLURM)
        return slurm_script(&submit->job, &submit->slurm);
    struct stat status;
    const bool is_file =
        arguments->hosts != NULL && stat(arguments->hosts, &status) == 0 && S_ISREG(status.st_mode);
    char *hosts = arguments->hosts == NULL ? NULL
                  : is_file                ? absolute(arguments->hosts)
                                           : heap_text(arguments->hosts);
    char *script = parallel_script(&submit->job, hosts, is_file);
    free(hosts);
    return script;
}

/* Says why nothing is sent. */
static int nothing_to_send(struct submit *submit)
{
    char *word = shell_quoted(submit->folder);
    if (submit->merged_runs == submit->job.runs)
        display_note(&submit->terminal.display,
                     "nothing is missing: all %zu run%s have their rows in %s/runs.csv",
                     submit->job.runs, plural(submit->job.runs), submit->folder);
    else if (submit->missing_runs == 0)
        display_note(&submit->terminal.display,
                     "nothing is missing: all %zu run%s have their rows; tilelab merge %s "
                     "writes them into runs.csv",
                     submit->job.runs, plural(submit->job.runs), word);
    else
        display_note(&submit->terminal.display,
                     "nothing to send: the %zu shard%s that miss%s rows %s queued or running; "
                     "tilelab status %s",
                     submit->busy, plural(submit->busy), submit->busy == 1 ? "es" : "",
                     submit->busy == 1 ? "is" : "are", word);
    free(word);
    return EXIT_DONE;
}

static void say_what_is_sent(struct submit *submit)
{
    struct display *display = &submit->terminal.display;
    const struct job *job = &submit->job;
    if (submit->busy > 0)
        display_note(display, "%zu shard%s more %s queued or running", submit->busy,
                     plural(submit->busy), submit->busy == 1 ? "is" : "are");
    if (submit->arguments->engine == ENGINE_SLURM &&
        job->worst_seconds + SLURM_WARNING_SECONDS > submit->slurm.minutes * 60.0)
        display_note(display,
                     "at worst a shard takes %.1f hours, more than its time of %.1f hours: what is "
                     "not done then, the same command sends again",
                     job->worst_seconds / 3600, submit->slurm.minutes / 60.0);
}

/* Sends the shards that miss rows, or shows how. */
static int submit_missing(struct submit *submit)
{
    const struct arguments *arguments = submit->arguments;
    char *problem = NULL;
    if (!submissions_read(submit->folder, &submit->submissions, &problem)) {
        say(submit, "%s", problem);
        free(problem);
        return EXIT_USAGE;
    }
    const unsigned shards = decide_shards(submit);
    if (shards == 0)
        return EXIT_USAGE;
    submit->shards = shards_of(submit->experiment, shards);
    if (!find_missing(submit))
        return EXIT_USAGE;
    if (arguments->engine == ENGINE_SLURM && !leave_out_busy(submit))
        return EXIT_FAILED;
    list_sent(submit);
    if (submit->job.sent_count == 0)
        return nothing_to_send(submit);
    if (arguments->engine == ENGINE_SLURM && !decide_time(submit))
        return EXIT_USAGE;
    decide_memory(submit);
    say_what_is_sent(submit);
    char *script = make_script(submit);
    int code = EXIT_FAILED;
    if (arguments->dry_run) {
        screen_data(stdout, "%s", script);
        code = EXIT_DONE;
    } else if (arguments->engine == ENGINE_SLURM) {
        if (write_script(submit, SLURM_SCRIPT, script))
            code = send_all(submit);
    } else if (has_parallel(submit) && write_script(submit, PARALLEL_SCRIPT, script)) {
        code = become_script(submit);
    }
    free(script);
    return code;
}

/* The same in a folder that is ours, and that nobody else sends shards of. */
static int submit_locked(struct submit *submit)
{
    const enum ending claimed = folder_claim(submit->folder, &submit->terminal.display);
    if (claimed != ENDING_DONE)
        return claimed == ENDING_REFUSED ? EXIT_USAGE : EXIT_FAILED;
    const int lock = lock_folder(submit);
    const int code = lock == -2 ? EXIT_FAILED : submit_missing(submit);
    if (lock >= 0)
        close(lock);
    return code;
}

static struct submit submit_start(const struct arguments *arguments,
                                  const struct experiment *experiment)
{
    struct submit submit = {.arguments = arguments,
                            .experiment = experiment,
                            .terminal = terminal_make(),
                            .program = own_path(),
                            .file = absolute(experiment->path),
                            .needed = tables_needed_by(experiment)};
    submit.folder = absolute(arguments->output != NULL ? arguments->output : experiment->output);
    submit.terminal.display.quiet = arguments->quiet;
    if (submit.needed.count > 0 && pattern_store_place() != NULL)
        submit.tables = absolute(pattern_store_place());
    submit.job = (struct job){.name = heap_format("tilelab-%s", experiment->name),
                              .program = submit.program,
                              .experiment = submit.file,
                              .folder = submit.folder,
                              .tables = submit.tables,
                              .builds = submit.tables != NULL && !tables_are_there(&submit),
                              .set = arguments->experiment.overrides.texts,
                              .set_count = arguments->experiment.overrides.count,
                              .runs = experiment_run_count(experiment),
                              .searches = arguments->searches == 0 ? 1 : arguments->searches};
    submit.slurm = (struct slurm_options){.partition = arguments->partition,
                                          .words = arguments->words,
                                          .word_count = arguments->word_count};
    return submit;
}

static void submit_end(struct submit *submit)
{
    free((char *)submit->job.name);
    free(submit->folder);
    free(submit->program);
    free(submit->file);
    free(submit->tables);
    submissions_end(&submit->submissions);
    free(submit->needed.patterns);
    if (submit->shards.of != NULL)
        shards_end(&submit->shards);
    free(submit->missing);
    free(submit->sent);
}

int command_submit(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct experiment experiment;
    int code = EXIT_USAGE;
    int own = 1;
    while (own < argc && strcmp(argv[own], "--") != 0)
        own++;
    if (own < argc) { /* what follows is not ours to read */
        arguments.words = (const char *const *)argv + own + 1;
        arguments.word_count = (size_t)(argc - own - 1);
    }
    command_line_parse(&submit_line, own, argv, &arguments);
    if (experiment_arguments_load(&arguments.experiment, &experiment)) {
        struct submit submit = submit_start(&arguments, &experiment);
        code = arguments.dry_run ? submit_missing(&submit) : submit_locked(&submit);
        submit_end(&submit);
        experiment_end(&experiment);
    }
    experiment_arguments_end(&arguments.experiment);
    return code;
}
