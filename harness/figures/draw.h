/* Has scripts/plot.py, which ships with the program, draw figures. */
#pragma once

#include "harness/figures/figures.h"

enum { DEFAULT_WIDTH_MM = 160 };

enum picture { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF, PICTURE_TIKZ, PICTURES };
extern const char *const picture_names[PICTURES]; /* the endings of the files, too */

struct drawing {
    const char *folder; /* made if need be */
    bool pictures[PICTURES];
    double width_mm;
    bool no_title;     /* title and notes go to FOLDER/NAME.txt instead; TikZ never has them */
    const char *font;  /* "sans" or "serif"; NULL: sans */
    const char *style; /* a file of matplotlib's settings; NULL: none */
    bool remembered;   /* what was drawn is noted in the folder (.drawn.json) and not drawn again */
    const char *elsewhere; /* the option that writes elsewhere, for messages; NULL: "-o DIR" */
};

/* Draws all figures that are not missing into FOLDER/NAME.svg and so on, each file whole or not at
 * all. The same figures give the same bytes. Several SVGs can be put into one HTML page, since
 * their ids are unique; a point of one run links to "#run-RUN_ID". False
 * with a message to `errors`. */
bool figures_draw(const struct figures *figures, const struct drawing *drawing, FILE *errors);
