/* Reads, computes, prints, writes: in that order, so that a folder that cannot be written costs no
 * one the view. */
#include "harness/commands/compare.h"
#include "base/heap.h"
#include "harness/analysis/by_depth.h"
#include "harness/analysis/pairs.h"
#include "harness/analysis/summary.h"
#include "harness/commands/commands.h"
#include <argp.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* What was found, and what the reader of the tables should know besides. */
struct comparison {
    struct results results;
    size_t baseline;
    struct summary summary;
    struct by_depth by_depth;
    struct pairs pairs;
    char **notes;
    size_t note_count;
};

static void add_note(struct comparison *comparison, char *owned)
{
    comparison->notes = heap_grow(comparison->notes, comparison->note_count, sizeof(char *));
    comparison->notes[comparison->note_count++] = owned;
}

static bool read_results(struct results *results, const char *const *paths, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        char *file = results_file(paths[i]);
        struct report report;
        report_start(&report, file);
        if (!results_read(results, file, &report)) {
            fputs(report.text, stderr);
            good = false;
        }
        report_end(&report);
        free(file);
    }
    return good;
}

/* The manifest.json beside a result, or NULL. To be released with json_decref. */
static json_t *read_manifest(struct comparison *comparison, const char *path)
{
    char *folder = results_folder(path);
    char *file = heap_format("%s/manifest.json", folder);
    free(folder);
    json_t *manifest = NULL;
    struct stat status;
    if (stat(file, &status) == 0) {
        json_error_t error;
        manifest = json_load_file(file, 0, &error);
        if (manifest == NULL)
            add_note(comparison, heap_format("%s:%d:%d: %s; its baseline is not known", file,
                                             error.line, error.column, error.text));
    }
    free(file);
    return manifest;
}

/* Puts the solvers in the order of the experiments (rows come in the order in which runs end) and
 * returns the baseline that the first manifest names, or NULL. To be freed. */
static char *follow_manifests(struct comparison *comparison, const char *const *paths, size_t count)
{
    char *baseline = NULL;
    struct names order = {0};
    for (size_t i = 0; i < count; i++) {
        json_t *manifest = read_manifest(comparison, paths[i]);
        const char *text = json_string_value(json_object_get(manifest, "baseline"));
        if (text != NULL && baseline == NULL)
            baseline = heap_text(text);
        const json_t *solvers = json_object_get(manifest, "solvers");
        for (size_t s = 0; s < json_array_size(solvers); s++) {
            const char *solver = json_string_value(json_array_get(solvers, s));
            if (solver != NULL && names_find(&comparison->results.solvers, solver) != NAMES_NONE)
                names_add(&order, solver);
        }
        json_decref(manifest);
    }
    results_order_solvers(&comparison->results, &order);
    return baseline;
}

static bool find_asked_baseline(struct comparison *comparison, const char *asked)
{
    const struct names *solvers = &comparison->results.solvers;
    comparison->baseline = names_find(solvers, asked);
    if (comparison->baseline != NAMES_NONE)
        return true;
    const char *near = nearest_word(asked, (const char *const *)solvers->text, solvers->count);
    fprintf(stderr, "tilelab compare: no runs of the baseline '%s'", asked);
    if (near != NULL)
        fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\nThe solvers there are:\n");
    for (size_t i = 0; i < solvers->count; i++)
        fprintf(stderr, "  %s\n", solvers->text[i]);
    return false;
}

static void find_usual_baseline(struct comparison *comparison, const char *named)
{
    comparison->baseline = 0;
    if (named == NULL)
        return;
    size_t found = names_find(&comparison->results.solvers, named);
    if (found != NAMES_NONE)
        comparison->baseline = found;
    else
        add_note(comparison, heap_format("The experiment's baseline %s has no runs here; the first "
                                         "solver stands in for it.",
                                         named));
}

