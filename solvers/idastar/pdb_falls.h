/* For a large search below large pattern databases: where the values of all groups fall
 * (pdb/pattern_falls.h), for subtree_falls_body.h.
 *
 * The entries take four times the memory of the tables, and making them as long as a search of some
 * six times as many nodes gains by them. So they are made when a search has generated FALLS_FROM
 * times as many nodes as there are entries: then its next round, the largest, is before it. They
 * are in the arena, and not made where its budget does not allow them. */
#pragma once

#include "heuristics/pdb.h"
#include "pdb/pattern_falls.h"

struct round;

enum { FALLS_GROUPS = 8 };

struct pdb_falls {
    uint32_t *entries[FALLS_GROUPS]; /* of each group of struct pdb; symmetric ones share them */
};

/* A round begins, or goes on. Where it is time for that, makes the entries and has subtrees counted
 * by them. False when the search is over; its status says why. */
bool pdb_falls_look(struct round *round);

/* Does so at once, if there can be such entries and a counter that reads them. The heuristic is of
 * pattern databases. */
bool pdb_falls_read(struct round *round);
