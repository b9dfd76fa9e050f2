/* One struct pair per metric and solver; the arrays of values live only while it is made. */
#include "harness/analysis/pairs.h"
#include "base/heap.h"
#include "harness/text/human.h"
#include "harness/text/text_table.h"
#include <math.h>

/* Counts who solved what and collects the values of the pairs. */
static void collect(struct pair *pair, const struct results *results, size_t baseline, double *own,
                    double *base)
{
    for (size_t i = 0; i < results->instances.count; i++) {
        const struct outcome *a = results_outcome(results, pair->solver, i);
        const struct outcome *b = results_outcome(results, baseline, i);
        if (a->attempts == 0 || b->attempts == 0) {
            pair->unshared += a->attempts > 0 || b->attempts > 0;
        } else if (results->known[i].unsolvable) {
            pair->unsolvable++;
        } else if (a->solved == 0 || b->solved == 0) {
            pair->only_solver += a->solved > 0;
            pair->only_baseline += b->solved > 0;
            pair->neither += a->solved == 0 && b->solved == 0;
        } else if (isnan(a->value[pair->metric]) || isnan(b->value[pair->metric])) {
            pair->no_value++;
        } else {
            own[pair->pairs] = a->value[pair->metric];
            base[pair->pairs] = b->value[pair->metric];
            pair->pairs++;
            pair->unverified += a->unverified > 0 || b->unverified > 0;
        }
    }
}

static void compare(struct pair *pair, const struct results *results, size_t baseline)
{
    double *own = heap_take(results->instances.count, sizeof *own);
    double *base = heap_take(results->instances.count, sizeof *base);
    double *differences = heap_take(results->instances.count, sizeof *differences);
    collect(pair, results, baseline, own, base);
    for (size_t i = 0; i < pair->pairs; i++) {
        differences[i] = own[i] - base[i];
        pair->wins += own[i] < base[i];
        pair->ties += own[i] == base[i];
        pair->losses += own[i] > base[i];
    }
    pair->p = wilcoxon_signed_rank(differences, pair->pairs);
    for (size_t i = 0; i < pair->pairs; i++) {
        if (own[i] > 0 && base[i] > 0) {
            own[pair->ratio_pairs] = own[i];
            base[pair->ratio_pairs] = base[i];
            pair->ratio_pairs++;
        }
    }
    pair->ratio = geometric_mean_ratio(own, base, pair->ratio_pairs);
    pair->interval = bootstrap_ratio_interval(own, base, pair->ratio_pairs, PAIRS_SEED);
    free(differences);
    free(base);
    free(own);
}

static void correct(struct pair *pairs, size_t count)
{
    double *p = heap_take(count, sizeof *p);
    double *adjusted = heap_take(count, sizeof *adjusted);
    for (size_t i = 0; i < count; i++)
        p[i] = pairs[i].p;
    holm(p, count, adjusted);
    for (size_t i = 0; i < count; i++)
        pairs[i].p_holm = adjusted[i];
    free(adjusted);
    free(p);
}

struct pairs pairs_of(const struct results *results, size_t baseline)
{
    size_t solvers = results->solvers.count;
    struct pairs pairs = {.baseline = baseline, .solvers = solvers > 0 ? solvers - 1 : 0};
    pairs.pairs = heap_take(METRICS * pairs.solvers, sizeof *pairs.pairs);
    for (size_t metric = 0; metric < METRICS; metric++) {
        struct pair *first = &pairs.pairs[metric * pairs.solvers];
        for (size_t i = 0; i < pairs.solvers; i++) {
            first[i].metric = (enum metric)metric;
            first[i].solver = i + (i >= baseline);
            compare(&first[i], results, baseline);
        }
        correct(first, pairs.solvers);
    }
    return pairs;
}

