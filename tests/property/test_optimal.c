/* The claims of the algorithms table, tested against the exact distances of the 8-puzzle: what
 * claims OPTIMAL finds a path of exactly that length, what claims BOUNDED a path within its bound,
 * what claims COMPLETE finds a path; and every path is replayed.
 *
 * Two lists of solvers are asked. One is made from the tables: every algorithm with every
 * heuristic, and with every other value of its options; how far the boards are from the goal is
 * what the row says (`tested` in algorithms.def). So a new row is tested here without being named.
 * The other list is written below: options together, and boards farther away than the row's.
 *
 * In the quick tier each pair of an algorithm and a heuristic is asked for one of the three goals.
 *
 * The goal is TILELAB_GOAL (corner, edge or middle; without it all three); only solvers that begin
 * with TILELAB_SOLVER are asked. TILELAB_LONG=1 takes all boards of a goal where that takes
 * minutes, else a sample. */
#include "tests/support.h"
#include <inttypes.h>

AROUND_ALL_TESTS(many_searches, NULL)

/* Boards of each sample; fewer where the build is slow (assertions are on in every such build).
 * TABLE_SAMPLE: of solvers made from the tables. More with TILELAB_LONG=1. */
#ifdef NDEBUG
enum { SAMPLE = 7, SAMPLE_OF_LONG = 25, TABLE_SAMPLE = 3, TABLE_SAMPLE_OF_LONG = 7 };
#else
enum { SAMPLE = 10, SAMPLE_OF_LONG = 10, TABLE_SAMPLE = 3, TABLE_SAMPLE_OF_LONG = 3 };
#endif

/* Generated nodes within which a solver made from the tables must solve the boards that its row
 * names, and within which it may solve those farther away. */
enum { NODES = 1000000, NODES_BEYOND = 20000 };

static const struct {
    const char *name;
    const char *board;
} goals[] = {
    {"corner", "1 2 3 4 5 6 7 8 0"},
    {"edge", "1 0 2 3 4 5 6 7 8"},
    {"middle", "1 2 3 8 0 4 7 6 5"},
};
enum { GOALS = sizeof goals / sizeof *goals };

