#include "harness/show/answers.h"
#include "base/heap.h"
#include "harness/judge/verdict.h"
#include "harness/report/page_report.h"
#include "harness/results/record.h"
#include "harness/show/tree.h"
#include "harness/text/filter.h"
#include "harness/text/progress.h"
#include "harness/text/screen.h"
#include "puzzle/replay.h"
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

/* What is shown of a search while it runs. */
struct show {
    const char *algorithm;
    struct progress progress;
};

static void show_progress(void *context, const struct statistics *statistics)
{
    struct show *show = context;
    if (!progress_due(&show->progress))
        return;
    const double seconds = clock_wall() - show->progress.started;
    const double millions = (double)statistics->generated / 1e6;
    SCOPED char *line =
        heap_format("%s: depth %lu, %.1f million nodes, %.1f million a second, %lu:%02lu",
                    show->algorithm, (unsigned long)statistics->max_depth, millions,
                    millions / seconds, (unsigned long)seconds / 60, (unsigned long)seconds % 60);
    progress_line(&show->progress, line);
}

static void print_board(const struct board *board, FILE *file)
{
    for (unsigned i = 0; i < board->shape.cells; i++)
        fprintf(file, "%u%s", board->cell[i], (i + 1) % board->shape.width == 0 ? "\n" : " ");
    putc('\n', file);
}

/* Prints the path as boards: replays it one move at a time. */
static void print_boards(const struct instance *instance, const struct result *result, FILE *file)
{
    struct board board = instance->start;
    print_board(&board, file);
    for (size_t i = 0; i < result->length; i++) {
        board = replay_path(&board, &instance->goal, result->moves + i, 1).last;
        print_board(&board, file);
    }
}

static struct run make_run(const struct answers_asked *asked, const struct job *job,
                           const struct instance *board, unsigned solver)
{
    struct run run = {.experiment = "",
                      .instance = board,
                      .solver = &job->solvers[solver],
                      .solver_text = job->texts[solver],
                      .order = solver_order(&job->solvers[solver], asked->order),
                      .repetition = 1,
                      .limits = asked->limits};
    record_run_id(&run);
    return run;
}

/* Prints the cells that describe the search, one `name: value` per line. */
static void print_lines(const struct record *record, FILE *file)
{
    char **cells = record_cells(record, false);
    for (size_t i = 0; i < COLUMNS; i++) {
        const bool answer = i >= COLUMN_status && i < COLUMN_host;
        const bool priced = record->run->instance->cost != COST_unit && i >= COLUMN_cost_model &&
                            i <= COLUMN_optimal_cost;
        const bool shown = answer || priced || i == COLUMN_extra || i == COLUMN_solutions;
        if (i == COLUMN_solver || (shown && cells[i][0] != '\0'))
            fprintf(file, "%s: %s\n", row_columns[i].name, cells[i]);
    }
    cells_end(cells);
}

/* A cell in the JSON type of its column; an empty one is null, or "" if that is a value. */
static json_t *json_cell(size_t column, const char *text)
{
    if (text[0] == '\0')
        return column == COLUMN_moves || column == COLUMN_options ? json_string("") : json_null();
    switch (row_columns[column].type) {
    case COLUMN_TYPE_INTEGER:
        return json_integer(strtoll(text, NULL, 10));
    case COLUMN_TYPE_NUMBER:
        return json_real(strtod(text, NULL));
    case COLUMN_TYPE_JSON:
        return json_loads(text, 0, NULL);
    default:
        return json_string(text);
    }
}

static json_t *json_record(const struct record *record, bool all_moves)
{
    char **cells = record_cells(record, all_moves);
    json_t *object = json_object();
    for (size_t i = 0; i < COLUMNS; i++)
        json_object_set_new(object, row_columns[i].name, json_cell(i, cells[i]));
    cells_end(cells);
    return object;
}

static void start_table(struct tidy *table, bool several_boards)
{
    if (several_boards)
        tidy_heads(table, "board:t");
    tidy_heads(table, "solver:t|status:t|length:f|expanded:f|generated:f^2|duplicates:f^4|"
                      "max stored:f^3|peak memory[bytes]:^5|time[s]:^1");
}

static void add_table_row(struct tidy *table, const char *board, const char *solver,
                          const struct algorithm *algorithm, const struct result *result)
{
    const struct statistics *statistics = &result->statistics;
    /* What a plugin does not count is 0 (record.c). */
    const double unknown = algorithm_plugin_of(algorithm) != NULL ? NAN : 0;
    if (board != NULL)
        tidy_text(table, board);
    tidy_add(table, "%s %s %g %g %g %g %g %g %g", solver, status_rows[result->status].name,
             result->status == STATUS_solved ? (double)result->length : NAN,
             (double)statistics->expanded, (double)statistics->generated,
             statistics->duplicates == 0 ? unknown : (double)statistics->duplicates,
             statistics->max_stored == 0 ? unknown : (double)statistics->max_stored,
             (double)statistics->peak_bytes, result->wall_seconds);
}

