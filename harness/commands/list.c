/* tilelab list: prints the tables that the program is made from. */
#include "algorithms/algorithm.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/commands/templates.h"
#include "harness/experiment/data.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/keys.h"
#include "harness/figures/figures.h"
#include "harness/results/columns.h"
#include "harness/text/text_table.h"
#include "heuristics/heuristic.h"
#include "puzzle/distance.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { MAX_COLUMNS = 8 };

/* A list: headings, and rows of texts. */
struct list {
    const char *headings[MAX_COLUMNS + 1]; /* then NULL */
    bool truths[MAX_COLUMNS]; /* columns whose yes and no become true and false in JSON */
    char **cells;             /* owned, row by row */
    size_t count;
    const struct board *goal; /* for list_depths */
    unsigned table;           /* for list_columns: enum table; TABLES: all */
    bool names;               /* only the first column is wanted */
};

static size_t width_of(const struct list *list)
{
    size_t width = 0;
    while (list->headings[width] != NULL)
        width++;
    return width;
}

/* Adds a cell and takes ownership of its text. */
static void add_cell(struct list *list, char *text)
{
    list->cells = heap_grow(list->cells, list->count, sizeof *list->cells);
    list->cells[list->count++] = text;
}

static char *option_values(const struct option_row *option)
{
    switch (option->kind) {
    case OPTION_FLAG:
        return heap_text(option->fallback ? "=true|false" : "");
    case OPTION_NUMBER:
    case OPTION_DECIMAL: {
        if (option->fallback == OPTION_UNSET)
            return heap_text("=N");
        char *usual = option_text(option, option->fallback);
        char *text = heap_format("=%s|N", usual);
        free(usual);
        return text;
    }
    default: {
        /* The default first. */
        char *text = heap_format("=%s", option->choices[option->fallback]);
        for (unsigned i = 0; option->choices[i] != NULL; i++) {
            if ((int64_t)i == option->fallback)
                continue;
            heap_append(&text, "|%s", option->choices[i]);
        }
        return text;
    }
    }
}

/* "depth_limit=N, ties=high_g|low_g": the default of each choice first. */
static char *options_text(const struct option_row *options)
{
    char *text = heap_text("");
    for (unsigned i = 0; options[i].kind != OPTION_END; i++) {
        char *values = option_values(&options[i]);
        heap_append(&text, "%s%s%s", i == 0 ? "" : ", ", options[i].name, values);
        free(values);
    }
    return text;
}

static char *yes_no(unsigned properties, unsigned property)
{
    return heap_text((properties & property) != 0 ? "yes" : "no");
}

/* Whether the solutions of an algorithm are shortest, and on what condition; heap memory. */
static char *optimal_text(const struct algorithm *algorithm)
{
    const struct option_row *option = algorithm->options;
    if ((algorithm->properties & OPTIMAL) != 0)
        return heap_text(!algorithm->informed                              ? "yes"
                         : (algorithm->properties & NEEDS_CONSISTENT) != 0 ? "if H is consistent"
                                                                           : "if H is admissible");
    if ((algorithm->properties & BOUNDED) == 0)
        return heap_text("no");
    while (!option->bounds)
        option++;
    return heap_format("within %s times%s", option->name,
                       algorithm->informed ? " if H is admissible" : "");
}

static void list_algorithms(struct list *list)
{
    const char *const headings[] = {"algorithm", "what it is", "optimal",
                                    "complete",  "memory",     "options (default first)"};
    memcpy(list->headings, headings, sizeof headings);
    for (unsigned i = 0; i < algorithm_count; i++) {
        const struct algorithm *algorithm = &algorithms[i];
        add_cell(list, heap_format("%s%s", algorithm->name, algorithm->informed ? "(H)" : ""));
        add_cell(list, heap_text(algorithm->summary));
        add_cell(list, optimal_text(algorithm));
        add_cell(list, yes_no(algorithm->properties, COMPLETE));
        add_cell(list, heap_text(algorithm->memory));
        add_cell(list, options_text(algorithm->options));
    }
}

