#include "base/heap.h"
#include "harness/report/by_solver.h"

enum { MIN_BOARDS = 3 }; /* fewer say nothing of a program */

/* ---- Equal counters ---- */

/* How many boards two solvers solved with the same expanded and generated, as far as both report
 * them; 0 where one of them differs, or the boards are fewer than half of all. */
static size_t same_counters(const struct results *results, size_t a, size_t b)
{
    static const enum metric metrics[] = {METRIC_expanded, METRIC_generated};
    size_t same = 0;
    for (size_t board = 0; board < results->instances.count; board++) {
        const struct outcome *own = results_outcome(results, a, board);
        const struct outcome *other = results_outcome(results, b, board);
        size_t both = 0;
        if (!own->finished || !other->finished)
            continue;
        for (unsigned i = 0; i < 2; i++) {
            const double x = outcome_value(results, own, metrics[i]);
            const double y = outcome_value(results, other, metrics[i]);
            if (!isnan(x) && !isnan(y) && x != y)
                return 0;
            both += !isnan(x) && !isnan(y);
        }
        same += both > 0;
    }
    return same >= MIN_BOARDS && 2 * same >= results->instances.count ? same : 0;
}

static bool is_marked(const struct marks *marks, size_t solver)
{
    for (size_t i = 0; i < marks->solver_count; i++)
        if (marks->solvers[i].solver == solver)
            return true;
    return false;
}

/* "astar(manhattan)": a solver that is none of the class and counts as all of these do; NULL: none.
 */
static const char *counts_as(const struct marks *marks, const size_t *solvers, size_t count)
{
    for (size_t other = 0; other < marks->results->solvers.count; other++) {
        size_t same = 0;
        while (same < count && same_counters(marks->results, solvers[same], other) > 0)
            same++;
        if (same == count && !is_marked(marks, other))
            return marks->results->shown[other];
    }
    return NULL;
}

/* Whether solvers[count] counts as each of those before it, and all of them as one solver that is
 * none of the class; or none as any, and each two of them have equally many boards in common. */
static bool is_alike(const struct marks *marks, const size_t *solvers, size_t count)
{
    const size_t first = same_counters(marks->results, solvers[0], solvers[1]);
    bool even = true;
    for (size_t i = 0; i < count; i++) {
        const size_t same = same_counters(marks->results, solvers[i], solvers[count]);
        if (same == 0)
            return false;
        even = even && same == first;
    }
    return counts_as(marks, solvers, count + 1) != NULL ||
           (even && counts_as(marks, solvers, 1) == NULL &&
            counts_as(marks, &solvers[count], 1) == NULL);
}

static void tell_alike(const struct marks *marks, const size_t *solvers, size_t count,
                       struct document *document)
{
    const struct results *results = marks->results;
    const char *known = counts_as(marks, solvers, count);
    size_t boards = results->instances.count;
    SCOPED char *names = heap_text("");
    for (size_t i = 0; i < count; i++) {
        heap_append(&names, "%s%s",
                    i == 0           ? ""
                    : i + 1 == count ? " and "
                                     : ", ",
                    results->shown[solvers[i]]);
        for (size_t j = 0; j < i; j++) {
            const size_t same = same_counters(results, solvers[i], solvers[j]);
            boards = same < boards ? same : boards;
        }
    }
    document_say(document, PART_VERDICT,
                 known != NULL ? "%s have the same counters on %zu boards, those of %s: programs "
                                 "that work as it does agree."
                               : "%s have the same counters on %zu boards, and no other solver "
                                 "of the experiment has them%s: compare the programs.",
                 names, boards, known == NULL ? "" : known);
}

/* Tells of each two that are alike, in groups of which all are. */
static void tell_copies(const struct marks *marks, struct document *document)
{
    const size_t all = marks->solver_count;
    SCOPED bool *told = heap_take(all * all, sizeof *told); /* pairs of places */
    SCOPED size_t *places = heap_take(all, sizeof *places);
    SCOPED size_t *solvers = heap_take(all, sizeof *solvers); /* at these places */
    for (size_t i = 0; i < all; i++)
        for (size_t j = i + 1; j < all; j++) {
            size_t count = 0;
            places[count] = i;
            solvers[count++] = marks->solvers[i].solver;
            for (size_t k = j; k < all && !told[i * all + j] && (k == j || count > 1); k++) {
                places[count] = k;
                solvers[count] = marks->solvers[k].solver;
                count += is_alike(marks, solvers, count);
            }
            if (count > 1)
                tell_alike(marks, solvers, count, document);
            for (size_t k = 0; k < count; k++)
                for (size_t l = 0; l < k; l++)
                    told[places[l] * all + places[k]] = true;
        }
}

/* ---- Answers known by heart ---- */

/* Rows of a solver on a block of boards that can be solved. */
struct record_of {
    size_t rows, right;
    size_t wrong; /* answered, or crashed: not what a limit ended */
};

static struct record_of record_on(const struct marks *marks, const struct marked_solver *solver,
                                  const struct block *block)
{
    struct record_of record = {0};
    for (size_t i = 0; i < solver->run_count; i++) {
        const struct run_row *row = &marks->results->runs[solver->runs[i]];
        if (row->instance < block->first || row->instance >= block->first + block->count ||
            marks->results->known[row->instance].unsolvable)
            continue;
        record.rows++;
        record.right += row->status == STATUS_solved;
        record.wrong += row->status != STATUS_solved && !status_is_limit(row->status) &&
                        !status_rows[row->status].made_again;
    }
    return record;
}

