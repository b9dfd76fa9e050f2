/* tilelab predict: what theory says of a search before it runs. */
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/execution/tables.h"
#include "harness/figures/prediction_figure.h"
#include "harness/prediction/path_tree.h"
#include "harness/text/screen.h"
#include "help_texts.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"

enum { SAMPLE = 100000, PROBES = 100, MAX_SAMPLE = 10000000, MAX_PROBES = 1000000 };
#define WALK_LIMIT UINT64_C(10000000)

enum what { WHAT_NODES, WHAT_COVER, WHAT_ETA, WHAT_DISTRIBUTION, WHATS };

static const struct {
    const char *name;
    char *(*refuses)(const struct prediction *prediction); /* NULL: nothing */
    enum ending (*predict)(struct prediction *prediction);
} predictions[WHATS] = {
    [WHAT_NODES] = {"nodes", nodes_refuse, predict_nodes},
    [WHAT_COVER] = {"cover", cover_refuses, predict_cover},
    [WHAT_ETA] = {"eta", NULL, predict_eta},
    [WHAT_DISTRIBUTION] = {"distribution", distribution_refuses, predict_distribution},
};

struct arguments {
    enum what what; /* WHATS: not given yet */
    char *text;     /* of the board; owned; NULL: none */
    const char *heuristic;
    const char *figure; /* a file; NULL: none */
    struct board_arguments board;
    struct plugins plugins;
    struct prediction prediction;
    enum format format;
    bool json;
};

static void take_thresholds(const struct given *given)
{
    struct prediction *prediction = given->target;
    char *dash = strchr(given->value, '-');
    if (dash != NULL)
        *dash = '\0';
    prediction->first = (unsigned)option_number(given, given->value, 0, MAX_LEVELS - 1);
    prediction->last =
        dash == NULL ? prediction->first
                     : (unsigned)option_number(given, dash + 1, prediction->first, MAX_LEVELS - 1);
    prediction->has_thresholds = true;
}

static void take_figure(const struct given *given)
{
    if (picture_of(given->value) == PICTURES)
        command_line_refuse(given->parsing,
                            "--figure %s: expected a file that ends with .svg, .png, .pdf or .tikz",
                            given->value);
    *(const char **)given->target = given->value;
}

/* The words of a board. */
static void take_board(const struct given *given)
{
    char **text = given->target;
    heap_append(text, "%s%s", *text == NULL ? "" : " ", given->value);
}

/* Whether the options go with what is predicted. */
static void check_arguments(const struct parsing *parsing, void *context)
{
    const struct arguments *arguments = context;
    const enum what what = arguments->what;
    if ((what == WHAT_ETA || what == WHAT_DISTRIBUTION) && arguments->text != NULL)
        command_line_refuse(parsing, "%s is of all boards; expected no board",
                            predictions[what].name);
    if (arguments->figure != NULL && what == WHAT_COVER && arguments->text != NULL)
        command_line_refuse(parsing, "--figure: one board has no lines to draw; expected no board");
    if (arguments->json && arguments->format != FORMAT_TEXT && arguments->format != FORMAT_JSON)
        command_line_refuse(parsing, "--json and --format %s exclude each other",
                            format_names[arguments->format]);
}

static const struct command_option options[] = {
    {OPTION(NULL, 0, "WHAT", "prediction", take_word, what), .min = 1, .max = 1,
     WORDS_OF(predictions, WHATS),
     .expected = "predict what? Expected nodes, cover, eta or distribution"},
    {OPTION(NULL, 0, "BOARD", "board", take_board, text)},
    {OPTION("heuristic", 'H', "HEURISTIC", "As in the brackets of a solver (default manhattan)",
            take_text, heuristic),
     .names = "@heuristics"},
    {OPTION("boards", 'n', "N",
            "Boards of a sample (default 100000; shapes of up to 10 cells need none)", take_count,
            prediction.boards),
     .min = 2, .max = MAX_SAMPLE, .with = "nodes|eta|distribution"},
    {OPTION("seed", 0, "N", "Chooses samples and probes (default 1)", take_count, prediction.seed)},
    {OPTION("thresholds", 0, "FROM-TO",
            "nodes: thresholds of idastar, such as 40-50 (default: 0 to the largest distance, "
            "where that is known, else twice the mean h)",
            take_thresholds, prediction),
     .with = "nodes"},
    {OPTION("measure", 0, NULL, "nodes: walk the trees of all boards as well, and count", take_flag,
            prediction.measure),
     .with = "nodes"},
    {OPTION("probes", 0, "N",
            "nodes of a board: probes of Knuth's and Chen's estimates (default 100)", take_unsigned,
            prediction.probes),
     .min = 2, .max = MAX_PROBES, .with = "nodes"},
    {OPTION("nodes", 0, "N", "nodes: walk no tree of more nodes (default 10M)", take_count,
            prediction.limit),
     .min = 1, .max = UINT64_MAX / 2, .with = "nodes"},
    {OPTION("by-distance", 0, NULL, "distribution: of each distance, too", take_flag,
            prediction.by_distance),
     .with = "distribution"},
    {OPTION_FORMAT(format, "How to print: text (the default), markdown, latex, csv, json or html")},
    {OPTION("figure", 0, "FILE",
            "nodes, cover, distribution: draw them as well, into a file that ends with .svg, .png, "
            ".pdf or .tikz",
            take_figure, figure),
     .with = "nodes|cover|distribution"},
    {OPTION_SIZE(board)},
    {OPTION_GOAL(board)},
    {OPTION_JSON},
    {OPTION_QUIET(prediction.quiet)},
    {OPTION_PDB_DIR},
    {OPTION_PLUGIN(plugins)},
    {0},
};

