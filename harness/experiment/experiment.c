/* Reads the file once through its schema, then what depends on other keys: the solvers (they start
 * from the experiment's limits), the instances (they need the seed and the goal), the baseline (it
 * is one of the solvers). Problems are sorted into the file's order at the end. */
#include "harness/experiment/experiment.h"
#include "base/named.h"
#include "base/random.h"
#include "harness/experiment/data.h"
#include "harness/experiment/parts.h"
#include "harness/external/external.h"
#include "harness/text/human.h"
#include "puzzle/goal.h"
#include <ctype.h>
#include <errno.h>
#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <unistd.h>
#include <xxhash.h>

/* A number, or the file that it is made of. */
struct seed {
    uint64_t number;
    const struct yaml_node *file; /* NULL: none */
};

struct comparison {
    const struct yaml_node *baseline;
    const struct yaml_node *metrics;
    bool all_pairs;
};

/* The file's keys as the schema reads them. */
struct file {
    const char *name;
    const char *description;
    unsigned group;
    struct seed seed;
    const struct yaml_node *instances;
    const struct yaml_node *goal;
    unsigned cost;
    const struct yaml_node *plugins;
    const struct yaml_node *solvers;
    char order[MOVES + 1];
    uint64_t repetitions;
    uint64_t warmup;
    bool pin;
    bool logs;
    double checkpoint;
    uint64_t split;
    bool rounds;
    struct control_keys {
        uint64_t every;
    } control;
    unsigned measures; /* bit i: measure_words[i] */
    struct limits limits;
    uint64_t jobs;
    const char *output;
    struct comparison comparison;
    const struct yaml_node *expect;
    const struct yaml_node *points;
    const struct yaml_node *quick;
};

const char *const group_names[GROUPS] = {"published", "coursework", "benchmarks", "own"};

static bool read_order(const struct yaml_node *node, void *field, struct report *report)
{
    (void)report;
    return node->kind == YAML_TEXT && order_parse(node->text, field);
}

const char *const metric_words[METRIC_WORDS] = {
#define METRIC(name, unit, repeats, rises) #name,
#include "harness/experiment/metrics.def"
#undef METRIC
};

const char *const measure_words[] = {
    "cover",
#define EVENT(name, type, number, unit, meaning) #name,
#include "harness/external/events.def"
#undef EVENT
};
const size_t measure_word_count = sizeof measure_words / sizeof *measure_words;

bool metric_word_is_extra(const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char others[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-.";
    const char *name = word + strlen(EXTRA_PREFIX);
    return strncmp(word, EXTRA_PREFIX, strlen(EXTRA_PREFIX)) == 0 && strspn(name, letters) > 0 &&
           name[strspn(name, others)] == '\0' && strlen(name) <= MAX_EXTRA_NAME;
}

/* A metric of compare.metrics; NULL with a problem. */
static const char *read_metric(const struct yaml_node *node, struct report *report)
{
    const char *word = schema_word(node, "metrics", "a metric such as expanded", report);
    const bool known = word == NULL || metric_word_is_extra(word) ||
                       WORD_PLACE(metric_words, METRIC_WORDS, word) < METRIC_WORDS;
    if (!known)
        report_unknown(report, node->place, "metric", word, metric_words, METRIC_WORDS);
    return known ? word : NULL;
}

static void read_metrics(struct experiment *experiment, const struct yaml_node *node,
                         struct report *report)
{
    const bool list = node->kind == YAML_LIST;
    const size_t count = list ? node->count : 1;
    unsigned extras = 0;
    if (count == 0)
        report_add(report, node->place,
                   "an empty list as the value of 'metrics'; expected a metric such as expanded, "
                   "or a list of them");
    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *own = list ? node->items[i] : node;
        const char *metric = read_metric(own, report);
        const size_t before = experiment->metric_count;
        const bool repeated =
            metric != NULL && WORD_PLACE(experiment->metrics, before, metric) < before;
        if (repeated)
            report_add(report, own->place, "the metric %s a second time; expected each once",
                       metric);
        if (metric == NULL || repeated)
            continue;
        extras += metric_word_is_extra(metric);
        if (extras == MAX_EXTRAS + 1)
            report_add(report, own->place,
                       "%s beside %d of the column extra; expected no more at a time", metric,
                       MAX_EXTRAS);
        *HEAP_ADD(experiment->metrics, experiment->metric_count) = heap_text(metric);
    }
}

