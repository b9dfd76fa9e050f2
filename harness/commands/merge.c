/* tilelab merge: the rows of an experiment's shards in one runs.csv. */
#include "base/heap.h"
#include "harness/cluster/merge_folder.h"
#include "harness/commands/commands.h"
#include "harness/experiment/problems.h"
#include "harness/text/terminal.h"
#include "help_texts.h"

struct arguments {
    const char *results;
    bool json, quiet;
};

static const struct command_option options[] = {
    {ARGUMENT_SHARDS(results)}, {OPTION_JSON}, {OPTION_QUIET(quiet)}, {0}};

COMMAND_LINE(merge, "RESULTS", NULL, help_merge_txt);

int command_merge(int argc, char **argv)
{
    struct arguments arguments = {0};
    int code = EXIT_USAGE;
    command_line_parse(&merge_line, argc, argv, &arguments);
    struct terminal terminal = terminal_make();
    struct merge_call call = {
        .results = arguments.results, .display = &terminal.display, .json = json_object()};
    terminal.display.quiet = arguments.quiet;
    SCOPED_BY(report_end) struct report report = {.file = "tilelab"};
    if (shard_manifest_recall(arguments.results, &call.recalled, &report)) {
        code = exit_code_of(merge_folder(&call));
        code = code == EXIT_DONE && call.doubted ? EXIT_FINDINGS : code;
        recalled_end(&call.recalled);
    } else {
        problems_print(stderr, &report);
    }
    if (arguments.json) {
        json_object_set_new(call.json, "folder", json_text(arguments.results));
        json_object_set_new(call.json, "exit_code", json_integer(code));
        print_json(json_incref(call.json));
        code = finish_output(code);
    }
    json_decref(call.json);
    return code;
}
