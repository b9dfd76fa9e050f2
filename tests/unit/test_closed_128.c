/* The closed list of the compact A* for boards of 17 to 25 cells (test_closed.c has it for smaller
 * ones): whatever was entered is found with its note, however often the table has grown since, and
 * nothing else is. test_closed_reopening.c is this for the longer notes of the other form. */
#ifndef NOTE_BITS
#define NOTE_BITS 4
#include "astar/board_128.h"
#endif

#define SECTIONS 1
#include "astar/closed.h"
#include "tests/support.h"

enum { GROUP = 8, APART = 3 }; /* keys of a group; those of them that differ in few bits */

/* A number that looks random (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014). */
static uint64_t mixed(uint64_t number)
{
    number = (number + 1) * 0x9e3779b97f4a7c15U;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9U;
    number = (number ^ number >> 27) * 0x94d049bb133111ebU;
    return number ^ number >> 31;
}

/* Key number `i`. The first APART keys of a group differ only in the highest bits. */
static compact_key key_of(uint64_t i)
{
    const bool apart = i % GROUP < APART;
    const uint64_t base = apart ? i - i % GROUP : i;
    compact_key key = mixed(2 * base);
    if (sizeof key > 8)
        key |= (compact_key)mixed(2 * base + 1) << (8 * sizeof key - 64);
    if (apart)
        key ^= (compact_key)(i % GROUP) << (8 * sizeof key - 12);
    return key >> KEY_UNUSED << KEY_UNUSED;
}

/* The notes of its states. */
static uint64_t notes_of(uint64_t i)
{
    return 1 + mixed(i) % ((UINT64_C(1) << NOTE_BITS * STRIP) - 1);
}

/* Looks for the first `count` keys, which are there, and some that are not. */
static void expect_keys(const struct compact_closed *closed, uint64_t count)
{
    assert_true(closed->entries == count);
    for (uint64_t i = 0; i < count; i++) {
        const struct closed_place place = closed_find(closed, key_of(i));
        if (!place.known || closed_notes(place) != notes_of(i))
            fail_msg("key %lu of %lu, %lu lines", (unsigned long)i, (unsigned long)count,
                     (unsigned long)closed->lines);
    }
    for (uint64_t i = count; i < count + count / 4; i++)
        assert_false(closed_find(closed, key_of(i)).known);
}

/* Enters keys until the table has `lines` lines. */
static void fill(uint64_t first, uint64_t lines)
{
    struct search search = {0};
    struct compact_closed closed;
    uint64_t count = 0;
    arena_start(&search.arena, UINT64_C(1) << 30);
    assert_true(closed_start(&closed, &search.arena, first));
    while (closed.lines < lines) {
        const compact_key key = key_of(count);
        const struct closed_place place = closed_find(&closed, key);
        assert_false(place.known);
        closed_enter(&closed, place, key, 0, 1);
        closed_set_notes(closed_find(&closed, key), notes_of(count++));
        if (!closed_has_room(&closed)) {
            if (closed.lines * 2 < lines)
                expect_keys(&closed, count);
            assert_true(closed_grow(&closed, &search));
        }
    }
    expect_keys(&closed, count);
    closed_end(&closed);
    assert_true(search.arena.used == 0);
    arena_end(&search.arena);
}

TEST(test_small_tables)
{
    for (uint64_t lines = 1; lines < 100; lines += 7)
        fill(lines, 5000);
}

/* From 2^19 lines on it grows by a half. */
TEST(test_a_large_table)
{
    fill(1 << 18, 3 << 18);
}

/* Tags are compared by vectors as one by one, in all slots that are in use. */
TEST(test_tags)
{
    enum { LINES = 1000 };
    for (uint64_t n = 0; n < LINES; n++) {
        struct closed_line line = {0};
        for (unsigned i = 0; i < CLOSED_SLOTS; i++) {
            const struct closed_place place = {.line = &line, .slot = i};
            closed_write(place, key_of(mixed(n * CLOSED_SLOTS + i) % 5), 1);
        }
        for (uint64_t k = 0; k < 5; k++)
            assert_int_equal(closed_equal_tags(&line, key_of(k)) & ((1U << CLOSED_SLOTS) - 1),
                             closed_equal_tags_plain(&line, key_of(k)));
    }
}
