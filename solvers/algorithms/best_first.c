#include "algorithms/best_first.h"
#include "search/lists.h"

KERNEL void best_first_loop(struct expansion *expansion, enum packing packing,
                            const struct best_first *settings, bool is_viewed)
{
    struct search *search = expansion->search;
    struct store *store = &expansion->store;
    const union packed goal = pack(packing, &search->task->goal);
    uint32_t id;
    search->status = STATUS_exhausted;
    if (settings->test_at_generation &&
        packed_equal(packing, store_state(store, packing, 0), goal)) {
        store_solution(store, 0, search);
        return;
    }
    while (expansion_take(expansion, settings, &id)) {
        if (!settings->test_at_generation &&
            packed_equal(packing, store_state(store, packing, id), goal)) {
            store_solution(store, id, search);
            return;
        }
        if (!expand_node(expansion, search, packing, settings, is_viewed, id, goal))
            return;
    }
}

/* Kinds of settings for which the loop is compiled, beside each packing: weighted costs, or not and
 * states are recognised or not. */
enum kind { WEIGHTED, STORED, UNSTORED, KINDS };

static enum kind kind_of(const struct best_first *settings)
{
    return settings->h_weight != 0                     ? WEIGHTED
           : settings->duplicates == DUPLICATES_STORED ? STORED
                                                       : UNSTORED;
}

/* The loop with settings of one kind. */
KERNEL void loop_of(struct expansion *expansion, const struct best_first *given,
                    enum packing packing, enum kind kind)
{
    struct best_first settings = *given;
    if (kind != WEIGHTED)
        settings.h_weight = 0;
    else
        ASSUME(settings.h_weight != 0);
    if (kind == UNSTORED)
        ASSUME(settings.duplicates != DUPLICATES_STORED);
    else
        settings.duplicates = DUPLICATES_STORED;
    best_first_loop(expansion, packing, &settings, false);
}

#define STAMP_LOOP(name, packing, kind)                                                            \
    static void name(struct expansion *expansion, const struct best_first *settings)               \
    {                                                                                              \
        loop_of(expansion, settings, packing, kind);                                               \
    }
STAMP_LOOP(weighted_64, PACK_64, WEIGHTED)
STAMP_LOOP(weighted_128, PACK_128, WEIGHTED)
STAMP_LOOP(weighted_bytes, PACK_BYTES, WEIGHTED)
STAMP_LOOP(stored_64, PACK_64, STORED)
STAMP_LOOP(stored_128, PACK_128, STORED)
STAMP_LOOP(stored_bytes, PACK_BYTES, STORED)
STAMP_LOOP(unstored_64, PACK_64, UNSTORED)
STAMP_LOOP(unstored_128, PACK_128, UNSTORED)
STAMP_LOOP(unstored_bytes, PACK_BYTES, UNSTORED)

/* The loop for an observer: one for all, as it need not be fast. */
static SELDOM void loop_viewed(struct expansion *expansion, const struct best_first *settings)
{
    best_first_loop(expansion, packing_of(expansion->search->task->start.shape), settings, true);
}

void best_first(struct search *search, const struct best_first *settings)
{
    void (*const loops[KINDS][3])(struct expansion *, const struct best_first *) = {
        [WEIGHTED] = {weighted_64, weighted_128, weighted_bytes},
        [STORED] = {stored_64, stored_128, stored_bytes},
        [UNSTORED] = {unstored_64, unstored_128, unstored_bytes},
    };
    struct expansion expansion;
    if (search->costs != NULL) {
        lists_best_first(search, settings, UINT64_MAX);
        return;
    }
    expansion_start(&expansion, search, settings);
    if (expansion_root(&expansion)) {
        if (viewed(search))
            loop_viewed(&expansion, settings);
        else
            loops[kind_of(settings)][packing_of(search->task->start.shape)](&expansion, settings);
    }
    expansion_end(&expansion);
}

void best_first_weigh(struct best_first *settings, int64_t w)
{
    const int divisor = (int)common_divisor((uint64_t)w, DECIMAL_ONE);
    settings->g_weight = DECIMAL_ONE / divisor;
    settings->h_weight = (int)w / divisor;
}
