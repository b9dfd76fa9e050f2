/* tilelab solve: solves boards with one or more solvers and prints their counters. */
#include "algorithms/solver.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/execution/tables.h"
#include "harness/experiment/units.h"
#include "harness/judge/verdict.h"
#include "harness/report/page_report.h"
#include "harness/results/columns.h"
#include "harness/results/record.h"
#include "harness/show/trace.h"
#include "harness/show/tree.h"
#include "harness/text/progress.h"
#include "harness/text/screen.h"
#include "harness/text/tidy.h"
#include "instances/set.h"
#include "puzzle/goal.h"
#include "puzzle/moves.h"
#include "puzzle/replay.h"
#include "puzzle/text.h"
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_SOLVER "astar(manhattan)"
#define DEFAULT_MEMORY (UINT64_C(2) << 30)

enum { MAX_SOLVERS = 64, LIVE_SHOWN = 10, DRAWN = 100, MAX_DRAWN = 10000 };

struct arguments {
    const char *solvers[MAX_SOLVERS];
    unsigned solver_count;
    struct board_arguments wanted; /* of the board: its shape and goal */
    struct plugins plugins;
    const char *file;
    const char *summary; /* the file of five lines; NULL: none */
    char order[MOVES + 1];
    struct limits limits;
    bool boards;
    bool moves;
    bool json;
    bool html;
    bool trace;
    bool dot;
    bool svg;
    struct trace_wanted steps; /* of the trace */
    uint64_t draw;             /* nodes of a drawn tree */
    char *board;               /* owned: the arguments joined; NULL if there are none */
    char *named;               /* owned: the arguments joined, if they name a file */
};

/* The option that asks for a picture of one search, or NULL. */
static const char *picture_option(const struct arguments *arguments)
{
    return arguments->boards  ? "--boards"
           : arguments->trace ? "--trace"
           : arguments->dot   ? "--dot"
           : arguments->svg   ? "--svg"
                              : NULL;
}

/* Which of the things that are shown exclude each other. */
static void check_pictures(const struct parsing *parsing, const struct arguments *arguments)
{
    const char *picture = picture_option(arguments);
    const struct {
        bool given;
        const char *name;
    } others[] = {{arguments->trace, "--trace"},
                  {arguments->dot, "--dot"},
                  {arguments->svg, "--svg"},
                  {arguments->json && !arguments->trace, "--json"},
                  {arguments->moves, "--moves"}};
    if (picture != NULL && arguments->solver_count > 1)
        command_line_refuse(parsing, "%s shows one search; expected one solver", picture);
    for (size_t i = 0; picture != NULL && i < sizeof others / sizeof *others; i++)
        if (others[i].given && strcmp(others[i].name, picture) != 0)
            command_line_refuse(parsing, "%s and %s; expected one of them", picture,
                                others[i].name);
    if (arguments->html && (picture != NULL || arguments->json))
        command_line_refuse(parsing, "--html and %s; expected one of them",
                            picture != NULL ? picture : "--json");
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    const struct arguments *arguments = context;
    if (arguments->board != NULL && arguments->file != NULL)
        command_line_refuse(parsing, "a board in the arguments and --file; expected one of them");
    check_pictures(parsing, arguments);
    if (arguments->summary != NULL && arguments->solver_count > 1)
        command_line_refuse(parsing, "--summary is of one search; expected one solver");
    if (arguments->moves && arguments->solver_count > 1 && !arguments->json && !arguments->html)
        command_line_refuse(parsing, "--moves shows one search; expected one solver");
}

/* A word of the board, without the space of hide_minus_one. */
static void take_cell(const struct parsing *parsing, const struct command_option *option,
                      void *target, char *value)
{
    char **board = target;
    (void)parsing, (void)option;
    heap_append(board, "%s%s", *board == NULL ? "" : " ",
                strncmp(value, " -1", 3) == 0 ? value + 1 : value);
}

static void take_solver(const struct parsing *parsing, const struct command_option *option,
                        void *target, char *value)
{
    struct arguments *arguments = target;
    (void)option;
    if (arguments->solver_count == MAX_SOLVERS)
        command_line_refuse(parsing, "more than %d solvers", MAX_SOLVERS);
    arguments->solvers[arguments->solver_count++] = value;
}

