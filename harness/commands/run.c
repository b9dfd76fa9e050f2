/* tilelab run: the whole way from an experiment file to verified rows and the tables over them. */
#include "base/clock.h"
#include "base/heap.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/compare.h"
#include "harness/execution/fault.h"
#include "harness/execution/manifest.h"
#include "harness/execution/processors.h"
#include "harness/execution/progression.h"
#include "harness/execution/tables.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/problems.h"
#include "harness/experiment/units.h"
#include "harness/results/folder.h"
#include "harness/results/messages.h"
#include "harness/results/record.h"
#include "harness/text/human.h"
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    const char *experiment;
    const char *output;
    unsigned jobs;
    enum foreign_rows foreign;
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
        arguments->foreign = FOREIGN_SET_ASIDE;
        break;
    case 'k':
        arguments->foreign = FOREIGN_KEEP;
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

static unsigned job_count(const struct arguments *arguments, const struct experiment *experiment,
                          size_t runs)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = arguments->jobs != 0    ? arguments->jobs
                    : experiment->jobs != 0 ? experiment->jobs
                    : processors > 0        ? (unsigned)processors
                                            : 1;
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

static void say_manifest_unwritten(const struct progression *progression)
{
    fprintf(stderr, "tilelab: %s/manifest.json cannot be written: %s\n", progression->folder.path,
            strerror(errno));
}

static bool write_manifest(const struct progression *progression, const struct session *session)
{
    if (manifest_write(&progression->folder, progression->experiment, session))
        return true;
    say_manifest_unwritten(progression);
    return false;
}

/* Every run has its row. */
static int end_of_runs(const struct progression *progression)
{
    const size_t findings = progression->findings;
    const size_t again = progression->again;
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
                findings == 1 ? "contradicts" : "contradict", progression->folder.path);
    return findings > 0 || again > 0 ? EXIT_FINDINGS : EXIT_DONE;
}

static void say_what_runs(const struct progression *progression)
{
    const struct experiment *experiment = progression->experiment;
    fprintf(
        stderr,
        "tilelab: %s: %zu run%s (%zu instance%s x %zu solver%s x %u repetition%s), %u at a time, "
        "into %s\n",
        experiment->name, progression->total, plural(progression->total),
        experiment->instances.count, plural(experiment->instances.count), experiment->solver_count,
        plural(experiment->solver_count), experiment->repetitions, plural(experiment->repetitions),
        progression->jobs, progression->folder.path);
    if (progression->finished > 0)
        fprintf(stderr, "tilelab: %zu of them %s there already\n", progression->finished,
                progression->finished == 1 ? "is" : "are");
}

static int say_how_it_ended(const struct progression *progression, const struct session *session)
{
    if (progression->code != EXIT_DONE)
        return progression->code;
    if (progression->finished < progression->total) {
        fprintf(stderr,
                "tilelab: interrupted; %zu of %zu run%s %s written. The same command goes on from "
                "there\n",
                progression->finished, progression->total, plural(progression->total),
                progression->finished == 1 ? "is" : "are");
        return EXIT_INTERRUPTED;
    }
    fprintf(stderr, "tilelab: %zu run%s in %.1f s\n", session->rows, plural(session->rows),
            session->seconds);
    return end_of_runs(progression);
}

/* Makes the tables that the solvers need for the goals there are, before any clock runs and before
 * the workers are forked, who share them. Returns EXIT_DONE or what to exit with. */
static int build_tables(const struct progression *progression)
{
    const struct experiment *experiment = progression->experiment;
    int code = EXIT_DONE;
    for (size_t s = 0; s < experiment->solver_count; s++) {
        const struct heuristic_choice *heuristic = &experiment->solvers[s].solver.heuristic;
        for (size_t i = experiment_next_goal(experiment, SIZE_MAX);
             i < experiment->instances.count && heuristic->kind != NULL && code == EXIT_DONE;
             i = experiment_next_goal(experiment, i))
            code =
                tables_build(heuristic, &experiment->instances.items[i].goal, progression->quiet);
    }
    return code;
}

