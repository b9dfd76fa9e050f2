#include "puzzle/goal.h"
#include "base/named.h"

const char *const goal_names[GOAL_NAMES] = {"blank-last", "blank-first", "snail"};

static void blank_last(struct shape shape, uint8_t *tiles)
{
    for (unsigned i = 0; i < shape.cells; i++)
        tiles[i] = (uint8_t)((i + 1) % shape.cells);
}

static void blank_first(struct shape shape, uint8_t *tiles)
{
    for (unsigned i = 0; i < shape.cells; i++)
        tiles[i] = (uint8_t)i;
}

static void snail(struct shape shape, uint8_t *tiles)
{
    int left = 0;
    int right = shape.width - 1;
    int top = 0;
    int bottom = shape.height - 1;
    unsigned tile = 1;
    while (left <= right && top <= bottom) {
        for (int column = left; column <= right; column++)
            tiles[top * shape.width + column] = (uint8_t)(tile++ % shape.cells);
        top++;
        for (int row = top; row <= bottom; row++)
            tiles[row * shape.width + right] = (uint8_t)(tile++ % shape.cells);
        right--;
        for (int column = right; column >= left && top <= bottom; column--)
            tiles[bottom * shape.width + column] = (uint8_t)(tile++ % shape.cells);
        bottom--;
        for (int row = bottom; row >= top && left <= right; row--)
            tiles[row * shape.width + left] = (uint8_t)(tile++ % shape.cells);
        left++;
    }
}

bool goal_named(const char *name, struct shape shape, struct board *goal)
{
    void (*const make[GOAL_NAMES])(struct shape, uint8_t *) = {blank_last, blank_first, snail};
    uint8_t tiles[MAX_CELLS];
    const size_t place = WORD_PLACE(goal_names, GOAL_NAMES, name);
    if (place == GOAL_NAMES)
        return false;
    make[place](shape, tiles);
    return board_make(shape, tiles, goal);
}

const char *goal_name(const struct board *goal)
{
    for (unsigned i = 0; i < GOAL_NAMES; i++) {
        struct board named;
        if (goal_named(goal_names[i], goal->shape, &named) && board_equal(goal, &named))
            return goal_names[i];
    }
    return NULL;
}
