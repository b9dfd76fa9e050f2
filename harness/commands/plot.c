/* tilelab plot: computes what is drawn, and has it drawn. */
#include "base/heap.h"
#include "harness/analysis/parameters.h"
#include "harness/commands/commands.h"
#include "harness/compare/comparison.h"
#include "harness/figures/figure_files.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"

enum { MIN_WIDTH_MM = 60, MAX_WIDTH_MM = 1000 };

struct arguments {
    struct texts results;
    const char *output; /* NULL: not given */
    const char *baseline, *parameter, *sets, *solvers;
    bool wanted[FIGURES], metric[METRICS], pictures[PICTURES];
    double width_mm;
    unsigned font;
    const char *style; /* NULL: not given */
    bool no_title, data, json, quiet, claimed;
    bool chosen; /* --only was given */
};

static void take_width(const struct given *given)
{
    static const struct {
        const char *unit;
        double mm;
    } units[] = {{"mm", 1}, {"cm", 10}, {"in", 25.4}};
    char *end;
    const double number = strtod(given->value, &end);
    double width = NAN;
    for (size_t i = 0; end != given->value && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0)
            width = number * units[i].mm;
    if (!(width >= MIN_WIDTH_MM && width <= MAX_WIDTH_MM))
        command_line_refuse(
            given->parsing,
            "width '%s'; expected one such as 84mm, 8.4cm or 3.3in, from %d to %dmm", given->value,
            MIN_WIDTH_MM, MAX_WIDTH_MM);
    *(double *)given->target = width;
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    struct arguments *arguments = context;
    arguments->chosen = option_given(parsing, "only");
    if (arguments->results.count > 1 && arguments->output == NULL && !arguments->json)
        command_line_refuse(parsing, "several results have no folder in common; expected -o DIR");
}

static const char *const fonts[] = {"sans", "serif"};

static const struct command_option options[] = {
    {OPTION("output", 'o', "DIR",
            "Where to write (default: figures/ beside runs.csv; needed for several results)",
            take_text, output)},
    {OPTION("only", 0, "FIGURE,..", "Draw these figures alone", take_words, wanted),
     WORDS_OF(figure_rows, FIGURES)},
    {OPTION_METRICS(metric, "What is taken for the cost: counters, length, cost, wall_s, cpu_s or "
                            "extra.NAME, a number that programs print (default: generated)")},
    {OPTION("x", 0, "PARAMETER",
            "Which parameter of solvers the figure sweep has on its x axis, such as w: an option, "
            "or one of a program's params",
            take_text, parameter)},
    {OPTION_BASELINE(baseline, "Which solver the scatters hold the others against (default: the "
                               "experiment's, else the first)")},
    {OPTION_SETS(sets)},
    {OPTION_SOLVERS(solvers)},
    {OPTION_CLAIMED(claimed)},
    {OPTION("format", 0, "FORMAT,..", "svg, png, pdf, tikz (default: svg,png)", take_words,
            pictures),
     WORDS(picture_names, PICTURES)},
    {OPTION("width", 0, "WIDTH",
            "How wide the figures are, such as 84mm, 8.4cm or 3.3in (default: 160mm); texts keep "
            "their size",
            take_width, width_mm)},
    {OPTION("font", 0, "FONT", "sans or serif (default: sans)", take_word, font), WORDS(fonts, 2)},
    {OPTION("no-title", 0, NULL,
            "Draw no title and no notes; they stand in a text file beside each figure", take_flag,
            no_title)},
    {OPTION("style", 0, "FILE",
            "Settings of matplotlib (a style sheet): fonts, colours, widths of lines", take_text,
            style)},
    {OPTION("data", 0, NULL, "Write each figure's numbers beside it, as CSV", take_flag, data)},
    {OPTION("json", 0, NULL, "Print what would be drawn as JSON; write nothing", take_flag, json)},
    {ARGUMENT_RESULTS(results)},
    {OPTION_QUIET(quiet)},
    {0},
};

const struct command_line plot_line = {
    .options = options,
    .arguments = "RESULTS...",
    .check = check_arguments,
    .help =
        "Draws figures of results, those that the data can carry, for each set of boards.\v"
        "The figures are "
#define FIGURE(name, of_metric, shows) #name ", "
#include "harness/figures/figures.def"
#undef FIGURE
        "each as 'tilelab list figures' explains it.\n\n"
        "RESULTS are read as compare reads them, and all numbers are made by the same code. An "
        "unsolved run is worse than every solved one. A solver looks the same in all figures of "
        "all experiments. The same rows give the same bytes.\n\n"
        "Needs python3; for png, pdf and --style matplotlib, too (Debian: python3-matplotlib).",
};

