/* The closed and open states of a search: for boards of up to 16 cells in 9 bytes for each strip of
 * up to 4 states, for 17 to 25 cells in 14 for each of up to 5 (astar/compact.h).
 *
 * A strip is a set of states that moves along a row lead to from one another: the tiles lie in the
 * same order if the blank is left out, and the blank is on one of some neighbouring cells of one
 * row. So a strip has one key and one entry in the table, with a note for each of its states. A
 * search looks at the entry of a strip for every child that lies along the row, mostly soon after
 * it looked at it before, and a search of A* stores two states of a strip and more, on average.
 *
 * A key is a number of the strip, of 56 bits (astar/board_64.h) or 88 (astar/board_128.h):
 * keys are equal only if strips are, no key is 0, and the high bits of a key depend on all of it. A
 * key is kept in the high bits of a word. A note has NOTE_BITS: 4, or 10 for
 * astar/reopening_body.h, where strips take 12 and 18 bytes. It is 0 for a state that is not
 * stored; the search decides what else it means.
 *
 * The table consists of lines, each a cache line of 64 bytes: first 32 bits of each entry's key
 * (its tag), then the higher bits of the keys, then the number of entries, then the notes. All tags
 * of a line are compared at once, without a branch that depends on the entry's place. The home of a
 * key is line k * lines / 2^64, where k is its word, or the high half of it. Its entry lies there
 * or, if that line was full, in the next line that was not. There are spare lines after the last
 * home. Nothing is ever removed. (Buckets that overflow into the next: Peterson, "Addressing for
 * random-access storage", IBM Journal of Research and Development 1, 1957.)
 *
 * Since homes are in the order of the keys, the table can grow in place, by any number of lines, in
 * one sweep from its end. It doubles while it is small and grows by a half or a quarter when it is
 * large.
 *
 * The header of the board's width comes before. */
#pragma once

#include "search/search.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    CLOSED_NOTE = (1 << NOTE_BITS) - 1, /* the largest note */
    CLOSED_NOTE_BYTES = (STRIP * NOTE_BITS + 7) / 8,
    CLOSED_HIGH_BYTES = sizeof(compact_high) - 1,
    CLOSED_LINE = 64, /* bytes of a line */
    /* Entries in a line: 7 and 4, with the longer notes 5 and 3. */
    CLOSED_SLOTS = (CLOSED_LINE - 1) / (4 + CLOSED_HIGH_BYTES + CLOSED_NOTE_BYTES),
    /* Where in a line its parts begin, after the tags: the higher bits of keys, the byte that
       counts the entries, the notes. */
    CLOSED_HIGHS = 4 * CLOSED_SLOTS,
    CLOSED_COUNT = CLOSED_HIGHS + CLOSED_HIGH_BYTES * CLOSED_SLOTS,
    CLOSED_NOTES = CLOSED_COUNT + 1
};

_Static_assert(CLOSED_SLOTS <= 8, "tags are compared in two vectors");

struct closed_line {
    _Alignas(CLOSED_LINE) uint8_t byte[CLOSED_LINE];
};

struct compact_closed {
    struct arena *arena;
    struct closed_line *table;
    uint64_t lines;    /* homes */
    uint64_t spare;    /* lines after the last home */
    uint64_t states;   /* that are stored */
    uint64_t entries;  /* strips */
    uint64_t room;     /* the table grows before there are more entries than this */
    uint64_t farthest; /* maximum over all entries: lines from its home to where it lies */
};

/* Where a strip is, or where it is to be entered. */
struct closed_place {
    struct closed_line *line;
    unsigned slot;
    bool known;
    uint64_t behind; /* lines from its home to here */
};

/* Makes an empty table of `lines` lines (at least 1). False when the budget is spent. */
static bool closed_start(struct compact_closed *closed, struct arena *arena, uint64_t lines);

static void closed_end(struct compact_closed *closed);

/* The 32 low bits of a key, and the others. */
KERNEL uint32_t closed_tag(compact_key key)
{
    return (uint32_t)(key >> KEY_UNUSED);
}