/* Words of measure_words, each once, as bits. */
static bool read_measures(const struct yaml_node *node, void *field, struct report *report)
{
    unsigned *measures = field;
    const bool list = node->kind == YAML_LIST;
    if (node->kind == YAML_MAPPING || (list && node->count == 0))
        return false;
    for (size_t i = 0; i < (list ? node->count : 1); i++) {
        const struct yaml_node *own = list ? node->items[i] : node;
        const char *word = schema_word(own, "measure", "cover", report);
        if (word == NULL)
            continue;
        const size_t at = WORD_PLACE(measure_words, measure_word_count, word);
        if (at == measure_word_count)
            report_unknown(report, own->place, "measure", word, measure_words, measure_word_count);
        else if ((*measures >> at & 1) != 0)
            report_add(report, own->place, "the measure %s a second time; expected each once",
                       word);
        else
            *measures |= 1U << at;
    }
    return true;
}

/* A reference, or a list of them. */
static bool keep_references(const struct yaml_node *node, void *field, struct report *report)
{
    return node->kind != YAML_TEXT && schema_keep_node(node, field, report);
}

static bool keep_mapping(const struct yaml_node *node, void *field, struct report *report)
{
    return node->kind == YAML_MAPPING && schema_keep_node(node, field, report);
}

static bool read_seed(const struct yaml_node *node, void *field, struct report *report)
{
    struct seed *seed = field;
    if (node->kind == YAML_MAPPING && node->count == 2 && yaml_key(node, "file") != NULL) {
        seed->file = yaml_value(node, "file");
        return schema_word(seed->file, "file", "the name of a file", report) != NULL;
    }
    char *end = NULL;
    errno = 0;
    seed->number = node->kind == YAML_TEXT ? strtoull(node->text, &end, 10) : 0;
    return end != NULL && isdigit((unsigned char)node->text[0]) && *end == '\0' && errno == 0;
}

static const struct schema_key comparison_keys[] = {
    {KEY("baseline", CUSTOM, struct comparison, baseline,
         "the solver that others are compared with"),
     .read = schema_keep_board, .expected = "one of the solvers, in the short form or by its label",
     .definition = "text"},
    {KEY("all_pairs", FLAG, struct comparison, all_pairs,
         "compare every solver with every other, not with the baseline alone"),
     .fallback = "false"},
    {KEY("metrics", CUSTOM, struct comparison, metrics,
         "by what solvers are compared: counters, length, cost, wall_s, cpu_s, or extra.NAME for "
         "what programs print. Verdicts are about the first; tables by optimal length and figures "
         "there are for each"),
     .read = schema_keep_board, .fallback = "expanded; tables and figures: generated",
     .expected = "a metric such as expanded, or a list of them", .definition = "metrics"},
};
static const struct schema comparison_schema = {
    "a comparison", comparison_keys, sizeof comparison_keys / sizeof *comparison_keys, false};

static const struct schema_key control_keys[] = {
    {KEY("every", NUMBER, struct control_keys, every,
         "how many runs a worker makes between two control runs"),
     .required = true, .min = 1, .max = 1000000},
};
static const struct schema control_schema = {"control runs", control_keys,
                                             sizeof control_keys / sizeof *control_keys, false};

