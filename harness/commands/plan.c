/* `tilelab plan`: the run matrix of an experiment, and the maximum that running it can take. */
#include "base/heap.h"
#include "base/processors.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/externals.h"
#include "harness/commands/output.h"
#include "harness/execution/tables.h"
#include "harness/experiment/shards.h"
#include "harness/external/external.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"
#include "harness/text/tidy.h"
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* The instances of one set, which stand together in the experiment. */
struct set_summary {
    const char *name;
    char *shapes; /* owned; "3x3, 4x4" */
    size_t instances;
    size_t known; /* how many optimal lengths are known */
    int min, max;
};

/* The maximum that the whole matrix can take. */
struct worst_case {
    unsigned jobs;
    double seconds;
    double cpu_seconds; /* of all runs together; 0: some run has no limit of it */
    uint64_t bytes;
};

/* Adds a shape to the list, unless it is there. */
static void add_shape(struct set_summary *set, struct shape shape)
{
    char *text = heap_format("%ux%u", shape.width, shape.height);
    const size_t length = strlen(text);
    for (const char *at = set->shapes; at != NULL; at = strchr(at, ',')) {
        at += strspn(at, ", ");
        if (strcspn(at, ",") == length && strncmp(at, text, length) == 0) {
            free(text);
            return;
        }
    }
    heap_append(&set->shapes, "%s%s", set->shapes == NULL ? "" : ", ", text);
    free(text);
}

/* One summary for each set, in order; heap memory. */
static struct set_summary *summarize_sets(const struct experiment *experiment, size_t *count)
{
    struct set_summary *sets = NULL;
    *count = 0;
    for (size_t i = 0; i < experiment->instances.count; i++) {
        const struct instance *instance = &experiment->instances.items[i];
        if (*count == 0 || strcmp(sets[*count - 1].name, instance->set) != 0) {
            sets = heap_grow(sets, *count, sizeof *sets);
            sets[(*count)++] = (struct set_summary){.name = instance->set};
        }
        struct set_summary *set = &sets[*count - 1];
        const int length = instance->optimal_length;
        if (set->instances++ == 0 || !shape_equal(instance->start.shape, instance[-1].start.shape))
            add_shape(set, instance->start.shape);
        if (length == LENGTH_UNKNOWN)
            continue;
        set->min = set->known == 0 || length < set->min ? length : set->min;
        set->max = set->known == 0 || length > set->max ? length : set->max;
        set->known++;
    }
    return sets;
}

static void free_sets(struct set_summary *sets, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(sets[i].shapes);
    free(sets);
}

static struct worst_case find_worst_case(const struct experiment *experiment)
{
    const size_t runs = experiment_run_count(experiment);
    struct worst_case worst = {.jobs = experiment_jobs(experiment, processors_count())};
    if (worst.jobs > runs)
        worst.jobs = (unsigned)runs;
    const struct shard_load load = shard_load_of(experiment);
    worst.seconds = shard_load_worst(&load, worst.jobs);
    worst.cpu_seconds = experiment_cpu_seconds(experiment);
    worst.bytes = experiment_max_bytes(experiment) * worst.jobs;
    return worst;
}

/* Wide enough for the widest name. */
static int set_width(const struct set_summary *sets, size_t count)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++)
        width = strlen(sets[i].name) > width ? strlen(sets[i].name) : width;
    return (int)width;
}

/* What a solver's line begins with; below a label stands the solver, which may be long. */
static const char *shown_as(const struct experiment_solver *solver)
{
    return solver->label != NULL ? solver->label : solver->text;
}

static int solver_width(const struct experiment *experiment)
{
    size_t width = 0;
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const char *shown = shown_as(&experiment->solvers[i]);
        const size_t cells = screen_cells(shown, strlen(shown));
        width = cells > width ? cells : width;
    }
    return (int)width;
}

static void print_set(const struct set_summary *set, int width)
{
    printf("  %-*s  %zu instance%s %s, optimal length", width, set->name, set->instances,
           plural(set->instances), set->shapes);
    if (set->known == 0)
        printf(" not known\n");
    else if (set->min == set->max && set->known == set->instances)
        printf(" %d\n", set->min);
    else if (set->known < set->instances)
        printf("s %d to %d, %zu not known\n", set->min, set->max, set->instances - set->known);
    else
        printf("s %d to %d\n", set->min, set->max);
}

