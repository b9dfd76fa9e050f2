/* tilelab run: the whole way from an experiment file to verified rows and the tables over them. */
#include "base/clock.h"
#include "base/heap.h"
#include "base/random.h"
#include "harness/analysis/human.h"
#include "harness/commands.h"
#include "harness/compare.h"
#include "harness/experiment.h"
#include "harness/folder.h"
#include "harness/manifest.h"
#include "harness/problems.h"
#include "harness/progress.h"
#include "harness/record.h"
#include "harness/units.h"
#include "harness/verify.h"
#include "harness/worker.h"
#include <argp.h>
#include <errno.h>
#include <gsl/gsl_randist.h>
#include <poll.h>
#include <signal.h>
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
};

/* An experiment on its way. */
struct progression {
    const struct arguments *arguments;
    const struct experiment *experiment;
    struct folder folder;
    struct cross *cross; /* the rows so far, against each other */
    struct worker *workers;
    unsigned jobs;
    bool *done; /* by run: its row is written */
    size_t total;
    size_t finished; /* rows there are */
    uint32_t *order; /* the runs in the order in which they are started */
    size_t next;     /* how many of them were looked at */
    size_t findings; /* rows that say crashed or wrong_answer */
    int code;        /* why it ends early; EXIT_DONE while all is well */
    struct progress progress;
    double synced; /* on clock_wall(): when the rows were last put on the disk */
    char host[256];
};

/* The `set` of the random stream that shuffles the runs. */
enum { ORDER_STREAM = 0x6f726472 };

static volatile sig_atomic_t interrupts;

static void count_interrupt(int signal)
{
    (void)signal;
    interrupts = interrupts + 1;
    if (interrupts > 1)
        _exit(EXIT_INTERRUPTED);
}

static void say_row(struct progression *progression, const struct run *run, const char *what,
                    const char *why)
{
    const struct instance *instance = &progression->experiment->instances.items[run->instance];
    progress_clear(&progression->progress);
    fprintf(stderr, "tilelab: %s: %s on %s/%s: %s\n", what,
            progression->experiment->solvers[run->solver].text, instance->set, instance->name, why);
}

/* Checks a result and writes its row. The result is ended. */
static void finish_run(struct progression *progression, size_t number, struct result *result)
{
    const struct experiment *experiment = progression->experiment;
    const struct run run = experiment_run(experiment, number);
    const struct experiment_solver *solver = &experiment->solvers[run.solver];
    const struct instance *instance = &experiment->instances.items[run.instance];
    char time[32];
    char *why = verify_result(&solver->solver, instance, result);
    if (why == NULL)
        why = cross_check(progression->cross, number, result);
    if (why != NULL)
        say_row(progression, &run,
                result->status == STATUS_wrong_answer ? "wrong answer" : "not repeatable", why);
    progression->findings += why != NULL || result->status == STATUS_crashed;
    free(why);
    record_time(time);
    struct record record = {.experiment = experiment->name,
                            .instance = instance,
                            .solver = &solver->solver,
                            .order = experiment->order,
                            .repetition = run.repetition,
                            .result = result,
                            .host = progression->host,
                            .finished_at = time};
    record_run_id(instance, solver->text, experiment->order, &solver->limits, run.repetition,
                  record.run_id);
    char *line = record_line(&record, progression->arguments->all_moves);
    if (folder_append(&progression->folder, line)) {
        progression->done[number] = true;
        progression->finished++;
    } else {
        progress_clear(&progression->progress);
        fprintf(stderr,
                "tilelab: a row cannot be written to %s/runs.csv: %s; the rows before it are safe, "
                "the same command goes on from there\n",
                progression->folder.path, strerror(errno));
        progression->code = EXIT_FAILED;
    }
    free(line);
    result_end(result);
}

/* A worker died or hangs: its run's row says so. */
static void bury_worker(struct progression *progression, struct worker *worker, const char *reason)
{
    struct result result = {.status = STATUS_crashed, .h_start = -1};
    size_t number = worker->run;
    struct run run = experiment_run(progression->experiment, number);
    char *how = worker_stop(worker);
    say_row(progression, &run, "crashed", reason == NULL ? how : reason);
    free(how);
    finish_run(progression, number, &result);
}

