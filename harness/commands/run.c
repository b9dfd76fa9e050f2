/* tilelab run: the whole way from an experiment file to verified rows and the tables over them. */
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/compare/compare_print.h"
#include "harness/execution/fault.h"
#include "harness/execution/session.h"
#include "harness/results/datapackage.h"
#include "harness/results/messages.h"
#include "help_texts.h"
#include <unistd.h>

struct arguments {
    struct experiment_arguments experiment;
    struct session_options session;
    bool json, quiet;
    bool no_compare;
};

/* The last of --fresh and --keep counts. */
static void take_earlier(const struct given *given)
{
    struct session_options *session = &((struct arguments *)given->target)->session;
    session->fresh = strcmp(given->option->name, "fresh") == 0;
    session->keep = !session->fresh;
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    ((struct arguments *)context)->session.any_again = option_given(parsing, "again");
}

static void take_shard(const struct given *given)
{
    if (!shard_parse(given->value, given->target))
        command_line_refuse(given->parsing,
                            "--shard %s: expected K/N, the number of this shard and how many there "
                            "are, such as 2/16: 1 <= K <= N <= %d",
                            given->value, MAX_SHARDS);
}

static const struct command_option options[] = {
    {OPTION("jobs", 'j', "N",
            "Searches at a time (default: the experiment's, or one for each processor)",
            take_unsigned, session.jobs),
     .min = 1, .max = 1024},
    {OPTION("output", 'o', "FOLDER", "The results folder, in place of the experiment's", take_text,
            session.output)},
    {OPTION("shard", 0, "K/N",
            "Only the runs of shard K of N, into shards/K-of-N of the results folder: the others "
            "are made elsewhere, and tilelab merge makes one runs.csv of them",
            take_shard, session.shard)},
    {OPTION_OF_ALL("fresh", 'f', NULL, "Set earlier rows aside (runs.csv.1) and start afresh",
                   take_earlier)},
    {OPTION_OF_ALL("keep", 'k', NULL, "Leave rows of other runs in runs.csv and add to them",
                   take_earlier)},
    {OPTION("again", 0, "STATUS,..",
            "Make runs again whose rows have these statuses, such as time_limit,crashed; each row "
            "stands until the new one is there",
            take_words, session.again),
     WORDS_OF(status_rows, STATUSES)},
    {OPTION("all-moves", 'm', NULL, "Write paths of more than 1,000 moves too", take_flag,
            session.all_moves)},
    {OPTION("no-compare", 'n', NULL, "No comparison at the end", take_flag, no_compare)},
    {OPTION("sync", 0, "TIME",
            "How often rows are flushed to the disk (default 5s; 0: after each row)", take_seconds,
            session.sync_seconds),
     .expected = "a time such as 5s or 500ms, or 0"},
    {ARGUMENT_EXPERIMENT(experiment, 1, 1)},
    {OPTION_SET(experiment.overrides)},
    {OPTION_QUICK(experiment.overrides)},
    {OPTION_JSON},
    {OPTION_QUIET(quiet)},
    {OPTION_PDB_DIR},
    {0},
};

COMMAND_LINE(run, "EXPERIMENT", check_arguments, help_run_txt);

/* The files of the results folder that are for the user. */
static json_t *result_files(const char *output)
{
    static const char *const names[] = {
        "runs.csv",   ROUNDS_FILE,  INCUMBENTS_FILE, "summary.csv",    "by_depth.csv", "pairs.csv",
        "expect.csv", CONTROL_FILE, "manifest.json", DATAPACKAGE_FILE, MESSAGES_FILE};
    json_t *files = json_array();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED char *path = heap_format("%s/%s", output, names[i]);
        if (access(path, F_OK) == 0)
            json_array_append_new(files, json_string(names[i]));
    }
    return files;
}

/* Names the results and the next commands. */
static void say_what_is_next(const struct session *session)
{
    struct display *display = &session->terminal->display;
    SCOPED char *program = shell_program();
    SCOPED char *word = shell_word(session->results);
    if (session->options->shard.count > 0) {
        display_note(display, "next: %s status %s, and %s merge %s when all shards are done",
                     program, word, program, word);
        return;
    }
    SCOPED char *names = heap_text("");
    json_auto_t *files = result_files(session->results);
    for (size_t i = 0; i < json_array_size(files); i++)
        heap_append(&names, "%s%s", i == 0 ? "" : ", ",
                    json_string_value(json_array_get(files, i)));
    display_note(display, "results are in %s: %s", session->results, names);
    display_note(display, "next: %s compare %s --full, %s plot %s", program, word, program, word);
}

/* Prints the comparison; where JSON is asked for, takes it into `json` instead. Returns the exit
 * code. */
