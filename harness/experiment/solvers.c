/* The solvers of an experiment.
 *
 * A mapping stands for all combinations of its values: each key whose value is a list is a
 * dimension, and the first key varies slowest. Each combination is built from its algorithm, its
 * heuristic and its options, so that the tables alone say what is valid. A problem that several
 * combinations share is reported once (harness/experiment/problems.h). */
#include "harness/experiment/parts.h"
#include "harness/external/submission.h"
#include "harness/text/sorting.h"
#include <inttypes.h>

static const struct schema_key limits_keys[] = {
    {KEY("time", SECONDS, struct limits, seconds, "the wall time of one search"), .min = 1,
     .max = UINT64_C(8784) * 3600000, .fallback = "60s"},
    {KEY("memory", BYTES, struct limits, bytes, "the memory that one search may hold"),
     .min = 1 << 16, .max = UINT64_C(1) << 50, .fallback = "2GiB"},
    {KEY("nodes", COUNT, struct limits, nodes, "the nodes that one search may generate"),
     .or_none = true, .min = 1, .max = UINT64_C(1000000000000000000), .fallback = "none"},
    {KEY("cpu", SECONDS, struct limits, cpu_seconds,
         "the processor time of one search, of all its threads or processes"),
     .or_none = true, .min = 1, .max = UINT64_C(8784) * 3600000, .fallback = "none"},
};
const struct schema limits_schema = {"limits", limits_keys,
                                     sizeof limits_keys / sizeof *limits_keys, false};

/* Visible characters, with single spaces between them. */
bool solver_label(const struct yaml_node *node, void *field, struct report *report)
{
    size_t characters = 0;
    (void)report;
    if (node->kind != YAML_TEXT || node->text[0] == ' ')
        return false;
    for (const unsigned char *at = (const unsigned char *)node->text; *at != '\0'; at++) {
        const bool space = at[0] == ' ' && (at[1] == ' ' || at[1] == '\0');
        const bool control = at[0] < ' ' || (at[0] == 0xC2 && at[1] < 0xA0);
        const bool line_end = at[0] == 0xE2 && at[1] == 0x80 && (at[2] == 0xA8 || at[2] == 0xA9);
        if (space || control || line_end)
            return false;
        characters += (at[0] & 0xC0) != 0x80;
    }
    *(const struct yaml_node **)field = node;
    return characters <= MAX_LABEL;
}

static bool any_node(const struct yaml_node *node, void *field, struct report *report)
{
    (void)node;
    (void)field;
    (void)report;
    return true;
}

/* The algorithm, the heuristic and the options may be lists: no plain types. */
static const struct schema_key solver_keys[] = {
    {.name = "algorithm",
     .type = SCHEMA_CUSTOM,
     .required = true,
     .read = any_node,
     .expected = "the name of an algorithm, or a list of them",
     .definition = "algorithm",
     .help = "the algorithm: tilelab list algorithms"},
    {.name = "heuristic",
     .type = SCHEMA_CUSTOM,
     .read = any_node,
     .expected = "a heuristic, or a list of them",
     .definition = "heuristic",
     .help = "the heuristic of an informed algorithm: tilelab list heuristics"},
    {.name = "order",
     .type = SCHEMA_CUSTOM,
     .read = any_node,
     .fallback = "the experiment's",
     .expected = "the letters U, L, R and D in some order, such as ULRD, or a list of orders",
     .definition = "orders",
     .help = "an operator order of its own, the option that every algorithm has"},
    SOLVER_SETTINGS,
};
const struct schema solver_schema = {"a solver", solver_keys,
                                     sizeof solver_keys / sizeof *solver_keys, true};

/* A key of the long form with the values it takes in turn. */
struct dimension {
    const struct yaml_node *key;
    struct yaml_node *const *values;
    char **texts; /* owned; the words that the values are or stand for */
    size_t count;
    size_t at;
};

/* Where each solver, or its label, is written. */
struct origin {
    const char *text;
    bool is_label;
    struct text_place place;
    size_t index;
};

struct reading {
    struct experiment *experiment;
    struct report *report;
    struct origin *origins; /* as many as there are solvers */
    struct origin *labels;
    size_t label_count;
    uint64_t tried; /* combinations so far, right or wrong */
};

/* Takes `external`, which is NULL for a built-in solver. */
static void add_solver(struct reading *reading, const struct solver *solver,
                       struct external *external, const struct limits *limits,
                       struct text_place place, const struct yaml_node *heuristic)
{
    struct experiment *experiment = reading->experiment;
    const size_t count = experiment->solver_count;
    char *text = external == NULL ? solver_text(solver) : external_text(external);
    experiment->solvers = heap_grow(experiment->solvers, count, sizeof *experiment->solvers);
    experiment->solvers[count] =
        (struct experiment_solver){.solver = *solver,
                                   .external = external,
                                   .text = text,
                                   .limits = *limits,
                                   .place = heuristic == NULL ? place : heuristic->place};
    reading->origins = heap_grow(reading->origins, count, sizeof *reading->origins);
    reading->origins[count] = (struct origin){text, false, place, count};
    experiment->solver_count++;
}

