/* The closed and open states of a search: for boards of up to 16 cells in 6 or 8 bytes each, for 17
 * to 25 cells in 10 or 12 (search/compact_width.h). A hash table that leaves out the bits of a key
 * that follow from where its entry lies (Cleary, "Compact hash tables using bidirectional linear
 * probing", IEEE Transactions on Computers C-33, 1984). Cleary marks, with bits beside the entries,
 * which home an entry belongs to; here it is known because no entry may lie far from its home.
 *
 * An entry is a key and a note of 4 bits; the search decides what the note means. (With notes of 10
 * bits for compact_reopening.h, sizes and numbers of entries are others than those below.) The key
 * is a number of the state, of 56 bits (search/compact_64.h) or 88 (search/compact_128.h): keys are
 * equal only if states are, and its high bits depend on all of the state. A key is kept in the high
 * bits of a word.
 *
 * The table consists of lines, each a cache line of 64 bytes: first 32 bits of each entry's key
 * (its tag), then the higher bits with the note (its rest), then the number of entries. All tags of
 * a line are compared at once, without a branch that depends on the entry's place. The home of a
 * key is line k * lines / 2^64, where k is its word, or the high half of it. Its entry lies there
 * or, if that line was full, in the next line that was not. There are spare lines after the last
 * home. Nothing is ever removed.
 *
 * A small table stores whole keys: 8 or 12 bytes an entry, 7 or 5 entries a line. In a large one 6
 * or 10 bytes are enough, 10 or 6 entries a line: the 12 highest bits of the key are left out. With
 * n lines, the homes of two keys that agree in all other bits are at least n / 2^12 lines apart,
 * 128 or more, and no entry is put that far from its home. If one had to be, memory would count as
 * spent. With notes of 10 bits, small tables leave out 2 bits of a key, and large ones of the
 * narrower boards 10, in 8 and 7 bytes an entry, 7 and 8 entries a line.
 *
 * Since homes are in the order of the keys, the table can grow in place, by any number of lines, in
 * one sweep from its end. It doubles while it is small and grows by a quarter when it is large:
 * then it is 64 to 80 % full and takes 8 to 10 bytes a state, or 13.3 to 16.7 on the wider boards.
 */
#ifndef SEARCH_COMPACT_CLOSED_H
#define SEARCH_COMPACT_CLOSED_H

#include "search/compact_width.h"

