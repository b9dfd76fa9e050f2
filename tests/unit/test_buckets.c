/* The open list gives back its entries in order of cost, ties as they were asked for: the cost as
 * it is, and weighted, where a cost takes more bits than an entry has for it. Buckets give back
 * nodes in the same order as the heap. */
#include "search/node_buckets.h"
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
    gsl_rng *generator = any_generator();
    SCOPED_BY(arena_end) struct arena arena;
    SCOPED_BY(node_heap_end) struct node_heap open;
    random_stream(generator, 2026, 2, (uint32_t)ties, (uint32_t)h_weight);
    arena_start(&arena, 1 << 20);
    node_heap_start(&open, &arena, ties);
    if (weighted)
        node_heap_weight(&open, g_weight, h_weight);
    for (uint32_t id = 0; id < ENTRIES; id++) {
        const unsigned g = (unsigned)gsl_rng_uniform_int(generator, max_g + 1UL);
        const unsigned h = (unsigned)gsl_rng_uniform_int(generator, max_h + 1UL);
        const int64_t cost = weighted ? (int64_t)g_weight * g + (int64_t)h_weight * h : g + h;
        items[id] = (struct item){id, g, h, cost};
        if (weighted)
            assert_true(node_heap_push(&open, true, node_heap_weighted_entry(&open, id, g, h)));
        else
            assert_true(node_heap_push(&open, false, node_heap_entry(&open, id, g + h, g)));
    }
    compared_by = ties;
    qsort(items, ENTRIES, sizeof *items, in_order);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        const uint64_t entry = weighted ? node_heap_pop(&open, true) : node_heap_pop(&open, false);
        assert_int_equal(node_heap_id(&open, entry), items[i].id);
    }
    assert_int_equal(open.count, 0);
}

TEST(test_entries_come_back_in_order)
{
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

static bool push(struct node_buckets *queue, uint32_t id, unsigned cost, unsigned g)
{
    node_buckets_at(queue, g);
    const bool pushed = node_buckets_reserve(queue, id) && node_buckets_push(queue, id, cost);
    const uint64_t row = queue->row;
    node_buckets_at(queue, g);
    assert_true(!pushed || row == queue->row); /* it is right when the array has grown, too */
    return pushed;
}

enum { STEPS = 20000 };

/* What a search does, at random, with one list in buckets and one on the heap: nodes of g up to
 * `most_g` and cost g + h, h between least_h and most_h, are pushed; first ones are taken; a live
 * node is replaced by one of smaller g, and passed over when it comes. `pushes` steps of 30 are
 * pushes. */
static void compare(enum ties ties, unsigned most_g, unsigned least_h, unsigned most_h,
                    unsigned pushes)
{
    static unsigned costs[STEPS], gs[STEPS];
    static bool closed[STEPS];
    gsl_rng *generator = any_generator();
    SCOPED_BY(arena_end) struct arena arena;
    struct node_buckets buckets, heap;
    uint32_t count = 0, taken = 0, expected = 0;
    uint64_t most = 0, passed = 0;
    random_stream(generator, 2026, 3, (uint32_t)ties, most_g * 100000 + most_h);
    arena_start(&arena, 1 << 24);
    node_buckets_start(&buckets, &arena, ties, false);
    node_buckets_start(&heap, &arena, ties, true);
    for (unsigned step = 0; step < STEPS; step++) {
        if (gsl_rng_uniform_int(generator, 30) < pushes) {
            unsigned g = (unsigned)gsl_rng_uniform_int(generator, most_g + 1UL);
            const unsigned span = most_h - least_h;
            unsigned h = least_h + (unsigned)gsl_rng_uniform_int(generator, span + 1UL);
            const uint32_t old = (uint32_t)gsl_rng_uniform_int(generator, count + 1UL);
            if (old < count && !closed[old] && gs[old] > 0) { /* a shorter path to its state */
                h = costs[old] - gs[old];
                g = gs[old] - 1;
                closed[old] = true;
            }
            gs[count] = g;
            costs[count] = g + h;
            closed[count] = false;
            assert_true(push(&buckets, count, g + h, g));
            assert_true(push(&heap, count, g + h, g));
            count++;
        } else {
            const bool some = node_buckets_pop(&heap, &expected);
            assert_int_equal(node_buckets_pop(&buckets, &taken), some);
            if (some) {
                assert_int_equal(taken, expected);
                passed += closed[taken];
                closed[taken] = true;
            }
        }
        assert_int_equal(buckets.count + buckets.heap.count, heap.heap.count);
        most = heap.heap.count > most ? heap.heap.count : most;
    }
    assert_true(most >= 100 && passed >= 10);
    while (node_buckets_pop(&heap, &expected)) {
        assert_true(node_buckets_pop(&buckets, &taken));
        assert_int_equal(taken, expected);
    }
    assert_false(node_buckets_pop(&buckets, &taken));
    node_buckets_end(&buckets);
    node_buckets_end(&heap);
    assert_int_equal(arena.used, 0);
}

TEST(test_buckets_are_as_the_heap)
{
    for (unsigned ties = TIES_HIGH_G; ties <= TIES_LIFO; ties++) {
        compare((enum ties)ties, 60, 0, 60, 16);
        compare((enum ties)ties, 60, 0, 60, 20);
        compare((enum ties)ties, 3, 5, 5, 20);          /* few costs, many ties */
        compare((enum ties)ties, 700, 0, 900, 17);      /* some costs are above what buckets hold */
        compare((enum ties)ties, 500, 5000, 60000, 17); /* all are */
    }
}

/* A search that ends for lack of memory has its list intact up to there. */
TEST(test_buckets_stop_at_the_budget)
{
    for (unsigned ties = TIES_HIGH_G; ties <= TIES_LIFO; ties++)
        for (uint64_t budget = 0; budget < 9000; budget += 100) {
            SCOPED_BY(arena_end) struct arena arena;
            SCOPED_BY(node_buckets_end) struct node_buckets queue;
            uint32_t count = 0, id, popped = 0;
            arena_start(&arena, budget);
            node_buckets_start(&queue, &arena, (enum ties)ties, false);
            while (count < 4000 && push(&queue, count, 47 - count % 40, count % 7))
                count++;
            assert_true(count < 4000 && arena.peak <= budget);
            assert_true(budget < 6000 || count >= 100);
            while (node_buckets_pop(&queue, &id)) {
                assert_true(id < count);
                popped++;
            }
            assert_int_equal(popped, count);
        }
}
