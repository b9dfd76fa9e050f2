/* tilelab report: the comparison, the settings, the figures and every run of a results folder, as
 * one page that can be sent to somebody, or as the skeleton of a text to be handed in. */
#include "base/heap.h"
#include "base/named.h"
#include "harness/commands/commands.h"
#include "harness/compare/findings.h"
#include "harness/figures/figure_files.h"
#include "harness/report/by_solver.h"
#include "harness/report/page_sample.h"
#include "harness/text/screen.h"
#include "help_texts.h"
#include <errno.h>
#include <sys/stat.h>

enum report_format { REPORT_HTML, REPORT_MARKDOWN, REPORT_DOCX, REPORT_FORMATS };
static const char *const report_formats[] = {"html", "markdown", "docx"};
static const char *const report_endings[] = {"html", "md", "docx"};

enum { LINKED_PICTURES = PICTURE_PNG + 1 }; /* PICTURE_SVG and PICTURE_PNG */

struct arguments {
    struct texts results;
    const char *output; /* NULL: beside runs.csv */
    const char *baseline, *sets, *solvers;
    enum report_format format;
    enum picture pictures; /* PICTURES: none is drawn beside the text */
    bool pooled, by_solver, claimed;
    uint64_t runs; /* about as many in the page at most */
};

enum { PAGE_RUNS = 50000 };

static void take_output(const struct given *given)
{
    *(const char **)given->target = strcmp(given->value, "-") == 0 ? "/dev/stdout" : given->value;
}

/* The format that the file's ending says, where --format does not; what no report is, is refused.
 */
static void take_ending(const struct parsing *parsing, struct arguments *arguments)
{
    enum { OTHERS = 5 };
    static const char *const others[OTHERS] = {"pdf", "doc", "odt", "rtf", "tex"};
    const char *point = arguments->output == NULL ? NULL : strrchr(arguments->output, '.');
    if (point == NULL || option_given(parsing, "format"))
        return;
    const size_t format = WORD_PLACE(report_endings, REPORT_FORMATS, point + 1);
    if (format < REPORT_FORMATS)
        arguments->format = (enum report_format)format;
    if (WORD_PLACE(others, OTHERS, point + 1) < OTHERS)
        command_line_refuse(parsing,
                            "--output %s: a report ends with .html, .md or .docx; a browser prints "
                            "the page as PDF",
                            arguments->output);
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    struct arguments *arguments = context;
    const bool drawn = arguments->pictures != PICTURES;
    take_ending(parsing, arguments);
    if (arguments->results.count > 1 && arguments->output == NULL)
        command_line_refuse(parsing, "several results have no folder in common; expected -o FILE");
    if (arguments->by_solver &&
        (arguments->results.count > 1 || arguments->format != REPORT_HTML || arguments->pooled ||
         arguments->sets != NULL || arguments->solvers != NULL))
        command_line_refuse(parsing, "--by-solver writes HTML of one whole results folder, without "
                                     "--pool, --sets and --solvers");
    if (drawn && arguments->format != REPORT_MARKDOWN)
        command_line_refuse(parsing, "--figures is for --format markdown; the others hold theirs");
    if (drawn && arguments->output != NULL && strcmp(arguments->output, "/dev/stdout") == 0)
        command_line_refuse(parsing, "--figures are drawn beside the text; expected -o FILE");
}

