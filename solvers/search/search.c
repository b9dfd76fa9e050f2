#include "search/search.h"
#include "puzzle/replay.h"
#include "search/costs.h"
#include "search/view.h"

bool search_may_go_on(struct search *search)
{
    if (search->watcher != NULL)
        search->watcher->watch(search->watcher->context, &search->statistics);
    if (search->limits.interrupted != NULL &&
        __atomic_load_n(search->limits.interrupted, __ATOMIC_RELAXED) != 0) {
        search->status = STATUS_interrupted;
        search->paused = search->checkpoint_at > 0;
        return false;
    }
    if (search->deadline > 0 && clock_wall() >= search->deadline) {
        search->status = STATUS_time_limit;
        return false;
    }
    if (search->cpu_deadline > 0 && clock_seconds(search->cpu_clock) >= search->cpu_deadline) {
        search->status = STATUS_cpu_limit;
        return false;
    }
    if (search->checkpoint_at > 0 && clock_wall() >= search->checkpoint_at) {
        search->paused = true;
        return false;
    }
    return true;
}

bool search_shows(struct search *search, const struct enode *enode)
{
    const struct observer *observer = search->observer;
    if (viewed(search) && !search_may_go_on(search))
        return false;
    if (observer->expands != NULL)
        observer->expands(observer->context, &enode->board, enode->g, enode->h);
    if (viewed(search))
        view_expands(search, enode);
    return true;
}

unsigned search_start_h(const struct search *search)
{
    if (search->heuristic == NULL)
        return 0;
    if (search->costs != NULL) /* a heuristic prepared for costs has no other value */
        return (unsigned)priced_start_h(search);
    return search->heuristic->kind->evaluate(search->heuristic, &search->task->start);
}

bool search_generates_root(struct search *search)
{
    if (!search_generates(search))
        return false;
    if (viewed(search))
        view_root(search, &search->task->start, search_start_h(search), START);
    return true;
}

void search_table_steps(struct search *search, struct step_table *steps)
{
    const struct heuristic *heuristic = search->heuristic;
    const struct board *goal = &search->task->goal;
    if (heuristic == NULL || !(heuristic_properties(&heuristic->choice) & INCREMENTAL))
        return;
    for (unsigned blank = 0; blank < goal->shape.cells; blank++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = search->operators.target[blank][move];
            for (unsigned tile = 1; from != NO_CELL && tile < goal->shape.cells; tile++)
                steps->of[blank][move][tile] =
                    (int16_t)heuristic_rise(heuristic, tile, from, blank);
        }
    search->steps = steps;
}

enum status search_none_within(const struct search *search)
{
    const bool admissible = (heuristic_properties(&search->heuristic->choice) & ADMISSIBLE) != 0;
    return admissible ? STATUS_exhausted : STATUS_stuck;
}

bool search_begins_round(struct search *search, const char *name, uint64_t threshold)
{
    const struct statistics *so_far = &search->statistics;
    const size_t count = search->round_count;
    if (count == MAX_ROUNDS) {
        search->statistics.iterations++;
        view_round(search, name, threshold);
        return true;
    }
    struct search_round *rounds =
        arena_keep(&search->arena, search->rounds, (count + 1) * sizeof *rounds);
    if (rounds == NULL) {
        search->status = STATUS_memory_limit; /* out_of_memory in the end */
        return false;
    }
    rounds[count] = (struct search_round){threshold, count == 0 ? 0 : so_far->expanded,
                                          count == 0 ? 0 : so_far->generated};
    search->statistics.iterations++;
    search->rounds = rounds;
    search->round_count = count + 1;
    view_round(search, name, threshold);
    return true;
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
    if (viewed(search))
        view_goal(search, length);
    return moves;
}

bool search_improves(struct search *search)
{
    struct statistics *counted = &search->statistics;
    const struct task *task = search->task;
    const size_t at =
        search->incumbent_count < MAX_INCUMBENTS ? search->incumbent_count : MAX_INCUMBENTS - 1;
    counted->best_found = counted->generated;
    if (counted->first_found == 0)
        counted->first_found = counted->generated;
    struct incumbent *incumbents =
        arena_keep(&search->arena, search->incumbents, (at + 1) * sizeof *incumbents);
    if (incumbents == NULL) {
        search->status = STATUS_memory_limit; /* out_of_memory in the end */
        return false;
    }
    const struct replay replay =
        replay_path(&task->start, &task->goal, search->moves, search->length);
    incumbents[at] = (struct incumbent){
        .seconds = clock_wall() - search->begun,
        .expanded = counted->expanded,
        .generated = counted->generated,
        .length = search->length,
        .cost = path_cost(search, search->moves, search->length),
        .verified = replay.outcome == REPLAY_REACHES_GOAL,
    };
    search->incumbents = incumbents;
    search->incumbent_count = at + 1;
    return true;
}

uint64_t path_cost(const struct search *search, const char *moves, size_t length)
{
    struct board board = search->task->start;
    uint64_t cost = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned to = search->operators.target[board.blank][move_parse(moves[i])];
        cost += move_cost(search, board.cell[to]);
        board_slide(&board, to);
    }
    return cost;
}
