/* tilelab solve: solves boards with one or more solvers and prints their counters. */
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/execution/tables.h"
#include "harness/experiment/units.h"
#include "harness/show/answers.h"
#include "harness/text/screen.h"
#include "help_texts.h"
#include "instances/set.h"
#include "puzzle/text.h"
#include <unistd.h>

#define DEFAULT_SOLVER "astar(manhattan)"
#define DEFAULT_MEMORY (UINT64_C(2) << 30)

enum { LIVE_SHOWN = 10, DRAWN = 100, MAX_DRAWN = 10000 };

struct arguments {
    const char *solvers[MAX_SOLVERS];
    unsigned solver_count;
    struct board_arguments wanted; /* of the board: its shape and goal */
    struct plugins plugins;
    const char *file;
    struct answers_asked shown;
    char *board; /* owned: the arguments joined; NULL if there are none */
    char *named; /* owned: the arguments joined, if they name a file */
};

/* The option that asks for a picture of one search, or NULL. */
static const char *picture_option(const struct arguments *arguments)
{
    return arguments->shown.boards            ? "--boards"
           : arguments->shown.trace           ? "--trace"
           : arguments->shown.sheet != SHEETS ? "--format"
           : arguments->shown.tree != NULL    ? "--output"
           : arguments->shown.dot             ? "--dot"
           : arguments->shown.svg             ? "--svg"
                                              : NULL;
}

/* Which of the things that are shown exclude each other. */
static void check_pictures(const struct parsing *parsing, const struct arguments *arguments)
{
    const char *picture = picture_option(arguments);
    const struct {
        bool given;
        const char *name;
    } others[] = {{arguments->shown.trace, "--trace"},
                  {arguments->shown.sheet != SHEETS, "--format"},
                  {option_given(parsing, "dot"), "--dot"},
                  {option_given(parsing, "svg"), "--svg"},
                  {arguments->shown.tree != NULL, "--output"},
                  {arguments->shown.json && !arguments->shown.trace, "--json"},
                  {arguments->shown.moves, "--moves"}};
    if (picture != NULL && arguments->solver_count > 1)
        command_line_refuse(parsing, "%s shows one search; expected one solver", picture);
    for (size_t i = 0; picture != NULL && i < sizeof others / sizeof *others; i++)
        if (others[i].given && strcmp(others[i].name, picture) != 0)
            command_line_refuse(parsing, "%s and %s; expected one of them", picture,
                                others[i].name);
    if (picture != NULL && !arguments->shown.boards && arguments->shown.cost != COST_unit)
        command_line_refuse(parsing, "%s counts moves; expected it without --cost", picture);
    if (arguments->shown.html && (picture != NULL || arguments->shown.json))
        command_line_refuse(parsing, "--html and %s; expected one of them",
                            picture != NULL ? picture : "--json");
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    const struct arguments *arguments = context;
    if (arguments->board != NULL && arguments->file != NULL)
        command_line_refuse(parsing, "a board in the arguments and --file; expected one of them");
    check_pictures(parsing, arguments);
    if (arguments->shown.summary != NULL && arguments->solver_count > 1)
        command_line_refuse(parsing, "--summary is of one search; expected one solver");
    if (arguments->shown.summary != NULL && strcmp(arguments->shown.summary, "-") == 0)
        command_line_refuse(parsing, "--summary -: standard output has the answer; expected FILE");
    if (arguments->shown.moves && arguments->solver_count > 1 && !arguments->shown.json &&
        !arguments->shown.html)
        command_line_refuse(parsing, "--moves shows one search; expected one solver");
}

/* A word of the board, without the space of hide_minus_one. */
static void take_cell(const struct given *given)
{
    char **board = given->target;
    heap_append(board, "%s%s", *board == NULL ? "" : " ",
                strncmp(given->value, " -1", 3) == 0 ? given->value + 1 : given->value);
}

static void take_solver(const struct given *given)
{
    struct arguments *arguments = given->target;
    if (arguments->solver_count == MAX_SOLVERS)
        command_line_refuse(given->parsing, "more than %d solvers", MAX_SOLVERS);
    arguments->solvers[arguments->solver_count++] = given->value;
}

/* Reads "A-B", "A" or "A-": steps from 1. */
static bool parse_steps(const char *text, struct trace_wanted *wanted)
{
    SCOPED char *from = heap_text(text);
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
    return fine;
}

static void take_steps(const struct given *given)
{
    if (!parse_steps(given->value, given->target))
        command_line_refuse(given->parsing, "--steps %s: expected steps such as 1-5, 7 or 100-",
                            given->value);
}

static void take_live(const struct given *given)
{
    if (strcmp(given->value, "all") == 0)
        *(uint64_t *)given->target = UINT64_MAX;
    else
        take_count(given);
}

