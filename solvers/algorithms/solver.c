#include "algorithms/solver.h"
#include "base/heap.h"
#include "heuristics/plugin.h"
#include "search/costs.h"
#include "search/view.h"
#include <ctype.h>

static void set_defaults(const struct option_row *table, int64_t *values)
{
    for (unsigned i = 0; table[i].kind != OPTION_END; i++)
        values[i] = table[i].fallback;
}

bool solver_start(struct solver *solver, const char *name, struct text_place place,
                  struct report *report)
{
    *solver = (struct solver){.algorithm = algorithm_find(name)};
    if (solver->algorithm != NULL) {
        set_defaults(solver->algorithm->options, solver->options);
        return true;
    }
    unsigned count = 0;
    while (algorithm_at(count) != NULL)
        count++;
    SCOPED const char **words = heap_take(count, sizeof *words);
    for (unsigned i = 0; i < count; i++)
        words[i] = algorithm_at(i)->name;
    return report_unknown(report, place, "algorithm", name, words, count);
}

bool solver_set_heuristic(struct solver *solver, const char *text, struct text_place place,
                          struct report *report)
{
    struct heuristic_choice choice;
    const struct heuristic_kind *kind = heuristic_named(text);
    if (kind != NULL && !solver->algorithm->informed)
        return report_add(report, place, "%s takes no heuristic; expected %s without '%s'",
                          solver->algorithm->name, solver->algorithm->name, text);
    if (kind != NULL && solver->heuristic.kind != NULL)
        return report_add(report, place, "a second heuristic '%s'; %s has '%s' already", text,
                          solver->algorithm->name, solver->heuristic.kind->name);
    if (!heuristic_parse(text, place, report, &choice))
        return false;
    solver->heuristic = choice;
    return true;
}

/* The option of that name, of the algorithm or the heuristic, and where its value is kept; NULL if
 * there is none. */
static const struct option_row *solver_option(struct solver *solver, const char *name,
                                              int64_t **value)
{
    const struct option_row *table = solver->algorithm->options;
    const struct option_row *option = option_named(table, name);
    *value = solver->options;
    if (option == NULL && solver->heuristic.kind != NULL) {
        table = solver->heuristic.kind->options;
        option = option_named(table, name);
        *value = solver->heuristic.options;
    }
    *value += option == NULL ? 0 : option - table;
    return option;
}

/* Whether an option is the one that every algorithm has. */
static bool is_order(const char *name)
{
    return strcmp(name, "order") == 0;
}

static bool parse_number(const char *text, int64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)text[0]) || strlen(text) > 18)
        return false;
    *number = strtoll(text, &end, 10);
    return *end == '\0';
}

static bool parse_value(const struct option_row *option, const char *text, struct text_place place,
                        struct report *report, int64_t *value)
{
    size_t choices = 0;
    switch (option->kind) {
    case OPTION_FLAG:
        if (text == NULL || strcmp(text, "true") == 0)
            *value = 1;
        else if (strcmp(text, "false") == 0)
            *value = 0;
        else
            break;
        return true;
    case OPTION_NUMBER:
        if (text == NULL)
            break;
        if (option->fallback == OPTION_UNSET && strcmp(text, "none") == 0) {
            *value = OPTION_UNSET;
            return true;
        }
        if (parse_number(text, value) && *value >= option->min && *value <= option->max)
            return true;
        break;
    case OPTION_DECIMAL:
        if (text != NULL && decimal_parse(text, value) && *value >= option->min &&
            *value <= option->max)
            return true;
        break;
    default:
        for (; option->choices[choices] != NULL; choices++)
            if (text != NULL && strcmp(option->choices[choices], text) == 0) {
                *value = (int64_t)choices;
                return true;
            }
    }
    SCOPED char *expected = option->kind == OPTION_FLAG     ? heap_text("true or false")
                            : option->kind == OPTION_CHOICE ? words_listed(option->choices, choices)
                                                            : option_range(option);
    if (text == NULL)
        return report_add(report, place, "option '%s' has no value; expected %s", option->name,
                          expected);
    SCOPED char *meant = word_meant(text, option->choices, choices); /* none but of a choice */
    return report_add(report, place, "invalid value '%s' for option '%s'; expected %s%s", text,
                      option->name, expected, meant);
}

