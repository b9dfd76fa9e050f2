#include "harness/report/by_solver.h"
#include "base/heap.h"
#include "harness/figures/making.h"
#include "harness/report/page_report.h"
#include "harness/results/messages.h"
#include "harness/text/screen.h"
#include <ctype.h>
#include <errno.h>
#include <strings.h>

enum { MIN_CLASS = 5 }; /* quartiles of fewer would be somebody's own values */
enum { LONGEST = 500 }; /* moves of a shortest path that the figure shows */

/* ---- Names of files ---- */

/* A label as the name of a file: what is no letter, digit, - or . becomes _. Of labels that then
 * are alike, small or large, the later ones have a number. */
static char **file_names(const struct marks *marks)
{
    char **names = heap_take(marks->solver_count, sizeof *names);
    for (size_t i = 0; i < marks->solver_count; i++) {
        SCOPED char *base = heap_text(marks->solvers[i].label);
        for (char *at = base; *at != '\0'; at++)
            if (!isalnum((unsigned char)*at) && (strchr("-.", *at) == NULL || at == base))
                *at = '_';
        names[i] = heap_text(base);
        for (size_t j = 0, number = 1; j < i;) {
            const bool alike = strcasecmp(names[i], names[j]) == 0;
            j = alike ? 0 : j + 1;
            if (alike) {
                free(names[i]);
                names[i] = heap_format("%s-%zu", base, ++number);
            }
        }
    }
    return names;
}

/* ---- The curve in the band of the class ---- */

/* What figures are about: boards of one size whose optimal length is known. */
struct curves {
    const struct results *results;
    long width, height;
    enum metric metric;
};

/* The medians of a solver at each optimal length, added to `points`. */
static size_t add_medians(const struct curves *curves, size_t solver, struct point *points)
{
    const struct results *results = curves->results;
    SCOPED double *values = heap_take(results->instances.count, sizeof *values);
    size_t count = 0;
    for (long length = 0; length <= LONGEST; length++) {
        size_t used = 0;
        for (size_t i = 0; i < results->instances.count; i++) {
            const struct known_instance *known = &results->known[i];
            const struct outcome *outcome = results_outcome(results, solver, i);
            if (known->optimal == length && known->start.shape.width == curves->width &&
                known->start.shape.height == curves->height && outcome->attempts > 0)
                values[used++] =
                    outcome->finished ? outcome_value(results, outcome, curves->metric) : INFINITY;
        }
        const double median = used == 0 ? NAN : median_of(values, used);
        if (!isnan(median))
            points[count++] = (struct point){(double)length, median};
    }
    return count;
}

/* The figure of a submission: its line, and the quartiles of the class where it is large enough. */
static void make_curve(const struct marks *marks, const struct curves *curves, size_t number,
                       struct figures *figures)
{
    struct figure *figure = &figures->figures[number];
    const struct marked_solver *own = &marks->solvers[number];
    SCOPED struct point *points =
        heap_take(marks->solver_count * (size_t)(LONGEST + 1), sizeof *points);
    size_t others = 0;
    size_t count = 0;
    figure->kind = "by_length";
    figure->name = heap_format("curve-%zu", number);
    tidy_heads(&figure->table, "solver|length|boards|solved|lower|median|upper");
    for (size_t i = 0; i < marks->solver_count; i++) {
        const size_t more = add_medians(curves, marks->solvers[i].solver, points + count);
        others += more > 0;
        count += more;
    }
    if (others >= MIN_CLASS)
        add_bands(&figure->table, figures_add_series(figures, "the class", "the class", "bfs"),
                  points, count);
    count = add_medians(curves, own->solver, points);
    add_bands(&figure->table,
              figures_add_series(figures, own->label, own->label, "astar(manhattan)"), points,
              count);
    if (!is_line(&figure->table))
        figure_refuse(figure, "solved boards of two optimal lengths are needed");
    figure->bands = true;
    figure->x = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_text("optimal solution length (moves)");
    figure->y = figure_axis_of(&figure->table, 4, 6, metric_is_whole(curves->metric));
    figure->y_label = metric_label(curves->metric);
    figure->title = heap_format("%s by solution length, %ldx%ld", figure->y_label, curves->width,
                                curves->height);
    figure->caption =
        others >= MIN_CLASS
            ? heap_format("Medians; the band is from quartile to quartile of the class, %zu "
                          "submissions, and its line their median. An unsolved board is worse than "
                          "any solved one.",
                          others)
            : heap_text("Medians. An unsolved board is worse than any solved one.");
    figure_note_zeros(figure, &figure->y);
}

