/* The reports of results: a page that needs no network, and the skeleton of a text to hand in. */
#pragma once

#include "harness/compare/comparison.h"
#include "harness/figures/draw.h"
#include "harness/report/page_runs.h"

struct results_report {
    const char *const *paths; /* of the results, as the command line names them */
    size_t count;
    const char *name;                /* of the report, where no experiment has one */
    const char *folder;              /* that the results lie in; NULL: there are several */
    struct comparison *comparison;   /* read and told (compare/findings.h) */
    const struct page_runs *runs;    /* of the page: all, or some; */
    const char *sampled;             /* which ones, as sentences; NULL: all */
    const struct document *document; /* what the page tells; NULL: the comparison's */
    FILE *errors;
};

/* Writes the page, with its figures drawn where that can be done. */
void results_page_write(const struct results_report *report, FILE *file);

/* Writes the skeleton, in Markdown: what was run and what came of it is there, what was asked and
 * what it means is to be written. It shows the pictures FIGURE.ENDING in the folder `link`; NULL:
 * none. Changes the headings of the comparison's document. */
void results_skeleton_write(const struct results_report *report, const char *link,
                            enum picture ending, FILE *file);

/* Where the pictures of `tilelab plot` are, from the file `output` that links to them; free(). */
char *skeleton_link(const struct results_report *report, const char *output);

/* The skeleton as a document for Word (docx), *length bytes in heap memory, with its figures as PNG
 * where they can be drawn. NULL, with a message, where pandoc does not make it. */
char *results_docx(const struct results_report *report, size_t *length);

/* ---- What they share ---- */

/* The figures that the results can carry; figures_end. */
struct figures report_figures(const struct results_report *report);

/* Whether some figure is not missing. */
bool any_figure(const struct figures *figures);

/* Draws the figures in a folder of the moment; NULL, with a message, if they cannot be drawn.
 * pictures_remove removes the folder with what is in it. */
char *pictures_draw(const struct figures *figures, enum picture picture, FILE *errors);
void pictures_remove(const struct figures *figures, char *folder, enum picture picture);

/* Puts a picture of pictures_draw into a page. */
void picture_put(const struct figure *figure, const char *folder, FILE *file, FILE *errors);

/* The figures drawn: HTML with all of them, or with a sentence that says
 * why there are none; heap memory. */
char *figures_html(const struct results_report *report);
