#include "search/states.h"
#include <string.h>

enum {
    NARROW_FROM = 1 << 19,      /* buckets: 32 MiB */
    LARGE = 1 << 20,            /* buckets from which on it no longer doubles */
    STRIDE = 32,                /* buckets swept at once when it grows */
    BUCKETS_PER_LOOK = 1 << 13, /* between two looks at the clock then */
    FULL = 80,                  /* per cent: then it grows ... */
    FILLED_UP = 94              /* ... but if no larger table is to be had, at this it ends */
};

static uint64_t spare_of(uint64_t buckets)
{
    return buckets / 8 < 252 ? 4 + buckets / 8 : 256;
}

static uint64_t room_of(const struct states *states, unsigned percent)
{
    return states->buckets * states->slots * percent / 100;
}

static void lay_out(struct states *states, struct states_bucket *table, uint64_t buckets)
{
    states->table = table;
    states->slots = buckets < NARROW_FROM ? STATES_WIDE : STATES_NARROW;
    states->buckets = buckets;
    states->spare = spare_of(buckets);
    states->room = room_of(states, FULL);
    states->count = 0;
    states->furthest = 0;
    states->limit = states->slots == STATES_WIDE ? UINT64_MAX : (buckets >> 12) - STRIDE - 2;
}

bool states_start(struct states *states, struct arena *arena, uint64_t buckets)
{
    *states = (struct states){.arena = arena};
    struct states_bucket *table = arena_take(arena, (buckets + spare_of(buckets)) * sizeof *table);
    if (table == NULL)
        return false;
    lay_out(states, table, buckets);
    return true;
}

void states_end(struct states *states)
{
    arena_release(states->arena, states->table);
    states->table = NULL;
}

bool states_go_behind(struct states *states, struct states_place place)
{
    const uint64_t bucket = (uint64_t)(place.bucket - states->table);
    if (place.behind > states->limit)
        return false;
    raise_to(&states->furthest, place.behind);
    /* The last bucket must never fill up, so that every search for a key ends. */
    if (bucket + 2 >= states->buckets + states->spare)
        states->room = 0;
    return true;
}

/* How many of the first buckets are to be put aside while the table gets `more`. From there on the
 * entries of a stride of buckets have their new homes behind the stride: they were at most furthest
 * buckets before it, and (b - furthest) * (buckets + more) / buckets >= b + STRIDE. */
static uint64_t aside_of(const struct states *states, uint64_t more)
{
    const uint64_t all = states->buckets + states->spare;
    const uint64_t low =
        (states->furthest * (states->buckets + more) + STRIDE * states->buckets + more - 1) / more;
    return low < states->buckets ? low : all;
}

/* How many buckets more are to be had: as many again while the table is small, a third when it is
 * large, or what fits in two thirds of what the budget still allows, since the open list grows too.
 * 0 when that is too little to be worth a sweep. */
static uint64_t buckets_more(const struct states *states)
{
    const struct arena *arena = states->arena;
    const uint64_t left = (arena->budget - arena->used) / sizeof *states->table;
    uint64_t more = states->buckets < LARGE ? states->buckets : states->buckets / 3;
    for (; more > states->buckets / 16; more -= (more + 7) / 8) {
        const uint64_t larger = more + spare_of(states->buckets + more) - states->spare;
        if (larger <= left / 3 * 2 && larger + aside_of(states, more) <= left)
            return more;
    }
    return 0;
}

/* The least key of a bucket. */
static uint64_t first_key(const struct states *states, uint64_t bucket)
{
    return (uint64_t)((((uint128)bucket << 64) + states->buckets - 1) / states->buckets);
}

/* Enters the entries of a bucket of the table's old layout again; none has a key less than `least`,
 * nor one so large that the bits left out could be others. False when one would lie too far. */
