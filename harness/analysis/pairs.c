/* One struct pair per metric and solver; the arrays of values live only while it is made. */
#include "harness/analysis/pairs.h"
#include "base/heap.h"
#include "harness/analysis/dominance.h"
#include "harness/analysis/threads.h"
#include <math.h>

/* Room for the values of one pair. */
struct values {
    double *own, *base; /* what was spent */
    bool *own_solved, *base_solved;
    double *low, *high; /* differences */
    size_t count;
};

static struct values values_take(size_t count)
{
    return (struct values){
        .own = heap_take(count, sizeof(double)),
        .base = heap_take(count, sizeof(double)),
        .own_solved = heap_take(count, sizeof(bool)),
        .base_solved = heap_take(count, sizeof(bool)),
        .low = heap_take(count, sizeof(double)),
        .high = heap_take(count, sizeof(double)),
    };
}

static void values_end(struct values *values)
{
    free(values->own);
    free(values->base);
    free(values->own_solved);
    free(values->base_solved);
    free(values->low);
    free(values->high);
}

/* REPORTED_ALL where a solver's metric can be compared: it is of all solved boards, or there are
 * none; else how it falls short. */
static enum reported lacks(const struct results *results, const struct block *block, size_t solver,
                           enum metric metric)
{
    const struct outcome *outcomes = results_outcome(results, solver, block->first);
    const enum reported reported = results_reported(results, block, solver, metric);
    bool finished = false;
    for (size_t i = 0; i < block->count; i++)
        finished = finished || outcomes[i].finished;
    return reported >= REPORTED_PART && finished ? reported : REPORTED_ALL;
}

/* What was spent: nothing is known of a run that crashed, so its bound is 0. */
static double spent_of(const struct outcome *outcome, enum metric metric)
{
    return isnan(outcome->value[metric]) ? 0 : outcome->value[metric];
}

/* Collects the values of the pairs, and counts the instances that give none. */
static void collect(struct pair *pair, const struct results *results, const struct block *block,
                    struct values *values)
{
    const struct outcome *own = results_outcome(results, pair->solver, block->first);
    const struct outcome *base = results_outcome(results, pair->baseline, block->first);
    const enum metric metric = pair->metric;
    pair->lacking[0] = lacks(results, block, pair->solver, metric);
    pair->lacking[1] = lacks(results, block, pair->baseline, metric);
    const bool had = pair->lacking[0] == REPORTED_ALL && pair->lacking[1] == REPORTED_ALL;
    values->count = 0;
    for (size_t i = 0; i < block->count; i++) {
        const struct outcome *a = &own[i];
        const struct outcome *b = &base[i];
        if (a->attempts == 0 || b->attempts == 0) {
            pair->unshared += a->attempts > 0 || b->attempts > 0;
        } else if (results->known[block->first + i].unsolvable) {
            pair->unsolvable++;
        } else if (!had || (a->finished && isnan(a->value[metric])) ||
                   (b->finished && isnan(b->value[metric]))) {
            pair->no_value += a->finished && b->finished;
        } else {
            const size_t at = values->count++;
            values->own[at] = spent_of(a, metric);
            values->base[at] = spent_of(b, metric);
            values->own_solved[at] = a->finished;
            values->base_solved[at] = b->finished;
            pair->unverified += a->unverified > 0 || b->unverified > 0;
            pair->impossible += metric_is_counted(metric) && a->impossible + b->impossible > 0;
            pair->apart +=
                metric_is_time(metric) && a->hosts != b->hosts && a->hosts != 0 && b->hosts != 0;
            pair->limited[0] += a->limited;
            pair->limited[1] += b->limited;
        }
    }
    pair->instances = values->count;
    pair->whole = block->whole && pair->instances == block->count;
}

/* Some metrics are 0 as a rule, and have no ratios. */
static enum scale scale_of(enum metric metric, bool raw)
{
    return raw || metric == METRIC_duplicates || metric == METRIC_reopened ? SCALE_RAW : SCALE_LOG;
}

