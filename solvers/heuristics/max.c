/* The maximum of several heuristics: max:manhattan+gaschnig. It is admissible, consistent or keeps
 * parity if all its parts do, and is 0 at the goal only if one of them is. If all its parts are
 * pattern databases, they are joined to one catalogue: a group that several of them have is looked
 * up once, and idastar counts subtrees. */
#include "heuristics/max.h"
#include "base/heap.h"

DECLARE_HEURISTIC(max);

const struct option_row max_options[] = NO_OPTIONS;

/* The parts as they were chosen. */
struct choices {
    unsigned count;
    struct heuristic_choice *list; /* owned */
};

/* The parts, prepared. */
struct parts {
    struct pdb *pdb; /* of all parts, which are then not prepared themselves; or NULL */
    unsigned count;
    struct heuristic part[];
};

static bool is_max(const struct heuristic_kind *kind)
{
    return kind != NULL && kind->extras == &max_extras;
}

static void choices_end(struct choices *choices)
{
    free(choices->list);
}

/* The parts that an argument in canonical spelling names. */
static struct choices choices_of(const struct heuristic_choice *max)
{
    struct choices choices = {0};
    SCOPED_BY(report_end) struct report report = {0};
    for (const char *at = max->argument; at != NULL;) {
        const size_t length = strcspn(at, "+");
        SCOPED char *text = heap_format("%.*s", (int)length, at);
        choices.list = heap_grow(choices.list, choices.count, sizeof *choices.list);
        choices.count += heuristic_parse(text, NO_PLACE, &report, &choices.list[choices.count]);
        at = at[length] == '+' ? at + length + 1 : NULL;
    }
    return choices;
}

/* Reads one part, `text`, and appends it to what was read before. */
static bool read_part(const char *text, struct text_place place, struct report *report,
                      char **canonical)
{
    struct heuristic_choice choice;
    if (text[0] == '\0')
        return report_add(report, place, "no heuristic here; expected max:HEURISTIC+HEURISTIC+..");
    if (is_max(heuristic_named(text)))
        return report_add(report, place, "max within max; expected its parts alone");
    if (!heuristic_parse(text, place, report, &choice))
        return false;
    SCOPED char *part = heuristic_text(&choice);
    const bool fine = !heap_has_part(*canonical, '+', part);
    if (fine)
        heap_append(canonical, "%s%s", (*canonical)[0] == '\0' ? "" : "+", part);
    else
        report_add(report, place, "%s a second time; expected another heuristic", part);
    return fine;
}

static char *max_argument(const char *text, struct text_place place, struct report *report)
{
    char *canonical = heap_text("");
    size_t at = 0;
    bool fine = true;
    for (bool more = true; more && fine;) {
        at += strspn(text + at, " \t");
        size_t end = at + strcspn(text + at, "+");
        more = text[end] == '+';
        const size_t next = end + 1;
        while (end > at && (text[end - 1] == ' ' || text[end - 1] == '\t'))
            end--;
        SCOPED char *part = heap_format("%.*s", (int)(end - at), text + at);
        fine = read_part(part, place_after(place, at), report, &canonical);
        at = next;
    }
    if (fine && strchr(canonical, '+') == NULL)
        fine = report_add(report, place,
                          "max of %s alone; expected at least two, such as max:%s+gaschnig",
                          canonical, canonical);
    return heap_keep(fine, canonical);
}

static char *max_example(const struct board *goal)
{
    (void)goal;
    return heap_text("manhattan+gaschnig");
}

static char *max_refuses(const struct heuristic_choice *choice, const struct board *goal)
{
    SCOPED_BY(choices_end) struct choices parts = choices_of(choice);
    char *reason = NULL;
    for (unsigned i = 0; i < parts.count && reason == NULL; i++)
        reason = heuristic_refuses(&parts.list[i], goal);
    return reason;
}

static bool max_build(const struct heuristic_choice *choice, const struct board *goal,
                      enum cost_model cost, const struct pattern_watcher *watcher, char **problem)
{
    SCOPED_BY(choices_end) struct choices parts = choices_of(choice);
    bool fine = true;
    for (unsigned i = 0; i < parts.count; i++)
        fine = fine && heuristic_build(&parts.list[i], goal, cost, watcher, problem);
    return fine;
}

