/* tilelab verify: marks heuristics (judge/verification.h), answers to a board
 * (judge/solution_marks.h) and programs that solve boards (judge/solver_trial.h). */
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/execution/tables.h"
#include "harness/judge/cost_claims.h"
#include "harness/judge/solution_marks.h"
#include "harness/judge/solver_trial.h"
#include "harness/text/screen.h"
#include "help_texts.h"
#include "puzzle/text.h"
#include <sys/random.h>

enum {
    MAX_BOARDS = 1000000,
    SECONDS = 60,       /* to look for a shorter solution */
    SOLVER_SECONDS = 10 /* for a board */
};

struct arguments {
    enum { WHAT_HEURISTICS, WHAT_SOLUTION, WHAT_SOLVER, WHATS } what;
    char **words; /* owned: what follows `solution` or `solver` */
    size_t word_count;
    double seconds;
    struct plugins plugins;
    struct board_arguments board;
    bool json, quiet, fresh;
    struct heuristics_question heuristics;
    struct solver_question solver;
};

#define SOLVER_BYTES (UINT64_C(2) << 30)

static bool tries_solver(const struct arguments *arguments)
{
    return arguments->what == WHAT_SOLVER;
}

/* The words after the one that says what to verify, without the space of hide_minus_one; then NULL.
 */
static void take_more(const struct given *given)
{
    struct arguments *arguments = given->target;
    if (arguments->what != WHAT_SOLUTION && !tries_solver(arguments)) {
        if (arguments->heuristics.count == MAX_JUDGED)
            command_line_refuse(given->parsing, "more than %d heuristics", MAX_JUDGED);
        arguments->heuristics.texts[arguments->heuristics.count++] = given->value;
        return;
    }
    arguments->words = heap_grow(arguments->words, arguments->word_count + 1, sizeof(char *));
    arguments->words[arguments->word_count++] =
        strncmp(given->value, " -1", 3) == 0 ? given->value + 1 : given->value;
    arguments->words[arguments->word_count] = NULL;
}

/* A number, or `fresh`: one that the system draws, to be printed. */
static void take_seed(const struct given *given)
{
    struct arguments *arguments = given->target;
    uint32_t drawn = 0;
    arguments->fresh = strcmp(given->value, "fresh") == 0;
    if (!arguments->fresh)
        take_count(
            &(struct given){given->parsing, given->option, &arguments->solver.seed, given->value});
    else if (getrandom(&drawn, sizeof drawn, 0) == sizeof drawn)
        arguments->solver.seed = (uint64_t)drawn + 1;
    arguments->heuristics.seed = arguments->solver.seed;
}

/* The second of two words. */
static void take_second(const struct given *given)
{
    *(bool *)given->target = word_number(given, given->value) == 1;
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    const struct arguments *arguments = context;
    if (arguments->fresh && !tries_solver(arguments))
        command_line_refuse(parsing, "--seed fresh is for a solver; expected a number");
    if (tries_solver(arguments) && arguments->word_count == 0)
        command_line_refuse(parsing, "no command; expected one, such as: tilelab verify solver -- "
                                     "python3 my_astar.py");
    if (arguments->solver.isolate && arguments->solver.no_isolate)
        command_line_refuse(parsing, "--isolate and --no-isolate; expected one of them");
}

static const char *const what_names[WHATS] = {"heuristics", "solution", "solver"};
static const char *const protocols[] = {"text", "json"};
static const char *const directions[] = {"blank", "tile"};