static void print_limits(const struct limits *limits)
{
    printf("%g s, %s", limits->seconds, human_bytes((double)limits->bytes).text);
    if (limits->nodes != 0)
        printf(", %s nodes", human_count((double)limits->nodes).text);
    if (limits->cpu_seconds > 0)
        printf(", %g s of processor time", limits->cpu_seconds);
}

/* Whoever runs them should know which files they are. */
static void print_plugins(const struct plugins *plugins)
{
    if (plugins->count > 0)
        printf("\n%zu plugin%s: code that runs as part of tilelab\n", plugins->count,
               plural(plugins->count));
    for (size_t i = 0; i < plugins->count; i++) {
        const struct plugin *plugin = plugins->items[i];
        screen_say(stdout, "  %s from %s (%s)\n", plugin->kind.name, plugin->path, plugin->hash);
    }
}

/* " of up to 2 threads"; "" if each search has one. Heap memory. */
static char *threads_text(const struct experiment *experiment)
{
    const unsigned threads = experiment_threads(experiment);
    return threads == 1 ? heap_text("") : heap_format(" of up to %u threads", threads);
}

static void print_plan(const struct experiment *experiment)
{
    struct tables_needed tables = tables_needed_by(experiment);
    const struct worst_case worst = find_worst_case(experiment);
    const size_t runs = experiment_run_count(experiment);
    char *threads = threads_text(experiment);
    size_t set_count;
    struct set_summary *sets = summarize_sets(experiment, &set_count);
    int width = set_width(sets, set_count);
    char *path = text_printable(experiment->path);
    char *output = text_printable(experiment->output);
    printf("%s (%s)\n", experiment->name, path);
    if (experiment->description[0] != '\0')
        screen_say(stdout, "%s\n", experiment->description);
    printf("\n%zu set%s\n", set_count, plural(set_count));
    for (size_t i = 0; i < set_count; i++)
        print_set(&sets[i], width);
    free_sets(sets, set_count);
    print_plugins(&experiment->plugins);
    printf("\n%zu solver%s, operator order %s\n", experiment->solver_count,
           plural(experiment->solver_count), experiment->order);
    width = solver_width(experiment);
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct experiment_solver *solver = &experiment->solvers[i];
        const char *shown = shown_as(solver);
        printf("  %s%*s  ", shown, width - (int)screen_cells(shown, strlen(shown)), "");
        print_limits(&solver->limits);
        puts(experiment->baseline != NULL && strcmp(experiment->baseline, solver->text) == 0
                 ? " (baseline)"
                 : "");
        if (solver->label != NULL)
            printf("    %s\n", solver->text);
    }
    char *externals = externals_text(experiment, true);
    if (externals != NULL)
        printf("\n%s", externals);
    free(externals);
    printf("\n%zu run%s: %zu instance%s x %zu solver%s x %u repetition%s\n", runs, plural(runs),
           experiment->instances.count, plural(experiment->instances.count),
           experiment->solver_count, plural(experiment->solver_count), experiment->repetitions,
           plural(experiment->repetitions));
    if (tables.count > 0)
        printf("%zu pattern database%s of %s, shared by all runs; built first if missing\n",
               tables.count, plural(tables.count), human_bytes((double)tables.bytes).text);
    free(tables.patterns);
    printf("at worst %.2f hours and %s with %u job%s%s, if every run reaches its limits%s\n",
           worst.seconds / 3600, human_bytes((double)worst.bytes).text, worst.jobs,
           plural(worst.jobs), threads,
           shard_load_of(experiment).starts ? " and persistent programs are slow to start" : "");
    if (worst.cpu_seconds > 0)
        printf("at worst %.2f hours of processor time in all\n", worst.cpu_seconds / 3600);
    free(threads);
    printf("results go to %s\n", output);
    free(output);
    free(path);
}

/* The minimum, mean and maximum of runs and seconds of shards. */
struct shard_range {
    size_t min_runs, max_runs;
    double mean_runs, min_seconds, mean_seconds, max_seconds;
};

static struct shard_range shard_range_of(const struct shards *shards, unsigned jobs)
{
    struct shard_range range = {.min_runs = SIZE_MAX, .min_seconds = HUGE_VAL};
    for (unsigned i = 0; i < shards->count; i++) {
        const struct shard_load *load = &shards->loads[i];
        const double seconds = shard_load_worst(load, jobs);
        range.min_runs = load->runs < range.min_runs ? load->runs : range.min_runs;
        range.max_runs = load->runs > range.max_runs ? load->runs : range.max_runs;
        range.mean_runs += (double)load->runs / shards->count;
        range.min_seconds = seconds < range.min_seconds ? seconds : range.min_seconds;
        range.max_seconds = seconds > range.max_seconds ? seconds : range.max_seconds;
        range.mean_seconds += seconds / shards->count;
    }
    return range;
}

