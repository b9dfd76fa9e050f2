#include "harness/results/refuted.h"
#include "base/heap.h"
#include "harness/results/messages.h"
#include "harness/results/record.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A line of runs.csv in place of an earlier one. */
struct mark {
    size_t line;
    char *text; /* owned */
};

struct marking {
    struct folder *folder;
    const struct run_ids *ids;
    const struct cross *cross;
    struct refuted *refuted;
    FILE *stream;
    struct mark *marks; /* owned; ascending */
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
    marking->marks = heap_grow(marking->marks, marking->count, sizeof *marking->marks);
    marking->marks[marking->count++] = (struct mark){row->line, cells_line(texts)};
    marking->refuted->was[row->cells[COLUMN_status].status]++;
    marking->refuted->count++;
}

static void find_rows(struct marking *marking)
{
    struct report report;
    struct rows rows;
    struct row *row;
    report_start(&report, marking->folder->rows);
    if (rows_start(&rows, marking->stream, NULL, 0, &report))
        while ((row = rows_next(&rows)) != NULL) {
            const ptrdiff_t number = run_ids_find(marking->ids, row->cells[COLUMN_run_id].text);
            if (number == RUN_UNKNOWN)
                continue;
            const struct run run = run_ids_run(marking->ids, (size_t)number);
            const struct result result = row_result(row);
            char *why = cross_refuted(marking->cross, &run, &result);
            if (why != NULL)
                mark_row(marking, row, &run, why);
            free(why);
        }
    rows_end(&rows);
    report_end(&report);
}

static bool write_lines(FILE *out, void *context)
{
    const struct marking *marking = context;
    char *line = NULL;
    size_t room = 0;
    size_t next = 0;
    ssize_t length;
    bool fine = true;
    rewind(marking->stream);
    for (size_t number = 1; fine && (length = getline(&line, &room, marking->stream)) > 0;
         number++) {
        const bool marked = next < marking->count && marking->marks[next].line == number;
        fine = marked ? fputs(marking->marks[next++].text, out) >= 0
                      : fwrite(line, 1, (size_t)length, out) == (size_t)length;
    }
    const int why = errno;
    free(line);
    errno = why;
    return fine && !ferror(marking->stream);
}

bool refuted_mark(struct folder *folder, const struct run_ids *ids, const struct cross *cross,
                  struct refuted *refuted)
{
    struct marking marking = {.folder = folder, .ids = ids, .cross = cross, .refuted = refuted};
    *refuted = (struct refuted){0};
    const int file = dup(folder->file);
    marking.stream = file < 0 ? NULL : fdopen(file, "r");
    bool fine = marking.stream != NULL;
    if (fine) {
        rewind(marking.stream);
        find_rows(&marking);
        fine = marking.count == 0 || folder_replace(folder, write_lines, &marking);
    }
    if (!fine)
        display_say(folder->display, "%s cannot be rewritten: %s", folder->rows, strerror(errno));
    for (size_t i = 0; i < marking.count; i++)
        free(marking.marks[i].text);
    free(marking.marks);
    if (marking.stream != NULL)
        fclose(marking.stream);
    return fine;
}
