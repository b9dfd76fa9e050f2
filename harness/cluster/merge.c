#include "harness/cluster/merge.h"
#include "base/heap.h"
#include "harness/analysis/names.h"
#include "harness/execution/refuted.h"
#include "harness/judge/row_check.h"
#include "harness/results/messages.h"
#include "harness/results/run_tables.h"
#include "harness/results/side_table.h"
#include "harness/text/human.h"
#include "harness/text/sorting.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* ---- Lines, kept on the disk in any number until all are read ---- */

/* A nameless file that lines are appended to. */
struct spool {
    FILE *file;
    uint64_t size;
    bool failed;
    int why; /* errno, where it failed */
};

/* A line of the spool. */
struct line {
    uint64_t offset;
    uint32_t length;
    uint32_t run; /* the number of its run */
};

static struct spool spool_start(const struct folder *folder)
{
    struct spool spool = {0};
    SCOPED char *path = heap_format("%s/.merge.part", folder->path);
    unlink(path);
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    spool.file = file < 0 ? NULL : fdopen(file, "w+");
    spool.failed = spool.file == NULL;
    spool.why = errno;
    if (file >= 0)
        unlink(path);
    return spool;
}

/* Adds a line, its newline included. */
static struct line spool_add(struct spool *spool, const char *text, size_t length, size_t run)
{
    const struct line line = {spool->size, (uint32_t)length, (uint32_t)run};
    if (!spool->failed && fwrite(text, 1, length, spool->file) != length) {
        spool->failed = true;
        spool->why = errno;
    }
    spool->size += length;
    return line;
}

/* Has all lines where spool_read finds them; false once that failed. */
static bool spool_flush(struct spool *spool)
{
    if (!spool->failed && fflush(spool->file) != 0) {
        spool->failed = true;
        spool->why = errno;
    }
    return !spool->failed;
}

/* Reads a line; heap memory. NULL with errno. */
static char *spool_read(const struct spool *spool, const struct line *line)
{
    char *text = heap_take((size_t)line->length + 1, 1);
    const ssize_t got = pread(fileno(spool->file), text, line->length, (off_t)line->offset);
    return heap_keep(got == (ssize_t)line->length, text);
}

static void spool_end(struct spool *spool)
{
    if (spool->file != NULL)
        fclose(spool->file);
}

/* ---- Rows ---- */

/* Where the row of a run is that counts. */
struct kept {
    struct line line; /* length 0: it has none yet */
    int64_t finished; /* finished_at, in seconds since 1970 */
    uint32_t source;
    uint32_t place; /* its line in the source's runs.csv */
};

struct merging {
    const struct folder *folder;
    const struct run_ids *ids;
    struct merged *merged;
    char **sources; /* owned; the folders: the shards, and RESULTS last */
    size_t source_count;
    size_t source;     /* that is being read */
    struct kept *kept; /* owned; by run number */
    struct kept *firm; /* owned; by run number: where the row that counts may depend on the machine,
                          the first that does not */
    bool *twice;       /* owned; by run number: made more than once */
    struct spool spool;
    struct row_check check;
    struct others *others;
    size_t strange;      /* rows of the source that are of none of the experiment's runs */
    size_t strange_line; /* the line of the first of them */
    struct report problems;
};

/* Whether it is RESULTS that is being read. */
static bool is_results(const struct merging *merging)
{
    return merging->source == merging->source_count - 1;
}

/* A row that is read again from its line. */
struct reread {
    char *text; /* owned; a whole file: the header and the line */
    FILE *stream;
    struct report report;
    struct rows rows;
    struct row *row;
};

static bool reread_start(struct reread *again, const struct spool *spool, const struct line *line)
{
    SCOPED char *header = side_table_header(TABLE_RUNS);
    SCOPED char *text = spool_read(spool, line);
    *again = (struct reread){.text = heap_format("%s%s", header, text == NULL ? "" : text)};
    again->stream = fmemopen(again->text, strlen(again->text), "r");
    if (again->stream == NULL)
        heap_exhausted();
    report_start(&again->report, "");
    return rows_start(&again->rows, again->stream, NULL, 0, &again->report) &&
           (again->row = rows_next(&again->rows)) != NULL;
}

static void reread_end(struct reread *again)
{
    rows_end(&again->rows);
    fclose(again->stream);
    report_end(&again->report);
    free(again->text);
}