static bool is_key(const struct dimension *dimension, const char *key)
{
    return strcmp(dimension->key->text, key) == 0;
}

static const struct yaml_node *chosen(const struct dimension *dimension)
{
    return dimension->values[dimension->at];
}

static const char *chosen_text(const struct dimension *dimension)
{
    return dimension->texts[dimension->at];
}

/* Sets an option. One that does not exist is reported at its key, a wrong value at the value. */
static bool set_option(struct solver *solver, const struct dimension *dimension,
                       struct report *report)
{
    const char *name = dimension->key->text;
    bool known = strcmp(name, "order") == 0 ||
                 option_named(solver->algorithm->options, name) != NULL ||
                 (solver->heuristic.kind != NULL &&
                  option_named(solver->heuristic.kind->options, name) != NULL);
    const struct yaml_node *place = known ? chosen(dimension) : dimension->key;
    return solver_set(solver, name, chosen_text(dimension), place->place, report);
}

/* Whether a text names an external solver as if it were built in; reports that. */
static bool names_external(const char *text, const struct yaml_node *node, struct report *report)
{
    const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    if (length != strlen("external") || strncmp(text, "external", length) != 0)
        return false;
    report_add(report, node->place,
               "'external' is not an algorithm; expected the program that solves: "
               "{command: [python3, mine.py]}");
    return true;
}

/* Builds the combination that the dimensions point to and, if it is valid, adds it with these
 * limits; without limits it is only checked. */
static void read_combination(struct reading *reading, const struct yaml_node *node,
                             const struct dimension *dimensions, size_t count,
                             const struct limits *limits)
{
    const struct dimension *algorithm = NULL; /* NULL if there is no such key */
    const struct dimension *heuristic = NULL;
    const struct yaml_node *place = node;
    struct solver solver;
    for (size_t i = 0; i < count; i++) {
        if (is_key(&dimensions[i], "algorithm"))
            algorithm = &dimensions[i];
        if (is_key(&dimensions[i], "heuristic"))
            heuristic = &dimensions[i];
        if (dimensions[i].count > 1)
            place = chosen(&dimensions[i]);
    }
    if (algorithm == NULL ||
        names_external(chosen_text(algorithm), chosen(algorithm), reading->report) ||
        !solver_start(&solver, chosen_text(algorithm), chosen(algorithm)->place, reading->report))
        return;
    bool complete = heuristic == NULL
                        ? solver_complete(&solver, chosen(algorithm)->place, reading->report)
                        : solver_set_heuristic(&solver, chosen_text(heuristic),
                                               chosen(heuristic)->place, reading->report);
    bool fine = complete;
    for (size_t i = 0; i < count; i++) {
        const struct dimension *dimension = &dimensions[i];
        if (dimension == algorithm || dimension == heuristic)
            continue;
        /* Without its heuristic, only the algorithm's options can be checked. */
        if (complete || is_key(dimension, "order") ||
            option_named(solver.algorithm->options, dimension->key->text) != NULL)
            fine = set_option(&solver, dimension, reading->report) && fine;
    }
    if (fine && limits != NULL)
        add_solver(reading, &solver, NULL, limits, place->place,
                   heuristic == NULL ? NULL : chosen(heuristic));
}

ORDER_BY(by_text, struct origin, strcmp(x->text, y->text), BY(is_label), BY(index));

/* Makes a dimension of a key's value: one word, or a list of words; heuristics may be mappings. */
static bool read_dimension(struct reading *reading, const struct yaml_node *key,
                           struct yaml_node *const *value, struct dimension *dimension)
{
    struct report *report = reading->report;
    const char *expected = "a word or number, or a list of them";
    const bool list = (*value)->kind == YAML_LIST;
    const bool heuristic = strcmp(key->text, "heuristic") == 0;
    *dimension = (struct dimension){key, list ? (*value)->items : value, NULL,
                                    list ? (*value)->count : 1, 0};
    if (dimension->count == 0)
        return report_add(report, (*value)->place,
                          "an empty list as the value of '%s'; expected %s", key->text, expected);
    bool fine = true;
    dimension->texts = heap_take(dimension->count, sizeof *dimension->texts);
    for (size_t i = 0; i < dimension->count; i++) {
        if (heuristic)
            dimension->texts[i] =
                experiment_heuristic(dimension->values[i], reading->experiment, report);
        else if (schema_word(dimension->values[i], key->text, expected, report) != NULL)
            dimension->texts[i] = heap_text(dimension->values[i]->text);
        fine = fine && dimension->texts[i] != NULL;
    }
    return fine;
}

