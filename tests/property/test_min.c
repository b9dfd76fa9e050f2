/* Min-compressed pattern databases against the ordinary tables that they are made of, on every
 * board of 3x3 and 2x4: h is what the minima and the parity say, never above the ordinary h, of the
 * distance's parity, the same from the parent; and it is inconsistent. */
#include "base/heap.h"
#include "heuristics/max.h"
#include "pdb/pattern_store.h"
#include "puzzle/distance.h"
#include "puzzle/moves.h"
#include "tests/support.h"
#include <stdlib.h>
#include <string.h>

struct sums {
    unsigned raised; /* h, as it should be */
    unsigned least;  /* the minima alone */
};

/* The largest sum, straight from the ordinary tables of the same partition. */
static struct sums slow_sums(const struct pdb *whole, const struct board *board, unsigned merged)
{
    struct sums largest = {0, 0};
    uint8_t where[MAX_CELLS] = {0};
    for (uint8_t cell = 0; cell < board->shape.cells; cell++)
        where[board->cell[cell]] = cell;
    for (unsigned s = 0; s < whole->sums; s++) {
        struct sums sums = {0, 0};
        for (unsigned i = 0; i < whole->sum[s].count; i++) {
            const struct pdb_group *group = whole->sum[s].group[i];
            const struct pattern *pattern = &group->table->pattern;
            uint8_t at[MAX_PATTERN] = {0};
            unsigned away = 0;
            for (unsigned slot = 0; slot < group->count; slot++) {
                at[slot] = group->map[where[group->tile[slot]]];
                away += shape_distance(pattern->shape, at[slot], pattern->cell[slot]);
            }
            const uint32_t first = pattern_rank(pattern, at) / merged * merged;
            unsigned least = UNREACHABLE;
            for (uint32_t rank = first; rank < first + merged && rank < group->table->entries;
                 rank++)
                least = group->values[rank] < least ? group->values[rank] : least;
            sums.least += least;
            sums.raised += least % 2 == away % 2 ? least : least + 1;
        }
        largest.raised = sums.raised > largest.raised ? sums.raised : largest.raised;
        largest.least = sums.least > largest.least ? sums.least : largest.least;
    }
    return largest;
}

/* "pdb:4-4*" with nothing or minN in place of the star. */
static struct heuristic heuristic_of(const char *text, unsigned merged, const struct board *goal)
{
    const char *star = strchr(text, '*');
    char *word = merged == 0 ? heap_text("") : heap_format(":min%u", merged);
    char *made = heap_format("%.*s%s%s", (int)(star - text), text, word, star + 1);
    const struct heuristic heuristic = started(made, goal);
    free(made);
    free(word);
    return heuristic;
}

struct seen {
    uint64_t boards;
    uint64_t least;  /* sums over all boards: of the minima */
    uint64_t h;      /* of h */
    uint64_t whole;  /* of the ordinary h */
    uint64_t falls;  /* moves by which h falls by more than 1 */
    unsigned change; /* the largest change by a move */
};

static void check_moves(const struct heuristic *heuristic, struct board board, unsigned h,
                        struct seen *seen)
{
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned to = board.blank;
        const unsigned from = move_target(board.shape, to, move);
        if (from == NO_CELL)
            continue;
        const unsigned tile = board.cell[from];
        board_slide(&board, from);
        const unsigned next = heuristic->kind->evaluate(heuristic, &board);
        const unsigned change = (unsigned)abs((int)next - (int)h);
        assert_int_equal(heuristic->kind->step(heuristic, &board, h, tile, from, to), next);
        seen->falls += next + 1 < h;
        seen->change = change > seen->change ? change : seen->change;
        board_slide(&board, to);
    }
}

static struct seen check_boards(const char *goal_text, const char *text, unsigned merged)
{
    const struct board goal = board_of(goal_text);
    const struct heuristic whole = heuristic_of(text, 0, &goal);
    const struct heuristic heuristic = heuristic_of(text, merged, &goal);
    struct distances distances;
    struct seen seen = {0};
    assert_true(distances_make(&goal, &distances));
    for (uint32_t rank = 0; rank < distances.ranking.size; rank++) {
        struct board board;
        ranking_unrank(&distances.ranking, rank, &board);
        const unsigned h = heuristic.kind->evaluate(&heuristic, &board);
        const unsigned above = whole.kind->evaluate(&whole, &board);
        const struct sums sums = slow_sums(pdb_of(&whole), &board, merged);
        if (h != sums.raised || h > above || above > distances.depth[rank] ||
            (distances.depth[rank] - h) % 2 != 0)
            fail_msg("%s, %u in one, goal %s, board %u: h %u, expected %u; ordinary %u, distance "
                     "%u",
                     text, merged, goal_text, rank, h, sums.raised, above, distances.depth[rank]);
        check_moves(&heuristic, board, h, &seen);
        seen.boards++;
        seen.least += sums.least;
        seen.h += h;
        seen.whole += above;
    }
    distances_end(&distances);
    heuristic_end((struct heuristic *)(uintptr_t)&whole);
    heuristic_end((struct heuristic *)(uintptr_t)&heuristic);
    return seen;
}

