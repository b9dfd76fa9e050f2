/* The closed list of the compact A*: what was entered is found with its note, what was not is not,
 * in crowded places and between keys that look alike, and still so after the table grew: from whole
 * keys to shortened ones, by as many lines again and by a quarter. */
#include "base/random.h"
#include "search/compact_closed.h"
#include "tests/support.h"

enum { CLUSTER = 40, CLUSTERS = 5, KEYS = CLUSTERS * CLUSTER * CLOSED_NARROW, SMALL = 1 << 18 };

struct entered {
    struct arena arena;
    struct compact_closed closed;
    struct search search;
    gsl_rng *generator;
    uint64_t keys[KEYS];
    unsigned notes[KEYS];
    unsigned count;
};

static void begin(struct entered *entered, uint64_t lines, uint64_t budget)
{
    entered->count = 0;
    entered->search = (struct search){.status = STATUS_solved};
    entered->generator = gsl_rng_alloc(random_philox);
    random_stream(entered->generator, 2026, 16, 0, (uint32_t)lines);
    arena_start(&entered->arena, budget);
    assert_true(closed_start(&entered->closed, &entered->arena, lines));
}

static void end(struct entered *entered)
{
    closed_end(&entered->closed);
    assert_int_equal(entered->arena.used, 0);
    arena_end(&entered->arena);
    gsl_rng_free(entered->generator);
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

static bool enter(struct entered *entered, uint64_t key)
{
    const struct closed_place place = closed_find(&entered->closed, key);
    const unsigned note = (unsigned)gsl_rng_uniform_int(entered->generator, CLOSED_NOTE + 1);
    assert_false(place.known);
    if (place.behind == 0 && key % 512 == 0)
        assert_true(closed_enter_at_home(&entered->closed, place.line, key, note));
    else if (!closed_enter(&entered->closed, place, key, note))
        return false;
    entered->keys[entered->count] = key;
    entered->notes[entered->count++] = note;
    return true;
}

/* Every key is where a look-up finds it, with its note, and none beside it. */
static void check(struct entered *entered)
{
    struct compact_closed *closed = &entered->closed;
    assert_int_equal(closed->count, entered->count);
    for (unsigned i = 0; i < entered->count; i++) {
        const uint64_t key = entered->keys[i];
        const struct closed_place place = closed_find(closed, key);
        assert_true(place.known);
        assert_int_equal(closed_note(closed, place), entered->notes[i]);
        assert_false(closed_enter_at_home(closed, closed_home(closed, key), key, 0));
        entered->notes[i] ^= 1 + i % CLOSED_NOTE;
        closed_set_note(closed, place, entered->notes[i]);
        const uint64_t bit = UINT64_C(256) << i % 56;
        bool other = true;
        for (unsigned j = 0; j < entered->count && other; j++)
            other = entered->keys[j] != (key ^ bit);
        assert_int_equal(closed_find(closed, key ^ bit).known, !other);
    }
}

static void what_was_entered_is_found(void **state)
{
    static struct entered entered;
    struct compact_closed *closed = &entered.closed;
    (void)state;
    begin(&entered, SMALL, UINT64_C(1) << 30);
    assert_int_equal(closed->slots, CLOSED_WIDE);
    /* The first lines, the last ones, and lines a 4096th of the table apart, whose keys agree in
     * all bits but the 12 highest. */
    const uint64_t apart = SMALL / 4096;
    const uint64_t first[CLUSTERS] = {0, SMALL - CLUSTER, SMALL / 2, SMALL / 2 + apart,
                                      SMALL / 2 + 2 * apart};
    for (unsigned i = 0; i < CLUSTER * CLOSED_WIDE * 95 / 100; i++) {
        for (unsigned c = 0; c < 3; c++)
            assert_true(enter(&entered, random_key(&entered, first[c], CLUSTER)));
        const uint64_t key = entered.keys[entered.count - 1];
        assert_true(enter(&entered, key + (UINT64_C(1) << 52)));
        assert_true(enter(&entered, key + (UINT64_C(2) << 52)));
    }
    assert_true(closed->farthest > 3);
    check(&entered);
    const uint64_t lines[] = {SMALL * 2, SMALL * 4, SMALL * 4 / 4 * 5};
    for (unsigned i = 0; i < 3; i++) {
        closed->room = closed->count; /* as if it were full */
        assert_true(closed_grow(closed, &entered.search));
        assert_int_equal(closed->lines, lines[i]);
        assert_int_equal(closed->slots, CLOSED_NARROW);
        assert_true(closed_has_room(closed));
        check(&entered);
    }
    end(&entered);
}

/* Shortened keys must lie near their homes: when a line has so many that one would not, it says so.
 */
static void no_entry_lies_too_far_from_its_home(void **state)
{
    static struct entered entered;
    (void)state;
    begin(&entered, SMALL * 2, UINT64_C(1) << 30);
    assert_int_equal(entered.closed.slots, CLOSED_NARROW);
    while (enter(&entered, random_key(&entered, 77, 1)))
        assert_true(entered.count < KEYS);
    assert_int_equal(entered.count, (entered.closed.limit + 1) * CLOSED_NARROW);
    assert_true(entered.closed.limit < SMALL * 2 / 4096);
    check(&entered);
    end(&entered);
}

/* A table that cannot grow is filled up, once. */
static void without_memory_it_fills_up(void **state)
{
    static struct entered entered;
    struct compact_closed *closed = &entered.closed;
    (void)state;
    begin(&entered, 1000, UINT64_C(1) << 30);
    entered.arena.budget = entered.arena.used;
    const uint64_t room = closed->room;
    closed->count = room;
    assert_true(closed_grow(closed, &entered.search));
    assert_int_equal(closed->lines, 1000);
    assert_true(closed->room > room && closed->room < 1000 * CLOSED_WIDE);
    closed->count = closed->room;
    assert_false(closed_grow(closed, &entered.search));
    assert_int_equal(entered.search.status, STATUS_memory_limit);
    end(&entered);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_entered_is_found),
        cmocka_unit_test(no_entry_lies_too_far_from_its_home),
        cmocka_unit_test(without_memory_it_fills_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
