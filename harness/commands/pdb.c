/* tilelab pdb: builds, lists and checks pattern databases on disk. */
#include "heuristics/pdb.h"
#include "base/heap.h"
#include "base/pages.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/execution/tables.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"
#include "harness/text/tidy.h"
#include "pdb/pattern_build.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MEAN_DECIMALS = 4, TIME_DECIMALS = 2 };

enum action { ACTION_BUILD, ACTION_LIST, ACTION_CHECK, ACTIONS };

static const char *const action_names[ACTIONS] = {"build", "list", "check"};

struct arguments {
    enum action action;                /* ACTIONS: not given yet */
    struct texts words;                /* partitions or files */
    struct experiment_arguments needs; /* the experiment whose tables are built, if any */
    struct board_arguments board;
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
    if (for_experiment &&
        (count > 0 || arguments->board.has_shape || arguments->board.has_goal || arguments->json))
        command_line_refuse(parsing, "--experiment says what is built; expected no partition, "
                                     "--size, --goal or --json");
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
    {OPTION(NULL, 0, "PARTITION|FILE", "partition or file", take_texts, words)},
    {OPTION("experiment", 'e', "EXPERIMENT", "Build the tables that an experiment needs",
            take_texts, needs.names),
     .names = "@experiments", .with = "build"},
    {OPTION_SIZE(board), .with = "build"},
    {OPTION_GOAL(board), .with = "build"},
    {OPTION_JSON},
    {OPTION_QUIET(quiet), .with = "build|check"},
    {OPTION_SET(needs.overrides), .with = "--experiment"},
    {OPTION_QUICK(needs.overrides), .with = "--experiment"},
    {OPTION_PDB_DIR},
    {0},
};

