/* tilelab report: the comparison, the settings, the figures and every run of a results folder, as
 * one page that can be sent to somebody, or as the skeleton of a text to be handed in. */
#include "base/file.h"
#include "base/heap.h"
#include "harness/commands/arguments.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/compare/findings.h"
#include "harness/figures/draw.h"
#include "harness/report/page_report.h"
#include "harness/report/settings.h"
#include "harness/results/rows.h"
#include "harness/text/html.h"
#include "harness/text/screen.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIGURE_WIDTH_MM = 160 };

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

/* experiment.yaml of the folder; NULL where there is none, or none that belongs to the runs. */
static char *experiment_text(const struct comparison *comparison, const char *folder)
{
    struct report report;
    char hash[FILE_HASH_BYTES];
    const char *why;
    const char *own = json_string_value(json_object_get(comparison->manifest, "experiment_hash"));
    char *path = heap_format("%s/experiment.yaml", folder);
    report_start(&report, path);
    char *text = comparison->manifest == NULL ? NULL : file_read_own(path, NULL, &report);
    if (text != NULL && own != NULL && (!file_hash(path, hash, &why) || strcmp(own, hash) != 0)) {
        screen_say(stderr, "tilelab report: %s is not the file that was run; it is left out\n",
                   path);
        free(text);
        text = NULL;
    }
    report_end(&report);
    free(path);
    return text;
}

/* The figures that the results can carry. */
static struct figures find_figures(const struct arguments *arguments,
                                   const struct comparison *comparison)
{
    const struct results *results = &comparison->results;
    struct figures figures = {0};
    struct round_counts rounds = {0};
    if (results->count > 0) {
        if (!rounds_read(&rounds, results, arguments->results, stderr))
            round_counts_end(&rounds);
        struct figures_options wanted = {.baseline = comparison->baseline, .rounds = &rounds};
        comparison_metrics(comparison, wanted.metric);
        figures = figures_of(results, &wanted);
    }
    round_counts_end(&rounds);
    return figures;
}

static bool any_figure(const struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++)
        if (figures->figures[i].missing == NULL)
            return true;
    return false;
}

/* Puts a file that was drawn into the page. */
static void put_picture(const struct figure *figure, const char *folder, FILE *file)
{
    struct report report;
    char *path = heap_format("%s/%s.svg", folder, figure->name);
    report_start(&report, path);
    char *svg = file_read(path, NULL, &report);
    if (svg == NULL)
        fputs(report.text, stderr);
    fputs("<figure class=\"drawn\">\n", file);
    html_picture(svg == NULL ? "" : svg, file);
    fputs("</figure>\n", file);
    free(svg);
    free(path);
    report_end(&report);
}

/* Removes what was drawn, all of it or not. */
static void remove_pictures(const struct figures *figures, const char *folder)
{
    for (size_t i = 0; i < figures->count; i++) {
        char *path = heap_format("%s/%s.svg", folder, figures->figures[i].name);
        unlink(path);
        free(path);
    }
    rmdir(folder);
}

static void put_missing(const struct figures *figures, FILE *file)
{
    fputs("<ul class=\"note\">\n", file);
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->figures[i];
        if (figure->missing == NULL)
            continue;
        fputs("<li>", file);
        html_text(figure->block->name, file);
        fprintf(file, ", %s: ", figure->kind);
        html_text(figure->missing, file);
        fputs("</li>\n", file);
    }
    fputs("</ul>\n", file);
}

/* Draws the figures in a folder of the moment, and puts them into the page: all of them or a
 * sentence that says why there are none. */
