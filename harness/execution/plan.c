#include "harness/execution/plan.h"
#include "base/heap.h"
#include "base/processors.h"
#include "harness/experiment/shards.h"
#include "harness/results/run_ids.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"
#include "harness/text/tidy.h"
#include <inttypes.h>

/* Adds a shape to the list, unless it is there. */
static void add_shape(struct set_summary *set, struct shape shape)
{
    SCOPED char *text = heap_format("%ux%u", shape.width, shape.height);
    const size_t length = strlen(text);
    for (const char *at = set->shapes; at != NULL; at = strchr(at, ',')) {
        at += strspn(at, ", ");
        if (strcspn(at, ",") == length && strncmp(at, text, length) == 0)
            return;
    }
    heap_append(&set->shapes, "%s%s", set->shapes == NULL ? "" : ", ", text);
}

/* One summary for each set, in order; heap memory. */
static struct set_summary *summarize_sets(const struct experiment *experiment, size_t *count)
{
    struct set_summary *sets = NULL;
    *count = 0;
    for (size_t i = 0; i < experiment->instances.count; i++) {
        const struct instance *instance = &experiment->instances.items[i];
        if (*count == 0 || strcmp(sets[*count - 1].name, instance->set) != 0) {
            *HEAP_ADD(sets, *count) = (struct set_summary){.name = instance->set};
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

struct plan plan_make(const struct experiment *experiment)
{
    const size_t runs = experiment_run_count(experiment);
    struct plan plan = {.experiment = experiment,
                        .jobs = experiment_jobs(experiment, processors_count()),
                        .cpu_seconds = experiment_cpu_seconds(experiment),
                        .tables = tables_needed_by(experiment)};
    if (plan.jobs > runs)
        plan.jobs = (unsigned)runs;
    const struct shard_load load = shard_load_of(experiment);
    plan.at_once = experiment_at_once(experiment, plan.jobs, processors_count());
    plan.seconds = shard_load_worst(&load, plan.at_once);
    plan.starts = load.starts;
    plan.bytes = experiment_max_bytes(experiment) * plan.jobs;
    plan.sets = summarize_sets(experiment, &plan.set_count);
    plan.forecast = forecast_make(experiment);
    return plan;
}

void plan_end(struct plan *plan)
{
    for (size_t i = 0; i < plan->set_count; i++)
        free(plan->sets[i].shapes);
    FREE(plan->sets, plan->tables.patterns);
    forecast_end(&plan->forecast);
}

static void print_set(FILE *file, const struct set_summary *set, int width)
{
    fprintf(file, "  %-*s  %zu instance%s %s, optimal length", width, set->name, set->instances,
            plural(set->instances), set->shapes);
    if (set->known == 0)
        fprintf(file, " not known\n");
    else if (set->min == set->max && set->known == set->instances)
        fprintf(file, " %d\n", set->min);
    else if (set->known < set->instances)
        fprintf(file, "s %d to %d, %zu not known\n", set->min, set->max,
                set->instances - set->known);
    else
        fprintf(file, "s %d to %d\n", set->min, set->max);
}

static void print_sets(FILE *file, const struct plan *plan)
{
    size_t width = 0;
    for (size_t i = 0; i < plan->set_count; i++)
        width = strlen(plan->sets[i].name) > width ? strlen(plan->sets[i].name) : width;
    fprintf(file, "\n%zu set%s\n", plan->set_count, plural(plan->set_count));
    for (size_t i = 0; i < plan->set_count; i++)
        print_set(file, &plan->sets[i], (int)width);
}

/* Whoever runs them should know which files they are. */
static void print_plugins(FILE *file, const struct plugins *plugins)
{
    if (plugins->count > 0)
        fprintf(file, "\n%zu plugin%s: code that runs as part of tilelab, or programs\n",
                plugins->count, plural(plugins->count));
    for (size_t i = 0; i < plugins->count; i++) {
        const struct plugin_item *item = &plugins->items[i];
        const struct object *object = plugin_object(item);
        const bool itself = object->file[0] == '{'; /* the mapping of a program */
        screen_say(file, "  %s from %s%s%s (%s)\n", plugin_name(item), itself ? object->file : "",
                   itself ? " in " : "", object->path, object->hash);
    }
}

static void print_limits(FILE *file, const struct limits *limits)
{
    fprintf(file, "%g s, %s", limits->seconds, human_bytes((double)limits->bytes).text);
    if (limits->nodes != 0)
        fprintf(file, ", %s nodes", human_count((double)limits->nodes).text);
    if (limits->cpu_seconds > 0)
        fprintf(file, ", %g s of processor time", limits->cpu_seconds);
}

static bool is_submission(const struct experiment_solver *solver)
{
    return solver->external != NULL && solver->external->submission != NULL;
}

/* How many solvers from number `at` on stand together: submissions under the same limits, which are
 * told below, else one. */
static size_t together(const struct experiment *experiment, size_t at)
{
    const struct experiment_solver *first = &experiment->solvers[at];
    size_t count = 1;
    while (is_submission(first) && at + count < experiment->solver_count &&
           is_submission(first + count) &&
           memcmp(&first->limits, &first[count].limits, sizeof first->limits) == 0)
        count++;
    return count;
}

static void print_solvers(FILE *file, const struct experiment *experiment)
{
    size_t width = 0;
    for (size_t i = 0; i < experiment->solver_count; i++) {
        if (is_submission(&experiment->solvers[i]))
            continue;
        const char *shown = experiment_solver_name(&experiment->solvers[i]);
        const size_t cells = screen_cells(shown, strlen(shown));
        width = cells > width ? cells : width;
    }
    fprintf(file, "\n%zu solver%s, operator order %s\n", experiment->solver_count,
            plural(experiment->solver_count), experiment->order);
    for (size_t i = 0; i < experiment->solver_count; i += together(experiment, i)) {
        const struct experiment_solver *solver = &experiment->solvers[i];
        const char *shown = experiment_solver_name(solver);
        if (is_submission(solver)) {
            const size_t count = together(experiment, i);
            fprintf(file, "  %zu submission%s  ", count, plural(count));
            print_limits(file, &solver->limits);
            fputs("\n", file);
            continue;
        }
        fprintf(file, "  %s%*s  ", shown, (int)(width - screen_cells(shown, strlen(shown))), "");
        print_limits(file, &solver->limits);
        fputs(experiment->baseline != NULL && strcmp(experiment->baseline, solver->text) == 0
                  ? " (baseline)\n"
                  : "\n",
              file);
        if (solver->label != NULL)
            fprintf(file, "    %s\n", solver->text);
    }
}

static void print_worst_case(FILE *file, const struct plan *plan)
{
    const unsigned threads = experiment_threads(plan->experiment);
    fprintf(file, "at worst %.2f hours and %s with %u job%s", plan->seconds / 3600,
            human_bytes((double)plan->bytes).text, plan->jobs, plural(plan->jobs));
    if (threads > 1)
        fprintf(file, " of up to %u threads", threads);
    if (plan->at_once < plan->jobs)
        fprintf(file, ", %u at once where all have that many", plan->at_once);
    fprintf(file, ", if every run reaches its limits%s\n",
            plan->starts ? " and persistent programs are slow to start" : "");
    if (plan->cpu_seconds > 0)
        fprintf(file, "at worst %.2f hours of processor time in all\n", plan->cpu_seconds / 3600);
}

void plan_print(FILE *file, const struct plan *plan, const char *externals)
{
    const struct experiment *experiment = plan->experiment;
    const size_t runs = experiment_run_count(experiment);
    screen_say(file, "%s (%s)\n", experiment->name, experiment->path);
    if (experiment->description[0] != '\0')
        screen_say(file, "%s\n", experiment->description);
    print_sets(file, plan);
    print_plugins(file, &experiment->plugins);
    print_solvers(file, experiment);
    if (externals != NULL)
        fprintf(file, "\n%s", externals);
    fprintf(file, "\n%zu run%s: %zu instance%s x %zu solver%s x %u repetition%s\n", runs,
            plural(runs), experiment->instances.count, plural(experiment->instances.count),
            experiment->solver_count, plural(experiment->solver_count), experiment->repetitions,
            plural(experiment->repetitions));
    if (plan->tables.count > 0)
        fprintf(file, "%zu pattern database%s of %s, shared by all runs; built first if missing\n",
                plan->tables.count, plural(plan->tables.count),
                human_bytes((double)plan->tables.bytes).text);
    print_worst_case(file, plan);
    forecast_print(file, &plan->forecast);
    screen_say(file, "results go to %s\n", experiment->output);
}

/* The first shards of a division. */
static struct tidy shard_table(const struct shards *shards, unsigned count, unsigned jobs)
{
    struct tidy table = {0};
    struct tidy_heading *worst;
    tidy_heads(&table, "shard:t|runs:f");
    worst = tidy_column_as(&table, "worst_case_s", "s", SHAPE_FIXED);
    worst->heading = heap_text("hours at worst");
    worst->decimals = 2;
    for (unsigned i = 0; i < count; i++) {
        const double seconds = shard_load_worst(&shards->loads[i], jobs);
        tidy_format(&table, "%u/%u", i + 1, shards->count);
        tidy_numbers(&table, (double)shards->loads[i].runs, seconds);
        tidy_show(&table, "%.2f", seconds / 3600);
    }
    return table;
}

void plan_print_shards(FILE *file, const struct plan *plan, unsigned count)
{
    enum { FEW = 100 };
    SCOPED_BY(shards_end) struct shards shards = shards_of(plan->experiment, count);
    SCOPED_BY(tidy_end)
    struct tidy table = shard_table(&shards, count < FEW ? count : FEW, plan->at_once);
    size_t min_runs = SIZE_MAX, max_runs = 0;
    double mean_runs = 0, min_seconds = HUGE_VAL, mean_seconds = 0, max_seconds = 0;
    for (unsigned i = 0; i < count; i++) {
        const size_t runs = shards.loads[i].runs;
        const double seconds = shard_load_worst(&shards.loads[i], plan->at_once);
        min_runs = runs < min_runs ? runs : min_runs;
        max_runs = runs > max_runs ? runs : max_runs;
        mean_runs += (double)runs / count;
        min_seconds = fmin(seconds, min_seconds);
        max_seconds = fmax(seconds, max_seconds);
        mean_seconds += seconds / count;
    }
    fprintf(file,
            "\n%u shard%s of %zu to %zu runs (mean %s), at worst %.2f to %.2f hours each (mean "
            "%.2f) with %u job%s\n",
            count, plural(count), min_runs, max_runs, human_mean(mean_runs).text,
            min_seconds / 3600, max_seconds / 3600, mean_seconds / 3600, plan->jobs,
            plural(plan->jobs));
    if (shards.torn && plan->experiment->solver_count > 1)
        fputs("solvers run the same instance in different shards: on different hosts their times "
              "do not compare\n",
              file);
    tidy_print(&table, file);
    if (count > FEW)
        fprintf(file, "and %u more; --json has them all\n", count - FEW);
}

/* The runs in an order. */
static struct tidy run_table(const struct experiment *experiment, const uint32_t *order)
{
    SCOPED_BY(run_ids_end) struct run_ids ids = run_ids_of(experiment, NULL, 0);
    struct tidy table = {0};
    tidy_heads(&table, "set:t|instance:t|solver:t|repetition:f");
    for (size_t i = 0; i < ids.count; i++) {
        const struct run run = run_ids_run(&ids, order[i]);
        tidy_add(&table, "%s %s %s %g", run.instance->set, run.instance->name, run.solver_text,
                 (double)run.repetition);
    }
    return table;
}

void plan_print_runs(FILE *file, const struct experiment *experiment)
{
    SCOPED uint32_t *order = experiment_run_order(experiment);
    SCOPED_BY(tidy_end) struct tidy table = run_table(experiment, order);
    for (size_t i = 0; i < table.cell_count; i++) {
        if (i % table.column_count == 0)
            fprintf(file, "%" PRIu32, order[i / table.column_count] + 1);
        SCOPED char *shown = tidy_shown(&table, i);
        fprintf(file, "\t%s%s", shown, (i + 1) % table.column_count == 0 ? "\n" : "");
    }
}

static json_t *json_of_sets(const struct plan *plan)
{
    json_t *array = json_array();
    for (size_t i = 0; i < plan->set_count; i++) {
        const struct set_summary *own = &plan->sets[i];
        json_t *set =
            json_pack("{s:s, s:s, s:I, s:I}", "name", own->name, "shapes", own->shapes, "instances",
                      (json_int_t)own->instances, "optimal_lengths_known", (json_int_t)own->known);
        if (own->known > 0) {
            json_object_set_new(set, "min_optimal_length", json_integer(own->min));
            json_object_set_new(set, "max_optimal_length", json_integer(own->max));
        }
        json_array_append_new(array, set);
    }
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
    SCOPED uint32_t *order = experiment_run_order(experiment);
    SCOPED_BY(tidy_end) struct tidy table = run_table(experiment, order);
    return tidy_json(&table);
}

static json_t *json_of_shards(const struct plan *plan, unsigned count)
{
    SCOPED_BY(shards_end) struct shards shards = shards_of(plan->experiment, count);
    SCOPED_BY(tidy_end) struct tidy table = shard_table(&shards, count, plan->at_once);
    return tidy_json(&table);
}

json_t *plan_json(const struct plan *plan, bool runs, unsigned shards)
{
    const struct experiment *experiment = plan->experiment;
    json_t *json = json_pack(
        "{s:s, s:o, s:s, s:o, s:o, s:s, s:I, s:s?, s:I, s:I, s:f, s:I, s:o}", "experiment",
        experiment->name, "file", json_text(experiment->path), "description",
        experiment->description, "sets", json_of_sets(plan), "solvers", json_of_solvers(experiment),
        "order", experiment->order, "repetitions", (json_int_t)experiment->repetitions, "baseline",
        experiment->baseline, "run_count", (json_int_t)experiment_run_count(experiment), "jobs",
        (json_int_t)plan->jobs, "worst_case_s", plan->seconds, "worst_case_bytes",
        (json_int_t)plan->bytes, "output", json_text(experiment->output));
    /* JSON's whole numbers end at 2^63 here, but a seed may be larger. */
    SCOPED char *seed = experiment_seed_text(experiment);
    json_t *more =
        json_pack("{s:o*, s:o, s:o, s:I, s:I, s:s, s:o*, s:o*}", "worst_case_cpu_s",
                  plan->cpu_seconds > 0 ? json_real(plan->cpu_seconds) : NULL, "expected",
                  forecast_json(&plan->forecast), "plugins", plugins_json(&experiment->plugins),
                  "pattern_databases", (json_int_t)plan->tables.count, "pattern_database_bytes",
                  (json_int_t)plan->tables.bytes, "seed", seed, "runs",
                  runs ? json_of_runs(experiment) : NULL, "shards",
                  shards > 0 ? json_of_shards(plan, shards) : NULL);
    json_object_update_new(json, more);
    return json;
}
