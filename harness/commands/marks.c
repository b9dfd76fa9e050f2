/* tilelab marks: the points of solvers with a command and a label, by the rules of the experiment.
 */
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/report/points_file.h"
#include "harness/text/screen.h"
#include "help_texts.h"

struct arguments {
    const char *results;
    const char *only;
    enum format format;
};

static const struct command_option options[] = {
    {OPTION(NULL, 0, "RESULTS", "results folder", take_text, results), .min = 1, .max = 1,
     .expected = "no results; expected a results folder"},
    {OPTION("only", 0, "LABEL",
            "Print which rows of this solver earned and lost the points of each rule; write "
            "nothing",
            take_text, only)},
    {OPTION_FORMAT(format, "How to print: text (the default), markdown, latex, csv, json or html")},
    {0},
};

COMMAND_LINE(marks, "RESULTS", NULL, help_marks_txt);

static int tell(const struct marks *marks, const struct arguments *arguments)
{
    struct document document = {0};
    bool written = true;
    bool preliminary = false;
    const struct marked_solver *only =
        arguments->only == NULL ? NULL : marks_find(marks, arguments->only);
    if (arguments->only != NULL && only == NULL) {
        SCOPED const char **labels = heap_take(marks->solver_count, sizeof *labels);
        for (size_t i = 0; i < marks->solver_count; i++)
            labels[i] = marks->solvers[i].label;
        SCOPED_BY(report_end) struct report report = {0};
        report_unknown(&report, NO_PLACE, "label", arguments->only, labels, marks->solver_count);
        screen_say(stderr, "tilelab marks: %s", report.text);
        return EXIT_USAGE;
    }
    if (only != NULL) {
        marks_tell_rows(marks, only, &document);
    } else {
        struct tidy table = marks_view(marks);
        document_table(&document, "marks", &table, "%s", "");
        written = points_file_write(marks, arguments->results, stderr);
    }
    document_print(&document, arguments->format, NULL, NULL, stdout);
    document_end(&document);
    for (size_t i = 0; i < marks->solver_count; i++)
        preliminary |= marks->solvers[i].preliminary;
    return finish_output(!written ? EXIT_FAILED : preliminary ? EXIT_FINDINGS : EXIT_DONE);
}

int command_marks(int argc, char **argv)
{
    struct arguments arguments = {0};
    command_line_parse(&marks_line, argc, argv, &arguments);
    if (!results_is_folder(arguments.results)) {
        screen_say(stderr, "tilelab marks: '%s' is no folder; expected a results folder\n",
                   arguments.results);
        return EXIT_USAGE;
    }
    SCOPED_BY(page_runs_end) struct page_runs runs = {0};
    SCOPED_BY(marks_end) struct marks marks = {0};
    SCOPED_BY(comparison_end)
    struct comparison comparison = {.results.counted = page_runs_keep, .results.context = &runs};
    int code = EXIT_USAGE;
    if (comparison_read(&comparison, &arguments.results, 1, NULL, stderr) &&
        marks_make(&marks, &comparison, &runs, stderr)) {
        if (marks.rule_count > 0)
            code = tell(&marks, &arguments);
        else
            fputs("tilelab marks: these results have no rules for points; expected points: "
                  "{optimal: 4, ..} in the experiment, then tilelab run, which repeats no run\n",
                  stderr);
    }
    return code;
}