static const struct command_option options[] = {
    {OPTION("output", 'o', "FILE",
            "Write to FILE, - is standard output (default: report.html, report.md or report.docx "
            "beside runs.csv; needed for several results)",
            take_output, output)},
    {OPTION("format", 0, "FORMAT",
            "html (the default, unless FILE ends otherwise): one page that needs no network; "
            "markdown: the skeleton of a "
            "text to hand in; docx: the same for Word, with its figures, made by pandoc",
            take_word, format),
     WORDS(report_formats, REPORT_FORMATS)},
    {OPTION("figures", 0, "KIND",
            "With --format markdown: draw the figures as svg or png into figures/ beside the text",
            take_word, pictures),
     WORDS(picture_names, LINKED_PICTURES)},
    {OPTION(
        "by-solver", 0, NULL,
        "Write the pages of a class into a folder (-o DIR, default: by_solver beside runs.csv): "
        "class.html for the lecturer, submissions/LABEL.html for each program with a label, "
        "with nothing of the others but quartiles",
        take_flag, by_solver)},
    {OPTION("runs", 0, "N",
            "About as many runs in a page at most (default 50k): of more, those of boards that are "
            "drawn of each set, and the page says so",
            take_count, runs),
     .min = 1, .max = UINT64_C(1) << 32},
    {OPTION("pool", 0, NULL, "Compare over all sets and sizes together, not each separately",
            take_flag, pooled)},
    {OPTION_SETS(sets)},
    {OPTION_SOLVERS(solvers)},
    {OPTION_CLAIMED(claimed)},
    {OPTION_BASELINE(baseline, "Compare the others with this solver (default: the experiment's, "
                               "else the first)")},
    {ARGUMENT_RESULTS(results)},
    {0},
};

COMMAND_LINE(report, "RESULTS...", check_arguments, help_report_txt);

/* Whether two paths mean one file. */
static bool is_same(const char *path, const char *other)
{
    struct stat own;
    struct stat theirs;
    return stat(path, &own) == 0 && stat(other, &theirs) == 0 && own.st_dev == theirs.st_dev &&
           own.st_ino == theirs.st_ino;
}

/* "results/a, results/b"; heap memory. */
static char *name_of(const struct texts *results)
{
    char *name = heap_text("");
    for (size_t i = 0; i < results->count; i++)
        heap_append(&name, "%s%s", i == 0 ? "" : ", ", results->items[i]);
    return name;
}

/* Draws the figures into figures/ beside the text. */
static bool draw_beside(const struct results_report *report, const char *path, enum picture picture)
{
    SCOPED char *beside = results_folder(path);
    SCOPED char *folder = heap_format("%s/figures", beside);
    SCOPED_BY(figures_end) struct figures figures = report_figures(report);
    struct figure_files files = {
        .drawing = {.folder = folder, .width_mm = DEFAULT_WIDTH_MM, .remembered = true},
        .own_folder = true,
        .errors = stderr};
    files.drawing.pictures[picture] = true;
    return figure_files_write(&figures, &files);
}

/* The text of the report for the file `path`; heap memory, or NULL with a message. */
static char *make_report(const struct arguments *arguments, const struct results_report *report,
                         const char *path, size_t *length)
{
    char *text;
    if (arguments->format == REPORT_DOCX)
        return results_docx(report, length);
    const bool drawn = arguments->pictures != PICTURES;
    if (drawn && !draw_beside(report, path, arguments->pictures))
        return NULL;
    FILE *file = heap_stream(&text, length);
    SCOPED char *link = drawn ? heap_text("figures") : skeleton_link(report, path);
    if (arguments->format == REPORT_HTML)
        results_page_write(report, file);
    else
        results_skeleton_write(report, link, drawn ? arguments->pictures : PICTURE_SVG, file);
    heap_stream_end(file);
    return text;
}

/* Writes the report to a file that is none of the results. */
static bool put_report(const struct arguments *arguments, const char *path, const char *text,
                       size_t length)
{
    for (size_t i = 0; i < arguments->results.count; i++) {
        SCOPED char *runs = results_file(arguments->results.items[i]);
        const bool own = is_same(path, runs);
        if (own) {
            screen_say(stderr, "tilelab report: '%s' holds the runs; -o FILE writes elsewhere\n",
                       path);
            return false;
        }
    }
    const bool named = arguments->output != NULL;
    const bool written =
        named ? file_write_typed(path, text, length) : file_write(path, text, length);
    if (!written)
        screen_say(stderr, "tilelab report: cannot write '%s': %s; -o FILE writes elsewhere\n",
                   path, named ? strerror(errno) : file_problem(errno));
    else if (!is_same(path, "/dev/stdout")) /* not into the page */
        screen_data(stdout, "%s\n", path);
    return written;
}

