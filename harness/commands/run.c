/* tilelab run: the whole way from an experiment file to verified rows and the tables over them. */
#include "base/clock.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/processors.h"
#include "harness/cluster/shard_manifest.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/compare.h"
#include "harness/commands/externals.h"
#include "harness/commands/output.h"
#include "harness/commands/unsolvable.h"
#include "harness/execution/fault.h"
#include "harness/execution/interpreters.h"
#include "harness/execution/manifest.h"
#include "harness/execution/resume.h"
#include "harness/execution/scheduler.h"
#include "harness/execution/tables.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/units.h"
#include "harness/judge/row_check.h"
#include "harness/results/datapackage.h"
#include "harness/results/folder.h"
#include "harness/results/messages.h"
#include "harness/results/record.h"
#include "harness/results/reference.h"
#include "harness/results/rounds.h"
#include "harness/results/shard_folders.h"
#include "harness/text/human.h"
#include "harness/text/terminal.h"
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    struct experiment_arguments experiment;
    const char *output;
    struct shard shard; /* count 0: none was asked for */
    unsigned jobs;
    bool fresh; /* set earlier rows aside */
    bool keep;  /* leave rows of other runs where they are */
    bool all_moves;
    bool json, quiet;
    bool no_compare;
    bool again[STATUSES]; /* rows of these are made again */
    bool any_again;
    double sync_seconds;
};

/* The last of --fresh and --keep counts. */
static void take_earlier(const struct parsing *parsing, const struct command_option *option,
                         void *target, char *value)
{
    struct arguments *arguments = target;
    (void)parsing, (void)value;
    arguments->fresh = strcmp(option->name, "fresh") == 0;
    arguments->keep = !arguments->fresh;
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    ((struct arguments *)context)->any_again = option_given(parsing, "again");
}

static void take_shard(const struct parsing *parsing, const struct command_option *option,
                       void *target, char *value)
{
    (void)option;
    if (!shard_parse(value, target))
        command_line_refuse(parsing,
                            "--shard %s: expected K/N, the number of this shard and how many there "
                            "are, such as 2/16: 1 <= K <= N <= %d",
                            value, MAX_SHARDS);
}

static const struct command_option options[] = {
    {OPTION("jobs", 'j', "N",
            "Searches at a time (default: the experiment's, or one for each processor)",
            take_unsigned, jobs),
     .min = 1, .max = 1024},
    {OPTION("output", 'o', "FOLDER", "The results folder, in place of the experiment's", take_text,
            output)},
    {OPTION("shard", 0, "K/N",
            "Only the runs of shard K of N, into shards/K-of-N of the results folder: the others "
            "are made elsewhere, and tilelab merge makes one runs.csv of them",
            take_shard, shard)},
    {OPTION_OF_ALL("fresh", 'f', NULL, "Set earlier rows aside (runs.csv.1) and start afresh",
                   take_earlier)},
    {OPTION_OF_ALL("keep", 'k', NULL, "Leave rows of other runs in runs.csv and add to them",
                   take_earlier)},
    {OPTION("again", 0, "STATUS,..",
            "Make runs again whose rows have these statuses, such as time_limit,crashed; each row "
            "stands until the new one is there",
            take_words, again),
     WORDS_OF(status_rows, STATUSES)},
    {OPTION("all-moves", 'm', NULL, "Write paths of more than 1,000 moves too", take_flag,
            all_moves)},
    {OPTION("no-compare", 'n', NULL, "No comparison at the end", take_flag, no_compare)},
    {OPTION("sync", 0, "TIME",
            "How often rows are flushed to the disk (default 5s; 0: after each row)", take_seconds,
            sync_seconds),
     .expected = "a time such as 5s or 500ms, or 0"},
    {ARGUMENT_EXPERIMENT(experiment, 1, 1)},
    {OPTION_SET(experiment.overrides)},
    {OPTION_QUICK(experiment.overrides)},
    {OPTION_JSON},
    {OPTION_QUIET(quiet)},
    {OPTION_PDB_DIR},
    {0},
};

