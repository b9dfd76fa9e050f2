#include "harness/compare/held.h"
#include "base/heap.h"
#include "harness/analysis/against.h"
#include "harness/results/rows.h"
#include "harness/text/human.h"

enum { FOR_PEOPLE = 100 }; /* rows of a table */

static void count_row(void *context, size_t run, const struct row *row)
{
    struct held *held = context;
    const size_t builds = held->builds.count;
    const size_t build = names_add(&held->builds, row->cells[COLUMN_build].text);
    (void)run;
    if (build == builds)
        held->origins = heap_grow(held->origins, builds, sizeof *held->origins);
    struct origin *origin = &held->origins[build];
    if (build == builds)
        *origin = (struct origin){0};
    origin->rows++;
    origin->edited += !row->whole;
    names_add(&origin->hosts, row->cells[COLUMN_host].text);
}

bool held_read(struct held *held, FILE *errors)
{
    held->comparison.results.counted = count_row;
    held->comparison.results.context = held;
    return comparison_read(&held->comparison, held->paths, held->path_count, NULL, errors);
}

void held_end(struct held *held)
{
    for (size_t i = 0; i < held->builds.count; i++)
        names_end(&held->origins[i].hosts);
    free(held->origins);
    names_end(&held->builds);
    comparison_end(&held->comparison);
}

/* ---- Provenance ---- */

/* What a manifest says of a build; "" where it does not know it. */
static const char *said_of(const json_t *manifest, const char *build, const char *key)
{
    const json_t *sessions = json_object_get(manifest, "sessions");
    for (size_t i = 0; i < json_array_size(sessions); i++) {
        const json_t *program = json_object_get(json_array_get(sessions, i), "tilelab");
        const char *own = json_string_value(json_object_get(program, "build"));
        const char *said = json_string_value(json_object_get(program, key));
        if (own != NULL && said != NULL && strcmp(own, build) == 0)
            return said;
    }
    return "";
}

static char *hosts_text(const struct names *hosts)
{
    enum { NAMED = 3 };
    char *text = heap_text("");
    for (size_t i = 0; i < hosts->count && i < NAMED; i++)
        heap_append(&text, "%s%s", i == 0 ? "" : ", ", hosts->text[i]);
    if (hosts->count > NAMED)
        heap_append(&text, " and %zu more", hosts->count - NAMED);
    return text;
}

static void add_origins(struct tidy *tidy, const char *side, const struct held *held)
{
    SCOPED char *paths = heap_text("");
    for (size_t i = 0; i < held->path_count; i++)
        heap_append(&paths, "%s%s", i == 0 ? "" : ", ", held->paths[i]);
    for (size_t i = 0; i < held->builds.count; i++) {
        const char *build = held->builds.text[i];
        SCOPED char *hosts = hosts_text(&held->origins[i].hosts);
        tidy_add(tidy, "%s %s %g %g %s %s %s %s", side, paths, (double)held->origins[i].rows,
                 (double)held->origins[i].edited,
                 said_of(held->comparison.manifest, build, "version"), build,
                 said_of(held->comparison.manifest, build, "compiler"), hosts);
    }
}

static void tell_origins(struct document *document, const struct held *now,
                         const struct held *before)
{
    struct tidy tidy = {0};
    tidy_heads(&tidy, "side:t|results:t|rows|edited|version:t|build:t|compiler:t|host:t");
    add_origins(&tidy, "old", before);
    add_origins(&tidy, "new", now);
    document_table(document, "provenance", &tidy, "What made the rows");
}

/* ---- Times ---- */

static void tell_times(struct document *document, const struct against *against)
{
    struct tidy tidy = {0};
    tidy_heads(&tidy, "solver:t|column:t|boards|edited|old[s]|new[s]|ratio:r");
    for (size_t i = 0; i < against->time_count; i++) {
        const struct times *times = &against->times[i];
        if (times->boards == 0)
            continue;
        tidy_add(&tidy, "%s %s %g %g %g %g %g", times->solver, metric_column(times->metric)->name,
                 (double)times->boards, (double)times->edited, times->old_value, times->new_value,
                 times->new_value / times->old_value);
    }
    document_table(document, "times", &tidy,
                   "Times, geometric means over the boards solved in both");
}

/* ---- Edited rows ---- */

static void add_edited(struct tidy *tidy, const char *side, const struct results *results,
                       size_t most)
{
    for (size_t i = 0; i < results->count && tidy->cell_count / tidy->column_count < most; i++) {
        const struct run_row *run = &results->runs[i];
        if (!run->edited)
            continue;
        SCOPED char *set = results_set(results, run->instance);
        SCOPED char *instance = results_instance(results, run->instance);
        tidy_add(tidy, "%s %s %s %s %s", side, results->solvers.text[run->solver], set, instance,
                 results->run_ids.text[i]);
    }
}

