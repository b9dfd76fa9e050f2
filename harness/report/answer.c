#include "harness/report/answer.h"
#include "base/heap.h"
#include "harness/compare/sentence.h"
#include "harness/figures/making.h"
#include "harness/text/html.h"
#include "harness/text/human.h"
#include "harness/text/sorting.h"

/* ---- The axis of ratios ---- */

/* From one logarithm to another, in percent of the drawn column. */
struct axis {
    double low, high;
};

static const double least = 2; /* so far the axis reaches to both sides at least */

enum { MARGIN = 5, ROOM = 6 /* ticks that stand beside each other on a telephone */ };

static double percent(const struct axis *axis, double ratio)
{
    const double share = (log10(ratio) - axis->low) / (axis->high - axis->low);
    return fmin(100, fmax(0, MARGIN + (100 - 2 * MARGIN) * share));
}

static bool is_drawn(const struct pair *pair)
{
    return pair->ratio.bound != RATIO_UNKNOWN && pair->ratio.spent_pairs > 0 &&
           isfinite(pair->ratio.spent) && pair->ratio.spent > 0;
}

static bool has_interval(const struct pair *pair)
{
    return is_drawn(pair) && pair->ratio.bound == RATIO_KNOWN &&
           !isnan(pair->ratio.solved.interval.low);
}

/* All ratios have their place, and intervals unless they are so wide that they say nothing. */
static struct axis axis_of(const struct pair *pairs, size_t count)
{
    static const double far = 10;
    double low = 1 / least;
    double high = least;
    for (size_t i = 0; i < count; i++) {
        if (!is_drawn(&pairs[i]))
            continue;
        const struct censored_ratio *ratio = &pairs[i].ratio;
        const bool whole = has_interval(&pairs[i]);
        low =
            fmin(low, whole ? fmax(ratio->solved.interval.low, ratio->spent / far) : ratio->spent);
        high = fmax(high,
                    whole ? fmin(ratio->solved.interval.high, ratio->spent * far) : ratio->spent);
    }
    return (struct axis){log10(low), log10(high)};
}

/* Calls `put` for each tick: powers of ten, or beside them twice and five times these; and a half
 * and twice where no power of ten is on that side of 1. */
static void each_tick(const struct axis *axis, void (*put)(double ratio, double at, FILE *file),
                      FILE *file)
{
    static const double steps[] = {1, 2, 5};
    const double decades = axis->high - axis->low;
    const int stride = decades > ROOM ? (int)ceil(decades / ROOM) : 1;
    const size_t within = decades > 2 ? 1 : sizeof steps / sizeof *steps;
    for (int power = (int)floor(axis->low) / stride * stride - stride; power <= axis->high;
         power += stride)
        for (size_t i = 0; i < within; i++) {
            const double ratio = pow(10, power) * steps[i];
            if (log10(ratio) >= axis->low - 1e-9 && log10(ratio) <= axis->high + 1e-9)
                put(ratio, percent(axis, ratio), file);
        }
    if (within == 1 && stride == 1 && axis->low > -1)
        put(1 / least, percent(axis, 1 / least), file);
    if (within == 1 && stride == 1 && axis->high < 1)
        put(least, percent(axis, least), file);
}

static void put_line(double ratio, double at, FILE *file)
{
    fprintf(file, "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"100%%\"/>",
            fabs(log10(ratio)) < 1e-9 ? "one" : "tick", at, at);
}

static void put_number(double ratio, double at, FILE *file)
{
    fprintf(file, "<text x=\"%.2f%%\" y=\"17\">", at);
    if (ratio < 1 - 1e-9)
        fprintf(file, "%.*fx</text>", (int)ceil(-log10(ratio) - 1e-9), ratio);
    else
        fprintf(file, "%sx</text>", human_count(round(ratio)).text);
}

/* ---- The rows ---- */

static void open_lane(FILE *file)
{
    fputs("<svg aria-hidden=\"true\" width=\"100%\">", file);
}

/* Something drawn at a place, in pixels from there. */
static void put_shape(double at, const char *kind, const char *path, FILE *file)
{
    fprintf(file,
            "<svg x=\"%.2f%%\" y=\"50%%\" overflow=\"visible\"><path class=\"%s\" d=\"%s\"/></svg>",
            at, kind, path);
}