static void max_patterns(const struct heuristic_choice *choice, const struct board *goal,
                         enum cost_model cost,
                         void (*show)(void *context, const struct pattern *pattern), void *context)
{
    SCOPED_BY(choices_end) struct choices parts = choices_of(choice);
    for (unsigned i = 0; i < parts.count; i++)
        heuristic_patterns(&parts.list[i], goal, cost, show, context);
}

static void max_parts(const struct heuristic_choice *choice,
                      void (*show)(void *context, const struct heuristic_choice *part),
                      void *context)
{
    SCOPED_BY(choices_end) struct choices parts = choices_of(choice);
    for (unsigned i = 0; i < parts.count; i++)
        show(context, &parts.list[i]);
}

static unsigned max_properties(const struct heuristic_choice *choice)
{
    SCOPED_BY(choices_end) struct choices parts = choices_of(choice);
    unsigned all = ADMISSIBLE | CONSISTENT | KEEPS_PARITY;
    unsigned any = 0;
    for (unsigned i = 0; i < parts.count; i++) {
        all &= heuristic_properties(&parts.list[i]);
        any |= heuristic_properties(&parts.list[i]);
    }
    return all | (any & POSITIVE);
}

static void max_evaluate_batch(const struct heuristic *heuristic, const struct board *boards,
                               unsigned count, unsigned *values)
{
    const struct parts *parts = heuristic->data;
    SCOPED unsigned *of_part = heap_take(count, sizeof *of_part);
    for (unsigned i = 0; i < count; i++)
        values[i] = parts->pdb == NULL ? 0 : pdb_value(parts->pdb, &boards[i]);
    for (unsigned p = 0; p < parts->count; p++) {
        heuristic_evaluate_batch(&parts->part[p], boards, count, of_part);
        for (unsigned i = 0; i < count; i++)
            values[i] = of_part[i] > values[i] ? of_part[i] : values[i];
    }
}

static uint64_t max_priced(const struct heuristic *heuristic, const struct board *board)
{
    const struct parts *parts = heuristic->data;
    uint64_t largest = 0;
    for (unsigned i = 0; i < parts->count; i++) {
        const uint64_t h = heuristic_priced(&parts->part[i], board);
        largest = h > largest ? h : largest;
    }
    return largest;
}

static void max_end(struct heuristic *heuristic)
{
    struct parts *parts = heuristic->data;
    for (unsigned i = 0; i < parts->count; i++)
        heuristic_end(&parts->part[i]);
    pdb_end(parts->pdb);
    free(parts);
}

const struct heuristic_extras max_extras = {
    .argument = max_argument,
    .form = "HEURISTIC+HEURISTIC+..",
    .made = MADE_OF_HEURISTICS,
    .example = max_example,
    .refuses = max_refuses,
    .build = max_build,
    .patterns = max_patterns,
    .parts = max_parts,
    .properties = max_properties,
    .evaluate_batch = max_evaluate_batch,
    .priced = max_priced,
    .end = max_end,
};

void max_prepare(struct heuristic *heuristic)
{
    SCOPED_BY(choices_end) struct choices choices = choices_of(&heuristic->choice);
    struct parts *parts = heap_take(1, sizeof *parts + choices.count * sizeof parts->part[0]);
    if (heuristic->costs == NULL)
        parts->pdb = pdb_join(choices.list, choices.count, &heuristic->goal);
    parts->count = parts->pdb == NULL ? choices.count : 0;
    for (unsigned i = 0; i < parts->count; i++)
        heuristic_start_priced(&parts->part[i], &choices.list[i], &heuristic->goal,
                               heuristic->costs);
    heuristic->data = parts;
}

const struct pdb *pdb_of(const struct heuristic *heuristic)
{
    if (heuristic->kind->evaluate == pdb_evaluate)
        return heuristic->data;
    return heuristic->kind->evaluate == max_evaluate ? ((const struct parts *)heuristic->data)->pdb
                                                     : NULL;
}

unsigned max_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct parts *parts = heuristic->data;
    unsigned largest = parts->pdb == NULL ? 0 : pdb_value(parts->pdb, board);
    for (unsigned i = 0; i < parts->count; i++) {
        const struct heuristic *part = &parts->part[i];
        const unsigned h = part->kind->evaluate(part, board);
        largest = h > largest ? h : largest;
    }
    return largest;
}

STEP_FROM_SCRATCH(max)
