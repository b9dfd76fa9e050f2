/* tilelab status: how far the shards of an experiment are. */
#include "base/heap.h"
#include "harness/cluster/scheduled.h"
#include "harness/cluster/shard_manifest.h"
#include "harness/cluster/shard_status.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/experiment/problems.h"
#include "harness/text/human.h"
#include "harness/text/text_table.h"
#include <jansson.h>
#include <unistd.h>

struct arguments {
    const char *results;
    bool json, all;
};

static const struct command_option options[] = {
    {OPTION("all", 'a', NULL, "List every shard, however many there are", take_flag, all)},
    {ARGUMENT_SHARDS(results)},
    {OPTION_JSON},
    {0},
};

const struct command_line status_line = {
    .options = options,
    .arguments = "RESULTS",
    .help = "Say how far the shards of an experiment are.\v"
            "RESULTS is the folder that `tilelab run --shard` was given. Of many shards only those "
            "are listed that run, stopped early or have runs that crashed or gave a wrong answer. "
            "A shard that gives no sign of life for a minute counts as killed. Where `tilelab "
            "submit` sent them, Slurm is asked which wait and which run. Nothing is changed.",
};

/* 45 s, 12 min, 7 h, 3 days; heap memory. */
static char *ago(double seconds)
{
    return seconds < 0        ? heap_text("-")
           : seconds < 120    ? heap_format("%.0f s", seconds)
           : seconds < 7200   ? heap_format("%.0f min", seconds / 60)
           : seconds < 172800 ? heap_format("%.0f h", seconds / 3600)
                              : heap_format("%.0f days", seconds / 86400);
}

static void print_shards(const struct shards_status *status, bool all)
{
    enum { FEW = 20 };
    size_t left_out = 0;
    size_t listed = 0;
    struct text_table table = {0};
    text_table_column(&table, "", "shard", ALIGN_LEFT);
    text_table_column(&table, "", "state", ALIGN_LEFT);
    text_table_column(&table, "", "runs", ALIGN_RIGHT);
    text_table_column(&table, "", "done", ALIGN_RIGHT);
    text_table_column(&table, "", "failed", ALIGN_RIGHT);
    text_table_column(&table, "", "missing", ALIGN_RIGHT);
    text_table_column(&table, "", "starts", ALIGN_RIGHT);
    text_table_column(&table, "", "last row", ALIGN_RIGHT);
    text_table_column(&table, "", "host", ALIGN_LEFT);
    text_table_prose(&table);
    for (size_t i = 0; i < status->count; i++) {
        const struct shard_status *shard = &status->items[i];
        const bool plain =
            (shard->state == SHARD_DONE || shard->state == SHARD_NOT_STARTED) && shard->failed == 0;
        if (!all && status->count > FEW && (plain || listed == FEW)) {
            left_out++;
            continue;
        }
        listed++;
        const bool present = shard->runs > 0 || shard->done == 0;
        char *quiet = ago(shard->quiet);
        text_table_cell(&table, "%u/%u", shard->shard.number, shard->shard.count);
        text_table_cell(&table, "%s", shard_state_names[shard->state]);
        text_table_cell(&table, "%s", present ? human_count((double)shard->runs).text : "-");
        text_table_cell(&table, "%s", human_count((double)shard->done).text);
        text_table_cell(&table, "%s", human_count((double)shard->failed).text);
        text_table_cell(&table, "%s",
                        present ? human_count((double)(shard->runs - shard->done)).text : "-");
        text_table_cell(&table, "%u", shard->starts);
        text_table_cell(&table, "%s", quiet);
        text_table_cell(&table, "%s", shard->host[0] == '\0' ? "-" : shard->host);
        free(quiet);
    }
    if (listed > 0)
        text_table_print(&table, stdout);
    if (left_out > 0)
        printf("%zu shard%s %s not listed; --all lists them\n", left_out, plural(left_out),
               left_out == 1 ? "is" : "are");
    text_table_end(&table);
}

static void count_states(const struct shards_status *status, size_t counts[SHARD_STATES])
{
    for (size_t i = 0; i < status->count; i++)
        counts[status->items[i].state]++;
}