/* When a run ended, and when it started: what the search took before; in seconds since 1970. */
static int64_t end_of(const struct row *row)
{
    struct tm utc = {0};
    strptime(row->cells[COLUMN_finished_at].text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return timegm(&utc);
}

static double start_of(const struct row *row)
{
    return (double)end_of(row) - row->cells[COLUMN_wall_s].number;
}

/* Whether row `a` counts rather than row `b` of the same run. */
static bool counts_before(const struct row *a, const struct row *b)
{
    static const unsigned ties[] = {COLUMN_host, COLUMN_row_hash};
    const double x = start_of(a);
    const double y = start_of(b);
    int order = x != y ? (x < y ? -1 : 1) : 0;
    for (size_t i = 0; order == 0 && i < sizeof ties / sizeof *ties; i++)
        order = strcmp(a->cells[ties[i]].text, b->cells[ties[i]].text);
    return order < 0;
}

/* Whether a row is of a program of its own, of which nothing promises that it repeats a run. */
static bool is_external(const struct row *row)
{
    return measured_of(row->cells[COLUMN_measured].text) != MEASURED_SEARCH;
}

/* Whether how a run ended may depend on the machine. */
static bool depends_on_machine(const struct row *row)
{
    const enum status status = row->cells[COLUMN_status].status;
    return status == STATUS_time_limit || status == STATUS_cpu_limit || status == STATUS_crashed ||
           is_external(row);
}

/* The first cell that differs although a run repeats it (of an external solver's the answer alone);
 * COLUMNS if none does. A cell may be left out (a long path, a length that was not known then), and
 * one of the rows be marked, as others refuted it. */
static size_t differing_column(const struct row *a, const struct row *b)
{
    size_t i = 0;
    for (; i < COLUMNS; i++) {
        const char *x = a->cells[i].text;
        const char *y = b->cells[i].text;
        const bool left_out =
            i == COLUMN_status
                ? refuted_perhaps(a) != refuted_perhaps(b)
                : (i == COLUMN_moves || i == COLUMN_optimal_length || i == COLUMN_optimal_cost) &&
                      (x[0] == '\0' || y[0] == '\0');
        const bool compared = is_external(a) ? i == COLUMN_status || i == COLUMN_length
                                             : row_columns[i].repeats && i != COLUMN_experiment;
        if (compared && !left_out && strcmp(x, y) != 0)
            break;
    }
    return i;
}

/* "FILE:LINE and FILE:LINE: SOLVER on SET/INSTANCE, repetition 1: COLUMN is 'x' and 'y'"; heap
 * memory.
 */
static char *difference(const struct merging *merging, const struct kept *first,
                        const struct row *a, const struct row *b, size_t column)
{
    return heap_format("%s/runs.csv:%u and %s/runs.csv:%zu: %s on %s/%s, repetition %s: %s is '%s' "
                       "and '%s'",
                       merging->sources[first->source], first->place,
                       merging->sources[merging->source], b->line, b->cells[COLUMN_solver].text,
                       b->cells[COLUMN_set].text, b->cells[COLUMN_instance].text,
                       b->cells[COLUMN_repetition].text, row_columns[column].name,
                       a->cells[column].text, b->cells[column].text);
}

/* A row as one that may count. */
static struct kept spooled(struct merging *merging, const struct row *row, size_t run)
{
    const char *texts[COLUMNS];
    row_texts(row, texts);
    SCOPED char *text = cells_line(texts);
    const struct kept kept = {.line = spool_add(&merging->spool, text, strlen(text), run),
                              .finished = end_of(row),
                              .source = (uint32_t)merging->source,
                              .place = (uint32_t)row->line};
    return kept;
}

/* Whether a row is the one that is kept, to the last byte: RESULTS has it from an earlier merge. */
static bool is_kept(struct merging *merging, const struct row *row, const struct kept *kept)
{
    const char *texts[COLUMNS];
    row_texts(row, texts);
    SCOPED char *text = cells_line(texts);
    SCOPED char *there = strlen(text) == kept->line.length && spool_flush(&merging->spool)
                             ? spool_read(&merging->spool, &kept->line)
                             : NULL;
    return there != NULL && memcmp(there, text, kept->line.length) == 0;
}

/* Whether two rows are the same, but for the mark that one may have since other rows refuted it.
 */
static bool is_same(const struct row *a, const struct row *b)
{
    const bool marked = refuted_perhaps(a) || refuted_perhaps(b);
    size_t i = 0;
    while (i < COLUMNS && ((marked && (i == COLUMN_status || i == COLUMN_row_hash)) ||
                           strcmp(a->cells[i].text, b->cells[i].text) == 0))
        i++;
    return i == COLUMNS;
}

/* Reads an earlier row again, for reread_end; false once the spool failed. */
static bool read_again(struct merging *merging, const struct kept *kept, struct reread *again)
{
    if (!spool_flush(&merging->spool))
        return false;
    if (reread_start(again, &merging->spool, &kept->line))
        return true;
    merging->spool.failed = true;
    merging->spool.why = EIO;
    reread_end(again);
    return false;
}

static void add_contradiction(struct merging *merging, const char *what)
{
    report_add(&merging->problems, NO_PLACE, "%s: the rows contradict each other", what);
}

/* Rows that do not depend on the machine are held against each other, although one that does may
 * count. */
static void settle_firm(struct merging *merging, const struct row *row, size_t run)
{
    struct reread again;
    struct kept *firm = &merging->firm[run];
    if (firm->line.length == 0) {
        *firm = spooled(merging, row, run);
    } else if (read_again(merging, firm, &again)) {
        const size_t column = differing_column(again.row, row);
        if (column != COLUMNS) {
            SCOPED char *what = difference(merging, firm, again.row, row, column);
            add_contradiction(merging, what);
        }
        reread_end(&again);
    }
}

/* Decides between a row and the one that its run has already. */
static void settle(struct merging *merging, const struct row *row, size_t run)
{
    struct merged *merged = merging->merged;
    struct kept *kept = &merging->kept[run];
    struct reread again;
    if (is_kept(merging, row, kept) || !read_again(merging, kept, &again))
        return;
    if (is_same(again.row, row)) { /* the first counts: where it is refuted, it is marked again */
        reread_end(&again);
        return;
    }
    const size_t column = differing_column(again.row, row);
    SCOPED char *what =
        column == COLUMNS ? NULL : difference(merging, kept, again.row, row, column);
    const bool is_firm = !depends_on_machine(row);
    const bool was_firm = !depends_on_machine(again.row);
    const bool replaces = counts_before(row, again.row);
    merged->twice += !merging->twice[run];
    merging->twice[run] = true;
    if (what != NULL && is_firm && was_firm) {
        add_contradiction(merging, what);
    } else if (what != NULL) {
        *HEAP_ADD(merged->unlike, merged->unlike_count) = heap_format(
            "%s; the %s counts, as its run started first", what, replaces ? "second" : "first");
    }
    if (is_firm && !was_firm)
        settle_firm(merging, row, run);
    if (replaces && was_firm && !is_firm)
        merging->firm[run] = *kept;
    if (replaces)
        *kept = spooled(merging, row, run);
    reread_end(&again);
}

static void take_row(struct merging *merging, struct rows *rows, const struct row *row)
{
    ptrdiff_t number;
    SCOPED char *why = row_check(&merging->check, row, &number);
    if (why != NULL) {
        csv_blame(&rows->csv, (struct text_place){row->line, 1}, "%s", why);
    } else if (number == RUN_UNKNOWN) {
        others_add(merging->others, row);
        if (merging->strange++ == 0)
            merging->strange_line = row->line;
    } else if (status_rows[row->cells[COLUMN_status].status].made_again) {
        merging->merged->again++;
    } else if (merging->kept[number].line.length > 0) {
        settle(merging, row, (size_t)number);
    } else {
        merging->kept[number] = spooled(merging, row, (size_t)number);
    }
}

/* Whether a file has a line: a shard that has just started has none yet. Rewinds it. */
static bool has_line(FILE *file)
{
    int byte;
    while ((byte = getc(file)) != EOF && byte != '\n')
        continue;
    rewind(file);
    return byte == '\n';
}

/* Reads the rows of a source; a folder without a runs.csv has none. */
static void read_rows(struct merging *merging)
{
    const char *why = NULL;
    SCOPED_BY(rows_end) struct rows rows = {0};
    struct row *row;
    SCOPED char *path = heap_format("%s/runs.csv", merging->sources[merging->source]);
    SCOPED_BY(stream_end) FILE *file = file_open(path, &why);
    merging->strange = 0;
    SCOPED_BY(report_end) struct report report = {.file = path};
    if (file == NULL && access(path, F_OK) == 0) {
        report_add(&report, NO_PLACE, "cannot be read: %s", why);
    } else if (file != NULL && has_line(file)) {
        if (rows_start(&rows, file, NULL, 0, &report))
            while ((row = rows_next(&rows)) != NULL)
                if (row_boards(&rows, row))
                    take_row(merging, &rows, row);
    }
    if (merging->strange > 0)
        report_add(&report, (struct text_place){merging->strange_line, 1},
                   "%zu row%s, from here on, of none of the experiment's runs", merging->strange,
                   merging->strange == 1 ? " is" : "s are");
    report_join(&merging->problems, &report);
}

/* ---- What lies beside the rows ---- */

/* Lines that become a file. */
struct lines {
    const struct spool *spool;
    char *header;       /* owned */
    struct line *items; /* owned */
    size_t count;
    struct names taken; /* of control.csv: RESULTS has those of an earlier merge */
};

ORDER_BY(by_run_and_offset, struct line, BY(run), BY(offset));

static bool write_lines(FILE *out, void *context)
{
    const struct lines *lines = context;
    bool fine = fputs(lines->header, out) >= 0;
    for (size_t i = 0; fine && i < lines->count; i++) {
        SCOPED char *text = spool_read(lines->spool, &lines->items[i]);
        fine =
            text != NULL && fwrite(text, 1, lines->items[i].length, out) == lines->items[i].length;
    }
    return fine;
}

/* Takes the lines of a source's table whose rows count (of control.csv all, each once), and in
 * RESULTS messages that belong to no row that does. False if the file is not ours. */
static bool read_lines(struct merging *merging, enum table table, struct lines *lines)
{
    const char *why;
    SCOPED char *text = NULL;
    size_t room = 0;
    ssize_t length;
    SCOPED char *path = side_table_path(merging->sources[merging->source], table);
    SCOPED_BY(stream_end) FILE *file = file_open(path, &why);
    const bool ours =
        file != NULL && getline(&text, &room, file) > 0 && strcmp(text, lines->header) == 0;
    while (ours && (length = getline(&text, &room, file)) > 0 && text[length - 1] == '\n') {
        const char after = length < RUN_ID_BYTES ? '\0' : text[RUN_ID_BYTES - 1];
        if (after == ',')
            text[RUN_ID_BYTES - 1] = '\0';
        const ptrdiff_t run = after == ',' ? run_ids_find(merging->ids, text) : RUN_UNKNOWN;
        if (after == ',')
            text[RUN_ID_BYTES - 1] = after;
        const bool counts = run != RUN_UNKNOWN && merging->kept[run].line.length > 0;
        const size_t known = lines->taken.count;
        if (table == TABLE_CONTROL ? names_add(&lines->taken, text) < known
            : counts               ? merging->kept[run].source != merging->source
                                   : !is_results(merging) || table != TABLE_MESSAGES)
            continue;
        *HEAP_ADD(lines->items, lines->count) =
            spool_add(&merging->spool, text, (size_t)length, counts ? (size_t)run : UINT32_MAX);
    }
    const bool strange = !ours && access(path, F_OK) == 0;
    if (strange)
        display_say(merging->folder->display, "%s was not written by tilelab; it is left alone",
                    path);
    return !strange;
}

/* Says that a file cannot be written. */
static enum ending unwritten(const struct merging *merging, const char *name, int why)
{
    display_say(merging->folder->display, "%s/%s cannot be written: %s", merging->folder->path,
                name, strerror(why));
    return ENDING_FAILED;
}

/* Makes a table of RESULTS of those of the sources, if any has lines or it is there. */
static enum ending merge_table(struct merging *merging, enum table table)
{
    struct lines lines = {.spool = &merging->spool, .header = side_table_header(table)};
    SCOPED char *name = heap_format("%s.csv", table_schemas[table].name);
    SCOPED char *path = side_table_path(merging->folder->path, table);
    bool ours = true; /* what RESULTS has, which comes last */
    for (merging->source = 0; merging->source < merging->source_count; merging->source++)
        ours = read_lines(merging, table, &lines) || !is_results(merging);
    if (lines.count > 0)
        qsort(lines.items, lines.count, sizeof *lines.items, by_run_and_offset);
    enum ending ending = ENDING_DONE;
    if (!spool_flush(&merging->spool))
        ending = unwritten(merging, ".merge.part", merging->spool.why);
    else if (ours && (lines.count > 0 || access(path, F_OK) == 0) &&
             !file_write_stream(path, write_lines, &lines))
        ending = unwritten(merging, name, errno);
    names_end(&lines.taken);
    FREE(lines.items, lines.header);
    return ending;
}

/* Writes runs.csv of the rows that count. */
static enum ending write_rows(struct merging *merging, struct folder *folder)
{
    struct merged *merged = merging->merged;
    struct lines lines = {.spool = &merging->spool, .header = side_table_header(TABLE_RUNS)};
    int64_t last = 0;
    lines.items = heap_take(merging->ids->count, sizeof *lines.items);
    for (size_t i = 0; i < merging->ids->count; i++) {
        merged->have[i] = merging->kept[i].line.length > 0;
        if (!merged->have[i])
            continue;
        lines.items[lines.count++] = merging->kept[i].line;
        last = merging->kept[i].finished > last ? merging->kept[i].finished : last;
    }
    if (lines.count > 0)
        strftime(merged->last, sizeof merged->last, "%Y-%m-%dT%H:%M:%SZ", gmtime(&last));
    merged->rows = lines.count;
    const bool fine = folder_replace(folder, write_lines, &lines);
    const int why = errno;
    FREE(lines.items, lines.header);
    return fine ? ENDING_DONE : unwritten(merging, "runs.csv", why);
}

/* ---- All of it ---- */

/* Shows why the rows are refused. */
static void refuse(struct merging *merging)
{
    struct display *display = merging->folder->display;
    const size_t others = others_count(merging->others);
    display->show(display, merging->problems.text);
    if (others > 0) {
        SCOPED char *text = others_text(merging->others);
        display_say(display, "%zu row%s of other runs than the experiment's:", others,
                    plural(others));
        display->show(display, text);
    }
    display_say(display,
                "nothing was merged, and %s/runs.csv is as it was; put the lines back as "
                "they were, or delete them or the shard's folder, and the runs will be made again",
                merging->folder->path);
    merging->merged->problems = heap_text(merging->problems.text);
}

/* Reads all rows and writes them, the rows last, so that none is without what belongs to it. */
static enum ending merge(struct merging *merging, struct folder *folder)
{
    for (merging->source = 0; merging->source < merging->source_count; merging->source++)
        read_rows(merging);
    if (merging->problems.count > 0) {
        refuse(merging);
        return ENDING_REFUSED;
    }
    enum ending ending = ENDING_DONE;
    for (size_t i = 0; ending == ENDING_DONE && run_tables[i] != TABLES; i++)
        ending = merge_table(merging, run_tables[i]);
    if (ending == ENDING_DONE)
        ending = merge_table(merging, TABLE_MESSAGES);
    if (ending == ENDING_DONE)
        ending = merge_table(merging, TABLE_CONTROL);
    return ending == ENDING_DONE ? write_rows(merging, folder) : ending;
}

enum ending merge_rows(struct folder *folder, const struct run_ids *ids,
                       const struct shard_folders *shards, struct merged *merged)
{
    struct merging merging = {.folder = folder,
                              .ids = ids,
                              .merged = merged,
                              .source_count = shards->count + 1,
                              .kept = heap_take(ids->count, sizeof *merging.kept),
                              .firm = heap_take(ids->count, sizeof *merging.firm),
                              .twice = heap_take(ids->count, sizeof *merging.twice),
                              .spool = spool_start(folder),
                              .check = row_check_start(ids),
                              .others = others_start(ids->experiment)};
    *merged = (struct merged){.have = heap_take(ids->count, sizeof *merged->have)};
    merging.sources = heap_take(merging.source_count, sizeof *merging.sources);
    for (size_t i = 0; i < shards->count; i++)
        merging.sources[i] = shard_folder(folder->path, shards->items[i]);
    merging.sources[shards->count] = heap_text(folder->path);
    report_start(&merging.problems, NULL);
    const enum ending ending = merging.spool.failed
                                   ? unwritten(&merging, ".merge.part", merging.spool.why)
                                   : merge(&merging, folder);
    report_end(&merging.problems);
    others_end(merging.others);
    row_check_end(&merging.check);
    spool_end(&merging.spool);
    heap_free_texts(merging.sources, merging.source_count);
    FREE(merging.kept, merging.firm, merging.twice);
    return ending;
}

void merged_end(struct merged *merged)
{
    heap_free_texts(merged->unlike, merged->unlike_count);
    FREE(merged->problems, merged->have);
    *merged = (struct merged){0};
}
