/* A*_epsilon (Pearl and Kim, "Studies in semi-admissible heuristics", IEEE Transactions on Pattern
 * Analysis and Machine Intelligence 4, 1982): of the live nodes whose f is at most w times the
 * least, which are the focal list, the one of least h goes first, whatever its g; with by=moves,
 * the one of the fewest moves to go. These differ where moves cost different amounts: then the
 * heuristic is asked twice, for costs and for moves that cost 1 each.
 *
 * So a goal that goes first costs at most w times the least f, and that is at most what a shortest
 * solution costs. A node that is reached by a shorter path is opened again. */
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(focal);

enum { W, BY };
enum { BY_H, BY_MOVES };

const struct option_row focal_options[] = {
    [W] = WITHIN_OPTION,
    [BY] = {CHOICE_OPTION("by",
                          "what the node that goes first has least of: h, or moves to go where "
                          "moves cost different amounts",
                          "h", "moves")},
    {.kind = OPTION_END},
};

enum { FOCAL = BY_F + 1, WAITING };

static bool is_focal(const struct lists *lists, uint32_t id)
{
    return lists_within_w(lists, lists_f(lists, id), lists_least_f(lists));
}

static bool arrives(struct lists *lists, uint32_t id)
{
    return lists_put(lists, &lists->of[BY_F], id) &&
           lists_put(lists, &lists->of[is_focal(lists, id) ? FOCAL : WAITING], id);
}

static uint32_t choose(struct lists *lists)
{
    return lists_first_inside(lists, &lists->of[FOCAL], &lists->of[WAITING], is_focal);
}

static bool by_moves(const struct lists *lists, uint32_t a, uint32_t b)
{
    if (lists->values[a] != lists->values[b])
        return lists->values[a] < lists->values[b];
    return lists_by_h(lists, a, b);
}

void focal_run(struct search *search)
{
    struct lists lists;
    const bool counts_moves = search->options[BY] == BY_MOVES && search->in_moves != NULL;
    lists_order *const orders[] = {[BY_F] = lists_by_f,
                                   [FOCAL] = counts_moves ? by_moves : lists_by_h,
                                   [WAITING] = lists_by_f};
    lists_start(&lists, search, WAITING + 1, orders);
    lists.w = (uint64_t)search->options[W];
    lists.arrives = arrives;
    if (counts_moves)
        lists.others[START] = search->in_moves;
    lists_run(&lists, choose);
}
