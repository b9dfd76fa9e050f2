/* The node store: what was entered is found, what has left is not, in any order, for every packing,
 * while the table grows and while numbers take bits from the hash. */
#include "search/store.h"
#include "tests/support.h"

enum { NODES = 3000 };

KERNEL void check_packing(enum packing packing, const char *size)
{
    SCOPED_BY(arena_end) struct arena arena;
    struct store store;
    uint8_t tiles[MAX_CELLS];
    bool entered[NODES] = {false};
    gsl_rng *generator = any_generator();
    random_stream(generator, 2026, 7, 0, (uint32_t)packing);
    const struct shape shape = shape_read(size);
    assert_int_equal(packing_of(shape), packing);
    arena_start(&arena, 1 << 24);
    store_start(&store, &arena);
    for (unsigned i = 0; i < shape.cells; i++)
        tiles[i] = (uint8_t)i;
    for (uint32_t id = 0; id < NODES; id++) {
        struct board board;
        do {
            gsl_ran_shuffle(generator, tiles, shape.cells, 1);
            board_make(shape, tiles, &board);
        } while (store_find(&store, packing, pack(packing, &board)) != NO_NODE);
        assert_int_equal(store_add(&store, packing, pack(packing, &board), (struct node){.g = id}),
                         id);
        assert_true(store_enter(&store, packing, id));
        entered[id] = true;
        /* Now and then some leave, and some come back. */
        for (unsigned i = 0; i < 3; i++) {
            uint32_t other = (uint32_t)gsl_rng_uniform_int(generator, id + 1);
            if (entered[other])
                store_leave(&store, packing, other);
            else
                assert_true(store_enter(&store, packing, other));
            entered[other] = !entered[other];
        }
        if (id % 50 == 0 || id == NODES - 1)
            for (uint32_t other = 0; other <= id; other++) {
                uint32_t found = store_find(&store, packing, store_state(&store, packing, other));
                assert_true(found == (entered[other] ? other : NO_NODE));
                if (!entered[other])
                    assert_true(store_enter(&store, packing, other));
                entered[other] = true;
            }
    }
    /* A third leaves for good, the others close up, and each is found under its new number. */
    static union packed states[NODES];
    uint32_t kept = 0;
    for (uint32_t id = 0; id < NODES; id++)
        states[id] = store_state(&store, packing, id);
    for (uint32_t id = 0; id < NODES; id++) {
        if (id % 3 == 1)
            store_leave(&store, packing, id);
        else if (kept != id)
            store_move(&store, packing, id, kept);
        kept += id % 3 != 1;
    }
    store.count = kept;
    for (uint32_t id = 0; id < NODES; id++) {
        const uint32_t number = id - (id + 1) / 3;
        const uint32_t found = store_find(&store, packing, states[id]);
        assert_true(found == (id % 3 == 1 ? NO_NODE : number));
        assert_true(found == NO_NODE || store.nodes[found].g == id);
    }
    /* Nodes that are not entered make the numbers longer, at the cost of the tags. */
    const uint32_t tags = store.tags;
    for (uint32_t i = 0; i < 8 * NODES; i++)
        store_add(&store, packing, states[1], (struct node){.g = i});
    assert_true(store.tags != tags && (store.tags & tags) == store.tags);
    for (uint32_t id = 0; id < NODES; id++)
        assert_true(store_find(&store, packing, states[id]) ==
                    (id % 3 == 1 ? NO_NODE : id - (id + 1) / 3));
    store_end(&store);
    assert_int_equal(arena.used, 0);
}

TEST(test_64)
{
    check_packing(PACK_64, "4x4");
}

TEST(test_128)
{
    check_packing(PACK_128, "5x5");
}

TEST(test_bytes)
{
    check_packing(PACK_BYTES, "6x6");
}

/* Enters one state after the other until the table has more than 65,536 slots; returns
 * how many it has. All are found then. */
static uint64_t slots_after(uint64_t budget)
{
    enum { MIDDLING = 1 << 16 };
    const uint64_t factor = 0x9e3779b1;
    SCOPED_BY(arena_end) struct arena arena;
    struct store store;
    arena_start(&arena, budget);
    store_start(&store, &arena);
    while (store.slot_count <= MIDDLING) {
        const union packed state = {.narrow = (store.count + UINT64_C(1)) * factor};
        const uint32_t id = store_add(&store, PACK_64, state, (struct node){.g = 0});
        assert_true(id != NO_NODE && store_enter(&store, PACK_64, id));
    }
    assert_int_equal(store.entries, MIDDLING / 4 * 3 + 1);
    for (uint32_t id = 0; id < store.count; id++)
        assert_int_equal(store_find(&store, PACK_64, store_state(&store, PACK_64, id)), id);
    const uint64_t slots = store.slot_count;
    store_end(&store);
    assert_int_equal(arena.used, 0);
    return slots;
}

/* The arrays have 57,344 nodes of 20 bytes then, the old table 256 KiB and the new one 1 MiB; one
 * byte less, and it has 512 KiB. */
TEST(test_table_grows_in_a_long_step_if_it_may)
{
    const uint64_t held = 57344 * 20 + (256 << 10);
    assert_int_equal(slots_after(held + (1 << 20)), 1 << 18);
    assert_int_equal(slots_after(held + (1 << 20) - 1), 1 << 17);
    assert_int_equal(slots_after(held + (512 << 10)), 1 << 17);
}
