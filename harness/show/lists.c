#include "harness/show/lists.h"
#include "base/heap.h"
#include "harness/experiment/data.h"
#include "harness/experiment/keys.h"
#include "harness/external/placeholders.h"
#include "harness/figures/figures.h"
#include "harness/show/sheets.h"
#include "harness/text/sorting.h"
#include "pdb/partition.h"
#include "puzzle/distance.h"
#include "puzzle/goal.h"
#include <inttypes.h>

void list_start(struct list *list, const char *headings)
{
    struct tidy *rows = &list->rows;
    tidy_heads(rows, headings);
    for (size_t i = 0; i < rows->column_count; i++) {
        rows->columns[i].shape = SHAPE_TEXT;
        rows->columns[i].prose = i > 0;
    }
    rows->ranked = rows->markup = true;
}

/* The column with the most text explains the rows. */
void list_rank(struct list *list)
{
    struct tidy *rows = &list->rows;
    SCOPED size_t *lengths = heap_take(rows->column_count, sizeof *lengths);
    size_t longest = 0;
    for (size_t i = 0; i < rows->cell_count; i++)
        lengths[i % rows->column_count] += strlen(rows->cells[i].text);
    for (size_t i = 1; i < rows->column_count; i++)
        longest = lengths[i] > lengths[longest] ? i : longest;
    for (size_t i = 1; i < rows->column_count; i++)
        rows->columns[i].rank = i == longest ? 0 : (unsigned)i;
}

/* Adds a cell and frees its text. */
static void add_text(struct list *list, char *text)
{
    tidy_text(&list->rows, text);
    free(text);
}

static char *option_values(const struct option_row *option)
{
    switch (option->kind) {
    case OPTION_FLAG:
        return heap_text(option->fallback ? "=true|false" : "");
    case OPTION_NUMBER:
    case OPTION_DECIMAL: {
        if (option->fallback == OPTION_UNSET)
            return heap_text("=N");
        SCOPED char *usual = option_text(option, option->fallback);
        return heap_format("=%s|N", usual);
    }
    default: {
        /* The default first. */
        char *text = heap_format("=%s", option->choices[option->fallback]);
        for (unsigned i = 0; option->choices[i] != NULL; i++) {
            if ((int64_t)i == option->fallback)
                continue;
            heap_append(&text, "|%s", option->choices[i]);
        }
        return text;
    }
    }
}

/* "depth_limit=N, ties=high_g|low_g": the default of each choice first. */
static char *options_text(const struct option_row *options)
{
    char *text = heap_text("");
    for (unsigned i = 0; options[i].kind != OPTION_END; i++) {
        SCOPED char *values = option_values(&options[i]);
        heap_append(&text, "%s%s%s", i == 0 ? "" : ", ", options[i].name, values);
    }
    return text;
}

static char *yes_no(unsigned properties, unsigned property)
{
    return heap_text((properties & property) != 0 ? "yes" : "no");
}

/* Whether the solutions of an algorithm are shortest, and on what condition; heap memory. */
static char *optimal_text(const struct algorithm *algorithm)
{
    const struct option_row *option = algorithm->options;
    if ((algorithm->properties & OPTIMAL) != 0)
        return heap_text(!algorithm->informed                              ? "yes"
                         : (algorithm->properties & NEEDS_CONSISTENT) != 0 ? "if H is consistent"
                                                                           : "if H is admissible");
    if ((algorithm->properties & BOUNDED) == 0)
        return heap_text("no");
    while (!option->bounds)
        option++;
    return heap_format("within %s times%s", option->name,
                       algorithm->informed ? " if H is admissible" : "");
}

void list_algorithms(struct list *list)
{
    list_start(list, "algorithm|what it is|optimal|complete|memory|options (default first)");
    const struct algorithm *algorithm;
    for (unsigned i = 0; (algorithm = algorithm_at(i)) != NULL; i++) {
        add_text(list, heap_format("%s%s", algorithm->name, algorithm->informed ? "(H)" : ""));
        tidy_text(&list->rows, algorithm->summary);
        add_text(list, optimal_text(algorithm));
        add_text(list, yes_no(algorithm->properties, COMPLETE));
        tidy_text(&list->rows, algorithm->memory);
        add_text(list, options_text(algorithm->options));
    }
}