COMMAND_LINE(predict, "nodes [BOARD]\ncover [BOARD]\neta\ndistribution", check_arguments,
             help_predict_txt);

static bool read_board(struct arguments *arguments, struct report *report)
{
    struct prediction *prediction = &arguments->prediction;
    struct board_arguments *board = &arguments->board;
    report->file = "board";
    if (arguments->text != NULL) {
        if (!board_parse(arguments->text, board->has_shape ? &board->shape : NULL, FIRST_PLACE,
                         report, &prediction->board))
            return false;
        prediction->has_board = true;
        board->shape = prediction->board.shape;
    }
    report->file = "--goal";
    if (!goal_parse(board->goal, board->shape, FIRST_PLACE, report, &prediction->goal))
        return false;
    report->file = "tilelab predict";
    if (prediction->has_board && !board_connected(&prediction->board, &prediction->goal)) {
        uint8_t tiles[2];
        board_exchange(&prediction->board, &prediction->goal, tiles);
        report_add(
            report, NO_PLACE,
            "the board cannot reach the goal: nothing to predict; exchanging %u and %u makes "
            "it solvable",
            tiles[0], tiles[1]);
    }
    return report->count == 0;
}

static bool read_heuristic(struct arguments *arguments, struct report *report)
{
    struct prediction *prediction = &arguments->prediction;
    report->file = "--heuristic";
    if (!heuristic_parse(arguments->heuristic, FIRST_PLACE, report, &prediction->choice))
        return false;
    report->file = "tilelab predict";
    SCOPED char *reason = heuristic_refuses(&prediction->choice, &prediction->goal);
    if (reason != NULL)
        report_add(report, NO_PLACE, "%s", reason);
    return report->count == 0;
}

/* Builds what the heuristic needs for the goal, and for the board as a goal. */
static enum ending build_tables(const struct arguments *arguments)
{
    const struct prediction *prediction = &arguments->prediction;
    const enum ending ending =
        tables_build(&prediction->choice, &prediction->goal, COST_unit, prediction->quiet);
    return ending == ENDING_DONE && arguments->what == WHAT_COVER && prediction->has_board
               ? tables_build(&prediction->choice, &prediction->board, COST_unit, prediction->quiet)
               : ending;
}

/* Makes the prediction and prints it; the tables are built. */
static int predict_and_print(struct arguments *arguments)
{
    struct prediction *prediction = &arguments->prediction;
    heuristic_start(&prediction->heuristic, &prediction->choice, &prediction->goal);
    if (prediction->exact)
        distances_make(&prediction->goal, &prediction->distances);
    int code = exit_code_of(predictions[arguments->what].predict(prediction));
    if (code == EXIT_DONE) {
        document_print(&prediction->document, arguments->json ? FORMAT_JSON : arguments->format,
                       NULL, NULL, stdout);
        code = finish_output(code);
    }
    if (code == EXIT_DONE && arguments->figure != NULL)
        code = prediction_draw(prediction, arguments->figure, stderr) ? EXIT_DONE : EXIT_FAILED;
    document_end(&prediction->document);
    if (prediction->exact)
        distances_end(&prediction->distances);
    heuristic_end(&prediction->heuristic);
    return code;
}

static int predict(struct arguments *arguments)
{
    struct prediction *prediction = &arguments->prediction;
    char *(*refuses)(const struct prediction *) = predictions[arguments->what].refuses;
    int code = EXIT_USAGE;
    prediction->name = heuristic_text(&prediction->choice);
    prediction->exact = prediction->goal.shape.cells <= MAX_TABLE_CELLS;
    prediction->problem = refuses == NULL ? NULL : refuses(prediction);
    if (prediction->problem == NULL) {
        code = exit_code_of(build_tables(arguments));
        if (code == EXIT_DONE)
            code = predict_and_print(arguments);
    }
    if (prediction->problem != NULL)
        screen_say(stderr, "tilelab predict: %s\n", prediction->problem);
    FREE(prediction->problem, prediction->name);
    return code;
}

int command_predict(int argc, char **argv)
{
    struct arguments arguments = {
        .what = WHATS,
        .heuristic = "manhattan",
        .board = board_arguments_start(MAX_CELLS),
        .prediction = {.boards = SAMPLE, .seed = 1, .probes = PROBES, .limit = WALK_LIMIT}};
    int code = EXIT_USAGE;
    hide_minus_one(argc, argv);
    command_line_parse(&predict_line, argc, argv, &arguments);
    SCOPED_BY(report_end) struct report report = {0};
    if (read_board(&arguments, &report) && read_heuristic(&arguments, &report))
        code = predict(&arguments);
    else
        fputs(report.text, stderr);
    plugins_end(&arguments.plugins);
    free(arguments.text);
    return code;
}
