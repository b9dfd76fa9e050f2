/* tilelab run: the whole way from an experiment file to verified rows and the tables over them. */
#include "base/clock.h"
#include "base/heap.h"
#include "base/processors.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/compare.h"
#include "harness/commands/tables.h"
#include "harness/commands/terminal.h"
#include "harness/commands/unsolvable.h"
#include "harness/execution/fault.h"
#include "harness/execution/manifest.h"
#include "harness/execution/scheduler.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/problems.h"
#include "harness/experiment/units.h"
#include "harness/results/datapackage.h"
#include "harness/results/folder.h"
#include "harness/results/messages.h"
#include "harness/results/record.h"
#include "harness/results/resume.h"
#include "harness/text/human.h"
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    const char *experiment;
    const char *output;
    unsigned jobs;
    bool fresh; /* set earlier rows aside */
    bool keep;  /* leave rows of other runs where they are */
    bool all_moves;
    bool quiet;
    bool no_compare;
    double sync_seconds;
    struct overrides overrides;
};

enum { KEY_SYNC = 256 };

static const struct argp_option options[] = {
    {"jobs", 'j', "N", 0,
     "Searches at a time (default: the experiment's, or one for each processor)", 0},
    {"output", 'o', "FOLDER", 0, "The results folder, in place of the experiment's", 0},
    {"fresh", 'f', NULL, 0, "Set earlier rows aside (runs.csv.1) and begin anew", 0},
    {"keep", 'k', NULL, 0, "Leave rows of other runs in runs.csv and add to them", 0},
    {"all-moves", 'm', NULL, 0, "Write paths of more than 1,000 moves too", 0},
    {"quiet", 'q', NULL, 0, "No progress bar", 0},
    {"no-compare", 'n', NULL, 0, "No comparison at the end", 0},
    {"sync", KEY_SYNC, "TIME", 0, "How often rows are put on the disk (default 5s; 0 is at once)",
     0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    char *end;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->overrides;
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
    case 'q':
        arguments->quiet = true;
        break;
    case 'n':
        arguments->no_compare = true;
        break;
    case KEY_SYNC:
        if (!parse_seconds(value, &arguments->sync_seconds))
            argp_error(state, "--sync %s: expected a time such as 5s or 500ms, or 0", value);
        break;
    case ARGP_KEY_ARG:
        if (arguments->experiment != NULL)
            argp_error(state, "a second experiment '%s'; expected one", value);
        arguments->experiment = value;
        break;
    case ARGP_KEY_END:
        if (arguments->experiment == NULL)
            argp_error(state,
                       "no experiment; expected a YAML file or a name (tilelab list experiments)");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child children[] = {
    {&overrides_parser, 0, NULL, 0}, {&tables_parser, 0, NULL, 0}, {0}};

const struct argp run_parser = {
    .options = options,
    .children = children,
    .parser = parse_option,
    .args_doc = "EXPERIMENT",
    .doc = "Run an experiment, or go on with it where it stopped.\v"
           "EXPERIMENT is a YAML file or the name of an experiment that ships. Each run is a row "
           "of runs.csv in the results "
           "folder. Running again does only what is missing. The first Ctrl-C stops the running "
           "searches and "
           "keeps every finished row; the second ends at once.",
};

static unsigned job_count(const struct arguments *arguments, const struct experiment *experiment)
{
    const size_t runs = experiment_run_count(experiment);
    const unsigned jobs = arguments->jobs != 0    ? arguments->jobs
                          : experiment->jobs != 0 ? experiment->jobs
                                                  : processors_count();
    return runs < jobs ? (unsigned)(runs == 0 ? 1 : runs) : jobs;
}

/* The processors to pin workers to, one for each job, in heap memory; NULL with a message when
 * there are not as many. */
static unsigned *pinned_processors(unsigned jobs)
{
    size_t count;
    unsigned *processors = processors_list(&count);
    if (count >= jobs)
        return processors;
    fprintf(stderr,
            "tilelab: %u jobs cannot be pinned to %zu processor%s; expected as many jobs at most "
            "(--jobs %zu), or pin: false\n",
            jobs, count, plural(count), count);
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

/* ---- What stands beside the rows ---- */

/* Whether a file of the folder was written; if not, that is said. */
static bool was_written(bool written, const struct folder *folder, const char *name)
{
    if (!written)
        fprintf(stderr, "tilelab: %s/%s cannot be written: %s\n", folder->path, name,
                strerror(errno));
    return written;
}

static bool write_manifest(const struct folder *folder, const struct experiment *experiment,
                           const struct session *session)
{
    return was_written(manifest_write(folder, experiment, session), folder, "manifest.json");
}

static bool write_datapackage(const struct folder *folder, const struct experiment *experiment)
{
    return was_written(datapackage_write(folder->path, experiment, folder->display), folder,
                       DATAPACKAGE_FILE);
}

/* ---- What is said before and after ---- */

static void say_what_runs(const struct experiment *experiment, const struct queue *queue,
                          unsigned jobs, const char *output)
{
    fprintf(
        stderr,
        "tilelab: %s: %zu run%s (%zu instance%s x %zu solver%s x %u repetition%s), %u at a time, "
        "into %s\n",
        experiment->name, queue->total, plural(queue->total), experiment->instances.count,
        plural(experiment->instances.count), experiment->solver_count,
        plural(experiment->solver_count), experiment->repetitions, plural(experiment->repetitions),
        jobs, output);
    if (queue->finished > 0)
        fprintf(stderr, "tilelab: %zu of them %s there already\n", queue->finished,
                queue->finished == 1 ? "is" : "are");
}

/* Every run has its row. */
static int end_of_runs(const struct row_sink *sink)
{
    const size_t findings = sink->findings;
    const size_t again = sink->again;
    if (again > 0)
        fprintf(stderr,
                "tilelab: the system refused memory to %zu run%s before the budget was spent "
                "(out_of_memory); give the memory that limits.memory promises (ulimit -v, a "
                "container's limit, --jobs 1) or lower that limit, and the same command makes "
                "%s again\n",
                again, plural(again), again == 1 ? "it" : "them");
    if (findings > 0)
        fprintf(stderr,
                "tilelab: %zu row%s crashed, %s wrong or %s another; see %s/" MESSAGES_FILE
                " and the status column\n",
                findings, plural(findings), findings == 1 ? "is" : "are",
                findings == 1 ? "contradicts" : "contradict", sink->folder->path);
    return findings > 0 || again > 0 ? EXIT_FINDINGS : EXIT_DONE;
}

static int say_how_it_ended(enum ending ending, const struct queue *queue,
                            const struct row_sink *sink, const struct session *session)
{
    if (ending == ENDING_DONE) {
        fprintf(stderr, "tilelab: %zu run%s in %.1f s\n", session->rows, plural(session->rows),
                session->seconds);
        return end_of_runs(sink);
    }
    if (ending == ENDING_INTERRUPTED)
        fprintf(stderr,
                "tilelab: interrupted; %zu of %zu run%s %s written. The same command goes on from "
                "there\n",
                queue->finished, queue->total, plural(queue->total),
                queue->finished == 1 ? "is" : "are");
    return exit_code(ending);
}

/* ---- The run ---- */

/* Makes the tables that the solvers need for the goals there are, before any clock runs and before
 * the workers are forked, who share them. Returns EXIT_DONE or what to exit with. */
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

/* Has the scheduler run what is missing, and says in the manifest and to the user how it went.
 * Returns the exit code. */
static int run_missing(const struct experiment *experiment, struct queue *queue,
                       struct row_sink *sink, struct terminal *terminal, struct session *session,
                       bool quiet)
{
    const struct folder *folder = sink->folder;
    const size_t before = queue->finished;
    struct machine_watch watch;
    struct slots slots;
    struct scheduler scheduler = {.queue = queue,
                                  .slots = &slots,
                                  .sink = sink,
                                  .watch = &watch,
                                  .display = &terminal->display,
                                  .interrupted = &interrupts};
    record_time(session->started);
    if (!write_manifest(folder, experiment, session) || !write_datapackage(folder, experiment))
        return EXIT_FAILED;
    const double start = clock_wall();
    slots_start(&slots, session->jobs, session->processors, experiment->warmup,
                experiment_max_bytes(experiment));
    progress_start(&terminal->progress, queue->total == 1 ? "run" : "runs", before, queue->total,
                   quiet);
    count_interrupts();
    const enum ending ending = scheduler_run(&scheduler);
    stop_counting_interrupts();
    progress_clear(&terminal->progress);
    session->seconds = clock_wall() - start;
    session->rows = queue->finished - before;
    session->overhead_seconds = slots_overhead(&slots);
    session->noise = &watch.noise;
    session->complete = queue->finished == queue->total && sink->again == 0;
    session->ended = ending == ENDING_DONE          ? "done"
                     : ending == ENDING_INTERRUPTED ? "interrupted"
                                                    : "failed";
    record_time(session->finished);
    bool written = write_manifest(folder, experiment, session);
    if (sink->messages > 0) /* its table may be new */
        written = write_datapackage(folder, experiment) && written;
    const int code = say_how_it_ended(ending, queue, sink, session);
    slots_end(&slots);
    return written || code != EXIT_DONE ? code : EXIT_FAILED;
}

/* Runs what is missing in an open folder, if anything is. Returns the exit code. */
static int go_on(const struct experiment *experiment, struct queue *queue, struct row_sink *sink,
                 struct terminal *terminal, struct session *session, bool quiet)
{
    const struct folder *folder = sink->folder;
    if (!manifest_prepare(folder))
        return EXIT_FAILED;
    if (queue->finished == queue->total) {
        const int code = end_of_runs(sink);
        return was_written(manifest_finish(folder, experiment), folder, "manifest.json")
                   ? code
                   : EXIT_FAILED;
    }
    const int built = build_tables(experiment, quiet);
    if (built != EXIT_DONE)
        return built;
    if (!was_written(
            folder_write(folder, "experiment.yaml", experiment->source, experiment->source_length),
            folder, "experiment.yaml"))
        return EXIT_FAILED;
    return run_missing(experiment, queue, sink, terminal, session, quiet);
}

/* Names the results and what can be done with them. */
static void say_what_is_next(const char *output)
{
    static const char *const names[] = {"runs.csv",   "summary.csv",   "by_depth.csv",
                                        "pairs.csv",  "manifest.json", DATAPACKAGE_FILE,
                                        MESSAGES_FILE};
    char *files = heap_text("");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = heap_format("%s/%s", output, names[i]);
        if (access(path, F_OK) == 0)
            heap_append(&files, "%s%s", files[0] == '\0' ? "" : ", ", names[i]);
        free(path);
    }
    fprintf(stderr,
            "tilelab: results are in %s: %s\n"
            "tilelab: next: tilelab compare %s --full, tilelab plot %s\n",
            output, files, output, output);
    free(files);
}

/* Runs a loaded experiment and shows what came of it. `processors` are those to pin workers to, one
 * for each job, or NULL. */
static int run_and_compare(const struct experiment *experiment, const struct arguments *arguments,
                           unsigned jobs, const unsigned *processors)
{
    const char *output = arguments->output != NULL ? arguments->output : experiment->output;
    struct terminal terminal = terminal_make();
    struct session session = {.jobs = jobs, .processors = processors, .overhead_seconds = -1};
    struct run_ids ids = run_ids_of(experiment);
    struct cross *cross = cross_start(&ids);
    struct resumed resumed;
    struct folder folder;
    struct queue queue;
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    queue_start(&queue, &ids, experiment_run_order(experiment));
    const enum ending opened = folder_open(&folder, output, arguments->fresh, &terminal.display);
    int code = exit_code(opened);
    if (opened == ENDING_DONE)
        code = exit_code(resume_rows(&folder, &ids, arguments->keep, queue.done, cross, &resumed));
    if (code == EXIT_DONE) {
        struct row_sink sink = {.folder = &folder,
                                .cross = cross,
                                .display = &terminal.display,
                                .host = host,
                                .all_moves = arguments->all_moves,
                                .sync_seconds = arguments->sync_seconds,
                                .solved = resumed.solved,
                                .findings = resumed.findings};
        queue_count(&queue);
        say_what_runs(experiment, &queue, jobs, folder.path);
        code = go_on(experiment, &queue, &sink, &terminal, &session, arguments->quiet);
        if ((code == EXIT_DONE || code == EXIT_FINDINGS) && !arguments->no_compare) {
            const struct compare_options comparing = {.only = &ids,
                                                      .others = resumed.others,
                                                      .quiet =
                                                          true}; /* manifest.json knows the rest */
            const int compared = compare_print(&output, 1, &comparing);
            code = code == EXIT_DONE ? compared : code;
            fflush(stdout);
            say_what_is_next(output);
        }
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

int command_run(int argc, char **argv)
{
    struct arguments arguments = {.sync_seconds = 5};
    struct experiment experiment;
    struct report report;
    command_line_parse(&run_parser, argc, argv, &arguments);
    char *wrong = fault_read();
    if (wrong != NULL) {
        fprintf(stderr, "tilelab: %s\n", wrong);
        free(wrong);
        overrides_end(&arguments.overrides);
        return EXIT_USAGE;
    }
    report_start(&report, NULL);
    int code = EXIT_USAGE;
    if (experiment_load(arguments.experiment, &arguments.overrides, &report, &experiment)) {
        say_unsolvable(&experiment);
        const unsigned jobs = job_count(&arguments, &experiment);
        unsigned *processors = experiment.pin ? pinned_processors(jobs) : NULL;
        if (!experiment.pin || processors != NULL)
            code = run_and_compare(&experiment, &arguments, jobs, processors);
        free(processors);
        experiment_end(&experiment);
    } else {
        problems_print(stderr, &report);
    }
    overrides_end(&arguments.overrides);
    report_end(&report);
    return code;
}
