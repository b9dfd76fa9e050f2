/* Reads the file once through its schema, then what depends on other keys: the solvers (they start
 * from the experiment's limits), the instances (they need the seed and the goal), the baseline (it
 * is one of the solvers). Problems are sorted into the file's order at the end. */
#include "harness/experiment/experiment.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/random.h"
#include "harness/experiment/data.h"
#include "harness/experiment/parts.h"
#include "harness/text/human.h"
#include "instances/generate.h"
#include "puzzle/goal.h"
#include <ctype.h>
#include <errno.h>
#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct comparison {
    const struct yaml_node *baseline;
    bool all_pairs;
};

/* The file's keys as the schema reads them. */
struct file {
    const char *name;
    const char *description;
    uint64_t seed;
    const struct yaml_node *instances;
    const struct yaml_node *goal;
    const struct yaml_node *solvers;
    char order[MOVES + 1];
    uint64_t repetitions;
    uint64_t warmup;
    bool pin;
    bool rounds;
    struct limits limits;
    uint64_t jobs;
    const char *output;
    struct comparison comparison;
};

static bool read_order(const struct yaml_node *node, void *field, struct report *report)
{
    const struct shape shape = {3, 3, 9};
    struct operators operators;
    char *order = field;
    (void)report;
    if (node->kind != YAML_TEXT || !operators_make(shape, node->text, &operators))
        return false;
    for (unsigned i = 0; i < MOVES; i++)
        order[i] = move_letters[operators.order[i]];
    return true;
}

static bool keep_node(const struct yaml_node *node, void *field, struct report *report)
{
    (void)report;
    if (node->kind == YAML_MAPPING)
        return false;
    *(const struct yaml_node **)field = node;
    return true;
}

static const struct schema_key comparison_keys[] = {
    {.name = "baseline",
     .type = SCHEMA_CUSTOM,
     .read = keep_node,
     .offset = offsetof(struct comparison, baseline),
     .expected = "one of the solvers, in the short form",
     .definition = "short_form",
     .help = "the solver that others are compared with"},
    {.name = "all_pairs",
     .type = SCHEMA_FLAG,
     .offset = offsetof(struct comparison, all_pairs),
     .fallback = "false",
     .help = "compare every solver with every other, not with the baseline alone"},
};
static const struct schema comparison_schema = {
    "a comparison", comparison_keys, sizeof comparison_keys / sizeof *comparison_keys, false};

static const struct schema_key file_keys[] = {
    {.name = "experiment",
     .type = SCHEMA_IDENTIFIER,
     .required = true,
     .offset = offsetof(struct file, name),
     .help = "the experiment's name"},
    {.name = "description",
     .type = SCHEMA_TEXT,
     .offset = offsetof(struct file, description),
     .help = "what it is for"},
    {.name = "seed",
     .type = SCHEMA_NUMBER,
     .max = UINT64_MAX,
     .offset = offsetof(struct file, seed),
     .fallback = "1",
     .help = "chooses the random boards and the order of the runs"},
    {.name = "instances",
     .type = SCHEMA_LIST,
     .required = true,
     .definition = "set",
     .offset = offsetof(struct file, instances),
     .expected = "a list of sets of boards",
     .help = "the sets of boards to solve"},
    {.name = "goal",
     .type = SCHEMA_CUSTOM,
     .read = keep_node,
     .offset = offsetof(struct file, goal),
     .fallback = DEFAULT_GOAL,
     .expected = "blank-last, blank-first, snail or a board such as [1 2 3, 4 5 6, 7 8 0]",
     .definition = "goal",
     .help = "the goal of every set that names none"},
    {.name = "solvers",
     .type = SCHEMA_LIST,
     .required = true,
     .definition = "solver",
     .offset = offsetof(struct file, solvers),
     .expected = "a list of solvers such as astar(manhattan)",
     .help = "the solvers; each solves every board"},
    {.name = "order",
     .type = SCHEMA_CUSTOM,
     .read = read_order,
     .offset = offsetof(struct file, order),
     .fallback = DEFAULT_ORDER,
     .expected = "the letters U, L, R and D in some order, such as ULRD",
     .definition = "order",
     .help = "the order in which the moves of the blank are tried"},
    {.name = "repetitions",
     .type = SCHEMA_NUMBER,
     .min = 1,
     .max = 1000000,
     .offset = offsetof(struct file, repetitions),
     .fallback = "1",
     .help = "how many times each solver solves each board"},
    {.name = "warmup",
     .type = SCHEMA_NUMBER,
     .max = 1000,
     .offset = offsetof(struct file, warmup),
     .fallback = "1",
     .help = "unrecorded runs that each worker process makes first, at most a second each"},
    {.name = "pin",
     .type = SCHEMA_FLAG,
     .offset = offsetof(struct file, pin),
     .fallback = "false",
     .help = "keep each worker process on a processor of its own"},
    {.name = "rounds",
     .type = SCHEMA_FLAG,
     .offset = offsetof(struct file, rounds),
     .fallback = "false",
     .help = "record what each round of idastar and iddfs counted, in rounds.csv"},
    {.name = "limits",
     .type = SCHEMA_MAPPING,
     .mapping = &limits_schema,
     .definition = "limits",
     .offset = offsetof(struct file, limits),
     .help = "what each run may use"},
    {.name = "jobs",
     .type = SCHEMA_NUMBER,
     .max = 1024,
     .offset = offsetof(struct file, jobs),
     .fallback = "0",
     .help = "runs at the same time; 0: as many as there are processors"},
    {.name = "output",
     .type = SCHEMA_LINE,
     .offset = offsetof(struct file, output),
     .fallback = "results/ and the experiment's name",
     .help = "the results folder"},
    {.name = "compare",
     .type = SCHEMA_MAPPING,
     .mapping = &comparison_schema,
     .offset = offsetof(struct file, comparison),
     .help = "how the solvers are compared"},
};
const struct schema file_schema = {"an experiment", file_keys, sizeof file_keys / sizeof *file_keys,
                                   false};

