#include "heuristics/heuristic.h"
#include "base/additions.h"
#include "base/heap.h"
#include <search.h>

#define HEURISTIC(name, extras, properties, summary) DECLARE_HEURISTIC(name);
#include "heuristics/heuristics.def"
#undef HEURISTIC

const struct heuristic_kind heuristic_kinds[] = {
#define HEURISTIC(name, extras, properties, summary)                                               \
    {#name,          summary,        properties,      extras,                                      \
     name##_options, name##_prepare, name##_evaluate, name##_step},
#include "heuristics/heuristics.def"
#undef HEURISTIC
};

const unsigned heuristic_count = sizeof heuristic_kinds / sizeof *heuristic_kinds;

/* Those that are no rows of the table. */
static struct additions added;

void heuristic_add(const struct heuristic_kind *kind)
{
    additions_add(&added, kind);
}

void heuristic_remove(const struct heuristic_kind *kind)
{
    additions_remove(&added, kind);
}

const struct heuristic_kind *heuristic_at(unsigned number)
{
    return additions_at(&added, heuristic_kinds, heuristic_count, sizeof *heuristic_kinds, number);
}

/* The kind whose name is the first `length` characters of the text, or NULL. */
static const struct heuristic_kind *find(const char *text, size_t length)
{
    const struct heuristic_kind *kind;
    for (unsigned i = 0; (kind = heuristic_at(i)) != NULL; i++)
        if (strncmp(kind->name, text, length) == 0 && kind->name[length] == '\0')
            return kind;
    return NULL;
}

const struct heuristic_kind *heuristic_find(const char *name)
{
    return find(name, strlen(name));
}

const struct heuristic_kind *heuristic_named(const char *text)
{
    return find(text, strcspn(text, ": \t"));
}

static const struct heuristic_extras *extras_of(const struct heuristic_kind *kind)
{
    static const struct heuristic_extras none;
    return kind->extras == NULL ? &none : kind->extras;
}

bool heuristic_takes_argument(const struct heuristic_kind *kind)
{
    return extras_of(kind)->argument != NULL;
}

char *heuristic_example(const struct heuristic_kind *kind, const struct board *goal)
{
    if (!heuristic_takes_argument(kind))
        return heap_text(kind->name);
    SCOPED char *argument = kind->extras->example(goal);
    return heap_format("%s:%s", kind->name, argument);
}

static void report_no_heuristic(const char *text, struct text_place place, struct report *report)
{
    const unsigned count = heuristic_count + added.count;
    SCOPED const char **words = heap_take(count, sizeof *words);
    for (unsigned i = 0; i < count; i++)
        words[i] = heuristic_at(i)->name;
    SCOPED char *name = heap_format("%.*s", (int)strcspn(text, ": \t"), text);
    report_unknown(report, place, "heuristic", name, words, count);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The one copy of an argument, whose memory it takes. Copies are never freed: a program reads few
 * different arguments, of any length, and choices that point to them are copied freely. */
static const char *kept(char *argument)
{
    static void *tree;
    char *const *node = tsearch(argument, &tree, compare_texts);
    if (node == NULL)
        heap_exhausted();
    if (*node != argument)
        free(argument);
    return *node;
}

bool heuristic_parse(const char *text, struct text_place place, struct report *report,
                     struct heuristic_choice *choice)
{
    const char *const blanks = " \t";
    const size_t name = strcspn(text, ": \t");
    const char *colon = text + name + strspn(text + name, blanks);
    *choice = (struct heuristic_choice){.kind = find(text, name), .argument = ""};
    if (choice->kind == NULL) {
        report_no_heuristic(text, place, report);
        return false;
    }
    for (unsigned i = 0; choice->kind->options[i].kind != OPTION_END; i++)
        choice->options[i] = choice->kind->options[i].fallback;
    const struct heuristic_extras *extras = extras_of(choice->kind);
    const char *argument = *colon == ':' ? colon + 1 + strspn(colon + 1, blanks) : colon;
    if (*colon != ':' && *colon != '\0')
        return report_add(report, place_after(place, (size_t)(argument - text)),
                          "unexpected '%s'; expected %s alone%s%s", colon, choice->kind->name,
                          extras->argument == NULL ? "" : ", or a colon and ",
                          extras->argument == NULL ? "" : extras->form);
    if (extras->argument != NULL) {
        char *canonical =
            extras->argument(argument, place_after(place, (size_t)(argument - text)), report);
        if (canonical != NULL)
            choice->argument = kept(canonical);
        return canonical != NULL;
    }
    if (*colon == ':')
        return report_add(report, place_after(place, (size_t)(colon - text)),
                          "%s takes nothing after a colon; expected %s alone", choice->kind->name,
                          choice->kind->name);
    return true;
}

char *heuristic_text(const struct heuristic_choice *choice)
{
    return heap_format("%s%s%s", choice->kind->name, choice->argument[0] == '\0' ? "" : ":",
                       choice->argument);
}

char *heuristic_refuses(const struct heuristic_choice *choice, const struct board *goal)
{
    const struct heuristic_extras *extras = extras_of(choice->kind);
    return extras->refuses == NULL ? NULL : extras->refuses(choice, goal);
}

bool heuristic_build(const struct heuristic_choice *choice, const struct board *goal,
                     enum cost_model cost, const struct pattern_watcher *watcher, char **problem)
{
    const struct heuristic_extras *extras = extras_of(choice->kind);
    return extras->build == NULL || extras->build(choice, goal, cost, watcher, problem);
}

void heuristic_patterns(const struct heuristic_choice *choice, const struct board *goal,
                        enum cost_model cost,
                        void (*show)(void *context, const struct pattern *pattern), void *context)
{
    const struct heuristic_extras *extras = extras_of(choice->kind);
    if (extras->patterns != NULL)
        extras->patterns(choice, goal, cost, show, context);
}

void heuristic_parts(const struct heuristic_choice *choice,
                     void (*show)(void *context, const struct heuristic_choice *part),
                     void *context)
{
    const struct heuristic_extras *extras = extras_of(choice->kind);
    if (extras->parts != NULL)
        extras->parts(choice, show, context);
    else
        show(context, choice);
}

void heuristic_start(struct heuristic *heuristic, const struct heuristic_choice *choice,
                     const struct board *goal)
{
    heuristic_start_priced(heuristic, choice, goal, NULL);
}

void heuristic_start_priced(struct heuristic *heuristic, const struct heuristic_choice *choice,
                            const struct board *goal, const struct move_costs *costs)
{
    *heuristic =
        (struct heuristic){.kind = choice->kind, .choice = *choice, .goal = *goal, .costs = costs};
    for (unsigned i = 0; i < goal->shape.cells; i++)
        heuristic->home[goal->cell[i]] = (uint8_t)i;
    choice->kind->prepare(heuristic);
}

/* Takes back that all parts have a price. */
static void find_unpriced(void *context, const struct heuristic_choice *part)
{
    const struct heuristic_extras *extras = extras_of(part->kind);
    bool *has_price = context;
    if (extras->priced == NULL || (extras->unpriced != NULL && extras->unpriced(part)))
        *has_price = false;
}

bool heuristic_has_price(const struct heuristic_choice *choice)
{
    bool has_price = true;
    heuristic_parts(choice, find_unpriced, &has_price);
    return has_price;
}

uint64_t heuristic_priced(const struct heuristic *heuristic, const struct board *board)
{
    return heuristic->costs == NULL ? heuristic->kind->evaluate(heuristic, board)
                                    : heuristic->kind->extras->priced(heuristic, board);
}

uint64_t heuristic_priced_step(const struct heuristic *heuristic, const struct board *child,
                               uint64_t h, unsigned tile, unsigned from, unsigned to)
{
    if (heuristic->costs == NULL)
        return heuristic->kind->step(heuristic, child, (unsigned)h, tile, from, to);
    const struct heuristic_extras *extras = heuristic->kind->extras;
    return extras->priced_step == NULL ? extras->priced(heuristic, child)
                                       : extras->priced_step(heuristic, child, h, tile, from, to);
}

void heuristic_end(struct heuristic *heuristic)
{
    const struct heuristic_extras *extras = extras_of(heuristic->kind);
    if (extras->end != NULL)
        extras->end(heuristic);
    else
        free(heuristic->data);
    heuristic->data = NULL;
}

void heuristic_evaluate_batch(const struct heuristic *heuristic, const struct board *boards,
                              unsigned count, unsigned *values)
{
    const struct heuristic_extras *extras = extras_of(heuristic->kind);
    if (extras->evaluate_batch != NULL)
        extras->evaluate_batch(heuristic, boards, count, values);
    else
        for (unsigned i = 0; i < count; i++)
            values[i] = heuristic->kind->evaluate(heuristic, &boards[i]);
}

unsigned heuristic_properties(const struct heuristic_choice *choice)
{
    const struct heuristic_extras *extras = extras_of(choice->kind);
    const unsigned claimed =
        extras->properties == NULL ? choice->kind->properties : extras->properties(choice);
    return properties_kept(claimed, choice->kind->options, choice->options);
}

int heuristic_rise(const struct heuristic *heuristic, unsigned tile, unsigned from, unsigned to)
{
    enum { ANY = 1000 };
    return (int)heuristic->kind->step(heuristic, &heuristic->goal, ANY, tile, from, to) - ANY;
}