static void take_order(const struct parsing *parsing, const struct command_option *option,
                       void *target, char *value)
{
    (void)option;
    if (!order_parse(value, target))
        command_line_refuse(
            parsing,
            "--order %s: expected the letters U, D, L, R in any order, such as " DEFAULT_ORDER,
            value);
}

/* Reads "A-B", "A" or "A-": steps from 1. */
static bool parse_steps(const char *text, struct trace_wanted *wanted)
{
    char *from = heap_text(text);
    char *to = strchr(from, '-');
    bool fine = true;
    if (to != NULL)
        *to++ = '\0';
    wanted->last = UINT64_MAX;
    fine = parse_count(from, &wanted->first) && wanted->first > 0;
    if (to == NULL)
        wanted->last = wanted->first;
    else if (*to != '\0')
        fine = fine && parse_count(to, &wanted->last) && wanted->last >= wanted->first;
    free(from);
    return fine;
}

static void take_steps(const struct parsing *parsing, const struct command_option *option,
                       void *target, char *value)
{
    (void)option;
    if (!parse_steps(value, target))
        command_line_refuse(parsing, "--steps %s: expected steps such as 1-5, 7 or 100-", value);
}

static void take_live(const struct parsing *parsing, const struct command_option *option,
                      void *target, char *value)
{
    if (strcmp(value, "all") == 0)
        *(uint64_t *)target = UINT64_MAX;
    else
        take_count(parsing, option, target, value);
}

static const struct command_option options[] = {
    {OPTION_OF_ALL("solver", 's', "SOLVER",
                   "ALGORITHM(HEURISTIC, option=value, ..), default " DEFAULT_SOLVER
                   "; more than one prints a table",
                   take_solver),
     .names = "@algorithms"},
    {OPTION("file", 'f', "FILE", "Read all boards of a file; - is standard input", take_text,
            file)},
    {OPTION("order", 0, "ORDER", "Operator order (default " DEFAULT_ORDER ")", take_order, order)},
    {OPTION("time", 0, "TIME",
            "Wall time for each solver, such as 60s or 500ms (default: no limit)", take_seconds,
            limits.seconds)},
    {OPTION("cpu", 0, "TIME",
            "Processor time for each solver, of all its threads (default: no limit)", take_seconds,
            limits.cpu_seconds)},
    {OPTION("nodes", 0, "N", "Generated nodes for each solver, such as 2M (default: no limit)",
            take_count, limits.nodes),
     .min = 1, .expected = "a number such as 500000 or 2M"},
    {OPTION("memory", 0, "BYTES", "Memory for each solver, such as 512MiB (default 2GiB)",
            take_bytes, limits.bytes)},
    {OPTION("summary", 0, "FILE",
            "Write five lines to FILE: the length of the solution (-1: none), nodes generated, "
            "nodes expanded, the maximum depth, and the time in milliseconds",
            take_text, summary)},
    {OPTION("boards", 0, NULL, "Print only the path as boards, each followed by an empty line",
            take_flag, boards)},
    {OPTION("moves", 0, NULL,
            "Print only the path as moves of the blank, however long; with --json, all moves",
            take_flag, moves)},
    {OPTION("json", 0, NULL,
            "Print an object with the columns of runs.csv; for more than one search, an array",
            take_flag, json)},
    {OPTION("html", 0, NULL,
            "Print a page on which the solutions can be played move by move; with --moves, however "
            "long",
            take_flag, html)},
    {OPTION("trace", 0, NULL,
            "Print every step: the node that is expanded, its children and what becomes of each, "
            "the live nodes in the order in which they will go; with --json, one object a line",
            take_flag, trace)},
    {OPTION("steps", 0, "A-B", "With --trace: only these steps, such as 1-5, 7 or 100-", take_steps,
            steps),
     .with = "--trace"},
    {OPTION("live", 0, "N", "With --trace: show N live nodes after each step, or all (default 10)",
            take_live, steps.live),
     .expected = "a number such as 20, or all", .with = "--trace"},
    {OPTION("dot", 0, NULL, "Print the explored tree for Graphviz", take_flag, dot)},
    {OPTION("svg", 0, NULL, "Print the explored tree as a drawing in SVG", take_flag, svg)},
    {OPTION("draw", 0, "N",
            "With --dot and --svg: draw the first N nodes that are generated (default 100)",
            take_count, draw),
     .min = 1, .max = MAX_DRAWN, .with = "--dot|--svg"},
    {OPTION(NULL, 0, "BOARD|FILE", "board", take_cell, board)},
    {OPTION_SIZE(wanted)},
    {OPTION_GOAL(wanted)},
    {OPTION_PDB_DIR},
    {OPTION_PLUGIN(plugins)},
    {0},
};

