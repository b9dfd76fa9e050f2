#include "harness/execution/reparse.h"
#include "base/heap.h"
#include "harness/execution/run_question.h"
#include "harness/external/events.h"
#include "harness/external/output_log.h"
#include "harness/results/others.h"
#include "harness/results/run_logs.h"
#include "harness/text/sorting.h"
#include <errno.h>
#include <math.h>

/* A run without a row, by what determines it but for how its output is read. */
struct candidate {
    char key[RUN_ID_BYTES];
    uint32_t run;
};

struct reparsing {
    struct folder *folder;
    const struct run_ids *ids;
    struct row_sink *sink;
    struct resumed *resumed;
    struct reparsed *reparsed;
    struct candidate *candidates; /* owned; ascending */
    size_t candidate_count;
    size_t *old_lines; /* owned; by run number, as the sink has them */
    struct others *others;
    const struct row *row; /* at hand */
};

/* The hash of what determines the run of a row's cells, but for how its output is read. */
static void key_of(const char *texts[COLUMNS], char key[RUN_ID_BYTES])
{
    static const char *const reading[] = {"parse", "optimal", "moves"};
    json_auto_t *options = json_loads(texts[COLUMN_options_json], 0, NULL);
    for (size_t i = 0; i < sizeof reading / sizeof *reading; i++)
        json_object_del(options, reading[i]);
    SCOPED char *rest = options == NULL ? heap_text("") : json_dumps(options, JSON_SORT_KEYS);
    texts[COLUMN_options_json] = rest;
    texts[COLUMN_solver] = "";
    cells_run_id(texts, key);
}

ORDER_BY(by_key, struct candidate, strcmp(x->key, y->key));

static void find_candidates(struct reparsing *reparsing, const bool *done)
{
    const struct result result = {.status = STATUS_crashed, .h_start = -1};
    for (size_t i = 0; i < reparsing->ids->count; i++) {
        const struct run run = run_ids_run(reparsing->ids, i);
        const struct record record = {
            .run = &run, .result = &result, .host = "", .finished_at = ""};
        if (run.external == NULL || done[i])
            continue;
        const char *texts[COLUMNS];
        char **cells = record_cells(&record, false);
        memcpy(texts, cells, sizeof texts);
        struct candidate *candidate = HEAP_ADD(reparsing->candidates, reparsing->candidate_count);
        candidate->run = (uint32_t)i;
        key_of(texts, candidate->key);
        cells_end(cells);
    }
    if (reparsing->candidate_count > 0)
        qsort(reparsing->candidates, reparsing->candidate_count, sizeof *reparsing->candidates,
              by_key);
}

/* The run whose row the old one at hand becomes; RUN_UNKNOWN: none, and *why says why if the
 * experiment has such a run. Of several solvers that differ in how they are read alone, the label
 * tells. */
static ptrdiff_t run_of_row(const struct reparsing *reparsing, const char **why)
{
    struct candidate wanted;
    const char *texts[COLUMNS];
    size_t fitting = 0;
    bool labelled = false;
    ptrdiff_t found = RUN_UNKNOWN;
    row_texts(reparsing->row, texts);
    const char *label = texts[COLUMN_label];
    key_of(texts, wanted.key);
    *why = NULL;
    const struct candidate *candidate =
        reparsing->candidate_count == 0
            ? NULL
            : bsearch(&wanted, reparsing->candidates, reparsing->candidate_count, sizeof wanted,
                      by_key);
    const struct candidate *end = reparsing->candidates + reparsing->candidate_count;
    while (candidate != NULL && candidate > reparsing->candidates &&
           by_key(candidate - 1, &wanted) == 0)
        candidate--;
    for (; candidate != NULL && candidate < end && by_key(candidate, &wanted) == 0; candidate++) {
        const struct run run = run_ids_run(reparsing->ids, candidate->run);
        const bool same = strcmp(run.label == NULL ? "" : run.label, label) == 0;
        fitting++;
        if (same || !labelled)
            found = (ptrdiff_t)candidate->run;
        labelled = labelled || same;
    }
    if (fitting > 1 && !labelled)
        *why = "several solvers of the experiment differ in how they are read alone; expected the "
               "label that its rows have at one of them";
    else if (fitting > 0 && reparsing->old_lines[found] != 0)
        *why = "another row is of the same run";
    return *why == NULL ? found : RUN_UNKNOWN;
}

