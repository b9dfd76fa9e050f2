/* The key `points`: reading its rules, and holding them against the experiment. */
#include "harness/experiment/points.h"
#include "base/named.h"
#include "harness/experiment/parts.h"
#include "harness/experiment/units.h"
#include <math.h>

static const char *const plain_rules[] = {"solved", "optimal", "unsolvable"};
enum { PLAIN_RULES = sizeof plain_rules / sizeof *plain_rules };

#define RULE_FORMS                                                                                 \
    "solved, optimal, unsolvable, METRIC within Nx of SOLVER, METRIC within Nx of reference or "   \
    "METRIC at most VALUE, each perhaps with on SET"

/* The rest of a text after a word that it begins with and a space; NULL: it does not. */
static const char *after(const char *text, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && text[length] == ' ' ? text + length + 1 : NULL;
}

/* Cuts " on SET" from the end of a rule: the set, heap memory, or NULL. */
static char *cut_set(char *rule)
{
    char *space = strrchr(rule, ' ');
    if (space == NULL || space - rule < 3 || strncmp(space - 3, " on", 3) != 0)
        return NULL;
    space[-3] = '\0';
    return heap_text(space + 1);
}

/* The column of a metric's name: cpu and wall are short for cpu_s and wall_s. NULL: no metric. */
static const char *metric_of(const char *word)
{
    if (strcmp(word, "cpu") == 0 || strcmp(word, "wall") == 0)
        return word[0] == 'c' ? "cpu_s" : "wall_s";
    const size_t place = WORD_PLACE(metric_words, METRIC_WORDS, word);
    return place < METRIC_WORDS ? metric_words[place] : metric_word_is_extra(word) ? word : NULL;
}

static void report_first_word(const struct point_rule *rule, const char *word,
                              struct report *report)
{
    const char *words[PLAIN_RULES + METRIC_WORDS];
    memcpy(words, plain_rules, sizeof plain_rules);
    memcpy(words + PLAIN_RULES, metric_words, sizeof metric_words);
    SCOPED char *meant = word_meant(word, words, PLAIN_RULES + METRIC_WORDS);
    report_add(report, rule->place, "the rule '%s' begins with '%s'; expected " RULE_FORMS "%s",
               rule->text, word, meant);
}

/* VALUE in the unit of the metric. */
static bool parse_value(const char *metric, const char *text, double *value)
{
    uint64_t whole = 0;
    char *end;
    if (strcmp(metric, "cpu_s") == 0 || strcmp(metric, "wall_s") == 0)
        return parse_seconds(text, value);
    if (metric_word_is_extra(metric)) {
        *value = strtod(text, &end);
        return end != text && *end == '\0' && isfinite(*value);
    }
    const bool fine =
        strcmp(metric, "peak_bytes") == 0 ? parse_bytes(text, &whole) : parse_count(text, &whole);
    *value = (double)whole;
    return fine;
}

/* "2x of SOLVER" */
static bool parse_within(struct point_rule *rule, const char *text)
{
    char *end;
    rule->kind = POINT_WITHIN;
    rule->bound = strtod(text, &end);
    const char *solver = end != text && *end == 'x' ? after(end + 1, " of") : NULL;
    if (solver == NULL || solver[0] == '\0' || !(rule->bound > 0 && isfinite(rule->bound)))
        return false;
    rule->solver = heap_text(solver);
    return true;
}

bool point_rule_parse(const char *text, struct text_place place, struct report *report,
                      struct point_rule *rule)
{
    *rule = (struct point_rule){.text = heap_text(text), .place = place};
    SCOPED char *copy = heap_text(text);
    rule->set = cut_set(copy);
    const size_t length = strcspn(copy, " ");
    const bool alone = copy[length] == '\0';
    bool fine = false;
    for (unsigned i = 0; alone && i < PLAIN_RULES && !fine; i++) {
        fine = strcmp(copy, plain_rules[i]) == 0;
        rule->kind = POINT_SOLVED + i;
    }
    if (!fine) {
        SCOPED char *word = heap_format("%.*s", (int)length, copy);
        const char *metric = metric_of(word);
        const char *rest = alone ? "" : copy + length + 1;
        const char *within = after(rest, "within");
        const char *most = after(rest, "at most");
        rule->metric = metric == NULL ? NULL : heap_text(metric);
        if (metric == NULL) {
            report_first_word(rule, word, report);
        } else {
            if (within != NULL)
                fine = parse_within(rule, within);
            else if (most != NULL)
                fine = parse_value(metric, most, &rule->bound);
            if (most != NULL)
                rule->kind = POINT_AT_MOST;
            if (!fine)
                report_add(report, place,
                           "the rule '%s' is not complete; expected %s within 2x of a solver or "
                           "of reference, or %s at most a value such as %s",
                           text, word, word,
                           strcmp(metric, "peak_bytes") == 0                ? "64MiB"
                           : strcmp(metric + strlen(metric) - 2, "_s") == 0 ? "500ms"
                                                                            : "10k");
        }
    }
    return fine;
}

