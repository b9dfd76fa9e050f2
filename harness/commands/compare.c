/* Reads, computes, prints, writes: in that order, so that a folder that cannot be written costs no
 * one the view. */
#include "harness/commands/compare.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/analysis/by_depth.h"
#include "harness/analysis/pairs.h"
#include "harness/analysis/summary.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/text/human.h"
#include "harness/text/text_table.h"
#include "puzzle/rank.h"
#include <argp.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What was found, and what the reader of the tables should know besides. */
struct comparison {
    struct results results;
    struct names order;   /* the solvers of the experiments */
    char *named_baseline; /* by the first manifest that names one; or NULL */
    size_t baseline;
    struct summary summary;
    struct by_depth by_depth;
    struct pairs pairs;
    char **notes;
    size_t note_count;
};

/* Takes the text. */
static void add_note(struct comparison *comparison, char *owned)
{
    comparison->notes = heap_grow(comparison->notes, comparison->note_count, sizeof(char *));
    comparison->notes[comparison->note_count++] = text_printable(owned);
    free(owned);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The manifest.json of a result, or NULL; to be released with json_decref. A CSV file of another
 * name than runs.csv has none: what lies beside it may be of other runs. */
static json_t *read_manifest(struct comparison *comparison, const char *file)
{
    static const char own_name[] = "runs.csv";
    const char *slash = strrchr(file, '/');
    const char *name = slash == NULL ? file : slash + 1;
    if (strcmp(name, own_name) != 0)
        return NULL;
    char *path = heap_format("%.*smanifest.json", (int)(name - file), file);
    json_error_t error;
    const char *why;
    json_t *manifest = NULL;
    FILE *stream = file_open(path, &why);
    if (stream != NULL) {
        manifest = json_loadf(stream, 0, &error);
        fclose(stream);
        if (manifest == NULL)
            add_note(comparison, heap_format("%s:%d:%d: %s; its solvers and baseline are not known",
                                             path, error.line, error.column, error.text));
    } else if (access(path, F_OK) == 0) {
        add_note(comparison, heap_format("%s: cannot open: %s; its solvers and baseline are not "
                                         "known",
                                         path, why));
    }
    free(path);
    return manifest;
}

/* The solvers of a manifest and their limits; false where it names none. */
static bool expected_of(const json_t *manifest, struct expected *expected)
{
    const json_t *solvers = json_object_get(manifest, "solvers");
    const json_t *limits = json_object_get(manifest, "limits");
    *expected = (struct expected){0};
    for (size_t i = 0; i < json_array_size(solvers); i++) {
        const char *solver = json_string_value(json_array_get(solvers, i));
        const size_t count = expected->solvers.count;
        if (solver == NULL || names_add(&expected->solvers, solver) != count)
            continue;
        const json_t *own = json_object_get(limits, solver);
        expected->limits = heap_grow(expected->limits, count, sizeof *expected->limits);
        expected->limits[count] = (struct limits){
            .seconds = own == NULL ? -1 : json_number_value(json_object_get(own, "seconds")),
            .nodes = (uint64_t)json_integer_value(json_object_get(own, "nodes")),
            .bytes = (uint64_t)json_integer_value(json_object_get(own, "bytes")),
        };
    }
    return expected->solvers.count > 0;
}

/* Reads one result by its manifest, and what the manifest says of the comparison. */
static bool read_result(struct comparison *comparison, const char *path)
{
    char *file = results_file(path);
    json_t *manifest = read_manifest(comparison, file);
    struct expected expected;
    struct report report;
    report_start(&report, file);
    const bool known = expected_of(manifest, &expected);
    const bool good = results_read(&comparison->results, file, known ? &expected : NULL, &report);
    if (!good)
        fputs(report.text, stderr);
    for (size_t i = 0; i < expected.solvers.count; i++)
        names_add(&comparison->order, expected.solvers.text[i]);
    const char *baseline = json_string_value(json_object_get(manifest, "baseline"));
    if (baseline != NULL && comparison->named_baseline == NULL)
        comparison->named_baseline = heap_text(baseline);
    report_end(&report);
    expected_end(&expected);
    json_decref(manifest);
    free(file);
    return good;
}

static bool read_results(struct comparison *comparison, const char *const *paths, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good = read_result(comparison, paths[i]) && good;
    return good;
}

static bool find_asked_baseline(struct comparison *comparison, const char *asked)
{
    const struct names *solvers = &comparison->results.solvers;
    comparison->baseline = names_find(solvers, asked);
    if (comparison->baseline != NAMES_NONE)
        return true;
    char *meant = word_meant(asked, (const char *const *)solvers->text, solvers->count);
    char *said = heap_format("tilelab compare: no runs of the baseline '%s'%s", asked, meant);
    char *shown = text_printable(said);
    fputs(shown, stderr);
    free(shown);
    free(said);
    free(meant);
    fprintf(stderr, "\nThe solvers there are:\n");
    for (size_t i = 0; i < solvers->count; i++) {
        char *solver = text_printable(solvers->text[i]);
        fprintf(stderr, "  %s\n", solver);
        free(solver);
    }
    return false;
}

static void find_usual_baseline(struct comparison *comparison)
{
    const char *named = comparison->named_baseline;
    comparison->baseline = 0;
    if (named == NULL || comparison->results.count == 0)
        return;
    size_t found = names_find(&comparison->results.solvers, named);
    if (found != NAMES_NONE)
        comparison->baseline = found;
    else
        add_note(comparison, heap_format("The experiment's baseline %s has no runs here; the first "
                                         "solver stands in for it.",
                                         named));
}

/* "20 rows of dfs, 3 rows of bfs"; to be freed. */
static char *left_out_text(struct left_out *left_out)
{
    size_t *place = heap_take(left_out->solvers.count, sizeof *place);
    size_t *rows = heap_take(left_out->solvers.count, sizeof *rows);
    names_arrange(&left_out->solvers, NULL, place);
    for (size_t i = 0; i < left_out->solvers.count; i++)
        rows[place[i]] = left_out->rows[i];
    char *text = heap_text("");
    for (size_t i = 0; i < left_out->solvers.count; i++) {
        char *longer = heap_format("%s%s%zu row%s of %s", text, i == 0 ? "" : ", ", rows[i],
                                   plural(rows[i]), left_out->solvers.text[i]);
        free(text);
        text = longer;
    }
    free(left_out->rows);
    left_out->rows = rows;
    free(place);
    return text;
}

static void note_left_out(struct comparison *comparison)
{
    struct left_out *strangers = &comparison->results.strangers;
    struct left_out *others = &comparison->results.other_limits;
    if (strangers->solvers.count > 0) {
        char *rows = left_out_text(strangers);
        add_note(comparison, heap_format("Left out: %s, which %s not in the experiment any more.",
                                         rows, strangers->solvers.count == 1 ? "is" : "are"));
        free(rows);
    }
    if (others->solvers.count > 0) {
        char *rows = left_out_text(others);
        add_note(comparison,
                 heap_format("Left out: %s, made under other limits than the experiment's.", rows));
        free(rows);
    }
}

/* Whether some solver keeps bits of the whole space where others keep nodes. */
static bool memory_misleads(const struct results *results)
{
    bool small = false;
    bool whole = false;
    for (size_t i = 0; i < results->instances.count; i++)
        small = small || results->known[i].start.shape.cells <= MAX_RANKED_CELLS;
    for (size_t i = 0; i < results->solvers.count; i++) {
        const char *solver = results->solvers.text[i];
        whole = whole || strcmp(solver, "bfs") == 0 || strncmp(solver, "bfs(", 4) == 0;
    }
    return small && whole && results->solvers.count > 1;
}

/* What rows of other runs were left out: `others` has them a line each, two spaces before it. */
static char *other_runs_text(size_t rows, const char *others)
{
    char *text = heap_format("Rows of other runs than the experiment's, left out: %zu", rows);
    const char *between = ": ";
    for (const char *at = others == NULL ? "" : others; *at != '\0'; between = "; ") {
        const int length = (int)strcspn(at, "\n");
        char *longer = heap_format("%s%s%.*s", text, between, length - 2, at + 2);
        free(text);
        text = longer;
        at += length + (at[length] == '\n');
    }
    return text;
}

static void note_oddities(struct comparison *comparison, const char *others)
{
    const struct results *results = &comparison->results;
    note_left_out(comparison);
    if (memory_misleads(results))
        add_note(
            comparison,
            heap_format("Peak memory (peak_bytes) compares representations: on boards of up to "
                        "%d cells bfs keeps bits of the whole space instead of nodes. "
                        "max_stored does not depend on that.",
                        MAX_RANKED_CELLS));
    if (results->left_out > 0)
        add_note(comparison, other_runs_text(results->left_out, others));
    if (results->edited > 0)
        add_note(comparison,
                 heap_format("Rows whose cells are not those that tilelab wrote (row_hash): %zu. "
                             "Their solutions count as unverified.",
                             results->edited));
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

/* Each table's columns alone. */
static void print_columns(bool markdown)
{
    struct tidy tables[TABLES] = {
        summary_tidy(NULL, NULL),
        by_depth_tidy(NULL, NULL),
        pairs_tidy(NULL, NULL),
    };
    for (size_t i = 0; i < TABLES; i++) {
        struct text_table table = {0};
        printf(markdown ? "%s### %s.csv\n\n" : "%s%s.csv\n\n", i > 0 ? "\n" : "", table_names[i]);
        text_table_column(&table, "", "column", ALIGN_LEFT);
        text_table_column(&table, "", "unit", ALIGN_LEFT);
        text_table_column(&table, "", "meaning", ALIGN_LEFT);
        if (markdown)
            printf("| column | unit | meaning |\n| --- | --- | --- |\n");
        for (size_t j = 0; j < tables[i].column_count; j++) {
            const struct tidy_heading *column = &tables[i].columns[j];
            text_table_cell(&table, "%s", column->name);
            text_table_cell(&table, "%s", column->unit);
            text_table_cell(&table, "%s", column->meaning);
            if (markdown)
                printf("| `%s` | %s | %s |\n", column->name, column->unit, column->meaning);
        }
        if (!markdown)
            text_table_print(&table, stdout);
        text_table_end(&table);
        tidy_end(&tables[i]);
    }
}

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
    bool good = folders_make(folder);
    if (!good)
        fprintf(stderr, "tilelab compare: cannot make the folder '%s': %s\n", folder,
                strerror(errno));
    for (size_t i = 0; good && i < TABLES; i++) {
        char *file = heap_format("%s.csv", table_names[i]);
        good = tidy_write(&tables[i], folder, file);
        if (!good)
            fprintf(stderr, "tilelab compare: cannot write '%s/%s': %s\n", folder, file,
                    strerror(errno));
        free(file);
    }
    if (good)
        fprintf(stderr, "tilelab compare: summary.csv, by_depth.csv and pairs.csv are in %s\n",
                folder);
    return good;
}

/* Prints the comparison, and writes its tables into `folder` unless that is NULL. */
static int show(struct comparison *comparison, const char *folder,
                const struct compare_options *options)
{
    const struct results *results = &comparison->results;
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
    const int code = finish_output(EXIT_DONE);
    bool written = true;
    if (folder != NULL)
        written = write_tables(tables, folder);
    else
        fputs("tilelab compare: no files are written; -o DIR writes the tables as CSV\n", stderr);
    for (size_t i = 0; i < TABLES; i++)
        tidy_end(&tables[i]);
    return written ? code : EXIT_FAILED;
}

int compare_print(const char *const *results, size_t count, const struct compare_options *options)
{
    struct comparison comparison = {.results.only = options->only};
    int code = EXIT_USAGE;
    bool good = read_results(&comparison, results, count);
    if (good)
        results_settle(&comparison.results, &comparison.order);
    if (good && options->baseline == NULL)
        find_usual_baseline(&comparison);
    else if (good && comparison.results.count > 0)
        good = find_asked_baseline(&comparison, options->baseline);
    if (good) {
        const bool own_folder = count == 1 && is_folder(results[0]);
        code = show(&comparison,
                    options->output != NULL ? options->output
                    : own_folder            ? results[0]
                                            : NULL,
                    options);
    }
    pairs_end(&comparison.pairs);
    by_depth_end(&comparison.by_depth);
    summary_end(&comparison.summary);
    results_end(&comparison.results);
    names_end(&comparison.order);
    free(comparison.named_baseline);
    for (size_t i = 0; i < comparison.note_count; i++)
        free(comparison.notes[i]);
    free(comparison.notes);
    return code;
}

/* The command line. */
struct arguments {
    struct compare_options options;
    bool columns, markdown;
    const char **results;
    size_t count;
};

enum {
    KEY_BASELINE = 'b',
    KEY_METRIC = 'm',
    KEY_OUTPUT = 'o',
    KEY_JSON = 0x100,
    KEY_COLUMNS,
    KEY_MARKDOWN
};

static enum metric read_metric(struct argp_state *state, const char *text)
{
    const char *names[METRICS];
    for (unsigned i = 0; i < METRICS; i++) {
        names[i] = metric_column(i)->name;
        if (strcmp(text, names[i]) == 0)
            return (enum metric)i;
    }
    argp_error(state, "unknown metric '%s'; expected %s%s", text, words_listed(names, METRICS),
               word_meant(text, names, METRICS));
    return METRIC_expanded;
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
    case KEY_COLUMNS:
        arguments->columns = true;
        return 0;
    case KEY_MARKDOWN:
        arguments->markdown = true;
        return 0;
    case ARGP_KEY_ARG:
        arguments->results = heap_grow(arguments->results, arguments->count, sizeof value);
        arguments->results[arguments->count++] = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->columns == (arguments->count > 0))
            argp_error(state, arguments->columns
                                  ? "--columns goes without results"
                                  : "no results; expected one or more results folders or CSV files "
                                    "of runs");
        if (arguments->markdown && !arguments->columns)
            argp_error(state, "--markdown is how --columns is printed; it goes with that");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"baseline", KEY_BASELINE, "SOLVER", 0,
     "compare the others with this solver (default: the experiment's, else the first)", 0},
    {"metric", KEY_METRIC, "METRIC", 0,
     "what the printed paired table is about: a counter, length, wall_s or cpu_s (default: "
     "expanded); pairs.csv has all of them",
     0},
    {"output", KEY_OUTPUT, "DIR", 0,
     "write the CSV files there (default: into the results folder where it is the only result)", 0},
    {"json", KEY_JSON, NULL, 0, "print all tables as one JSON object instead of text", 0},
    {"columns", KEY_COLUMNS, NULL, 0, "explain the columns of the CSV files instead", 0},
    {"markdown", KEY_MARKDOWN, NULL, 0, "print --columns as tables of Markdown", 0},
    {0},
};

const struct argp compare_parser = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "RESULTS...\n--columns",
    .doc =
        "Statistics over results: each solver by itself, by optimal solution length, and against a "
        "baseline.\v"
        "RESULTS is a results folder or the path of a runs.csv; several are pooled, and runs with "
        "the same run_id count once. Rows of solvers that are not in a folder's manifest.json any "
        "more, or were made under other limits, are left out and named. Writes summary.csv, "
        "by_depth.csv and pairs.csv.\n\n"
        "No row is believed: the moves of each solved run are replayed; without moves it is "
        "counted as unverified. Averages are over solved instances, each counted once however "
        "often it was repeated. The paired table is over the instances both solvers solved: ratio "
        "of geometric means with a 95 % bootstrap interval, Wilcoxon's signed-rank test, Holm's "
        "correction.",
};

int command_compare(int argc, char **argv)
{
    struct arguments arguments = {0};
    command_line_parse(&compare_parser, argc, argv, &arguments);
    if (arguments.columns) {
        print_columns(arguments.markdown);
        return finish_output(EXIT_DONE);
    }
    int code = compare_print(arguments.results, arguments.count, &arguments.options);
    free(arguments.results);
    return code;
}