static void end_dimension(struct dimension *dimension)
{
    heap_free_texts(dimension->texts, dimension->texts == NULL ? 0 : dimension->count);
}

/* Counts combinations to try; false, with one problem, if there are too many. */
static bool may_try(struct reading *reading, uint64_t combinations, const struct yaml_node *node)
{
    if (reading->tried > MAX_SOLVERS)
        return false;
    reading->tried += combinations;
    if (reading->tried > MAX_SOLVERS)
        report_add(reading->report, node->place, "more than %d solvers; expected fewer",
                   MAX_SOLVERS);
    return reading->tried <= MAX_SOLVERS;
}

static void read_combinations(struct reading *reading, const struct yaml_node *node,
                              struct dimension *dimensions, size_t count,
                              const struct limits *limits)
{
    for (bool more = true; more;) {
        read_combination(reading, node, dimensions, count, limits);
        more = false;
        for (size_t i = count; i-- > 0 && !more;) {
            more = ++dimensions[i].at < dimensions[i].count;
            if (!more)
                dimensions[i].at = 0;
        }
    }
}

static void note_label(struct reading *reading, const struct yaml_node *label, size_t solver)
{
    *HEAP_ADD(reading->labels, reading->label_count) =
        (struct origin){reading->experiment->solvers[solver].label, true, label->place, solver};
}

/* Labels the solver that a mapping added: none if it was wrong, and it must not be several. */
static void add_label(struct reading *reading, const struct yaml_node *label, uint64_t combinations,
                      size_t before)
{
    struct experiment *experiment = reading->experiment;
    if (combinations > 1)
        report_add(reading->report, label->place,
                   "a label for %" PRIu64 " solvers; expected one solver, without lists",
                   combinations);
    if (combinations > 1 || experiment->solver_count == before)
        return;
    experiment->solvers[before].label = heap_text(label->text);
    note_label(reading, label, before);
}

/* A mapping without an algorithm, with a key that is almost an external solver's: reports that key
 * alone. */
static bool is_mistyped_external(const struct yaml_node *node, struct report *report)
{
    const char *const keys[] = {"command", "submissions"};
    for (size_t i = 0; i < node->count && yaml_key(node, "algorithm") == NULL; i += 2) {
        const struct yaml_node *key = node->items[i];
        if (nearest_word(key->text, keys, 2) == NULL)
            continue;
        report_unknown(report, key->place, "key", key->text, keys, 2);
        return true;
    }
    return false;
}

static void read_long_form(struct reading *reading, const struct yaml_node *node)
{
    enum { MAX_KEYS = 4 + 2 * MAX_OPTIONS };
    struct solver_settings form = {NULL, reading->experiment->limits};
    const size_t before = reading->experiment->solver_count;
    struct dimension dimensions[MAX_KEYS];
    size_t count = 0;
    uint64_t combinations = 1;
    bool known = true;  /* algorithm and heuristic can be read, if they are there */
    bool usable = true; /* and everything else */
    if (is_mistyped_external(node, reading->report))
        return;
    schema_read(&solver_schema, node, &form, reading->report);
    if (node->count / 2 > MAX_KEYS) {
        report_add(reading->report, node->place, "a solver with %zu keys; expected at most %d",
                   node->count / 2, MAX_KEYS);
        return;
    }
    for (size_t i = 0; i < node->count; i += 2) {
        const char *key = node->items[i]->text;
        if (strcmp(key, "limits") == 0 || strcmp(key, "label") == 0)
            continue;
        const bool fine =
            read_dimension(reading, node->items[i], &node->items[i + 1], &dimensions[count]);
        if (fine) {
            combinations *= dimensions[count++].count;
            if (combinations > MAX_SOLVERS) /* and no overflow: there are at most 10^6 values */
                combinations = MAX_SOLVERS + 1;
        } else {
            end_dimension(&dimensions[count]);
            usable = false;
            known = known && strcmp(key, "algorithm") != 0 && strcmp(key, "heuristic") != 0;
        }
    }
    if (known && may_try(reading, combinations, node))
        read_combinations(reading, node, dimensions, count, usable ? &form.limits : NULL);
    if (form.label != NULL)
        add_label(reading, form.label, combinations, before);
    while (count > 0)
        end_dimension(&dimensions[--count]);
}

/* Labels a program: with its parameters where it has some. */
static void label_external(struct reading *reading, const struct yaml_node *label,
                           const char *parameters)
{
    struct experiment_solver *solver =
        &reading->experiment->solvers[reading->experiment->solver_count - 1];
    solver->label = parameters == NULL ? heap_text(label->text)
                                       : heap_format("%s (%s)", label->text, parameters);
    note_label(reading, label, reading->experiment->solver_count - 1);
}

