/* Reads, computes, prints, writes: in that order, so that the tables are shown even if a folder
 * cannot be written. */
#include "harness/commands/compare.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/compare/held.h"
#include "harness/results/datapackage.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"
#include "harness/text/terminal.h"
#include <errno.h>
#include <string.h>

/* Writes the tables, or only looks whether each can be written. */
static bool write_each(const struct tidy *tables, const char *folder, bool only_look)
{
    bool good = true;
    for (size_t i = FIRST_DERIVED; good && i < TABLES; i++) {
        if (i == TABLE_EXPECT && tables[i].cell_count == 0) /* nothing was published */
            continue;
        char *file = heap_format("%s.csv", table_schemas[i].name);
        char *path = heap_format("%s/%s", folder, file);
        good = only_look ? file_may_write(path) : tidy_write(&tables[i], folder, file);
        if (!good)
            screen_say(stderr, "tilelab compare: cannot write '%s': %s; -o DIR writes elsewhere\n",
                       path, file_problem(errno));
        free(path);
        free(file);
    }
    return good;
}

static bool write_tables(const struct tidy *tables, const char *folder, bool quiet)
{
    bool good = folders_make(folder);
    if (!good)
        screen_say(stderr, "tilelab compare: cannot make the folder '%s': %s\n", folder,
                   strerror(errno));
    good = good && write_each(tables, folder, true) && write_each(tables, folder, false);
    if (!good)
        return false;
    struct terminal terminal = terminal_make();
    good = datapackage_write(folder, NULL, &terminal.display);
    if (!good)
        screen_say(stderr, "tilelab compare: cannot write '%s/" DATAPACKAGE_FILE "': %s\n", folder,
                   strerror(errno));
    else if (!quiet)
        screen_say(stderr, "tilelab compare: summary.csv, by_depth.csv and pairs.csv are in %s\n",
                   folder);
    return good;
}

/* What comes first in JSON. */
static json_t *head_of(const struct comparison *comparison)
{
    const struct results *results = &comparison->results;
    json_t *head = json_object();
    json_object_set_new(head, "runs", json_integer((json_int_t)results->count));
    json_object_set_new(head, "instances", json_integer((json_int_t)results->instances.count));
    json_object_set_new(head, "baseline",
                        results->count == 0
                            ? json_null()
                            : json_string(results->solvers.text[comparison->baseline]));
    for (size_t i = FIRST_DERIVED; i < TABLES; i++)
        json_object_set_new(head, table_schemas[i].name, tidy_json(&comparison->tables[i]));
    return head;
}

/* Prints the tables of one name, or all parts, where the caller wants them. */
static bool print_to(const struct compare_options *options, const struct document *document,
                     const char *only, const json_t *head)
{
    FILE *stream = options->stream == NULL ? stdout : options->stream;
    const bool silent = options->silent && only == NULL && options->format == FORMAT_TEXT;
    return silent || document_print(document, options->format, only, head, stream);
}

/* Names the tables that there are, each once: those by optimal length depend on the metrics. */
static void tell_tables(const struct document *document, const char *asked)
{
    const char **names = heap_take(document->count + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < document->count; i++) {
        const char *name = document->parts[i].name;
        bool is_new = name != NULL;
        for (size_t j = 0; is_new && j < count; j++)
            is_new = strcmp(names[j], name) != 0;
        if (is_new)
            names[count++] = name;
    }
    char *listed = words_listed(names, count);
    char *meant = word_meant(asked, names, count);
    screen_say(stderr, "tilelab compare: no table '%s' of these results; expected %s%s\n", asked,
               listed, meant);
    free(meant);
    free(listed);
    free(names);
}

/* The name of the table asked for; NULL: all. A figure by another metric than generated has that
 * metric's name. */
static const char *table_asked(const struct comparison *comparison,
                               const struct compare_options *options)
{
    enum metric metric = METRIC_generated;
    if (options->table == NULL || strcmp(options->table, "figure") != 0)
        return options->table;
    if (options->metric != METRICS || comparison->metric_count > 0)
        metric = comparison_metric(comparison, options->metric);
    return metric == METRIC_generated ? "figure" : metric_column(metric)->name;
}

