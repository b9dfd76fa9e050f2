/* The memory of a search: its budget is kept, its peak is exact, what is in it stays, and nothing
 * is left over. */
#include "base/arena.h"
#include "tests/test.h"

enum { SEED = 4242 };

static struct arena arena_of(uint64_t budget)
{
    struct arena arena;
    arena_start(&arena, budget);
    return arena;
}

TEST(blocks_are_zeroed_and_aligned)
{
    SCOPED_BY(arena_end) struct arena arena = arena_of(1 << 20);
    for (size_t bytes = 0; bytes < 200; bytes++) {
        unsigned char *block = arena_take(&arena, bytes);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % ARENA_ALIGNMENT, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(block[i], 0);
        memset(block, 0xff, bytes);
    }
    assert_int_equal(arena.used, 199 * 200 / 2);
}

TEST(the_budget_is_kept_to_the_byte)
{
    SCOPED_BY(arena_end) struct arena arena = arena_of(1000);
    assert_null(arena_take(&arena, 1001));
    void *block = arena_take(&arena, 600);
    assert_non_null(block);
    assert_null(arena_take(&arena, 401));
    assert_int_equal(arena.used, 600);
    assert_non_null(arena_take(&arena, 400));
    assert_null(arena_take(&arena, 1));
    assert_non_null(arena_take(&arena, 0));
    assert_int_equal(arena.used, 1000);
    arena_release(&arena, block);
    assert_int_equal(arena.used, 400);
    assert_non_null(arena_take(&arena, 600));
}

/* Memory that is shared counts like its own, but nothing is freed. */
TEST(what_is_shared_is_counted)
{
    struct arena arena = arena_of(1000);
    assert_non_null(arena_take(&arena, 300));
    assert_true(arena_count(&arena, 600));
    assert_false(arena_count(&arena, 101));
    assert_null(arena_take(&arena, 101));
    assert_int_equal(arena.used, 900);
    arena_discount(&arena, 600);
    assert_int_equal(arena.used, 300);
    assert_true(arena_count(&arena, 700));
    arena_end(&arena);
    assert_int_equal(arena.peak, 1000);
}

TEST(an_empty_budget_allows_nothing)
{
    SCOPED_BY(arena_end) struct arena arena = arena_of(0);
    assert_null(arena_take(&arena, 1));
    assert_int_equal(arena.peak, 0);
}

/* Sizes near the end of the address space: refused, not wrapped around. */
TEST(huge_blocks_are_refused)
{
    SCOPED_BY(arena_end) struct arena arena = arena_of(UINT64_MAX);
    char *block = arena_take(&arena, 100);
    memset(block, 7, 100);
    assert_null(arena_take(&arena, SIZE_MAX));
    assert_null(arena_take(&arena, SIZE_MAX - 8));
    assert_null(arena_resize(&arena, block, SIZE_MAX - 8));
    assert_null(arena_resize(&arena, block, SIZE_MAX));
    assert_int_equal(arena.used, 100);
    assert_int_equal(arena.peak, 100);
    assert_int_equal(block[99], 7);
}

TEST(the_peak_is_the_most_held_at_once)
{
    struct arena arena = arena_of(10000);
    void *a = arena_take(&arena, 100);
    void *b = arena_take(&arena, 200);
    arena_release(&arena, a);
    assert_int_equal(arena.peak, 300);
    arena_take(&arena, 50);
    assert_int_equal(arena.peak, 300);
    b = arena_resize(&arena, b, 500); /* 550, not 750: counted once while it grows */
    assert_int_equal(arena.peak, 550);
    b = arena_resize(&arena, b, 10);
    assert_int_equal(arena.used, 60);
    assert_null(arena_take(&arena, 9999)); /* a refusal is no peak */
    assert_int_equal(arena.peak, 550);
    arena_end(&arena);
    assert_int_equal(arena.peak, 550);
    assert_int_equal(arena.used, 0);
}

