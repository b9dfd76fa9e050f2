#include "harness/commands/findings.h"
#include "base/heap.h"
#include "harness/analysis/costs.h"
#include "harness/report/sentence.h"
#include "harness/report/views.h"
#include "harness/text/human.h"
#include "puzzle/rank.h"
#include <math.h>
#include <string.h>

/* "20 rows of dfs, 3 rows of bfs"; to be freed. */
static char *left_out_text(struct left_out *left_out)
{
    size_t *place = heap_take(left_out->solvers.count, sizeof *place);
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
    free(place);
    return text;
}

static void note_left_out(struct comparison *comparison)
{
    struct left_out *strangers = &comparison->results.strangers;
    struct left_out *others = &comparison->results.other_limits;
    if (strangers->solvers.count > 0) {
        char *rows = left_out_text(strangers);
        comparison_note(comparison, "rows left out",
                        heap_format("Left out: %s, which %s not in the experiment any more.", rows,
                                    strangers->solvers.count == 1 ? "is" : "are"));
        free(rows);
    }
    if (others->solvers.count > 0) {
        char *rows = left_out_text(others);
        comparison_note(
            comparison, "rows left out",
            heap_format("Left out: %s, made under other limits than the experiment's.", rows));
        free(rows);
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
        whole = whole || strcmp(solver, "bfs") == 0 || strncmp(solver, "bfs(", 4) == 0;
    }
    return small && whole && results->solvers.count > 1;
}

/* What rows of other runs were left out: `others` has them a line each, two spaces before it. */
static char *other_runs_text(size_t rows, const char *others)
{
    char *text = heap_format("Rows of other runs than the experiment's, left out: %zu", rows);
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
    note_left_out(comparison);
    const bool memory_shown = options->full || options->metric == METRIC_peak_bytes;
    if (memory_shown && memory_misleads(results))
        comparison_note(
            comparison, "peak memory",
            heap_format("Peak memory (peak_bytes) compares representations: on boards of up to "
                        "%d cells bfs keeps bits of the whole space instead of nodes. "
                        "max_stored does not depend on that.",
                        MAX_RANKED_CELLS));
    if (results->left_out > 0)
        comparison_note(comparison, "rows left out",
                        other_runs_text(results->left_out, options->others));
    if (results->edited > 0)
        comparison_note(
            comparison, "edited rows",
            heap_format("Rows whose cells are not those that tilelab wrote (row_hash): %zu. "
                        "Their solutions count as unverified.",
                        results->edited));
    if (results->repeated > 0)
        comparison_note(
            comparison, "repeated rows",
            heap_format("Rows that repeat a run_id, and count once: %zu.", results->repeated));
    if (results->cut_files > 0)
        comparison_note(
            comparison, "a row that is cut off",
            heap_format("The last row of %zu file%s has no line end (it is being written, or was "
                        "cut off) and is left out.",
                        results->cut_files, results->cut_files == 1 ? "" : "s"));
    if (results->mixed > 0)
        comparison_note(
            comparison, "boards solved in some repetitions only",
            heap_format("In %zu case%s a solver solved an instance in some repetitions, but "
                        "not in all: unsolved.",
                        results->mixed, plural(results->mixed)));
    if (results->disagreeing > 0)
        comparison_note(
            comparison, "counters that differ between repetitions",
            heap_format("In %zu cases the runs of one solver on one instance differ in their "
                        "counters: results of different builds or operator orders are pooled; "
                        "the medians count.",
                        results->disagreeing));
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
        const size_t zeros = pair->instances - pair->ratio.spent_pairs;
        if (zeros > 0)
            comparison_note(
                comparison, "values of 0",
                heap_format("%s: the ratio of %s to %s leaves out %zu board%s where a value "
                            "is 0 or not known.",
                            block, solver, base, zeros, plural(zeros)));
        if (pair->no_value > 0)
            comparison_note(
                comparison, "values that are missing",
                heap_format("%s: %zu board%s that %s and %s both solved, but without %s: no "
                            "pair.",
                            block, pair->no_value, plural(pair->no_value), solver, base,
                            metric_column(metric)->name));
        if (pair->unshared > 0)
            comparison_note(
                comparison, "boards that only one solver ran (*)",
                heap_format("%s: %zu board%s run by only one of %s and %s: not compared.", block,
                            pair->unshared, pair->unshared == 1 ? " was" : "s were", solver, base));
    }
}