static void put_mark(const struct pair *pair, const struct axis *axis, FILE *file)
{
    static const char rightward[] = "M0 0h24m-6-4l6 4l-6 4";
    static const char leftward[] = "M0 0h-24m6-4l-6 4l6 4";
    if (!is_drawn(pair)) {
        if (pair->ratio.bound == RATIO_UNKNOWN && pair->instances > 0) {
            fputs("<line class=\"open\" x1=\"0\" x2=\"100%\" y1=\"50%\" y2=\"50%\"/>", file);
            put_shape(0, "open", "M6-4l-6 4l6 4", file);
            put_shape(100, "open", "M-6-4l6 4l-6 4", file);
        }
        return;
    }
    const double at = percent(axis, pair->ratio.spent);
    if (has_interval(pair))
        fprintf(file,
                "<line class=\"interval\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"50%%\" y2=\"50%%\"/>",
                percent(axis, pair->ratio.solved.interval.low),
                percent(axis, pair->ratio.solved.interval.high));
    if (pair->ratio.bound == RATIO_AT_LEAST)
        put_shape(at, "arrow", rightward, file);
    else if (pair->ratio.bound == RATIO_AT_MOST)
        put_shape(at, "arrow", leftward, file);
    fprintf(file, "<circle cx=\"%.2f%%\" cy=\"50%%\" r=\"5\"/>", at);
}

static void put_cell(const char *tag, const char *text, FILE *file)
{
    fprintf(file, "<%s>", tag);
    html_text(text, file);
    fprintf(file, "</%.*s>", (int)strcspn(tag, " "), tag);
}

/* A row: a name, what is drawn of `pair` (NULL: the baseline itself), and in words. */
static void put_row(const char *name, const struct pair *pair, const struct axis *axis, FILE *file)
{
    static const char *const kinds[] = {
        [CONCLUSION_FEWER] = "fewer", [CONCLUSION_MORE] = "more", [CONCLUSION_DIVIDED] = "unclear"};
    const char *kind = pair == NULL ? "base" : kinds[pair->conclusion];
    fprintf(file, "<tr class=\"%s\"", kind == NULL ? "unclear" : kind);
    if (pair != NULL && is_drawn(pair))
        fprintf(file, " data-ratio=\"%.*g\"", TIDY_DIGITS, pair->ratio.spent);
    if (pair != NULL && has_interval(pair))
        fprintf(file, " data-low=\"%.*g\" data-high=\"%.*g\"", TIDY_DIGITS,
                pair->ratio.solved.interval.low, TIDY_DIGITS, pair->ratio.solved.interval.high);
    putc('>', file);
    put_cell("th scope=\"row\" class=\"text\"", name, file);
    fputs("<td class=\"lane\">", file);
    open_lane(file);
    each_tick(axis, put_line, file);
    if (pair == NULL)
        put_shape(percent(axis, 1), "base", "M0-6l6 6l-6 6l-6-6z", file);
    else
        put_mark(pair, axis, file);
    fputs("</svg></td>", file);
    SCOPED char *words = pair == NULL ? heap_text("the baseline") : verdict_of(pair);
    put_cell("td class=\"text\"", words, file);
    fputs("</tr>\n", file);
}

/* A row of a histogram: a bar, of the longest so many percent. */
static void put_bar(const char *name, double share, const char *words, FILE *file)
{
    fputs("<tr>", file);
    put_cell("th scope=\"row\" class=\"text\"", name, file);
    fputs("<td class=\"lane\">", file);
    open_lane(file);
    fprintf(file, "<rect y=\"4\" height=\"16\" width=\"%.2f%%\"/></svg></td>", share * 100);
    put_cell("td class=\"text\"", words, file);
    fputs("</tr>\n", file);
}

/* legend: what the marks are, or NULL. */
static void open_chart(const char *title, const char *legend, const char *kind, FILE *file)
{
    fprintf(file, "<table class=\"chart %s\">\n<caption>", kind);
    html_text(title, file);
    if (legend != NULL)
        put_cell("span class=\"note\"", legend, file);
    fputs("</caption>\n", file);
}

static void close_chart(FILE *file)
{
    fputs("</table>\n", file);
}

/* ---- The forest plot ---- */

ORDER_BY(by_ratio, struct pair *, ORDER(is_drawn(*y), is_drawn(*x)),
         is_drawn(*x) ? ORDER((*x)->ratio.spent, (*y)->ratio.spent) : 0,
         ORDER((*x)->solver, (*y)->solver));

