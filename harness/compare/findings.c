#include "harness/compare/findings.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/analysis/costs.h"
#include "harness/analysis/expect.h"
#include "harness/compare/columns_view.h"
#include "harness/compare/heuristic_views.h"
#include "harness/compare/improvements_view.h"
#include "harness/compare/sentence.h"
#include "harness/compare/views.h"
#include "harness/text/human.h"
#include "puzzle/rank.h"

/* "20 rows of dfs, 3 rows of bfs"; to be freed. */
static char *left_out_text(struct left_out *left_out)
{
    SCOPED size_t *place = heap_take(left_out->solvers.count, sizeof *place);
    size_t *rows = heap_take(left_out->solvers.count, sizeof *rows);
    names_arrange(&left_out->solvers, NULL, place);
    for (size_t i = 0; i < left_out->solvers.count; i++)
        rows[place[i]] = left_out->rows[i];
    char *text = heap_text("");
    for (size_t i = 0; i < left_out->solvers.count; i++) {
        heap_append(&text, "%s%zu row%s of %s", i == 0 ? "" : ", ", rows[i], plural(rows[i]),
                    left_out->solvers.text[i]);
    }
    free(left_out->rows);
    left_out->rows = rows;
    return text;
}

static void note_left_out(struct comparison *comparison)
{
    struct left_out *strangers = &comparison->results.strangers;
    struct left_out *others = &comparison->results.other_limits;
    if (strangers->solvers.count > 0) {
        SCOPED char *rows = left_out_text(strangers);
        comparison_note(comparison, "rows left out",
                        "Left out: %s, which %s not in the experiment any more.", rows,
                        strangers->solvers.count == 1 ? "is" : "are");
    }
    if (others->solvers.count > 0) {
        SCOPED char *rows = left_out_text(others);
        comparison_note(comparison, "rows left out",
                        "Left out: %s, made under other limits than the experiment's.", rows);
    }
}

/* Whether some solver keeps bits of the whole space where others keep nodes. */
static bool memory_misleads(const struct results *results)
{
    bool small = false;
    bool whole = false;
    for (size_t i = 0; i < results->instances.count; i++)
        small = small || results->known[i].start.shape.cells <= MAX_RANKED_CELLS;
    for (size_t i = 0; i < results->solvers.count; i++) {
        const char *solver = results->solvers.text[i];
        SCOPED char *name = heap_format("%.*s", (int)strcspn(solver, "("), solver);
        const struct algorithm *algorithm = algorithm_find(name);
        whole = whole || (algorithm != NULL && (algorithm->properties & KEEPS_BITS) != 0);
    }
    return small && whole && results->solvers.count > 1;
}

/* What other runs had the rows left out: `others` has them a line each, two spaces before it. */
static char *other_runs_text(const char *others)
{
    char *text = heap_text("");
    const char *between = ": ";
    for (const char *at = others == NULL ? "" : others; *at != '\0'; between = "; ") {
        const int length = (int)strcspn(at, "\n");
        heap_append(&text, "%s%.*s", between, length - 2, at + 2);
        at += length + (at[length] == '\n');
    }
    return text;
}

static void note_oddities(struct comparison *comparison, const struct compare_options *options)
{
    const struct results *results = &comparison->results;
    SCOPED char *other_runs = other_runs_text(options->others);
    note_left_out(comparison);
    const bool memory_shown = options->full || options->metric == METRIC_peak_bytes;
    if (memory_shown && memory_misleads(results))
        comparison_note(comparison, "peak memory",
                        "Peak memory (peak_bytes) compares representations: on boards of up to "
                        "%d cells bfs keeps bits of the whole space instead of nodes. "
                        "max_stored does not depend on that.",
                        MAX_RANKED_CELLS);
    if (results->left_out > 0)
        comparison_note(comparison, "rows left out",
                        "Rows of other runs than the experiment's, left out: %zu%s",
                        results->left_out, other_runs);
    if (results->edited > 0)
        comparison_note(comparison, "edited rows",
                        "Rows whose cells are not those that tilelab wrote (row_hash): %zu. "
                        "Their solutions count as unverified.",
                        results->edited);
    SCOPED char *drift = results->drifted > 0 ? drift_text(&results->drift) : NULL;
    if (drift != NULL)
        comparison_note(comparison, "times that drifted (?)",
                        "Times with ?: %zu row%s ran beside control runs that drifted: %s.",
                        results->drifted, plural(results->drifted), drift);
    if (results->repeated > 0)
        comparison_note(comparison, "repeated rows",
                        "Rows that repeat a run_id, and count once: %zu.", results->repeated);
    if (results->cut_files > 0)
        comparison_note(comparison, "a row that is cut off",
                        "The last row of %zu file%s has no line end (it is being written, or was "
                        "cut off) and is left out.",
                        results->cut_files, results->cut_files == 1 ? "" : "s");
    if (results->mixed > 0)
        comparison_note(comparison, "boards solved in some repetitions only",
                        "In %zu case%s a solver solved an instance in some repetitions, but "
                        "not in all: unsolved.",
                        results->mixed, plural(results->mixed));
    if (results->unrepeated > 0)
        comparison_note(comparison, "external solvers that do not repeat themselves",
                        "In %zu case%s an external solver counted or found something else in "
                        "another repetition on the same board; the medians count.",
                        results->unrepeated, plural(results->unrepeated));
    if (results->disagreeing > 0)
        comparison_note(comparison, "counters that differ between repetitions",
                        "In %zu cases the runs of one solver on one instance differ in their "
                        "counters: results of different builds or operator orders are pooled; "
                        "the medians count.",
                        results->disagreeing);
}

