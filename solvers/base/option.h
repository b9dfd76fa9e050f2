/* Options of algorithms and heuristics: a table of what there is, an array of values.
 *
 * The value of option i of a table is values[i]: 0 or 1 for a flag, the index of the word for a
 * choice, the number itself for a number, OPTION_UNSET for a number that was not given, thousandths
 * for a decimal. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stdbool.h>
#include <stdint.h>

enum option_kind { OPTION_END, OPTION_FLAG, OPTION_CHOICE, OPTION_NUMBER, OPTION_DECIMAL };

enum { MAX_OPTIONS = 6, MAX_CHOICES = 4, OPTION_UNSET = -1, DECIMAL_ONE = 1000 };

struct option_row {
    const char *name;
    const char *help;
    enum option_kind kind;
    int64_t fallback; /* the value where nothing is said */
    int64_t least;    /* numbers, and decimals, where both are whole: the range */
    int64_t most;
    const char *choices[MAX_CHOICES + 1]; /* choices: the words, then NULL */
    unsigned forfeits; /* properties that are lost with any value but the fallback */
    unsigned needs;    /* with any value but the fallback, properties of the heuristic without which
                          the length of a solution is not promised */
    bool bounds;       /* a decimal: the factor that BOUNDED speaks of */
};

/* Reads a decimal: digits, and behind a point up to three more; thousandths. False for any other
 * text. */
bool decimal_parse(const char *text, int64_t *value);

/* A value as it is written; heap memory, free(). */
char *option_text(const struct option_row *option, int64_t value);

/* What a number or decimal may be, for messages: "a whole number from 0 to 9, or none"; heap
 * memory, free(). */
char *option_range(const struct option_row *option);

/* The options of something that has none. */
#define NO_OPTIONS                                                                                 \
    {                                                                                              \
        {                                                                                          \
            .kind = OPTION_END                                                                     \
        }                                                                                          \
    }

/* Properties that a table row claims, as bits. Tests hold every claim against all boards of the
 * 8-puzzle. */
enum property {
    ADMISSIBLE = 1 << 0,  /* never above the true distance */
    CONSISTENT = 1 << 1,  /* falls by at most 1 a move; 0 at the goal */
    INCREMENTAL = 1 << 2, /* a move changes it by a number that depends on the tile and its two
                             cells alone, not on the rest of the board */
    OPTIMAL = 1 << 3,  /* a solution found is a shortest one (informed algorithms: if the heuristic
                          is admissible) */
    COMPLETE = 1 << 4, /* finds a solution where there is one, given time and memory */
    BOUNDED =
        1 << 5, /* a solution found is longer than a shortest one by a factor of at most the
                   option that bounds it (informed algorithms: if the heuristic is admissible) */
    KEEPS_PARITY = 1 << 6, /* odd where the distance is odd, even where it is even */
    POSITIVE = 1 << 7,     /* 0 at the goal only */
};

/* Those of the properties that the values of a table's options leave. */
static inline unsigned properties_kept(unsigned properties, const struct option_row *table,
                                       const int64_t *values)
{
    for (unsigned i = 0; table[i].kind != OPTION_END; i++)
        if (values[i] != table[i].fallback)
            properties &= ~table[i].forfeits;
    return properties;
}

#endif
