/* The closed and open states of a search: for boards of up to 16 cells in 6 or 8 bytes each, for 17
 * to 25 cells in 10 or 12 (search/compact_width.h). A hash table that leaves out the bits of a key
 * that follow from where its entry lies (Cleary, "Compact hash tables using bidirectional linear
 * probing", IEEE Transactions on Computers C-33, 1984). Cleary marks, with bits beside the entries,
 * which home an entry belongs to; here it is known because no entry may lie far from its home.
 *
 * An entry is a key and a note of 4 bits; the search decides what the note means. The key is a
 * number of the state, of 56 bits (search/compact_64.h) or 88 (search/compact_128.h): keys are
 * equal only if states are, and its high bits depend on all of the state. A key is kept in the high
 * bits of a word.
 *
 * The table consists of lines, each a cache line of 64 bytes: first the low 28 bits of the entries'
 * keys with the notes (tags), then the other bits (rests), then the number of entries. All tags of
 * a line are compared at once, without a branch that depends on the entry's place. The home of a
 * key is line k * lines / 2^64, where k is its word, or the high half of it. Its entry lies there
 * or, if that line was full, in the next line that was not. There are spare lines after the last
 * home. Nothing is ever removed.
 *
 * A small table stores whole keys: 8 or 12 bytes an entry, 7 or 5 entries a line. In a large one 6
 * or 10 bytes are enough, 10 or 6 entries a line: the 12 highest bits of the key are left out. With
 * n lines, the homes of two keys that agree in all other bits are at least n / 2^12 lines apart,
 * 128 or more, and no entry is put that far from its home. If one had to be, memory would count as
 * spent.
 *
 * Since homes are in the order of the keys, the table can grow in place, by any number of lines, in
 * one sweep from its end. It doubles while it is small and grows by a third when it is large: then
 * it is 60 to 80 % full and takes 8 to 10.7 bytes a state, or 13.3 to 17.8 on the wider boards. */
#ifndef SEARCH_COMPACT_CLOSED_H
#define SEARCH_COMPACT_CLOSED_H

#include "search/compact_width.h"

enum {
    CLOSED_NOTE = 15, /* the bits of a tag that hold the note */
    CLOSED_WORDS = 16,
    CLOSED_COUNT = CLOSED_WORDS - 1, /* the word that counts the entries */
    /* Where the rests begin, so that they end before it: in a small table, in words, and in a large
       one, in bytes. */
    CLOSED_RESTS = CLOSED_COUNT - (int)sizeof(compact_rest) / 4 * CLOSED_WIDE,
    CLOSED_SHORT_RESTS = 4 * CLOSED_COUNT - CLOSED_SHORT * CLOSED_NARROW
};

struct closed_line {
    uint32_t word[CLOSED_WORDS];
};

struct compact_closed {
    struct arena *arena;
    struct closed_line *table;
    unsigned slots;    /* in a line: CLOSED_WIDE or CLOSED_NARROW */
    uint64_t lines;    /* homes */
    uint64_t spare;    /* lines after the last home */
    uint64_t count;    /* entries */
    uint64_t room;     /* the table grows before there are more entries than this */
    uint64_t farthest; /* maximum over all entries: lines from its home to where it lies */
    uint64_t limit;    /* what that may not exceed */
};

/* Where a state is, or where it is to be entered. */
struct closed_place {
    struct closed_line *line;
    unsigned slot;
    bool known;
    uint64_t behind; /* lines from its home to here */
};

/* Makes an empty table of so many lines (at least 1). False when the budget is spent. */
bool closed_start(struct compact_closed *closed, struct arena *arena, uint64_t lines);

void closed_end(struct compact_closed *closed);

/* The tag of a key, without a note, and the rest. Large tables do not store all of the rest. */
KERNEL uint32_t closed_tag(compact_key key)
{
    return (uint32_t)(key >> (KEY_UNUSED - 4));
}

KERNEL compact_rest closed_rest(compact_key key)
{
    return (compact_rest)(key >> (KEY_UNUSED + 28));
}

/* What a large table stores of the rest. */
KERNEL compact_rest closed_short_rest(compact_key key)
{
    return closed_rest(key) & (((compact_rest)1 << 8 * CLOSED_SHORT) - 1);
}

KERNEL struct closed_line *closed_home(const struct compact_closed *closed, compact_key key)
{
    const uint64_t high = (uint64_t)(key >> (8 * sizeof key - 64));
    return closed->table + (uint64_t)((uint128)high * closed->lines >> 64);
}

/* Prefetches the home of a key. */
KERNEL void closed_prefetch(const struct compact_closed *closed, compact_key key)
{
    __builtin_prefetch(closed_home(closed, key), 1);
}

