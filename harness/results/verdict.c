#include "harness/results/verdict.h"
#include "base/heap.h"
#include "puzzle/replay.h"
#include <string.h>

static char *why_path_is_wrong(const struct solver *solver, const struct instance *instance,
                               const struct result *result)
{
    if (result->moves == NULL || strlen(result->moves) != result->length)
        return heap_format("the path does not have the %zu moves that were claimed",
                           result->length);
    struct replay replay =
        replay_path(&instance->start, &instance->goal, result->moves, result->length);
    switch (replay.outcome) {
    case REPLAY_MISSES_GOAL:
        return heap_format("the path's %zu moves do not end at the goal", result->length);
    case REPLAY_LEAVES_BOARD:
        return heap_format("move %zu of the path, %c, leaves the board", replay.moves + 1,
                           result->moves[replay.moves]);
    case REPLAY_NOT_A_MOVE:
        return heap_format("move %zu of the path is not a move", replay.moves + 1);
    case REPLAY_REACHES_GOAL:
        break;
    }
    if (instance->optimal_length == LENGTH_UNKNOWN)
        return NULL;
    size_t optimal = (size_t)instance->optimal_length;
    if (result->length < optimal)
        return heap_format("the path has %zu moves, fewer than the known optimum of %zu",
                           result->length, optimal);
    const int64_t bound = solver_bound(solver);
    if (result->length > optimal && bound == DECIMAL_ONE)
        return heap_format(
            "the path has %zu moves; a shortest one, which this solver promises, has %zu",
            result->length, optimal);
    if (bound > 0 && result->length * DECIMAL_ONE > optimal * (size_t)bound)
        return heap_format("the path has %zu moves; this solver promises at most %g times the %zu "
                           "of a shortest one",
                           result->length, (double)bound / DECIMAL_ONE, optimal);
    return NULL;
}

static char *why_wrong(const struct solver *solver, const struct instance *instance,
                       const struct result *result)
{
    const bool reachable = board_connected(&instance->start, &instance->goal);
    const unsigned properties = solver_properties(solver);
    if (instance->optimal_length != LENGTH_UNKNOWN && result->h_start > instance->optimal_length &&
        (properties & ADMISSIBLE) != 0)
        return heap_format("h at the start is %d, above the known optimum of %d, with a heuristic "
                           "that promises not to be",
                           result->h_start, instance->optimal_length);
    switch (result->status) {
    case STATUS_solved:
        return why_path_is_wrong(solver, instance, result);
    case STATUS_unsolvable:
        return reachable ? heap_text("called unsolvable, but the parity allows a solution") : NULL;
    case STATUS_exhausted:
        return reachable && (properties & COMPLETE) != 0
                   ? heap_text("found no solution, although there is one and this solver promises "
                               "to find it")
                   : NULL;
    default:
        return NULL;
    }
}

char *verify_result(const struct solver *solver, const struct instance *instance,
                    struct result *result)
{
    char *why = why_wrong(solver, instance, result);
    if (why != NULL)
        result->status = STATUS_wrong_answer;
    return why;
}
