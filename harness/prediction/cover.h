/* The least that any search from both ends must expand, front to end: of each pair of a state u
 * that is reached forward and a state v that is reached backward with f(u) < C*, f(v) < C* and g(u)
 * + g(v) + e < C*, one (Eckerle, Chen, Sturtevant, Zilles and Holte, "Sufficient conditions for
 * node expansion in bidirectional heuristic search", ICAPS 2017). The pairs are the edges of a
 * graph, and its minimum vertex cover is the least number of expansions (Chen, Holte, Zilles and
 * Sturtevant, "Front-to-end bidirectional heuristic search with near-optimal node expansions",
 * IJCAI 2017).
 *
 * Once the states with f >= C* are left out, whether two are a pair depends on their g alone. So
 * the minimum cover is all u with g(u) < t and all v with g(v) < C* - e - t for some t, as whoever
 * is nearest to the start and not in the cover forces all v below that into it.
 *
 * For consistent heuristics, and boards of at most MAX_TABLE_CELLS cells. */
#pragma once

#include "heuristics/heuristic.h"
#include "puzzle/distance.h"

enum { COVER_EDGES = 2 }; /* e = 0, and e = 1, the cost of the cheapest move */

struct cover {
    unsigned optimal;           /* C* */
    uint64_t forward;           /* states with f < C* forward: what A* must expand */
    uint64_t backward;          /* and backward */
    uint64_t size[COVER_EDGES]; /* of the minimum cover, by e */
};

/* What all starts share. */
struct covers {
    const struct distances *distances;
    const struct heuristic_choice *choice;
    uint32_t *neighbour; /* owned; [rank * MOVES + i]; UINT32_MAX: no more */
    uint16_t *h;         /* owned; to the goal, by rank */
    uint32_t *seen;      /* owned; by rank: the number of the search that saw it last */
    uint32_t searches;
    uint32_t *queue; /* owned */
};

/* Prepares covers for a goal, by its distances and the heuristic, which the goal must not refuse;
 * covers_end frees them. Both must outlive them. */
void covers_start(struct covers *covers, const struct distances *distances,
                  const struct heuristic_choice *choice);
void covers_end(struct covers *covers);

/* The cover of a board that can reach the goal. The heuristic must not refuse the board as a goal
 * (heuristic_refuses): it also estimates the distance to the start. */
struct cover cover_of(struct covers *covers, const struct board *start);
