/* tilelab merge: the rows of an experiment's shards in one runs.csv. */
#include "harness/cluster/merge.h"
#include "base/heap.h"
#include "harness/cluster/shard_manifest.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/execution/resume.h"
#include "harness/experiment/problems.h"
#include "harness/results/datapackage.h"
#include "harness/text/human.h"
#include "harness/text/terminal.h"
#include <errno.h>
#include <jansson.h>
#include <string.h>

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

/* One call of `tilelab merge`. */
struct call {
    const struct arguments *arguments;
    struct recalled recalled;
    struct shard_folders shards;
    struct terminal terminal;
    json_t *json; /* owned; what --json prints */
};

static char *run_text(const struct run *run)
{
    return heap_format("%s on %s/%s, repetition %u", run->solver_text, run->instance->set,
                       run->instance->name, run->repetition);
}

/* Says which runs have no row, by the shards of the last division. Returns how many. */
static size_t say_missing(struct call *call, const struct run_ids *ids, const bool *have)
{
    enum { MAX_NAMED = 5 };
    const unsigned count = call->recalled.shards == 0 ? 1 : call->recalled.shards;
    struct shards shards = shards_of(&call->recalled.experiment, count);
    size_t *missing = heap_take(count, sizeof *missing);
    json_t *listed = json_array();
    char *runs = heap_text("");
    char *of = heap_text("");
    size_t total = 0;
    size_t shards_named = 0;
    for (size_t i = 0; i < ids->count; i++) {
        if (have[i])
            continue;
        const struct run run = run_ids_run(ids, i);
        missing[shards.of[i]]++;
        json_array_append_new(listed,
                              json_pack("{s:s, s:s, s:s, s:s, s:i, s:o}", "run_id", run.id, "set",
                                        run.instance->set, "instance", run.instance->name, "solver",
                                        run.solver_text, "repetition", (int)run.repetition, "shard",
                                        json_sprintf("%u/%u", shards.of[i] + 1, count)));
        if (total++ < MAX_NAMED) {
            char *text = run_text(&run);
            heap_append(&runs, "  %s\n", text);
            free(text);
        }
    }
    for (unsigned i = 0; i < count; i++)
        if (missing[i] > 0 && shards_named++ < MAX_NAMED)
            heap_append(&of, "%s%zu of shard %u/%u", of[0] == '\0' ? "" : ", ", missing[i], i + 1,
                        count);
    if (shards_named > MAX_NAMED)
        heap_append(&of, ", and of %zu more shards", shards_named - MAX_NAMED);
    if (total > MAX_NAMED)
        heap_append(&runs, "  and %zu more\n", total - MAX_NAMED);
    if (total > 0) {
        display_say(&call->terminal.display, "%zu run%s %s missing: %s", total, plural(total),
                    total == 1 ? "is" : "are", of);
        call->terminal.display.show(&call->terminal.display, runs);
    }
    json_object_set_new(call->json, "missing", json_integer((json_int_t)total));
    json_object_set_new(call->json, "missing_runs", listed);
    free(runs);
    free(of);
    free(missing);
    shards_end(&shards);
    return total;
}

