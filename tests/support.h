/* What the tests share: boards and solvers from their texts, which are known to be right. */
#pragma once

#include "algorithms/solver.h"
#include "base/random.h"
#include "idastar/pruning.h"
#include "instances/set.h"
#include "pdb/pattern.h"
#include "pdb/pattern_store.h"
#include "puzzle/distance.h"
#include "puzzle/goal.h"
#include "puzzle/rank.h"
#include "puzzle/replay.h"
#include "puzzle/text.h"
#include "tests/test.h"
#include <gsl/gsl_randist.h>
#include <malloc.h>

/* What heuristics of tests are made of. */
DECLARE_HEURISTIC(manhattan);
DECLARE_HEURISTIC(misplaced);

/* A heuristic of a test's own: evaluate_NAME, asked for the whole board each time. */
#define TEST_HEURISTIC(name, properties)                                                           \
    static unsigned step_##name(const struct heuristic *heuristic, const struct board *child,      \
                                unsigned h, unsigned tile, unsigned from, unsigned to)             \
    {                                                                                              \
        (void)h;                                                                                   \
        (void)tile;                                                                                \
        (void)from;                                                                                \
        (void)to;                                                                                  \
        return evaluate_##name(heuristic, child);                                                  \
    }                                                                                              \
    static const struct heuristic_kind name = {#name,                                              \
                                               "for this test",                                    \
                                               properties,                                         \
                                               NULL,                                               \
                                               (const struct option_row[])NO_OPTIONS,              \
                                               manhattan_prepare,                                  \
                                               evaluate_##name,                                    \
                                               step_##name}

/* Whether the long form of a test is asked for: TILELAB_LONG=1. */
static inline bool is_long(void)
{
    return getenv("TILELAB_LONG") != NULL;
}

/* Whether it is to leave out nothing, which takes days: TILELAB_LONG=whole. */
static inline bool is_whole(void)
{
    return is_long() && strcmp(getenv("TILELAB_LONG"), "whole") == 0;
}

/* A set-up: pattern databases are made in memory, and no file of any folder is read or written. */
static inline int no_files(UNUSED void **state)
{
    pattern_store_folder(NULL);
    return 0;
}

/* The same for small searches by the million: memory that one frees stays for the next. */
static inline int many_searches(void **state)
{
    mallopt(M_TOP_PAD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    return no_files(state);
}

/* The board of a text whose shape shows; the test fails when it is none. */
static inline struct board board_of(const char *text)
{
    struct report report = {0};
    struct board board = {0};
    if (!board_parse(text, NULL, FIRST_PLACE, &report, &board))
        fail_msg("%s", report.text);
    return board;
}

/* A shape; the test fails when there is none. */
static inline struct shape shape_of(unsigned width, unsigned height)
{
    struct shape shape;
    assert_true(shape_make(width, height, &shape));
    return shape;
}

/* The shape of a text; the test fails when it is none. */
static inline struct shape shape_read(const char *text)
{
    struct shape shape;
    if (!shape_parse(text, &shape))
        fail_msg("'%s' is no shape", text);
    return shape;
}

/* The goal whose tiles are in order and whose blank is in a cell. */
static inline struct board goal_at(unsigned width, unsigned height, unsigned blank)
{
    const struct shape shape = shape_of(width, height);
    struct board goal;
    uint8_t tiles[MAX_CELLS] = {0};
    for (unsigned cell = 0, tile = 1; cell < shape.cells; cell++)
        if (cell != blank)
            tiles[cell] = (uint8_t)tile++;
    assert_true(board_make(shape, tiles, &goal));
    return goal;
}

/* The solver of a short form; the test fails when it is none. */
static inline struct solver solver_of(const char *text)
{
    struct report report = {0};
    struct solver solver = {0};
    if (!solver_parse(text, FIRST_PLACE, &report, &solver))
        fail_msg("'%s': %s", text, report.text);
    assert_int_equal(report.count, 0);
    return solver;
}

/* The solver of an algorithm, with a heuristic if it takes one. */
static inline struct solver solver_by(const struct algorithm *algorithm, const char *heuristic)
{
    return solver_of(algorithm->informed ? text_of("%s(%s)", algorithm->name, heuristic)
                                         : algorithm->name);
}

/* The heuristic of NAME or NAME:ARGUMENT; the test fails when it is none. */
static inline struct heuristic_choice choice_of(const char *text)
{
    struct report report = {0};
    struct heuristic_choice choice = {0};
    if (!heuristic_parse(text, FIRST_PLACE, &report, &choice))
        fail_msg("%s", report.text);
    return choice;
}

/* A heuristic of a kind for a goal, with an argument if the kind takes one. */
static inline struct heuristic_choice choice_for(const struct heuristic_kind *kind,
                                                 const struct board *goal)
{
    SCOPED char *text = heuristic_example(kind, goal);
    return choice_of(text);
}

enum { MAX_ROWS = 64 };

/* Every row of the heuristics table: its default form, each of its flags set alone, and with an
 * argument that may be left out. Returns how many they are. */
static inline unsigned all_rows(const struct board *goal, struct heuristic_choice choices[MAX_ROWS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < heuristic_count; i++) {
        const struct heuristic_choice usual = choice_for(&heuristic_kinds[i], goal);
        assert_true(count < MAX_ROWS);
        choices[count++] = usual;
        for (unsigned k = 0; usual.kind->options[k].kind != OPTION_END; k++) {
            if (usual.kind->options[k].kind != OPTION_FLAG)
                continue;
            assert_true(count < MAX_ROWS);
            choices[count] = usual;
            choices[count++].options[k] = !usual.options[k];
        }
    }
    return count;
}

static inline void note_walking(void *context, const struct pattern *pattern)
{
    bool *walking = context;
    *walking = *walking || pattern->kind == PATTERN_WALKING;
}

/* Whether a heuristic can be had for a goal; in the quick tests, without the large tables of
 * walking distance. */
static inline bool is_defined(const struct heuristic_choice *choice, const struct board *goal)
{
    SCOPED char *reason = heuristic_refuses(choice, goal);
    const bool defined = reason == NULL;
    bool large = false;
    if (defined && getenv("TILELAB_LONG") == NULL)
        heuristic_patterns(choice, goal, COST_unit, note_walking, &large);
    return defined && !large;
}

/* A heuristic made ready; heuristic_end frees it. */
static inline struct heuristic heuristic_started(const struct heuristic_choice *choice,
                                                 const struct board *goal)
{
    struct heuristic heuristic;
    heuristic_start(&heuristic, choice, goal);
    return heuristic;
}

static inline struct heuristic started(const char *text, const struct board *goal)
{
    const struct heuristic_choice choice = choice_of(text);
    return heuristic_started(&choice, goal);
}

/* Any board of a shape, whichever goal it can reach; and one that can reach this goal. */
static inline struct board any_board(gsl_rng *generator, struct shape shape)
{
    struct board board;
    uint8_t tiles[MAX_CELLS];
    for (unsigned i = 0; i < shape.cells; i++)
        tiles[i] = (uint8_t)i;
    gsl_ran_shuffle(generator, tiles, shape.cells, 1);
    assert_true(board_make(shape, tiles, &board));
    return board;
}

static inline struct board solvable_board(gsl_rng *generator, const struct board *goal)
{
    struct board board;
    do
        board = any_board(generator, goal->shape);
    while (!board_connected(&board, goal));
    return board;
}

/* The board at the end of a walk that never takes a move back. */
static inline struct board walked(gsl_rng *generator, const struct board *from, unsigned steps)
{
    struct board board = *from;
    unsigned undo = MOVE_NONE;
    while (steps > 0) {
        const unsigned move = (unsigned)gsl_rng_uniform_int(generator, MOVES);
        const unsigned target = move_target(board.shape, board.blank, move);
        if (target == NO_CELL || move == undo)
            continue;
        board_slide(&board, target);
        undo = move_undo(move);
        steps--;
    }
    return board;
}

/* The board of a shape from its tiles, read without puzzle/text.h. */
static inline struct board board_sized(unsigned width, unsigned height, const char *tiles_text)
{
    const struct shape shape = shape_of(width, height);
    struct board board;
    uint8_t tiles[MAX_CELLS];
    char *at = (char *)(uintptr_t)tiles_text;
    for (unsigned i = 0; i < shape.cells; i++)
        tiles[i] = (uint8_t)strtoul(at, &at, 10);
    assert_true(board_make(shape, tiles, &board));
    return board;
}

/* The cells of a board in one line; it stays as long as what text_of makes. */
static inline const char *line_of(const struct board *board)
{
    char line[BOARD_LINE];
    board_line(board, line);
    return text_of("%s", line);
}

/* The goal of a name for a shape. */
static inline struct board goal_for(const char *name, struct shape shape)
{
    struct board board;
    assert_true(goal_named(name, shape, &board));
    return board;
}

static inline struct board goal_of(const char *name, unsigned width, unsigned height)
{
    return goal_for(name, shape_of(width, height));
}

/* What is made for a shape or a goal. */
static inline struct operators operators_of(struct shape shape, const char *order)
{
    struct operators operators;
    assert_true(operators_make(shape, order, &operators));
    return operators;
}

static inline struct ranking ranking_of(const struct board *goal)
{
    struct ranking ranking;
    assert_true(ranking_make(goal, &ranking));
    return ranking;
}

static inline struct board board_ranked(const struct ranking *ranking, uint32_t rank)
{
    struct board board;
    ranking_unrank(ranking, rank, &board);
    return board;
}

/* distances_end frees them. */
static inline struct distances distances_to(const struct board *goal)
{
    struct distances distances;
    assert_true(distances_make(goal, &distances));
    return distances;
}

/* What a search comes to; result_end frees it. */
static inline struct result result_of(const struct solver *solver, const struct task *task,
                                      const struct limits *limits, const struct observer *observer)
{
    struct result result;
    solver_run(solver, task, limits, observer, &result);
    return result;
}

static inline struct result result_by(const char *text, const struct task *task,
                                      const struct limits *limits, const struct observer *observer)
{
    const struct solver solver = solver_of(text);
    return result_of(&solver, task, limits, observer);
}

/* Two solvers count the same, but for what is named in `but`. */
static inline void expect_same_counters(const char *text, const struct result *result,
                                        const char *other, const struct result *same,
                                        const char *but)
{
    for (unsigned i = 0; i < COUNTERS; i++) {
        const uint64_t is = statistics_value(&result->statistics, i);
        const uint64_t was = statistics_value(&same->statistics, i);
        if (is != was && strstr(but, counters[i].name) == NULL)
            fail_msg("%s: %s %ju; %s: %ju", text, counters[i].name, (uintmax_t)is, other,
                     (uintmax_t)was);
    }
}

/* A test of what holds for each task that on(.., check) checks: its body has the `task`. */
#define TEST_OF_TASKS(name, on, ...)                                                               \
    static void each_task_##name(const struct task *task);                                         \
    TEST(name)                                                                                     \
    {                                                                                              \
        on(__VA_ARGS__, each_task_##name);                                                         \
    }                                                                                              \
    static void each_task_##name(const struct task *task)

/* Its moves lead to the goal. */
#define ASSERT_REACHES_GOAL(task, result)                                                          \
    assert_int_equal(                                                                              \
        replay_path(&(task)->start, &(task)->goal, (result)->moves, (result)->length).outcome,     \
        REPLAY_REACHES_GOAL)

/* A set that ships; instance_list_end frees it. */
static inline struct instance_list published(const char *name)
{
    struct instance_list list = {0};
    assert_non_null(getenv("TILELAB_SOURCE"));
    const char *path = text_of("%s/instances/sets/%s.csv", getenv("TILELAB_SOURCE"), name);
    struct report report = {.file = path};
    if (!set_read(path, name, NULL, "blank-last", &report, &list))
        fail_msg("%s", report.text);
    return list;
}

/* One generator for each test, as it is when it is new. */
static inline gsl_rng *any_generator(void)
{
    static gsl_rng *generator;
    if (generator == NULL)
        generator = gsl_rng_alloc(random_philox);
    gsl_rng_set(generator, gsl_rng_default_seed);
    return generator;
}

/* A tree within a threshold, without the sequences of moves that are pruned, if any. */
struct bounded_tree {
    const struct heuristic *heuristic;
    const struct pruning *pruning; /* may be NULL */
    unsigned threshold;
    unsigned above; /* the minimum g + h above it */
};

/* The nodes of the tree below a board, in the plainest words. `context`: of pruning.h; below the
 * root the blank's cell. */
static inline uint64_t tree_within(struct bounded_tree *tree, struct board *board, unsigned g,
                                   unsigned undo, unsigned context)
{
    const unsigned blank = board->blank;
    const unsigned f = g + tree->heuristic->kind->evaluate(tree->heuristic, board);
    uint64_t count = 1;
    if (f > tree->threshold) {
        tree->above = f < tree->above ? f : tree->above;
        return 0;
    }
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned target = move_target(board->shape, blank, move);
        const unsigned next =
            tree->pruning == NULL ? 0 : context_after(tree->pruning, context, move);
        if (target == NO_CELL || move == undo || next == PRUNED)
            continue;
        board_slide(board, target);
        count += tree_within(tree, board, g + 1, move_undo(move), next);
        board_slide(board, blank);
    }
    return count;
}
