/* The closed list of the compact A*: what was stored is found with its note, what was not is not,
 * in crowded places and between keys that look alike, and still so after the table grew, by as many
 * lines again and by a half. */
#define NOTE_BITS 4
#define SECTIONS  1
#include "astar/board_64.h"

#include "astar/closed.h"
#include "tests/support.h"

enum { CLUSTER = 40, CLUSTERS = 5, KEYS = CLUSTERS * CLUSTER * CLOSED_SLOTS, SMALL = 1 << 16 };

struct entered {
    struct arena arena;
    struct compact_closed closed;
    struct search search;
    gsl_rng *generator;
    uint64_t keys[KEYS];
    unsigned notes[KEYS][STRIP]; /* 0: not stored */
    bool twins[KEYS];            /* another key has the same tag, and may have the same home */
    unsigned count;
    uint64_t states;
};

static void begin(struct entered *entered, uint64_t lines, uint64_t budget)
{
    entered->count = 0;
    entered->states = 0;
    entered->search = (struct search){.status = STATUS_solved};
    entered->generator = any_generator();
    random_stream(entered->generator, 2026, 16, 0, (uint32_t)lines);
    arena_start(&entered->arena, budget);
    assert_true(closed_start(&entered->closed, &entered->arena, lines));
}

static void end(struct entered *entered)
{
    closed_end(&entered->closed);
    assert_int_equal(entered->arena.used, 0);
    arena_end(&entered->arena);
}

/* A random key whose home is one of `count` lines from `line` on. */
static uint64_t random_key(const struct entered *entered, uint64_t line, unsigned count)
{
    const uint64_t lines = entered->closed.lines;
    const uint64_t width = UINT64_MAX / lines;
    const uint64_t home = line + gsl_rng_uniform_int(entered->generator, count);
    const uint64_t within = (uint64_t)(gsl_rng_uniform(entered->generator) * (double)(width / 2));
    return (uint64_t)(((uint128)home << 64) / lines + width / 4 + within) & ~UINT64_C(255);
}

static unsigned random_note(const struct entered *entered)
{
    return 1 + (unsigned)gsl_rng_uniform_int(entered->generator, CLOSED_NOTE);
}

/* Stores a state of a strip that is not known. */
static void enter(struct entered *entered, uint64_t key, bool is_twin)
{
    struct compact_closed *closed = &entered->closed;
    const struct closed_place place = closed_find(closed, key);
    const unsigned state = (unsigned)gsl_rng_uniform_int(entered->generator, STRIP);
    const unsigned note = random_note(entered);
    assert_false(place.known);
    if (closed_store_at_home(closed, closed_home(closed, key), key, 4 * state, note)) {
        assert_int_equal(place.behind, 0);
    } else {
        assert_true(place.behind > 0 || is_twin);
        closed_enter(closed, place, key, 4 * state, note);
    }
    entered->keys[entered->count] = key;
    entered->twins[entered->count] = is_twin;
    memset(entered->notes[entered->count], 0, sizeof entered->notes[0]);
    entered->notes[entered->count++][state] = note;
    entered->states++;
}

/* Stores another state of a strip, or changes its note if it is stored. */
static void store(struct entered *entered, unsigned i)
{
    struct compact_closed *closed = &entered->closed;
    const uint64_t key = entered->keys[i];
    const unsigned state = (unsigned)gsl_rng_uniform_int(entered->generator, STRIP);
    const unsigned note = random_note(entered);
    const struct closed_place place = closed_find(closed, key);
    const bool is_new = entered->notes[i][state] == 0;
    if (closed_store_at_home(closed, closed_home(closed, key), key, 4 * state, note)) {
        assert_true(place.behind == 0 && is_new);
    } else {
        assert_true(place.behind > 0 || !is_new || entered->twins[i]);
        closed_set_note(place, 4 * state, note);
        closed->states += is_new;
    }
    entered->states += is_new;
    entered->notes[i][state] = note;
}

/* Every key is where a look-up finds it, with its notes, and none beside it. */
static void check(struct entered *entered)
{
    struct compact_closed *closed = &entered->closed;
    assert_int_equal(closed->entries, entered->count);
    assert_int_equal(closed->states, entered->states);
    for (unsigned i = 0; i < entered->count; i++) {
        const uint64_t key = entered->keys[i];
        const struct closed_place place = closed_find(closed, key);
        assert_true(place.known);
        for (unsigned state = 0; state < STRIP; state++)
            assert_int_equal(closed_note(place, 4 * state), entered->notes[i][state]);
        store(entered, i);
        const uint64_t bit = UINT64_C(256) << i % 56;
        bool other = true;
        for (unsigned j = 0; j < entered->count && other; j++)
            other = entered->keys[j] != (key ^ bit);
        assert_int_equal(closed_find(closed, key ^ bit).known, !other);
    }
}

TEST(what_was_entered_is_found)
{
    static struct entered entered;
    struct compact_closed *closed = &entered.closed;
    begin(&entered, SMALL, UINT64_C(1) << 30);
    /* The first lines, the last ones, some in between; and keys that agree with those in all bits
     * but the highest, or in all that the tag holds. */
    const uint64_t first[] = {0, SMALL - CLUSTER, SMALL / 2};
    for (unsigned i = 0; i < CLUSTER * CLOSED_SLOTS * 95 / 100; i++) {
        for (unsigned c = 0; c < 3; c++)
            enter(&entered, random_key(&entered, first[c], CLUSTER), false);
        const uint64_t key = entered.keys[entered.count - 1];
        entered.twins[entered.count - 1] = true;
        enter(&entered, key + (UINT64_C(1) << 52), true);
        enter(&entered, key ^ (UINT64_C(1) << 40), true);
    }
    assert_true(closed->farthest > 3);
    check(&entered);
    const uint64_t lines[] = {SMALL * 2, SMALL * 4, SMALL * 4 / 2 * 3};
    for (unsigned i = 0; i < 3; i++) {
        closed->room = closed->entries; /* as if it were full */
        assert_true(closed_grow(closed, &entered.search));
        assert_int_equal(closed->lines, lines[i]);
        assert_true(closed_has_room(closed));
        check(&entered);
    }
    end(&entered);
}

/* A home for more keys than some lines hold: they lie behind it, line after line. */
TEST(keys_of_one_home_lie_behind_it)
{
    static struct entered entered;
    begin(&entered, 300, UINT64_C(1) << 30);
    for (unsigned i = 0; i < KEYS / 10; i++)
        enter(&entered, random_key(&entered, 77, 1), false);
    assert_int_equal(entered.closed.farthest, (KEYS / 10 - 1) / CLOSED_SLOTS);
    check(&entered);
    entered.closed.room = entered.count;
    assert_true(closed_grow(&entered.closed, &entered.search));
    check(&entered);
    end(&entered);
}

/* A table that cannot grow is filled up, once. */
TEST(without_memory_it_fills_up)
{
    static struct entered entered;
    struct compact_closed *closed = &entered.closed;
    begin(&entered, 1000, UINT64_C(1) << 30);
    entered.arena.budget = entered.arena.used;
    const uint64_t room = closed->room;
    closed->entries = room;
    assert_true(closed_grow(closed, &entered.search));
    assert_int_equal(closed->lines, 1000);
    assert_true(closed->room > room && closed->room < 1000 * CLOSED_SLOTS);
    closed->entries = closed->room;
    assert_false(closed_grow(closed, &entered.search));
    assert_int_equal(entered.search.status, STATUS_memory_limit);
    end(&entered);
}
