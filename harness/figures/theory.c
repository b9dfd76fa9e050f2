/* What theory says of the boards of a block, as lines beside what was measured, by optimal length.
 * Their cells boards and solved are NaN: they are of no runs. */
#include "base/heap.h"
#include "harness/compare/heuristic_names.h"
#include "harness/figures/making.h"
#include "harness/prediction/predict.h"

/* Adds medians of points, unless there is such a line. */
static void add_theory(const struct making *making, struct figure *figure, const char *name,
                       struct point *points, size_t count)
{
    struct tidy *table = &figure->table;
    const size_t before = table->cell_count;
    for (size_t i = 0; i < before; i += table->column_count)
        if (strcmp(table->cells[i].text, name) == 0)
            return;
    add_bands(table, figures_add_series(making->figures, name, name, name), points, count);
    for (size_t i = before; i < table->cell_count; i += table->column_count)
        table->cells[i + 2].number = table->cells[i + 3].number = NAN;
}

/* The cover of a solver's heuristic, where rows have it. Returns whether there is one. */
static bool add_cover(const struct making *making, struct figure *figure, size_t solver)
{
    const struct results *results = making->results;
    const struct block *block = making->block;
    SCOPED struct point *points = heap_take(block->count, sizeof *points);
    size_t count = 0;
    for (size_t j = block->first; j < block->first + block->count; j++) {
        const long optimal = results->known[j].optimal;
        if (!tried(making, solver, j) || optimal < 0 || is_priced(&results->known[j]))
            continue;
        const double cover =
            results_number(results, results_outcome(results, solver, j)->run, RUN_COVER);
        if (!isnan(cover))
            points[count++] = (struct point){(double)optimal, cover};
    }
    SCOPED char *astar = astar_with_its_heuristic(results->solvers.text[solver]);
    SCOPED char *heuristic = heuristic_of(astar);
    SCOPED char *name = strcmp(heuristic, results->solvers.text[solver]) == 0
                            ? heap_text("cover without heuristic")
                            : heap_format("cover of %s", heuristic);
    if (count > 0)
        add_theory(making, figure, name, points, count);
    return count > 0;
}

/* The one goal of a block's boards, of which all can be counted, of moves that cost the same; NULL:
 * there is none. */
static const struct board *goal_of(const struct making *making)
{
    const struct known_instance *known = &making->results->known[making->block->first];
    for (size_t i = 0; i < making->block->count; i++)
        if (is_priced(&known[i]) || !board_equal(&known[i].goal, &known->goal))
            return NULL;
    return known->goal.shape.cells <= MAX_TABLE_CELLS ? &known->goal : NULL;
}

/* "H" of "idastar(H)", without options; NULL: it is another solver, or one whose tables may take
 * long to build. To be freed. */
static char *heuristic_of_idastar(const char *solver)
{
    static const char start[] = "idastar(";
    const size_t length = strlen(solver);
    if (strncmp(solver, start, sizeof start - 1) != 0 || strstr(solver, "pdb") != NULL ||
        strchr(solver, ',') != NULL || solver[length - 1] != ')')
        return NULL;
    return heap_format("%.*s", (int)(length - sizeof start), solver + sizeof start - 1);
}

/* The points of the table "nodes": thresholds of boards in the block, and means of at least 1. */
static void add_expected(const struct making *making, struct figure *figure, const char *name,
                         const struct document *document)
{
    const struct tidy *nodes = &document->parts[0].table;
    SCOPED struct point *points = heap_take(nodes->cell_count, sizeof *points);
    size_t count = 0;
    for (size_t i = 0; i < nodes->cell_count; i += nodes->column_count) {
        bool there = false;
        for (size_t j = 0; j < making->block->count && !there; j++)
            there = (double)making->results->known[making->block->first + j].optimal ==
                    nodes->cells[i].number;
        if (there && nodes->cells[i + 1].number >= 1)
            points[count++] = (struct point){nodes->cells[i].number, nodes->cells[i + 1].number};
    }
    if (count > 0)
        add_theory(making, figure, name, points, count);
}

/* What a round of idastar is expected to expand. Returns whether that is known. */
static bool add_expectation(const struct making *making, struct figure *figure, size_t solver)
{
    const struct board *goal = goal_of(making);
    SCOPED char *name = heuristic_of_idastar(making->results->solvers.text[solver]);
    struct prediction prediction = {.exact = true, .quiet = true, .name = name};
    SCOPED_BY(report_end) struct report report = {.file = ""};
    bool done = false;
    if (goal != NULL && name != NULL &&
        heuristic_parse(name, FIRST_PLACE, &report, &prediction.choice)) {
        SCOPED char *refused = heuristic_refuses(&prediction.choice, goal);
        if (refused == NULL) {
            prediction.goal = *goal;
            heuristic_start(&prediction.heuristic, &prediction.choice, goal);
            distances_make(goal, &prediction.distances);
            SCOPED char *shown = heap_format("expected: idastar(%s)", name);
            done = predict_nodes(&prediction) == ENDING_DONE;
            if (done)
                add_expected(making, figure, shown, &prediction.document);
            document_end(&prediction.document);
            distances_end(&prediction.distances);
            heuristic_end(&prediction.heuristic);
        }
    }
    return done;
}

void add_theories(const struct making *making, struct figure *figure)
{
    bool cover = false;
    bool expected = false;
    for (size_t i = 0; i < making->results->solvers.count && !figure->panels; i++) {
        if (!making->reported[i] || !results_tried(making->results, making->block, i))
            continue;
        cover = add_cover(making, figure, i) || cover;
        expected = add_expectation(making, figure, i) || expected;
    }
    if (cover)
        figure_say(figure, "Cover: the least that searches from both ends must expand, median.");
    if (expected)
        figure_say(figure, "Expected: what a whole round of this threshold expands, mean over all "
                           "boards (Korf, Reid and Edelkamp).");
}