static void list_heuristics(struct list *list)
{
    const char *const headings[] = {"heuristic", "what it is",     "admissible",  "consistent",
                                    "parity",    "0 at goal only", "incremental", "options"};
    memcpy(list->headings, headings, sizeof headings);
    const struct heuristic_kind *kind;
    for (unsigned i = 0; (kind = heuristic_at(i)) != NULL; i++) {
        const bool argument = heuristic_takes_argument(kind) && !list->names;
        add_cell(list, heap_format("%s%s%s", kind->name, heuristic_takes_argument(kind) ? ":" : "",
                                   argument ? kind->extras->form : ""));
        add_cell(list, heap_text(kind->summary));
        add_cell(list, yes_no(kind->properties, ADMISSIBLE));
        add_cell(list, yes_no(kind->properties, CONSISTENT));
        add_cell(list, yes_no(kind->properties, KEEPS_PARITY));
        add_cell(list, yes_no(kind->properties, POSITIVE));
        add_cell(list, yes_no(kind->properties, INCREMENTAL));
        add_cell(list, options_text(kind->options));
    }
}

/* What a set says of itself: its first comment. */
static char *first_comment(const char *name)
{
    char *path = data_path(DATA_SETS, name);
    const char *why;
    FILE *file = path == NULL ? NULL : file_open(path, &why);
    char line[512];
    char *words = NULL;
    const char *mark = "# ";
    while (file != NULL && words == NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, mark, strlen(mark)) == 0) {
            const char *from = line + strlen(mark);
            line[strcspn(line, "\n")] = '\0';
            words = text_printable(from);
        }
    if (file != NULL)
        fclose(file);
    free(path);
    return words == NULL ? heap_text("") : words;
}

static void list_sets(struct list *list)
{
    size_t count;
    char **names = data_names(DATA_SETS, &count);
    list->headings[0] = "set";
    list->headings[1] = "what it is";
    for (size_t i = 0; i < count; i++) {
        add_cell(list, text_printable(names[i]));
        add_cell(list, first_comment(names[i]));
        free(names[i]);
    }
    free(names);
}

/* An experiment that ships. */
struct shipped {
    char *name; /* owned */
    struct experiment experiment;
    bool fine; /* it can be read */
};

static int by_group(const void *a, const void *b)
{
    const struct shipped *left = a;
    const struct shipped *right = b;
    const int order = (int)left->experiment.group - (int)right->experiment.group;
    return order != 0 ? order : strcmp(left->name, right->name);
}

/* A description ends with the time that the experiment takes, in parentheses. Cuts it off and
 * returns it; "" where there is none. Both are heap memory. */
static char *cut_time(char *description)
{
    const size_t length = strlen(description);
    char *open = strrchr(description, '(');
    if (open == NULL || open == description || open[-1] != ' ' || description[length - 1] != ')')
        return heap_text("");
    description[length - 1] = '\0';
    char *time = heap_text(open + 1);
    open[-1] = '\0';
    return time;
}

