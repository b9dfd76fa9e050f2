#include "harness/execution/resume.h"
#include "base/heap.h"
#include "harness/judge/row_check.h"
#include "harness/results/run_tables.h"
#include "harness/text/human.h"
#include "harness/text/sorting.h"
#include <errno.h>

/* The rows of a file as they are read. */
struct reading {
    struct folder *folder;
    struct resumed *resumed;
    const struct run_ids *ids;
    struct cross *cross;
    const bool *again; /* by status; NULL: none but those that are no result */
    bool *done;
    struct rows rows;
    struct row *row;
    struct others *others;
    struct row_check check;
    struct seen {
        char id[RUN_ID_BYTES];
        size_t line;
        bool again;   /* its run is made again */
        bool deepens; /* a run of the experiment with several rounds */
    } * seen;         /* owned; every row's */
    size_t count;
    size_t again_count;
    bool refuted; /* a row that is right by its status cannot be, given earlier ones */
};

void resumed_note_time(struct resumed *resumed, const char *time)
{
    if (resumed->first[0] == '\0' || strcmp(time, resumed->first) < 0)
        snprintf(resumed->first, sizeof resumed->first, "%s", time);
    if (strcmp(time, resumed->last) > 0)
        snprintf(resumed->last, sizeof resumed->last, "%s", time);
}

/* Notes the version of a program that a row names. */
static void note_version(const struct reading *reading, const struct run *run)
{
    char ***versions = &reading->resumed->versions;
    if (run->external == NULL || run->external->version_words == NULL)
        return;
    json_auto_t *extra = json_loads(reading->row->cells[COLUMN_extra].text, 0, NULL);
    const char *version = json_string_value(json_object_get(extra, "version"));
    if (*versions == NULL) {
        reading->resumed->version_count = reading->ids->experiment->solver_count;
        *versions = heap_take(reading->resumed->version_count, sizeof **versions);
    }
    if (version != NULL) {
        free((*versions)[run->solver_number]);
        (*versions)[run->solver_number] = heap_text(version);
    }
}

static bool is_again(const struct reading *reading, enum status status)
{
    return status_rows[status].made_again || (reading->again != NULL && reading->again[status]);
}

/* Adds a row of the experiment. */
static void take_run(struct reading *reading, const struct run *run)
{
    struct result result = row_result(reading->row);
    if (is_again(reading, result.status)) {
        size_t **lines = &reading->resumed->old_lines;
        if (*lines == NULL)
            *lines = heap_take(reading->ids->count, sizeof **lines);
        (*lines)[run->number] = reading->row->line;
        reading->again_count++;
        return;
    }
    reading->done[run->number] = true;
    note_version(reading, run);
    resumed_note_time(reading->resumed, reading->row->cells[COLUMN_finished_at].text);
    const enum status was = result.status;
    SCOPED char *why = cross_check(reading->cross, run, &result);
    reading->resumed->tally.ended[was]++;
    reading->resumed->tally.findings += (why != NULL && result.status == was) ||
                                        was == STATUS_crashed || was == STATUS_wrong_answer;
    reading->refuted = reading->refuted || result.status != was;
    if (why != NULL && result.status == was) /* the others are marked at the end */
        display_say(reading->folder->display, "%s:%zu: %s", reading->folder->rows,
                    reading->row->line, why);
}

static void take_row(struct reading *reading)
{
    const char *id = reading->row->cells[COLUMN_run_id].text;
    ptrdiff_t number;
    SCOPED char *why = row_check(&reading->check, reading->row, &number);
    const bool known = number != RUN_UNKNOWN;
    if (why != NULL) {
        csv_blame(&reading->rows.csv, (struct text_place){reading->row->line, 1}, "%s", why);
        return;
    }
    struct seen *seen = HEAP_ADD(reading->seen, reading->count);
    memcpy(seen->id, id, RUN_ID_BYTES);
    seen->line = reading->row->line;
    seen->again = known && is_again(reading, reading->row->cells[COLUMN_status].status);
    seen->deepens = known && reading->row->cells[COLUMN_iterations].integer > 1;
    if (known) {
        const struct run run = run_ids_run(reading->ids, (size_t)number);
        take_run(reading, &run);
    } else {
        others_add(reading->others, reading->row);
    }
}

ORDER_BY(by_id_and_line, struct seen, strcmp(x->id, y->id), BY(line));

/* Reports rows whose run_id another row has. */
static void find_doubles(struct reading *reading)
{
    if (reading->count > 0)
        qsort(reading->seen, reading->count, sizeof *reading->seen, by_id_and_line);
    for (size_t first = 0, i = 1; i < reading->count; i++) {
        if (strcmp(reading->seen[first].id, reading->seen[i].id) != 0)
            first = i;
        else
            csv_blame(&reading->rows.csv, (struct text_place){reading->seen[i].line, 1},
                      "the run_id %s is on line %zu already", reading->seen[i].id,
                      reading->seen[first].line);
    }
}

