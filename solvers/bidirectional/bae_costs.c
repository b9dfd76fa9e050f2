#include "bidirectional/bae_costs.h"
#include "search/lists.h"

enum { BY_B, BY_F_OF_SIDE, BY_G_OF_SIDE, BY_ERROR };

struct bae {
    struct lists lists; /* its values are h' */
    bool smaller, all_bounds;
    unsigned last; /* whose node was expanded last */
};

static uint64_t priced_error(const struct lists *lists, uint32_t id)
{
    const uint64_t g = lists->labels[id].g;
    return g > lists->values[id] ? g - lists->values[id] : 0;
}

static bool by_error(const struct lists *lists, uint32_t a, uint32_t b)
{
    return priced_error(lists, a) < priced_error(lists, b);
}

static uint64_t b_of(const struct lists *lists, uint32_t id)
{
    return lists_f(lists, id) + priced_error(lists, id);
}

static bool by_b(const struct lists *lists, uint32_t a, uint32_t b)
{
    const uint64_t of_a = b_of(lists, a);
    const uint64_t of_b = b_of(lists, b);
    return of_a != of_b ? of_a < of_b : lists_tie(lists, a, b);
}

/* No path that has not been found costs less. Both sides have live nodes. */
static uint64_t lower_bound(struct bae *bae)
{
    struct lists *lists = &bae->lists;
    uint64_t b = 1, g = least_move_cost(lists->search);
    for (unsigned side = START; side < SIDES; side++) {
        b += b_of(lists, lists_first(lists, BY_B, side));
        g += lists->labels[lists_first(lists, BY_G_OF_SIDE, side)].g;
    }
    uint64_t bound = b / 2;
    if (bae->all_bounds) {
        for (unsigned side = START; side < SIDES; side++)
            raise_to(&bound, lists_f(lists, lists_first(lists, BY_F_OF_SIDE, side)) +
                                 priced_error(lists, lists_first(lists, BY_ERROR, !side)));
        raise_to(&bound, g);
    }
    return bound;
}

static uint32_t choose(struct lists *lists)
{
    struct bae *bae = (struct bae *)lists;
    for (;;) {
        const uint32_t first[SIDES] = {lists_first(lists, BY_B, START),
                                       lists_first(lists, BY_B, GOAL)};
        if (first[START] == NO_NODE || first[GOAL] == NO_NODE || lists->best <= lower_bound(bae))
            return NO_NODE;
        const unsigned side = bae->smaller ? lists->live[GOAL] < lists->live[START] : !bae->last;
        const uint32_t id = first[side];
        const uint32_t twin = lists_twin(lists, id);
        if (lists_f(lists, id) >= lists->best) {
            lists_drop(lists, id, FATE_BOUNDED);
        } else if (twin != NO_NODE && lists->store.nodes[twin].closed) {
            lists_drop(lists, id, FATE_MEETS);
        } else {
            bae->last = side;
            return id;
        }
    }
}

void bae_by_costs(struct search *search, bool smaller, bool all_bounds)
{
    struct bae bae = {.smaller = smaller, .all_bounds = all_bounds, .last = GOAL};
    lists_order *const orders[] = {[BY_B] = by_b,
                                   [BY_F_OF_SIDE] = lists_by_f,
                                   [BY_G_OF_SIDE] = lists_by_g,
                                   [BY_ERROR] = by_error};
    lists_start_both(&bae.lists, search, BY_ERROR + 1, orders);
    for (unsigned side = START; side < SIDES; side++)
        bae.lists.others[side] = bae.lists.guides[!side];
    bae.lists.screens = true;
    lists_run(&bae.lists, choose);
}
