#include "harness/report/page_runs.h"
#include "base/heap.h"
#include "harness/analysis/by_depth.h"
#include "harness/analysis/parameters.h"
#include "harness/figures/looks.h"
#include "harness/figures/making.h"
#include "harness/report/searches.h"
#include "harness/results/messages.h"
#include "harness/results/rows.h"
#include "harness/text/html.h"
#include <inttypes.h>
#include <math.h>

/* What the page has no use for: what the solver's name says, or what is for programs. */
static bool is_left_out(size_t column)
{
    return column == COLUMN_experiment || column == COLUMN_algorithm ||
           column == COLUMN_heuristic || column == COLUMN_options ||
           column == COLUMN_options_json || column == COLUMN_row_hash;
}

/* A cost is a fraction in runs.csv; the page computes with it. */
static bool is_number(size_t column)
{
    return column == COLUMN_cost || row_columns[column].type == COLUMN_TYPE_INTEGER ||
           row_columns[column].type == COLUMN_TYPE_NUMBER;
}

void page_runs_set(struct page_runs *runs, size_t run, const char *const *cells)
{
    if (run == runs->count)
        runs->cells = heap_grow(runs->cells, runs->count++, sizeof *runs->cells);
    for (size_t i = 0; i < COLUMNS; i++)
        if (!is_left_out(i))
            runs->cells[run][i] = (uint32_t)names_add(&runs->words[i], cells[i]);
}

void page_runs_keep(void *context, size_t run, const struct row *row)
{
    struct page_runs *runs = context;
    const char *cells[COLUMNS];
    if (runs->many)
        return;
    if (runs->most > 0 && run >= runs->most) {
        page_runs_end(runs);
        runs->many = true;
        return;
    }
    row_texts(row, cells);
    page_runs_set(runs, run, cells);
}

const char *page_runs_text(const struct page_runs *runs, size_t run, size_t column)
{
    return runs->words[column].text[runs->cells[run][column]];
}

struct tidy page_runs_view(const struct page_runs *runs, const size_t *order)
{
    enum { FIRST_RUNS = 50 };
    static const unsigned columns[] = {COLUMN_set,      COLUMN_instance,  COLUMN_start,
                                       COLUMN_solver,   COLUMN_status,    COLUMN_length,
                                       COLUMN_expanded, COLUMN_generated, COLUMN_moves};
    const size_t count = sizeof columns / sizeof *columns;
    struct tidy table = {0};
    for (size_t i = 0; i < count; i++) {
        const struct column *column = &row_columns[columns[i]];
        tidy_column(&table, column->name, "", "");
        if (column->type != COLUMN_TYPE_INTEGER)
            tidy_shape(&table, SHAPE_TEXT);
    }
    for (size_t i = 0; i < runs->count && i < FIRST_RUNS; i++)
        for (size_t j = 0; j < count; j++) {
            const size_t run = order == NULL ? i : order[i];
            tidy_text(&table, page_runs_text(runs, run, columns[j]));
        }
    return table;
}

static void put_number(size_t column, const char *text, FILE *file)
{
    if (text[0] == '\0')
        fputs("null", file);
    else if (row_columns[column].type == COLUMN_TYPE_INTEGER)
        fprintf(file, "%" PRIu64, (uint64_t)strtoull(text, NULL, 10));
    else if (isfinite(cost_number(text)))
        fprintf(file, "%.12g", cost_number(text));
    else
        fputs("null", file);
}

/* Writes what each run has, or the one thing that all have. */
static void put_column(const struct page_runs *runs, const size_t *order, size_t column, FILE *file)
{
    const struct names *words = &runs->words[column];
    const char *between = "";
    SCOPED uint32_t *place =
        heap_take(words->count, sizeof *place); /* 1 + a word's number in the page */
    uint32_t placed = 0;
    fprintf(file, "{\"name\":\"%s\",\"%s\":[", row_columns[column].name,
            is_number(column) ? "numbers" : "words");
    for (size_t i = 0; i < runs->count; i++) {
        const uint32_t word = runs->cells[order == NULL ? i : order[i]][column];
        if (is_number(column) || place[word] == 0) {
            fputs(between, file);
            between = ",";
            if (is_number(column))
                put_number(column, words->text[word], file);
            else
                html_json(words->text[word], file);
        }
        if (place[word] == 0)
            place[word] = ++placed;
        if (is_number(column) && i == 0 && words->count == 1)
            break;
    }
    fputs("]", file);
    if (placed > 1 && placed < runs->count && !is_number(column)) {
        fputs(",\"at\":[", file);
        for (size_t i = 0; i < runs->count; i++)
            fprintf(file, "%s%" PRIu32, i == 0 ? "" : ",",
                    place[runs->cells[order == NULL ? i : order[i]][column]] - 1);
        fputs("]", file);
    }
    fputs("}", file);
}

