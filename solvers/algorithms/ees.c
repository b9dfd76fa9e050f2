/* Explicit Estimation Search (Thayer and Ruml, "Bounded suboptimal search: a direct approach using
 * inadmissible estimates", IJCAI 2011).
 *
 * Along the path to a node h has erred by so much a move: by e = (h(child) + cost - h(parent)) on
 * average. Who expects the rest to go on like this expects d' = d / (1 - e_d) more moves, d being
 * the moves that h expects and e_d its error in moves, and f' = f + d' e. Of the live nodes whose
 * f' is at most w times the least f', the one of least d' is nearest to a solution that is good
 * enough. It is expanded if its f' is also at most w times the least f, so that the solution is
 * sure to be within w; else the node of least f' if its own is; else the node of least f, which
 * raises the bound.
 *
 * Sums of errors along a path need not be kept: they are what f has grown since the start, and d
 * plus the depth. Where moves cost different amounts, d is the heuristic's value for moves that
 * cost 1 each, which is h elsewhere. Estimates are fractions, and are compared exactly; where a
 * path has come no nearer at all, they are infinite. */
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(ees);

enum { W };

const struct option_row ees_options[] = {
    [W] = WITHIN_OPTION,
    {.kind = OPTION_END},
};

enum { BY_ESTIMATE = BY_F + 1, FOCAL, WAITING };

/* over / under; infinite if under is 0. */
struct fraction {
    uint128 over, under;
};

static int compare(struct fraction a, struct fraction b)
{
    const uint128 left = a.over * b.under;
    const uint128 right = b.over * a.under;
    return (left > right) - (left < right);
}

/* d, the moves to go as the heuristic says. */
static uint64_t moves_left(const struct lists *lists, uint32_t id)
{
    return lists->values == NULL ? lists->labels[id].h : lists->values[id];
}

/* d', the moves to go when errors are counted in. */
static struct fraction moves_expected(const struct lists *lists, uint32_t id)
{
    const uint64_t depth = lists->store.nodes[id].g;
    const uint64_t left = moves_left(lists, id);
    const uint64_t left_at_start = moves_left(lists, 0);
    if (depth == 0 || left == 0)
        return (struct fraction){left, 1};
    if (left >= left_at_start)
        return (struct fraction){1, 0};
    return (struct fraction){(uint128)left * depth, left_at_start - left};
}

/* f', the cost of a solution through the node when errors are counted in. */
static struct fraction estimate(const struct lists *lists, uint32_t id)
{
    const uint64_t f = lists_f(lists, id);
    const uint64_t f_at_start = lists->labels[0].h;
    const uint64_t left = moves_left(lists, id);
    const uint64_t left_at_start = moves_left(lists, 0);
    if (lists->labels[id].g == 0 || left == 0 || f <= f_at_start)
        return (struct fraction){f, 1};
    if (left >= left_at_start)
        return (struct fraction){1, 0};
    const uint64_t nearer = left_at_start - left;
    return (struct fraction){(uint128)f * nearer + (uint128)left * (f - f_at_start), nearer};
}

static bool by_estimate(const struct lists *lists, uint32_t a, uint32_t b)
{
    const int order = compare(estimate(lists, a), estimate(lists, b));
    return order != 0 ? order < 0 : lists_tie(lists, a, b);
}

static bool by_moves(const struct lists *lists, uint32_t a, uint32_t b)
{
    const int order = compare(moves_expected(lists, a), moves_expected(lists, b));
    return order != 0 ? order < 0 : by_estimate(lists, a, b);
}

static bool estimated_within(const struct lists *lists, uint32_t id, struct fraction least)
{
    const struct fraction own = estimate(lists, id);
    return compare((struct fraction){own.over * DECIMAL_ONE, own.under},
                   (struct fraction){least.over * lists->w, least.under}) <= 0;
}

static bool is_focal(const struct lists *lists, uint32_t id)
{
    return estimated_within(lists, id, estimate(lists, list_first(&lists->of[BY_ESTIMATE])));
}

static bool arrives(struct lists *lists, uint32_t id)
{
    return lists_put(lists, &lists->of[BY_F], id) &&
           lists_put(lists, &lists->of[BY_ESTIMATE], id) &&
           lists_put(lists, &lists->of[is_focal(lists, id) ? FOCAL : WAITING], id);
}

static uint32_t choose(struct lists *lists)
{
    const struct fraction least_f = {lists_least_f(lists), 1};
    const uint32_t nearest =
        lists_first_inside(lists, &lists->of[FOCAL], &lists->of[WAITING], is_focal);
    if (nearest == NO_NODE || estimated_within(lists, nearest, least_f))
        return nearest;
    const uint32_t best = list_first(&lists->of[BY_ESTIMATE]);
    return estimated_within(lists, best, least_f) ? best : list_first(&lists->of[BY_F]);
}

void ees_run(struct search *search)
{
    struct lists lists;
    lists_order *const orders[] = {[BY_F] = lists_by_f,
                                   [BY_ESTIMATE] = by_estimate,
                                   [FOCAL] = by_moves,
                                   [WAITING] = by_estimate};
    lists_start(&lists, search, WAITING + 1, orders);
    lists.w = (uint64_t)search->options[W];
    lists.arrives = arrives;
    lists.others[START] = search->in_moves;
    lists_run(&lists, choose);
}