const struct command_line run_line = {
    .check = check_arguments,
    .options = options,
    .arguments = "EXPERIMENT",
    .help =
        "Run an experiment, or continue where it stopped.\v"
        "EXPERIMENT is a YAML file or the name of an experiment that ships. Each run is a row "
        "of runs.csv in the results "
        "folder. Running again makes only the runs that are missing. The first Ctrl-C stops the "
        "running "
        "searches and "
        "keeps every finished row; the second ends at once. With --json the call ends with one "
        "object "
        "on standard output: the folder and its files, runs and their statuses, why it ended, and "
        "of the comparison summary, verdicts and notes.",
};

/* One call of `tilelab run`. */
struct call {
    const struct arguments *arguments;
    const struct experiment *experiment;
    const char *results; /* the experiment's results folder, of which a shard's is a part */
    struct terminal terminal;
    struct session session;
    char *reason; /* owned; why the exit code is not 0, where that was said; or NULL */
    json_t *json; /* owned; what --json prints, as far as it is known */
};

/* Says why the call does not end with exit code 0; takes the text. */
static void say_why(struct call *call, char *owned)
{
    display_say(&call->terminal.display, "%s", owned);
    heap_append(&call->reason, "%s%s", call->reason == NULL ? "" : "; ", owned);
    free(owned);
}

static unsigned job_count(const struct arguments *arguments, const struct experiment *experiment,
                          size_t runs)
{
    const unsigned jobs =
        arguments->jobs != 0 ? arguments->jobs : experiment_jobs(experiment, processors_count());
    return runs < jobs ? (unsigned)(runs == 0 ? 1 : runs) : jobs;
}

/* The processors to pin workers to, one for each thread of each job, in heap memory; NULL with a
 * message if there are too few. */
static unsigned *pinned_processors(struct call *call, unsigned jobs)
{
    const unsigned threads = experiment_threads(call->experiment);
    size_t count;
    unsigned *processors = processors_list(&count);
    if (count >= (size_t)jobs * threads)
        return processors;
    char *of = threads == 1 ? heap_text("") : heap_format(" of %u threads", threads);
    char *expected = count < threads
                         ? heap_format("expected at most %zu threads", count)
                         : heap_format("expected at most that many jobs%s (--jobs %zu)",
                                       threads == 1 ? "" : " times threads", count / threads);
    say_why(call, heap_format("%u jobs%s cannot be pinned to %zu processor%s; %s, or pin: false",
                              jobs, of, count, plural(count), expected));
    free(of);
    free(expected);
    free(processors);
    return NULL;
}

/* More threads than processors only wait for each other. */
static void note_threads(struct call *call, unsigned jobs)
{
    const unsigned threads = experiment_threads(call->experiment);
    const unsigned processors = processors_count();
    if (threads > 1 && (uint64_t)jobs * threads > processors)
        display_note(&call->terminal.display,
                     "%u job%s of up to %u threads on %u processor%s: they take turns, and wall "
                     "times are longer than they need be%s",
                     jobs, plural(jobs), threads, processors, plural(processors),
                     jobs > 1 ? "; expected fewer jobs (--jobs 1)" : "; expected fewer threads");
}

/* ---- Ctrl-C ---- */

static volatile sig_atomic_t interrupts;

static void count_interrupt(int signal)
{
    (void)signal;
    interrupts = interrupts + 1;
    if (interrupts > 1)
        _exit(EXIT_INTERRUPTED);
}

/* From now on the first interrupt is counted and the second ends the process. */
static void count_interrupts(void)
{
    const struct sigaction counting = {.sa_handler = count_interrupt};
    sigaction(SIGINT, &counting, NULL);
    sigaction(SIGTERM, &counting, NULL);
    sigaction(SIGUSR1, &counting, NULL); /* what clusters send some time before the end */
}

static void stop_counting_interrupts(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGUSR1, SIG_DFL);
}

/* ---- The files beside the rows ---- */

/* Whether a file of the folder was written; if not, reports it. */
static bool was_written(struct call *call, bool written, const struct folder *folder,
                        const char *name)
{
    if (!written)
        say_why(call, heap_format("%s/%s cannot be written: %s", folder->path, name,
                                  file_problem(errno)));
    return written;
}