static void print_one(const struct answers_asked *asked, const struct record *record)
{
    const struct result *result = record->result;
    const bool solved = result->status == STATUS_solved;
    const bool own = asked->sheet != SHEETS;
    if (own && sheet_write(asked->sheet, record->run->instance, result, asked->file))
        return;
    if ((asked->boards || asked->moves || own) && !solved)
        screen_say(asked->messages, "tilelab: %s: %s\n", status_rows[result->status].name,
                   status_rows[result->status].summary);
    else if (asked->boards)
        print_boards(record->run->instance, result, asked->file);
    else if (asked->moves)
        fprintf(asked->file, "%s\n", result->moves);
    else
        print_lines(record, asked->file);
}

/* The output of the searches. */
struct answers {
    struct tidy table;
    json_t *array;
    struct page_runs runs;
    char host[256];
    bool tabled; /* more than one search, printed as a table */
    int *code;
    bool written;
};

static void run_plain(const struct answers_asked *asked, const struct job *job, unsigned solver,
                      const struct task *task, struct result *result)
{
    struct show show = {.algorithm = job->solvers[solver].algorithm->name};
    progress_start(&show.progress, NULL, 0, 0, false);
    struct observer observer = {.watch = show.progress.terminal ? show_progress : NULL,
                                .context = &show};
    if (asked->sheet != SHEETS && sheet_rows[asked->sheet].expands != NULL)
        observer =
            (struct observer){.expands = sheet_rows[asked->sheet].expands, .context = asked->file};
    const struct move_costs costs = costs_make((enum cost_model)asked->cost, task->start.shape);
    solver_run_priced(&job->solvers[solver], task, asked->cost == COST_unit ? NULL : &costs,
                      &asked->limits, &observer, result);
    progress_clear(&show.progress);
}

/* The search ends when its trace cannot be written any more. */
static void run_traced(const struct answers_asked *asked, const struct job *job, unsigned solver,
                       const struct task *task, struct result *result)
{
    volatile sig_atomic_t stop = 0;
    struct limits limits = asked->limits;
    struct trace_wanted wanted = asked->steps;
    wanted.json = asked->json;
    limits.interrupted = &stop;
    struct trace *trace = trace_start(&wanted, &job->solvers[solver], asked->file, &stop);
    const struct observer observer = {.sees = trace_sees, .context = trace};
    solver_run(&job->solvers[solver], task, &limits, &observer, result);
    trace_end(trace);
}

/* Writes a file that was asked for by name. */
static bool write_file(const struct answers_asked *asked, const char *path, const char *text,
                       size_t length)
{
    const bool written = file_write_typed(path, text, length);
    if (!written)
        screen_say(asked->messages, "tilelab: %s cannot be written: %s\n", path, strerror(errno));
    return written;
}

/* Writes a tree to its file, as Graphviz draws it if that is wanted. */
static bool write_tree(const struct answers_asked *asked, const char *text, size_t length)
{
    if (asked->tree_format == NULL)
        return write_file(asked, asked->tree, text, length);
    SCOPED char *format = heap_format("-T%s", asked->tree_format);
    char dot[] = "dot";
    char *const words[] = {dot, format, NULL};
    SCOPED char *picture = NULL;
    size_t bytes;
    const int status = filter_run(words, text, length, &picture, &bytes);
    if (status < 0)
        screen_say(asked->messages,
                   "tilelab: dot, which draws %s, cannot be started: %s; install Graphviz (Debian: "
                   "graphviz), or write to a file .svg\n",
                   asked->tree, strerror(errno));
    else if (status != 0)
        fputs("tilelab: dot could not draw the tree; its messages are above\n", asked->messages);
    return status == 0 && write_file(asked, asked->tree, picture, bytes);
}

static bool run_drawn(const struct answers_asked *asked, const struct job *job, unsigned solver,
                      const struct task *task, struct result *result)
{
    struct tree *tree =
        tree_start(asked->draw, job->texts[solver], job->solvers[solver].algorithm->informed);
    const struct observer observer = {.sees = tree_sees, .context = tree};
    solver_run(&job->solvers[solver], task, &asked->limits, &observer, result);
    SCOPED char *text =
        WRITTEN(file, (asked->dot ? tree_write_dot : tree_write_svg)(tree, result, file));
    tree_end(tree);
    if (asked->tree == NULL)
        fputs(text, asked->file);
    return asked->tree == NULL || write_tree(asked, text, strlen(text));
}

