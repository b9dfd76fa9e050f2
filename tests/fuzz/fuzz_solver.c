/* Each line of any text is read as a solver or refused with a problem. A solver's canonical text is
 * read as the same solver, whose text is the same. */
#include "algorithms/solver.h"
#include "fuzz.h"

static bool same_options(const struct option_row *table, const int64_t *a, const int64_t *b)
{
    unsigned i = 0;
    while (table[i].kind != OPTION_END && a[i] == b[i])
        i++;
    return table[i].kind == OPTION_END;
}

static void check(const char *line)
{
    SCOPED_BY(report_end) struct report report = {.file = "fuzz"};
    struct solver solver;
    struct solver again;
    bool fine = solver_parse(line, FIRST_PLACE, &report, &solver);
    MUST_HOLD(fine == (report.count == 0));
    if (fine) {
        SCOPED char *text = solver_text(&solver);
        MUST_HOLD(solver_parse(text, FIRST_PLACE, &report, &again));
        MUST_HOLD(again.algorithm == solver.algorithm &&
                  again.heuristic.kind == solver.heuristic.kind);
        MUST_HOLD(again.heuristic.argument == solver.heuristic.argument); /* one copy */
        MUST_HOLD(same_options(solver.algorithm->options, solver.options, again.options));
        if (solver.heuristic.kind != NULL)
            MUST_HOLD(same_options(solver.heuristic.kind->options, solver.heuristic.options,
                                   again.heuristic.options));
        MUST_HOLD(strcmp(again.order, solver.order) == 0);
        MUST_HOLD(solver_properties(&solver) == solver_properties(&again));
        SCOPED char *text_again = solver_text(&again);
        MUST_HOLD(strcmp(text, text_again) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = end == NULL ? size - at : (size_t)(end - (data + at));
        SCOPED char *line = fuzz_text(data + at, length);
        check(line);
        at += length + 1;
    }
    return 0;
}