static void put_head(const struct axis *axis, enum metric metric, FILE *file)
{
    fputs("<thead><tr><th scope=\"col\" class=\"text\">solver</th><th scope=\"col\" "
          "class=\"lane\"><span>\u2190 ",
          file);
    html_text(metric_more_or_less(metric, false), file);
    fputs("</span><span>", file);
    html_text(metric_more_or_less(metric, true), file);
    fputs(" \u2192</span>", file);
    open_lane(file);
    each_tick(axis, put_number, file);
    fputs("</svg></th><th scope=\"col\" class=\"text\">in words</th></tr></thead>\n", file);
}

/* What the marks are. */
static char *legend_of(const struct pairs *pairs, enum metric metric)
{
    const struct pair *all = pairs_by(pairs, metric);
    const size_t family = pairs_family(pairs, metric);
    bool arrows = false;
    bool open = false;
    char *text = heap_text("Point: ratio of geometric means; ");
    for (size_t i = 0; i < pairs->solvers; i++) {
        arrows = arrows || (is_drawn(&all[i]) && all[i].ratio.bound != RATIO_KNOWN);
        open = open || all[i].ratio.bound == RATIO_UNKNOWN;
    }
    if (pairs->block->whole) {
        heap_append(&text, "every board there is, so no sampling error");
    } else {
        heap_append(&text, "bar and brackets: its 95\u202f%% interval, for each solver alone; "
                           "filled: a difference is shown, p < 0.05 (Wilcoxon");
        if (family > 1)
            heap_append(&text, ", corrected for %zu comparisons by %s", family,
                        correction_name(pairs->options.correction));
        heap_append(&text, ")");
    }
    if (arrows)
        heap_append(&text, "; arrow: at least, or at most, that, as runs are unsolved");
    if (open)
        heap_append(&text, "; dotted: any ratio, as both solvers left runs unsolved");
    heap_append(&text, ".");
    return text;
}

static void put_forest(const struct pairs *pairs, enum metric metric, const struct results *results,
                       FILE *file)
{
    const struct pair *all = pairs_by(pairs, metric);
    const struct axis axis = axis_of(all, pairs->solvers);
    const char *base = results->shown[pairs->options.baseline];
    SCOPED const struct pair **order = heap_take(pairs->solvers, sizeof *order);
    SCOPED char *label = metric_label(metric);
    SCOPED char *legend = legend_of(pairs, metric);
    SCOPED char *title =
        heap_format("%s, as a multiple of %s\u2019s (logarithmic axis)", label, base);
    bool placed = false;
    for (size_t i = 0; i < pairs->solvers; i++)
        order[i] = &all[i];
    qsort(order, pairs->solvers, sizeof *order, by_ratio);
    open_chart(title, legend, "forest", file);
    put_head(&axis, metric, file);
    for (size_t i = 0; i < pairs->solvers; i++) {
        if (!placed && (!is_drawn(order[i]) || order[i]->ratio.spent > 1)) {
            put_row(base, NULL, &axis, file);
            placed = true;
        }
        put_row(results->shown[order[i]->solver], order[i], &axis, file);
    }
    if (!placed)
        put_row(base, NULL, &axis, file);
    close_chart(file);
}

/* ---- Where nothing is compared ---- */

static struct human value_text(enum metric metric, double value)
{
    const char *unit = metric_column(metric)->unit;
    return !isfinite(value)             ? human_count(value)
           : strcmp(unit, "s") == 0     ? human_seconds(value)
           : strcmp(unit, "bytes") == 0 ? human_bytes(value)
                                        : human_count(value);
}

/* What a solver took on the boards that it solved: least, quartiles and most. */
static void put_spread(const struct spread *spread, enum metric metric, FILE *file)
{
    const struct quartiles *all = &spread->quartiles;
    const struct {
        const char *name;
        double value;
    } rows[] = {{"least", all->min},
                {"lower quartile", all->lower},
                {"median", all->median},
                {"upper quartile", all->upper},
                {"most", all->max}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        put_bar(rows[i].name, rows[i].value / fmax(all->max, 1e-300),
                value_text(metric, rows[i].value).text, file);
}

/* Which share of the boards each solver solved. */
static void put_solved(const struct summary *summary, const struct results *results, FILE *file)
{
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        SCOPED char *words = heap_format("%zu of %zu", own->instances_solved, own->instances);
        if (own->instances > 0)
            put_bar(results->shown[i], (double)own->instances_solved / (double)own->instances,
                    words, file);
    }
}

/* ---- The sentences ---- */

/* The pair of the least ratio that is shown to be less. */
static const struct pair *best_of(const struct pair *pairs, size_t count)
{
    const struct pair *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (pairs[i].conclusion == CONCLUSION_FEWER &&
            (best == NULL || pairs[i].ratio.spent < best->ratio.spent))
            best = &pairs[i];
    return best;
}