const struct command_line solve_line = {
    .options = options,
    .arguments = "[BOARD|FILE]",
    .help =
        "Solve a board, given as arguments, or all boards of a file or of standard input. More "
        "than one "
        "search prints a table.\v"
        "A board is its cells row by row: numbers, and 0, -1, _, x or . for the blank; on one line "
        "or as a grid; separated by spaces, commas, "
        "semicolons or brackets. A file holds any number of boards, or is a set in CSV with a "
        "column "
        "start (as tilelab generate writes).\n\n"
        "  tilelab solve 8 1 3 4 0 2 7 6 5\n"
        "  tilelab solve -s 'lcbb(misplaced)' -g '1 2 3 5 8 6 0 7 4' --boards 1 2 3 5 6 0 7 8 4\n"
        "  tilelab solve -s bfs -s 'astar(manhattan)' -s greedy\\(manhattan\\) '[8,1,3; 4,_,2; "
        "7,6,5]'",
    .check = check_arguments,
};

/* Solvers and boards, parsed and checked. */
struct job {
    struct solver solvers[MAX_SOLVERS];
    char *texts[MAX_SOLVERS]; /* owned */
    unsigned count;
    struct instance_list boards;
};

/* Reads the board in the arguments. */
static bool read_argument(const struct arguments *arguments, struct instance_list *boards,
                          struct report *report)
{
    struct board start;
    struct board goal;
    report->file = "board";
    if (!board_parse(arguments->board,
                     arguments->wanted.has_shape ? &arguments->wanted.shape : NULL, 1, 1, report,
                     &start))
        return false;
    report->file = "--goal";
    if (!goal_parse(arguments->wanted.goal, start.shape, 1, 1, report, &goal))
        return false;
    instance_add(boards, "", "", &start, &goal, LENGTH_UNKNOWN);
    return true;
}

/* Reads all boards of a file or of standard input. */
static bool read_file(const struct arguments *arguments, struct instance_list *boards,
                      struct report *report)
{
    const char *path = arguments->file == NULL ? "-" : arguments->file;
    report->file = strcmp(path, "-") == 0 ? "standard input" : path;
    if (arguments->file == NULL && isatty(STDIN_FILENO))
        fputs("tilelab: type the board, then Ctrl-D\n", stderr);
    char *text = file_read_typed(path, NULL, report);
    const bool fine =
        text != NULL &&
        set_parse(text, "", arguments->wanted.has_shape ? &arguments->wanted.shape : NULL,
                  arguments->wanted.goal, report, boards);
    free(text);
    return fine;
}

static bool check_boards(const struct arguments *arguments, struct job *job, struct report *report)
{
    const size_t count = job->boards.count;
    const char *picture = arguments->summary != NULL ? "--summary" : picture_option(arguments);
    if (count > 1 && picture != NULL) {
        report_add(report, job->boards.items[1].line, 1,
                   "a second board begins here; %s shows one search", picture);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct instance *board = &job->boards.items[i];
        report->file = "--solver";
        for (unsigned s = 0; s < arguments->solver_count; s++)
            if (!solver_defined(&job->solvers[s], &board->start, &board->goal, report))
                return false;
        if (!board_connected(&board->start, &board->goal))
            screen_say(stderr,
                       "tilelab: %s%s%s: unsolvable for this goal: the parity is wrong; exchanging "
                       "any two tiles makes it solvable\n",
                       arguments->file == NULL ? "the board" : arguments->file,
                       count > 1 ? ": " : "", count > 1 ? board->name : "");
    }
    return true;
}

