#include "harness/prediction/cover.h"
#include "base/heap.h"
#include "puzzle/moves.h"

#define NO_RANK UINT32_MAX

void covers_start(struct covers *covers, const struct distances *distances,
                  const struct heuristic_choice *choice)
{
    const struct ranking *ranking = &distances->ranking;
    *covers = (struct covers){.distances = distances, .choice = choice};
    covers->neighbour = heap_take((size_t)ranking->size * MOVES, sizeof *covers->neighbour);
    covers->h = heap_take(ranking->size, sizeof *covers->h);
    covers->seen = heap_take(ranking->size, sizeof *covers->seen);
    covers->queue = heap_take(ranking->size, sizeof *covers->queue);
    SCOPED_BY(heuristic_end) struct heuristic heuristic;
    heuristic_start(&heuristic, choice, &ranking->goal);
    for (uint32_t rank = 0; rank < ranking->size; rank++) {
        struct board board;
        ranking_unrank(ranking, rank, &board);
        covers->h[rank] = (uint16_t)heuristic.kind->evaluate(&heuristic, &board);
        const unsigned blank = board.blank;
        unsigned count = 0;
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned to = move_target(board.shape, blank, move);
            if (to == NO_CELL)
                continue;
            board_slide(&board, to);
            covers->neighbour[(size_t)rank * MOVES + count++] = ranking_rank(ranking, &board);
            board_slide(&board, blank);
        }
        while (count < MOVES)
            covers->neighbour[(size_t)rank * MOVES + count++] = NO_RANK;
    }
}

void covers_end(struct covers *covers)
{
    FREE(covers->neighbour, covers->h, covers->seen, covers->queue);
}

/* h of a state: to the goal, or with a heuristic to the start. */
static unsigned value_of(const struct covers *covers, const struct heuristic *backward,
                         uint32_t rank)
{
    struct board board;
    if (backward == NULL)
        return covers->h[rank];
    ranking_unrank(&covers->distances->ranking, rank, &board);
    return backward->kind->evaluate(backward, &board);
}

/* Counts the states with g + h < `optimal` by g, g their distance from `root`. As h is consistent,
 * all states on a shortest way to such a state are such states, so a breadth-first search among
 * them finds their distances. */
static void count_states(struct covers *covers, uint32_t root, const struct heuristic *backward,
                         unsigned optimal, uint64_t at[MAX_DISTANCES])
{
    const uint32_t number = ++covers->searches;
    uint32_t head = 0, tail = 0;
    unsigned g = 0;
    covers->seen[root] = number;
    if (value_of(covers, backward, root) < optimal)
        covers->queue[tail++] = root;
    while (head < tail) {
        const uint32_t layer_end = tail;
        at[g++] = layer_end - head;
        for (; head < layer_end; head++) {
            const uint32_t *next = &covers->neighbour[(size_t)covers->queue[head] * MOVES];
            for (unsigned i = 0; i < MOVES && next[i] != NO_RANK; i++) {
                if (covers->seen[next[i]] == number)
                    continue;
                covers->seen[next[i]] = number;
                if (g + value_of(covers, backward, next[i]) < optimal)
                    covers->queue[tail++] = next[i];
            }
        }
    }
}

static uint64_t minimum_cover(const uint64_t forward[MAX_DISTANCES],
                              const uint64_t backward[MAX_DISTANCES], unsigned below)
{
    uint64_t size = 0;
    for (unsigned j = 0; j < below; j++)
        size += backward[j];
    uint64_t smallest = size;
    for (unsigned t = 0; t < below; t++) { /* u with g = t go in, v with g = below - t - 1 go out */
        size += forward[t] - backward[below - t - 1];
        smallest = size < smallest ? size : smallest;
    }
    return smallest;
}

struct cover cover_of(struct covers *covers, const struct board *start)
{
    const struct ranking *ranking = &covers->distances->ranking;
    const uint32_t rank = ranking_rank(ranking, start);
    struct cover cover = {.optimal = covers->distances->depth[rank]};
    uint64_t forward[MAX_DISTANCES] = {0}, backward[MAX_DISTANCES] = {0};
    SCOPED_BY(heuristic_end) struct heuristic heuristic;
    heuristic_start(&heuristic, covers->choice, start);
    count_states(covers, rank, NULL, cover.optimal, forward);
    count_states(covers, ranking_rank(ranking, &ranking->goal), &heuristic, cover.optimal,
                 backward);
    for (unsigned g = 0; g < MAX_DISTANCES; g++) {
        cover.forward += forward[g];
        cover.backward += backward[g];
    }
    for (unsigned e = 0; e < COVER_EDGES; e++)
        cover.size[e] = cover.optimal < e ? 0 : minimum_cover(forward, backward, cover.optimal - e);
    return cover;
}