/* The signed-rank test of the smallest and of the largest differences. */
static void test_ranks(struct pair *pair, const struct values *values, bool censored, bool pratt)
{
    const enum zeros zeros = pratt ? ZEROS_PRATT : ZEROS_DROPPED;
    const struct signed_rank low = signed_rank_test(values->low, values->count, zeros);
    const struct signed_rank high =
        censored ? signed_rank_test(values->high, values->count, zeros) : low;
    pair->biserial = censored ? NAN : low.biserial;
    pair->p_min = fmin(low.p, high.p);
    pair->p = 1;
    pair->log10_p = 0;
    if (low.positive > low.negative) {
        pair->p = low.p;
        pair->log10_p = low.log10_p;
        pair->conclusion = CONCLUSION_MORE; /* if p is small enough */
    } else if (high.positive < high.negative) {
        pair->p = high.p;
        pair->log10_p = high.log10_p;
        pair->conclusion = CONCLUSION_FEWER;
    }
}

static void shift(struct pair *pair, const struct values *values, bool censored)
{
    pair->shift = hodges_lehmann(values->low, values->count);
    if (!censored)
        return;
    const struct hodges_lehmann high = hodges_lehmann(values->high, values->count);
    if (pair->shift.estimate != high.estimate)
        pair->shift.estimate = NAN;
    pair->shift.interval.high = high.interval.high;
}

/* How often one is above the other, under the limits at hand. */
static void dominate(struct pair *pair, struct values *values)
{
    for (size_t i = 0; i < values->count; i++) {
        values->low[i] = values->own_solved[i] ? values->own[i] : INFINITY;
        values->high[i] = values->base_solved[i] ? values->base[i] : INFINITY;
    }
    pair->a12 = vargha_delaney(values->low, values->count, values->high, values->count);
    pair->cliffs_delta = 2 * pair->a12 - 1;
}

static bool all_zero(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != 0)
            return false;
    return true;
}

static void compare(struct pair *pair, const struct results *results, const struct pairs *pairs,
                    struct values *values)
{
    pair->p = pair->log10_p = pair->p_min = pair->biserial = pair->sign_p = NAN;
    pair->shift = (struct hodges_lehmann){NAN, {NAN, NAN}};
    collect(pair, results, pairs->block, values);
    const size_t count = values->count;
    const struct censored_runs own = {values->own, values->own_solved};
    const struct censored_runs base = {values->base, values->base_solved};
    pair->order = paired_order(own, base, count);
    pair->ratio = censored_ratio(own, base, count);
    if (pair->whole)
        pair->ratio.solved.interval = (struct interval){NAN, NAN};
    const bool censored = pair->order.both < count;
    pair->scale = scale_of(pair->metric, pairs->options.raw);
    if (count > 0 && !pair->whole) {
        censored_differences(own, base, count, pair->scale, values->low, values->high);
        if (!censored && all_zero(values->low, count)) {
            pair->p = pair->p_min = 1;
            pair->log10_p = 0;
        } else {
            test_ranks(pair, values, censored, pairs->options.pratt);
        }
        pair->sign_p = sign_test(pair->order.wins, pair->order.losses).p;
        if (pair->scale == SCALE_RAW)
            censored_differences(own, base, count, SCALE_LOG, values->low, values->high);
        shift(pair, values, censored);
    }
    dominate(pair, values);
}

/* For a whole population there is nothing to test. */
static enum conclusion conclude_whole(const struct pair *pair)
{
    const struct censored_ratio *ratio = &pair->ratio;
    if (ratio->bound != RATIO_AT_MOST && ratio->bound != RATIO_UNKNOWN && ratio->spent > 1)
        return CONCLUSION_MORE;
    if (ratio->bound != RATIO_AT_LEAST && ratio->bound != RATIO_UNKNOWN && ratio->spent < 1)
        return CONCLUSION_FEWER;
    return ratio->bound == RATIO_KNOWN ? CONCLUSION_NONE_SHOWN : CONCLUSION_UNKNOWN;
}

static enum conclusion conclude(const struct pair *pair)
{
    enum { LEVEL_PERCENT = 5 };
    const double level = LEVEL_PERCENT / 100.0;
    const struct censored_ratio *ratio = &pair->ratio;
    if (pair->instances == 0)
        return CONCLUSION_NOTHING;
    if (pair->order.both == pair->instances && pair->order.ties == pair->instances)
        return pair->instances < PAIRS_NEEDED && !pair->whole ? CONCLUSION_NOT_ENOUGH
                                                              : CONCLUSION_SAME;
    if (pair->whole)
        return conclude_whole(pair);
    if (pair->instances < PAIRS_NEEDED)
        return CONCLUSION_NOT_ENOUGH;
    if (pair->p_adjusted < level) {
        const bool divided =
            ratio->bound == RATIO_KNOWN &&
            (pair->conclusion == CONCLUSION_MORE ? ratio->spent < 1 : ratio->spent > 1);
        return divided ? CONCLUSION_DIVIDED : pair->conclusion;
    }
    return pair->p_min_adjusted < level ? CONCLUSION_UNKNOWN : CONCLUSION_NONE_SHOWN;
}