/* Takes the text, which lacks its full stop. */
static void put_sentence(const char *tag, char *owned, FILE *file)
{
    heap_append(&owned, ".");
    put_cell(tag, owned, file);
    putc('\n', file);
    free(owned);
}

static const char headline[] = "p class=\"headline\"";

static bool most_unsolved(const struct summary *summary)
{
    size_t runs = 0;
    size_t unsolved = 0;
    for (size_t i = 0; i < summary->count; i++) {
        runs += summary->solvers[i].runs;
        unsolved += summary->solvers[i].unsolved;
    }
    return 2 * unsolved > runs;
}

/* What the best solver does, and at what price; or that none is better. */
static void say_best(const struct pairs *pairs, enum metric metric, const struct summary *summary,
                     const struct results *results, FILE *file)
{
    const double worth_saying = 1.005;
    const bool priced = solution_metric(pairs->block) == METRIC_cost;
    const struct pair *all = pairs_by(pairs, metric);
    const struct pair *best = best_of(all, pairs->solvers);
    const char *base = results->shown[pairs->options.baseline];
    char *text;
    if (best == NULL && pairs->solvers == 1 && all->conclusion == CONCLUSION_MORE) {
        text = claim_of(all, results);
    } else if (best != NULL) {
        const struct solver_summary *own = &summary->solvers[best->solver];
        const double stretch = own->stretch.mean;
        text = claim_of(best, results);
        if (metric != solution_metric(pairs->block) && stretch > worth_saying)
            heap_append(&text, ", but its solutions %s %.2f times as %s as the %s%s",
                        priced ? "cost" : "are", stretch, priced ? "much" : "long",
                        optimal_word(pairs->block),
                        own->stretch.count < own->instances_solved ? ", where that is known" : "");
    } else if (pairs->solvers == 1) {
        SCOPED char *verdict = verdict_of(all);
        text = heap_format("%s against %s: %s", results->shown[all->solver], base, verdict);
    } else {
        text = heap_format(most_unsolved(summary)
                               ? "Most runs are unsolved: no solver is shown to need %s than %s"
                               : "No solver is shown to need %s than %s",
                           metric_more_or_less(metric, false), base);
    }
    put_sentence(headline, text, file);
}

/* How many solvers have each verdict, in the words of the chart. */
static char *verdicts_counted(const struct pairs *pairs, enum metric metric)
{
    const struct pair *all = pairs_by(pairs, metric);
    const char *const differences[] = {metric_more_or_less(metric, false),
                                       metric_more_or_less(metric, true)};
    SCOPED_BY(names_end) struct names kinds = {0};
    SCOPED size_t *counts = heap_take(pairs->solvers + 2, sizeof *counts);
    char *text = heap_text("");
    names_add(&kinds, differences[0]);
    names_add(&kinds, differences[1]);
    for (size_t i = 0; i < pairs->solvers; i++) {
        const enum conclusion conclusion = all[i].conclusion;
        SCOPED char *words = verdict_of(&all[i]);
        words[strcspn(words, "*?")] = '\0';
        const bool differs = conclusion == CONCLUSION_FEWER || conclusion == CONCLUSION_MORE;
        counts[names_add(&kinds, differs ? differences[conclusion == CONCLUSION_MORE] : words)]++;
    }
    for (size_t i = 0; i < kinds.count; i++)
        if (counts[i] > 0)
            heap_append(&text, "%s%s (%zu)", text[0] == '\0' ? "" : ", ", kinds.text[i], counts[i]);
    return text;
}

/* On how many boards the one is better; or of how many solvers what is shown. */
static void say_all(const struct pairs *pairs, enum metric metric, const struct results *results,
                    FILE *file)
{
    const struct pair *all = pairs_by(pairs, metric);
    SCOPED char *verdicts = verdicts_counted(pairs, metric);
    put_sentence("p",
                 pairs->solvers == 1
                     ? heap_format("It is better on %zu of %zu board%s and worse on %zu",
                                   all->order.wins, all->instances, plural(all->instances),
                                   all->order.losses)
                     : heap_format("The %zu solvers against %s: %s", pairs->solvers,
                                   results->shown[pairs->options.baseline], verdicts),
                 file);
}

