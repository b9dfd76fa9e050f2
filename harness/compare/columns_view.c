#include "harness/compare/columns_view.h"
#include "base/heap.h"
#include "base/named.h"

/* What a name ends with, and what it is of the boards. */
static const struct {
    const char *ending, *heading;
    bool of_all; /* the boards that were tried; else of the solved ones */
} statistics[] = {
    {"_median_all", "median ", true},
    {"_median", "median ", false},
    {"_mean", "mean ", false},
    {"_sd", "sd of ", false},
    {"_lower", "lower quartile ", false},
    {"_upper", "upper quartile ", false},
};

enum {
    STATISTICS = sizeof statistics / sizeof *statistics,
    NO_COLUMN = SUMMARY_COLUMNS + MAX_EXTRAS * EXTRA_FIGURES
};
_Static_assert(sizeof statistics / sizeof *statistics == EXTRA_FIGURES, "as columns_add_extras");

/* The number of the column of that name; SUMMARY_COLUMNS: there is none. */
static size_t find_column(const char *name)
{
    return NAME_PLACE(table_schemas[TABLE_SUMMARY].columns, SUMMARY_COLUMNS, name, name);
}

/* Which of `statistics` a column is, and in *stem the length of its name without the ending;
 * STATISTICS: none. */
static size_t statistic_of(const char *name, size_t *stem)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < STATISTICS; i++) {
        const size_t ending = strlen(statistics[i].ending);
        if (length <= ending || strcmp(name + length - ending, statistics[i].ending) != 0)
            continue;
        *stem = length - ending;
        return i;
    }
    *stem = length;
    return STATISTICS;
}

/* The column that a word means, a name or the beginning of one; from SUMMARY_COLUMNS on, figures of
 * the metrics extra.NAME, which it adds. NO_COLUMN: none. */
static size_t column_meant(const char *word)
{
    if (strncmp(word, EXTRA_PREFIX, strlen(EXTRA_PREFIX)) == 0) {
        size_t stem;
        const size_t statistic = statistic_of(word, &stem);
        SCOPED char *name = heap_format("%.*s", (int)stem, word);
        const enum metric metric =
            metric_word_is_extra(name) ? metric_extra_add(name, true) : METRICS;
        return metric == METRICS ? NO_COLUMN
                                 : SUMMARY_COLUMNS + (metric - METRIC_extra) * EXTRA_FIGURES +
                                       (statistic == STATISTICS ? 0 : statistic);
    }
    size_t found = find_column(word);
    for (size_t i = 0; i < 2 && found == SUMMARY_COLUMNS; i++) {
        SCOPED char *whole = heap_format("%s%s", word, statistics[i].ending);
        found = find_column(whole);
    }
    return found == SUMMARY_COLUMNS ? NO_COLUMN : found;
}

char *columns_unknown(const char *columns)
{
    for (const char *rest = columns; rest != NULL;) {
        char *word = choice_cut(&rest);
        if (column_meant(word) == NO_COLUMN)
            return word;
        free(word);
    }
    return NULL;
}

char *columns_repeated(const char *columns)
{
    for (const char *rest = columns; rest != NULL;) {
        char *word = choice_cut(&rest);
        if (rest != NULL && heap_has_part(rest, ',', word))
            return word;
        free(word);
    }
    return NULL;
}

char *columns_listed(void)
{
    char *stems[SUMMARY_COLUMNS];
    size_t count = 0;
    for (size_t i = 0; i < SUMMARY_COLUMNS; i++) {
        const char *name = table_schemas[TABLE_SUMMARY].columns[i].name;
        size_t stem;
        const size_t statistic = statistic_of(name, &stem);
        if (statistic == STATISTICS || strcmp(statistics[statistic].ending, "_median") == 0)
            stems[count++] = heap_format("%.*s", (int)stem, name);
    }
    char *listed = words_listed((const char *const *)stems, count);
    for (size_t i = 0; i < count; i++)
        free(stems[i]);
    return listed;
}

/* The column of that number, its statistic (STATISTICS: none), and the length of its name without
 * the statistic's ending. */
static const struct column *column_of(size_t number, size_t *statistic, size_t *stem)
{
    if (number >= SUMMARY_COLUMNS) {
        const size_t figure = number - SUMMARY_COLUMNS;
        const struct column *column =
            metric_column((enum metric)(METRIC_extra + figure / EXTRA_FIGURES));
        *statistic = figure % EXTRA_FIGURES;
        *stem = strlen(column->name);
        return column;
    }
    const struct column *column = &table_schemas[TABLE_SUMMARY].columns[number];
    *statistic = statistic_of(column->name, stem);
    return column;
}

