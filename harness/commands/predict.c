/* tilelab predict: what theory says of a search before it runs. */
#include "harness/commands/predict.h"
#include "base/heap.h"
#include "base/random.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/commands/progress.h"
#include "harness/commands/tables.h"
#include "harness/experiment/units.h"
#include "harness/prediction/path_tree.h"
#include "instances/generate.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include <argp.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SAMPLE = 100000, PROBES = 100, MAX_SAMPLE = 10000000, MAX_PROBES = 1000000 };
#define WALK_LIMIT UINT64_C(10000000)

enum what { WHAT_NODES, WHAT_COVER, WHAT_ETA, WHAT_DISTRIBUTION, WHATS };

static const struct {
    const char *name;
    int (*predict)(struct prediction *prediction);
} predictions[WHATS] = {
    [WHAT_NODES] = {"nodes", predict_nodes},
    [WHAT_COVER] = {"cover", predict_cover},
    [WHAT_ETA] = {"eta", predict_eta},
    [WHAT_DISTRIBUTION] = {"distribution", predict_distribution},
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
    const char *sampling, *walking; /* an option of each kind that was given; NULL: none */
    bool json;
};

enum {
    KEY_THRESHOLDS = 256,
    KEY_PROBES,
    KEY_MEASURE,
    KEY_SEED,
    KEY_NODES,
    KEY_BY_DISTANCE,
    KEY_FORMAT,
    KEY_FIGURE
};

static const struct argp_option options[] = {
    {"heuristic", 'H', "HEURISTIC", 0, "As in the brackets of a solver (default manhattan)", 0},
    {"boards", 'n', "N", 0,
     "Boards of a sample (default 100000; shapes of up to 10 cells need none)", 0},
    {"seed", KEY_SEED, "N", 0, "Chooses samples and probes (default 1)", 0},
    {"thresholds", KEY_THRESHOLDS, "FROM-TO", 0,
     "nodes: thresholds of idastar, such as 40-50 (default: 0 to the largest distance, where that "
     "is known, else twice the mean h)",
     0},
    {"measure", KEY_MEASURE, NULL, 0, "nodes: walk the trees of all boards as well, and count", 0},
    {"probes", KEY_PROBES, "N", 0,
     "nodes of a board: probes of Knuth's and Chen's estimates "
     "(default 100)",
     0},
    {"nodes", KEY_NODES, "N", 0, "nodes: walk no tree of more nodes (default 10M)", 0},
    {"by-distance", KEY_BY_DISTANCE, NULL, 0, "distribution: of each distance, too", 0},
    {"format", KEY_FORMAT, "FORMAT", 0,
     "How to print: text (the default), markdown, latex, csv, json or html", 0},
    {"figure", KEY_FIGURE, "FILE", 0,
     "nodes, cover, distribution: draw them as well, into a file that ends with .svg, .png or .pdf",
     0},
    {0},
};

static uint64_t number_in(struct argp_state *state, const char *option, const char *text,
                          uint64_t min, uint64_t max)
{
    uint64_t number;
    if (!parse_count(text, &number) || number < min || number > max)
        argp_error(state, "--%s %s: expected a whole number from %" PRIu64 " to %" PRIu64, option,
                   text, min, max);
    return number;
}

static void read_thresholds(struct argp_state *state, struct prediction *prediction, char *text)
{
    char *dash = strchr(text, '-');
    if (dash != NULL)
        *dash = '\0';
    prediction->first = (unsigned)number_in(state, "thresholds", text, 0, MAX_LEVELS - 1);
    prediction->last = dash == NULL ? prediction->first
                                    : (unsigned)number_in(state, "thresholds", dash + 1,
                                                          prediction->first, MAX_LEVELS - 1);
    prediction->has_thresholds = true;
}