static void tell_depths(struct document *document, const struct by_depth *by_depth,
                        const struct results *results)
{
    if (by_depth->count == 0) {
        document_say(document, PART_TEXT,
                     "By optimal solution length: no instance has one in the results.");
        return;
    }
    struct tidy table = by_depth_figure(by_depth, results);
    document_table(document, "figure",
                   "By optimal length d: mean of generated, and its b* (generated = 1 + b* + .. + "
                   "b*^d); (7/10): over the solved ones, 7 of 10",
                   &table);
    if (by_depth->unknown > 0)
        document_say(document, PART_NOTE,
                     "Left out by length: %zu of %zu instances, whose optimal length is not known.",
                     by_depth->unknown, by_depth->block->count);
    if (by_depth->unsolvable > 0)
        document_say(document, PART_NOTE,
                     "Left out by length: %zu of %zu instances, which cannot be solved.",
                     by_depth->unsolvable, by_depth->block->count);
}

/* The tables of the pairs, and what their figures are. */
static void tell_pairs(struct document *document, const struct pairs *pairs, enum metric metric,
                       const struct results *results)
{
    char *caption = heap_format(
        "%s against %s%s: wins (less) and losses count unsolved runs as worse; ratio of geometric "
        "means over both solved, with Student's t interval on logarithms; with unsolved: those at "
        "what they had spent; Wilcoxon's p%s",
        metric_column(metric)->name, pairs->options.all ? "every other solver" : "the baseline ",
        pairs->options.all ? "" : results->shown[pairs->options.baseline],
        pairs_by(pairs, metric)->scale == SCALE_LOG ? " on logarithms" : " on differences");
    struct tidy table = pairs_view(pairs, metric, results);
    document_table(document, "pairs_shown", caption, &table);
    free(caption);
    table = effects_view(pairs, metric, results);
    document_table(document, "effects",
                   "Effect sizes: the pseudo-median of the ratios with the interval of Wilcoxon's "
                   "test, the rank-biserial correlation, and over boards drawn apart how often the "
                   "solver needs more",
                   &table);
}

/* All solvers side by side, by one metric. */
static void tell_standings(struct document *document, const struct block *block, enum metric metric,
                           size_t baseline, const struct results *results)
{
    struct standings standings = standings_of(results, block, metric, baseline);
    const char *name = metric_column(metric)->name;
    char *caption = heap_format(
        "%s over the %zu board%s that all solvers tried: %s, Kaplan and Meier's mean up to %s, "
        "log-rank test against the baseline, average rank, share of boards within a factor of the "
        "best%s",
        name, standings.instances, plural(standings.instances),
        has_limit(metric) ? "PAR2 and PAR10 (an unsolved run counts as 2 or 10 times its limit)"
                          : "boards solved",
        metric_is_time(metric)        ? human_seconds(standings.limit).text
        : metric == METRIC_peak_bytes ? human_bytes(standings.limit).text
                                      : human_count(standings.limit).text,
        metric == METRIC_expanded ? ". PAR2 and PAR10 are not defined here, as limits count "
                                    "generated nodes: they stand under generated"
                                  : "");
    struct tidy table = standings_view(&standings, block, results);
    document_table(document, "standings", caption, &table);
    free(caption);
    table = tests_view(&standings, block);
    if (table.cell_count > 0) {
        caption =
            heap_format("%s: tests that all solvers are alike; average ranks that lie further "
                        "apart than the critical difference are of different solvers (5 %%)",
                        name);
        document_table(document, "tests", caption, &table);
        free(caption);
    }
    tidy_end(&table);
    standings_end(&standings);
}

