/* The column cover: what searches from both ends must expand on a run's board with its heuristic
 * (prediction/cover.h, e = 1), where an experiment asks for it (`measure: [cover]`).
 *
 * There is one where all boards of the size can be listed (MAX_TABLE_CELLS), the board can reach
 * the goal, and the heuristic is consistent and defined with the start as its goal; of uninformed
 * algorithms, that of the zero heuristic. */
#pragma once

#include "harness/prediction/cover.h"
#include "harness/results/run.h"

/* What covers are counted with: of the last goal and heuristic. */
struct row_covers {
    struct row_covered {
        struct board goal;
        struct heuristic_choice choice;
        struct distances distances;
        struct covers covers;
        struct board start; /* the last, and its cover */
        uint64_t cover;
        bool counted; /* there is a last */
    } * *items;       /* owned, each and the list */
    size_t count;
};

/* The cover of a run's board, valid until the next call; NULL if it has none. */
const uint64_t *row_cover_of(struct row_covers *covers, const struct run *run);

void row_covers_end(struct row_covers *covers);