/* Of more solvers than these, what is true of several is said once. */
enum { HANDFUL = 8 };

static bool is_class(const struct results *results)
{
    return results->solvers.count > HANDFUL;
}

static size_t zeros_of(const struct pair *pair)
{
    return pair->instances - pair->ratio.spent_pairs;
}

/* The solver of pair i, in a class all of which as many boards are left out as of that; NULL where
 * an earlier one names it. Heap memory. */
static char *zero_names(const struct pairs *pairs, enum metric metric, size_t i,
                        const struct results *results)
{
    const struct pair *all = pairs_by(pairs, metric);
    char *names = NULL;
    for (size_t j = 0; j < pairs->count; j++) {
        if (j != i && (!is_class(results) || zeros_of(&all[j]) != zeros_of(&all[i]) ||
                       all[j].baseline != all[i].baseline))
            continue;
        if (j < i)
            return NULL;
        heap_append(&names, "%s%s", names == NULL ? "" : ", ", results->shown[all[j].solver]);
    }
    return names;
}

/* What of the pairs is not plain. */
static void note_pairs(struct comparison *comparison, const struct pairs *pairs, enum metric metric)
{
    const struct results *results = &comparison->results;
    const char *block = pairs->block->name;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs_by(pairs, metric)[i];
        const char *solver = results->shown[pair->solver];
        const char *base = results->shown[pair->baseline];
        const size_t zeros = zeros_of(pair);
        SCOPED char *named = zeros == 0 ? NULL : zero_names(pairs, metric, i, results);
        if (named != NULL)
            comparison_note(comparison, "values of 0",
                            "%s: the ratio of %s to %s leaves out %zu board%s where a value "
                            "is 0 or not known.",
                            block, named, base, zeros, plural(zeros));
        if (pair->no_value > 0)
            comparison_note(comparison, "values that are missing",
                            "%s: %zu board%s that %s and %s both solved, but without %s: no pair.",
                            block, pair->no_value, plural(pair->no_value), solver, base,
                            metric_column(metric)->name);
        const size_t apart = pairs_by(pairs, METRIC_wall_s)[i].apart;
        if (apart > 0)
            comparison_note(comparison, "times of different hosts",
                            "%s: %zu board%s that %s and %s ran on different hosts: their times "
                            "do not compare.",
                            block, apart, plural(apart), solver, base);
        if (pair->unshared > 0)
            comparison_note(comparison, "boards that only one solver ran (*)",
                            "%s: %zu board%s run by only one of %s and %s: not compared.", block,
                            pair->unshared, pair->unshared == 1 ? " was" : "s were", solver, base);
    }
}

/* Who does not report a metric: their cells are empty, and nothing is concluded from them. */
static void tell_lacking(struct document *document, const struct results *results,
                         const struct block *block, enum metric metric)
{
    SCOPED char *said = results_left_out(results, block, metric);
    if (said != NULL)
        document_say(document, PART_NOTE, "%s", said);
}

/* Means by optimal length, a table for each metric that is named, the verdicts' too if it is not
 * the usual one. */
static void tell_means(struct document *document, const struct comparison *comparison,
                       const struct by_depth *by_depth, const struct compare_options *options)
{
    bool wanted[METRICS];
    memcpy(wanted, options->also, sizeof wanted);
    comparison_metrics(comparison, wanted);
    wanted[options->metric] = wanted[options->metric] || options->metric_asked;
    for (unsigned i = 0; i < METRICS; i++) {
        if (!wanted[i])
            continue;
        const bool priced = by_depth->block->model != COST_unit;
        const bool branching = i == METRIC_generated && !priced;
        struct tidy table = by_depth_figure(by_depth, &comparison->results, (enum metric)i);
        document_table(document, i == METRIC_generated ? "figure" : metric_column(i)->name, &table,
                       "By optimal %s: mean of %s%s; (7/10): over the solved ones, 7 of 10",
                       priced ? optimum_name(by_depth->block) : "length d", metric_column(i)->name,
                       branching ? ", and its b* (generated = 1 + b* + .. + b*^d)" : "");
    }
}