/* A solver and the distance from the goal up to which it is asked. */
static const struct {
    const char *text;
    unsigned distance;
} solvers[] = {
    {"iddfs", 18},
    {"iddfs(parity)", 20},
    {"iddfs(duplicates=path)", 16},
    {"iddfs(duplicates=none)", 11},
    {"bfs", 31},
    {"bfs(goal_test=removal)", 31},
    {"bfs(depth_limit=31)", 31},
    {"ucs", 20},
    {"bibfs", 31},
    {"bibfs(side=alternate)", 31},
    {"mm(manhattan)", 31},
    {"mm(pdb:1.2.3/4.5.6/7.8)", 31},
    {"mme(linear_conflict, ties=high_g)", 31},
    {"nbs(manhattan)", 31},
    {"nbs(walking_distance, epsilon=0)", 31},
    {"nbs(pdb:1.2.3.4/5.6.7.8)", 31},
    {"dvcbs(manhattan)", 31},
    {"dvcbs(pdb:1.2.3.4/5.6.7.8, epsilon=0)", 31},
    {"bae(manhattan)", 31},
    {"bae(walking_distance, side=smaller, bounds=all)", 31},
    {"bae(pdb:1.2.3.4/5.6.7.8)", 31},
    {"bsstar(manhattan)", 31},
    {"bsstar(pdb:1.2.3.4/5.6.7.8)", 31},
    {"astar(zero)", 31},
    {"astar(misplaced)", 31},
    {"astar(manhattan)", 31},
    {"astar(linear_conflict)", 31},
    {"astar(walking_distance)", 31},
    {"astar(manhattan, depth_limit=31)", 31},
    {"astar(misplaced, ties=low_g)", 31},
    {"astar(manhattan, ties=fifo)", 31},
    {"astar(manhattan, ties=lifo)", 31},
    {"lcbb(zero)", 14},
    {"lcbb(zero, duplicates=none)", 9},
    {"lcbb(misplaced)", 20},
    {"lcbb(misplaced, duplicates=none)", 13},
    {"lcbb(misplaced, ties=lifo)", 20},
    {"lcbb(manhattan)", 31},
    {"lcbb(manhattan, duplicates=none)", 18},
    {"lcbb(misplaced, duplicates=stored)", 31},
    {"lcbb(manhattan, duplicates=stored)", 31},
    {"dfbnb(manhattan, depth_limit=31)", 31},
    {"dfbnb(misplaced, depth_limit=20)", 20},
    {"dfbnb(zero, depth_limit=14)", 14},
    {"dfbnb(manhattan)", 12},
    {"rbfs(manhattan)", 31},
    {"rbfs(misplaced)", 20},
    {"rbfs(zero)", 12},
    {"wastar(manhattan, w=1)", 31},
    {"wastar(manhattan, w=1, reopen=false)", 31},
    /* Complete, and within a factor of the shortest. */
    {"wastar(manhattan)", 31},
    {"wastar(manhattan, reopen=false)", 31},
    {"wastar(manhattan, w=1.125, ties=fifo)", 31},
    {"wastar(manhattan, w=1.125, ties=lifo, reopen=false)", 31},
    {"wastar(misplaced, w=2)", 31},
    {"wastar(misplaced, w=3, ties=low_g, reopen=false)", 31},
    {"wastar(manhattan, w=7.5)", 31},
    {"wastar(manhattan, w=1000)", 31},
    {"idastar(manhattan)", 31},
    {"idastar(linear_conflict)", 31},
    {"idastar(linear_conflict, step=parity)", 31},
    {"idastar(walking_distance)", 31},
    {"idastar(manhattan, step=parity)", 31},
    {"idastar(manhattan, depth_limit=31)", 31},
    {"idastar(misplaced)", 24},
    {"idastar(misplaced, step=parity)", 24},
    {"idastar(zero)", 14},
    {"idastar(zero, step=parity)", 14},
    {"idastar(manhattan, table=1000000)", 31},
    {"idastar(linear_conflict, table=100)", 31},
    {"idastar(misplaced, table=30000)", 24},
    {"idastar(zero, table=3000000)", 18},
    {"idastar(pdb:4-4, step=parity, table=5000)", 31},
    /* The other heuristics. */
    {"astar(gaschnig)", 31},
    {"astar(out_of_row_column)", 31},
    {"astar(euclidean)", 31},
    {"astar(inversion)", 31},
    {"astar(pdb:4-4)", 31},
    {"astar(pdb:4-4:reflect, ties=low_g)", 31},
    {"astar(max:manhattan+inversion)", 31},
    {"lcbb(pdb:4-4:reflect, duplicates=stored)", 31},
    {"dfbnb(pdb:5-3, depth_limit=31)", 31},
    {"rbfs(max:pdb:5-3+inversion)", 31},
    {"rbfs(pdb:4-4)", 31},
    {"wastar(pdb:4-4, w=1.5)", 31},
    {"wastar(pdb:4-4, w=1)", 31},
    {"idastar(gaschnig)", 24},
    {"idastar(inversion)", 31},
    {"idastar(euclidean, step=parity)", 31},
    {"idastar(out_of_row_column, step=parity)", 28},
    {"idastar(pdb:4-4)", 31},
    {"idastar(pdb:5-3:reflect)", 31},
    {"idastar(pdb:1.2.3.4.5.6.7.8)", 31},
    {"idastar(pdb:1/2.4/3.5/6.7.8:reflect)", 31},
    {"idastar(max:pdb:4-4+inversion)", 31},
    {"idastar(pdb:5-3:zero:reflect)", 31},
    {"astar(pdb:4-4:zero)", 31},
    {"greedy(pdb:4-4)", 31},
    /* Complete, but not optimal. */
    {"dfs", 31},
    {"greedy(zero)", 31},
    {"greedy(misplaced)", 31},
    {"greedy(manhattan)", 31},
    {"greedy(manhattan, ties=lifo)", 31},
    {"greedy(manhattan, goal_test=generation)", 31},
};