static bool set_order(struct solver *solver, const char *text, struct text_place place,
                      struct report *report)
{
    static const char expected[] =
        "the letters U, L, R and D in some order, such as " DEFAULT_ORDER;
    if (text == NULL)
        report_add(report, place, "option 'order' has no value; expected %s", expected);
    else if (!order_parse(text, solver->order))
        report_add(report, place, "invalid value '%s' for option 'order'; expected %s", text,
                   expected);
    else
        return true;
    return false;
}

bool solver_set(struct solver *solver, const char *name, const char *text, struct text_place place,
                struct report *report)
{
    static const struct option_row none[] = NO_OPTIONS;
    const struct option_row *tables[2] = {
        solver->algorithm->options,
        solver->heuristic.kind == NULL ? none : solver->heuristic.kind->options};
    int64_t *value;
    if (is_order(name) && solver->algorithm->name[0] != '\0')
        return set_order(solver, text, place, report);
    const struct option_row *option = solver_option(solver, name, &value);
    if (option != NULL)
        return parse_value(option, text, place, report, value);
    const bool alone = solver->algorithm->name[0] == '\0';
    const size_t count = option_count(tables[0]) + option_count(tables[1]) + !alone;
    const char *heuristic = solver->heuristic.kind == NULL ? "" : solver->heuristic.kind->name;
    const char *open = solver->heuristic.kind == NULL || alone ? "" : "(";
    const char *close = solver->heuristic.kind == NULL || alone ? "" : ")";
    SCOPED const char **words = heap_take(count, sizeof *words);
    size_t filled = 0;
    for (unsigned t = 0; t < 2; t++)
        for (unsigned i = 0; tables[t][i].kind != OPTION_END; i++)
            words[filled++] = tables[t][i].name;
    if (!alone)
        words[filled] = "order";
    SCOPED char *expected = words_listed(words, count);
    SCOPED char *meant = word_meant(name, words, count);
    return report_add(report, place, "%s%s%s%s has no option '%s'; expected %s%s",
                      solver->algorithm->name, open, heuristic, close, name, expected, meant);
}

unsigned solver_threads(const struct solver *solver)
{
    const struct option_row *options = solver->algorithm->options;
    for (unsigned i = 0; options[i].kind != OPTION_END; i++)
        if (options[i].spreads)
            return (unsigned)solver->options[i];
    return 1;
}

/* Notes the plugin that a heuristic comes from, if it comes from one. */
static void note_plugin(void *context, const struct heuristic_choice *part)
{
    const struct plugin **plugin = context;
    if (*plugin == NULL)
        *plugin = plugin_of(part->kind);
}

/* A plugin's functions may be called from one thread only (tilelab/heuristic.h). */
static bool has_its_thread(const struct solver *solver, struct text_place place,
                           struct report *report)
{
    const struct plugin *plugin = NULL;
    if (solver_threads(solver) == 1 || solver->heuristic.kind == NULL)
        return true;
    note_plugin(&plugin, &solver->heuristic);
    heuristic_parts(&solver->heuristic, note_plugin, &plugin);
    if (plugin == NULL)
        return true;
    return report_add(report, place,
                      "threads=%u with '%s', a plugin, whose functions are called from one thread; "
                      "expected threads=1",
                      solver_threads(solver), plugin->kind.name);
}

bool solver_complete(const struct solver *solver, struct text_place place, struct report *report)
{
    if (!solver->algorithm->informed || solver->heuristic.kind != NULL)
        return has_its_thread(solver, place, report);
    return report_add(report, place, "%s needs a heuristic; expected one such as %s(manhattan)",
                      solver->algorithm->name, solver->algorithm->name);
}

bool solver_estimates_back(const struct solver *solver)
{
    return solver->heuristic.kind != NULL && (solver->algorithm->properties & BOTH_ENDS) != 0;
}