static void tell_depths(struct document *document, const struct comparison *comparison,
                        const struct by_depth *by_depth, const struct compare_options *options)
{
    const char *optimum = solution_word(by_depth->block);
    if (by_depth->count == 0) {
        document_say(document, PART_TEXT,
                     "By optimal solution %s: no instance has one in the results.", optimum);
        return;
    }
    tell_means(document, comparison, by_depth, options);
    if (by_depth->unknown > 0)
        document_say(document, PART_NOTE,
                     "Left out by %s: %zu of %zu instances, whose optimal %s is not known.",
                     optimum, by_depth->unknown, by_depth->block->count, optimum);
    if (by_depth->unsolvable > 0)
        document_say(document, PART_NOTE,
                     "Left out by %s: %zu of %zu instances, which cannot be solved.", optimum,
                     by_depth->unsolvable, by_depth->block->count);
}

/* The tables of the pairs, and what their figures are. */
static void tell_pairs(struct document *document, const struct pairs *pairs, enum metric metric,
                       const struct results *results)
{
    struct tidy table = pairs_view(pairs, metric, results);
    document_table(
        document, "pairs_shown", &table,
        "%s against %s%s: wins (less) and losses count unsolved runs as worse; ratio of geometric "
        "means over both solved, with Student's t interval on logarithms; with unsolved: those at "
        "what they had spent; Wilcoxon's p%s",
        metric_column(metric)->name, pairs->options.all ? "every other solver" : "the baseline ",
        pairs->options.all ? "" : results->shown[pairs->options.baseline],
        pairs_by(pairs, metric)->scale == SCALE_LOG ? " on logarithms" : " on differences");
    table = effects_view(pairs, metric, results);
    document_table(document, "effects", &table,
                   "Effect sizes: the pseudo-median of the ratios with the interval of Wilcoxon's "
                   "test, the rank-biserial correlation, and over boards drawn apart how often the "
                   "solver needs more");
}

/* All solvers side by side, by one metric. */
static void tell_standings(struct document *document, const struct block *block, enum metric metric,
                           size_t baseline, const struct results *results)
{
    SCOPED_BY(standings_end)
    struct standings standings = standings_of(results, block, metric, baseline);
    const char *name = metric_column(metric)->name;
    SCOPED_BY(tidy_end) struct tidy table = standings_view(&standings, block, results);
    document_table(
        document, "standings", &table,
        "%s over the %zu board%s that all solvers tried: %s, Kaplan and Meier's mean up to %s, "
        "log-rank test against the baseline, average rank, share of boards within a factor of the "
        "best%s",
        name, standings.instances, plural(standings.instances),
        has_limit(metric) ? "PAR2 and PAR10 (an unsolved run counts as 2 or 10 times its limit)"
                          : "boards solved",
        metric_is_time(metric)                              ? human_seconds(standings.limit).text
        : strcmp(metric_column(metric)->unit, "bytes") == 0 ? human_bytes(standings.limit).text
                                                            : human_count(standings.limit).text,
        metric == METRIC_expanded ? ". PAR2 and PAR10 are not defined here, as limits count "
                                    "generated nodes: they stand under generated"
                                  : "");
    table = tests_view(&standings, block);
    if (table.cell_count > 0) {
        document_table(document, "tests", &table,
                       "%s: tests that all solvers are alike; average ranks that lie further "
                       "apart than the critical difference are of different solvers (5 %%)",
                       name);
    }
    tell_lacking(document, results, block, metric);
    SCOPED char *measured = metric_is_measured(metric) ? results_measured(results, block) : NULL;
    if (measured != NULL)
        document_say(document, PART_NOTE,
                     "%s. Ranks, tests and the virtual best solver take them as they are.",
                     measured);
}

/* What optimal lengths say. */
static void tell_trends(struct document *document, const struct by_depth *by_depth,
                        enum metric metric, const struct results *results)
{
    struct tidy table = growth_view(results, by_depth, metric);
    if (table.cell_count > 0)
        document_table(
            document, "growth", &table,
            "Growth: how many times %s rises with each %s, over the solved boards (where "
            "some are unsolved, the line is bent); interval by Student's t, and Sen's",
            metric_column(metric)->name,
            by_depth->block->model == COST_unit ? "move of the optimal length"
                                                : "1 of the optimal cost");
    tidy_end(&table);
    table = heuristics_view(results, by_depth->block);
    const bool informed = table.cell_count > 0;
    if (informed)
        document_table(
            document, "heuristics", &table,
            "Heuristics at the starts: relative error (d - h) / d, share of boards with "
            "h above d, Kendall's tau of h and d, eta = mean of b^-h (of uniform boards)");
    tidy_end(&table);
    if (!informed)
        return;
    table = h_view(results, by_depth);
    document_table(document, "h_by_depth", &table, "Mean h by optimal length d");
}

