/* Each row begins with the block's name, which programs need where blocks follow one another. */
#include "harness/compare/views.h"
#include "base/heap.h"
#include "harness/analysis/costs.h"
#include "harness/compare/sentence.h"
#include "harness/text/human.h"

struct tidy view_start(bool by_solver)
{
    struct tidy tidy = {0};
    tidy_column(&tidy, "block", "", "")->hidden = true;
    if (by_solver)
        tidy_column_as(&tidy, "solver", "", SHAPE_TEXT);
    return tidy;
}

/* "1.02 .. 1.13", or "-" */
static void add_interval(struct tidy *tidy, double low, double high)
{
    SCOPED char *text =
        isnan(low) ? heap_text("-")
                   : heap_format("%s .. %s", human_ratio(low).text, human_ratio(high).text);
    tidy_text(tidy, text);
}

/* The medians of the overview besides that of the requested metric. */
enum { SHOWN = 4 };

struct shown {
    enum metric metric[SHOWN];
};

/* Of solutions the costs if moves have some in one of the blocks, else the lengths. */
static struct shown shown_of(const struct results *results)
{
    struct shown shown = {{METRIC_expanded, METRIC_generated, METRIC_length, METRIC_wall_s}};
    for (size_t i = 0; i < results->block_count; i++)
        if (solution_metric(&results->blocks[i]) == METRIC_cost)
            shown.metric[2] = METRIC_cost;
    return shown;
}

static bool is_shown(const struct shown *shown, enum metric metric)
{
    for (size_t i = 0; i < SHOWN; i++)
        if (shown->metric[i] == metric)
            return true;
    return false;
}

struct tidy overview_start(const struct results *results, enum metric metric)
{
    const struct shown shown = shown_of(results);
    struct tidy tidy = {0};
    tidy_column_as(&tidy, "block", "", SHAPE_TEXT)->section = true;
    tidy_heads(&tidy, "solver:t|runs:-|solved|unverified:-");
    for (unsigned i = 0; i < STATUSES; i++)
        if (i != STATUS_solved)
            tidy_column(&tidy, status_rows[i].name, "", "")->hidden = true;
    if (!is_shown(&shown, metric))
        tidy_column(&tidy, metric_column(metric)->name, metric_column(metric)->unit, "");
    for (size_t i = 0; i < SHOWN; i++) {
        const struct column *column = metric_column(shown.metric[i]);
        tidy_column(&tidy, shown.metric[i] == METRIC_wall_s ? "time" : column->name, column->unit,
                    "");
    }
    tidy_column_as(&tidy, "verdict", "", SHAPE_TEXT)->heading =
        heap_format("verdict on %s", metric_column(metric)->name);
    return tidy;
}

/* "147/150", and unverified ones apart: "100+47?/150" */
static void add_solved(struct tidy *tidy, const struct solver_summary *own)
{
    SCOPED char *mark = heap_text("");
    if (own->unverified > 0)
        heap_append(&mark, "+%zu?", own->unverified);
    if (own->solved + own->unverified < own->runs)
        heap_append(&mark, "/%zu", own->runs);
    tidy_number(tidy, (double)own->solved);
    tidy_mark(tidy, mark);
}

/* The marks at figures of a solver: unverified runs, what metric_is_doubted says, and
 * instances that it never tried. */
static const char *mark_of(const struct summary *summary, const struct solver_summary *own,
                           enum metric metric)
{
    static const char *const marks[] = {"", "?", "*", "*?"};
    const bool doubted =
        own->unverified > 0 || metric_is_doubted(metric, own->impossible, own->drifted);
    return marks[doubted + 2 * (own->instances < summary->block->count)];
}

static void add_median(struct tidy *tidy, const struct summary *summary,
                       const struct solver_summary *own, enum metric metric)
{
    tidy_number(tidy, own->median_all[metric]);
    if (!isnan(own->median_all[metric]))
        tidy_mark(tidy, mark_of(summary, own, metric));
}