static bool enter_again(struct states *states, const struct states *old,
                        const struct states_bucket *bucket, uint64_t least)
{
    for (unsigned i = 0; i < bucket->word[STATES_COUNT]; i++) {
        const uint32_t tag = bucket->word[i] & ~(uint32_t)STATES_NOTE;
        uint64_t key = (uint64_t)states_rest_in(old, bucket, i) << 36 | (uint64_t)tag << 4;
        if (old->slots == STATES_NARROW)
            key = least + ((key - least) & (UINT64_MAX >> 12));
        struct states_place place = {.bucket = states_home(states, key)};
        while ((place.slot = place.bucket->word[STATES_COUNT]) == states->slots) {
            place.bucket++;
            place.behind++;
        }
        if (!states_enter(states, place, key, bucket->word[i] & STATES_NOTE))
            return false;
    }
    return true;
}

/* Moves every entry to where it belongs in a larger table that begins with the `old` one; the first
 * `low` buckets of that are also in `aside`. From the end to the beginning, a stride of buckets at
 * a time: the homes of its entries were at most old->furthest buckets before it and now all are
 * behind it. The spare buckets are enough, as they were before: between any key and the end there
 * are no fewer buckets than there were. False when the search is over. */
static bool sweep(struct states *states, const struct states *old,
                  const struct states_bucket *aside, uint64_t low, struct search *search)
{
    struct states_bucket *table = states->table;
    const uint64_t used = old->furthest < old->spare ? old->furthest : old->spare;
    uint64_t cleared = states->buckets + states->spare; /* from here on nothing old is left */
    uint64_t begin;
    bool fits = true;
    for (uint64_t end = old->buckets + used; end > low; end = begin) {
        begin = end > low + STRIDE ? end - STRIDE : low;
        const uint64_t least = first_key(old, begin - old->furthest);
        const uint64_t homes = (uint64_t)(states_home(states, least) - table);
        assert(homes >= end);
        if (homes < cleared) {
            memset(table + homes, 0, (cleared - homes) * sizeof *table);
            cleared = homes;
        }
        for (uint64_t b = begin; b < end; b++)
            fits &= enter_again(states, old, &table[b], least);
        if (begin % BUCKETS_PER_LOOK < STRIDE && !search_may_go_on(search))
            return false;
    }
    memset(table, 0, cleared * sizeof *table);
    for (uint64_t b = 0; b < low; b++)
        fits &= enter_again(states, old, &aside[b],
                            b < old->furthest ? 0 : first_key(old, b - old->furthest));
    if (!fits)
        search->status = STATUS_memory_limit;
    return fits;
}

/* A table with `more` buckets more; false when the search is over, true also when it cannot be
 * had. */
static bool enlarge(struct states *states, uint64_t more, struct search *search)
{
    const struct states old = *states;
    const uint64_t buckets = old.buckets + more;
    const uint64_t low = aside_of(states, more);
    struct states_bucket *aside = arena_take(states->arena, low * sizeof *aside);
    if (aside == NULL)
        return true;
    bool going_on = true;
    struct states_bucket *table =
        arena_resize(states->arena, old.table, (buckets + spare_of(buckets)) * sizeof *table);
    if (table != NULL) {
        memcpy(aside, table, low * sizeof *aside);
        lay_out(states, table, buckets);
        going_on = sweep(states, &old, aside, low, search);
        assert(!going_on || states->count == old.count);
        states->count = old.count;
    }
    arena_release(states->arena, aside);
    return going_on;
}

bool states_grow(struct states *states, struct search *search)
{
    while (!states_have_room(states)) {
        const uint64_t buckets = states->buckets;
        const uint64_t more = buckets_more(states);
        if (more > 0 && !enlarge(states, more, search))
            return false;
        if (states->buckets > buckets)
            continue;
        /* No larger table is to be had: this one is filled up. */
        if (states->room == 0 || states->room == room_of(states, FILLED_UP)) {
            search->status = STATUS_memory_limit;
            return false;
        }
        states->room = room_of(states, FILLED_UP);
    }
    return true;
}
