/* tilelab rerun: repeats one row of a results folder and shows what differs.
 *
 * Start, goal, solver and order are the row's own; the limits are those that manifest.json keeps
 * for the solver. */
#include "algorithms/solver.h"
#include "base/heap.h"
#include "harness/analysis/results.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/execution/tables.h"
#include "harness/results/record.h"
#include "harness/results/verdict.h"
#include "harness/results/version.h"
#include "harness/text/text_table.h"
#include "instances/csv.h"
#include "puzzle/text.h"
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    const char *results;
    const char *run_id;
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "'%s' does not belong here; expected RESULTS and RUN_ID", value);
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

static const struct argp_child children[] = {{&tables_parser, 0, NULL, 0}, {0}};

const struct argp rerun_parser = {
    .children = children,
    .parser = parse_option,
    .args_doc = "RESULTS RUN_ID",
    .doc = "Repeat one row of a results folder and show what differs.\v"
           "RUN_ID is the row's run_id, or enough of its beginning to tell it from the others.",
};

/* A row as texts, in the order of record_columns. */
struct row {
    char **cells; /* owned; NULL: not found */
    size_t count;
};

static void free_row(struct row *row)
{
    for (size_t i = 0; row->cells != NULL && i < row->count; i++)
        free(row->cells[i]);
    free(row->cells);
    row->cells = NULL;
}

static const char *cell(const struct row *row, const char *name)
{
    size_t count;
    const struct column *columns = record_columns(&count);
    size_t i = 0;
    while (strcmp(columns[i].name, name) != 0)
        i++;
    return row->cells[i];
}

static void copy_row(struct csv *csv, struct row *row)
{
    const struct column *columns = record_columns(&row->count);
    row->cells = heap_take(row->count, sizeof *row->cells);
    for (size_t i = 0; i < row->count; i++)
        row->cells[i] = heap_text(csv->fields[csv_column(csv, columns[i].name)].text);
}

/* Finds the one row whose run_id begins with what was given. */
static bool find_row(const struct arguments *arguments, struct row *row, struct report *report)
{
    char *path = results_file(arguments->results);
    FILE *file = fopen(path, "r");
    struct csv csv;
    size_t found = 0;
    report_start(report, path);
    if (file == NULL) {
        report_add(report, 0, 0, "cannot be read: %s", strerror(errno));
    } else if (csv_start(&csv, file, CSV_APPENDED, report)) {
        size_t count;
        const struct column *columns = record_columns(&count);
        bool whole = true;
        for (size_t i = 0; i < count; i++)
            whole = csv_need(&csv, columns[i].name) != CSV_NONE && whole;
        const size_t id = whole ? csv_column(&csv, "run_id") : 0;
        while (whole && csv_next(&csv))
            if (strncmp(csv.fields[id].text, arguments->run_id, strlen(arguments->run_id)) == 0 &&
                found++ == 0)
                copy_row(&csv, row);
        if (whole && found != 1)
            report_add(report, 0, 0, "%zu rows whose run_id begins with '%s'; expected one", found,
                       arguments->run_id);
    }
    if (file != NULL) {
        csv_end(&csv);
        fclose(file);
    }
    const bool fine = report->count == 0;
    if (!fine) {
        fputs(report->text, stderr);
        free_row(row);
    }
    report_end(report);
    free(path);
    return fine;
}

/* The limits of a solver as the manifest has them; those of `solve` where it has none. */
static struct limits find_limits(const char *results, const char *solver)
{
    struct limits limits = {.bytes = UINT64_C(2) << 30};
    char *folder = results_folder(results);
    char *path = heap_format("%s/manifest.json", folder);
    json_t *manifest = json_load_file(path, 0, NULL);
    const json_t *kept = json_object_get(json_object_get(manifest, "limits"), solver);
    if (kept != NULL) {
        limits.seconds = json_number_value(json_object_get(kept, "seconds"));
        limits.nodes = (uint64_t)json_integer_value(json_object_get(kept, "nodes"));
        limits.bytes = (uint64_t)json_integer_value(json_object_get(kept, "bytes"));
    } else {
        fprintf(stderr,
                "tilelab: %s does not know the limits of %s; running it without any but 2 GiB\n",
                path, solver);
    }
    const char *version =
        json_string_value(json_object_get(json_object_get(manifest, "tilelab"), "version"));
    if (version != NULL && strcmp(version, tilelab_version) != 0)
        fprintf(stderr, "tilelab: the row was written by %s, this is %s\n", version,
                tilelab_version);
    json_decref(manifest);
    free(path);
    free(folder);
    return limits;
}

