/* Every key that an experiment file may have, for people: `tilelab list keys`. */
#pragma once

#include <stddef.h>

/* All but `name` may be "". */
struct experiment_key {
    char *name;     /* with the keys around it: "limits.time"; an item of a list is "instances[]" */
    char *value;    /* what it may be: type, unit and range */
    char *fallback; /* what holds if it is missing, or "required" */
    char *belongs;  /* what it applies to, if not to all: kinds of sets, algorithms */
    char *meaning;
};

/* The keys in the order of the tables: those of the file, of a set, of a solver, and the options of
 * algorithms and heuristics. Heap memory: free() every text, and the array. */
struct experiment_key *experiment_keys(size_t *count);