static const struct schema_key file_keys[] = {
    {KEY("experiment", IDENTIFIER, struct file, name, "the experiment's name"), .required = true},
    {KEY("description", TEXT, struct file, description, "what it is for")},
    {KEY("group", CHOICE, struct file, group, "where tilelab list experiments has it"),
     .words = group_names, .word_count = GROUPS, .fallback = "own"},
    {KEY("seed", CUSTOM, struct file, seed,
         "chooses the random boards and the order of the runs; that of a file follows from what "
         "is in it, which is kept out of the results"),
     .read = read_seed, .fallback = "1",
     .expected = "a whole number from 0 to 18446744073709551615, or {file: secret.txt}",
     .definition = "seed"},
    {KEY("instances", LIST, struct file, instances, "the sets of boards to solve"),
     .required = true, .definition = "set", .expected = "a list of sets of boards"},
    {KEY("goal", CUSTOM, struct file, goal, "the goal of every set that names none"),
     .read = schema_keep_board, .fallback = DEFAULT_GOAL,
     .expected = "blank-last, blank-first, snail or a board such as [1 2 3, 4 5 6, 7 8 0]",
     .definition = "goal"},
    {KEY("cost", CHOICE, struct file, cost,
         "what moving tile t costs in every set that does not say: 1, t, its square root, "
         "1 / t, 1 + 1 / (1 + t)"),
     .words = cost_names, .word_count = COST_MODELS, .fallback = "unit"},
    {KEY("plugins", LIST, struct file, plugins,
         "heuristics and algorithms in shared objects (tilelab/heuristic.h, algorithm.h), "
         "relative to the experiment's folder"),
     .definition = "text", .expected = "a list of files such as my_heuristic.so"},
    {KEY("solvers", LIST, struct file, solvers, "the solvers; each solves every board"),
     .required = true, .definition = "solver",
     .expected = "a list of solvers such as astar(manhattan)"},
    {KEY("order", CUSTOM, struct file, order,
         "the order in which the moves of the blank are tried"),
     .read = read_order, .fallback = DEFAULT_ORDER,
     .expected = "the letters U, L, R and D in some order, such as ULRD", .definition = "order"},
    {KEY("repetitions", NUMBER, struct file, repetitions,
         "how many times each solver solves each board"),
     .min = 1, .max = 1000000, .fallback = "1"},
    {KEY("warmup", NUMBER, struct file, warmup,
         "unrecorded runs that each worker process makes first, at most a second each"),
     .max = 1000, .fallback = "1"},
    {KEY("pin", FLAG, struct file, pin, "keep each worker process on a processor of its own"),
     .fallback = "false"},
    {KEY("logs", FLAG, struct file, logs,
         "keep what programs print in their runs (logs/RUN_ID.log.gz), but for those with "
         "logs: false"),
     .fallback = "false"},
    {KEY("checkpoint", SECONDS, struct file, checkpoint,
         "how often a run of idastar, or of astar_idastar after its first part, keeps what it has "
         "done, so that it goes on from there after a kill, such as 10m; 0: never. Other "
         "algorithms begin again"),
     .fallback = "0", .max = 86400000},
    {KEY("split", NUMBER, struct file, split,
         "parts of each large round of idastar that shards count together, such as 512: a shard "
         "without runs left joins those of the others; 0: each run is made by one shard"),
     .max = 100000, .fallback = "0"},
    {KEY("rounds", FLAG, struct file, rounds,
         "record what each round of idastar, bts, iddfs, bfida and astar_idastar "
         "counted, in rounds.csv"),
     .fallback = "false"},
    {KEY("measure", CUSTOM, struct file, measures,
         "what to count beside each search: cover, the least that searches from both ends must "
         "expand (column cover; up to 10 cells); instructions, llc_misses and page_faults in "
         "user space, where the system counts them"),
     .read = read_measures, .fallback = "nothing",
     .expected = "a word such as cover, or a list of what to measure: [cover]",
     .definition = "measures"},
    {KEY("control", MAPPING, struct file, control,
         "make the same search again and again among the runs, in control.csv: where it "
         "drifts, times of the runs beside it carry ?"),
     .mapping = &control_schema},
    {KEY("limits", MAPPING, struct file, limits, "what each run may use"),
     .mapping = &limits_schema, .definition = "limits"},
    {KEY("jobs", NUMBER, struct file, jobs,
         "runs at the same time; 0: as many as there are processors for their threads"),
     .max = 1024, .fallback = "0"},
    {KEY("output", LINE, struct file, output, "the results folder"),
     .fallback = "results/ and the experiment's name"},
    {KEY("compare", MAPPING, struct file, comparison, "how the solvers are compared"),
     .mapping = &comparison_schema},
    {KEY("expect", CUSTOM, struct file, expect,
         "published cells that the results are held against"),
     .read = keep_references,
     .expected = "a reference such as {file: korf1985, by: instance}, or a list of them",
     .definition = "references"},
    {KEY("points", CUSTOM, struct file, points,
         "how solvers with a command and a label earn points (tilelab marks)"),
     .read = keep_mapping,
     .expected = "a mapping of rules and points such as {optimal: 4, 'expanded within 2x of "
                 "astar(manhattan)': 3}",
     .definition = "points"},
    {KEY("quick", CUSTOM, struct file, quick, "values that --quick replaces, each as --set does"),
     .read = keep_mapping, .expected = "a mapping such as {instances.1.count: 10}",
     .definition = "quick"},
};
const struct schema file_schema = {"an experiment", file_keys, sizeof file_keys / sizeof *file_keys,
                                   false};

