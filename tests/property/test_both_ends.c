/* What is claimed of searches from both ends: shortest paths with every consistent heuristic,
 * wherever the goal's blank is; no fewer expansions than the minimum vertex cover of the pairs that
 * must be expanded, and of nbs, apart from pairs as long as the solution, no more than twice it; of
 * mm, no expansion beyond the middle, and that it expands and ends by the rules of its paper.
 *
 * All boards of 2x3, samples of 2x4 and 3x3. TILELAB_LONG=1: all boards of 2x4, and of 3x3 (with
 * the weak heuristics, which take long, each tenth); TILELAB_SOLVER chooses solvers that begin so,
 * or "covers". */
#include "harness/prediction/cover.h"
#include "puzzle/moves.h"
#include "tests/support.h"
#include <limits.h>

AROUND_ALL_TESTS(many_searches, NULL)

static bool is_chosen(const char *text)
{
    const char *chosen = getenv("TILELAB_SOLVER");
    return chosen == NULL || strncmp(text, chosen, strlen(chosen)) == 0;
}

/* What a search expanded. */
struct expansions {
    unsigned longest; /* C* */
    unsigned deepest, largest_f;
    unsigned epsilon; /* nbs: .. */
    uint64_t pairs;   /* .. pairs whose bound is below C* */
    unsigned bound;   /* of the last pair */
    bool falls;       /* it was smaller than the one before */
    unsigned g, f;    /* of the first node of a pair */
    uint64_t count;
};

static void note_expansion(void *context, UNUSED const struct board *board, unsigned g, unsigned h)
{
    struct expansions *seen = context;
    seen->deepest = g > seen->deepest ? g : seen->deepest;
    seen->largest_f = g + h > seen->largest_f ? g + h : seen->largest_f;
    if (seen->count++ % 2 == 0) {
        seen->g = g;
        seen->f = g + h;
        return;
    }
    unsigned bound = seen->g + g + seen->epsilon;
    bound = seen->f > bound ? seen->f : bound;
    bound = g + h > bound ? g + h : bound;
    seen->pairs += bound < seen->longest;
    seen->falls = seen->falls || bound < seen->bound;
    seen->bound = bound;
}

/* Runs a solver on a board at distance `optimal`, and checks its answer. */
static struct result run(const char *text, const struct solver *solver, const struct task *task,
                         unsigned optimal, struct expansions *seen)
{
    const struct limits limits = {.bytes = UINT64_C(1) << 30};
    const struct observer observer = {.expands = note_expansion, .context = seen};
    seen->longest = optimal;
    struct result result = result_of(solver, task, &limits, &observer);
    if (result.status != STATUS_solved || result.length != optimal ||
        replay_path(&task->start, &task->goal, result.moves, result.length).outcome !=
            REPLAY_REACHES_GOAL)
        fail_msg("%s on %s to %s: %s, %zu moves; expected %u", text, line_of(&task->start),
                 line_of(&task->goal), status_rows[result.status].name, result.length, optimal);
    const struct statistics *sum = &result.statistics;
    assert_int_equal(sum->expanded, result.sides[START].expanded + result.sides[GOAL].expanded);
    assert_int_equal(sum->generated, result.sides[START].generated + result.sides[GOAL].generated);
    assert_int_equal(sum->expanded, seen->count);
    assert_int_equal(sum->reopened, 0);
    return result;
}

/* ---- Shortest paths ---- */

/* A sample takes about one board of `step`, or all where that is 1. */
static void check_solver(const struct distances *distances, const struct solver *solver,
                         uint32_t step)
{
    SCOPED char *text = solver_text(solver);
    struct task task = {.goal = distances->ranking.goal, .order = DEFAULT_ORDER};
    static uint32_t first;
    for (uint32_t rank = first++ % step; is_chosen(text) && rank < distances->ranking.size;
         rank += step) {
        struct expansions seen = {0};
        ranking_unrank(&distances->ranking, rank, &task.start);
        struct result result = run(text, solver, &task, distances->depth[rank], &seen);
        result_end(&result);
    }
}

static bool is_weak(const struct heuristic_choice *choice)
{
    static const char *const weak[] = {"zero", "misplaced", "gaschnig"};
    for (unsigned i = 0; i < sizeof weak / sizeof *weak; i++)
        if (strcmp(choice->kind->name, weak[i]) == 0)
            return true;
    return false;
}

/* Every informed algorithm that searches from both ends, with every heuristic that claims to be
 * consistent, and with manhattan and every other value of its options. */
