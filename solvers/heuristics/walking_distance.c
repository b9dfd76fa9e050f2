/* Walking distance (Ken'ichiro Takahashi, 2001): the minimum number of vertical moves that bring
 * every tile to its goal row, if tiles of a row may change places freely, plus the same for
 * horizontal moves and columns. Each of the two problems is so small that all of it is searched
 * from the goal. A move of the puzzle is a move of one of them, and moves can be undone, so the sum
 * changes by 1 with each move and is consistent.
 *
 * An arrangement (heuristics/walking_distance.h) has a key of 64 bits: the blank's line and, line
 * by line, how many tiles belong to each goal line. The last line and the last goal line follow
 * from the others. Each tile adds a weight that depends on its cell alone, so the key of a board is
 * a sum. */
#include "heuristics/walking_distance.h"
#include "base/heap.h"
#include <assert.h>

const struct option_row walking_distance_options[] = NO_OPTIONS;

enum { MAX_LINES = 6 };

/* The longest other side, by the shorter side. One more, and the lines of the shorter side's length
 * have more than a million arrangements: 16,854,390 on 2x7, 50,388,240 on 3x6, 5,977,015 on 4x5. */
static const uint8_t longest[] = {[2] = 6, [3] = 5, [4] = 4};

static unsigned shorter_side(struct shape shape)
{
    return shape.width < shape.height ? shape.width : shape.height;
}

bool walking_distance_defined(struct shape shape)
{
    const unsigned shorter = shorter_side(shape);
    const unsigned longer = shape.cells / shorter;
    return shorter < sizeof longest && longer <= longest[shorter];
}

static char *refuses(const struct heuristic_choice *choice, const struct board *goal)
{
    (void)choice;
    const struct shape shape = goal->shape;
    const unsigned shorter = shorter_side(shape);
    if (walking_distance_defined(shape))
        return NULL;
    return heap_format("walking_distance is not defined on %ux%u: %u lines of %u tiles have more "
                       "than 1000000 arrangements; expected at most 4x4, 5x3, 3x5, 6x2 or 2x6",
                       shape.width, shape.height, shape.cells / shorter, shorter);
}

/* How many bits it takes to count up to `length` tiles. */
static unsigned count_bits(unsigned length)
{
    unsigned bits = 1;
    while (length >> bits != 0)
        bits++;
    return bits;
}

/* What a tile in `line` with its goal in `goal_line` adds to the key. */
static uint64_t tile_weight(const struct arrangements *all, unsigned line, unsigned goal_line)
{
    const unsigned last = all->lines - 1;
    if (line == last || goal_line == last)
        return 0;
    return UINT64_C(1) << count_bits(all->length) * (line * last + goal_line);
}

/* What the blank adds in `line`. */
static uint64_t blank_weight(const struct arrangements *all, unsigned line)
{
    return (uint64_t)line << count_bits(all->length) * (all->lines - 1) * (all->lines - 1);
}

/* A key unpacked: how many tiles of each goal line are in each line, and the blank's line. */
struct matrix {
    uint8_t tiles[MAX_LINES][MAX_LINES]; /* line, goal line */
    unsigned blank_line;
};

static struct matrix matrix_of(const struct arrangements *all, uint64_t key)
{
    const unsigned bits = count_bits(all->length);
    const unsigned last = all->lines - 1;
    struct matrix matrix = {.blank_line = (unsigned)(key >> bits * last * last)};
    unsigned in_goal_line[MAX_LINES] = {0};
    for (unsigned line = 0; line <= last; line++) {
        unsigned in_line = 0;
        for (unsigned goal = 0; goal <= last; goal++) {
            const unsigned tiles =
                goal == last ? all->length - (line == matrix.blank_line) - in_line
                : line == last
                    ? all->length - (goal == all->blank_line) - in_goal_line[goal]
                    : (unsigned)(key >> bits * (line * last + goal)) & ((1U << bits) - 1);
            matrix.tiles[line][goal] = (uint8_t)tiles;
            in_line += tiles;
            in_goal_line[goal] += tiles;
        }
    }
    return matrix;
}

/* The slot of a key, or the free slot where it belongs. */
static uint32_t *find_slot(const struct arrangements *all, uint64_t key)
{
    const size_t mask = ((size_t)1 << all->slot_bits) - 1;
    size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - all->slot_bits));
    while (all->slots[at] != 0 && all->keys[all->slots[at] - 1] != key)
        at = (at + 1) & mask;
    return &all->slots[at];
}

/* The number of the arrangement with this key, which exists. */
static unsigned arrangement_of(const struct arrangements *all, uint64_t key)
{
    const uint32_t slot = *find_slot(all, key);
    assert(slot != 0);
    return slot - 1;
}

/* Doubles the slots, so that at most half of them are taken. */
static void more_slots(struct arrangements *all)
{
    free(all->slots);
    all->slot_bits++;
    all->slots = heap_take((size_t)1 << all->slot_bits, sizeof *all->slots);
    for (unsigned i = 0; i < all->count; i++)
        *find_slot(all, all->keys[i]) = i + 1;
}

/* The number of the arrangement with this key; a new one if it was not met before. */
static unsigned arrangement_met(struct arrangements *all, uint64_t key, unsigned distance)
{
    uint32_t *slot = find_slot(all, key);
    if (*slot != 0)
        return *slot - 1;
    all->keys = heap_grow(all->keys, all->count, sizeof *all->keys);
    all->distance = heap_grow(all->distance, all->count, sizeof *all->distance);
    all->keys[all->count] = key;
    all->distance[all->count] = (uint8_t)distance;
    *slot = ++all->count;
    if (all->count > (1U << all->slot_bits) / 2)
        more_slots(all);
    return all->count - 1;
}

