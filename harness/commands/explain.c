/* tilelab explain: which conventions give a count that another program has (show/explain.h). */
#include "harness/show/explain.h"
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/execution/tables.h"
#include "harness/text/screen.h"
#include "help_texts.h"
#include "instances/set.h"
#include "puzzle/text.h"

enum { SHOWN = 10 };
#define NODES UINT64_C(10000000)

struct arguments {
    const char *solver;
    char *counts, *board; /* owned: words joined */
    struct board_arguments wanted;
    struct plugins plugins;
    struct explain_question question;
    char order[MOVES + 1];
    uint64_t ways;
    bool json;
};

/* The solver, the counts, then the board. */
static void take_argument(const struct given *given)
{
    struct arguments *arguments = given->target;
    if (arguments->solver == NULL)
        arguments->solver = given->value;
    else if (arguments->counts == NULL || explain_names_count(given->value))
        heap_append(&arguments->counts, "%s ", given->value);
    else
        heap_append(&arguments->board, "%s ", given->value);
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    const struct arguments *arguments = context;
    if (arguments->board == NULL)
        command_line_refuse(parsing, "expected a solver, a count and a board, such as: tilelab "
                                     "explain 'astar(manhattan)' 47 8 1 3 4 0 2 7 6 5");
}

static const struct command_option options[] = {
    {OPTION_OF_ALL(NULL, 0, "ARGUMENT", "argument", take_argument), .names = "@algorithms"},
    {OPTION("order", 0, "ORDER", "Tilelab's operator order (default " DEFAULT_ORDER ")", take_order,
            order)},
    {OPTION("nodes", 0, "N", "Generated nodes of all searches together (default 10M)", take_count,
            question.nodes),
     .min = 1000, .expected = "a number such as 500000 or 2M"},
    {OPTION("ways", 0, "N", "Show up to N ways (default 10)", take_count, ways), .min = 1,
     .expected = "a number such as 20"},
    {OPTION_SIZE(wanted)},
    {OPTION_GOAL(wanted)},
    {OPTION_JSON},
    {OPTION_QUIET(question.quiet)},
    {OPTION_PDB_DIR},
    {OPTION_PLUGIN(plugins)},
    {0},
};

COMMAND_LINE(explain, "SOLVER COUNT BOARD|FILE", check_arguments, help_explain_txt);

static bool read_board(const struct arguments *arguments, struct task *task, struct report *report)
{
    SCOPED char *text = heap_text(arguments->board);
    report->file = "board";
    text[strlen(text) - 1] = '\0';
    if (text_names_file(text)) {
        SCOPED char *path = text;
        text = file_read_typed(path, NULL, report);
    }
    bool fine = text != NULL &&
                board_parse(text, arguments->wanted.has_shape ? &arguments->wanted.shape : NULL,
                            FIRST_PLACE, report, &task->start);
    report->file = "--goal";
    return fine &&
           goal_parse(arguments->wanted.goal, task->start.shape, FIRST_PLACE, report, &task->goal);
}

static bool read_question(struct arguments *arguments, struct report *report)
{
    struct explain_question *question = &arguments->question;
    report_start(report, "SOLVER");
    question->task.order = arguments->order;
    if (!solver_parse(arguments->solver, FIRST_PLACE, report, &question->solver) ||
        !read_board(arguments, &question->task, report))
        return false;
    report->file = "tilelab explain";
    return explain_ask(arguments->counts, question, report) &&
           solver_defined(&question->solver, &question->task.start, &question->task.goal, report);
}

static int answer(const struct arguments *arguments)
{
    json_auto_t *explanation = explain(&arguments->question, arguments->ways);
    const bool found = json_integer_value(json_object_get(explanation, "count")) > 0;
    if (explanation == NULL) {
        screen_say(stderr,
                   "tilelab: %s does not end within %lu generated nodes; allow more by --nodes\n",
                   arguments->solver, (unsigned long)arguments->question.nodes);
    } else if (arguments->json) {
        json_dumpf(explanation, stdout, JSON_INDENT(4));
        putchar('\n');
    } else {
        explanation_print(explanation, arguments->question.task.start.shape, stdout);
    }
    return finish_output(found ? EXIT_DONE : EXIT_FINDINGS);
}

int command_explain(int argc, char **argv)
{
    struct arguments arguments = {.wanted = board_arguments_start(MAX_CELLS),
                                  .question = {.nodes = NODES},
                                  .order = DEFAULT_ORDER,
                                  .ways = SHOWN};
    SCOPED_BY(report_end) struct report report;
    uint8_t tiles[2];
    int code = EXIT_USAGE;
    hide_minus_one(argc, argv);
    command_line_parse(&explain_line, argc, argv, &arguments);
    if (!read_question(&arguments, &report)) {
        fputs(report.text, stderr);
    } else {
        const struct task *task = &arguments.question.task;
        const struct instance instance = {.start = task->start, .goal = task->goal};
        code = exit_code_of(tables_build_for(&arguments.question.solver, &instance, false));
        if (!board_connected(&task->start, &task->goal)) {
            board_exchange(&task->start, &task->goal, tiles);
            screen_say(
                stderr,
                "tilelab: the board: unsolvable for this goal: exchanging %u and %u makes it "
                "solvable\n",
                tiles[0], tiles[1]);
            code = EXIT_FINDINGS;
        }
        code = code == EXIT_DONE ? answer(&arguments) : code;
    }
    plugins_end(&arguments.plugins);
    FREE(arguments.counts, arguments.board);
    return code;
}