static void add_verdict(struct tidy *tidy, const struct pairs *pairs, size_t solver,
                        enum metric metric)
{
    SCOPED char *verdict = NULL;
    for (size_t i = 0; i < pairs->solvers; i++)
        if (pairs_by(pairs, metric)[i].solver == solver)
            verdict = verdict_of(&pairs_by(pairs, metric)[i]);
    tidy_text(tidy, verdict != NULL ? verdict : "(the baseline)");
    tidy->columns[tidy->column_count - 1].hidden = pairs->solvers == 0;
}

/* The runs of each solver, if they are as many; otherwise 0. */
static size_t runs_of_each(const struct summary *summary)
{
    size_t runs = 0;
    for (size_t i = 0; i < summary->count; i++) {
        if (summary->solvers[i].runs == 0)
            continue;
        if (runs != 0 && summary->solvers[i].runs != runs)
            return 0;
        runs = summary->solvers[i].runs;
    }
    return runs;
}

void overview_add(struct tidy *overview, const struct summary *summary, const struct pairs *pairs,
                  enum metric metric, const struct results *results)
{
    const struct block *block = summary->block;
    const struct shown shown = shown_of(results);
    SCOPED char *count =
        heap_format(": %s board%s%s", human_count((double)block->count).text, plural(block->count),
                    block->whole ? ", all that reach the goal" : "");
    const size_t runs = runs_of_each(summary);
    if (runs > block->count)
        heap_append(&count, ", %s runs of each solver", human_count((double)runs).text);
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        if (own->runs == 0)
            continue;
        tidy_text(overview, block->name);
        tidy_mark(overview, count);
        tidy_add(overview, "%s %g", results->shown[i], (double)own->runs);
        add_solved(overview, own);
        tidy_number(overview, (double)own->unverified);
        for (unsigned j = 0; j < STATUSES; j++)
            if (j != STATUS_solved)
                tidy_number(overview, (double)own->by_status[j]);
        if (!is_shown(&shown, metric))
            add_median(overview, summary, own, metric);
        for (size_t j = 0; j < SHOWN; j++)
            add_median(overview, summary, own, shown.metric[j]);
        add_verdict(overview, pairs, i, metric);
    }
}

/* Whether all numbers of a column are the same within each block. */
static bool is_constant(const struct tidy *tidy, size_t column)
{
    const struct tidy_cell *before = NULL;
    for (size_t i = 0; i < tidy->cell_count; i += tidy->column_count) {
        const struct tidy_cell *row = &tidy->cells[i];
        if (before != NULL && strcmp(row[0].text, before[0].text) == 0 &&
            row[column].number != before[column].number)
            return false;
        before = row;
    }
    return true;
}

void overview_rank(struct tidy *overview, const struct results *results, enum metric metric)
{
    const struct shown shown = shown_of(results);
    for (size_t i = 0; i < SHOWN; i++) {
        const size_t column = overview->column_count - 1 - SHOWN + i;
        const bool same = is_constant(overview, column); /* then solutions say the least */
        overview->columns[column].rank = shown.metric[i] == metric            ? 0
                                         : shown.metric[i] == METRIC_wall_s   ? 2
                                         : metric_is_counted(shown.metric[i]) ? 4
                                         : same                               ? 3
                                                                              : 1;
    }
    overview->ranked = true;
}

struct tidy other_metrics_start(const bool metrics[METRICS])
{
    struct tidy tidy = {0};
    tidy_column_as(&tidy, "block", "", SHAPE_TEXT)->section = true;
    tidy_column_as(&tidy, "solver", "", SHAPE_TEXT);
    for (unsigned i = 0; i < metric_count(); i++) {
        if (!metrics[i])
            continue;
        const struct column *column = metric_column(i);
        SCOPED char *name = heap_format("%s_verdict", column->name);
        tidy_column(&tidy, column->name, column->unit, "");
        tidy_column_as(&tidy, name, "", SHAPE_TEXT)->heading =
            heap_format("verdict on %s", column->name);
    }
    return tidy;
}

