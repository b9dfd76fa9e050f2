// A heuristic for tilelab: tiles out of their row plus tiles out of their column. Make it yours:
//     cc -O2 -shared -fPIC -o mine.so mine.c         (tilelab not installed: -I TILELAB/include)
//     tilelab verify heuristics --plugin mine.so mine
#include <tilelab/heuristic.h>

// `tiles` has the tile on each cell, row by row, the blank being 0; `home` each tile's goal cell.
static unsigned evaluate(const struct tilelab_puzzle *puzzle, const void *data,
                         const unsigned char *tiles)
{
    const unsigned width = puzzle->width;
    unsigned h = 0;
    (void)data;
    for (unsigned cell = 0; cell < puzzle->cells; cell++) {
        const unsigned home = tiles[cell] == 0 ? cell : puzzle->home[tiles[cell]];
        h += (home / width != cell / width) + (home % width != cell % width);
    }
    return h;
}

const struct tilelab_heuristic tilelab_heuristic = {.version = TILELAB_HEURISTIC_VERSION,
                                                    .name = "mine",
                                                    .summary = "tiles out of their row or column",
                                                    .claims = TILELAB_CONSISTENT,
                                                    .evaluate = evaluate};