char *solver_refuses(const struct solver *solver, const struct board *start,
                     const struct board *goal)
{
    if (solver->heuristic.kind == NULL)
        return NULL;
    char *reason = heuristic_refuses(&solver->heuristic, goal);
    if (reason != NULL || !solver_estimates_back(solver))
        return reason;
    reason = heuristic_refuses(&solver->heuristic, start);
    if (reason == NULL)
        return NULL;
    if (!board_connected(start, goal)) { /* no search */
        free(reason);
        return NULL;
    }
    char cells[BOARD_LINE];
    board_line(start, cells);
    char *text = heap_format("%s searches from both ends, so the heuristic must also be defined "
                             "with the start %s as its goal: %s",
                             solver->algorithm->name, cells, reason);
    free(reason);
    return text;
}

/* An option whose value is defined for moves that cost 1 each only, or NULL. */
static const struct option_row *unpriced_option(const struct solver *solver)
{
    const struct option_row *options = solver->algorithm->options;
    for (unsigned i = 0; options[i].kind != OPTION_END; i++) {
        const int64_t value = solver->options[i];
        if (options[i].kind == OPTION_CHOICE ? (options[i].unpriced >> value & 1) != 0
                                             : options[i].unpriced && value != options[i].fallback)
            return &options[i];
    }
    return NULL;
}

char *solver_refuses_costs(const struct solver *solver, const struct move_costs *costs)
{
    const struct algorithm *algorithm = solver->algorithm;
    if (costs == NULL)
        return NULL;
    const struct option_row *option = unpriced_option(solver);
    if (option != NULL)
        return heap_format("%s with option '%s' counts moves: it is not defined with cost: %s; "
                           "expected the option's default",
                           algorithm->name, option->name, cost_names[costs->model]);
    if (!algorithm->informed)
        return NULL;
    if ((algorithm->properties & COUNTS_COSTS) == 0)
        return heap_format(
            "%s counts moves: it is not defined with cost: %s; expected an algorithm "
            "that counts costs, such as astar",
            algorithm->name, cost_names[costs->model]);
    if (heuristic_has_price(&solver->heuristic))
        return NULL;
    SCOPED char *heuristic = heuristic_text(&solver->heuristic);
    return heap_format("%s counts moves: it is not defined with cost: %s; expected a "
                       "heuristic that counts costs, such as manhattan",
                       heuristic, cost_names[costs->model]);
}

bool solver_defined(const struct solver *solver, const struct board *start,
                    const struct board *goal, struct report *report)
{
    SCOPED char *reason = solver_refuses(solver, start, goal);
    return reason == NULL || report_add(report, NO_PLACE, "%s", reason);
}

/* One word of the short form: everything up to a parenthesis, comma or equals sign, without the
 * spaces around it. */
struct word {
    char *text; /* heap memory */
    size_t offset;
};

static struct word read_word(const char *text, size_t *at)
{
    while (text[*at] == ' ' || text[*at] == '\t')
        ++*at;
    struct word word = {.offset = *at};
    size_t length = strcspn(text + *at, "(),=");
    *at += length;
    while (length > 0 &&
           (text[word.offset + length - 1] == ' ' || text[word.offset + length - 1] == '\t'))
        length--;
    word.text = heap_format("%.*s", (int)length, text + word.offset);
    return word;
}

