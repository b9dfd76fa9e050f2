/* tilelab report: the comparison, the settings, the figures and every run of a results folder, as
 * one page that can be sent to somebody, or as the skeleton of a text to be handed in. */
#include "base/file.h"
#include "base/heap.h"
#include "harness/commands/arguments.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/compare/findings.h"
#include "harness/report/results_report.h"
#include "harness/results/rows.h"
#include "harness/text/screen.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

struct arguments {
    const char *results;
    const char *output; /* NULL: beside runs.csv */
    const char *baseline;
    enum format format; /* FORMAT_HTML or FORMAT_MARKDOWN */
};

/* FORMAT_HTML and FORMAT_MARKDOWN. */
static const char *const report_formats[] = {"html", "markdown"};

static void take_format(const struct parsing *parsing, const struct command_option *option,
                        void *target, char *value)
{
    *(enum format *)target =
        word_number(parsing, option, value) == 0 ? FORMAT_HTML : FORMAT_MARKDOWN;
}

static void take_output(const struct parsing *parsing, const struct command_option *option,
                        void *target, char *value)
{
    (void)parsing, (void)option;
    *(const char **)target = strcmp(value, "-") == 0 ? "/dev/stdout" : value;
}

static const struct command_option options[] = {
    {OPTION("output", 'o', "FILE",
            "Write to FILE, - is standard output (default: report.html or report.md beside "
            "runs.csv)",
            take_output, output)},
    {OPTION("format", 0, "FORMAT",
            "html (the default): one page that needs no network; markdown: the skeleton of a "
            "text to hand in",
            take_format, format),
     WORDS(report_formats, 2)},
    {OPTION_BASELINE(baseline, "Compare the others with this solver (default: the experiment's, "
                               "else the first)")},
    {.argument = "RESULTS",
     .help = "results folder",
     .take = take_text,
     .target = TARGET(results),
     .min = 1,
     .max = 1,
     .expected = "no results; expected a results folder or a CSV file of runs"},
    {0},
};

const struct command_line report_line = {
    .options = options,
    .arguments = "RESULTS",
    .help =
        "Write a report of a results folder, or of a CSV file of runs: what was found, what was "
        "run on what, tables, figures and every run.\v"
        "The page is one file. Its tables sort and filter, its distributions follow the filter, "
        "and every solution can be played move by move. Its numbers are those of tilelab "
        "compare. The figures are those of tilelab plot, which needs python3-matplotlib; "
        "without it the page has everything else.",
};

static void keep_run(void *context, size_t run, const struct row *row)
{
    const char *cells[COLUMNS];
    row_texts(row, cells);
    page_runs_set(context, run, cells);
}

/* Whether two paths mean one file. */
static bool is_same(const char *path, const char *other)
{
    struct stat own;
    struct stat theirs;
    return stat(path, &own) == 0 && stat(other, &theirs) == 0 && own.st_dev == theirs.st_dev &&
           own.st_ino == theirs.st_ino;
}

static int write_report(const struct arguments *arguments, struct comparison *comparison,
                        const struct page_runs *runs)
{
    char *text;
    size_t length;
    char *folder = results_folder(arguments->results);
    const bool page = arguments->format == FORMAT_HTML;
    char *path = arguments->output != NULL
                     ? heap_text(arguments->output)
                     : heap_format("%s/report.%s", folder, page ? "html" : "md");
    const struct results_report report = {.results = arguments->results,
                                          .folder = folder,
                                          .comparison = comparison,
                                          .runs = runs,
                                          .errors = stderr};
    FILE *file = heap_stream(&text, &length);
    if (page)
        results_page_write(&report, file);
    else
        results_skeleton_write(&report, path, file);
    heap_stream_end(file);
    char *runs_path = results_file(arguments->results);
    const bool own = is_same(path, runs_path);
    const bool written = !own && (arguments->output != NULL ? file_write_typed(path, text, length)
                                                            : file_write(path, text, length));
    free(runs_path);
    if (own)
        screen_say(stderr, "tilelab report: '%s' holds the runs; -o FILE writes elsewhere\n", path);
    else if (written && !is_same(path, "/dev/stdout")) /* not into the page */
        screen_data(stdout, "%s\n", path);
    else if (!written)
        screen_say(stderr, "tilelab report: cannot write '%s': %s; -o FILE writes elsewhere\n",
                   path, arguments->output != NULL ? strerror(errno) : file_problem(errno));
    free(text);
    free(path);
    free(folder);
    return finish_output(written ? EXIT_DONE : EXIT_FAILED);
}

int command_report(int argc, char **argv)
{
    struct arguments arguments = {.format = FORMAT_HTML};
    command_line_parse(&report_line, argc, argv, &arguments);
    struct page_runs runs = {0};
    struct comparison comparison = {
        .results.counted = keep_run, .results.context = &runs, .side_wanted = SIDE_ALL};
    const struct compare_options told = {.full = true,
                                         .format = arguments.format,
                                         .baseline = arguments.baseline,
                                         .metric = METRICS};
    int code = EXIT_USAGE;
    if (comparison_read(&comparison, &arguments.results, 1, arguments.baseline, stderr)) {
        findings_tell(&comparison, &told);
        code = write_report(&arguments, &comparison, &runs);
    }
    comparison_end(&comparison);
    page_runs_end(&runs);
    return code;
}