/* The boards on which a better heuristic expands more; for people at most so many. */
static void tell_anomalies(struct document *document, const struct anomalies *anomalies,
                           const struct results *results, const struct block *block,
                           enum format format)
{
    enum { FOR_PEOPLE = 40 };
    const bool all = format == FORMAT_CSV || format == FORMAT_JSON;
    if (anomalies->pair_count == 0)
        return;
    struct tidy table = better_view(anomalies, results, block);
    document_table(document, "better", &table,
                   "Solvers alike but for their heuristics, both admissible, the first one's above "
                   "the other's at some start and below it at none: on how many boards it "
                   "expanded fewer nodes, the same, more");
    tidy_end(&table);
    if (anomalies->count == 0)
        return;
    const size_t shown = all || anomalies->count < FOR_PEOPLE ? anomalies->count : FOR_PEOPLE;
    SCOPED char *rest =
        shown < anomalies->count
            ? heap_format("; %zu of %zu (--format csv has all)", shown, anomalies->count)
            : heap_text("");
    table = anomalies_view(anomalies, results, block, shown);
    document_table(document, "anomalies", &table,
                   "Anomalies: the boards on which the better heuristic expanded "
                   "more, of each pair the largest factor first%s",
                   rest);
}

/* How the runs of a block ended that were not solved: "bfs 2, dfs 3 (node_limit, uniform 3x3)". */
static void list_unsolved(char **text, const struct summary *summary, const struct results *results)
{
    for (unsigned status = 0; status < STATUSES; status++) {
        const char *before = (*text)[0] == '\0' ? "" : "; ";
        bool any = false;
        for (size_t i = 0; i < summary->count && status != STATUS_solved; i++) {
            const size_t runs = summary->solvers[i].by_status[status];
            if (runs == 0)
                continue;
            heap_append(text, "%s%s %zu", any ? ", " : before, results->shown[i], runs);
            any = true;
        }
        if (any)
            heap_append(text, " (%s%s%s%s)", status_rows[status].name,
                        status == STATUS_claimed ? ": --claimed counts them" : "",
                        results->block_count > 1 ? ", " : "",
                        results->block_count > 1 ? summary->block->name : "");
    }
}

static void note_marks(struct comparison *comparison, const struct summary *summary)
{
    bool unverified = false;
    bool missing = false;
    SCOPED char *impossible = NULL;
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        unverified = unverified || own->unverified > 0;
        if (own->impossible > 0)
            heap_append(&impossible, "%s%s (%zu)", impossible == NULL ? "" : ", ",
                        comparison->results.shown[i], own->impossible);
        missing = missing || (own->runs > 0 && own->instances < summary->block->count);
    }
    if (unverified)
        comparison_note(comparison, "unverified runs (?)",
                        "%s: ?: over unverified runs too, which are solved by their own "
                        "account alone.",
                        summary->block->name);
    if (impossible != NULL)
        comparison_note(comparison, "impossible counters (?)",
                        "%s: ?: over counters that no search can count, as the column extra says: "
                        "runs of %s.",
                        summary->block->name, impossible);
    if (missing)
        comparison_note(comparison, "boards that were not tried (*)",
                        "%s: *: the solver did not try all boards.", summary->block->name);
}

/* The sentences of pairs; in a class those that say no more than " against .." are one for all
 * solvers of which they are true. */
static void tell_verdicts(struct document *document, const struct pairs *pairs, enum metric metric,
                          const struct results *results)
{
    const struct pair *all = pairs_by(pairs, metric);
    SCOPED char **sentences = heap_take(pairs->count + 1, sizeof *sentences);
    for (size_t i = 0; i < pairs->count; i++)
        sentences[i] = sentence_of(pairs, &all[i], results);
    for (size_t i = 0; i < pairs->count; i++) {
        const char *name = results->shown[all[i].solver];
        if (sentences[i] == NULL)
            continue;
        const char *rest = sentences[i] + strlen(name);
        SCOPED char *names = heap_text(name);
        const bool may_join = is_class(results) && strncmp(rest, " against ", 9) == 0;
        for (size_t j = i + 1; j < pairs->count && may_join; j++) {
            const char *other = results->shown[all[j].solver];
            if (sentences[j] == NULL || strcmp(sentences[j] + strlen(other), rest) != 0)
                continue;
            heap_append(&names, ", %s", other);
            free(sentences[j]);
            sentences[j] = NULL;
        }
        document_say(document, PART_VERDICT, "%s%s", names, rest);
        free(sentences[i]);
    }
}

