#include "harness/execution/row_sink.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/judge/verdict.h"
#include "harness/results/messages.h"
#include "harness/results/run_logs.h"
#include "harness/results/run_tables.h"
#include "harness/results/side_table.h"
#include "harness/text/sorting.h"
#include <errno.h>

/* What people call the solver of a run. */
static const char *run_name(const struct run *run)
{
    return run->label != NULL ? run->label : run->solver_text;
}

void row_sink_say(struct row_sink *sink, const struct run *run, const char *what, const char *why)
{
    display_say(sink->display, "%s: %s on %s/%s: %s", what, run_name(run), run->instance->set,
                run->instance->name, why);
}

/* Reports what is wrong with a row; of many rows of one solver only the first ones, as all are in
 * messages.csv. */
static void say_of_row(struct row_sink *sink, const struct run *run, const char *what,
                       const char *why)
{
    enum { MOST_SAID = 5 };
    const size_t i = NAME_PLACE(sink->said, sink->said_count, solver, run->solver_text);
    if (i == sink->said_count)
        *HEAP_ADD(sink->said, sink->said_count) = (struct said){run->solver_text, 0};
    const size_t count = ++sink->said[i].count;
    if (count <= MOST_SAID)
        row_sink_say(sink, run, what, why);
    if (count == MOST_SAID + 1)
        display_say(sink->display, "further messages about %s are in %s alone", run_name(run),
                    MESSAGES_FILE);
}

/* Which claim of a result is wrong, in heap memory; NULL if none is. *believed: whether its
 * figures are possible. */
static char *verify(struct row_sink *sink, const struct run *run, double elapsed,
                    struct result *result, bool *believed)
{
    char *why = verify_cells(run, elapsed, result);
    *believed = why == NULL;
    if (why == NULL)
        why = verify_result(run, result);
    char *other = cross_check(sink->cross, run, result); /* NULL of a wrong answer */
    return why == NULL ? other : why;
}

/* Writes a row's message beside the rows. */
static void keep_message(struct row_sink *sink, const struct record *record, const char *message)
{
    const char *why;
    if (sink->dry)
        return;
    const bool kept = messages_add(sink->folder->path, record->run->id, record->finished_at,
                                   status_rows[record->result->status].name, message, &why);
    if (kept)
        sink->messages++;
    else if (!sink->message_lost)
        display_say(sink->display, "the message cannot be kept in %s/%s: %s", sink->folder->path,
                    MESSAGES_FILE, why);
    sink->message_lost = sink->message_lost || !kept;
}

/* Keeps what each round counted, and the solutions that were improved, before the row itself is
 * written. */
static bool keep_tables(struct row_sink *sink, const struct record *record)
{
    const char *why;
    for (size_t i = 0; run_tables[i] != TABLES; i++) {
        const enum table table = run_tables[i];
        if (sink->dry || !run_table_has(table, record->result) ||
            (table == TABLE_ROUNDS && !sink->rounds))
            continue;
        sink->kept[table]++;
        if (run_table_add(table, sink->folder->path, record->run, record->result, &why))
            continue;
        display_say(sink->display,
                    "rows cannot be written to %s/%s.csv: %s; the rows before them are safe, the "
                    "same command goes on from there",
                    sink->folder->path, table_schemas[table].name, why);
        return false;
    }
    return true;
}

ORDER_BY(by_line, struct new_line, BY(number));

/* Puts rows in the place of those that they replace: all of them at once. False with errno. */
static bool write_changes(struct row_sink *sink)
{
    if (sink->change_count == 0 || sink->dry)
        return true;
    qsort(sink->changes, sink->change_count, sizeof *sink->changes, by_line);
    const bool fine = folder_change(sink->folder, sink->changes, sink->change_count);
    const int why = errno;
    while (fine && sink->change_count > 0)
        free(sink->changes[--sink->change_count].text);
    sink->changed = clock_wall();
    errno = why;
    return fine;
}

/* Appends a row, or has it replace the one that its run has; takes the line. False with errno. */
static bool put_line(struct row_sink *sink, const struct run *run, char *line)
{
    const size_t old = sink->old_lines == NULL ? 0 : sink->old_lines[run->number];
    if (old == 0) {
        const bool written = folder_append(sink->folder, line);
        const int why = errno;
        free(line);
        errno = why;
        return written;
    }
    *HEAP_ADD(sink->changes, sink->change_count) = (struct new_line){old, line};
    return clock_wall() - sink->changed < sink->sync_seconds || write_changes(sink);
}

/* Says that rows cannot be written, with errno; no other one is written. */
static void say_unwritten(struct row_sink *sink)
{
    sink->failed = true;
    display_say(sink->display,
                "a row cannot be written to %s/runs.csv: %s; the rows before it are safe, the "
                "same command continues from there",
                sink->folder->path, strerror(errno));
}

