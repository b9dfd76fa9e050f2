/* Why a count differs (tilelab explain): which conventions give a count that somebody else's
 * program of the same algorithm has. Tried are operator orders, the options of the algorithm and of
 * its heuristic, and the conventions of conventions.def: those of the search, if it is a best-first
 * search of the textbooks (show/teaching.h), and ways of counting. */
#ifndef SHOW_EXPLAIN_H
#define SHOW_EXPLAIN_H

#include "base/report.h"
#include "harness/show/teaching.h"
#include <jansson.h>
#include <stdio.h>

enum { MAX_ASKED = 4, MAX_DIMENSIONS = 2 * MAX_OPTIONS + 5 + MAX_ASKED, ORDERS = 24 };

struct explain_asked {
    unsigned counter; /* the first of its ways of counting */
    uint64_t value;
};

struct explain_question {
    struct solver solver; /* its tables are built */
    struct task task;
    struct explain_asked asked[MAX_ASKED];
    unsigned asked_count;
    uint64_t nodes; /* generated in all searches together */
    bool quiet;     /* no progress on a terminal */
};

/* Reads "47", "expanded=47" or several, separated by spaces or commas. False, with a problem in the
 * report, if that is no count. */
bool explain_ask(const char *text, struct explain_question *question, struct report *report);

/* Whether a word is a count with its name. */
bool explain_names_count(const char *word);

/* How a program may differ: of each dimension the number of its convention, 0 being tilelab's. */
struct way {
    unsigned char value[MAX_DIMENSIONS];
    unsigned differences;
    uint32_t orders; /* a bit for each operator order that fits with the others */
    uint64_t counted[MAX_ASKED];
};

/* A convention by which a program may differ from the solver. */
struct dimension {
    enum {
        DIMENSION_ORDER,
        DIMENSION_OPTION,
        DIMENSION_HEURISTIC,
        DIMENSION_REPEATS,
        DIMENSION_BACK,
        DIMENSION_EARLY,
        DIMENSION_ORDERED,
        DIMENSION_COUNTING
    } kind;
    unsigned index; /* of the option, or of what is asked */
    unsigned count; /* of values, the solver's own among them */
};

struct step {
    bool ended; /* the search has no such step */
    struct board board;
    unsigned g, h;
};

/* The step at which a way's search parts from the solver's. */
struct parting {
    bool differs;
    uint64_t step; /* from 1 */
    struct step own, other;
};

struct explanation {
    struct explain_question question; /* its task's order is that of the solver */
    struct dimension dimensions[MAX_DIMENSIONS];
    unsigned search_dimensions, dimension_count;
    unsigned order; /* the dimension of operator orders */
    struct tally own;
    struct way *ways; /* those that fit, the fewest differences first; none holds another one */
    size_t count;
    struct way nearest;
    uint64_t min[MAX_ASKED], max[MAX_ASKED];
    uint64_t searches, unfinished, nodes;
    bool complete; /* all ways of up to `differences` conventions of the search were tried */
    unsigned differences;
    char *elsewhere; /* owned; if none fits: what else may be wrong, a line each */
};

/* Searches for the ways; explanation_end frees it. False if the solver's own search does not end
 * within the limit of nodes. */
bool explain(const struct explain_question *question, struct explanation *explanation);

/* Name, value and meaning of a way's convention. Owned by the caller: free(). */
struct difference {
    char *name, *value, *meaning;
};
struct difference explain_difference(const struct explanation *explanation, const struct way *way,
                                     unsigned dimension);

/* Compares the searches, which are made once more. */
struct parting explain_parting(const struct explanation *explanation, const struct way *way);

/* Operator order number `index` < ORDERS. */
void explain_order(unsigned index, char order[MOVES + 1]);

/* The name of what was asked. */
const char *explain_counter(const struct explanation *explanation, unsigned asked);
/* The solver's own count of it. */
uint64_t explain_own(const struct explanation *explanation, unsigned asked);

/* Prints up to `shown` ways. */
void explanation_print(const struct explanation *explanation, size_t shown, FILE *file);

/* The same as JSON; a new reference. */
json_t *explanation_json(const struct explanation *explanation, size_t shown);

void explanation_end(struct explanation *explanation);

#endif