/* Reads what is between the parentheses; `at` is after the opening one. */
static bool parse_arguments(struct solver *solver, const char *text, size_t at,
                            struct text_place place, struct report *report)
{
    bool fine = true;
    char seen[2 * MAX_OPTIONS][32] = {""};
    unsigned seen_count = 0;
    for (bool first = true;; first = false) {
        struct word name = read_word(text, &at);
        struct word value = {NULL, at};
        if (text[at] == '=') {
            at++;
            value = read_word(text, &at);
        }
        for (unsigned i = 0; i < seen_count; i++)
            if (strcmp(seen[i], name.text) == 0)
                fine = report_add(report, place_after(place, name.offset),
                                  "option '%s' a second time", name.text);
        if (name.text[0] == '\0') {
            fine = report_add(report, place_after(place, name.offset), "nothing here; expected %s",
                              first ? "a heuristic, an option or no parentheses"
                                    : "an option after the comma");
        } else if (fine && value.text == NULL && (first || heuristic_named(name.text) != NULL) &&
                   (solver->algorithm->informed || heuristic_named(name.text) != NULL)) {
            fine = solver_set_heuristic(solver, name.text, place_after(place, name.offset), report);
        } else if (fine) {
            /* A wrong value is reported at its own place, an unknown option at its name. */
            int64_t *option;
            bool known = is_order(name.text) || solver_option(solver, name.text, &option) != NULL;
            size_t offset = known && value.text != NULL ? value.offset : name.offset;
            fine = solver_set(solver, name.text, value.text, place_after(place, offset), report);
            if (seen_count < 2 * MAX_OPTIONS)
                snprintf(seen[seen_count++], sizeof seen[0], "%s", name.text);
        }
        free(name.text);
        free(value.text);
        if (!fine)
            return false;
        if (text[at] == ',') {
            at++;
            continue;
        }
        size_t rest = at + 1;
        while (text[at] == ')' && (text[rest] == ' ' || text[rest] == '\t'))
            rest++;
        if (text[at] == ')' && text[rest] == '\0')
            return true;
        if (text[at] == '\0')
            report_add(report, place_after(place, at), "the solver ends here; expected ')'");
        else
            report_add(report, place_after(place, (text[at] == ')' ? rest : at)),
                       "unexpected '%s'; expected %s", text + (text[at] == ')' ? rest : at),
                       text[at] == ')' ? "nothing after the parenthesis" : "',' or ')'");
        return false;
    }
}

bool solver_parse(const char *text, struct text_place place, struct report *report,
                  struct solver *solver)
{
    size_t at = 0;
    struct word name = read_word(text, &at);
    bool fine = name.text[0] != '\0';
    if (!fine)
        report_add(report, place_after(place, name.offset),
                   "no solver here; expected one such as astar(manhattan)");
    else
        fine = solver_start(solver, name.text, place_after(place, name.offset), report);
    if (fine && text[at] == '(') {
        fine = parse_arguments(solver, text, at + 1, place, report);
    } else if (fine && text[at] != '\0') {
        fine = report_add(report, place_after(place, at),
                          "unexpected '%s'; expected '(' or the end", text + at);
    }
    free(name.text);
    return fine && solver_complete(solver, place, report);
}

bool solver_read_heuristic(const char *text, struct text_place place, struct report *report,
                           struct heuristic_choice *choice)
{
    static const struct option_row none[] = NO_OPTIONS;
    const struct algorithm nobody = {.name = "", .options = none};
    struct solver solver = {.algorithm = &nobody};
    size_t at = 0;
    struct word name = read_word(text, &at);
    const bool more = text[at] == '(';
    bool fine = heuristic_parse(more ? name.text : text, place, report, &solver.heuristic);
    free(name.text);
    fine = fine && (!more || parse_arguments(&solver, text, at + 1, place, report));
    *choice = solver.heuristic;
    return fine;
}

/* Appends the options that differ from their defaults to `text`, which is freed. */
static char *append_options(char *text, const struct option_row *table, const int64_t *values)
{
    for (unsigned i = 0; table[i].kind != OPTION_END; i++) {
        if (values[i] == table[i].fallback)
            continue;
        const bool bare = table[i].kind == OPTION_FLAG && values[i];
        SCOPED char *value = option_text(&table[i], values[i]);
        heap_append(&text, "%s%s%s%s", text[0] == '\0' ? "" : ", ", table[i].name, bare ? "" : "=",
                    bare ? "" : value);
    }
    return text;
}

char *solver_heuristic_text(const struct heuristic_choice *choice)
{
    char *text = heuristic_text(choice);
    SCOPED char *options = append_options(heap_text(""), choice->kind->options, choice->options);
    if (options[0] != '\0')
        heap_append(&text, "(%s)", options);
    return text;
}

char *solver_options_text(const struct solver *solver)
{
    char *text = heap_text("");
    if (solver->heuristic.kind != NULL)
        text = append_options(text, solver->heuristic.kind->options, solver->heuristic.options);
    text = append_options(text, solver->algorithm->options, solver->options);
    if (solver->order[0] != '\0')
        heap_append(&text, "%sorder=%s", text[0] == '\0' ? "" : ", ", solver->order);
    return text;
}

