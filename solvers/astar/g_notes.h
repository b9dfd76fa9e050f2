/* Notes of 10 bits, for any heuristic: they hold g, up to 253. The other bit of g follows from the
 * colour of the blank's cell, as every move takes the blank to a cell of the other colour. */
#pragma once

/* The note of a state: half of its g and 1, so that it is not 0; whether its node is closed; the
 * move that leads back. */
enum { NOTE_CLOSED = 128, NOTE_UNDO = 8 };

/* What a note says of g. */
KERNEL unsigned note_of(unsigned g)
{
    return 1 + g / 2;
}

KERNEL unsigned note_undo(unsigned note)
{
    return note >> NOTE_UNDO;
}

/* Whether a note agrees with a g. */
static inline bool note_is_of(unsigned note, unsigned g)
{
    return note % NOTE_CLOSED == note_of(g);
}

/* What bodies ask of notes: that of a live node, the same of a closed one, ...
 */
KERNEL unsigned note_live(unsigned g, unsigned undo)
{
    return undo << NOTE_UNDO | note_of(g);
}

KERNEL unsigned note_closed(unsigned note)
{
    return note | NOTE_CLOSED;
}

/* ... whether a stored node is closed; whether the node of that g is still live; ... */
KERNEL bool note_is_closed(unsigned known)
{
    return (known & NOTE_CLOSED) != 0;
}

KERNEL bool note_is_live(unsigned note, unsigned g)
{
    return note % (2 * NOTE_CLOSED) == note_of(g);
}

/* ... whether a new node replaces a stored one; and whether f may change like this in a move. */
KERNEL bool note_replaces(unsigned note, unsigned known)
{
    return note % NOTE_CLOSED < known % NOTE_CLOSED;
}

KERNEL bool note_allows(unsigned before, unsigned f)
{
    (void)before;
    (void)f;
    return true;
}
