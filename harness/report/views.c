/* Each row begins with the block's name, which programs need where blocks follow one another. */
#include "harness/report/views.h"
#include "base/heap.h"
#include "harness/text/human.h"
#include <math.h>

/* A table that begins with the block and, where there is a row a solver, with that. */
static struct tidy start(bool by_solver)
{
    struct tidy tidy = {0};
    tidy_column(&tidy, "block", "", "");
    tidy_hide(&tidy);
    if (by_solver) {
        tidy_column(&tidy, "solver", "", "");
        tidy_shape(&tidy, SHAPE_TEXT);
    }
    return tidy;
}

static void shaped(struct tidy *tidy, const char *name, const char *unit, enum tidy_shape shape)
{
    tidy_column(tidy, name, unit, "");
    tidy_shape(tidy, shape);
}

/* "1.02 .. 1.13", or "-" */
static void add_interval(struct tidy *tidy, double low, double high)
{
    char *text = isnan(low)
                     ? heap_text("-")
                     : heap_format("%s .. %s", human_ratio(low).text, human_ratio(high).text);
    tidy_text(tidy, text);
    free(text);
}

struct tidy pairs_view(const struct pairs *pairs, enum metric metric, const struct results *results)
{
    static const char *const bounds[] = {[RATIO_KNOWN] = "",
                                         [RATIO_AT_LEAST] = ">= ",
                                         [RATIO_AT_MOST] = "<= ",
                                         [RATIO_UNKNOWN] = "?"};
    static const char *const counts[] = {"wins", "ties", "losses", "both solved"};
    struct tidy tidy = start(true);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        tidy_column(&tidy, counts[i], "", "");
    tidy_column(&tidy, "ratio", "", "");
    tidy_shape(&tidy, SHAPE_RATIO);
    tidy_column(&tidy, "95 % interval", "", "");
    tidy_column(&tidy, "with unsolved", "", "");
    tidy_column(&tidy, "p", "", "");
    tidy_shape(&tidy, SHAPE_P);
    tidy_column(&tidy, correction_name(pairs->options.correction), "", "");
    tidy_shape(&tidy, SHAPE_P);
    for (size_t i = 0; i < pairs->solvers; i++) {
        const struct pair *pair = &pairs_by(pairs, metric)[i];
        const struct interval *interval = &pair->ratio.solved.interval;
        tidy_text(&tidy, pairs->block->name);
        tidy_text(&tidy, results->shown[pair->solver]);
        tidy_number(&tidy, (double)pair->order.wins);
        tidy_number(&tidy, (double)pair->order.ties);
        tidy_number(&tidy, (double)pair->order.losses);
        tidy_number(&tidy, (double)pair->order.both);
        tidy_mark(&tidy, pair->unverified > 0 ? "?" : "");
        tidy_number(&tidy, pair->ratio.solved.value);
        char *text = isnan(interval->low) ? heap_text("-")
                                          : heap_format("%s .. %s", human_ratio(interval->low).text,
                                                        human_ratio(interval->high).text);
        tidy_text(&tidy, text);
        free(text);
        text = heap_format(
            "%s%s", bounds[pair->ratio.bound],
            pair->ratio.bound == RATIO_UNKNOWN ? "" : human_ratio(pair->ratio.spent).text);
        tidy_text(&tidy, text);
        free(text);
        tidy_number(&tidy, pair->p);
        tidy_number(&tidy, pair->p_adjusted);
    }
    return tidy;
}

struct tidy effects_view(const struct pairs *pairs, enum metric metric,
                         const struct results *results)
{
    struct tidy tidy = start(true);
    tidy_column(&tidy, "Hodges-Lehmann", "", "");
    tidy_shape(&tidy, SHAPE_RATIO);
    tidy_column(&tidy, "95 % interval", "", "");
    tidy_column(&tidy, "rank-biserial", "", "");
    tidy_shape(&tidy, SHAPE_SHARE);
    tidy_column(&tidy, "sign test p", "", "");
    tidy_shape(&tidy, SHAPE_P);
    tidy_column(&tidy, "A12", "", "");
    tidy_shape(&tidy, SHAPE_SHARE);
    tidy_column(&tidy, "Cliff's delta", "", "");
    tidy_shape(&tidy, SHAPE_SHARE);
    tidy_column(&tidy, "least p", "", "");
    tidy_shape(&tidy, SHAPE_P);
    for (size_t i = 0; i < pairs->solvers; i++) {
        const struct pair *pair = &pairs_by(pairs, metric)[i];
        const struct interval *interval = &pair->shift.interval;
        tidy_text(&tidy, pairs->block->name);
        tidy_text(&tidy, results->shown[pair->solver]);
        tidy_number(&tidy, exp(pair->shift.estimate));
        add_interval(&tidy, exp(interval->low), exp(interval->high));
        tidy_number(&tidy, pair->biserial);
        tidy_number(&tidy, pair->sign_p);
        tidy_number(&tidy, pair->a12);
        tidy_number(&tidy, pair->cliffs_delta);
        tidy_number(&tidy, pair->p_least);
    }
    return tidy;
}

static void add_standing(struct tidy *tidy, const struct block *block, const char *name,
                         const struct standing *own, const struct standings *standings)
{
    tidy_text(tidy, block->name);
    tidy_text(tidy, name);
    tidy_text(tidy, metric_column(standings->metric)->name);
    tidy_number(tidy, (double)own->solved);
    tidy_number(tidy, own->par2);
    tidy_number(tidy, own->par10);
    tidy_number(tidy, own->restricted_mean);
    tidy_number(tidy, own->median);
    tidy_number(tidy, own->logrank_p);
    tidy_number(tidy, own->rank);
    tidy_number(tidy, (double)own->best);
    for (size_t i = 0; i < PROFILE_RATIOS; i++)
        tidy_number(tidy, own->within[i]);
}