/* Writes the pages of a class. */
static bool put_class(const struct arguments *arguments, const struct results_report *report)
{
    SCOPED_BY(marks_end) struct marks marks;
    SCOPED char *folder = arguments->output != NULL ? heap_text(arguments->output)
                                                    : heap_format("%s/by_solver", report->folder);
    const bool written = marks_make(&marks, report->comparison, report->runs, stderr) &&
                         by_solver_write(report, &marks, folder);
    if (written)
        screen_data(stdout, "%s\n", folder);
    return written;
}

static int write_report(const struct arguments *arguments, struct comparison *comparison,
                        const struct page_runs *runs, const char *sampled)
{
    const bool single = arguments->results.count == 1;
    size_t length = 0;
    SCOPED char *folder = results_folder(arguments->results.items[0]);
    SCOPED char *name = name_of(&arguments->results);
    SCOPED char *path = arguments->output != NULL ? heap_text(arguments->output)
                                                  : heap_format("%s/report.%s", folder,
                                                                report_endings[arguments->format]);
    const struct results_report report = {.paths = arguments->results.items,
                                          .count = arguments->results.count,
                                          .name = name,
                                          .folder = single ? folder : NULL,
                                          .comparison = comparison,
                                          .runs = runs,
                                          .sampled = sampled,
                                          .errors = stderr};
    if (!single) {
        json_decref(comparison->manifest);
        comparison->manifest = NULL;
    }
    SCOPED char *text =
        arguments->by_solver ? NULL : make_report(arguments, &report, path, &length);
    const bool written = arguments->by_solver
                             ? put_class(arguments, &report)
                             : text != NULL && put_report(arguments, path, text, length);
    return finish_output(written ? EXIT_DONE : EXIT_FAILED);
}

/* Writes the report of what was read; its page has some of the runs, where they are many. */
static int report_runs(const struct arguments *arguments, struct comparison *comparison,
                       struct page_runs *runs)
{
    const struct results *results = &comparison->results;
    if (!runs->many)
        return write_report(arguments, comparison, runs, NULL);
    SCOPED_BY(page_sample_end)
    struct page_sample sample = page_sample_draw(results, arguments->runs);
    SCOPED char *text = page_sample_text(&sample, results);
    *runs = (struct page_runs){0};
    return page_sample_read(&sample, results, arguments->results.items, arguments->results.count,
                            runs, stderr)
               ? write_report(arguments, comparison, runs, text)
               : finish_output(EXIT_FAILED);
}

int command_report(int argc, char **argv)
{
    struct arguments arguments = {.pictures = PICTURES, .runs = PAGE_RUNS};
    command_line_parse(&report_line, argc, argv, &arguments);
    const bool paged = arguments.format == REPORT_HTML && !arguments.by_solver;
    SCOPED_BY(page_runs_end) struct page_runs runs = {.most = paged ? arguments.runs : 0};
    SCOPED_BY(comparison_end)
    struct comparison comparison = {.results.counted =
                                        paged || arguments.by_solver ? page_runs_keep : NULL,
                                    .results.context = &runs,
                                    .results.pooled = arguments.pooled,
                                    .results.claimed = arguments.claimed,
                                    .results.sets.asked = arguments.sets,
                                    .results.chosen.asked = arguments.solvers,
                                    .side_wanted = SIDE_ALL};
    const struct compare_options told = {
        .full = true,
        .format = arguments.format == REPORT_HTML ? FORMAT_HTML : FORMAT_MARKDOWN,
        .baseline = arguments.baseline,
        .metric = METRICS};
    int code = EXIT_USAGE;
    if (comparison_read(&comparison, arguments.results.items, arguments.results.count,
                        arguments.baseline, stderr)) {
        if (!arguments.by_solver)
            findings_tell(&comparison, &told);
        code = report_runs(&arguments, &comparison, &runs);
    }
    free(arguments.results.items);
    return code;
}