static void put_columns(const struct page_data *data, FILE *file)
{
    const char *between = "";
    for (size_t i = 0; i < COLUMNS; i++) {
        if (is_left_out(i))
            continue;
        fputs(between, file);
        put_column(data->runs, data->order, i, file);
        between = ",\n";
    }
}

static void put_parameters(const struct results *results, size_t solver, FILE *file)
{
    json_auto_t *parameters = parameters_of(results, solver);
    const char *name;
    json_t *value;
    const char *between = "";
    fputs(",\"params\":{", file);
    json_object_foreach(parameters, name, value)
    {
        fputs(between, file);
        html_json(name, file);
        fprintf(file, ":%.12g", json_number_value(value));
        between = ",";
    }
    fputs("}", file);
}

/* Solvers look as they do in the figures. */
static void put_solvers(const struct page_data *data, FILE *file)
{
    SCOPED struct look *looks = heap_take(data->solver_count, sizeof *looks);
    looks_of((const char *const *)data->solvers, data->solver_count, looks);
    for (size_t i = 0; i < data->solver_count; i++) {
        fputs(i == 0 ? "{\"name\":" : ",\n{\"name\":", file);
        html_json(data->solvers[i], file);
        fputs(",\"shown\":", file);
        html_json(data->shown[i], file);
        fprintf(file, ",\"colour\":\"%s\",\"mark\":\"%s\",\"dashes\":\"%s\"", looks[i].colour,
                looks[i].mark, looks[i].dashes);
        if (data->read != NULL)
            put_parameters(data->read, i, file);
        fputs("}", file);
    }
}

/* Runs that are to be made again, and boards without a solution, say nothing of a solver. */
static void put_statuses(FILE *file)
{
    static const char *const truth[] = {"false", "true"};
    for (unsigned i = 0; i < STATUSES; i++)
        fprintf(file, "%s\"%s\":{\"meaning\":\"%s\",\"solved\":%s,\"counts\":%s}",
                i == 0 ? "" : ",\n", status_rows[i].name, status_rows[i].summary,
                truth[i == STATUS_solved], truth[status_rows[i].tried && i != STATUS_unsolvable]);
}

static void put_metrics(FILE *file)
{
    static const char *const truth[] = {"false", "true"};
    for (unsigned i = 0; i < metric_count(); i++) {
        SCOPED char *label = metric_label((enum metric)i);
        fprintf(file, "%s{\"name\":\"%s\",\"label\":", i == 0 ? "" : ",\n",
                metric_column((enum metric)i)->name);
        html_json(label, file); /* a program's unit may be anything */
        fprintf(file, ",\"whole\":%s,\"optional\":%s}", truth[metric_is_whole((enum metric)i)],
                truth[i < COUNTERS && counters[i].optional]);
    }
}

static void put_optimum(const struct known_instance *known, double optimum, FILE *file)
{
    if (known->unsolvable)
        fputs(",-1", file);
    else if (isnan(optimum))
        fputs(",null", file);
    else
        fprintf(file, ",%.17g", optimum);
}

/* A block's boards in the page: how many runs each has there, its optimum, and where the figure
 * "by optimal length" draws it (figures/by_length.c). How many boards these are. */
static size_t put_boards(const struct results *results, const struct block *block,
                         const size_t *runs, const char *between, FILE *file)
{
    size_t count = 0;
    const struct optimum_places places = optimum_places_of(results, block);
    for (size_t i = block->first; i < block->first + block->count; i++) {
        const struct known_instance *known = &results->known[i];
        if (runs[i] == 0)
            continue;
        fprintf(file, "%s%zu", count == 0 ? between : ",", runs[i]);
        put_optimum(known, known->model == block->model ? optimum_of(known) : NAN, file);
        put_optimum(known, optimum_place(&places, known), file);
        count++;
    }
    return count;
}