/* The last line of a trace in JSON: the columns of runs.csv. */
static void print_trace_result(const struct answers_asked *asked, const struct record *record)
{
    json_auto_t *object = json_object();
    json_auto_t *columns = json_record(record, asked->moves);
    json_object_set_new(object, "event", json_string("result"));
    json_object_update(object, columns);
    json_dumpf(object, asked->file, JSON_COMPACT | JSON_REAL_PRECISION(15));
    putc('\n', asked->file);
}

static void keep_run(struct page_runs *runs, const struct record *record, bool all_moves)
{
    char **cells = record_cells(record, all_moves);
    page_runs_set(runs, runs->count, (const char *const *)cells);
    cells_end(cells);
}

/* Writes the file of five lines that courses ask for. */
static bool write_summary(const struct answers_asked *asked, const struct result *result)
{
    const struct statistics *statistics = &result->statistics;
    SCOPED char *length =
        result->status == STATUS_solved ? heap_format("%zu", result->length) : heap_text("-1");
    SCOPED char *text = heap_format("%s\n%" PRIu64 "\n%" PRIu64 "\n%" PRIu64 "\n%.3f\n", length,
                                    statistics->generated, statistics->expanded,
                                    statistics->max_depth, result->wall_seconds * 1000);
    return write_file(asked, asked->summary, text, strlen(text));
}

static void solve_one(const struct answers_asked *asked, const struct job *job,
                      const struct instance *board, unsigned solver, struct answers *answers)
{
    const struct task task = {board->start, board->goal, asked->order};
    SCOPED_BY(result_end) struct result result;
    char time[32];
    const bool drawn = asked->dot || asked->svg;
    if (drawn)
        answers->written = run_drawn(asked, job, solver, &task, &result) && answers->written;
    else
        (asked->trace ? run_traced : run_plain)(asked, job, solver, &task, &result);
    const struct run run = make_run(asked, job, board, solver);
    SCOPED char *why = verify_result(&run, &result);
    if (why != NULL)
        screen_say(asked->messages, "tilelab: wrong answer: %s: %s\n", job->texts[solver], why);
    record_time(time);
    const struct record record = {
        .run = &run, .result = &result, .host = answers->host, .finished_at = time};
    if (drawn && asked->tree == NULL)
        ; /* in place of the answer */
    else if (asked->html)
        keep_run(&answers->runs, &record, asked->moves);
    else if (asked->trace && asked->json)
        print_trace_result(asked, &record);
    else if (asked->json)
        json_array_append_new(answers->array, json_record(&record, asked->moves));
    else if (answers->tabled)
        add_table_row(&answers->table, job->boards.count > 1 ? board->name : NULL,
                      job->texts[solver], job->solvers[solver].algorithm, &result);
    else if (asked->moves && job->boards.count > 1)
        fprintf(asked->file, "%s\n", result.status == STATUS_solved ? result.moves : "");
    else
        print_one(asked, &record);
    if (status_rows[result.status].exit_code != 0)
        *answers->code = status_rows[result.status].exit_code;
    if (asked->summary != NULL && !write_summary(asked, &result))
        answers->written = false;
}

/* The page is named after its board, or after its file. */
static void print_page(const struct answers_asked *asked, const struct job *job,
                       const struct page_runs *runs)
{
    char title[BOARD_LINE] = "boards";
    const char *shown[MAX_SOLVERS];
    for (unsigned i = 0; i < job->count; i++)
        shown[i] = job->texts[i];
    const struct page_data data = {
        .solvers = job->texts, .shown = shown, .solver_count = job->count, .runs = runs};
    if (job->boards.count == 1)
        board_line(&job->boards.items[0].start, title);
    page_solve_write(job->boards.count > 1 && asked->name != NULL ? asked->name : title, &data,
                     asked->file);
}

bool answers_give(const struct answers_asked *asked, const struct job *job, int *code)
{
    const bool several = job->boards.count * job->count > 1;
    struct answers answers = {
        .array = json_array(), .tabled = several && !asked->moves, .code = code, .written = true};
    gethostname(answers.host, sizeof answers.host - 1);
    start_table(&answers.table, job->boards.count > 1);
    for (size_t i = 0; i < job->boards.count; i++)
        for (unsigned solver = 0; solver < job->count; solver++)
            solve_one(asked, job, &job->boards.items[i], solver, &answers);
    if (asked->html) {
        print_page(asked, job, &answers.runs);
    } else if (asked->json && !asked->trace) {
        json_dumpf(several ? answers.array : json_array_get(answers.array, 0), asked->file,
                   JSON_INDENT(4) | JSON_REAL_PRECISION(15));
        putc('\n', asked->file);
    } else if (answers.tabled) {
        tidy_print(&answers.table, asked->file);
    }
    tidy_end(&answers.table);
    json_decref(answers.array);
    page_runs_end(&answers.runs);
    return answers.written;
}
