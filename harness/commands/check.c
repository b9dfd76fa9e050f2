/* `tilelab check`: reads experiments and says what is wrong with them. */
#include "base/heap.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/commands/unsolvable.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/problems.h"
#include "harness/text/human.h"
#include <argp.h>
#include <jansson.h>
#include <string.h>

struct arguments {
    bool output;
    bool schema;
    bool json;
    bool quiet;
    const char **experiments;
    size_t count;
    struct overrides overrides;
};

enum { KEY_SCHEMA = 256, KEY_JSON };

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->overrides;
        return 0;
    case 'o':
        arguments->output = true;
        return 0;
    case KEY_SCHEMA:
        arguments->schema = true;
        return 0;
    case KEY_JSON:
        arguments->json = true;
        return 0;
    case 'q':
        arguments->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        arguments->experiments =
            heap_grow(arguments->experiments, arguments->count, sizeof *arguments->experiments);
        arguments->experiments[arguments->count++] = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->count == 0 && !arguments->schema)
            argp_error(state, "no experiment; expected a YAML file, or the name of one that ships");
        if (arguments->count > 0 && arguments->schema)
            argp_error(state, "an experiment '%s' with --schema; expected none",
                       arguments->experiments[0]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"output", 'o', NULL, 0, "print the results folder only", 0},
    {"json", KEY_JSON, NULL, 0, "print an array with an object for each experiment", 0},
    {"quiet", 'q', NULL, 0, "print problems only", 0},
    {"schema", KEY_SCHEMA, NULL, 0, "print the JSON Schema of experiment files, for editors", 0},
    {0},
};

static void print_experiment(const struct experiment *experiment)
{
    const size_t runs = experiment_run_count(experiment);
    printf("%s: %zu run%s (%zu instance%s x %zu solver%s x %u repetition%s), no problems\n",
           experiment->name, runs, plural(runs), experiment->instances.count,
           plural(experiment->instances.count), experiment->solver_count,
           plural(experiment->solver_count), experiment->repetitions,
           plural(experiment->repetitions));
}

static const struct argp_child children[] = {{&overrides_parser, 0, NULL, 0}, {0}};

const struct argp check_parser = {
    .options = option_table,
    .children = children,
    .parser = parse_option,
    .args_doc = "EXPERIMENT...\n--schema",
    .doc = "Read experiments, with the boards they name, and say what is wrong with them; run "
           "nothing.\v"
           "EXPERIMENT is a YAML file, or the name of one that ships.",
};

/* What JSON says about a file: its problems, one per line, or what it holds. */
static json_t *file_json(const char *name, const struct experiment *experiment,
                         const struct report *report)
{
    json_t *problems = json_array();
    for (const char *at = report->text == NULL ? "" : report->text; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        json_array_append_new(problems, json_stringn(at, length));
        at += length + (at[length] == '\n');
    }
    json_t *json = json_pack("{s:s, s:o}", "file", name, "problems", problems);
    if (experiment != NULL) {
        json_object_set_new(json, "experiment", json_string(experiment->name));
        json_object_set_new(json, "runs",
                            json_integer((json_int_t)experiment_run_count(experiment)));
        json_object_set_new(json, "instances",
                            json_integer((json_int_t)experiment->instances.count));
        json_object_set_new(json, "solvers", json_integer((json_int_t)experiment->solver_count));
        json_object_set_new(json, "repetitions", json_integer(experiment->repetitions));
        json_object_set_new(json, "output", json_string(experiment->output));
    }
    return json;
}

int command_check(int argc, char **argv)
{
    struct arguments arguments = {0};
    int code = EXIT_DONE;
    json_t *files = json_array();
    command_line_parse(&check_parser, argc, argv, &arguments);
    if (arguments.schema) {
        char *schema = experiment_schema();
        puts(schema);
        free(schema);
    }
    for (size_t i = 0; i < arguments.count; i++) {
        struct experiment experiment;
        struct report report;
        report_start(&report, arguments.experiments[i]);
        const bool fine =
            experiment_load(arguments.experiments[i], &arguments.overrides, &report, &experiment);
        if (arguments.json)
            json_array_append_new(
                files, file_json(arguments.experiments[i], fine ? &experiment : NULL, &report));
        else if (!fine)
            problems_print(stderr, &report);
        else if (arguments.output)
            puts(experiment.output);
        else if (!arguments.quiet)
            print_experiment(&experiment);
        if (fine && !arguments.output && !arguments.quiet && !arguments.json)
            say_unsolvable(&experiment);
        if (fine)
            experiment_end(&experiment);
        else
            code = EXIT_USAGE;
        report_end(&report);
    }
    if (arguments.json) {
        json_dumpf(files, stdout, JSON_INDENT(4));
        putchar('\n');
    }
    json_decref(files);
    free(arguments.experiments);
    overrides_end(&arguments.overrides);
    return finish_output(code);
}
