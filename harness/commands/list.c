/* tilelab list: prints the tables that the program is made from. */
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/commands/templates.h"
#include "harness/show/sheets.h"
#include "harness/text/document.h"
#include "help_texts.h"
#include "puzzle/rank.h"
#include "puzzle/text.h"

static void list_commands(struct list *list)
{
    list_start(list, "command|what it does");
    for (unsigned i = 0; i < COMMANDS; i++)
        tidy_add(&list->rows, "%s %s", commands[i].name, commands[i].summary);
}

static const struct {
    const char *name;
    list_fill *fill;
} lists[] = {
    {"algorithms", list_algorithms},
    {"heuristics", list_heuristics},
    {"sets", list_sets},
    {"experiments", list_experiments},
    {"templates", list_templates},
    {"keys", list_keys},
    {"columns", list_columns},
    {"statuses", list_statuses},
    {"figures", list_figures},
    {"commands", list_commands},
    {"depths", list_depths},
    {"partitions", list_partitions},
    {"placeholders", list_placeholders},
    {"sheets", list_sheets},
};

enum { LISTS = sizeof lists / sizeof *lists };

enum form { FORM_TEXT, FORM_MARKDOWN, FORM_NAMES };

struct arguments {
    unsigned chosen; /* LISTS: all */
    unsigned table;  /* of columns; TABLES: all */
    unsigned sheet;  /* of sheets; SHEETS: all */
    enum form form;
    bool json;
    struct board_arguments board; /* for depths */
    struct plugins plugins;
};

static void take_form(const struct given *given)
{
    *(enum form *)given->target =
        strcmp(given->option->name, "markdown") == 0 ? FORM_MARKDOWN : FORM_NAMES;
}

static const struct command_option options[] = {
    {OPTION("markdown", 0, NULL, "As a Markdown table", take_form, form)},
    {OPTION("names", 0, NULL, "Only the first column, for scripts", take_form, form)},
    {OPTION(NULL, 0, "WHAT", "list", take_word, chosen), .max = 1, WORDS_OF(lists, LISTS)},
    {OPTION(NULL, 0, "TABLE", "table", take_word, table), .max = 1, WORDS_OF(table_schemas, TABLES),
     .with = "columns"},
    {OPTION(NULL, 0, "SHEET", "sheet", take_word, sheet), .max = 1, WORDS_OF(sheet_rows, SHEETS),
     .with = "sheets"},
    {OPTION_SIZE(board), .with = "depths"},
    {OPTION_GOAL(board), .with = "depths"},
    {OPTION_JSON},
    {OPTION_PLUGIN(plugins)},
    {0},
};

static void check_arguments(const struct parsing *parsing, void *context)
{
    (void)context;
    refuse_two_formats(parsing);
}

COMMAND_LINE(list, "[WHAT]\ncolumns TABLE\nsheets SHEET", check_arguments, help_list_txt);

/* All lists below their names, or one alone. */
static void print_lists(struct list *filled, bool all, enum form form)
{
    SCOPED_BY(document_end) struct document document = {0};
    for (unsigned i = 0; i < LISTS; i++) {
        if (filled[i].rows.column_count == 0)
            continue;
        if (all && form == FORM_MARKDOWN)
            document_say(&document, PART_HEADING, "%s", lists[i].name);
        document_table(&document, lists[i].name, &filled[i].rows, "%s",
                       all && form == FORM_TEXT ? lists[i].name : "");
    }
    document_print(&document, form == FORM_TEXT ? FORMAT_TEXT : FORMAT_MARKDOWN, NULL, NULL,
                   stdout);
}

static void print_lists_json(const struct list *filled, bool all)
{
    json_auto_t *whole = json_object();
    json_t *one = NULL;
    for (unsigned i = 0; i < LISTS; i++)
        if (filled[i].rows.column_count > 0)
            json_object_set_new(whole, lists[i].name, one = tidy_json(&filled[i].rows));
    print_json(json_incref(all ? whole : one));
}

static void print_names(const struct list *filled)
{
    for (unsigned i = 0; i < LISTS; i++)
        for (size_t j = 0; j < filled[i].rows.cell_count; j += filled[i].rows.column_count)
            puts(filled[i].rows.cells[j].text);
}

int command_list(int argc, char **argv)
{
    struct arguments arguments = {.chosen = LISTS,
                                  .table = TABLES,
                                  .sheet = SHEETS,
                                  .board = board_arguments_start(MAX_RANKED_CELLS)};
    struct board goal;
    struct list filled[LISTS] = {0};
    command_line_parse(&list_line, argc, argv, &arguments);
    const bool all = arguments.chosen == LISTS;
    SCOPED_BY(report_end) struct report report = {.file = "--goal"};
    const bool fine =
        goal_parse(arguments.board.goal, arguments.board.shape, FIRST_PLACE, &report, &goal);
    for (unsigned i = 0; fine && i < LISTS; i++) {
        filled[i] = (struct list){.goal = &goal,
                                  .table = arguments.table,
                                  .sheet = arguments.sheet,
                                  .names = arguments.form == FORM_NAMES && !arguments.json};
        if (!all && i != arguments.chosen)
            continue;
        lists[i].fill(&filled[i]);
        list_rank(&filled[i]);
    }
    if (!fine)
        fputs(report.text, stderr);
    else if (arguments.json)
        print_lists_json(filled, all);
    else if (arguments.form == FORM_NAMES)
        print_names(filled);
    else
        print_lists(filled, all, arguments.form);
    for (unsigned i = 0; i < LISTS; i++)
        tidy_end(&filled[i].rows);
    plugins_end(&arguments.plugins);
    return finish_output(fine ? EXIT_DONE : EXIT_USAGE);
}