/* Group by group. What cannot be read has its name alone: `check` says why. */
static void list_experiments(struct list *list)
{
    const char *const headings[] = {"experiment", "group", "what it is", "runs", "time"};
    size_t count;
    char **names = data_names(DATA_EXPERIMENTS, &count);
    struct shipped *shipped = heap_take(count, sizeof *shipped);
    memcpy(list->headings, headings, sizeof headings);
    for (size_t i = 0; i < count; i++) {
        struct report report;
        report_start(&report, NULL);
        shipped[i].name = names[i];
        if (!list->names)
            shipped[i].fine = experiment_load(names[i], NULL, &report, &shipped[i].experiment);
        report_end(&report);
        if (!shipped[i].fine)
            shipped[i].experiment = (struct experiment){.group = GROUP_OWN};
    }
    qsort(shipped, count, sizeof *shipped, by_group);
    for (size_t i = 0; i < count; i++) {
        const struct experiment *experiment = &shipped[i].experiment;
        char *description = text_printable(shipped[i].fine ? experiment->description : "");
        char *time = cut_time(description);
        add_cell(list, text_printable(shipped[i].name));
        add_cell(list, heap_text(shipped[i].fine ? group_names[experiment->group] : ""));
        add_cell(list, description);
        add_cell(list, shipped[i].fine ? heap_format("%zu", experiment_run_count(experiment))
                                       : heap_text(""));
        add_cell(list, time);
        if (shipped[i].fine)
            experiment_end(&shipped[i].experiment);
        free(shipped[i].name);
    }
    free(shipped);
    free(names);
}

static void list_templates(struct list *list)
{
    const char *const headings[] = {"template", "what it is", "to start with it",
                                    "in an experiment"};
    memcpy(list->headings, headings, sizeof headings);
    for (unsigned i = 0; i < TEMPLATES; i++) {
        add_cell(list, heap_text(templates[i].name));
        add_cell(list, heap_text(templates[i].summary));
        add_cell(list, heap_text(templates[i].start));
        add_cell(list, heap_text(templates[i].entry));
    }
}

static void list_keys(struct list *list)
{
    const char *const headings[] = {"key", "value", "default", "belongs to", "meaning"};
    size_t count;
    struct experiment_key *keys = experiment_keys(&count);
    memcpy(list->headings, headings, sizeof headings);
    for (size_t i = 0; i < count; i++) {
        add_cell(list, keys[i].name);
        add_cell(list, keys[i].value);
        add_cell(list, keys[i].fallback);
        add_cell(list, keys[i].belongs);
        add_cell(list, keys[i].meaning);
    }
    free(keys);
}

/* The columns of one table, or of all; then each with its table. */
static void list_columns(struct list *list)
{
    const char *const headings[] = {"name",         "table",   "type",   "unit",
                                    "may_be_empty", "repeats", "meaning"};
    const bool all = list->table == TABLES;
    size_t count = 0;
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (i != 1 || all)
            list->headings[count++] = headings[i];
    list->truths[count - 3] = list->truths[count - 2] = true;
    for (unsigned i = all ? 0 : list->table; i < (all ? TABLES : list->table + 1); i++) {
        const struct table_schema *table = &table_schemas[i];
        for (size_t j = 0; j < table->column_count; j++) {
            const struct column *column = &table->columns[j];
            add_cell(list, heap_text(column->name));
            if (all)
                add_cell(list, heap_text(table->name));
            add_cell(list, heap_text(column_type_names[column->type]));
            add_cell(list, heap_text(column->unit));
            add_cell(list, yes_no(column->may_be_empty, true));
            add_cell(list, yes_no(column->repeats, true));
            add_cell(list, heap_text(column->meaning));
        }
    }
}

static void list_statuses(struct list *list)
{
    list->headings[0] = "status";
    list->headings[1] = "what it means";
    list->headings[2] = "exit code of solve";
    for (unsigned i = 0; i < STATUSES; i++) {
        add_cell(list, heap_text(status_rows[i].name));
        add_cell(list, heap_text(status_rows[i].summary));
        add_cell(list, heap_format("%d", status_rows[i].exit_code));
    }
}

static void list_figures(struct list *list)
{
    list->headings[0] = "figure";
    list->headings[1] = "what it shows";
    for (unsigned i = 0; i < FIGURES; i++) {
        add_cell(list, heap_text(figure_rows[i].name));
        add_cell(list, heap_text(figure_rows[i].summary));
    }
}