static void tell_by_heart(const struct marks *marks, const struct marked_solver *solver,
                          struct document *document)
{
    const struct results *results = marks->results;
    for (size_t i = 0; i < results->block_count; i++) {
        const struct block *open = &results->blocks[i];
        const struct record_of here = record_on(marks, solver, open);
        for (size_t j = 0; j < results->block_count; j++) {
            const struct block *hidden = &results->blocks[j];
            const struct record_of there = record_on(marks, solver, hidden);
            if (here.rows < MIN_BOARDS || here.right < here.rows || there.rows < MIN_BOARDS ||
                5 * there.wrong < 4 * there.rows || open->width != hidden->width ||
                open->height != hidden->height)
                continue;
            document_say(document, PART_VERDICT,
                         "%s is right on all %zu rows of %s and wrong on %zu of %zu of %s, as a "
                         "program is that holds the answers to the boards that it was given.",
                         solver->label, here.rows, open->name, there.wrong, there.rows,
                         hidden->name);
            return;
        }
    }
}

static void tell_impossible(const struct marks *marks, const struct marked_solver *solver,
                            struct document *document)
{
    for (size_t i = 0; i < solver->run_count; i++) {
        const size_t run = solver->runs[i];
        if (!marks->results->runs[run].impossible)
            continue;
        json_auto_t *extra = json_loads(page_runs_text(marks->runs, run, COLUMN_extra), 0, NULL);
        const char *why = json_string_value(json_object_get(extra, "impossible"));
        document_say(document, PART_VERDICT,
                     "%s has counters that no search can have: on %s/%s %s.", solver->label,
                     page_runs_text(marks->runs, run, COLUMN_set),
                     page_runs_text(marks->runs, run, COLUMN_instance),
                     why == NULL ? "they contradict its path" : why);
        return;
    }
}

/* ---- The tables ---- */

/* How many submissions have how many points, in ten steps. */
static struct tidy distribution_view(const struct marks *marks, double most)
{
    enum { STEPS = 10 };
    struct tidy table = {0};
    tidy_heads(&table, "points:t|submissions:f|labels:t");
    for (unsigned step = 0; step < STEPS; step++) {
        SCOPED char *labels = heap_text("");
        size_t count = 0;
        for (size_t i = 0; i < marks->solver_count; i++) {
            const double share = floor(marks->solvers[i].points / most * STEPS + 1e-9);
            if (fmin(share, STEPS - 1) == step)
                heap_append(&labels, "%s%s", count++ == 0 ? "" : ", ", marks->solvers[i].label);
        }
        tidy_format(&table, "%s to %s", points_text(most * step / STEPS).text,
                    points_text(most * (step + 1) / STEPS).text);
        tidy_add(&table, "%g %s", (double)count, labels);
    }
    return table;
}

/* Submission x status, whose counters each has, and where its page is. */
static struct tidy statuses_view(const struct marks *marks, char *const *pages)
{
    struct tidy table = {0};
    bool used[STATUSES] = {false};
    for (size_t i = 0; i < marks->solver_count; i++)
        for (size_t j = 0; j < marks->solvers[i].run_count; j++)
            used[marks->results->runs[marks->solvers[i].runs[j]].status] = true;
    tidy_column_as(&table, "label", "", SHAPE_TEXT);
    for (unsigned i = 0; i < STATUSES; i++)
        if (used[i])
            tidy_column_as(&table, status_rows[i].name, "", SHAPE_FULL);
    tidy_heads(&table, "counts as:t|page:t");
    for (size_t i = 0; i < marks->solver_count; i++) {
        const struct marked_solver *solver = &marks->solvers[i];
        const char *as = counts_as(marks, &solver->solver, 1);
        size_t count[STATUSES] = {0};
        for (size_t j = 0; j < solver->run_count; j++)
            count[marks->results->runs[solver->runs[j]].status]++;
        tidy_text(&table, solver->label);
        for (unsigned j = 0; j < STATUSES; j++)
            if (used[j])
                tidy_number(&table, (double)count[j]);
        tidy_text(&table, as == NULL ? "" : as);
        tidy_format(&table, "submissions/%s.html", pages[i]);
    }
    return table;
}

struct document class_document(const struct marks *marks, char *const *pages)
{
    struct document document = {0};
    SCOPED double *points = heap_take(marks->solver_count, sizeof *points);
    double most = 0;
    for (size_t i = 0; i < marks->solver_count; i++)
        points[i] = marks->solvers[i].points;
    for (size_t i = 0; i < marks->rule_count; i++)
        most += (double)marks->rules[i].cents / CENTS;
    const struct quartiles quartiles = quartiles_of(points, marks->solver_count);
    if (most > 0)
        document_say(&document, PART_TITLE,
                     "%zu submissions: %s to %s of %g points, quartiles %s, %s and %s.",
                     marks->solver_count, points_text(quartiles.min).text,
                     points_text(quartiles.max).text, most, points_text(quartiles.lower).text,
                     points_text(quartiles.median).text, points_text(quartiles.upper).text);
    document_say(&document, PART_HEADING, "The class");
    tell_copies(marks, &document);
    for (size_t i = 0; i < marks->solver_count; i++) {
        tell_impossible(marks, &marks->solvers[i], &document);
        tell_by_heart(marks, &marks->solvers[i], &document);
    }
    struct tidy table = marks_view(marks);
    document_table(&document, "marks", &table, "Points by rule");
    table = distribution_view(marks, most);
    if (most > 0)
        document_table(&document, "distribution", &table, "Submissions by points");
    tidy_end(&table);
    table = statuses_view(marks, pages);
    document_table(&document, "statuses", &table,
                   "How runs ended, whose counters they have, and the pages");
    return document;
}