/* Those of the list that are asked all boards in the long tier, one for each way through the code;
 * the others are asked a sample there too. (Of the tables, `tested` says which are.) */
static const char *const long_solvers[] = {"iddfs",
                                           "iddfs(parity)",
                                           "bibfs(side=alternate)",
                                           "nbs(walking_distance, epsilon=0)",
                                           "astar(misplaced)",
                                           "lcbb(misplaced)",
                                           "lcbb(manhattan)",
                                           "lcbb(manhattan, duplicates=stored)",
                                           "dfbnb(manhattan, depth_limit=31)",
                                           "wastar(manhattan, reopen=false)",
                                           "wastar(manhattan, w=1.125, ties=fifo)",
                                           "wastar(misplaced, w=2)",
                                           "rbfs(manhattan)",
                                           "astar(pdb:4-4)",
                                           "astar(inversion)",
                                           "idastar(linear_conflict)",
                                           "idastar(walking_distance)",
                                           "idastar(pdb:5-3:reflect)",
                                           "idastar(manhattan)",
                                           "idastar(manhattan, table=1000000)"};

static bool in_long_tier(const char *text)
{
    for (size_t i = 0; i < sizeof long_solvers / sizeof *long_solvers; i++)
        if (strcmp(text, long_solvers[i]) == 0)
            return true;
    return false;
}

/* Boards of one goal, nearest first. */
struct boards {
    const char *goal;
    unsigned number; /* of the goal */
    unsigned sample, table_sample;
    struct distances distances;
    uint32_t *ranks; /* sorted by distance */
    uint32_t begin[MAX_DISTANCES + 1];
};

static void boards_make(struct boards *boards, unsigned number, const struct board *goal)
{
    uint32_t filled[MAX_DISTANCES];
    boards->goal = goals[number].name;
    boards->number = number;
    boards->sample = is_long() ? SAMPLE_OF_LONG : SAMPLE;
    boards->table_sample = is_long() ? TABLE_SAMPLE_OF_LONG : TABLE_SAMPLE;
    assert_true(distances_make(goal, &boards->distances));
    boards->begin[0] = 0;
    for (unsigned d = 0; d < MAX_DISTANCES; d++) {
        filled[d] = boards->begin[d];
        boards->begin[d + 1] = boards->begin[d] + boards->distances.states[d];
    }
    const uint32_t size = boards->distances.ranking.size;
    boards->ranks = malloc(size * sizeof *boards->ranks);
    assert_non_null(boards->ranks);
    for (uint32_t rank = 0; rank < size; rank++)
        boards->ranks[filled[boards->distances.depth[rank]]++] = rank;
}

static void boards_end(struct boards *boards)
{
    distances_end(&boards->distances);
    free(boards->ranks);
}

/* The n-th of `count` boards whose distances are spread from 0 to `farthest`; of the boards at one
 * distance, `number` chooses one. */
static uint32_t spread(const struct boards *boards, unsigned farthest, unsigned n, unsigned count,
                       uint32_t number)
{
    const unsigned distance = farthest * n / (count - 1);
    const uint32_t there = boards->distances.states[distance];
    return boards->ranks[boards->begin[distance] + (uint32_t)(number * UINT64_C(104729) % there)];
}

/* Fails the test with what is wrong on a board. */
static void complain(const struct boards *boards, const struct solver *solver, uint32_t rank,
                     const char *claim, const char *expected, const char *got)
{
    struct board board = board_ranked(&boards->distances.ranking, rank);
    fail_msg("algorithms.def, row %s: %s %s\n"
             "  board     %s (goal: %s)\n"
             "  expected  %s\n"
             "  got       %s",
             solver->algorithm->name, solver_text(solver), claim, line_of(&board), boards->goal,
             expected, got);
}

