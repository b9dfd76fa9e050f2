/* Dual look-ups (heuristics/pdb.h) in the counters that take nodes from a stack in batches: part of
 * their bodies, behind the definition of struct counting. */
#ifndef SUBTREE_BATCH_DUAL_H
#define SUBTREE_BATCH_DUAL_H

/* The cell of the blank on boards that have a dual; NO_CELL if none is looked up. */
static unsigned dual_cell(const struct pdb *pdb)
{
    return pdb->dual ? pdb->goal.blank : NO_CELL;
}

/* Whether the dual board of a node that its sums keep takes it above the threshold. `cell`: the
 * tile on each cell, the blank home. */
CALLED static bool dual_drops(const struct counting *counting, const uint8_t *cell, unsigned g)
{
    return g + pdb_dual_value(counting->pdb, cell) > counting->threshold;
}

#endif
