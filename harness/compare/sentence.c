#include "harness/compare/sentence.h"
#include "base/heap.h"
#include "harness/text/human.h"

/* How a metric is spoken of: "a VERB 2 times LESS than b". */
struct words {
    const char *verb, *less, *more;
};

static struct words words_of(enum metric metric)
{
    static char less[128], more[128];
    static const struct words rows[METRICS] = {
        [METRIC_expanded] = {"expands", "fewer nodes", "more nodes"},
        [METRIC_generated] = {"generates", "fewer nodes", "more nodes"},
        [METRIC_duplicates] = {"meets", "fewer duplicates", "more duplicates"},
        [METRIC_reopened] = {"reopens", "fewer nodes", "more nodes"},
        [METRIC_max_open] = {"keeps", "fewer nodes open", "more nodes open"},
        [METRIC_max_stored] = {"holds", "fewer nodes", "more nodes"},
        [METRIC_max_depth] = {"goes", "less deep", "deeper"},
        [METRIC_iterations] = {"makes", "fewer iterations", "more iterations"},
        [METRIC_peak_bytes] = {"uses", "less memory", "more memory"},
        [METRIC_first_found] = {"generates", "fewer nodes before its first solution",
                                "more nodes before its first solution"},
        [METRIC_best_found] = {"generates", "fewer nodes before its best solution",
                               "more nodes before its best solution"},
        [METRIC_open_at_end] = {"leaves", "fewer nodes open", "more nodes open"},
        [METRIC_length] = {"finds", "shorter solutions", "longer solutions"},
        [METRIC_cost] = {"finds", "cheaper solutions", "dearer solutions"},
        [METRIC_wall_s] = {"takes", "less time", "more time"},
        [METRIC_cpu_s] = {"takes", "less processor time", "more processor time"},
        [METRIC_instructions] = {"executes", "fewer instructions", "more instructions"},
        [METRIC_llc_misses] = {"has", "fewer cache misses", "more cache misses"},
        [METRIC_page_faults] = {"has", "fewer page faults", "more page faults"},
    };
    if (rows[metric].verb != NULL)
        return rows[metric];
    snprintf(less, sizeof less, "less %s", metric_column(metric)->name);
    snprintf(more, sizeof more, "more %s", metric_column(metric)->name);
    return (struct words){"has", less, more};
}

/* 6.4, 35, 1,234: as many digits as a reader keeps. */
static const char *times_text(double times, char room[32])
{
    if (isinf(times))
        snprintf(room, 32, "infinitely many");
    else if (times < 1.995)
        snprintf(room, 32, "%.2f", times);
    else if (times < 9.95)
        snprintf(room, 32, "%.1f", times);
    else
        snprintf(room, 32, "%s", human_count(round(times)).text);
    return room;
}

/* The same number with the digits after those of times_text cut off: a lower bound stays true. */
static double bound_below(double times)
{
    const double scale = times < 2 ? 100 : times < 10 ? 10 : 1;
    return floor(times * scale) / scale;
}

/* How many times more or fewer at least, to be shown; 0 where no such bound is known. */
static double known_at_least(const struct censored_ratio *ratio, bool fewer)
{
    const bool bounded = ratio->bound == (fewer ? RATIO_AT_MOST : RATIO_AT_LEAST);
    const double times = bound_below(fewer ? 1 / ratio->spent : ratio->spent);
    return bounded && times > 1 ? times : 0;
}

static void say_on(FILE *file, const char *what, size_t boards)
{
    if (boards == 0)
        fprintf(file, ", never %s", what);
    else
        fprintf(file, ", %s on %s", what, human_count((double)boards).text);
}

static void say_family(FILE *file, const struct pairs *pairs, enum metric metric)
{
    const size_t family = pairs_family(pairs, metric);
    if (family > 1)
        fprintf(file, " (%s over %zu)", correction_name(pairs->options.correction), family);
}

static void say_p(FILE *file, const struct pairs *pairs, const struct pair *pair)
{
    if (isnan(pair->p_adjusted))
        return;
    if (pair->p_adjusted < 1e-300)
        fputs(", p < 1e-300", file);
    else if (pair->p_adjusted < 1e-4)
        fprintf(file, ", p < 1e%.0f", floor(log10(pair->p_adjusted)) + 1);
    else
        fprintf(file, ", p = %s", human_p_brief(pair->p_adjusted).text);
    say_family(file, pairs, pair->metric);
}

