/* The files of figures: pictures, and their numbers as CSV. */
#pragma once

#include "harness/figures/draw.h"

struct figure_files {
    struct drawing drawing;
    bool own_folder; /* it is the results' own, and may not be a link */
    bool data;       /* write the numbers, too */
    FILE *paths; /* gets the path of each file; NULL: nobody wants to know, nor what is missing */
    FILE *errors;
};

/* Writes the figures and removes those of an earlier call that are missing now. False with a
 * message. */
bool figure_files_write(const struct figures *figures, const struct figure_files *files);