/* The number of boards at each distance from the goal. */
static void list_depths(struct list *list)
{
    struct distances distances;
    list->headings[0] = "depth";
    list->headings[1] = "boards";
    distances_make(list->goal, &distances);
    for (unsigned depth = 0; depth <= distances.deepest; depth++) {
        add_cell(list, heap_format("%u", depth));
        add_cell(list, heap_format("%" PRIu32, distances.states[depth]));
    }
    distances_end(&distances);
}

static void list_commands(struct list *list)
{
    list->headings[0] = "command";
    list->headings[1] = "what it does";
    for (unsigned i = 0; i < COMMANDS; i++) {
        add_cell(list, heap_text(commands[i].name));
        add_cell(list, heap_text(commands[i].summary));
    }
}

static const struct {
    const char *name;
    void (*fill)(struct list *list);
} lists[] = {
    {"algorithms", list_algorithms},   {"heuristics", list_heuristics}, {"sets", list_sets},
    {"experiments", list_experiments}, {"templates", list_templates},   {"keys", list_keys},
    {"columns", list_columns},         {"statuses", list_statuses},     {"figures", list_figures},
    {"commands", list_commands},       {"depths", list_depths},
};

enum { LISTS = sizeof lists / sizeof *lists };

enum form { FORM_TEXT, FORM_MARKDOWN, FORM_JSON, FORM_NAMES };

struct arguments {
    unsigned chosen; /* LISTS: all */
    unsigned table;  /* of columns; TABLES: all */
    enum form form;
    bool json;
    struct board_arguments board; /* for depths */
    struct plugins plugins;
};

static void take_form(const struct parsing *parsing, const struct command_option *option,
                      void *target, char *value)
{
    (void)parsing, (void)value;
    *(enum form *)target = strcmp(option->name, "markdown") == 0 ? FORM_MARKDOWN : FORM_NAMES;
}

static void take_table(const struct parsing *parsing, const struct command_option *option,
                       void *target, char *value)
{
    struct arguments *arguments = target;
    if (lists[arguments->chosen].fill != list_columns)
        command_line_refuse(parsing, "a second list '%s'; expected one", value);
    arguments->table = word_number(parsing, option, value);
}

static const struct command_option options[] = {
    {OPTION("markdown", 0, NULL, "As a Markdown table", take_form, form)},
    {OPTION("names", 0, NULL, "Only the first column, for scripts", take_form, form)},
    {OPTION(NULL, 0, "WHAT", "list", take_word, chosen), .max = 1, WORDS_OF(lists, LISTS)},
    {OPTION_OF_ALL(NULL, 0, "TABLE", "table", take_table), .max = 1,
     WORDS_OF(table_schemas, TABLES)},
    {OPTION_SIZE(board), .with = "depths"},
    {OPTION_GOAL(board), .with = "depths"},
    {OPTION_JSON},
    {OPTION_PLUGIN(plugins)},
    {0},
};

const struct command_line list_line = {
    .options = options,
    .arguments = "[WHAT]\ncolumns TABLE",
    .help =
        "List algorithms, heuristics, sets, experiments, templates, keys (of an experiment file), "
        "columns (of all tables of a results folder, or of one: runs, rounds, messages, summary, "
        "by_depth, pairs), statuses, figures, commands or depths (the number of boards at each "
        "distance "
        "from a goal); without WHAT, all of them.\v--size and --goal are for depths, of boards of "
        "up to 12 cells; depths of 3x4 takes seconds and 400 MB of memory.",
};

/* The column that explains the rows: the one with the most text. */
static size_t explaining_column(const struct list *list)
{
    const size_t width = width_of(list);
    size_t length[MAX_COLUMNS] = {0};
    size_t column = 0;
    for (size_t i = 0; i < list->count; i++)
        length[i % width] += strlen(list->cells[i]);
    for (size_t i = 1; i < width; i++)
        column = length[i] > length[column] ? i : column;
    return column;
}