/* The first shards of a division. */
static struct tidy shard_table(const struct shards *shards, unsigned count, unsigned jobs)
{
    struct tidy table = {0};
    tidy_column_as(&table, "shard", "", SHAPE_TEXT);
    tidy_column_as(&table, "runs", "", SHAPE_FULL);
    tidy_column(&table, "worst_case_s", "s", "");
    tidy_heading(&table, "hours at worst");
    tidy_fixed(&table, 2);
    for (unsigned i = 0; i < count; i++) {
        const double seconds = shard_load_worst(&shards->loads[i], jobs);
        tidy_format(&table, "%u/%u", i + 1, shards->count);
        tidy_number(&table, (double)shards->loads[i].runs);
        tidy_number(&table, seconds);
        tidy_show(&table, "%.2f", seconds / 3600);
    }
    return table;
}

static void print_shards(const struct experiment *experiment, unsigned count)
{
    enum { FEW = 100 };
    const unsigned jobs = find_worst_case(experiment).jobs;
    struct shards shards = shards_of(experiment, count);
    const struct shard_range range = shard_range_of(&shards, jobs);
    struct tidy table = shard_table(&shards, count < FEW ? count : FEW, jobs);
    printf("\n%u shard%s of %zu to %zu runs (mean %s), at worst %.2f to %.2f hours each (mean "
           "%.2f) with %u job%s\n",
           count, plural(count), range.min_runs, range.max_runs, human_mean(range.mean_runs).text,
           range.min_seconds / 3600, range.max_seconds / 3600, range.mean_seconds / 3600, jobs,
           plural(jobs));
    if (shards.torn && experiment->solver_count > 1)
        printf("solvers run the same instance in different shards: on different hosts their times "
               "do not compare\n");
    tidy_print(&table, stdout);
    if (count > FEW)
        printf("and %u more; --json has them all\n", count - FEW);
    tidy_end(&table);
    shards_end(&shards);
}

static json_t *json_of_shards(const struct experiment *experiment, unsigned count)
{
    const unsigned jobs = find_worst_case(experiment).jobs;
    struct shards shards = shards_of(experiment, count);
    struct tidy table = shard_table(&shards, count, jobs);
    json_t *array = tidy_json(&table);
    tidy_end(&table);
    shards_end(&shards);
    return array;
}

/* One line for each run in the order in which they are started, its fields separated by tabs. */
static void print_runs(const struct experiment *experiment)
{
    const size_t runs = experiment_run_count(experiment);
    uint32_t *order = experiment_run_order(experiment);
    for (size_t i = 0; i < runs; i++) {
        const struct matrix_cell run = experiment_cell(experiment, order[i]);
        const struct instance *instance = &experiment->instances.items[run.instance];
        printf("%" PRIu32 "\t%s\t%s\t%s\t%u\n", order[i] + 1, instance->set, instance->name,
               experiment->solvers[run.solver].text, run.repetition);
    }
    free(order);
}

static json_t *json_of_sets(const struct experiment *experiment)
{
    size_t count;
    struct set_summary *sets = summarize_sets(experiment, &count);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *set = json_pack("{s:s, s:s, s:I, s:I}", "name", sets[i].name, "shapes",
                                sets[i].shapes, "instances", (json_int_t)sets[i].instances,
                                "optimal_lengths_known", (json_int_t)sets[i].known);
        if (sets[i].known > 0) {
            json_object_set_new(set, "min_optimal_length", json_integer(sets[i].min));
            json_object_set_new(set, "max_optimal_length", json_integer(sets[i].max));
        }
        json_array_append_new(array, set);
    }
    free_sets(sets, count);
    return array;
}

