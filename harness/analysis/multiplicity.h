/* Corrections of p values for testing a family of hypotheses at once.
 *
 * p values that are NaN stay NaN and are no members of the family. Adjusted values are at most 1
 * and have the order of the given ones. O(m log m). */
#pragma once

#include <stddef.h>

/* What stays below 5 % when hypotheses with an adjusted p below 5 % are rejected. With m hypotheses
 * and p(i) the i-th smallest: */
enum correction {
    /* the chance of any false rejection, whatever the dependence: the largest of (m - j + 1) p(j)
     * over j <= i. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian
     * Journal of Statistics 6 (1979). */
    CORRECTION_HOLM,
    /* the same for independent or positively dependent tests: the smallest of (m - j + 1) p(j) over
     * j >= i. Hochberg, A Sharper Bonferroni Procedure for Multiple Tests of Significance,
     * Biometrika 75 (1988). */
    CORRECTION_HOCHBERG,
    /* the expected share of false rejections among all, for independent or positively dependent
     * tests: the smallest of (m / j) p(j) over j >= i. Benjamini and Hochberg, Controlling the
     * False Discovery Rate, Journal of the Royal Statistical Society B 57 (1995). */
    CORRECTION_BENJAMINI_HOCHBERG,
};

/* Writes the adjusted p of p[i] into adjusted[i]. */
void adjust(enum correction correction, const double *p, size_t count, double *adjusted);