const struct command_line pdb_line = {
    .options = options,
    .arguments = "build PARTITION[:WORD..]...\nbuild --experiment EXPERIMENT\nlist\ncheck "
                 "[FILE...]",
    .help =
        "Build, list or check pattern databases on disk. A search builds the tables it needs and "
        "keeps them; build does so in advance. list shows the tables in the folder. check reads "
        "whole files (those named, else all in the folder), rebuilds each table in memory and "
        "compares every entry.\v"
        "PARTITION is a name (4-4, 5-3 for 3x3; 5-5-5, 6-6-3, 7-8 for 4x4; 5-5-5-5-4, 6-6-6-6 for "
        "5x5), a name of several partitions (clausecker-small for 5x5), groups of tiles such as "
        "1.2.3.4/5.6.7.8, or @FILE, a file with a partition on each line; with :zero for "
        "zero-aware tables. A file is the same with :onebit, but a search keeps one bit of each "
        "entry in memory. 7-8 needs 0.9 GB "
        "of memory while it is built, 1.4 GB while it is "
        "checked.",
    .check = check_arguments,
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Adds a number with so many decimals, in JSON too. */
static void add_rounded(struct tidy *out, double number, int decimals)
{
    const double unit = pow(10, decimals);
    tidy_number(out, round(number * unit) / unit);
}

static void add_table(struct tidy *out, const struct partition *partition, unsigned group,
                      const struct board *goal, const struct pattern_table *table, bool onebit,
                      bool again)
{
    uint64_t sum = 0;
    uint64_t reached = 0;
    uint8_t largest = 0;
    for (uint64_t i = 0; i < table->entries; i++) {
        const uint8_t value = table->values[i];
        const bool counts = value != UNREACHABLE;
        sum += counts ? value : 0;
        reached += counts;
        largest = counts && value > largest ? value : largest;
    }
    char *tiles = partition_group_text(&partition->group[group], goal);
    tidy_text(out, tiles);
    tidy_text(out, table->path == NULL ? "(memory)" : base_name(table->path));
    tidy_number(out, (double)table->entries);
    tidy_number(out, (double)pattern_table_bytes(table));
    tidy_number(out, (double)pattern_table_memory(table, onebit));
    tidy_number(out, largest);
    add_rounded(out, (double)sum / (double)reached, MEAN_DECIMALS);
    add_rounded(out, table->built && !again ? table->build_seconds : NAN, TIME_DECIMALS);
    tidy_text(out, again ? "as above" : table->built ? "built" : "already there");
    free(tiles);
}

/* What to build, and its goal. */
struct request {
    struct board goal;
    struct pdb_settings settings;
};

/* Reads the requested partitions; false if anything is wrong with one. */
static bool read_requests(const struct arguments *arguments, struct request *requests,
                          struct report *report)
{
    for (size_t i = 0; i < arguments->words.count; i++) {
        struct shape shape = arguments->board.shape;
        char *text = pdb_argument(arguments->words.items[i], 0, 0, report);
        if (text == NULL)
            continue;
        if (!arguments->board.has_shape)
            pdb_shape(text, &shape);
        const char *own = report->file;
        report->file = "--goal";
        const bool goal = goal_parse(arguments->board.goal, shape, 1, 1, report, &requests[i].goal);
        report->file = own;
        if (goal)
            pdb_settings_make(text, &requests[i].goal, report, &requests[i].settings);
        free(text);
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

/* What is being built. */
struct builder {
    struct table_watch *watch;
    const struct pattern_watcher *watcher;
    struct tidy *out;
    const struct pattern_table **seen; /* owned */
    size_t seen_count;
    size_t not_kept;
};

/* Builds the table of a group, and adds its row. */
static int build_group(struct builder *builder, const struct partition *partition, unsigned group,
                       const struct board *goal, bool onebit)
{
    struct pattern canonical;
    uint8_t map[MAX_CELLS];
    uint8_t slot[MAX_PATTERN];
    char *problem = NULL;
    bool again = false;
    pattern_canonical(&partition->group[group], &canonical, map, slot);
    const struct pattern_table *table =
        pattern_table_hold(&canonical, false, builder->watcher, &problem);
    progress_clear(&builder->watch->terminal.progress);
    if (table == NULL) {
        if (!builder->watch->stopped)
            screen_say(stderr, "tilelab: %s\n", problem);
        free(problem);
        return builder->watch->stopped ? EXIT_INTERRUPTED : EXIT_FAILED;
    }
    for (size_t i = 0; i < builder->seen_count; i++)
        again = again || builder->seen[i] == table;
    builder->seen = heap_grow(builder->seen, builder->seen_count, sizeof *builder->seen);
    builder->seen[builder->seen_count++] = table;
    builder->not_kept += table->path == NULL && !again;
    add_table(builder->out, partition, group, goal, table, onebit, again);
    return EXIT_DONE;
}

static int build_requests(const struct arguments *arguments, const struct request *requests)
{
    const size_t count = arguments->words.count;
    struct table_watch watch = {.terminal = terminal_make(), .quiet = arguments->quiet};
    const struct pattern_watcher watcher = table_watch_start(&watch);
    struct tidy out = {0};
    struct builder builder = {.watch = &watch, .watcher = &watcher, .out = &out};
    int code = EXIT_DONE;
    tidy_column_as(&out, "tiles", "", SHAPE_TEXT);
    tidy_column_as(&out, "file", "", SHAPE_TEXT);
    tidy_column_as(&out, "entries", "", SHAPE_FULL);
    tidy_column_as(&out, "bytes", "", SHAPE_FULL);
    tidy_column_as(&out, "memory", "", SHAPE_FULL);
    tidy_column_as(&out, "largest", "", SHAPE_FULL);
    tidy_column(&out, "mean", "", "");
    tidy_fixed(&out, MEAN_DECIMALS);
    tidy_column(&out, "seconds", "", "");
    tidy_fixed(&out, TIME_DECIMALS);
    tidy_column_as(&out, "state", "", SHAPE_TEXT);
    for (size_t i = 0; i < count; i++)
        for (unsigned p = 0; p < requests[i].settings.count; p++) {
            const struct partition *partition = &requests[i].settings.partitions[p];
            for (unsigned group = 0; group < partition->count && code == EXIT_DONE; group++)
                code = build_group(&builder, partition, group, &requests[i].goal,
                                   requests[i].settings.onebit);
        }
    table_watch_end(&watch);
    print_tables(arguments, &out);
    if (builder.not_kept > 0 && code == EXIT_DONE) {
        screen_say(stderr, "tilelab: %zu table%s built, but not kept in a file%s\n",
                   builder.not_kept, plural(builder.not_kept),
                   pattern_store_place() == NULL ? "; expected a folder (--pdb-dir DIR)" : "");
        code = EXIT_FAILED;
    }
    tidy_end(&out);
    free(builder.seen);
    pattern_store_end();
    return finish_output(code);
}

static int build(const struct arguments *arguments)
{
    struct request *requests = heap_take(arguments->words.count, sizeof *requests);
    struct report report;
    int code = EXIT_USAGE;
    report_start(&report, "tilelab pdb");
    if (read_requests(arguments, requests, &report))
        code = build_requests(arguments, requests);
    else
        fputs(report.text, stderr);
    report_end(&report);
    for (size_t i = 0; i < arguments->words.count; i++)
        pdb_settings_end(&requests[i].settings);
    free(requests);
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
            screen_say(stderr, "tilelab: pattern databases are built, but not kept in files%s\n",
                       pattern_store_place() == NULL ? "; expected a folder (--pdb-dir DIR)" : "");
            code = EXIT_FAILED;
        }
    experiment_end(&experiment);
    pattern_store_end();
    return code;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lists the paths of the folder's files, sorted; heap memory. False, with a message, if it cannot
 * be read. */
static bool folder_files(char ***paths, size_t *count, bool quiet)
{
    const char *place = pattern_store_place();
    *paths = NULL;
    *count = 0;
    if (place == NULL) {
        fputs("tilelab: no folder for pattern databases; expected --pdb-dir DIR\n", stderr);
        return false;
    }
    DIR *folder = opendir(place);
    if (folder == NULL && errno != ENOENT) {
        screen_say(stderr, "tilelab: %s cannot be read: %s\n", place, strerror(errno));
        return false;
    }
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        const char *mark = strrchr(entry->d_name, '.');
        if (mark == NULL || strcmp(mark, ".pdb") != 0)
            continue;
        *paths = heap_grow(*paths, *count, sizeof **paths);
        (*paths)[(*count)++] = heap_format("%s/%s", place, entry->d_name);
    }
    if (folder != NULL)
        closedir(folder);
    if (*count > 0)
        qsort(*paths, *count, sizeof **paths, by_text);
    else if (!quiet)
        screen_say(stderr, "tilelab: no pattern databases in %s\n", place);
    return true;
}

static void free_paths(char **paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
}

/* Adds what is known of a file without reading its entries. */
static void add_file(struct tidy *out, const char *path)
{
    struct pattern_table table;
    char *problem = NULL;
    tidy_row(out);
    tidy_set_text(out, 0, base_name(path));
    if (!pattern_file_look(path, &table, &problem)) {
        tidy_set_text(out, 7, problem);
        free(problem);
        return;
    }
    const struct pattern *pattern = &table.pattern;
    char *name = pattern_name(pattern);
    char *size = heap_format("%ux%u", pattern->shape.width, pattern->shape.height);
    tidy_set_text(out, 1, size);
    tidy_set_text(out, 2,
                  pattern->walking != 0 ? "walking distance"
                  : pattern->zero != 0  ? "zero-aware"
                                        : "additive");
    tidy_set_number(out, 3, pattern->blank);
    tidy_set_text(out, 4, pattern->walking != 0 ? "all" : strrchr(name, '-') + 1);
    tidy_set_number(out, 5, (double)table.entries);
    tidy_set_number(out, 6, (double)pattern_table_bytes(&table));
    tidy_set_text(out, 7, "ok");
    free(size);
    free(name);
}

static int list(const struct arguments *arguments)
{
    static const char *const headings[] = {"file",  "size",    "kind",  "blank",
                                           "cells", "entries", "bytes", "state"};
    struct tidy out = {0};
    char **paths;
    size_t count;
    if (!folder_files(&paths, &count, arguments->quiet))
        return EXIT_FAILED;
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        tidy_column_as(&out, headings[i], "", i == 3 || i == 5 || i == 6 ? SHAPE_FULL : SHAPE_TEXT);
    for (size_t i = 0; i < count; i++)
        add_file(&out, paths[i]);
    print_tables(arguments, &out);
    tidy_end(&out);
    free_paths(paths, count);
    return finish_output(EXIT_DONE);
}

/* Rebuilding a table: what the progress line needs. */
struct rebuild {
    const struct pattern_watcher *watcher;
    const struct pattern *pattern;
};

static bool report_rebuild(void *context, uint64_t done, uint64_t all)
{
    const struct rebuild *rebuild = context;
    return rebuild->watcher->builds(rebuild->watcher->context, rebuild->pattern, done, all);
}

/* Compares every entry with a rebuilt table. Returns what is wrong; NULL: nothing. Heap memory. */
static char *compare_entries(const struct pattern_table *table,
                             const struct pattern_watcher *watcher)
{
    const char *why = NULL;
    struct rebuild rebuild = {watcher, &table->pattern};
    uint64_t wrong = 0;
    uint64_t first = 0;
    uint8_t *right = pattern_build(&table->pattern, 0, report_rebuild, &rebuild, &why);
    if (right == NULL)
        return heap_format("cannot be compared with a rebuilt table: %s", why);
    for (uint64_t i = table->entries; i-- > 0;)
        if (table->values[i] != right[i]) {
            wrong++;
            first = i;
        }
    const unsigned expected = right[first];
    pages_end(right, table->entries);
    if (wrong == 0)
        return NULL;
    return heap_format("is wrong: %" PRIu64 " of %" PRIu64 " entries; entry %" PRIu64
                       " is %u, expected %u",
                       wrong, table->entries, first, table->values[first], expected);
}

/* What is wrong with a file; NULL: nothing. Heap memory. */
static char *check_file(const char *path, const struct pattern_watcher *watcher)
{
    struct pattern_table table;
    char *problem = NULL;
    if (!pattern_file_open(path, &table, &problem))
        return problem;
    char *name = pattern_name(&table.pattern);
    char *expected = heap_format("%s.pdb", name);
    if (strcmp(base_name(path), expected) != 0)
        problem = heap_format("holds another table (%s)", name);
    else
        problem = compare_entries(&table, watcher);
    free(expected);
    free(name);
    pattern_file_end(&table);
    return problem;
}

static int check(const struct arguments *arguments)
{
    char **paths = NULL;
    size_t count = 0;
    int code = EXIT_DONE;
    for (size_t i = 0; i < arguments->words.count; i++) {
        paths = heap_grow(paths, count, sizeof *paths);
        paths[count++] = heap_text(arguments->words.items[i]);
    }
    if (count == 0 && !folder_files(&paths, &count, arguments->quiet))
        return EXIT_FAILED;
    struct tidy out = {0};
    tidy_column_as(&out, "file", "", SHAPE_TEXT);
    tidy_column_as(&out, "state", "", SHAPE_TEXT);
    struct table_watch watch = {.terminal = terminal_make(), .quiet = arguments->quiet};
    const struct pattern_watcher watcher = table_watch_start(&watch);
    for (size_t i = 0; i < count && !watch.stopped; i++) {
        char *problem = check_file(paths[i], &watcher);
        progress_clear(&watch.terminal.progress);
        watch.pattern = NULL; /* the next one may have the same address */
        char *path = text_printable(paths[i]);
        if (!watch.stopped && arguments->json) {
            tidy_text(&out, path);
            tidy_text(&out, problem == NULL ? "whole" : problem);
        } else if (!watch.stopped && (problem != NULL || !arguments->quiet)) {
            screen_say(stdout, "%s %s\n", path, problem == NULL ? "is whole" : problem);
            fflush(stdout);
        }
        if (problem != NULL)
            code = EXIT_FAILED;
        free(path);
        free(problem);
    }
    table_watch_end(&watch);
    if (arguments->json)
        print_tables(arguments, &out);
    tidy_end(&out);
    free_paths(paths, count);
    return finish_output(watch.stopped ? EXIT_INTERRUPTED : code);
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
