/* Priorities of weighted A* with which no node need be opened again (Chen and Sturtevant,
 * "Conditions for avoiding node re-expansions in bounded suboptimal search", IJCAI 2019, and
 * "Necessary and sufficient conditions for avoiding reopenings in best first suboptimal search with
 * general bounding functions", AAAI 2021). The first node has the smallest; each is w C at a goal
 * of cost C and at most that on a shortest path, up to a factor that all nodes have in common:
 *     pwxd: g + h where h > g, else (g + (2w - 1) h) / w
 *     pwxu: g / (2w - 1) + h where g < (2w - 1) h, else (g + h) / w
 *     xdp:  (g + (2w - 1) h + sqrt((g - h)^2 + 4 w g h)) / 2w
 *     xup:  (g + h + sqrt((g + h)^2 + 4 w (w - 1) h^2)) / 2w
 * They let a path err more where it is far from the goal (d) or near to it (u). */
#pragma once

#include "search/search.h"

enum priority { PRIORITY_WA, PRIORITY_PWXD, PRIORITY_PWXU, PRIORITY_XDP, PRIORITY_XUP };

/* Searches by one of these priorities, but PRIORITY_WA; w in thousandths. A node is opened again
 * only if the heuristic is not consistent, and not if `keeps_closed`. */
void search_by_priority(struct search *search, enum priority priority, int64_t w, int ties,
                        bool keeps_closed);