void other_metrics_add(struct tidy *others, const struct summary *summary,
                       const struct pairs *pairs, const bool metrics[METRICS],
                       const struct results *results)
{
    for (size_t i = 0; others->column_count > 2 && i < summary->count; i++) {
        if (summary->solvers[i].runs == 0)
            continue;
        tidy_text(others, summary->block->name);
        tidy_text(others, results->shown[i]);
        for (unsigned j = 0; j < metric_count(); j++) {
            if (!metrics[j])
                continue;
            add_median(others, summary, &summary->solvers[i], (enum metric)j);
            add_verdict(others, pairs, i, (enum metric)j);
        }
    }
}

struct tidy all_pairs_start(void)
{
    struct tidy tidy = {0};
    tidy_column(&tidy, "block", "", "")->section = true;
    tidy_heads(&tidy, "solver:t|against:t|verdict:t|adjusted p:p^1");
    return tidy;
}

void all_pairs_add(struct tidy *table, const struct pairs *pairs, enum metric metric,
                   const struct results *results)
{
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs_by(pairs, metric)[i];
        SCOPED char *verdict = verdict_of(pair);
        tidy_add(table, "%s %s %s %s %g", pairs->block->name, results->shown[pair->solver],
                 results->shown[pair->baseline], verdict, pair->p_adjusted);
    }
}

/* The solver that another is compared with: shown to people unless it is always the baseline. */
static void add_against(struct tidy *tidy, const struct pairs *pairs)
{
    tidy_column_as(tidy, "against", "", SHAPE_TEXT)->hidden = !pairs->options.all;
}

struct tidy pairs_view(const struct pairs *pairs, enum metric metric, const struct results *results)
{
    static const char *const bounds[] = {[RATIO_KNOWN] = "",
                                         [RATIO_AT_LEAST] = ">= ",
                                         [RATIO_AT_MOST] = "<= ",
                                         [RATIO_UNKNOWN] = "?"};
    struct tidy tidy = view_start(true);
    add_against(&tidy, pairs);
    tidy_heads(&tidy, "wins|ties|losses|both solved|ratio:r|95 % interval|with unsolved|p:p");
    tidy_column_as(&tidy, correction_name(pairs->options.correction), "", SHAPE_P);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs_by(pairs, metric)[i];
        const struct interval *interval = &pair->ratio.solved.interval;
        tidy_add(&tidy, "%s %s %s %g %g %g %g", pairs->block->name, results->shown[pair->solver],
                 results->shown[pair->baseline], (double)pair->order.wins, (double)pair->order.ties,
                 (double)pair->order.losses, (double)pair->order.both);
        tidy_mark(&tidy, pair->unverified + pair->impossible + pair->drifted > 0 ? "?" : "");
        tidy_number(&tidy, pair->ratio.solved.value);
        SCOPED char *text = isnan(interval->low)
                                ? heap_text("-")
                                : heap_format("%s .. %s", human_ratio(interval->low).text,
                                              human_ratio(interval->high).text);
        tidy_text(&tidy, text);
        free(text);
        text = heap_format(
            "%s%s", bounds[pair->ratio.bound],
            pair->ratio.bound == RATIO_UNKNOWN ? "" : human_ratio(pair->ratio.spent).text);
        tidy_add(&tidy, "%s %g %g", text, pair->p, pair->p_adjusted);
    }
    return tidy;
}

struct tidy effects_view(const struct pairs *pairs, enum metric metric,
                         const struct results *results)
{
    struct tidy tidy = view_start(true);
    add_against(&tidy, pairs);
    tidy_heads(&tidy, "Hodges-Lehmann:r|95 % interval|rank-biserial:s|sign test p:p|A12:s|Cliff's "
                      "delta:s|least p:p");
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs_by(pairs, metric)[i];
        const struct interval *interval = &pair->shift.interval;
        tidy_add(&tidy, "%s %s %s %g", pairs->block->name, results->shown[pair->solver],
                 results->shown[pair->baseline], exp(pair->shift.estimate));
        add_interval(&tidy, exp(interval->low), exp(interval->high));
        tidy_numbers(&tidy, pair->biserial, pair->sign_p, pair->a12, pair->cliffs_delta,
                     pair->p_min);
    }
    return tidy;
}