/* On a full disk datapackage.json makes room: the next call writes it again. */
static bool write_manifest(struct call *call, const struct folder *folder)
{
    bool written = manifest_write(folder, call->experiment, &call->session);
    if (!written && (errno == ENOSPC || errno == EDQUOT) && datapackage_remove(folder->path))
        written = manifest_write(folder, call->experiment, &call->session);
    return was_written(call, written, folder, "manifest.json");
}

/* Writes the references beside the rows, so that the folder can be held against them anywhere. */
static bool write_references(struct call *call, const struct folder *folder)
{
    bool fine = true;
    for (size_t i = 0; fine && i < call->experiment->expectation_count; i++) {
        const struct expectation *own = &call->experiment->expectations[i];
        char *name = heap_format(EXPECTED_FILE, own->name);
        const size_t length = strlen(own->text);
        fine = was_written(call, folder_write(folder, name, own->text, length), folder, name);
        if (fine && strcmp(folder->path, call->results) != 0) { /* a shard: for the merged rows */
            char *part = heap_format("%s/.%s.part", folder->path, name);
            char *path = heap_format("%s/%s", call->results, name);
            fine =
                was_written(call, file_write_through(part, path, own->text, length), folder, name);
            free(part);
            free(path);
        }
        free(name);
    }
    return fine;
}

static bool write_datapackage(struct call *call, const struct folder *folder)
{
    return was_written(call, datapackage_write(folder->path, call->experiment, folder->display),
                       folder, DATAPACKAGE_FILE);
}

/* ---- What is said before and after ---- */

static void say_what_runs(struct call *call, const struct queue *queue, const char *output)
{
    const struct experiment *experiment = call->experiment;
    const struct shard *shard = &call->arguments->shard;
    const size_t all = experiment_run_count(experiment);
    char *what = shard->count == 0 ? heap_text("")
                                   : heap_format(", shard %u/%u: %zu of", shard->number,
                                                 shard->count, queue->total);
    display_note(&call->terminal.display,
                 "%s%s %zu run%s (%zu instance%s x %zu solver%s x %u repetition%s), %u at a time, "
                 "into %s",
                 experiment->name, what[0] == '\0' ? ":" : what, all, plural(all),
                 experiment->instances.count, plural(experiment->instances.count),
                 experiment->solver_count, plural(experiment->solver_count),
                 experiment->repetitions, plural(experiment->repetitions), call->session.jobs,
                 output);
    free(what);
    char *externals = externals_text(experiment, false);
    if (externals != NULL && !call->terminal.display.quiet)
        call->terminal.display.show(&call->terminal.display, externals);
    free(externals);
    if (queue->finished > 0)
        display_note(&call->terminal.display, "%zu of them %s done already", queue->finished,
                     queue->finished == 1 ? "is" : "are");
}

/* Every run has its row. */
static int end_of_runs(struct call *call, const struct row_sink *sink)
{
    const size_t findings = sink->findings;
    const size_t starved = sink->ended[STATUS_out_of_memory];
    const size_t lost = sink->ended[STATUS_lost];
    if (starved > 0)
        say_why(call,
                heap_format(
                    "the system refused memory to %zu run%s before the budget was spent "
                    "(out_of_memory); give the memory that limits.memory promises (ulimit -v, a "
                    "container's limit, --jobs 1) or lower that limit, and the same command makes "
                    "%s again",
                    starved, plural(starved), starved == 1 ? "it" : "them"));
    if (lost > 0)
        say_why(call, heap_format("%zu run%s killed by the system or a person, three times each "
                                  "(lost); %s/" MESSAGES_FILE " says more. With enough memory (a "
                                  "container's limit, --jobs 1, limits.memory) and in peace the "
                                  "same command makes %s again",
                                  lost, lost == 1 ? " was" : "s were", sink->folder->path,
                                  lost == 1 ? "it" : "them"));
    if (findings > 0)
        say_why(call,
                heap_format("%zu row%s crashed, %s wrong or %s another; see %s/" MESSAGES_FILE
                            " and the status column",
                            findings, plural(findings), findings == 1 ? "is" : "are",
                            findings == 1 ? "contradicts" : "contradict", sink->folder->path));
    return findings > 0 || starved > 0 || lost > 0 ? EXIT_FINDINGS : EXIT_DONE;
}