static struct text_table build(const struct pair *pairs, size_t count,
                               const struct results *results, bool named)
{
    static const char *const counts[] = {"pairs", "wins", "ties", "losses"};
    static const char *const group = "geometric means";
    struct text_table table = {0};
    text_table_column(&table, "", "", ALIGN_RIGHT);
    text_table_column(&table, "", named ? "solver" : "", ALIGN_LEFT);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        text_table_column(&table, "", counts[i], ALIGN_RIGHT);
    text_table_column(&table, group, "ratio", ALIGN_RIGHT);
    text_table_column(&table, group, "95 % interval", ALIGN_RIGHT);
    text_table_column(&table, "Wilcoxon", "p", ALIGN_RIGHT);
    text_table_column(&table, "Wilcoxon", "Holm", ALIGN_RIGHT);
    text_table_column(&table, "solved only by", "it", ALIGN_RIGHT);
    text_table_column(&table, "solved only by", "baseline", ALIGN_RIGHT);
    text_table_column(&table, "", "neither", ALIGN_RIGHT);
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &pairs[i];
        text_table_cell(&table, "[%zu]", pair->solver + 1);
        text_table_cell(&table, "%s", named ? results->solvers.text[pair->solver] : "");
        text_table_cell(&table, "%s%zu", pair->unverified > 0 ? "?" : "", pair->pairs);
        text_table_cell(&table, "%zu", pair->wins);
        text_table_cell(&table, "%zu", pair->ties);
        text_table_cell(&table, "%zu", pair->losses);
        text_table_cell(&table, "%s", human_ratio(pair->ratio).text);
        if (isnan(pair->interval.low))
            text_table_cell(&table, "-");
        else
            text_table_cell(&table, "%s .. %s", human_ratio(pair->interval.low).text,
                            human_ratio(pair->interval.high).text);
        text_table_cell(&table, "%s", human_p(pair->p).text);
        text_table_cell(&table, "%s", human_p(pair->p_holm).text);
        text_table_cell(&table, "%zu", pair->only_solver);
        text_table_cell(&table, "%zu", pair->only_baseline);
        text_table_cell(&table, "%zu", pair->neither);
    }
    return table;
}

/* What of the instances does not enter the ratio, or anything. */
static void print_left_out(const struct pair *pairs, size_t count, FILE *file)
{
    const char *before = "The ratio leaves out pairs where a value is 0:";
    for (size_t i = 0; i < count; i++) {
        size_t zeros = pairs[i].pairs - pairs[i].ratio_pairs;
        if (zeros > 0) {
            fprintf(file, "%s %zu of [%zu]", before, zeros, pairs[i].solver + 1);
            before = ",";
        }
    }
    if (*before == ',')
        fputs(".\n", file);
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &pairs[i];
        if (pair->unverified > 0)
            fprintf(file, "?: %zu of the pairs of [%zu] rest on unverified runs.\n",
                    pair->unverified, pair->solver + 1);
        if (pair->no_value > 0)
            fprintf(file, "[%zu]: %zu instance%s both solved, but without such a value; no pair.\n",
                    pair->solver + 1, pair->no_value, plural(pair->no_value));
        if (pair->unshared > 0)
            fprintf(file,
                    "[%zu]: %zu instances were run by only one of the two and count nowhere.\n",
                    pair->solver + 1, pair->unshared);
    }
}

void pairs_print(const struct pairs *pairs, const struct results *results, enum metric metric,
                 FILE *file)
{
    if (pairs->solvers == 0) {
        fprintf(file, "There is only one solver, so nothing to compare it with.\n");
        return;
    }
    const struct pair *first = &pairs->pairs[metric * pairs->solvers];
    char *baseline = text_printable(results->solvers.text[pairs->baseline]);
    fprintf(file, "%s against the baseline [%zu] %s, by instance, over what both solved\n\n",
            metric_column(metric)->name, pairs->baseline + 1, baseline);
    free(baseline);
    struct text_table table = build(first, pairs->solvers, results, true);
    if (text_table_width(&table) > TEXT_TABLE_WIDTH) {
        text_table_end(&table);
        table = build(first, pairs->solvers, results, false);
    }
    text_table_print(&table, file);
    text_table_end(&table);
    fprintf(file,
            "\nA ratio below 1 and wins speak for the solver. Interval: bootstrap over instances. "
            "Holm: p corrected for\nthe %zu solver%s compared.\n",
            pairs->solvers, pairs->solvers == 1 ? "" : "s");
    print_left_out(first, pairs->solvers, file);
}

