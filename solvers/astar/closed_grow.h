/* How the closed list grows: part of astar/closed.h. */
#pragma once

#include <string.h>

enum {
    /* Lines in all sections from which on a table no longer doubles, and what part of its own it
       grows by. */
    LARGE = (NOTE_BITS == 4 ? 1 << 18 : 1 << 16) / SECTIONS,
    PART = NOTE_BITS == 4 ? 2 : 4,
    STRIDE = 32,              /* lines swept together when it grows */
    LINES_PER_LOOK = 1 << 13, /* swept between two looks at the clock */
    FULL = 70,                /* per cent at which it grows ... */
    FILLED_UP = 94            /* ... or at which the search ends, if it cannot grow */
};

static uint64_t spare_of(uint64_t lines)
{
    return lines / 8 < 252 ? 4 + lines / 8 : 256;
}

static uint64_t room_of(const struct compact_closed *closed, unsigned percent)
{
    return closed->lines * CLOSED_SLOTS * percent / 100;
}

static void lay_out(struct compact_closed *closed, struct closed_line *table, uint64_t lines)
{
    closed->table = table;
    closed->lines = lines;
    closed->spare = spare_of(lines);
    closed->room = room_of(closed, FULL);
    closed->entries = 0;
    closed->farthest = 0;
}

static bool closed_start(struct compact_closed *closed, struct arena *arena, uint64_t lines)
{
    *closed = (struct compact_closed){.arena = arena};
    struct closed_line *table = arena_take(arena, (lines + spare_of(lines)) * sizeof *table);
    if (table == NULL)
        return false;
    lay_out(closed, table, lines);
    return true;
}

static void closed_end(struct compact_closed *closed)
{
    arena_release(closed->arena, closed->table);
    closed->table = NULL;
}

static CALLED void closed_go_behind(struct compact_closed *closed, const struct closed_line *line,
                                    uint64_t behind)
{
    raise_to(&closed->farthest, behind);
    /* The last line must never fill up: a search for a key ends there at the latest. */
    if ((uint64_t)(line - closed->table) + 2 >= closed->lines + closed->spare)
        closed->room = 0;
}

/* How many lines must be copied aside, from the first, while the table gets `more` lines. Behind
 * them, the entries of a stride of lines get new homes after the stride: an entry of line b had its
 * home at most `farthest` lines before b, and (b - farthest) * (lines + more) / lines >= b +
 * STRIDE. */
static uint64_t aside_of(const struct compact_closed *closed, uint64_t more)
{
    const uint64_t all = closed->lines + closed->spare;
    const uint64_t low =
        (closed->farthest * (closed->lines + more) + STRIDE * closed->lines + more - 1) / more;
    return low < closed->lines ? low : all;
}

/* How many lines the table can grow by: as many again while it is small, a quarter when it is
 * large, or fewer if the budget asks for it. Of what the budget still allows, a third is left to
 * the open list, which grows too. 0 if that is too little to be worth a sweep. */
static uint64_t more_lines(const struct compact_closed *closed)
{
    const struct arena *arena = closed->arena;
    const uint64_t left = (arena->budget - arena->used) / sizeof *closed->table;
    uint64_t more = closed->lines < LARGE ? closed->lines : closed->lines / PART;
    for (; more > closed->lines / 16; more -= (more + 7) / 8) {
        const uint64_t larger = more + spare_of(closed->lines + more) - closed->spare;
        if (larger <= left / 3 * 2 && larger + aside_of(closed, more) <= left)
            return more;
    }
    return 0;
}

/* The smallest key whose home is this line. */
static compact_key first_key(const struct compact_closed *closed, uint64_t line)
{
    const uint128 high = (((uint128)line << 64) + closed->lines - 1) / closed->lines;
    return (compact_key)high << (8 * sizeof(compact_key) - 64);
}

/* The first line after a full one that is not full. */
static CALLED struct closed_place place_behind(struct compact_closed *closed,
                                               struct closed_place place)
{
    do {
        place.line++;
        place.behind++;
    } while ((place.slot = place.line->byte[CLOSED_COUNT]) == CLOSED_SLOTS);
    closed_go_behind(closed, place.line, place.behind);
    return place;
}