static void say_counts(FILE *file, const struct pairs *pairs, const struct pair *pair)
{
    const struct paired_order *order = &pair->order;
    char both[32];
    snprintf(both, sizeof both, "%s", human_count((double)order->both).text);
    const struct human boards = human_count((double)pair->instances);
    if (!pair->whole)
        fprintf(file, ", on %s of %s boards both solved", both, boards.text);
    else if (order->both < pair->instances)
        fprintf(file, ", on all %s boards, of which both solved %s", boards.text, both);
    else
        fprintf(file, ", on all %s boards", boards.text);
    if (pair->unverified > 0)
        fprintf(file, " (%zu unverified)", pair->unverified);
    if (pair->impossible > 0)
        fprintf(file, " (%zu with counters that no search can count)", pair->impossible);
    if (pair->drifted > 0)
        fprintf(file, " (%zu with times beside control runs that drifted)", pair->drifted);
    say_on(file, "better", order->wins);
    say_on(file, "worse", order->losses);
    say_p(file, pairs, pair);
    if (pair->whole)
        fputs(" (every board there is, so no sampling error)", file);
}

/* "a hit a limit on 40 of 50 boards"; nothing where all are solved. */
static bool say_unsolved(FILE *file, const struct pair *pair, const char *solver, size_t unsolved,
                         size_t limited, bool second)
{
    if (unsolved == 0)
        return false;
    fprintf(file,
            limited == unsolved ? "%s%s hit a limit on %zu of %zu board%s"
                                : "%s%s did not solve %zu of %zu board%s",
            second ? " and " : "", solver, unsolved, pair->instances, plural(pair->instances));
    return true;
}

static void say_claim(FILE *file, const struct pair *pair, const char *own, const char *base)
{
    const struct words words = words_of(pair->metric);
    const struct censored_ratio *ratio = &pair->ratio;
    const bool fewer = pair->conclusion == CONCLUSION_FEWER;
    const double times = fewer ? 1 / ratio->spent : ratio->spent;
    char room[32];
    fprintf(file, "%s %s ", own, words.verb);
    if (ratio->bound == RATIO_KNOWN && ratio->spent_pairs > 0)
        fprintf(file, "%s times ", times_text(times, room));
    else if (known_at_least(ratio, fewer) > 0)
        fprintf(file, "at least %s times ", times_text(known_at_least(ratio, fewer), room));
    fprintf(file, "%s than %s", fewer ? words.less : words.more, base);
}

static void say_interval(FILE *file, const struct pair *pair)
{
    const struct censored_ratio *ratio = &pair->ratio;
    const bool fewer = pair->conclusion == CONCLUSION_FEWER;
    const struct interval *interval = &ratio->solved.interval;
    char room[2][32];
    if (ratio->bound == RATIO_KNOWN && !isnan(interval->low))
        fprintf(file, " [%s, %s]", times_text(fewer ? 1 / interval->high : interval->low, room[0]),
                times_text(fewer ? 1 / interval->low : interval->high, room[1]));
}

char *claim_of(const struct pair *pair, const struct results *results)
{
    return WRITTEN(
        file, say_claim(file, pair, results->shown[pair->solver], results->shown[pair->baseline]));
}

const char *metric_more_or_less(enum metric metric, bool more)
{
    const struct words words = words_of(metric);
    return more ? words.more : words.less;
}

/* "a against b: nothing to compare, as a does not report expanded"; false where both do. */
static bool say_lacking(FILE *file, const struct pair *pair, const char *own, const char *base,
                        const char *metric)
{
    const char *const names[] = {own, base};
    bool lacking = false;
    for (size_t i = 0; i < 2; i++) {
        if (pair->lacking[i] == REPORTED_ALL)
            continue;
        if (!lacking)
            fprintf(file, "%s against %s: nothing to compare, as", own, base);
        fprintf(file, "%s %s does not report %s%s", lacking ? " and" : "", names[i], metric,
                pair->lacking[i] == REPORTED_PART ? " of every board that it solved" : "");
        lacking = true;
    }
    return lacking;
}

/* Why it cannot be said, and what is known all the same. */
static void say_open(FILE *file, const struct pairs *pairs, const struct pair *pair,
                     const char *own, const char *base)
{
    const struct paired_order *order = &pair->order;
    char room[32];
    fprintf(file, "%s against %s: cannot be said: ", own, base);
    if (pair->p_adjusted < PAIRS_LEVEL) {
        fprintf(file, "it needs %s by ranks", pair->by_ranks == CONCLUSION_FEWER ? "less" : "more");
        say_p(file, pairs, pair);
    }
    if (pair->conclusion == CONCLUSION_DIVIDED) {
        fprintf(file, ", but %s times as much by geometric means",
                times_text(pair->ratio.spent, room));
        return;
    }
    if (pair->p_adjusted < PAIRS_LEVEL)
        fputs(", but the geometric means may say otherwise: ", file);
    bool said =
        say_unsolved(file, pair, own, order->only_b + order->neither, pair->limited[0], false);
    said |= say_unsolved(file, pair, base, order->only_a + order->neither, pair->limited[1], said);
    if (!said)
        fputs("the adjusted p depends on unsolved runs of other solvers", file);
    say_on(file, "better", order->wins);
    say_on(file, "worse", order->losses);
}

