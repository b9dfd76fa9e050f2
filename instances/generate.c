#include "instances/generate.h"
#include "base/heap.h"
#include "base/random.h"
#include "puzzle/distance.h"
#include "puzzle/moves.h"
#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

const char *const method_names[METHODS] = {"uniform", "walk", "depth", "all"};

/* The state of drawing. */
struct drawing {
    const struct generation *generation;
    gsl_rng *generator;
    struct operators operators;
    uint32_t set;               /* the set's number in the random streams */
    struct distances distances; /* METHOD_DEPTH */
    uint32_t *layer;            /* METHOD_DEPTH: the ranks of the boards at the current depth */
    uint32_t depth;
};

/* Uniform over all permutations; if one cannot reach the goal, two of its tiles are swapped, which
 * pairs each such board with one that can. */
static struct board draw_uniform(struct drawing *drawing)
{
    const struct board *goal = &drawing->generation->goal;
    uint8_t tiles[MAX_CELLS];
    struct board board;
    memcpy(tiles, goal->cell, sizeof tiles);
    gsl_ran_shuffle(drawing->generator, tiles, goal->shape.cells, sizeof *tiles);
    board_make(goal->shape, tiles, &board);
    if (!board_connected(&board, goal)) {
        unsigned first = board.blank == 0 ? 1 : 0;
        unsigned second = board.blank == first + 1 ? first + 2 : first + 1;
        uint8_t tile = board.cell[first];
        board.cell[first] = board.cell[second];
        board.cell[second] = tile;
    }
    return board;
}

static struct board draw_walk(struct drawing *drawing)
{
    struct board board = drawing->generation->goal;
    unsigned undo = MOVE_NONE;
    for (uint32_t step = 0; step < drawing->generation->steps; step++) {
        unsigned moves[MOVES];
        unsigned count = 0;
        for (unsigned move = 0; move < MOVES; move++)
            if (move != undo && drawing->operators.target[board.blank][move] != NO_CELL)
                moves[count++] = move;
        unsigned move = moves[gsl_rng_uniform_int(drawing->generator, count)];
        board_slide(&board, drawing->operators.target[board.blank][move]);
        undo = move_undo(move);
    }
    return board;
}

static struct board draw_at_depth(struct drawing *drawing)
{
    struct board board;
    uint32_t states = drawing->distances.states[drawing->depth];
    uint32_t chosen = drawing->layer[gsl_rng_uniform_int(drawing->generator, states)];
    ranking_unrank(&drawing->distances.ranking, chosen, &board);
    return board;
}

static struct board draw(struct drawing *drawing)
{
    switch (drawing->generation->method) {
    case METHOD_UNIFORM:
        return draw_uniform(drawing);
    case METHOD_WALK:
        return draw_walk(drawing);
    default:
        return draw_at_depth(drawing);
    }
}

/* A set of boards, for `distinct`: open addressing over indices into the batch. */
struct seen {
    uint32_t *slots; /* index + 1; 0 is empty */
    uint32_t mask;
};

/* Whether no instance of the batch, which starts at list->items[first], has this board; if so, it
 * is recorded as the instance that will have `index`. */
static bool add_unseen(struct seen *seen, const struct instance_list *list, size_t first,
                       const struct board *board, uint32_t index)
{
    uint32_t slot = (uint32_t)XXH3_64bits(board->cell, sizeof board->cell) & seen->mask;
    for (; seen->slots[slot] != 0; slot = (slot + 1) & seen->mask)
        if (board_equal(&list->items[first + seen->slots[slot] - 1].start, board))
            return false;
    seen->slots[slot] = index + 1;
    return true;
}

/* The number of boards that a walk can reach is unknown: it gives up after this many consecutive
 * duplicates, fewer if walks are long. */
static uint32_t max_draws(const struct generation *generation)
{
    enum { MIN_DRAWS = 100, MAX_DRAWS = 100000, MAX_STEPS = 100000000 };
    const uint64_t draws = MAX_STEPS / ((uint64_t)generation->steps + 1);
    return draws < MIN_DRAWS ? MIN_DRAWS : draws > MAX_DRAWS ? MAX_DRAWS : (uint32_t)draws;
}

/* Draws one batch (one depth, or all instances of the other methods). False if there are too few
 * distinct boards. */