static void add_column(struct tidy *view, const char *word)
{
    size_t statistic, stem;
    const size_t number = column_meant(word);
    const struct column *column = column_of(number, &statistic, &stem);
    struct tidy_heading *added = tidy_column(view, word, column->unit, column->meaning);
    if (column->type == COLUMN_TYPE_TEXT)
        added->shape = SHAPE_TEXT;
    else if (statistic < STATISTICS && column->unit[0] == '\0' && number < SUMMARY_COLUMNS)
        added->shape = SHAPE_SHARE;
    if (statistic < STATISTICS)
        added->heading =
            heap_format("%s%.*s", statistics[statistic].heading, (int)stem, column->name);
}

/* "147/150", and unverified runs apart: "100+47?/150", as in the overview. */
static void mark_solved(struct tidy *view, const struct tidy_cell *row)
{
    const double runs = row[SUMMARY_runs].number;
    const double unverified = row[SUMMARY_unverified].number;
    SCOPED char *mark = heap_text("");
    if (unverified > 0)
        heap_append(&mark, "+%.0f?", unverified);
    if (row[SUMMARY_solved].number + unverified < runs)
        heap_append(&mark, "/%.0f", runs);
    tidy_mark(view, mark);
}

/* The marks at a figure, as those of the overview and of the means by optimal length. */
static void mark_figure(struct tidy *view, const struct tidy_cell *row,
                        const struct extra_columns *extras, size_t statistic, const char *stem)
{
    const bool of_nodes = strcmp(stem, "effective_branching_factor") == 0;
    const enum metric named = of_nodes ? METRIC_generated : metric_named(stem);
    const double solved = row[SUMMARY_instances_solved].number;
    const double tried = row[SUMMARY_instances].number;
    const bool exists = !isnan(view->cells[view->cell_count - 1].number);
    const bool doubted =
        row[SUMMARY_unverified].number > 0 ||
        (named != METRICS &&
         metric_is_doubted(named, extras->impossible, (size_t)row[SUMMARY_drifted].number));
    SCOPED char *mark = heap_text("");
    if (exists && statistics[statistic].of_all && tried < (double)extras->block->count)
        heap_append(&mark, "*");
    if (exists && doubted)
        heap_append(&mark, "?");
    if (!statistics[statistic].of_all && tried > 0 && solved < (double)extras->most)
        heap_append(&mark, " (%.0f/%zu)", solved, extras->most);
    tidy_mark(view, mark);
}

static void add_cell(struct tidy *view, const struct tidy_cell *row,
                     const struct extra_columns *extras, size_t column,
                     const struct results *results)
{
    size_t statistic, stem;
    const char *name = column_of(column, &statistic, &stem)->name;
    const size_t figure = column - SUMMARY_COLUMNS;
    if (column >= SUMMARY_COLUMNS)
        tidy_number(view, extras->value[figure / EXTRA_FIGURES][figure % EXTRA_FIGURES]);
    else if (column == SUMMARY_solver)
        tidy_text(view, results->shown[names_find(&results->solvers, row[column].text)]);
    else if (row[column].text != NULL)
        tidy_text(view, row[column].text);
    else
        tidy_number(view, row[column].number);
    if (column == SUMMARY_solved)
        mark_solved(view, row);
    SCOPED char *of = heap_format("%.*s", (int)stem, name);
    if (statistic < STATISTICS)
        mark_figure(view, row, extras, statistic, of);
}

void columns_add_extras(struct extra_columns **extras, size_t *rows, const struct summary *summary)
{
    size_t most = 0;
    for (size_t i = 0; i < summary->count; i++)
        most = summary->solvers[i].instances > most ? summary->solvers[i].instances : most;
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        if (own->runs == 0)
            continue;
        struct extra_columns *row = HEAP_ADD(*extras, *rows);
        row->impossible = own->impossible;
        row->block = summary->block;
        row->most = most;
        for (unsigned j = 0; j < MAX_EXTRAS; j++) {
            const struct spread *spread = &own->value[METRIC_extra + j];
            const double figures[EXTRA_FIGURES] = {own->median_all[METRIC_extra + j],
                                                   spread->quartiles.median,
                                                   spread->mean,
                                                   spread->sd,
                                                   spread->quartiles.lower,
                                                   spread->quartiles.upper};
            memcpy(row->value[j], figures, sizeof figures);
        }
    }
}

struct tidy columns_view(const struct tidy *summary, const struct extra_columns *extras,
                         const struct results *results, const char *columns)
{
    struct tidy view = {0};
    tidy_column_as(&view, "block", "", SHAPE_TEXT)->section = true;
    for (const char *rest = columns; rest != NULL;) {
        SCOPED char *word = choice_cut(&rest);
        add_column(&view, word);
    }
    for (size_t i = 0; i < summary->cell_count; i += SUMMARY_COLUMNS) {
        const struct tidy_cell *row = &summary->cells[i];
        tidy_text(&view, extras[i / SUMMARY_COLUMNS].block->name);
        for (const char *rest = columns; rest != NULL;) {
            SCOPED char *word = choice_cut(&rest);
            add_cell(&view, row, &extras[i / SUMMARY_COLUMNS], column_meant(word), results);
        }
    }
    return view;
}
