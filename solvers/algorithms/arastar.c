/* ARA*, anytime repairing A* (Likhachev, Gordon and Thrun, "ARA*: anytime A* with provable bounds
 * on sub-optimality", NIPS 2003): weighted A* with a weight that falls, each round with what the
 * rounds before have found.
 *
 * In a round each node is expanded once at most. If a shorter path reaches one that was, it waits
 * for the next round. A round ends when the least weighted f is no less than the cost of the
 * solution, which is then within the weight if the heuristic is consistent. The next round has a
 * weight smaller by `decrease`; 1 is the last one, and comes again if the heuristic is not
 * consistent, until nothing is left below the cost of the solution. `iterations` counts the rounds.
 */
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(arastar);

enum { WEIGHT, DECREASE };

const struct option_row arastar_options[] = {
    [WEIGHT] = FIRST_WEIGHT_OPTION("the weight of h in the first round", 3),
    [DECREASE] = {.name = "decrease",
                  .help = "by how much the weight falls from round to round; 0: to 1 at once",
                  .kind = OPTION_DECIMAL,
                  .fallback = DECIMAL_ONE / 5,
                  .min = 0,
                  .max = 1000 * DECIMAL_ONE},
    {.kind = OPTION_END},
};

/* ROUND holds the round, from 1, in which a node was expanded last. */
enum { BY_WEIGHTED_F = BY_F + 1, ROUND };

static uint32_t round_of(const struct lists *lists)
{
    return (uint32_t)lists->search->statistics.iterations;
}

static bool arrives(struct lists *lists, uint32_t id)
{
    return lists_put(lists, &lists->of[BY_F], id) &&
           (lists->columns[ROUND][id] == round_of(lists) ||
            lists_put(lists, &lists->of[BY_WEIGHTED_F], id));
}

/* Begins the next round: all live nodes are in it. */
static bool next_round(struct lists *lists)
{
    const struct open_list *all = &lists->of[BY_F];
    const uint64_t decrease = (uint64_t)lists->search->options[DECREASE];
    lists->weight = decrease > 0 && lists->weight > DECIMAL_ONE + decrease
                        ? lists->weight - decrease
                        : DECIMAL_ONE;
    lists->search->statistics.iterations++;
    lists_remake(lists, &lists->of[BY_WEIGHTED_F]);
    for (uint32_t at = 0; at < all->count; at++)
        if (!lists_put(lists, &lists->of[BY_WEIGHTED_F], all->entries[at]))
            return false;
    return true;
}

static uint32_t choose(struct lists *lists)
{
    const struct open_list *list = &lists->of[BY_WEIGHTED_F];
    while (lists_least_f(lists) < lists->bound) {
        const uint32_t id = list_first(list);
        const uint128 f =
            id == NO_NODE ? (uint128)lists->bound * DECIMAL_ONE : lists_weighted(lists, id);
        if (id != NO_NODE && (lists->bound == NO_COST || f < (uint128)lists->bound * DECIMAL_ONE)) {
            if (lists_is_consistent(lists->search))
                raise_to(&lists->proved, (uint64_t)((f + lists->weight - 1) / lists->weight));
            lists->columns[ROUND][id] = round_of(lists);
            return id;
        }
        if (!next_round(lists)) {
            lists->search->status = STATUS_memory_limit;
            return NO_NODE;
        }
    }
    return NO_NODE;
}

void arastar_run(struct search *search)
{
    struct lists lists;
    lists_start(&lists, search, 2, (lists_order *const[]){lists_by_f, lists_by_weighted_f});
    lists.column_count = ROUND + 1;
    lists.weight = (uint64_t)search->options[WEIGHT];
    lists.improves = true;
    lists.arrives = arrives;
    lists_run(&lists, choose);
}