static int say_how_it_ended(struct call *call, enum ending ending, const struct queue *queue,
                            const struct row_sink *sink)
{
    if (ending == ENDING_DONE) {
        display_note(&call->terminal.display, "%zu run%s in %.1f s", call->session.rows,
                     plural(call->session.rows), call->session.seconds);
        return end_of_runs(call, sink);
    }
    if (ending == ENDING_INTERRUPTED)
        say_why(call,
                heap_format("interrupted; %zu of %zu run%s %s written. The same command continues "
                            "from there",
                            queue->finished, queue->total, plural(queue->total),
                            queue->finished == 1 ? "is" : "are"));
    return exit_code_of(ending);
}

/* ---- The run ---- */

/* Has the scheduler make the missing runs; tells the manifest and the user how it went. Returns the
 * exit code. */
static int run_missing(struct call *call, struct queue *queue, struct row_sink *sink)
{
    const struct folder *folder = sink->folder;
    struct session *session = &call->session;
    struct progress *progress = &call->terminal.progress;
    const size_t before = queue->finished;
    struct machine_watch watch;
    struct slots slots;
    struct scheduler scheduler = {.queue = queue,
                                  .slots = &slots,
                                  .sink = sink,
                                  .watch = &watch,
                                  .display = &call->terminal.display,
                                  .interrupted = &interrupts};
    session->interpreters = interpreters_json(call->experiment);
    record_time(session->started);
    if (!write_manifest(call, folder)) {
        json_decref(session->interpreters);
        return EXIT_FAILED;
    }
    if (!write_references(call, folder) || !write_datapackage(call, folder)) {
        session->ended = "failed";
        record_time(session->finished);
        write_manifest(call, folder);
        json_decref(session->interpreters);
        return EXIT_FAILED;
    }
    const double start = clock_wall();
    slots_start(&slots, session->jobs, session->processors, experiment_threads(call->experiment),
                call->experiment->warmup, experiment_max_bytes(call->experiment));
    progress_start(progress, queue->total == 1 ? "run" : "runs", before, queue->total,
                   call->arguments->quiet);
    count_interrupts();
    enum ending ending = scheduler_run(&scheduler);
    if (ending != ENDING_FAILED && !row_sink_settle(sink, queue->runs))
        ending = ENDING_FAILED;
    stop_counting_interrupts();
    progress_clear(progress);
    session->seconds = clock_wall() - start;
    session->rows = queue->finished - before;
    session->overhead_seconds = slots_overhead(&slots);
    session->noise = &watch.noise;
    session->complete = ending == ENDING_DONE && sink->ended[STATUS_out_of_memory] == 0 &&
                        sink->ended[STATUS_lost] == 0;
    session->ended = ending == ENDING_DONE          ? "done"
                     : ending == ENDING_INTERRUPTED ? "interrupted"
                                                    : "failed";
    record_time(session->finished);
    bool written = write_manifest(call, folder);
    if (!sink->failed && (sink->messages > 0 || sink->deepened > 0)) /* their tables may be new */
        written = write_datapackage(call, folder) && written;
    const int code = say_how_it_ended(call, ending, queue, sink);
    slots_end(&slots);
    json_decref(session->interpreters);
    session->interpreters = NULL;
    return written || code != EXIT_DONE ? code : EXIT_FAILED;
}

/* Writes the copy of the experiment's file. */
static bool write_experiment(struct call *call, const struct folder *folder)
{
    const struct experiment *experiment = call->experiment;
    return was_written(
        call,
        folder_write(folder, "experiment.yaml", experiment->source, experiment->source_length),
        folder, "experiment.yaml");
}