/* Whether a metric of a solver is doubtful in a block. */
static bool is_doubted(const struct results *results, const struct block *block, size_t solver,
                       enum metric metric)
{
    bool doubted = false;
    for (size_t i = 0; i < block->count && !doubted; i++) {
        const struct outcome *outcome = results_outcome(results, solver, block->first + i);
        doubted = metric_is_doubted(metric, outcome->impossible, outcome->drifted);
    }
    return doubted;
}

static void add_standing(struct tidy *tidy, const struct block *block, const char *name,
                         const struct standing *own, const struct standings *standings,
                         bool doubted)
{
    tidy_add(tidy, "%s %s", block->name, name);
    tidy_mark(tidy, doubted ? "?" : "");
    tidy_add(tidy, "%s %g %g %g %g %g %g %g %g", metric_column(standings->metric)->name,
             (double)own->solved, own->par2, own->par10, own->restricted_mean, own->median,
             own->logrank_p, own->rank, (double)own->best);
    for (size_t i = 0; i < PROFILE_RATIOS; i++)
        tidy_number(tidy, own->within[i]);
}

struct tidy standings_view(const struct standings *standings, const struct block *block,
                           const struct results *results)
{
    struct tidy tidy = view_start(true);
    const char *unit = metric_column(standings->metric)->unit;
    tidy_heads(&tidy, "metric:-|solved");
    for (size_t i = 0; i < 2; i++)
        tidy_column_as(&tidy, i == 0 ? "PAR2" : "PAR10", unit, SHAPE_MEAN)->hidden =
            !has_limit(standings->metric);
    tidy_column_as(&tidy, "restricted mean", unit, SHAPE_MEAN);
    tidy_column(&tidy, "half solved by", unit, "");
    tidy_heads(&tidy, "log-rank p:p|rank:s|best on");
    for (size_t i = 0; i < PROFILE_RATIOS; i++) {
        SCOPED char *heading = heap_format("within %gx", profile_ratios[i]);
        tidy_column_as(&tidy, heading, "", SHAPE_SHARE);
    }
    for (size_t i = 0; i < standings->count; i++)
        add_standing(&tidy, block, results->shown[standings->rows[i].solver], &standings->rows[i],
                     standings,
                     is_doubted(results, block, standings->rows[i].solver, standings->metric));
    if (standings->count > 1)
        add_standing(&tidy, block, "virtual best solver", &standings->virtual_best, standings,
                     false);
    return tidy;
}

static void add_test(struct tidy *tidy, const struct standings *standings,
                     const struct block *block, const char *name, double statistic, double freedom,
                     double below, double p)
{
    if (isnan(statistic))
        return;
    tidy_add(tidy, "%s %s %s %g %g", block->name, metric_column(standings->metric)->name, name,
             statistic, freedom);
    if (!isnan(below)) {
        SCOPED char *mark = heap_format(", %.0f", below);
        tidy_mark(tidy, mark);
    }
    tidy_numbers(tidy, below, p);
}

struct tidy tests_view(const struct standings *standings, const struct block *block)
{
    const struct friedman *friedman = &standings->friedman;
    const struct logrank *logrank = &standings->logrank;
    const double others = (double)standings->count - 1;
    struct tidy tidy = view_start(false);
    tidy_heads(&tidy, "metric:-|test:t|statistic:r|degrees of freedom|of the denominator:-|p:p");
    if (standings->count > 2) {
        add_test(&tidy, standings, block, "Friedman, chi-squared", friedman->chi_squared, others,
                 NAN, friedman->p_chi_squared);
        add_test(&tidy, standings, block, "Iman and Davenport, F", friedman->f, others,
                 others * ((double)friedman->instances - 1), friedman->p);
    }
    add_test(&tidy, standings, block, "log-rank, chi-squared", logrank->chi_squared,
             (double)logrank->freedom, NAN, logrank->p);
    if (standings->count > 2 && !isnan(friedman->p))
        add_test(&tidy, standings, block, "Nemenyi, critical difference of ranks",
                 standings->critical_difference, NAN, NAN, NAN);
    return tidy;
}

