/* Sums first, then means; the printed table is made as wide as it may be: with the solvers' names,
 * else with their numbers, else in two parts. */
#include "harness/analysis/by_depth.h"
#include "base/heap.h"
#include "harness/analysis/statistics.h"
#include "harness/text/human.h"
#include "harness/text/text_table.h"
#include <math.h>

static int compare_rows(const void *a, const void *b)
{
    const struct depth_row *x = a;
    const struct depth_row *y = b;
    const long differences[] = {x->width * x->height - y->width * y->height, x->width - y->width,
                                x->length - y->length};
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i] != 0)
            return differences[i] > 0 ? 1 : -1;
    return 0;
}

static struct depth_row row_of(const struct results *results, size_t instance)
{
    const struct known_instance *known = &results->known[instance];
    return (struct depth_row){known->start.shape.width, known->start.shape.height, known->optimal};
}

static bool has_row(const struct results *results, size_t instance)
{
    return results->known[instance].optimal >= 0 && !results->known[instance].unsolvable;
}

static void find_rows(struct by_depth *by_depth, const struct results *results)
{
    size_t known = 0;
    by_depth->rows = heap_take(results->instances.count, sizeof *by_depth->rows);
    for (size_t i = 0; i < results->instances.count; i++) {
        if (has_row(results, i))
            by_depth->rows[known++] = row_of(results, i);
        else if (results->known[i].unsolvable)
            by_depth->unsolvable++;
        else
            by_depth->unknown++;
    }
    qsort(by_depth->rows, known, sizeof *by_depth->rows, compare_rows);
    for (size_t i = 0; i < known; i++) {
        const struct depth_row row = by_depth->rows[i];
        if (by_depth->count == 0 || compare_rows(&by_depth->rows[by_depth->count - 1], &row) != 0)
            by_depth->rows[by_depth->count++] = row;
    }
}

static bool one_size(const struct by_depth *by_depth)
{
    const struct depth_row *rows = by_depth->rows;
    return by_depth->count == 0 || (rows[0].width == rows[by_depth->count - 1].width &&
                                    rows[0].height == rows[by_depth->count - 1].height);
}

/* Adds an outcome to sums, and to how many values each sum has. */
static void add_outcome(struct depth_cell *cell, size_t counts[METRICS],
                        const struct outcome *outcome)
{
    cell->instances += outcome->attempts > 0;
    cell->solved += outcome->solved > 0;
    cell->unverified += outcome->unverified > 0;
    for (size_t metric = 0; metric < METRICS; metric++) {
        if (isnan(outcome->value[metric]))
            continue;
        cell->mean[metric] += outcome->value[metric];
        counts[metric]++;
    }
}

struct by_depth by_depth_of(const struct results *results)
{
    struct by_depth by_depth = {.solvers = results->solvers.count};
    find_rows(&by_depth, results);
    by_depth.cells = heap_take(by_depth.count * by_depth.solvers, sizeof *by_depth.cells);
    size_t(*counts)[METRICS] = heap_take(by_depth.count * by_depth.solvers, sizeof *counts);
    for (size_t i = 0; i < results->instances.count; i++) {
        if (!has_row(results, i))
            continue;
        const struct depth_row key = row_of(results, i);
        const struct depth_row *found =
            bsearch(&key, by_depth.rows, by_depth.count, sizeof *by_depth.rows, compare_rows);
        size_t row = (size_t)(found - by_depth.rows);
        for (size_t solver = 0; solver < by_depth.solvers; solver++) {
            const size_t cell = row * by_depth.solvers + solver;
            add_outcome(&by_depth.cells[cell], counts[cell], results_outcome(results, solver, i));
        }
    }
    for (size_t i = 0; i < by_depth.count * by_depth.solvers; i++) {
        struct depth_cell *cell = &by_depth.cells[i];
        for (size_t metric = 0; metric < METRICS; metric++)
            cell->mean[metric] /= (double)counts[i][metric]; /* 0 / 0 is the NaN that is due */
        cell->branching = effective_branching_factor(
            cell->mean[METRIC_generated], (double)by_depth.rows[i / by_depth.solvers].length);
    }
    free(counts);
    return by_depth;
}

enum part { PART_COST = 1, PART_BRANCHING = 2 };

static void add_columns(struct text_table *table, const struct results *results, const char *group,
                        bool named)
{
    for (size_t i = 0; i < results->solvers.count; i++) {
        char *number = heap_format("[%zu]", i + 1);
        text_table_column(table, group, named ? results->solvers.text[i] : number, ALIGN_RIGHT);
        free(number);
    }
}

static void add_cost(struct text_table *table, const struct depth_cell *cell)
{
    const struct human mean = human_mean(cell->mean[METRIC_generated]);
    const char *mark = cell->unverified > 0 ? "?" : "";
    if (cell->solved < cell->instances)
        text_table_cell(table, "%s%s (%zu/%zu)", mark, mean.text, cell->solved, cell->instances);
    else
        text_table_cell(table, "%s%s", mark, mean.text);
}

static void add_branching(struct text_table *table, const struct depth_cell *cell)
{
    const bool partial = cell->solved > 0 && cell->solved < cell->instances;
    text_table_cell(table, "%s%s%s", partial ? "*" : "", cell->unverified > 0 ? "?" : "",
                    human_factor(cell->branching).text);
}

