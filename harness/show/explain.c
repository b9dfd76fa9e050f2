#include "harness/show/explain.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/experiment/units.h"
#include "harness/text/progress.h"
#include "harness/text/sorting.h"
#include "harness/text/tidy.h"
#include "puzzle/goal.h"
#include <inttypes.h>

enum {
    MAX_DIFFERENCES = 3,
    ELSEWHERE_DIFFERENCES = 1, /* of searches, if the mistake is another */
    ELSEWHERE_PART = 10,       /* each may generate this part of all nodes */
    SEARCHES = 20,             /* one may generate this part of all nodes */
    MAX_WAYS = 10000
};
enum { MAX_DIMENSIONS = 2 * MAX_OPTIONS + 5 + MAX_ASKED, ORDERS = 24 };
#define SEARCH_MEMORY (UINT64_C(1) << 30)

/* How a program may differ: of each dimension the number of its convention, 0 being tilelab's. */
struct way {
    unsigned char value[MAX_DIMENSIONS];
    unsigned differences;
    uint32_t orders; /* a bit for each operator order that fits with the others */
    uint64_t counted[MAX_ASKED];
};

/* A convention by which a program may differ from the solver. */
struct dimension {
    enum {
        DIMENSION_ORDER,
        DIMENSION_OPTION,
        DIMENSION_HEURISTIC,
        DIMENSION_REPEATS,
        DIMENSION_BACK,
        DIMENSION_EARLY,
        DIMENSION_ORDERED,
        DIMENSION_COUNTING
    } kind;
    unsigned index; /* of the option, or of what is asked */
    unsigned count; /* of values, the solver's own among them */
};

struct explanation {
    struct explain_question question; /* its task's order is that of the solver */
    struct dimension dimensions[MAX_DIMENSIONS];
    unsigned search_dimensions, dimension_count;
    unsigned order; /* the dimension of operator orders */
    struct tally own;
    struct way *ways; /* those that fit, the fewest differences first; none holds another one */
    size_t count;
    struct way nearest;
    uint64_t min[MAX_ASKED], max[MAX_ASKED];
    uint64_t searches, unfinished, nodes;
    bool complete; /* all ways of up to `differences` conventions of the search were tried */
    unsigned differences;
    char own_order[MOVES + 1];
    json_t *elsewhere; /* if none fits: what else may be wrong, texts */
};

/* ---- Ways of counting ---- */

#define COUNTING(counter, id, fits, value, word, meaning)                                          \
    static bool counter##_##id##_fits(const struct tally *t)                                       \
    {                                                                                              \
        (void)t;                                                                                   \
        return fits;                                                                               \
    }                                                                                              \
    static uint64_t counter##_##id(const struct tally *t)                                          \
    {                                                                                              \
        return value;                                                                              \
    }
#include "harness/show/conventions.def"

