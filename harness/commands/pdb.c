/* tilelab pdb: pattern databases on the disk: builds them, lists them, checks them. */
#include "base/heap.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/execution/tables.h"
#include "harness/text/human.h"
#include "harness/text/text_table.h"
#include "pdb/partition.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum action { ACTION_BUILD, ACTION_LIST, ACTION_CHECK, ACTIONS };

static const char *const action_names[ACTIONS] = {"build", "list", "check"};

struct arguments {
    enum action action; /* ACTIONS: not told yet */
    const char **words; /* partitions or files; owned */
    size_t count;
    struct shape shape;
    bool has_shape;
    const char *goal; /* NULL: not given */
};

enum { KEY_SIZE = 256 };

static const struct argp_option options[] = {
    {"size", KEY_SIZE, "WxH", 0,
     "build: columns x rows (default: those of a named partition, else 3x3)", 0},
    {"goal", 'g', "GOAL", 0, "build: blank-last (default), blank-first, snail or a whole board", 0},
    {0},
};

static void parse_action(struct argp_state *state, struct arguments *arguments, const char *word)
{
    for (unsigned i = 0; i < ACTIONS; i++)
        if (strcmp(word, action_names[i]) == 0) {
            arguments->action = (enum action)i;
            return;
        }
    const char *nearest = nearest_word(word, action_names, ACTIONS);
    argp_error(state, "'%s': expected build, list or check%s%s%s", word,
               nearest == NULL ? "" : "; did you mean '", nearest == NULL ? "" : nearest,
               nearest == NULL ? "" : "'?");
}

