/* Additive pattern databases (Korf and Felner, "Disjoint pattern database heuristics", Artificial
 * Intelligence 134, 2002): what the heuristic `pdb` looks up, and how a move changes it.
 *
 * The tiles are partitioned into groups; the sum of the groups' values is h. With `reflect` there
 * is a second sum: of the same groups mirrored at the diagonal that the goal's blank lies on (from
 * the same tables, as a mirrored pattern has the same canonical form), and h is the larger sum. A
 * catalogue of several partitions has one sum or two of each; a group of several sums is looked up
 * once.
 *
 * A move takes one tile to a neighbouring cell. That changes only the value of its group, and the
 * rank in the group's table as follows. Let `a` be the tile's cell and `b` its new one, in cells of
 * the table (map). If b = a + 1, no cell lies between, and the rank rises by the slot's weight. If
 * b = a + width, the tile's digit rises by width, less 1 for each earlier tile of the group on a
 * cell between a and b; and the digit of each later tile there rises by 1, since one more earlier
 * tile lies before it. Backwards the same is subtracted. So the change is leap[slot] (width x
 * weight) + the sum, over the cells between, of passed[slot][tile there], where passed is minus the
 * tile's own weight for earlier slots, plus their weight for later ones, and 0 for tiles of other
 * groups.
 *
 * With `zero` the tables are zero-aware: of the entries of a placement, the one of the region that
 * holds the blank is looked up. As long as the blank moves past tiles of other groups, it stays in
 * its region, so here, too, a move changes only the value of the group of its tile, by exactly 1:
 * h is consistent. In place of the rank, the number of the order changes (pdb/pattern_sets.h): no
 * cell has a weight of its own, and passing another tile counts with the opposite sign.
 *
 * With `onebit` only a bit of each entry is kept (pdb/pattern_bits.h): the value follows from that
 * of the parent, or else, as in evaluate(), by descending. */
#pragma once

#include "heuristics/heuristic.h"
#include "pdb/partition.h"
#include "pdb/pattern_bits.h"
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
    const uint8_t *bits;   /* table->bits */
    bool zero;             /* the table is zero-aware */
    uint8_t count;
    uint8_t tile[MAX_PATTERN]; /* by slot */
    uint8_t map[MAX_CELLS];    /* the board's cell -> the table's */
    uint32_t weight[MAX_PATTERN];
    struct pdb_step step[MAX_CELLS][MOVES]; /* blank's cell, its move: of the tile that slides onto
                                               the blank's cell */
};

struct pdb_sum {
    unsigned count;
    const struct pdb_group *group[MAX_GROUPS]; /* of pdb.group */
    uint8_t group_of[MAX_CELLS];               /* tile -> its group */
    uint16_t index[MAX_CELLS];                 /* tile -> its group, in pdb.group */
    int32_t ahead[MAX_CELLS];                  /* tile: weight of its slot */
    int32_t leap[MAX_CELLS];                   /* tile: width of the table x weight */
    int32_t passed[MAX_CELLS][MAX_CELLS];      /* tile that moves, tile between */
};

/* heuristic->data of a `pdb`. */
struct pdb {
    unsigned sums;
    bool zero;
    bool onebit;
    struct board goal;
    struct pdb_sum *sum;
    unsigned group_count;
    struct pdb_group *group; /* of all sums, each once */
};

/* Whether a goal can be mirrored: a square whose blank lies on a diagonal. */
bool pdb_reflects(const struct board *goal);

/* What is written after `pdb:`. */
struct pdb_settings {
    unsigned count;
    struct partition *partitions; /* `count`; owned */
    bool onebit;                  /* zero-aware ones only */
    bool reflect;
};

/* The canonical spelling of a text, as heuristic_extras.argument. */
char *pdb_argument(const char *text, struct text_place place, struct report *report);

/* The shape that its first partition is for; false if that does not say. */
bool pdb_shape(const char *argument, struct shape *shape);

/* What a text that pdb_argument has made means for a goal; false, with the reason in the report, if
 * it means nothing. */
bool pdb_settings_make(const char *argument, const struct board *goal, struct report *report,
                       struct pdb_settings *settings);
void pdb_settings_end(struct pdb_settings *settings);

/* The databases of `count` settings for `goal`, at least one, all of one form: zero-aware or not,
 * in one bit or not. `reflect` only where pdb_reflects().
 * NULL, with a text in *problem (heap memory, free()), if a table is not available. */
struct pdb *pdb_make(const struct board *goal, const struct pdb_settings *settings, unsigned count,
                     const struct pattern_watcher *watcher, char **problem);

/* The databases of several choices of `pdb` together, each group once. NULL if a choice is not of
 * `pdb`, if they are not of one form, or if a table is not available. */
struct pdb *pdb_join(const struct heuristic_choice *choices, unsigned count,
                     const struct board *goal);

/* `pdb` may be NULL. */
void pdb_end(struct pdb *pdb);

/* Where the group's tiles lie on a board: in an ordinary table the rank, in a zero-aware one the
 * number of the order, with the set of cells in *set. */
uint32_t pdb_group_rank(const struct pdb_group *group, const struct board *board, uint64_t *set);

/* The same of all groups together; `set` is NULL for ordinary tables, and only for these. */
void pdb_ranks(const struct pdb *pdb, const struct board *board, uint32_t *rank, uint64_t *set);

/* Where the value of a group lies whose tiles have that rank or order on a set of cells, with the
 * blank on that cell of the board; not in the one-bit form. */
static inline const uint8_t *pdb_value_at(const struct pdb_group *group, uint32_t rank,
                                          uint64_t set, unsigned blank)
{
    const uint32_t first =
        group->zero ? pattern_sets_entry(group->table->sets, set, group->map[blank]) : 0;
    return &group->values[first + rank];
}

/* The value of the group's tiles on a board. */
unsigned pdb_group_value(const struct pdb_group *group, const struct board *board);

/* The largest sums of a node's children by so many moves of the blank; not in the one-bit form.
 * Memory is asked for everything before the first value is needed. */
void pdb_children(const struct pdb *pdb, const struct board *node, const uint8_t *move,
                  unsigned count, unsigned *h);

/* The largest sum of a board. */
unsigned pdb_value(const struct pdb *pdb, const struct board *board);

/* By how much the rank, or the order, of the tile's group changes when `tile` slides onto the
 * blank's cell `blank` by the blank's move; `board` may be the one before or after it, as the cells
 * between are the same. */
static inline int32_t pdb_rank_change(const struct pdb_sum *sum, const struct board *board,
                                      unsigned tile, unsigned blank, unsigned move)
{
    const struct pdb_step *step = &sum->group[sum->group_of[tile]]->step[blank][move];
    if (step->between_count == 0)
        return step->direction * sum->ahead[tile];
    int32_t change = sum->leap[tile];
    for (unsigned i = 0; i < step->between_count; i++)
        change += sum->passed[tile][board->cell[step->between[i]]];
    return step->direction * change;
}

/* pdb_value. Admissible, and of the parity of the distance. Consistent if it is zero-aware;
 * ordinary tables are not: the values leave open where the blank lies, and a move
 * may let h fall by 3 and more. */
unsigned pdb_evaluate(const struct heuristic *heuristic, const struct board *board);

unsigned pdb_step(const struct heuristic *heuristic, const struct board *child, unsigned h,
                  unsigned tile, unsigned from, unsigned to);
