#include "search/search.h"

bool search_may_go_on(struct search *search)
{
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