static void check_combination(struct argp_state *state, const struct arguments *arguments)
{
    if (arguments->action == ACTIONS)
        argp_error(state, "nothing to do; expected build, list or check");
    if (arguments->action == ACTION_BUILD && arguments->count == 0)
        argp_error(state, "build what? Expected a partition such as 7-8 or 1.2.3.4/5.6.7.8");
    if (arguments->action == ACTION_LIST && arguments->count > 0)
        argp_error(state, "'%s' does not belong here; list takes options only",
                   arguments->words[0]);
    if (arguments->action != ACTION_BUILD && (arguments->has_shape || arguments->goal != NULL))
        argp_error(state, "%s belongs to build", arguments->has_shape ? "--size" : "--goal");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_SIZE:
        arguments->shape = size_argument(state, value, MAX_CELLS);
        arguments->has_shape = true;
        break;
    case 'g':
        arguments->goal = value;
        break;
    case ARGP_KEY_ARG:
        if (arguments->action == ACTIONS) {
            parse_action(state, arguments, value);
            break;
        }
        arguments->words = heap_grow(arguments->words, arguments->count, sizeof *arguments->words);
        arguments->words[arguments->count++] = value;
        break;
    case ARGP_KEY_END:
        check_combination(state, arguments);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child children[] = {{&tables_parser, 0, NULL, 0}, {0}};

const struct argp pdb_parser = {
    .children = children,
    .options = options,
    .parser = parse_option,
    .args_doc = "build PARTITION...\nlist\ncheck [FILE...]",
    .doc =
        "Pattern databases on the disk. A search that needs one builds it on its own and keeps it; "
        "build does so beforehand. list says what is in the folder, check reads files wholly (all "
        "of the folder, or those that are named).\v"
        "PARTITION is a name (4-4, 5-3 for 3x3; 5-5-5, 6-6-3, 7-8 for 4x4; 5-5-5-5-4, 6-6-6-6 for "
        "5x5) or groups of tiles such as 1.2.3.4/5.6.7.8. 7-8 needs 1.6 GB of memory while it is "
        "built.",
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void add_table(struct text_table *out, const struct partition *partition, unsigned group,
                      const struct board *goal, const struct pattern_table *table, bool again)
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
    text_table_cell(out, "%s", tiles);
    text_table_cell(out, "%s", table->path == NULL ? "(memory)" : base_name(table->path));
    text_table_cell(out, "%" PRIu64, table->entries);
    text_table_cell(out, "%" PRIu64, pattern_table_bytes(table));
    text_table_cell(out, "%u", largest);
    text_table_cell(out, "%.4f", (double)sum / (double)reached);
    if (table->built && !again)
        text_table_cell(out, "%.2f", table->build_seconds);
    else
        text_table_cell(out, "-");
    text_table_cell(out, "%s", again ? "as above" : table->built ? "built" : "there already");
    free(tiles);
}

/* A partition and the goal that it is for. */
struct order {
    struct board goal;
    struct partition partition;
};

/* Reads the partitions that are asked for; false where something is wrong with one. */
static bool read_orders(const struct arguments *arguments, struct order *orders,
                        struct report *report)
{
    for (size_t i = 0; i < arguments->count; i++) {
        struct shape shape = arguments->shape;
        char *text = partition_read(arguments->words[i], 0, 0, report);
        if (text == NULL)
            continue;
        for (unsigned row = 0; row < PARTITIONS && !arguments->has_shape; row++)
            if (strcmp(text, partitions[row].name) == 0)
                shape_make(partitions[row].width, partitions[row].height, &shape);
        if (goal_parse(arguments->goal == NULL ? DEFAULT_GOAL : arguments->goal, shape, 0, 0,
                       report, &orders[i].goal))
            partition_make(text, &orders[i].goal, 0, 0, report, &orders[i].partition);
        free(text);
    }
    return report->count == 0;
}

static int build_orders(const struct order *orders, size_t count)
{
    static const char *const headings[] = {"tiles",   "file", "entries", "bytes",
                                           "largest", "mean", "seconds", "state"};
    struct table_watch watch = {0};
    const struct pattern_watcher watcher = table_watch_start(&watch);
    const struct pattern_table **seen = NULL;
    size_t seen_count = 0;
    struct text_table out = {0};
    int code = EXIT_DONE;
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        text_table_column(&out, "", headings[i], i >= 2 && i < 7 ? ALIGN_RIGHT : ALIGN_LEFT);
    for (size_t i = 0; i < count && code == EXIT_DONE; i++)
        for (unsigned group = 0; group < orders[i].partition.count && code == EXIT_DONE; group++) {
            struct pattern canonical;
            uint8_t map[MAX_CELLS];
            uint8_t slot[MAX_PATTERN];
            char *problem = NULL;
            bool again = false;
            pattern_canonical(&orders[i].partition.group[group], &canonical, map, slot);
            const struct pattern_table *table = pattern_table_hold(&canonical, &watcher, &problem);
            progress_clear(&watch.progress);
            if (table == NULL) {
                if (!watch.stopped)
                    fprintf(stderr, "tilelab: %s\n", problem);
                free(problem);
                code = watch.stopped ? EXIT_INTERRUPTED : EXIT_FAILED;
                break;
            }
            for (size_t j = 0; j < seen_count; j++)
                again = again || seen[j] == table;
            seen = heap_grow(seen, seen_count, sizeof *seen);
            seen[seen_count++] = table;
            add_table(&out, &orders[i].partition, group, &orders[i].goal, table, again);
        }
    table_watch_end(&watch);
    if (out.cell_count > 0) {
        const char *place = pattern_store_place();
        printf("folder: %s\n", place == NULL ? "none" : place);
        text_table_print(&out, stdout);
    }
    text_table_end(&out);
    free(seen);
    pattern_store_end();
    return finish_output(code);
}

static int build(const struct arguments *arguments)
{
    struct order *orders = heap_take(arguments->count, sizeof *orders);
    struct report report;
    int code = EXIT_USAGE;
    report_start(&report, "tilelab pdb");
    if (read_orders(arguments, orders, &report))
        code = build_orders(orders, arguments->count);
    else
        fputs(report.text, stderr);
    report_end(&report);
    free(orders);
    return code;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The paths of the folder's files, sorted; heap memory. False, with a message, where it cannot be
 * read. */
static bool folder_files(char ***paths, size_t *count)
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
        fprintf(stderr, "tilelab: %s cannot be read: %s\n", place, strerror(errno));
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
    else
        fprintf(stderr, "tilelab: no pattern databases in %s\n", place);
    return true;
}

static void free_paths(char **paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
}

static int list(void)
{
    static const char *const headings[] = {"file",    "size",  "blank", "cells",
                                           "entries", "bytes", "state"};
    struct text_table out = {0};
    char **paths;
    size_t count;
    if (!folder_files(&paths, &count))
        return EXIT_FAILED;
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        text_table_column(&out, "", headings[i],
                          i == 2 || i == 4 || i == 5 ? ALIGN_RIGHT : ALIGN_LEFT);
    for (size_t i = 0; i < count; i++) {
        struct pattern_table table;
        char *problem = NULL;
        text_table_cell(&out, "%s", base_name(paths[i]));
        if (pattern_file_look(paths[i], &table, &problem)) {
            const struct pattern *pattern = &table.pattern;
            char *name = pattern_name(pattern);
            text_table_cell(&out, "%ux%u", pattern->shape.width, pattern->shape.height);
            text_table_cell(&out, "%u", pattern->blank);
            text_table_cell(&out, "%s", strrchr(name, '-') + 1);
            text_table_cell(&out, "%" PRIu64, table.entries);
            text_table_cell(&out, "%" PRIu64, pattern_table_bytes(&table));
            text_table_cell(&out, "ok");
            free(name);
        } else {
            for (unsigned j = 1; j < 6; j++)
                text_table_cell(&out, "-");
            text_table_cell(&out, "%s", problem);
            free(problem);
        }
    }
    if (count > 0) {
        printf("folder: %s\n", pattern_store_place());
        text_table_print(&out, stdout);
    }
    text_table_end(&out);
    free_paths(paths, count);
    return finish_output(EXIT_DONE);
}

/* A walk over all entries in the order of their ranks. */
struct walk {
    const struct pattern_table *table;
    uint64_t rank;
    uint64_t goal;
    uint64_t black; /* cells of one colour, as of a chessboard */
    unsigned goal_colour;
    uint64_t wrong; /* the first entry that is; table->entries: none */
    const char *what;
};

/* Each move of a tile changes the colour of its cell: a value is odd if and only if the colours of
 * the placement and the goal differ in an odd number. So two placements that a move joins never
 * differ by an even number. */
static void check_entry(struct walk *walk, uint64_t taken)
{
    const uint8_t value = walk->table->values[walk->rank];
    const bool all_tiles = walk->table->pattern.count + 1 == walk->table->pattern.shape.cells;
    const unsigned colour = (unsigned)__builtin_popcountll(taken & walk->black);
    const char *what = NULL;
    if ((value == 0) != (walk->rank == walk->goal))
        what = value == 0 ? "is 0, as the goal's alone may be" : "is the goal's and not 0";
    else if (value == UNREACHABLE && !all_tiles)
        what = "says that home cannot be reached";
    else if (value != UNREACHABLE && ((value + colour + walk->goal_colour) & 1) != 0)
        what = "is odd where it must be even, or even where odd";
    if (what != NULL && walk->what == NULL) {
        walk->wrong = walk->rank;
        walk->what = what;
    }
    walk->rank++;
}

static void walk_slots(struct walk *walk, unsigned slot, uint64_t taken)
{
    const struct pattern *pattern = &walk->table->pattern;
    for (unsigned cell = 0; cell < pattern->shape.cells; cell++) {
        const uint64_t bit = UINT64_C(1) << cell;
        if ((taken & bit) != 0)
            continue;
        if (slot + 1 == pattern->count)
            check_entry(walk, taken | bit);
        else
            walk_slots(walk, slot + 1, taken | bit);
    }
}

/* What is wrong with a file; NULL: nothing. Heap memory. */
static char *check_file(const char *path)
{
    struct pattern_table table;
    char *problem = NULL;
    if (!pattern_file_open(path, &table, &problem))
        return problem;
    const struct pattern *pattern = &table.pattern;
    struct walk walk = {.table = &table, .goal = pattern_rank(pattern, pattern->cell)};
    uint64_t goal = 0;
    for (unsigned cell = 0; cell < pattern->shape.cells; cell++)
        walk.black |= (uint64_t)((cell % pattern->shape.width + cell / pattern->shape.width) & 1)
                      << cell;
    for (unsigned i = 0; i < pattern->count; i++)
        goal |= UINT64_C(1) << pattern->cell[i];
    walk.goal_colour = (unsigned)__builtin_popcountll(goal & walk.black);
    walk_slots(&walk, 0, 0);
    char *name = pattern_name(pattern);
    char *expected = heap_format("%s.pdb", name);
    if (walk.what != NULL)
        problem = heap_format("is wrong: entry %" PRIu64 " (%u) %s", walk.wrong,
                              table.values[walk.wrong], walk.what);
    else if (strcmp(base_name(path), expected) != 0)
        problem = heap_format("holds another table (%s)", name);
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
    for (size_t i = 0; i < arguments->count; i++) {
        paths = heap_grow(paths, count, sizeof *paths);
        paths[count++] = heap_text(arguments->words[i]);
    }
    if (count == 0 && !folder_files(&paths, &count))
        return EXIT_FAILED;
    for (size_t i = 0; i < count; i++) {
        char *problem = check_file(paths[i]);
        printf("%s %s\n", paths[i], problem == NULL ? "is whole" : problem);
        if (problem != NULL)
            code = EXIT_FAILED;
        free(problem);
    }
    free_paths(paths, count);
    return finish_output(code);
}

int command_pdb(int argc, char **argv)
{
    struct arguments arguments = {.action = ACTIONS};
    shape_make(3, 3, &arguments.shape);
    command_line_parse(&pdb_parser, argc, argv, &arguments);
    int code = arguments.action == ACTION_BUILD  ? build(&arguments)
               : arguments.action == ACTION_LIST ? list()
                                                 : check(&arguments);
    free(arguments.words);
    return code;
}