static void note_oddities(struct comparison *comparison, const char *others)
{
    const struct results *results = &comparison->results;
    if (results->left_out > 0)
        add_note(comparison,
                 heap_format("Rows of other runs than the experiment's, left out: %zu.%s%.*s",
                             results->left_out, others == NULL ? "" : "\n",
                             others == NULL ? 0 : (int)strlen(others) - 1,
                             others == NULL ? "" : others));
    if (results->repeated > 0)
        add_note(comparison,
                 heap_format("Rows that repeat a run_id, and count once: %zu.", results->repeated));
    if (results->cut_files > 0)
        add_note(
            comparison,
            heap_format("The last row of %zu file%s has no line end (it is being written, or was "
                        "cut off) and is left out.",
                        results->cut_files, results->cut_files == 1 ? "" : "s"));
    if (results->disagreeing > 0)
        add_note(comparison,
                 heap_format("In %zu cases the runs of one solver on one instance differ in their "
                             "counters: results of different builds or operator orders are pooled; "
                             "the medians count.",
                             results->disagreeing));
}

static void print_text(const struct comparison *comparison, enum metric metric)
{
    const struct results *results = &comparison->results;
    if (results->count == 0) {
        printf("There are no runs in these results.\n");
    } else {
        summary_print(&comparison->summary, results, stdout);
        printf("\n\n");
        by_depth_print(&comparison->by_depth, results, stdout);
        printf("\n\n");
        pairs_print(&comparison->pairs, results, metric, stdout);
    }
    for (size_t i = 0; i < comparison->note_count; i++)
        printf("%sNote: %s\n", i == 0 ? "\n" : "", comparison->notes[i]);
}

/* The three tables for programs, each with its name. */
enum { TABLES = 3 };
static const char *const table_names[TABLES] = {"summary", "by_depth", "pairs"};

static void print_json(const struct comparison *comparison, const struct tidy *tables)
{
    const struct results *results = &comparison->results;
    json_t *object = json_object();
    json_object_set_new(object, "runs", json_integer((json_int_t)results->count));
    json_object_set_new(object, "instances", json_integer((json_int_t)results->instances.count));
    json_object_set_new(object, "baseline",
                        results->count == 0
                            ? json_null()
                            : json_string(results->solvers.text[comparison->baseline]));
    for (size_t i = 0; i < TABLES; i++)
        json_object_set_new(object, table_names[i], tidy_json(&tables[i]));
    json_t *notes = json_array();
    for (size_t i = 0; i < comparison->note_count; i++)
        json_array_append_new(notes, json_string(comparison->notes[i]));
    json_object_set_new(object, "notes", notes);
    json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(TIDY_DIGITS));
    putchar('\n');
    json_decref(object);
}

static bool write_tables(const struct tidy *tables, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "tilelab compare: cannot make the folder '%s': %s\n", folder,
                strerror(errno));
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < TABLES; i++) {
        char *file = heap_format("%s.csv", table_names[i]);
        if (!tidy_write(&tables[i], folder, file)) {
            fprintf(stderr, "tilelab compare: cannot write '%s/%s': %s\n", folder, file,
                    strerror(errno));
            good = false;
        }
        free(file);
    }
    return good;
}

static int show(struct comparison *comparison, const char *first,
                const struct compare_options *options)
{
    const struct results *results = &comparison->results;
    results_settle(&comparison->results);
    comparison->summary = summary_of(results);
    comparison->by_depth = by_depth_of(results);
    comparison->pairs = pairs_of(results, comparison->baseline);
    note_oddities(comparison, options->others);

    struct tidy tables[TABLES] = {
        summary_tidy(&comparison->summary, results),
        by_depth_tidy(&comparison->by_depth, results),
        pairs_tidy(&comparison->pairs, results),
    };
    if (options->json)
        print_json(comparison, tables);
    else
        print_text(comparison, options->metric);
    bool printed = fflush(stdout) == 0 && !ferror(stdout);
    if (!printed)
        fprintf(stderr, "tilelab compare: cannot write to standard output: %s\n", strerror(errno));
    char *folder = options->output != NULL ? heap_text(options->output) : results_folder(first);
    bool written = write_tables(tables, folder);
    free(folder);
    for (size_t i = 0; i < TABLES; i++)
        tidy_end(&tables[i]);
    return printed && written ? EXIT_DONE : EXIT_FAILED;
}

