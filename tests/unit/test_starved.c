/* Searches whose answer finds no memory: each ends as out_of_memory, whatever its algorithm.
 *
 * The linker puts __wrap_arena_keep in the place of arena_keep (tests/CMakeLists.txt). */
#include "search/search.h"
#include "tests/support.h"
#include <limits.h>

void *__real_arena_keep(struct arena *arena, void *old, size_t bytes);
void *__wrap_arena_keep(struct arena *arena, void *old, size_t bytes);

static unsigned granted; /* how many answers still find memory */
static unsigned refused;

void *__wrap_arena_keep(struct arena *arena, void *old, size_t bytes)
{
    if (granted > 0) {
        granted--;
        return __real_arena_keep(arena, old, bytes);
    }
    refused++;
    arena->starved = true;
    return NULL;
}

static enum status run_text(const char *text, const char *start, unsigned answers)
{
    const struct board board = board_of(start);
    const struct board goal = goal_of("blank-last", board.shape.width, board.shape.height);
    const struct task task = {board, goal, "ULRD"};
    const struct limits limits = {.bytes = UINT64_C(1) << 30, .nodes = 1000000};
    granted = answers;
    refused = 0;
    SCOPED_BY(result_end) struct result result = result_by(text, &task, &limits, NULL);
    if (refused > 0 && result.status != STATUS_out_of_memory)
        fail_msg("%s on %s ended as %s", text, start, status_rows[result.status].name);
    const enum status status = result.status;
    assert_int_equal(status == STATUS_solved, result.moves != NULL);
    return status;
}

static enum status run(const struct algorithm *algorithm, const char *start, unsigned answers)
{
    return run_text(text_of(algorithm->informed ? "%s(manhattan)" : "%s", algorithm->name), start,
                    answers);
}

/* Refuses the first piece of the answer (a round, the path), the second, and so on. */
static void refuse_each(const struct algorithm *algorithm, const char *start)
{
    unsigned answers = 0;
    for (; run(algorithm, start, answers) != STATUS_solved; answers++)
        assert_true(refused > 0);
    assert_true(answers > 0);
}

TEST(test_every_algorithm)
{
    static const char *const starts[] = {"1 2 3 4 5 6 7 0 8", "1 2 3 4 5 6 7 8 0",
                                         "8 1 3 4 0 2 7 6 5"};
    for (unsigned i = 0; i < algorithm_count; i++)
        for (unsigned s = 0; s < sizeof starts / sizeof *starts; s++)
            if (run(&algorithms[i], starts[s], UINT_MAX) == STATUS_solved)
                refuse_each(&algorithms[i], starts[s]);
}

/* Depth-first branch and bound has an answer when it finds a better one. */
TEST(test_a_later_answer)
{
    const struct algorithm *dfbnb = algorithm_find("dfbnb");
    assert_int_equal(run(dfbnb, "8 1 3 4 0 2 7 6 5", 1), STATUS_out_of_memory);
}

/* Engines that take over in large searches: both forms of the compact one for either width, and BFS
 * in a perfect-hash table. */
TEST(test_engines)
{
    assert_int_equal(run(algorithm_find("bfs"), "8 6 7 2 5 4 3 0 1", 0), STATUS_out_of_memory);
    assert_int_equal(run(algorithm_find("astar"), "8 6 7 2 5 4 3 0 1", 0), STATUS_out_of_memory);
    const char *const wide = "1 2 3 4 5 6 7 8 9 10 11 12 0 13 15 16 17 18 14 20 21 22 23 19 24";
    assert_int_equal(run(algorithm_find("astar"), wide, 0), STATUS_out_of_memory);
    const char *const narrow_pdb = "astar(pdb:1.2.3.4/5.6.7.8)";
    const char *const wide_pdb = "astar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/"
                                 "22.23.24)";
    assert_int_equal(run_text(narrow_pdb, "8 6 7 2 5 4 3 0 1", 0), STATUS_out_of_memory);
    assert_int_equal(run_text(wide_pdb, wide, 0), STATUS_out_of_memory);
}
