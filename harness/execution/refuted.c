#include "harness/execution/refuted.h"
#include "base/heap.h"
#include "harness/results/messages.h"
#include <errno.h>

struct marking {
    struct folder *folder;
    const struct run_ids *ids;
    const struct cross *cross;
    size_t was[STATUSES];   /* how many rows were marked, by the status that they had */
    struct new_line *marks; /* owned; ascending */
    size_t count;
};

bool refuted_perhaps(const struct row *row)
{
    const struct cell *cells = row->cells;
    return cells[COLUMN_status].status == STATUS_wrong_answer &&
           (cells[COLUMN_length].text[0] != '\0' || cells[COLUMN_h_start].text[0] != '\0');
}

static void mark_row(struct marking *marking, const struct row *row, const struct run *run,
                     const char *why)
{
    static const char *const status = "wrong_answer";
    const struct folder *folder = marking->folder;
    const char *texts[COLUMNS];
    const char *failed;
    char row_hash[ROW_HASH_BYTES];
    row_texts(row, texts);
    texts[COLUMN_status] = status;
    cells_row_hash(texts, row_hash);
    texts[COLUMN_row_hash] = row_hash;
    display_say(folder->display, "wrong answer: %s on %s/%s: %s", run->solver_text,
                run->instance->set, run->instance->name, why);
    if (!messages_add(folder->path, run->id, texts[COLUMN_finished_at], status, why, &failed))
        display_say(folder->display, "the message cannot be kept in %s/%s: %s", folder->path,
                    MESSAGES_FILE, failed);
    *HEAP_ADD(marking->marks, marking->count) = (struct new_line){row->line, cells_line(texts)};
    marking->was[row->cells[COLUMN_status].status]++;
}

static void find_rows(struct marking *marking, FILE *stream)
{
    SCOPED_BY(rows_end) struct rows rows = {0};
    struct row *row;
    SCOPED_BY(report_end) struct report report = {.file = marking->folder->rows};
    if (rows_start(&rows, stream, NULL, 0, &report))
        while ((row = rows_next(&rows)) != NULL) {
            const ptrdiff_t number = run_ids_find(marking->ids, row->cells[COLUMN_run_id].text);
            if (number == RUN_UNKNOWN)
                continue;
            const struct run run = run_ids_run(marking->ids, (size_t)number);
            const struct result result = row_result(row);
            SCOPED char *why = cross_refuted(marking->cross, &run, &result);
            if (why != NULL)
                mark_row(marking, row, &run, why);
        }
}

ptrdiff_t refuted_mark(struct folder *folder, const struct run_ids *ids, const struct cross *cross,
                       struct tally *tally)
{
    struct marking marking = {.folder = folder, .ids = ids, .cross = cross};
    SCOPED_BY(stream_end) FILE *stream = folder_rows(folder);
    bool fine = stream != NULL;
    if (fine) {
        find_rows(&marking, stream);
        fine = marking.count == 0 || folder_change(folder, marking.marks, marking.count);
    }
    if (!fine)
        display_say(folder->display, "%s cannot be rewritten: %s", folder->rows, strerror(errno));
    for (unsigned i = 0; fine && i < STATUSES; i++)
        tally->ended[i] -= marking.was[i];
    if (fine) {
        tally->ended[STATUS_wrong_answer] += marking.count;
        tally->findings += marking.count - marking.was[STATUS_crashed];
    }
    for (size_t i = 0; i < marking.count; i++)
        free(marking.marks[i].text);
    free(marking.marks);
    return fine ? (ptrdiff_t)marking.count : -1;
}