static void read_word(struct argp_state *state, struct arguments *arguments, const char *word)
{
    if (arguments->what != WHATS) {
        heap_append(&arguments->text, "%s%s", arguments->text == NULL ? "" : " ", word);
        return;
    }
    const char *names[WHATS];
    for (unsigned i = 0; i < WHATS; i++) {
        names[i] = predictions[i].name;
        if (strcmp(word, predictions[i].name) == 0)
            arguments->what = (enum what)i;
    }
    if (arguments->what == WHATS)
        argp_error(state, "'%s': expected %s%s", word, words_listed(names, WHATS),
                   word_meant(word, names, WHATS));
}

/* Whether the options go with what is predicted. */
static void check_together(struct argp_state *state, const struct arguments *arguments)
{
    const enum what what = arguments->what;
    if (what == WHATS)
        argp_error(state, "predict what? Expected nodes, cover, eta or distribution");
    if (what != WHAT_NODES && arguments->walking != NULL)
        argp_error(state, "--%s is for nodes", arguments->walking);
    if (what != WHAT_DISTRIBUTION && arguments->prediction.by_distance)
        argp_error(state, "--by-distance is for distribution");
    if (what == WHAT_COVER && arguments->sampling != NULL)
        argp_error(state, "--%s: covers are of one board or of all", arguments->sampling);
    if ((what == WHAT_ETA || what == WHAT_DISTRIBUTION) && arguments->text != NULL)
        argp_error(state, "%s is of all boards; expected no board", predictions[what].name);
    if (arguments->figure != NULL && what == WHAT_ETA)
        argp_error(state, "--figure is for nodes, cover and distribution");
    if (arguments->figure != NULL && what == WHAT_COVER && arguments->text != NULL)
        argp_error(state, "--figure: one board has no lines to draw; expected no board");
    if (arguments->json && arguments->format != FORMAT_TEXT && arguments->format != FORMAT_JSON)
        argp_error(state, "--json and --format %s exclude each other",
                   format_names[arguments->format]);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct prediction *prediction = &arguments->prediction;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->board;
        state->child_inputs[1] = &arguments->json;
        state->child_inputs[2] = &prediction->quiet;
        state->child_inputs[4] = &arguments->plugins;
        return 0;
    case 'H':
        arguments->heuristic = value;
        return 0;
    case 'n':
        arguments->sampling = "boards";
        prediction->boards = number_in(state, "boards", value, 2, MAX_SAMPLE);
        return 0;
    case KEY_SEED:
        prediction->seed = number_in(state, "seed", value, 0, UINT64_MAX);
        return 0;
    case KEY_THRESHOLDS:
        arguments->walking = "thresholds";
        read_thresholds(state, prediction, value);
        return 0;
    case KEY_MEASURE:
        arguments->walking = "measure";
        prediction->measure = true;
        return 0;
    case KEY_PROBES:
        arguments->walking = "probes";
        prediction->probes = (unsigned)number_in(state, "probes", value, 2, MAX_PROBES);
        return 0;
    case KEY_NODES:
        arguments->walking = "nodes";
        prediction->limit = number_in(state, "nodes", value, 1, UINT64_MAX / 2);
        return 0;
    case KEY_BY_DISTANCE:
        prediction->by_distance = true;
        return 0;
    case KEY_FORMAT:
        arguments->format =
            (enum format)arguments_word(state, "format", value, format_names, FORMATS);
        return 0;
    case KEY_FIGURE:
        if (predict_picture(value) == PICTURES)
            argp_error(state, "--figure %s: expected a file that ends with .svg, .png or .pdf",
                       value);
        arguments->figure = value;
        return 0;
    case ARGP_KEY_ARG:
        read_word(state, arguments, value);
        return 0;
    case ARGP_KEY_END:
        check_together(state, arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&board_parser, 0, NULL, 0},  {&json_parser, 0, NULL, 0},    {&quiet_parser, 0, NULL, 0},
    {&tables_parser, 0, NULL, 0}, {&plugins_parser, 0, NULL, 0}, {0}};

