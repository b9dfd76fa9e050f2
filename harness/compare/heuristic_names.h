/* What tables and figures call the heuristic of a solver, so that solvers with the same one share a
 * row, a column or a line. */
#pragma once

/* A* with a solver's heuristic, in the short form; the solver itself if tilelab does not know it.
 * Heap memory, free(). */
char *astar_with_its_heuristic(const char *solver);

/* "HEURISTIC" of "astar(HEURISTIC)", any other text itself; to be freed. */
char *heuristic_of(const char *astar);
