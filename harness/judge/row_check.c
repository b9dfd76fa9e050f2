#include "harness/judge/row_check.h"
#include "base/heap.h"
#include "harness/judge/verdict.h"

struct row_check row_check_start(const struct run_ids *ids)
{
    const size_t solvers = ids->experiment->solver_count;
    return (struct row_check){.ids = ids, .solver_cells = heap_take(solvers, sizeof(char **))};
}

/* What rows of a run's solver hold, from a record of it: COLUMNS cells, of which only those that
 * follow from the solver alone mean anything. Made when it is first asked for. */
static const char *const *solver_cells(struct row_check *check, const struct run *run)
{
    const struct result result = {.status = STATUS_crashed, .h_start = -1};
    const struct record record = {.run = run, .result = &result, .host = "", .finished_at = ""};
    char ***cells = &check->solver_cells[run->solver_number];
    if (*cells == NULL)
        *cells = record_cells(&record, false);
    return (const char *const *)*cells;
}

/* The first cell that contradicts the experiment; heap memory, NULL if none does. Cells that the
 * run_id covers need no check. */
static char *other_cell(struct row_check *check, const struct row *row, const struct run *run)
{
    static const unsigned looked_at[] = {COLUMN_algorithm, COLUMN_heuristic, COLUMN_options,
                                         COLUMN_options_json};
    const int optimal = run->instance->optimal_length;
    const struct cell *was = &row->cells[COLUMN_optimal_length];
    const char *const *cells = solver_cells(check, run);
    for (size_t i = 0; i < sizeof looked_at / sizeof *looked_at; i++) {
        const char *text = row->cells[looked_at[i]].text;
        if (strcmp(text, cells[looked_at[i]]) != 0)
            return heap_format("%s is '%s', but '%s' in the experiment",
                               row_columns[looked_at[i]].name, text, cells[looked_at[i]]);
    }
    if (was->text[0] != '\0' && optimal != LENGTH_UNKNOWN && was->integer != (uint64_t)optimal)
        return heap_format("optimal_length is '%s', but '%d' in the experiment", was->text,
                           optimal);
    return NULL;
}

/* Why the answer of a row of the experiment cannot be right: its path is replayed. Heap memory, or
 * NULL. */
static char *wrong_claim(const struct row *row, const struct run *run)
{
    struct result result = row_result(row);
    const bool too_long = result.moves == NULL && row->cells[COLUMN_length].text[0] != '\0' &&
                          result.status != STATUS_claimed;
    if (too_long || result.status == STATUS_crashed)
        return NULL;
    if (result.status != STATUS_wrong_answer)
        return verify_result(run, &result);
    return row->cells[COLUMN_length].text[0] == '\0' || path_holds(run->instance, &result)
               ? NULL
               : heap_text("the path of the wrong answer does not lead to the goal");
}

char *row_check(struct row_check *check, const struct row *row, ptrdiff_t *number)
{
    const char *texts[COLUMNS];
    char id[RUN_ID_BYTES];
    row_texts(row, texts);
    *number = run_ids_find(check->ids, texts[COLUMN_run_id]);
    if (!row->whole)
        return heap_text("the row's cells are not those that were written: row_hash does not fit "
                         "them");
    cells_run_id(texts, id);
    if (strcmp(id, texts[COLUMN_run_id]) != 0)
        return heap_format("the row's cells make the run_id %s, not %s", id, texts[COLUMN_run_id]);
    if (*number == RUN_UNKNOWN)
        return NULL;
    const struct run run = run_ids_run(check->ids, (size_t)*number);
    char *why = other_cell(check, row, &run);
    return why != NULL ? why : wrong_claim(row, &run);
}

void row_check_end(struct row_check *check)
{
    for (size_t i = 0; i < check->ids->experiment->solver_count; i++)
        cells_end(check->solver_cells[i]);
    free(check->solver_cells);
}

/* Whether the id of a run was made. */
static bool is_made(const void *ids, const char *run_id)
{
    return run_ids_find_made(ids, run_id) != RUN_UNKNOWN;
}

size_t row_check_mark(const char *folder, const struct run_ids *ids, bool *done,
                      struct others *others)
{
    const char *why;
    size_t marked = 0;
    SCOPED_BY(rows_end) struct rows rows = {0};
    struct row *row;
    ptrdiff_t number;
    SCOPED char *path = heap_format("%s/runs.csv", folder);
    SCOPED_BY(stream_end) FILE *file = file_open(path, &why);
    SCOPED_BY(row_check_end) struct row_check check = row_check_start(ids);
    SCOPED_BY(report_end) struct report report = {.file = path};
    const bool started = file != NULL && rows_start(&rows, file, NULL, 0, &report);
    rows.wanted = others == NULL ? is_made : NULL;
    rows.context = ids;
    if (started)
        while ((row = rows_next(&rows)) != NULL) {
            SCOPED char *wrong =
                row_boards(&rows, row) ? row_check(&check, row, &number) : heap_text("");
            if (wrong == NULL && number != RUN_UNKNOWN && !done[number] &&
                !status_rows[row->cells[COLUMN_status].status].made_again) {
                done[number] = true;
                marked++;
            } else if (wrong == NULL && number == RUN_UNKNOWN && others != NULL) {
                others_add(others, row);
            }
        }
    return marked;
}