/* The row at hand stays as it is; takes over `why`. */
static void let_stay(struct reparsing *reparsing, char *why)
{
    const struct cell *cells = reparsing->row->cells;
    struct reparsed *reparsed = reparsing->reparsed;
    const bool labelled = cells[COLUMN_label].text[0] != '\0';
    *HEAP_ADD(reparsed->staying, reparsed->staying_count) = (struct staying_row){
        heap_format("%s on %s/%s, row %s", cells[labelled ? COLUMN_label : COLUMN_solver].text,
                    cells[COLUMN_set].text, cells[COLUMN_instance].text, cells[COLUMN_run_id].text),
        why};
}

/* Counts the cells in which a new row is another than the one at hand; not those that say how it is
 * read. */
static void count_cells(void *context, const struct record *record)
{
    static const bool follows[COLUMNS] = {[COLUMN_run_id] = true,
                                          [COLUMN_solver] = true,
                                          [COLUMN_options] = true,
                                          [COLUMN_options_json] = true,
                                          [COLUMN_row_hash] = true};
    const struct reparsing *reparsing = context;
    struct reparsed *reparsed = reparsing->reparsed;
    char **cells = record_cells(record, reparsing->sink->all_moves);
    size_t *counts = &reparsed->cells[record->run->solver_number * COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++)
        counts[i] += !follows[i] && strcmp(cells[i], reparsing->row->cells[i].text) != 0;
    cells_end(cells);
}

/* Reads the output again that a log has, and hands the row to the sink. */
static bool read_again(struct reparsing *reparsing, const struct run *run,
                       const struct printed *printed, struct answer *answer)
{
    const struct cell *cells = reparsing->row->cells;
    const struct task task = {run->instance->start, run->instance->goal, run->order};
    const struct question question = run_question(run, &task, &run->limits);
    const struct measured_run measured = {cells[COLUMN_wall_s].number, cells[COLUMN_cpu_s].number,
                                          cells[COLUMN_peak_bytes].integer, true};
    struct result result = {.status = STATUS_crashed, .h_start = -1};
    char *log = answer->log;
    const size_t log_bytes = answer->log_bytes;
    printed_read(run->external, &question, printed, &result, answer);
    printed_complete(run->external, &question, printed, &measured, &result, answer);
    answer->log = log;
    answer->log_bytes = log_bytes;
    reparsing->sink->host = cells[COLUMN_host].text;
    reparsing->sink->finished_at = cells[COLUMN_finished_at].text;
    uint64_t events[EVENTS];
    for (unsigned i = 0; i < EVENTS; i++) {
        const struct cell *event = &cells[COLUMN_instructions + i];
        events[i] = event->text[0] == '\0' ? EVENT_UNKNOWN : event->integer;
    }
    const struct beside beside = {cells[COLUMN_control].text, events};
    return row_sink_take(reparsing->sink, run, measured.wall_seconds, &result, answer, &beside) !=
           ROW_UNWRITTEN;
}

/* Makes the row at hand anew as that of a run. False if it cannot be written. */
static bool make_anew(struct reparsing *reparsing, struct run run)
{
    const struct cell *cells = reparsing->row->cells;
    struct reparsed *reparsed = reparsing->reparsed;
    SCOPED_BY(answer_end) struct answer answer = {0};
    struct output_log log = {0};
    bool fine = true;
    answer.log =
        run_log_read(reparsing->folder->path, cells[COLUMN_run_id].text, &answer.log_bytes);
    char *why = answer.log == NULL ? heap_text("it has no log")
                : cells[COLUMN_wall_s].number == 0
                    ? heap_text("its cells were not believed, so that it has no times")
                    : output_log_unpack(answer.log, answer.log_bytes, &log);
    if (why != NULL) {
        let_stay(reparsing, why);
    } else {
        struct external as_then = *run.external;
        json_auto_t *extra = json_loads(cells[COLUMN_extra].text, 0, NULL);
        as_then.version = (char *)(uintptr_t)json_string_value(json_object_get(extra, "version"));
        run.external = &as_then;
        reparsing->old_lines[run.number] = reparsing->row->line;
        memcpy(HEAP_ADD(reparsed->old, reparsed->rows), cells[COLUMN_run_id].text, RUN_ID_BYTES);
        memcpy(reparsed->now[reparsed->now_count - 1].id, run.id, RUN_ID_BYTES);
        resumed_note_time(reparsing->resumed, cells[COLUMN_finished_at].text);
        fine = read_again(reparsing, &run, &log.printed, &answer);
    }
    output_log_end(&log);
    return fine;
}

