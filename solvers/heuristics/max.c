/* The maximum of several heuristics: max:manhattan+gaschnig. It is admissible, consistent or keeps
 * parity if all its parts do, and is 0 at the goal only if one of them is. */
#include "base/heap.h"
#include "heuristics/heuristic.h"
#include <string.h>

const struct option_row max_options[] = NO_OPTIONS;

enum { MAX_PARTS = 8 };

struct parts {
    unsigned count;
    struct heuristic part[MAX_PARTS];
};

static bool is_max(const struct heuristic_kind *kind)
{
    return kind != NULL && kind->extras == &max_extras;
}

/* The parts that an argument in canonical spelling names; how many they are. */
static unsigned choices(const char *argument, struct heuristic_choice choice[MAX_PARTS])
{
    struct report report;
    unsigned count = 0;
    report_start(&report, NULL);
    for (const char *at = argument; at != NULL && count < MAX_PARTS;) {
        const size_t length = strcspn(at, "+");
        char *text = heap_format("%.*s", (int)length, at);
        count += heuristic_parse(text, 0, 0, &report, &choice[count]);
        free(text);
        at = at[length] == '+' ? at + length + 1 : NULL;
    }
    report_end(&report);
    return count;
}

/* Reads one part, `text`, and appends it to what was read before. */
static bool read_part(const char *text, size_t line, size_t column, struct report *report,
                      char canonical[MAX_ARGUMENT])
{
    struct heuristic_choice choice, before[MAX_PARTS];
    const unsigned count = canonical[0] == '\0' ? 0 : choices(canonical, before);
    if (text[0] == '\0') {
        report_add(report, line, column, "no heuristic here; expected max:HEURISTIC+HEURISTIC+..");
        return false;
    }
    if (is_max(heuristic_named(text))) {
        report_add(report, line, column, "max within max; expected its parts alone");
        return false;
    }
    if (!heuristic_parse(text, line, column, report, &choice))
        return false;
    char *part = heuristic_text(&choice);
    bool fine = true;
    for (unsigned i = 0; i < count && fine; i++) {
        char *other = heuristic_text(&before[i]);
        fine = strcmp(other, part) != 0;
        free(other);
    }
    const size_t length = strlen(canonical) + strlen(part) + 1;
    if (!fine)
        report_add(report, line, column, "%s a second time; expected another heuristic", part);
    else if (count == MAX_PARTS || length >= MAX_ARGUMENT)
        report_add(report, line, column, "too much; expected at most %d heuristics, %d characters",
                   MAX_PARTS, MAX_ARGUMENT - 1);
    fine = fine && count < MAX_PARTS && length < MAX_ARGUMENT;
    if (fine && count > 0)
        strcat(canonical, "+");
    if (fine)
        strcat(canonical, part);
    free(part);
    return fine;
}

static bool max_argument(const char *text, size_t line, size_t column, struct report *report,
                         char canonical[MAX_ARGUMENT])
{
    canonical[0] = '\0';
    size_t at = 0;
    for (bool more = true; more;) {
        at += strspn(text + at, " \t");
        size_t end = at + strcspn(text + at, "+");
        more = text[end] == '+';
        const size_t next = end + 1;
        while (end > at && (text[end - 1] == ' ' || text[end - 1] == '\t'))
            end--;
        char *part = heap_format("%.*s", (int)(end - at), text + at);
        const bool fine = read_part(part, line, column + at, report, canonical);
        free(part);
        if (!fine)
            return false;
        at = next;
    }
    if (strchr(canonical, '+') == NULL) {
        report_add(report, line, column,
                   "max of %s alone; expected at least two, such as max:%s+gaschnig", canonical,
                   canonical);
        return false;
    }
    return true;
}

static char *max_example(const struct board *goal)
{
    (void)goal;
    return heap_text("manhattan+gaschnig");
}

static char *max_refuses(const struct heuristic_choice *choice, const struct board *goal)
{
    struct heuristic_choice part[MAX_PARTS];
    const unsigned count = choices(choice->argument, part);
    char *reason = NULL;
    for (unsigned i = 0; i < count && reason == NULL; i++)
        reason = heuristic_refuses(&part[i], goal);
    return reason;
}

static bool max_build(const struct heuristic_choice *choice, const struct board *goal,
                      const struct pattern_watcher *watcher, char **problem)
{
    struct heuristic_choice part[MAX_PARTS];
    const unsigned count = choices(choice->argument, part);
    for (unsigned i = 0; i < count; i++)
        if (!heuristic_build(&part[i], goal, watcher, problem))
            return false;
    return true;
}

static void max_patterns(const struct heuristic_choice *choice, const struct board *goal,
                         void (*show)(void *context, const struct pattern *pattern), void *context)
{
    struct heuristic_choice part[MAX_PARTS];
    const unsigned count = choices(choice->argument, part);
    for (unsigned i = 0; i < count; i++)
        heuristic_patterns(&part[i], goal, show, context);
}

static unsigned max_properties(const struct heuristic_choice *choice)
{
    struct heuristic_choice part[MAX_PARTS];
    const unsigned count = choices(choice->argument, part);
    unsigned all = ADMISSIBLE | CONSISTENT | KEEPS_PARITY;
    unsigned any = 0;
    for (unsigned i = 0; i < count; i++) {
        all &= heuristic_properties(&part[i]);
        any |= heuristic_properties(&part[i]);
    }
    return all | (any & POSITIVE);
}

static void max_end(struct heuristic *heuristic)
{
    struct parts *parts = heuristic->data;
    for (unsigned i = 0; i < parts->count; i++)
        heuristic_end(&parts->part[i]);
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
    .properties = max_properties,
    .end = max_end,
};

void max_prepare(struct heuristic *heuristic)
{
    struct heuristic_choice part[MAX_PARTS];
    struct parts *parts = heap_take(1, sizeof *parts);
    parts->count = choices(heuristic->choice.argument, part);
    for (unsigned i = 0; i < parts->count; i++)
        heuristic_start(&parts->part[i], &part[i], &heuristic->goal);
    heuristic->data = parts;
}

unsigned max_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct parts *parts = heuristic->data;
    unsigned largest = 0;
    for (unsigned i = 0; i < parts->count; i++) {
        const struct heuristic *part = &parts->part[i];
        const unsigned h = part->kind->evaluate(part, board);
        largest = h > largest ? h : largest;
    }
    return largest;
}

STEP_FROM_SCRATCH(max)
