/* `tilelab check`: reads experiments and says what is wrong with them. */
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/experiment/problems.h"
#include "harness/experiment/remarks.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"

struct arguments {
    bool output;
    bool schema;
    bool json;
    bool quiet;
    struct experiment_arguments experiments;
};

static void print_experiment(const struct experiment *experiment)
{
    const size_t runs = experiment_run_count(experiment);
    printf("%s: %zu run%s (%zu instance%s x %zu solver%s x %u repetition%s), no problems\n",
           experiment->name, runs, plural(runs), experiment->instances.count,
           plural(experiment->instances.count), experiment->solver_count,
           plural(experiment->solver_count), experiment->repetitions,
           plural(experiment->repetitions));
    SCOPED char *externals = externals_text(experiment, false);
    if (externals != NULL)
        fputs(externals, stdout);
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    const struct arguments *arguments = context;
    const struct texts *names = &arguments->experiments.names;
    if (names->count > 0 && arguments->schema)
        command_line_refuse(parsing, "an experiment '%s' with --schema; expected none",
                            names->items[0]);
    if (names->count == 0 && !arguments->schema)
        command_line_refuse(parsing, NO_EXPERIMENT);
}

static const struct command_option options[] = {
    {OPTION("output", 'o', NULL, "Print the results folder only", take_flag, output)},
    {OPTION("schema", 0, NULL, "Print the JSON Schema of experiment files, for editors", take_flag,
            schema)},
    {ARGUMENT_EXPERIMENT(experiments, 0, 0)},
    {OPTION_SET(experiments.overrides)},
    {OPTION_QUICK(experiments.overrides)},
    {OPTION_JSON},
    {OPTION_QUIET(quiet)},
    {0},
};

COMMAND_LINE(check, "EXPERIMENT...\n--schema", check_arguments,
             "Read experiments, with the boards they name, and say what is wrong with them; run "
             "nothing.\vEXPERIMENT is a YAML file, or the name of one that ships.");

/* What JSON says about a file: its problems, one per line, or what it holds. */
static json_t *file_json(const char *name, const struct experiment *experiment,
                         const struct report *report)
{
    json_t *problems = json_array();
    for (const char *at = report->text == NULL ? "" : report->text; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        SCOPED char *line = heap_format("%.*s", (int)length, at);
        json_array_append_new(problems, json_text(line));
        at += length + (at[length] == '\n');
    }
    if (experiment == NULL)
        return json_pack("{s:o, s:o}", "file", json_text(name), "problems", problems);
    return json_pack("{s:o, s:o, s:s, s:I, s:I, s:I, s:i, s:o}", "file", json_text(name),
                     "problems", problems, "experiment", experiment->name, "runs",
                     (json_int_t)experiment_run_count(experiment), "instances",
                     (json_int_t)experiment->instances.count, "solvers",
                     (json_int_t)experiment->solver_count, "repetitions",
                     (int)experiment->repetitions, "output", json_text(experiment->output));
}

int command_check(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct experiment_arguments *experiments = &arguments.experiments;
    int code = EXIT_DONE;
    json_auto_t *files = json_array();
    command_line_parse(&check_line, argc, argv, &arguments);
    if (arguments.schema) {
        SCOPED char *schema = experiment_schema();
        puts(schema);
    }
    for (size_t i = 0; i < experiments->names.count; i++) {
        struct experiment experiment;
        SCOPED_BY(report_end) struct report report = {.file = experiments->names.items[i]};
        const bool loaded = experiment_load(experiments->names.items[i], &experiments->overrides,
                                            &report, &experiment);
        const bool fine = loaded && references_check(&experiment, &report);
        if (arguments.json)
            json_array_append_new(
                files, file_json(experiments->names.items[i], fine ? &experiment : NULL, &report));
        else if (!fine)
            problems_print(stderr, &report);
        else if (arguments.output)
            screen_data(stdout, "%s\n", experiment.output);
        else if (!arguments.quiet)
            print_experiment(&experiment);
        if (fine && !arguments.output && !arguments.quiet && !arguments.json) {
            SCOPED char *remarks = remarks_text(&experiment);
            screen_say(stderr, "%s", remarks);
        }
        code = fine ? code : EXIT_USAGE;
        if (loaded)
            experiment_end(&experiment);
    }
    if (arguments.json)
        print_json(json_incref(files));
    experiment_arguments_end(&arguments.experiments);
    return finish_output(code);
}
