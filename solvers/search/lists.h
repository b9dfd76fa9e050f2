/* Best-first searches with several open lists: those that keep a solution within w times a shortest
 * one by other means than one sum of g and h, those that go on to better solutions, and, where
 * moves cost different amounts, all others.
 *
 * Each state is one node, in the store. Beside it lie its costs in 64 bits and its place in each
 * open list, an indexed heap, so that a node can leave the middle of a list. A shorter path changes
 * the node where it is: it leaves its lists, gets its new g and parent, and arrives again, as the
 * newest. So the g of a node is never below that of its parent and a move, but above it while a
 * parent that has become cheaper waits for its turn: the path to a node may cost less than its g
 * says.
 *
 * A page is its options, an order for each of its lists, and a function that chooses the next node.
 *
 * A search from both ends has each list twice, and a node of its own for each side that meets a
 * state. Where both have met it, their paths make one from the start to the goal: the cheapest is
 * `best`. */
#pragma once

#include "search/costs.h"
#include "search/expansion.h"

struct lists;

/* Whether node a goes before node b. */
typedef bool lists_order(const struct lists *lists, uint32_t a, uint32_t b);

/* A heap of nodes. */
struct open_list {
    lists_order *before;
    unsigned column; /* holds the place of each node in it, + 1; 0: it is not in it */
    uint32_t *entries;
    uint32_t count;
    uint32_t capacity;
};

struct label {
    uint64_t g; /* costs */
    uint64_t h;
    uint64_t turn; /* rises: of two nodes the newer has the larger one */
};

/* BY_F is the first list of every search that proves something: all live nodes are on it. */
enum { BY_F, MAX_LISTS = 8, MAX_COLUMNS = 5 };

/* The option w of algorithms that are within w by other means than a weight of h. */
#define WITHIN_OPTION                                                                              \
    {                                                                                              \
        .name = "w", .help = "a solution is at most so many times as long as a shortest one",      \
        .kind = OPTION_DECIMAL, .fallback = 3 * DECIMAL_ONE / 2, .min = DECIMAL_ONE,               \
        .max = 1000 * DECIMAL_ONE, .bounds = true                                                  \
    }

struct lists {
    struct search *search;
    struct store store;
    struct label *labels; /* by node */
    uint32_t
        *columns[MAX_COLUMNS]; /* by node: places in lists, and what a page keeps; 0 at first */
    unsigned column_count;     /* how many are in use */
    uint32_t capacity;         /* of labels and columns */
    struct open_list of[MAX_LISTS]; /* of both ends: list_of_side */
    unsigned count;                 /* of lists of a side */
    unsigned sides;                 /* 1, or from both ends SIDES */
    /* Of a search with one list, what never falls along its order: `before` is asked only where it
     * is equal. NULL: `before` is always asked. */
    uint64_t (*key)(const struct lists *, uint32_t id);
    uint64_t *keys; /* of the list's entries */
    const struct heuristic *guides[SIDES];
    const struct heuristic *others[SIDES]; /* of each node of a side `values` holds the value of
                                              this heuristic, too; NULL: none */
    uint64_t *values;
    struct best_first settings; /* its sum of g and h is of lists_best_first only */
    uint64_t depth_limit;       /* nodes of that depth, in moves, are not expanded */
    enum packing packing;
    uint64_t w;      /* thousandths: the bound of a search within w */
    uint64_t weight; /* thousandths: of h in lists_by_weighted_f */
    bool improves;   /* a solution does not end the search, but is its bound from then on */
    uint64_t bound;  /* the cost of the best solution: no node of that f is kept; or NO_COST */
    uint64_t proved; /* no solution costs less; of searches that improve */
    uint64_t best;   /* of both ends: what the best path costs, or NO_COST .. */
    uint32_t joined[SIDES]; /* .. and the nodes at which its parts meet */
    bool screens;           /* of both ends: bound is best */
    uint64_t live[SIDES];
    uint64_t turns;
    uint64_t since; /* what was found up to this turn is forgotten: lists_restart */
    /* What a page does when a node becomes live, and before its costs change or it is taken; NULL:
     * it is put on all lists, and taken off. False when memory is spent. */
    bool (*arrives)(struct lists *, uint32_t id);
    void (*leaves)(struct lists *, uint32_t id);
    /* A better solution was found, by which the bound fell; NULL: nothing else is to be done. False
     * when memory is spent. */
    bool (*improved)(struct lists *, uint32_t goal);
    /* A child of that f was dropped, as it is not below the bound; NULL: nothing is to be done. */
    void (*bounded)(struct lists *, uint64_t f);
    /* Goes on when memory is spent, of which the search had a part: `budget` is the whole. NULL:
     * the search ends. */
    void (*spent)(struct lists *);
    uint64_t budget;
    struct enode enode;
    struct step_table steps;
};

/* The option w of algorithms that weigh h at first and go on. */
#define FIRST_WEIGHT_OPTION(text, weight)                                                          \
    {                                                                                              \
        .name = "w", .help = text, .kind = OPTION_DECIMAL, .fallback = weight * DECIMAL_ONE,       \
        .min = DECIMAL_ONE, .max = 1000 * DECIMAL_ONE                                              \
    }

