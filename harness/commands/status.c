/* tilelab status: how far the shards of an experiment are. */
#include "base/heap.h"
#include "harness/cluster/scheduled.h"
#include "harness/cluster/shard_report.h"
#include "harness/commands/commands.h"
#include "harness/experiment/problems.h"
#include "help_texts.h"
#include <unistd.h>

struct arguments {
    const char *results;
    bool json, all, watch;
};

static const struct command_option options[] = {
    {OPTION("all", 'a', NULL, "List every shard, however many there are", take_flag, all)},
    {OPTION("watch", 'w', NULL, "Say it again every five seconds, until every run has a row",
            take_flag, watch)},
    {ARGUMENT_SHARDS(results)},
    {OPTION_JSON},
    {0},
};

COMMAND_LINE(status, "RESULTS", NULL, help_status_txt);

/* Says what the scheduler knows where no shard has started: the folder does not tell yet what its
 * shards are of. False if nothing was sent. */
static bool print_before_start(const struct arguments *arguments, const struct scheduled *scheduled)
{
    SCOPED char *manifest = heap_format("%s/manifest.json", arguments->results);
    const bool started = access(manifest, F_OK) == 0;
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
static int show(const struct arguments *arguments, const struct scheduled *scheduled, bool *over)
{
    struct recalled recalled;
    SCOPED_BY(report_end) struct report report = {.file = "tilelab"};
    const bool known = shard_manifest_recall(arguments->results, &recalled, &report);
    if (!known)
        problems_print(stderr, &report);
    if (!known)
        return EXIT_USAGE;
    SCOPED_BY(run_ids_end) struct run_ids ids = run_ids_of(&recalled.experiment, NULL, 0);
    SCOPED_BY(shards_status_end)
    struct shards_status status = shards_status_of(arguments->results, &ids, recalled.shards);
    if (arguments->json) {
        json_t *json = shards_json(arguments->results, &recalled, &status);
        json_object_set_new(json, "queue", scheduled_json(scheduled));
        print_json(json);
    } else {
        shards_print(stdout, arguments->results, &recalled, &status, arguments->all);
        scheduled_print(stdout, scheduled, &status);
    }
    *over = status.done == status.runs;
    recalled_end(&recalled);
    return EXIT_DONE;
}

/* Looks once. Returns the exit code; `over`: every run has a row. */
static int look(const struct arguments *arguments, bool *over)
{
    struct scheduled scheduled = scheduled_read(arguments->results);
    const int code =
        print_before_start(arguments, &scheduled) ? EXIT_DONE : show(arguments, &scheduled, over);
    scheduled_end(&scheduled);
    return code;
}

int command_status(int argc, char **argv)
{
    enum { SECONDS_BETWEEN = 5 };
    struct arguments arguments = {0};
    bool over = false;
    command_line_parse(&status_line, argc, argv, &arguments);
    const bool clears = arguments.watch && isatty(STDOUT_FILENO);
    int code;
    for (;;) {
        if (clears)
            fputs("\033[H\033[2J", stdout); /* to the first line; clears the screen */
        code = look(&arguments, &over);
        if (!arguments.watch || over || code != EXIT_DONE)
            break;
        if (!clears)
            putchar('\n');
        fflush(stdout);
        sleep(SECONDS_BETWEEN);
    }
    return finish_output(code);
}