char *sentence_of(const struct pairs *pairs, const struct pair *pair, const struct results *results)
{
    const char *own = results->shown[pair->solver];
    const char *base = results->shown[pair->baseline];
    const char *metric = metric_column(pair->metric)->name;
    const struct interval *interval = &pair->ratio.solved.interval;
    char *text = NULL;
    size_t length = 0;
    char room[3][32];
    FILE *file = heap_stream(&text, &length);
    switch (pair->conclusion) {
    case CONCLUSION_FEWER:
    case CONCLUSION_MORE:
        say_claim(file, pair, own, base);
        say_interval(file, pair);
        say_counts(file, pairs, pair);
        break;
    case CONCLUSION_NOTHING:
        if (say_lacking(file, pair, own, base, metric))
            break;
        fprintf(file, "%s against %s: nothing to compare, as no board%s was run by both%s%s", own,
                base, pair->unsolvable > 0 ? " that can be solved" : "",
                pair->no_value > 0 ? " and has " : "", pair->no_value > 0 ? metric : "");
        break;
    case CONCLUSION_NOT_ENOUGH:
        fprintf(file,
                "%s against %s: not enough data: %zu board%s of the %zu or more that a test needs",
                own, base, pair->instances, plural(pair->instances), pairs_needed(pairs, pair));
        say_family(file, pairs, pair->metric);
        break;
    case CONCLUSION_SAME:
        fprintf(file, "%s and %s: %s is the same on each of %s boards", own, base, metric,
                human_count((double)pair->instances).text);
        break;
    case CONCLUSION_NONE_SHOWN:
        fprintf(file, "%s against %s: no difference shown", own, base);
        if (pair->ratio.bound == RATIO_KNOWN && !isnan(interval->low))
            fprintf(file, " (ratio %s [%s, %s]%s)", times_text(pair->ratio.spent, room[0]),
                    times_text(interval->low, room[1]), times_text(interval->high, room[2]),
                    interval->low > 1 || interval->high < 1 ? " taken alone" : "");
        say_counts(file, pairs, pair);
        break;
    case CONCLUSION_UNKNOWN:
    case CONCLUSION_DIVIDED:
        say_open(file, pairs, pair, own, base);
        break;
    }
    heap_stream_end(file);
    return text;
}

/* "fewer" of "fewer nodes" */
static int first_word(const char *words)
{
    return (int)strcspn(words, " ");
}

static char *brief_difference(const struct pair *pair)
{
    const struct words words = words_of(pair->metric);
    const struct censored_ratio *ratio = &pair->ratio;
    const bool fewer = pair->conclusion == CONCLUSION_FEWER;
    const double times = fewer ? 1 / ratio->spent : ratio->spent;
    const struct interval *interval = &ratio->solved.interval;
    const char *what = fewer ? words.less : words.more;
    char room[3][32];
    const bool known = ratio->bound == RATIO_KNOWN && ratio->spent_pairs > 0;
    char *text = heap_text("");
    if (known)
        heap_append(&text, "%sx ", times_text(times, room[0]));
    else if (known_at_least(ratio, fewer) > 0)
        heap_append(&text, "at least %sx ", times_text(known_at_least(ratio, fewer), room[0]));
    heap_append(&text, "%.*s", first_word(what), what);
    if (known && !isnan(interval->low))
        heap_append(&text, " [%s, %s]",
                    times_text(fewer ? 1 / interval->high : interval->low, room[1]),
                    times_text(fewer ? 1 / interval->low : interval->high, room[2]));
    return text;
}

char *verdict_of(const struct pair *pair)
{
    char *text = NULL;
    switch (pair->conclusion) {
    case CONCLUSION_FEWER:
    case CONCLUSION_MORE:
        text = brief_difference(pair);
        break;
    case CONCLUSION_NOTHING:
        text = heap_text(pair->lacking[0] != REPORTED_ALL   ? "not reported"
                         : pair->lacking[1] != REPORTED_ALL ? "not reported by the other"
                                                            : "nothing to compare");
        break;
    case CONCLUSION_NOT_ENOUGH:
        text = heap_text("not enough data");
        break;
    case CONCLUSION_SAME:
        text = heap_text("the same on each");
        break;
    case CONCLUSION_NONE_SHOWN:
        text = heap_text("no difference shown");
        break;
    case CONCLUSION_UNKNOWN:
    case CONCLUSION_DIVIDED:
        text = pair->p_adjusted < PAIRS_LEVEL
                   ? heap_format("%s by ranks",
                                 more_or_less(pair->metric, pair->by_ranks == CONCLUSION_MORE))
                   : heap_text("cannot be said");
        break;
    }
    if (pair->unshared > 0)
        heap_append(&text, "*");
    if (pair->unverified + pair->impossible + pair->drifted > 0)
        heap_append(&text, "?");
    return text;
}

const char *more_or_less(enum metric metric, bool more)
{
    static char words[2][16];
    const struct words own = words_of(metric);
    const char *what = more ? own.more : own.less;
    snprintf(words[more], sizeof words[more], "%.*s", first_word(what), what);
    return words[more];
}
