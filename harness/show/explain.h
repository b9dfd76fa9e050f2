/* Why a count differs (tilelab explain): which conventions give a count that somebody else's
 * program of the same algorithm has. Tried are operator orders, the options of the algorithm and of
 * its heuristic, and the conventions of conventions.def: those of the search, if it is a best-first
 * search of the textbooks (show/teaching.h), and ways of counting. */
#pragma once

#include "harness/show/teaching.h"
#include <jansson.h>
#include <stdio.h>

enum { MAX_ASKED = 4 };

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

/* Searches for the ways; a new reference: the counts asked and the solver's own, `count`, the
 * number of ways, the first `shown` of them with what differs and where the searches part, the
 * nearest way, and what else may be wrong. NULL if the solver's own search does not end within the
 * limit of nodes. */
json_t *explain(const struct explain_question *question, size_t shown);

/* Prints it for people; boards have this shape. */
void explanation_print(const json_t *explanation, struct shape shape, FILE *file);
