/* A transposition table of fixed size (Reinefeld and Marsland, "Enhanced iterative-deepening
 * search", IEEE Transactions on Pattern Analysis and Machine Intelligence 16, 1994): which states a
 * depth-first search has entered in this round, and how deep they were. A state that was entered in
 * the same round at no larger depth need not be entered again.
 *
 * Why that keeps the rounds of idastar right, although the move back to the parent is left out: on
 * a shortest path, every state whose g + h is within the threshold is entered in each round at its
 * depth or above, by induction. If its predecessor was entered from it, it was entered above.
 *
 * Each state has one slot, by its hash, and is stored whole. A slot of an earlier round is taken
 * over, and one of this round if its state lies no nearer to the root. */
#pragma once

#include "base/arena.h"
#include "puzzle/pack.h"

struct transposition {
    enum packing packing;
    uint64_t count; /* slots; 0: nothing is stored */
    unsigned char *states;
    struct entered *entered;
};

/* Takes as many slots as fit into `bytes` from the arena, which keeps them until it ends. False
 * when its budget does not allow them. */
bool transposition_start(struct transposition *table, struct arena *arena, struct shape shape,
                         uint64_t bytes);

/* A board is about to be entered at depth g in a round (from 1). True if it was entered in that
 * round at no larger depth, which is then in *known_g; if not, that it is entered is noted. */
bool transposition_meets(struct transposition *table, const struct board *board, unsigned g,
                         uint64_t round, unsigned *known_g);