/* Some time after that: if the home is full, prefetches the line behind it. */
KERNEL void closed_prefetch_behind(const struct compact_closed *closed, compact_key key)
{
    const struct closed_line *home = closed_home(closed, key);
    __builtin_prefetch(home + (home->word[CLOSED_COUNT] == closed->slots), 1);
}

/* Which of a line's tags are the key's: bit i for slot i. */
KERNEL unsigned closed_equal_tags(const struct closed_line *line, compact_key key)
{
    typedef uint32_t four __attribute__((vector_size(16)));
    typedef uint64_t two __attribute__((vector_size(16)));
    const uint32_t tag = closed_tag(key);
    four a, b, c = {0};
    memcpy(&a, line->word, sizeof a);
    memcpy(&b, line->word + 4, sizeof b);
    if (CLOSED_NARROW > 8)
        memcpy(&c, line->word + 8, sizeof c);
    a = (four)((a & ~(uint32_t)CLOSED_NOTE) == tag) & (four){1, 2, 4, 8};
    b = (four)((b & ~(uint32_t)CLOSED_NOTE) == tag) & (four){16, 32, 64, 128};
    if (CLOSED_NARROW > 8)
        c = (four)((c & ~(uint32_t)CLOSED_NOTE) == tag) & (four){256, 512, 1024, 2048};
    const two equal = (two)(a | b | c);
    const uint64_t both = equal[0] | equal[1];
    if (LIKELY(both == 0))
        return 0;
    /* Words after the last tag may be equal to it, too. */
    return (unsigned)(both | both >> 32) & ((1U << line->word[CLOSED_COUNT]) - 1);
}

/* What an entry stores beside its tag. */
KERNEL compact_rest closed_rest_in(const struct compact_closed *closed,
                                   const struct closed_line *line, unsigned slot)
{
    if (closed->slots == CLOSED_WIDE)
        return ((const compact_rest *)&line->word[CLOSED_RESTS])[slot];
    compact_rest rest = 0;
    memcpy(&rest, (const char *)line + CLOSED_SHORT_RESTS + CLOSED_SHORT * slot, CLOSED_SHORT);
    return rest_in_order(rest);
}

/* Looks up a key: where it is if it is known, else where it is to be entered. */
KERNEL struct closed_place closed_find(const struct compact_closed *closed, compact_key key)
{
    const compact_rest rest =
        closed->slots == CLOSED_WIDE ? closed_rest(key) : closed_short_rest(key);
    struct closed_place place = {.line = closed_home(closed, key)};
    for (;; place.line++, place.behind++) {
        unsigned equal = closed_equal_tags(place.line, key);
        for (; UNLIKELY(equal != 0); equal &= equal - 1) {
            place.slot = (unsigned)__builtin_ctz(equal);
            place.known = closed_rest_in(closed, place.line, place.slot) == rest;
            if (LIKELY(place.known))
                return place;
        }
        place.slot = place.line->word[CLOSED_COUNT];
        if (LIKELY(place.slot < closed->slots))
            return place;
    }
}

KERNEL unsigned closed_note(struct closed_place place)
{
    return place.line->word[place.slot] & CLOSED_NOTE;
}

/* Changes the note of a known state. */
KERNEL void closed_set_note(struct closed_place place, unsigned note)
{
    uint32_t *tag = &place.line->word[place.slot];
    *tag = (*tag & ~(uint32_t)CLOSED_NOTE) | note;
}

/* Prepares to enter a key after its home, which is full. False if that is too far. */
bool closed_go_behind(struct compact_closed *closed, struct closed_place place);

/* Enters a state that is not known. There must be room. False when the table cannot take it all the
 * same (see above). */
KERNEL bool closed_enter(struct compact_closed *closed, struct closed_place place, compact_key key,
                         unsigned note)
{
    struct closed_line *line = place.line;
    assert(note <= CLOSED_NOTE && place.slot == line->word[CLOSED_COUNT]);
    if (UNLIKELY(place.behind > 0) && !closed_go_behind(closed, place))
        return false;
    line->word[place.slot] = closed_tag(key) | note;
    if (closed->slots == CLOSED_WIDE) {
        ((compact_rest *)&line->word[CLOSED_RESTS])[place.slot] = closed_rest(key);
    } else {
        const compact_rest rest = rest_in_order(closed_rest(key));
        memcpy((char *)line + CLOSED_SHORT_RESTS + CLOSED_SHORT * place.slot, &rest, CLOSED_SHORT);
    }
    line->word[CLOSED_COUNT]++;
    closed->count++;
    return true;
}

/* Whether all successors of a node can be entered. */
KERNEL bool closed_has_room(const struct compact_closed *closed)
{
    return closed->count + MOVES <= closed->room;
}

/* Makes that room: grows the table, or lets this one fill up. False when the search must end, with
 * its status set: memory is spent, or time is up (a growing table looks at the clock). */
bool closed_grow(struct compact_closed *closed, struct search *search);

#endif