static struct figures make_curves(const struct results_report *report, const struct marks *marks)
{
    const struct results *results = marks->results;
    const struct block *largest = &results->blocks[0];
    struct figures figures = {.figures = heap_take(marks->solver_count, sizeof(struct figure)),
                              .count = marks->solver_count};
    for (size_t i = 0; i < results->block_count; i++)
        if (results->blocks[i].count > largest->count)
            largest = &results->blocks[i];
    const struct curves curves = {results, largest->width, largest->height,
                                  comparison_metric(report->comparison, METRICS)};
    for (size_t i = 0; i < marks->solver_count; i++)
        make_curve(marks, &curves, i, &figures);
    return figures;
}

/* ---- Messages ---- */

struct messages_of {
    const struct marks *marks;
    const struct results_report *report;
    char **texts; /* by run */
};

/* Keeps the message of a run's own row; where it names another solver of the class, which
 * contradicts it, only that one does. */
static void keep_message(void *context, const char *run_id, const char *finished_at,
                         const char *status, const char *message)
{
    struct messages_of *messages = context;
    const struct results *results = messages->marks->results;
    const size_t run = names_find(&results->run_ids, run_id);
    if (run == NAMES_NONE || run >= results->count ||
        strcmp(page_runs_text(messages->marks->runs, run, COLUMN_finished_at), finished_at) != 0 ||
        strcmp(page_runs_text(messages->marks->runs, run, COLUMN_status), status) != 0)
        return;
    bool other = false;
    for (size_t i = 0; i < messages->marks->solver_count; i++) {
        const size_t solver = messages->marks->solvers[i].solver;
        other = other || (solver != results->runs[run].solver &&
                          strstr(message, results->solvers.text[solver]) != NULL);
    }
    free(messages->texts[run]);
    messages->texts[run] = heap_text(other ? "the path of another solver is shorter" : message);
}

/* ---- The files ---- */

static bool write_page(const char *path, const char *text, FILE *errors)
{
    const bool written = file_write(path, text, strlen(text));
    if (!written)
        screen_say(errors, "tilelab report: cannot write '%s': %s; -o DIR writes elsewhere\n", path,
                   file_problem(errno));
    return written;
}

static bool write_class(const struct results_report *report, const struct marks *marks,
                        char *const *names, const char *folder)
{
    struct results_report own = *report;
    SCOPED_BY(document_end) struct document document = class_document(marks, names);
    own.document = &document;
    SCOPED char *text = WRITTEN(file, results_page_write(&own, file));
    SCOPED char *path = heap_format("%s/class.html", folder);
    return write_page(path, text, report->errors);
}

static bool write_submission(const struct results_report *report, const struct marks *marks,
                             size_t number, const struct messages_of *messages,
                             const struct figure *figure, const char *pictures, const char *path)
{
    SCOPED char *drawn =
        pictures != NULL && figure->missing == NULL
            ? WRITTEN(file, picture_put(figure, pictures, file, report->errors))
            : heap_format("<p class=\"note\">There is no figure: %s.</p>\n",
                          figure->missing == NULL ? "it could not be drawn" : figure->missing);
    SCOPED char *text = WRITTEN(file, submission_write(report, marks, &marks->solvers[number],
                                                       messages->texts, drawn, file));
    return write_page(path, text, report->errors);
}

bool by_solver_write(const struct results_report *report, const struct marks *marks,
                     const char *folder)
{
    const size_t runs = marks->results->count;
    char **names = file_names(marks);
    SCOPED char *own = heap_format("%s/submissions", folder);
    struct messages_of messages = {marks, report, heap_take(runs, sizeof(char *))};
    bool fine = folders_make(own);
    if (!fine)
        screen_say(report->errors, "tilelab report: cannot make the folder '%s': %s\n", own,
                   strerror(errno));
    SCOPED_BY(figures_end) struct figures figures = make_curves(report, marks);
    char *pictures =
        fine && any_figure(&figures) ? pictures_draw(&figures, PICTURE_SVG, report->errors) : NULL;
    messages_each(report->folder, keep_message, &messages);
    fine = fine && write_class(report, marks, names, folder);
    for (size_t i = 0; fine && i < marks->solver_count; i++) {
        SCOPED char *path = heap_format("%s/%s.html", own, names[i]);
        fine = write_submission(report, marks, i, &messages, &figures.figures[i], pictures, path);
    }
    if (pictures != NULL)
        pictures_remove(&figures, pictures, PICTURE_SVG);
    heap_free_texts(messages.texts, runs);
    heap_free_texts(names, marks->solver_count);
    return fine;
}