/* What optimal lengths say. */
static void tell_trends(struct document *document, const struct by_depth *by_depth,
                        enum metric metric, const struct results *results)
{
    char *caption = heap_format("Growth: how many times %s rises with each move of the optimal "
                                "length, over the solved boards (where some are unsolved, the line "
                                "is bent); interval by Student's t, and Sen's",
                                metric_column(metric)->name);
    struct tidy table = growth_view(results, by_depth->block, metric);
    if (table.cell_count > 0)
        document_table(document, "growth", caption, &table);
    free(caption);
    tidy_end(&table);
    table = heuristics_view(results, by_depth->block);
    const bool informed = table.cell_count > 0;
    if (informed)
        document_table(
            document, "heuristics",
            "Heuristics at the starts: relative error (d - h) / d, share of boards with "
            "h above d, Kendall's tau of h and d, eta = mean of b^-h (of uniform boards)",
            &table);
    tidy_end(&table);
    if (!informed)
        return;
    table = h_view(results, by_depth);
    document_table(document, "h_by_depth", "Mean h by optimal length d", &table);
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
            heap_append(text, " (%s%s%s)", status_rows[status].name,
                        results->block_count > 1 ? ", " : "",
                        results->block_count > 1 ? summary->block->name : "");
    }
}

static void note_marks(struct comparison *comparison, const struct summary *summary)
{
    bool unverified = false;
    bool missing = false;
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        unverified = unverified || own->unverified > 0;
        missing = missing || (own->runs > 0 && own->instances < summary->block->count);
    }
    if (unverified)
        comparison_note(
            comparison, "unverified runs (?)",
            heap_format("%s: ?: over unverified runs too, which are solved by their own "
                        "account alone.",
                        summary->block->name));
    if (missing)
        comparison_note(
            comparison, "boards that were not tried (*)",
            heap_format("%s: *: the solver did not try all boards.", summary->block->name));
}

static void tell_verdicts(struct document *document, const struct pairs *pairs, enum metric metric,
                          const struct results *results)
{
    for (size_t i = 0; i < pairs->count; i++) {
        char *sentence = sentence_of(pairs, &pairs_by(pairs, metric)[i], results);
        document_say(document, PART_VERDICT, "%s", sentence);
        free(sentence);
    }
}

/* All of a block: tables, if requested, and a sentence for each pair. */
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
        char *caption =
            heap_format("%s over the solved boards; *: not all of the block, and where some were "
                        "not solved the easier ones; b*: median of the effective branching factor",
                        metric_column(options->metric)->name);
        struct tidy table = summary_spread(summary, results, options->metric);
        document_table(document, "spread", caption, &table);
        free(caption);
        tell_depths(document, by_depth, results);
        if (pairs->count > 0)
            tell_pairs(document, pairs, options->metric, results);
        const enum metric metrics[] = {options->metric, METRIC_generated, METRIC_wall_s};
        for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
            if (i == 0 || metrics[i] != options->metric)
                tell_standings(document, block, metrics[i], comparison->baseline, results);
        if (by_depth->count > 0)
            tell_trends(document, by_depth, options->metric, results);
    }
    tell_verdicts(document, pairs, options->metric, results);
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
    char *text = heap_text("Medians; unsolved counts as largest.");
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
    free(text);
}

