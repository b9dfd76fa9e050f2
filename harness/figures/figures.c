#include "base/heap.h"
#include "base/named.h"
#include "harness/figures/looks.h"
#include "harness/figures/making.h"
#include <ctype.h>

const struct figure_row figure_rows[FIGURES] = {
#define FIGURE(name, of_metric, shows) {#name, shows, of_metric, figure_##name},
#include "harness/figures/figures.def"
#undef FIGURE
};

/* Text as part of a file's name, which may have 255 bytes: its beginning, in which other characters
 * than letters, digits, dots and dashes are '_'. */
static char *file_part(const char *text)
{
    enum { LONGEST = 80 };
    char *part = heap_format("%.*s", LONGEST, text);
    for (char *at = part; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) && strchr("-_.", *at) == NULL)
            *at = '_';
    return part;
}

/* FIGURE[-PARAMETER][-METRIC]-SET-WxH; with a number at the end if two sets would have the same
 * name. Heap memory, free(). */
static char *figure_name_of(const struct figures *figures, const struct making *making,
                            const struct figure_row *row)
{
    const struct block *block = making->block;
    SCOPED char *set = file_part(block->set);
    SCOPED char *size = block->width > 0 ? heap_format("-%ldx%ld", block->width, block->height)
                                         : heap_text("all-sets");
    const bool swept = row->make == figure_sweep || row->make == figure_quality;
    SCOPED char *by = file_part(swept && making->parameter != NULL ? making->parameter : "");
    SCOPED char *first = heap_format(
        "%s%s%s%s%s-%s%s", row->name, by[0] == '\0' ? "" : "-", by, row->of_metric ? "-" : "",
        row->of_metric ? metric_column(making->metric)->name : "", set, size);
    char *name = heap_text(first);
    for (unsigned number = 2;
         NAME_PLACE(figures->figures, figures->count, name, name) < figures->count; number++) {
        free(name);
        name = heap_format("%s-%u", first, number);
    }
    return name;
}

static void figure_end(struct figure *figure)
{
    FREE(figure->name, figure->title, figure->caption, figure->missing, figure->x_label,
         figure->y_label);
    tidy_end(&figure->table);
}

static void make(struct figures *figures, const struct making *making, const struct figure_row *row,
                 bool chosen)
{
    struct making own = *making;
    SCOPED bool *reported = reported_by(making);
    own.reported = reported;
    struct figure figure = {
        .kind = row->name,
        .block = making->block,
        .name = figure_name_of(figures, making, row),
    };
    row->make(&own, &figure);
    if (figure.unheld && !chosen) {
        figure_end(&figure);
        return;
    }
    *HEAP_ADD(figures->figures, figures->count) = figure;
}

struct figures figures_of(const struct results *results, const struct figures_options *options)
{
    struct figures figures = {0};
    for (size_t i = 0; i < results->block_count; i++) {
        struct making making = {.results = results,
                                .block = &results->blocks[i],
                                .baseline = options->baseline,
                                .tables = options->tables,
                                .parameter = options->parameter,
                                .figures = &figures};
        for (size_t j = 0; j < FIGURES; j++) {
            const bool chosen = options->chosen != NULL;
            for (unsigned metric = 0; metric < metric_count() && (!chosen || options->chosen[j]);
                 metric++) {
                making.metric = (enum metric)metric;
                if (figure_rows[j].of_metric ? options->metric[metric] : metric == 0)
                    make(&figures, &making, &figure_rows[j], chosen);
            }
        }
    }
    return figures;
}

/* Texts come from files and labels: what is not UTF-8 is '?'. */
static json_t *text_json(const char *text)
{
    SCOPED char *shown = text_printable(text);
    return json_string(shown);
}

static json_t *axis_json(const struct figure_axis *axis, const char *label)
{
    return json_pack("{s:o, s:b, s:b, s:o}", "label", text_json(label), "log", (int)axis->log,
                     "whole", (int)axis->whole, "zero_at",
                     isnan(axis->zero_at) ? json_null() : json_real(axis->zero_at));
}

/* NULL: there is none. */
static json_t *figure_json(const struct figure *figure)
{
    if (figure->missing != NULL)
        return NULL;
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:b, s:b, s:s, s:o}", "name",
                     text_json(figure->name), "kind", figure->kind, "title",
                     text_json(figure->title), "caption", text_json(figure->caption), "x",
                     axis_json(&figure->x, figure->x_label), "y",
                     axis_json(&figure->y, figure->y_label), "bands", (int)figure->bands, "panels",
                     (int)figure->panels, "optimum",
                     figure->block != NULL ? solution_word(figure->block) : "length", "rows",
                     tidy_json(&figure->table));
}

static json_t *series_json(const struct figures *figures)
{
    json_t *json = json_object();
    SCOPED_BY(names_end) struct names as = {0};
    for (size_t i = 0; i < figures->series_count; i++)
        names_add(&as, figures->series[i].as);
    SCOPED struct look *looks = heap_take(as.count, sizeof *looks);
    looks_of((const char *const *)as.text, as.count, looks);
    for (size_t i = 0; i < figures->series_count; i++) {
        const struct series *series = &figures->series[i];
        const struct look *look = &looks[names_find(&as, series->as)];
        json_object_set_new(json, series->name,
                            json_pack("{s:s, s:s, s:s, s:s}", "label", series->shown, "colour",
                                      look->colour, "mark", look->mark, "dashes", look->dashes));
    }
    return json;
}

json_t *figures_json(const struct figures *figures)
{
    return json_pack("{s:o, s:o}", "series", series_json(figures), "figures",
                     JSON_ARRAY(i, figures->count, figure_json(&figures->figures[i])));
}

void figures_end(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++)
        figure_end(&figures->figures[i]);
    for (size_t i = 0; i < figures->series_count; i++)
        FREE(figures->series[i].name, figures->series[i].shown, figures->series[i].as);
    FREE(figures->figures, figures->series);
    *figures = (struct figures){0};
}
