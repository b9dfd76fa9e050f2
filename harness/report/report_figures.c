#include "base/heap.h"
#include "harness/report/results_report.h"
#include "harness/text/html.h"
#include "harness/text/screen.h"
#include <errno.h>
#include <unistd.h>

struct figures report_figures(const struct results_report *report)
{
    const struct comparison *comparison = report->comparison;
    const struct results *results = &comparison->results;
    struct figures figures = {0};
    if (results->count > 0) {
        struct figures_options wanted = {.baseline = comparison->baseline,
                                         .tables = &comparison->side};
        comparison_metrics(comparison, wanted.metric);
        figures = figures_of(results, &wanted);
    }
    return figures;
}

bool any_figure(const struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++)
        if (figures->figures[i].missing == NULL)
            return true;
    return false;
}

void picture_put(const struct figure *figure, const char *folder, FILE *file, FILE *errors)
{
    SCOPED char *path = heap_format("%s/%s.svg", folder, figure->name);
    SCOPED_BY(report_end) struct report report = {.file = path};
    SCOPED char *svg = file_read(path, NULL, &report);
    if (svg == NULL)
        fputs(report.text, errors);
    fputs("<figure class=\"drawn\">\n", file);
    html_picture(svg == NULL ? "" : svg, file);
    fputs("</figure>\n", file);
}

char *pictures_draw(const struct figures *figures, enum picture picture, FILE *errors)
{
    /* Letters of a figure in a page are read on a telephone, which is as wide as a column. */
    enum { PAGE_MM = 84, SHEET_MM = 160 };
    const char *place = getenv("TMPDIR");
    char *folder =
        heap_format("%s/tilelab-report-XXXXXX", place == NULL || place[0] == '\0' ? "/tmp" : place);
    struct drawing drawing = {.folder = folder,
                              .width_mm = picture == PICTURE_SVG ? PAGE_MM : SHEET_MM};
    const bool made = mkdtemp(folder) != NULL;
    drawing.pictures[picture] = true;
    if (!made)
        screen_say(errors, "tilelab report: cannot make a folder '%s': %s\n", folder,
                   strerror(errno));
    if (made && figures_draw(figures, &drawing, errors))
        return folder;
    fputs("tilelab report: the figures are left out\n", errors);
    if (made)
        pictures_remove(figures, folder, picture);
    else
        free(folder);
    return NULL;
}

void pictures_remove(const struct figures *figures, char *folder, enum picture picture)
{
    for (size_t i = 0; i < figures->count; i++) {
        SCOPED char *path =
            heap_format("%s/%s.%s", folder, figures->figures[i].name, picture_names[picture]);
        unlink(path);
    }
    rmdir(folder);
    free(folder);
}

static void put_missing(const struct figures *figures, FILE *file)
{
    fputs("<ul class=\"note\">\n", file);
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->figures[i];
        if (figure->missing == NULL)
            continue;
        fputs("<li>", file);
        html_text(figure->block->name, file);
        fprintf(file, ", %s: ", figure->kind);
        html_text(figure->missing, file);
        fputs("</li>\n", file);
    }
    fputs("</ul>\n", file);
}

/* Puts the figures into the page: all of them or a sentence that says why there are none. */
static void put_figures(const struct figures *figures, FILE *file, FILE *errors)
{
    const struct block *block = NULL;
    const bool any = any_figure(figures);
    char *folder = any ? pictures_draw(figures, PICTURE_SVG, errors) : NULL;
    if (any && folder == NULL)
        fputs("<p>The figures could not be drawn. They need python3; with it, <code>tilelab "
              "report</code> puts them here.</p>\n",
              file);
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->figures[i];
        if (folder == NULL || figure->missing != NULL)
            continue;
        if (figure->block != block) {
            fputs(block == NULL ? "<h3>" : "</div>\n<h3>", file);
            html_text(figure->block->name, file);
            fputs("</h3>\n<div class=\"pictures\">\n", file);
        }
        block = figure->block;
        picture_put(figure, folder, file, errors);
    }
    fputs(block == NULL ? "" : "</div>\n", file);
    if (folder != NULL)
        pictures_remove(figures, folder, PICTURE_SVG);
    put_missing(figures, file);
}

char *figures_html(const struct results_report *report)
{
    SCOPED_BY(figures_end) struct figures figures = report_figures(report);
    return WRITTEN(file, put_figures(&figures, file, report->errors));
}