static const struct command_option options[] = {
    {OPTION(NULL, 0, "WHAT", "word", take_word, what), .min = 1, .max = 1, WORDS(what_names, WHATS),
     .expected = "verify what? Expected heuristics, solution or solver"},
    {OPTION_OF_ALL(NULL, 0, "HEURISTIC", "heuristic", take_more), .names = "@heuristics",
     .with = "heuristics"},
    {OPTION_OF_ALL(NULL, 0, "WORD", "word", take_more)},
    {OPTION("boards", 'n', "N",
            "Random boards, those of tilelab generate (default: all boards of up to 10 cells, "
            "1000 of more)",
            take_count, heuristics.boards),
     .min = 2, .max = MAX_BOARDS, .with = "heuristics"},
    {OPTION_OF_ALL("seed", 0, "N",
                   "Chooses the random boards (default 1). For a solver: fresh boards in place of "
                   "the twenty; `fresh` draws N and prints it",
                   take_seed),
     .with = "heuristics|solver"},
    {OPTION_COST("For heuristics: what moving tile t costs",
                 "; exact costs are had where distances are", heuristics.cost),
     .with = "heuristics"},
    {OPTION("time", 0, "TIME",
            "For a solution: wall time to look for a shorter one, such as 10s (default 60s). For "
            "a solver: wall time for each board (default 10s)",
            take_seconds, seconds),
     .with = "solution|solver"},
    {OPTION("optimal", 0, NULL, "For a solver: its paths must be shortest", take_flag,
            solver.optimal),
     .with = "solver"},
    {OPTION("isolate", 0, NULL,
            "For a solver: bubblewrap keeps it from the network, from other processes and from all "
            "files but the system's and its own; without bubblewrap nothing is run. The default is "
            "to isolate where that can be had, and to show its folder and its interpreter, too",
            take_flag, solver.isolate),
     .with = "solver"},
    {OPTION("no-isolate", 0, NULL, "For a solver: do not isolate it", take_flag, solver.no_isolate),
     .with = "solver"},
    {OPTION("persistent", 0, NULL,
            "For a solver: one process solves board after board, and ends each answer with an "
            "empty line",
            take_flag, solver.persistent),
     .with = "solver"},
    {OPTION("protocol", 0, "text|json",
            "For a solver: lines of text, or one JSON object a line (default text)", take_second,
            solver.json_protocol),
     WORDS(protocols, 2), .with = "solver"},
    {OPTION("moves", 0, "blank|tile",
            "For a solver: whose direction its moves name (default blank)", take_second,
            solver.tile_moves),
     WORDS(directions, 2), .with = "solver"},
    {OPTION("memory", 0, "BYTES", "For a solver: resident memory of its processes (default 2GiB)",
            take_bytes, solver.bytes),
     .with = "solver"},
    {OPTION_SIZE(board), .with = "heuristics|solution"},
    {OPTION_GOAL(board), .with = "heuristics|solution"},
    {OPTION_JSON},
    {OPTION_QUIET(quiet)},
    {OPTION_PDB_DIR},
    {OPTION_PLUGIN(plugins), .with = "heuristics"},
    {0},
};

COMMAND_LINE(verify,
             "heuristics [HEURISTIC...]\nsolution BOARD MOVES\nsolution [BOARD] FILE\n"
             "solver -- COMMAND...",
             check_arguments, help_verify_txt);

static int verify_solution(const struct arguments *arguments)
{
    const struct solution_question question = {
        .words = (const char *const *)arguments->words,
        .count = arguments->word_count,
        .goal = arguments->board.goal,
        .shape = arguments->board.has_shape ? &arguments->board.shape : NULL,
        .seconds = arguments->seconds > 0 ? arguments->seconds : SECONDS};
    SCOPED_BY(solution_marks_end) struct solution_marks marks;
    int code = EXIT_USAGE;
    SCOPED_BY(report_end) struct report report = {.file = "board"};
    if (!solution_mark(&question, &marks, &report)) {
        fputs(report.text, stderr);
    } else {
        if (arguments->json)
            print_json(solution_marks_json(&marks));
        else
            solution_marks_print(&marks, stdout);
        code = finish_output(marks.reaches_goal ? EXIT_DONE : EXIT_FINDINGS);
    }
    return code;
}