/* Reports what was found in the rows, once all are read, and acts on it. */
static enum ending settle_rows(struct reading *reading, const struct report *report, bool keep)
{
    struct folder *folder = reading->folder;
    const size_t bad = reading->rows.csv.bad;
    const size_t others = others_count(reading->others);
    if (report->count > 0) {
        folder->display->show(folder->display, report->text);
        if (bad > 0)
            display_say(
                folder->display,
                "%zu row%s of %s %s not as tilelab wrote %s; put each line back as it "
                "was, or delete it and it will be run again, or use --fresh to set the file "
                "aside and start afresh",
                bad, plural(bad), folder->rows, bad == 1 ? "is" : "are", bad == 1 ? "it" : "them");
        return ENDING_REFUSED;
    }
    if (others > 0) {
        reading->resumed->others = others_text(reading->others);
        if (!keep || !folder->display->quiet) {
            display_say(folder->display,
                        "%s holds %zu row%s of other runs than this experiment's:", folder->rows,
                        others, plural(others));
            folder->display->show(folder->display, reading->resumed->others);
        }
        if (!keep) {
            display_say(folder->display,
                        "use --fresh to set the file aside and start afresh, or --keep to leave "
                        "the rows where they are");
            return ENDING_REFUSED;
        }
        display_note(folder->display,
                     "they are left where they are; the comparison leaves them out");
    }
    if (reading->again_count > 0)
        display_note(folder->display,
                     "%zu run%s made again: of rows %s; each row stands until the new one is there",
                     reading->again_count, reading->again_count == 1 ? " is" : "s are",
                     reading->again == NULL
                         ? "that are no result (out of memory, lost, interrupted)"
                         : "with the statuses of --again or that are no result");
    return ENDING_DONE;
}

/* Has rounds.csv and incumbents.csv hold what belongs to the rows that stay, and counts the rows
 * that should have rounds and do not. */
static enum ending keep_tables(const struct reading *reading)
{
    const bool wanted = reading->ids->experiment->rounds;
    SCOPED struct table_run *runs = heap_take(reading->count, sizeof *runs);
    size_t count = 0;
    size_t without = 0;
    for (size_t i = 0; i < reading->count; i++) {
        if (reading->seen[i].again)
            continue;
        memcpy(runs[count].id, reading->seen[i].id, RUN_ID_BYTES);
        runs[count++].deepens = reading->seen[i].deepens;
    }
    enum ending ending = run_table_keep(TABLE_INCUMBENTS, reading->folder, runs, count, true);
    for (size_t i = 0; i < count; i++)
        runs[i].has_rounds = false;
    if (ending == ENDING_DONE)
        ending = run_table_keep(TABLE_ROUNDS, reading->folder, runs, count, wanted);
    for (size_t i = 0; i < count; i++)
        without += runs[i].deepens && !runs[i].has_rounds;
    if (ending == ENDING_DONE && wanted && without > 0)
        display_say(reading->folder->display,
                    "%zu run%s that %s there already %s no rounds: made without them, or to be "
                    "made again by a call that ended early; --again with %s status%s or --fresh "
                    "makes %s again",
                    without, plural(without), without == 1 ? "is" : "are",
                    without == 1 ? "has" : "have", without == 1 ? "its" : "their",
                    without == 1 ? "" : "es", without == 1 ? "it" : "them");
    return ending;
}

/* Marks the rows that others refute, in whichever order they came. */
static enum ending mark_refuted(const struct reading *reading)
{
    if (!reading->refuted && !cross_has_refuted(reading->cross))
        return ENDING_DONE;
    return refuted_mark(reading->folder, reading->ids, reading->cross, &reading->resumed->tally) < 0
               ? ENDING_FAILED
               : ENDING_DONE;
}

/* Reads the rows of the file: marks those of the matrix, and names others and those that contradict
 * themselves. */
static enum ending read_rows(struct reading *reading, bool keep)
{
    SCOPED_BY(stream_end) FILE *stream = folder_rows(reading->folder);
    if (stream == NULL) {
        display_say(reading->folder->display, "%s cannot be read: %s", reading->folder->rows,
                    strerror(errno));
        return ENDING_FAILED;
    }
    SCOPED_BY(report_end) struct report report = {.file = reading->folder->rows};
    reading->others = others_start(reading->ids->experiment);
    reading->check = row_check_start(reading->ids);
    if (rows_start(&reading->rows, stream, NULL, 0, &report)) {
        while ((reading->row = rows_next(&reading->rows)) != NULL)
            if (row_boards(&reading->rows, reading->row))
                take_row(reading);
        find_doubles(reading);
    }
    enum ending ending = settle_rows(reading, &report, keep);
    if (ending == ENDING_DONE)
        ending = keep_tables(reading);
    if (ending == ENDING_DONE)
        ending = mark_refuted(reading);
    rows_end(&reading->rows);
    others_end(reading->others);
    row_check_end(&reading->check);
    free(reading->seen);
    return ending;
}

enum ending resume_rows(struct folder *folder, const struct run_ids *ids, bool keep,
                        const bool *again, bool *done, struct cross *cross, struct resumed *resumed)
{
    struct reading reading = {.folder = folder,
                              .resumed = resumed,
                              .ids = ids,
                              .cross = cross,
                              .again = again,
                              .done = done};
    *resumed = (struct resumed){0};
    return read_rows(&reading, keep);
}

void resumed_end(struct resumed *resumed)
{
    heap_free_texts(resumed->versions, resumed->version_count);
    FREE(resumed->others, resumed->old_lines);
}
