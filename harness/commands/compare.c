/* Reads, computes, prints, writes: in that order, so that the tables are shown even if a folder
 * cannot be written. */
#include "harness/commands/compare.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/analysis/against.h"
#include "harness/analysis/by_depth.h"
#include "harness/analysis/costs.h"
#include "harness/analysis/pairs.h"
#include "harness/analysis/summary.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/commands/terminal.h"
#include "harness/report/document.h"
#include "harness/report/sentence.h"
#include "harness/report/views.h"
#include "harness/results/datapackage.h"
#include "harness/text/human.h"
#include "puzzle/rank.h"
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Takes the text. */
static void add_note(struct comparison *comparison, const char *about, char *owned)
{
    comparison->notes =
        heap_grow(comparison->notes, comparison->note_count, sizeof *comparison->notes);
    comparison->notes[comparison->note_count++] = (struct note){about, text_printable(owned)};
    free(owned);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The manifest.json of a result, or NULL; to be released with json_decref. A CSV file of another
 * name than runs.csv has none: what lies beside it may be of other runs. */
static json_t *read_manifest(struct comparison *comparison, const char *file)
{
    static const char own_name[] = "runs.csv";
    const char *slash = strrchr(file, '/');
    const char *name = slash == NULL ? file : slash + 1;
    if (strcmp(name, own_name) != 0)
        return NULL;
    char *path = heap_format("%.*smanifest.json", (int)(name - file), file);
    json_error_t error;
    const char *why;
    json_t *manifest = NULL;
    FILE *stream = file_open(path, &why);
    if (stream != NULL) {
        manifest = json_loadf(stream, 0, &error);
        fclose(stream);
        if (manifest == NULL)
            add_note(comparison, "an unreadable manifest.json",
                     heap_format("%s:%d:%d: %s; its solvers and baseline are not known", path,
                                 error.line, error.column, error.text));
    } else if (access(path, F_OK) == 0) {
        add_note(comparison, "an unreadable manifest.json",
                 heap_format("%s: cannot open: %s; its solvers and baseline are not "
                             "known",
                             path, why));
    }
    free(path);
    return manifest;
}

/* The solvers of a manifest and their limits; false where it names none. */
static bool expected_of(const json_t *manifest, struct expected *expected)
{
    const json_t *solvers = json_object_get(manifest, "solvers");
    const json_t *limits = json_object_get(manifest, "limits");
    *expected = (struct expected){0};
    for (size_t i = 0; i < json_array_size(solvers); i++) {
        const char *solver = json_string_value(json_array_get(solvers, i));
        const size_t count = expected->solvers.count;
        if (solver == NULL || names_add(&expected->solvers, solver) != count)
            continue;
        const json_t *own = json_object_get(limits, solver);
        expected->limits = heap_grow(expected->limits, count, sizeof *expected->limits);
        expected->limits[count] = (struct limits){
            .seconds = own == NULL ? -1 : json_number_value(json_object_get(own, "seconds")),
            .nodes = (uint64_t)json_integer_value(json_object_get(own, "nodes")),
            .bytes = (uint64_t)json_integer_value(json_object_get(own, "bytes")),
        };
    }
    return expected->solvers.count > 0;
}

/* Reads one result by its manifest, and what the manifest says of the comparison. */
static bool read_result(struct comparison *comparison, const char *path)
{
    char *file = results_file(path);
    json_t *manifest = read_manifest(comparison, file);
    struct expected expected;
    struct report report;
    report_start(&report, file);
    const bool known = expected_of(manifest, &expected);
    const bool good = results_read(&comparison->results, file, known ? &expected : NULL, &report);
    if (!good)
        fputs(report.text, stderr);
    for (size_t i = 0; i < expected.solvers.count; i++)
        names_add(&comparison->order, expected.solvers.text[i]);
    const char *solver;
    json_t *label;
    json_object_foreach(json_object_get(manifest, "labels"), solver,
                        label) if (json_is_string(label))
        results_label(&comparison->results, solver, json_string_value(label));
    const char *baseline = json_string_value(json_object_get(manifest, "baseline"));
    if (baseline != NULL && comparison->named_baseline == NULL)
        comparison->named_baseline = heap_text(baseline);
    comparison->all_pairs =
        comparison->all_pairs || json_is_true(json_object_get(manifest, "all_pairs"));
    report_end(&report);
    expected_end(&expected);
    if (comparison->manifest == NULL)
        comparison->manifest = json_incref(manifest);
    json_decref(manifest);
    free(file);
    return good;
}

static bool read_results(struct comparison *comparison, const char *const *paths, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good = read_result(comparison, paths[i]) && good;
    return good;
}

static bool find_asked_baseline(struct comparison *comparison, const char *asked)
{
    const struct names *solvers = &comparison->results.solvers;
    comparison->baseline = names_find(solvers, asked);
    if (comparison->baseline != NAMES_NONE)
        return true;
    char *meant = word_meant(asked, (const char *const *)solvers->text, solvers->count);
    char *said = heap_format("tilelab compare: no runs of the baseline '%s'%s", asked, meant);
    char *shown = text_printable(said);
    fputs(shown, stderr);
    free(shown);
    free(said);
    free(meant);
    fprintf(stderr, "\nThe solvers there are:\n");
    for (size_t i = 0; i < solvers->count; i++) {
        char *solver = text_printable(solvers->text[i]);
        fprintf(stderr, "  %s\n", solver);
        free(solver);
    }
    return false;
}

static void find_usual_baseline(struct comparison *comparison)
{
    const char *named = comparison->named_baseline;
    comparison->baseline = 0;
    if (named == NULL || comparison->results.count == 0)
        return;
    size_t found = names_find(&comparison->results.solvers, named);
    if (found != NAMES_NONE)
        comparison->baseline = found;
    else
        add_note(comparison, "the baseline",
                 heap_format("The experiment's baseline %s has no runs here; the first "
                             "solver stands in for it.",
                             named));
}

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
        add_note(comparison, "rows left out",
                 heap_format("Left out: %s, which %s not in the experiment any more.", rows,
                             strangers->solvers.count == 1 ? "is" : "are"));
        free(rows);
    }
    if (others->solvers.count > 0) {
        char *rows = left_out_text(others);
        add_note(comparison, "rows left out",
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
        add_note(
            comparison, "peak memory",
            heap_format("Peak memory (peak_bytes) compares representations: on boards of up to "
                        "%d cells bfs keeps bits of the whole space instead of nodes. "
                        "max_stored does not depend on that.",
                        MAX_RANKED_CELLS));
    if (results->left_out > 0)
        add_note(comparison, "rows left out", other_runs_text(results->left_out, options->others));
    if (results->edited > 0)
        add_note(comparison, "edited rows",
                 heap_format("Rows whose cells are not those that tilelab wrote (row_hash): %zu. "
                             "Their solutions count as unverified.",
                             results->edited));
    if (results->repeated > 0)
        add_note(comparison, "repeated rows",
                 heap_format("Rows that repeat a run_id, and count once: %zu.", results->repeated));
    if (results->cut_files > 0)
        add_note(
            comparison, "a row that is cut off",
            heap_format("The last row of %zu file%s has no line end (it is being written, or was "
                        "cut off) and is left out.",
                        results->cut_files, results->cut_files == 1 ? "" : "s"));
    if (results->mixed > 0)
        add_note(comparison, "boards solved in some repetitions only",
                 heap_format("In %zu case%s a solver solved an instance in some repetitions, but "
                             "not in all: unsolved.",
                             results->mixed, plural(results->mixed)));
    if (results->disagreeing > 0)
        add_note(comparison, "counters that differ between repetitions",
                 heap_format("In %zu cases the runs of one solver on one instance differ in their "
                             "counters: results of different builds or operator orders are pooled; "
                             "the medians count.",
                             results->disagreeing));
}

static bool write_tables(const struct tidy *tables, const char *folder, bool quiet)
{
    bool good = folders_make(folder);
    if (!good)
        fprintf(stderr, "tilelab compare: cannot make the folder '%s': %s\n", folder,
                strerror(errno));
    for (size_t i = FIRST_DERIVED; good && i < TABLES; i++) {
        char *file = heap_format("%s.csv", table_schemas[i].name);
        good = tidy_write(&tables[i], folder, file);
        if (!good)
            fprintf(stderr, "tilelab compare: cannot write '%s/%s': %s; -o DIR writes elsewhere\n",
                    folder, file, strerror(errno));
        free(file);
    }
    if (!good)
        return false;
    struct terminal terminal = terminal_make();
    good = datapackage_write(folder, NULL, &terminal.display);
    if (!good)
        fprintf(stderr, "tilelab compare: cannot write '%s/" DATAPACKAGE_FILE "': %s\n", folder,
                strerror(errno));
    else if (!quiet)
        fprintf(stderr, "tilelab compare: summary.csv, by_depth.csv and pairs.csv are in %s\n",
                folder);
    return good;
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
            add_note(comparison, "values of 0",
                     heap_format("%s: the ratio of %s to %s leaves out %zu board%s where a value "
                                 "is 0 or not known.",
                                 block, solver, base, zeros, plural(zeros)));
        if (pair->no_value > 0)
            add_note(comparison, "values that are missing",
                     heap_format("%s: %zu board%s that %s and %s both solved, but without %s: no "
                                 "pair.",
                                 block, pair->no_value, plural(pair->no_value), solver, base,
                                 metric_column(metric)->name));
        if (pair->unshared > 0)
            add_note(comparison, "boards that only one solver ran (*)",
                     heap_format("%s: %zu board%s run by only one of %s and %s: not compared.",
                                 block, pair->unshared, pair->unshared == 1 ? " was" : "s were",
                                 solver, base));
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
        add_note(comparison, "unverified runs (?)",
                 heap_format("%s: ?: over unverified runs too, which are solved by their own "
                             "account alone.",
                             summary->block->name));
    if (missing)
        add_note(comparison, "boards that were not tried (*)",
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

/* What comes first in JSON. */
static json_t *head_of(const struct comparison *comparison)
{
    const struct results *results = &comparison->results;
    json_t *head = json_object();
    json_object_set_new(head, "runs", json_integer((json_int_t)results->count));
    json_object_set_new(head, "instances", json_integer((json_int_t)results->instances.count));
    json_object_set_new(head, "baseline",
                        results->count == 0
                            ? json_null()
                            : json_string(results->solvers.text[comparison->baseline]));
    for (size_t i = FIRST_DERIVED; i < TABLES; i++)
        json_object_set_new(head, table_schemas[i].name, tidy_json(&comparison->tables[i]));
    return head;
}

/* Prints the tables of one name, or all parts, where the caller wants them. */
static bool print_to(const struct compare_options *options, const struct document *document,
                     const char *only, const json_t *head)
{
    FILE *stream = options->stream == NULL ? stdout : options->stream;
    const bool silent = options->silent && only == NULL && options->format == FORMAT_TEXT;
    return silent || document_print(document, options->format, only, head, stream);
}

/* Prints the document; CSV and JSON have the tables for programs besides. */
static bool print_document(struct comparison *comparison, const struct compare_options *options)
{
    const bool ours = options->table != NULL || options->format == FORMAT_CSV;
    json_t *head = options->format == FORMAT_JSON ? head_of(comparison) : NULL;
    if (ours) /* of no block */
        document_say(&comparison->document, PART_HEADING, "%s", "");
    for (size_t i = FIRST_DERIVED; ours && i < TABLES; i++)
        document_table(&comparison->document, table_schemas[i].name, table_schemas[i].name,
                       &comparison->tables[i]);
    const bool good = print_to(options, &comparison->document, options->table, head);
    json_decref(head);
    if (!good)
        fprintf(stderr,
                "tilelab compare: no table '%s'; expected summary, by_depth, pairs or one "
                "of those that --full has\n",
                options->table);
    return good;
}

void comparison_tell(struct comparison *comparison, const struct compare_options *options)
{
    for (size_t i = FIRST_DERIVED; i < TABLES; i++)
        comparison->tables[i] = table_start((enum table)i);
    tell(comparison, options);
}

/* Prints the comparison, and writes its tables into `folder` unless that is NULL. */
static int show(struct comparison *comparison, const char *folder,
                const struct compare_options *options)
{
    comparison_tell(comparison, options);
    const bool written = folder == NULL || write_tables(comparison->tables, folder, options->quiet);
    const bool good = print_document(comparison, options);
    const int code = finish_output(good ? EXIT_DONE : EXIT_USAGE);
    if (folder == NULL && !options->quiet)
        fputs("tilelab compare: no files are written; -o DIR writes the tables as CSV\n", stderr);
    return written || code != EXIT_DONE ? code : EXIT_FAILED;
}

void comparison_end(struct comparison *comparison)
{
    for (size_t i = FIRST_DERIVED; i < TABLES; i++)
        tidy_end(&comparison->tables[i]);
    document_end(&comparison->document);
    results_end(&comparison->results);
    names_end(&comparison->order);
    json_decref(comparison->manifest);
    free(comparison->named_baseline);
    for (size_t i = 0; i < comparison->note_count; i++)
        free(comparison->notes[i].text);
    free(comparison->notes);
}

static void add_difference(struct tidy *tidy, const struct difference *difference)
{
    static const char *const kinds[] = {"status", "counter", "slower", "missing"};
    const bool counted =
        difference->kind == DIFFERENCE_COUNTER || difference->kind == DIFFERENCE_SLOWER;
    tidy_text(tidy, kinds[difference->kind]);
    tidy_text(tidy, difference->solver);
    tidy_text(tidy, difference->set == NULL ? "" : difference->set);
    tidy_text(tidy, difference->instance == NULL ? "" : difference->instance);
    tidy_text(tidy, counted ? metric_column(difference->metric)->name : "status");
    if (difference->kind == DIFFERENCE_SLOWER) {
        char *old_text = heap_format("%.9f", difference->old_value);
        char *new_text = heap_format("%.9f", difference->new_value);
        tidy_text(tidy, old_text);
        tidy_text(tidy, new_text);
        free(new_text);
        free(old_text);
    } else if (counted) {
        tidy_number(tidy, difference->old_value);
        tidy_number(tidy, difference->new_value);
    } else {
        const bool missing = difference->kind == DIFFERENCE_MISSING;
        tidy_text(tidy, status_rows[difference->old_status].name);
        tidy_text(tidy, missing ? "" : status_rows[difference->new_status].name);
    }
    tidy_text(tidy, difference->run_id == NULL ? "" : difference->run_id);
}

/* What changed, a row each; for people at most so many. */
static void tell_differences(struct document *document, const struct against *against,
                             const struct compare_options *options)
{
    enum { FOR_PEOPLE = 100 };
    static const char *const texts[] = {"what", "solver", "set", "instance", "column"};
    const bool all = options->format == FORMAT_CSV || options->format == FORMAT_JSON;
    const size_t shown = all || against->count < FOR_PEOPLE ? against->count : FOR_PEOPLE;
    struct tidy tidy = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tidy_column(&tidy, texts[i], "", "");
        tidy_shape(&tidy, SHAPE_TEXT);
    }
    tidy_column(&tidy, "old", "", "");
    tidy_column(&tidy, "new", "", "");
    tidy_column(&tidy, "run_id", "", "");
    tidy_shape(&tidy, SHAPE_TEXT);
    for (size_t i = 0; i < shown; i++)
        add_difference(&tidy, &against->differences[i]);
    char *caption = heap_format("%zu difference%s", against->count, plural(against->count));
    if (against->count > 0 || all)
        document_table(document, "differences", caption, &tidy);
    free(caption);
    tidy_end(&tidy);
    if (shown < against->count)
        document_say(document, PART_TEXT, "and %zu more", against->count - shown);
    if (against->compared > 0)
        document_say(document, PART_VERDICT,
                     "%s case%s (a board and a solver) %s in both results: %s",
                     human_count((double)against->compared).text, plural(against->compared),
                     against->compared == 1 ? "is" : "are",
                     against->count == 0 ? "nothing changed" : "see the differences");
    else
        document_say(document, PART_VERDICT, "The two results have nothing in common.");
    if (against->additional > 0)
        document_say(document, PART_NOTE, "%zu case%s in the new results alone.",
                     against->additional, against->additional == 1 ? " is" : "s are");
}

/* Holds results against older ones. */
static int hold_against(struct comparison *now, const struct compare_options *options)
{
    struct comparison before = {0};
    const char *const paths[] = {options->against};
    int code = EXIT_USAGE;
    if (read_results(&before, paths, 1)) {
        results_settle(&before.results, &before.order);
        struct against against = against_of(&now->results, &before.results,
                                            options->tolerance > 0 ? options->tolerance : -1);
        tell_differences(&now->document, &against, options);
        print_to(options, &now->document, NULL, NULL);
        code =
            finish_output(against.count > 0 || against.compared == 0 ? EXIT_FINDINGS : EXIT_DONE);
        against_end(&against);
    }
    comparison_end(&before);
    return code;
}

bool comparison_read(struct comparison *comparison, const char *const *results, size_t count,
                     const char *baseline)
{
    if (!read_results(comparison, results, count))
        return false;
    results_settle(&comparison->results, &comparison->order);
    if (baseline != NULL && comparison->results.count > 0)
        return find_asked_baseline(comparison, baseline);
    find_usual_baseline(comparison);
    return true;
}

int compare_print(const char *const *results, size_t count, const struct compare_options *asked)
{
    struct comparison comparison = {.results.only = asked->only, .results.pooled = asked->pooled};
    struct compare_options own = *asked;
    const struct compare_options *options = &own;
    own.full = asked->full || asked->format == FORMAT_JSON || asked->format == FORMAT_CSV;
    int code = EXIT_USAGE;
    const bool good = comparison_read(&comparison, results, count, options->baseline);
    if (good && options->against != NULL) {
        code = hold_against(&comparison, options);
    } else if (good) {
        const bool own_folder = count == 1 && is_folder(results[0]);
        code = show(&comparison,
                    options->output != NULL ? options->output
                    : own_folder            ? results[0]
                                            : NULL,
                    options);
    }
    comparison_end(&comparison);
    return code;
}

/* The command line. */
struct arguments {
    struct compare_options options;
    bool json, quiet;
    const char **results;
    size_t count;
};

enum {
    KEY_BASELINE = 'b',
    KEY_METRIC = 'm',
    KEY_OUTPUT = 'o',
    KEY_FULL = 'f',
    KEY_FORMAT = 0x100,
    KEY_TABLE,
    KEY_POOL,
    KEY_ALL_PAIRS,
    KEY_ADJUST,
    KEY_RAW,
    KEY_PRATT,
    KEY_AGAINST,
    KEY_TOLERANCE
};

/* By enum correction. */
enum { CORRECTIONS = CORRECTION_BENJAMINI_HOCHBERG + 1 };
static const char *const corrections[CORRECTIONS] = {"holm", "hochberg", "bh"};

/* The number of a word of a list; any other ends the program. */
static unsigned read_word(struct argp_state *state, const char *what, const char *text,
                          const char *const *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    argp_error(state, "unknown %s '%s'; expected %s%s", what, text, words_listed(words, count),
               word_meant(text, words, count));
    return 0;
}

static enum metric read_metric(struct argp_state *state, const char *text)
{
    const char *names[METRICS];
    for (unsigned i = 0; i < METRICS; i++)
        names[i] = metric_column(i)->name;
    return (enum metric)read_word(state, "metric", text, names, METRICS);
}

/* 5% or 0.05 */
static double read_share(struct argp_state *state, const char *text)
{
    char *end;
    const double number = strtod(text, &end);
    const double share = *end == '%' ? number / 100 : number;
    end += *end == '%';
    if (end == text || *end != '\0' || !(share > 0 && share < 1000))
        argp_error(state, "tolerance '%s'; expected a share such as 5%% or 0.05, above 0", text);
    return share;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->json;
        state->child_inputs[1] = &arguments->quiet;
        return 0;
    case KEY_BASELINE:
        arguments->options.baseline = value;
        return 0;
    case KEY_METRIC:
        arguments->options.metric = read_metric(state, value);
        return 0;
    case KEY_OUTPUT:
        arguments->options.output = value;
        return 0;
    case KEY_FORMAT:
        arguments->options.format =
            (enum format)read_word(state, "format", value, format_names, FORMATS);
        return 0;
    case KEY_FULL:
        arguments->options.full = true;
        return 0;
    case KEY_TABLE:
        arguments->options.table = value;
        arguments->options.full = true;
        arguments->options.all_pairs |= strcmp(value, "all_pairs") == 0;
        return 0;
    case KEY_POOL:
        arguments->options.pooled = true;
        return 0;
    case KEY_ALL_PAIRS:
        arguments->options.all_pairs = true;
        return 0;
    case KEY_ADJUST:
        arguments->options.correction =
            (enum correction)read_word(state, "correction", value, corrections, CORRECTIONS);
        return 0;
    case KEY_RAW:
        arguments->options.raw = true;
        return 0;
    case KEY_PRATT:
        arguments->options.pratt = true;
        return 0;
    case KEY_AGAINST:
        arguments->options.against = value;
        return 0;
    case KEY_TOLERANCE:
        arguments->options.tolerance = read_share(state, value);
        return 0;
    case ARGP_KEY_ARG:
        arguments->results = heap_grow(arguments->results, arguments->count, sizeof value);
        arguments->results[arguments->count++] = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->count == 0)
            argp_error(state, "no results; expected one or more results folders or CSV files of "
                              "runs");
        if (arguments->options.tolerance > 0 && arguments->options.against == NULL)
            argp_error(state, "--tolerance goes with --against");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"baseline", KEY_BASELINE, "SOLVER", 0,
     "compare the others with this solver (default: the experiment's, else the first)", 0},
    {"metric", KEY_METRIC, "METRIC", 0,
     "what the verdicts are about: a counter, length, wall_s or cpu_s (default: expanded); "
     "pairs.csv has all of them",
     0},
    {"output", KEY_OUTPUT, "DIR", 0,
     "write the CSV files there (default: into the results folder where it is the only result)", 0},
    {"full", KEY_FULL, NULL, 0,
     "print all tables, a sentence for each verdict and all notes, not one screen", 0},
    {"format", KEY_FORMAT, "FORMAT", 0,
     "how to print: text (the default), markdown, latex, csv, json or html; csv and json have all "
     "tables",
     0},
    {"table", KEY_TABLE, "TABLE", 0, "print this table alone: summary, pairs, by_depth, ..", 0},
    {"pool", KEY_POOL, NULL, 0, "compare over all sets and sizes together, not each separately", 0},
    {"all-pairs", KEY_ALL_PAIRS, NULL, 0,
     "compare every solver with every other, not with the baseline alone; p is adjusted over all "
     "these pairs",
     0},
    {"adjust", KEY_ADJUST, "METHOD", 0,
     "how p is adjusted for the pairs compared: holm (the default), hochberg or bh (Benjamini "
     "and "
     "Hochberg, the false discovery rate)",
     0},
    {"raw", KEY_RAW, NULL, 0, "Wilcoxon's test on differences, not on ratios", 0},
    {"pratt", KEY_PRATT, NULL, 0, "rank differences of 0 too, as Pratt did (default: drop them)",
     0},
    {"against", KEY_AGAINST, "OLD", 0,
     "hold the results against older ones, by instance and solver: exit code 3 where a counter, a "
     "length or how a run ended changed, or is missing; writes no files",
     0},
    {"tolerance", KEY_TOLERANCE, "SHARE", 0,
     "with --against: exit code 3 too where a solver's time (geometric mean) is worse by more, "
     "such "
     "as 20%",
     0},
    {0},
};

