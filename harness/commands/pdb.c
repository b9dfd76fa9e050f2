/* tilelab pdb: builds, lists and checks pattern databases on disk. */
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/execution/pdb_files.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"
#include "help_texts.h"
#include "heuristics/pdb_priced.h"
#include "puzzle/text.h"

enum action { ACTION_BUILD, ACTION_LIST, ACTION_CHECK, ACTIONS };

static const char *const action_names[ACTIONS] = {"build", "list", "check"};

struct arguments {
    enum action action;                /* ACTIONS: not given yet */
    struct texts words;                /* partitions or files */
    struct experiment_arguments needs; /* the experiment whose tables are built, if any */
    struct board_arguments board;
    unsigned cost; /* enum cost_model */
    bool json, quiet;
};

static void check_arguments(const struct parsing *parsing, void *context)
{
    const struct arguments *arguments = context;
    const bool for_experiment = arguments->needs.names.count > 0;
    const size_t count = arguments->words.count;
    if (arguments->needs.names.count > 1)
        command_line_refuse(parsing, "a second experiment '%s'; expected one",
                            arguments->needs.names.items[1]);
    if (for_experiment && (count > 0 || arguments->board.has_shape || arguments->board.has_goal ||
                           arguments->json || arguments->cost != COST_unit))
        command_line_refuse(parsing, "--experiment says what is built; expected no partition, "
                                     "--size, --goal, --cost or --json");
    if (arguments->action == ACTION_BUILD && count == 0 && !for_experiment)
        command_line_refuse(parsing,
                            "build what? Expected a partition such as 7-8 or 1.2.3.4/5.6.7.8");
    if (arguments->action == ACTION_LIST && count > 0)
        command_line_refuse(parsing, "unexpected argument '%s'; list takes only options",
                            arguments->words.items[0]);
}

static const struct command_option options[] = {
    {OPTION(NULL, 0, "ACTION", "action", take_word, action), .min = 1, .max = 1,
     WORDS(action_names, ACTIONS), .expected = "nothing to do; expected build, list or check"},
    {OPTION(NULL, 0, "PARTITION", "partition", take_texts, words), .names = "@partitions",
     .with = "build"},
    {OPTION(NULL, 0, "FILE", "file", take_texts, words)},
    {OPTION("experiment", 'e', "EXPERIMENT", "Build the tables that an experiment needs",
            take_texts, needs.names),
     .names = "@experiments", .with = "build"},
    {OPTION_SIZE(board), .with = "build"},
    {OPTION_GOAL(board), .with = "build"},
    {OPTION_COST("What moving tile t costs", "; a file is of one model", cost), .with = "build"},
    {OPTION_JSON},
    {OPTION_QUIET(quiet), .with = "build|check"},
    {OPTION_SET(needs.overrides), .with = "--experiment"},
    {OPTION_QUICK(needs.overrides), .with = "--experiment"},
    {OPTION_PDB_DIR},
    {0},
};

COMMAND_LINE(pdb,
             "build PARTITION[:WORD..]...\nbuild --experiment EXPERIMENT\nlist\ncheck "
             "[FILE...]",
             check_arguments, help_pdb_txt);

/* Reads the requested partitions; false if anything is wrong with one. */
static bool read_requests(const struct arguments *arguments, struct pdb_request *requests,
                          struct report *report)
{
    for (size_t i = 0; i < arguments->words.count; i++) {
        struct shape shape = arguments->board.shape;
        SCOPED char *text = pdb_argument(arguments->words.items[i], NO_PLACE, report);
        if (text == NULL)
            continue;
        if (!arguments->board.has_shape)
            pdb_shape(text, &shape);
        const char *own = report->file;
        report->file = "--goal";
        const bool goal =
            goal_parse(arguments->board.goal, shape, FIRST_PLACE, report, &requests[i].goal);
        report->file = own;
        requests[i].cost = (enum cost_model)arguments->cost;
        if (arguments->words.items[i][0] == '@')
            report->file = arguments->words.items[i] + 1;
        if (goal)
            pdb_settings_make(text, &requests[i].goal, report, &requests[i].settings);
        report->file = own;
        if (goal && arguments->cost != COST_unit &&
            pdb_unpriced(&(struct heuristic_choice){.argument = arguments->words.items[i]}))
            report_add(report, NO_PLACE,
                       "'%s' has no tables with costs; expected one partition without words, of "
                       "groups of at most 1,048,576 placements",
                       arguments->words.items[i]);
    }
    return report->count == 0;
}

/* Prints the folder and the rows of its tables. */
static void print_tables(const struct arguments *arguments, const struct tidy *out)
{
    const char *place = pattern_store_place();
    if (arguments->json) {
        print_json(json_pack("{s: s?, s: o}", "folder", place, "tables", tidy_json(out)));
    } else if (!arguments->quiet && out->cell_count > 0) {
        screen_say(stdout, "folder: %s\n", place == NULL ? "none" : place);
        tidy_print(out, stdout);
    }
}