/* tree.pdf: the ending says what is drawn. */
static void take_tree(const struct given *given)
{
    static const char *const drawn[] = {"pdf", "png"};
    struct answers_asked *shown = given->target;
    const char *point = strrchr(given->value, '.');
    const char *ending = point == NULL || strchr(point, '/') != NULL ? "" : point + 1;
    shown->tree = given->value;
    shown->svg = strcmp(ending, "svg") == 0;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if (strcmp(ending, drawn[i]) == 0)
            shown->tree_format = drawn[i];
    shown->dot = shown->tree_format != NULL || strcmp(ending, "dot") == 0;
    if (!shown->svg && !shown->dot)
        command_line_refuse(given->parsing, "--output %s: expected a file .svg, .dot, .pdf or .png",
                            given->value);
}

static const struct command_option options[] = {
    {OPTION_OF_ALL("solver", 's', "SOLVER",
                   "ALGORITHM(HEURISTIC, option=value, ..), default " DEFAULT_SOLVER
                   "; more than one prints a table",
                   take_solver),
     .names = "@algorithms"},
    {OPTION("file", 'f', "FILE", "Read all boards of a file; - is standard input", take_text,
            file)},
    {OPTION("order", 0, "ORDER", "Operator order (default " DEFAULT_ORDER ")", take_order,
            shown.order)},
    {OPTION_COST("What moving tile t costs", "", shown.cost)},
    {OPTION("time", 0, "TIME",
            "Wall time for each solver, such as 60s or 500ms (default: no limit)", take_seconds,
            shown.limits.seconds)},
    {OPTION("cpu", 0, "TIME",
            "Processor time for each solver, of all its threads (default: no limit)", take_seconds,
            shown.limits.cpu_seconds)},
    {OPTION("nodes", 0, "N", "Generated nodes for each solver, such as 2M (default: no limit)",
            take_count, shown.limits.nodes),
     .min = 1, .expected = "a number such as 500000 or 2M"},
    {OPTION("memory", 0, "BYTES", "Memory for each solver, such as 512MiB (default 2GiB)",
            take_bytes, shown.limits.bytes)},
    {OPTION("summary", 0, "FILE",
            "Write five lines to FILE: the length of the solution (-1: none), nodes generated, "
            "nodes expanded, the maximum depth, and the time in milliseconds",
            take_text, shown.summary)},
    {OPTION("format", 0, "SHEET",
            "Print the answer as a course wants it; tilelab list sheets SHEET says what each "
            "figure means there",
            take_word, shown.sheet),
     WORDS_OF(sheet_rows, SHEETS)},
    {OPTION("boards", 0, NULL, "Print only the path as boards, each followed by an empty line",
            take_flag, shown.boards)},
    {OPTION("moves", 0, NULL,
            "Print only the path as moves of the blank, however long; with --json, all moves",
            take_flag, shown.moves)},
    {OPTION("json", 0, NULL,
            "Print an object with the columns of runs.csv; for more than one search, an array",
            take_flag, shown.json)},
    {OPTION("html", 0, NULL,
            "Print a page on which the solutions can be played move by move; with --moves, however "
            "long",
            take_flag, shown.html)},
    {OPTION("trace", 0, NULL,
            "Print every step: the node that is expanded, its children and what becomes of each, "
            "the live nodes in the order in which they will go; with --json, one object a line",
            take_flag, shown.trace)},
    {OPTION("steps", 0, "A-B", "With --trace: only these steps, such as 1-5, 7 or 100-", take_steps,
            shown.steps),
     .with = "--trace"},
    {OPTION("live", 0, "N", "With --trace: show N live nodes after each step, or all (default 10)",
            take_live, shown.steps.live),
     .expected = "a number such as 20, or all", .with = "--trace"},
    {OPTION("dot", 0, NULL, "Print the explored tree for Graphviz", take_flag, shown.dot)},
    {OPTION("svg", 0, NULL, "Print the explored tree as a drawing in SVG", take_flag, shown.svg)},
    {OPTION("output", 'o', "FILE",
            "Write the explored tree to FILE, drawn as its ending says: .svg, .dot, .pdf or .png; "
            "the last two need Graphviz",
            take_tree, shown)},
    {OPTION(
         "draw", 0, "N",
         "With --dot, --svg and --output: draw the first N nodes that are generated (default 100)",
         take_count, shown.draw),
     .min = 1, .max = MAX_DRAWN, .with = "--dot|--svg|--output"},
    {OPTION(NULL, 0, "BOARD|FILE", "board", take_cell, board)},
    {OPTION_SIZE(wanted)},
    {OPTION_GOAL(wanted)},
    {OPTION_PDB_DIR},
    {OPTION_PLUGIN(plugins)},
    {0},
};

COMMAND_LINE(solve, "[BOARD|FILE]", check_arguments, help_solve_txt);