void list_heuristics(struct list *list)
{
    list_start(list, "heuristic|what it is|admissible|consistent|parity|0 at goal "
                     "only|incremental|costs|options");
    const struct heuristic_kind *kind;
    for (unsigned i = 0; (kind = heuristic_at(i)) != NULL; i++) {
        const bool argument = heuristic_takes_argument(kind) && !list->names;
        add_text(list, heap_format("%s%s%s", kind->name, heuristic_takes_argument(kind) ? ":" : "",
                                   argument ? kind->extras->form : ""));
        tidy_text(&list->rows, kind->summary);
        add_text(list, yes_no(kind->properties, ADMISSIBLE));
        add_text(list, yes_no(kind->properties, CONSISTENT));
        add_text(list, yes_no(kind->properties, KEEPS_PARITY));
        add_text(list, yes_no(kind->properties, POSITIVE));
        add_text(list, yes_no(kind->properties, INCREMENTAL));
        tidy_text(&list->rows, kind->extras != NULL && kind->extras->priced != NULL ? "yes" : "no");
        add_text(list, options_text(kind->options));
    }
}

/* What a set says of itself: its first comment. */
static char *first_comment(const char *name)
{
    SCOPED char *path = data_path(DATA_SETS, name);
    const char *why;
    SCOPED_BY(stream_end) FILE *file = path == NULL ? NULL : file_open(path, &why);
    char line[512];
    char *words = NULL;
    const char *mark = "# ";
    while (file != NULL && words == NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, mark, strlen(mark)) == 0) {
            const char *from = line + strlen(mark);
            line[strcspn(line, "\n")] = '\0';
            words = text_printable(from);
        }
    return words == NULL ? heap_text("") : words;
}

void list_sets(struct list *list)
{
    size_t count;
    SCOPED char **names = data_names(DATA_SETS, &count);
    list_start(list, "set|what it is");
    for (size_t i = 0; i < count; i++) {
        add_text(list, text_printable(names[i]));
        add_text(list, first_comment(names[i]));
        free(names[i]);
    }
}

/* An experiment that ships. */
struct shipped {
    char *name; /* owned */
    struct experiment experiment;
    bool fine; /* it can be read */
};

ORDER_BY(by_group, struct shipped, BY(experiment.group), strcmp(x->name, y->name));

/* A description ends with the time that the experiment takes, in parentheses. Cuts it off and
 * returns it; "" where there is none. Both are heap memory. */
static char *cut_time(char *description)
{
    const size_t length = strlen(description);
    char *open = strrchr(description, '(');
    if (open == NULL || open == description || open[-1] != ' ' || description[length - 1] != ')')
        return heap_text("");
    description[length - 1] = '\0';
    char *time = heap_text(open + 1);
    open[-1] = '\0';
    return time;
}

/* Group by group. What cannot be read has its name alone: `check` says why. */
void list_experiments(struct list *list)
{
    size_t count;
    SCOPED char **names = data_names(DATA_EXPERIMENTS, &count);
    SCOPED struct shipped *shipped = heap_take(count, sizeof *shipped);
    list_start(list, "experiment|group|what it is|runs|time");
    for (size_t i = 0; i < count; i++) {
        SCOPED_BY(report_end) struct report report = {0};
        shipped[i].name = names[i];
        if (!list->names)
            shipped[i].fine = experiment_outline(names[i], &report, &shipped[i].experiment);
        if (!shipped[i].fine)
            shipped[i].experiment = (struct experiment){.group = GROUP_OWN};
    }
    qsort(shipped, count, sizeof *shipped, by_group);
    for (size_t i = 0; i < count; i++) {
        const struct experiment *experiment = &shipped[i].experiment;
        char *description = text_printable(shipped[i].fine ? experiment->description : "");
        char *time = cut_time(description);
        add_text(list, text_printable(shipped[i].name));
        tidy_text(&list->rows, shipped[i].fine ? group_names[experiment->group] : "");
        add_text(list, description);
        add_text(list, shipped[i].fine ? heap_format("%zu", experiment_run_count(experiment))
                                       : heap_text(""));
        add_text(list, time);
        if (shipped[i].fine)
            experiment_end(&shipped[i].experiment);
        free(shipped[i].name);
    }
}

void list_keys(struct list *list)
{
    size_t count;
    SCOPED struct experiment_key *keys = experiment_keys(&count);
    list_start(list, "key|value|default|belongs to|meaning");
    for (size_t i = 0; i < count; i++) {
        add_text(list, keys[i].name);
        add_text(list, keys[i].value);
        add_text(list, keys[i].fallback);
        add_text(list, keys[i].belongs);
        add_text(list, keys[i].meaning);
    }
}

