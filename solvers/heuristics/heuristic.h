/* Heuristics: estimates of the distance to a goal.
 *
 * A heuristic is chosen (struct heuristic_choice: a row of the table, its options, and for some an
 * argument after a colon, as in pdb:7-8), prepared once for a goal, and can then be asked for any
 * board of that shape. evaluate() looks at the whole board; step() gets the parent's value and the
 * move, and must return the same number. */
#pragma once

#include "base/option.h"
#include "base/report.h"
#include "puzzle/board.h"
#include "puzzle/costs.h"

struct heuristic;
struct heuristic_choice;
struct pattern;
struct pattern_watcher;

/* What an argument is made of, for notations that write its parts one by one. */
enum heuristic_made {
    MADE_OF_TEXT,      /* nothing that has parts */
    MADE_OF_PARTITION, /* a partition, and perhaps words such as zero or reflect */
    MADE_OF_HEURISTICS /* at least two heuristics */
};

/* What only some heuristics have; each function may be NULL. */
struct heuristic_extras {
    /* The canonical spelling, in heap memory, of what follows the colon ("" if there is no colon).
     * The text begins at `place`. NULL, with a problem in `report`, if it is not an
     * argument. NULL instead of the function: the heuristic takes none. */
    char *(*argument)(const char *text, struct text_place place, struct report *report);
    const char *form;         /* of the argument, for people: "PARTITIONS[:WORD..]" */
    enum heuristic_made made; /* what the argument is made of */
    /* An argument for which the heuristic is defined with this goal; heap memory. */
    char *(*example)(const struct board *goal);
    /* Why the heuristic is not defined for this goal: "... is not defined on 5x5; expected ..",
     * heap memory; NULL if it is defined. NULL instead of the function: it is defined for every
     * goal. */
    char *(*refuses)(const struct heuristic_choice *choice, const struct board *goal);
    /* Makes or loads what takes long: see heuristic_build. */
    bool (*build)(const struct heuristic_choice *choice, const struct board *goal,
                  const struct pattern_watcher *watcher, char **problem);
    /* Shows each pattern whose table it needs for the goal, in canonical form, some perhaps more
     * than once. The goal must not be refused. */
    void (*patterns)(const struct heuristic_choice *choice, const struct board *goal,
                     void (*show)(void *context, const struct pattern *pattern), void *context);
    /* Shows each heuristic that it is made of. NULL: none but itself. */
    void (*parts)(const struct heuristic_choice *choice,
                  void (*show)(void *context, const struct heuristic_choice *part), void *context);
    /* The properties with this argument. NULL: the row's. */
    unsigned (*properties)(const struct heuristic_choice *choice);
    /* See heuristic_evaluate_batch. NULL: board by board. */
    void (*evaluate_batch)(const struct heuristic *heuristic, const struct board *boards,
                           unsigned count, unsigned *values);
    /* The value where moves cost what heuristic->costs says, in its scale. With every model what
     * the row claims holds of it; a CONSISTENT one falls by no more than a move costs. NULL: the
     * heuristic is defined for moves that cost 1 each only. */
    uint64_t (*priced)(const struct heuristic *heuristic, const struct board *board);
    /* The same of a child, as `step`. NULL: `priced` is asked. */
    uint64_t (*priced_step)(const struct heuristic *heuristic, const struct board *child,
                            uint64_t h, unsigned tile, unsigned from, unsigned to);
    /* Whether it is defined for moves that cost 1 each only with this argument. NULL: with none. */
    bool (*unpriced)(const struct heuristic_choice *choice);
    /* Frees heuristic->data. NULL: free() does. */
    void (*end)(struct heuristic *heuristic);
};

/* One row of the table. */
struct heuristic_kind {
    const char *name;
    const char *summary;
    unsigned properties; /* enum property; they hold if every option has its default */
    const struct heuristic_extras *extras; /* NULL: none */
    const struct option_row *options;
    /* Makes what the other two need in heuristic->data (heap memory; heuristic_end frees it). */
    void (*prepare)(struct heuristic *heuristic);
    unsigned (*evaluate)(const struct heuristic *heuristic, const struct board *board);
    /* The value of `child`, which came from a board of value `h` by moving `tile` from cell `from`
     * to cell `to`. One that is INCREMENTAL adds to `h` and does not look at `child`
     * (heuristic_rise). */
    unsigned (*step)(const struct heuristic *heuristic, const struct board *child, unsigned h,
                     unsigned tile, unsigned from, unsigned to);
};

/* A heuristic with its settings: what is written NAME or NAME:ARGUMENT, and its options. */
struct heuristic_choice {
    const struct heuristic_kind *kind; /* NULL: none */
    int64_t options[MAX_OPTIONS];      /* in the order of kind->options */
    const char *argument; /* in its canonical spelling, "" if there is none; never freed */
};

/* A heuristic prepared for a goal. */
struct heuristic {
    const struct heuristic_kind *kind;
    struct heuristic_choice choice;
    struct board goal;
    const struct move_costs *costs; /* NULL: each move costs 1 */
    uint8_t home[MAX_CELLS];        /* the goal cell of each tile; of the blank for tile 0 */
    void *data;
};

