/* The closed and open states of a search in 6 or 8 bytes each, for boards of up to 16 cells. A hash
 * table that leaves out the bits of a key that follow from where its entry lies (Cleary, "Compact
 * hash tables using bidirectional linear probing", IEEE Transactions on Computers C-33, 1984).
 * Cleary marks, with bits beside the entries, which home an entry belongs to; here it is known
 * because no entry may lie far from its home.
 *
 * An entry is a key of 56 bits and a note of 4 bits; the search decides what the note means. The
 * key is made of cells 1 to 14 of the packed board, which determine the state. With fewer than 16
 * cells only cell 0 is left out, and it holds the one tile that lies nowhere else. With 16 cells
 * two tiles are left for cells 0 and 15, and only one of their two arrangements can be reached: to
 * exchange them is an odd permutation, but as both cells have the same colour, it would take the
 * blank an even number of moves. The 56 bits are multiplied by an odd number modulo 2^56. So the
 * high bits depend on every cell, and keys are equal only if states are. A key is kept in the high
 * bits of a word.
 *
 * The table consists of lines, each a cache line of 64 bytes: first 32 bits of each entry's key
 * (its tag), then the higher bits with the note (its rest), then the number of entries. All tags of
 * a line are compared at once, without a branch that depends on the entry's place. The home of a
 * key is line key * lines / 2^64. Its entry lies there or, if that line was full, in the next line
 * that was not. There are spare lines after the last home. Nothing is ever removed.
 *
 * A small table stores whole keys: 8 bytes an entry, 7 entries a line. In a large one 6 bytes are
 * enough, 10 entries a line: the 12 highest bits of the key are left out. With n lines, the homes
 * of two keys that agree in all other bits are at least n / 2^12 lines apart, 128 or more, and no
 * entry is put that far from its home. If one had to be, memory would count as spent.
 *
 * Since homes are in the order of the keys, the table can grow in place, by any number of lines, in
 * one sweep from its end. It doubles while it is small and grows by a quarter when it is large:
 * then it is 64 to 80 % full and takes 8 to 10 bytes a state. */
#ifndef SEARCH_COMPACT_CLOSED_H
#define SEARCH_COMPACT_CLOSED_H

#include "search/search.h"