/* Reads the file, at most one byte more than a YAML file may have, and adds a zero byte. NULL with
 * a problem. */
static char *read_source(const char *path, size_t *length, struct report *report)
{
    const char *why;
    FILE *file = file_open(path, &why);
    if (file == NULL) {
        report_add(report, 0, 0, "cannot be opened: %s", why);
        return NULL;
    }
    char *text = heap_take(MAX_YAML_BYTES + 2, 1);
    *length = fread(text, 1, MAX_YAML_BYTES + 1, file);
    int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed == 0)
        return heap_resize(text, *length + 1);
    report_add(report, 0, 0, "cannot be read: %s", strerror(failed));
    free(text);
    return NULL;
}

/* The path of the experiment's file: an existing one, or one that ships. NULL with a problem. */
static char *find_file(const char *name, struct report *report)
{
    size_t length = strlen(name);
    bool is_path = strchr(name, '/') != NULL ||
                   (length > 5 && strcmp(name + length - 5, ".yaml") == 0) ||
                   (length > 4 && strcmp(name + length - 4, ".yml") == 0);
    char *path = is_path ? NULL : data_path(DATA_EXPERIMENTS, name);
    if (path != NULL)
        return path;
    if (is_path || access(name, F_OK) == 0)
        return heap_text(name);
    size_t count;
    char **names = data_names(DATA_EXPERIMENTS, &count);
    char *words = words_listed((const char *const *)names, count);
    char *meant = word_meant(name, (const char *const *)names, count);
    report_add(report, 0, 0, "no such experiment; expected a YAML file%s%s%s",
               count == 0 ? "" : ", or one that ships: ", words, meant);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    free(words);
    free(meant);
    return NULL;
}

static void read_baseline(struct experiment *experiment, const struct yaml_node *node,
                          bool solvers_fine, struct report *report)
{
    struct solver solver;
    if (!experiment_parse_solver(node, "baseline", report, &solver) || !solvers_fine)
        return;
    char *text = solver_text(&solver);
    const char **words = heap_take(experiment->solver_count, sizeof *words);
    for (size_t i = 0; i < experiment->solver_count; i++) {
        words[i] = experiment->solvers[i].text;
        if (strcmp(text, words[i]) == 0)
            experiment->baseline = text;
    }
    if (experiment->baseline == NULL) {
        char *meant = word_meant(text, words, experiment->solver_count);
        report_add(report, node->line, node->column,
                   "the baseline %s is not one of the solvers; expected one of them%s", text,
                   meant);
        free(meant);
        free(text);
    }
    free(words);
}

/* a x b, or UINT64_MAX if that overflows. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

size_t experiment_next_goal(const struct experiment *experiment, size_t at)
{
    const struct instance_list *instances = &experiment->instances;
    const size_t before = at++;
    while (before != SIZE_MAX && at < instances->count &&
           board_equal(&instances->items[at].goal, &instances->items[before].goal))
        at++;
    return at;
}

/* Reports heuristics that are not defined for the goal of some instance, once for each solver. */
static void check_heuristics(const struct experiment *experiment, struct report *report)
{
    const struct instance_list *instances = &experiment->instances;
    for (size_t s = 0; s < experiment->solver_count; s++) {
        const struct experiment_solver *solver = &experiment->solvers[s];
        const struct heuristic_choice *heuristic = &solver->solver.heuristic;
        char *reason = NULL;
        for (size_t i = experiment_next_goal(experiment, SIZE_MAX);
             i < instances->count && heuristic->kind != NULL && reason == NULL;
             i = experiment_next_goal(experiment, i)) {
            reason = heuristic_refuses(heuristic, &instances->items[i].goal);
            if (reason != NULL)
                report_add(report, solver->line, solver->column, "%s (the set '%s')", reason,
                           instances->items[i].set);
        }
        free(reason);
    }
}

