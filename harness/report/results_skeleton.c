#include "base/heap.h"
#include "harness/report/page_report.h"
#include "harness/report/results_report.h"
#include "harness/report/settings.h"
#include "harness/results/rows.h"
#include "harness/text/shell.h"

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

/* The command that makes the runs again. */
static void put_run(const char *folder, const json_t *manifest, FILE *file)
{
    SCOPED char *experiment = heap_format("%s/experiment.yaml", folder);
    SCOPED char *path = shell_word(experiment);
    size_t i;
    json_t *changed;
    fputs("Files of boards that the experiment names are looked for beside its file.\n\n", file);
    fprintf(file, "    tilelab run %s", path);
    if (json_is_true(json_object_get(manifest, "quick")))
        fputs(" --quick", file);
    json_array_foreach(json_object_get(manifest, "set"), i, changed)
    {
        if (!json_is_string(changed))
            continue;
        SCOPED char *word = shell_word(json_string_value(changed));
        fprintf(file, " --set %s", word);
    }
    fputs(" -o again\n", file);
}

/* How to make the runs, the tables and the figures again. */
static void put_commands(const struct results_report *report, FILE *file)
{
    const struct results *read = &report->comparison->results;
    SCOPED char *words = heap_text("");
    for (size_t i = 0; i < report->count; i++) {
        SCOPED char *word = shell_word(report->paths[i]);
        heap_append(&words, " %s", word);
    }
    const struct {
        const char *option, *value;
    } chosen[] = {{"--sets", read->sets.asked}, {"--solvers", read->chosen.asked}};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        SCOPED char *word = chosen[i].value == NULL ? NULL : shell_word(chosen[i].value);
        if (word != NULL)
            heap_append(&words, " %s %s", chosen[i].option, word);
    }
    if (report->folder != NULL && report->comparison->manifest != NULL)
        put_run(report->folder, report->comparison->manifest, file);
    fprintf(file, "    tilelab compare%s --full\n    tilelab plot%s%s\n", words, words,
            report->count > 1 ? " -o figures" : "");
}

/* The folder of a file, without links in its path; NULL where there is none. */
static char *real_folder(const char *path)
{
    SCOPED char *folder = results_folder(path);
    return realpath(folder, NULL);
}

/* A path whose characters are harmless in a link. */
char *skeleton_link(const struct results_report *report, const char *output)
{
    static const char harmless[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    SCOPED char *own = report->count > 1 ? NULL : real_folder(report->paths[0]);
    SCOPED char *there = real_folder(output);
    char *link = heap_text("");
    if (own != NULL && (there == NULL || strcmp(own, there) != 0))
        for (const char *at = own; *at != '\0'; at++)
            heap_append(&link, strchr(harmless, *at) == NULL ? "%%%02X" : "%c", (unsigned char)*at);
    heap_append(&link, "%sfigures", link[0] == '\0' ? "" : "/");
    return link;
}

/* The figures that `tilelab plot` draws, each with its caption. */
static void link_figures(const struct results_report *report, const char *link, enum picture ending,
                         FILE *file)
{
    SCOPED_BY(figures_end) struct figures figures = report_figures(report);
    if (any_figure(&figures))
        fputs("## Figures\n\n", file);
    for (size_t i = 0; i < figures.count; i++) {
        const struct figure *figure = &figures.figures[i];
        struct document document = {0};
        if (figure->missing != NULL)
            continue;
        fprintf(file, "![%s](%s/%s.%s)\n\n", figure->name, link, figure->name,
                picture_names[ending]);
        document_say(&document, PART_TEXT, "%s. %s", figure->title, figure->caption);
        print_markdown(&document, file);
    }
}

void results_skeleton_write(const struct results_report *report, const char *link,
                            enum picture ending, FILE *file)
{
    struct comparison *comparison = report->comparison;
    struct document document = {0};
    SCOPED char *name = text_printable(page_report_name(report->name, comparison->manifest));
    SCOPED char *lead = page_report_lead(&comparison->results, comparison->manifest);
    struct tidy settings = settings_view(comparison->manifest, &comparison->results);
    SCOPED_BY(tidy_end)
    struct tidy limits = limits_view(comparison->manifest, &comparison->results);
    SCOPED_BY(tidy_end) struct tidy sessions = sessions_view(comparison->manifest);
    document_say(&document, PART_TITLE, "%s", name);
    document_say(&document, PART_TEXT, "%s", lead);
    ask(&document, "Question", "What is asked, and why does it matter?");
    ask(&document, "Hypothesis", "What do you expect, and why? Write it before you read on.");
    document_say(&document, PART_HEADING, "Method");
    document_table(&document, "settings", &settings, "What was run");
    if (limits.cell_count > 0)
        document_table(&document, "limits", &limits, "The limits of a run");
    if (sessions.cell_count > 0)
        document_table(&document, "sessions", &sessions, "When and where");
    print_markdown(&document, file);
    for (size_t i = 0; i < comparison->document.count; i++) {
        struct document_part *part = &comparison->document.parts[i];
        if (part->kind == PART_HEADING) {
            char *heading = heap_format("Results: %s", part->text);
            free(part->text);
            part->text = heading;
        }
    }
    print_markdown(&comparison->document, file);
    if (link != NULL)
        link_figures(report, link, ending, file);
    ask(&document, "Discussion",
        "What do the findings mean for the hypothesis? What limits them: boards, limits, noise?");
    ask(&document, "Conclusion", "One paragraph: the answer to the question.");
    document_say(&document, PART_HEADING, "How to repeat this");
    print_markdown(&document, file);
    put_commands(report, file);
}
