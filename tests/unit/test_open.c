/* The open list gives back its entries in order of cost, ties as they were asked for: the cost as
 * it is, and weighted, where a cost takes more bits than an entry has for it. */
#include "base/random.h"
#include "search/open.h"
#include "tests/support.h"

enum { ENTRIES = 2000 };

struct item {
    uint32_t id;
    unsigned g, h;
    int64_t cost;
};

static enum ties compared_by;

static int in_order(const void *a, const void *b)
{
    const struct item *x = a;
    const struct item *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (compared_by == TIES_HIGH_G && x->g != y->g)
        return x->g > y->g ? -1 : 1;
    if (compared_by == TIES_LOW_G && x->g != y->g)
        return x->g < y->g ? -1 : 1;
    return compared_by == TIES_FIFO ? (x->id > y->id) - (x->id < y->id)
                                    : (x->id < y->id) - (x->id > y->id);
}

static void check(enum ties ties, int g_weight, int h_weight, unsigned max_g, unsigned max_h)
{
    static struct item items[ENTRIES];
    const bool weighted = h_weight != 0;
    gsl_rng *generator = gsl_rng_alloc(random_philox);
    struct arena arena;
    struct open open;
    random_stream(generator, 2026, 2, (uint32_t)ties, (uint32_t)h_weight);
    arena_start(&arena, 1 << 20);
    open_start(&open, &arena, ties);
    if (weighted)
        open_weight(&open, g_weight, h_weight);
    for (uint32_t id = 0; id < ENTRIES; id++) {
        const unsigned g = (unsigned)gsl_rng_uniform_int(generator, max_g + 1UL);
        const unsigned h = (unsigned)gsl_rng_uniform_int(generator, max_h + 1UL);
        const int64_t cost = weighted ? (int64_t)g_weight * g + (int64_t)h_weight * h : g + h;
        items[id] = (struct item){id, g, h, cost};
        if (weighted)
            assert_true(open_push(&open, true, open_weighted_entry(&open, id, g, h)));
        else
            assert_true(open_push(&open, false, open_entry(&open, id, g + h, g)));
    }
    compared_by = ties;
    qsort(items, ENTRIES, sizeof *items, in_order);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        const uint64_t entry = weighted ? open_pop(&open, true) : open_pop(&open, false);
        assert_int_equal(open_id(&open, entry), items[i].id);
    }
    assert_int_equal(open.count, 0);
    open_end(&open);
    arena_end(&arena);
    gsl_rng_free(generator);
}

static void test_entries_come_back_in_order(void **state)
{
    (void)state;
    for (unsigned ties = TIES_HIGH_G; ties <= TIES_LIFO; ties++) {
        check((enum ties)ties, 0, 0, 60, 60);
        check((enum ties)ties, 0, 0, 65000, 500);
        check((enum ties)ties, 1, 1, 60, 60);
        check((enum ties)ties, 2, 3, 60, 60);
        check((enum ties)ties, 1, 1000, 5000, 200);
        check((enum ties)ties, 1000, 999999, 2000, 2);
        check((enum ties)ties, 1000, 999999, MAX_WEIGHTED_G, MAX_WEIGHTED_H);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries_come_back_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