enum {
    CLOSED_NOTE = 15,   /* the bits of a rest that hold the note */
    CLOSED_WIDE = 7,    /* entries in a line of a small table ... */
    CLOSED_NARROW = 10, /* ... and of a large one */
    CLOSED_WORDS = 16,
    CLOSED_COUNT = CLOSED_WORDS - 1, /* the word that counts the entries */
    CLOSED_WIDE_REST = 8,            /* where the first rest lies, in words ... */
    CLOSED_NARROW_REST = 20          /* ... and in half words */
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

KERNEL uint64_t closed_key(uint64_t board)
{
    return (board << 4 & ~(uint64_t)255) * 0x9e3779b97f4a7c15U;
}

/* The 32 low bits of a key, and the 24 others. Large tables store only 12 of these. */
KERNEL uint32_t closed_tag(uint64_t key)
{
    return (uint32_t)(key >> 8);
}

KERNEL uint32_t closed_rest(uint64_t key)
{
    return (uint32_t)(key >> 40);
}

KERNEL struct closed_line *closed_home(const struct compact_closed *closed, uint64_t key)
{
    return closed->table + (uint64_t)((uint128)key * closed->lines >> 64);
}

/* Prefetches a home; the home of a key. */
KERNEL void closed_prefetch_home(const struct closed_line *home)
{
    __builtin_prefetch(home, 1);
}

KERNEL void closed_prefetch(const struct compact_closed *closed, uint64_t key)
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
KERNEL bool closed_any_tag(const struct closed_line *line, uint64_t key)
{
    typedef uint32_t four __attribute__((vector_size(16), may_alias));
    typedef uint64_t two __attribute__((vector_size(16)));
    const uint32_t tag = closed_tag(key);
    const four *words = (const four *)line->word;
    const two any =
        (two)((four)(words[0] == tag) | (four)(words[1] == tag) | (four)(words[2] == tag));
    return (any[0] | any[1]) != 0;
}

/* Which of a line's tags are the key's: bit i for slot i. */
KERNEL unsigned closed_equal_tags(const struct closed_line *line, uint64_t key)
{
    typedef uint32_t four __attribute__((vector_size(16), may_alias));
    typedef uint64_t two __attribute__((vector_size(16)));
    const uint32_t tag = closed_tag(key);
    const four *words = (const four *)line->word;
    const four a = (four)(words[0] == tag);
    const four b = (four)(words[1] == tag);
    const four c = (four)(words[2] == tag);
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
KERNEL uint32_t closed_rest_in(const struct compact_closed *closed, const struct closed_line *line,
                               unsigned slot)
{
    if (closed->slots == CLOSED_WIDE)
        return line->word[CLOSED_WIDE_REST + slot];
    uint16_t rest;
    memcpy(&rest, (const char *)line + sizeof rest * (CLOSED_NARROW_REST + slot), sizeof rest);
    return rest;
}

KERNEL void closed_set_rest(const struct compact_closed *closed, struct closed_line *line,
                            unsigned slot, uint32_t rest)
{
    if (closed->slots == CLOSED_WIDE) {
        line->word[CLOSED_WIDE_REST + slot] = rest;
        return;
    }
    const uint16_t narrow = (uint16_t)rest;
    memcpy((char *)line + sizeof narrow * (CLOSED_NARROW_REST + slot), &narrow, sizeof narrow);
}

/* Looks up a key, whose home is `line`: where it is if it is known, else where it is to be entered.
 */
KERNEL struct closed_place closed_find_from(const struct compact_closed *closed,
                                            struct closed_line *line, uint64_t key)
{
    struct closed_place place = {.line = line};
    for (;; place.line++, place.behind++) {
        unsigned equal = closed_equal_tags(place.line, key);
        for (; UNLIKELY(equal != 0); equal &= equal - 1) {
            const uint32_t rest =
                closed->slots == CLOSED_WIDE ? closed_rest(key) : closed_rest(key) & 0xfff;
            place.slot = (unsigned)__builtin_ctz(equal);
            place.known = closed_rest_in(closed, place.line, place.slot) >> 4 == rest;
            if (LIKELY(place.known))
                return place;
        }
        place.slot = place.line->word[CLOSED_COUNT];
        if (LIKELY(place.slot < closed->slots))
            return place;
    }
}

KERNEL struct closed_place closed_find(const struct compact_closed *closed, uint64_t key)
{
    return closed_find_from(closed, closed_home(closed, key), key);
}

KERNEL unsigned closed_note(const struct compact_closed *closed, struct closed_place place)
{
    return closed_rest_in(closed, place.line, place.slot) & CLOSED_NOTE;
}

/* Changes the note of a known state. */
KERNEL void closed_set_note(const struct compact_closed *closed, struct closed_place place,
                            unsigned note)
{
    const uint32_t rest = closed_rest_in(closed, place.line, place.slot);
    closed_set_rest(closed, place.line, place.slot, (rest & ~(uint32_t)CLOSED_NOTE) | note);
}

/* Prepares to enter a key so many lines after its home, which is full. False if that is too far. */
bool closed_go_behind(struct compact_closed *closed, const struct closed_line *line,
                      uint64_t behind);

/* Enters a state that is not known. There must be room. False when the table cannot take it all the
 * same (see above). */
KERNEL bool closed_enter(struct compact_closed *closed, struct closed_place place, uint64_t key,
                         unsigned note)
{
    struct closed_line *line = place.line;
    assert(note <= CLOSED_NOTE && place.slot == line->word[CLOSED_COUNT]);
    if (UNLIKELY(place.behind > 0) && !closed_go_behind(closed, line, place.behind))
        return false;
    line->word[place.slot] = closed_tag(key);
    closed_set_rest(closed, line, place.slot, closed_rest(key) << 4 | note);
    line->word[CLOSED_COUNT] = place.slot + 1;
    closed->count++;
    return true;
}

/* Enters a state if its home has room and none of its tags is the key's, as is so for most new
 * states. False if it must be looked up. There must be room in the table. */
KERNEL bool closed_enter_at_home(struct compact_closed *closed, struct closed_line *home,
                                 uint64_t key, unsigned note)
{
    const unsigned slot = home->word[CLOSED_COUNT];
    if (UNLIKELY(closed_any_tag(home, key)) || UNLIKELY(slot >= closed->slots))
        return false;
    home->word[slot] = closed_tag(key);
    closed_set_rest(closed, home, slot, closed_rest(key) << 4 | note);
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
