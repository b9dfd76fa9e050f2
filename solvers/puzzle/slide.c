#include "puzzle/slide.h"
#include <assert.h>

enum { MAX_RANKED_SIDE = 3 };

/* How many values the digit of a place has: it counts the smaller tiles after the place. */
static uint32_t radix_of(unsigned tiles, unsigned place)
{
    return tiles - place;
}

/* Sets the digits of the next value, like an odometer. */
static void next_digits(uint32_t *digits, unsigned tiles, unsigned first, unsigned side)
{
    for (unsigned i = side; i-- > 0 && ++digits[i] == radix_of(tiles, first + i);)
        digits[i] = 0;
}

/* The value of the digits after the last of `side` tiles has moved before the others by exchanges
 * of neighbours. The left of two neighbours is the larger exactly if its digit is; it then counts
 * the other, and no longer does so once it comes after it. */
static uint32_t value_after(const uint32_t *digits, unsigned tiles, unsigned first, unsigned side)
{
    uint32_t moving = digits[side - 1];
    uint32_t value = 0;
    uint32_t unit = 1;
    for (unsigned i = side - 1; i-- > 0;) {
        const bool larger = digits[i] > moving;
        value += unit * (digits[i] - larger);
        unit *= radix_of(tiles, first + i + 1);
        moving += !larger;
    }
    return value + unit * moving;
}

/* Makes the two slides between the places `first` and `first + side`. Writes what they add from
 * `entry` on, and returns the entry after them. */
static unsigned make_across(struct slides *slides, unsigned first, unsigned side, unsigned entry)
{
    const unsigned tiles = slides->ranking.goal.shape.cells - 1U;
    const bool wide = slides->ranking.goal.shape.width > slides->ranking.goal.shape.height;
    const unsigned forwards = wide ? MOVE_R : MOVE_D;
    const unsigned backwards = move_undo(forwards);
    uint64_t unit = 1; /* (tiles - first - side)!: what the last of the digits counts for */
    uint32_t span = 1;
    for (unsigned i = 2; i <= tiles - first - side; i++)
        unit *= i;
    for (unsigned i = 0; i < side; i++)
        span *= radix_of(tiles, first + i);
    assert(entry + span <= MAX_CHANGES);
    uint32_t digits[MAX_RANKED_SIDE] = {0};
    for (uint32_t value = 0; value < span; value++) {
        const uint32_t other = value_after(digits, tiles, first, side);
        next_digits(digits, tiles, first, side);
        const uint32_t change = (other - value) * (uint32_t)unit << CODE_ARRANGEMENT;
        slides->across[0][entry + value] = change + ((first + side) << CODE_PLACE | forwards);
        slides->across[1][entry + other] = -change + (first << CODE_PLACE | backwards);
    }
    const uint64_t part = UINT64_MAX / (unit * span) + 1;
    slides->slide[first][forwards] = (struct slide){&slides->across[0][entry], part, span, 0};
    slides->slide[first + side][backwards] =
        (struct slide){&slides->across[1][entry], part, span, 0};
    return entry + span;
}

static void make_along(struct slides *slides, unsigned place)
{
    const bool wide = slides->ranking.goal.shape.width > slides->ranking.goal.shape.height;
    const unsigned forwards = wide ? MOVE_D : MOVE_R;
    const unsigned backwards = move_undo(forwards);
    struct slide *const ahead = &slides->slide[place][forwards];
    struct slide *const back = &slides->slide[place + 1][backwards];
    *ahead = (struct slide){.code = &ahead->along, .along = (place + 1) << CODE_PLACE | forwards};
    *back = (struct slide){.code = &back->along, .along = place << CODE_PLACE | backwards};
}

void slides_make(const struct ranking *ranking, const struct operators *operators,
                 struct slides *slides)
{
    const struct shape shape = ranking->goal.shape;
    const unsigned side = shape.width < shape.height ? shape.width : shape.height;
    unsigned entry = 0;
    assert(side <= MAX_RANKED_SIDE);
    slides->ranking = *ranking;
    slides->none = 0;
    const struct slide still = {.code = &slides->none};
    for (unsigned place = 0; place + 1 < shape.cells; place++)
        make_along(slides, place);
    for (unsigned place = 0; place + side < shape.cells; place++)
        entry = make_across(slides, place, side, entry);
    for (unsigned low = 0; low < (unsigned)shape.cells << CODE_PLACE; low++) {
        const unsigned place = low >> CODE_PLACE;
        struct slides_after *after = &slides->after[low];
        *after = (struct slides_after){.slide = {still, still, still}};
        for (unsigned turn = 0; turn < MOVES; turn++) {
            const unsigned move = operators->order[turn];
            if (operators->target[ranking->cell[place]][move] == NO_CELL ||
                move == move_undo(low % MOVES))
                continue;
            assert(after->count < MOVES - 1);
            after->slide[after->count++] = slides->slide[place][move];
        }
    }
}

uint32_t slides_code(const struct slides *slides, const struct board *board, unsigned move)
{
    unsigned blank = 0;
    const uint32_t arrangement = ranking_arrangement(&slides->ranking, board, &blank);
    return arrangement << CODE_ARRANGEMENT | blank << CODE_PLACE | move;
}