static const struct argp_child children[] = {
    {&json_parser, 0, NULL, 0}, {&quiet_parser, 0, NULL, 0}, {0}};

const struct argp compare_parser = {
    .options = option_table,
    .children = children,
    .parser = parse_option,
    .args_doc = "RESULTS...\nRESULTS... --against OLD",
    .doc =
        "Compares solvers over results: how their runs ended, medians, and a verdict on each "
        "solver against a baseline, in one screen.\v"
        "RESULTS is a results folder or the path of a runs.csv; several are pooled, and runs with "
        "the same run_id count once. Rows of solvers that are not in a folder's manifest.json any "
        "more, or were made under other limits, are left out and named. Writes summary.csv, "
        "by_depth.csv and pairs.csv, whose columns 'tilelab list columns' explains, and names them "
        "in datapackage.json.\n\n"
        "No row is believed: the moves of each solved run are replayed; without moves it is "
        "counted as unverified. Each board counts once however often it was repeated; sets and "
        "sizes are compared apart. An unsolved run counts: it is worse than every solved one, and "
        "nothing is concluded that its true cost could turn round. Ratio of geometric means with "
        "Student's t interval on logarithms, Wilcoxon's signed-rank test, Holm's correction.",
};

int command_compare(int argc, char **argv)
{
    struct arguments arguments = {0};
    command_line_parse(&compare_parser, argc, argv, &arguments);
    if (arguments.json)
        arguments.options.format = FORMAT_JSON;
    arguments.options.quiet = arguments.options.silent = arguments.quiet;
    int code = compare_print(arguments.results, arguments.count, &arguments.options);
    free(arguments.results);
    return code;
}