/* Writes the row of a result and, beside it, the message `why` (NULL: none). */
static enum row_outcome write_row(struct row_sink *sink, const struct run *run,
                                  const struct result *result, const struct answer *answer,
                                  const struct beside *beside, const char *why)
{
    char now[32];
    record_time(now);
    SCOPED char *impossible =
        answer == NULL ? NULL : impossible_counts(run->instance, result, answer->known);
    const struct record record = {.run = run,
                                  .result = result,
                                  .answer = answer,
                                  .impossible = impossible,
                                  .cover = sink->cover ? row_cover_of(&sink->covers, run) : NULL,
                                  .control = beside == NULL ? NULL : beside->control,
                                  .events = beside == NULL ? NULL : beside->events,
                                  .host = sink->host,
                                  .finished_at =
                                      sink->finished_at == NULL ? now : sink->finished_at};
    if (sink->failed || !keep_tables(sink, &record)) {
        sink->failed = true;
        return ROW_UNWRITTEN;
    }
    if (sink->wrote != NULL)
        sink->wrote(sink->context, &record);
    if (why != NULL) {
        sink->tally.findings += !status_rows[result->status].made_again;
        keep_message(sink, &record, why);
    } else if (answer != NULL && answer->message != NULL) {
        keep_message(sink, &record, answer->message);
    }
    const bool written = put_line(sink, run, record_line(&record, sink->all_moves));
    if (written)
        sink->tally.ended[result->status]++;
    else
        say_unwritten(sink);
    return !written ? ROW_UNWRITTEN : why != NULL ? ROW_DOUBTED : ROW_WRITTEN;
}

/* Keeps what a program printed, before its row is written. */
static void keep_log(struct row_sink *sink, const struct run *run, const struct answer *answer)
{
    const char *folder = sink->folder->path;
    if (answer == NULL || answer->log == NULL || sink->failed || sink->dry)
        return;
    const bool kept = run_log_write(folder, run->id, answer->log, answer->log_bytes);
    if (!kept && !sink->log_lost)
        display_say(sink->display, "a log cannot be kept in %s/logs: %s", folder,
                    file_problem(errno));
    sink->log_lost = sink->log_lost || !kept;
}

enum row_outcome row_sink_take(struct row_sink *sink, const struct run *run, double elapsed,
                               struct result *result, const struct answer *answer,
                               const struct beside *beside)
{
    bool believed = true;
    SCOPED char *why = verify(sink, run, elapsed, result, &believed);
    if (why != NULL)
        say_of_row(sink, run,
                   result->status == STATUS_wrong_answer ? "wrong answer" : "not repeatable", why);
    else if (answer != NULL && answer->message != NULL && result->status == STATUS_crashed)
        say_of_row(sink, run, "crashed", why = heap_text(answer->message));
    keep_log(sink, run, answer);
    const enum row_outcome outcome =
        write_row(sink, run, result, believed ? answer : NULL, beside, why);
    result_end(result);
    return outcome;
}

enum row_outcome row_sink_take_end(struct row_sink *sink, const struct run *run, enum status status,
                                   const char *why)
{
    const struct result result = {.status = status, .h_start = -1};
    if (why != NULL)
        say_of_row(sink, run, status_rows[status].name, why);
    return write_row(sink, run, &result, NULL, NULL, why);
}

bool row_sink_take_control(struct row_sink *sink, const struct run *run, unsigned worker,
                           struct result *result, char control[CONTROL_ID_BYTES])
{
    char id[CONTROL_ID_BYTES];
    const char *why;
    control_id_new(sink->host, worker, id);
    const bool kept =
        controls_add(sink->folder->path, run, result, id, control, sink->host, worker, &why);
    if (kept)
        memcpy(control, id, sizeof id);
    else
        display_say(sink->display, "control runs cannot be kept in %s/" CONTROL_FILE ": %s",
                    sink->folder->path, why);
    sink->controls = sink->controls || kept;
    result_end(result);
    return kept;
}

bool row_sink_settle(struct row_sink *sink, const struct run_ids *ids)
{
    if (!cross_has_refuted(sink->cross) || sink->dry)
        return true;
    if (!write_changes(sink)) {
        say_unwritten(sink);
        return false;
    }
    const ptrdiff_t marked = refuted_mark(sink->folder, ids, sink->cross, &sink->tally);
    if (marked < 0)
        return false;
    sink->messages += (size_t)marked;
    return row_sink_sync(sink, true);
}

static void sync_table(const struct row_sink *sink, enum table table)
{
    if (!side_table_sync(sink->folder->path, table))
        display_say(sink->display, "%s/%s.csv cannot be put on the disk: %s", sink->folder->path,
                    table_schemas[table].name, strerror(errno));
}

bool row_sink_sync(struct row_sink *sink, bool in_any_case)
{
    const double now = clock_wall();
    if (!in_any_case && now - sink->synced < sink->sync_seconds)
        return true;
    sink->synced = now;
    if (sink->messages > 0)
        sync_table(sink, TABLE_MESSAGES);
    if (sink->controls)
        sync_table(sink, TABLE_CONTROL);
    for (size_t i = 0; run_tables[i] != TABLES; i++) /* before the rows that they belong to */
        if (sink->kept[run_tables[i]] > 0)
            sync_table(sink, run_tables[i]);
    const bool changed = write_changes(sink);
    if (!changed)
        say_unwritten(sink);
    SCOPED char *wrong = folder_sync(sink->folder, in_any_case);
    const bool fine = changed && wrong == NULL;
    if (wrong != NULL)
        display_say(sink->display, "%s", wrong);
    sink->sync_time += clock_wall() - now;
    return fine;
}

void row_sink_end(struct row_sink *sink)
{
    while (sink->change_count > 0)
        free(sink->changes[--sink->change_count].text);
    FREE(sink->changes, sink->said);
    row_covers_end(&sink->covers);
}