static void add_columns(struct tidy *tidy)
{
    char *interval[2];
    char *p =
        heap_format("two-sided p of Wilcoxon's signed-rank test on the differences; those of 0 "
                    "are dropped, equal sizes share their mean rank; exact for up to %d "
                    "differences, ties included, else the normal approximation with "
                    "corrections for ties and continuity",
                    WILCOXON_EXACT);
    for (int i = 0; i < 2; i++)
        interval[i] = heap_format(
            "%s end of the ratio's 95 %% interval: percentile bootstrap over instances, %d "
            "resamples with seed %d; above %d pairs the normal interval of the mean logarithm; "
            "empty below 2 pairs",
            i == 0 ? "lower" : "upper", BOOTSTRAP_RESAMPLES, PAIRS_SEED, BOOTSTRAP_MOST_PAIRS);
    tidy_column(tidy, "metric", "", "what is compared: a counter, length, wall_s or cpu_s");
    tidy_column(tidy, "solver", "", "the solver in its short form");
    tidy_column(tidy, "baseline", "", "the solver it is compared with");
    tidy_column(tidy, "pairs", "instances",
                "both solved, each instance once: the median over its solved repetitions");
    tidy_column(tidy, "wins", "pairs", "the solver needed less");
    tidy_column(tidy, "ties", "pairs", "both needed the same");
    tidy_column(tidy, "losses", "pairs", "the solver needed more");
    tidy_column(
        tidy, "ratio", "",
        "solver to baseline, of the geometric means over ratio_pairs; below 1 speaks for the "
        "solver");
    tidy_column(tidy, "ratio_low", "", interval[0]);
    tidy_column(tidy, "ratio_high", "", interval[1]);
    tidy_column(tidy, "p", "", p);
    tidy_column(tidy, "p_holm", "",
                "p after Holm's correction for all solvers compared, each metric by itself");
    tidy_column(tidy, "only_solver", "instances", "solved by the solver alone");
    tidy_column(tidy, "only_baseline", "instances", "solved by the baseline alone");
    tidy_column(tidy, "neither", "instances", "tried by both, solved by neither");
    tidy_column(tidy, "ratio_pairs", "pairs",
                "whose values are both above 0: the others have no logarithm");
    tidy_column(tidy, "unshared", "instances",
                "that one of the two never tried; counted nowhere else");
    tidy_column(tidy, "unverified", "pairs", "with an unverified run on either side");
    tidy_column(tidy, "no_value", "instances",
                "both solved, but without this metric on one side (counters that only some "
                "algorithms have)");
    tidy_column(tidy, "unsolvable", "instances", "that cannot be solved; counted nowhere else");
    free(interval[0]);
    free(interval[1]);
    free(p);
}

struct tidy pairs_tidy(const struct pairs *pairs, const struct results *results)
{
    struct tidy tidy = {0};
    add_columns(&tidy);
    for (size_t i = 0; results != NULL && i < METRICS * pairs->solvers; i++) {
        const struct pair *pair = &pairs->pairs[i];
        tidy_text(&tidy, metric_column(pair->metric)->name);
        tidy_text(&tidy, results->solvers.text[pair->solver]);
        tidy_text(&tidy, results->solvers.text[pairs->baseline]);
        tidy_number(&tidy, (double)pair->pairs);
        tidy_number(&tidy, (double)pair->wins);
        tidy_number(&tidy, (double)pair->ties);
        tidy_number(&tidy, (double)pair->losses);
        tidy_number(&tidy, pair->ratio);
        tidy_number(&tidy, pair->interval.low);
        tidy_number(&tidy, pair->interval.high);
        tidy_number(&tidy, pair->p);
        tidy_number(&tidy, pair->p_holm);
        tidy_number(&tidy, (double)pair->only_solver);
        tidy_number(&tidy, (double)pair->only_baseline);
        tidy_number(&tidy, (double)pair->neither);
        tidy_number(&tidy, (double)pair->ratio_pairs);
        tidy_number(&tidy, (double)pair->unshared);
        tidy_number(&tidy, (double)pair->unverified);
        tidy_number(&tidy, (double)pair->no_value);
        tidy_number(&tidy, (double)pair->unsolvable);
    }
    return tidy;
}

void pairs_end(struct pairs *pairs)
{
    free(pairs->pairs);
    *pairs = (struct pairs){0};
}