static bool take_row(struct reparsing *reparsing)
{
    const char *id = reparsing->row->cells[COLUMN_run_id].text;
    struct reparsed *reparsed = reparsing->reparsed;
    const char *why;
    struct table_run *now = HEAP_ADD(reparsed->now, reparsed->now_count);
    *now = (struct table_run){.deepens = false};
    memcpy(now->id, id, RUN_ID_BYTES);
    if (run_ids_find(reparsing->ids, id) != RUN_UNKNOWN)
        return true;
    const ptrdiff_t number = run_of_row(reparsing, &why);
    if (number != RUN_UNKNOWN)
        return make_anew(reparsing, run_ids_run(reparsing->ids, (size_t)number));
    if (why != NULL)
        let_stay(reparsing, heap_text(why));
    else
        others_add(reparsing->others, reparsing->row);
    return true;
}

/* Reads the rows of the open folder. False, with a message, if that fails. */
static bool take_rows(struct reparsing *reparsing)
{
    SCOPED_BY(stream_end) FILE *stream = folder_rows(reparsing->folder);
    SCOPED_BY(report_end) struct report report = {.file = reparsing->folder->rows};
    SCOPED_BY(rows_end) struct rows rows = {0};
    struct row *row;
    bool fine = true;
    if (stream == NULL) {
        display_say(reparsing->folder->display, "%s cannot be read: %s", reparsing->folder->rows,
                    strerror(errno));
        return false;
    }
    if (rows_start(&rows, stream, NULL, 0, &report))
        while (fine && (row = rows_next(&rows)) != NULL)
            if (row_boards(&rows, row)) {
                reparsing->row = row;
                fine = take_row(reparsing);
            }
    return fine;
}

enum ending reparse_rows(struct folder *folder, const struct run_ids *ids, const bool *done,
                         struct row_sink *sink, struct resumed *resumed, struct reparsed *reparsed)
{
    struct reparsing reparsing = {.folder = folder,
                                  .ids = ids,
                                  .sink = sink,
                                  .resumed = resumed,
                                  .reparsed = reparsed,
                                  .old_lines = heap_take(ids->count, sizeof(size_t)),
                                  .others = others_start(ids->experiment)};
    const char *host = sink->host;
    reparsed->cells = heap_take(ids->solvers * COLUMNS, sizeof *reparsed->cells);
    sink->old_lines = reparsing.old_lines;
    sink->sync_seconds = (double)INFINITY; /* all at once */
    sink->dry = reparsed->dry;
    sink->wrote = count_cells;
    sink->context = &reparsing;
    find_candidates(&reparsing, done);
    const bool fine = take_rows(&reparsing);
    reparsed->others = others_count(reparsing.others);
    reparsed->others_text = reparsed->others == 0 ? NULL : others_text(reparsing.others);
    sink->host = host;
    sink->finished_at = NULL;
    sink->wrote = NULL;
    sink->old_lines = NULL;
    others_end(reparsing.others);
    FREE(reparsing.candidates, reparsing.old_lines);
    return fine ? ENDING_DONE : ENDING_FAILED;
}

ORDER_BY(by_id, struct table_run, strcmp(x->id, y->id));

enum ending reparse_tidy(struct folder *folder, struct reparsed *reparsed)
{
    const bool quiet = folder->display->quiet;
    qsort(reparsed->now, reparsed->now_count, sizeof *reparsed->now, by_id);
    syncfs(folder->file); /* the new logs are on the disk before the old ones go */
    for (size_t i = 0; i < reparsed->rows; i++)
        run_log_remove(folder->path, reparsed->old[i]);
    folder->display->quiet = true;
    const enum ending ending =
        run_table_keep(TABLE_INCUMBENTS, folder, reparsed->now, reparsed->now_count, true);
    folder->display->quiet = quiet;
    return ending;
}

void reparsed_end(struct reparsed *reparsed)
{
    for (size_t i = 0; i < reparsed->staying_count; i++)
        FREE(reparsed->staying[i].what, reparsed->staying[i].why);
    FREE(reparsed->staying, reparsed->cells, reparsed->others_text, reparsed->now, reparsed->old);
}
