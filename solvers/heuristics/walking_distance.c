/* Walking distance (Ken'ichiro Takahashi, 2001): the minimum number of vertical moves that bring
 * every tile to its goal row, if tiles of a row may change places freely, plus the same for
 * horizontal moves and columns. Each of the two problems is so small that all of it is searched
 * from the goal. A move of the puzzle is a move of one of them, and moves can be undone, so the sum
 * changes by 1 with each move and is consistent.
 *
 * A direction's arrangement is found by its number (pdb/arrangements.h): each tile adds a weight to
 * its line's sum, the sum gives the line's code, and the codes the number. */
#include "heuristics/walking_distance.h"
#include "base/heap.h"
#include "pdb/pattern_store.h"
#include <assert.h>

DECLARE_HEURISTIC(walking_distance);

const struct option_row walking_distance_options[] = NO_OPTIONS;

bool walking_distance_defined(struct shape shape)
{
    return numbering_exists(shape);
}

static char *refuses(const struct heuristic_choice *choice, const struct board *goal)
{
    const struct shape shape = goal->shape;
    (void)choice;
    const unsigned shorter = shape.width < shape.height ? shape.width : shape.height;
    if (walking_distance_defined(shape))
        return NULL;
    return heap_format("walking_distance is not defined on %ux%u: %u lines of %u tiles have more "
                       "than %d arrangements; expected at most 5x5, 6x3, 3x6, 7x2 or 2x7",
                       shape.width, shape.height, shape.cells / shorter, shorter, MAX_ARRANGEMENTS);
}

/* A line and its mirror image have the same table: the one whose goal's blank is in the first half
 * of the lines. */
static struct pattern pattern_of(struct shape shape, unsigned blank_line)
{
    const unsigned mirrored = shape.height - 1U - blank_line;
    const unsigned line = mirrored < blank_line ? mirrored : blank_line;
    return (struct pattern){
        .shape = shape, .blank = (uint8_t)(line * shape.width), .kind = PATTERN_WALKING};
}

/* Fills in the links of each arrangement. */
static struct arrangement_links *links_make(const struct numbering *numbering,
                                            const uint8_t *distance)
{
    if (numbering->lines > LINKED_LINES || numbering->count > LINKED_ARRANGEMENTS)
        return NULL;
    struct arrangement_links *links = heap_take(numbering->count, sizeof *links);
    struct arrangement at = {0};
    for (uint32_t i = 0; i < numbering->count; i++) {
        arrangement_at(numbering, i, &at);
        for (unsigned behind = 0; behind < 2; behind++)
            for (unsigned goal = 0; goal < LINKED_LINES; goal++) {
                const uint32_t next = goal < numbering->lines
                                          ? arrangement_after(numbering, &at, behind != 0, goal)
                                          : UINT32_MAX;
                links[i].to[behind][goal] =
                    next == UINT32_MAX ? NO_LINK
                                       : (uint16_t)(2 * next + (distance[next] > distance[i]));
            }
    }
    return links;
}

/* The small tables made so far. They are kept until the program ends: there are only a few kinds,
 * and processes that are forked later share them. */
static struct kept {
    const struct numbering *numbering;
    const uint8_t *distance;
    const struct arrangement_links *links;
    struct kept *next;
} * all_kept;

static const struct kept *hold_small(const struct numbering *numbering)
{
    const char *problem;
    for (const struct kept *held = all_kept; held != NULL; held = held->next)
        if (held->numbering == numbering)
            return held;
    struct kept *made = heap_take(1, sizeof *made);
    made->numbering = numbering;
    made->distance = arrangements_build(numbering, 1, NULL, NULL, &problem);
    if (made->distance == NULL)
        heap_exhausted();
    made->links = links_make(numbering, made->distance);
    made->next = all_kept;
    all_kept = made;
    return made;
}

/* Fills in the numbering and the tables of the lines that are a shape's rows. */
static bool hold(struct walking_lines *lines, struct shape shape, unsigned blank_line,
                 const struct pattern_watcher *watcher, char **problem)
{
    lines->numbering = numbering_hold(shape, blank_line);
    if (lines->numbering->count <= UNKEPT_ARRANGEMENTS) {
        const struct kept *kept = hold_small(lines->numbering);
        lines->distance = kept->distance;
        lines->links = kept->links;
        return true;
    }
    const struct pattern pattern = pattern_of(shape, blank_line);
    const struct pattern_table *table = pattern_table_hold(&pattern, false, watcher, problem);
    if (table == NULL)
        return false;
    lines->distance = table->values;
    lines->reversed = pattern.blank / shape.width != blank_line;
    lines->numbering = numbering_hold(shape, pattern.blank / shape.width);
    return true;
}