/* Says what was merged. Returns the exit code. */
static int say_outcome(struct call *call, const struct run_ids *ids, const struct merged *merged,
                       size_t findings)
{
    struct display *display = &call->terminal.display;
    const char *folder = call->arguments->results;
    json_t *unlike = json_array();
    for (size_t i = 0; i < merged->unlike_count; i++) {
        display_say(display, "%s", merged->unlike[i]);
        json_array_append_new(unlike, json_text(merged->unlike[i]));
    }
    json_object_set_new(call->json, "differing", unlike);
    if (merged->twice > 0)
        display_note(display,
                     "%zu run%s made more than once: the row whose run started first counts",
                     merged->twice, merged->twice == 1 ? " was" : "s were");
    if (merged->again > 0)
        display_say(
            display,
            "%zu row%s said nothing about the solver (out of memory, lost, interrupted) and "
            "%s left out",
            merged->again, plural(merged->again), merged->again == 1 ? "was" : "were");
    if (findings > 0)
        display_say(display,
                    "%zu row%s crashed, %s wrong or %s another; see %s/messages.csv and the status "
                    "column",
                    findings, plural(findings), findings == 1 ? "is" : "are",
                    findings == 1 ? "contradicts" : "contradict", folder);
    display_note(display, "%zu of %zu runs, of %zu shard%s, are in %s/runs.csv", merged->rows,
                 ids->count, call->shards.count, plural(call->shards.count), folder);
    const size_t missing = say_missing(call, ids, merged->have);
    json_object_set_new(call->json, "runs", json_integer((json_int_t)ids->count));
    json_object_set_new(call->json, "rows", json_integer((json_int_t)merged->rows));
    json_object_set_new(call->json, "twice", json_integer((json_int_t)merged->twice));
    json_object_set_new(call->json, "left_out", json_integer((json_int_t)merged->again));
    json_object_set_new(call->json, "findings", json_integer((json_int_t)findings));
    return missing > 0 || findings > 0 ? EXIT_FINDINGS : EXIT_DONE;
}

/* Writes what describes the rows. */
static bool describe(struct call *call, const struct folder *folder, const struct merged *merged,
                     bool complete)
{
    const char *name = "manifest.json";
    bool fine = shard_manifest_merge(folder, &call->recalled, &call->shards,
                                     complete ? merged->last : NULL);
    if (fine) {
        name = DATAPACKAGE_FILE;
        fine = datapackage_write(folder->path, &call->recalled.experiment, folder->display);
    }
    if (!fine)
        display_say(folder->display, "%s/%s cannot be written: %s", folder->path, name,
                    strerror(errno));
    return fine;
}

/* Merges into an open folder. Returns the exit code. */
static int merge_into(struct call *call, struct folder *folder, const struct run_ids *ids)
{
    struct merged merged;
    struct resumed resumed = {0};
    struct cross *cross = cross_start(ids);
    bool *done = heap_take(ids->count, sizeof *done);
    enum ending ending = merge_rows(folder, ids, &call->shards, &merged);
    if (merged.problems != NULL)
        json_object_set_new(call->json, "problems", json_text(merged.problems));
    if (ending == ENDING_DONE) /* what the next run would read: rows are held against each other */
        ending = resume_rows(folder, ids, false, NULL, done, cross, &resumed);
    int code = exit_code_of(ending);
    if (ending == ENDING_DONE)
        code = describe(call, folder, &merged, merged.rows == ids->count)
                   ? say_outcome(call, ids, &merged, resumed.tally.findings)
                   : EXIT_FAILED;
    free(done);
    cross_end(cross);
    resumed_end(&resumed);
    merged_end(&merged);
    return code;
}

static int merge(struct call *call)
{
    const char *results = call->arguments->results;
    struct folder folder;
    int code = EXIT_USAGE;
    call->shards = shard_folders_list(results);
    if (call->shards.count == 0) {
        display_say(&call->terminal.display,
                    "%s has no shards; expected a folder that tilelab run --shard K/N wrote to",
                    results);
    } else {
        struct run_ids ids = run_ids_of(&call->recalled.experiment);
        const enum ending opened = folder_open(&folder, results, false, &call->terminal.display);
        code = exit_code_of(opened);
        if (opened == ENDING_DONE) {
            code = merge_into(call, &folder, &ids);
            folder_close(&folder);
        }
        run_ids_end(&ids);
    }
    shard_folders_end(&call->shards);
    return code;
}

int command_merge(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct report report;
    int code = EXIT_USAGE;
    command_line_parse(&merge_line, argc, argv, &arguments);
    struct call call = {
        .arguments = &arguments, .terminal = terminal_make(), .json = json_object()};
    call.terminal.display.quiet = arguments.quiet;
    report_start(&report, "tilelab");
    if (shard_manifest_recall(arguments.results, &call.recalled, &report)) {
        code = merge(&call);
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
