/* Options of algorithms and heuristics: a table describes them, an array holds their values.
 *
 * The value of option i of a table is values[i]: 0 or 1 for a flag, the index of the word for a
 * choice, the number itself for a number (OPTION_UNSET if it was not given), thousandths for a
 * decimal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind { OPTION_END, OPTION_FLAG, OPTION_CHOICE, OPTION_NUMBER, OPTION_DECIMAL };

enum { MAX_OPTIONS = 6, MAX_CHOICES = 5, OPTION_UNSET = -1, DECIMAL_ONE = 1000 };

struct option_row {
    const char *name;
    const char *help;
    enum option_kind kind;
    int64_t fallback; /* the value of an option that is not given */
    int64_t min;      /* the range of a number or decimal; whole numbers, for a decimal too */
    int64_t max;
    const char *choices[MAX_CHOICES + 1]; /* choices: the words, then NULL */
    unsigned forfeits;                    /* properties lost with any value but the fallback */
    unsigned needs; /* with any value but the fallback, the properties that the heuristic must have
                       for the length of a solution to be guaranteed */
    bool bounds;    /* a decimal: this is the factor of BOUNDED */
    bool spreads;   /* a number: how many threads a search uses */
    unsigned unpriced; /* values that are not defined where moves cost different amounts: of a
                          choice a bit for each word, else all but the fallback if it is not 0 */
};

/* The insides of rows; what else one has follows: {CHOICE_OPTION("duplicates", "which states met
 * before are not added again", "stored", "path", "none"), .forfeits = COMPLETE}. */
#define FLAG_OPTION(name_, help_) .name = (name_), .help = (help_), .kind = OPTION_FLAG
#define CHOICE_OPTION(name_, help_, ...)                                                           \
    .name = (name_), .help = (help_), .kind = OPTION_CHOICE, .choices = {__VA_ARGS__}
#define NUMBER_OPTION(name_, help_, fallback_, min_, max_)                                         \
    .name = (name_), .help = (help_), .kind = OPTION_NUMBER, .fallback = (fallback_),              \
    .min = (min_), .max = (max_)

/* How many rows a table has; and the row of this name, NULL if there is none. */
size_t option_count(const struct option_row *table);
const struct option_row *option_named(const struct option_row *table, const char *name);

/* Reads a decimal: digits, then optionally a point and one to three more digits. *value is in
 * thousandths. Returns false for any other text. */
bool decimal_parse(const char *text, int64_t *value);

/* A value as text; heap memory, free(). */
char *option_text(const struct option_row *option, int64_t value);

/* The range of a number or decimal, for messages: "a whole number from 0 to 9, or none"; heap
 * memory, free(). */
char *option_range(const struct option_row *option);

/* An empty table of options. */
#define NO_OPTIONS                                                                                 \
    {                                                                                              \
        {                                                                                          \
            .kind = OPTION_END                                                                     \
        }                                                                                          \
    }

/* Properties that a table row claims, as bits. Tests check every claim on all boards of the
 * 8-puzzle. */
enum property {
    ADMISSIBLE = 1 << 0, /* never exceeds the true distance */
    CONSISTENT = 1 << 1, /* decreases by at most 1 per move; 0 at the goal */
    INCREMENTAL =
        1 << 2, /* a move changes it by an amount that depends only on the tile and its two cells */
    OPTIMAL = 1 << 3,  /* every solution found is a shortest one (informed algorithms: if the
                          heuristic is admissible) */
    COMPLETE = 1 << 4, /* finds a solution if one exists, given enough time and memory */
    BOUNDED =
        1 << 5, /* a solution found is at most w times as long as a shortest one, w being the option
                   that bounds it (informed algorithms: if the heuristic is admissible) */
    KEEPS_PARITY = 1 << 6,     /* odd if the distance is odd, even if it is even */
    POSITIVE = 1 << 7,         /* 0 only at the goal */
    NEEDS_CONSISTENT = 1 << 8, /* informed algorithms: OPTIMAL holds if the heuristic is consistent,
                                  not only admissible */

    /* No claims of algorithms, but what others have to know of them. */
    BOTH_ENDS = 1 << 9, /* the search goes from both ends; its heuristic is also prepared for the
                           start as a goal */
    IMPROVES = 1 << 10, /* goes on after the first solution, for a shorter one */
    EXPANDS_IN_PARTS = 1 << 11, /* a node may be expanded several times for each time that it is
                                   generated: once for each cost of a child and once before */
    HOLDS_LAYERS = 1 << 12,     /* may hold fewer nodes than the path that it finds */
    STORES_COSTS = 1 << 13,     /* nodes have a stored cost, which rises */
    LIMITS_F = 1 << 14,         /* nodes are searched up to an f-limit of their own */
    KEEPS_BITS = 1 << 15,       /* on small shapes it keeps bits of the whole space, not nodes */
    COUNTS_COSTS = 1 << 17,     /* where moves cost different amounts, what it claims holds of costs
                                   instead of lengths */
    ESTIMATE_MOVES = 1 << 18,   /* .. its heuristic is also prepared for moves that cost 1 each */
    CAN_SPLIT = 1 << 19,        /* several processes may share a search (search/task.h: split) */

    /* Likewise of heuristics. */
    SUMS_STEPS = 1 << 16, /* the sum of the tiles' steps to their goal cells, and no more */
};

/* The properties that remain with these values of a table's options. */
static inline unsigned properties_kept(unsigned properties, const struct option_row *table,
                                       const int64_t *values)
{
    for (unsigned i = 0; table[i].kind != OPTION_END; i++)
        if (values[i] != table[i].fallback)
            properties &= ~table[i].forfeits;
    return properties;
}