enum {
    CLOSED_NOTE = (1 << CLOSED_NOTE_BITS) - 1, /* the bits of a rest that hold the note */
    CLOSED_WORDS = 16,
    CLOSED_COUNT = CLOSED_WORDS - 1, /* the word that counts the entries */
    /* Where the rests begin, so that they end before it: in a small table, in words, and in a large
       one, in bytes. */
    CLOSED_RESTS = CLOSED_COUNT - (int)sizeof(compact_rest) / 4 * CLOSED_WIDE,
    CLOSED_SHORT_RESTS = 4 * CLOSED_COUNT - CLOSED_SHORT * CLOSED_NARROW,
    /* The highest bits of a key that an entry leaves out, in a small and in a large table. */
    CLOSED_REST_BITS = 8 * (int)sizeof(compact_key) - KEY_UNUSED - 32,
    CLOSED_OVER = CLOSED_REST_BITS + CLOSED_NOTE_BITS - 8 * (int)sizeof(compact_rest),
    CLOSED_LEFT_OUT = CLOSED_OVER > 0 ? CLOSED_OVER : 0,
    CLOSED_SHORT_LEFT_OUT = CLOSED_REST_BITS + CLOSED_NOTE_BITS - 8 * CLOSED_SHORT,
    CLOSED_FEWEST = CLOSED_LEFT_OUT > 0 ? 34 << CLOSED_LEFT_OUT : 1
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

/* Makes an empty table of so many lines (at least CLOSED_FEWEST). False when the budget is spent.
 */
bool closed_start(struct compact_closed *closed, struct arena *arena, uint64_t lines);

void closed_end(struct compact_closed *closed);

/* The 32 low bits of a key, and the others. */
KERNEL uint32_t closed_tag(compact_key key)
{
    return (uint32_t)(key >> KEY_UNUSED);
}

KERNEL compact_rest closed_rest(compact_key key)
{
    return (compact_rest)(key >> (KEY_UNUSED + 32));
}

/* How many of the highest bits of a key are left out. */
KERNEL unsigned closed_left_out(const struct compact_closed *closed)
{
    return closed->slots == CLOSED_WIDE ? CLOSED_LEFT_OUT : CLOSED_SHORT_LEFT_OUT;
}

/* What the table stores of the rest. */
KERNEL compact_rest closed_stored_rest(const struct compact_closed *closed, compact_key key)
{
    return closed_rest(key) &
           (((compact_rest)1 << (CLOSED_REST_BITS - closed_left_out(closed))) - 1);
}

KERNEL struct closed_line *closed_home(const struct compact_closed *closed, compact_key key)
{
    const uint64_t high = (uint64_t)(key >> (8 * sizeof key - 64));
    return closed->table + (uint64_t)((uint128)high * closed->lines >> 64);
}

/* Prefetches a home; the home of a key. */
KERNEL void closed_prefetch_home(const struct closed_line *home)
{
    __builtin_prefetch(home, 1);
}

KERNEL void closed_prefetch(const struct compact_closed *closed, compact_key key)
{
    closed_prefetch_home(closed_home(closed, key));
}

/* Some time after that: if the home is full, prefetches the two lines behind it. */
KERNEL void closed_prefetch_behind(const struct compact_closed *closed,
                                   const struct closed_line *home)
{
    const unsigned full = home->word[CLOSED_COUNT] == closed->slots;
    __builtin_prefetch(home + full, 1);
    __builtin_prefetch(home + 2 * full, 1);
}

/* Whether a word of a line where tags are, or behind them, is the tag of the key: so if one is. */
KERNEL bool closed_any_tag(const struct closed_line *line, compact_key key)
{
    typedef uint32_t four __attribute__((vector_size(16), may_alias));
    typedef uint64_t two __attribute__((vector_size(16)));
    const uint32_t tag = closed_tag(key);
    const four *words = (const four *)line->word;
    four equal = (four)(words[0] == tag) | (four)(words[1] == tag);
    if (CLOSED_NARROW > 8)
        equal |= (four)(words[2] == tag);
    const two any = (two)equal;
    return (any[0] | any[1]) != 0;
}

/* Which of a line's tags are the key's: bit i for slot i. */
KERNEL unsigned closed_equal_tags(const struct closed_line *line, compact_key key)
{
    typedef uint32_t four __attribute__((vector_size(16), may_alias));
    typedef uint64_t two __attribute__((vector_size(16)));
    const uint32_t tag = closed_tag(key);
    const four *words = (const four *)line->word;
    const four a = (four)(words[0] == tag);
    const four b = (four)(words[1] == tag);
    const four c = CLOSED_NARROW > 8 ? (four)(words[2] == tag) : (four){0};
    const two any = (two)(a | b | c);
    if (LIKELY((any[0] | any[1]) == 0))
        return 0;
    const two equal = (two)((a & (four){1, 2, 4, 8}) | (b & (four){16, 32, 64, 128}) |
                            (c & (four){256, 512, 1024, 2048}));
    const uint64_t both = equal[0] | equal[1];
    /* Words after the last tag may be equal to it, too. */
    return (unsigned)(both | both >> 32) & ((1U << line->word[CLOSED_COUNT]) - 1);
}

/* The rest of an entry's key and its note. */
KERNEL compact_rest closed_rest_in(const struct compact_closed *closed,
                                   const struct closed_line *line, unsigned slot)
{
    if (closed->slots == CLOSED_WIDE)
        return ((const compact_rest *)&line->word[CLOSED_RESTS])[slot];
    compact_rest rest = 0;
    memcpy(&rest, (const char *)line + CLOSED_SHORT_RESTS + CLOSED_SHORT * slot, CLOSED_SHORT);
    return rest_in_order(rest);
}

KERNEL void closed_set_rest(const struct compact_closed *closed, struct closed_line *line,
                            unsigned slot, compact_rest rest)
{
    if (closed->slots == CLOSED_WIDE) {
        ((compact_rest *)&line->word[CLOSED_RESTS])[slot] = rest;
        return;
    }
    rest = rest_in_order(rest);
    memcpy((char *)line + CLOSED_SHORT_RESTS + CLOSED_SHORT * slot, &rest, CLOSED_SHORT);
}

/* Looks up a key, whose home is `line`: where it is if it is known, else where it is to be entered.
 */
KERNEL struct closed_place closed_find_from(const struct compact_closed *closed,
                                            struct closed_line *line, compact_key key)
{
    struct closed_place place = {.line = line};
    for (;; place.line++, place.behind++) {
        unsigned equal = closed_equal_tags(place.line, key);
        for (; UNLIKELY(equal != 0); equal &= equal - 1) {
            place.slot = (unsigned)__builtin_ctz(equal);
            place.known = closed_rest_in(closed, place.line, place.slot) >> CLOSED_NOTE_BITS ==
                          closed_stored_rest(closed, key);
            if (LIKELY(place.known))
                return place;
        }
        place.slot = place.line->word[CLOSED_COUNT];
        if (LIKELY(place.slot < closed->slots))
            return place;
    }
}

KERNEL struct closed_place closed_find(const struct compact_closed *closed, compact_key key)
{
    return closed_find_from(closed, closed_home(closed, key), key);
}

KERNEL unsigned closed_note(const struct compact_closed *closed, struct closed_place place)
{
    return (unsigned)closed_rest_in(closed, place.line, place.slot) & CLOSED_NOTE;
}

/* Changes the note of a known state. */
KERNEL void closed_set_note(const struct compact_closed *closed, struct closed_place place,
                            unsigned note)
{
    const compact_rest rest = closed_rest_in(closed, place.line, place.slot);
    closed_set_rest(closed, place.line, place.slot, (rest & ~(compact_rest)CLOSED_NOTE) | note);
}

/* Prepares to enter a key so many lines after its home, which is full. False if that is too far. */
bool closed_go_behind(struct compact_closed *closed, const struct closed_line *line,
                      uint64_t behind);

/* Enters a state that is not known. There must be room. False when the table cannot take it all the
 * same (see above). */
KERNEL bool closed_enter(struct compact_closed *closed, struct closed_place place, compact_key key,
                         unsigned note)
{
    struct closed_line *line = place.line;
    assert(note <= CLOSED_NOTE && place.slot == line->word[CLOSED_COUNT]);
    if (UNLIKELY(place.behind > 0) && !closed_go_behind(closed, line, place.behind))
        return false;
    line->word[place.slot] = closed_tag(key);
    closed_set_rest(closed, line, place.slot, closed_rest(key) << CLOSED_NOTE_BITS | note);
    line->word[CLOSED_COUNT] = place.slot + 1;
    closed->count++;
    return true;
}

/* Enters a state if its home has room and none of its tags is the key's, as is so for most new
 * states. False if it must be looked up. There must be room in the table. */
KERNEL bool closed_enter_at_home(struct compact_closed *closed, struct closed_line *home,
                                 compact_key key, unsigned note)
{
    const unsigned slot = home->word[CLOSED_COUNT];
    if (UNLIKELY(closed_any_tag(home, key)) || UNLIKELY(slot >= closed->slots))
        return false;
    home->word[slot] = closed_tag(key);
    closed_set_rest(closed, home, slot, closed_rest(key) << CLOSED_NOTE_BITS | note);
    home->word[CLOSED_COUNT] = slot + 1;
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