/* Reads the file, at most one byte more than a YAML file may have, and adds a zero byte. NULL with
 * a problem. */
static char *read_source(const struct experiment *experiment, size_t *length, struct report *report)
{
    const char *why;
    SCOPED_BY(stream_end)
    FILE *file = experiment->is_copy ? file_open_own(experiment->path, &why)
                                     : file_open(experiment->path, &why);
    if (file == NULL) {
        report_add(report, NO_PLACE, "cannot be opened: %s", why);
        return NULL;
    }
    char *text = heap_take(MAX_YAML_BYTES + 2, 1);
    *length = fread(text, 1, MAX_YAML_BYTES + 1, file);
    int failed = ferror(file) ? errno : 0;
    if (failed == 0)
        return heap_resize(text, *length + 1);
    report_add(report, NO_PLACE, "cannot be read: %s", strerror(failed));
    free(text);
    return NULL;
}

/* The path of the experiment's file: an existing one, or one that ships. NULL with a problem. */
static char *find_file(const char *name, struct report *report)
{
    const bool is_path =
        strchr(name, '/') != NULL || file_ends(name, ".yaml") || file_ends(name, ".yml");
    char *path = is_path ? NULL : data_path(DATA_EXPERIMENTS, name);
    if (path != NULL)
        return path;
    if (is_path || access(name, F_OK) == 0)
        return heap_text(name);
    size_t count;
    char **names = data_names(DATA_EXPERIMENTS, &count);
    SCOPED char *words = words_listed((const char *const *)names, count);
    SCOPED char *meant = word_meant(name, (const char *const *)names, count);
    report_add(report, NO_PLACE, "no such experiment; expected a YAML file%s%s%s",
               count == 0 ? "" : ", or one that ships: ", words, meant);
    heap_free_texts(names, count);
    return NULL;
}

/* A copy of a text without trailing white space: YAML's blocks end with a newline. */
static char *copy_trimmed(const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    return heap_format("%.*s", (int)length, text);
}

/* Makes the seed of what is in the file, spaces at its ends aside. The hash that is shown is
 * another one, of half the bits: it says whether two files are the same, but not what is in them.
 */
