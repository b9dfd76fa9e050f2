/* Additive pattern databases (Korf and Felner, "Disjoint pattern database heuristics", Artificial
 * Intelligence 134, 2002): what the heuristic `pdb` looks up, and how a move changes it.
 *
 * The tiles are partitioned into groups; the sum of the groups' values is h. With `reflect` there
 * is a second sum: of the same groups mirrored at the diagonal that the goal's blank lies on (from
 * the same tables, as a mirrored pattern has the same canonical form), and h is the larger sum.
 *
 * A move takes one tile to a neighbouring cell. That changes only the value of its group, and the
 * rank in the group's table as follows. Let `a` be the tile's cell and `b` its new one, in cells of
 * the table (map). If b = a + 1, no cell lies between, and the rank rises by the slot's weight. If
 * b = a + width, the tile's digit rises by width, less 1 for each earlier tile of the group on a
 * cell between a and b; and the digit of each later tile there rises by 1, since one more earlier
 * tile lies before it. Backwards the same is subtracted. So the change is leap[slot] (width x
 * weight) + the sum, over the cells between, of passed[slot][tile there], where passed is minus the
 * tile's own weight for earlier slots, plus their weight for later ones, and 0 for tiles of other
 * groups. */
#ifndef HEURISTICS_PDB_H
#define HEURISTICS_PDB_H

#include "heuristics/heuristic.h"
#include "pdb/pattern_store.h"
#include "puzzle/moves.h"

enum { MAX_BETWEEN = MAX_SIDE - 1 };

/* A step from one cell to a neighbour, as a group's table sees it. */
struct pdb_step {
    int8_t direction;             /* 1: to a later cell of the table, -1: to an earlier one */
    uint8_t between_count;        /* 0, or the table's width - 1 */
    uint8_t between[MAX_BETWEEN]; /* cells of the board that lie between */
};

struct pdb_group {
    const struct pattern_table *table;
    const uint8_t *values; /* table->values */
    uint8_t count;
    uint8_t tile[MAX_PATTERN]; /* by slot */
    uint8_t map[MAX_CELLS];    /* the board's cell -> the table's */
    uint32_t weight[MAX_PATTERN];
    struct pdb_step step[MAX_CELLS][MOVES]; /* blank's cell, its move: of the tile that slides onto
                                               the blank's cell */
};

struct pdb_sum {
    unsigned count;
    struct pdb_group *group;              /* `count` of them */
    uint8_t group_of[MAX_CELLS];          /* tile -> its group */
    int32_t ahead[MAX_CELLS];             /* tile: weight of its slot */
    int32_t leap[MAX_CELLS];              /* tile: width of the table x weight */
    int32_t passed[MAX_CELLS][MAX_CELLS]; /* tile that moves, tile between */
};

/* heuristic->data of a `pdb`: one block of heap memory, free(). */
struct pdb {
    unsigned sums; /* 1, or 2 with reflect */
    struct pdb_sum sum[2];
    struct pdb_group groups[]; /* of all sums */
};

/* Whether a goal can be mirrored: a square whose blank lies on a diagonal. */
bool pdb_reflects(const struct board *goal);

/* The databases of the `count` groups, patterns of `goal`: each tile is in exactly one. `reflect`
 * only where pdb_reflects(). NULL, with a text in *problem (heap memory, free()), if a table is not
 * available. */
struct pdb *pdb_make(const struct board *goal, const struct pattern *groups, unsigned count,
                     bool reflect, const struct pattern_watcher *watcher, char **problem);

/* The rank of the group's tiles on a board. */
uint32_t pdb_group_rank(const struct pdb_group *group, const struct board *board);

/* The sum of the groups' values. */
unsigned pdb_sum_value(const struct pdb_sum *sum, const struct board *board);

/* By how much the rank of the tile's group changes when `tile` slides onto the blank's cell `blank`
 * by the blank's move; `board` may be the one before or after it, as the cells between are the
 * same. */
static inline int32_t pdb_rank_change(const struct pdb_sum *sum, const struct board *board,
                                      unsigned tile, unsigned blank, unsigned move)
{
    const struct pdb_step *step = &sum->group[sum->group_of[tile]].step[blank][move];
    if (step->between_count == 0)
        return step->direction * sum->ahead[tile];
    int32_t change = sum->leap[tile];
    for (unsigned i = 0; i < step->between_count; i++)
        change += sum->passed[tile][board->cell[step->between[i]]];
    return step->direction * change;
}

/* The larger sum of a board. Admissible, and of the parity of the distance. Not consistent: the
 * values leave open where the blank lies, and a move may let h fall by 3 and more. */
unsigned pdb_evaluate(const struct heuristic *heuristic, const struct board *board);

unsigned pdb_step(const struct heuristic *heuristic, const struct board *child, unsigned h,
                  unsigned tile, unsigned from, unsigned to);

#endif
