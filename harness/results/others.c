#include "harness/results/others.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/results/version.h"
#include "harness/text/human.h"
#include "harness/text/sorting.h"
#include <ctype.h>
#include <xxhash.h>

/* Rows that differ in the same way. */
struct kind {
    char *what; /* owned; what follows "20 rows " */
    size_t rows;
};

struct others {
    const struct experiment *experiment;
    uint64_t *boards; /* hashes of the experiment's (set, instance, start, goal), each without and
                         with what moves cost, sorted */
    struct kind *kinds;
    size_t kind_count;
    size_t rows;
};

/* `model`: what moves cost; "": whatever they cost. */
static uint64_t board_hash(const char *set, const char *instance, const struct board *start,
                           const struct board *goal, const char *model)
{
    char start_line[BOARD_LINE];
    char goal_line[BOARD_LINE];
    board_line(start, start_line);
    board_line(goal, goal_line);
    SCOPED char *key = heap_format("%s\n%s\n%ux%u\n%s\n%s\n%s", set, instance, start->shape.width,
                                   start->shape.height, start_line, goal_line, model);
    return XXH3_64bits(key, strlen(key));
}

struct others *others_start(const struct experiment *experiment)
{
    struct others *others = heap_take(1, sizeof *others);
    const struct instance_list *instances = &experiment->instances;
    others->experiment = experiment;
    others->boards = heap_take(2 * instances->count, sizeof *others->boards);
    for (size_t i = 0; i < 2 * instances->count; i++) {
        const struct instance *instance = &instances->items[i / 2];
        others->boards[i] =
            board_hash(instance->set, instance->name, &instance->start, &instance->goal,
                       i % 2 == 0 ? "" : cost_names[instance->cost]);
    }
    qsort(others->boards, 2 * instances->count, sizeof *others->boards, order_numbers);
    return others;
}

/* Whether the experiment has a row's board where moves cost so. */
static bool has_board(const struct others *others, const struct row *row, const char *model)
{
    const uint64_t hash = board_hash(row->cells[COLUMN_set].text, row->cells[COLUMN_instance].text,
                                     &row->start, &row->goal, model);
    return bsearch(&hash, others->boards, 2 * others->experiment->instances.count, sizeof hash,
                   order_numbers) != NULL;
}

/* What rows of a solver would have now. */
static struct run_texts texts_of(const struct experiment_solver *solver)
{
    const struct run run = {
        .solver = &solver->solver, .external = solver->external, .limits = solver->limits};
    return run_texts_of(&run);
}

/* "nodes 2000; now 10000, memory .." of the limits that differ now; "" if all are the same. Heap
 * memory. */
static char *changed_limits(const struct row *row, const struct experiment_solver *solver)
{
    static const char *const names[] = {"time", "nodes", "memory", "cpu"};
    static const char *const units[] = {" s", "", " bytes", " s"};
    static const unsigned columns[] = {COLUMN_limit_s, COLUMN_limit_nodes, COLUMN_limit_bytes,
                                       COLUMN_limit_cpu_s};
    SCOPED_BY(run_texts_end) struct run_texts texts = texts_of(solver);
    char *text = heap_text("");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *now = texts.cells[TEXT_limit_s + i];
        const char *was = row->cells[columns[i]].text;
        if (strcmp(was, now) != 0) {
            heap_append(&text, "%s%s %s%s; now %s%s", text[0] == '\0' ? "" : ", ", names[i],
                        was[0] == '\0' ? "none" : was, was[0] == '\0' ? "" : units[i],
                        now[0] == '\0' ? "none" : now, now[0] == '\0' ? "" : units[i]);
        }
    }
    return text;
}

/* "whose file mine.py has changed" of the files whose hashes are not the row's; NULL where none
 * differs. Heap memory. */