/* Prints the document; CSV and JSON have the tables for programs besides. */
static bool print_document(struct comparison *comparison, const struct compare_options *options)
{
    const bool ours = options->table != NULL || options->format == FORMAT_CSV;
    json_t *head = options->format == FORMAT_JSON ? head_of(comparison) : NULL;
    if (ours) /* of no block */
        document_say(&comparison->document, PART_HEADING, "%s", "");
    for (size_t i = FIRST_DERIVED; ours && i < TABLES; i++)
        if (i != TABLE_EXPECT || comparison->reference_count > 0)
            document_table(&comparison->document, table_schemas[i].name, table_schemas[i].name,
                           &comparison->tables[i]);
    const bool good =
        print_to(options, &comparison->document, table_asked(comparison, options), head);
    json_decref(head);
    if (!good)
        tell_tables(&comparison->document, options->table);
    return good;
}

/* Prints the comparison, and writes its tables into `folder` unless that is NULL. */
static int show(struct comparison *comparison, const char *folder,
                const struct compare_options *options)
{
    findings_tell(comparison, options);
    const bool written = folder == NULL || write_tables(comparison->tables, folder, options->quiet);
    const bool good = print_document(comparison, options);
    const int code = finish_output(good ? EXIT_DONE : EXIT_USAGE);
    if (folder == NULL && !options->quiet)
        fputs("tilelab compare: no files are written; -o DIR writes the tables as CSV\n", stderr);
    if (!written || code != EXIT_DONE)
        return code == EXIT_DONE ? EXIT_FAILED : code;
    return comparison->expect_failed > 0 ? EXIT_FINDINGS : EXIT_DONE;
}

/* Holds results against older ones. */
static int hold_against(const char *const *results, size_t count,
                        const struct compare_options *options)
{
    struct held now = {.paths = results, .path_count = count};
    struct held before = {.paths = &options->against, .path_count = 1};
    int code = EXIT_USAGE;
    if (held_read(&now, stderr) && held_read(&before, stderr)) {
        struct document document = {0};
        const bool changed = held_tell(&document, &now, &before, options);
        if (!print_to(options, &document, options->table, NULL))
            tell_tables(&document, options->table);
        else
            code = finish_output(changed ? EXIT_FINDINGS : EXIT_DONE);
        document_end(&document);
    }
    held_end(&now);
    held_end(&before);
    return code;
}

int compare_print(const char *const *results, size_t count, const struct compare_options *asked)
{
    struct comparison comparison = {.results.only = asked->only,
                                    .results.pooled = asked->pooled,
                                    .results.claimed = asked->claimed};
    struct compare_options own = *asked;
    const struct compare_options *options = &own;
    own.full = asked->full || asked->format == FORMAT_JSON || asked->format == FORMAT_CSV;
    int code = EXIT_USAGE;
    if (options->against != NULL)
        return hold_against(results, count, options);
    if (comparison_read(&comparison, results, count, options->baseline, stderr)) {
        const bool own_folder = count == 1 && results_is_folder(results[0]);
        code = show(&comparison,
                    options->output != NULL ? options->output
                    : own_folder            ? results[0]
                                            : NULL,
                    options);
    }
    comparison_end(&comparison);
    return code;
}

/* The command line. */
struct arguments {
    struct compare_options options;
    bool json, quiet;
    struct texts results;
};

/* By enum correction. */
enum { CORRECTIONS = CORRECTION_BENJAMINI_HOCHBERG + 1 };
static const char *const corrections[CORRECTIONS] = {"holm", "hochberg", "bh"};

/* 5% or 0.05 */
static void take_share(const struct parsing *parsing, const struct command_option *option,
                       void *target, char *value)
{
    char *end;
    const double number = strtod(value, &end);
    const double share = *end == '%' ? number / 100 : number;
    (void)option;
    end += *end == '%';
    if (end == value || *end != '\0' || !(share > 0 && share < 1000))
        command_line_refuse(parsing,
                            "tolerance '%s'; expected a share such as 5%% or 0.05, above 0", value);
    *(double *)target = share;
}

static void take_table(const struct parsing *parsing, const struct command_option *option,
                       void *target, char *value)
{
    struct compare_options *options = target;
    (void)parsing, (void)option;
    options->table = value;
    options->full = true;
    options->all_pairs |= strcmp(value, "all_pairs") == 0;
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    struct arguments *arguments = context;
    if (!arguments->options.nodes_must_equal || arguments->options.against != NULL)
        return;
    if (arguments->results.count != 2)
        command_line_refuse(parsing, "--nodes-must-equal takes two results, the new and the old, "
                                     "or --against OLD");
    arguments->options.against = arguments->results.items[--arguments->results.count];
}