static void put_figures(const struct figures *figures, FILE *file)
{
    const char *place = getenv("TMPDIR");
    char *folder =
        heap_format("%s/tilelab-report-XXXXXX", place == NULL || place[0] == '\0' ? "/tmp" : place);
    const struct drawing drawing = {
        .folder = folder, .pictures[PICTURE_SVG] = true, .width_mm = FIGURE_WIDTH_MM};
    const struct block *block = NULL;
    const bool any = any_figure(figures);
    const bool made = any && mkdtemp(folder) != NULL;
    if (any && !made)
        screen_say(stderr, "tilelab report: cannot make a folder '%s': %s\n", folder,
                   strerror(errno));
    const bool drawn = made && figures_draw(figures, &drawing, stderr);
    if (any && !drawn) {
        fputs("tilelab report: the figures are left out\n", stderr);
        fputs("<p>The figures could not be drawn. They need python3 and matplotlib (Debian: "
              "python3-matplotlib); with them, <code>tilelab report</code> puts them here.</p>\n",
              file);
    }
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->figures[i];
        if (!drawn || figure->missing != NULL)
            continue;
        if (figure->block != block) {
            fputs("<h3>", file);
            html_text(figure->block->name, file);
            fputs("</h3>\n", file);
        }
        block = figure->block;
        put_picture(figure, folder, file);
    }
    if (made)
        remove_pictures(figures, folder);
    free(folder);
    put_missing(figures, file);
}

static char *figures_text(const struct arguments *arguments, const struct comparison *comparison)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        heap_exhausted();
    struct figures figures = find_figures(arguments, comparison);
    put_figures(&figures, file);
    figures_end(&figures);
    if (fclose(file) != 0)
        heap_exhausted();
    return text;
}

static void write_page(const struct arguments *arguments, const struct comparison *comparison,
                       const struct page_runs *runs, const char *folder, FILE *file)
{
    char *experiment = experiment_text(comparison, folder);
    char *figures = figures_text(arguments, comparison);
    const struct page_report page = {.results = arguments->results,
                                     .folder = folder,
                                     .manifest = comparison->manifest,
                                     .experiment = experiment,
                                     .document = &comparison->document,
                                     .read = &comparison->results,
                                     .runs = runs,
                                     .figures = figures};
    page_report_write(&page, file);
    free(figures);
    free(experiment);
}

/* A heading, with what is to be written below it where the reader knows more than the program. */
static void ask(struct document *document, const char *heading, const char *asked)
{
    document_say(document, PART_HEADING, "%s", heading);
    document_say(document, PART_TEXT, "(%s)", asked);
}

static void print_markdown(struct document *document, FILE *file)
{
    document_print(document, FORMAT_MARKDOWN, NULL, NULL, file);
    document_end(document);
    putc('\n', file);
}

/* How to make the runs, the tables and the figures again. */
static void put_commands(const char *results, const char *folder, const json_t *manifest,
                         FILE *file)
{
    char *experiment = heap_format("%s/experiment.yaml", folder);
    char *words[] = {shell_word(experiment), shell_word(results)};
    if (manifest != NULL) {
        size_t i;
        json_t *changed;
        fputs("Files of boards that the experiment names are looked for beside its file.\n\n",
              file);
        fprintf(file, "    tilelab run %s", words[0]);
        if (json_is_true(json_object_get(manifest, "quick")))
            fputs(" --quick", file);
        json_array_foreach(json_object_get(manifest, "set"), i, changed)
        {
            if (!json_is_string(changed))
                continue;
            char *word = shell_word(json_string_value(changed));
            fprintf(file, " --set %s", word);
            free(word);
        }
        fputs(" -o again\n", file);
    }
    fprintf(file, "    tilelab compare %s --full\n    tilelab plot %s\n", words[1], words[1]);
    free(words[0]);
    free(words[1]);
    free(experiment);
}

/* The folder of a file, without links in its path; NULL where there is none. */
static char *real_folder(const char *path)
{
    char *folder = results_folder(path);
    char *real = realpath(folder, NULL);
    free(folder);
    return real;
}

/* Where the figures are that `tilelab plot` draws, from the file that links to them: a path whose
 * characters are harmless in a link. */