static void correct(struct pair *pairs, size_t count, enum correction correction)
{
    double *p = heap_take(count, sizeof *p);
    double *adjusted = heap_take(count, sizeof *adjusted);
    for (size_t i = 0; i < count; i++)
        p[i] = pairs[i].p;
    adjust(correction, p, count, adjusted);
    for (size_t i = 0; i < count; i++) {
        pairs[i].p_adjusted = adjusted[i];
        p[i] = pairs[i].p_min;
    }
    adjust(correction, p, count, adjusted);
    for (size_t i = 0; i < count; i++) {
        pairs[i].p_min_adjusted = adjusted[i];
        pairs[i].conclusion = conclude(&pairs[i]);
    }
    free(adjusted);
    free(p);
}

/* Who is compared with whom: the pairs of the first metric. */
static void match(struct pairs *pairs)
{
    const size_t baseline = pairs->options.baseline;
    size_t count = 0;
    for (size_t i = 0; i <= pairs->solvers; i++)
        if (i != baseline && pairs->solvers > 0)
            pairs->pairs[count++] = (struct pair){.solver = i, .baseline = baseline};
    for (size_t i = 0; i <= pairs->solvers && count < pairs->count; i++)
        for (size_t j = 0; j < i; j++)
            if (i != baseline && j != baseline)
                pairs->pairs[count++] = (struct pair){.solver = i, .baseline = j};
}

struct comparing {
    const struct results *results;
    struct pairs *pairs;
};

static void compare_item(void *context, size_t item)
{
    const struct comparing *comparing = context;
    struct pairs *pairs = comparing->pairs;
    struct values values = values_take(pairs->block->count);
    compare(&pairs->pairs[item], comparing->results, pairs, &values);
    values_end(&values);
}

struct pairs pairs_of(const struct results *results, const struct block *block,
                      const struct pairs_options *options)
{
    const size_t solvers = results->solvers.count > 0 ? results->solvers.count - 1 : 0;
    struct pairs pairs = {.block = block, .options = *options, .solvers = solvers};
    pairs.count = options->all ? solvers * (solvers + 1) / 2 : solvers;
    pairs.pairs = heap_take(METRICS * pairs.count, sizeof *pairs.pairs);
    match(&pairs);
    for (size_t i = METRICS * pairs.count; i-- > 0;) { /* the first metric's are copied last */
        pairs.pairs[i] = pairs.pairs[i % pairs.count];
        pairs.pairs[i].metric = (enum metric)(i / pairs.count);
    }
    struct comparing comparing = {results, &pairs};
    threads_work(METRICS * pairs.count, METRICS * pairs.count * block->count, compare_item,
                 &comparing);
    for (size_t metric = 0; metric < METRICS; metric++)
        correct(&pairs.pairs[metric * pairs.count], pairs.count, options->correction);
    return pairs;
}

const struct pair *pairs_by(const struct pairs *pairs, enum metric metric)
{
    return &pairs->pairs[metric * pairs->count];
}

size_t pairs_family(const struct pairs *pairs, enum metric metric)
{
    size_t family = 0;
    for (size_t i = 0; i < pairs->count; i++)
        family += isnan(pairs_by(pairs, metric)[i].p) ? 0 : 1;
    return family;
}

const char *correction_name(enum correction correction)
{
    static const char *const names[] = {"Holm", "Hochberg", "Benjamini-Hochberg"};
    return names[correction];
}

static void set_p(struct tidy *tidy, size_t column, double p)
{
    if (p < 1e-300)
        tidy_set_text(tidy, column, "< 1e-300");
    else
        tidy_set_number(tidy, column, p);
}