/* How solutions improved. */
static void tell_improvements(struct document *document, const struct comparison *comparison,
                              const struct block *block)
{
    SCOPED_BY(tidy_end)
    struct tidy table =
        improvements_view(&comparison->results, &comparison->side.incumbents, block);
    document_table(document, "improvements", &table,
                   "Solutions as they improve, medians over the boards: until the first and the "
                   "best, and the time integral of the gap to the shortest known");
}

static void tell_spread(struct document *document, const struct summary *summary,
                        const struct results *results, enum metric metric)
{
    struct tidy table = summary_spread(summary, results, metric);
    document_table(document, "spread", &table,
                   "%s over the solved boards; *: not all of the block, and where some were not "
                   "solved the easier ones; b*: median of the effective branching factor",
                   metric_column(metric)->name);
}

/* A block's heading and, if requested, its tables. */
static void tell_block(struct document *document, const struct comparison *comparison,
                       const struct summary *summary, const struct by_depth *by_depth,
                       const struct pairs *pairs, const struct compare_options *options)
{
    const struct results *results = &comparison->results;
    const struct block *block = summary->block;
    document_say(document, PART_HEADING, "%s: %s board%s%s", block->name,
                 human_count((double)block->count).text, plural(block->count),
                 block->whole ? ", all that reach the goal" : "");
    if (options->full) {
        for (unsigned i = 0; i < METRICS; i++)
            if (i == options->metric || options->also[i])
                tell_spread(document, summary, results, (enum metric)i);
        tell_depths(document, comparison, by_depth, options);
        for (unsigned i = 0; i < METRICS; i++)
            if (pairs->count > 0 && (i == options->metric || options->also[i]))
                tell_pairs(document, pairs, (enum metric)i, results);
        const enum metric metrics[] = {options->metric, METRIC_generated, METRIC_wall_s};
        for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
            if (i == 0 || metrics[i] != options->metric)
                tell_standings(document, block, metrics[i], comparison->baseline, results);
        if (by_depth->count > 0)
            tell_trends(document, by_depth, options->metric, results);
        if (comparison->side.incumbents.count > 0)
            tell_improvements(document, comparison, block);
    }
}

/* Whether one screen is wanted. */
static bool is_screen(const struct compare_options *options)
{
    return options->format == FORMAT_TEXT && !options->full;
}

/* What the screen's table contains. */
struct legend {
    bool interval, tested, whole;
    size_t family; /* the largest */
};

static void look_at(struct legend *legend, const struct pairs *pairs, enum metric metric)
{
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs_by(pairs, metric)[i];
        const bool differs =
            pair->conclusion == CONCLUSION_FEWER || pair->conclusion == CONCLUSION_MORE;
        legend->interval = legend->interval || (differs && pair->ratio.bound == RATIO_KNOWN &&
                                                !isnan(pair->ratio.solved.interval.low));
        legend->tested = legend->tested ||
                         (!pair->whole && (differs || pair->conclusion == CONCLUSION_NONE_SHOWN));
        legend->whole = legend->whole || pair->whole;
    }
    const size_t family = pairs_family(pairs, metric);
    legend->family = family > legend->family ? family : legend->family;
}

/* Explains the screen's table, in two lines. */
static void tell_legend(struct document *document, const struct legend *legend,
                        const struct compare_options *options)
{
    SCOPED char *text = heap_text("Medians; unsolved counts as largest.");
    if (legend->interval)
        heap_append(&text, " [a, b]: 95 %% interval of the ratio of geometric means%s",
                    legend->tested ? ";" : ".");
    if (legend->tested) {
        heap_append(&text, "%s %s, %s: p < 0.05 (Wilcoxon", legend->interval ? "" : " Verdicts",
                    more_or_less(options->metric, true), more_or_less(options->metric, false));
        if (legend->family > 1)
            heap_append(&text, ", %s over %zu", correction_name(options->correction),
                        legend->family);
        heap_append(&text, ").");
    }
    if (legend->whole)
        heap_append(&text, " Every board there is: no sampling error, no p.");
    document_say(document, PART_TEXT, "%s More: --full", text);
}

/* One note is printed; several are only named. */
static void fold_notes(struct comparison *comparison)
{
    struct document *document = &comparison->document;
    if (comparison->note_count == 1)
        document_say(document, PART_NOTE, "%s", comparison->notes[0].text);
    if (comparison->note_count < 2)
        return;
    SCOPED char *abouts = heap_text("");
    for (size_t i = 0; i < comparison->note_count; i++) {
        const char *about = comparison->notes[i].about;
        if (NAME_PLACE(comparison->notes, i, about, about) == i)
            heap_append(&abouts, "%s%s", abouts[0] == '\0' ? "" : ", ", about);
    }
    document_say(document, PART_NOTE, "--full prints %zu more, on %s.", comparison->note_count,
                 abouts);
}

