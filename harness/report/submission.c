/* The page of one submission. Nothing of another one gets there: its data are the submission's own
 * rows and the baseline's on three boards. */
#include "base/heap.h"
#include "harness/judge/solver_marks.h"
#include "harness/report/by_solver.h"
#include "harness/report/page_report.h"
#include <limits.h>

/* ---- What its answers have in common ---- */

/* Marks a row as an answer of `tilelab verify solver`. What made it a wrong answer is in its
 * message, which may know more than is known here: that the path of another run is shorter. */
static void judge_row(const struct external *external, const struct limits *limits,
                      const char *message, struct marked *marked)
{
    struct result *result = &marked->result;
    const enum status status = result->status;
    const bool denied =
        strstr(message, "solvable") != NULL || strstr(message, "no solution") != NULL;
    if (status == STATUS_wrong_answer)
        result->status = result->moves != NULL ? STATUS_solved
                         : denied              ? STATUS_exhausted
                                               : STATUS_claimed;
    marked_judge(external, limits, marked);
    if (status == STATUS_wrong_answer && marked->mark == MARK_RIGHT)
        marked->mark = MARK_LONGER;
    result->status = status;
    free(marked->why);
    marked->why = heap_text(message);
}

/* Makes an answer of a row. */
static void read_answer(const struct marks *marks, size_t run, struct instance *instance,
                        struct marked *marked)
{
    const struct run_row *row = &marks->results->runs[run];
    const struct known_instance *known = &marks->results->known[row->instance];
    json_auto_t *extra = json_loads(page_runs_text(marks->runs, run, COLUMN_extra), 0, NULL);
    const char *wrong = json_string_value(json_object_get(extra, "wrong_moves"));
    const char *moves = wrong != NULL ? wrong : page_runs_text(marks->runs, run, COLUMN_moves);
    uint64_t values[COUNTERS];
    *instance = (struct instance){.start = known->start,
                                  .goal = known->goal,
                                  .optimal_length =
                                      known->optimal < 0 ? LENGTH_UNKNOWN : (int)known->optimal};
    marked->instance = instance;
    marked->shortest = known->unsolvable ? -1 : known->optimal < 0 ? INT_MAX : (int)known->optimal;
    marked->result =
        (struct result){.status = row->status,
                        .moves = moves[0] == '\0' ? NULL : heap_text(moves),
                        .length = strlen(moves),
                        .wall_seconds = results_number(marks->results, run, METRIC_wall_s)};
    for (unsigned i = 0; i < COUNTERS; i++) {
        const char *cell = page_runs_text(marks->runs, run, FIRST_COUNTER + i);
        values[i] = strtoull(cell, NULL, 10);
        marked->answer.known |= cell[0] == '\0' ? 0 : UINT32_C(1) << i;
    }
    memcpy(&marked->result.statistics, values, sizeof values);
}

/* The runs that are explained: those that are not right first, then others, board by board. */
static size_t choose_runs(const struct marks *marks, const struct marked_solver *solver,
                          size_t chosen[MAX_MARKED])
{
    SCOPED bool *taken = heap_take(solver->run_count, sizeof *taken);
    size_t count = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < solver->run_count; i++) {
            const struct run_row *row = &marks->results->runs[solver->runs[i]];
            const bool right = row->status == STATUS_solved;
            const size_t room = pass == 0 ? MAX_MARKED - MAX_MARKED / 4 : MAX_MARKED;
            if (right == (pass == 1) && !status_rows[row->status].made_again && count < room) {
                taken[i] = true;
                count++;
            }
        }
    count = 0;
    for (size_t i = 0; i < solver->run_count; i++)
        if (taken[i])
            chosen[count++] = solver->runs[i];
    return count;
}

/* "26 moves; a shortest path has 24", "crashed: exit code 3"; heap memory. */
static char *answer_text(const struct marked *marked)
{
    const struct result *result = &marked->result;
    const size_t shortest = marked->shortest < 0 ? 0 : (size_t)marked->shortest;
    if (result->status != STATUS_solved)
        return heap_format("%s%s%s", status_rows[result->status].name,
                           marked->why[0] == '\0' ? "" : ": ", marked->why);
    return marked->shortest == INT_MAX || result->length == shortest
               ? heap_format("%zu move%s", result->length, plural(result->length))
               : heap_format("%zu moves, where %zu are enough", result->length, shortest);
}

