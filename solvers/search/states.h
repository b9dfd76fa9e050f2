/* The states a search has met, 6 or 8 bytes each, for boards of up to 16 cells.
 *
 * An entry is a key of 56 bits and a note of 4 bits, whose meaning is the search's. The key is made
 * of cells 1 to 14 of the packed board. They tell the state: of fewer than 16 cells only the first
 * is left out, where only the tile is left that lies on no other; of 16 cells the first and the
 * last are, and the two tiles left for them can lie in one way only, since those cells have the
 * same colour: to exchange the two is an odd permutation without an odd number of moves of the
 * blank. They are multiplied by an odd number modulo 2^56, so that the high bits depend on every
 * cell; equal keys are equal states all the same. A key stands in the high bits of its word.
 *
 * A bucket is a cache line. Its entries' low halves with the notes, the tags, come first, then
 * their high halves, the rests, then how many there are. All tags are compared at one stroke,
 * without a branch that depends on where the entry is. A key's home is bucket key * buckets / 2^64;
 * its entry lies there or, where that was full, in the next bucket that was not. Behind the last
 * home there are spare buckets for that. Nothing is ever taken out.
 *
 * A small table stores the whole key in 8 bytes, 7 to a bucket. In a large one 6 bytes are enough,
 * 10 to a bucket: the 12 highest bits of the key are not stored, as where an entry lies says them.
 * With n buckets, keys that agree in the other bits have homes n / 2^12 buckets apart, 128 or more,
 * and no entry is put so far from its home: should it ever come to that, the memory counts as
 * spent.
 *
 * As homes are in the order of the keys, the table can grow by any amount, in place, in one sweep
 * from its end. It doubles while it is small and grows by a third when it is large, so that it is
 * 60 to 80 % full then and takes 8 to 10.7 bytes a state. */
#ifndef SEARCH_STATES_H
#define SEARCH_STATES_H

#include "search/search.h"

enum {
    STATES_NOTE = 15, /* the bits of a tag that are the note */
    STATES_WIDE = 7,  /* entries of a bucket of a small table */
    STATES_NARROW = 10,
    STATES_WORDS = 16,
    STATES_COUNT = STATES_WORDS - 1, /* the word that counts the entries */
    STATES_WIDE_REST = 8,            /* the first rest, in words */
    STATES_NARROW_REST = 20          /* the same, in halves of words */
};

struct states_bucket {
    uint32_t word[STATES_WORDS];
};

struct states {
    struct arena *arena;
    struct states_bucket *table;
    unsigned slots;    /* of a bucket: STATES_WIDE or STATES_NARROW */
    uint64_t buckets;  /* homes */
    uint64_t spare;    /* buckets behind the last home */
    uint64_t count;    /* entries */
    uint64_t room;     /* grow before there are more entries than this */
    uint64_t furthest; /* the most buckets that an entry lies behind its home ... */
    uint64_t limit;    /* ... and may lie */
};

/* Where a state is, or is to be. */
struct states_place {
    struct states_bucket *bucket;
    unsigned slot;
    bool known;
    uint64_t behind; /* buckets from its home */
};

/* An empty table; false when the budget is spent. */
bool states_start(struct states *states, struct arena *arena, uint64_t buckets);

void states_end(struct states *states);

KERNEL uint64_t states_key(uint64_t board)
{
    return (board << 4 & ~(uint64_t)255) * 0x9e3779b97f4a7c15U;
}

/* The low half of a key as it is stored, and the high half, of which small tables store all. */
KERNEL uint32_t states_tag(uint64_t key)
{
    return (uint32_t)(key >> 4);
}

KERNEL uint32_t states_rest(uint64_t key)
{
    return (uint32_t)(key >> 36);
}

KERNEL struct states_bucket *states_home(const struct states *states, uint64_t key)
{
    return states->table + (uint64_t)((uint128)key * states->buckets >> 64);
}

/* Asks for the key's home, which will be looked into soon. */
KERNEL void states_prefetch(const struct states *states, uint64_t key)
{
    __builtin_prefetch(states_home(states, key), 1);
}