/* "korf1985: 197 of 197 cells equal, 3 slips of print"; of a part: "all 8 measured cells agree, 92
 * not measured" */
static char *counts_text(const struct reference *reference, const struct expect_counts *counts)
{
    const size_t *number = counts->by_verdict;
    const size_t slips = number[EXPECT_SLIP];
    const size_t agree = number[EXPECT_EQUAL] + number[EXPECT_WITHIN];
    const size_t measured = counts->cells - slips - number[EXPECT_NOT_MEASURED];
    char *text;
    if (number[EXPECT_NOT_MEASURED] == 0 || measured == 0)
        text = heap_format("%s: %zu of %zu cells %s", reference->name, agree, counts->cells - slips,
                           number[EXPECT_WITHIN] == 0 ? "equal" : "agree");
    else if (agree < measured)
        text = heap_format("%s: %zu of %zu measured cell%s agree%s", reference->name, agree,
                           measured, plural(measured), agree == 1 ? "s" : "");
    else if (measured == 1)
        text = heap_format("%s: the one measured cell agrees", reference->name);
    else
        text = heap_format("%s: all %zu measured cells agree", reference->name, measured);
    if (counts->recalled > 0)
        heap_append(&text, " (%zu recalled, not read)", counts->recalled);
    if (slips > 0)
        heap_append(&text, ", %zu slip%s of print", slips, plural(slips));
    if (number[EXPECT_DIFFERS] > 0)
        heap_append(&text, ", %zu differ%s", number[EXPECT_DIFFERS],
                    number[EXPECT_DIFFERS] == 1 ? "s" : "");
    if (number[EXPECT_NOT_MEASURED] > 0)
        heap_append(&text, ", %zu not measured", number[EXPECT_NOT_MEASURED]);
    return text;
}

/* The solvers that were not run, with the note of the reference or else what may have been meant:
 * "reinefeld-zpdb (zero-aware), astr(manhattan) (did you mean astar(manhattan)?)" */
static char *lacking_text(const struct expect_counts *counts, const struct results *results)
{
    enum { MAX_NAMED = 5 };
    char *text = heap_text("");
    for (size_t i = 0; i < counts->lacking.count && i < MAX_NAMED; i++) {
        const char *solver = counts->lacking.text[i];
        const struct names *run = &results->solvers;
        const char *meant = nearest_word(solver, results->shown, run->count);
        if (meant == NULL)
            meant = nearest_word(solver, (const char *const *)run->text, run->count);
        heap_append(&text, "%s%s", i == 0 ? "" : ", ", solver);
        if (counts->notes[i][0] != '\0')
            heap_append(&text, " (%s)", counts->notes[i]);
        else if (meant != NULL)
            heap_append(&text, " (did you mean %s?)", meant);
    }
    if (counts->lacking.count > MAX_NAMED)
        heap_append(&text, " and %zu more", counts->lacking.count - MAX_NAMED);
    return text;
}

/* Why cells were not measured: "Not measured: 80 of runs that were not made; 5 of solvers without
 * runs: .." */
static void tell_unmeasured(struct document *document, const struct expect_counts *counts,
                            const struct results *results)
{
    const size_t all = counts->by_verdict[EXPECT_NOT_MEASURED];
    const size_t others = all - counts->of_runs - counts->of_solvers;
    SCOPED char *text = heap_text("");
    if (counts->of_runs > 0)
        heap_append(&text, "; %zu of runs that were not made", counts->of_runs);
    if (others > 0)
        heap_append(&text, "; %zu of runs that give no such value (expect.csv says why)", others);
    if (counts->of_solvers > 0) {
        SCOPED char *named = lacking_text(counts, results);
        heap_append(&text, "; %zu of solvers without runs: %s", counts->of_solvers, named);
    }
    if (all > 0)
        document_say(document, PART_TEXT, "Not measured: %s.", text + 2);
}

/* The references: a sentence each, the cells that differ, and for more than the screen all cells.
 */
static void tell_references(struct comparison *comparison, bool screen)
{
    struct tidy *table = &comparison->tables[TABLE_EXPECT];
    size_t measured = 0;
    size_t parts = 0; /* references whose runs were not made: of a part of an experiment */
    for (size_t i = 0; i < comparison->reference_count; i++) {
        const struct reference *reference = &comparison->references[i];
        const struct results *results = &comparison->results;
        SCOPED_BY(expect_counts_end)
        struct expect_counts counts = expect_add(table, reference, results, comparison->tables);
        const bool none = counts.by_verdict[EXPECT_NOT_MEASURED] == counts.cells;
        SCOPED char *text = counts_text(reference, &counts);
        document_say(&comparison->document, screen ? PART_TEXT : PART_VERDICT, "%s, %s%s",
                     reference->own ? "Not published" : "Published", text,
                     none ? ": nothing agrees where nothing was measured" : "");
        tell_unmeasured(&comparison->document, &counts, results);
        const bool part = none && counts.of_runs == counts.cells;
        measured += counts.cells - counts.by_verdict[EXPECT_NOT_MEASURED];
        parts += part;
        comparison->expect_failed += (none && !part) || counts.by_verdict[EXPECT_DIFFERS] > 0;
    }
    comparison->expect_failed += measured == 0 ? parts : 0;
    SCOPED_BY(tidy_end) struct tidy view = expect_view(&comparison->results, table, screen);
    if (view.cell_count > 0)
        document_table(&comparison->document, "expected", &view, "%s",
                       screen ? "" : "Published and measured, a row for each published cell");
}