int compare_print(const char *const *results, size_t count, const struct compare_options *options)
{
    struct comparison comparison = {.results.only = options->only};
    int code = EXIT_USAGE;
    bool good = read_results(&comparison.results, results, count);
    char *named = good ? follow_manifests(&comparison, results, count) : NULL;
    if (good && options->baseline == NULL)
        find_usual_baseline(&comparison, named);
    else if (good && comparison.results.count > 0)
        good = find_asked_baseline(&comparison, options->baseline);
    free(named);
    if (good)
        code = show(&comparison, results[0], options);
    pairs_end(&comparison.pairs);
    by_depth_end(&comparison.by_depth);
    summary_end(&comparison.summary);
    results_end(&comparison.results);
    for (size_t i = 0; i < comparison.note_count; i++)
        free(comparison.notes[i]);
    free(comparison.notes);
    return code;
}

/* The command line. */
struct arguments {
    struct compare_options options;
    const char **results;
    size_t count;
};

enum { KEY_BASELINE = 'b', KEY_METRIC = 'm', KEY_OUTPUT = 'o', KEY_JSON = 0x100 };

static enum metric read_metric(struct argp_state *state, const char *text)
{
    for (size_t i = 0; i < METRICS; i++) {
        if (strcmp(text, metric_names[i]) == 0)
            return (enum metric)i;
    }
    const char *near = nearest_word(text, metric_names, METRICS);
    argp_error(state, "unknown metric '%s'; expected expanded, generated, length or wall_s%s%s%s",
               text, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
               near != NULL ? "'?" : "");
    return METRIC_EXPANDED;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_BASELINE:
        arguments->options.baseline = value;
        return 0;
    case KEY_METRIC:
        arguments->options.metric = read_metric(state, value);
        return 0;
    case KEY_OUTPUT:
        arguments->options.output = value;
        return 0;
    case KEY_JSON:
        arguments->options.json = true;
        return 0;
    case ARGP_KEY_ARG:
        arguments->results = heap_grow(arguments->results, arguments->count, sizeof value);
        arguments->results[arguments->count++] = value;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no results; expected one or more results folders or CSV files of runs");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"baseline", KEY_BASELINE, "SOLVER", 0,
     "compare the others with this solver (default: the experiment's, else the first)", 0},
    {"metric", KEY_METRIC, "METRIC", 0,
     "expanded (default), generated, length or wall_s: what the printed paired table is about; "
     "pairs.csv has all four",
     0},
    {"output", KEY_OUTPUT, "DIR", 0,
     "write the CSV files there (default: beside runs.csv of the first result)", 0},
    {"json", KEY_JSON, NULL, 0, "print all tables as one JSON object instead of text", 0},
    {0},
};

int command_compare(int argc, char **argv)
{
    static const struct argp parser = {
        .options = option_table,
        .parser = parse_option,
        .args_doc = "RESULTS...",
        .doc =
            "Statistics over results: each solver by itself, by optimal solution length, and "
            "against a "
            "baseline.\v"
            "RESULTS is a results folder or the path of a runs.csv; several are pooled, and runs "
            "with the same run_id count once. Writes summary.csv, by_depth.csv and pairs.csv.\n\n"
            "Averages are over solved instances, each counted once however often it was "
            "repeated. The paired table is over the instances both solvers solved: ratio of "
            "geometric means with a 95 % bootstrap interval, Wilcoxon's signed-rank test, Holm's "
            "correction.\n\n"
            "Exit codes: 0 done, 1 failed, 2 wrong usage or input.",
    };
    struct arguments arguments = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    int code = compare_print(arguments.results, arguments.count, &arguments.options);
    free(arguments.results);
    return code;
}