static void read_externals(struct reading *reading, const struct yaml_node *node)
{
    struct solver_settings settings = {NULL, reading->experiment->limits};
    struct external_list list;
    if (!may_try(reading, 1, node) ||
        !experiment_externals(node, reading->experiment, &settings, reading->report, &list))
        return;
    const bool few = may_try(reading, list.count - 1, node);
    for (size_t i = 0; few && i < list.count; i++) {
        struct external *external = list.items[i].external;
        const struct solver solver = {.algorithm = external_algorithm(external->optimal)};
        add_solver(reading, &solver, external, &settings.limits, node->place, NULL);
        if (settings.label != NULL)
            label_external(reading, settings.label, list.items[i].parameters);
    }
    external_list_end(&list, !few);
}

bool experiment_parse_solver(const struct yaml_node *node, const char *name, struct report *report,
                             struct solver *solver)
{
    const char *text = schema_word(node, name, "a solver such as astar(manhattan)", report);
    if (text == NULL || names_external(text, node, report))
        return false;
    if (strchr(text, '(') != NULL && strchr(text, ')') == NULL)
        return report_add(
            report, node->place,
            "'%s' has no ')'; expected one, or quotes around a solver with a comma within { "
            "} or [ ]",
            text);
    return solver_parse(
        text, place_after(node->place, (node->source[0] == '"' || node->source[0] == '\'')), report,
        solver);
}

static void read_short_form(struct reading *reading, const struct yaml_node *node)
{
    struct solver solver;
    if (may_try(reading, 1, node) &&
        experiment_parse_solver(node, "solvers", reading->report, &solver))
        add_solver(reading, &solver, NULL, &reading->experiment->limits, node->place, NULL);
}

/* Reports repeated texts. */
static void check_repeated(struct origin *origins, size_t count, struct report *report)
{
    if (count == 0)
        return;
    qsort(origins, count, sizeof *origins, by_text);
    for (size_t i = 1, first = 0; i < count; i++) {
        if (strcmp(origins[i].text, origins[first].text) != 0)
            first = i;
        else
            report_add(report, origins[i].place,
                       "the %s %s a second time; the first is at line %zu, column %zu",
                       origins[i].is_label ? "label" : "solver", origins[i].text,
                       origins[first].place.line, origins[first].place.column);
    }
}

/* Whether another solver has a name that a submission would have. */
static bool is_taken(const struct experiment *experiment, size_t own, const char *label)
{
    for (size_t i = 0; i < experiment->solver_count; i++)
        if (i != own && solver_is_named(&experiment->solvers[i], label))
            return true;
    return false;
}

/* A submission is called as its folder, whatever the other solvers are called. */
static void label_submissions(struct reading *reading)
{
    struct experiment *experiment = reading->experiment;
    for (size_t i = 0; i < experiment->solver_count; i++) {
        struct experiment_solver *solver = &experiment->solvers[i];
        if (solver->external == NULL || solver->external->submission == NULL)
            continue;
        const struct yaml_node place = {.place = solver->place};
        char *label = heap_text(solver->external->submission);
        for (unsigned number = 2; is_taken(experiment, i, label); number++) {
            free(label);
            label = submission_label(solver->external->submission, number);
        }
        solver->label = label;
        note_label(reading, &place, i);
    }
}

/* The solver's text identifies its runs, so it must be unique, whatever the limits. A label must
 * differ from every other label and from every solver's text. */
static void check_names(struct reading *reading)
{
    const size_t count = reading->experiment->solver_count;
    check_repeated(reading->origins, count, reading->report);
    size_t names = 0;
    /* Each text once: repeated solvers are reported above. */
    for (size_t i = 0; i < count && reading->label_count > 0; i++)
        if (names == 0 || strcmp(reading->origins[names - 1].text, reading->origins[i].text) != 0)
            reading->origins[names++] = reading->origins[i];
    for (size_t i = 0; i < reading->label_count; i++) {
        *HEAP_ADD(reading->origins, names) = reading->labels[i];
    }
    check_repeated(reading->origins, names, reading->report);
}

void experiment_read_solvers(struct experiment *experiment, const struct yaml_node *solvers,
                             struct report *report)
{
    struct reading reading = {.experiment = experiment, .report = report};
    for (size_t i = 0; i < solvers->count; i++) {
        const struct yaml_node *node = solvers->items[i];
        if (node->kind == YAML_MAPPING &&
            (yaml_key(node, "command") != NULL || yaml_key(node, "submissions") != NULL))
            read_externals(&reading, node);
        else if (node->kind == YAML_MAPPING)
            read_long_form(&reading, node);
        else
            read_short_form(&reading, node);
    }
    label_submissions(&reading);
    check_names(&reading);
    free(reading.origins);
    free(reading.labels);
}
