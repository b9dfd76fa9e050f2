/* tilelab-reads: how fast memory gives what a search by pattern databases reads.
 *
 *     tilelab-reads SOLVER GOAL START NODES
 *
 * A child of idastar changes the value of one group: one read of its table. The search is run once,
 * seen by an observer, up to NODES generated nodes, and where these values lie is written down.
 * Then the reads alone are made again in this order, each prefetched AHEAD reads before. Prints how
 * many they are and the seconds of processor time that they take, as JSON. What searches do besides
 * (find out where a value lies, keep nodes) is not in it. They are made only once: a second time
 * the caches would know more of them than a search's do. */
#include "algorithms/solver.h"
#include "base/clock.h"
#include "base/heap.h"
#include "heuristics/max.h"
#include "puzzle/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 128 };

struct reads {
    const struct pdb *pdb;
    const uint8_t **at; /* heap memory */
    size_t count;
    size_t room;
};

static bool see(void *context, const struct event *event)
{
    struct reads *reads = context;
    const struct board *board = event->node.board;
    if (event->kind != EVENT_CHILD)
        return false;
    const struct pdb_sum *sum = &reads->pdb->sum[0];
    const unsigned last = move_target(board->shape, board->blank, move_undo(event->node.move));
    const struct pdb_group *group = sum->group[sum->group_of[board->cell[last]]];
    uint64_t set;
    reads->at = heap_reserve(reads->at, &reads->room, reads->count + 1, sizeof *reads->at);
    reads->at[reads->count++] = group->values + pdb_group_rank(group, board, &set);
    return false;
}

/* The seconds that the reads take. */
static double read_all(const struct reads *reads)
{
    static volatile unsigned sum; /* so that nothing is left out */
    unsigned found = 0;
    const double start = clock_cpu();
    for (size_t i = 0; i < reads->count; i++) {
        __builtin_prefetch(reads->at[i + AHEAD < reads->count ? i + AHEAD : i]);
        found += *reads->at[i];
    }
    sum = found;
    (void)sum;
    return clock_cpu() - start;
}

int main(int count, char **text)
{
    struct report report = {0};
    struct solver solver;
    struct task task = {.order = "ULRD"};
    struct limits limits = {.bytes = UINT64_C(1) << 31};
    struct heuristic heuristic = {.kind = NULL};
    struct reads reads = {0};
    struct result result;
    if (count != 5) {
        fputs("usage: tilelab-reads SOLVER GOAL START NODES\n", stderr);
        return 2;
    }
    if (!solver_parse(text[1], FIRST_PLACE, &report, &solver) ||
        !board_parse(text[2], NULL, FIRST_PLACE, &report, &task.goal) ||
        !board_parse(text[3], NULL, FIRST_PLACE, &report, &task.start) ||
        !solver_defined(&solver, &task.start, &task.goal, &report)) {
        fputs(report.text, stderr);
        return 2;
    }
    if (strcmp(solver.algorithm->name, "idastar") == 0) {
        heuristic_start(&heuristic, &solver.heuristic, &task.goal);
        reads.pdb = pdb_of(&heuristic);
    }
    if (reads.pdb == NULL || reads.pdb->sums != 1 || reads.pdb->zero) {
        fprintf(stderr, "%s: expected idastar with one sum of ordinary pattern databases\n",
                text[1]);
        if (heuristic.kind != NULL)
            heuristic_end(&heuristic);
        return 2;
    }
    limits.nodes = strtoull(text[4], NULL, 10);
    const struct observer observer = {.sees = see, .context = &reads};
    solver_run(&solver, &task, &limits, &observer, &result);
    const double seconds = read_all(&reads);
    printf("{\"generated\": %llu, \"reads\": %zu, \"seconds\": %.6f}\n",
           (unsigned long long)result.statistics.generated, reads.count, seconds);
    result_end(&result);
    heuristic_end(&heuristic);
    free(reads.at);
    return 0;
}
