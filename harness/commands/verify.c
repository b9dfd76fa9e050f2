/* tilelab verify: the values of heuristics and which of their claims hold, board by board
 * (heuristics/judge.h); answers to a board (verify_solution.h); and a program that solves boards
 * (verify_solver.h). */
#include "base/heap.h"
#include "base/random.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/commands/verify_solution.h"
#include "harness/commands/verify_solver.h"
#include "harness/execution/tables.h"
#include "harness/experiment/units.h"
#include "harness/text/human.h"
#include "harness/text/progress.h"
#include "harness/text/screen.h"
#include "harness/text/tidy.h"
#include "heuristics/judge.h"
#include "instances/generate.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_JUDGED = 64,
    SAMPLE = 1000,
    MAX_BOARDS = 1000000,
    SECONDS = 60,       /* to look for a shorter solution */
    SOLVER_SECONDS = 10 /* for a board */
};

/* Heuristics with an argument that are judged if none is named. Those with large tables must be
 * named. */
static const char *const usual[] = {
    "max:linear_conflict+walking_distance",
    "pdb:4-4",
    "pdb:4-4:reflect",
    "pdb:5-5-5",
    "pdb:5-5-5:reflect",
    "pdb:6-6-3",
    "pdb:6-6-3:reflect",
};

struct arguments {
    enum { WHAT_HEURISTICS, WHAT_SOLUTION, WHAT_SOLVER, WHATS } what;
    char **words; /* owned: what follows `solution` or `solver` */
    size_t word_count;
    double seconds;
    const char *texts[MAX_JUDGED];
    unsigned count;
    struct plugins plugins;
    struct board_arguments board;
    uint64_t boards; /* 0: all */
    uint64_t seed;
    bool has_boards;
    bool json, quiet;
    struct solver_question solver; /* its options */
};

struct verification {
    const struct arguments *arguments;
    struct board goal;
    struct heuristic_choice choice[MAX_JUDGED];
    struct judgement judgement[MAX_JUDGED];
    unsigned count;
    bool exact; /* all boards are judged, with their distances */
    struct distances distances;
    struct instance_list sample;
};

#define SOLVER_BYTES (UINT64_C(2) << 30)

static bool marks_solution(const struct arguments *arguments)
{
    return arguments->what == WHAT_SOLUTION;
}

static bool tries_solver(const struct arguments *arguments)
{
    return arguments->what == WHAT_SOLVER;
}

/* The words after the one that says what to verify, without the space of hide_minus_one; then NULL.
 */
static void take_more(const struct parsing *parsing, const struct command_option *option,
                      void *target, char *value)
{
    struct arguments *arguments = target;
    (void)option;
    if (!marks_solution(arguments) && !tries_solver(arguments)) {
        if (arguments->count == MAX_JUDGED)
            command_line_refuse(parsing, "more than %d heuristics", MAX_JUDGED);
        arguments->texts[arguments->count++] = value;
        return;
    }
    arguments->words = heap_grow(arguments->words, arguments->word_count + 1, sizeof(char *));
    arguments->words[arguments->word_count++] = strncmp(value, " -1", 3) == 0 ? value + 1 : value;
    arguments->words[arguments->word_count] = NULL;
}

/* The second of two words. */
static void take_second(const struct parsing *parsing, const struct command_option *option,
                        void *target, char *value)
{
    *(bool *)target = word_number(parsing, option, value) == 1;
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    struct arguments *arguments = context;
    arguments->has_boards = option_given(parsing, "boards");
    if (tries_solver(arguments) && arguments->word_count == 0)
        command_line_refuse(parsing, "no command; expected one, such as: tilelab verify solver -- "
                                     "python3 my_astar.py");
}

static const char *const what_names[WHATS] = {"heuristics", "solution", "solver"};
static const char *const protocols[] = {"text", "json"};
static const char *const directions[] = {"blank", "tile"};