/* Makes the runs that an open folder lacks, if any; `unfit` (taken) is why its manifest cannot be
 * used, or NULL. Returns the exit code. */
static int go_on(struct call *call, struct queue *queue, struct row_sink *sink,
                 const struct resumed *resumed, char *unfit)
{
    const struct experiment *experiment = call->experiment;
    const struct folder *folder = sink->folder;
    if (!manifest_prepare(folder, unfit))
        return EXIT_FAILED;
    if (queue->finished == queue->total) {
        const int code = end_of_runs(call, sink);
        return write_experiment(call, folder) &&
                       was_written(
                           call, manifest_finish(folder, experiment, resumed->first, resumed->last),
                           folder, "manifest.json") &&
                       write_references(call, folder)
                   ? code
                   : EXIT_FAILED;
    }
    const int built = exit_code_of(tables_build_all(experiment, call->arguments->quiet, folder));
    if (built != EXIT_DONE)
        return built;
    return write_experiment(call, folder) ? run_missing(call, queue, sink) : EXIT_FAILED;
}

/* The files of the results folder that are for the user. */
static json_t *result_files(const char *output)
{
    static const char *const names[] = {"runs.csv",      ROUNDS_FILE,      "summary.csv",
                                        "by_depth.csv",  "pairs.csv",      "expect.csv",
                                        "manifest.json", DATAPACKAGE_FILE, MESSAGES_FILE};
    json_t *files = json_array();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = heap_format("%s/%s", output, names[i]);
        if (access(path, F_OK) == 0)
            json_array_append_new(files, json_string(names[i]));
        free(path);
    }
    return files;
}

/* Names the results and the next commands. */
static void say_what_is_next(struct call *call, const char *output)
{
    char *names = heap_text("");
    json_t *files = result_files(output);
    for (size_t i = 0; i < json_array_size(files); i++)
        heap_append(&names, "%s%s", i == 0 ? "" : ", ",
                    json_string_value(json_array_get(files, i)));
    json_decref(files);
    display_note(&call->terminal.display, "results are in %s: %s", output, names);
    char *word = shell_word(output);
    display_note(&call->terminal.display, "next: tilelab compare %s --full, tilelab plot %s", word,
                 word);
    free(word);
    free(names);
}

/* Prints the comparison; where JSON is asked for, takes it into the call's object instead. Returns
 * the exit code. */
static int compare(struct call *call, const char *output, const struct run_ids *ids,
                   const char *others)
{
    static const char *const kept[] = {"baseline", "summary", "expect", "verdicts", "notes"};
    struct compare_options comparing = {.metric = METRICS,
                                        .only = ids,
                                        .others = others,
                                        .quiet =
                                            true, /* the end of the call says where the files are */
                                        .silent = call->arguments->quiet};
    if (!call->arguments->json)
        return compare_print(&output, 1, &comparing);
    char *text;
    size_t length;
    comparing.format = FORMAT_JSON;
    comparing.stream = heap_stream(&text, &length);
    const int code = compare_print(&output, 1, &comparing);
    heap_stream_end(comparing.stream);
    json_t *comparison = json_loadb(text, length, 0, NULL);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(call->json, kept[i], json_object_get(comparison, kept[i]));
    json_decref(comparison);
    free(text);
    return code;
}

/* Takes into the call's object which rows there are; `kept` of them were there before it. */
static void note_rows(struct call *call, const struct queue *queue, const struct row_sink *sink,
                      size_t kept)
{
    json_t *statuses = json_object();
    for (unsigned i = 0; i < STATUSES; i++)
        json_object_set_new(statuses, status_rows[i].name,
                            json_integer((json_int_t)sink->ended[i]));
    json_object_set_new(call->json, "runs", json_integer((json_int_t)queue->total));
    json_object_set_new(call->json, "kept", json_integer((json_int_t)kept));
    json_object_set_new(call->json, "made", json_integer((json_int_t)(queue->finished - kept)));
    json_object_set_new(call->json, "statuses", statuses);
}

/* ---- Shards ---- */

/* Rows of this folder's shards that no merge has brought into its runs.csv would be made again:
 * says so and refuses. */
