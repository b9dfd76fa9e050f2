/* For a large search below large pattern databases: where the values of all groups fall
 * (pdb/pattern_falls.h), for subtree_falls_body.h.
 *
 * The entries take four times the memory of the tables, and making one takes as long as five to
 * fifteen nodes save by them. So they are made when a search has generated FALLS_FROM times as many
 * nodes as there are entries, as its next round is several times as large. They are in the arena,
 * and not made where its budget does not allow them. */
#pragma once

#include "heuristics/pdb.h"
#include "pdb/pattern_falls.h"

struct round;

enum { FALLS_GROUPS = 8 };

struct pdb_falls {
    uint32_t *entries[FALLS_GROUPS]; /* of each group of struct pdb; symmetric ones share them */
};

/* A round begins, or goes on after a kill. Makes the entries, if it is time to, and has subtrees
 * counted by them. False when the search is over; its status says why. */
bool pdb_falls_look(struct round *round);

/* Makes them in any case, if there can be such entries and a counter that reads them. The heuristic
 * must be of pattern databases. */
bool pdb_falls_read(struct round *round);
