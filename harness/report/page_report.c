#include "harness/report/page_report.h"
#include "base/heap.h"
#include "harness/report/answer.h"
#include "harness/report/page.h"
#include "harness/report/settings.h"
#include "harness/results/version.h"
#include "harness/text/html.h"
#include "harness/text/human.h"
#include "harness/text/sorting.h"

static void put_element(const char *tag, const char *text, FILE *file)
{
    fprintf(file, "<%s>", tag);
    html_text(text, file);
    fprintf(file, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

/* A table in a box of its own, which scrolls where the page is too narrow. */
static void put_table(struct tidy *table, const char *kind, const char *caption, FILE *file)
{
    struct document_part part = {.kind = PART_TABLE, .text = heap_text(caption), .table = *table};
    if (table->cell_count > 0) {
        fprintf(file, "<div class=\"wide %s\">\n", kind);
        document_html(&part, file);
        fputs("</div>\n", file);
    }
    free(part.text);
    tidy_end(table);
}

/* What is told of a block, from its heading to the next. */
static size_t block_end(const struct document *document, size_t first)
{
    size_t end = first + 1;
    while (end < document->count && document->parts[end].kind != PART_HEADING)
        end++;
    return end;
}

/* The parts of a block but for tables (`tables` false), each as what it is, or its tables. Where
 * there are verdicts, texts explain tables. */
static void put_parts(const struct document *document, size_t first, bool tables, FILE *file)
{
    static const char *const tags[] = {
        [PART_TEXT] = "p", [PART_NOTE] = "p class=\"note\"", [PART_VERDICT] = "li"};
    bool listed = false;
    for (size_t i = first; i < block_end(document, first); i++) {
        const struct document_part *part = &document->parts[i];
        if ((part->kind == PART_TABLE) != tables || part->kind == PART_HEADING ||
            part->kind == PART_TITLE)
            continue;
        if (listed != (part->kind == PART_VERDICT)) {
            fputs(listed ? "</ul>\n" : "<ul class=\"verdicts\">\n", file);
            listed = !listed;
        }
        if (!tables) {
            put_element(tags[part->kind], part->text, file);
            continue;
        }
        fprintf(file, "<div class=\"wide %s\">\n", part->name);
        document_html(part, file);
        fputs("</div>\n", file);
    }
    fputs(listed ? "</ul>\n" : "", file);
}

/* What is told of each set, folded: verdicts and notes, then the tables. */
static void put_tables(const struct document *document, FILE *file)
{
    for (size_t first = 0; first < document->count; first = block_end(document, first)) {
        const bool headed = document->parts[first].kind == PART_HEADING;
        if (document->parts[first].kind == PART_TITLE)
            continue;
        fputs("<details><summary>", file);
        put_element("h3", headed ? document->parts[first].text : "All sets", file);
        fputs("</summary>\n", file);
        put_parts(document, first, false, file);
        put_parts(document, first, true, file);
        fputs("</details>\n", file);
    }
}

/* A file as it is, its lines made harmless one by one. */
static void put_lines(const char *text, FILE *file)
{
    SCOPED char *copy = heap_text(text);
    for (char *line = copy, *end; *line != '\0'; line = end) {
        const size_t length = strcspn(line, "\n");
        end = line + length + (line[length] == '\n');
        line[length] = '\0';
        html_text(line, file);
        putc('\n', file);
    }
}

static void put_settings(const struct page_report *report, FILE *file)
{
    const json_t *manifest = report->comparison->manifest;
    const struct results *read = &report->comparison->results;
    struct tidy table = settings_view(manifest, read);
    put_table(&table, "settings", "", file);
    if (manifest == NULL)
        fputs("<p class=\"note\">There is no manifest.json beside the runs: their seed, limits and "
              "machine are not known.</p>\n",
              file);
    table = limits_view(manifest, read);
    put_table(&table, "", "The limits of a run", file);
    table = sessions_view(manifest);
    put_table(&table, "", "When and where", file);
    if (report->experiment != NULL) {
        fputs("<details><summary>experiment.yaml</summary>\n<pre>", file);
        put_lines(report->experiment, file);
        fputs("</pre></details>\n", file);
    }
}

/* Runs by board, solver and repetition. */
struct placed_run {
    size_t run;
    const struct run_row *row;
    unsigned long repetition;
    const char *run_id;
};

ORDER_BY(compare_placed, struct placed_run, BY(row->instance), BY(row->solver), BY(repetition),
         strcmp(x->run_id, y->run_id));

size_t *page_report_order(const struct results *results, const struct page_runs *runs)
{
    SCOPED struct placed_run *placed = heap_take(runs->count, sizeof *placed);
    size_t *order = heap_take(runs->count, sizeof *order);
    for (size_t i = 0; i < runs->count; i++)
        placed[i] = (struct placed_run){
            .run = i,
            .row = &results->runs[page_runs_of(runs, i)],
            .repetition = strtoul(page_runs_text(runs, i, COLUMN_repetition), NULL, 10),
            .run_id = page_runs_text(runs, i, COLUMN_run_id),
        };
    if (runs->count > 0)
        qsort(placed, runs->count, sizeof *placed, compare_placed);
    for (size_t i = 0; i < runs->count; i++)
        order[i] = placed[i].run;
    return order;
}

static void put_first_runs(const struct page_runs *runs, const size_t *order, FILE *file)
{
    struct tidy table = page_runs_view(runs, order);
    put_table(&table, "", "", file);
}

/* The runs of a report, in their order in the page. */
static void put_runs(const struct page_report *report, const size_t *order, FILE *file)
{
    const struct results *results = &report->comparison->results;
    SCOPED bool *unverified = heap_take(report->runs->count, sizeof *unverified);
    for (size_t i = 0; i < report->runs->count; i++)
        unverified[i] = results->runs[page_runs_of(report->runs, i)].unverified;
    const struct page_data data = {.results = report->results,
                                   .solvers = results->solvers.text,
                                   .shown = results->shown,
                                   .solver_count = results->solvers.count,
                                   .runs = report->runs,
                                   .order = order,
                                   .unverified = unverified,
                                   .folder = report->folder,
                                   .read = results,
                                   .baseline = report->comparison->baseline,
                                   .metric = report->comparison->metric};
    page_data_write(&data, file);
}

const char *page_report_name(const char *name, const json_t *manifest)
{
    const char *own = json_string_value(json_object_get(manifest, "experiment"));
    return own == NULL ? name : own;
}

char *page_report_lead(const struct results *results, const json_t *manifest)
{
    const char *description = json_string_value(json_object_get(manifest, "description"));
    char *lead = heap_text("");
    if (description != NULL && description[0] != '\0')
        heap_append(&lead, "%s%s ", description,
                    strchr(".!?", description[strlen(description) - 1]) == NULL ? "." : "");
    heap_append(
        &lead, "%s run%s of %zu solver%s on %s board%s.", human_count((double)results->count).text,
        plural(results->count), results->solvers.count, plural(results->solvers.count),
        human_count((double)results->instances.count).text, plural(results->instances.count));
    return lead;
}

void page_report_write(const struct page_report *report, FILE *file)
{
    const json_t *manifest = report->comparison->manifest;
    const struct results *results = &report->comparison->results;
    SCOPED size_t *order = page_report_order(results, report->runs);
    const char *name = page_report_name(report->name, manifest);
    SCOPED char *lead = page_report_lead(results, manifest);
    if (report->sampled != NULL)
        heap_append(&lead, " %s", report->sampled);
    const struct heap_part parts[] = {
        {"title", WRITTEN(to, html_plain(name, to))},
        {"heading", WRITTEN(to, html_text(name, to))},
        {"lead", WRITTEN(to, html_text(lead, to))},
        {"answer", report->comparison->pairs == NULL
                       ? WRITTEN(to, put_class(report->document, to))
                       : WRITTEN(to, put_answer(report->comparison, to))},
        {"settings", WRITTEN(to, put_settings(report, to))},
        {"tables", WRITTEN(to, put_tables(report->document, to))},
        {"first_runs", WRITTEN(to, put_first_runs(report->runs, order, to))},
        {"data", WRITTEN(to, put_runs(report, order, to))},
        {"figures", heap_text(report->figures)},
        {"version", heap_text(tilelab_version)},
    };
    page_write(PAGE_REPORT, parts, sizeof parts / sizeof *parts, file);
}

/* The parts in their order; a verdict is an item of a list. */
static void put_document(const struct document *document, FILE *file)
{
    for (size_t i = 0; i < document->count; i++) {
        const struct document_part *part = &document->parts[i];
        const bool verdict = part->kind == PART_VERDICT;
        if (verdict)
            fputs("<ul class=\"verdicts\"><li>", file);
        else if (part->kind == PART_TABLE)
            fputs("<div class=\"wide\">\n", file);
        if (verdict)
            html_text(part->text, file);
        else
            document_html(part, file);
        fputs(verdict ? "</li></ul>\n" : part->kind == PART_TABLE ? "</div>\n" : "", file);
    }
}

void page_submission_write(const char *title, const char *lead, const struct document *document,
                           const char *figure, const struct page_data *data, FILE *file)
{
    const struct heap_part parts[] = {{"title", WRITTEN(to, html_plain(title, to))},
                                      {"heading", WRITTEN(to, html_text(title, to))},
                                      {"lead", WRITTEN(to, html_text(lead, to))},
                                      {"content", WRITTEN(to, put_document(document, to))},
                                      {"data", WRITTEN(to, page_data_write(data, to))},
                                      {"figure", heap_text(figure)},
                                      {"version", heap_text(tilelab_version)}};
    page_write(PAGE_SUBMISSION, parts, sizeof parts / sizeof *parts, file);
}

void page_solve_write(const char *title, const struct page_data *data, FILE *file)
{
    const struct heap_part parts[] = {
        {"title", WRITTEN(to, html_plain(title, to))},
        {"heading", WRITTEN(to, html_text(title, to))},
        {"first_runs", WRITTEN(to, put_first_runs(data->runs, data->order, to))},
        {"data", WRITTEN(to, page_data_write(data, to))},
        {"version", heap_text(tilelab_version)},
    };
    page_write(PAGE_SOLVE, parts, sizeof parts / sizeof *parts, file);
}