const struct argp predict_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "nodes [BOARD]\ncover [BOARD]\neta\ndistribution",
    .children = children,
    .doc =
        "Say what theory expects of a search, from the heuristic alone: how many nodes a round of "
        "idastar expands, what every search from both ends must expand, how good a heuristic is "
        "for idastar, and which values it has. Shapes of up to 10 cells are counted whole, larger "
        "ones sampled, with intervals of 95 %.\v"
        "nodes: the mean number of nodes with g + h up to each threshold, over all boards (Korf, "
        "Reid and Edelkamp 2001, with levels and values of h split by the blank's cell: for a "
        "consistent heuristic that is no estimate but an identity). Of one board: Knuth's and "
        "Chen's estimates, conditional distributions, and the count itself.\n\n"
        "cover: states with f < C* forward and backward, and the minimum vertex cover of the pairs "
        "of which one must be expanded, for e = 0 and for e = 1, the least cost of a move. Up to "
        "10 cells.\n\n"
        "eta: the mean of b^-h over all boards, b the branching factor (Clausecker and Schintke "
        "2021): of two heuristics, idastar expands less with that of the smaller eta, in "
        "proportion. Exact for manhattan on up to 25 cells.\n\n"
        "distribution: how often h has each value, and its mean, overall and by distance.\n\n"
        "--figure needs python3 and matplotlib (Debian: python3-matplotlib).\n\n"
        "  tilelab predict nodes --heuristic manhattan --measure --thresholds 0-20\n"
        "  tilelab predict nodes --thresholds 20-24 8 6 7 2 5 4 3 0 1\n"
        "  tilelab predict eta --size 5x5\n"
        "  tilelab predict distribution --by-distance --figure distribution.svg"};

/* ---- What the parts share ---- */

char *predict_goal_text(const struct prediction *prediction)
{
    char line[BOARD_LINE];
    board_line(&prediction->goal, line);
    return heap_format("%ux%u, goal %s", prediction->goal.shape.width,
                       prediction->goal.shape.height, line);
}

struct population predict_population(struct prediction *prediction, struct tilted *tilted,
                                     void (*each)(void *context, const struct board *board,
                                                  double weight),
                                     void *context)
{
    const struct heuristic *heuristic = &prediction->heuristic;
    struct population population;
    struct progress progress;
    struct instance_list list = {0};
    const bool tilts =
        !prediction->exact && tilted != NULL && prediction->goal.shape.cells <= MAX_TILTED_CELLS;
    const size_t count =
        prediction->exact ? prediction->distances.ranking.size : (size_t)prediction->boards;
    gsl_rng *generator = gsl_rng_alloc(random_philox);
    if (tilts)
        tilted_make(&prediction->goal, path_tree_branching_factor(prediction->goal.shape), tilted);
    else if (!prediction->exact) {
        struct report report;
        report_start(&report, NULL);
        instances_generate(&(struct generation){.set = "generated",
                                                .goal = prediction->goal,
                                                .seed = prediction->seed,
                                                .count = (uint32_t)count},
                           0, 0, &report, &list);
        report_end(&report);
    }
    population_start(&population, tilts ? tilted : NULL, prediction->exact);
    progress_start(&progress, "boards", 0, count, prediction->quiet);
    for (size_t i = 0; i < count; i++) {
        struct board board;
        bool solvable = true;
        if (prediction->exact)
            ranking_unrank(&prediction->distances.ranking, (uint32_t)i, &board);
        else if (tilts) {
            random_stream(generator, prediction->seed, 0, 0, (uint32_t)i);
            solvable = tilted_draw(tilted, generator, &board);
        } else
            board = list.items[i].start;
        const unsigned h = solvable ? heuristic->kind->evaluate(heuristic, &board) : 0;
        const double weight = population_add(&population, &board, h, solvable);
        if (each != NULL && solvable)
            each(context, &board, weight);
        if (i % 1024 == 0)
            progress_show(&progress, i, prediction->name);
    }
    progress_clear(&progress);
    instance_list_end(&list);
    gsl_rng_free(generator);
    return population;
}