static void check_shape(unsigned width, unsigned height, const unsigned *blanks,
                        unsigned blank_count, uint32_t step)
{
    for (unsigned b = 0; b < blank_count; b++) {
        const struct board goal = goal_at(width, height, blanks[b]);
        struct heuristic_choice choices[MAX_ROWS];
        const unsigned count = all_rows(&goal, choices);
        SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
        for (unsigned a = 0; a < algorithm_count; a++) {
            const struct algorithm *algorithm = &algorithms[a];
            if (!algorithm->informed || (algorithm->properties & BOTH_ENDS) == 0)
                continue;
            struct solver solver = solver_by(algorithm, "manhattan");
            for (unsigned i = 0; algorithm->options[i].kind != OPTION_END; i++) {
                const struct option_row *option = &algorithm->options[i];
                const bool words = option->kind == OPTION_CHOICE;
                for (int64_t value = words ? 0 : option->min;
                     words ? option->choices[value] != NULL : value <= option->max; value++) {
                    struct solver other = solver;
                    other.options[i] = value;
                    if (value != option->fallback)
                        check_solver(&distances, &other, step);
                }
            }
            for (unsigned h = 0; h < count; h++) {
                solver.heuristic = choices[h];
                const bool weak = step == 1 && width * height == 9 && is_weak(&choices[h]);
                if ((heuristic_properties(&choices[h]) & CONSISTENT) != 0)
                    check_solver(&distances, &solver, weak ? 10 : step);
            }
        }
    }
}

TEST(test_shortest_paths)
{
    static const unsigned six[] = {5, 1}, eight[] = {7, 1}, nine[] = {8, 1, 4};
    check_shape(3, 2, six, 1, is_long() ? 1 : 3);
    check_shape(3, 2, &six[1], 1, is_long() ? 1 : 7);
    check_shape(2, 3, six, 1, is_long() ? 1 : 7);
    check_shape(4, 2, eight, 2, is_long() ? 1 : 2003);
    check_shape(3, 3, nine, 3, is_long() ? 1 : 36007);
}

/* ---- The rules of mm ---- */

/* What mm and mme do, told again without lists: each state on each side, looked through whenever a
 * node is expanded. */
struct middle {
    const struct distances *distances;
    const struct heuristic *heuristic[SIDES];
    unsigned margin; /* mme: 1 */
    bool high, smaller;
    struct half_node {
        unsigned g, h;
        enum { UNKNOWN, LIVE, CLOSED } is;
    } * nodes[SIDES]; /* by rank; owned */
    unsigned best;    /* path found; UINT_MAX: none */
};

/* What must come next. */
struct middle_step {
    bool ends;
    unsigned side, priority, g; /* of the node that is expanded */
};

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned middle_priority(const struct middle *middle, const struct half_node *node)
{
    return larger(node->g + node->h, 2 * node->g + middle->margin);
}

static struct middle_step middle_next(const struct middle *middle)
{
    unsigned priority[SIDES] = {UINT_MAX, UINT_MAX}, f[SIDES] = {UINT_MAX, UINT_MAX};
    unsigned least[SIDES] = {UINT_MAX, UINT_MAX}, first[SIDES] = {0}, live[SIDES] = {0};
    for (unsigned side = START; side < SIDES; side++)
        for (uint32_t rank = 0; rank < middle->distances->ranking.size; rank++) {
            const struct half_node *node = &middle->nodes[side][rank];
            if (node->is != LIVE)
                continue;
            const unsigned own = middle_priority(middle, node);
            if (own < priority[side] ||
                (own == priority[side] &&
                 (middle->high ? node->g > first[side] : node->g < first[side])))
                first[side] = node->g;
            priority[side] = smaller(priority[side], own);
            f[side] = smaller(f[side], node->g + node->h);
            least[side] = smaller(least[side], node->g);
            live[side]++;
        }
    const bool goal = priority[GOAL] != priority[START]
                          ? priority[GOAL] < priority[START]
                          : middle->smaller && live[GOAL] < live[START];
    struct middle_step step = {.side = goal ? GOAL : START};
    step.priority = priority[step.side];
    step.g = first[step.side];
    step.ends = live[START] == 0 || live[GOAL] == 0 ||
                middle->best <= larger(step.priority, larger(larger(f[START], f[GOAL]),
                                                             least[START] + least[GOAL] + 1));
    return step;
}

