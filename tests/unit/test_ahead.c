/* What is taken of what was counted ahead (idastar/ahead.h): on a trunk that this test makes up, at
 * every limit of nodes. */
#include "idastar/ahead.h"
#include "tests/support.h"
#include <limits.h>

enum { ROOTS = 3 * GROUP_ROOTS + 5, BELOW = 7, STEP = 2 }; /* nodes below a root, and between two */

struct made_up {
    struct ahead *ahead;
    unsigned noted;
    unsigned goal; /* the root below which it is */
};

static bool scout(void *context)
{
    struct made_up *made = context;
    const struct enode root = {.board = board_of("1 2 3 0"), .g = 1};
    for (; made->noted < ROOTS && !ahead_is_full(made->ahead); made->noted++)
        ahead_note(made->ahead, &root, (made->noted + 1) * STEP);
    return made->noted == ROOTS;
}

static enum subtree_outcome count(void *context, UNUSED unsigned number,
                                  UNUSED const struct ahead_root *roots,
                                  UNUSED const uint32_t *contexts, unsigned count, uint64_t left,
                                  struct ahead_sum *sum)
{
    static unsigned first; /* of the group; one thread takes them in order */
    struct made_up *made = context;
    if (count == 0) {
        first = 0;
        return SUBTREE_COUNTED;
    }
    const unsigned begin = first;
    first += count;
    *sum = (struct ahead_sum){count, (uint64_t)count * BELOW, 9, 44};
    if (made->goal >= begin && made->goal < begin + count)
        return SUBTREE_REFUSED;
    return sum->generated > left ? SUBTREE_REFUSED : SUBTREE_COUNTED;
}

/* Walks the trunk and all that is refused below it, until the limit of nodes or the goal; checks
 * that the count is the plain one. */
static void check(uint64_t nodes, unsigned goal)
{
    static const struct ahead_hands hands = {scout, count};
    struct made_up made = {.goal = goal};
    struct search search = {.limits.nodes = nodes};
    const struct enode root = {.board = board_of("1 2 3 0"), .g = 1};
    unsigned above = UINT_MAX;
    unsigned taken = 0;
    arena_start(&search.arena, 1 << 24);
    made.ahead = ahead_start(&search, 1, &hands, &made);
    assert_non_null(made.ahead);
    count(&made, 0, NULL, NULL, 0, 0, NULL);
    ahead_begin_round(made.ahead, NULL);
    for (unsigned i = 0; i < ROOTS; i++) {
        const uint64_t before = (uint64_t)i * (STEP + BELOW); /* what a plain search has by now */
        uint64_t *generated = &search.statistics.generated;
        const unsigned group = i / GROUP_ROOTS;
        const unsigned last = (group + 1) * GROUP_ROOTS < ROOTS ? (group + 1) * GROUP_ROOTS : ROOTS;
        const bool whole = goal / GROUP_ROOTS != group && (uint64_t)last * (STEP + BELOW) <= nodes;
        if (before + STEP > nodes)
            break; /* the limit, on the trunk */
        *generated += STEP;
        const enum subtree_outcome outcome = ahead_take(made.ahead, &root, &above);
        assert_int_equal(outcome, whole ? SUBTREE_COUNTED : SUBTREE_REFUSED);
        taken += whole;
        if (outcome == SUBTREE_REFUSED)
            *generated += BELOW;
        if (!whole && (i == goal || before + STEP + BELOW > nodes))
            break;
        if (i + 1 == last)
            assert_int_equal(*generated, (uint64_t)last * (STEP + BELOW));
    }
    assert_int_equal(above, taken > 0 ? 44 : UINT_MAX);
    assert_int_equal(search.statistics.max_depth, taken > 0 ? 9 : 0);
    ahead_end(made.ahead);
    arena_end(&search.arena);
}

TEST(test_every_limit)
{
    for (uint64_t nodes = 1; nodes <= (uint64_t)ROOTS * (STEP + BELOW) + 9; nodes++)
        check(nodes, UINT_MAX);
}

TEST(test_every_goal)
{
    for (unsigned goal = 0; goal < ROOTS; goal++)
        check(UINT64_MAX, goal);
}