TEST(resizing_keeps_the_contents)
{
    SCOPED_BY(arena_end) struct arena arena = arena_of(1 << 20);
    unsigned char *block = arena_resize(&arena, NULL, 100);
    assert_non_null(block);
    assert_non_null(arena_take(&arena, 100)); /* in the way of growing in place */
    for (unsigned i = 0; i < 100; i++)
        block[i] = (unsigned char)i;
    block = arena_resize(&arena, block, 300000);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(block[i], i);
    block = arena_resize(&arena, block, 50);
    for (unsigned i = 0; i < 50; i++)
        assert_int_equal(block[i], i);
    assert_null(arena_resize(&arena, block, 1 << 21));
    for (unsigned i = 0; i < 50; i++)
        assert_int_equal(block[i], i);
    assert_int_equal(arena.used, 150);
}

/* Pages that one block gave back are zeroed for the next, in this arena or another. */
TEST(free_pages_are_used_again)
{
    static const size_t sizes[] = {64 << 10, 3 << 20, 100 << 10, 2 << 20};
    for (unsigned round = 0; round < 20; round++) {
        struct arena arena;
        unsigned char *blocks[sizeof sizes / sizeof *sizes];
        arena_start(&arena, 64 << 20);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const size_t bytes = sizes[(s + round) % (sizeof sizes / sizeof *sizes)];
            blocks[s] = arena_take(&arena, bytes);
            assert_non_null(blocks[s]);
            for (size_t i = 0; i < bytes; i++)
                if (blocks[s][i] != 0)
                    fail_msg("round %u: byte %zu of %zu is not 0", round, i, bytes);
            memset(blocks[s], 0xff, bytes);
            if (round % 3 == 0)
                arena_release(&arena, blocks[s]);
        }
        arena_end(&arena);
        assert_int_equal(arena.used, 0);
    }
}

/* Blocks of 64 KiB and more are mappings of their own: they too are zeroed and aligned, and keep
 * what is in them while they grow and shrink across the border between the two kinds. */
TEST(large_blocks_are_like_the_others)
{
    static const size_t sizes[] = {100,      (64 << 10) + 9,  2 << 20, 9 << 20, (9 << 20) + 5,
                                   64 << 20, (2 << 20) + 777, 300,     5 << 20};
    SCOPED_BY(arena_end) struct arena arena = arena_of(100 << 20);
    unsigned char *block = NULL;
    unsigned char *others[sizeof sizes / sizeof *sizes];
    size_t kept = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        block = arena_resize(&arena, block, sizes[s]);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % ARENA_ALIGNMENT, 0);
        kept = kept < sizes[s] ? kept : sizes[s];
        for (size_t i = 0; i < kept; i += 61)
            assert_int_equal(block[i], i % 251);
        for (size_t i = 0; i < sizes[s]; i++)
            block[i] = (unsigned char)(i % 251);
        kept = sizes[s];
        others[s] = arena_take(&arena, 3 << 20); /* in the way of growing in place */
        for (size_t i = 0; i < 3 << 20; i += 61)
            assert_int_equal(others[s][i], 0);
        memset(others[s], 0xff, 3 << 20);
    }
    assert_null(arena_resize(&arena, block, 99 << 20));
    assert_int_equal(block[(5 << 20) - 1], ((5 << 20) - 1) % 251);
    assert_int_equal(arena.used, (5 << 20) + 9 * (3 << 20));
    assert_int_equal(arena.peak, (64 << 20) + 6 * (3 << 20));
    arena_release(&arena, others[3]);
    arena_release(&arena, block);
    assert_int_equal(arena.used, 8 * (3 << 20));
}

TEST(nothing_is_released_twice)
{
    struct arena arena = arena_of(1000);
    arena_release(&arena, NULL);
    void *first = arena_take(&arena, 1);
    void *second = arena_take(&arena, 2);
    void *third = arena_take(&arena, 4);
    arena_release(&arena, second);
    assert_int_equal(arena.used, 5);
    arena_release(&arena, third);
    arena_release(&arena, first);
    assert_int_equal(arena.used, 0);
    arena_end(&arena);
    arena_end(&arena); /* empty: allowed */
}

/* Random calls, held against a list of what should be there. Every byte of block number i is the
 * low byte of its tag. */
struct held {
    unsigned char *block;
    size_t bytes;
    unsigned char tag;
};

static void check_contents(const struct held *held, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (held->block[i] != held->tag)
            fail_msg("seed %d: byte %zu of %zu is not what was written", SEED, i, held->bytes);
}