/* Reports which rows are in no figure. */
static void note_rows(const struct comparison *comparison)
{
    const struct results *results = &comparison->results;
    size_t rows = 0;
    for (size_t i = 0; i < results->strangers.solvers.count; i++)
        rows += results->strangers.rows[i];
    for (size_t i = 0; i < results->other_limits.solvers.count; i++)
        rows += results->other_limits.rows[i];
    for (size_t i = 0; i < comparison->note_count; i++)
        screen_say(stderr, "tilelab plot: %s\n", comparison->notes[i].text);
    if (rows > 0)
        screen_say(stderr,
                   "tilelab plot: left out: %zu row%s of solvers or limits that are not the "
                   "experiment's; compare names them\n",
                   rows, plural(rows));
}

/* Reports a parameter that no solver has as a number. */
static bool check_parameter(const struct results *results, const char *parameter)
{
    for (size_t i = 0; i < results->solvers.count; i++)
        if (parameter == NULL || !isnan(parameter_of(results, i, parameter)))
            return true;
    SCOPED char *listed = parameters_listed(results);
    screen_say(stderr,
               "tilelab plot: --x '%s': no solver has a number of this name as a parameter; there "
               "are: %s\n",
               parameter, listed);
    return false;
}

static int plot(const struct comparison *comparison, const struct arguments *arguments)
{
    bool chosen = false;
    struct figures_options wanted = {.baseline = comparison->baseline,
                                     .tables = &comparison->side,
                                     .parameter = arguments->parameter};
    if (arguments->chosen)
        wanted.chosen = arguments->wanted;
    memcpy(wanted.metric, arguments->metric, sizeof wanted.metric);
    for (unsigned i = 0; i < METRICS; i++)
        chosen = chosen || wanted.metric[i];
    if (!chosen)
        comparison_metrics(comparison, wanted.metric);
    SCOPED_BY(figures_end) struct figures figures = figures_of(&comparison->results, &wanted);
    int code = EXIT_DONE;
    if (arguments->json) {
        json_auto_t *json = figures_json(&figures);
        json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(TIDY_DIGITS));
        putchar('\n');
    } else {
        SCOPED char *beside = results_folder(arguments->results.items[0]);
        SCOPED char *folder = arguments->output != NULL ? heap_text(arguments->output)
                                                        : heap_format("%s/figures", beside);
        struct figure_files files = {.drawing = {.folder = folder,
                                                 .width_mm = arguments->width_mm,
                                                 .no_title = arguments->no_title,
                                                 .font = fonts[arguments->font],
                                                 .style = arguments->style,
                                                 .remembered = true},
                                     .own_folder = arguments->output == NULL,
                                     .data = arguments->data,
                                     .paths = arguments->quiet ? NULL : stdout,
                                     .errors = stderr};
        memcpy(files.drawing.pictures, arguments->pictures, sizeof files.drawing.pictures);
        code = figure_files_write(&figures, &files) ? EXIT_DONE : EXIT_FAILED;
    }
    return finish_output(code);
}

int command_plot(int argc, char **argv)
{
    struct arguments arguments = {
        .width_mm = DEFAULT_WIDTH_MM,
        .pictures[PICTURE_SVG] = true,
        .pictures[PICTURE_PNG] = true,
    };
    command_line_parse(&plot_line, argc, argv, &arguments);
    SCOPED_BY(comparison_end)
    struct comparison comparison = {.results.claimed = arguments.claimed,
                                    .results.sets.asked = arguments.sets,
                                    .results.chosen.asked = arguments.solvers,
                                    .side_wanted = SIDE_ALL};
    int code = EXIT_USAGE;
    if (comparison_read(&comparison, arguments.results.items, arguments.results.count,
                        arguments.baseline, stderr) &&
        !comparison.side_wrong) {
        if (!arguments.quiet)
            note_rows(&comparison);
        if (comparison.results.count == 0)
            fputs("tilelab plot: there are no runs in these results; tilelab run adds one row for "
                  "each run\n",
                  stderr);
        else if (check_parameter(&comparison.results, arguments.parameter))
            code = plot(&comparison, &arguments);
    }
    free(arguments.results.items);
    return code;
}