/* Reads the board in the arguments. */
static bool read_argument(const struct arguments *arguments, struct instance_list *boards,
                          struct report *report)
{
    struct board start;
    struct board goal;
    report->file = "board";
    if (!board_parse(arguments->board,
                     arguments->wanted.has_shape ? &arguments->wanted.shape : NULL, FIRST_PLACE,
                     report, &start))
        return false;
    report->file = "--goal";
    if (!goal_parse(arguments->wanted.goal, start.shape, FIRST_PLACE, report, &goal))
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
    SCOPED char *text = file_read_typed(path, NULL, report);
    return text != NULL &&
           set_parse(text, "", arguments->wanted.has_shape ? &arguments->wanted.shape : NULL,
                     arguments->wanted.goal, report, boards);
}

/* Whether a solver is defined for what moves cost. Says that one promises nothing of costs. */
static bool counts_costs(const struct solver *solver, const struct instance *board, bool says,
                         struct report *report)
{
    struct move_costs made;
    const struct move_costs *costs = instance_costs(board, &made);
    SCOPED char *reason = solver_refuses_costs(solver, costs);
    const bool fine = reason == NULL;
    if (!fine)
        report_add(report, NO_PLACE, "%s", reason);
    else if (says && costs != NULL && (solver->algorithm->properties & COUNTS_COSTS) == 0)
        screen_say(stderr, "tilelab: %s counts moves: its path need not be a cheapest one\n",
                   solver->algorithm->name);
    return fine;
}

static bool check_boards(const struct arguments *arguments, struct job *job, struct report *report)
{
    const size_t count = job->boards.count;
    const char *picture =
        arguments->shown.summary != NULL ? "--summary" : picture_option(arguments);
    if (count > 1 && picture != NULL)
        return report_add(report, (struct text_place){job->boards.items[1].line, 1},
                          "a second board begins here; %s shows one search", picture);
    for (size_t i = 0; i < count; i++) {
        struct instance *board = &job->boards.items[i];
        board->cost = (enum cost_model)arguments->shown.cost;
        report->file = "--solver";
        for (unsigned s = 0; s < arguments->solver_count; s++)
            if (!solver_defined(&job->solvers[s], &board->start, &board->goal, report) ||
                !counts_costs(&job->solvers[s], board, i == 0, report) ||
                (arguments->shown.sheet != SHEETS &&
                 !sheet_fits(arguments->shown.sheet, &job->solvers[s], &board->start, report)))
                return false;
        uint8_t tiles[2];
        if (board_connected(&board->start, &board->goal))
            continue;
        board_exchange(&board->start, &board->goal, tiles);
        screen_say(stderr,
                   "tilelab: %s%s%s: unsolvable for this goal: the parity is wrong; exchanging %u "
                   "and %u makes it solvable\n",
                   arguments->file == NULL ? "the board" : arguments->file, count > 1 ? ": " : "",
                   count > 1 ? board->name : "", tiles[0], tiles[1]);
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
            report_add(report, FIRST_PLACE,
                       "%s is no built-in solver; expected one, as programs of one's own run in "
                       "experiments: {command: [python3, mine.py]}",
                       text);
        fine = !external && solver_parse(text, FIRST_PLACE, report, &job->solvers[i]) && fine;
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

static void find_file(struct arguments *arguments)
{
    if (arguments->board == NULL || arguments->file != NULL || !text_names_file(arguments->board))
        return;
    arguments->file = arguments->named = arguments->board;
    arguments->board = NULL;
}

static int solve(struct arguments *arguments, const struct job *job)
{
    int code = EXIT_DONE;
    arguments->shown.name = arguments->file;
    arguments->shown.file = stdout; /* a plugin, once loaded, has replaced it */
    arguments->shown.messages = stderr;
    const bool written = answers_give(&arguments->shown, job, &code);
    return finish_output(written ? code : EXIT_FAILED);
}

int command_solve(int argc, char **argv)
{
    struct arguments arguments = {
        .wanted = board_arguments_start(MAX_CELLS),
        .shown = {.order = DEFAULT_ORDER,
                  .limits = {.bytes = DEFAULT_MEMORY},
                  .steps = {.first = 1, .last = UINT64_MAX, .live = LIVE_SHOWN},
                  .draw = DRAWN,
                  .sheet = SHEETS}};
    SCOPED struct job *job = heap_take(1, sizeof *job);
    SCOPED_BY(report_end) struct report report;
    hide_minus_one(argc, argv);
    command_line_parse(&solve_line, argc, argv, &arguments);
    if (arguments.shown.sheet == SHEET_42 && !arguments.wanted.has_goal)
        arguments.wanted.goal = "snail"; /* its subject knows no other */
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
    plugins_end(&arguments.plugins);
    FREE(arguments.board, arguments.named);
    return code;
}
