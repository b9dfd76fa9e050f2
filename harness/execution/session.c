#include "harness/execution/session.h"
#include "base/heap.h"
#include "base/processors.h"
#include "harness/execution/builds.h"
#include "harness/execution/checkpoints.h"
#include "harness/execution/interpreters.h"
#include "harness/execution/scheduler.h"
#include "harness/execution/shard_rows.h"
#include "harness/execution/sharing.h"
#include "harness/execution/tables.h"
#include "harness/experiment/remarks.h"
#include "harness/external/isolation.h"
#include "harness/results/datapackage.h"
#include "harness/results/messages.h"
#include "harness/results/reference.h"
#include "harness/results/run_logs.h"
#include "harness/results/shard_folders.h"
#include "harness/text/human.h"
#include <errno.h>
#include <unistd.h>

void session_say(struct session *session, char *owned)
{
    display_say(&session->terminal->display, "%s", owned);
    heap_append(&session->reason, "%s%s", session->reason == NULL ? "" : "; ", owned);
    free(owned);
}

/* ---- Interrupts ---- */

static volatile sig_atomic_t interrupts;

static void count_interrupt(int signal)
{
    (void)signal;
    interrupts = interrupts + 1;
    if (interrupts > 1)
        _exit(128 + SIGINT);
}

