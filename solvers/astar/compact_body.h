/* What the compact forms share: part of their bodies. */
#pragma once

/* What both forms have, at their beginning. */
struct compact {
    struct search *search;
    struct compact_closed closed; /* the body says what notes mean */
    struct word_buckets open;     /* a word: a node, a mask of live children */
    struct board_code code;
    compact_board goal;
};

/* Makes the code, before anything else. */
static inline void compact_code(struct compact *compact)
{
    code_make(&compact->code, &compact->search->task->start);
    compact->goal = compact_pack(&compact->search->task->goal);
}

/* Makes empty lists, the closed one of so many lines. False when memory is spent. */
static inline bool compact_start(struct compact *compact, uint64_t lines)
{
    struct arena *arena = &compact->search->arena;
    return closed_start(&compact->closed, arena, lines) &&
           word_buckets_start(&compact->open, arena);
}

static inline void compact_end(struct compact *compact)
{
    closed_end(&compact->closed);
    word_buckets_end(&compact->open);
}

/* Enters the start's state. Returns its key. */
static inline compact_key compact_enter_start(struct compact *compact, unsigned note)
{
    const struct board *start = &compact->search->task->start;
    const compact_key key = board_key(&compact->code, start);
    closed_enter(&compact->closed, closed_find(&compact->closed, key), key,
                 closed_shift(&compact->code, start->blank), note);
    return key;
}

/* The way by a move of the blank from a cell; false if there is none. */
static bool compact_way(const struct search *search, const struct board_code *code, unsigned blank,
                        unsigned move, struct way *way)
{
    const unsigned from = search->operators.target[blank][move];
    if (from == NO_CELL)
        return false;
    *way = way_make(code, from, blank);
    way->undo = (uint8_t)move_undo(move);
    way->shift = (uint8_t)closed_shift(code, from);
    return true;
}

KERNEL bool compact_has_room(const struct compact *compact)
{
    return closed_has_room(&compact->closed) && word_buckets_has_room(&compact->open);
}

/* Makes room for a node's children. False when the search must end. */
static bool lists_make_room(struct compact_closed *closed, struct word_buckets *open,
                            struct search *search)
{
    if (!closed_grow(closed, search))
        return false;
    if (word_buckets_has_room(open) || word_buckets_grow(open))
        return true;
    search->status = STATUS_memory_limit;
    return false;
}

/* Writes the moves that lead to a stored node, of that g: from it back along the stored moves. */
static inline void walk_back(const struct compact *compact, const struct board *node, size_t g,
                             char *moves)
{
    const struct search *search = compact->search;
    struct board board = *node;
    for (size_t i = g; i-- > 0;) {
        const unsigned note =
            closed_note(closed_find(&compact->closed, board_key(&compact->code, &board)),
                        closed_shift(&compact->code, board.blank));
        const unsigned undo = note_undo(note);
        assert(note_is_of(note, (unsigned)i + 1));
        moves[i] = move_letters[move_undo(undo)];
        board_slide(&board, search->operators.target[board.blank][undo]);
    }
    assert(board_equal(&board, &search->task->start));
}

/* Ends the search as solved, by a path of that length to the goal. */
static inline void compact_solve(const struct compact *compact, size_t length)
{
    char *moves = search_solved(compact->search, length);
    if (moves != NULL)
        walk_back(compact, &compact->search->task->goal, length, moves);
}