KERNEL compact_high closed_high(compact_key key)
{
    return (compact_high)(key >> (KEY_UNUSED + 32));
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

/* Some time later: if the home is full, prefetches the line after it. */
KERNEL void closed_prefetch_behind(const struct closed_line *home)
{
    const unsigned full = home->byte[CLOSED_COUNT] == CLOSED_SLOTS;
    __builtin_prefetch(home + full, 1);
}

/* Which of a line's tags are the key's: bit i for slot i. Above CLOSED_SLOTS - 1 bits mean nothing,
 * as those of empty slots. The plain form, and the same by vectors where there are any. */
KERNEL unsigned closed_equal_tags_plain(const struct closed_line *line, compact_key key)
{
    unsigned equal = 0;
    for (unsigned i = 0; i < CLOSED_SLOTS; i++) {
        uint32_t tag;
        memcpy(&tag, line->byte + 4 * i, sizeof tag);
        equal |= (unsigned)(tag == closed_tag(key)) << i;
    }
    return equal;
}

KERNEL unsigned closed_equal_tags(const struct closed_line *line, compact_key key)
{
#ifdef __SSE2__
    const __m128i tags = _mm_set1_epi32((int)closed_tag(key));
    const __m128i *four = (const __m128i *)line->byte;
    const __m128i low = _mm_cmpeq_epi32(_mm_load_si128(&four[0]), tags);
    const __m128i high = CLOSED_SLOTS > 4 ? _mm_cmpeq_epi32(_mm_load_si128(&four[1]), tags) : low;
    const __m128i words = _mm_packs_epi32(low, high);
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(words, words));
#else
    return closed_equal_tags_plain(line, key);
#endif
}

/* The high bits of an entry's key, read with the byte after them; 0 for the first slot that is
 * empty. */
KERNEL compact_high closed_high_in(const struct closed_line *line, unsigned slot)
{
    compact_high high;
    memcpy(&high, line->byte + CLOSED_HIGHS + CLOSED_HIGH_BYTES * slot, sizeof high);
    return high_in_order(high) & ((compact_high)-1 >> 8);
}

/* The notes of an entry's states: NOTE_BITS for each, from the lowest. They are read and written as
 * two words that overlap, in registers: bytes that are put together in memory must wait for it. */
#if NOTE_BITS == 4
typedef uint16_t closed_word;
#define CLOSED_IN_ORDER htole16
#else
typedef uint32_t closed_word;
#define CLOSED_IN_ORDER htole32
#endif

enum { CLOSED_OVERLAP = CLOSED_NOTE_BYTES - sizeof(closed_word) };

KERNEL uint8_t *closed_notes_at(struct closed_place place)
{
    return place.line->byte + CLOSED_NOTES + CLOSED_NOTE_BYTES * place.slot;
}

KERNEL uint64_t closed_notes(struct closed_place place)
{
    closed_word low, high;
    memcpy(&low, closed_notes_at(place), sizeof low);
    memcpy(&high, closed_notes_at(place) + CLOSED_OVERLAP, sizeof high);
    return CLOSED_IN_ORDER(low) | (uint64_t)CLOSED_IN_ORDER(high) << 8 * CLOSED_OVERLAP;
}

KERNEL void closed_set_notes(struct closed_place place, uint64_t notes)
{
    const closed_word low = CLOSED_IN_ORDER((closed_word)notes);
    const closed_word high = CLOSED_IN_ORDER((closed_word)(notes >> 8 * CLOSED_OVERLAP));
    memcpy(closed_notes_at(place), &low, sizeof low);
    memcpy(closed_notes_at(place) + CLOSED_OVERLAP, &high, sizeof high);
}

/* Where the note of a state lies among those of its strip: a bit, by the blank's cell. */
KERNEL unsigned closed_shift(const struct board_code *code, unsigned blank)
{
    return NOTE_BITS * code->place[blank];
}

/* The note of a state of a strip, at bit `shift` of its notes. */
KERNEL unsigned closed_note(struct closed_place place, unsigned shift)
{
    return (unsigned)(closed_notes(place) >> shift) & CLOSED_NOTE;
}

