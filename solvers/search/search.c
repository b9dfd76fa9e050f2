#include "search/search.h"
#include "base/heap.h"

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

void search_begins_round(struct search *search, uint64_t threshold)
{
    const struct statistics *so_far = &search->statistics;
    const bool first = search->round_count == 0;
    search->statistics.iterations++;
    if (search->round_count == MAX_ROUNDS)
        return;
    search->rounds = heap_grow(search->rounds, search->round_count, sizeof *search->rounds);
    search->rounds[search->round_count++] = (struct search_round){
        threshold, first ? 0 : so_far->expanded, first ? 0 : so_far->generated};
}

char *search_solved(struct search *search, size_t length)
{
    search->moves = heap_resize(search->moves, length + 1);
    search->moves[length] = '\0';
    search->length = length;
    search->status = STATUS_solved;
    return search->moves;
}
