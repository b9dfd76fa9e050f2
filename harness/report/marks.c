#include "harness/report/marks.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/report/page_report.h"
#include "harness/text/screen.h"

/* ---- One row and one rule ---- */

static bool is_counter(const struct point_rule *rule)
{
    return NAME_PLACE(counters, COUNTERS, name, rule->metric) < COUNTERS;
}

static bool is_time(const struct point_rule *rule)
{
    return rule->metric != NULL &&
           (strcmp(rule->metric, "cpu_s") == 0 || strcmp(rule->metric, "wall_s") == 0);
}

/* extra.NAME of a run; NAN: it has none. */
static double extra_of(const struct marks *marks, const struct point_rule *rule, size_t run)
{
    json_auto_t *extra = json_loads(page_runs_text(marks->runs, run, COLUMN_extra), 0, NULL);
    const json_t *value = json_object_get(extra, rule->metric + strlen(EXTRA_PREFIX));
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double value_of(const struct marks *marks, const struct point_rule *rule, size_t run)
{
    return metric_word_is_extra(rule->metric)
               ? extra_of(marks, rule, run)
               : results_number(marks->results, run, metric_named(rule->metric));
}

/* What the solver that a rule names has on the board of a run; NAN: it did not solve it, or does
 * not say. */
static double other_value(const struct marks *marks, size_t rule, size_t run)
{
    const struct point_rule *own = &marks->rules[rule];
    if (marks->others[rule] == NAMES_NONE)
        return NAN;
    const struct outcome *outcome =
        results_outcome(marks->results, marks->others[rule], marks->results->runs[run].instance);
    if (!outcome->finished || outcome->unverified > 0)
        return NAN;
    return metric_word_is_extra(own->metric)
               ? extra_of(marks, own, outcome->run)
               : outcome_value(marks->results, outcome, metric_named(own->metric));
}

/* The largest value that a rule about a metric allows a run; NAN: it does not apply. */
static double allowed(const struct marks *marks, size_t rule, size_t run)
{
    const struct point_rule *own = &marks->rules[rule];
    return own->kind == POINT_AT_MOST ? own->bound : own->bound * other_value(marks, rule, run);
}

static bool applies(const struct marks *marks, size_t rule, size_t run)
{
    const struct point_rule *own = &marks->rules[rule];
    const struct known_instance *known = &marks->results->known[marks->results->runs[run].instance];
    if (own->set != NULL && strcmp(own->set, page_runs_text(marks->runs, run, COLUMN_set)) != 0)
        return false;
    switch (own->kind) {
    case POINT_SOLVED:
        return !known->unsolvable;
    case POINT_OPTIMAL:
        return !known->unsolvable && known->optimal >= 0;
    case POINT_UNSOLVABLE:
        return known->unsolvable;
    default:
        return !known->unsolvable && !isnan(allowed(marks, rule, run));
    }
}

static bool is_solved(const struct run_row *run)
{
    return run->status == STATUS_solved && !run->unverified && !run->edited;
}

static bool satisfies(const struct marks *marks, size_t rule, size_t run)
{
    const struct point_rule *own = &marks->rules[rule];
    const struct run_row *row = &marks->results->runs[run];
    switch (own->kind) {
    case POINT_SOLVED:
        return is_solved(row);
    case POINT_OPTIMAL:
        return is_solved(row) && results_number(marks->results, run, METRIC_length) ==
                                     (double)marks->results->known[row->instance].optimal;
    case POINT_UNSOLVABLE:
        return (row->status == STATUS_unsolvable || row->status == STATUS_exhausted) &&
               !row->edited;
    default: /* a missing value is not within anything */
        return is_solved(row) && !(row->impossible && is_counter(own)) &&
               value_of(marks, own, run) <= allowed(marks, rule, run);
    }
}

static bool is_disturbed(const struct marks *marks, size_t run)
{
    const char *at = page_runs_text(marks->runs, run, COLUMN_finished_at);
    for (size_t i = 0; i < marks->disturbed_count; i++)
        if (strcmp(marks->disturbed[i].from, at) <= 0 && strcmp(at, marks->disturbed[i].to) <= 0)
            return true;
    return false;
}

/* Whether a run at its time limit was kept from the processor: one that waits for something needs
 * next to none, one that computes nearly all of its time. */
static bool is_starved(const struct marks *marks, size_t run)
{
    const struct run_row *row = &marks->results->runs[run];
    const double share = results_number(marks->results, run, METRIC_cpu_s) /
                         results_number(marks->results, run, RUN_LIMIT + LIMIT_S);
    return row->status == STATUS_time_limit && share > 0.02 && share < 0.9;
}

/* Whether it is the machine's fault that a run does not satisfy a rule. */
static bool is_excused(const struct marks *marks, size_t rule, size_t run)
{
    const struct run_row *row = &marks->results->runs[run];
    if (status_rows[row->status].made_again)
        return true;
    return (is_starved(marks, run) || (is_solved(row) && is_time(&marks->rules[rule]))) &&
           is_disturbed(marks, run);
}

enum point_verdict marks_verdict(const struct marks *marks, size_t rule, size_t run)
{
    if (!applies(marks, rule, run))
        return POINT_NONE;
    if (satisfies(marks, rule, run))
        return POINT_EARNED;
    return is_excused(marks, rule, run) ? POINT_EXCUSED : POINT_LOST;
}

/* A value of a metric as it is shown. */
static struct human value_text(const char *metric, double value)
{
    if (strcmp(metric, "peak_bytes") == 0)
        return human_bytes(value);
    return metric[strlen(metric) - 1] == 's' && metric[strlen(metric) - 2] == '_'
               ? human_seconds(value)
               : human_count(value);
}

static char *moves_text(double moves)
{
    return heap_format("%.0f move%s", moves, plural((size_t)moves));
}

char *marks_expected(const struct marks *marks, size_t rule, size_t run)
{
    const struct point_rule *own = &marks->rules[rule];
    switch (own->kind) {
    case POINT_SOLVED:
        return heap_text("a path to the goal");
    case POINT_OPTIMAL:
        return moves_text(
            (double)marks->results->known[marks->results->runs[run].instance].optimal);
    case POINT_UNSOLVABLE:
        return heap_text("status: unsolvable");
    default:
        return heap_format("%s up to %s", own->metric,
                           value_text(own->metric, allowed(marks, rule, run)).text);
    }
}

char *marks_got(const struct marks *marks, size_t rule, size_t run)
{
    const struct point_rule *own = &marks->rules[rule];
    const struct run_row *row = &marks->results->runs[run];
    if (row->edited)
        return heap_format("%s, in a row that was edited", status_rows[row->status].name);
    if (row->unverified)
        return heap_text("solved, by its own account alone");
    if (row->status != STATUS_solved || own->kind == POINT_UNSOLVABLE)
        return heap_format("%s%s", status_rows[row->status].name,
                           is_starved(marks, run) && is_disturbed(marks, run)
                               ? ", kept from the processor by others"
                               : "");
    if (own->metric == NULL)
        return moves_text(results_number(marks->results, run, METRIC_length));
    const double value = value_of(marks, own, run);
    if (isnan(value))
        return heap_format("solved, but it reports no %s", own->metric);
    return heap_format("%s%s", value_text(own->metric, value).text,
                       row->impossible && is_counter(own) ? ", which no search can count"
                       : marks_verdict(marks, rule, run) == POINT_EXCUSED
                           ? ", while others disturbed the machine"
                           : "");
}

/* ---- All rows ---- */

double marks_points(const struct point_rule *rule, const struct tally *tally)
{
    return tally->of == 0 ? NAN
                          : (double)rule->cents / CENTS * (double)tally->earned / (double)tally->of;
}

struct human points_text(double points)
{
    struct human text = {""};
    if (!isnan(points)) /* halves of hundredths, which are not exact in binary, go up */
        snprintf(text.text, sizeof text.text, "%.2f", floor(points * CENTS + 0.5 + 1e-9) / CENTS);
    return text;
}

static void count_points(const struct marks *marks, struct marked_solver *solver)
{
    solver->tallies = heap_take(marks->rule_count, sizeof *solver->tallies);
    for (size_t rule = 0; rule < marks->rule_count; rule++) {
        const struct point_rule *own = &marks->rules[rule];
        struct tally *tally = &solver->tallies[rule];
        for (size_t i = 0; i < solver->run_count; i++) {
            const size_t run = solver->runs[i];
            const enum point_verdict verdict = marks_verdict(marks, rule, run);
            tally->earned += verdict == POINT_EARNED;
            tally->of += verdict == POINT_EARNED || verdict == POINT_LOST;
            tally->excused += verdict == POINT_EXCUSED;
            tally->silent += verdict == POINT_LOST && own->metric != NULL &&
                             is_solved(&marks->results->runs[run]) &&
                             isnan(value_of(marks, own, run));
        }
        if (tally->of > 0)
            solver->points += marks_points(own, tally);
        solver->preliminary = solver->preliminary || tally->excused > 0;
    }
}

static void add_sentence(char **text, char *owned)
{
    heap_append(text, "%s%s", (*text)[0] == '\0' ? "" : "; ", owned);
    free(owned);
}

/* What should be known of the points of a solver. `rows` is how many the others have. */
static void comment_on(const struct marks *marks, struct marked_solver *solver, size_t rows)
{
    size_t ended[STATUSES] = {0};
    size_t edited = 0;
    size_t impossible = 0;
    char *text = heap_text("");
    solver->preliminary = solver->preliminary || solver->run_count < rows;
    if (solver->preliminary)
        add_sentence(&text, heap_text("preliminary"));
    if (solver->run_count < rows)
        add_sentence(&text,
                     heap_format("%zu of %zu rows are missing", rows - solver->run_count, rows));
    for (size_t i = 0; i < solver->run_count; i++) {
        const struct run_row *row = &marks->results->runs[solver->runs[i]];
        const bool right = marks->results->known[row->instance].unsolvable &&
                           (row->status == STATUS_unsolvable || row->status == STATUS_exhausted);
        ended[row->status] += row->status != STATUS_solved && !right;
        edited += row->edited;
        impossible += row->impossible;
    }
    for (unsigned i = 0; i < STATUSES; i++)
        if (ended[i] > 0)
            add_sentence(&text, heap_format("%s %zu", status_rows[i].name, ended[i]));
    if (edited > 0)
        add_sentence(&text,
                     heap_format("%zu row%s edited, which earn nothing", edited, plural(edited)));
    if (impossible > 0)
        add_sentence(&text, heap_format("counts what no search can on %zu board%s", impossible,
                                        plural(impossible)));
    for (size_t i = 0; i < marks->rule_count; i++) {
        const struct tally *tally = &solver->tallies[i];
        if (tally->silent > 0)
            add_sentence(&text,
                         heap_format("reports no %s on %zu solved board%s", marks->rules[i].metric,
                                     tally->silent, plural(tally->silent)));
        if (tally->excused > 0)
            add_sentence(&text,
                         heap_format("%s: %zu row%s left out, as the machine was at fault",
                                     marks->rules[i].text, tally->excused, plural(tally->excused)));
        else if (tally->of == 0)
            add_sentence(&text,
                         heap_format("%s: applies to none of its rows", marks->rules[i].text));
    }
    solver->comment = text;
}

/* Whether two runs are of one board, solver and repetition. */
static bool is_same_run(const struct marks *marks, size_t run, size_t other)
{
    const struct run_row *a = &marks->results->runs[run];
    const struct run_row *b = &marks->results->runs[other];
    return a->solver == b->solver && a->instance == b->instance &&
           strcmp(page_runs_text(marks->runs, run, COLUMN_repetition),
                  page_runs_text(marks->runs, other, COLUMN_repetition)) == 0;
}

/* Gives each solver its runs; of a run that was made with an earlier version of a program, too, the
 * last counts. */
static void deal_runs(struct marks *marks, const size_t *place)
{
    const struct results *results = marks->results;
    SCOPED size_t *order = page_report_order(results, marks->runs);
    for (size_t i = 0; i < results->count; i++) {
        const struct run_row *row = &results->runs[order[i]];
        if (place[row->solver] == NAMES_NONE)
            continue;
        struct marked_solver *solver = &marks->solvers[place[row->solver]];
        size_t *last = solver->run_count == 0 ? NULL : &solver->runs[solver->run_count - 1];
        if (last != NULL && is_same_run(marks, *last, order[i])) {
            *last = results->runs[*last].finished < row->finished ? order[i] : *last;
            continue;
        }
        *HEAP_ADD(solver->runs, solver->run_count) = order[i];
    }
}

/* The programs that have a label. */
static void find_solvers(struct marks *marks)
{
    const struct results *results = marks->results;
    SCOPED size_t *place = heap_take(results->solvers.count, sizeof *place);
    size_t rows = 0;
    for (size_t i = 0; i < results->solvers.count; i++) {
        const char *name = results->solvers.text[i];
        const bool marked =
            strncmp(name, "external(", 9) == 0 && strcmp(results->shown[i], name) != 0;
        place[i] = marked ? marks->solver_count : NAMES_NONE;
        if (!marked)
            continue;
        *HEAP_ADD(marks->solvers, marks->solver_count) =
            (struct marked_solver){.solver = i, .label = results->shown[i]};
    }
    deal_runs(marks, place);
    for (size_t i = 0; i < marks->solver_count; i++)
        rows = marks->solvers[i].run_count > rows ? marks->solvers[i].run_count : rows;
    for (size_t i = 0; i < marks->solver_count; i++) {
        count_points(marks, &marks->solvers[i]);
        comment_on(marks, &marks->solvers[i], rows);
    }
}

/* The rules that the manifest has; false where one is not as tilelab wrote it. */
static bool read_rules(struct marks *marks, const json_t *manifest)
{
    size_t i;
    json_t *entry;
    bool fine = true;
    SCOPED_BY(report_end) struct report none = {0};
    json_array_foreach(json_object_get(manifest, "points"), i, entry)
    {
        const char *text = json_string_value(json_object_get(entry, "rule"));
        const char *solver = json_string_value(json_object_get(entry, "solver"));
        const double points = json_number_value(json_object_get(entry, "points"));
        struct point_rule rule = {0};
        fine = fine && text != NULL && points > 0 && points <= MAX_POINTS &&
               point_rule_parse(text, NO_PLACE, &none, &rule);
        rule.cents = (unsigned)lround(points * CENTS);
        marks->rules = heap_grow(marks->rules, marks->rule_count, sizeof *marks->rules);
        marks->others = heap_grow(marks->others, marks->rule_count, sizeof *marks->others);
        marks->others[marks->rule_count] =
            solver == NULL ? NAMES_NONE : names_find(&marks->results->solvers, solver);
        marks->rules[marks->rule_count++] = rule;
    }
    return fine;
}

static void read_disturbances(struct marks *marks, const json_t *manifest)
{
    size_t i;
    json_t *session;
    json_array_foreach(json_object_get(manifest, "sessions"), i, session)
    {
        const char *from = json_string_value(json_object_get(session, "started_at"));
        const char *to = json_string_value(json_object_get(session, "finished_at"));
        const json_t *noise = json_object_get(session, "noise");
        if (from == NULL || to == NULL || !json_is_true(json_object_get(noise, "disturbed")))
            continue;
        *HEAP_ADD(marks->disturbed, marks->disturbed_count) = (struct disturbance){from, to};
    }
}

/* Whether a rule applies to a row of anybody. */
static bool is_used(const struct marks *marks, size_t rule)
{
    bool used = false;
    for (size_t i = 0; i < marks->solver_count; i++)
        used = used ||
               marks->solvers[i].tallies[rule].of + marks->solvers[i].tallies[rule].excused > 0;
    return used;
}

bool marks_make(struct marks *marks, const struct comparison *comparison,
                const struct page_runs *runs, FILE *errors)
{
    const json_t *manifest = comparison->manifest;
    *marks = (struct marks){.results = &comparison->results, .runs = runs};
    if (!read_rules(marks, manifest)) {
        fputs("tilelab: a rule of points in manifest.json is not as tilelab wrote it; tilelab run "
              "writes it anew\n",
              errors);
        return false;
    }
    read_disturbances(marks, manifest);
    find_solvers(marks);
    if (marks->solver_count == 0)
        fputs("tilelab: no row is of a solver with a command and a label; expected label: NAME, or "
              "runs of such solvers\n",
              errors);
    for (size_t i = 0; i < marks->rule_count && marks->solver_count > 0; i++)
        if (!is_used(marks, i))
            screen_say(
                errors,
                "tilelab: the rule '%s' applies to no row so far: its points are given to nobody\n",
                marks->rules[i].text);
    return marks->solver_count > 0;
}

const struct marked_solver *marks_find(const struct marks *marks, const char *label)
{
    const size_t place = NAME_PLACE(marks->solvers, marks->solver_count, label, label);
    return place < marks->solver_count ? &marks->solvers[place] : NULL;
}

void marks_end(struct marks *marks)
{
    for (size_t i = 0; i < marks->solver_count; i++)
        FREE(marks->solvers[i].runs, marks->solvers[i].tallies, marks->solvers[i].comment);
    for (size_t i = 0; i < marks->rule_count; i++)
        point_rule_end(&marks->rules[i]);
    FREE(marks->solvers, marks->rules, marks->others, marks->disturbed);
}