static char *figures_link(const char *results, const char *output)
{
    static const char harmless[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    char *own = real_folder(results);
    char *there = real_folder(output);
    char *link = heap_text("");
    if (own != NULL && (there == NULL || strcmp(own, there) != 0))
        for (const char *at = own; *at != '\0'; at++)
            heap_append(&link, strchr(harmless, *at) == NULL ? "%%%02X" : "%c", (unsigned char)*at);
    heap_append(&link, "%sfigures", link[0] == '\0' ? "" : "/");
    free(there);
    free(own);
    return link;
}

/* The figures that `tilelab plot` draws, each with its caption. */
static void link_figures(const struct arguments *arguments, const struct comparison *comparison,
                         const char *link, FILE *file)
{
    struct figures figures = find_figures(arguments, comparison);
    if (any_figure(&figures))
        fputs("## Figures\n\n", file);
    for (size_t i = 0; i < figures.count; i++) {
        const struct figure *figure = &figures.figures[i];
        struct document document = {0};
        if (figure->missing != NULL)
            continue;
        fprintf(file, "![%s](%s/%s.svg)\n\n", figure->name, link, figure->name);
        document_say(&document, PART_TEXT, "%s. %s", figure->title, figure->caption);
        print_markdown(&document, file);
    }
    figures_end(&figures);
}

/* The skeleton of a text to hand in: what was run and what came of it is there, what was asked and
 * what it means is to be written. */
static void write_skeleton(const struct arguments *arguments, struct comparison *comparison,
                           const char *folder, const char *output, FILE *file)
{
    struct document document = {0};
    char *name = text_printable(page_report_name(arguments->results, comparison->manifest));
    char *lead = page_report_lead(&comparison->results, comparison->manifest);
    struct tidy settings = settings_view(comparison->manifest, &comparison->results);
    struct tidy limits = limits_view(comparison->manifest, &comparison->results);
    struct tidy sessions = sessions_view(comparison->manifest);
    document_say(&document, PART_TITLE, "%s", name);
    document_say(&document, PART_TEXT, "%s", lead);
    ask(&document, "Question", "What is asked, and why does it matter?");
    ask(&document, "Hypothesis", "What do you expect, and why? Write it before you read on.");
    document_say(&document, PART_HEADING, "Method");
    document_table(&document, "settings", "What was run", &settings);
    if (limits.cell_count > 0)
        document_table(&document, "limits", "The limits of a run", &limits);
    if (sessions.cell_count > 0)
        document_table(&document, "sessions", "When and where", &sessions);
    print_markdown(&document, file);
    tidy_end(&limits);
    tidy_end(&sessions);
    for (size_t i = 0; i < comparison->document.count; i++) {
        struct document_part *part = &comparison->document.parts[i];
        if (part->kind == PART_HEADING) {
            char *heading = heap_format("Results: %s", part->text);
            free(part->text);
            part->text = heading;
        }
    }
    print_markdown(&comparison->document, file);
    char *link = figures_link(arguments->results, output);
    link_figures(arguments, comparison, link, file);
    free(link);
    ask(&document, "Discussion",
        "What do the findings mean for the hypothesis? What limits them: boards, limits, noise?");
    ask(&document, "Conclusion", "One paragraph: the answer to the question.");
    document_say(&document, PART_HEADING, "How to repeat this");
    print_markdown(&document, file);
    put_commands(arguments->results, folder, comparison->manifest, file);
    free(lead);
    free(name);
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
    char *text = NULL;
    size_t length = 0;
    char *folder = results_folder(arguments->results);
    const bool page = arguments->format == FORMAT_HTML;
    char *path = arguments->output != NULL
                     ? heap_text(arguments->output)
                     : heap_format("%s/report.%s", folder, page ? "html" : "md");
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        heap_exhausted();
    if (page)
        write_page(arguments, comparison, runs, folder, file);
    else
        write_skeleton(arguments, comparison, folder, path, file);
    if (fclose(file) != 0)
        heap_exhausted();
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
    struct comparison comparison = {.results.counted = keep_run, .results.context = &runs};
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