static char *changed_files(const struct row *row, const struct experiment_solver *solver)
{
    SCOPED char *text = NULL;
    size_t count = 0;
    json_auto_t *options = json_loads(row->cells[COLUMN_options_json].text, 0, NULL);
    json_t *was = json_object_get(options, "files");
    SCOPED_BY(run_texts_end) struct run_texts texts = texts_of(solver);
    json_auto_t *now = json_loads(texts.cells[TEXT_options_json], 0, NULL);
    json_t *is = json_object_get(now, "files");
    const char *name;
    json_t *hash;
    json_object_foreach(is, name, hash) if (!json_equal(hash, json_object_get(was, name)))
        heap_append(&text, "%s%s", count++ == 0 ? "" : ", ", name);
    json_object_foreach(was, name, hash) if (json_object_get(is, name) == NULL)
        heap_append(&text, "%s%s", count++ == 0 ? "" : ", ", name);
    if (text == NULL)
        return NULL;
    return heap_format("whose file%s %s ha%s changed", plural(count), text,
                       count == 1 ? "s" : "ve");
}

/* Why a row is not one of the experiment's, the strongest reason first; heap memory. */
static char *what_differs(const struct others *others, const struct row *row)
{
    const struct experiment *experiment = others->experiment;
    const struct cell *cells = row->cells;
    const char *solver = cells[COLUMN_solver].text;
    const size_t s = NAME_PLACE(experiment->solvers, experiment->solver_count, text, solver);
    if (s == experiment->solver_count)
        return heap_format("of %s, which is no longer in the file", solver);
    if (!has_board(others, row, ""))
        return heap_text("of boards that the file no longer has (sets or seed changed)");
    const char *said = cells[COLUMN_cost_model].text;
    const char *model = said[0] == '\0' ? cost_names[COST_unit] : said;
    if (!has_board(others, row, model))
        return heap_format("of another cost of moves (%s)", model);
    const char *order = solver_order(&experiment->solvers[s].solver, experiment->order);
    if (strcmp(cells[COLUMN_order].text, order) != 0)
        return heap_format("of another operator order (%s; now %s)", cells[COLUMN_order].text,
                           order);
    if (cells[COLUMN_repetition].integer > experiment->repetitions)
        return heap_format("of repetitions that the file no longer has (%u now)",
                           experiment->repetitions);
    SCOPED char *files = changed_files(row, &experiment->solvers[s]);
    if (files != NULL) {
        const char *label = experiment->solvers[s].label;
        return heap_format("of %s, %s", label != NULL ? label : solver, files);
    }
    SCOPED char *limits = changed_limits(row, &experiment->solvers[s]);
    return limits[0] == '\0' ? heap_format("of another build (%s; this is %s)",
                                           cells[COLUMN_build].text, build_hash)
                             : heap_format("of %s under other limits (%s)", solver, limits);
}

void others_add(struct others *others, const struct row *row)
{
    SCOPED char *what = what_differs(others, row);
    for (char *at = what; *at != '\0'; at++) /* it is shown on a terminal */
        if (iscntrl((unsigned char)*at))
            *at = '?';
    const size_t i = NAME_PLACE(others->kinds, others->kind_count, what, what);
    if (i == others->kind_count)
        *HEAP_ADD(others->kinds, others->kind_count) = (struct kind){heap_text(what), 0};
    others->kinds[i].rows++;
    others->rows++;
}

size_t others_count(const struct others *others)
{
    return others->rows;
}

char *others_text(const struct others *others)
{
    enum { MAX_NAMED = 20 };
    char *text = heap_text("");
    size_t named = 0;
    for (size_t i = 0; i < others->kind_count && i < MAX_NAMED; i++) {
        const struct kind *kind = &others->kinds[i];
        heap_append(&text, "  %zu row%s %s\n", kind->rows, plural(kind->rows), kind->what);
        named += kind->rows;
    }
    if (named == others->rows)
        return text;
    heap_append(&text, "  %zu more rows\n", others->rows - named);
    return text;
}

void others_end(struct others *others)
{
    for (size_t i = 0; i < others->kind_count; i++)
        free(others->kinds[i].what);
    FREE(others->kinds, others->boards, others);
}