static bool read_job(const struct arguments *arguments, struct job *job, struct report *report)
{
    bool fine = true;
    report_start(report, "--solver");
    for (unsigned i = 0; i < arguments->solver_count; i++) {
        const char *text = arguments->solvers[i];
        const bool external = strcmp(text, "external") == 0 || strncmp(text, "external(", 9) == 0;
        if (external)
            report_add(report, 1, 1,
                       "%s is no built-in solver; expected one, as programs of one's own run in "
                       "experiments: {command: [python3, mine.py]}",
                       text);
        fine = !external && solver_parse(text, 1, 1, report, &job->solvers[i]) && fine;
    }
    if (!fine ||
        !(arguments->board != NULL ? read_argument : read_file)(arguments, &job->boards, report) ||
        !check_boards(arguments, job, report))
        return false;
    job->count = arguments->solver_count;
    for (unsigned i = 0; i < job->count; i++)
        job->texts[i] = solver_text(&job->solvers[i]);
    return true;
}

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
    char *line =
        heap_format("%s: depth %lu, %.1f million nodes, %.1f million a second, %lu:%02lu",
                    show->algorithm, (unsigned long)statistics->max_depth, millions,
                    millions / seconds, (unsigned long)seconds / 60, (unsigned long)seconds % 60);
    progress_line(&show->progress, line);
    free(line);
}

static void print_board(const struct board *board)
{
    for (unsigned i = 0; i < board->shape.cells; i++)
        printf("%u%s", board->cell[i], (i + 1) % board->shape.width == 0 ? "\n" : " ");
    putchar('\n');
}

/* Prints the path as boards: replays it one move at a time. */
static void print_boards(const struct instance *instance, const struct result *result)
{
    struct board board = instance->start;
    print_board(&board);
    for (size_t i = 0; i < result->length; i++) {
        board = replay_path(&board, &instance->goal, result->moves + i, 1).last;
        print_board(&board);
    }
}

static struct run make_run(const struct arguments *arguments, const struct job *job,
                           const struct instance *board, unsigned solver)
{
    struct run run = {.experiment = "",
                      .instance = board,
                      .solver = &job->solvers[solver],
                      .solver_text = job->texts[solver],
                      .order = solver_order(&job->solvers[solver], arguments->order),
                      .repetition = 1,
                      .limits = arguments->limits};
    record_run_id(&run);
    return run;
}

