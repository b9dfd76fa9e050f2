/* Figures of predictions: the table that is printed, a line for each of its columns or distances.
 * scripts/plot.py draws them, as it draws the figures of results. */
#include "harness/figures/prediction_figure.h"
#include "base/heap.h"
#include "base/named.h"
#include <inttypes.h>

enum { MAX_LINES = 12 }; /* more have a panel each */

enum picture picture_of(const char *file)
{
    const char *name = file_name(file);
    const char *ending = strrchr(name, '.');
    return ending == NULL || ending == name ? PICTURES
                                            : WORD_PLACE(picture_names, PICTURES, ending + 1);
}

static double number_at(const struct tidy *table, size_t row, size_t column)
{
    return table->cells[row * table->column_count + column].number;
}

/* The number of a column; that of all columns if there is none of the name. */
/* Lines of numbers over a whole number. */
struct lines {
    const char *x;      /* the column of the whole number; columns of lines come after it .. */
    const char *before; /* .. and after this one, if it is not NULL */
    const char *x_label;
    const char *y_label;
};

static void make_lines(struct figures *figures, struct figure *figure, const struct tidy *table,
                       const struct lines *lines)
{
    const size_t rows = table->cell_count / table->column_count;
    const size_t x = tidy_find(table, lines->x);
    const size_t before = lines->before == NULL ? x : tidy_find(table, lines->before);
    bool bands = false;
    tidy_heads(&figure->table, "line|at|value|error");
    for (size_t i = before + 1; i < table->column_count; i++) {
        const struct tidy_heading *column = &table->columns[i];
        if (column->hidden || strstr(column->name, "_error") != NULL)
            continue;
        const char *shown =
            column->heading != NULL && column->heading[0] != '\0' ? column->heading : column->name;
        SCOPED char *own = heap_format("%s_error", column->name);
        const size_t error = tidy_find(table, own);
        const char *line = figures_add_series(figures, column->name, shown, column->name);
        for (size_t row = 0; row < rows; row++) {
            /* The mean of all has no place; a tree that is too large to walk has no number. */
            if (isnan(number_at(table, row, x)) || isnan(number_at(table, row, i)))
                continue;
            tidy_add(&figure->table, "%s %g %g %g", line, number_at(table, row, x),
                     number_at(table, row, i),
                     error < table->column_count ? number_at(table, row, error) : NAN);
        }
        heap_append(&figure->caption, "%s%s: %s.", figure->caption == NULL ? "" : " ", shown,
                    column->meaning);
        bands = bands || error < table->column_count;
    }
    if (bands)
        heap_append(&figure->caption, " Bands: intervals of 95 %%.");
    figure->kind = "lines";
    figure->x = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_text(lines->x_label);
    figure->y = figure_axis_of(&figure->table, 2, 2, false);
    figure->y_label = heap_text(lines->y_label);
    figure_note_zeros(figure, &figure->y);
}

static void make_nodes(const struct prediction *prediction, struct figures *figures,
                       struct figure *figure, const struct tidy *table)
{
    static const struct lines lines = {
        .x = "threshold", .x_label = "threshold", .y_label = "nodes of a whole round"};
    make_lines(figures, figure, table, &lines);
    if (!prediction->has_board)
        heap_append(&figure->caption, " Means have three decimals.");
}

static void make_cover(struct figures *figures, struct figure *figure, const struct tidy *table)
{
    static const struct lines lines = {.x = "optimal_length",
                                       .before = "boards",
                                       .x_label = "distance",
                                       .y_label = "states, mean"};
    make_lines(figures, figure, table, &lines);
}

static void make_distribution(const struct prediction *prediction, struct figures *figures,
                              struct figure *figure, const struct tidy *table)
{
    const size_t rows = table->cell_count / table->column_count;
    const size_t distance = tidy_find(table, "distance"), h = tidy_find(table, "h");
    const size_t share = tidy_find(table, "share_up_to");
    size_t lines = 0;
    const char *line = NULL;
    tidy_heads(&figure->table, "line|h|share");
    for (size_t row = 0; row < rows; row++) {
        const double depth = distance < table->column_count ? number_at(table, row, distance) : NAN;
        SCOPED char *name =
            isnan(depth) ? heap_text("all boards") : heap_format("distance %g", depth);
        if (line == NULL || strcmp(line, name) != 0) {
            line = figures_add_series(figures, name, name, name);
            lines++;
        }
        tidy_add(&figure->table, "%s %g %g", line, number_at(table, row, h),
                 number_at(table, row, share));
    }
    figure->panels = lines > MAX_LINES;
    figure->caption = heap_format("P(h): %s.%s", table->columns[share].meaning,
                                  figure->panels ? " A panel for each distance." : "");
    if (!prediction->exact)
        heap_append(&figure->caption, " From %" PRIu64 " uniform boards (seed %" PRIu64 ").",
                    prediction->boards, prediction->seed);
    figure->x = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_text("h");
    figure->y = (struct figure_axis){.zero_at = NAN};
    figure->y_label = heap_text("P(h)");
}

bool prediction_draw(const struct prediction *prediction, const char *file, FILE *errors)
{
    const struct document *document = &prediction->document;
    const char *name = file_name(file);
    SCOPED_BY(figures_end)
    struct figures figures = {.figures = heap_take(1, sizeof(struct figure)), .count = 1};
    struct figure *figure = &figures.figures[0];
    figure->name = heap_format("%.*s", (int)(strrchr(name, '.') - name), name);
    for (size_t i = 0; i < document->count; i++) { /* notes follow the table */
        const struct document_part *part = &document->parts[i];
        if (part->kind == PART_NOTE && strcmp(figure->kind, "lines") == 0)
            heap_append(&figure->caption, " %s", part->text);
        if (part->kind != PART_TABLE || strcmp(part->name, "mean") == 0)
            continue;
        figure->kind = part->name;
        figure->title = heap_text(part->text);
        if (strcmp(part->name, "nodes") == 0)
            make_nodes(prediction, &figures, figure, &part->table);
        else if (strcmp(part->name, "cover") == 0)
            make_cover(&figures, figure, &part->table);
        else
            make_distribution(prediction, &figures, figure, &part->table);
    }
    SCOPED char *folder =
        name == file ? heap_text(".") : heap_format("%.*s", (int)(name - file), file);
    struct drawing drawing = {
        .folder = folder, .width_mm = DEFAULT_WIDTH_MM, .elsewhere = "--figure FILE"};
    drawing.pictures[picture_of(file)] = true;
    return figures_draw(&figures, &drawing, errors);
}