struct tidy standings_view(const struct standings *standings, const struct block *block,
                           const struct results *results)
{
    struct tidy tidy = start(true);
    const char *unit = metric_column(standings->metric)->unit;
    tidy_column(&tidy, "metric", "", "");
    tidy_hide(&tidy);
    tidy_column(&tidy, "solved", "", "");
    shaped(&tidy, "PAR2", unit, SHAPE_MEAN);
    shaped(&tidy, "PAR10", unit, SHAPE_MEAN);
    shaped(&tidy, "restricted mean", unit, SHAPE_MEAN);
    tidy_column(&tidy, "half solved by", unit, "");
    shaped(&tidy, "log-rank p", "", SHAPE_P);
    shaped(&tidy, "rank", "", SHAPE_SHARE);
    tidy_column(&tidy, "best on", "", "");
    for (size_t i = 0; i < PROFILE_RATIOS; i++) {
        char *heading = heap_format("within %gx", profile_ratios[i]);
        shaped(&tidy, heading, "", SHAPE_SHARE);
        free(heading);
    }
    for (size_t i = 0; i < standings->count; i++)
        add_standing(&tidy, block, results->shown[standings->rows[i].solver], &standings->rows[i],
                     standings);
    if (standings->count > 1)
        add_standing(&tidy, block, "virtual best solver", &standings->virtual_best, standings);
    return tidy;
}

static void add_growth(struct tidy *tidy, const struct growth *growth)
{
    tidy_number(tidy, exp(growth->slope));
    add_interval(tidy, exp(growth->interval.low), exp(growth->interval.high));
}

struct tidy growth_view(const struct results *results, const struct block *block,
                        enum metric metric)
{
    struct tidy tidy = start(true);
    tidy_column(&tidy, "metric", "", "");
    tidy_hide(&tidy);
    tidy_column(&tidy, "solved", "", "");
    tidy_column(&tidy, "unsolved", "", "");
    shaped(&tidy, "least squares", "", SHAPE_RATIO);
    tidy_column(&tidy, "95 % interval", "", "");
    shaped(&tidy, "R squared", "", SHAPE_SHARE);
    shaped(&tidy, "Theil-Sen", "", SHAPE_RATIO);
    tidy_column(&tidy, "its interval", "", "");
    for (size_t i = 0; i < results->solvers.count; i++) {
        const struct trend trend = trend_of(results, block, i, metric);
        if (trend.solved < 2)
            continue;
        tidy_text(&tidy, block->name);
        tidy_text(&tidy, results->shown[i]);
        tidy_text(&tidy, metric_column(metric)->name);
        tidy_number(&tidy, (double)trend.solved);
        tidy_number(&tidy, (double)trend.unsolved);
        add_growth(&tidy, &trend.least_squares);
        tidy_number(&tidy, trend.least_squares.r_squared);
        add_growth(&tidy, &trend.theil_sen);
    }
    return tidy;
}

struct tidy heuristics_view(const struct results *results, const struct block *block)
{
    struct tidy tidy = start(true);
    tidy_column(&tidy, "boards", "", "");
    shaped(&tidy, "mean h", "", SHAPE_MEAN);
    shaped(&tidy, "mean optimum", "", SHAPE_MEAN);
    shaped(&tidy, "relative error", "", SHAPE_RATIO);
    shaped(&tidy, "above optimum", "", SHAPE_SHARE);
    shaped(&tidy, "Kendall's tau", "", SHAPE_SHARE);
    shaped(&tidy, "p", "", SHAPE_P);
    shaped(&tidy, "eta", "", SHAPE_RATIO);
    for (size_t i = 0; i < results->solvers.count; i++) {
        const struct heuristic_quality quality = heuristic_quality_of(results, block, i);
        if (quality.instances == 0)
            continue;
        tidy_text(&tidy, block->name);
        tidy_text(&tidy, results->shown[i]);
        tidy_number(&tidy, (double)quality.instances);
        tidy_number(&tidy, quality.mean_h);
        tidy_number(&tidy, quality.mean_length);
        tidy_number(&tidy, quality.error);
        tidy_number(&tidy, quality.above);
        tidy_number(&tidy, quality.tau.tau);
        tidy_number(&tidy, quality.tau.p);
        tidy_number(&tidy, quality.eta);
    }
    return tidy;
}

struct tidy h_view(const struct results *results, const struct by_depth *by_depth)
{
    struct tidy tidy = start(false);
    const struct block *block = by_depth->block;
    tidy_column(&tidy, "d", "", "");
    for (size_t i = 0; i < results->solvers.count; i++)
        shaped(&tidy, results->shown[i], "", SHAPE_MEAN);
    for (size_t i = 0; i < by_depth->count; i++) {
        if (i > 0 && by_depth->rows[i].length == by_depth->rows[i - 1].length)
            continue; /* pooled sizes */
        tidy_text(&tidy, block->name);
        tidy_number(&tidy, (double)by_depth->rows[i].length);
        for (size_t j = 0; j < results->solvers.count; j++)
            tidy_number(&tidy, mean_h_at(results, block, j, by_depth->rows[i].length));
    }
    return tidy;
}
