/* Which sets or solvers of results count: those of a list of names and patterns, as --sets and
 * --solvers have them. */
#pragma once

#include "harness/analysis/names.h"
#include <stdbool.h>

/* Cuts off the first part of a list that is divided by commas outside of brackets, without the
 * spaces around it; *rest is what follows, or NULL. Heap memory, free(). */
char *choice_cut(const char **rest);

/* All but `asked` is zero at first. */
struct choice {
    const char *asked;  /* "bfs, astar(*)": a list of names and patterns as those of the shell; not
                           owned; NULL: everything */
    struct names there; /* what there is, under the names that people see; */
    bool *taken;        /* and by its number whether it is chosen; owned */
    struct names met;   /* private: the parts of the list that took something */
};

/* Whether the choice takes what is called `shown`, or otherwise `other` (NULL: nothing). Notes that
 * it is there. */
bool choice_takes(struct choice *choice, const char *shown, const char *other);

/* The first part of the list that has taken nothing; NULL: each has. Heap memory, free(). */
char *choice_unmet(const struct choice *choice);

void choice_end(struct choice *choice);