static void read_seed_file(struct experiment *experiment, const struct yaml_node *node,
                           struct report *report)
{
    SCOPED char *path = experiment_file(experiment, node->text);
    SCOPED_BY(report_end) struct report problems = {0};
    SCOPED char *text = file_read(path, NULL, &problems);
    SCOPED char *secret = text == NULL ? NULL : copy_trimmed(text);
    if (text == NULL) {
        SCOPED char *why = report_first(&problems);
        report_add(report, node->place,
                   "the file '%s' %s; expected one that holds the text that the seed follows from",
                   node->text, why);
    } else if (secret[0] == '\0')
        report_add(report, node->place,
                   "the file '%s' is empty; expected a text that nobody guesses, such as what "
                   "`head -c 24 /dev/urandom | base64` prints",
                   node->text);
    if (secret != NULL) {
        experiment->seed = XXH3_64bits_withSeed(secret, strlen(secret), 0x7365637265740000U);
        experiment->seed_file = heap_format("file %s, hash %08x", node->text,
                                            (unsigned)(XXH3_64bits(secret, strlen(secret)) >> 32));
    }
}

char *experiment_seed_text(const struct experiment *experiment)
{
    return experiment->seed_file != NULL ? heap_text(experiment->seed_file)
                                         : heap_format("%" PRIu64, experiment->seed);
}

/* Loads the plugins, or recalls them; false, with problems, if one of them is wrong. */
static bool read_plugins(struct experiment *experiment, const struct yaml_node *plugins,
                         struct report *report)
{
    const size_t before = report->count;
    for (size_t i = 0; i < plugins->count; i++) {
        const struct yaml_node *node = plugins->items[i];
        const char *file = schema_word(node, "plugins", "a file such as my_heuristic.so", report);
        if (file == NULL)
            continue;
        SCOPED char *problem = NULL;
        SCOPED char *path = experiment_file(experiment, file);
        const bool fine =
            experiment->is_copy
                ? plugins_recall(&experiment->plugins, experiment->known, file, &problem)
                : plugins_add(&experiment->plugins, file, path, &problem);
        if (!fine)
            report_add(report, node->place, "%s", problem);
    }
    return report->count == before;
}

/* Whether a solver is labelled so, right or wrong otherwise. */
static bool is_label(const struct yaml_node *solvers, const char *text)
{
    for (size_t i = 0; solvers != NULL && i < solvers->count; i++) {
        const struct yaml_node *label =
            solvers->items[i]->kind == YAML_MAPPING ? yaml_value(solvers->items[i], "label") : NULL;
        if (label != NULL && label->kind == YAML_TEXT && strcmp(label->text, text) == 0)
            return true;
    }
    return false;
}

/* The solver that is written so, or labelled so; NULL: none. */
static const char *named_solver(const struct experiment *experiment, const char *text)
{
    for (size_t i = 0; i < experiment->solver_count; i++)
        if (solver_is_named(&experiment->solvers[i], text))
            return experiment->solvers[i].text;
    return NULL;
}

const char *experiment_solver_named(const struct experiment *experiment, const char *text)
{
    const char *named = named_solver(experiment, text);
    struct solver solver;
    if (named != NULL)
        return named;
    struct report none = {0};
    if (solver_parse(text, NO_PLACE, &none, &solver)) {
        SCOPED char *canonical = solver_text(&solver);
        named = named_solver(experiment, canonical);
    }
    report_end(&none);
    return named;
}

const char **experiment_solver_words(const struct experiment *experiment, size_t *count)
{
    const char **words = heap_take(2 * experiment->solver_count, sizeof *words);
    *count = 0;
    for (size_t i = 0; i < experiment->solver_count; i++) {
        words[(*count)++] = experiment->solvers[i].text;
        if (experiment->solvers[i].label != NULL)
            words[(*count)++] = experiment->solvers[i].label;
    }
    return words;
}

void experiment_refuse_solver(const struct experiment *experiment, const char *what,
                              struct text_place place, const char *text, struct report *report)
{
    size_t count;
    SCOPED const char **words = experiment_solver_words(experiment, &count);
    SCOPED char *meant = word_meant(text, words, count);
    report_add(report, place, "%s %s is not one of the solvers; expected one of them%s", what, text,
               meant);
}

