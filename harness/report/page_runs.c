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
        tidy_column_as(&table, column->name, "",
                       column->type == COLUMN_TYPE_INTEGER ? SHAPE_NUMBER : SHAPE_TEXT);
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

/* A number in digits of base 90: the letters from '#' to '~' but '<' and '\\', so that text in
 * JSON and HTML has one byte for each. */
enum { DIGITS = 90 };

static void put_digits(uint32_t number, unsigned digits, FILE *file)
{
    uint32_t power = 1;
    for (unsigned i = 1; i < digits; i++)
        power *= DIGITS;
    for (; power > 0; power /= DIGITS) {
        int letter = '#' + (int)(number / power % DIGITS);
        letter += letter >= '<';
        letter += letter >= '\\';
        fputc(letter, file);
    }
}

static size_t placed_run(const size_t *order, size_t place)
{
    return order == NULL ? place : order[place];
}

/* By run, the number of its value among `placed` of them, as "at". */
static void put_at(const struct page_runs *runs, const size_t *order, size_t column,
                   const uint32_t *place, uint32_t placed, FILE *file)
{
    unsigned digits = 1;
    for (uint32_t rest = placed - 1; rest >= DIGITS; rest /= DIGITS)
        digits++;
    fputs(",\"at\":\"", file);
    for (size_t i = 0; i < runs->count; i++)
        put_digits(place[runs->cells[placed_run(order, i)][column]] - 1, digits, file);
    fputs("\"", file);
}

/* Writes each value once, and which of them each run has. Of numbers that hardly two runs share
 * each run has its own. */
static void put_column(const struct page_runs *runs, const size_t *order, size_t column, FILE *file)
{
    const struct names *words = &runs->words[column];
    const bool own = is_number(column) && words->count > runs->count / 2 && words->count > 1;
    const char *between = "";
    SCOPED uint32_t *place =
        heap_take(words->count, sizeof *place); /* 1 + a value's number in the page */
    uint32_t placed = 0;
    fprintf(file, "\"%s\":[", is_number(column) ? "numbers" : "words");
    for (size_t i = 0; i < runs->count; i++) {
        const uint32_t word = runs->cells[placed_run(order, i)][column];
        if (place[word] != 0 && !own)
            continue;
        fputs(between, file);
        between = ",";
        if (is_number(column))
            put_number(column, words->text[word], file);
        else
            html_json(words->text[word], file);
        place[word] = ++placed;
    }
    fputs("]", file);
    if (placed > 1 && placed < runs->count)
        put_at(runs, order, column, place, placed, file);
}

enum { PART_OF_ID = 8, PARTS_OF_ID = 4, DIGITS_OF_PART = 5 };

/* Whether all run-IDs are as run makes them: 32 digits of base 16. */
static bool has_hex_ids(const struct page_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        const char *id = page_runs_text(runs, i, COLUMN_run_id);
        if (strlen(id) != PART_OF_ID * PARTS_OF_ID || strspn(id, "0123456789abcdef") != strlen(id))
            return false;
    }
    return true;
}

/* Each eight digits of base 16 of a run-ID are five of base 90. */
static void put_ids(const struct page_runs *runs, const size_t *order, FILE *file)
{
    fputs("\"ids\":\"", file);
    for (size_t i = 0; i < runs->count; i++) {
        const char *id = page_runs_text(runs, placed_run(order, i), COLUMN_run_id);
        for (size_t part = 0; part < PARTS_OF_ID; part++) {
            char digits[PART_OF_ID + 1] = "";
            memcpy(digits, id + part * PART_OF_ID, PART_OF_ID);
            put_digits((uint32_t)strtoul(digits, NULL, 16), DIGITS_OF_PART, file);
        }
    }
    fputs("\"", file);
}

static void put_columns(const struct page_data *data, FILE *file)
{
    const char *between = "";
    for (size_t i = 0; i < COLUMNS; i++) {
        if (is_left_out(i))
            continue;
        fputs(between, file);
        fprintf(file, "{\"name\":\"%s\",", row_columns[i].name);
        if (i == COLUMN_run_id && has_hex_ids(data->runs))
            put_ids(data->runs, data->order, file);
        else
            put_column(data->runs, data->order, i, file);
        fputs("}", file);
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
    fputs("},\n\"unverified\":\"", file);
    for (size_t i = 0; i < data->runs->count && data->unverified != NULL; i++)
        fputc(data->unverified[placed_run(data->order, i)] ? '1' : '0', file);
    fputs("\",\n\"messages\":{", file); /* of two on one run, the later one counts */
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