static int compare(struct session *session, const struct arguments *arguments, json_t *json)
{
    static const char *const kept[] = {"baseline", "summary", "expect", "verdicts", "notes"};
    SCOPED char *text = NULL;
    size_t length;
    bool differs;
    FILE *stream = heap_stream(&text, &length);
    const struct compare_options comparing = {
        .metric = METRICS,
        .only = &session->ids,
        .others = session->resumed.others,
        .quiet = true, /* the end of the call says where the files are */
        .silent = arguments->quiet,
        .format = arguments->json ? FORMAT_JSON : FORMAT_TEXT,
        .stream = arguments->json ? stream : stdout,
        .errors = stderr};
    const enum ending ending = compare_print(&session->results, 1, &comparing, &differs);
    heap_stream_end(stream);
    json_auto_t *comparison = arguments->json ? json_loadb(text, length, 0, NULL) : NULL;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(json, kept[i], json_object_get(comparison, kept[i]));
    return finish_output(ending == ENDING_DONE && differs ? EXIT_FINDINGS : exit_code_of(ending));
}

/* What --json says of the session itself. */
static json_t *session_json(const struct session *session)
{
    const struct shard *shard = &session->options->shard;
    const bool sharded = shard->count > 0;
    json_t *json = json_pack("{s:s, s:o, s:o*, s:o*}", "experiment", session->experiment->name,
                             "folder", json_text(session->output), "results",
                             sharded ? json_text(session->results) : NULL, "shard",
                             sharded ? json_sprintf("%u/%u", shard->number, shard->count) : NULL);
    if (!session->counted)
        return json;
    json_t *statuses = json_object();
    for (unsigned i = 0; i < STATUSES; i++)
        json_object_set_new(statuses, status_rows[i].name,
                            json_integer((json_int_t)session->sink.tally.ended[i]));
    const size_t made = session->queue.finished - session->kept;
    json_object_update_new(
        json, json_pack("{s:I, s:I, s:I, s:o}", "runs", (json_int_t)session->queue.total, "kept",
                        (json_int_t)session->kept, "made", (json_int_t)made, "statuses", statuses));
    return json;
}

/* Says what the comparison would: whether control runs drifted. */
static void say_drift(struct session *session)
{
    struct drift drift = {0};
    SCOPED char *path = heap_format("%s/" CONTROL_FILE, session->output);
    SCOPED_BY(report_end) struct report report = {.file = path};
    SCOPED char *text = NULL;
    if (drift_read(&drift, path, &report)) {
        drift_settle(&drift);
        text = drift_text(&drift);
    }
    if (text != NULL)
        display_note(&session->terminal->display,
                     "control runs drifted, and times beside them have ?: %s", text);
    drift_end(&drift);
}

/* Runs a loaded experiment and compares; what --json prints is added to *json. Returns the exit
 * code. */
static int run(struct session *session, const struct arguments *arguments, json_t **json)
{
    const enum ending ending = session_run(session);
    int code = session->doubted && ending == ENDING_DONE ? EXIT_FINDINGS : exit_code_of(ending);
    *json = session_json(session);
    if (ending == ENDING_DONE && session->options->shard.count == 0 && !arguments->no_compare) {
        const int compared = compare(session, arguments, *json);
        if (compared == EXIT_FINDINGS)
            session_say(session, heap_format("what was published is not what was measured: see "
                                             "%s/expect.csv",
                                             session->results));
        code = code == EXIT_DONE ? compared : code;
        fflush(stdout);
    } else if (ending == ENDING_DONE) {
        say_drift(session);
    }
    if (ending == ENDING_DONE && (session->options->shard.count > 0 || !arguments->no_compare))
        say_what_is_next(session);
    if (session->counted)
        json_object_set_new(*json, "files", result_files(session->output));
    session_end(session);
    return code;
}

/* What --json says of an exit code that nothing else was said of. */
static const char *usual_reason(int code)
{
    return code == EXIT_DONE          ? "every run has its row"
           : code == EXIT_USAGE       ? "refused: standard error says why"
           : code == EXIT_INTERRUPTED ? "interrupted"
                                      : "failed: standard error says why";
}

int command_run(int argc, char **argv)
{
    struct arguments arguments = {.session.sync_seconds = 5};
    struct experiment experiment;
    struct terminal terminal = terminal_make();
    command_line_parse(&run_line, argc, argv, &arguments);
    struct session session = {
        .experiment = &experiment, .options = &arguments.session, .terminal = &terminal};
    json_auto_t *json = NULL;
    int code = EXIT_USAGE;
    terminal.display.quiet = arguments.quiet;
    char *wrong = fault_read();
    if (wrong != NULL) {
        session_say(&session, wrong);
    } else if (experiment_arguments_load(&arguments.experiment, &experiment)) {
        code = run(&session, &arguments, &json);
        experiment_end(&experiment);
    }
    if (arguments.json) {
        json = json == NULL ? json_object() : json;
        json_object_set_new(json, "exit_code", json_integer(code));
        json_object_set_new(
            json, "reason",
            json_text(session.reason == NULL ? usual_reason(code) : session.reason));
        print_json(json_incref(json));
        code = finish_output(code);
    }
    free(session.reason);
    experiment_arguments_end(&arguments.experiment);
    return code;
}