/* A solver as it is written, in any spelling, or by its label. */
static void read_baseline(struct experiment *experiment, const struct file *file, bool solvers_fine,
                          struct report *report)
{
    const struct yaml_node *node = file->comparison.baseline;
    const bool text = node->kind == YAML_TEXT && !node->empty;
    const char *named = text ? experiment_solver_named(experiment, node->text) : NULL;
    struct solver solver;
    if (named != NULL) {
        experiment->baseline = heap_text(named);
        return;
    }
    if (node->kind == YAML_TEXT && is_label(file->solvers, node->text))
        return; /* of a solver that is wrong, and reported */
    const bool external = node->kind == YAML_TEXT && strncmp(node->text, "external(", 9) == 0;
    if ((external || experiment_parse_solver(node, "baseline", report, &solver)) && solvers_fine)
        experiment_refuse_solver(experiment, "the baseline", node->place, node->text, report);
}

/* a x b, or UINT64_MAX if that overflows. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Reports heuristics that are not defined for some instance, once for each solver. The start
 * matters only to searches from both ends. */
static void check_heuristics(const struct experiment *experiment, struct report *report)
{
    const struct instance_list *instances = &experiment->instances;
    SCOPED size_t *goals = NULL; /* the instances that have another one than those before them */
    size_t goal_count = 0;
    for (size_t i = 0; i < instances->count; i++)
        if (i == 0 || !board_equal(&instances->items[i].goal, &instances->items[i - 1].goal))
            *HEAP_ADD(goals, goal_count) = i;
    for (size_t s = 0; s < experiment->solver_count; s++) {
        const struct experiment_solver *solver = &experiment->solvers[s];
        const bool back = solver_estimates_back(&solver->solver);
        SCOPED char *reason = NULL;
        for (size_t i = 0; i < (back ? instances->count : goal_count) && reason == NULL; i++) {
            const struct instance *instance = &instances->items[back ? i : goals[i]];
            reason = solver_refuses(&solver->solver, &instance->start, &instance->goal);
            if (reason != NULL)
                report_add(report, solver->place, "%s (the set '%s')", reason, instance->set);
        }
    }
}

/* Reports solvers that are not defined for what moves cost in some set, once for each solver. */
static void check_costs(const struct experiment *experiment, struct report *report)
{
    for (size_t s = 0; s < experiment->solver_count; s++) {
        const struct experiment_solver *solver = &experiment->solvers[s];
        SCOPED char *reason = NULL;
        for (size_t i = 0; i < experiment->instances.count && reason == NULL; i++) {
            const struct instance *instance = &experiment->instances.items[i];
            struct move_costs costs;
            if (instance->cost == COST_unit ||
                (i > 0 && instance->cost == experiment->instances.items[i - 1].cost))
                continue;
            reason = solver_refuses_costs(&solver->solver, instance_costs(instance, &costs));
            if (reason != NULL)
                report_add(report, solver->place, "%s (the set '%s')", reason, instance->set);
        }
    }
}