/* The tables of both directions. */
static bool hold_both(struct walking *walking, const struct board *goal,
                      const struct pattern_watcher *watcher, char **problem)
{
    const unsigned width = goal->shape.width;
    return hold(&walking->rows, goal->shape, goal->blank / width, watcher, problem) &&
           hold(&walking->columns, on_its_side(goal->shape), goal->blank % width, watcher, problem);
}

/* Makes them, so that processes that are forked later share them. */
static bool build(const struct heuristic_choice *choice, const struct board *goal,
                  enum cost_model cost, const struct pattern_watcher *watcher, char **problem)
{
    struct walking walking = {0};
    (void)choice;
    (void)cost; /* it counts moves */
    return hold_both(&walking, goal, watcher, problem);
}

static void show_patterns(const struct heuristic_choice *choice, const struct board *goal,
                          enum cost_model cost,
                          void (*show)(void *context, const struct pattern *pattern), void *context)
{
    const unsigned width = goal->shape.width;
    const struct pattern patterns[] = {pattern_of(goal->shape, goal->blank / width),
                                       pattern_of(on_its_side(goal->shape), goal->blank % width)};
    (void)choice;
    (void)cost;
    for (unsigned i = 0; i < 2; i++)
        if (pattern_entries(&patterns[i]) > UNKEPT_ARRANGEMENTS)
            show(context, &patterns[i]);
}

const struct heuristic_extras walking_distance_extras = {
    .refuses = refuses, .build = build, .patterns = show_patterns};

/* Fills in the weights, and the cells line by line: lines lie `stride` apart, the cells of one
 * `step`. */
static void lines_make(struct walking_lines *lines, const struct heuristic *heuristic,
                       unsigned stride, unsigned step)
{
    const struct numbering *numbering = lines->numbering;
    const unsigned last = numbering->lines - 1;
    for (unsigned line = 0; line <= last; line++)
        for (unsigned i = 0; i < numbering->length; i++) {
            const unsigned cell = (lines->reversed ? last - line : line) * stride + i * step;
            const unsigned tile = heuristic->goal.cell[cell];
            lines->cell[line * numbering->length + i] = (uint8_t)cell;
            lines->weight[tile] = tile == 0 ? 0 : numbering->weight[line];
        }
}

bool walking_small(struct shape shape)
{
    return numbering_exists(shape) && numbering_hold(shape, 0)->count <= UNKEPT_ARRANGEMENTS &&
           numbering_hold(on_its_side(shape), 0)->count <= UNKEPT_ARRANGEMENTS;
}

unsigned walking_number(const struct walking_lines *lines, const struct board *board)
{
    const struct numbering *numbering = lines->numbering;
    const uint8_t *cell = lines->cell;
    unsigned number = 0;
    unsigned state = 0;
    for (unsigned line = 0; line < numbering->lines; line++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < numbering->length; i++)
            sum += lines->weight[board->cell[*cell++]];
        const struct arrangement_step step = numbering_step(numbering, state, numbering->code[sum]);
        number += step.before;
        state = step.next;
    }
    return number;
}

void walking_distance_prepare(struct heuristic *heuristic)
{
    const unsigned width = heuristic->goal.shape.width;
    struct walking *walking = heap_take(1, sizeof *walking);
    char *problem = NULL;
    assert(walking_distance_defined(heuristic->goal.shape));
    if (!hold_both(walking, &heuristic->goal, NULL, &problem))
        heap_exhausted();
    lines_make(&walking->rows, heuristic, width, 1);
    lines_make(&walking->columns, heuristic, 1, width);
    heuristic->data = walking;
}

unsigned walking_distance_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct walking *walking = heuristic->data;
    const unsigned rows = walking_number(&walking->rows, board);
    const unsigned columns = walking_number(&walking->columns, board);
    return walking->rows.distance[rows] + walking->columns.distance[columns];
}

/* A step would have to look up one direction twice, before and after; evaluating looks up both
 * once. */
STEP_FROM_SCRATCH(walking_distance)
