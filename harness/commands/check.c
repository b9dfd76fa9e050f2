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

struct arguments {
    bool output;
    bool schema;
    const char **experiments;
    size_t count;
    struct overrides overrides;
};

enum { KEY_SCHEMA = 256 };

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

int command_check(int argc, char **argv)
{
    struct arguments arguments = {0};
    int code = EXIT_DONE;
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
        if (!experiment_load(arguments.experiments[i], &arguments.overrides, &report,
                             &experiment)) {
            problems_print(stderr, &report);
            code = EXIT_USAGE;
        } else {
            if (arguments.output)
                puts(experiment.output);
            else
                print_experiment(&experiment);
            if (!arguments.output)
                say_unsolvable(&experiment);
            experiment_end(&experiment);
        }
        report_end(&report);
    }
    free(arguments.experiments);
    overrides_end(&arguments.overrides);
    return finish_output(code);
}