/* Prints the cells that describe the search, one `name: value` per line. */
static void print_lines(const struct record *record, bool all_moves)
{
    char **cells = record_cells(record, all_moves);
    for (size_t i = 0; i < COLUMNS; i++) {
        const bool answer = i >= COLUMN_status && i < COLUMN_host;
        if (i == COLUMN_solver || ((answer || i == COLUMN_extra) && cells[i][0] != '\0'))
            printf("%s: %s\n", row_columns[i].name, cells[i]);
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
    static const struct {
        const char *name, *unit;
        enum tidy_shape shape;
        unsigned rank; /* which columns a narrow terminal leaves out first */
    } columns[] = {
        {"board", "", SHAPE_TEXT, 0},
        {"solver", "", SHAPE_TEXT, 0},
        {"status", "", SHAPE_TEXT, 0},
        {"length", "", SHAPE_FULL, 0},
        {"expanded", "", SHAPE_FULL, 0},
        {"generated", "", SHAPE_FULL, 2},
        {"duplicates", "", SHAPE_FULL, 4},
        {"max stored", "", SHAPE_FULL, 3},
        {"peak memory", "bytes", SHAPE_NUMBER, 5},
        {"time", "s", SHAPE_NUMBER, 1},
    };
    for (size_t i = several_boards ? 0 : 1; i < sizeof columns / sizeof *columns; i++) {
        tidy_column_as(table, columns[i].name, columns[i].unit, columns[i].shape);
        tidy_rank(table, columns[i].rank);
    }
}

static void add_table_row(struct tidy *table, const char *board, const char *solver,
                          const struct result *result)
{
    const struct statistics *statistics = &result->statistics;
    if (board != NULL)
        tidy_text(table, board);
    tidy_text(table, solver);
    tidy_text(table, status_rows[result->status].name);
    tidy_number(table, result->status == STATUS_solved ? (double)result->length : NAN);
    tidy_number(table, (double)statistics->expanded);
    tidy_number(table, (double)statistics->generated);
    tidy_number(table, (double)statistics->duplicates);
    tidy_number(table, (double)statistics->max_stored);
    tidy_number(table, (double)statistics->peak_bytes);
    tidy_number(table, result->wall_seconds);
}

static void print_one(const struct arguments *arguments, const struct record *record)
{
    const struct result *result = record->result;
    const bool solved = result->status == STATUS_solved;
    if ((arguments->boards || arguments->moves) && !solved)
        screen_say(stderr, "tilelab: %s: %s\n", status_rows[result->status].name,
                   status_rows[result->status].summary);
    else if (arguments->boards)
        print_boards(record->run->instance, result);
    else if (arguments->moves)
        printf("%s\n", result->moves);
    else
        print_lines(record, false);
}

/* The output of the searches. */
struct answers {
    struct tidy table;
    json_t *array;
    struct page_runs runs;
    char host[256];
    bool tabled; /* more than one search, printed as a table */
    int code;
};

static void run_plain(const struct arguments *arguments, const struct job *job, unsigned solver,
                      const struct task *task, struct result *result)
{
    struct show show = {.algorithm = job->solvers[solver].algorithm->name};
    progress_start(&show.progress, NULL, 0, 0, false);
    const struct observer observer = {.watch = show.progress.terminal ? show_progress : NULL,
                                      .context = &show};
    solver_run(&job->solvers[solver], task, &arguments->limits, &observer, result);
    progress_clear(&show.progress);
}

/* The search ends when its trace cannot be written any more. */
static void run_traced(const struct arguments *arguments, const struct job *job, unsigned solver,
                       const struct task *task, struct result *result)
{
    volatile sig_atomic_t stop = 0;
    struct limits limits = arguments->limits;
    struct trace_wanted wanted = arguments->steps;
    wanted.json = arguments->json;
    limits.interrupted = &stop;
    struct trace *trace = trace_start(&wanted, &job->solvers[solver], stdout, &stop);
    const struct observer observer = {.sees = trace_sees, .context = trace};
    solver_run(&job->solvers[solver], task, &limits, &observer, result);
    trace_end(trace);
}

static void run_drawn(const struct arguments *arguments, const struct job *job, unsigned solver,
                      const struct task *task, struct result *result)
{
    struct tree *tree =
        tree_start(arguments->draw, job->texts[solver], job->solvers[solver].algorithm->informed);
    const struct observer observer = {.sees = tree_sees, .context = tree};
    solver_run(&job->solvers[solver], task, &arguments->limits, &observer, result);
    (arguments->dot ? tree_write_dot : tree_write_svg)(tree, result, stdout);
    tree_end(tree);
}

/* The last line of a trace in JSON: the columns of runs.csv. */
static void print_trace_result(const struct record *record, bool all_moves)
{
    json_t *object = json_object();
    json_t *columns = json_record(record, all_moves);
    json_object_set_new(object, "event", json_string("result"));
    json_object_update(object, columns);
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(15));
    putchar('\n');
    json_decref(columns);
    json_decref(object);
}

static void keep_run(struct page_runs *runs, const struct record *record, bool all_moves)
{
    char **cells = record_cells(record, all_moves);
    page_runs_set(runs, runs->count, (const char *const *)cells);
    cells_end(cells);
}

/* Writes the file of five lines that courses ask for. */
static bool write_summary(const char *path, const struct result *result)
{
    const struct statistics *statistics = &result->statistics;
    char *length =
        result->status == STATUS_solved ? heap_format("%zu", result->length) : heap_text("-1");
    char *text = heap_format("%s\n%" PRIu64 "\n%" PRIu64 "\n%" PRIu64 "\n%.3f\n", length,
                             statistics->generated, statistics->expanded, statistics->max_depth,
                             result->wall_seconds * 1000);
    const bool fine = file_write_typed(path, text, strlen(text));
    if (!fine)
        screen_say(stderr, "tilelab: %s cannot be written: %s\n", path, strerror(errno));
    free(text);
    free(length);
    return fine;
}