/* Which of a bucket's tags are the key's: bit i for slot i. */
KERNEL unsigned states_equal_tags(const struct states_bucket *bucket, uint64_t key)
{
    typedef uint32_t four __attribute__((vector_size(16)));
    typedef uint64_t two __attribute__((vector_size(16)));
    const uint32_t tag = states_tag(key);
    four a, b, c;
    memcpy(&a, bucket->word, sizeof a);
    memcpy(&b, bucket->word + 4, sizeof b);
    memcpy(&c, bucket->word + 8, sizeof c);
    a = (four)((a & ~(uint32_t)STATES_NOTE) == tag) & (four){1, 2, 4, 8};
    b = (four)((b & ~(uint32_t)STATES_NOTE) == tag) & (four){16, 32, 64, 128};
    c = (four)((c & ~(uint32_t)STATES_NOTE) == tag) & (four){256, 512, 1024, 2048};
    const two equal = (two)(a | b | c);
    const uint64_t both = equal[0] | equal[1];
    if (LIKELY(both == 0))
        return 0;
    /* What is no tag may be equal to one. */
    return (unsigned)(both | both >> 32) & ((1U << bucket->word[STATES_COUNT]) - 1);
}

KERNEL uint32_t states_rest_in(const struct states *states, const struct states_bucket *bucket,
                               unsigned slot)
{
    if (states->slots == STATES_WIDE)
        return bucket->word[STATES_WIDE_REST + slot];
    uint16_t rest;
    memcpy(&rest, (const char *)bucket + sizeof rest * (STATES_NARROW_REST + slot), sizeof rest);
    return rest;
}

/* Looks a key up: its place if it is known, else where it is to be entered. */
KERNEL struct states_place states_find(const struct states *states, uint64_t key)
{
    const uint32_t rest =
        states->slots == STATES_WIDE ? states_rest(key) : states_rest(key) & UINT16_MAX;
    struct states_place place = {.bucket = states_home(states, key)};
    for (;; place.bucket++, place.behind++) {
        unsigned equal = states_equal_tags(place.bucket, key);
        for (; UNLIKELY(equal != 0); equal &= equal - 1) {
            place.slot = (unsigned)__builtin_ctz(equal);
            place.known = states_rest_in(states, place.bucket, place.slot) == rest;
            if (LIKELY(place.known))
                return place;
        }
        place.slot = place.bucket->word[STATES_COUNT];
        if (LIKELY(place.slot < states->slots))
            return place;
    }
}

KERNEL unsigned states_note(struct states_place place)
{
    return place.bucket->word[place.slot] & STATES_NOTE;
}

/* Changes the note of a known state. */
KERNEL void states_set_note(struct states_place place, unsigned note)
{
    uint32_t *tag = &place.bucket->word[place.slot];
    *tag = (*tag & ~(uint32_t)STATES_NOTE) | note;
}

/* An entry is to be put behind its home, which is full. False if that is too far. */
bool states_go_behind(struct states *states, struct states_place place);

/* Enters a state that is not known. There must be room. False when that is no help (see above). */
KERNEL bool states_enter(struct states *states, struct states_place place, uint64_t key,
                         unsigned note)
{
    struct states_bucket *bucket = place.bucket;
    assert(note <= STATES_NOTE && place.slot == bucket->word[STATES_COUNT]);
    if (UNLIKELY(place.behind > 0) && !states_go_behind(states, place))
        return false;
    bucket->word[place.slot] = states_tag(key) | note;
    if (states->slots == STATES_WIDE) {
        bucket->word[STATES_WIDE_REST + place.slot] = states_rest(key);
    } else {
        const uint16_t rest = (uint16_t)states_rest(key);
        memcpy((char *)bucket + sizeof rest * (STATES_NARROW_REST + place.slot), &rest,
               sizeof rest);
    }
    bucket->word[STATES_COUNT]++;
    states->count++;
    return true;
}

/* Whether a node's successors can be entered. */
KERNEL bool states_have_room(const struct states *states)
{
    return states->count + MOVES <= states->room;
}

/* Makes that room: a larger table, or leave to fill this one to the last. False when the search
 * must end, with its status set: memory is spent, or time is up, which is looked at while a large
 * table grows. */
bool states_grow(struct states *states, struct search *search);

#endif
