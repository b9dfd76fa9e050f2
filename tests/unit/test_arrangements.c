/* The arrangements of walking distance: their numbers have no gaps, and their distances are those
 * of a plain breadth-first search over matrices. */
#include "base/pages.h"
#include "pdb/arrangements.h"
#include "tests/support.h"

/* An arrangement as it is defined: how many tiles of each goal line are in each line. */
struct matrix {
    uint8_t tiles[MAX_LINES][MAX_LINES]; /* line, goal line */
    unsigned blank_line;
};

static struct shape lines_of(unsigned lines, unsigned length)
{
    return shape_of(length, lines);
}

static uint32_t number_of(const struct numbering *numbering, const struct matrix *matrix)
{
    uint32_t number = 0;
    unsigned state = 0;
    for (unsigned line = 0; line < numbering->lines; line++) {
        unsigned sum = 0;
        for (unsigned goal = 0; goal < numbering->lines; goal++)
            sum += matrix->tiles[line][goal] * numbering->weight[goal];
        const unsigned code = numbering->code[sum];
        assert_int_not_equal(code, NO_CODE);
        assert_true((code >= numbering->full) == (line == matrix->blank_line));
        const struct arrangement_step step = numbering_step(numbering, state, code);
        assert_int_not_equal(step.next, 0);
        number += step.before;
        state = step.next;
    }
    return number;
}

static struct matrix goal_matrix(const struct numbering *numbering)
{
    struct matrix goal = {.blank_line = numbering->blank_line};
    for (unsigned line = 0; line < numbering->lines; line++)
        goal.tiles[line][line] = (uint8_t)(numbering->length - (line == numbering->blank_line));
    return goal;
}

/* Breadth-first search by the definition; the numbering only says where each one is entered. */
static uint8_t *search_plainly(const struct numbering *numbering, const struct matrix *start,
                               uint32_t *met)
{
    const uint32_t entries = numbering->count;
    uint8_t *distance = heap_take(entries, 1);
    SCOPED struct matrix *queue = heap_take(entries, sizeof *queue);
    memset(distance, 255, entries);
    queue[0] = *start;
    distance[number_of(numbering, start)] = 0;
    *met = 1;
    for (uint32_t i = 0; i < *met; i++)
        for (int way = -1; way <= 1; way += 2) {
            const struct matrix *from = &queue[i];
            const unsigned other = from->blank_line + (unsigned)way;
            for (unsigned goal = 0; other < numbering->lines && goal < numbering->lines; goal++) {
                struct matrix to = *from;
                if (to.tiles[other][goal] == 0)
                    continue;
                to.tiles[other][goal]--;
                to.tiles[from->blank_line][goal]++;
                to.blank_line = other;
                uint8_t *known = &distance[number_of(numbering, &to)];
                if (*known != 255)
                    continue;
                *known = (uint8_t)(distance[number_of(numbering, from)] + 1);
                assert_true(*met < entries);
                queue[(*met)++] = to;
            }
        }
    return distance;
}

/* Counts: 24,964 is Takahashi's; the others were counted as contingency tables. Two different
 * arrangements with one number would leave another one unmet. */
TEST(test_distances_are_those_of_the_definition)
{
    static const struct {
        unsigned lines, length, blank_line;
        uint32_t count;
    } rows[] = {
        {2, 2, 0, 4},     {3, 3, 2, 105},    {3, 3, 1, 105},    {2, 6, 1, 12},
        {3, 5, 0, 525},   {4, 4, 0, 24964},  {4, 4, 2, 24964},  {4, 3, 3, 4324},
        {5, 2, 2, 11010}, {6, 2, 5, 367560}, {5, 3, 1, 352560},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct numbering *numbering =
            numbering_hold(lines_of(rows[i].lines, rows[i].length), rows[i].blank_line);
        const char *problem;
        uint32_t met;
        const struct matrix goal = goal_matrix(numbering);
        SCOPED uint8_t *plain = search_plainly(numbering, &goal, &met);
        assert_int_equal(numbering->count, rows[i].count);
        assert_int_equal(met, numbering->count);
        for (unsigned threads = 1; threads <= 2; threads++) {
            uint8_t *built = arrangements_build(numbering, threads, NULL, NULL, &problem);
            assert_memory_equal(built, plain, numbering->count);
            pages_end(built, numbering->count);
        }
    }
}

/* In whatever order they are asked for. */
TEST(test_numbers_and_arrangements)
{
    const struct numbering *numbering = numbering_hold(lines_of(4, 4), 1);
    struct arrangement at = {0};
    uint64_t i = 0;
    for (unsigned step = 1; step < 20000; step += 4999)
        for (unsigned n = 0; n < numbering->count; n++, i = (i + step) % numbering->count) {
            uint32_t number = 0;
            unsigned before = 0;
            arrangement_at(numbering, (uint32_t)i, &at);
            for (unsigned line = 0; line < 4; line++) {
                assert_int_equal(at.state[line], before);
                assert_int_equal(at.before[line], number);
                assert_true((at.code[line] >= numbering->full) == (line == at.blank_line));
                number += numbering_step(numbering, before, at.code[line]).before;
                before = numbering_step(numbering, before, at.code[line]).next;
                assert_int_not_equal(before, 0);
            }
            assert_int_equal(number, i);
            assert_int_equal(at.number, i);
        }
    assert_true(numbering_goal(numbering) < numbering->count);
}

static bool refuse(void *context, uint64_t done, uint64_t all)
{
    unsigned *calls = context;
    assert_true(done <= all);
    return ++*calls < 1;
}

TEST(test_building_can_be_stopped)
{
    const struct numbering *numbering = numbering_hold(lines_of(4, 4), 0);
    const char *problem = NULL;
    unsigned calls = 0;
    assert_null(arrangements_build(numbering, 1, refuse, &calls, &problem));
    assert_string_equal(problem, "stopped");
    assert_int_equal(calls, 1);
}
