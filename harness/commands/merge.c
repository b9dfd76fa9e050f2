/* tilelab merge: the rows of an experiment's shards in one runs.csv. */
#include "harness/cluster/merge_folder.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/experiment/problems.h"
#include "harness/text/terminal.h"
#include <jansson.h>

struct arguments {
    const char *results;
    bool json, quiet;
};

static const struct command_option options[] = {
    {ARGUMENT_SHARDS(results)}, {OPTION_JSON}, {OPTION_QUIET(quiet)}, {0}};

const struct command_line merge_line = {
    .options = options,
    .arguments = "RESULTS",
    .help = "Bring the rows of an experiment's shards into one runs.csv.\v"
            "RESULTS is the folder that `tilelab run --shard` was given. The rows stand in the "
            "order of the run matrix; messages.csv, rounds.csv, manifest.json and "
            "datapackage.json go with them. The shards stay as they are and may still be running: "
            "merge again when there are more rows. Rows that contradict each other are refused "
            "with both places, and nothing is changed.",
};

int command_merge(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct report report;
    int code = EXIT_USAGE;
    command_line_parse(&merge_line, argc, argv, &arguments);
    struct terminal terminal = terminal_make();
    struct merge_call call = {
        .results = arguments.results, .display = &terminal.display, .json = json_object()};
    terminal.display.quiet = arguments.quiet;
    report_start(&report, "tilelab");
    if (shard_manifest_recall(arguments.results, &call.recalled, &report)) {
        code = exit_code_of(merge_folder(&call));
        code = code == EXIT_DONE && call.doubted ? EXIT_FINDINGS : code;
        recalled_end(&call.recalled);
    } else {
        problems_print(stderr, &report);
    }
    report_end(&report);
    if (arguments.json) {
        json_object_set_new(call.json, "folder", json_text(arguments.results));
        json_object_set_new(call.json, "exit_code", json_integer(code));
        print_json(json_incref(call.json));
        code = finish_output(code);
    }
    json_decref(call.json);
    return code;
}