/* From now on the first interrupt is counted and the second ends the process; or no longer. */
static void count_interrupts(bool count)
{
    /* Clusters send the last some time before the end. */
    static const int signals[] = {SIGINT, SIGTERM, SIGUSR1};
    const struct sigaction action = {.sa_handler = count ? count_interrupt : SIG_DFL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* ---- The files beside the rows ---- */

/* Whether a file of the folder was written; if not, reports it. */
static bool was_written(struct session *session, bool written, const char *name)
{
    if (!written)
        session_say(session, heap_format("%s/%s cannot be written: %s", session->folder.path, name,
                                         file_problem(errno)));
    return written;
}

/* On a full disk datapackage.json makes room: the next call writes it again. False with errno. */
static bool write_manifest(struct session *session)
{
    const struct folder *folder = &session->folder;
    bool written = manifest_write(folder, session->experiment, &session->record);
    const int why = errno;
    if (!written && (why == ENOSPC || why == EDQUOT) && datapackage_remove(folder->path))
        written = manifest_write(folder, session->experiment, &session->record);
    else
        errno = why;
    return written;
}

/* Writes the references beside the rows, so that the folder can be held against them anywhere. */
static bool write_references(struct session *session)
{
    const struct folder *folder = &session->folder;
    bool fine = true;
    for (size_t i = 0; fine && i < session->experiment->expectation_count; i++) {
        const struct expectation *own = &session->experiment->expectations[i];
        SCOPED char *name = heap_format(EXPECTED_FILE, own->name);
        const size_t length = strlen(own->text);
        fine = was_written(session, folder_write(folder, name, own->text, length), name);
        if (fine && session->options->shard.count > 0) { /* for the merged rows */
            SCOPED char *part = heap_format("%s/.%s.part", folder->path, name);
            SCOPED char *path = heap_format("%s/%s", session->results, name);
            fine = was_written(session, file_write_through(part, path, own->text, length), name);
        }
    }
    return fine;
}

static bool write_datapackage(struct session *session)
{
    const struct folder *folder = &session->folder;
    return was_written(session,
                       datapackage_write(folder->path, session->experiment, folder->display),
                       DATAPACKAGE_FILE);
}

/* Writes the copy of the experiment's file. */
static bool write_experiment(struct session *session)
{
    const struct experiment *experiment = session->experiment;
    return was_written(session,
                       folder_write(&session->folder, "experiment.yaml", experiment->source,
                                    experiment->source_length),
                       "experiment.yaml");
}

/* ---- What is said before and after ---- */

static void say_what_runs(struct session *session)
{
    const struct experiment *experiment = session->experiment;
    const struct shard *shard = &session->options->shard;
    const struct queue *queue = &session->queue;
    struct display *display = &session->terminal->display;
    const size_t all = experiment_run_count(experiment);
    SCOPED char *what = shard->count == 0 ? heap_text("")
                                          : heap_format(", shard %u/%u: %zu of", shard->number,
                                                        shard->count, queue->total);
    display_note(display,
                 "%s%s %zu run%s (%zu instance%s x %zu solver%s x %u repetition%s), %u at a time, "
                 "into %s",
                 experiment->name, what[0] == '\0' ? ":" : what, all, plural(all),
                 experiment->instances.count, plural(experiment->instances.count),
                 experiment->solver_count, plural(experiment->solver_count),
                 experiment->repetitions, plural(experiment->repetitions), session->record.jobs,
                 session->output);
    SCOPED char *externals = externals_text(experiment, false);
    if (externals != NULL && !display->quiet)
        display->show(display, externals);
    if (queue->finished > 0)
        display_note(display, "%zu of them %s done already", queue->finished,
                     queue->finished == 1 ? "is" : "are");
}

/* Every run has its row: says what is wrong with them. */
static void doubt_rows(struct session *session)
{
    const struct tally *tally = &session->sink.tally;
    const size_t findings = tally->findings;
    const size_t starved = tally->ended[STATUS_out_of_memory];
    const size_t lost = tally->ended[STATUS_lost];
    const char *path = session->folder.path;
    if (starved > 0)
        session_say(
            session,
            heap_format("the system refused memory to %zu run%s before the budget was spent "
                        "(out_of_memory); give the memory that limits.memory promises (ulimit -v, "
                        "a container's limit, --jobs 1) or lower that limit, and the same command "
                        "makes %s again",
                        starved, plural(starved), starved == 1 ? "it" : "them"));
    if (lost > 0)
        session_say(session,
                    heap_format("%zu run%s killed by the system or a person, three times each "
                                "(lost); %s/" MESSAGES_FILE " says more. With enough memory (a "
                                "container's limit, --jobs 1, limits.memory) and in peace the "
                                "same command makes %s again",
                                lost, lost == 1 ? " was" : "s were", path,
                                lost == 1 ? "it" : "them"));
    if (findings > 0)
        session_say(session,
                    heap_format("%zu row%s crashed, %s wrong or %s another; see %s/" MESSAGES_FILE
                                " and the status column",
                                findings, plural(findings), findings == 1 ? "is" : "are",
                                findings == 1 ? "contradicts" : "contradict", path));
    session->doubted = findings > 0 || starved > 0 || lost > 0;
}

static void say_how_it_ended(struct session *session, enum ending ending)
{
    const struct session_record *record = &session->record;
    const struct queue *queue = &session->queue;
    if (ending == ENDING_DONE) {
        display_note(&session->terminal->display, "%zu run%s in %.1f s", record->rows,
                     plural(record->rows), record->seconds);
        doubt_rows(session);
    }
    if (ending == ENDING_INTERRUPTED)
        session_say(session,
                    heap_format("interrupted; %zu of %zu run%s %s written. The same command "
                                "continues from there",
                                queue->finished, queue->total, plural(queue->total),
                                queue->finished == 1 ? "is" : "are"));
}

/* ---- The processors ---- */

static unsigned job_count(const struct session *session, size_t runs)
{
    const unsigned jobs = session->options->jobs != 0
                              ? session->options->jobs
                              : experiment_jobs(session->experiment, processors_count());
    return runs < jobs ? (unsigned)(runs == 0 ? 1 : runs) : jobs;
}

/* Takes the processors to pin workers to, one for each thread of each job; false with a message if
 * there are too few. */
static bool take_processors(struct session *session)
{
    const unsigned threads = experiment_threads(session->experiment);
    const unsigned jobs = session->record.jobs;
    size_t count;
    session->processors = processors_list(&count);
    session->record.processors = session->processors;
    if (count >= (size_t)jobs * threads)
        return true;
    SCOPED char *of = threads == 1 ? heap_text("") : heap_format(" of %u threads", threads);
    SCOPED char *expected =
        count < threads ? heap_format("expected at most %zu threads", count)
                        : heap_format("expected at most that many jobs%s (--jobs %zu)",
                                      threads == 1 ? "" : " times threads", count / threads);
    session_say(session,
                heap_format("%u jobs%s cannot be pinned to %zu processor%s; %s, or pin: false",
                            jobs, of, count, plural(count), expected));
    return false;
}

/* Says that jobs wait, or that threads do: more threads than processors only wait for each other.
 */
static void note_threads(struct session *session)
{
    const unsigned threads = experiment_threads(session->experiment);
    const unsigned jobs = session->record.jobs;
    const unsigned processors = processors_count();
    struct display *display = &session->terminal->display;
    if (threads > processors)
        display_note(display,
                     "searches of up to %u threads on %u processor%s: they take turns, and wall "
                     "times are longer than they need be; expected fewer threads",
                     threads, processors, plural(processors));
    else if (experiment_at_once(session->experiment, jobs, processors) < jobs)
        display_note(display,
                     "%u jobs of up to %u threads on %u processors: runs wait until there is a "
                     "processor for each thread",
                     jobs, threads, processors);
}

/* ---- The runs ---- */

/* Has the scheduler make the missing runs, and notes how that went. */
static enum ending schedule(struct session *session, struct machine_watch *watch)
{
    struct session_record *record = &session->record;
    struct row_sink *sink = &session->sink;
    struct queue *queue = &session->queue;
    struct progress *progress = &session->terminal->progress;
    const struct experiment *experiment = session->experiment;
    const double start = clock_wall();
    struct slots slots;
    struct control control;
    control_start(&control, experiment);
    struct scheduler scheduler = {.queue = queue,
                                  .slots = &slots,
                                  .sink = sink,
                                  .watch = watch,
                                  .display = &session->terminal->display,
                                  .control = &control,
                                  .shared = session->shared,
                                  .room =
                                      experiment_threads(experiment) > 1 ? processors_count() : 0,
                                  .interrupted = &interrupts};
    slots_start(&slots, record->jobs, record->processors, experiment_threads(experiment),
                queue->total > 0 ? experiment->warmup : 0, experiment_max_bytes(experiment));
    slots.events = experiment->events;
    progress_start(progress, queue->total == 1 ? "run" : "runs", session->kept, queue->total,
                   session->terminal->display.quiet);
    count_interrupts(true);
    enum ending ending = scheduler_run(&scheduler);
    if (ending != ENDING_FAILED && !row_sink_settle(sink, queue->runs))
        ending = ENDING_FAILED;
    count_interrupts(false);
    progress_clear(progress);
    if (scheduler.joined > 0)
        display_note(&session->terminal->display,
                     "shared the searches of %zu run%s of other shards", scheduler.joined,
                     plural(scheduler.joined));
    record->seconds = clock_wall() - start;
    record->rows = queue->finished - session->kept;
    record->overhead_seconds = slots_overhead(&slots);
    record->noise = &watch->noise;
    record->complete = ending == ENDING_DONE && sink->tally.ended[STATUS_out_of_memory] == 0 &&
                       sink->tally.ended[STATUS_lost] == 0;
    slots_end(&slots);
    control_end(&control);
    return ending;
}

/* Says which programs have another version than their earlier rows, or say none. */
static void note_versions(struct session *session)
{
    const struct experiment *experiment = session->experiment;
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct external *external = experiment->solvers[i].external;
        const char *before =
            session->resumed.versions == NULL ? NULL : session->resumed.versions[i];
        const char *now = external == NULL ? NULL : external->version;
        if (external == NULL || external->version_words == NULL)
            continue;
        const char *name = experiment->solvers[i].label != NULL ? experiment->solvers[i].label
                                                                : experiment->solvers[i].text;
        if (now == NULL)
            display_say(&session->terminal->display,
                        "the command for the version of %s printed none and exit code 0 within "
                        "five seconds; its rows have no version",
                        name);
        else if (before != NULL && strcmp(before, now) != 0)
            display_say(&session->terminal->display,
                        "%s is another version than that of its earlier rows: '%s', not '%s'; "
                        "--fresh makes all runs again",
                        name, now, before);
    }
}

/* Says which of the events that are to be measured the system does not count. */
static void note_events(struct session *session)
{
    SCOPED char *missing = NULL;
    if (session->experiment->events == 0)
        return;
    session->record.events = events_json(session->experiment->events, &missing);
    if (missing != NULL)
        display_note(&session->terminal->display, "not counted, so their columns are empty: %s",
                     missing);
}

/* Makes the missing runs, with what lies beside their rows. */
static enum ending run_missing(struct session *session)
{
    struct session_record *record = &session->record;
    struct machine_watch watch;
    record->interpreters = interpreters_json(session->experiment);
    note_versions(session);
    note_events(session);
    record_time(record->started);
    if (!was_written(session, write_manifest(session), "manifest.json"))
        return ENDING_FAILED;
    const bool fine = write_references(session) && write_datapackage(session);
    const enum ending ending = fine ? schedule(session, &watch) : ENDING_FAILED;
    record->ended = ending == ENDING_DONE          ? "done"
                    : ending == ENDING_INTERRUPTED ? "interrupted"
                                                   : "failed";
    record_time(record->finished);
    bool written = write_manifest(session);
    if (ending != ENDING_FAILED) /* which said why before */
        was_written(session, written, "manifest.json");
    const struct row_sink *sink = &session->sink;
    if (fine && !sink->failed &&
        (sink->messages > 0 || sink->controls || sink->kept[TABLE_ROUNDS] > 0 ||
         sink->kept[TABLE_INCUMBENTS] > 0)) /* new tables */
        written = write_datapackage(session) && written;
    checkpoints_tidy(session->folder.path, &session->ids, session->queue.done);
    if (session->shared != NULL && session->options->shard.count == 0 && ending == ENDING_DONE)
        sharing_tidy(session->shared);
    say_how_it_ended(session, ending);
    record->noise = NULL;
    return written || ending != ENDING_DONE || session->doubted ? ending : ENDING_FAILED;
}

/* Shows other machines that the folder's writer lives. */
static void beat(void *context)
{
    static double beaten;
    struct session *session = context;
    if (clock_wall() - beaten < BEAT_SECONDS)
        return;
    folder_beat(&session->folder);
    beaten = clock_wall();
}

/* Makes the runs that an open folder lacks, if any; `unfit` (taken) is why its manifest cannot be
 * used, or NULL. */
static enum ending go_on(struct session *session, char *unfit)
{
    const struct experiment *experiment = session->experiment;
    const struct resumed *resumed = &session->resumed;
    if (!manifest_prepare(&session->folder, unfit))
        return ENDING_FAILED;
    if (session->queue.finished == session->queue.total && session->queue.join_count == 0) {
        doubt_rows(session);
        return write_experiment(session) &&
                       was_written(session,
                                   manifest_finish(&session->folder, experiment, resumed->first,
                                                   resumed->last),
                                   "manifest.json") &&
                       write_references(session)
                   ? ENDING_DONE
                   : ENDING_FAILED;
    }
    checkpoints_tidy(session->folder.path, &session->ids,
                     session->options->fresh ? NULL : session->queue.done);
    if (experiment->checkpoint_seconds > 0 && !checkpoints_make(session->folder.path)) {
        session_say(session, heap_format("%s/checkpoints cannot be made: %s; expected a folder or "
                                         "no such name",
                                         session->folder.path, strerror(errno)));
        return ENDING_FAILED;
    }
    if (session->shared != NULL && !folders_make(session->shared)) {
        session_say(session, heap_format("%s cannot be made: %s; expected a folder or no such name",
                                         session->shared, strerror(errno)));
        return ENDING_FAILED;
    }
    workers_keep((struct keeping){session->folder.path, experiment->checkpoint_seconds,
                                  session->shared, experiment->split});
    const enum ending built =
        tables_build_all(experiment, session->terminal->display.quiet, &session->folder);
    if (built != ENDING_DONE)
        return built;
    const enum ending ready = builds_make(experiment, session->folder.path, session->record.jobs,
                                          &session->terminal->display, beat, session);
    if (ready != ENDING_DONE)
        return ready;
    return write_experiment(session) ? run_missing(session) : ENDING_FAILED;
}

/* Makes rows anew from logs in an open folder: all at once. What is killed before leaves the rows
 * as they were, and after it rows that go on as others do. `unfit`: as for go_on. */
static enum ending reparse(struct session *session, char *unfit)
{
    struct folder *folder = &session->folder;
    struct resumed *resumed = &session->resumed;
    struct row_sink *sink = &session->sink;
    struct reparsed *reparsed = session->options->reparsed;
    if (reparsed->dry)
        free(unfit);
    else if (!manifest_prepare(folder, unfit))
        return ENDING_FAILED;
    if (reparse_rows(folder, &session->ids, session->queue.done, sink, resumed, reparsed) !=
        ENDING_DONE)
        return ENDING_FAILED;
    if (reparsed->rows == 0 || reparsed->dry)
        return ENDING_DONE;
    if (!write_experiment(session) ||
        !was_written(session, manifest_expect(folder, sink->changes[0].text), "manifest.json") ||
        !row_sink_sync(sink, true) || !row_sink_settle(sink, &session->ids) ||
        reparse_tidy(folder, reparsed) != ENDING_DONE)
        return ENDING_FAILED;
    const bool complete = session->queue.finished + reparsed->rows == session->queue.total;
    doubt_rows(session);
    return was_written(session,
                       manifest_finish(folder, session->experiment, resumed->first,
                                       complete ? resumed->last : NULL),
                       "manifest.json") &&
                   write_references(session) && write_datapackage(session)
               ? ENDING_DONE
               : ENDING_FAILED;
}

/* Runs what the queue has into the open folder. */
static enum ending run_into(struct session *session)
{
    const struct session_options *options = session->options;
    struct folder *folder = &session->folder;
    struct queue *queue = &session->queue;
    struct resumed *resumed = &session->resumed;
    char *unfit; /* before rows are taken out: it knows some of them */
    json_decref(manifest_of(folder->path, &unfit));
    session->cross = cross_start(queue->runs);
    const bool aside =
        !options->fresh || (run_tables_set_aside(folder) && run_logs_set_aside(folder));
    enum ending ending = aside ? ENDING_DONE : ENDING_FAILED;
    const bool quiet = folder->display->quiet;
    folder->display->quiet =
        quiet || options->reparsed != NULL; /* which tells of other rows itself */
    if (ending == ENDING_DONE)
        ending = resume_rows(folder, queue->runs, options->keep || options->reparsed != NULL,
                             options->any_again ? options->again : NULL, queue->done,
                             session->cross, resumed);
    folder->display->quiet = quiet;
    if (ending == ENDING_DONE)
        ending = shard_rows_regard(session);
    if (ending != ENDING_DONE) {
        free(unfit);
        return ending;
    }
    session->sink = (struct row_sink){.folder = folder,
                                      .cross = session->cross,
                                      .display = folder->display,
                                      .host = session->host,
                                      .all_moves = options->all_moves,
                                      .rounds = session->experiment->rounds,
                                      .cover = session->experiment->measures_cover,
                                      .sync_seconds = options->sync_seconds,
                                      .tally = resumed->tally,
                                      .old_lines = resumed->old_lines};
    queue_count(queue);
    session->kept = queue->finished;
    session->counted = true;
    session->record.runs = queue->total;
    if (options->reparsed != NULL)
        return reparse(session, unfit);
    say_what_runs(session);
    return go_on(session, unfit);
}

/* Opens the folder of the session. */
static enum ending open_folder(struct session *session)
{
    struct display *display = &session->terminal->display;
    const bool is_shard = session->options->shard.count > 0;
    enum ending ending = shard_rows_allow(session);
    if (ending == ENDING_DONE && is_shard)
        ending = folder_claim(session->results, display);
    if (ending == ENDING_DONE && is_shard && file_is_link(session->output)) {
        session_say(session,
                    heap_format("%s is a link; expected a folder. Move it away", session->output));
        ending = ENDING_REFUSED;
    }
    if (ending == ENDING_DONE)
        ending = folder_open(&session->folder, session->output, session->options->fresh, display);
    session->is_open = ending == ENDING_DONE;
    return ending;
}

/* The runs that the session is about, in heap memory; in *others (likewise, or NULL) those of other
 * shards that it may join. */
static uint32_t *choose_runs(struct session *session, size_t *count, uint32_t **others,
                             size_t *other_count)
{
    const struct experiment *experiment = session->experiment;
    const struct shard *shard = &session->options->shard;
    *count = experiment_run_count(experiment);
    if (shard->count == 0)
        return experiment_run_order(experiment);
    SCOPED_BY(shards_end) struct shards shards = shards_of(experiment, shard->count);
    uint32_t *order = shards_runs(&shards, shard->number, false, count);
    if (experiment->split > 0)
        *others = shards_runs(&shards, shard->number, true, other_count);
    if (shards.torn && experiment->solver_count > 1)
        display_note(&session->terminal->display,
                     "%u shards are more than the instances and their repetitions: solvers run the "
                     "same instance in different shards, and on different hosts their times do not "
                     "compare",
                     shard->count);
    return order;
}

/* Whether programs that are to run isolated can; if not, says so. */
static bool can_isolate(struct session *session)
{
    const struct experiment *experiment = session->experiment;
    size_t i = 0;
    while (i < experiment->solver_count &&
           (experiment->solvers[i].external == NULL || !experiment->solvers[i].external->isolated))
        i++;
    const char *isolated = i < experiment->solver_count ? experiment->solvers[i].text
                                                        : plugins_isolated(&experiment->plugins);
    SCOPED char *why = isolated == NULL ? NULL : isolation_missing();
    if (why == NULL)
        return true;
    session_say(session,
                heap_format("%s is to run isolated: %s; nothing was started", isolated, why));
    return false;
}

/* Opens the folder of the session, which must have rows. */
static enum ending find_rows(struct session *session)
{
    SCOPED char *rows = heap_format("%s/runs.csv", session->output);
    const bool there = access(rows, F_OK) == 0;
    SCOPED_BY(shard_folders_end) struct shard_folders shards = shard_folders_list(session->output);
    if (!there && shards.count > 0)
        session_say(session, heap_format("%s is not there: the rows are in shards; first tilelab "
                                         "merge %s",
                                         rows, session->output));
    else if (!there)
        session_say(session, heap_format("%s is not there; expected the results folder that "
                                         "tilelab run wrote, by --output if need be",
                                         rows));
    return there ? open_folder(session) : ENDING_REFUSED;
}

enum ending session_run(struct session *session)
{
    const struct experiment *experiment = session->experiment;
    const struct session_options *options = session->options;
    struct display *display = &session->terminal->display;
    size_t count;
    size_t other_count = 0;
    uint32_t *others = NULL;
    session->results = options->output != NULL ? options->output : experiment->output;
    session->output = options->shard.count == 0 ? heap_text(session->results)
                                                : shard_folder(session->results, options->shard);
    gethostname(session->host, sizeof session->host - 1);
    uint32_t *order = choose_runs(session, &count, &others, &other_count);
    session->ids =
        run_ids_of(experiment, options->shard.count > 0 && others == NULL ? order : NULL, count);
    queue_start(&session->queue, &session->ids, order, count);
    if (experiment->split > 0)
        session->shared = sharing_place(session->results, &session->ids);
    if (others != NULL)
        sharing_find(session->shared, &session->queue, others, other_count);
    session->record =
        (struct session_record){.shard = options->shard,
                                .jobs = job_count(session, count + session->queue.join_count),
                                .overhead_seconds = -1};
    if (options->reparsed != NULL) {
        const enum ending there = find_rows(session);
        return there == ENDING_DONE ? run_into(session) : there;
    }
    const bool fine = (!experiment->pin || take_processors(session)) && can_isolate(session);
    note_threads(session);
    SCOPED char *remarks = remarks_text(experiment);
    if (!display->quiet)
        display->show(display, remarks);
    const enum ending opened = fine ? open_folder(session) : ENDING_REFUSED;
    return opened == ENDING_DONE ? run_into(session) : opened;
}

void session_end(struct session *session)
{
    if (session->is_open)
        folder_close(&session->folder);
    row_sink_end(&session->sink);
    resumed_end(&session->resumed);
    if (session->cross != NULL)
        cross_end(session->cross);
    queue_end(&session->queue);
    run_ids_end(&session->ids);
    json_decref(session->record.interpreters);
    json_decref(session->record.events);
    FREE(session->processors, session->output, session->shared);
}
