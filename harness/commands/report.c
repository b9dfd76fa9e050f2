/* tilelab report: the comparison, the settings, the figures and every run of a results folder, as
 * one page that can be sent to somebody, or as the skeleton of a text to be handed in. */
#include "base/file.h"
#include "base/heap.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/compare.h"
#include "harness/commands/output.h"
#include "harness/report/page_report.h"
#include "harness/report/settings.h"
#include "harness/results/rows.h"
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_FORMAT = 256 };

struct arguments {
    const char *results;
    const char *output; /* NULL: beside runs.csv */
    const char *baseline;
    enum format format; /* FORMAT_HTML or FORMAT_MARKDOWN */
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE (default: report.html or report.md beside runs.csv)",
     0},
    {"format", KEY_FORMAT, "FORMAT", 0,
     "html (the default): one page that needs no network; markdown: the skeleton of a text to hand "
     "in",
     0},
    {"baseline", 'b', "SOLVER", 0,
     "Compare the others with this solver (default: the experiment's, else the first)", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    static const char *const formats[] = {"html", "markdown"};
    switch (key) {
    case 'o':
        arguments->output = value;
        break;
    case 'b':
        arguments->baseline = value;
        break;
    case KEY_FORMAT:
        if (strcmp(value, "html") == 0)
            arguments->format = FORMAT_HTML;
        else if (strcmp(value, "markdown") == 0)
            arguments->format = FORMAT_MARKDOWN;
        else
            argp_error(state, "unknown format '%s'; expected html or markdown%s", value,
                       word_meant(value, formats, 2));
        break;
    case ARGP_KEY_ARG:
        if (arguments->results != NULL)
            argp_error(state, "a second results folder '%s'; expected one", value);
        arguments->results = value;
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no results; expected a results folder or a CSV file of runs");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp report_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "RESULTS",
    .doc = "Write a report of a results folder, or of a CSV file of runs: what was found, what was "
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
    char *path = heap_format("%s/experiment.yaml", folder);
    report_start(&report, path);
    char *text = comparison->manifest == NULL ? NULL : file_read(path, NULL, &report);
    report_end(&report);
    free(path);
    return text;
}

static void write_page(const struct arguments *arguments, const struct comparison *comparison,
                       const struct page_runs *runs, const char *folder, FILE *file)
{
    char *experiment = experiment_text(comparison, folder);
    const struct page_report page = {.results = arguments->results,
                                     .manifest = comparison->manifest,
                                     .experiment = experiment,
                                     .document = &comparison->document,
                                     .read = &comparison->results,
                                     .runs = runs,
                                     .figures = ""};
    page_report_write(&page, file);
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

/* A text as a word for the shell. */
static char *quoted_text(const char *text)
{
    static const char harmless[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
    char *shown = text_printable(text);
    char *quoted = heap_text("'");
    for (const char *at = shown; *at != '\0'; at++)
        heap_append(&quoted, *at == '\'' ? "'\\''" : "%c", *at);
    heap_append(&quoted, "'");
    if (shown[0] == '-' || shown[strspn(shown, harmless)] != '\0') {
        free(shown);
        return quoted;
    }
    free(quoted);
    return shown;
}

/* How to make the runs, the tables and the figures again. */
static void put_commands(const char *results, const char *folder, bool made_here, FILE *file)
{
    char *experiment = heap_format("%s/experiment.yaml", folder);
    char *words[] = {quoted_text(experiment), quoted_text(results)};
    if (made_here)
        fprintf(file, "    tilelab run %s -o again\n", words[0]);
    fprintf(file, "    tilelab compare %s --full\n    tilelab plot %s\n", words[1], words[1]);
    free(words[0]);
    free(words[1]);
    free(experiment);
}

/* The skeleton of a text to hand in: what was run and what came of it is there, what was asked and
 * what it means is to be written. */
static void write_skeleton(const struct arguments *arguments, struct comparison *comparison,
                           const char *folder, FILE *file)
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
    ask(&document, "Discussion",
        "What do the findings mean for the hypothesis? What limits them: boards, limits, noise?");
    ask(&document, "Conclusion", "One paragraph: the answer to the question.");
    document_say(&document, PART_HEADING, "How to repeat this");
    print_markdown(&document, file);
    put_commands(arguments->results, folder, comparison->manifest != NULL, file);
    free(lead);
    free(name);
}

/* Whole or not at all; what is no regular file (a terminal, a pipe) is written as it is. */
static bool write_whole(const char *path, const char *text, size_t length)
{
    struct stat status;
    if (lstat(path, &status) != 0 || S_ISREG(status.st_mode))
        return file_write(path, text, length);
    const int file = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    bool fine = file >= 0 && file_write_all(file, text, length);
    const int why = errno;
    if (file >= 0)
        fine = close(file) == 0 && fine;
    errno = fine ? 0 : why;
    return fine;
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
        write_skeleton(arguments, comparison, folder, file);
    if (fclose(file) != 0)
        heap_exhausted();
    const bool written = write_whole(path, text, length);
    if (written)
        printf("%s\n", path);
    else
        fprintf(stderr, "tilelab report: cannot write '%s': %s; -o FILE writes elsewhere\n", path,
                strerror(errno));
    free(text);
    free(path);
    free(folder);
    return finish_output(written ? EXIT_DONE : EXIT_FAILED);
}

int command_report(int argc, char **argv)
{
    struct arguments arguments = {.format = FORMAT_HTML};
    command_line_parse(&report_parser, argc, argv, &arguments);
    struct page_runs runs = {0};
    struct comparison comparison = {.results.counted = keep_run, .results.context = &runs};
    const struct compare_options told = {
        .full = true, .format = arguments.format, .baseline = arguments.baseline};
    int code = EXIT_USAGE;
    if (comparison_read(&comparison, &arguments.results, 1, arguments.baseline)) {
        comparison_tell(&comparison, &told);
        code = write_report(&arguments, &comparison, &runs);
    }
    comparison_end(&comparison);
    page_runs_end(&runs);
    return code;
}