/* Declares what the file of row NAME defines; NAME_extras only if the row names it. The file says
 * this itself, so that a new row is read by the table alone. */
#define DECLARE_HEURISTIC(name)                                                                    \
    extern const struct option_row name##_options[];                                               \
    void name##_prepare(struct heuristic *);                                                       \
    unsigned name##_evaluate(const struct heuristic *, const struct board *);                      \
    unsigned name##_step(const struct heuristic *, const struct board *, unsigned, unsigned,       \
                         unsigned, unsigned);                                                      \
    extern const struct heuristic_extras name##_extras

/* Defines NAME_step for a heuristic that evaluates the whole board each time. */
#define STEP_FROM_SCRATCH(name)                                                                    \
    unsigned name##_step(const struct heuristic *heuristic, const struct board *child, unsigned h, \
                         unsigned tile, unsigned from, unsigned to)                                \
    {                                                                                              \
        (void)h;                                                                                   \
        (void)tile;                                                                                \
        (void)from;                                                                                \
        (void)to;                                                                                  \
        return name##_evaluate(heuristic, child);                                                  \
    }

/* By how much moving `tile` from cell `from` to cell `to` changes the value of a heuristic that is
 * INCREMENTAL. Its step is given the goal and any `h`: property.heuristics refuses one that does
 * not answer as on the board itself. */
int heuristic_rise(const struct heuristic *heuristic, unsigned tile, unsigned from, unsigned to);

/* The rows of the table. */
extern const struct heuristic_kind heuristic_kinds[];
extern const unsigned heuristic_count;

/* Adds a kind that is no row of the table, or takes it away again. Its name must be new; it belongs
 * to the caller and must not change in between. */
void heuristic_add(const struct heuristic_kind *kind);
void heuristic_remove(const struct heuristic_kind *kind);

/* Kind `number`: first the rows of the table, then those added; NULL beyond the last. */
const struct heuristic_kind *heuristic_at(unsigned number);

/* The kind of this name, or NULL; and the kind of a text NAME or NAME:ARGUMENT. */
const struct heuristic_kind *heuristic_find(const char *name);
const struct heuristic_kind *heuristic_named(const char *text);

/* Whether it is written NAME:ARGUMENT. */
bool heuristic_takes_argument(const struct heuristic_kind *kind);

/* NAME or, if it needs an argument, NAME:ARGUMENT with one that suits the goal; heap memory,
 * free(). */
char *heuristic_example(const struct heuristic_kind *kind, const struct board *goal);

/* Reads NAME or NAME:ARGUMENT; every option gets its default. The text begins at `place`.
 * False, with a problem in `report`, if it is not a heuristic. */
bool heuristic_parse(const char *text, struct text_place place, struct report *report,
                     struct heuristic_choice *choice);

/* NAME or NAME:ARGUMENT in canonical spelling, options left out; heap memory, free(). */
char *heuristic_text(const struct heuristic_choice *choice);

/* Why the heuristic is not defined for this goal, heap memory; NULL if it is. */
char *heuristic_refuses(const struct heuristic_choice *choice, const struct board *goal);

/* Makes or loads what all searches with this heuristic and goal share and what may take long
 * (pattern databases), so that heuristic_start finds it. `watcher` (pdb/pattern_store.h) may be
 * NULL. False, with a text in *problem (heap memory), if it was stopped or memory is short. */
bool heuristic_build(const struct heuristic_choice *choice, const struct board *goal,
                     const struct pattern_watcher *watcher, char **problem);

/* Shows each pattern whose table the heuristic needs for the goal (struct heuristic_extras). */
void heuristic_patterns(const struct heuristic_choice *choice, const struct board *goal,
                        void (*show)(void *context, const struct pattern *pattern), void *context);

/* Shows each heuristic that it is made of: the parts of max, of others the heuristic itself. */
void heuristic_parts(const struct heuristic_choice *choice,
                     void (*show)(void *context, const struct heuristic_choice *part),
                     void *context);

/* Prepares a heuristic for `goal`, which it must not refuse. Builds what heuristic_build did not.
 */
void heuristic_start(struct heuristic *heuristic, const struct heuristic_choice *choice,
                     const struct board *goal);

/* The same where moves cost what `costs` says (NULL: 1 each), which must outlive the heuristic and
 * for which it must be defined. */
void heuristic_start_priced(struct heuristic *heuristic, const struct heuristic_choice *choice,
                            const struct board *goal, const struct move_costs *costs);

/* Whether the heuristic is defined where moves cost different amounts. */
bool heuristic_has_price(const struct heuristic_choice *choice);

/* The value of a board, and of a child as `step`, in the scale of the costs that it was started
 * with. */
uint64_t heuristic_priced(const struct heuristic *heuristic, const struct board *board);
uint64_t heuristic_priced_step(const struct heuristic *heuristic, const struct board *child,
                               uint64_t h, unsigned tile, unsigned from, unsigned to);

void heuristic_end(struct heuristic *heuristic);

/* The values of `count` boards, in one call where the heuristic has more for many than for one. */
void heuristic_evaluate_batch(const struct heuristic *heuristic, const struct board *boards,
                              unsigned count, unsigned *values);

/* What the row claims (enum property), less what the options forfeit. */
unsigned heuristic_properties(const struct heuristic_choice *choice);