static const struct counting {
    const char *counter, *word, *meaning;
    bool (*fits)(const struct tally *t);
    uint64_t (*value)(const struct tally *t);
} countings[] = {
#define COUNTING(counter, id, fits, value, word, meaning)                                          \
    {#counter, word, meaning, counter##_##id##_fits, counter##_##id},
#include "harness/show/conventions.def"
};
enum { COUNTINGS = sizeof countings / sizeof *countings };

/* The first way of counting a counter; COUNTINGS: there is no such counter. */
static unsigned counter_named(const char *name, size_t length)
{
    unsigned i = 0;
    while (i < COUNTINGS && (strlen(countings[i].counter) != length ||
                             strncmp(countings[i].counter, name, length) != 0))
        i++;
    return i;
}

bool explain_names_count(const char *word)
{
    const char *equals = strchr(word, '=');
    return equals != NULL && equals > word;
}

static bool ask(const char *word, struct explain_question *question, struct report *report)
{
    const char *equals = strchr(word, '=');
    struct explain_asked *asked = &question->asked[question->asked_count];
    asked->counter = equals == NULL ? 0 : counter_named(word, (size_t)(equals - word));
    if (asked->counter == COUNTINGS) {
        SCOPED char *names = heap_text("");
        for (unsigned i = 0; i < COUNTINGS; i++)
            if (counter_named(countings[i].counter, strlen(countings[i].counter)) == i)
                heap_append(&names, "%s%s", i == 0 ? "" : ", ", countings[i].counter);
        return report_add(report, NO_PLACE, "%s: expected one of the counters %s", word, names);
    }
    if (equals == NULL && question->asked_count > 0)
        return report_add(report, NO_PLACE,
                          "%s: expected a count such as expanded=47; numbers have no commas", word);
    for (size_t i = 0; i < question->asked_count; i++)
        if (question->asked[i].counter == asked->counter)
            return report_add(report, NO_PLACE, "%s: %s a second time; expected it once", word,
                              countings[asked->counter].counter);
    if (!parse_count(equals == NULL ? word : equals + 1, &asked->value))
        return report_add(report, NO_PLACE, "%s: expected a count such as 47, or expanded=47",
                          word);
    if (question->asked_count + 1 == MAX_ASKED)
        return report_add(report, NO_PLACE, "more than %d counts", MAX_ASKED - 1);
    question->asked_count++;
    return true;
}

bool explain_ask(const char *text, struct explain_question *question, struct report *report)
{
    SCOPED char *words = heap_text(text);
    char *rest = words;
    bool fine = true;
    for (char *word; fine && (word = strsep(&rest, " ,")) != NULL;)
        if (*word != '\0')
            fine = ask(word, question, report);
    return fine;
}

/* ---- Dimensions ---- */

/* Operator order number `index` < ORDERS. */
static void explain_order(unsigned index, char order[MOVES + 1])
{
    char left[] = DEFAULT_ORDER;
    for (unsigned i = 0, block = 6; i < MOVES; i++) {
        const unsigned at = index / block;
        order[i] = left[at];
        memmove(&left[at], &left[at + 1], strlen(&left[at]));
        index %= block;
        block /= i < MOVES - 1 ? MOVES - 1 - i : 1;
    }
    order[MOVES] = '\0';
}

static unsigned order_index(const char *order)
{
    char other[MOVES + 1];
    unsigned i = 0;
    do
        explain_order(i, other);
    while (strcmp(other, order) != 0 && ++i < ORDERS);
    return i;
}

/* Value `value` > 0 of a dimension as the number of the convention: those but the own one. */
static unsigned number_of(unsigned value, unsigned own)
{
    return value <= own ? value - 1 : value;
}

static const struct option_row *option_of(const struct solver *solver, const char *name)
{
    return option_named(solver->algorithm->options, name);
}

static void add_dimension(struct explanation *explanation, struct dimension dimension)
{
    explanation->dimensions[explanation->dimension_count++] = dimension;
}

static void add_options(struct explanation *explanation, const struct option_row *rows,
                        struct dimension dimension)
{
    for (unsigned i = 0; rows[i].kind != OPTION_END; i++) {
        unsigned count = rows[i].kind == OPTION_FLAG ? 2 : 0;
        while (rows[i].kind == OPTION_CHOICE && rows[i].choices[count] != NULL)
            count++;
        dimension.index = i;
        dimension.count = count;
        if (count > 1)
            add_dimension(explanation, dimension);
    }
}

static void make_dimensions(struct explanation *explanation)
{
    const struct solver *solver = &explanation->question.solver;
    struct teaching settings;
    add_options(explanation, solver->algorithm->options,
                (struct dimension){.kind = DIMENSION_OPTION});
    if (solver->heuristic.kind != NULL)
        add_options(explanation, solver->heuristic.kind->options,
                    (struct dimension){.kind = DIMENSION_HEURISTIC});
    if (teaching_of(solver, &settings)) {
        add_dimension(explanation,
                      (struct dimension){.kind = DIMENSION_REPEATS, .count = REPEATS_ALL});
        add_dimension(explanation, (struct dimension){.kind = DIMENSION_BACK, .count = 2});
        if (option_of(solver, "goal_test") == NULL)
            add_dimension(explanation, (struct dimension){.kind = DIMENSION_EARLY, .count = 2});
        if (settings.g_weight != 0 || settings.h_weight != 0)
            add_dimension(explanation,
                          (struct dimension){.kind = DIMENSION_ORDERED, .count = ORDERED_ALL});
    }
    /* Last, as there are so many: whoever has few nodes sees the others first. */
    explanation->order = explanation->dimension_count;
    add_dimension(explanation, (struct dimension){.kind = DIMENSION_ORDER, .count = ORDERS});
    explanation->search_dimensions = explanation->dimension_count;
    for (unsigned i = 0; i < explanation->question.asked_count; i++) {
        const unsigned first = explanation->question.asked[i].counter;
        unsigned count = 1;
        while (first + count < COUNTINGS &&
               strcmp(countings[first + count].counter, countings[first].counter) == 0)
            count++;
        add_dimension(explanation, (struct dimension){DIMENSION_COUNTING, i, count});
    }
}

/* ---- A way of searching ---- */

struct variant {
    struct solver solver;
    struct teaching settings;
    bool textbook; /* it has settings */
    bool taught;   /* by these alone: no solver searches so */
};

static void set_option(unsigned value, int64_t *option)
{
    *option = number_of(value, (unsigned)*option);
}

/* Puts a convention of the search into the settings. */
static void set_convention(enum repeats own_repeats, enum ordered own_ordered,
                           const struct dimension *dimension, unsigned value,
                           struct variant *variant)
{
    variant->taught = true;
    if (dimension->kind == DIMENSION_REPEATS)
        variant->settings.repeats = (enum repeats)number_of(value, own_repeats);
    else if (dimension->kind == DIMENSION_BACK)
        variant->settings.back = !variant->settings.back;
    else if (dimension->kind == DIMENSION_EARLY)
        variant->settings.early = !variant->settings.early;
    else
        variant->settings.ordered = (enum ordered)number_of(value, own_ordered);
}

static bool has_choice(const struct option_row *row, const char *word)
{
    return row != NULL && WORD_PLACE(row->choices, MAX_CHOICES, word) < MAX_CHOICES;
}

/* Whether a convention that was put into the settings is none that an option says: of the solver,
 * whose settings are `own`, or with the options of the way, `optional`. */
static bool is_new(const struct solver *base, unsigned kind, const struct teaching *own,
                   const struct teaching *optional, const struct teaching *settings)
{
    const struct option_row *duplicates = option_of(base, "duplicates");
    const enum repeats repeats = settings->repeats;
    switch (kind) {
    case DIMENSION_REPEATS:
        return optional->repeats == own->repeats && optional->back == own->back &&
               !has_choice(duplicates, repeats_rows[repeats].word) &&
               !(repeats == REPEATS_KEPT_CLOSED && option_of(base, "reopen") != NULL) &&
               !(repeats == REPEATS_REPLACED && own->g_weight > 0 && duplicates != NULL);
    case DIMENSION_BACK:
        return optional->back == own->back &&
               !(repeats == REPEATS_NONE && own->repeats == REPEATS_NONE && duplicates != NULL);
    case DIMENSION_ORDERED:
        return optional->ordered == own->ordered &&
               (own->h_weight != 0 || settings->ordered == ORDERED_BOARD) &&
               !has_choice(option_of(base, "ties"), ordered_rows[settings->ordered].word);
    default:
        return true;
    }
}

/* False if the way says the same by two conventions, or what an option says. */
static bool make_variant(const struct explanation *explanation, const struct way *way,
                         struct variant *variant)
{
    const struct solver *base = &explanation->question.solver;
    struct teaching own = {0}, optional = {0};
    *variant = (struct variant){.solver = *base};
    teaching_of(base, &own);
    for (unsigned i = 0; i < explanation->search_dimensions; i++) {
        const struct dimension *dimension = &explanation->dimensions[i];
        const unsigned value = way->value[i];
        if (value == 0)
            continue;
        if (dimension->kind == DIMENSION_ORDER)
            explain_order(number_of(value, order_index(explanation->question.task.order)),
                          variant->solver.order);
        else if (dimension->kind == DIMENSION_OPTION)
            set_option(value, &variant->solver.options[dimension->index]);
        else if (dimension->kind == DIMENSION_HEURISTIC)
            set_option(value, &variant->solver.heuristic.options[dimension->index]);
    }
    variant->textbook = teaching_of(&variant->solver, &variant->settings);
    optional = variant->settings;
    for (unsigned i = 0; i < explanation->search_dimensions; i++)
        if (way->value[i] != 0 && explanation->dimensions[i].kind >= DIMENSION_REPEATS) {
            if (!variant->textbook)
                return false;
            set_convention(own.repeats, own.ordered, &explanation->dimensions[i], way->value[i],
                           variant);
            if (!is_new(base, explanation->dimensions[i].kind, &own, &optional, &variant->settings))
                return false;
        }
    return true;
}

/* Counts what a search tells. */
struct listener {
    struct tally *tally;
    const struct observer *observer; /* sees expansions, or NULL */
};

static bool listen(void *context, const struct event *event)
{
    struct listener *listener = context;
    const struct node_seen *node = &event->node;
    if (event->kind == EVENT_ROOT || (event->kind == EVENT_CHILD && event->fate <= FATE_REOPENED))
        listener->tally->kept++;
    if (event->kind != EVENT_EXPANDS)
        return false;
    raise_to(&listener->tally->deepest, node->g);
    if (listener->observer != NULL)
        listener->observer->expands(listener->observer->context, node->board, node->g, node->h);
    return false;
}

static void run_solver(const struct variant *variant, const struct task *task, uint64_t nodes,
                       const struct observer *observer, struct tally *tally)
{
    const struct limits limits = {.nodes = nodes, .bytes = SEARCH_MEMORY};
    struct listener listener = {tally, observer};
    const struct observer seen = {.sees = listen, .context = &listener};
    SCOPED_BY(result_end) struct result result;
    *tally = (struct tally){.rounds = 1};
    solver_run(&variant->solver, task, &limits, &seen, &result);
    const struct statistics *counted = &result.statistics;
    tally->status = result.status;
    tally->expanded = counted->expanded;
    tally->generated = counted->generated;
    tally->duplicates = counted->duplicates;
    tally->max_open = counted->max_open;
    tally->max_depth = counted->max_depth;
    tally->length = result.length;
    if (result.round_count > 0) {
        tally->rounds = result.round_count;
        tally->last_expanded = result.rounds[result.round_count - 1].expanded;
        tally->last_generated = result.rounds[result.round_count - 1].generated;
    }
    tally->goal_taken =
        result.status == STATUS_solved && variant->textbook && !variant->settings.early;
    tally->taken = tally->expanded + tally->goal_taken;
}

static void run_variant(const struct variant *variant, const struct task *task, uint64_t nodes,
                        const struct observer *observer, struct tally *tally)
{
    if (variant->taught)
        teaching_search(&variant->settings, &variant->solver, task, nodes, observer, tally);
    else
        run_solver(variant, task, nodes, observer, tally);
}

/* ---- All ways ---- */

/* What is being gone through. */
struct tour {
    struct explanation *explanation;
    struct way way;
    struct tally tally;
    uint64_t distance; /* of the nearest way */
    struct progress progress;
};

/* Whether all that differs in `part` differs in the same way in `whole`. */
static bool holds(const struct explanation *explanation, const struct way *whole,
                  const struct way *part)
{
    for (unsigned i = 0; i < explanation->dimension_count; i++)
        if (part->value[i] != 0 && part->value[i] != whole->value[i] &&
            (i != explanation->order || (part->orders >> whole->value[i] & 1) == 0))
            return false;
    return true;
}

/* Whether both have operator orders of their own, and differ in nothing else. */
static bool same_but_for_order(const struct explanation *explanation, const struct way *a,
                               struct way b)
{
    const unsigned order = a->value[explanation->order];
    if (order == 0 || b.value[explanation->order] == 0)
        return false;
    b.value[explanation->order] = (unsigned char)order;
    return memcmp(a->value, b.value, MAX_DIMENSIONS) == 0;
}

/* The tour's way fits. */
static void keep_way(struct tour *tour)
{
    struct explanation *explanation = tour->explanation;
    for (size_t i = 0; i < explanation->count; i++)
        if (holds(explanation, &tour->way, &explanation->ways[i]))
            return;
    for (size_t i = 0; i < explanation->count; i++)
        if (same_but_for_order(explanation, &tour->way, explanation->ways[i])) {
            explanation->ways[i].orders |= tour->way.orders;
            return;
        }
    if (explanation->count == MAX_WAYS)
        return;
    *HEAP_ADD(explanation->ways, explanation->count) = tour->way;
}

/* Whether one of the first `asked` counters is counted in the way of this word: if the start does
 * not count, it does so for none of them. */
static bool is_counted_so(const struct tour *tour, unsigned asked, const char *word)
{
    const struct explanation *explanation = tour->explanation;
    for (unsigned i = 0; i < asked; i++) {
        const unsigned value = tour->way.value[explanation->search_dimensions + i];
        if (strcmp(countings[explanation->question.asked[i].counter + value].word, word) == 0)
            return true;
    }
    return false;
}

/* Compares all ways of counting the tour's search with what is asked. */
static void count_ways(struct tour *tour, unsigned asked, uint64_t distance)
{
    struct explanation *explanation = tour->explanation;
    const struct explain_question *question = &explanation->question;
    if (asked == MAX_ASKED || asked == question->asked_count) {
        tour->way.orders = UINT32_C(1) << tour->way.value[explanation->order];
        if (distance < tour->distance) {
            tour->distance = distance;
            explanation->nearest = tour->way;
        }
        if (distance == 0)
            keep_way(tour);
        return;
    }
    const unsigned at = explanation->search_dimensions + asked;
    const unsigned allowed = MAX_DIFFERENCES + question->asked_count - 1;
    for (unsigned i = 0; i < explanation->dimensions[at].count; i++) {
        const struct counting *counting = &countings[question->asked[asked].counter + i];
        const bool differs = i > 0 && !is_counted_so(tour, asked, counting->word);
        if (!counting->fits(&tour->tally) || (differs && tour->way.differences == allowed))
            continue;
        const uint64_t value = counting->value(&tour->tally);
        const uint64_t wanted = question->asked[asked].value;
        if (value < explanation->min[asked])
            explanation->min[asked] = value;
        raise_to(&explanation->max[asked], value);
        tour->way.value[at] = (unsigned char)i;
        tour->way.differences += differs;
        tour->way.counted[asked] = value;
        count_ways(tour, asked + 1, distance + (value > wanted ? value - wanted : wanted - value));
        tour->way.differences -= differs;
        tour->way.value[at] = 0;
    }
}

/* Searches by the tour's way. */
static void try_search(struct tour *tour)
{
    struct explanation *explanation = tour->explanation;
    const uint64_t left = explanation->question.nodes - explanation->nodes;
    const uint64_t share = explanation->question.nodes / SEARCHES;
    struct variant variant;
    if (!make_variant(explanation, &tour->way, &variant))
        return;
    if (left == 0) {
        explanation->complete = false;
        return;
    }
    run_variant(&variant, &explanation->question.task,
                left < share || tour->way.differences == 0 ? left : share, NULL, &tour->tally);
    explanation->nodes += tour->tally.generated < left ? tour->tally.generated : left;
    explanation->searches++;
    if (tour->way.differences == 0)
        explanation->own = tour->tally;
    if (progress_due(&tour->progress)) {
        SCOPED char *line = heap_format("%" PRIu64 " searches, %zu ways fit", explanation->searches,
                                        explanation->count);
        progress_line(&tour->progress, line);
    }
    if (status_is_limit(tour->tally.status))
        explanation->unfinished++;
    else
        count_ways(tour, 0, 0);
}

/* Goes through all ways of searching that differ in `more` dimensions from number `first` on. */
static void go_on(struct tour *tour, unsigned first, unsigned more)
{
    const struct explanation *explanation = tour->explanation;
    if (more == 0) {
        try_search(tour);
        return;
    }
    for (unsigned i = first; i < explanation->search_dimensions && explanation->complete; i++) {
        tour->way.differences++;
        for (unsigned value = 1; value < explanation->dimensions[i].count; value++) {
            tour->way.value[i] = (unsigned char)value;
            go_on(tour, i + 1, more - 1);
        }
        tour->way.value[i] = 0;
        tour->way.differences--;
    }
}

/* The fewest differences first; of equal many ways of counting first, and operator orders last: of
 * them there are many, so that more fit by chance. */
ORDER_BY(by_differences, struct way, BY(differences), ORDER(x->orders > 1, y->orders > 1),
         memcmp(x->value, y->value, MAX_DIMENSIONS));

/* Tries all ways of up to so many differences of the search. */
static void tour_ways(struct explanation *explanation, unsigned differences)
{
    struct tour tour = {.explanation = explanation, .distance = UINT64_MAX};
    explanation->complete = true;
    memset(explanation->min, 0xff, sizeof explanation->min);
    make_dimensions(explanation);
    progress_start(&tour.progress, NULL, 0, 0, explanation->question.quiet);
    for (unsigned i = 0; i <= differences && explanation->complete; i++) {
        go_on(&tour, 0, i);
        if (explanation->complete)
            explanation->differences = i;
        if (status_is_limit(explanation->own.status))
            break;
    }
    progress_clear(&tour.progress);
    if (explanation->count > 0)
        qsort(explanation->ways, explanation->count, sizeof *explanation->ways, by_differences);
}

/* ---- What else may be wrong ---- */

static json_t *differences_of(const struct explanation *explanation, const struct way *way);

/* Notes if the count fits with another board, goal or heuristic. */
static void try_elsewhere(struct explanation *explanation, const struct explain_question *question,
                          const char *what)
{
    struct explanation other = {.question = *question};
    other.question.quiet = true;
    other.question.nodes /= ELSEWHERE_PART;
    if (!board_connected(&question->task.start, &question->task.goal))
        return;
    tour_ways(&other, ELSEWHERE_DIFFERENCES);
    if (other.count > 0)
        json_array_append_new(explanation->elsewhere,
                              json_pack("{s:s, s:o}", "what", what, "differences",
                                        differences_of(&other, &other.ways[0])));
    free(other.ways);
}

static struct board transposed(const struct board *board)
{
    struct board turned = *board;
    const unsigned width = board->shape.width;
    for (unsigned i = 0; i < board->shape.cells; i++)
        turned.cell[i % width * width + i / width] = board->cell[i];
    turned.blank = (uint8_t)(board->blank % width * width + board->blank / width);
    return turned;
}

static bool is_defined(const struct explain_question *question)
{
    SCOPED char *reason =
        solver_refuses(&question->solver, &question->task.start, &question->task.goal);
    return reason == NULL;
}

static void look_elsewhere(struct explanation *explanation)
{
    const struct explain_question *question = &explanation->question;
    struct explain_question other = *question;
    if (question->task.start.shape.width == question->task.start.shape.height) {
        other.task.start = transposed(&question->task.start);
        try_elsewhere(explanation, &other, "the board read by columns");
        other = *question;
    }
    for (unsigned i = 0; i < GOAL_NAMES; i++) {
        goal_named(goal_names[i], question->task.start.shape, &other.task.goal);
        SCOPED char *what = heap_format("the goal %s", goal_names[i]);
        if (!board_equal(&other.task.goal, &question->task.goal) && is_defined(&other))
            try_elsewhere(explanation, &other, what);
    }
    other = *question;
    for (unsigned i = 0; other.solver.heuristic.kind != NULL && heuristic_at(i) != NULL; i++) {
        const struct heuristic_kind *kind = heuristic_at(i);
        if (kind == question->solver.heuristic.kind ||
            (kind->extras != NULL && kind->extras->refuses != NULL))
            continue;
        SCOPED char *what = heap_format("the heuristic %s", kind->name);
        SCOPED_BY(report_end) struct report report = {0};
        if (heuristic_parse(kind->name, NO_PLACE, &report, &other.solver.heuristic) &&
            is_defined(&other))
            try_elsewhere(explanation, &other, what);
    }
}

/* ---- What a way is ---- */

static char *orders_text(const struct explanation *explanation, const struct way *way)
{
    const unsigned own = order_index(explanation->question.task.order);
    char *text = heap_text("");
    for (unsigned i = 1; i < ORDERS; i++) {
        char order[MOVES + 1];
        explain_order(number_of(i, own), order);
        if ((way->orders >> i & 1) != 0)
            heap_append(&text, "%s%s", text[0] == '\0' ? "" : "|", order);
    }
    return text;
}

/* Name, value and meaning; a new reference. */
static json_t *difference(const char *name, const char *value, const char *meaning)
{
    return json_pack("{s:s, s:s, s:s}", "name", name, "value", value, "meaning", meaning);
}

static json_t *difference_of_option(const struct option_row *row, int64_t own, unsigned value)
{
    SCOPED char *fallback = option_text(row, own);
    SCOPED char *text = option_text(row, number_of(value, (unsigned)own));
    SCOPED char *meaning = heap_format("%s (tilelab here: %s)", row->help, fallback);
    return difference(row->name, text, meaning);
}

static json_t *difference_of_order(const struct explanation *explanation, const struct way *way)
{
    SCOPED char *orders = orders_text(explanation, way);
    SCOPED char *meaning =
        heap_format("operators are applied in this order, as moves of the blank (tilelab here: %s)",
                    explanation->question.task.order);
    return difference("order", orders, meaning);
}

static json_t *difference_in_counting(const struct counting *counting)
{
    SCOPED char *name = heap_format("count_of_%s", counting->counter);
    return difference(name, counting->word, counting->meaning);
}

static json_t *difference_of(const struct explanation *explanation, const struct way *way,
                             const struct dimension *dimension, unsigned value)
{
    const struct solver *solver = &explanation->question.solver;
    const unsigned index = dimension->index;
    const struct convention *row;
    struct teaching own;
    teaching_of(solver, &own);
    switch (dimension->kind) {
    case DIMENSION_ORDER:
        return difference_of_order(explanation, way);
    case DIMENSION_OPTION:
        return difference_of_option(&solver->algorithm->options[index], solver->options[index],
                                    value);
    case DIMENSION_HEURISTIC:
        return difference_of_option(&solver->heuristic.kind->options[index],
                                    solver->heuristic.options[index], value);
    case DIMENSION_BACK:
        return own.back ? difference("parent", "left_out",
                                     "the move back to the parent is not generated")
                        : difference("parent", "generated",
                                     "the move back to the parent is generated like any other");
    case DIMENSION_EARLY:
        return difference("goal_test", "generation",
                          "a node is compared with the goal when it is generated, so that the "
                          "search ends earlier");
    case DIMENSION_REPEATS:
        row = &repeats_rows[number_of(value, own.repeats)];
        return difference("states", row->word, row->meaning);
    case DIMENSION_ORDERED:
        row = &ordered_rows[number_of(value, own.ordered)];
        return difference("ties", row->word, row->meaning);
    default:
        return difference_in_counting(
            &countings[explanation->question.asked[index].counter + value]);
    }
}

static json_t *differences_of(const struct explanation *explanation, const struct way *way)
{
    return JSON_ARRAY(i, explanation->dimension_count,
                      way->value[i] != 0 ? difference_of(explanation, way,
                                                         &explanation->dimensions[i], way->value[i])
                                         : NULL);
}

/* ---- Where two searches part ---- */

struct step {
    struct board board;
    unsigned g, h;
};

struct steps {
    struct step *items;
    size_t count;
};

static void note_step(void *context, const struct board *board, unsigned g, unsigned h)
{
    struct steps *steps = context;
    *HEAP_ADD(steps->items, steps->count) = (struct step){*board, g, h};
}

static struct steps steps_of(const struct explanation *explanation, const struct way *way)
{
    struct steps steps = {0};
    const struct observer observer = {.expands = note_step, .context = &steps};
    struct variant variant;
    struct tally tally;
    make_variant(explanation, way, &variant);
    run_variant(&variant, &explanation->question.task, explanation->question.nodes, &observer,
                &tally);
    return steps;
}

static json_t *json_step(const struct steps *steps, size_t at, bool informed)
{
    char line[BOARD_LINE];
    if (at >= steps->count)
        return json_null();
    const struct step *step = &steps->items[at];
    board_line(&step->board, line);
    return json_pack("{s:s, s:i, s:o}", "board", line, "g", (int)step->g, "h",
                     informed ? json_integer(step->h) : json_null());
}

/* Compares the searches, which are made once more. */
static void add_parting(const struct explanation *explanation, const struct way *way,
                        json_t *object)
{
    const struct way none = {.differences = 0};
    struct steps own = steps_of(explanation, &none);
    struct steps other = steps_of(explanation, way);
    size_t i = 0;
    while (i < own.count && i < other.count && own.items[i].g == other.items[i].g &&
           board_equal(&own.items[i].board, &other.items[i].board))
        i++;
    const bool parts = i < own.count || i < other.count;
    const bool informed = explanation->question.solver.heuristic.kind != NULL;
    json_object_set_new(object, "parts_at", parts ? json_integer((json_int_t)i + 1) : json_null());
    json_object_set_new(object, "own", json_step(&own, i, informed));
    json_object_set_new(object, "other", json_step(&other, i, informed));
    FREE(own.items, other.items);
}

/* ---- The whole ---- */

static json_t *json_counts(const struct explanation *explanation, const uint64_t *counted)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < explanation->question.asked_count; i++)
        json_object_set_new(object, countings[explanation->question.asked[i].counter].counter,
                            json_integer((json_int_t)counted[i]));
    return object;
}