static void add_pair(struct tidy *tidy, const struct pairs *pairs, const struct pair *pair,
                     const struct results *results)
{
    static const char *const conclusions[] = {
        [CONCLUSION_NOTHING] = "nothing to compare",
        [CONCLUSION_NOT_ENOUGH] = "not enough data",
        [CONCLUSION_SAME] = "same",
        [CONCLUSION_FEWER] = "fewer",
        [CONCLUSION_MORE] = "more",
        [CONCLUSION_NONE_SHOWN] = "no difference shown",
        [CONCLUSION_UNKNOWN] = "cannot be said",
        [CONCLUSION_DIVIDED] = "ranks and means disagree",
    };
    static const char *const bounds[] = {[RATIO_KNOWN] = "=",
                                         [RATIO_AT_LEAST] = ">=",
                                         [RATIO_AT_MOST] = "<=",
                                         [RATIO_UNKNOWN] = "?"};
    const struct block *block = pairs->block;
    tidy_row(tidy);
    tidy_set_text(tidy, PAIRS_set, block->set);
    tidy_set_number(tidy, PAIRS_width, block->width == 0 ? NAN : (double)block->width);
    tidy_set_number(tidy, PAIRS_height, block->height == 0 ? NAN : (double)block->height);
    tidy_set_text(tidy, PAIRS_metric, metric_column(pair->metric)->name);
    tidy_set_text(tidy, PAIRS_solver, results->solvers.text[pair->solver]);
    tidy_set_text(tidy, PAIRS_baseline, results->solvers.text[pair->baseline]);
    tidy_set_number(tidy, PAIRS_pairs, (double)pair->order.both);
    tidy_set_number(tidy, PAIRS_wins, (double)pair->order.wins);
    tidy_set_number(tidy, PAIRS_ties, (double)pair->order.ties);
    tidy_set_number(tidy, PAIRS_losses, (double)pair->order.losses);
    tidy_set_number(tidy, PAIRS_ratio, pair->ratio.solved.value);
    tidy_set_number(tidy, PAIRS_ratio_low, pair->ratio.solved.interval.low);
    tidy_set_number(tidy, PAIRS_ratio_high, pair->ratio.solved.interval.high);
    set_p(tidy, PAIRS_p, pair->p);
    set_p(tidy, PAIRS_p_adjusted, pair->p_adjusted);
    tidy_set_number(tidy, PAIRS_only_solver, (double)pair->order.only_a);
    tidy_set_number(tidy, PAIRS_only_baseline, (double)pair->order.only_b);
    tidy_set_number(tidy, PAIRS_neither, (double)pair->order.neither);
    tidy_set_number(tidy, PAIRS_ratio_pairs, (double)pair->ratio.solved_pairs);
    tidy_set_number(tidy, PAIRS_unshared, (double)pair->unshared);
    tidy_set_number(tidy, PAIRS_unverified, (double)pair->unverified);
    tidy_set_number(tidy, PAIRS_no_value, (double)pair->no_value);
    tidy_set_number(tidy, PAIRS_unsolvable, (double)pair->unsolvable);
    tidy_set_text(tidy, PAIRS_verdict, conclusions[pair->conclusion]);
    tidy_set_text(tidy, PAIRS_correction, correction_name(pairs->options.correction));
    tidy_set_number(tidy, PAIRS_family, (double)pairs_family(pairs, pair->metric));
    tidy_set_number(tidy, PAIRS_ratio_spent, pair->ratio.spent);
    tidy_set_text(tidy, PAIRS_ratio_bound,
                  pair->ratio.spent_pairs == 0 ? "" : bounds[pair->ratio.bound]);
    tidy_set_number(tidy, PAIRS_log10_p, pair->log10_p);
    set_p(tidy, PAIRS_p_min, pair->p_min);
    set_p(tidy, PAIRS_p_min_adjusted, pair->p_min_adjusted);
    tidy_set_number(tidy, PAIRS_rank_biserial, pair->biserial);
    tidy_set_number(tidy, PAIRS_hodges_lehmann, exp(pair->shift.estimate));
    tidy_set_number(tidy, PAIRS_hodges_lehmann_low, exp(pair->shift.interval.low));
    tidy_set_number(tidy, PAIRS_hodges_lehmann_high, exp(pair->shift.interval.high));
    set_p(tidy, PAIRS_sign_p, pair->sign_p);
    tidy_set_number(tidy, PAIRS_a12, pair->a12);
    tidy_set_number(tidy, PAIRS_cliffs_delta, pair->cliffs_delta);
}

void pairs_add(struct tidy *tidy, const struct pairs *pairs, const struct results *results)
{
    for (size_t i = 0; i < METRICS * pairs->count; i++)
        add_pair(tidy, pairs, &pairs->pairs[i], results);
}

void pairs_end(struct pairs *pairs)
{
    free(pairs->pairs);
    *pairs = (struct pairs){0};
}