static enum ending refuse_unmerged(struct call *call, const struct run_ids *ids, const bool *done)
{
    struct shard_folders shards = shard_folders_list(call->results);
    bool *known = heap_take(ids->count, sizeof *known);
    size_t unmerged = 0;
    memcpy(known, done, ids->count * sizeof *known);
    for (size_t i = 0; i < shards.count; i++) {
        char *path = shard_folder(call->results, shards.items[i]);
        unmerged += row_check_mark(path, ids, known, NULL);
        free(path);
    }
    free(known);
    shard_folders_end(&shards);
    if (unmerged == 0)
        return ENDING_DONE;
    char *word = shell_word(call->results);
    say_why(call, heap_format("%s/shards holds the rows of %zu run%s that runs.csv does not; first "
                              "tilelab merge %s, then the same command makes what is missing",
                              call->results, unmerged, plural(unmerged), word));
    free(word);
    return ENDING_REFUSED;
}

/* A merge takes the row whose run started first, so that old rows of shards would come back. */
static enum ending refuse_again(struct call *call)
{
    struct shard_folders shards = shard_folders_list(call->results);
    const bool any = shards.count > 0 || call->arguments->shard.count > 0;
    if (any)
        say_why(call,
                heap_format("--again: a merge takes the row of a run that was made first, so rows "
                            "of shards cannot be replaced; once all are merged, move %s/shards "
                            "away, then run --again without --shard",
                            call->results));
    shard_folders_end(&shards);
    return any ? ENDING_REFUSED : ENDING_DONE;
}

/* --fresh sets the rows of one folder aside, but those that the others hold would count again: of
 * shards with the next merge, of RESULTS and other divisions at once. */
static enum ending refuse_fresh(struct call *call)
{
    const struct shard *own = &call->arguments->shard;
    struct shard_folders shards = shard_folders_list(call->results);
    char *merged = heap_format("%s/runs.csv", call->results);
    const bool is_shard = own->count > 0;
    bool others = false;
    for (size_t i = 0; i < shards.count; i++)
        others = others || !is_shard || shards.items[i].count != own->count;
    const bool any = others || (is_shard && access(merged, F_OK) == 0);
    if (others)
        say_why(call,
                heap_format("--fresh: %s/shards has rows of its own; move that folder away, or "
                            "choose another results folder with --output",
                            call->results));
    else if (any)
        say_why(call, heap_format("--fresh: %s has the rows of earlier merges; move it away, or "
                                  "choose another results folder with --output",
                                  merged));
    free(merged);
    shard_folders_end(&shards);
    return any ? ENDING_REFUSED : ENDING_DONE;
}

/* Leaves runs out of the shard that have a row elsewhere: in runs.csv of RESULTS, or in a shard of
 * another division. Shards of the same division share no run, so they are read only where other
 * experiments had shards here. */
static void leave_out_elsewhere(struct call *call, struct queue *queue, bool several)
{
    const struct shard *own = &call->arguments->shard;
    struct shard_folders shards = shard_folders_list(call->results);
    bool *elsewhere = heap_take(queue->runs->count, sizeof *elsewhere);
    row_check_mark(call->results, queue->runs, elsewhere, NULL);
    for (size_t i = 0; i < shards.count; i++) {
        const struct shard *other = &shards.items[i];
        if (other->count == own->count && (!several || other->number == own->number))
            continue;
        char *path = shard_folder(call->results, *other);
        row_check_mark(path, queue->runs, elsewhere, NULL);
        free(path);
    }
    const size_t left_out = queue_leave_out(queue, elsewhere);
    if (left_out > 0)
        display_note(&call->terminal.display, "%zu run%s of shard %u/%u %s rows elsewhere in %s",
                     left_out, plural(left_out), own->number, own->count,
                     left_out == 1 ? "has" : "have", call->results);
    free(elsewhere);
    shard_folders_end(&shards);
}