char *solver_text(const struct solver *solver)
{
    SCOPED char *options = solver_options_text(solver);
    SCOPED char *heuristic =
        solver->heuristic.kind == NULL ? heap_text("") : heuristic_text(&solver->heuristic);
    bool some = heuristic[0] != '\0' || options[0] != '\0';
    return heap_format("%s%s%s%s%s%s", solver->algorithm->name, some ? "(" : "", heuristic,
                       heuristic[0] != '\0' && options[0] != '\0' ? ", " : "", options,
                       some ? ")" : "");
}

const char *solver_order(const struct solver *solver, const char *order)
{
    return solver->order[0] == '\0' ? order : solver->order;
}

/* The factor by which a solution may be longer than a shortest one, in thousandths; 0 if no option
 * says. */
static int64_t factor(const struct solver *solver)
{
    const struct option_row *options = solver->algorithm->options;
    for (unsigned i = 0; options[i].kind != OPTION_END; i++)
        if (options[i].bounds)
            return solver->options[i];
    return 0;
}

unsigned solver_properties(const struct solver *solver)
{
    const struct option_row *options = solver->algorithm->options;
    unsigned properties = properties_kept(solver->algorithm->properties, options, solver->options) &
                          (OPTIMAL | COMPLETE | BOUNDED);
    unsigned heuristic = 0;
    unsigned needs = 0;
    if (solver->heuristic.kind != NULL) {
        heuristic = heuristic_properties(&solver->heuristic) & (ADMISSIBLE | CONSISTENT);
        needs = (solver->algorithm->properties & NEEDS_CONSISTENT) != 0 ? ADMISSIBLE | CONSISTENT
                                                                        : ADMISSIBLE;
        for (unsigned i = 0; options[i].kind != OPTION_END; i++)
            if (solver->options[i] != options[i].fallback)
                needs |= options[i].needs;
    }
    if ((heuristic & needs) != needs)
        properties &= ~(unsigned)(OPTIMAL | BOUNDED);
    if ((properties & BOUNDED) != 0 && factor(solver) == DECIMAL_ONE)
        properties |= OPTIMAL;
    return properties | heuristic;
}

int64_t solver_bound(const struct solver *solver)
{
    const unsigned properties = solver_properties(solver);
    if ((properties & OPTIMAL) != 0)
        return DECIMAL_ONE;
    return (properties & BOUNDED) != 0 ? factor(solver) : 0;
}

int64_t solver_cost_bound(const struct solver *solver)
{
    return (solver->algorithm->properties & COUNTS_COSTS) != 0 ? solver_bound(solver) : 0;
}

/* Makes of what was counted before each round what the round counted. */
static void close_rounds(struct search *search, struct result *result)
{
    const struct statistics *statistics = &search->statistics;
    uint64_t expanded = statistics->expanded;
    uint64_t generated = statistics->generated;
    for (size_t i = search->round_count; i-- > 0;) {
        struct search_round *round = &search->rounds[i];
        const struct search_round before = *round;
        round->expanded = expanded - before.expanded;
        round->generated = generated - before.generated;
        expanded = before.expanded;
        generated = before.generated;
    }
    result->rounds = search->rounds;
    result->round_count = search->round_count;
}

void solver_run(const struct solver *solver, const struct task *task, const struct limits *limits,
                const struct observer *observer, struct result *result)
{
    solver_run_priced(solver, task, NULL, limits, observer, result);
}

