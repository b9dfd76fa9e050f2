/* tilelab rerun: repeats one row of a results folder and shows what differs.
 *
 * Start, goal, solver, operator order and limits are the row's own. */
#include "algorithms/solver.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/analysis/results.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/commands/tables.h"
#include "harness/results/columns.h"
#include "harness/results/record.h"
#include "harness/results/rows.h"
#include "harness/results/verdict.h"
#include "harness/results/version.h"
#include "harness/text/text_table.h"
#include "puzzle/moves.h"
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    const char *results;
    const char *run_id;
    bool json, quiet;
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->json;
        state->child_inputs[1] = &arguments->quiet;
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "unexpected argument '%s'; expected RESULTS and RUN_ID", value);
        *(state->arg_num == 0 ? &arguments->results : &arguments->run_id) = value;
        break;
    case ARGP_KEY_END:
        if (arguments->run_id == NULL)
            argp_error(state, "expected a results folder and a run_id, or enough of its beginning");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child children[] = {
    {&json_parser, 0, NULL, 0}, {&quiet_parser, 0, NULL, 0}, {&tables_parser, 0, NULL, 0}, {0}};

const struct argp rerun_parser = {
    .children = children,
    .parser = parse_option,
    .args_doc = "RESULTS RUN_ID",
    .doc = "Repeat one row of a results folder and show what differs.\v"
           "RUN_ID is the row's run_id, or enough of its beginning to tell it from the others.",
};

/* The row that was asked for. */
struct found {
    size_t count; /* rows whose run_id begins with what was given */
    char **texts; /* owned; the first one's cells */
    struct row row;
    bool contradicts; /* its cells are not as they were written */
};

/* Copies the current row with its texts. */
static void keep_row(struct found *found, const struct row *row, const char *path)
{
    char id[RUN_ID_BYTES];
    found->row = *row;
    found->texts = heap_take(COLUMNS, sizeof *found->texts);
    for (size_t i = 0; i < COLUMNS; i++)
        found->row.cells[i].text = found->texts[i] = heap_text(row->cells[i].text);
    cells_run_id((const char *const *)found->texts, id);
    found->contradicts = !row->whole || strcmp(id, found->texts[COLUMN_run_id]) != 0;
    if (found->contradicts)
        fprintf(stderr,
                "tilelab: %s:%zu: the row's cells are not those that were written: %s does not fit "
                "them\n",
                path, row->line, row->whole ? "run_id" : "row_hash");
}

/* Finds the one row whose run_id begins with what was given. Rows that cannot be read are reported,
 * but do not matter if the row is found. */
static bool find_row(const struct arguments *arguments, struct found *found)
{
    char *path = results_file(arguments->results);
    const char *why = NULL;
    struct report report;
    struct rows rows = {0};
    struct row row;
    FILE *file = file_open(path, &why);
    bool readable = false;
    report_start(&report, path);
    if (file == NULL)
        report_add(&report, 0, 0, "cannot be read: %s", why);
    else
        readable = rows_start(&rows, file, NULL, 0, &report);
    while (readable && rows_next(&rows, &row))
        if (strncmp(row.cells[COLUMN_run_id].text, arguments->run_id, strlen(arguments->run_id)) ==
                0 &&
            row_boards(&rows, &row) && found->count++ == 0)
            keep_row(found, &row, path);
    if (readable && found->count != 1)
        report_add(&report, 0, 0, "%zu rows whose run_id begins with '%s'; expected one",
                   found->count, arguments->run_id);
    if (report.count > 0)
        fputs(report.text, stderr);
    if (file != NULL) {
        rows_end(&rows);
        fclose(file);
    }
    report_end(&report);
    free(path);
    return found->count == 1;
}