/* What figures of external solvers are not, each said once. */
static void tell_externals(struct document *document, const struct results *results,
                           enum metric metric)
{
    SCOPED char *said = NULL;
    for (size_t i = 0; i < results->block_count; i++) {
        char *measured = results_measured(results, &results->blocks[i]);
        if (measured != NULL && (said == NULL || strcmp(said, measured) != 0))
            document_say(document, PART_NOTE, "%s.", measured);
        free(said);
        said = measured;
    }
    said = heap_keep(false, said);
    for (size_t i = 0; i < results->block_count; i++) {
        char *lacking = results_lacking(results, &results->blocks[i], metric);
        if (lacking != NULL && (said == NULL || strcmp(said, lacking) != 0))
            document_say(document, PART_NOTE,
                         "%s is not reported by %s: compare by another, such as -m wall_s or "
                         "-m length.",
                         metric_column(metric)->name, lacking);
        free(said);
        said = lacking;
    }
}

/* What is gathered block by block. */
struct gathered {
    struct tidy overview, all_pairs, others;
    struct document details;
    struct legend legend;
    char *unsolved;                /* owned */
    size_t (*by_status)[STATUSES]; /* owned; for each solver, over all blocks */
    size_t anomalies, cases; /* boards on which a better heuristic expanded more, of so many, both
                                counted for each pair of solvers */
};

static void gather_block(struct gathered *gathered, struct comparison *comparison, size_t number,
                         const struct pairs_options *pairing, const struct compare_options *options)
{
    const struct results *results = &comparison->results;
    const struct block *block = &results->blocks[number];
    const struct summary summary = comparison->summaries[number] = summary_of(results, block);
    const struct pairs pairs = comparison->pairs[number] = pairs_of(results, block, pairing);
    SCOPED_BY(by_depth_end) struct by_depth by_depth = by_depth_of(results, block);
    SCOPED_BY(anomalies_end) struct anomalies anomalies = anomalies_of(results, block);
    summary_add(&comparison->tables[TABLE_SUMMARY], &summary, results);
    by_depth_add(&comparison->tables[TABLE_BY_DEPTH], &by_depth, results);
    pairs_add(&comparison->tables[TABLE_PAIRS], &pairs, results);
    columns_add_extras(&comparison->extras, &comparison->extra_rows, &summary);
    other_metrics_add(&gathered->others, &summary, &pairs, options->also, results);
    overview_add(&gathered->overview, &summary, &pairs, options->metric, results);
    all_pairs_add(&gathered->all_pairs, &pairs, options->metric, results);
    list_unsolved(&gathered->unsolved, &summary, results);
    for (size_t i = 0; i < summary.count; i++)
        for (unsigned status = 0; status < STATUSES; status++)
            gathered->by_status[i][status] += summary.solvers[i].by_status[status];
    look_at(&gathered->legend, &pairs, options->metric);
    note_marks(comparison, &summary);
    note_pairs(comparison, &pairs, options->metric);
    gathered->anomalies += anomalies.count;
    for (size_t i = 0; i < anomalies.pair_count; i++)
        gathered->cases += anomalies.pairs[i].boards;
    if (!is_screen(options)) {
        tell_block(&gathered->details, comparison, &summary, &by_depth, &pairs, options);
        if (options->full)
            tell_anomalies(&gathered->details, &anomalies, results, block, options->format);
        for (unsigned i = 0; i < METRICS; i++)
            if (i == options->metric || options->also[i])
                tell_verdicts(&gathered->details, &pairs, (enum metric)i, results);
    }
}