/* Reads what the schema alone cannot. */
static void resolve(struct experiment *experiment, const struct file *file,
                    struct problems *problems)
{
    struct report *report = &problems->inbox;
    /* Without its plugins, nothing can be said of what solvers have of them. */
    const bool plugins_fine =
        file->plugins == NULL || read_plugins(experiment, file->plugins, report);
    const size_t before = report->count;
    if (file->solvers != NULL && plugins_fine)
        experiment_read_solvers(experiment, file->solvers, report);
    const bool solvers_fine = file->solvers != NULL && report->count == before;
    if (file->comparison.baseline != NULL && plugins_fine)
        read_baseline(experiment, file, solvers_fine, report);
    if (file->comparison.metrics != NULL)
        read_metrics(experiment, file->comparison.metrics, report);
    if (file->points != NULL && plugins_fine)
        experiment_read_points(experiment, file->points, solvers_fine, report);
    if (file->instances == NULL)
        return;
    uint64_t solvers = experiment->solver_count == 0 ? 1 : experiment->solver_count;
    uint64_t each = multiply(solvers, experiment->repetitions);
    uint64_t instances = experiment_read_instances(
        experiment, file->instances, file->goal, (enum cost_model)file->cost,
        experiment->is_outline ? 0 : MAX_RUNS / each, problems);
    if (experiment->is_outline)
        experiment->undrawn = instances - experiment->instances.count;
    if (instances > MAX_RUNS / each)
        report_add(report, file->instances->place,
                   "%" PRIu64 " runs (%" PRIu64 " instance%s x %" PRIu64
                   " solver%s x %u repetition%s); expected at most %d",
                   multiply(instances, each), instances, plural(instances), solvers,
                   plural(solvers), experiment->repetitions, plural(experiment->repetitions),
                   MAX_RUNS);
    check_heuristics(experiment, report);
    check_costs(experiment, report);
    if (problems_none(problems))
        experiment_check_points(experiment, report);
    if (problems_none(problems) && !experiment->is_outline)
        instances_look_up_optimal(&experiment->instances);
}

/* The results folder: that of the quick variant is another one, unless `quick` names it. */
static char *output_of(const struct experiment *experiment, const struct file *file)
{
    char *output =
        file->output == NULL ? heap_format("results/%s", file->name) : heap_text(file->output);
    if (experiment->overrides != NULL && experiment->overrides->quick && file->quick != NULL &&
        yaml_key(file->quick, "output") == NULL)
        heap_append(&output, "-quick");
    return output;
}

/* Fills in everything but experiment->source, which is there already. */
static void read_experiment(struct experiment *experiment, struct problems *problems)
{
    struct yaml yaml;
    struct file file = {
        .name = "", .description = "", .order = DEFAULT_ORDER, .seed = {.number = 1}};
    schema_defaults(&file_schema, &file);
    if (!yaml_load(experiment->source, experiment->source_length, &problems->inbox, &yaml))
        return;
    if (experiment->overrides != NULL)
        overrides_apply(experiment->overrides, &yaml, &problems->inbox);
    schema_read(&file_schema, yaml.root, &file, &problems->inbox);
    experiment->name = heap_text(file.name);
    experiment->description = copy_trimmed(file.description);
    experiment->group = (enum experiment_group)file.group;
    experiment->seed = file.seed.number;
    if (file.seed.file != NULL)
        read_seed_file(experiment, file.seed.file, &problems->inbox);
    memcpy(experiment->order, file.order, sizeof experiment->order);
    experiment->repetitions = (unsigned)file.repetitions;
    experiment->warmup = (unsigned)file.warmup;
    experiment->pin = file.pin;
    experiment->logs = file.logs;
    experiment->checkpoint_seconds = file.checkpoint;
    experiment->split = (unsigned)file.split;
    experiment->rounds = file.rounds;
    experiment->control_every = (unsigned)file.control.every;
    experiment->measures_cover = (file.measures & 1) != 0;
    experiment->events = file.measures >> 1;
    experiment->all_pairs = file.comparison.all_pairs;
    experiment->limits = file.limits;
    experiment->jobs = (unsigned)file.jobs;
    experiment->output = output_of(experiment, &file);
    if (file.expect != NULL)
        experiment_read_expectations(experiment, file.expect, &problems->inbox);
    resolve(experiment, &file, problems);
    yaml_end(&yaml);
}