/* Starts a search with these open lists. The caller has set nothing before, and sets what it needs
 * after. */
void lists_start(struct lists *lists, struct search *search, unsigned count,
                 lists_order *const orders[]);

/* The same of a search from both ends. `choose` ends it when no path costs less than `best`. */
void lists_start_both(struct lists *lists, struct search *search, unsigned count,
                      lists_order *const orders[]);

/* Searches: `choose` names the live node that is next, or NO_NODE if the search is over. Sets
 * search->status and the solution. Gives back all memory. */
void lists_run(struct lists *lists, uint32_t (*choose)(struct lists *));

/* Best-first search by one list, as algorithms/best_first.h and astar/astar.c, whose counters it
 * has where each move costs 1 (property.costs). */
void lists_best_first(struct search *search, const struct best_first *settings,
                      uint64_t depth_limit);

/* Puts a node on a list, where it may be already, its costs being the same. False when memory is
 * spent. */
bool lists_put(struct lists *lists, struct open_list *list, uint32_t id);

/* Takes a node off a list, on which it need not be. */
void lists_remove(struct lists *lists, struct open_list *list, uint32_t id);

/* A live node will not be expanded: why. */
void lists_drop(struct lists *lists, uint32_t id, enum fate fate);

/* The node of the other side that has the same state; NO_NODE if there is none. */
uint32_t lists_twin(const struct lists *lists, uint32_t id);

/* What the move costs that leads to a node from its parent. Along a path that is the difference of
 * their g, or less: see above. */
uint64_t lists_last_cost(const struct lists *lists, uint32_t id);

/* The order of a list has changed. */
void lists_remake(struct lists *lists, struct open_list *list);

/* search->moves has a better solution: it is the new bound. False when the search must end. */
bool lists_improves(struct lists *lists, uint64_t cost);

/* Empties the lists, of which all nodes are on the first, and begins anew at the root: a path that
 * was found before counts no more. False when memory is spent. */
bool lists_restart(struct lists *lists);

/* Two lists that share the live nodes: `inside` those for which `is_in` holds now, in the order
 * that the page wants, and `outside` the others, in the order in which they will come in. Returns
 * the first inside, or NO_NODE. Nodes inside that are so no more are put outside when they are
 * first. */
uint32_t lists_first_inside(struct lists *lists, struct open_list *inside,
                            struct open_list *outside,
                            bool (*is_in)(const struct lists *, uint32_t id));

/* The first node of a list, or NO_NODE. */
static inline uint32_t list_first(const struct open_list *list)
{
    return list->count == 0 ? NO_NODE : list->entries[0];
}

/* A list of a side of a search from both ends. */
static inline struct open_list *list_of_side(struct lists *lists, unsigned list, unsigned side)
{
    return &lists->of[list * lists->sides + side];
}

/* Its first node, or NO_NODE. */
static inline uint32_t lists_first(struct lists *lists, unsigned list, unsigned side)
{
    return list_first(list_of_side(lists, list, side));
}

static inline uint64_t lists_f(const struct lists *lists, uint32_t id)
{
    return lists->labels[id].g + lists->labels[id].h;
}

/* The least f of all live nodes; NO_COST if there is none. */
static inline uint64_t lists_least_f(const struct lists *lists)
{
    const uint32_t first = list_first(&lists->of[BY_F]);
    return first == NO_NODE ? NO_COST : lists_f(lists, first);
}

/* Whether a cost is at most w times another. */
static inline bool lists_within_w(const struct lists *lists, uint64_t cost, uint64_t other)
{
    return (uint128)cost * DECIMAL_ONE <= (uint128)other * lists->w;
}

/* g + weight * h, in thousandths. */
static inline uint128 lists_weighted(const struct lists *lists, uint32_t id)
{
    const struct label *label = &lists->labels[id];
    return (uint128)label->g * DECIMAL_ONE + (uint128)label->h * lists->weight;
}

/* Which of two nodes goes first if all else is equal. */
static inline bool lists_tie(const struct lists *lists, uint32_t a, uint32_t b)
{
    const struct label *of_a = &lists->labels[a];
    const struct label *of_b = &lists->labels[b];
    const enum ties ties = lists->settings.ties;
    if (ties <= TIES_LOW_G && of_a->g != of_b->g)
        return (of_a->g > of_b->g) == (ties == TIES_HIGH_G);
    return (of_a->turn > of_b->turn) == (ties != TIES_FIFO);
}

/* The order of BY_F. */
bool lists_by_f(const struct lists *lists, uint32_t a, uint32_t b);

/* By that. */
bool lists_by_weighted_f(const struct lists *lists, uint32_t a, uint32_t b);

/* By h, then by f. */
bool lists_by_h(const struct lists *lists, uint32_t a, uint32_t b);

/* By g, then by f, then the newest. */
bool lists_by_g(const struct lists *lists, uint32_t a, uint32_t b);

/* Whether what a search with an admissible heuristic proves holds, and a consistent one. */
bool lists_is_consistent(const struct search *search);