/* Asks a solver for one board, with at most `nodes` generated nodes (0: no limit). Returns whether
 * it was solved. `must`: the board must be solved. */
static bool check_board(const struct boards *boards, const struct solver *solver, uint32_t rank,
                        uint64_t nodes, bool must)
{
    const struct limits limits = {.bytes = UINT64_C(4) << 30, .nodes = nodes};
    struct task task = {.goal = boards->distances.ranking.goal, .order = DEFAULT_ORDER};
    char expected[80], got[80];
    ranking_unrank(&boards->distances.ranking, rank, &task.start);
    SCOPED_BY(result_end) struct result result = result_of(solver, &task, &limits, NULL);
    const unsigned distance = boards->distances.depth[rank];
    const unsigned properties = solver_properties(solver);
    const bool solved = result.status == STATUS_solved;
    snprintf(got, sizeof got, "%s after %" PRIu64 " generated nodes",
             status_rows[result.status].name, result.statistics.generated);
    if (!solved && (properties & COMPLETE) != 0 && result.status != STATUS_node_limit)
        complain(boards, solver, rank, "claims COMPLETE", "solved", got);
    if (!solved && must)
        complain(boards, solver, rank,
                 result.status == STATUS_node_limit
                     ? "takes more nodes than its column `tested` says"
                     : "does not solve a board that it must solve",
                 "solved", got);
    if (solved) {
        const int64_t bound = solver_bound(solver);
        struct replay replay = replay_path(&task.start, &task.goal, result.moves, result.length);
        snprintf(got, sizeof got, "a path of %zu moves", result.length);
        snprintf(expected, sizeof expected, "%u moves", distance);
        if (replay.outcome != REPLAY_REACHES_GOAL)
            complain(boards, solver, rank, "answers with a path that misses the goal", expected,
                     got);
        if (result.length < distance)
            complain(boards, solver, rank, "beats the exact distance", expected, got);
        if (bound == DECIMAL_ONE && result.length != distance)
            complain(boards, solver, rank, "claims OPTIMAL", expected, got);
        if (bound > 0 && result.length * DECIMAL_ONE > distance * (uint64_t)bound) {
            snprintf(expected, sizeof expected, "at most %.3f times %u moves",
                     (double)bound / DECIMAL_ONE, distance);
            complain(boards, solver, rank, "claims BOUNDED", expected, got);
        }
    }
    if ((properties & ADMISSIBLE) != 0 && result.h_start > (int)distance) {
        snprintf(expected, sizeof expected, "h at most %u", distance);
        snprintf(got, sizeof got, "%d", result.h_start);
        complain(boards, solver, rank, "has a heuristic that claims ADMISSIBLE", expected, got);
    }
    return solved;
}

static bool is_chosen(const char *text)
{
    const char *chosen = getenv("TILELAB_SOLVER");
    return chosen == NULL || strncmp(text, chosen, strlen(chosen)) == 0;
}

/* A solver made from the tables. `plain`: all its options have their defaults. `whole`: it is asked
 * all boards that its row names. */
static void check_row(const struct boards *boards, const struct solver *solver, bool plain,
                      bool whole)
{
    static uint32_t seed;
    const unsigned deepest = boards->distances.deepest;
    const unsigned said = solver->algorithm->tested.distance;
    const unsigned near_end = said < deepest ? said : deepest;
    const bool complete = (solver_properties(solver) & COMPLETE) != 0;
    const unsigned count = boards->table_sample;
    SCOPED char *text = solver_text(solver);
    unsigned solved = 0;
    seed++;
    if (is_chosen(text)) {
        for (unsigned n = 0; n < count; n++) {
            const uint32_t number = seed + count * n;
            const uint32_t near = spread(boards, near_end, n, count, number);
            const uint32_t any = spread(boards, deepest, n, count, number);
            const bool found = check_board(boards, solver, near, NODES, plain && complete);
            solved += found && boards->distances.depth[near] > 0;
            check_board(boards, solver, any, NODES_BEYOND, false);
        }
        for (uint32_t i = 0; whole && i < boards->begin[near_end + 1]; i++)
            check_board(boards, solver, boards->ranks[i], NODES, complete);
        if (complete && solved == 0)
            fail_msg("algorithms.def, row %s: %s claims COMPLETE, but solves none of %u boards "
                     "within %d nodes",
                     solver->algorithm->name, text, count, NODES);
    }
}

