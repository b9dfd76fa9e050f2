/* tilelab run: the whole way from an experiment file to verified rows and the tables over them. */
#include "base/clock.h"
#include "base/heap.h"
#include "base/processors.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/compare.h"
#include "harness/commands/output.h"
#include "harness/commands/tables.h"
#include "harness/commands/terminal.h"
#include "harness/commands/unsolvable.h"
#include "harness/execution/fault.h"
#include "harness/execution/manifest.h"
#include "harness/execution/scheduler.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/units.h"
#include "harness/results/datapackage.h"
#include "harness/results/folder.h"
#include "harness/results/messages.h"
#include "harness/results/record.h"
#include "harness/results/resume.h"
#include "harness/results/rounds.h"
#include "harness/text/human.h"
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    struct experiment_arguments experiment;
    const char *output;
    unsigned jobs;
    bool fresh; /* set earlier rows aside */
    bool keep;  /* leave rows of other runs where they are */
    bool all_moves;
    bool json, quiet;
    bool no_compare;
    double sync_seconds;
};

enum { KEY_SYNC = 256 };

static const struct argp_option options[] = {
    {"jobs", 'j', "N", 0,
     "Searches at a time (default: the experiment's, or one for each processor)", 0},
    {"output", 'o', "FOLDER", 0, "The results folder, in place of the experiment's", 0},
    {"fresh", 'f', NULL, 0, "Set earlier rows aside (runs.csv.1) and start afresh", 0},
    {"keep", 'k', NULL, 0, "Leave rows of other runs in runs.csv and add to them", 0},
    {"all-moves", 'm', NULL, 0, "Write paths of more than 1,000 moves too", 0},
    {"no-compare", 'n', NULL, 0, "No comparison at the end", 0},
    {"sync", KEY_SYNC, "TIME", 0,
     "How often rows are flushed to the disk (default 5s; 0: after each row)", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    char *end;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->experiment;
        state->child_inputs[1] = &arguments->json;
        state->child_inputs[2] = &arguments->quiet;
        break;
    case 'j': {
        unsigned long jobs = strtoul(value, &end, 10);
        if (value[0] < '0' || value[0] > '9' || *end != '\0' || jobs < 1 || jobs > 1024)
            argp_error(state, "--jobs %s: expected a whole number from 1 to 1024", value);
        arguments->jobs = (unsigned)jobs;
        break;
    }
    case 'o':
        arguments->output = value;
        break;
    case 'f':
        arguments->fresh = true;
        arguments->keep = false;
        break;
    case 'k':
        arguments->keep = true;
        arguments->fresh = false;
        break;
    case 'm':
        arguments->all_moves = true;
        break;
    case 'n':
        arguments->no_compare = true;
        break;
    case KEY_SYNC:
        if (!parse_seconds(value, &arguments->sync_seconds))
            argp_error(state, "--sync %s: expected a time such as 5s or 500ms, or 0", value);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child children[] = {{&experiment_parser, 0, NULL, 0},
                                             {&json_parser, 0, NULL, 0},
                                             {&quiet_parser, 0, NULL, 0},
                                             {&tables_parser, 0, NULL, 0},
                                             {0}};

const struct argp run_parser = {
    .options = options,
    .children = children,
    .parser = parse_option,
    .args_doc = "EXPERIMENT",
    .doc =
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

static unsigned job_count(const struct arguments *arguments, const struct experiment *experiment)
{
    const size_t runs = experiment_run_count(experiment);
    const unsigned jobs = arguments->jobs != 0    ? arguments->jobs
                          : experiment->jobs != 0 ? experiment->jobs
                                                  : processors_count();
    return runs < jobs ? (unsigned)(runs == 0 ? 1 : runs) : jobs;
}

/* The processors to pin workers to, one for each job, in heap memory; NULL with a message if there
 * are too few. */
static unsigned *pinned_processors(struct call *call, unsigned jobs)
{
    size_t count;
    unsigned *processors = processors_list(&count);
    if (count >= jobs)
        return processors;
    say_why(call,
            heap_format("%u jobs cannot be pinned to %zu processor%s; expected at most that many "
                        "jobs (--jobs %zu), or pin: false",
                        jobs, count, plural(count), count));
    free(processors);
    return NULL;
}

static int exit_code(enum ending ending)
{
    static const int codes[] = {[ENDING_DONE] = EXIT_DONE,
                                [ENDING_FAILED] = EXIT_FAILED,
                                [ENDING_REFUSED] = EXIT_USAGE,
                                [ENDING_INTERRUPTED] = EXIT_INTERRUPTED};
    return codes[ending];
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
}

static void stop_counting_interrupts(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

/* ---- The files beside the rows ---- */

/* Whether a file of the folder was written; if not, reports it. */
static bool was_written(struct call *call, bool written, const struct folder *folder,
                        const char *name)
{
    if (!written)
        say_why(call,
                heap_format("%s/%s cannot be written: %s", folder->path, name, strerror(errno)));
    return written;
}

static bool write_manifest(struct call *call, const struct folder *folder)
{
    return was_written(call, manifest_write(folder, call->experiment, &call->session), folder,
                       "manifest.json");
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
    display_note(&call->terminal.display,
                 "%s: %zu run%s (%zu instance%s x %zu solver%s x %u repetition%s), %u at a time, "
                 "into %s",
                 experiment->name, queue->total, plural(queue->total), experiment->instances.count,
                 plural(experiment->instances.count), experiment->solver_count,
                 plural(experiment->solver_count), experiment->repetitions,
                 plural(experiment->repetitions), call->session.jobs, output);
    if (queue->finished > 0)
        display_note(&call->terminal.display, "%zu of them %s done already", queue->finished,
                     queue->finished == 1 ? "is" : "are");
}

/* Every run has its row. */
static int end_of_runs(struct call *call, const struct row_sink *sink)
{
    const size_t findings = sink->findings;
    const size_t again = sink->again;
    if (again > 0)
        say_why(call,
                heap_format(
                    "the system refused memory to %zu run%s before the budget was spent "
                    "(out_of_memory); give the memory that limits.memory promises (ulimit -v, a "
                    "container's limit, --jobs 1) or lower that limit, and the same command makes "
                    "%s again",
                    again, plural(again), again == 1 ? "it" : "them"));
    if (findings > 0)
        say_why(call,
                heap_format("%zu row%s crashed, %s wrong or %s another; see %s/" MESSAGES_FILE
                            " and the status column",
                            findings, plural(findings), findings == 1 ? "is" : "are",
                            findings == 1 ? "contradicts" : "contradict", sink->folder->path));
    return findings > 0 || again > 0 ? EXIT_FINDINGS : EXIT_DONE;
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
    return exit_code(ending);
}

/* ---- The run ---- */

/* Makes the tables that the solvers need for the experiment's goals, before any clock runs and
 * before the workers, which share them, are forked. Returns EXIT_DONE or the exit code. */
static int build_tables(const struct experiment *experiment, bool quiet)
{
    int code = EXIT_DONE;
    for (size_t s = 0; s < experiment->solver_count; s++) {
        const struct heuristic_choice *heuristic = &experiment->solvers[s].solver.heuristic;
        for (size_t i = experiment_next_goal(experiment, SIZE_MAX);
             i < experiment->instances.count && heuristic->kind != NULL && code == EXIT_DONE;
             i = experiment_next_goal(experiment, i))
            code = tables_build(heuristic, &experiment->instances.items[i].goal, quiet);
    }
    return code;
}

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
    record_time(session->started);
    if (!write_manifest(call, folder) || !write_datapackage(call, folder))
        return EXIT_FAILED;
    const double start = clock_wall();
    slots_start(&slots, session->jobs, session->processors, call->experiment->warmup,
                experiment_max_bytes(call->experiment));
    progress_start(progress, queue->total == 1 ? "run" : "runs", before, queue->total,
                   call->arguments->quiet);
    count_interrupts();
    const enum ending ending = scheduler_run(&scheduler);
    stop_counting_interrupts();
    progress_clear(progress);
    session->seconds = clock_wall() - start;
    session->rows = queue->finished - before;
    session->overhead_seconds = slots_overhead(&slots);
    session->noise = &watch.noise;
    session->complete = queue->finished == queue->total && sink->again == 0;
    session->ended = ending == ENDING_DONE          ? "done"
                     : ending == ENDING_INTERRUPTED ? "interrupted"
                                                    : "failed";
    record_time(session->finished);
    bool written = write_manifest(call, folder);
    if (sink->messages > 0 || sink->deepened > 0) /* their tables may be new */
        written = write_datapackage(call, folder) && written;
    const int code = say_how_it_ended(call, ending, queue, sink);
    slots_end(&slots);
    return written || code != EXIT_DONE ? code : EXIT_FAILED;
}

/* Makes the runs that an open folder lacks, if any. Returns the exit code. */
static int go_on(struct call *call, struct queue *queue, struct row_sink *sink)
{
    const struct experiment *experiment = call->experiment;
    const struct folder *folder = sink->folder;
    if (!manifest_prepare(folder))
        return EXIT_FAILED;
    if (queue->finished == queue->total) {
        const int code = end_of_runs(call, sink);
        return was_written(call, manifest_finish(folder, experiment), folder, "manifest.json")
                   ? code
                   : EXIT_FAILED;
    }
    const int built = build_tables(experiment, call->arguments->quiet);
    if (built != EXIT_DONE)
        return built;
    if (!was_written(
            call,
            folder_write(folder, "experiment.yaml", experiment->source, experiment->source_length),
            folder, "experiment.yaml"))
        return EXIT_FAILED;
    return run_missing(call, queue, sink);
}

/* The files of the results folder that are for the user. */
static json_t *result_files(const char *output)
{
    static const char *const names[] = {"runs.csv",       ROUNDS_FILE,  "summary.csv",
                                        "by_depth.csv",   "pairs.csv",  "manifest.json",
                                        DATAPACKAGE_FILE, MESSAGES_FILE};
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
    static const char *const kept[] = {"baseline", "summary", "verdicts", "notes"};
    struct compare_options comparing = {.only = ids,
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

/* Runs the experiment into the folder `output` and shows what came of it. */
static int run_and_compare(struct call *call, const char *output)
{
    const struct arguments *arguments = call->arguments;
    struct display *display = &call->terminal.display;
    struct run_ids ids = run_ids_of(call->experiment);
    struct cross *cross = cross_start(&ids);
    struct resumed resumed = {0};
    struct folder folder;
    struct queue queue;
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    queue_start(&queue, &ids, experiment_run_order(call->experiment));
    const enum ending opened = folder_open(&folder, output, arguments->fresh, display);
    int code = exit_code(opened);
    if (opened == ENDING_DONE && arguments->fresh && !rounds_set_aside(&folder))
        code = EXIT_FAILED;
    else if (opened == ENDING_DONE)
        code = exit_code(resume_rows(&folder, &ids, arguments->keep, queue.done, cross, &resumed));
    if (code == EXIT_DONE) {
        struct row_sink sink = {.folder = &folder,
                                .cross = cross,
                                .display = display,
                                .host = host,
                                .all_moves = arguments->all_moves,
                                .rounds = call->experiment->rounds,
                                .sync_seconds = arguments->sync_seconds,
                                .findings = resumed.findings};
        memcpy(sink.ended, resumed.ended, sizeof sink.ended);
        queue_count(&queue);
        const size_t kept = queue.finished;
        say_what_runs(call, &queue, folder.path);
        code = go_on(call, &queue, &sink);
        note_rows(call, &queue, &sink, kept);
        if ((code == EXIT_DONE || code == EXIT_FINDINGS) && !arguments->no_compare) {
            const int compared = compare(call, output, &ids, resumed.others);
            code = code == EXIT_DONE ? compared : code;
            fflush(stdout);
            say_what_is_next(call, output);
        }
        json_object_set_new(call->json, "files", result_files(output));
    }
    if (opened == ENDING_DONE) {
        resumed_end(&resumed);
        folder_close(&folder);
    }
    queue_end(&queue);
    run_ids_end(&ids);
    cross_end(cross);
    return code;
}

/* Runs a loaded experiment. */
static int run(struct call *call)
{
    const struct arguments *arguments = call->arguments;
    const struct experiment *experiment = call->experiment;
    const char *output = arguments->output != NULL ? arguments->output : experiment->output;
    const unsigned jobs = job_count(arguments, experiment);
    unsigned *processors = experiment->pin ? pinned_processors(call, jobs) : NULL;
    int code = EXIT_USAGE;
    if (!arguments->quiet)
        say_unsolvable(experiment);
    json_object_set_new(call->json, "experiment", json_string(experiment->name));
    json_object_set_new(call->json, "folder", json_text(output));
    call->session =
        (struct session){.jobs = jobs, .processors = processors, .overhead_seconds = -1};
    if (!experiment->pin || processors != NULL)
        code = run_and_compare(call, output);
    free(processors);
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
    command_line_parse(&run_parser, argc, argv, &arguments);
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
