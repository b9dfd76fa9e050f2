#include "harness/compare/heuristic_names.h"
#include "algorithms/solver.h"
#include "base/heap.h"

char *astar_with_its_heuristic(const char *solver)
{
    struct solver parsed;
    struct solver astar;
    char *text = NULL;
    SCOPED_BY(report_end) struct report report = {0};
    if (solver_parse(solver, FIRST_PLACE, &report, &parsed) && parsed.heuristic.kind != NULL &&
        solver_start(&astar, "astar", FIRST_PLACE, &report)) {
        astar.heuristic = parsed.heuristic;
        text = solver_text(&astar);
    }
    return text == NULL ? heap_text(solver) : text;
}

char *heuristic_of(const char *astar)
{
    static const char opening[] = "astar(";
    const size_t length = strlen(opening);
    return strncmp(astar, opening, length) != 0
               ? heap_text(astar)
               : heap_format("%.*s", (int)(strlen(astar) - length - 1), astar + length);
}