static void h_on_every_board(void **state)
{
    static const struct {
        const char *goal;
        const char *heuristic;
        unsigned merged;
    } rows[] = {
        {"1 2 3 4 5 6 7 8 0", "pdb:4-4*", 2},
        {"0 1 2 3 4 5 6 7 8", "pdb:5-3*:reflect", 5}, /* entries that reach over a cell's end */
        {"1 2 3 8 0 4 7 6 5", "pdb:1.2.3/4.5.6/7.8*", 3},
        {"1 0 2 3 4 5 6 7 8", "pdb:1.2.3.4.5.6.7/8*", 2},
        {"1 2 3 4\n5 6 7 0", "pdb:1.2.3/4.5.6.7*", 2},
        {"1 2\n3 4\n5 6\n0 7", "pdb:1.2.3/4.5.6.7*", 3},
        {"5 0 2 3\n4 1 6 7", "pdb:1.2.3.4.5.6.7*", 4},
        {"1 2 3 4\n0 5 6 7", "pdb:1.2.3/4.5.6.7;1.2.5.6/3.4.7*", 5},
        {"0 1 2 7\n4 5 6 3", "pdb:1/2.3.4.5.6.7*", 255},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct seen seen = check_boards(rows[i].goal, rows[i].heuristic, rows[i].merged);
        const double boards = (double)seen.boards;
        if (getenv("TILELAB_PRINT") != NULL)
            printf("%s, %u in one: mean %.4f, minima alone %.4f, ordinary %.4f; %.0f falls by more "
                   "than 1; a move changes h by up to %u\n",
                   rows[i].heuristic, rows[i].merged, (double)seen.h / boards,
                   (double)seen.least / boards, (double)seen.whole / boards, (double)seen.falls,
                   seen.change);
        assert_true(seen.least < seen.h && seen.h < seen.whole);
        assert_true(seen.falls > 0 && seen.change >= 3);
    }
}

/* A max of databases of one form is one catalogue; of others, and of other numbers, the maximum. */
static void max_joins_what_is_alike(void **state)
{
    static const struct {
        const char *max;
        const char *parts[2];
        bool joined;
    } rows[] = {
        {"max:pdb:4-4:min2+pdb:5-3:min2:reflect", {"pdb:4-4:min2", "pdb:5-3:min2:reflect"}, true},
        {"max:pdb:4-4:min2+pdb:5-3:min3", {"pdb:4-4:min2", "pdb:5-3:min3"}, false},
        {"max:pdb:4-4:min2+pdb:5-3", {"pdb:4-4:min2", "pdb:5-3"}, false},
        {"max:pdb:4-4:min2+pdb:5-3:zero", {"pdb:4-4:min2", "pdb:5-3:zero"}, false},
    };
    const struct board goal = goal_of("blank-last", 3, 3);
    struct ranking ranking;
    (void)state;
    assert_true(ranking_make(&goal, &ranking));
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct heuristic max = started(rows[i].max, &goal);
        struct heuristic parts[2] = {started(rows[i].parts[0], &goal),
                                     started(rows[i].parts[1], &goal)};
        assert_true((pdb_of(&max) != NULL) == rows[i].joined);
        for (uint32_t rank = 0; rank < ranking.size; rank += 7) {
            struct board board;
            ranking_unrank(&ranking, rank, &board);
            const unsigned a = parts[0].kind->evaluate(&parts[0], &board);
            const unsigned b = parts[1].kind->evaluate(&parts[1], &board);
            assert_int_equal(max.kind->evaluate(&max, &board), a > b ? a : b);
        }
        heuristic_end(&max);
        heuristic_end(&parts[0]);
        heuristic_end(&parts[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(h_on_every_board),
        cmocka_unit_test(max_joins_what_is_alike),
    };
    return cmocka_run_group_tests(tests, no_files, NULL);
}