void predict_say_sample(struct prediction *prediction, const struct population *population)
{
    struct document *document = &prediction->document;
    if (population->exact)
        return;
    if (population->tilted != NULL)
        document_say(document, PART_NOTE,
                     "From %" PRIu64 " boards (seed %" PRIu64
                     "), drawn the more often the nearer they are to the goal, and weighted by how "
                     "often they come among all; +- is half an interval of 95 %%.",
                     population->drawn, prediction->seed);
    else
        document_say(document, PART_NOTE,
                     "From %" PRIu64 " uniform boards (seed %" PRIu64
                     "); +- is half an interval of 95 %%.%s",
                     population->drawn, prediction->seed,
                     prediction->goal.shape.cells > MAX_TILTED_CELLS
                         ? " Boards near the goal are too rare for such a sample: what hangs on "
                           "them is too small here, and the interval does not show it."
                         : "");
}

/* ---- Reading and dispatch ---- */

static bool read_board(struct arguments *arguments, struct report *report)
{
    struct prediction *prediction = &arguments->prediction;
    struct board_arguments *board = &arguments->board;
    report->file = "board";
    if (arguments->text != NULL) {
        if (!board_parse(arguments->text, board->has_shape ? &board->shape : NULL, 1, 1, report,
                         &prediction->board))
            return false;
        prediction->has_board = true;
        board->shape = prediction->board.shape;
    }
    report->file = "--goal";
    if (!goal_parse(board->goal, board->shape, 1, 1, report, &prediction->goal))
        return false;
    report->file = "tilelab predict";
    if (prediction->has_board && !board_connected(&prediction->board, &prediction->goal))
        report_add(report, 0, 0, "the board cannot reach the goal: nothing to predict");
    return report->count == 0;
}

static bool read_heuristic(struct arguments *arguments, struct report *report)
{
    struct prediction *prediction = &arguments->prediction;
    report->file = "--heuristic";
    if (!heuristic_parse(arguments->heuristic, 1, 1, report, &prediction->choice))
        return false;
    report->file = "tilelab predict";
    char *reason = heuristic_refuses(&prediction->choice, &prediction->goal);
    if (reason != NULL)
        report_add(report, 0, 0, "%s", reason);
    free(reason);
    return report->count == 0;
}

static int predict(struct arguments *arguments)
{
    struct prediction *prediction = &arguments->prediction;
    const int built = tables_build(&prediction->choice, &prediction->goal, prediction->quiet);
    if (built != EXIT_DONE)
        return built;
    heuristic_start(&prediction->heuristic, &prediction->choice, &prediction->goal);
    prediction->name = heuristic_text(&prediction->choice);
    prediction->exact = prediction->goal.shape.cells <= MAX_TABLE_CELLS;
    if (prediction->exact)
        distances_make(&prediction->goal, &prediction->distances);
    int code = predictions[arguments->what].predict(prediction);
    if (code == EXIT_DONE) {
        document_print(&prediction->document, arguments->json ? FORMAT_JSON : arguments->format,
                       NULL, NULL, stdout);
        code = finish_output(code);
    }
    if (code == EXIT_DONE && arguments->figure != NULL)
        code = predict_draw(prediction, arguments->figure);
    document_end(&prediction->document);
    if (prediction->exact)
        distances_end(&prediction->distances);
    heuristic_end(&prediction->heuristic);
    free(prediction->name);
    return code;
}

int command_predict(int argc, char **argv)
{
    struct arguments arguments = {
        .what = WHATS,
        .heuristic = "manhattan",
        .board = board_arguments_start(MAX_CELLS),
        .prediction = {.boards = SAMPLE, .seed = 1, .probes = PROBES, .limit = WALK_LIMIT}};
    struct report report;
    int code = EXIT_USAGE;
    hide_minus_one(argc, argv);
    command_line_parse(&predict_parser, argc, argv, &arguments);
    report_start(&report, NULL);
    if (read_board(&arguments, &report) && read_heuristic(&arguments, &report))
        code = predict(&arguments);
    else
        fputs(report.text, stderr);
    report_end(&report);
    plugins_end(&arguments.plugins);
    free(arguments.text);
    return code;
}