/* Enters the entries of a line of the old table again. */
KERNEL void enter_again(struct compact_closed *closed, struct closed_line *old)
{
    const unsigned count = old->byte[CLOSED_COUNT];
    for (unsigned i = 0; i < count; i++) {
        uint32_t tag;
        memcpy(&tag, old->byte + 4 * i, sizeof tag);
        const compact_key key = (compact_key)closed_high_in(old, i) << (KEY_UNUSED + 32) |
                                (compact_key)tag << KEY_UNUSED;
        struct closed_place place = {.line = closed_home(closed, key)};
        place.slot = place.line->byte[CLOSED_COUNT];
        if (UNLIKELY(place.slot == CLOSED_SLOTS))
            place = place_behind(closed, place);
        closed_write(place, key, closed_notes((struct closed_place){.line = old, .slot = i}));
    }
    closed->entries += count;
}

/* Prefetches what the next stride of a sweep reads, before line `begin`, and writes, before line
 * `homes`: processors are bad at predicting lines that are read from the end to the beginning.
 */
static void prefetch_before(const struct compact_closed *closed, uint64_t begin, uint64_t homes)
{
    for (uint64_t i = 1; i <= STRIDE && i <= begin; i++)
        __builtin_prefetch(closed->table + begin - i);
    for (uint64_t i = 1; i <= 2 * STRIDE && i <= homes; i++)
        __builtin_prefetch(closed->table + homes - i, 1);
}

/* Moves every entry to its place in the larger table, which begins with the `old` one; the old
 * table's first `low` lines were copied to `aside`. Works from the end to the beginning, a stride
 * of lines at a time: the old homes of its entries were at most old->farthest lines before it, and
 * the new ones lie after it. The spare lines suffice as they did before, since no key has fewer
 * lines between its home and the end than it had. False when the search is over. */
static bool sweep(struct compact_closed *closed, const struct compact_closed *old,
                  struct closed_line *aside, uint64_t low, struct search *search)
{
    struct closed_line *table = closed->table;
    const uint64_t used = old->farthest < old->spare ? old->farthest : old->spare;
    uint64_t cleared = closed->lines + closed->spare; /* from here on no old entry is left */
    uint64_t begin;
    for (uint64_t end = old->lines + used; end > low; end = begin) {
        begin = end > low + STRIDE ? end - STRIDE : low;
        const compact_key lowest = first_key(old, begin - old->farthest);
        const uint64_t homes = (uint64_t)(closed_home(closed, lowest) - table);
        assert(homes >= end);
        if (homes < cleared) {
            memset(table + homes, 0, (cleared - homes) * sizeof *table);
            cleared = homes;
        }
        prefetch_before(closed, begin, homes);
        for (uint64_t b = begin; b < end; b++)
            enter_again(closed, &table[b]);
        if (begin % LINES_PER_LOOK < STRIDE && !search_may_go_on(search))
            return false;
    }
    memset(table, 0, cleared * sizeof *table);
    for (uint64_t b = 0; b < low; b++)
        enter_again(closed, &aside[b]);
    return true;
}

/* Grows the table by `more` lines if memory allows. False when the search is over. */
static bool enlarge(struct compact_closed *closed, uint64_t more, struct search *search)
{
    const struct compact_closed old = *closed;
    const uint64_t lines = old.lines + more;
    const uint64_t low = aside_of(closed, more);
    struct closed_line *aside = arena_take(closed->arena, low * sizeof *aside);
    if (aside == NULL)
        return true;
    bool going_on = true;
    struct closed_line *table =
        arena_resize(closed->arena, old.table, (lines + spare_of(lines)) * sizeof *table);
    if (table != NULL) {
        memcpy(aside, table, low * sizeof *aside);
        lay_out(closed, table, lines);
        going_on = sweep(closed, &old, aside, low, search);
        assert(!going_on || closed->entries == old.entries);
    }
    arena_release(closed->arena, aside);
    return going_on;
}

static CALLED bool closed_grow(struct compact_closed *closed, struct search *search)
{
    while (!closed_has_room(closed)) {
        const uint64_t lines = closed->lines;
        const uint64_t more = more_lines(closed);
        if (more > 0 && !enlarge(closed, more, search))
            return false;
        if (closed->lines > lines)
            continue;
        /* The table cannot grow: it is filled up. */
        if (closed->room == 0 || closed->room == room_of(closed, FILLED_UP)) {
            search->status = STATUS_memory_limit;
            return false;
        }
        closed->room = room_of(closed, FILLED_UP);
    }
    return true;
}
