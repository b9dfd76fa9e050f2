#include "harness/execution/repeat.h"
#include "base/heap.h"
#include "harness/execution/builds.h"
#include "harness/execution/manifest.h"
#include "harness/execution/run_question.h"
#include "harness/execution/tables.h"
#include "harness/external/isolation.h"
#include "harness/external/program.h"
#include "harness/judge/verdict.h"
#include "harness/results/version.h"
#include "harness/text/interrupt.h"
#include "harness/text/screen.h"

/* Copies the current row with its texts. */
static void keep_row(struct repeat *repeat, const struct row *row, const char *path)
{
    char id[RUN_ID_BYTES];
    repeat->row = *row;
    repeat->was = heap_take(COLUMNS, sizeof *repeat->was);
    for (size_t i = 0; i < COLUMNS; i++)
        repeat->row.cells[i].text = repeat->was[i] = heap_text(row->cells[i].text);
    cells_run_id((const char *const *)repeat->was, id);
    repeat->contradicts = !row->whole || strcmp(id, repeat->was[COLUMN_run_id]) != 0;
    if (repeat->contradicts)
        screen_say(
            repeat->messages,
            "tilelab: %s:%zu: the row's cells are not those that were written: %s does not fit "
            "them\n",
            path, row->line, row->whole ? "run_id" : "row_hash");
}

/* Rows that cannot be read are reported, but do not matter if the row is found. */
bool repeat_find(struct repeat *repeat, const char *path, const char *run_id)
{
    const char *why = NULL;
    size_t count = 0;
    SCOPED_BY(rows_end) struct rows rows = {0};
    struct row *row;
    SCOPED_BY(stream_end) FILE *file = file_open(path, &why);
    bool readable = false;
    SCOPED_BY(report_end) struct report report = {.file = path};
    if (file == NULL)
        report_add(&report, NO_PLACE, "cannot be read: %s", why);
    else
        readable = rows_start(&rows, file, NULL, 0, &report);
    while (readable && (row = rows_next(&rows)) != NULL)
        if (strncmp(row->cells[COLUMN_run_id].text, run_id, strlen(run_id)) == 0 &&
            row_boards(&rows, row) && count++ == 0)
            keep_row(repeat, row, path);
    if (readable && count != 1)
        report_add(&report, NO_PLACE, "%zu rows whose run_id begins with '%s'; expected one", count,
                   run_id);
    if (report.count > 0)
        fputs(report.text, repeat->messages);
    return count == 1;
}

static bool is_external(const struct repeat *repeat)
{
    return strcmp(repeat->was[COLUMN_algorithm], external_algorithm(false)->name) == 0;
}

/* What manifest.json says beside the row; NULL, with a message if it is there, where it cannot be
 * used. */
static json_t *manifest_beside(const struct repeat *repeat)
{
    SCOPED char *why = NULL;
    json_t *manifest = manifest_of(repeat->folder, &why);
    if (why != NULL)
        screen_say(repeat->messages, "tilelab: %s/manifest.json cannot be used: %s\n",
                   repeat->folder, why);
    return manifest;
}

static void tell_changed(const struct repeat *repeat, const char *file)
{
    screen_say(repeat->messages, "tilelab: %s has changed since the row was made\n", file);
}

