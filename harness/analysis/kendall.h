/* Do two values rise together? Kendall's rank correlation, and from the same rows the quality of a
 * heuristic. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct kendall {
    double tau; /* tau-b, -1 to 1: concordant less discordant pairs, over the geometric mean of the
                   pairs without a tie in x and those without one in y */
    double p, log10_p; /* two-sided: that x and y are independent */
    bool exact;        /* without ties and up to KENDALL_EXACT points p is exact; otherwise it is
                          the normal approximation with its variance corrected for ties */
};

enum { KENDALL_EXACT = 100 };

/* NaN where all x or all y are equal, for fewer than two points, and where a value is NaN; values
 * may be infinite. O(n log n), and O(n^3) for up to KENDALL_EXACT points. Sources: Kendall and
 * Gibbons, Rank Correlation Methods, 5th edition, chapters 3 to 5; Knight, JASA 61 (1966). */
struct kendall kendall_tau_b(const double *x, const double *y, size_t count);

/* eta of a heuristic: the mean of b^-h over boards drawn uniformly, b the branching factor of the
 * space. IDA* expands about eta * b^d nodes to depth d, so the smaller of two etas is the better
 * heuristic, and their ratio the ratio of nodes. NaN for no boards or b not above 1. O(n log n): it
 * sorts a copy, so that the order of boards changes no bit. Source: Clausecker and Schintke, A
 * Measure of Quality for IDA* Heuristics, SoCS 2021. */
double heuristic_eta(const double *h, size_t count, double branching);