static void middle_reach(struct middle *middle, unsigned side, const struct board *board,
                         unsigned g)
{
    const uint32_t rank = ranking_rank(&middle->distances->ranking, board);
    struct half_node *node = &middle->nodes[side][rank];
    const struct half_node *twin = &middle->nodes[!side][rank];
    if (node->is != UNKNOWN && node->g <= g)
        return;
    const struct heuristic *heuristic = middle->heuristic[side];
    *node = (struct half_node){g, heuristic->kind->evaluate(heuristic, board), LIVE};
    if (twin->is != UNKNOWN)
        middle->best = smaller(middle->best, g + twin->g);
}

static void follow(void *context, const struct board *board, unsigned g, unsigned h)
{
    struct middle *middle = context;
    const struct middle_step step = middle_next(middle);
    const uint32_t rank = ranking_rank(&middle->distances->ranking, board);
    struct half_node *node = &middle->nodes[step.side][rank];
    if (step.ends || node->is != LIVE || node->g != g || node->h != h || g != step.g ||
        middle_priority(middle, node) != step.priority)
        fail_msg("%s of g %u, h %u is expanded; expected %s side %u, priority %u, g %u",
                 line_of(board), g, h, step.ends ? "the end;" : "a node:", step.side, step.priority,
                 step.g);
    node->is = CLOSED;
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned to = move_target(board->shape, board->blank, move);
        struct board child = *board;
        if (to == NO_CELL)
            continue;
        board_slide(&child, to);
        middle_reach(middle, step.side, &child, g + 1);
    }
}

/* Each expansion is the next one by the rules, and there is one as long as they do not end the
 * search: each term of the bound matters on some board of 2x3, to the counters if not to the answer
 * (mm.h). */
TEST(test_rules)
{
    static const char *const names[] = {"mm", "mme"}, *const heuristics[] = {"manhattan",
                                                                             "misplaced", "zero"};
    const struct limits limits = {.bytes = UINT64_C(1) << 30};
    const struct board goal = goal_at(3, 2, 5);
    SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
    for (unsigned form = 0; form < 24; form++) {
        struct middle middle = {.distances = &distances,
                                .margin = form % 2,
                                .high = (form & 2) != 0,
                                .smaller = (form & 4) != 0};
        SCOPED char *text =
            heap_format("%s(%s, ties=%s, side=%s)", names[form % 2], heuristics[form / 8],
                        middle.high ? "high_g" : "low_g", middle.smaller ? "smaller" : "start");
        const struct solver solver = solver_of(text);
        struct heuristic forward, backward;
        struct task task = {.goal = goal, .order = DEFAULT_ORDER};
        const uint32_t boards = is_chosen(text) ? distances.ranking.size : 0;
        heuristic_start(&forward, &solver.heuristic, &goal);
        for (uint32_t rank = 0; rank < boards; rank++) {
            const struct observer observer = {.expands = follow, .context = &middle};
            ranking_unrank(&distances.ranking, rank, &task.start);
            heuristic_start(&backward, &solver.heuristic, &task.start);
            middle.heuristic[START] = &forward;
            middle.heuristic[GOAL] = &backward;
            middle.best = UINT_MAX;
            for (unsigned side = START; side < SIDES; side++)
                middle.nodes[side] = heap_take(distances.ranking.size, sizeof(struct half_node));
            middle_reach(&middle, START, &task.start, 0);
            middle_reach(&middle, GOAL, &goal, 0);
            struct result result = result_of(&solver, &task, &limits, &observer);
            if (!middle_next(&middle).ends || result.length != middle.best)
                fail_msg("%s ends too early at rank %u: %zu moves, best %u", text, rank,
                         result.length, middle.best);
            assert_int_equal(result.length, distances.depth[rank]);
            result_end(&result);
            for (unsigned side = START; side < SIDES; side++)
                free(middle.nodes[side]);
            heuristic_end(&backward);
        }
        heuristic_end(&forward);
    }
}

/* ---- Covers ---- */

/* Holds expansions against the cover of each board in turn, and, of nbs, its bound. `epsilon`: of
 * nbs and dvcbs; else negative. Returns the sums over the boards: expansions, those that nbs makes
 * in pairs below C*, and the covers. */
struct sums {
    uint64_t boards, expanded, necessary, cover, above_twice;
};