/* Every algorithm of the table, with every heuristic; and with manhattan, or none, every other
 * value of its options: of numbers the minimum. */
static void check_tables(const struct boards *boards, bool whole)
{
    const struct board *goal = &boards->distances.ranking.goal;
    struct heuristic_choice choices[MAX_ROWS];
    const unsigned count = all_rows(goal, choices);
    for (unsigned a = 0; a < algorithm_count; a++) {
        const struct algorithm *algorithm = &algorithms[a];
        struct solver solver = solver_by(algorithm, "manhattan");
        check_row(boards, &solver, true, whole && !algorithm->tested.sample);
        for (unsigned i = 0; algorithm->options[i].kind != OPTION_END; i++) {
            const struct option_row *option = &algorithm->options[i];
            const bool words = option->kind == OPTION_CHOICE || option->kind == OPTION_FLAG;
            for (int64_t value = words ? 0 : option->min;
                 words ? (option->kind == OPTION_FLAG ? value < 2 : option->choices[value] != NULL)
                       : value == option->min;
                 value++) {
                struct solver other = solver;
                other.options[i] = value;
                if (value != option->fallback)
                    check_row(boards, &other, false, false);
            }
        }
        for (unsigned h = 0; algorithm->informed && h < count; h++) {
            solver.heuristic = choices[h];
            const bool asked = whole || (a + h) % GOALS == boards->number;
            if (asked && is_defined(&solver.heuristic, goal))
                check_row(boards, &solver, true, false);
        }
    }
}

/* The solvers of the list above. */
static void check_list(const struct boards *boards, bool whole)
{
    const struct distances *distances = &boards->distances;
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        if (!is_chosen(solvers[s].text))
            continue;
        const struct solver solver = solver_of(solvers[s].text);
        if (solver.heuristic.kind != NULL &&
            !is_defined(&solver.heuristic, &distances->ranking.goal))
            continue;
        const bool all = whole && in_long_tier(solvers[s].text);
        const uint32_t size = distances->ranking.size;
        uint32_t checked = 0;
        /* A step without a common divisor with 181,440 visits every rank once before it comes back.
         */
        uint32_t rank = (uint32_t)s;
        for (uint32_t i = 0; i < size && (all || checked < boards->sample);
             i++, rank = (rank + 104729) % size)
            if (distances->depth[rank] <= solvers[s].distance) {
                check_board(boards, &solver, rank, 0, true);
                checked++;
            }
        printf("%s: %s: %u boards up to distance %u\n", boards->goal, solvers[s].text, checked,
               solvers[s].distance);
        fflush(stdout);
    }
}

static void each_goal(void (*check)(const struct boards *, bool))
{
    const char *chosen = getenv("TILELAB_GOAL");
    for (unsigned g = 0; g < GOALS; g++) {
        const struct board goal = board_of(goals[g].board);
        struct boards boards;
        if (chosen != NULL && strcmp(chosen, goals[g].name) != 0)
            continue;
        boards_make(&boards, g, &goal);
        check(&boards, is_long());
        boards_end(&boards);
    }
}

TEST(test_rows_keep_their_claims)
{
    each_goal(check_tables);
}

TEST(test_solvers_keep_their_claims)
{
    each_goal(check_list);
}