static void put_blocks(const struct results *results, const struct page_runs *page, FILE *file)
{
    SCOPED size_t *runs = heap_take(results->instances.count, sizeof *runs);
    SCOPED size_t *counts = heap_take(results->block_count, sizeof *counts);
    const char *between = "";
    for (size_t i = 0; i < page->count; i++)
        runs[results->runs[page_runs_of(page, i)].instance]++;
    fputs("\"boards\":[", file);
    for (size_t i = 0; i < results->block_count; i++) {
        counts[i] = put_boards(results, &results->blocks[i], runs, between, file);
        between = counts[i] > 0 ? "," : between;
    }
    fputs("],\n\"blocks\":[", file);
    between = "";
    for (size_t i = 0; i < results->block_count; i++) {
        const struct block *block = &results->blocks[i];
        if (counts[i] == 0)
            continue;
        fprintf(file, "%s{\"name\":", between);
        html_json(block->name, file);
        fprintf(file, ",\"count\":%zu,\"optimum\":\"%s\",\"word\":\"%s\"}", counts[i],
                optimum_name(block), solution_word(block));
        between = ",\n";
    }
    fputs("]", file);
}

static void put_report(const struct page_data *data, FILE *file)
{
    fprintf(file, "\"baseline\":%zu,\n\"metric\":\"%s\",\n\"metrics\":[", data->baseline,
            metric_column(data->metric)->name);
    put_metrics(file);
    fputs("],\n", file);
    put_blocks(data->read, data->runs, file);
    fputs(",\n\"searches\":", file);
    searches_write(data->runs, data->order, file);
    fputs(",\n", file);
}

struct message_writer {
    const struct page_runs *runs;
    const char *between;
    FILE *file;
};

/* A message of a row that was replaced, as its run was made again, is none of the run's row. */
static void put_message(void *context, const char *run_id, const char *finished_at,
                        const char *status, const char *message)
{
    struct message_writer *writer = context;
    const struct page_runs *runs = writer->runs;
    const size_t run = names_find(&runs->words[COLUMN_run_id], run_id);
    if (run == NAMES_NONE)
        return;
    if (run < runs->count && strcmp(page_runs_text(runs, run, COLUMN_run_id), run_id) == 0 &&
        (strcmp(page_runs_text(runs, run, COLUMN_finished_at), finished_at) != 0 ||
         strcmp(page_runs_text(runs, run, COLUMN_status), status) != 0))
        return;
    fputs(writer->between, writer->file);
    html_json(run_id, writer->file);
    fputc(':', writer->file);
    html_json(message, writer->file);
    writer->between = ",\n";
}

void page_data_write(const struct page_data *data, FILE *file)
{
    const char *between = "";
    fputs("{\"results\":", file);
    if (data->results == NULL)
        fputs("null", file);
    else
        html_json(data->results, file);
    fprintf(file, ",\n\"count\":%zu,\n", data->runs->count);
    if (data->read != NULL)
        put_report(data, file);
    fputs("\"solvers\":[", file);
    put_solvers(data, file);
    fputs("],\n\"statuses\":{", file);
    put_statuses(file);
    fputs("},\n\"unverified\":[", file);
    for (size_t i = 0; i < data->runs->count && data->unverified != NULL; i++) {
        if (!data->unverified[data->order == NULL ? i : data->order[i]])
            continue;
        fprintf(file, "%s%zu", between, i);
        between = ",";
    }
    fputs("],\n\"messages\":{", file); /* of two on one run, the later one counts */
    if (data->folder != NULL)
        messages_each(data->folder, put_message,
                      &(struct message_writer){.runs = data->runs, .between = "", .file = file});
    fputs("},\n\"columns\":[", file);
    put_columns(data, file);
    fputs("]}\n", file);
}

void page_runs_end(struct page_runs *runs)
{
    for (size_t i = 0; i < COLUMNS; i++)
        names_end(&runs->words[i]);
    FREE(runs->cells, runs->of);
    *runs = (struct page_runs){0};
}