static json_t *json_way(const struct explanation *explanation, const struct way *way)
{
    json_t *object = json_pack("{s:o, s:o}", "differences", differences_of(explanation, way),
                               "counts", json_counts(explanation, way->counted));
    add_parting(explanation, way, object);
    return object;
}

static json_t *json_of(const struct explanation *explanation, size_t shown)
{
    SCOPED char *text = solver_text(&explanation->question.solver);
    uint64_t own[MAX_ASKED], asked[MAX_ASKED];
    for (unsigned i = 0; i < explanation->question.asked_count; i++) {
        asked[i] = explanation->question.asked[i].value;
        own[i] = countings[explanation->question.asked[i].counter].value(&explanation->own);
    }
    json_t *ways = JSON_ARRAY(i, explanation->count < shown ? explanation->count : shown,
                              json_way(explanation, &explanation->ways[i]));
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:b, s:O}", "solver", text,
        "order", explanation->question.task.order, "asked", json_counts(explanation, asked), "own",
        json_counts(explanation, own), "count", (json_int_t)explanation->count, "ways", ways,
        "nearest", json_way(explanation, &explanation->nearest), "min",
        json_counts(explanation, explanation->min), "max",
        json_counts(explanation, explanation->max), "searches", (json_int_t)explanation->searches,
        "unfinished", (json_int_t)explanation->unfinished, "differences",
        (json_int_t)explanation->differences, "complete", explanation->complete, "elsewhere",
        explanation->elsewhere);
}

json_t *explain(const struct explain_question *question, size_t shown)
{
    struct explanation explanation = {.question = *question, .elsewhere = json_array()};
    json_t *object = NULL;
    snprintf(explanation.own_order, sizeof explanation.own_order, "%s",
             solver_order(&question->solver, question->task.order));
    explanation.question.task.order = explanation.own_order;
    tour_ways(&explanation, MAX_DIFFERENCES);
    if (!status_is_limit(explanation.own.status)) {
        if (explanation.count == 0)
            look_elsewhere(&explanation);
        object = json_of(&explanation, shown);
    }
    json_decref(explanation.elsewhere);
    free(explanation.ways);
    return object;
}
