/* Linear conflict: the Manhattan distance, and two moves for each tile that must leave its goal
 * line and come back, because the tiles in that line are in the wrong sequence (Hansson, Mayer and
 * Yung, "Criticizing solutions to relaxed models yields powerful admissible heuristics",
 * Information Sciences 63, 1992). It is exact in each line and so consistent: a move takes one tile
 * out of a line or into one; that changes the number of tiles that must leave by at most one, and
 * only if the tile has its goal in that line; then its Manhattan distance changes the other way. */
#include "heuristics/linear_conflict.h"
#include "base/heap.h"

DECLARE_HEURISTIC(linear_conflict);

const struct option_row linear_conflict_options[] = NO_OPTIONS;

/* The rows of a shape, or its columns. */
struct lines {
    unsigned count;
    unsigned length;
    unsigned stride; /* from a cell to the next of its line */
    uint8_t line[MAX_CELLS];
    uint8_t place[MAX_CELLS];             /* in its line */
    uint16_t digit[MAX_CELLS][MAX_CELLS]; /* tile, cell: its digit there, in its place */
    uint8_t codes[LINE_CODES];            /* lines of up to TABLED_CELLS */
};

struct conflicts {
    uint8_t steps[MAX_CELLS][MAX_CELLS]; /* as in manhattan.c */
    struct lines rows;
    struct lines columns;
};

/* How many of `count` tiles must leave a line in which their goals have these places: all but a
 * longest increasing subsequence. smallest[n]: the smallest place in which a subsequence of n + 1
 * can end. */
static unsigned leavers(const uint8_t *places, unsigned count)
{
    uint8_t smallest[MAX_SIDE];
    unsigned longest = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned n = 0;
        while (n < longest && smallest[n] < places[i])
            n++;
        smallest[n] = places[i];
        longest += n == longest;
    }
    return count - longest;
}

/* The byte of a code. */
static uint8_t code_byte(unsigned cells, unsigned code)
{
    uint8_t places[TABLED_CELLS];
    unsigned counts[TABLED_CELLS + 1]; /* without the tile on that cell; the last: with all tiles */
    for (unsigned without = 0; without <= cells; without++) {
        unsigned count = 0;
        for (unsigned cell = 0; cell < cells; cell++) {
            const unsigned digit = code >> DIGIT_BITS * cell & ((1 << DIGIT_BITS) - 1);
            if (digit != 0 && cell != without)
                places[count++] = (uint8_t)digit;
        }
        counts[without] = leavers(places, count);
    }
    unsigned byte = counts[cells];
    for (unsigned cell = 0; cell < cells; cell++)
        byte |= (unsigned)(counts[cell] < counts[cells]) << (LEAVERS_BITS + cell);
    return (uint8_t)byte;
}

/* Fills in the bytes of all codes that begin with these digits on the first `cell` cells; `used`
 * has a bit for each of these digits. */
static void fill(unsigned cells, uint8_t *codes, unsigned cell, unsigned code, unsigned used)
{
    if (cell == cells) {
        codes[code] = code_byte(cells, code);
        return;
    }
    for (unsigned digit = 0; digit <= cells; digit++)
        if (digit == 0 || (used >> digit & 1) == 0)
            fill(cells, codes, cell + 1, code | digit << DIGIT_BITS * cell, used | 1U << digit);
}

static void lines_make(struct lines *lines, const struct heuristic *heuristic, unsigned count,
                       unsigned length, unsigned stride)
{
    const unsigned cells = heuristic->goal.shape.cells;
    lines->count = count;
    lines->length = length;
    lines->stride = stride;
    for (unsigned cell = 0; cell < cells; cell++) {
        lines->line[cell] = (uint8_t)(stride == 1 ? cell / length : cell % stride);
        lines->place[cell] = (uint8_t)(stride == 1 ? cell % length : cell / stride);
    }
    if (length > TABLED_CELLS)
        return;
    fill(length, lines->codes, 0, 0, 0);
    for (unsigned tile = 1; tile < cells; tile++)
        for (unsigned cell = 0; cell < cells; cell++) {
            const unsigned home = heuristic->home[tile];
            if (lines->line[home] == lines->line[cell])
                lines->digit[tile][cell] =
                    (uint16_t)((lines->place[home] + 1U) << DIGIT_BITS * lines->place[cell]);
        }
}

void linear_conflict_prepare(struct heuristic *heuristic)
{
    const struct shape shape = heuristic->goal.shape;
    struct conflicts *conflicts = heap_take(1, sizeof *conflicts);
    for (unsigned tile = 1; tile < shape.cells; tile++)
        for (unsigned cell = 0; cell < shape.cells; cell++)
            conflicts->steps[tile][cell] =
                (uint8_t)shape_distance(shape, cell, heuristic->home[tile]);
    lines_make(&conflicts->rows, heuristic, shape.height, shape.width, 1);
    lines_make(&conflicts->columns, heuristic, shape.width, shape.height, shape.width);
    heuristic->data = conflicts;
}

const uint8_t *linear_conflict_codes(const struct heuristic *heuristic)
{
    const struct conflicts *conflicts = heuristic->data;
    return conflicts->rows.codes;
}