/* Instance and solver of a row. */
static bool read_row(const struct row *row, struct instance *instance, struct solver *solver,
                     struct report *report)
{
    struct shape shape;
    char *size = heap_format("%sx%s", cell(row, "width"), cell(row, "height"));
    bool fine = shape_parse(size, &shape);
    if (!fine)
        report_add(report, 0, 0, "'%s' is no shape", size);
    free(size);
    fine = fine && board_parse(cell(row, "start"), &shape, 0, 0, report, &instance->start) &&
           board_parse(cell(row, "goal"), &shape, 0, 0, report, &instance->goal) &&
           solver_parse(cell(row, "solver"), 0, 0, report, solver) &&
           solver_defined(solver, &instance->goal, report);
    const char *optimal = cell(row, "optimal_length");
    instance->optimal_length = optimal[0] == '\0' ? LENGTH_UNKNOWN : (int)strtol(optimal, NULL, 10);
    instance->set = (char *)(uintptr_t)cell(row, "set");
    instance->name = (char *)(uintptr_t)cell(row, "instance");
    return fine;
}

/* Whether a column must be the same whenever and wherever a run is repeated. */
static bool must_agree(const char *name)
{
    static const char *const others[] = {"run_id", "experiment", "repetition", "wall_s",
                                         "cpu_s",  "host",       "finished_at"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return false;
    return true;
}

/* Prints the columns that differ, or that none does. Returns how many that must agree do not. */
static size_t print_differences(const struct row *was, char **is)
{
    size_t count;
    size_t differing = 0;
    const struct column *columns = record_columns(&count);
    struct text_table table = {0};
    text_table_column(&table, "", "column", ALIGN_LEFT);
    text_table_column(&table, "", "in the row", ALIGN_RIGHT);
    text_table_column(&table, "", "now", ALIGN_RIGHT);
    for (size_t i = 0; i < count; i++) {
        const bool time = strcmp(columns[i].name, "wall_s") == 0;
        const bool different = must_agree(columns[i].name) && strcmp(was->cells[i], is[i]) != 0;
        /* A row may leave out a long path. */
        if (strcmp(columns[i].name, "moves") == 0 && was->cells[i][0] == '\0')
            continue;
        differing += different;
        if (!different && !time)
            continue;
        text_table_cell(&table, "%s", columns[i].name);
        text_table_cell(&table, "%s", was->cells[i]);
        text_table_cell(&table, "%s", is[i]);
    }
    text_table_print(&table, stdout);
    text_table_end(&table);
    if (differing == 0)
        printf("\nAll else is the same.\n");
    return differing;
}

static int rerun(const struct arguments *arguments, const struct row *row)
{
    struct instance instance = {0};
    struct solver solver;
    struct result result;
    struct report report;
    char time[32];
    report_start(&report, arguments->results);
    if (!read_row(row, &instance, &solver, &report)) {
        fputs(report.text, stderr);
        report_end(&report);
        return EXIT_USAGE;
    }
    const int built = tables_build(&solver.heuristic, &instance.goal, false);
    if (built != EXIT_DONE)
        return built;
    const struct limits limits = find_limits(arguments->results, cell(row, "solver"));
    const struct task task = {instance.start, instance.goal, cell(row, "order")};
    solver_run(&solver, &task, &limits, NULL, &result);
    char *why = verify_result(&solver, &instance, &result);
    if (why != NULL)
        fprintf(stderr, "tilelab: wrong answer: %s\n", why);
    free(why);
    record_time(time);
    const struct record record = {.experiment = cell(row, "experiment"),
                                  .instance = &instance,
                                  .solver = &solver,
                                  .order = task.order,
                                  .repetition = 1,
                                  .result = &result,
                                  .host = "",
                                  .finished_at = time};
    char **is = record_cells(&record, true);
    printf("%s on %s/%s, row %s\n\n", cell(row, "solver"), instance.set, instance.name,
           cell(row, "run_id"));
    size_t differing = print_differences(row, is);
    for (size_t i = 0; i < row->count; i++)
        free(is[i]);
    free(is);
    result_end(&result);
    return finish_output(differing == 0 ? EXIT_DONE : EXIT_FINDINGS);
}

int command_rerun(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct row row = {0};
    struct report report;
    command_line_parse(&rerun_parser, argc, argv, &arguments);
    if (!find_row(&arguments, &row, &report))
        return EXIT_USAGE;
    int code = rerun(&arguments, &row);
    free_row(&row);
    return code;
}
