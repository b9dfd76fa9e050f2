/* tilelab reparse: rows made anew from the logs of their programs, without running anything. */
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/execution/session.h"
#include "harness/text/human.h"
#include "help_texts.h"

struct arguments {
    struct experiment_arguments experiment;
    struct session_options session;
    struct reparsed reparsed;
    bool json, quiet;
};

static const struct command_option options[] = {
    {OPTION("output", 'o', "FOLDER", "The results folder, in place of the experiment's", take_text,
            session.output)},
    {OPTION("dry-run", 'n', NULL, "Say what would change, and write no row", take_flag,
            reparsed.dry)},
    {OPTION("all-moves", 'm', NULL, "Write paths of more than 1,000 moves too", take_flag,
            session.all_moves)},
    {ARGUMENT_EXPERIMENT(experiment, 1, 1)},
    {OPTION_SET(experiment.overrides)},
    {OPTION_QUICK(experiment.overrides)},
    {OPTION_JSON},
    {OPTION_QUIET(quiet)},
    {0},
};

COMMAND_LINE(reparse, "EXPERIMENT", NULL, help_reparse_txt);

/* The columns in which rows changed, each in how many: [{"solver": "mine", "column": "generated",
 * "rows": 1000}, ..]; without JSON as a line for each solver. */
static json_t *say_cells(const struct experiment *experiment, const struct reparsed *reparsed,
                         bool silent)
{
    json_t *json = json_array();
    for (size_t s = 0; s < experiment->solver_count && reparsed->cells != NULL; s++) {
        const struct experiment_solver *solver = &experiment->solvers[s];
        const char *name = experiment_solver_name(solver);
        SCOPED char *text = NULL;
        for (size_t c = 0; c < COLUMNS; c++) {
            const size_t rows = reparsed->cells[s * COLUMNS + c];
            if (rows == 0)
                continue;
            heap_append(&text, "%s%s of %s row%s", text == NULL ? "" : ", ", row_columns[c].name,
                        human_count((double)rows).text, plural(rows));
            json_array_append_new(json, json_pack("{s:s, s:s, s:I}", "solver", name, "column",
                                                  row_columns[c].name, "rows", (json_int_t)rows));
        }
        if (text != NULL && !silent)
            printf("%s: %s\n", name, text);
    }
    return json;
}

/* Names the rows that stay as they are, the first ones one by one. */
static json_t *say_staying(struct display *display, const struct reparsed *reparsed)
{
    enum { NAMED = 20 };
    json_t *json = json_array();
    for (size_t i = 0; i < reparsed->staying_count; i++) {
        const struct staying_row *row = &reparsed->staying[i];
        if (i < NAMED)
            display_say(display, "%s stays as it is: %s", row->what, row->why);
        json_array_append_new(json, json_pack("{s:s, s:s}", "row", row->what, "reason", row->why));
    }
    if (reparsed->staying_count > NAMED)
        display_say(display, "%zu more rows stay as they are, for such reasons (--json has all)",
                    reparsed->staying_count - NAMED);
    if (reparsed->staying_count > 0)
        display_say(display, "their runs are missing now: run makes them again, with --keep to "
                             "leave these rows where they are");
    if (reparsed->others > 0) {
        display_note(display, "%zu row%s of other runs stay%s as %s:", reparsed->others,
                     plural(reparsed->others), reparsed->others == 1 ? "s" : "",
                     reparsed->others == 1 ? "it is" : "they are");
        if (!display->quiet)
            display->show(display, reparsed->others_text);
    }
    return json;
}

/* Says what became of the rows; what --json prints is put into `json`. Returns the exit code. */
static int say_all(struct session *session, const struct arguments *arguments, enum ending ending,
                   json_t *json)
{
    struct display *display = &session->terminal->display;
    const struct reparsed *reparsed = &arguments->reparsed;
    const bool silent = arguments->json || arguments->quiet;
    json_object_set_new(json, "folder", json_text(session->output));
    if (ending != ENDING_DONE)
        return exit_code_of(ending);
    json_object_set_new(json, "rows", json_integer((json_int_t)reparsed->rows));
    json_object_set_new(json, "dry_run", json_boolean(reparsed->dry));
    json_object_set_new(json, "cells", say_cells(session->experiment, reparsed, silent));
    json_object_set_new(json, "staying", say_staying(display, reparsed));
    if (!silent)
        printf("%s row%s of %s %s made anew\n", human_count((double)reparsed->rows).text,
               plural(reparsed->rows), session->output,
               reparsed->dry         ? "would be"
               : reparsed->rows == 1 ? "was"
                                     : "were");
    return reparsed->staying_count > 0 || session->doubted ? EXIT_FINDINGS : EXIT_DONE;
}

int command_reparse(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct experiment experiment;
    struct terminal terminal = terminal_make();
    command_line_parse(&reparse_line, argc, argv, &arguments);
    arguments.session.reparsed = &arguments.reparsed;
    struct session session = {
        .experiment = &experiment, .options = &arguments.session, .terminal = &terminal};
    json_auto_t *json = json_object();
    int code = EXIT_USAGE;
    terminal.display.quiet = arguments.quiet;
    if (experiment_arguments_load(&arguments.experiment, &experiment)) {
        const enum ending ending = session_run(&session);
        code = say_all(&session, &arguments, ending, json);
        session_end(&session);
        experiment_end(&experiment);
    }
    if (arguments.json) {
        json_object_set_new(json, "exit_code", json_integer(code));
        print_json(json_incref(json));
    }
    reparsed_end(&arguments.reparsed);
    free(session.reason);
    experiment_arguments_end(&arguments.experiment);
    return finish_output(code);
}