/* Reads what the schema alone cannot. */
static void resolve(struct experiment *experiment, const struct file *file,
                    struct problems *problems)
{
    struct report *report = &problems->inbox;
    const size_t before = report->count;
    if (file->solvers != NULL)
        experiment_read_solvers(experiment, file->solvers, report);
    const bool solvers_fine = file->solvers != NULL && report->count == before;
    if (file->comparison.baseline != NULL)
        read_baseline(experiment, file->comparison.baseline, solvers_fine, report);
    if (file->instances == NULL)
        return;
    uint64_t solvers = experiment->solver_count == 0 ? 1 : experiment->solver_count;
    uint64_t each = multiply(solvers, experiment->repetitions);
    uint64_t instances = experiment_read_instances(experiment, file->instances, file->goal,
                                                   MAX_RUNS / each, problems);
    if (instances > MAX_RUNS / each)
        report_add(report, file->instances->line, file->instances->column,
                   "%" PRIu64 " runs (%" PRIu64 " instance%s x %" PRIu64
                   " solver%s x %u repetition%s); expected at most %d",
                   multiply(instances, each), instances, plural(instances), solvers,
                   plural(solvers), experiment->repetitions, plural(experiment->repetitions),
                   MAX_RUNS);
    check_heuristics(experiment, report);
    if (problems_none(problems))
        instances_look_up_optimal(&experiment->instances);
}

/* A copy of a text without trailing white space: YAML's blocks end with a newline. */
static char *copy_trimmed(const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    return heap_format("%.*s", (int)length, text);
}

/* Fills in everything but experiment->source, which is there already. */
static void read_experiment(struct experiment *experiment, struct problems *problems)
{
    struct yaml yaml;
    struct file file = {.name = "", .description = "", .order = DEFAULT_ORDER};
    schema_defaults(&file_schema, &file);
    if (!yaml_load(experiment->source, experiment->source_length, &problems->inbox, &yaml))
        return;
    if (experiment->overrides != NULL)
        overrides_apply(experiment->overrides, &yaml, &problems->inbox);
    schema_read(&file_schema, yaml.root, &file, &problems->inbox);
    experiment->name = heap_text(file.name);
    experiment->description = copy_trimmed(file.description);
    experiment->seed = file.seed;
    memcpy(experiment->order, file.order, sizeof experiment->order);
    experiment->repetitions = (unsigned)file.repetitions;
    experiment->warmup = (unsigned)file.warmup;
    experiment->pin = file.pin;
    experiment->rounds = file.rounds;
    experiment->all_pairs = file.comparison.all_pairs;
    experiment->limits = file.limits;
    experiment->jobs = (unsigned)file.jobs;
    experiment->output =
        file.output == NULL ? heap_format("results/%s", file.name) : heap_text(file.output);
    resolve(experiment, &file, problems);
    yaml_end(&yaml);
}

bool experiment_load(const char *name, const struct overrides *overrides, struct report *report,
                     struct experiment *experiment)
{
    const size_t before = report->count;
    struct problems problems;
    *experiment = (struct experiment){.overrides = overrides};
    report->file = name;
    experiment->path = find_file(name, report);
    if (experiment->path == NULL)
        return false;
    report->file = experiment->path;
    experiment->source = read_source(experiment->path, &experiment->source_length, report);
    if (experiment->source != NULL) {
        problems_start(&problems, overrides);
        read_experiment(experiment, &problems);
        problems_end(&problems, report);
    }
    if (report->count == before)
        return true;
    report->file = name; /* the path is about to be freed */
    experiment_end(experiment);
    return false;
}

size_t experiment_run_count(const struct experiment *experiment)
{
    return experiment->instances.count * experiment->solver_count * experiment->repetitions;
}

struct matrix_cell experiment_cell(const struct experiment *experiment, size_t number)
{
    const size_t pair = number / experiment->repetitions;
    return (struct matrix_cell){.instance = pair / experiment->solver_count,
                                .solver = pair % experiment->solver_count,
                                .repetition = (unsigned)(number % experiment->repetitions) + 1};
}

uint64_t experiment_max_bytes(const struct experiment *experiment)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < experiment->solver_count; i++)
        if (experiment->solvers[i].limits.bytes > bytes)
            bytes = experiment->solvers[i].limits.bytes;
    return bytes;
}

/* The `set` of the random stream that shuffles the runs. */
enum { ORDER_STREAM = 0x6f726472 };

uint32_t *experiment_run_order(const struct experiment *experiment)
{
    const size_t count = experiment_run_count(experiment);
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

void experiment_end(struct experiment *experiment)
{
    for (size_t i = 0; i < experiment->solver_count; i++) {
        free(experiment->solvers[i].text);
        free(experiment->solvers[i].label);
    }
    free(experiment->solvers);
    instance_list_end(&experiment->instances);
    free(experiment->path);
    free(experiment->source);
    free(experiment->name);
    free(experiment->description);
    free(experiment->output);
    free(experiment->baseline);
    *experiment = (struct experiment){0};
}