/* The key after a tile with its goal in `goal_line` went from line `from` to `to`, where the blank
 * was. */
static uint64_t moved_key(const struct arrangements *all, uint64_t key, unsigned from, unsigned to,
                          unsigned goal_line)
{
    return key - tile_weight(all, from, goal_line) + tile_weight(all, to, goal_line) -
           blank_weight(all, to) + blank_weight(all, from);
}

/* Meets all arrangements one move from number `i`, and fills in its `links` unless they are NULL.
 */
static void expand(struct arrangements *all, unsigned i, struct arrangement_links *links)
{
    const uint64_t key = all->keys[i];
    const struct matrix matrix = matrix_of(all, key);
    const unsigned to = matrix.blank_line;
    for (unsigned behind = 0; behind < 2; behind++) {
        const unsigned from = behind ? to + 1 : to - 1;
        if (from >= all->lines) /* also 0 - 1 */
            continue;
        for (unsigned goal = 0; goal < all->lines; goal++) {
            if (matrix.tiles[from][goal] == 0)
                continue;
            const unsigned next =
                arrangement_met(all, moved_key(all, key, from, to, goal), all->distance[i] + 1U);
            if (links != NULL)
                links->to[behind][goal] =
                    (uint16_t)(2 * next + (all->distance[next] > all->distance[i]));
        }
    }
}

static void arrangements_make(struct arrangements *all)
{
    uint64_t goal = blank_weight(all, all->blank_line);
    for (unsigned line = 0; line < all->lines; line++)
        goal += tile_weight(all, line, line) * (all->length - (line == all->blank_line));
    all->slot_bits = 6;
    more_slots(all);
    arrangement_met(all, goal, 0);
    for (unsigned i = 0; i < all->count; i++)
        expand(all, i, NULL);
    if (all->lines > LINKED_LINES || all->count > LINKED_ARRANGEMENTS)
        return;
    all->links = heap_take(all->count, sizeof *all->links);
    for (unsigned i = 0; i < all->count; i++)
        expand(all, i, &all->links[i]);
}

/* The arrangements made so far. They are kept until the program ends: there are only a few kinds,
 * and processes that are forked later share them. */
static struct kept {
    struct arrangements all;
    struct kept *next;
} * kept;

static const struct arrangements *arrangements_hold(unsigned lines, unsigned length,
                                                    unsigned blank_line)
{
    for (struct kept *held = kept; held != NULL; held = held->next)
        if (held->all.lines == lines && held->all.length == length &&
            held->all.blank_line == blank_line)
            return &held->all;
    struct kept *made = heap_take(1, sizeof *made);
    made->all = (struct arrangements){.lines = lines, .length = length, .blank_line = blank_line};
    arrangements_make(&made->all);
    made->next = kept;
    kept = made;
    return &made->all;
}

/* Makes the arrangements of both directions, so that processes that are forked later share them. */
static bool build(const struct heuristic_choice *choice, const struct board *goal,
                  const struct pattern_watcher *watcher, char **problem)
{
    const unsigned width = goal->shape.width;
    (void)choice;
    (void)watcher;
    (void)problem;
    arrangements_hold(goal->shape.height, width, goal->blank / width);
    arrangements_hold(width, goal->shape.height, goal->blank % width);
    return true;
}

const struct heuristic_extras walking_distance_extras = {.refuses = refuses, .build = build};

void walking_distance_prepare(struct heuristic *heuristic)
{
    const struct shape shape = heuristic->goal.shape;
    const unsigned width = shape.width;
    const uint8_t *home = heuristic->home;
    assert(walking_distance_defined(shape));
    struct walking *walking = heap_take(1, sizeof *walking);
    walking->rows = arrangements_hold(shape.height, width, home[0] / width);
    walking->columns = arrangements_hold(width, shape.height, home[0] % width);
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        walking->row_weight[0][cell] = blank_weight(walking->rows, cell / width);
        walking->column_weight[0][cell] = blank_weight(walking->columns, cell % width);
        for (unsigned tile = 1; tile < shape.cells; tile++) {
            walking->row_weight[tile][cell] =
                tile_weight(walking->rows, cell / width, home[tile] / width);
            walking->column_weight[tile][cell] =
                tile_weight(walking->columns, cell % width, home[tile] % width);
        }
    }
    heuristic->data = walking;
}

static uint64_t key_sum(const uint64_t weight[WALKING_CELLS][WALKING_CELLS],
                        const struct board *board)
{
    uint64_t key = 0;
    for (unsigned cell = 0; cell < board->shape.cells; cell++)
        key += weight[board->cell[cell]][cell];
    return key;
}

unsigned walking_rows(const struct walking *walking, const struct board *board)
{
    return arrangement_of(walking->rows, key_sum(walking->row_weight, board));
}

unsigned walking_columns(const struct walking *walking, const struct board *board)
{
    return arrangement_of(walking->columns, key_sum(walking->column_weight, board));
}

unsigned walking_distance_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct walking *walking = heuristic->data;
    return walking->rows->distance[walking_rows(walking, board)] +
           walking->columns->distance[walking_columns(walking, board)];
}

/* A step would have to look up one direction twice, before and after; evaluating looks up both
 * once. */
STEP_FROM_SCRATCH(walking_distance)