static const struct command_option options[] = {
    {OPTION(NULL, 0, "WHAT", "word", take_word, what), .min = 1, .max = 1, WORDS(what_names, WHATS),
     .expected = "verify what? Expected heuristics, solution or solver"},
    {OPTION_OF_ALL(NULL, 0, "WORD", "word", take_more), .names = "@heuristics"},
    {OPTION("boards", 'n', "N",
            "Random boards, those of tilelab generate (default: all boards of up to 10 cells, "
            "1000 of more)",
            take_count, boards),
     .min = 2, .max = MAX_BOARDS, .with = "heuristics"},
    {OPTION("seed", 0, "N", "Chooses the random boards (default 1)", take_count, seed),
     .with = "heuristics"},
    {OPTION("time", 0, "TIME",
            "For a solution: wall time to look for a shorter one, such as 10s (default 60s). For "
            "a solver: wall time for each board (default 10s)",
            take_seconds, seconds),
     .with = "solution|solver"},
    {OPTION("optimal", 0, NULL, "For a solver: its paths must be shortest", take_flag,
            solver.optimal),
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

const struct command_line verify_line = {
    .options = options,
    .arguments = "heuristics [HEURISTIC...]\nsolution BOARD MOVES\nsolution [BOARD] FILE\n"
                 "solver -- COMMAND...",
    .help =
        "Judge heuristics on every board of a goal, or on random ones: mean and largest value, and "
        "whether every claim of the table of heuristics holds on each board and each move. Without "
        "HEURISTIC, all that are defined for the goal. Or mark the solution of a board: is each "
        "move legal, does it reach the goal, is it shortest, or how much longer? Or run a program "
        "of "
        "one's own on twenty boards and say what is right and what is not.\v"
        "On boards of up to 10 cells the exact distances are known, and the verdict on "
        "admissibility is a proof. On a sample, 'yes' means that no counterexample was found; "
        "whether h ever exceeds the distance is then unknown; +- is half an interval of 95 %.\n\n"
        "The moves of a solution are those of the blank, U D L R, in either case, with or without "
        "spaces and commas. A file holds moves, or the boards of the path one after the other, as "
        "many programs print them (-1 is a blank too); - is standard input. The exit code is 0 if "
        "the moves are legal and reach the goal, shortest or not, and 3 if not. Whether they are "
        "shortest is found out by idastar(walking_distance), or linear_conflict on larger boards; "
        "where the time does not suffice, how much longer they are at most.\n\n"
        "A solver is a program in any language that reads a board from standard input ('W H', the "
        "rows, an empty line, the rows of the goal; 0 is the blank) and prints 'moves: RDLL', the "
        "directions in which the blank goes, or 'status: unsolvable'; tilelab template has some. "
        "Its boards are easy, hard and unsolvable ones of several sizes and goals. Its own options "
        "follow --. The exit code is 0 if it is right on all boards.\n\n"
        "  tilelab verify solver --optimal -- python3 my_astar.py\n"
        "  tilelab verify solution 8 1 3 4 0 2 7 6 5 RDLLUURDLDRURD\n"
        "  tilelab verify solution -g '1 2 3 5 8 6 0 7 4' path.txt",
    .check = check_arguments,
};

static bool read_one(struct verification *verification, const char *text, struct report *report)
{
    struct heuristic_choice *choice = &verification->choice[verification->count];
    if (!heuristic_parse(text, 0, 0, report, choice))
        return false;
    char *reason = heuristic_refuses(choice, &verification->goal);
    if (reason != NULL)
        report_add(report, 0, 0, "%s", reason);
    free(reason);
    verification->count += reason == NULL;
    return reason == NULL;
}

static void count_pattern(void *context, const struct pattern *pattern)
{
    unsigned *count = context;
    (void)pattern;
    (*count)++;
}

/* Whether a heuristic has tables that are kept in files: it is judged only if it is named. */
static bool has_tables(const struct verification *verification, const char *text)
{
    struct report report;
    struct heuristic_choice choice;
    unsigned count = 0;
    report_start(&report, NULL);
    const bool fine = heuristic_parse(text, 0, 0, &report, &choice);
    char *reason = fine ? heuristic_refuses(&choice, &verification->goal) : NULL;
    if (fine && reason == NULL)
        heuristic_patterns(&choice, &verification->goal, count_pattern, &count);
    free(reason);
    report_end(&report);
    return count > 0;
}

/* Reads the heuristics that were named; or takes all that are defined for the goal and reports the
 * others. */
static bool read_heuristics(struct verification *verification, struct report *report)
{
    const struct arguments *arguments = verification->arguments;
    for (unsigned i = 0; i < arguments->count; i++)
        read_one(verification, arguments->texts[i], report);
    if (arguments->count > 0)
        return report->count == 0;
    struct report none;
    report_start(&none, NULL);
    const struct heuristic_kind *kind;
    for (unsigned i = 0; (kind = heuristic_at(i)) != NULL; i++) {
        if (heuristic_takes_argument(kind))
            continue;
        if (has_tables(verification, kind->name)) {
            screen_say(stderr,
                       "tilelab: left out: %s has large tables on %ux%u; expected its name\n",
                       kind->name, verification->goal.shape.width, verification->goal.shape.height);
        } else if (!read_one(verification, kind->name, &none)) {
            screen_say(stderr, "tilelab: left out: %s", none.text);
            report_end(&none);
        }
    }
    for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strncmp(usual[i], "max:", 4) != 0 || !has_tables(verification, usual[i]))
            read_one(verification, usual[i], &none); /* each fits only some shapes */
    report_end(&none);
    return true;
}

/* Judges one heuristic on all boards. */
static void judge_one(struct verification *verification, unsigned number, struct progress *progress)
{
    const struct distances *distances = &verification->distances;
    const size_t count = verification->exact ? distances->ranking.size : verification->sample.count;
    struct judge judge;
    char *name = heuristic_text(&verification->choice[number]);
    judge_start(&judge, &verification->choice[number], &verification->goal);
    for (size_t i = 0; i < count; i++) {
        struct board board;
        if (verification->exact)
            ranking_unrank(&distances->ranking, (uint32_t)i, &board);
        else
            board = verification->sample.items[i].start;
        judge_board(&judge, &board, verification->exact ? distances->depth[i] : -1);
        if (i % 1024 == 0)
            progress_show(progress, number * count + i, name);
    }
    verification->judgement[number] = judge.judgement;
    judge_end(&judge);
    free(name);
}

/* "yes", "no" (neither claimed nor true), or what is wrong with the claim. */
static char *claim_text(const struct verification *verification, unsigned number, unsigned claim)
{
    const struct judgement *judgement = &verification->judgement[number];
    const bool claimed = (heuristic_properties(&verification->choice[number]) & claim) != 0;
    const bool broken = (judgement_broken(judgement) & claim) != 0;
    if (claim == ADMISSIBLE && !verification->exact)
        return heap_text(claimed ? "claimed" : "no");
    if (broken)
        return heap_text(claimed ? "NO, THOUGH CLAIMED" : "no");
    return heap_text(claimed || verification->exact ? "yes" : "not claimed");
}

static double mean_of(const struct judgement *judgement)
{
    return (double)judgement->sum / (double)judgement->boards;
}

/* The standard error of the mean of a sample. */
static double standard_error(const struct judgement *judgement)
{
    const double boards = (double)judgement->boards;
    const double mean = mean_of(judgement);
    return sqrt(((double)judgement->squares / boards - mean * mean) / (boards - 1));
}

static const struct {
    unsigned claim;
    const char *heading;
} claims[] = {
    {ADMISSIBLE, "admissible"},   {CONSISTENT, "consistent"},   {KEEPS_PARITY, "parity"},
    {POSITIVE, "0 at goal only"}, {INCREMENTAL, "incremental"},
};
enum { CLAIMS = sizeof claims / sizeof *claims };

static void print_claims(const struct verification *verification)
{
    struct tidy table = {0};
    tidy_column_as(&table, "heuristic", "", SHAPE_TEXT);
    tidy_column(&table, "mean h", "", "");
    tidy_fixed(&table, 4);
    if (!verification->exact) {
        tidy_column(&table, "+-", "", "");
        tidy_fixed(&table, 4);
    }
    tidy_column_as(&table, "largest h", "", SHAPE_FULL);
    for (unsigned i = 0; i < CLAIMS; i++) {
        tidy_column_as(&table, claims[i].heading, "", SHAPE_TEXT);
        tidy_rank(&table, i + 1);
    }
    for (unsigned n = 0; n < verification->count; n++) {
        const struct judgement *judgement = &verification->judgement[n];
        char *name = heuristic_text(&verification->choice[n]);
        tidy_text(&table, name);
        tidy_number(&table, mean_of(judgement));
        if (!verification->exact)
            tidy_number(&table, NORMAL_95 * standard_error(judgement));
        tidy_number(&table, judgement->largest);
        for (unsigned i = 0; i < CLAIMS; i++) {
            char *text = claim_text(verification, n, claims[i].claim);
            tidy_text(&table, text);
            free(text);
        }
        free(name);
    }
    tidy_print(&table, stdout);
    tidy_end(&table);
}

static void print_depths(const struct verification *verification)
{
    struct tidy table = {0};
    tidy_column_as(&table, "distance", "", SHAPE_FULL);
    tidy_column_as(&table, "boards", "", SHAPE_FULL);
    for (unsigned n = 0; n < verification->count; n++) {
        char *name = heuristic_text(&verification->choice[n]);
        tidy_column(&table, name, "", "");
        tidy_fixed(&table, 3);
        free(name);
    }
    for (unsigned depth = 0; depth <= verification->distances.deepest; depth++) {
        tidy_number(&table, depth);
        tidy_number(&table, verification->distances.states[depth]);
        for (unsigned n = 0; n < verification->count; n++) {
            const struct judgement *judgement = &verification->judgement[n];
            tidy_number(&table,
                        (double)judgement->sum_at[depth] / (double)judgement->boards_at[depth]);
        }
    }
    printf("\nmean h by distance\n\n");
    tidy_print(&table, stdout);
    tidy_end(&table);
}

static json_t *judgement_json(const struct verification *verification, unsigned number)
{
    const struct judgement *judgement = &verification->judgement[number];
    const unsigned broken = judgement_broken(judgement);
    char *name = heuristic_text(&verification->choice[number]);
    json_t *json = json_pack(
        "{s: s, s: I, s: f, s: i, s: b, s: b, s: b, s: b, s: I}", "heuristic", name, "boards",
        (json_int_t)judgement->boards, "mean", mean_of(judgement), "largest",
        (int)judgement->largest, "consistent", (broken & CONSISTENT) == 0, "parity",
        (broken & KEEPS_PARITY) == 0, "zero_at_goal_only", (broken & POSITIVE) == 0, "incremental",
        (broken & INCREMENTAL) == 0, "steps_unequal", (json_int_t)judgement->unequal);
    free(name);
    if (!verification->exact) {
        json_object_set_new(json, "standard_error", json_real(standard_error(judgement)));
        return json;
    }
    json_t *depths = json_array();
    for (unsigned depth = 0; depth <= verification->distances.deepest; depth++)
        json_array_append_new(depths, json_real((double)judgement->sum_at[depth] /
                                                (double)judgement->boards_at[depth]));
    json_object_set_new(json, "admissible", json_boolean((broken & ADMISSIBLE) == 0));
    json_object_set_new(json, "mean_at_distance", depths);
    return json;
}

static json_t *verification_json(const struct verification *verification)
{
    json_t *array = json_array();
    for (unsigned n = 0; n < verification->count; n++)
        json_array_append_new(array, judgement_json(verification, n));
    return array;
}

/* What a counterexample shows, for the end of a message; heap memory. */
static char *shown(const struct judgement *judgement, unsigned claim)
{
    char board[BOARD_LINE], next[BOARD_LINE];
    if (judgement->at_goal != 0 && (claim & (ADMISSIBLE | CONSISTENT | POSITIVE)) != 0)
        return heap_format(": it is %u at the goal", judgement->at_goal);
    if (claim == ADMISSIBLE) {
        const struct counterexample *found = &judgement->too_high;
        board_line(&found->board, board);
        return heap_format(": on %s it is %u, the distance is %d", board, found->h,
                           found->distance);
    }
    if (claim == CONSISTENT) {
        const struct counterexample *found = &judgement->fall;
        board_line(&found->board, board);
        board_line(&found->next, next);
        return heap_format(": on %s it is %u, a move later on %s it is %u", board, found->h, next,
                           found->next_h);
    }
    return heap_text("");
}

/* Reports what is wrong with a heuristic whatever it claims: a plugin may do anything. */
static bool report_faults(const char *name, const struct judgement *judgement)
{
    char board[BOARD_LINE];
    if (judgement->unequal > 0 && judgement->unsteady == 0)
        screen_say(stderr,
                   "tilelab: %s: after %" PRIu64
                   " moves the incremental value is not the one from scratch\n",
                   name, judgement->unequal);
    if (judgement->unsteady > 0) {
        board_line(&judgement->wavers.board, board);
        screen_say(stderr,
                   "tilelab: %s is not the same twice on %" PRIu64 " boards: on %s it is %u, then "
                   "%u; expected a value that depends on the board alone\n",
                   name, judgement->unsteady, board, judgement->wavers.h, judgement->wavers.next_h);
    }
    return judgement->unequal > 0 || judgement->unsteady > 0;
}

/* Reports the claims that do not hold. Returns the number of heuristics with such a claim or
 * another fault. */
static unsigned report_findings(const struct verification *verification)
{
    unsigned findings = 0;
    for (unsigned n = 0; n < verification->count; n++) {
        const struct judgement *judgement = &verification->judgement[n];
        const unsigned wrong =
            judgement_broken(judgement) & heuristic_properties(&verification->choice[n]);
        char *name = heuristic_text(&verification->choice[n]);
        for (unsigned i = 0; i < CLAIMS; i++) {
            if ((wrong & claims[i].claim) == 0)
                continue;
            char *example = shown(judgement, claims[i].claim);
            screen_say(stderr, "tilelab: %s claims '%s', which does not hold%s\n", name,
                       claims[i].heading, example);
            free(example);
        }
        findings += report_faults(name, judgement) || wrong != 0;
        free(name);
    }
    return findings;
}

static int verify(struct verification *verification)
{
    struct progress progress;
    for (unsigned n = 0; n < verification->count; n++) {
        const int code = exit_code_of(tables_build(&verification->choice[n], &verification->goal,
                                                   verification->arguments->quiet));
        if (code != EXIT_DONE)
            return code;
    }
    const size_t boards =
        verification->exact ? verification->distances.ranking.size : verification->sample.count;
    progress_start(&progress, "boards", 0, verification->count * boards,
                   verification->arguments->quiet);
    for (unsigned n = 0; n < verification->count; n++)
        judge_one(verification, n, &progress);
    progress_clear(&progress);
    if (verification->arguments->json) {
        print_json(verification_json(verification));
    } else if (!verification->arguments->quiet) {
        char goal[BOARD_LINE];
        board_line(&verification->goal, goal);
        printf("%s%zu boards of %ux%u, goal %s\n\n", verification->exact ? "all " : "", boards,
               verification->goal.shape.width, verification->goal.shape.height, goal);
        print_claims(verification);
        if (verification->exact && verification->count > 0)
            print_depths(verification);
    }
    return finish_output(report_findings(verification) == 0 ? EXIT_DONE : EXIT_FINDINGS);
}

/* Gets the boards to judge on. */
static bool get_boards(struct verification *verification, struct report *report)
{
    const struct arguments *arguments = verification->arguments;
    verification->exact = !arguments->has_boards && arguments->board.shape.cells <= MAX_TABLE_CELLS;
    if (verification->exact)
        return distances_make(&verification->goal, &verification->distances);
    const struct generation generation = {
        .set = "generated",
        .method = METHOD_uniform,
        .goal = verification->goal,
        .seed = arguments->seed,
        .count = arguments->has_boards ? (uint32_t)arguments->boards : SAMPLE};
    return instances_generate(&generation, 0, 0, report, &verification->sample);
}

int command_verify(int argc, char **argv)
{
    struct arguments arguments = {
        .board = board_arguments_start(MAX_CELLS), .seed = 1, .solver = {.bytes = SOLVER_BYTES}};
    struct report report;
    int code = EXIT_USAGE;
    hide_minus_one(argc, argv);
    command_line_parse(&verify_line, argc, argv, &arguments);
    if (marks_solution(&arguments)) {
        const struct solution_question question = {
            .words = (const char *const *)arguments.words,
            .count = arguments.word_count,
            .goal = arguments.board.goal,
            .shape = arguments.board.has_shape ? &arguments.board.shape : NULL,
            .seconds = arguments.seconds > 0 ? arguments.seconds : SECONDS,
            .json = arguments.json};
        const int marked = verify_solution(&question);
        free(arguments.words);
        return marked;
    }
    if (tries_solver(&arguments)) {
        struct solver_question *question = &arguments.solver;
        question->words = arguments.words;
        question->word_count = arguments.word_count;
        question->seconds = arguments.seconds > 0 ? arguments.seconds : SOLVER_SECONDS;
        question->json = arguments.json;
        question->quiet = arguments.quiet;
        const int marked = verify_solver(question);
        free(arguments.words);
        return marked;
    }
    struct verification *verification = heap_take(1, sizeof *verification);
    verification->arguments = &arguments;
    report_start(&report, "--goal");
    bool fine =
        goal_parse(arguments.board.goal, arguments.board.shape, 1, 1, &report, &verification->goal);
    report.file = fine ? "tilelab verify" : report.file;
    if (fine && read_heuristics(verification, &report) && get_boards(verification, &report))
        code = verify(verification);
    else
        fputs(report.text, stderr);
    distances_end(&verification->distances);
    instance_list_end(&verification->sample);
    free(verification);
    plugins_end(&arguments.plugins);
    report_end(&report);
    return code;
}