/* The runs of a class by solver and status, a column for each status that some run has. */
static void tell_statuses(struct document *document, const struct gathered *gathered,
                          const struct results *results)
{
    SCOPED_BY(tidy_end) struct tidy matrix = {0};
    bool has[STATUSES] = {0};
    for (size_t i = 0; i < results->solvers.count; i++)
        for (unsigned status = 0; status < STATUSES; status++)
            has[status] = has[status] || gathered->by_status[i][status] > 0;
    tidy_column_as(&matrix, "solver", "", SHAPE_TEXT);
    for (unsigned status = 0; status < STATUSES; status++)
        if (has[status])
            tidy_column_as(&matrix, status_rows[status].name, "", SHAPE_FULL);
    for (size_t i = 0; i < results->solvers.count; i++) {
        tidy_text(&matrix, results->shown[i]);
        for (unsigned status = 0; status < STATUSES; status++) {
            if (!has[status])
                continue;
            tidy_number(&matrix, (double)gathered->by_status[i][status]);
            if (gathered->by_status[i][status] == 0)
                tidy_show(&matrix, "-");
        }
    }
    document_table(document, "statuses", &matrix, "%s",
                   has[STATUS_claimed]
                       ? "Runs by status, over all sets; --claimed counts what is claimed"
                       : "Runs by status, over all sets");
}

/* What stands before the blocks. */
static void tell_head(struct comparison *comparison, struct gathered *gathered, bool all_pairs,
                      const struct compare_options *options)
{
    const struct results *results = &comparison->results;
    struct document *document = &comparison->document;
    const bool screen = is_screen(options);
    if (screen)
        overview_rank(&gathered->overview, results, options->metric);
    if (results->count > 0)
        document_table(document, "overview", &gathered->overview, "%s",
                       screen ? ""
                              : "Runs, medians in which an unsolved run is more than any, and "
                                "verdicts against the baseline");
    else
        document_say(document, PART_TEXT, "There are no runs in these results.");
    if (gathered->unsolved[0] != '\0' && is_class(results))
        tell_statuses(document, gathered, results);
    else if (gathered->unsolved[0] != '\0')
        document_say(document, PART_TEXT, "Not solved: %s.", gathered->unsolved);
    if (screen && gathered->anomalies > 0)
        document_say(document, PART_TEXT,
                     "A better heuristic expanded more in %zu of %s cases: --table anomalies",
                     gathered->anomalies, human_count((double)gathered->cases).text);
    if (gathered->others.cell_count > 0)
        document_table(document, "metrics", &gathered->others, "%s", "");
    tell_externals(document, results, options->metric);
    if (results->solvers.count == 1)
        document_say(document, PART_TEXT,
                     "There is only one solver, so nothing to compare it with.");
    if (all_pairs && gathered->all_pairs.cell_count > 0) {
        document_table(document, "all_pairs", &gathered->all_pairs,
                       "All pairs: verdicts on %s, p adjusted over all of them (%s over %zu)",
                       metric_column(options->metric)->name, correction_name(options->correction),
                       gathered->legend.family);
    }
    if (screen && results->count > 0)
        tell_legend(document, &gathered->legend, options);
}

/* Writes everything that is to say about the results into the document and the tables. */
static void tell(struct comparison *comparison, const struct compare_options *options)
{
    const struct results *results = &comparison->results;
    const bool screen = is_screen(options);
    struct gathered gathered = {
        .overview = overview_start(results, options->metric),
        .all_pairs = all_pairs_start(),
        .others = other_metrics_start(options->also),
        .unsolved = heap_text(""),
        .by_status = heap_take(results->solvers.count + 1, sizeof *gathered.by_status)};
    const struct pairs_options pairing = {.baseline = comparison->baseline,
                                          .all = options->all_pairs || comparison->all_pairs,
                                          .correction = options->correction,
                                          .raw = options->raw,
                                          .pratt = options->pratt};
    note_oddities(comparison, options);
    for (size_t i = 0; i < results->block_count; i++)
        gather_block(&gathered, comparison, i, &pairing, options);
    tell_head(comparison, &gathered, pairing.all, options);
    tell_references(comparison, screen);
    document_append(&comparison->document, &gathered.details);
    if (screen)
        fold_notes(comparison);
    for (size_t i = 0; !screen && i < comparison->note_count; i++)
        document_say(&comparison->document, PART_NOTE, "%s", comparison->notes[i].text);
    FREE(gathered.unsolved, gathered.by_status);
    tidy_end(&gathered.all_pairs);
    tidy_end(&gathered.others);
    tidy_end(&gathered.overview);
}

void findings_tell(struct comparison *comparison, const struct compare_options *asked)
{
    struct compare_options own = *asked;
    const struct compare_options *options = &own;
    own.metric_asked = asked->metric != METRICS;
    own.metric = comparison->metric = comparison_metric(comparison, asked->metric);
    comparison->pairs = heap_take(comparison->results.block_count, sizeof *comparison->pairs);
    comparison->summaries =
        heap_take(comparison->results.block_count, sizeof *comparison->summaries);
    for (size_t i = FIRST_DERIVED; i < TABLES; i++)
        comparison->tables[i] = table_start((enum table)i);
    tell(comparison, options);
}