static void print_status(const char *results, const struct recalled *recalled,
                         const struct shards_status *status, bool all)
{
    size_t counts[SHARD_STATES] = {0};
    count_states(status, counts);
    const size_t missing = status->runs - status->done;
    printf("%s: %zu run%s, %zu done, %zu failed, %zu missing; %zu shard%s",
           recalled->experiment.name, status->runs, plural(status->runs), status->done,
           status->failed, missing, status->count, plural(status->count));
    const char *between = ": ";
    for (unsigned i = 0; i < SHARD_STATES; i++)
        if (counts[i] > 0) {
            printf("%s%zu %s", between, counts[i], shard_state_names[i]);
            between = ", ";
        }
    puts("");
    print_shards(status, all);
    if (status->others > 0)
        printf("%zu row%s of none of these runs; tilelab merge says of which\n", status->others,
               status->others == 1 ? " is" : "s are");
    if (status->done > status->merged) {
        char *word = shell_word(results);
        printf("%zu run%s in the shards alone: tilelab merge %s\n", status->done - status->merged,
               status->done - status->merged == 1 ? " is" : "s are", word);
        free(word);
    }
}

static json_t *status_json(const char *results, const struct recalled *recalled,
                           const struct shards_status *status)
{
    size_t counts[SHARD_STATES] = {0};
    json_t *shards = json_array();
    json_t *states = json_object();
    count_states(status, counts);
    for (unsigned i = 0; i < SHARD_STATES; i++)
        json_object_set_new(states, shard_state_names[i], json_integer((json_int_t)counts[i]));
    for (size_t i = 0; i < status->count; i++) {
        const struct shard_status *shard = &status->items[i];
        const bool present = shard->shard.count == recalled->shards;
        json_t *object =
            json_pack("{s:o, s:s, s:I, s:I, s:i, s:o}", "shard",
                      json_sprintf("%u/%u", shard->shard.number, shard->shard.count), "state",
                      shard_state_names[shard->state], "done", (json_int_t)shard->done, "failed",
                      (json_int_t)shard->failed, "starts", (int)shard->starts, "host",
                      shard->host[0] == '\0' ? json_null() : json_text(shard->host));
        json_object_set_new(object, "runs",
                            present ? json_integer((json_int_t)shard->runs) : json_null());
        json_object_set_new(object, "missing",
                            present ? json_integer((json_int_t)(shard->runs - shard->done))
                                    : json_null());
        json_object_set_new(object, "last_row_s",
                            shard->quiet < 0 ? json_null() : json_real(shard->quiet));
        json_array_append_new(shards, object);
    }
    return json_pack("{s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "results",
                     json_text(results), "experiment", recalled->experiment.name, "runs",
                     (json_int_t)status->runs, "done", (json_int_t)status->done, "failed",
                     (json_int_t)status->failed, "missing",
                     (json_int_t)(status->runs - status->done), "merged",
                     (json_int_t)status->merged, "other_rows", (json_int_t)status->others,
                     "division", (json_int_t)recalled->shards, "states", states, "shards", shards);
}

/* Says what the scheduler knows where no shard has started: the folder does not tell yet what its
 * shards are of. False if nothing was sent. */
static bool print_before_start(const struct arguments *arguments, const struct scheduled *scheduled)
{
    char *manifest = heap_format("%s/manifest.json", arguments->results);
    const bool started = access(manifest, F_OK) == 0;
    free(manifest);
    if (started || scheduled->submissions.count == 0)
        return false;
    if (arguments->json) {
        print_json(json_pack("{s:o, s:o}", "results", json_text(arguments->results), "queue",
                             scheduled_json(scheduled)));
    } else {
        puts("no shard has started");
        scheduled_print(stdout, scheduled, NULL);
    }
    return true;
}

/* Shows how far the shards are. Returns the exit code. */
static int show(const struct arguments *arguments, const struct scheduled *scheduled)
{
    struct recalled recalled;
    struct report report;
    report_start(&report, "tilelab");
    const bool known = shard_manifest_recall(arguments->results, &recalled, &report);
    if (!known)
        problems_print(stderr, &report);
    report_end(&report);
    if (!known)
        return EXIT_USAGE;
    struct run_ids ids = run_ids_of(&recalled.experiment);
    struct shards_status status = shards_status_of(arguments->results, &ids, recalled.shards);
    if (arguments->json) {
        json_t *json = status_json(arguments->results, &recalled, &status);
        json_object_set_new(json, "queue", scheduled_json(scheduled));
        print_json(json);
    } else {
        print_status(arguments->results, &recalled, &status, arguments->all);
        scheduled_print(stdout, scheduled, &status);
    }
    shards_status_end(&status);
    run_ids_end(&ids);
    recalled_end(&recalled);
    return EXIT_DONE;
}

int command_status(int argc, char **argv)
{
    struct arguments arguments = {0};
    command_line_parse(&status_line, argc, argv, &arguments);
    struct scheduled scheduled = scheduled_read(arguments.results);
    int code = EXIT_DONE;
    if (!print_before_start(&arguments, &scheduled))
        code = show(&arguments, &scheduled);
    scheduled_end(&scheduled);
    return finish_output(code);
}