static int verify_solver(const struct arguments *arguments)
{
    struct solver_question question = arguments->solver;
    SCOPED char *why = NULL;
    int code = EXIT_INTERRUPTED;
    question.words = arguments->words;
    question.word_count = arguments->word_count;
    question.seconds = arguments->seconds > 0 ? arguments->seconds : SOLVER_SECONDS;
    struct trial *trial = trial_start(&question, &why);
    if (trial == NULL) {
        screen_say(stderr, "tilelab verify: %s\n", why);
        return EXIT_USAGE;
    }
    if (why != NULL)
        screen_say(stderr, "tilelab verify: not isolated, it may do what you may: %s\n", why);
    if (!trial_run(trial, arguments->quiet)) {
        fputs("tilelab verify: interrupted\n", stderr);
    } else {
        if (arguments->json)
            print_json(trial_json(trial));
        else
            trial_print(trial, arguments->quiet, stdout);
        code = finish_output(trial_passed(trial) ? EXIT_DONE : EXIT_FINDINGS);
    }
    trial_end(trial);
    return code;
}

/* Judges the heuristics where moves cost different amounts. */
static int judge_costs(const struct verification *verification, const struct arguments *arguments)
{
    SCOPED struct cost_claims *claims = heap_take(1, sizeof *claims);
    claims->verification = verification;
    claims->costs = costs_make((enum cost_model)verification->cost, verification->goal.shape);
    cost_claims_judge(claims, arguments->quiet);
    if (arguments->json)
        print_json(cost_claims_json(claims));
    else if (!arguments->quiet)
        cost_claims_print(claims, stdout);
    const unsigned findings = cost_claims_report(claims, stderr);
    cost_claims_end(claims);
    return finish_output(findings == 0 ? EXIT_DONE : EXIT_FINDINGS);
}

/* Builds the tables of the heuristics and judges them. */
static int judge(struct verification *verification, const struct arguments *arguments)
{
    int code = EXIT_DONE;
    for (unsigned n = 0; n < verification->count && code == EXIT_DONE; n++)
        code = exit_code_of(tables_build(&verification->choice[n], &verification->goal,
                                         (enum cost_model)verification->cost, arguments->quiet));
    if (code != EXIT_DONE)
        return code;
    if (verification->cost != COST_unit)
        return judge_costs(verification, arguments);
    verification_run(verification, arguments->quiet);
    if (arguments->json)
        print_json(verification_json(verification));
    else if (!arguments->quiet)
        verification_print(verification, stdout);
    return finish_output(verification_report(verification, stderr) == 0 ? EXIT_DONE
                                                                        : EXIT_FINDINGS);
}

static int verify_heuristics(const struct arguments *arguments)
{
    SCOPED struct verification *verification = heap_take(1, sizeof *verification);
    int code = EXIT_USAGE;
    SCOPED_BY(report_end) struct report report = {.file = "--goal"};
    bool fine = goal_parse(arguments->board.goal, arguments->board.shape, FIRST_PLACE, &report,
                           &verification->goal);
    report.file = fine ? "tilelab verify" : report.file;
    fine = fine && verification_read(&arguments->heuristics, verification, stderr, &report);
    if (fine)
        code = judge(verification, arguments);
    else
        fputs(report.text, stderr);
    verification_end(verification);
    return code;
}

int command_verify(int argc, char **argv)
{
    static int (*const verify[WHATS])(const struct arguments *arguments) = {
        [WHAT_HEURISTICS] = verify_heuristics,
        [WHAT_SOLUTION] = verify_solution,
        [WHAT_SOLVER] = verify_solver};
    struct arguments arguments = {.board = board_arguments_start(MAX_CELLS),
                                  .heuristics.seed = 1,
                                  .solver.bytes = SOLVER_BYTES};
    hide_minus_one(argc, argv);
    command_line_parse(&verify_line, argc, argv, &arguments);
    const int code = verify[arguments.what](&arguments);
    free(arguments.words);
    plugins_end(&arguments.plugins);
    return code;
}