/* One note is printed; several are only named. */
static void fold_notes(struct comparison *comparison)
{
    struct document *document = &comparison->document;
    if (comparison->note_count == 1)
        document_say(document, PART_NOTE, "%s", comparison->notes[0].text);
    if (comparison->note_count < 2)
        return;
    char *abouts = heap_text("");
    for (size_t i = 0; i < comparison->note_count; i++) {
        const char *about = comparison->notes[i].about;
        bool told = false;
        for (size_t j = 0; j < i; j++)
            told = told || strcmp(comparison->notes[j].about, about) == 0;
        if (!told)
            heap_append(&abouts, "%s%s", abouts[0] == '\0' ? "" : ", ", about);
    }
    document_say(document, PART_NOTE, "see --full on %s.", abouts);
    free(abouts);
}

/* Writes everything that is to say about the results into the document and the tables. */
static void tell(struct comparison *comparison, const struct compare_options *options)
{
    const struct results *results = &comparison->results;
    struct document *document = &comparison->document;
    struct document details = {0};
    struct tidy overview = overview_start(options->metric);
    struct tidy all_pairs = all_pairs_start();
    struct legend legend = {0};
    char *unsolved = heap_text("");
    const bool screen = options->format == FORMAT_TEXT && !options->full;
    const struct pairs_options pairing = {.baseline = comparison->baseline,
                                          .all = options->all_pairs || comparison->all_pairs,
                                          .correction = options->correction,
                                          .raw = options->raw,
                                          .pratt = options->pratt};
    note_oddities(comparison, options);
    for (size_t i = 0; i < results->block_count; i++) {
        const struct block *block = &results->blocks[i];
        struct summary summary = summary_of(results, block);
        struct by_depth by_depth = by_depth_of(results, block);
        struct pairs pairs = pairs_of(results, block, &pairing);
        summary_add(&comparison->tables[TABLE_SUMMARY], &summary, results);
        by_depth_add(&comparison->tables[TABLE_BY_DEPTH], &by_depth, results);
        pairs_add(&comparison->tables[TABLE_PAIRS], &pairs, results);
        overview_add(&overview, &summary, &pairs, options->metric, results);
        all_pairs_add(&all_pairs, &pairs, options->metric, results);
        list_unsolved(&unsolved, &summary, results);
        look_at(&legend, &pairs, options->metric);
        note_marks(comparison, &summary);
        note_pairs(comparison, &pairs, options->metric);
        if (!screen)
            tell_block(&details, comparison, &summary, &by_depth, &pairs, options);
        pairs_end(&pairs);
        by_depth_end(&by_depth);
        summary_end(&summary);
    }
    if (screen)
        overview_rank(&overview, options->metric);
    if (results->count > 0)
        document_table(document, "overview",
                       screen ? ""
                              : "Runs, medians in which an unsolved run is more than any, and "
                                "verdicts against the baseline",
                       &overview);
    else
        document_say(document, PART_TEXT, "There are no runs in these results.");
    if (unsolved[0] != '\0')
        document_say(document, PART_TEXT, "Not solved: %s.", unsolved);
    if (results->solvers.count == 1)
        document_say(document, PART_TEXT,
                     "There is only one solver, so nothing to compare it with.");
    if (pairing.all && all_pairs.cell_count > 0) {
        char *caption = heap_format("All pairs: verdicts on %s, p adjusted over all of them (%s "
                                    "over %zu)",
                                    metric_column(options->metric)->name,
                                    correction_name(options->correction), legend.family);
        document_table(document, "all_pairs", caption, &all_pairs);
        free(caption);
    }
    if (screen && results->count > 0)
        tell_legend(document, &legend, options);
    document_append(document, &details);
    if (screen)
        fold_notes(comparison);
    for (size_t i = 0; !screen && i < comparison->note_count; i++)
        document_say(document, PART_NOTE, "%s", comparison->notes[i].text);
    free(unsolved);
    tidy_end(&all_pairs);
    tidy_end(&overview);
}

void findings_tell(struct comparison *comparison, const struct compare_options *options)
{
    for (size_t i = FIRST_DERIVED; i < TABLES; i++)
        comparison->tables[i] = table_start((enum table)i);
    tell(comparison, options);
}