static bool draw_batch(struct drawing *drawing, struct instance_list *list)
{
    const struct generation *generation = drawing->generation;
    const size_t first = list->count;
    const uint32_t max = max_draws(generation);
    struct seen seen = {NULL, 1};
    bool enough = true;
    if (generation->distinct) {
        while (seen.mask / 2 < generation->count && seen.mask < UINT32_MAX)
            seen.mask = 2 * seen.mask + 1;
        seen.slots = heap_take((size_t)seen.mask + 1, sizeof *seen.slots);
    }
    for (uint32_t i = 0; i < generation->count && enough; i++) {
        char name[32];
        struct board board;
        random_stream(drawing->generator, generation->seed, drawing->set, drawing->depth, i);
        bool fresh;
        /* Uniform draws always end: there are known to be enough boards. */
        uint32_t draws = 0;
        do {
            board = draw(drawing);
            fresh = !generation->distinct || add_unseen(&seen, list, first, &board, i);
        } while (!fresh && (generation->method != METHOD_WALK || ++draws < max));
        enough = fresh;
        if (generation->method == METHOD_DEPTH)
            snprintf(name, sizeof name, "d%02" PRIu32 "-%" PRIu32, drawing->depth, i + 1);
        else
            snprintf(name, sizeof name, "%" PRIu32, i + 1);
        if (enough)
            instance_add(list, generation->set, name, &board, &generation->goal,
                         generation->method == METHOD_DEPTH ? (int)drawing->depth : LENGTH_UNKNOWN);
    }
    free(seen.slots);
    return enough;
}

static bool generate_at_depths(struct drawing *drawing, size_t line, size_t column,
                               struct report *report, struct instance_list *list)
{
    const struct generation *generation = drawing->generation;
    if (generation->goal.shape.cells > MAX_TABLE_CELLS ||
        !distances_make(&generation->goal, &drawing->distances)) {
        report_add(report, line, column,
                   "no exact table for %ux%u boards; expected at most %d cells for method depth",
                   generation->goal.shape.width, generation->goal.shape.height, MAX_TABLE_CELLS);
        return false;
    }
    const struct distances *distances = &drawing->distances;
    bool fine = true;
    for (size_t i = 0; i < generation->depth_count && fine; i++) {
        uint32_t depth = generation->depths[i];
        uint32_t states = depth > distances->deepest ? 0 : distances->states[depth];
        for (size_t j = 0; j < i && fine; j++)
            if (generation->depths[j] == depth) {
                report_add(report, line, column,
                           "depth %" PRIu32 " a second time; expected each depth once", depth);
                fine = false;
            }
        if (!fine)
            break;
        if (states == 0) {
            report_add(report, line, column,
                       "no %ux%u board lies %" PRIu32
                       " moves from this goal; expected a depth from 0 to %u",
                       generation->goal.shape.width, generation->goal.shape.height, depth,
                       distances->deepest);
            fine = false;
        } else if (generation->distinct && states < generation->count) {
            report_add(report, line, column,
                       "too few boards: %" PRIu32 " distinct one%s at depth %" PRIu32
                       "; expected a count of at most that, or distinct: false",
                       states, states == 1 ? "" : "s", depth);
            fine = false;
        } else {
            uint32_t found = 0;
            drawing->depth = depth;
            drawing->layer = heap_resize(drawing->layer, states * sizeof *drawing->layer);
            for (uint32_t rank = 0; rank < distances->ranking.size; rank++)
                if (distances->depth[rank] == depth)
                    drawing->layer[found++] = rank;
            fine = draw_batch(drawing, list);
        }
    }
    free(drawing->layer);
    distances_end(&drawing->distances);
    return fine;
}

uint64_t connected_boards(struct shape shape)
{
    uint64_t boards = 1;
    for (unsigned i = 3; i <= shape.cells && boards <= UINT32_MAX; i++)
        boards *= i;
    return boards;
}

static bool generate_all(const struct generation *generation, size_t line, size_t column,
                         struct report *report, struct instance_list *list)
{
    struct ranking ranking;
    if (generation->goal.shape.cells > MAX_TABLE_CELLS ||
        !ranking_make(&generation->goal, &ranking)) {
        report_add(report, line, column,
                   "%ux%u boards are too many; expected at most %d cells for "
                   "method all",
                   generation->goal.shape.width, generation->goal.shape.height, MAX_TABLE_CELLS);
        return false;
    }
    for (uint32_t rank = 0; rank < ranking.size; rank++) {
        char name[32];
        struct board board;
        ranking_unrank(&ranking, rank, &board);
        snprintf(name, sizeof name, "%" PRIu32, rank + 1);
        instance_add(list, generation->set, name, &board, &generation->goal, LENGTH_UNKNOWN);
    }
    return true;
}

/* The boards at one distance from the goal, in the order of their tiles. */
struct layer {
    struct board *boards; /* heap memory */
    size_t count;
};

static int by_tiles(const void *a, const void *b)
{
    const struct board *left = a;
    const struct board *right = b;
    return memcmp(left->cell, right->cell, sizeof left->cell);
}

/* The layer after `at`. A neighbour of a board lies one move nearer to the goal or one farther, so
 * what is not in the layer before is new. */
