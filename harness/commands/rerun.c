/* tilelab rerun: repeats one row of a results folder and shows what differs.
 *
 * Start, goal, solver, operator order and limits are the row's own; the folder of an external
 * solver is that of manifest.json. */
#include "algorithms/solver.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/analysis/results.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/execution/manifest.h"
#include "harness/execution/refuted.h"
#include "harness/execution/tables.h"
#include "harness/experiment/plugins.h"
#include "harness/external/external.h"
#include "harness/external/program.h"
#include "harness/judge/verdict.h"
#include "harness/results/columns.h"
#include "harness/results/record.h"
#include "harness/results/rows.h"
#include "harness/results/version.h"
#include "harness/text/interrupt.h"
#include "harness/text/screen.h"
#include "harness/text/tidy.h"
#include "puzzle/moves.h"
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

static const struct command_option option_table[] = {
    {.argument = "RESULTS", .take = take_text, .target = TARGET(results), .max = 1},
    {.argument = "RUN_ID",
     .help = "run_id",
     .take = take_text,
     .target = TARGET(run_id),
     .min = 1,
     .max = 1,
     .expected = "expected a results folder and a run_id, or enough of its beginning"},
    {OPTION_JSON},
    {OPTION_QUIET(quiet)},
    {OPTION_PDB_DIR},
    {0},
};