static struct text_table build(const struct by_depth *by_depth, const struct results *results,
                               unsigned parts, bool named)
{
    struct text_table table = {0};
    bool sized = !one_size(by_depth);
    if (sized)
        text_table_column(&table, "", "board", ALIGN_RIGHT);
    text_table_column(&table, "", "d", ALIGN_RIGHT);
    if ((parts & PART_COST) != 0)
        add_columns(&table, results, "nodes generated", named);
    if ((parts & PART_BRANCHING) != 0)
        add_columns(&table, results, "effective branching factor", named);
    for (size_t row = 0; row < by_depth->count; row++) {
        const struct depth_cell *cells = &by_depth->cells[row * by_depth->solvers];
        if (sized)
            text_table_cell(&table, "%ldx%ld", by_depth->rows[row].width,
                            by_depth->rows[row].height);
        text_table_cell(&table, "%ld", by_depth->rows[row].length);
        for (size_t i = 0; (parts & PART_COST) != 0 && i < by_depth->solvers; i++)
            add_cost(&table, &cells[i]);
        for (size_t i = 0; (parts & PART_BRANCHING) != 0 && i < by_depth->solvers; i++)
            add_branching(&table, &cells[i]);
    }
    return table;
}

static void print_part(const struct by_depth *by_depth, const struct results *results,
                       unsigned parts, bool named, FILE *file)
{
    struct text_table table = build(by_depth, results, parts, named);
    text_table_print(&table, file);
    text_table_end(&table);
}

static bool fits(const struct by_depth *by_depth, const struct results *results, unsigned parts,
                 bool named)
{
    struct text_table table = build(by_depth, results, parts, named);
    bool fit = text_table_width(&table) <= TEXT_TABLE_WIDTH;
    text_table_end(&table);
    return fit;
}

/* The legend of the marks that occur, and what is not in the table. */
static void print_notes(const struct by_depth *by_depth, const struct results *results, FILE *file)
{
    bool partial = false;
    bool unverified = false;
    for (size_t i = 0; i < by_depth->count * by_depth->solvers; i++) {
        partial = partial || by_depth->cells[i].solved < by_depth->cells[i].instances;
        unverified = unverified || by_depth->cells[i].unverified > 0;
    }
    fprintf(file, "\nb*: generated = 1 + b* + .. + b*^d, of the mean of generated at the optimal "
                  "length d; none where d is 0.\n");
    if (partial)
        fprintf(file, "(7/10), *: over the solved instances only, here 7 of 10.\n");
    if (unverified)
        fprintf(file, "?: over unverified runs too.\n");
    if (by_depth->unknown > 0)
        fprintf(file, "Left out: %zu of %zu instances, whose optimal length is not known.\n",
                by_depth->unknown, results->instances.count);
    if (by_depth->unsolvable > 0)
        fprintf(file, "Left out: %zu of %zu instances, which cannot be solved.\n",
                by_depth->unsolvable, results->instances.count);
}

void by_depth_print(const struct by_depth *by_depth, const struct results *results, FILE *file)
{
    const unsigned both = PART_COST | PART_BRANCHING;
    if (by_depth->count == 0) {
        fprintf(file, "By optimal solution length: no instance has one in the results.\n");
        return;
    }
    fprintf(file, "By optimal solution length d: mean of generated, and its b* at d\n\n");
    if (fits(by_depth, results, both, true)) {
        print_part(by_depth, results, both, true, file);
    } else if (fits(by_depth, results, both, false)) {
        print_part(by_depth, results, both, false, file);
    } else {
        bool named = fits(by_depth, results, PART_COST, true);
        print_part(by_depth, results, PART_COST, named, file);
        putc('\n', file);
        print_part(by_depth, results, PART_BRANCHING, named, file);
    }
    print_notes(by_depth, results, file);
}

static void add_tidy_columns(struct tidy *tidy)
{
    tidy_column(tidy, "width", "cells", "columns of the board");
    tidy_column(tidy, "height", "cells", "rows of the board");
    tidy_column(tidy, "optimal_length", "moves", "d: the shortest solution's moves");
    tidy_column(tidy, "solver", "", "the solver in its short form");
    tidy_column(tidy, "instances", "instances",
                "of this size and optimal length that it tried, each once");
    tidy_column(tidy, "solved", "instances",
                "solved in one repetition at least; the means are over these");
    tidy_column(tidy, "unverified", "instances", "of the solved: with an unverified run");
    for (size_t i = 0; i < METRICS; i++) {
        char *column = heap_format("mean_%s", metric_column(i)->name);
        char *meaning = heap_format("mean over the solved instances that have it: %s",
                                    metric_column(i)->meaning);
        tidy_column(tidy, column, metric_column((enum metric)i)->unit, meaning);
        free(meaning);
        free(column);
    }
    tidy_column(tidy, "effective_branching_factor", "",
                "b* with mean_generated = 1 + b* + .. + b*^d; empty where d is 0");
}

struct tidy by_depth_tidy(const struct by_depth *by_depth, const struct results *results)
{
    struct tidy tidy = {0};
    add_tidy_columns(&tidy);
    for (size_t i = 0; results != NULL && i < by_depth->count * by_depth->solvers; i++) {
        const struct depth_cell *cell = &by_depth->cells[i];
        if (cell->instances == 0)
            continue;
        const struct depth_row *row = &by_depth->rows[i / by_depth->solvers];
        tidy_number(&tidy, (double)row->width);
        tidy_number(&tidy, (double)row->height);
        tidy_number(&tidy, (double)row->length);
        tidy_text(&tidy, results->solvers.text[i % by_depth->solvers]);
        tidy_number(&tidy, (double)cell->instances);
        tidy_number(&tidy, (double)cell->solved);
        tidy_number(&tidy, (double)cell->unverified);
        for (size_t metric = 0; metric < METRICS; metric++)
            tidy_number(&tidy, cell->mean[metric]);
        tidy_number(&tidy, cell->branching);
    }
    return tidy;
}

void by_depth_end(struct by_depth *by_depth)
{
    free(by_depth->rows);
    free(by_depth->cells);
    *by_depth = (struct by_depth){0};
}