static void receive(struct progression *progression, struct worker *worker)
{
    struct result result;
    switch (worker_receive(worker, &result)) {
    case WORKER_PENDING:
        break;
    case WORKER_DONE:
        if (result.status == STATUS_interrupted)
            result_end(&result); /* no row: the next call runs it again */
        else
            finish_run(progression, worker->run, &result);
        break;
    case WORKER_GONE:
        bury_worker(progression, worker, NULL);
        break;
    }
}

/* The runs in a random order that the seed decides, so that a machine that grows slower or busier
 * does so for all solvers alike. */
static uint32_t *shuffled_runs(const struct experiment *experiment, size_t count)
{
    uint32_t *order = heap_take(count, sizeof *order);
    gsl_rng *generator = gsl_rng_alloc(random_philox);
    if (generator == NULL)
        heap_exhausted();
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    random_stream(generator, experiment->seed, ORDER_STREAM, 0, 0);
    gsl_ran_shuffle(generator, order, count, sizeof *order);
    gsl_rng_free(generator);
    return order;
}

/* Gives every idle worker a run, as long as there are any. Returns the number of busy workers. */
static unsigned hand_out(struct progression *progression)
{
    unsigned busy = 0;
    for (unsigned i = 0; i < progression->jobs; i++) {
        struct worker *worker = &progression->workers[i];
        while (progression->next < progression->total &&
               progression->done[progression->order[progression->next]])
            progression->next++;
        bool more = progression->next < progression->total && progression->code == EXIT_DONE &&
                    interrupts == 0;
        if (!worker->busy && more) {
            if (worker->process == 0 && !worker_start(worker, progression->experiment)) {
                fprintf(stderr, "tilelab: no worker process can be started: %s\n", strerror(errno));
                progression->code = EXIT_FAILED;
                break;
            }
            if (!worker_send(worker, progression->experiment,
                             progression->order[progression->next++]))
                bury_worker(progression, worker, NULL);
        }
        busy += worker->busy;
    }
    return busy;
}

/* Waits for news from the workers, or for a moment. */
static void wait_for_news(struct progression *progression)
{
    struct pollfd *watched = heap_take(progression->jobs, sizeof *watched);
    nfds_t count = 0;
    for (unsigned i = 0; i < progression->jobs; i++)
        if (progression->workers[i].busy)
            watched[count++] =
                (struct pollfd){.fd = progression->workers[i].channel, .events = POLLIN};
    int news = poll(watched, count, 100);
    nfds_t at = 0;
    for (unsigned i = 0; i < progression->jobs; i++) {
        struct worker *worker = &progression->workers[i];
        if (!worker->busy)
            continue;
        bool ready = news > 0 && watched[at].revents != 0;
        at++;
        if (ready)
            receive(progression, worker);
        else if (worker->deadline > 0 && clock_wall() > worker->deadline)
            bury_worker(progression, worker, "no answer long after its time limit");
    }
    free(watched);
}

/* Puts the rows on the disk when it is time to, or in any case. */
static void sync_rows(struct progression *progression, bool in_any_case)
{
    double now = clock_wall();
    if (!in_any_case && now - progression->synced < progression->arguments->sync_seconds)
        return;
    progression->synced = now;
    if (!folder_sync(&progression->folder) && progression->code == EXIT_DONE) {
        progress_clear(&progression->progress);
        fprintf(stderr, "tilelab: %s/runs.csv cannot be put on the disk: %s\n",
                progression->folder.path, strerror(errno));
        progression->code = EXIT_FAILED;
    }
}

static void run_all(struct progression *progression)
{
    bool asked = false;
    while (hand_out(progression) > 0) {
        if (interrupts > 0 && !asked) {
            asked = true;
            for (unsigned i = 0; i < progression->jobs; i++)
                if (progression->workers[i].busy)
                    worker_interrupt(&progression->workers[i]);
        }
        char note[64] = "";
        if (progression->findings > 0)
            snprintf(note, sizeof note, "%zu crashed or wrong", progression->findings);
        progress_show(&progression->progress, progression->finished, note);
        wait_for_news(progression);
        sync_rows(progression, false);
    }
    sync_rows(progression, true);
    progress_clear(&progression->progress);
}

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

