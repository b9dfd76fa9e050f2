/* Heuristics: estimates of the distance to a goal.
 *
 * A heuristic is made ready once for a goal and can then be asked for any board of that shape. It
 * is asked in two ways: evaluate() looks at a whole board; step() takes the parent's value and the
 * move made, and must give the same number. */
#ifndef HEURISTICS_HEURISTIC_H
#define HEURISTICS_HEURISTIC_H

#include "base/option.h"
#include "puzzle/board.h"

struct heuristic;

/* One row of the table. */
struct heuristic_kind {
    const char *name;
    const char *summary;
    unsigned properties; /* enum property, while every option has its fallback */
    const struct option_row *options;
    /* Builds what the other two need in heuristic->data (heap memory, freed by heuristic_end). */
    void (*prepare)(struct heuristic *heuristic);
    unsigned (*evaluate)(const struct heuristic *heuristic, const struct board *board);
    /* The value of `child`, which came from a board of value `h` by moving `tile` from cell `from`
     * to cell `to`. */
    unsigned (*step)(const struct heuristic *heuristic, const struct board *child, unsigned h,
                     unsigned tile, unsigned from, unsigned to);
};

struct heuristic {
    const struct heuristic_kind *kind;
    int64_t options[MAX_OPTIONS];
    struct board goal;
    uint8_t home[MAX_CELLS]; /* the goal cell of each tile; of the blank for tile 0 */
    void *data;
};

/* What each file of the table defines. */
#define HEURISTIC(name, properties, summary)                                                       \
    extern const struct option_row name##_options[];                                               \
    void name##_prepare(struct heuristic *);                                                       \
    unsigned name##_evaluate(const struct heuristic *, const struct board *);                      \
    unsigned name##_step(const struct heuristic *, const struct board *, unsigned, unsigned,       \
                         unsigned, unsigned);
#include "heuristics/heuristics.def"
#undef HEURISTIC

extern const struct heuristic_kind heuristic_kinds[];
extern const unsigned heuristic_count;

/* The kind of a name, or NULL. */
const struct heuristic_kind *heuristic_find(const char *name);

/* Makes a heuristic ready for `goal`. `options` are MAX_OPTIONS values in the order of
 * kind->options. */
void heuristic_start(struct heuristic *heuristic, const struct heuristic_kind *kind,
                     const int64_t *options, const struct board *goal);

void heuristic_end(struct heuristic *heuristic);

/* What its kind claims (enum property) less what its options forfeit. */
unsigned heuristic_properties(const struct heuristic *heuristic);

#endif