KERNEL void closed_set_note(struct closed_place place, unsigned shift, unsigned note)
{
    const uint64_t others = closed_notes(place) & ~((uint64_t)CLOSED_NOTE << shift);
    closed_set_notes(place, others | (uint64_t)note << shift);
}

/* Looks up a key, whose home is `line`: where it is if it is known, else where it is to be entered.
 */
KERNEL struct closed_place closed_find_from(struct closed_line *line, compact_key key)
{
    struct closed_place place = {.line = line};
    for (;; place.line++, place.behind++) {
        const unsigned count = place.line->byte[CLOSED_COUNT];
        unsigned equal = closed_equal_tags(place.line, key) & ((1U << count) - 1);
        for (; equal != 0; equal &= equal - 1) {
            place.slot = (unsigned)__builtin_ctz(equal);
            place.known = closed_high_in(place.line, place.slot) == closed_high(key);
            if (LIKELY(place.known))
                return place;
        }
        place.slot = count;
        if (LIKELY(count < CLOSED_SLOTS))
            return place;
    }
}

KERNEL struct closed_place closed_find(const struct compact_closed *closed, compact_key key)
{
    return closed_find_from(closed_home(closed, key), key);
}

/* Prepares to enter a key some lines after its home, which is full. */
static CALLED void closed_go_behind(struct compact_closed *closed, const struct closed_line *line,
                                    uint64_t behind);

/* Writes an entry, the next one of its line. The high bits are written with a 0 after them, where
 * the next entry's begin or the number of entries is, which comes after. */
KERNEL void closed_write(struct closed_place place, compact_key key, uint64_t notes)
{
    uint8_t *byte = place.line->byte;
    const uint32_t tag = closed_tag(key);
    const compact_high high = high_in_order(closed_high(key));
    assert(place.slot == byte[CLOSED_COUNT]);
    memcpy(byte + 4 * place.slot, &tag, sizeof tag);
    memcpy(byte + CLOSED_HIGHS + CLOSED_HIGH_BYTES * place.slot, &high, sizeof high);
    closed_set_notes(place, notes);
    byte[CLOSED_COUNT] = (uint8_t)(place.slot + 1);
}

/* Stores a state of a strip that is not known. There must be room. */
KERNEL void closed_enter(struct compact_closed *closed, struct closed_place place, compact_key key,
                         unsigned shift, unsigned note)
{
    if (UNLIKELY(place.behind > 0))
        closed_go_behind(closed, place.line, place.behind);
    closed_write(place, key, (uint64_t)note << shift);
    closed->entries++;
    closed->states++;
}

/* Stores a state, the note at bit `shift` of its strip's, if that is simple: the strip is known at
 * its home, or there is room for it, and the state is not stored yet. False if it must be looked
 * up. There must be room in the table. */
KERNEL bool closed_store_at_home(struct compact_closed *closed, struct closed_line *home,
                                 compact_key key, unsigned shift, unsigned note)
{
    const unsigned count = home->byte[CLOSED_COUNT];
    struct closed_place place = {.line = home};
    place.slot = (unsigned)__builtin_ctz(closed_equal_tags(home, key) | 1U << count);
    place.known = place.slot < count;
    if (place.known) {
        const uint64_t notes = closed_notes(place);
        if (UNLIKELY(closed_high_in(home, place.slot) != closed_high(key)) ||
            UNLIKELY((notes >> shift & CLOSED_NOTE) != 0))
            return false;
        closed_set_notes(place, notes | (uint64_t)note << shift);
        closed->states++;
    } else {
        if (UNLIKELY(count == CLOSED_SLOTS))
            return false;
        closed_enter(closed, place, key, shift, note);
    }
    return true;
}

/* Whether all successors of a node can be entered. */
KERNEL bool closed_has_room(const struct compact_closed *closed)
{
    return closed->entries + MOVES <= closed->room;
}

/* Makes that room: grows the table, or lets this one fill up. False when the search must end, with
 * its status set: memory is spent, or time is up (a growing table looks at the clock). */
static CALLED bool closed_grow(struct compact_closed *closed, struct search *search);

#include "astar/closed_grow.h"
