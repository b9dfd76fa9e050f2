#include "search/search.h"

bool search_may_go_on(struct search *search)
{
    if (search->watcher != NULL)
        search->watcher->watch(search->watcher->context, &search->statistics);
    if (search->limits.interrupted != NULL && *search->limits.interrupted != 0) {
        search->status = STATUS_interrupted;
        return false;
    }
    if (search->deadline > 0 && clock_wall() >= search->deadline) {
        search->status = STATUS_time_limit;
        return false;
    }
    return true;
}

unsigned search_start_h(const struct search *search)
{
    if (search->heuristic == NULL)
        return 0;
    return search->heuristic->kind->evaluate(search->heuristic, &search->task->start);
}

char *search_solved(struct search *search, size_t length)
{
    char *moves = arena_keep(&search->arena, search->moves, length + 1);
    if (moves == NULL) {
        search->status = STATUS_memory_limit; /* the arena is starved: out_of_memory in the end */
        return NULL;
    }
    moves[length] = '\0';
    search->moves = moves;
    search->length = length;
    search->status = STATUS_solved;
    return moves;
}