/* Takes over why the solver cannot be run again. */
static void tell_impossible(struct repeat *repeat, char *why)
{
    screen_say(repeat->messages, "tilelab: %s cannot be run again: %s\n",
               repeat->was[COLUMN_solver], why);
    free(why);
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

/* Loads the plugins that the row's solver is made of. False, with a message, if one cannot
 * be loaded; one that has changed is named. */
static bool load_plugins(struct repeat *repeat, const json_t *files)
{
    json_auto_t *manifest = json_object_size(files) > 0 ? manifest_beside(repeat) : NULL;
    const char *file;
    json_t *hash;
    bool fine = true;
    json_object_foreach((json_t *)files, file, hash)
    {
        char *problem;
        const char *path = path_of(manifest, file);
        if (!plugins_add(&repeat->plugins, file, path, &problem)) {
            screen_say(repeat->messages, "tilelab: the row's plugin %s (%s)\n", problem, path);
            free(problem);
            fine = false;
        } else if (json_is_string(hash) &&
                   strcmp(plugin_object(&repeat->plugins.items[repeat->plugins.count - 1])->hash,
                          json_string_value(hash)) != 0) {
            tell_changed(repeat, file);
        }
    }
    char *missing = fine && plugins_isolated(&repeat->plugins) != NULL ? isolation_missing() : NULL;
    if (missing != NULL)
        tell_impossible(repeat, missing);
    return fine && missing == NULL;
}

/* Finds the program of an external solver again. What is wrong, heap memory; or NULL. Files that
 * are not those of the row are named: it is repeated all the same, as of another build. */
static char *find_program(struct repeat *repeat, const json_t *options)
{
    json_auto_t *manifest = manifest_beside(repeat);
    const json_t *own =
        json_object_get(json_object_get(manifest, "externals"), repeat->was[COLUMN_solver]);
    const char *folder = json_string_value(json_object_get(own, "folder"));
    const json_t *files = json_object_get(options, "files");
    struct external *external = &repeat->external;
    char *why = NULL;
    if (folder == NULL)
        why = heap_text("manifest.json does not say in which folder its program runs");
    else if (!external_read(options, folder, external))
        why = heap_text("options_json does not hold its command");
    else if ((why = external_find_files(external)) == NULL)
        for (size_t i = 0; i < external->file_count; i++) {
            const struct program_file *file = &external->files[i];
            const char *was = json_string_value(json_object_get(files, file->name));
            if (was == NULL || strcmp(was, file->hash) != 0)
                tell_changed(repeat, file->name);
        }
    return why != NULL || !external->isolated ? why : isolation_missing();
}

/* Makes the solver of the row, whose text is the row's own. */
static enum ending find_solver(struct repeat *repeat, bool quiet)
{
    const char *text = repeat->was[COLUMN_solver];
    json_auto_t *options = json_loads(repeat->was[COLUMN_options_json], 0, NULL);
    enum ending ending = ENDING_REFUSED;
    SCOPED_BY(report_end) struct report report = {.file = "the row"};
    if (is_external(repeat)) {
        struct terminal terminal = terminal_make();
        char *why = find_program(repeat, options);
        if (why == NULL) {
            terminal.display.quiet = quiet;
            repeat->solver.algorithm = external_algorithm(repeat->external.optimal);
            repeat->text = external_text(&repeat->external);
            ending = builds_make_one(&repeat->external, repeat->folder, &terminal.display);
        } else {
            tell_impossible(repeat, why);
        }
    } else if (load_plugins(repeat, json_object_get(options, "files")) &&
               solver_parse(text, NO_PLACE, &report, &repeat->solver) &&
               solver_defined(&repeat->solver, &repeat->instance.start, &repeat->instance.goal,
                              &report)) {
        repeat->text = solver_text(&repeat->solver);
        ending = tables_build_for(&repeat->solver, &repeat->instance, quiet);
    }
    if (report.count > 0)
        fputs(report.text, repeat->messages);
    return ending;
}

/* Runs the program, which ends with this process even if that is interrupted. */
static void ask_program(const struct repeat *repeat, const struct run *run, const struct task *task,
                        struct result *result, struct answer *answer)
{
    struct limits limits = run->limits;
    const struct question question = run_question(run, task, &limits);
    interrupt_start();
    limits.interrupted = &interrupted;
    struct programs *programs = programs_start();
    programs_ask(programs, run->external, &question, result, answer);
    programs_end(programs);
    interrupt_end();
    if (answer->message != NULL)
        screen_say(repeat->messages, "tilelab: %s\n", answer->message);
}

static struct limits limits_of(const struct cell *cells)
{
    return (struct limits){.seconds = cells[COLUMN_limit_s].number,
                           .nodes = cells[COLUMN_limit_nodes].integer,
                           .bytes = cells[COLUMN_limit_bytes].text[0] == '\0'
                                        ? SIZE_MAX
                                        : cells[COLUMN_limit_bytes].integer,
                           .cpu_seconds = cells[COLUMN_limit_cpu_s].number};
}

/* Runs it and keeps the cells of the new row. */
static void run_again(struct repeat *repeat)
{
    const struct cell *cells = repeat->row.cells;
    const char *order = cells[COLUMN_order].text;
    const struct task task = {repeat->instance.start, repeat->instance.goal, order};
    const struct run run = {.experiment = cells[COLUMN_experiment].text,
                            .instance = &repeat->instance,
                            .solver = &repeat->solver,
                            .external = is_external(repeat) ? &repeat->external : NULL,
                            .solver_text = repeat->text,
                            .order = solver_order(&repeat->solver, order),
                            .repetition = (unsigned)cells[COLUMN_repetition].integer,
                            .limits = limits_of(cells)};
    SCOPED_BY(result_end) struct result result;
    SCOPED_BY(answer_end) struct answer answer = {0};
    struct move_costs costs;
    char time[32];
    if (run.external != NULL)
        ask_program(repeat, &run, &task, &result, &answer);
    else
        solver_run_priced(&repeat->solver, &task, instance_costs(&repeat->instance, &costs),
                          &run.limits, NULL, &result);
    SCOPED char *why = verify_result(&run, &result);
    if (why != NULL)
        screen_say(repeat->messages, "tilelab: wrong answer: %s\n", why);
    record_time(time);
    const struct record record = {
        .run = &run, .result = &result, .answer = &answer, .host = "", .finished_at = time};
    repeat->is = record_cells(&record, true);
}

enum ending repeat_run(struct repeat *repeat, bool quiet)
{
    const struct cell *cells = repeat->row.cells;
    const bool known = cells[COLUMN_optimal_length].text[0] != '\0';
    struct operators operators;
    repeat->instance = (struct instance){
        .set = repeat->was[COLUMN_set],
        .name = repeat->was[COLUMN_instance],
        .start = repeat->row.start,
        .goal = repeat->row.goal,
        .optimal_length = known ? (int)cells[COLUMN_optimal_length].integer : LENGTH_UNKNOWN};
    const char *cost = cells[COLUMN_cost_model].text;
    if (cost != NULL && cost[0] != '\0' && !cost_model_parse(cost, &repeat->instance.cost)) {
        screen_say(repeat->messages, "the row: '%s' is no model of costs\n", cost);
        return ENDING_REFUSED;
    }
    for (unsigned i = 0; i < COST_MODELS; i++)
        repeat->instance.optimal_costs[i] = COST_UNKNOWN;
    if (repeat->instance.cost != COST_unit && cells[COLUMN_optimal_cost].text[0] != '\0')
        (void)cost_parse(cells[COLUMN_optimal_cost].text,
                         costs_make(repeat->instance.cost, repeat->row.start.shape).scale,
                         &repeat->instance.optimal_costs[repeat->instance.cost]);
    if (!operators_make(repeat->row.start.shape, cells[COLUMN_order].text, &operators)) {
        screen_say(repeat->messages,
                   "the row: '%s' is not an operator order; expected one such as " DEFAULT_ORDER
                   "\n",
                   cells[COLUMN_order].text);
        return ENDING_REFUSED;
    }
    if (strcmp(cells[COLUMN_build].text, build_hash) != 0)
        screen_say(repeat->messages, "tilelab: the row is of build %s, this is %s\n",
                   cells[COLUMN_build].text, build_hash);
    const enum ending ending = find_solver(repeat, quiet);
    if (ending == ENDING_DONE)
        run_again(repeat);
    return ending;
}

void repeat_end(struct repeat *repeat)
{
    external_end(&repeat->external);
    plugins_end(&repeat->plugins);
    cells_end(repeat->was);
    cells_end(repeat->is);
    free(repeat->text);
}