const struct command_line rerun_line = {
    .options = option_table,
    .arguments = "RESULTS RUN_ID",
    .help = "Repeat one row of a results folder and show what differs.\v"
            "RUN_ID is the row's run_id, or enough of its beginning to tell it from the others. "
            "The folder's manifest.json says where the row's program or the plugins of its solver "
            "are, and they are run again. A file that has changed since is named.",
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
        screen_say(
            stderr,
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
    struct row *row;
    FILE *file = file_open(path, &why);
    bool readable = false;
    report_start(&report, path);
    if (file == NULL)
        report_add(&report, 0, 0, "cannot be read: %s", why);
    else
        readable = rows_start(&rows, file, NULL, 0, &report);
    while (readable && (row = rows_next(&rows)) != NULL)
        if (strncmp(row->cells[COLUMN_run_id].text, arguments->run_id, strlen(arguments->run_id)) ==
                0 &&
            row_boards(&rows, row) && found->count++ == 0)
            keep_row(found, row, path);
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
static size_t print_differences(const struct row *was, char **is, const struct arguments *arguments)
{
    size_t differing = 0;
    struct tidy table = {0};
    tidy_column_as(&table, "column", "", SHAPE_TEXT);
    tidy_column(&table, "in the row", "", "");
    tidy_column(&table, "now", "", "");
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
    tidy_end(&table);
    return differing;
}

static bool is_external(const struct found *found)
{
    return strcmp(found->texts[COLUMN_algorithm], external_algorithm(false)->name) == 0;
}

/* Where the manifest says that a plugin lies, or the name itself. */
static const char *path_of(const json_t *manifest, const char *file)
{
    size_t i;
    const json_t *plugin;
    json_array_foreach(json_object_get(manifest, "plugins"), i, plugin)
    {
        const char *name = json_string_value(json_object_get(plugin, "file"));
        const char *path = json_string_value(json_object_get(plugin, "path"));
        if (name != NULL && path != NULL && strcmp(name, file) == 0)
            return path;
    }
    return file;
}

/* What manifest.json says beside the row; NULL, with a message if it is there, where it cannot be
 * used. */
static json_t *manifest_beside(const char *results)
{
    char *why;
    char *folder = results_folder(results);
    json_t *manifest = manifest_of(folder, &why);
    if (why != NULL)
        screen_say(stderr, "tilelab: %s/manifest.json cannot be used: %s\n", folder, why);
    free(why);
    free(folder);
    return manifest;
}

/* Loads the plugins that the row's solver has heuristics from (the files of an external solver are
 * none). False, with a message, if one cannot be loaded; one that has changed is named. */
static bool load_plugins(const struct found *found, const struct arguments *arguments,
                         struct plugins *plugins)
{
    json_t *options = json_loads(found->texts[COLUMN_options_json], 0, NULL);
    json_t *files = is_external(found) ? NULL : json_object_get(options, "files");
    json_t *manifest = json_object_size(files) > 0 ? manifest_beside(arguments->results) : NULL;
    const char *file;
    json_t *hash;
    bool fine = true;
    json_object_foreach(files, file, hash)
    {
        char *problem;
        if (!plugins_add(plugins, file, path_of(manifest, file), &problem)) {
            screen_say(stderr, "tilelab: the row's plugin %s (%s)\n", problem,
                       path_of(manifest, file));
            free(problem);
            fine = false;
        } else if (json_is_string(hash) &&
                   strcmp(plugins->items[plugins->count - 1]->hash, json_string_value(hash)) != 0) {
            screen_say(stderr, "tilelab: %s has changed since the row was made\n", file);
        }
    }
    json_decref(manifest);
    json_decref(options);
    return fine;
}

/* The folder in which a row's program ran, by manifest.json; heap memory; NULL where it does not
 * say. */
static char *folder_of_program(const char *results, const char *solver)
{
    json_t *manifest = manifest_beside(results);
    const json_t *own = json_object_get(json_object_get(manifest, "externals"), solver);
    const char *named = json_string_value(json_object_get(own, "folder"));
    char *found = named == NULL ? NULL : heap_text(named);
    json_decref(manifest);
    return found;
}

/* Says which files are not those of the row: it is repeated all the same, as of another build. */
static void tell_changed(const json_t *options, const struct external *external)
{
    const json_t *files = json_object_get(options, "files");
    for (size_t i = 0; i < external->file_count; i++) {
        const struct program_file *file = &external->files[i];
        const char *was = json_string_value(json_object_get(files, file->name));
        if (was == NULL || strcmp(was, file->hash) != 0)
            screen_say(stderr, "tilelab: %s has changed since the row was made\n", file->name);
    }
}

/* The program of a row of an external solver, found again; false with a message. */
static bool find_program(const struct found *found, const char *results, struct external *external)
{
    const char *solver = found->texts[COLUMN_solver];
    json_t *options = json_loads(found->texts[COLUMN_options_json], 0, NULL);
    char *folder = folder_of_program(results, solver);
    char *why = NULL;
    if (folder == NULL)
        why = heap_text("manifest.json does not say in which folder its program runs");
    else if (!external_read(options, folder, external))
        why = heap_text("options_json does not hold its command");
    else if ((why = external_find_files(external)) != NULL)
        external_end(external);
    else
        tell_changed(options, external);
    if (why != NULL) {
        screen_say(stderr, "tilelab: %s cannot be run again: %s\n", solver, why);
    }
    const bool good = why == NULL;
    free(why);
    free(folder);
    json_decref(options);
    return good;
}

/* The solver of a row: its text is the row's own. */
struct repeated {
    struct solver solver;
    struct external external;
    bool is_external;
    char *text; /* owned */
};

/* EXIT_DONE; or, with a message, why it cannot be run. */
static int find_solver(const struct found *found, const struct arguments *arguments,
                       const struct instance *instance, struct repeated *repeated)
{
    const char *text = found->texts[COLUMN_solver];
    struct report report;
    int code = EXIT_USAGE;
    *repeated = (struct repeated){.is_external = is_external(found)};
    report_start(&report, "the row");
    if (repeated->is_external) {
        if (find_program(found, arguments->results, &repeated->external)) {
            repeated->solver.algorithm = external_algorithm(repeated->external.optimal);
            repeated->text = external_text(&repeated->external);
            code = EXIT_DONE;
        }
    } else if (solver_parse(text, 0, 0, &report, &repeated->solver) &&
               solver_defined(&repeated->solver, &instance->start, &instance->goal, &report)) {
        repeated->text = solver_text(&repeated->solver);
        code = exit_code_of(tables_build_for(&repeated->solver, instance, arguments->quiet));
    }
    if (report.count > 0)
        fputs(report.text, stderr);
    report_end(&report);
    return code;
}

/* Runs the program, which ends with this process even if that is interrupted. */
static void ask_program(const struct external *external, const struct task *task,
                        struct limits limits, struct result *result, struct answer *answer)
{
    interrupt_start();
    limits.interrupted = &interrupted;
    struct programs *programs = programs_start();
    programs_ask(programs, external, task, &limits, result, answer);
    programs_end(programs);
    interrupt_end();
    if (answer->message != NULL)
        screen_say(stderr, "tilelab: %s\n", answer->message);
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
                                               : cells[COLUMN_limit_bytes].integer,
                                  .cpu_seconds = cells[COLUMN_limit_cpu_s].number};
    const char *order = cells[COLUMN_order].text;
    struct operators operators;
    struct repeated repeated;
    struct result result;
    struct answer answer = {0};
    char time[32];
    if (!operators_make(instance.start.shape, order, &operators)) {
        screen_say(stderr,
                   "the row: '%s' is not an operator order; expected one such as " DEFAULT_ORDER
                   "\n",
                   order);
        return EXIT_USAGE;
    }
    if (strcmp(cells[COLUMN_build].text, build_hash) != 0)
        screen_say(stderr, "tilelab: the row is of build %s, this is %s\n",
                   cells[COLUMN_build].text, build_hash);
    const int code = find_solver(found, arguments, &instance, &repeated);
    if (code != EXIT_DONE)
        return code;
    const struct run run = {.experiment = cells[COLUMN_experiment].text,
                            .instance = &instance,
                            .solver = &repeated.solver,
                            .external = repeated.is_external ? &repeated.external : NULL,
                            .solver_text = repeated.text,
                            .order = solver_order(&repeated.solver, order),
                            .repetition = (unsigned)cells[COLUMN_repetition].integer,
                            .limits = limits};
    const struct task task = {instance.start, instance.goal, order};
    if (repeated.is_external)
        ask_program(&repeated.external, &task, limits, &result, &answer);
    else
        solver_run(&repeated.solver, &task, &limits, NULL, &result);
    char *why = verify_result(&run, &result);
    if (why != NULL)
        screen_say(stderr, "tilelab: wrong answer: %s\n", why);
    free(why);
    record_time(time);
    const struct record record = {
        .run = &run, .result = &result, .answer = &answer, .host = "", .finished_at = time};
    char **is = record_cells(&record, true);
    if (!arguments->json && !arguments->quiet)
        printf("%s on %s/%s, row %s\n\n", cells[COLUMN_solver].text, instance.set, instance.name,
               cells[COLUMN_run_id].text);
    const size_t differing = print_differences(row, is, arguments);
    cells_end(is);
    result_end(&result);
    answer_end(&answer);
    if (repeated.is_external)
        external_end(&repeated.external);
    free(repeated.text);
    return finish_output(differing == 0 && !found->contradicts ? EXIT_DONE : EXIT_FINDINGS);
}

int command_rerun(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct found found = {0};
    command_line_parse(&rerun_line, argc, argv, &arguments);
    struct plugins plugins = {0};
    int code = EXIT_USAGE;
    if (find_row(&arguments, &found) && load_plugins(&found, &arguments, &plugins))
        code = rerun(&found, &arguments);
    plugins_end(&plugins);
    cells_end(found.texts);
    return code;
}