static void solve_one(const struct arguments *arguments, const struct job *job,
                      const struct instance *board, unsigned solver, struct answers *answers)
{
    const struct task task = {board->start, board->goal, arguments->order};
    struct result result;
    char time[32];
    (arguments->trace                   ? run_traced
     : arguments->dot || arguments->svg ? run_drawn
                                        : run_plain)(arguments, job, solver, &task, &result);
    const struct run run = make_run(arguments, job, board, solver);
    char *why = verify_result(&run, &result);
    if (why != NULL)
        screen_say(stderr, "tilelab: wrong answer: %s: %s\n", job->texts[solver], why);
    free(why);
    record_time(time);
    const struct record record = {
        .run = &run, .result = &result, .host = answers->host, .finished_at = time};
    if (arguments->dot || arguments->svg)
        ; /* drawn already */
    else if (arguments->html)
        keep_run(&answers->runs, &record, arguments->moves);
    else if (arguments->trace && arguments->json)
        print_trace_result(&record, arguments->moves);
    else if (arguments->json)
        json_array_append_new(answers->array, json_record(&record, arguments->moves));
    else if (answers->tabled)
        add_table_row(&answers->table, job->boards.count > 1 ? board->name : NULL,
                      job->texts[solver], &result);
    else if (arguments->moves && job->boards.count > 1)
        printf("%s\n", result.status == STATUS_solved ? result.moves : "");
    else
        print_one(arguments, &record);
    if (status_rows[result.status].exit_code != EXIT_DONE)
        answers->code = status_rows[result.status].exit_code;
    if (arguments->summary != NULL && !write_summary(arguments->summary, &result))
        answers->code = EXIT_FAILED;
    result_end(&result);
}

/* The page is named after its board, or after its file. */
static void print_page(const struct arguments *arguments, const struct job *job,
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
    page_solve_write(job->boards.count > 1 && arguments->file != NULL ? arguments->file : title,
                     &data, stdout);
}

static int solve(const struct arguments *arguments, const struct job *job)
{
    const bool several = job->boards.count * job->count > 1;
    struct answers answers = {
        .array = json_array(), .tabled = several && !arguments->moves, .code = EXIT_DONE};
    gethostname(answers.host, sizeof answers.host - 1);
    start_table(&answers.table, job->boards.count > 1);
    for (size_t i = 0; i < job->boards.count; i++)
        for (unsigned solver = 0; solver < job->count; solver++)
            solve_one(arguments, job, &job->boards.items[i], solver, &answers);
    if (arguments->html) {
        print_page(arguments, job, &answers.runs);
    } else if (arguments->json && !arguments->trace) {
        json_dumpf(several ? answers.array : json_array_get(answers.array, 0), stdout,
                   JSON_INDENT(4) | JSON_REAL_PRECISION(15));
        putchar('\n');
    } else if (answers.tabled) {
        tidy_print(&answers.table, stdout);
    }
    tidy_end(&answers.table);
    json_decref(answers.array);
    page_runs_end(&answers.runs);
    return finish_output(answers.code);
}

static void find_file(struct arguments *arguments)
{
    if (arguments->board == NULL || arguments->file != NULL || !text_names_file(arguments->board))
        return;
    arguments->file = arguments->named = arguments->board;
    arguments->board = NULL;
}

int command_solve(int argc, char **argv)
{
    struct arguments arguments = {.wanted = board_arguments_start(MAX_CELLS),
                                  .order = DEFAULT_ORDER,
                                  .limits = {.bytes = DEFAULT_MEMORY},
                                  .steps = {.first = 1, .last = UINT64_MAX, .live = LIVE_SHOWN},
                                  .draw = DRAWN};
    struct job *job = heap_take(1, sizeof *job);
    struct report report;
    hide_minus_one(argc, argv);
    command_line_parse(&solve_line, argc, argv, &arguments);
    if (arguments.solver_count == 0)
        arguments.solvers[arguments.solver_count++] = DEFAULT_SOLVER;
    find_file(&arguments);
    int code = EXIT_USAGE;
    if (read_job(&arguments, job, &report)) {
        code = EXIT_DONE;
        for (unsigned i = 0; i < job->count && code == EXIT_DONE; i++)
            for (size_t b = 0; b < job->boards.count && code == EXIT_DONE; b++)
                code =
                    exit_code_of(tables_build_for(&job->solvers[i], &job->boards.items[b], false));
        code = code == EXIT_DONE ? solve(&arguments, job) : code;
    } else {
        fputs(report.text, stderr);
    }
    for (unsigned i = 0; i < job->count; i++)
        free(job->texts[i]);
    instance_list_end(&job->boards);
    free(job);
    plugins_end(&arguments.plugins);
    free(arguments.board);
    free(arguments.named);
    report_end(&report);
    return code;
}