static json_t *json_of_solvers(const struct experiment *experiment)
{
    json_t *array = json_array();
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct experiment_solver *solver = &experiment->solvers[i];
        json_t *object = json_pack("{s:s, s:f, s:I}", "solver", solver->text, "time_limit_s",
                                   solver->limits.seconds, "memory_limit_bytes",
                                   (json_int_t)solver->limits.bytes);
        json_object_set_new(object, "node_limit",
                            solver->limits.nodes == 0
                                ? json_null()
                                : json_integer((json_int_t)solver->limits.nodes));
        if (solver->limits.cpu_seconds > 0)
            json_object_set_new(object, "cpu_limit_s", json_real(solver->limits.cpu_seconds));
        if (solver->external != NULL) {
            json_object_update_new(object, external_json(solver->external));
            json_object_set_new(object, "folder", json_string(solver->external->folder));
        }
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *json_of_runs(const struct experiment *experiment)
{
    json_t *array = json_array();
    const size_t runs = experiment_run_count(experiment);
    uint32_t *order = experiment_run_order(experiment);
    for (size_t i = 0; i < runs; i++) {
        const struct matrix_cell run = experiment_cell(experiment, order[i]);
        const struct instance *instance = &experiment->instances.items[run.instance];
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:i}", "set", instance->set,
                                               "instance", instance->name, "solver",
                                               experiment->solvers[run.solver].text, "repetition",
                                               (int)run.repetition));
    }
    free(order);
    return array;
}

struct arguments {
    struct experiment_arguments experiment;
    bool json;
    bool runs;
    unsigned shards; /* 0: not asked for */
};

static json_t *plan_json(const struct experiment *experiment, const struct arguments *arguments)
{
    const struct worst_case worst = find_worst_case(experiment);
    json_t *plan = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:s, s:I, s:s?, s:I, s:I, s:f, s:I, s:s}", "experiment",
        experiment->name, "file", experiment->path, "description", experiment->description, "sets",
        json_of_sets(experiment), "solvers", json_of_solvers(experiment), "order",
        experiment->order, "repetitions", (json_int_t)experiment->repetitions, "baseline",
        experiment->baseline, "run_count", (json_int_t)experiment_run_count(experiment), "jobs",
        (json_int_t)worst.jobs, "worst_case_s", worst.seconds, "worst_case_bytes",
        (json_int_t)worst.bytes, "output", experiment->output);
    if (worst.cpu_seconds > 0)
        json_object_set_new(plan, "worst_case_cpu_s", json_real(worst.cpu_seconds));
    /* JSON's whole numbers end at 2^63 here, but a seed may be larger. */
    char *seed = heap_format("%" PRIu64, experiment->seed);
    json_object_set_new(plan, "plugins", plugins_json(&experiment->plugins));
    struct tables_needed tables = tables_needed_by(experiment);
    json_object_set_new(plan, "pattern_databases", json_integer((json_int_t)tables.count));
    json_object_set_new(plan, "pattern_database_bytes", json_integer((json_int_t)tables.bytes));
    free(tables.patterns);
    json_object_set_new(plan, "seed", json_string(seed));
    free(seed);
    if (arguments->runs)
        json_object_set_new(plan, "runs", json_of_runs(experiment));
    if (arguments->shards > 0)
        json_object_set_new(plan, "shards", json_of_shards(experiment, arguments->shards));
    return plan;
}

static const struct command_option options[] = {
    {OPTION("runs", 0, NULL,
            "Print one line for each run, in the order in which they are started: its number in "
            "the matrix, set, instance, solver and repetition, with tabs between",
            take_flag, runs)},
    {OPTION("shards", 0, "N", "Say what each of N shards would have to do", take_unsigned, shards),
     .min = 1, .max = MAX_SHARDS},
    {ARGUMENT_EXPERIMENT(experiment, 1, 1)},
    {OPTION_SET(experiment.overrides)},
    {OPTION_QUICK(experiment.overrides)},
    {OPTION_JSON},
    {0},
};

const struct command_line plan_line = {
    .options = options,
    .arguments = "EXPERIMENT",
    .help = "Print an experiment's sets, solvers and runs, and the maximum time and memory that "
            "running it can take; run nothing.\v"
            "EXPERIMENT is a YAML file, or the name of one that ships.",
};

int command_plan(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct experiment experiment;
    int code = EXIT_USAGE;
    command_line_parse(&plan_line, argc, argv, &arguments);
    if (experiment_arguments_load(&arguments.experiment, &experiment)) {
        if (arguments.json)
            print_json(plan_json(&experiment, &arguments));
        else if (arguments.runs)
            print_runs(&experiment);
        else
            print_plan(&experiment);
        if (arguments.shards > 0 && !arguments.json && !arguments.runs)
            print_shards(&experiment, arguments.shards);
        experiment_end(&experiment);
        code = finish_output(EXIT_DONE);
    }
    experiment_arguments_end(&arguments.experiment);
    return code;
}