/* What the rows that exist mean for the runs to make. */
static enum ending regard_shards(struct call *call, const struct folder *folder,
                                 struct queue *queue)
{
    bool several;
    const struct shard *shard = &call->arguments->shard;
    if (shard->count == 0)
        return refuse_unmerged(call, queue->runs, queue->done);
    if (!shard_manifest_begin(call->results, folder, *shard, queue->runs, &several))
        return ENDING_FAILED;
    leave_out_elsewhere(call, queue, several);
    return ENDING_DONE;
}

/* ---- The whole call ---- */

/* Compares what unsharded runs came to, or says what follows a shard. Returns the exit code. */
static int conclude(struct call *call, const struct run_ids *ids, const struct resumed *resumed,
                    int code)
{
    if (code != EXIT_DONE && code != EXIT_FINDINGS)
        return code;
    if (call->arguments->shard.count > 0) {
        char *word = shell_word(call->results);
        display_note(&call->terminal.display,
                     "next: tilelab status %s, and tilelab merge %s when all shards are done", word,
                     word);
        free(word);
    } else if (!call->arguments->no_compare) {
        const int compared = compare(call, call->results, ids, resumed->others);
        if (compared == EXIT_FINDINGS)
            say_why(call, heap_format("what was published is not what was measured: see "
                                      "%s/expect.csv",
                                      call->results));
        code = code == EXIT_DONE ? compared : code;
        fflush(stdout);
        say_what_is_next(call, call->results);
    }
    return code;
}

/* Runs what the queue has into an open folder and shows what came of it. */
static int run_into(struct call *call, struct folder *folder, struct queue *queue)
{
    const struct arguments *arguments = call->arguments;
    struct cross *cross = cross_start(queue->runs);
    struct resumed resumed = {0};
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    char *unfit; /* before rows are taken out: it knows some of them */
    json_decref(manifest_of(folder->path, &unfit));
    enum ending ending =
        arguments->fresh && !rounds_set_aside(folder) ? ENDING_FAILED : ENDING_DONE;
    if (ending == ENDING_DONE)
        ending = resume_rows(folder, queue->runs, arguments->keep,
                             arguments->any_again ? arguments->again : NULL, queue->done, cross,
                             &resumed);
    if (ending == ENDING_DONE)
        ending = regard_shards(call, folder, queue);
    int code = exit_code_of(ending);
    if (code == EXIT_DONE) {
        struct row_sink sink = {.folder = folder,
                                .cross = cross,
                                .display = folder->display,
                                .host = host,
                                .all_moves = arguments->all_moves,
                                .rounds = call->experiment->rounds,
                                .cover = call->experiment->measures_cover,
                                .sync_seconds = arguments->sync_seconds,
                                .findings = resumed.findings,
                                .old_lines = resumed.old_lines};
        memcpy(sink.ended, resumed.ended, sizeof sink.ended);
        queue_count(queue);
        const size_t kept = queue->finished;
        call->session.runs = queue->total;
        say_what_runs(call, queue, folder->path);
        code = go_on(call, queue, &sink, &resumed, unfit);
        unfit = NULL;
        note_rows(call, queue, &sink, kept);
        row_sink_end(&sink);
        code = conclude(call, queue->runs, &resumed, code);
        json_object_set_new(call->json, "files", result_files(folder->path));
    }
    free(unfit);
    resumed_end(&resumed);
    cross_end(cross);
    return code;
}

/* Runs the runs of `order` (taken) into the folder `output`. */
static int run_order(struct call *call, const char *output, uint32_t *order, size_t count)
{
    struct display *display = &call->terminal.display;
    struct run_ids ids = run_ids_of(call->experiment);
    struct folder folder;
    struct queue queue;
    queue_start(&queue, &ids, order, count);
    enum ending ending = ENDING_DONE;
    if (call->arguments->fresh)
        ending = refuse_fresh(call);
    if (ending == ENDING_DONE && call->arguments->any_again)
        ending = refuse_again(call);
    if (ending == ENDING_DONE && call->arguments->shard.count > 0)
        ending = folder_claim(call->results, display);
    if (ending == ENDING_DONE && call->arguments->shard.count > 0 && file_is_link(output)) {
        say_why(call, heap_format("%s is a link; expected a folder. Move it away", output));
        ending = ENDING_REFUSED;
    }
    if (ending == ENDING_DONE)
        ending = folder_open(&folder, output, call->arguments->fresh, display);
    int code = exit_code_of(ending);
    if (ending == ENDING_DONE) {
        code = run_into(call, &folder, &queue);
        folder_close(&folder);
    }
    queue_end(&queue);
    run_ids_end(&ids);
    return code;
}