static const struct argp parser = {
    .options = options,
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

static bool write_manifest(const struct progression *progression, const char *started,
                           const char *finished)
{
    if (manifest_write(&progression->folder, progression->experiment, progression->jobs, started,
                       finished))
        return true;
    fprintf(stderr, "tilelab: %s/manifest.json cannot be written: %s\n", progression->folder.path,
            strerror(errno));
    return false;
}

/* Every run has its row. */
static int end_of_runs(const struct progression *progression)
{
    if (progression->findings == 0)
        return EXIT_DONE;
    fprintf(stderr,
            "tilelab: %zu rows crashed, are wrong or contradict another; see the messages and the "
            "status column\n",
            progression->findings);
    return EXIT_FINDINGS;
}

/* Runs what is missing. Returns the exit code. */
static int run_experiment(struct progression *progression)
{
    const struct experiment *experiment = progression->experiment;
    struct sigaction counting = {.sa_handler = count_interrupt};
    char started[32];
    char finished[32];
    record_time(started);
    for (size_t i = 0; i < progression->total; i++)
        progression->finished += progression->done[i];
    size_t before = progression->finished;
    fprintf(
        stderr,
        "tilelab: %s: %zu runs (%zu instance%s x %zu solver%s x %u repetition%s), %u at a time, "
        "into %s\n",
        experiment->name, progression->total, experiment->instances.count,
        plural(experiment->instances.count), experiment->solver_count,
        plural(experiment->solver_count), experiment->repetitions, plural(experiment->repetitions),
        progression->jobs, progression->folder.path);
    if (before > 0)
        fprintf(stderr, "tilelab: %zu of them are there already\n", before);
    progression->findings = progression->folder.findings;
    if (before == progression->total)
        return end_of_runs(progression);
    if (!folder_write(&progression->folder, "experiment.yaml", experiment->source,
                      experiment->source_length)) {
        fprintf(stderr, "tilelab: %s/experiment.yaml cannot be written: %s\n",
                progression->folder.path, strerror(errno));
        return EXIT_FAILED;
    }
    if (!write_manifest(progression, started, NULL))
        return EXIT_FAILED;
    sigaction(SIGINT, &counting, NULL);
    sigaction(SIGTERM, &counting, NULL);
    double wall = clock_wall();
    progression->workers = heap_take(progression->jobs, sizeof *progression->workers);
    progress_start(&progression->progress, "runs", progression->total,
                   progression->arguments->quiet);
    run_all(progression);
    for (unsigned i = 0; i < progression->jobs; i++)
        free(worker_stop(&progression->workers[i]));
    free(progression->workers);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (progression->code != EXIT_DONE)
        return progression->code;
    if (progression->finished < progression->total) {
        fprintf(stderr,
                "tilelab: interrupted; %zu of %zu runs are written. The same command goes on from "
                "there\n",
                progression->finished, progression->total);
        return EXIT_INTERRUPTED;
    }
    record_time(finished);
    if (!write_manifest(progression, started, finished))
        return EXIT_FAILED;
    fprintf(stderr, "tilelab: %zu runs in %.1f s\n", progression->finished - before,
            clock_wall() - wall);
    return end_of_runs(progression);
}

int command_run(int argc, char **argv)
{
    struct arguments arguments = {.sync_seconds = 5};
    struct experiment experiment;
    struct report report;
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    report_start(&report, NULL);
    if (!experiment_load(arguments.experiment, &report, &experiment)) {
        problems_print(stderr, &report);
        report_end(&report);
        return EXIT_USAGE;
    }
    experiment_say_unsolvable(&experiment);
    struct progression progression = {.arguments = &arguments,
                                      .experiment = &experiment,
                                      .total = experiment_run_count(&experiment),
                                      .code = EXIT_DONE};
    const char *output = arguments.output != NULL ? arguments.output : experiment.output;
    progression.jobs = job_count(&arguments, &experiment, progression.total);
    progression.done = heap_take(progression.total, sizeof *progression.done);
    progression.cross = cross_start(&experiment);
    progression.order = shuffled_runs(&experiment, progression.total);
    if (gethostname(progression.host, sizeof progression.host - 1) != 0)
        progression.host[0] = '\0';
    int code = folder_open(&progression.folder, output, &experiment, arguments.foreign,
                           progression.done, progression.cross);
    if (code == EXIT_DONE) {
        code = run_experiment(&progression);
        folder_close(&progression.folder);
        if ((code == EXIT_DONE || code == EXIT_FINDINGS) && !arguments.no_compare) {
            const struct compare_options comparing = {0}; /* manifest.json knows the baseline */
            int compared = compare_print(&output, 1, &comparing);
            code = code == EXIT_DONE ? compared : code;
        }
    }
    free(progression.done);
    free(progression.order);
    cross_end(progression.cross);
    experiment_end(&experiment);
    report_end(&report);
    return code;
}