static struct sums check_covers(const char *text, const struct distances *distances, int epsilon,
                                uint32_t step)
{
    const struct solver solver = solver_of(text);
    const struct heuristic_choice choice = solver.heuristic;
    struct task task = {.goal = distances->ranking.goal, .order = DEFAULT_ORDER};
    SCOPED_BY(covers_end) struct covers covers;
    struct sums sums = {0};
    covers_start(&covers, distances, &choice);
    for (uint32_t rank = 0; rank < distances->ranking.size; rank += step) {
        struct expansions seen = {.epsilon = epsilon > 0 ? (unsigned)epsilon : 0};
        char cells[BOARD_LINE];
        ranking_unrank(&distances->ranking, rank, &task.start);
        board_line(&task.start, cells);
        const struct cover cover = cover_of(&covers, &task.start);
        struct result result = run(text, &solver, &task, cover.optimal, &seen);
        const uint64_t expanded = result.statistics.expanded;
        /* Whoever does not use the cost of a move must expand more. */
        const uint64_t least = cover.size[epsilon != 0];
        if (expanded < least)
            fail_msg("%s on %s expands %llu nodes, fewer than the cover of %llu", text, cells,
                     (unsigned long long)expanded, (unsigned long long)least);
        if (strncmp(text, "mm", 2) == 0 &&
            (2 * seen.deepest > cover.optimal || seen.largest_f > cover.optimal))
            fail_msg("%s on %s expands a node of g %u and one of f %u, with C* = %u", text, cells,
                     seen.deepest, seen.largest_f, cover.optimal);
        if (strncmp(text, "nbs", 3) == 0) {
            assert_int_equal(result.sides[START].expanded, (expanded + 1) / 2);
            if (seen.falls || seen.bound > cover.optimal)
                fail_msg("%s on %s ends with a pair of bound %u, C* = %u; bounds %s", text, cells,
                         seen.bound, cover.optimal, seen.falls ? "fall" : "never fall");
            if (seen.pairs > least) /* they are disjoint: a matching */
                fail_msg("%s on %s expands %llu pairs below C*, more than the cover of %llu", text,
                         cells, (unsigned long long)seen.pairs, (unsigned long long)least);
        }
        sums.boards++;
        sums.expanded += expanded;
        sums.necessary += 2 * seen.pairs;
        sums.cover += least;
        sums.above_twice += expanded > 2 * least;
        result_end(&result);
    }
    if (getenv("TILELAB_PRINT") != NULL)
        printf("%s: %llu boards, %llu expanded, %llu in pairs below C*, cover %llu; %llu boards "
               "above twice the cover\n",
               text, (unsigned long long)sums.boards, (unsigned long long)sums.expanded,
               (unsigned long long)sums.necessary, (unsigned long long)sums.cover,
               (unsigned long long)sums.above_twice);
    return sums;
}

TEST(test_covers)
{
    static const struct {
        const char *form;
        int epsilon;
    } solvers[] = {{"mm(%s)", -1},   {"mme(%s)", -1},
                   {"nbs(%s)", 1},   {"nbs(%s, epsilon=0)", 0},
                   {"dvcbs(%s)", 1}, {"dvcbs(%s, epsilon=0)", 0}};
    static const char *const heuristics[] = {"manhattan", "linear_conflict", "misplaced", "zero"};
    if (!is_chosen("covers"))
        return;
    for (unsigned b = 0; b < 2; b++) {
        const struct board goal = goal_at(3, 2, b == 0 ? 5 : 1);
        SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
        for (unsigned h = 0; h < sizeof heuristics / sizeof *heuristics; h++)
            for (unsigned s = 0; s < sizeof solvers / sizeof *solvers; s++) {
                check_covers(text_of(solvers[s].form, heuristics[h]), &distances,
                             solvers[s].epsilon, 1);
            }
    }
}

/* NBS's bound on the 8-puzzle. Most expansions are in pairs below C*, so the test is no formality.
 */
TEST(test_near_optimality)
{
    const struct board goal = goal_at(3, 3, 8);
    if (!is_chosen("covers"))
        return;
    SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
    for (int epsilon = 0; epsilon < 2; epsilon++) {
        const struct sums sums =
            check_covers(epsilon == 1 ? "nbs(manhattan)" : "nbs(manhattan, epsilon=0)", &distances,
                         epsilon, is_long() ? 1 : 1009);
        assert_true(2 * sums.necessary > sums.expanded && sums.necessary > sums.cover);
    }
    /* Covers of what is live are worth their while. */
    const struct sums nbs = check_covers("nbs(manhattan)", &distances, 1, 2003);
    const struct sums dvcbs = check_covers("dvcbs(manhattan)", &distances, 1, 2003);
    assert_true(dvcbs.expanded < nbs.expanded);
    check_covers("mm(manhattan)", &distances, -1, is_long() ? 10 : 2003);
    check_covers("mme(manhattan)", &distances, -1, is_long() ? 10 : 2003);
}