/* How many tiles must leave a line. */
static unsigned line_leavers(const struct heuristic *heuristic, const struct lines *lines,
                             unsigned line, const struct board *board)
{
    unsigned cell = lines->stride == 1 ? line * lines->length : line;
    if (lines->length <= TABLED_CELLS) {
        unsigned code = 0;
        for (unsigned i = 0; i < lines->length; i++, cell += lines->stride)
            code += lines->digit[board->cell[cell]][cell];
        return lines->codes[code] & LEAVERS;
    }
    uint8_t places[MAX_SIDE];
    unsigned count = 0;
    for (unsigned i = 0; i < lines->length; i++, cell += lines->stride) {
        const unsigned tile = board->cell[cell];
        const unsigned home = heuristic->home[tile];
        if (tile != 0 && lines->line[home] == line)
            places[count++] = lines->place[home];
    }
    return leavers(places, count);
}

unsigned linear_conflict_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct conflicts *conflicts = heuristic->data;
    unsigned steps = 0;
    unsigned leave = 0;
    for (unsigned i = 0; i < board->shape.cells; i++)
        steps += conflicts->steps[board->cell[i]][i];
    for (unsigned i = 0; i < conflicts->rows.count; i++)
        leave += line_leavers(heuristic, &conflicts->rows, i, board);
    for (unsigned i = 0; i < conflicts->columns.count; i++)
        leave += line_leavers(heuristic, &conflicts->columns, i, board);
    return steps + 2 * leave;
}

/* In the line along which the tile moves, the sequence of tiles stays. Of the two lines between
 * which it moves, at most one is its goal line, and no other line counts the tile. */
unsigned linear_conflict_step(const struct heuristic *heuristic, const struct board *child,
                              unsigned h, unsigned tile, unsigned from, unsigned to)
{
    const struct conflicts *conflicts = heuristic->data;
    const bool vertical = conflicts->columns.line[from] == conflicts->columns.line[to];
    const struct lines *lines = vertical ? &conflicts->rows : &conflicts->columns;
    const unsigned line = lines->line[heuristic->home[tile]];
    h = h + conflicts->steps[tile][to] - conflicts->steps[tile][from];
    if (line != lines->line[from] && line != lines->line[to])
        return h;
    struct board parent = *child;
    board_slide(&parent, to);
    return h + 2 * line_leavers(heuristic, lines, line, child) -
           2 * line_leavers(heuristic, lines, line, &parent);
}

/* What it costs, there and back, to let the lightest tiles leave a line such that the sequence of
 * the others is right: all but an increasing subsequence of the greatest weight. best[i]: the
 * greatest one that ends with the i-th tile. */
static uint64_t line_toll(const struct heuristic *heuristic, const struct lines *lines,
                          unsigned line, const struct board *board)
{
    unsigned cell = lines->stride == 1 ? line * lines->length : line;
    uint8_t places[MAX_SIDE];
    uint64_t best[MAX_SIDE];
    uint64_t all = 0, kept = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < lines->length; i++, cell += lines->stride) {
        const unsigned tile = board->cell[cell];
        const unsigned home = heuristic->home[tile];
        if (tile == 0 || lines->line[home] != line)
            continue;
        places[count] = lines->place[home];
        best[count] = 0;
        for (unsigned j = 0; j < count; j++)
            if (places[j] < places[count] && best[j] > best[count])
                best[count] = best[j];
        best[count] += heuristic->costs->of[tile];
        all += heuristic->costs->of[tile];
        if (best[count] > kept)
            kept = best[count];
        count++;
    }
    return 2 * (all - kept);
}

static uint64_t linear_conflict_priced(const struct heuristic *heuristic, const struct board *board)
{
    const struct conflicts *conflicts = heuristic->data;
    uint64_t sum = 0;
    for (unsigned i = 0; i < board->shape.cells; i++)
        sum += conflicts->steps[board->cell[i]][i] * heuristic->costs->of[board->cell[i]];
    for (unsigned i = 0; i < conflicts->rows.count; i++)
        sum += line_toll(heuristic, &conflicts->rows, i, board);
    for (unsigned i = 0; i < conflicts->columns.count; i++)
        sum += line_toll(heuristic, &conflicts->columns, i, board);
    return sum;
}

/* As linear_conflict_step. */
static uint64_t linear_conflict_priced_step(const struct heuristic *heuristic,
                                            const struct board *child, uint64_t h, unsigned tile,
                                            unsigned from, unsigned to)
{
    const struct conflicts *conflicts = heuristic->data;
    const bool vertical = conflicts->columns.line[from] == conflicts->columns.line[to];
    const struct lines *lines = vertical ? &conflicts->rows : &conflicts->columns;
    const unsigned line = lines->line[heuristic->home[tile]];
    const uint64_t cost = heuristic->costs->of[tile];
    h = h + cost * conflicts->steps[tile][to] - cost * conflicts->steps[tile][from];
    if (line != lines->line[from] && line != lines->line[to])
        return h;
    struct board parent = *child;
    board_slide(&parent, to);
    return h + line_toll(heuristic, lines, line, child) -
           line_toll(heuristic, lines, line, &parent);
}

const struct heuristic_extras linear_conflict_extras = {.priced = linear_conflict_priced,
                                                        .priced_step = linear_conflict_priced_step};