static const struct command_option options[] = {
    {OPTION_BASELINE(options.baseline, "Compare the others with this solver (default: the "
                                       "experiment's, else the first)")},
    {OPTION_METRIC(options.metric,
                   "What the verdicts are about: a counter, length, wall_s or cpu_s (default: the "
                   "experiment's, else expanded); pairs.csv has all of them")},
    {OPTION("output", 'o', "DIR",
            "Write the CSV files there (default: into the results folder where it is the only "
            "result)",
            take_text, options.output)},
    {OPTION("full", 'f', NULL,
            "Print all tables, a sentence for each verdict and all notes, not one screen",
            take_flag, options.full)},
    {OPTION_FORMAT(options.format, "How to print: text (the default), markdown, latex, csv, json "
                                   "or html; csv and json have all tables")},
    {OPTION("table", 0, "TABLE", "Print this table alone: summary, pairs, by_depth, ..", take_table,
            options)},
    {OPTION("claimed", 0, NULL,
            "Count runs that claim a length without a path as solved, unverified (?)", take_flag,
            options.claimed)},
    {OPTION("pool", 0, NULL, "Compare over all sets and sizes together, not each separately",
            take_flag, options.pooled)},
    {OPTION("all-pairs", 0, NULL,
            "Compare every solver with every other, not with the baseline alone; p is adjusted "
            "over all these pairs",
            take_flag, options.all_pairs)},
    {OPTION("adjust", 0, "METHOD",
            "How p is adjusted for the pairs compared: holm (the default), hochberg or bh "
            "(Benjamini and Hochberg, the false discovery rate)",
            take_word, options.correction),
     WORDS(corrections, CORRECTIONS)},
    {OPTION("raw", 0, NULL, "Wilcoxon's test on differences, not on ratios", take_flag,
            options.raw)},
    {OPTION("pratt", 0, NULL, "Rank differences of 0 too, as Pratt did (default: drop them)",
            take_flag, options.pratt)},
    {OPTION("against", 0, "OLD",
            "Hold the results against older ones, by instance and solver: exit code 3 where a "
            "counter, a length or how a run ended changed, or is missing; times and builds side by "
            "side; writes no files",
            take_text, options.against)},
    {OPTION("nodes-must-equal", 0, NULL,
            "With --against, or of two results: exit code 3 only where what was searched differs; "
            "times, bytes and what a limit of time ended may. For whoever makes a search faster",
            take_flag, options.nodes_must_equal)},
    {OPTION("tolerance", 0, "SHARE",
            "With --against: exit code 3 too where a solver's time (geometric mean) is worse by "
            "more, such as 20%",
            take_share, options.tolerance),
     .with = "--against"},
    {ARGUMENT_RESULTS(results)},
    {OPTION_JSON},
    {OPTION_QUIET(quiet)},
    {0},
};

const struct command_line compare_line = {
    .options = options,
    .check = check_arguments,
    .arguments = "RESULTS...\nRESULTS... --against OLD\n--nodes-must-equal NEW OLD",
    .help =
        "Compares solvers over results: how their runs ended, medians, and a verdict on each "
        "solver against a baseline, in one screen.\v"
        "RESULTS is a results folder or the path of a runs.csv; several are pooled, and runs with "
        "the same run_id count once. Rows of solvers that are not in a folder's manifest.json any "
        "more, or were made under other limits, are left out and named. Writes summary.csv, "
        "by_depth.csv and pairs.csv, whose columns 'tilelab list columns' explains, and names them "
        "in datapackage.json. One results folder whose experiment has published cells (expect) is "
        "held against them again, unless it is pooled: expect.csv, and exit code 3 where a cell "
        "differs.\n\n"
        "No row is believed: the moves of each solved run are replayed; without moves it is "
        "counted as unverified. Each board counts once however often it was repeated; sets and "
        "sizes are compared apart. An unsolved run counts: it is worse than every solved one, and "
        "nothing is concluded that its true cost could turn round. Ratio of geometric means with "
        "Student's t interval on logarithms, Wilcoxon's signed-rank test, Holm's correction.",
};

int command_compare(int argc, char **argv)
{
    struct arguments arguments = {.options.metric = METRICS};
    command_line_parse(&compare_line, argc, argv, &arguments);
    if (arguments.json)
        arguments.options.format = FORMAT_JSON;
    arguments.options.quiet = arguments.options.silent = arguments.quiet;
    int code = compare_print(arguments.results.items, arguments.results.count, &arguments.options);
    free(arguments.results.items);
    return code;
}