static void say_alone(const struct solver_summary *own, enum metric metric, const char *name,
                      FILE *file)
{
    const struct quartiles *all = &own->value[metric].quartiles;
    SCOPED char *label = metric_label(metric);
    put_sentence(headline,
                 own->value[metric].count == 0
                     ? heap_format("%s solved no board of %zu", name, own->instances)
                     : heap_format("%s has a median of %s %s, and %s at most on the boards that it "
                                   "solved",
                                   name, value_text(metric, own->median_all[metric]).text, label,
                                   value_text(metric, all->max).text),
                 file);
}

static size_t unsolved_solvers(const struct summary *summary)
{
    size_t count = 0;
    for (size_t i = 0; i < summary->count; i++)
        count += summary->solvers[i].unsolved > 0;
    return count;
}

/* How many runs ended without a solution, and whose most. */
static void say_ended(const struct summary *summary, const struct results *results, FILE *file)
{
    enum { NAMED = 3 };
    const size_t named = unsolved_solvers(summary) == NAMED + 1 ? NAMED + 1 : NAMED;
    size_t runs = 0;
    size_t solvers = 0;
    size_t unverified = 0;
    size_t faults = 0;
    char *text = heap_text("Not solved:");
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        runs += own->runs;
        unverified += own->unverified;
        faults += own->by_status[STATUS_wrong_answer] + own->by_status[STATUS_crashed];
        if (own->unsolved > 0 && solvers++ < named)
            heap_append(&text, "%s %s %zu of %zu", solvers == 1 ? "" : ",", results->shown[i],
                        own->unsolved, own->runs);
    }
    if (solvers > named)
        heap_append(&text, ", and %zu solvers more", solvers - named);
    if (solvers == 0) {
        free(text);
        text = heap_format("No run of %s was left unsolved", human_count((double)runs).text);
    }
    if (faults > 0)
        heap_append(&text, "; %zu wrong or crashed", faults);
    if (unverified > 0)
        heap_append(&text, "; %zu solved by their own account alone", unverified);
    put_sentence("p", text, file);
}

/* ---- The page's part ---- */

static void put_block(const struct comparison *comparison, size_t number, FILE *file)
{
    const struct results *results = &comparison->results;
    const struct pairs *pairs = &comparison->pairs[number];
    const struct summary *summary = &comparison->summaries[number];
    const enum metric metric = comparison->metric;
    const bool alone = results->solvers.count == 1;
    bool compared = false;
    for (size_t i = 0; i < pairs->solvers; i++)
        compared = compared || pairs_by(pairs, metric)[i].instances > 0;
    if (compared) {
        say_best(pairs, metric, summary, results, file);
        say_all(pairs, metric, results, file);
    } else if (alone) {
        say_alone(summary->solvers, metric, results->shown[0], file);
    }
    say_ended(summary, results, file);
    if (compared) {
        put_forest(pairs, metric, results, file);
        return;
    }
    const bool valued = alone && summary->solvers->value[metric].count > 0;
    SCOPED char *label = metric_label(metric);
    open_chart(valued ? label : "boards solved", NULL, "bars", file);
    if (valued)
        put_spread(&summary->solvers->value[metric], metric, file);
    else
        put_solved(summary, results, file);
    close_chart(file);
}

void put_answer(const struct comparison *comparison, FILE *file)
{
    const struct results *results = &comparison->results;
    for (size_t i = 0; i < results->block_count; i++) {
        const struct block *block = &results->blocks[i];
        fputs("<section class=\"set\" data-set=\"", file);
        html_plain(block->name, file);
        fputs("\">\n<h2>", file);
        html_text(block->name, file);
        fprintf(file, "<span class=\"hint\"> %s board%s</span></h2>\n",
                human_count((double)block->count).text, plural(block->count));
        put_block(comparison, i, file);
        fputs("</section>\n", file);
    }
}

void put_class(const struct document *document, FILE *file)
{
    for (size_t i = 0; i < document->count; i++) {
        const struct document_part *part = &document->parts[i];
        const struct tidy *table = &part->table;
        if (part->kind == PART_TITLE)
            put_cell(headline, part->text, file);
        if (part->kind != PART_TABLE || strcmp(part->name, "distribution") != 0)
            continue;
        double most = 1;
        for (size_t cell = 1; cell < table->cell_count; cell += table->column_count)
            most = fmax(most, table->cells[cell].number);
        open_chart(part->text, NULL, "bars", file);
        for (size_t cell = 0; cell < table->cell_count; cell += table->column_count) {
            SCOPED char *count = tidy_shown(table, cell + 1);
            put_bar(table->cells[cell].text, table->cells[cell + 1].number / most, count, file);
        }
        close_chart(file);
    }
}
