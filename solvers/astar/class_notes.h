/* Notes of 4 bits, for consistent heuristics: of g they keep enough to tell three g apart that
 * differ by 2. astar/consistent_body.h proves that no others are met, that no closed node is
 * reopened, and that a node on the open list whose note has another class was replaced. */
#pragma once

/* What is kept of g. */
KERNEL unsigned g_class(unsigned g)
{
    return g / 2 % 3;
}

/* A state's note, 1 to 12: its class of g, and the move that leads back. */
KERNEL unsigned note_of(unsigned class, unsigned undo)
{
    return 1 + 4 * class + undo;
}

KERNEL unsigned note_class(unsigned note)
{
    return (note - 1) / 4;
}

KERNEL unsigned note_undo(unsigned note)
{
    return (note - 1) % 4;
}

/* Whether a note agrees with a g. */
static inline bool note_is_of(unsigned note, unsigned g)
{
    return note_class(note) == g_class(g);
}

/* What astar/distributed_body.h asks of notes: that of a live node, the same of a closed one, ...
 */
KERNEL unsigned note_live(unsigned g, unsigned undo)
{
    return note_of(g_class(g), undo);
}

KERNEL unsigned note_closed(unsigned note)
{
    return note;
}

/* ... whether a stored node is closed: no such node is met again with a smaller g; whether the node
 * of that g is still live; ... */
KERNEL bool note_is_closed(unsigned known)
{
    (void)known;
    return false;
}

KERNEL bool note_is_live(unsigned note, unsigned g)
{
    return note_is_of(note, g);
}

/* ... whether a new node replaces a stored one; and whether f may change like this in a move. */
KERNEL bool note_replaces(unsigned note, unsigned known)
{
    return note_class(known) == (note_class(note) + 1) % 3;
}

KERNEL bool note_allows(unsigned before, unsigned f)
{
    return f - before <= 2; /* unsigned: it may not fall */
}
