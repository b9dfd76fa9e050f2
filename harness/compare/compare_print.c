/* Reads, computes, prints, writes: in that order, so that the tables are shown even if a folder
 * cannot be written. */
#include "harness/compare/compare_print.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/compare/columns_view.h"
#include "harness/compare/held.h"
#include "harness/results/datapackage.h"
#include "harness/text/screen.h"
#include "harness/text/terminal.h"
#include <errno.h>

/* Writes the tables, or only looks whether each can be written. */
static bool write_each(const struct tidy *tables, const char *folder, bool only_look, FILE *errors)
{
    bool good = true;
    for (size_t i = FIRST_DERIVED; good && i < TABLES; i++) {
        if (i == TABLE_EXPECT && tables[i].cell_count == 0) /* nothing was published */
            continue;
        SCOPED char *file = heap_format("%s.csv", table_schemas[i].name);
        SCOPED char *path = heap_format("%s/%s", folder, file);
        good = only_look ? file_may_write(path) : tidy_write(&tables[i], folder, file);
        if (!good)
            screen_say(errors, "tilelab compare: cannot write '%s': %s; -o DIR writes elsewhere\n",
                       path, file_problem(errno));
    }
    return good;
}

static bool write_tables(const struct tidy *tables, const char *folder,
                         const struct compare_options *options)
{
    FILE *errors = options->errors;
    bool good = folders_make(folder);
    if (!good)
        screen_say(errors, "tilelab compare: cannot make the folder '%s': %s\n", folder,
                   strerror(errno));
    good = good && write_each(tables, folder, true, errors) &&
           write_each(tables, folder, false, errors);
    if (!good)
        return false;
    struct terminal terminal = terminal_make();
    good = datapackage_write(folder, NULL, &terminal.display);
    if (!good)
        screen_say(errors, "tilelab compare: cannot write '%s/" DATAPACKAGE_FILE "': %s\n", folder,
                   strerror(errno));
    else if (!options->quiet)
        screen_say(errors, "tilelab compare: summary.csv, by_depth.csv and pairs.csv are in %s\n",
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
    const bool silent = options->silent && only == NULL && options->format == FORMAT_TEXT;
    return silent || document_print(document, options->format, only, head, options->stream);
}

/* Names the tables that there are, each once: those by optimal length depend on the metrics. */
static void tell_tables(const struct document *document, const struct compare_options *options)
{
    const char *asked = options->table;
    SCOPED const char **names = heap_take(document->count + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < document->count; i++) {
        const char *name = document->parts[i].name;
        if (name != NULL && WORD_PLACE(names, count, name) == count)
            names[count++] = name;
    }
    SCOPED char *listed = words_listed(names, count);
    SCOPED char *meant = word_meant(asked, names, count);
    screen_say(options->errors, "tilelab compare: no table '%s' of these results; expected %s%s\n",
               asked, listed, meant);
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

/* Adds the table of the columns that were asked for. */
static void add_columns(struct comparison *comparison, const char *columns)
{
    const struct results *results = &comparison->results;
    SCOPED char *caption =
        heap_text("Medians are over all boards tried (*: others were tried, too), an unsolved run "
                  "being more than any; what is marked (7/10) is over the solved ones, 7 of 10");
    const bool timed = strstr(columns, "wall_s") != NULL || strstr(columns, "cpu_s") != NULL ||
                       strstr(columns, "peak_bytes") != NULL;
    for (size_t i = 0; timed && i < results->block_count; i++) {
        SCOPED char *measured = results_measured(results, &results->blocks[i]);
        if (measured != NULL && strstr(caption, measured) == NULL)
            heap_append(&caption, ". %s", measured);
    }
    struct tidy view =
        columns_view(&comparison->tables[TABLE_SUMMARY], comparison->extras, results, columns);
    document_table(&comparison->document, "columns", &view, "%s", caption);
}

/* Prints the document; CSV and JSON have the tables for programs besides. */
static bool print_document(struct comparison *comparison, const struct compare_options *options)
{
    const bool ours = options->table != NULL || options->format == FORMAT_CSV;
    json_auto_t *head = options->format == FORMAT_JSON ? head_of(comparison) : NULL;
    if (ours) /* of no block */
        document_say(&comparison->document, PART_HEADING, "%s", "");
    if (options->columns != NULL)
        add_columns(comparison, options->columns);
    for (size_t i = FIRST_DERIVED; ours && i < TABLES; i++)
        if (i != TABLE_EXPECT || comparison->reference_count > 0)
            document_table(&comparison->document, table_schemas[i].name, &comparison->tables[i],
                           "%s", table_schemas[i].name);
    const bool good =
        print_to(options, &comparison->document, table_asked(comparison, options), head);
    if (!good)
        tell_tables(&comparison->document, options);
    return good;
}

/* Prints the comparison, and writes its tables into `folder` unless that is NULL. */
static enum ending show(struct comparison *comparison, const char *folder,
                        const struct compare_options *options, bool *differs)
{
    findings_tell(comparison, options);
    const bool written = folder == NULL || write_tables(comparison->tables, folder, options);
    const bool good = print_document(comparison, options);
    fflush(options->stream);
    if (folder == NULL && !options->quiet)
        fputs("tilelab compare: no files are written; -o DIR writes the tables as CSV\n",
              options->errors);
    *differs = comparison->expect_failed > 0;
    return !good ? ENDING_REFUSED : written ? ENDING_DONE : ENDING_FAILED;
}

/* Holds results against older ones. */
static enum ending hold_against(const char *const *results, size_t count,
                                const struct compare_options *options, bool *differs)
{
    SCOPED_BY(held_end) struct held now = {.paths = results, .path_count = count};
    SCOPED_BY(held_end) struct held before = {.paths = &options->against, .path_count = 1};
    enum ending ending = ENDING_REFUSED;
    if (held_read(&now, options->errors) && held_read(&before, options->errors)) {
        SCOPED_BY(document_end) struct document document = {0};
        *differs = held_tell(&document, &now, &before, options);
        if (!print_to(options, &document, options->table, NULL))
            tell_tables(&document, options);
        else
            ending = ENDING_DONE;
    }
    return ending;
}

enum ending compare_print(const char *const *results, size_t count,
                          const struct compare_options *asked, bool *differs)
{
    struct comparison comparison = {.results.only = asked->only,
                                    .results.pooled = asked->pooled,
                                    .results.claimed = asked->claimed,
                                    .results.sets.asked = asked->sets,
                                    .results.chosen.asked = asked->solvers};
    struct compare_options own = *asked;
    const struct compare_options *options = &own;
    own.full = asked->full || asked->format == FORMAT_JSON || asked->format == FORMAT_CSV;
    comparison.side_wanted = own.full ? SIDE_INCUMBENTS : SIDE_NONE;
    enum ending ending = ENDING_REFUSED;
    *differs = false;
    if (options->against != NULL)
        return hold_against(results, count, options, differs);
    if (comparison_read(&comparison, results, count, options->baseline, options->errors)) {
        const bool whole = options->sets == NULL && options->solvers == NULL;
        const bool own_folder = whole && count == 1 && results_is_folder(results[0]);
        ending = show(&comparison,
                      options->output != NULL ? options->output
                      : own_folder            ? results[0]
                                              : NULL,
                      options, differs);
    }
    comparison_end(&comparison);
    return ending;
}