TEST(random_calls_agree_with_a_model)
{
    enum { BLOCKS = 24, CALLS = 40000, BUDGET = 20000 };
    struct held held[BLOCKS] = {{NULL, 0, 0}};
    struct arena arena;
    uint64_t used = 0;
    uint64_t peak = 0;
    unsigned refused = 0;
    srandom(SEED);
    arena_start(&arena, BUDGET);
    for (unsigned call = 0; call < CALLS; call++) {
        struct held *at = &held[random() % BLOCKS];
        size_t bytes = (size_t)random() % (random() % 8 == 0 ? 6000 : 1500);
        const bool resize = at->block == NULL || random() % 3 != 0;
        if (!resize) {
            check_contents(at, at->bytes);
            arena_release(&arena, at->block);
            used -= at->bytes;
            *at = (struct held){NULL, 0, 0};
        } else {
            const bool fits = used - at->bytes + bytes <= BUDGET;
            unsigned char *block = arena_resize(&arena, at->block, bytes);
            assert_int_equal(block != NULL, fits);
            refused += !fits;
            if (fits) {
                size_t kept = at->bytes < bytes ? at->bytes : bytes;
                at->block = block;
                check_contents(at, kept);
                used += bytes - at->bytes;
                *at = (struct held){block, bytes, (unsigned char)call};
                memset(block, at->tag, bytes);
            } else if (at->block != NULL) {
                check_contents(at, at->bytes);
            }
        }
        peak = used > peak ? used : peak;
        assert_int_equal(arena.used, used);
        assert_int_equal(arena.peak, peak);
        assert_true(arena.used <= arena.budget);
    }
    assert_true(refused > CALLS / 100); /* the budget was in the way now and then */
    for (unsigned i = 0; i < BLOCKS; i++)
        if (held[i].block != NULL)
            check_contents(&held[i], held[i].bytes);
    arena_end(&arena); /* what is still held goes with it: the leak checker looks on */
    assert_int_equal(arena.used, 0);
    assert_int_equal(arena.peak, peak);
}

/* What the system refuses is not the budget's doing, nor the other way round. */
TEST(it_knows_who_refused)
{
    SCOPED_BY(arena_end) struct arena arena = arena_of(UINT64_MAX);
    assert_false(arena.starved);
    void *block = arena_take(&arena, 100);
    assert_null(arena_take(&arena, SIZE_MAX / 4));
    assert_true(arena.starved);
    assert_int_equal(arena.peak, 100);
    arena.budget = 1000;
    assert_null(arena_take(&arena, 901));
    assert_false(arena.starved);
    arena.budget = UINT64_MAX;
    assert_null(arena_resize(&arena, block, SIZE_MAX / 4));
    assert_true(arena.starved);
    arena.budget = 1000;
    assert_null(arena_resize(&arena, block, 1001));
    assert_false(arena.starved);
}

/* Under AddressSanitizer the C library's functions end the program instead. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

TEST(test_an_answer_outlives_the_arena_and_is_not_counted)
{
    struct arena arena = arena_of(100);
    SCOPED char *kept = arena_keep(&arena, NULL, 1000);
    assert_non_null(kept);
    assert_false(arena.starved);
    kept[999] = 'x';
    kept = arena_keep(&arena, kept, 2000);
    assert_int_equal(kept[999], 'x');
    assert_int_equal(arena.peak, 0);
    assert_null(arena_keep(&arena, kept, SIZE_MAX / 4));
    assert_true(arena.starved);
    arena_end(&arena);
    assert_int_equal(kept[999], 'x');
}

TEST(arrays_grow_by_less_where_there_is_more)
{
    unsigned powers = 0;
    assert_int_equal(arena_more(1), 1);
    assert_int_equal(arena_more(8191), 8191);
    assert_int_equal(arena_more(8192), 2048);
    assert_int_equal(arena_more(14336), 2048);
    assert_int_equal(arena_more(16384), 4096);
    assert_int_equal(arena_more((1 << 20) - (1 << 17)), 1 << 17);
    assert_int_equal(arena_more(1 << 20), 1 << 18);
    assert_int_equal(arena_more(10000000), 2500000);
    for (uint64_t count = 1; count < 1 << 20; count += arena_more(count))
        powers += (count & (count - 1)) == 0;
    assert_int_equal(powers, 20); /* it comes by each power of two */
}