/* The columns of one table, or of all; then each with its table. */
void list_columns(struct list *list)
{
    const bool all = list->table == TABLES;
    list_start(list, all ? "name|table|type|unit|may_be_empty|repeats|meaning"
                         : "name|type|unit|may_be_empty|repeats|meaning");
    for (size_t i = 2; i <= 3; i++)
        list->rows.columns[list->rows.column_count - i].shape = SHAPE_TRUTH;
    for (unsigned i = all ? 0 : list->table; i < (all ? TABLES : list->table + 1); i++) {
        const struct table_schema *table = &table_schemas[i];
        for (size_t j = 0; j < table->column_count; j++) {
            const struct column *column = &table->columns[j];
            tidy_text(&list->rows, column->name);
            if (all)
                tidy_text(&list->rows, table->name);
            tidy_add(&list->rows, "%s %s", column_type_names[column->type], column->unit);
            add_text(list, yes_no(column->may_be_empty, true));
            add_text(list, yes_no(column->repeats, true));
            tidy_text(&list->rows, column->meaning);
        }
    }
}

void list_statuses(struct list *list)
{
    list_start(list, "status|what it means|exit code of solve");
    for (unsigned i = 0; i < STATUSES; i++) {
        tidy_add(&list->rows, "%s %s", status_rows[i].name, status_rows[i].summary);
        add_text(list, heap_format("%d", status_rows[i].exit_code));
    }
}

void list_figures(struct list *list)
{
    list_start(list, "figure|what it shows");
    for (unsigned i = 0; i < FIGURES; i++)
        tidy_add(&list->rows, "%s %s", figure_rows[i].name, figure_rows[i].summary);
}

/* The named partitions, with the tables that they need for a goal with the blank in a corner. */
void list_partitions(struct list *list)
{
    list_start(list, "partition|size|partitions|entries|groups (of the first)");
    for (unsigned i = 0; i < partition_count; i++) {
        const struct partition_row *row = &partitions[i];
        struct shape shape;
        struct board goal;
        unsigned count = 0;
        uint64_t entries = 0;
        SCOPED_BY(report_end) struct report report = {0};
        shape_make(row->width, row->height, &shape);
        goal_named("blank-first", shape, &goal);
        SCOPED struct partition *made =
            partitions_make(row->name, &goal, false, NO_PLACE, &report, &count);
        for (unsigned j = 0; j < count; j++)
            for (unsigned k = 0; k < made[j].count; k++)
                entries += pattern_entries(&made[j].group[k]);
        tidy_text(&list->rows, row->name);
        add_text(list, heap_format("%ux%u", row->width, row->height));
        add_text(list, heap_format("%u", count));
        add_text(list, heap_format("%" PRIu64, entries));
        add_text(list, heap_format("%.*s", (int)strcspn(row->groups, ";"), row->groups));
    }
}

void list_placeholders(struct list *list)
{
    list_start(list, "placeholder|variable|stands for");
    for (unsigned i = 0; i < PLACEHOLDERS; i++) {
        add_text(list, heap_format("{%s}", placeholders[i].name));
        tidy_add(&list->rows, "%s %s",
                 placeholders[i].variable == NULL ? "" : placeholders[i].variable,
                 placeholders[i].meaning);
    }
}

/* The sheets, or the card of one. */
void list_sheets(struct list *list)
{
    const struct sheet_row *row = &sheet_rows[list->sheet];
    if (list->sheet == SHEETS) {
        list_start(list, "sheet|what it is of|options of solve");
        for (unsigned i = 0; i < SHEETS; i++) {
            tidy_add(&list->rows, "%s %s %s", sheet_rows[i].name, sheet_rows[i].of,
                     sheet_rows[i].text);
        }
        return;
    }
    list_start(list, "figure|as the sheet's text defines it|what is printed");
    tidy_add(&list->rows, "%s %s", row->name, row->of);
    add_text(list, heap_format("tilelab solve %s", row->text));
    for (size_t i = 0; i < sheet_figure_count; i++) {
        if (sheet_figures[i].sheet != list->sheet)
            continue;
        tidy_add(&list->rows, "%s %s %s", sheet_figures[i].line, sheet_figures[i].there,
                 sheet_figures[i].here);
    }
}

/* The number of boards at each distance from the goal. */
void list_depths(struct list *list)
{
    SCOPED_BY(distances_end) struct distances distances;
    list_start(list, "depth|boards");
    distances_make(list->goal, &distances);
    for (unsigned depth = 0; depth <= distances.deepest; depth++) {
        add_text(list, heap_format("%u", depth));
        add_text(list, heap_format("%" PRIu32, distances.states[depth]));
    }
}