static void add_growth(struct tidy *tidy, const struct growth *growth)
{
    tidy_number(tidy, exp(growth->slope));
    add_interval(tidy, exp(growth->interval.low), exp(growth->interval.high));
}

/* The rows of growth_view for boards of one shape, named where there are several. */
static void add_growths(struct tidy *tidy, const struct results *results, const struct block *block,
                        struct shape shape, const char *name, enum metric metric)
{
    for (size_t i = 0; i < results->solvers.count; i++) {
        const struct trend trend = trend_of(results, block, shape, i, metric);
        if (trend.solved < 2)
            continue;
        tidy_add(tidy, "%s %s", block->name, results->shown[i]);
        tidy_mark(tidy, is_doubted(results, block, i, metric) ? "?" : "");
        if (name != NULL)
            tidy_text(tidy, name);
        tidy_add(tidy, "%s %g %g", metric_column(metric)->name, (double)trend.solved,
                 (double)trend.unsolved);
        add_growth(tidy, &trend.least_squares);
        tidy_number(tidy, trend.least_squares.r_squared);
        add_growth(tidy, &trend.theil_sen);
    }
}

static struct shape shape_of_row(const struct depth_row *row)
{
    return (struct shape){.width = (uint8_t)row->width, .height = (uint8_t)row->height};
}

struct tidy growth_view(const struct results *results, const struct by_depth *by_depth,
                        enum metric metric)
{
    const bool sized = !by_depth_one_size(by_depth);
    struct tidy tidy = view_start(true);
    if (sized)
        tidy_column_as(&tidy, "board", "", SHAPE_TEXT);
    tidy_heads(&tidy, "metric:-|solved|unsolved|least squares:r|95 % interval|R "
                      "squared:s|Theil-Sen:r|its interval");
    for (size_t i = 0; i < by_depth->count; i++) {
        const struct depth_row *row = &by_depth->rows[i];
        const struct shape shape = shape_of_row(row);
        if (i > 0 && shape_equal(shape, shape_of_row(row - 1)))
            continue;
        SCOPED char *name = sized ? heap_format("%ldx%ld", row->width, row->height) : NULL;
        add_growths(&tidy, results, by_depth->block, shape, name, metric);
    }
    return tidy;
}

/* "d 14", "korf100 88", or "". */
static char *expect_key(const struct tidy_cell *row)
{
    const double length = row[EXPECT_optimal_length].number;
    char *text = heap_text(row[EXPECT_set].text);
    if (row[EXPECT_instance].text[0] != '\0')
        heap_append(&text, "%s%s", text[0] == '\0' ? "" : " ", row[EXPECT_instance].text);
    else if (!isnan(length))
        heap_append(&text, "%sd %.0f", text[0] == '\0' ? "" : " ", length);
    return text;
}

struct tidy expect_view(const struct results *results, const struct tidy *expect, bool differing)
{
    struct tidy tidy = {0};
    tidy_heads(&tidy, "reference:t^5|cell:t|solver:t|column:t|published:f|corrected:f^4|measured:f|"
                      "difference:f^3|from:f^2|to:f^2|verdict:t|note:t^6");
    for (size_t i = 0; i < expect->cell_count; i += expect->column_count) {
        const struct tidy_cell *row = &expect->cells[i];
        if (differing && strcmp(row[EXPECT_verdict].text, "differs") != 0)
            continue;
        SCOPED char *key = expect_key(row);
        const char *solver = row[EXPECT_solver].text;
        const size_t number = names_find(&results->solvers, solver);
        tidy_add(&tidy, "%s %s %s %s", row[EXPECT_reference].text, key,
                 number == NAMES_NONE ? solver : results->shown[number], row[EXPECT_column].text);
        tidy_numbers(&tidy, row[EXPECT_published].number, row[EXPECT_corrected].number,
                     row[EXPECT_measured].number, row[EXPECT_difference].number,
                     row[EXPECT_low].number, row[EXPECT_high].number);
        tidy_add(&tidy, "%s %s", row[EXPECT_verdict].text, row[EXPECT_note].text);
    }
    return tidy;
}