static void print_text(const struct list *list)
{
    struct text_table table = {0};
    size_t width = width_of(list);
    for (size_t i = 0; i < width; i++) {
        text_table_column(&table, "", list->headings[i], ALIGN_LEFT);
        if (i > 0)
            text_table_prose(&table);
        if (i > 0 && i != explaining_column(list))
            text_table_rank(&table, (unsigned)i);
    }
    for (size_t i = 0; i < list->count; i++)
        text_table_cell(&table, "%s", list->cells[i]);
    text_table_print(&table, stdout);
    text_table_end(&table);
}

/* Escapes bars, which would end the cell. */
static void print_markdown_cell(const char *text)
{
    fputc(' ', stdout);
    for (; *text != '\0'; text++) {
        if (*text == '|')
            fputc('\\', stdout);
        fputc(*text, stdout);
    }
    fputs(" |", stdout);
}

static void print_markdown(const struct list *list)
{
    size_t width = width_of(list);
    fputc('|', stdout);
    for (size_t i = 0; i < width; i++)
        print_markdown_cell(list->headings[i]);
    fputs("\n|", stdout);
    for (size_t i = 0; i < width; i++)
        fputs(" --- |", stdout);
    for (size_t i = 0; i < list->count; i++) {
        if (i % width == 0)
            fputs("\n|", stdout);
        print_markdown_cell(list->cells[i]);
    }
    fputc('\n', stdout);
}

static void print_names(const struct list *list)
{
    const size_t width = width_of(list);
    for (size_t i = 0; i < list->count; i += width)
        puts(list->cells[i]);
}

static json_t *list_json(const struct list *list)
{
    size_t width = width_of(list);
    json_t *rows = json_array();
    for (size_t i = 0; i < list->count; i += width) {
        json_t *row = json_object();
        for (size_t j = 0; j < width; j++)
            json_object_set_new(row, list->headings[j],
                                list->truths[j]
                                    ? json_boolean(strcmp(list->cells[i + j], "yes") == 0)
                                    : json_string(list->cells[i + j]));
        json_array_append_new(rows, row);
    }
    return rows;
}

int command_list(int argc, char **argv)
{
    struct arguments arguments = {
        .chosen = LISTS, .table = TABLES, .board = board_arguments_start(MAX_RANKED_CELLS)};
    struct report report;
    struct board goal;
    command_line_parse(&list_line, argc, argv, &arguments);
    if (arguments.json)
        arguments.form = FORM_JSON;
    report_start(&report, "--goal");
    if (!goal_parse(arguments.board.goal, arguments.board.shape, 1, 1, &report, &goal)) {
        fputs(report.text, stderr);
        report_end(&report);
        return EXIT_USAGE;
    }
    bool all = arguments.chosen == LISTS;
    json_t *whole = json_object();
    for (unsigned i = 0; i < LISTS; i++) {
        struct list list = {
            .goal = &goal, .table = arguments.table, .names = arguments.form == FORM_NAMES};
        if (!all && i != arguments.chosen)
            continue;
        lists[i].fill(&list);
        if ((arguments.form == FORM_TEXT || arguments.form == FORM_MARKDOWN) && all)
            printf("%s%s%s\n\n", i == 0 ? "" : "\n", arguments.form == FORM_MARKDOWN ? "## " : "",
                   lists[i].name);
        if (arguments.form == FORM_TEXT)
            print_text(&list);
        else if (arguments.form == FORM_MARKDOWN)
            print_markdown(&list);
        else if (arguments.form == FORM_NAMES)
            print_names(&list);
        else
            json_object_set_new(whole, lists[i].name, list_json(&list));
        for (size_t cell = 0; cell < list.count; cell++)
            free(list.cells[cell]);
        free(list.cells);
    }
    if (arguments.form == FORM_JSON)
        print_json(json_incref(all ? whole : json_object_get(whole, lists[arguments.chosen].name)));
    json_decref(whole);
    plugins_end(&arguments.plugins);
    report_end(&report);
    return finish_output(EXIT_DONE);
}