/* Reads the file that experiment->path names. */
static bool load(struct experiment *experiment, const char *name, struct report *report)
{
    const size_t before = report->count;
    struct problems problems;
    report->file = experiment->path;
    experiment->source = read_source(experiment, &experiment->source_length, report);
    if (experiment->source != NULL) {
        problems_start(&problems, experiment->overrides);
        read_experiment(experiment, &problems);
        problems_end(&problems, report);
    }
    if (report->count == before)
        return true;
    report->file = name; /* the path is about to be freed */
    experiment_end(experiment);
    return false;
}

/* Loads what is named into an experiment whose other settings are there already. */
static bool load_named(const char *name, struct report *report, struct experiment *experiment)
{
    report->file = name;
    experiment->path = find_file(name, report);
    if (experiment->path == NULL)
        return false;
    const int length = (int)(file_name(experiment->path) - experiment->path);
    experiment->folder = heap_format("%.*s", length, experiment->path);
    return load(experiment, name, report);
}

bool experiment_load(const char *name, const struct overrides *overrides, struct report *report,
                     struct experiment *experiment)
{
    *experiment = (struct experiment){.overrides = overrides};
    return load_named(name, report, experiment);
}

bool experiment_outline(const char *name, struct report *report, struct experiment *experiment)
{
    *experiment = (struct experiment){.is_outline = true};
    return load_named(name, report, experiment);
}

bool experiment_load_copy(const char *path, const char *folder, const json_t *plugins,
                          const struct overrides *overrides, struct report *report,
                          struct experiment *experiment)
{
    *experiment = (struct experiment){.overrides = overrides,
                                      .path = heap_text(path),
                                      .folder = heap_format("%s/", folder),
                                      .is_copy = true,
                                      .known = plugins};
    return load(experiment, path, report);
}

size_t experiment_run_count(const struct experiment *experiment)
{
    return (experiment->instances.count + experiment->undrawn) * experiment->solver_count *
           experiment->repetitions;
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

/* How many threads a run of a solver has. */
static unsigned threads_of(const struct experiment_solver *solver)
{
    return solver->external != NULL ? external_threads(solver->external)
                                    : solver_threads(&solver->solver);
}

unsigned experiment_threads(const struct experiment *experiment)
{
    unsigned threads = 1;
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const unsigned own = threads_of(&experiment->solvers[i]);
        threads = own > threads ? own : threads;
    }
    return threads;
}

unsigned experiment_jobs(const struct experiment *experiment, unsigned processors)
{
    unsigned threads = experiment_threads(experiment);
    if (experiment->jobs != 0)
        return experiment->jobs;
    for (size_t i = 0; i < experiment->solver_count && !experiment->pin; i++) {
        const unsigned own = threads_of(&experiment->solvers[i]);
        threads = own < threads ? own : threads;
    }
    return processors < threads ? 1 : processors / threads;
}

unsigned experiment_at_once(const struct experiment *experiment, unsigned jobs, unsigned processors)
{
    const unsigned threads = experiment_threads(experiment);
    const unsigned most = processors < threads ? 1 : processors / threads;
    return threads > 1 && most < jobs ? most : jobs;
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
        FREE(experiment->solvers[i].text, experiment->solvers[i].label);
        if (experiment->solvers[i].external != NULL)
            external_end(experiment->solvers[i].external);
        free(experiment->solvers[i].external);
    }
    free(experiment->solvers);
    for (size_t i = 0; i < experiment->expectation_count; i++)
        FREE(experiment->expectations[i].name, experiment->expectations[i].path,
             experiment->expectations[i].text);
    free(experiment->expectations);
    for (size_t i = 0; i < experiment->point_count; i++)
        point_rule_end(&experiment->points[i]);
    free(experiment->points);
    plugins_end(&experiment->plugins);
    instance_list_end(&experiment->instances);
    FREE(experiment->path, experiment->folder, experiment->source, experiment->name,
         experiment->description, experiment->output, experiment->baseline);
    heap_free_texts(experiment->metrics, experiment->metric_count);
    FREE(experiment->notes, experiment->seed_file);
    json_decref(experiment->units);
    *experiment = (struct experiment){0};
}