bool point_rule_is(const char *text)
{
    SCOPED_BY(point_rule_end) struct point_rule rule;
    SCOPED_BY(report_end) struct report none = {0};
    return point_rule_parse(text, NO_PLACE, &none, &rule);
}

void point_rule_end(struct point_rule *rule)
{
    FREE(rule->text, rule->metric, rule->solver, rule->set);
}

/* ---- Within an experiment ---- */

/* Points: a number above 0 with up to two decimals. */
static bool parse_points(const struct yaml_node *node, unsigned *cents)
{
    char *end;
    if (node->kind != YAML_TEXT || node->text[0] == '\0')
        return false;
    const double points = strtod(node->text, &end);
    const double rounded = round(points * CENTS);
    if (*end != '\0' || !(points > 0 && points <= MAX_POINTS) ||
        fabs(points * CENTS - rounded) > 1e-6)
        return false;
    *cents = (unsigned)rounded;
    return *cents > 0;
}

static void check_set(const struct experiment *experiment, const struct point_rule *rule,
                      struct report *report)
{
    const struct instance_list *list = &experiment->instances;
    size_t count = 0;
    size_t fitting = 0;
    size_t boards = 0;
    SCOPED const char **sets = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct instance *instance = &list->items[i];
        if (count == 0 || strcmp(sets[count - 1], instance->set) != 0)
            *HEAP_ADD(sets, count) = instance->set;
        if (rule->set != NULL && strcmp(rule->set, instance->set) != 0)
            continue;
        boards++;
        fitting +=
            board_connected(&instance->start, &instance->goal) != (rule->kind == POINT_UNSOLVABLE);
    }
    if (boards == 0 && count > 0)
        report_unknown(report, rule->place, "set", rule->set, sets, count);
    else if (fitting == 0 && count > 0)
        report_add(report, rule->place,
                   "the rule '%s' applies to no board: %s has none that %s be solved; expected %s",
                   rule->text, rule->set == NULL ? "the experiment" : "the set",
                   rule->kind == POINT_UNSOLVABLE ? "cannot" : "can",
                   rule->kind == POINT_UNSOLVABLE
                       ? "a set such as {name: none, size: 3x3, count: 5, solvable: false}, or no "
                         "such rule"
                       : "another set, or no such rule");
}

/* Puts the solver's canonical text in the place of the words of the rule. */
static void find_solver(const struct experiment *experiment, struct point_rule *rule,
                        struct report *report)
{
    const bool reference = strcmp(rule->solver, "reference") == 0;
    const char *named =
        reference ? experiment->baseline : experiment_solver_named(experiment, rule->solver);
    if (named != NULL) {
        free(rule->solver);
        rule->solver = heap_text(named);
    } else if (reference) {
        report_add(report, rule->place,
                   "the rule '%s', but there is no reference; expected compare: {baseline: ..}, or "
                   "a solver in its place",
                   rule->text);
    } else {
        experiment_refuse_solver(experiment, "the rule's solver", rule->place, rule->solver,
                                 report);
    }
}

void experiment_read_points(struct experiment *experiment, const struct yaml_node *node,
                            bool solvers_fine, struct report *report)
{
    for (size_t i = 0; i < node->count; i += 2) {
        const struct yaml_node *key = node->items[i];
        const struct yaml_node *value = node->items[i + 1];
        struct point_rule rule;
        bool fine = point_rule_parse(key->text, key->place, report, &rule);
        if (!parse_points(value, &rule.cents))
            fine = report_add(
                report, value->place,
                "invalid points for '%s'; expected a number above 0, at most %d, with up to "
                "two decimals",
                key->text, MAX_POINTS);
        if (fine && rule.solver != NULL && solvers_fine)
            find_solver(experiment, &rule, report);
        if (!fine) {
            point_rule_end(&rule);
            continue;
        }
        *HEAP_ADD(experiment->points, experiment->point_count) = rule;
    }
}

void experiment_check_points(const struct experiment *experiment, struct report *report)
{
    for (size_t i = 0; i < experiment->point_count; i++)
        check_set(experiment, &experiment->points[i], report);
}
