/* Which moves let the value of a group fall (idastar/falls.h): every placement of groups of all
 * sizes and turned in several ways, against the table of values. */
#include "heuristics/max.h"
#include "idastar/falls.h"
#include "idastar/layers.h"
#include "search/search.h"
#include "tests/support.h"
#include <limits.h>

static const struct shape shape = {4, 4, 16};

/* Compares the entry of one placement, the tile of slot i on cell at[i], with the values. */
static void check_placement(const struct falls *falls, const struct pdb_group *group,
                            const uint8_t *at)
{
    struct board board = {.shape = shape};
    uint64_t cells = 0;
    uint64_t set;
    for (unsigned i = 0; i < group->count; i++) {
        board.cell[at[i]] = group->tile[i];
        cells |= (uint64_t)at[i] << FALLS_BITS * falls->code[group->tile[i]];
    }
    const unsigned first = falls->code[group->tile[0]];
    const uint64_t word = falls->group[first];
    const uint32_t entry = falls_entry(falls, first, cells);
    const int value = group->values[pdb_group_rank(group, &board, &set)];
    unsigned leaps = 0;
    assert_int_equal(entry >> FALLS_REST, value % 16);
    for (unsigned i = 0; i < group->count; i++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned tile = group->tile[i];
            const unsigned bit = FALLS_BITS * falls->code[tile] - falls_place(word) + move;
            const unsigned to = move_target(shape, at[i], move_undo(move)); /* where it goes */
            if (to == NO_CELL || board.cell[to] != 0)
                continue;
            board.cell[at[i]] = 0;
            board.cell[to] = (uint8_t)tile;
            const int then = group->values[pdb_group_rank(group, &board, &set)];
            board.cell[to] = 0;
            board.cell[at[i]] = (uint8_t)tile;
            assert_int_equal(entry >> bit & 1, then < value);
            if (then != value - 1 && then != value + 1)
                leaps |= 1U << move;
        }
    assert_int_equal(entry >> FALLS_LEAP & 15, leaps);
}

static unsigned check_group(const struct falls *falls, const struct pdb_group *group)
{
    uint8_t at[FALLS_TILES] = {0};
    unsigned placements = 0;
    for (unsigned number = 0; number < 1U << FALLS_BITS * group->count; number++) {
        unsigned used = 0;
        for (unsigned i = 0; i < group->count; i++) {
            at[i] = (uint8_t)(number >> FALLS_BITS * i & 15);
            used |= 1U << at[i];
        }
        if (__builtin_popcount(used) == group->count) {
            check_placement(falls, group, at);
            placements++;
        }
    }
    return placements;
}

/* Checks all groups of a solver's databases, for forms of at most `lanes` nodes at once. Returns
 * the number of placements, 0 if there is no such form. */
static unsigned check_all(const char *solver_words, const char *goal_name, unsigned lanes)
{
    const struct board goal = goal_of(goal_name, 4, 4);
    const struct solver solver = solver_of(solver_words);
    SCOPED_BY(heuristic_end) struct heuristic heuristic;
    struct search search = {.heuristic = &heuristic};
    unsigned placements = 0;
    heuristic_start(&heuristic, &solver.heuristic, &goal);
    arena_start(&search.arena, 1 << 26);
    layers_allow(lanes);
    if (layers_fit(&heuristic)) {
        const struct pdb *pdb = pdb_of(&heuristic);
        struct layers_counter counter = layers_start(&search, &search.arena, NULL);
        const struct layers_counter other = layers_start(&search, &search.arena, &counter);
        assert_non_null(counter.form);
        assert_true(other.form == counter.form && other.falls == counter.falls);
        for (unsigned g = 0; g < pdb->group_count; g++)
            placements += check_group(counter.falls, &pdb->group[g]);
        assert_true(search.arena.used > counter.falls->bytes); /* shared, but counted */
    }
    layers_allow(UINT_MAX);
    arena_end(&search.arena);
    return placements;
}

TEST(entries_say_what_the_values_do)
{
    static const char small[] = "idastar(pdb:1.5.9.13/2/3.7.4/15.14.12.11/8.6/10)";
    static const char *const goals[] = {"blank-last", "blank-first", "snail"};
    const unsigned placements = 43680 + 16 + 3360 + 43680 + 240 + 16;
    for (unsigned lanes = 4; lanes <= 8; lanes += 4)
        for (unsigned i = 0; i < 3; i++) { /* each goal's tables are made anew .. */
            const unsigned checked = check_all(small, goals[i], lanes);
            assert_true(checked == placements || checked == 0);
        }
    assert_true(check_all(small, goals[2], 8) % placements == 0); /* .. and here they are kept */
    assert_true(check_all("idastar(pdb:5-5-5)", goals[1], 8) % (3 * 524160) == 0);
}

TEST(other_databases_have_no_such_tables)
{
    static const char *const words[] = {"zero", "zero:onebit", "reflect"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        const char *text = text_of("idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15:%s)", words[i]);
        assert_int_equal(check_all(text, "blank-first", 8), 0);
    }
}

/* With any budget that is too small nothing stays behind. */
TEST(a_budget_too_small_leaves_nothing)
{
    const struct board goal = goal_of("blank-first", 4, 4);
    const struct solver solver = solver_of("idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15)");
    SCOPED_BY(heuristic_end) struct heuristic heuristic;
    unsigned refused = 0;
    heuristic_start(&heuristic, &solver.heuristic, &goal);
    for (uint64_t budget = 0; layers_fit(&heuristic) && budget < UINT64_C(16) << 20;
         budget = budget * 2 + 16) {
        struct search search = {.heuristic = &heuristic};
        arena_start(&search.arena, budget);
        struct layers_counter counter = layers_start(&search, &search.arena, NULL);
        if (counter.form == NULL) {
            assert_int_equal(search.arena.used, 0);
            refused++;
        }
        arena_end(&search.arena);
    }
    assert_true(refused > 3 || !layers_fit(&heuristic));
}

AROUND_ALL_TESTS(no_files, NULL)