void solver_run_priced(const struct solver *solver, const struct task *task,
                       const struct move_costs *costs, const struct limits *limits,
                       const struct observer *observer, struct result *result)
{
    struct search search = {.task = task,
                            .costs = costs,
                            .algorithm = solver->algorithm,
                            .options = solver->options,
                            .limits = *limits,
                            .statistics = {.iterations = 1}};
    struct viewing viewing;
    struct heuristic heuristic, backward, in_moves;
    *result = (struct result){.h_start = -1};
    if (observer != NULL && (observer->expands != NULL || observer->sees != NULL))
        search.observer = observer;
    if (observer != NULL && observer->sees != NULL) {
        viewing_start(&viewing, observer, solver->heuristic.kind != NULL);
        search.viewing = &viewing;
    }
    if (observer != NULL && observer->watch != NULL)
        search.watcher = observer;
    if (search.limits.nodes == 0)
        search.limits.nodes = UINT64_MAX;
    operators_make(task->start.shape, solver_order(solver, task->order), &search.operators);
    if (solver->heuristic.kind != NULL) {
        heuristic_start_priced(&heuristic, &solver->heuristic, &task->goal, costs);
        search.heuristic = &heuristic;
        if (costs == NULL)
            result->h_start = (int)search_start_h(&search);
    }
    if (!board_connected(&task->start, &task->goal)) {
        result->status = STATUS_unsolvable;
    } else {
        if (solver_estimates_back(solver)) {
            heuristic_start_priced(&backward, &solver->heuristic, &task->start, costs);
            search.backward = &backward;
        }
        if (costs != NULL && (solver->algorithm->properties & ESTIMATE_MOVES) != 0) {
            heuristic_start(&in_moves, &solver->heuristic, &task->goal);
            search.in_moves = &in_moves;
        }
        arena_start(&search.arena, limits->bytes);
        const double cpu = clock_thread();
        search.begun = clock_wall();
        if (limits->begun != NULL)
            *limits->begun = search.begun;
        search.deadline = limits->seconds > 0 ? search.begun + limits->seconds : 0;
        search.cpu_clock =
            solver_threads(solver) > 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID;
        search.cpu_begun = clock_seconds(search.cpu_clock);
        if (limits->cpu_seconds > 0)
            search.cpu_deadline = search.cpu_begun + limits->cpu_seconds;
        solver->algorithm->run(&search);
        result->wall_seconds = clock_wall() - search.begun;
        result->earlier_seconds = search.earlier;
        result->cpu_seconds = clock_thread() - cpu + search.crew_seconds + search.earlier_cpu;
        arena_end(&search.arena);
        if (viewed(&search))
            viewing_end(&viewing);
        search.statistics.peak_bytes = search.arena.peak;
        result->statistics = search.statistics;
        memcpy(result->sides, search.sides, sizeof result->sides);
        close_rounds(&search, result);
        result->incumbents = search.incumbents;
        result->incumbent_count = search.incumbent_count;
        result->solutions = search.solutions;
        /* No path costs less than an admissible h; with another, nothing is proved. */
        const bool proves = (solver_properties(solver) & ADMISSIBLE) != 0;
        const uint64_t least = costs != NULL && result->incumbent_count > 0
                                   ? priced_start_h(&search)
                               : result->h_start > 0 ? (uint64_t)result->h_start
                                                     : 0;
        for (size_t i = 0; i < result->incumbent_count; i++) {
            raise_to(&result->incumbents[i].bound, least);
            result->incumbents[i].bound *= proves;
        }
        result->status = search.status;
        /* Algorithms know one answer to a block that they do not get. */
        if (search.status == STATUS_memory_limit && search.arena.starved)
            result->status = STATUS_out_of_memory;
        /* It may have come to its goal between two looks at the clock. */
        if (search.status == STATUS_solved && limits->cpu_seconds > 0 &&
            result->cpu_seconds >= limits->cpu_seconds)
            result->status = STATUS_cpu_limit;
    }
    /* At a limit, the best so far. */
    if (search.moves != NULL &&
        (result->status == STATUS_solved || status_is_limit(result->status))) {
        result->moves = search.moves;
        result->length = search.length;
    } else {
        free(search.moves);
    }
    if (solver->heuristic.kind != NULL)
        heuristic_end(&heuristic);
    if (search.backward != NULL)
        heuristic_end(&backward);
    if (search.in_moves != NULL)
        heuristic_end(&in_moves);
}

void result_end(struct result *result)
{
    free(result->moves);
    free(result->rounds);
    free(result->incumbents);
    result->incumbents = NULL;
    result->moves = NULL;
    result->rounds = NULL;
}