/* Prints the columns that differ, or that none does. Returns how many differ that must agree. */
static size_t print_differences(const struct row *was, char **is, const struct arguments *arguments)
{
    size_t differing = 0;
    struct text_table table = {0};
    text_table_column(&table, "", "column", ALIGN_LEFT);
    text_table_column(&table, "", "in the row", ALIGN_RIGHT);
    text_table_column(&table, "", "now", ALIGN_RIGHT);
    for (size_t i = 0; i < COLUMNS; i++) {
        const char *text = was->cells[i].text;
        const bool left_out = i == COLUMN_moves && text[0] == '\0'; /* a long path */
        const bool different = row_columns[i].repeats && !left_out && strcmp(text, is[i]) != 0;
        differing += different;
        if (!different && i != COLUMN_wall_s)
            continue;
        text_table_cell(&table, "%s", row_columns[i].name);
        text_table_cell(&table, "%s", text);
        text_table_cell(&table, "%s", is[i]);
    }
    if (arguments->json) {
        print_json(json_pack("{s:s, s:b, s:o}", "run_id", was->cells[COLUMN_run_id].text, "same",
                             differing == 0, "columns", text_table_json(&table)));
    } else if (!arguments->quiet) {
        text_table_print(&table, stdout);
        if (differing == 0)
            printf("\nEverything else is the same.\n");
    }
    text_table_end(&table);
    return differing;
}

static int rerun(const struct found *found, const struct arguments *arguments)
{
    const struct row *row = &found->row;
    const struct cell *cells = row->cells;
    const bool known = cells[COLUMN_optimal_length].text[0] != '\0';
    struct instance instance = {.set = found->texts[COLUMN_set],
                                .name = found->texts[COLUMN_instance],
                                .start = row->start,
                                .goal = row->goal,
                                .optimal_length = known ? (int)cells[COLUMN_optimal_length].integer
                                                        : LENGTH_UNKNOWN};
    const struct limits limits = {.seconds = cells[COLUMN_limit_s].number,
                                  .nodes = cells[COLUMN_limit_nodes].integer,
                                  .bytes = cells[COLUMN_limit_bytes].text[0] == '\0'
                                               ? SIZE_MAX
                                               : cells[COLUMN_limit_bytes].integer};
    const char *order = cells[COLUMN_order].text;
    struct operators operators;
    struct solver solver;
    struct result result;
    struct report report;
    char time[32];
    report_start(&report, "the row");
    if (!operators_make(instance.start.shape, order, &operators))
        report_add(&report, 0, 0,
                   "'%s' is not an operator order; expected one such as " DEFAULT_ORDER, order);
    if (report.count > 0 || !solver_parse(cells[COLUMN_solver].text, 0, 0, &report, &solver) ||
        !solver_defined(&solver, &instance.goal, &report)) {
        fputs(report.text, stderr);
        report_end(&report);
        return EXIT_USAGE;
    }
    if (strcmp(cells[COLUMN_build].text, build_hash) != 0)
        fprintf(stderr, "tilelab: the row is of build %s, this is %s\n", cells[COLUMN_build].text,
                build_hash);
    const int built = tables_build(&solver.heuristic, &instance.goal, arguments->quiet);
    if (built != EXIT_DONE)
        return built;
    char *text = solver_text(&solver);
    const struct run run = {.experiment = cells[COLUMN_experiment].text,
                            .instance = &instance,
                            .solver = &solver,
                            .solver_text = text,
                            .order = order,
                            .repetition = (unsigned)cells[COLUMN_repetition].integer,
                            .limits = limits};
    const struct task task = {instance.start, instance.goal, order};
    solver_run(&solver, &task, &limits, NULL, &result);
    char *why = verify_result(&run, &result);
    if (why != NULL)
        fprintf(stderr, "tilelab: wrong answer: %s\n", why);
    free(why);
    record_time(time);
    const struct record record = {.run = &run, .result = &result, .host = "", .finished_at = time};
    char **is = record_cells(&record, true);
    free(text);
    if (!arguments->json && !arguments->quiet)
        printf("%s on %s/%s, row %s\n\n", cells[COLUMN_solver].text, instance.set, instance.name,
               cells[COLUMN_run_id].text);
    const size_t differing = print_differences(row, is, arguments);
    cells_end(is);
    result_end(&result);
    return finish_output(differing == 0 && !found->contradicts ? EXIT_DONE : EXIT_FINDINGS);
}

int command_rerun(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct found found = {0};
    command_line_parse(&rerun_parser, argc, argv, &arguments);
    const int code = find_row(&arguments, &found) ? rerun(&found, &arguments) : EXIT_USAGE;
    cells_end(found.texts);
    return code;
}
