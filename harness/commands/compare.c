/* tilelab compare: statistics over one or more results. */
#include "harness/commands/commands.h"
#include "harness/compare/columns_view.h"
#include "harness/compare/compare_print.h"
#include "help_texts.h"

struct arguments {
    struct compare_options options;
    bool json, quiet;
    struct texts results;
};

/* By enum correction. */
enum { CORRECTIONS = CORRECTION_BENJAMINI_HOCHBERG + 1 };
static const char *const corrections[CORRECTIONS] = {"holm", "hochberg", "bh"};

/* 5% or 0.05 */
static void take_share(const struct given *given)
{
    char *end;
    const double number = strtod(given->value, &end);
    const double share = *end == '%' ? number / 100 : number;
    end += *end == '%';
    if (end == given->value || *end != '\0' || !(share > 0 && share < 1000))
        command_line_refuse(given->parsing,
                            "tolerance '%s'; expected a share such as 5%% or 0.05, above 0",
                            given->value);
    *(double *)given->target = share;
}

static void take_table(const struct given *given)
{
    struct compare_options *options = given->target;
    options->table = given->value;
    options->full = true;
    options->all_pairs |= strcmp(given->value, "all_pairs") == 0;
}

static void take_columns(const struct given *given)
{
    struct compare_options *options = given->target;
    char *unknown = columns_unknown(given->value);
    if (unknown != NULL && metric_word_is_extra(unknown))
        metric_asked(given, unknown); /* refuses one too many */
    if (unknown != NULL)
        command_line_refuse(given->parsing,
                            "--columns: no column '%s'; expected %s; with _mean, _sd, _median, "
                            "_lower or _upper another statistic: tilelab list columns summary",
                            unknown, columns_listed());
    char *repeated = columns_repeated(given->value);
    if (repeated != NULL)
        command_line_refuse(given->parsing,
                            "--columns: column '%s' a second time; expected it once", repeated);
    options->columns = given->value;
    options->table = "columns";
}

/* The first of all is that of the verdicts. */
static void take_compared(const struct given *given)
{
    struct compare_options *options = given->target;
    for (char *rest = given->value, *word; (word = strsep(&rest, ",")) != NULL;) {
        const enum metric metric = metric_asked(given, word);
        if (options->metric == METRICS)
            options->metric = metric;
        options->also[metric] = metric != options->metric;
    }
}

static void take_by_depth(const struct given *given)
{
    struct compare_options *options = given->target;
    options->metric = metric_asked(given, given->value);
    options->table = "figure";
    options->full = true;
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    struct arguments *arguments = context;
    struct compare_options *asked = &arguments->options;
    refuse_two_formats(parsing);
    if (option_given(parsing, "table") + option_given(parsing, "columns") +
            option_given(parsing, "by-depth") >
        1)
        command_line_refuse(parsing, "one of --table, --columns and --by-depth at a time");
    if (asked->nodes_must_equal && asked->against == NULL) {
        if (arguments->results.count != 2)
            command_line_refuse(parsing, "--nodes-must-equal takes two results, the new and the "
                                         "old, or --against OLD");
        asked->against = arguments->results.items[--arguments->results.count];
    }
    if (asked->against != NULL &&
        (asked->sets != NULL || asked->solvers != NULL || asked->columns != NULL))
        command_line_refuse(parsing, "--against holds whole results against each other, without "
                                     "--sets, --solvers, --columns and --by-depth");
}

static const struct command_option options[] = {
    {OPTION_BASELINE(options.baseline, "Compare the others with this solver (default: the "
                                       "experiment's, else the first)")},
    {OPTION("metric", 'm', "METRIC,..",
            "What the verdicts are about: a counter, length, cost, wall_s, cpu_s or extra.NAME, a "
            "number that programs print (default: the experiment's, else expanded); of several the "
            "first, and a table has the others. pairs.csv has all of the former",
            take_compared, options),
     WORDS(metric_words, METRIC_WORDS)},
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
    {OPTION("columns", 0, "COLUMN,..",
            "Print one table with these columns alone, such as solver,expanded,wall_s: medians in "
            "which an unsolved run is more than any; expanded_mean is the mean over the solved "
            "boards (tilelab list columns summary has all)",
            take_columns, options)},
    {OPTION("by-depth", 0, "METRIC", "Print the means of METRIC by optimal length alone",
            take_by_depth, options),
     WORDS(metric_words, METRIC_WORDS)},
    {OPTION_SETS(options.sets)},
    {OPTION_SOLVERS(options.solvers)},
    {OPTION_CLAIMED(options.claimed)},
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

COMMAND_LINE(compare, "RESULTS...\nRESULTS... --against OLD\n--nodes-must-equal NEW OLD",
             check_arguments, help_compare_txt);

int command_compare(int argc, char **argv)
{
    struct arguments arguments = {.options.metric = METRICS};
    command_line_parse(&compare_line, argc, argv, &arguments);
    if (arguments.json)
        arguments.options.format = FORMAT_JSON;
    arguments.options.quiet = arguments.options.silent = arguments.quiet;
    arguments.options.stream = stdout;
    arguments.options.errors = stderr;
    bool differs;
    const enum ending ending = compare_print(arguments.results.items, arguments.results.count,
                                             &arguments.options, &differs);
    free(arguments.results.items);
    return finish_output(ending == ENDING_DONE && differs ? EXIT_FINDINGS : exit_code_of(ending));
}
