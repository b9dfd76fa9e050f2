/* tilelab rerun: repeats one row of a results folder and shows what differs. */
#include "base/heap.h"
#include "harness/analysis/results.h"
#include "harness/commands/commands.h"
#include "harness/execution/refuted.h"
#include "harness/execution/repeat.h"

struct arguments {
    const char *results;
    const char *run_id;
    bool json, quiet;
};

static const struct command_option options[] = {
    {.argument = "RESULTS", .take = take_text, .target = TARGET(results), .max = 1},
    {OPTION(NULL, 0, "RUN_ID", "run_id", take_text, run_id), .min = 1, .max = 1,
     .expected = "expected a results folder and a run_id, or enough of its beginning"},
    {OPTION_JSON},
    {OPTION_QUIET(quiet)},
    {OPTION_PDB_DIR},
    {0},
};

COMMAND_LINE(rerun, "RESULTS RUN_ID", NULL,
             "Repeat one row of a results folder and show what differs.\v"
             "RUN_ID is the row's run_id, or enough of its beginning to tell it from the others. "
             "The folder's manifest.json says where the row's program or the plugins of its solver "
             "are, and they are run again. A file that has changed since is named.");

/* Adds a cell of a row, which people see as it is written there. */
static void add_cell(struct tidy *table, size_t column, const char *text)
{
    const enum column_type type = row_columns[column].type;
    const bool number = type == COLUMN_TYPE_INTEGER || type == COLUMN_TYPE_NUMBER;
    if (number && text[0] != '\0')
        tidy_number(table, strtod(text, NULL));
    else
        tidy_text(table, text);
    tidy_show(table, "%s", text);
}

/* Prints the columns that differ, or that none does. Returns how many differ that must agree. */
static size_t print_differences(const struct repeat *repeat, const struct arguments *arguments)
{
    const struct row *was = &repeat->row;
    char **is = repeat->is;
    size_t differing = 0;
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_heads(&table, "column:t|in the row|now");
    for (size_t i = 0; i < COLUMNS; i++) {
        const char *text = was->cells[i].text;
        const bool left_out = i == COLUMN_moves && text[0] == '\0'; /* a long path */
        /* Another file is told; the system's account of a program's memory varies. */
        const bool varies = (i == COLUMN_peak_bytes || i == COLUMN_options_json) &&
                            measured_of(was->cells[COLUMN_measured].text) != MEASURED_SEARCH;
        const bool different =
            row_columns[i].repeats && !left_out && !varies && strcmp(text, is[i]) != 0;
        /* What other rows refute shows in the row alone. */
        differing += different && !(i == COLUMN_status && refuted_perhaps(was));
        if (!different && i != COLUMN_wall_s)
            continue;
        tidy_text(&table, row_columns[i].name);
        add_cell(&table, i, text);
        add_cell(&table, i, is[i]);
    }
    if (arguments->json) {
        print_json(json_pack("{s:s, s:b, s:o}", "run_id", was->cells[COLUMN_run_id].text, "same",
                             differing == 0, "columns", tidy_json(&table)));
    } else if (!arguments->quiet) {
        tidy_print(&table, stdout);
        if (differing == 0)
            printf("\nEverything else is the same.\n");
    }
    return differing;
}

static int rerun(struct repeat *repeat, const struct arguments *arguments)
{
    const int code = exit_code_of(repeat_run(repeat, arguments->quiet));
    if (code != EXIT_DONE)
        return code;
    if (!arguments->json && !arguments->quiet)
        printf("%s on %s/%s, row %s\n\n", repeat->was[COLUMN_solver], repeat->was[COLUMN_set],
               repeat->was[COLUMN_instance], repeat->was[COLUMN_run_id]);
    const size_t differing = print_differences(repeat, arguments);
    return finish_output(differing == 0 && !repeat->contradicts ? EXIT_DONE : EXIT_FINDINGS);
}

int command_rerun(int argc, char **argv)
{
    struct arguments arguments = {0};
    command_line_parse(&rerun_line, argc, argv, &arguments);
    SCOPED char *file = results_file(arguments.results);
    SCOPED char *folder = results_folder(arguments.results);
    struct repeat repeat = {.messages = stderr, .folder = folder};
    int code = EXIT_USAGE;
    if (repeat_find(&repeat, file, arguments.run_id))
        code = rerun(&repeat, &arguments);
    repeat_end(&repeat);
    return code;
}
