/* One struct pair per metric and solver; the arrays of values live only while it is made. */
#include "harness/analysis/pairs.h"
#include "base/heap.h"
#include "harness/analysis/dominance.h"
#include "harness/analysis/threads.h"

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
    FREE(values->own, values->base, values->own_solved, values->base_solved, values->low,
         values->high);
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
static double spent_of(const struct results *results, const struct outcome *outcome,
                       enum metric metric)
{
    return isnan(outcome_value(results, outcome, metric)) ? 0
                                                          : outcome_value(results, outcome, metric);
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
        } else if (!had || (a->finished && isnan(outcome_value(results, a, metric))) ||
                   (b->finished && isnan(outcome_value(results, b, metric)))) {
            pair->no_value += a->finished && b->finished;
        } else {
            const size_t at = values->count++;
            values->own[at] = spent_of(results, a, metric);
            values->base[at] = spent_of(results, b, metric);
            values->own_solved[at] = a->finished;
            values->base_solved[at] = b->finished;
            pair->unverified += a->unverified > 0 || b->unverified > 0;
            pair->impossible += metric_is_counted(metric) && a->impossible + b->impossible > 0;
            pair->drifted += metric_is_time(metric) && a->drifted + b->drifted > 0;
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

/* The signed-rank test where all is known. */
static void test_known(struct pair *pair, const struct values *values, enum zeros zeros)
{
    const struct signed_rank test = signed_rank_test(values->low, values->count, zeros);
    pair->biserial = test.biserial;
    pair->p = pair->p_min = test.p;
    pair->log10_p = test.log10_p;
    pair->by_ranks = test.positive > test.negative ? CONCLUSION_MORE : CONCLUSION_FEWER;
}

/* Whether two known differences that are not 0 have one size. */
static bool sizes_tie(const struct values *values)
{
    for (size_t i = 0; i < values->count; i++)
        for (size_t j = 0; j < i; j++)
            if (values->low[i] == values->high[i] && values->low[j] == values->high[j] &&
                values->low[i] != 0 && fabs(values->low[i]) == fabs(values->low[j]))
                return true;
    return false;
}

static void widen(struct rank_bounds *bounds, const double *differences, size_t count,
                  enum zeros zeros)
{
    const struct rank_bounds other = signed_rank_bounds(differences, count, zeros);
    bounds->least = fmin(bounds->least, other.least);
    bounds->most = fmax(bounds->most, other.most);
    bounds->log10_most = fmax(bounds->log10_most, other.log10_most);
}

/* The bounds of the test where what is not known is these differences or more (`sign` 1), or these
 * or less (-1). A difference that is a little larger breaks a tie; one that lies between others
 * moves the ranks of those that tie, and so changes how likely sums of ranks are. On few boards all
 * such places are tried, of all unsolved runs together. */
static struct rank_bounds bounds_of(const struct values *values, const double *differences,
                                    double sign, enum zeros zeros)
{
    enum { FEW = 40 }; /* boards */
    const size_t count = values->count;
    struct rank_bounds bounds = signed_rank_bounds(differences, count, zeros);
    SCOPED double *moved = heap_take(count, sizeof *moved);
    const bool all = count <= FEW && sizes_tie(values);
    for (size_t place = 0; place < (all ? 2 * count + 1 : 1); place++) {
        /* Just beyond the size of a difference, on both sides of 0, as seen in the direction. */
        const double other = place == 0 ? -INFINITY : values->low[(place - 1) / 2];
        const double beyond = nextafter(place % 2 == 0 ? -fabs(other) : fabs(other), INFINITY);
        for (size_t i = 0; i < count; i++)
            moved[i] = values->low[i] == values->high[i] || !isfinite(differences[i])
                           ? differences[i]
                           : sign * fmax(nextafter(sign * differences[i], INFINITY), beyond);
        widen(&bounds, moved, count, zeros);
    }
    return bounds;
}

/* The signed-rank test of the smallest and of the largest differences. */
static void test_censored(struct pair *pair, const struct values *values, enum zeros zeros)
{
    const struct rank_bounds low = bounds_of(values, values->low, 1, zeros);
    const struct rank_bounds high = bounds_of(values, values->high, -1, zeros);
    pair->p_min = fmin(low.least, high.least);
    pair->p = 1;
    pair->log10_p = 0;
    if (low.positive > low.negative) {
        pair->p = low.most;
        pair->log10_p = low.log10_most;
        pair->by_ranks = CONCLUSION_MORE;
    } else if (high.positive < high.negative) {
        pair->p = high.most;
        pair->log10_p = high.log10_most;
        pair->by_ranks = CONCLUSION_FEWER;
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

static void compare(struct pair *pair, const struct results *results, const struct pairs *pairs,
                    struct values *values)
{
    pair->p = pair->log10_p = pair->p_min = pair->biserial = pair->sign_p = NAN;
    pair->a12 = pair->cliffs_delta = NAN;
    pair->shift = (struct hodges_lehmann){NAN, {NAN, NAN}};
    collect(pair, results, pairs->block, values);
    const size_t count = values->count;
    const bool open = !metric_rises(pair->metric);
    const struct censored_runs own = {values->own, values->own_solved, open};
    const struct censored_runs base = {values->base, values->base_solved, open};
    pair->order = paired_order(own, base, count);
    pair->ratio = censored_ratio(own, base, count);
    if (pair->whole)
        pair->ratio.solved.interval = (struct interval){NAN, NAN};
    const bool censored = pair->order.both < count;
    pair->scale = scale_of(pair->metric, pairs->options.raw);
    if (count > 0 && !pair->whole) {
        censored_differences(own, base, count, pair->scale, values->low, values->high);
        const enum zeros zeros = pairs->options.pratt ? ZEROS_PRATT : ZEROS_DROPPED;
        if (censored)
            test_censored(pair, values, zeros);
        else
            test_known(pair, values, zeros);
        if (!open || !censored)
            pair->sign_p = sign_test(pair->order.wins, pair->order.losses).p;
        if (pair->scale == SCALE_RAW)
            censored_differences(own, base, count, SCALE_LOG, values->low, values->high);
        shift(pair, values, censored);
    }
    if (!open || !censored)
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

/* Where the ranks show a difference: whether the geometric means can be on the other side. */
static enum conclusion conclude_means(const struct pair *pair)
{
    const struct censored_ratio *ratio = &pair->ratio;
    const bool more = pair->by_ranks == CONCLUSION_MORE;
    const bool against = more ? ratio->spent < 1 : ratio->spent > 1;
    if (ratio->bound == RATIO_KNOWN)
        return against ? CONCLUSION_DIVIDED : pair->by_ranks;
    const bool bounded = ratio->bound == (more ? RATIO_AT_LEAST : RATIO_AT_MOST);
    return bounded && !against ? pair->by_ranks : CONCLUSION_UNKNOWN;
}

/* `p_attainable`: the smallest adjusted p that so many instances could have given. */
static enum conclusion conclude(const struct pair *pair, double p_attainable)
{
    if (pair->instances == 0)
        return CONCLUSION_NOTHING;
    if (!pair->whole && !(p_attainable < PAIRS_LEVEL))
        return CONCLUSION_NOT_ENOUGH;
    if (pair->order.both == pair->instances && pair->order.ties == pair->instances)
        return CONCLUSION_SAME;
    if (pair->whole)
        return conclude_whole(pair);
    if (pair->p_adjusted < PAIRS_LEVEL)
        return conclude_means(pair);
    return pair->p_min_adjusted < PAIRS_LEVEL ? CONCLUSION_UNKNOWN : CONCLUSION_NONE_SHOWN;
}

/* The smallest p of so many differences: all have one sign. */
static double smallest_p(size_t instances)
{
    return ldexp(1, 1 - (int)instances);
}

/* The smallest p that the instances of a pair could have given; NaN where it has none. */
static double attainable(const struct pair *pair)
{
    return isnan(pair->p) ? NAN : smallest_p(pair->instances);
}

static void correct(struct pair *pairs, size_t count, enum correction correction)
{
    SCOPED double *p = heap_take(3 * count, sizeof *p);
    SCOPED double *adjusted = heap_take(3 * count, sizeof *adjusted);
    for (size_t i = 0; i < count; i++) {
        p[i] = pairs[i].p;
        p[count + i] = pairs[i].p_min;
        p[2 * count + i] = attainable(&pairs[i]);
    }
    for (size_t i = 0; i < 3; i++)
        adjust(correction, p + i * count, count, adjusted + i * count);
    for (size_t i = 0; i < count; i++) {
        pairs[i].p_adjusted = adjusted[i];
        pairs[i].p_min_adjusted = adjusted[count + i];
        pairs[i].conclusion = conclude(&pairs[i], adjusted[2 * count + i]);
    }
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
    SCOPED_BY(values_end) struct values values = values_take(pairs->block->count);
    compare(&pairs->pairs[item], comparing->results, pairs, &values);
}

struct pairs pairs_of(const struct results *results, const struct block *block,
                      const struct pairs_options *options)
{
    const size_t solvers = results->solvers.count > 0 ? results->solvers.count - 1 : 0;
    struct pairs pairs = {.block = block, .options = *options, .solvers = solvers};
    pairs.count = options->all ? solvers * (solvers + 1) / 2 : solvers;
    pairs.pairs = heap_take(metric_count() * pairs.count, sizeof *pairs.pairs);
    match(&pairs);
    for (size_t i = metric_count() * pairs.count;
         i-- > 0;) { /* the first metric's are copied last */
        pairs.pairs[i] = pairs.pairs[i % pairs.count];
        pairs.pairs[i].metric = (enum metric)(i / pairs.count);
    }
    struct comparing comparing = {results, &pairs};
    threads_work(metric_count() * pairs.count, metric_count() * pairs.count * block->count,
                 compare_item, &comparing);
    for (size_t metric = 0; metric < metric_count(); metric++)
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

size_t pairs_needed(const struct pairs *pairs, const struct pair *pair)
{
    const struct pair *all = pairs_by(pairs, pair->metric);
    const size_t own = (size_t)(pair - all);
    SCOPED double *p = heap_take(2 * pairs->count, sizeof *p);
    double *adjusted = p + pairs->count;
    size_t needed = 0;
    for (size_t i = 0; i < pairs->count; i++)
        p[i] = attainable(&all[i]);
    do {
        p[own] = smallest_p(++needed);
        adjust(pairs->options.correction, p, pairs->count, adjusted);
    } while (!(adjusted[own] < PAIRS_LEVEL));
    return needed;
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

#define SET_P(column, value) set_p(tidy, column, value);

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
#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning)                            \
    SET_##type(PAIRS_##name, value)
#include "harness/results/pairs.def"
#undef COLUMN
}

void pairs_add(struct tidy *tidy, const struct pairs *pairs, const struct results *results)
{
    for (size_t i = 0; i < metric_count() * pairs->count; i++)
        add_pair(tidy, pairs, &pairs->pairs[i], results);
}

void pairs_end(struct pairs *pairs)
{
    free(pairs->pairs);
    *pairs = (struct pairs){0};
}