/* Runs what is missing. Returns the exit code. */
static int run_experiment(struct progression *progression)
{
    const struct experiment *experiment = progression->experiment;
    struct session session = {
        .jobs = progression->jobs, .processors = progression->processors, .overhead_seconds = -1};
    for (size_t i = 0; i < progression->total; i++)
        progression->finished += progression->done[i];
    const size_t before = progression->finished;
    say_what_runs(progression);
    progression->findings = progression->folder.findings;
    progression->solved = progression->folder.solved;
    if (!manifest_prepare(&progression->folder))
        return EXIT_FAILED;
    if (before == progression->total) {
        const int code = end_of_runs(progression);
        if (manifest_finish(&progression->folder))
            return code;
        say_manifest_unwritten(progression);
        return EXIT_FAILED;
    }
    const int built = build_tables(progression);
    if (built != EXIT_DONE)
        return built;
    if (!folder_write(&progression->folder, "experiment.yaml", experiment->source,
                      experiment->source_length)) {
        fprintf(stderr, "tilelab: %s/experiment.yaml cannot be written: %s\n",
                progression->folder.path, strerror(errno));
        return EXIT_FAILED;
    }
    record_time(session.started);
    if (!write_manifest(progression, &session))
        return EXIT_FAILED;
    const double wall = clock_wall();
    progression_run(progression);
    session.seconds = clock_wall() - wall;
    session.rows = progression->finished - before;
    session.overhead_seconds = progression_overhead(progression);
    session.noise = &progression->noise;
    session.complete = progression->finished == progression->total && progression->again == 0;
    session.ended = progression->code != EXIT_DONE               ? "failed"
                    : progression->finished < progression->total ? "interrupted"
                                                                 : "done";
    record_time(session.finished);
    const bool written = write_manifest(progression, &session);
    const int code = say_how_it_ended(progression, &session);
    return written || code != EXIT_DONE ? code : EXIT_FAILED;
}

/* Everything but what the arguments say: runs a loaded experiment and shows what came of it. */
static int run_and_compare(struct progression *progression, const struct arguments *arguments,
                           const char *output)
{
    const struct experiment *experiment = progression->experiment;
    progression->done = heap_take(progression->total, sizeof *progression->done);
    progression->cross = cross_start(experiment);
    progression->order = experiment_run_order(experiment);
    struct run_ids ids = run_ids_of(experiment);
    int code = folder_open(&progression->folder, output, experiment, &ids, arguments->foreign,
                           progression->done, progression->cross);
    if (code == EXIT_DONE) {
        code = run_experiment(progression);
        if ((code == EXIT_DONE || code == EXIT_FINDINGS) && !arguments->no_compare) {
            const struct compare_options comparing = {
                .only = &ids,
                .others = progression->folder.others}; /* manifest.json knows the rest */
            int compared = compare_print(&output, 1, &comparing);
            code = code == EXIT_DONE ? compared : code;
        }
        folder_close(&progression->folder);
    }
    run_ids_end(&ids);
    progression_end(progression);
    cross_end(progression->cross);
    free(progression->order);
    free(progression->done);
    return code;
}

int command_run(int argc, char **argv)
{
    struct arguments arguments = {.sync_seconds = 5};
    struct experiment experiment;
    struct report report;
    char host[256] = "";
    command_line_parse(&run_parser, argc, argv, &arguments);
    char *wrong = fault_read();
    if (wrong != NULL) {
        fprintf(stderr, "tilelab: %s\n", wrong);
        free(wrong);
        overrides_end(&arguments.overrides);
        return EXIT_USAGE;
    }
    report_start(&report, NULL);
    if (!experiment_load(arguments.experiment, &arguments.overrides, &report, &experiment)) {
        problems_print(stderr, &report);
        report_end(&report);
        overrides_end(&arguments.overrides);
        return EXIT_USAGE;
    }
    experiment_say_unsolvable(&experiment);
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    struct progression progression = {.experiment = &experiment,
                                      .total = experiment_run_count(&experiment),
                                      .sync_seconds = arguments.sync_seconds,
                                      .all_moves = arguments.all_moves,
                                      .quiet = arguments.quiet,
                                      .host = host,
                                      .code = EXIT_DONE};
    progression.jobs = job_count(&arguments, &experiment, progression.total);
    unsigned *processors = experiment.pin ? pinned_processors(progression.jobs) : NULL;
    progression.processors = processors;
    int code = EXIT_USAGE;
    if (!experiment.pin || processors != NULL)
        code = run_and_compare(&progression, &arguments,
                               arguments.output != NULL ? arguments.output : experiment.output);
    free(processors);
    experiment_end(&experiment);
    overrides_end(&arguments.overrides);
    report_end(&report);
    return code;
}