static void tell_answers(const struct marks *marks, const struct marked_solver *solver,
                         const struct external *external, char *const *messages,
                         struct document *document)
{
    size_t runs[MAX_MARKED];
    struct instance instances[MAX_MARKED];
    struct marked marked[MAX_MARKED] = {{0}};
    const size_t count = choose_runs(marks, solver, runs);
    const struct limits limits = {
        .seconds = results_number(marks->results, solver->runs[0], RUN_LIMIT + LIMIT_S),
        .bytes =
            (uint64_t)results_number(marks->results, solver->runs[0], RUN_LIMIT + LIMIT_BYTES)};
    struct tidy table = {0};
    tidy_heads(&table, "board:f|of:t|start:t|goal:t|answer:t");
    for (size_t i = 0; i < count; i++) {
        const char *message = messages[runs[i]];
        read_answer(marks, runs[i], &instances[i], &marked[i]);
        judge_row(external, &limits, message == NULL ? "" : message, &marked[i]);
        SCOPED char *answer = answer_text(&marked[i]);
        tidy_number(&table, (double)(i + 1));
        tidy_format(&table, "%s/%s", page_runs_text(marks->runs, runs[i], COLUMN_set),
                    page_runs_text(marks->runs, runs[i], COLUMN_instance));
        tidy_add(&table, "%s %s %s", page_runs_text(marks->runs, runs[i], COLUMN_start),
                 page_runs_text(marks->runs, runs[i], COLUMN_goal), answer);
    }
    SCOPED char **texts = marks_explained(external, &limits, marked, count);
    document_say(document, PART_HEADING, "What its answers have in common");
    document_table(document, "answers", &table, "The boards: %zu of %zu rows%s", count,
                   solver->run_count,
                   count < solver->run_count ? ", those that are not right first" : "");
    if (texts[0] == NULL)
        document_say(document, PART_TEXT, "Nothing is wrong in them.");
    for (size_t i = 0; texts[i] != NULL; i++) {
        document_say(document, PART_VERDICT, "%s", texts[i]);
        free(texts[i]);
    }
    marked_end(marked, count);
}

/* ---- Three boards beside the baseline ---- */

/* How much is to be learned from a run; ties go to the longer path. */
static double interest(const struct marks *marks, size_t run)
{
    const struct run_row *row = &marks->results->runs[run];
    const struct known_instance *known = &marks->results->known[row->instance];
    const double rank =
        row->status == STATUS_wrong_answer                                            ? 3
        : row->status != STATUS_solved                                                ? 2
        : results_number(marks->results, run, METRIC_length) > (double)known->optimal ? 1
                                                                                      : 0;
    return known->unsolvable ? -1 : 1000 * rank + (double)known->optimal;
}

static void add_run(const struct page_runs *all, size_t run, struct page_runs *own)
{
    const char *cells[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++)
        cells[i] = all->words[i].count == 0 ? "" : page_runs_text(all, run, i);
    page_runs_set(own, own->count, cells);
}

/* The runs that the page plays: up to three of its own, each followed by the baseline's unless that
 * is a submission too. */
static struct page_runs played_runs(const struct results_report *report, const struct marks *marks,
                                    const struct marked_solver *solver)
{
    enum { PLAYED = 3 };
    const size_t baseline = report->comparison->baseline;
    struct page_runs own = {0};
    bool shown = true;
    for (size_t i = 0; i < marks->solver_count; i++)
        shown = shown && marks->solvers[i].solver != baseline;
    SCOPED bool *taken = heap_take(solver->run_count, sizeof *taken);
    for (unsigned played = 0; played < PLAYED; played++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < solver->run_count; i++)
            if (!taken[i] && interest(marks, solver->runs[i]) >= 0 &&
                (best == SIZE_MAX ||
                 interest(marks, solver->runs[i]) > interest(marks, solver->runs[best])))
                best = i;
        if (best == SIZE_MAX)
            break;
        taken[best] = true;
        const struct outcome *outcome = results_outcome(
            marks->results, baseline, marks->results->runs[solver->runs[best]].instance);
        add_run(marks->runs, solver->runs[best], &own);
        if (shown && outcome->run != UINT32_MAX)
            add_run(marks->runs, outcome->run, &own);
    }
    return own;
}

/* ---- The page ---- */

void submission_write(const struct results_report *report, const struct marks *marks,
                      const struct marked_solver *solver, char *const *messages, const char *figure,
                      FILE *file)
{
    const struct results *results = marks->results;
    const char *name = results->solvers.text[solver->solver];
    const json_t *externals = json_object_get(report->comparison->manifest, "externals");
    const struct external external = {
        .optimal = json_is_true(json_object_get(json_object_get(externals, name), "optimal"))};
    SCOPED_BY(document_end) struct document document = {0};
    double most = 0;
    for (size_t i = 0; i < marks->rule_count; i++)
        most += (double)marks->rules[i].cents / CENTS;
    SCOPED char *lead = heap_text("");
    if (most > 0)
        heap_append(&lead, "%s of %g points", points_text(solver->points).text, most);
    if (solver->comment[0] != '\0')
        heap_append(&lead, "%s%s", most > 0 ? "; " : "", solver->comment);
    tell_answers(marks, solver, &external, messages, &document);
    marks_tell_rows(marks, solver, &document);
    SCOPED_BY(page_runs_end) struct page_runs runs = played_runs(report, marks, solver);
    const size_t shown[] = {solver->solver, report->comparison->baseline};
    char *names[] = {results->solvers.text[shown[0]], results->solvers.text[shown[1]]};
    const char *labels[] = {results->shown[shown[0]], results->shown[shown[1]]};
    const bool two = runs.words[COLUMN_solver].count > 1;
    const struct page_data data = {
        .solvers = names, .shown = labels, .solver_count = two ? 2 : 1, .runs = &runs};
    page_submission_write(solver->label, lead, &document, figure, &data, file);
}