/* The runs that the call is about, in heap memory. */
static uint32_t *choose_runs(struct call *call, size_t *count)
{
    const struct experiment *experiment = call->experiment;
    const struct shard *shard = &call->arguments->shard;
    *count = experiment_run_count(experiment);
    if (shard->count == 0)
        return experiment_run_order(experiment);
    struct shards shards = shards_of(experiment, shard->count);
    uint32_t *order = shards_runs(&shards, experiment, shard->number, count);
    if (shards.torn && experiment->solver_count > 1)
        display_note(&call->terminal.display,
                     "%u shards are more than the instances and their repetitions: solvers run the "
                     "same instance in different shards, and on different hosts their times do not "
                     "compare",
                     shard->count);
    shards_end(&shards);
    return order;
}

/* Runs a loaded experiment. */
static int run(struct call *call)
{
    const struct arguments *arguments = call->arguments;
    const struct experiment *experiment = call->experiment;
    const bool whole = arguments->shard.count == 0;
    call->results = arguments->output != NULL ? arguments->output : experiment->output;
    char *own = whole ? NULL : shard_folder(call->results, arguments->shard);
    const char *output = whole ? call->results : own;
    size_t count;
    uint32_t *order = choose_runs(call, &count);
    const unsigned jobs = job_count(arguments, experiment, count);
    unsigned *processors = experiment->pin ? pinned_processors(call, jobs) : NULL;
    int code = EXIT_USAGE;
    note_threads(call, jobs);
    if (!arguments->quiet)
        say_unsolvable(experiment);
    json_object_set_new(call->json, "experiment", json_string(experiment->name));
    json_object_set_new(call->json, "folder", json_text(output));
    if (!whole) {
        json_object_set_new(call->json, "results", json_text(call->results));
        json_object_set_new(call->json, "shard",
                            json_sprintf("%u/%u", arguments->shard.number, arguments->shard.count));
    }
    call->session = (struct session){
        .shard = arguments->shard, .jobs = jobs, .processors = processors, .overhead_seconds = -1};
    if (!experiment->pin || processors != NULL)
        code = run_order(call, output, order, count);
    else
        free(order);
    free(processors);
    free(own);
    return code;
}

/* What --json says of an exit code that nothing else was said of. */
static const char *usual_reason(int code)
{
    return code == EXIT_DONE          ? "every run has its row"
           : code == EXIT_USAGE       ? "refused: standard error says why"
           : code == EXIT_INTERRUPTED ? "interrupted"
                                      : "failed: standard error says why";
}

int command_run(int argc, char **argv)
{
    struct arguments arguments = {.sync_seconds = 5};
    struct experiment experiment;
    command_line_parse(&run_line, argc, argv, &arguments);
    struct call call = {.arguments = &arguments,
                        .experiment = &experiment,
                        .terminal = terminal_make(),
                        .json = json_object()};
    call.terminal.display.quiet = arguments.quiet;
    int code = EXIT_USAGE;
    char *wrong = fault_read();
    if (wrong != NULL) {
        say_why(&call, wrong);
    } else if (experiment_arguments_load(&arguments.experiment, &experiment)) {
        code = run(&call);
        experiment_end(&experiment);
    }
    if (arguments.json) {
        json_object_set_new(call.json, "exit_code", json_integer(code));
        json_object_set_new(call.json, "reason",
                            json_text(call.reason == NULL ? usual_reason(code) : call.reason));
        print_json(json_incref(call.json));
        code = finish_output(code);
    }
    json_decref(call.json);
    free(call.reason);
    experiment_arguments_end(&arguments.experiment);
    return code;
}