static void say_not_kept(const char *built, const char *files)
{
    screen_say(stderr, "tilelab: %s, but not kept in %s%s\n", built, files,
               pattern_store_place() == NULL ? "; expected a folder (--pdb-dir DIR)" : "");
}

static int build_requests(const struct arguments *arguments, const struct pdb_request *requests)
{
    SCOPED_BY(tidy_end) struct tidy out = {0};
    size_t not_kept = 0;
    int code = exit_code_of(
        pdb_build(requests, arguments->words.count, arguments->quiet, &out, &not_kept));
    print_tables(arguments, &out);
    if (not_kept > 0 && code == EXIT_DONE) {
        SCOPED char *built = heap_format("%zu table%s built", not_kept, plural(not_kept));
        say_not_kept(built, "a file");
        code = EXIT_FAILED;
    }
    pattern_store_end();
    return finish_output(code);
}

static int build(const struct arguments *arguments)
{
    SCOPED struct pdb_request *requests = heap_take(arguments->words.count, sizeof *requests);
    int code = EXIT_USAGE;
    SCOPED_BY(report_end) struct report report = {.file = "tilelab pdb"};
    if (read_requests(arguments, requests, &report))
        code = build_requests(arguments, requests);
    else
        fputs(report.text, stderr);
    for (size_t i = 0; i < arguments->words.count; i++)
        pdb_settings_end(&requests[i].settings);
    return code;
}

/* Builds what an experiment needs. */
static int build_needed(const struct arguments *arguments)
{
    struct experiment experiment;
    if (!experiment_arguments_load(&arguments->needs, &experiment))
        return EXIT_USAGE;
    int code = exit_code_of(tables_build_all(&experiment, arguments->quiet, NULL));
    const struct pattern_table *table;
    for (unsigned i = 0; code == EXIT_DONE && (table = pattern_store_table(i)) != NULL; i++)
        if (table->path == NULL) {
            say_not_kept("pattern databases are built", "files");
            code = EXIT_FAILED;
        }
    experiment_end(&experiment);
    pattern_store_end();
    return code;
}

static bool find_paths(const struct arguments *arguments, struct pdb_paths *paths)
{
    struct terminal terminal = terminal_make();
    terminal.display.quiet = arguments->quiet;
    return pdb_paths_find(paths, &terminal.display);
}

static int list(const struct arguments *arguments)
{
    struct tidy out = {0};
    struct pdb_paths paths = {0};
    if (!find_paths(arguments, &paths))
        return EXIT_FAILED;
    pdb_list(&paths, &out);
    print_tables(arguments, &out);
    tidy_end(&out);
    pdb_paths_end(&paths);
    return finish_output(EXIT_DONE);
}

/* Without --json each file is told as soon as it is checked. */
static int check_files(const struct arguments *arguments, const char *const *paths, size_t count)
{
    int code = EXIT_DONE;
    SCOPED_BY(tidy_end) struct tidy out = {0};
    struct table_watch watch = {.terminal = terminal_make(), .quiet = arguments->quiet};
    const struct pattern_watcher watcher = table_watch_start(&watch);
    tidy_heads(&out, "file:t|state:t");
    for (size_t i = 0; i < count && !watch.stopped; i++) {
        SCOPED char *problem = pdb_check(paths[i], &watcher);
        progress_clear(&watch.terminal.progress);
        watch.pattern = NULL; /* the next one may have the same address */
        if (!watch.stopped && arguments->json) {
            tidy_add(&out, "%s %s", paths[i], problem == NULL ? "whole" : problem);
        } else if (!watch.stopped && (problem != NULL || !arguments->quiet)) {
            screen_say(stdout, "%s %s\n", paths[i], problem == NULL ? "is whole" : problem);
            fflush(stdout);
        }
        if (problem != NULL)
            code = EXIT_FAILED;
    }
    table_watch_end(&watch);
    if (arguments->json)
        print_tables(arguments, &out);
    return finish_output(watch.stopped ? EXIT_INTERRUPTED : code);
}

static int check(const struct arguments *arguments)
{
    struct pdb_paths paths = {0};
    if (arguments->words.count > 0)
        return check_files(arguments, arguments->words.items, arguments->words.count);
    if (!find_paths(arguments, &paths))
        return EXIT_FAILED;
    const int code = check_files(arguments, (const char *const *)paths.items, paths.count);
    pdb_paths_end(&paths);
    return code;
}

int command_pdb(int argc, char **argv)
{
    struct arguments arguments = {.action = ACTIONS, .board = board_arguments_start(MAX_CELLS)};
    command_line_parse(&pdb_line, argc, argv, &arguments);
    int code = arguments.needs.names.count > 0    ? build_needed(&arguments)
               : arguments.action == ACTION_BUILD ? build(&arguments)
               : arguments.action == ACTION_LIST  ? list(&arguments)
                                                  : check(&arguments);
    experiment_arguments_end(&arguments.needs);
    free(arguments.words.items);
    return code;
}