static struct layer next_layer(const struct layer *before, const struct layer *at,
                               const struct operators *operators)
{
    struct layer next = {heap_take(at->count * MOVES + 1, sizeof *next.boards), 0};
    for (size_t i = 0; i < at->count; i++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned to = operators->target[at->boards[i].blank][move];
            if (to == NO_CELL)
                continue;
            struct board board = at->boards[i];
            board_slide(&board, to);
            if (before->count == 0 ||
                bsearch(&board, before->boards, before->count, sizeof board, by_tiles) == NULL)
                next.boards[next.count++] = board;
        }
    size_t kept = 0;
    qsort(next.boards, next.count, sizeof *next.boards, by_tiles);
    for (size_t i = 0; i < next.count; i++)
        if (kept == 0 || by_tiles(&next.boards[kept - 1], &next.boards[i]) != 0)
            next.boards[kept++] = next.boards[i];
    next.count = kept;
    return next;
}

static void add_layer(const struct generation *generation, const struct layer *layer,
                      uint32_t depth, struct instance_list *list)
{
    for (size_t i = 0; i < layer->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "d%02" PRIu32 "-%zu", depth, i + 1);
        instance_add(list, generation->set, name, &layer->boards[i], &generation->goal, (int)depth);
    }
}

static bool is_wanted(const struct generation *generation, uint32_t depth)
{
    for (size_t i = 0; i < generation->depth_count; i++)
        if (generation->depths[i] == depth)
            return true;
    return false;
}

/* Breadth first from the goal, layer by layer. */
static bool generate_all_at_depths(const struct generation *generation, size_t line, size_t column,
                                   struct report *report, struct instance_list *list)
{
    struct operators operators;
    struct layer before = {0};
    struct layer at = {heap_take(1, sizeof *at.boards), 1};
    uint32_t deepest = 0;
    uint32_t depth = 0;
    for (size_t i = 0; i < generation->depth_count; i++)
        if (generation->depths[i] > deepest)
            deepest = generation->depths[i];
    operators_make(generation->goal.shape, DEFAULT_ORDER, &operators);
    at.boards[0] = generation->goal;
    for (;; depth++) {
        if (at.count == 0 || at.count > MAX_LAYER)
            break;
        if (is_wanted(generation, depth))
            add_layer(generation, &at, depth, list);
        if (depth == deepest)
            break;
        const struct layer next = next_layer(&before, &at, &operators);
        free(before.boards);
        before = at;
        at = next;
    }
    const bool fine = at.count > 0 && at.count <= MAX_LAYER;
    if (at.count == 0)
        report_add(report, line, column,
                   "no %ux%u board lies %" PRIu32
                   " moves from this goal; expected a depth from 0 to %" PRIu32,
                   generation->goal.shape.width, generation->goal.shape.height, deepest, depth - 1);
    else if (!fine)
        report_add(report, line, column,
                   "%zu boards at depth %" PRIu32 "; expected depths below that, or method walk",
                   at.count, depth);
    free(before.boards);
    free(at.boards);
    return fine;
}

bool instances_generate(const struct generation *generation, size_t line, size_t column,
                        struct report *report, struct instance_list *list)
{
    struct drawing drawing = {.generation = generation,
                              .set = XXH32(generation->set, strlen(generation->set), 0)};
    bool fine;
    if (generation->method == METHOD_ALL && generation->depth_count > 0)
        return generate_all_at_depths(generation, line, column, report, list);
    if (generation->method == METHOD_ALL)
        return generate_all(generation, line, column, report, list);
    if (generation->method == METHOD_UNIFORM && generation->distinct &&
        connected_boards(generation->goal.shape) < generation->count) {
        report_add(report, line, column,
                   "too few boards: %" PRIu64 " distinct ones can reach this goal; expected a "
                   "count of at most that, or distinct: false",
                   connected_boards(generation->goal.shape));
        return false;
    }
    operators_make(generation->goal.shape, DEFAULT_ORDER, &drawing.operators);
    drawing.generator = gsl_rng_alloc(random_philox);
    if (drawing.generator == NULL)
        heap_exhausted();
    if (generation->method == METHOD_DEPTH) {
        fine = generate_at_depths(&drawing, line, column, report, list);
    } else {
        size_t before = list->count;
        fine = draw_batch(&drawing, list);
        if (!fine)
            report_add(report, line, column,
                       "too few boards: only %zu distinct one%s came up on walks of %" PRIu32
                       " step%s; expected a smaller count, more steps or distinct: false",
                       list->count - before, list->count - before == 1 ? "" : "s",
                       generation->steps, generation->steps == 1 ? "" : "s");
    }
    gsl_rng_free(drawing.generator);
    return fine;
}