static void tell_edited(struct document *document, const struct results *now,
                        const struct results *before, bool all)
{
    const size_t count = now->edited + before->edited;
    const size_t most = all ? SIZE_MAX : FOR_PEOPLE;
    struct tidy tidy = {0};
    tidy_heads(&tidy, "side:t|solver:t|set:t|instance:t|run_id:t");
    add_edited(&tidy, "old", before, most);
    add_edited(&tidy, "new", now, most);
    if (count > 0 || all)
        document_table(document, "edited", &tidy,
                       "%zu edited row%s: row_hash does not fit the cells", count, plural(count));
    else
        tidy_end(&tidy);
}

/* ---- Differences ---- */

/* In a column of counters. */
static void add_seconds(struct tidy *tidy, double seconds)
{
    SCOPED char *text = heap_format("%.9g", seconds);
    tidy_text(tidy, text);
}

static void add_difference(struct tidy *tidy, const struct difference *difference)
{
    static const char *const kinds[] = {"status", "counter", "slower", "missing"};
    static const char *const sides[2][2] = {{"", "new"}, {"old", "both"}};
    const bool counted =
        difference->kind == DIFFERENCE_COUNTER || difference->kind == DIFFERENCE_SLOWER;
    tidy_add(tidy, "%s %s %s %s %s", kinds[difference->kind], difference->solver,
             difference->set == NULL ? "" : difference->set,
             difference->instance == NULL ? "" : difference->instance,
             counted ? metric_column(difference->metric)->name : "status");
    if (difference->kind == DIFFERENCE_SLOWER) {
        add_seconds(tidy, difference->old_value);
        add_seconds(tidy, difference->new_value);
    } else if (counted) {
        tidy_numbers(tidy, difference->old_value, difference->new_value);
    } else {
        const bool missing = difference->kind == DIFFERENCE_MISSING;
        tidy_add(tidy, "%s %s", status_rows[difference->old_status].name,
                 missing ? "" : status_rows[difference->new_status].name);
    }
    tidy_add(tidy, "%s %s", difference->run_id == NULL ? "" : difference->run_id,
             sides[difference->old_edited][difference->new_edited]);
}

/* What changed, a row each; for people at most so many. */
static void tell_differences(struct document *document, const struct against *against, bool all)
{
    const size_t shown = all || against->count < FOR_PEOPLE ? against->count : FOR_PEOPLE;
    SCOPED_BY(tidy_end) struct tidy tidy = {0};
    tidy_heads(&tidy, "what:t|solver:t|set:t|instance:t|column:t|old|new|run_id:t|edited:t");
    for (size_t i = 0; i < shown; i++)
        add_difference(&tidy, &against->differences[i]);
    if (against->count > 0 || all)
        document_table(document, "differences", &tidy, "%zu difference%s", against->count,
                       plural(against->count));
    if (shown < against->count)
        document_say(document, PART_TEXT, "and %zu more", against->count - shown);
}

/* ---- The verdict ---- */

static void tell_nodes(struct document *document, const struct against *against)
{
    if (against->of_nodes > 0)
        document_say(document, PART_VERDICT,
                     "What is searched is not equal: %zu of the differences are neither of times "
                     "nor of bytes.",
                     against->of_nodes);
    else if (against->exact == 0)
        document_say(document, PART_VERDICT, "There are no counters to hold against each other.");
    else
        document_say(document, PART_VERDICT,
                     "What is searched is equal: the counters of %s case%s.",
                     human_count((double)against->exact).text, plural(against->exact));
    if (against->exact < against->compared)
        document_say(document, PART_NOTE,
                     "%zu case%s no counters to compare: time, a crash or the system ended a run, "
                     "or the two ended otherwise.",
                     against->compared - against->exact,
                     against->compared - against->exact == 1 ? " has" : "s have");
}

bool held_tell(struct document *document, const struct held *now, const struct held *before,
               const struct compare_options *options)
{
    const bool all = options->format == FORMAT_CSV || options->format == FORMAT_JSON;
    const struct results *results = &now->comparison.results;
    SCOPED_BY(against_end)
    struct against against = against_of(results, &before->comparison.results,
                                        options->tolerance > 0 ? options->tolerance : -1);
    tell_origins(document, now, before);
    tell_times(document, &against);
    tell_edited(document, results, &before->comparison.results, all);
    tell_differences(document, &against, all);
    if (against.compared > 0)
        document_say(document, PART_VERDICT,
                     "%s case%s (a board and a solver) %s in both results: %s",
                     human_count((double)against.compared).text, plural(against.compared),
                     against.compared == 1 ? "is" : "are",
                     against.count == 0 ? "nothing changed" : "see the differences");
    else
        document_say(document, PART_VERDICT, "The two results have nothing in common.");
    if (options->nodes_must_equal)
        tell_nodes(document, &against);
    if (against.additional > 0)
        document_say(document, PART_NOTE, "%zu case%s in the new results alone.",
                     against.additional, against.additional == 1 ? " is" : "s are");
    return options->nodes_must_equal ? against.of_nodes > 0 || against.exact == 0
                                     : against.count > 0 || against.compared == 0;
}
