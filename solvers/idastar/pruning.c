#include "idastar/pruning.h"

#include <xxhash.h>

/* A node of the trie of the words, the sequences of moves that are dropped. The first letters are
 * roots, one for each cell of the blank from which words begin. */
struct letter {
    uint32_t child[MOVES]; /* 0: none */
    uint8_t cell;          /* where the blank is */
    bool last;             /* of a word */
};

enum { MOVE_BITS = 2, DEPTH_BITS = 5, WAITING = 16 };
_Static_assert(MAX_PRUNING *MOVE_BITS <= 32 && MAX_PRUNING + 1 < 1 << DEPTH_BITS, "struct seen");

/* A board to which a sequence leads. */
struct seen {
    uint32_t path; /* its moves, MOVE_BITS each, from the lowest bits on */
    uint32_t mark; /* bits of the board's hash << DEPTH_BITS | its number of moves + 1; 0: none */
};

/* A board that is to be looked up. */
struct met {
    uint64_t hash;
    uint32_t path;
    unsigned moves;
};

/* Words are found in order of their lengths. A sequence of n moves that holds no shorter word is a
 * word if its board was seen: after n - 2, n - 4, .. moves, or after n moves of an earlier
 * sequence. */
struct making {
    struct search *search;
    struct pruning *pruning; /* that drops all shorter words */
    struct letter *letters;
    size_t letter_count, letter_room;
    size_t dropped; /* words in the trie */
    struct seen *seen;
    uint64_t last_seen; /* slots - 1: a power of two - 1 */
    unsigned length;    /* of the words that are looked for */
    unsigned noted;     /* the walk looks up boards after at least so many moves .. */
    unsigned limit;     /* .. and at most so many */
    struct board start; /* of the walk */
    struct board board;
    uint64_t steps;
    struct met met[WAITING]; /* a ring: the last of all that the walk met */
    uint64_t meetings;
    bool stopped; /* the search is over, but not because the budget is spent */
};

static struct board board_with_blank(struct shape shape, unsigned cell)
{
    struct board board = {.shape = shape, .blank = (uint8_t)cell};
    for (unsigned i = 0, tile = 1; i < shape.cells; i++)
        board.cell[i] = i == cell ? 0 : (uint8_t)tile++;
    return board;
}

static unsigned cells_of(const struct making *making)
{
    return making->start.shape.cells;
}

/* Adds a letter; 0 when the budget is spent, but for the first. */
static uint32_t add_letter(struct making *making, unsigned cell)
{
    if (making->letter_count == making->letter_room) {
        const size_t room =
            making->letter_room == 0 ? 256 : making->letter_room + arena_more(making->letter_room);
        struct letter *letters =
            arena_resize(&making->search->arena, making->letters, room * sizeof *letters);
        if (letters == NULL)
            return 0;
        making->letters = letters;
        making->letter_room = room;
    }
    making->letters[making->letter_count] = (struct letter){.cell = (uint8_t)cell};
    return (uint32_t)making->letter_count++;
}

static bool add_word(struct making *making, uint32_t path)
{
    uint32_t at = making->start.blank;
    for (unsigned i = 0; i < making->length; i++) {
        const unsigned move = path >> i * MOVE_BITS & 3;
        if (making->letters[at].child[move] == 0) {
            const unsigned to = making->search->operators.target[making->letters[at].cell][move];
            const uint32_t added = add_letter(making, to);
            if (added == 0)
                return false;
            making->letters[at].child[move] = added;
        }
        at = making->letters[at].child[move];
    }
    making->letters[at].last = true;
    making->dropped++;
    return true;
}

static struct board board_after(const struct making *making, uint32_t path, unsigned moves)
{
    struct board board = making->start;
    for (; moves > 0; moves--, path >>= MOVE_BITS)
        board_slide(&board, making->search->operators.target[board.blank][path & 3]);
    return board;
}

/* Notes the board to which a sequence leads, or adds the sequence as a word if that was seen. False
 * when the budget is spent. */
static bool look_up(struct making *making, struct met met)
{
    const uint32_t mark = (uint32_t)(met.hash >> 32) << DEPTH_BITS | (met.moves + 1);
    uint64_t slot = met.hash & making->last_seen;
    for (; making->seen[slot].mark != 0; slot = (slot + 1) & making->last_seen) {
        const struct seen seen = making->seen[slot];
        if (seen.mark >> DEPTH_BITS != mark >> DEPTH_BITS)
            continue;
        const struct board board =
            board_after(making, seen.path, seen.mark % (1U << DEPTH_BITS) - 1);
        const struct board other = board_after(making, met.path, met.moves);
        if (board_equal(&board, &other))
            return add_word(making, met.path);
    }
    making->seen[slot] = (struct seen){met.path, mark};
    return true;
}

/* Looks up the board of the walk, later: its slot comes from memory. */
static bool meet(struct making *making, uint32_t path, unsigned moves)
{
    struct met *met = &making->met[making->meetings++ % WAITING];
    const bool fine = making->meetings <= WAITING || look_up(making, *met);
    *met = (struct met){XXH3_64bits(making->board.cell, cells_of(making)), path, moves};
    __builtin_prefetch(&making->seen[met->hash & making->last_seen]);
    return fine;
}

/* Looks up the boards that wait. */
static bool look_up_all(struct making *making)
{
    const uint64_t count = making->meetings;
    bool fine = true;
    for (uint64_t i = count < WAITING ? 0 : count - WAITING; fine && i < count; i++)
        fine = look_up(making, making->met[i % WAITING]);
    making->meetings = 0;
    return fine;
}

/* Walks all sequences that are not dropped yet, in operator order. False when the search is over.
 */
static bool walk(struct making *making, unsigned context, uint32_t path, unsigned depth)
{
    enum { STEPS_PER_LOOK = 1 << 14 };
    struct search *search = making->search;
    struct board *board = &making->board;
    if (++making->steps % STEPS_PER_LOOK == 0 && !search_may_go_on(search)) {
        making->stopped = true;
        return false;
    }
    bool fine =
        depth < making->noted || (making->length - depth) % 2 != 0 || meet(making, path, depth);
    for (unsigned turn = 0; fine && depth < making->limit && turn < MOVES; turn++) {
        const unsigned move = search->operators.order[turn];
        const unsigned next = context_after(making->pruning, context, move);
        const unsigned blank = board->blank;
        if (next == PRUNED)
            continue;
        board_slide(board, search->operators.target[blank][move]);
        fine = walk(making, next, path | move << depth * MOVE_BITS, depth + 1);
        board_slide(board, blank);
    }
    return fine;
}

/* Numbers the letters that are not the last of a word as contexts, from the roots on, and says for
 * each move which context is the longest end of what was moved then (Aho and Corasick, "Efficient
 * string matching", Communications of the ACM 18, 1975). `letters` and `shorter` have room for the
 * letter of each context and for the context of its longest proper end. The table holds contexts,
 * which are not links yet. */
static void number_contexts(const struct making *making, struct pruning *pruning, uint32_t *letters,
                            uint32_t *shorter)
{
    const unsigned cells = cells_of(making);
    for (unsigned cell = 0; cell < cells; cell++)
        letters[cell] = cell;
    pruning->count = cells;
    for (unsigned context = 0; context < pruning->count; context++) {
        const struct letter *letter = &making->letters[letters[context]];
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned to = making->search->operators.target[letter->cell][move];
            const uint32_t child = letter->child[move];
            uint32_t *next = &pruning->next[context][move];
            if (to == NO_CELL || making->letters[child].last) {
                *next = PRUNED;
                continue;
            }
            *next = context < cells ? to : pruning->next[shorter[context]][move];
            if (child != 0) {
                letters[pruning->count] = child;
                shorter[pruning->count] = *next;
                *next = pruning->count++;
            }
        }
    }
}

/* Adds the contexts of root_context. */
static void add_roots(const struct making *making, struct pruning *pruning, uint32_t *letters)
{
    pruning->roots = pruning->count;
    for (unsigned cell = 0; cell < cells_of(making); cell++)
        for (unsigned undo = 0; undo < MOVES; undo++) {
            const unsigned context = pruning->count++;
            memcpy(pruning->next[context], pruning->next[cell], sizeof *pruning->next);
            pruning->next[context][undo] = PRUNED;
            letters[context] = cell;
        }
}

/* Makes links of the contexts in the table. `left` has room for the moves that each leaves. */
static void link_contexts(const struct making *making, const struct pruning *pruning,
                          const uint32_t *letters, uint32_t *left)
{
    for (unsigned context = 0; context < pruning->count; context++) {
        left[context] = (uint32_t)making->letters[letters[context]].cell << MOVES;
        for (unsigned move = 0; move < MOVES; move++)
            left[context] |= (uint32_t)(pruning->next[context][move] != PRUNED) << move;
    }
    for (unsigned context = 0; context < pruning->count; context++)
        for (unsigned move = 0; move < MOVES; move++) {
            uint32_t *next = &pruning->next[context][move];
            *next = *next << LEFT_BITS | (*next == PRUNED ? 0 : left[*next]);
        }
}

/* Makes the automaton that drops the words in the trie. False when the budget is spent. */
static bool make_contexts(const struct making *making, struct pruning *pruning)
{
    struct arena *arena = &making->search->arena;
    const size_t count = making->letter_count - making->dropped + (size_t)cells_of(making) * MOVES;
    *pruning = (struct pruning){.next = arena_take(arena, count * sizeof *pruning->next)};
    uint32_t *letters = arena_take(arena, count * sizeof *letters);
    uint32_t *shorter = arena_take(arena, count * sizeof *shorter);
    const bool fine = pruning->next != NULL && letters != NULL && shorter != NULL;
    if (fine) {
        number_contexts(making, pruning, letters, shorter);
        add_roots(making, pruning, letters);
        assert(pruning->count == count && count < MAX_CONTEXTS);
        link_contexts(making, pruning, letters, shorter);
    }
    arena_release(arena, letters);
    arena_release(arena, shorter);
    return fine;
}

/* Takes memory for the boards of a walk: of as many as there are sequences, at most. False when the
 * budget is spent. */
static bool take_seen(struct making *making)
{
    struct arena *arena = &making->search->arena;
    const struct pruning *pruning = making->pruning;
    const size_t bytes = pruning->count * sizeof(uint32_t);
    uint32_t *ways = arena_take(arena, bytes); /* sequences of n moves, by context */
    uint32_t *fewer = arena_take(arena, bytes);
    uint64_t boards[MAX_CELLS] = {0};
    uint64_t most = 0;
    for (unsigned n = 0; ways != NULL && fewer != NULL && n <= making->length; n++) {
        for (unsigned context = 0; context < pruning->count; context++) {
            ways[context] = n == 0;
            for (unsigned move = 0; n > 0 && move < MOVES; move++) {
                const unsigned next = context_after(pruning, context, move);
                ways[context] += next == PRUNED ? 0 : fewer[next];
            }
        }
        for (unsigned cell = 0; (making->length - n) % 2 == 0 && cell < cells_of(making); cell++) {
            boards[cell] += ways[cell];
            most = boards[cell] > most ? boards[cell] : most;
        }
        uint32_t *swap = ways;
        ways = fewer;
        fewer = swap;
    }
    arena_release(arena, ways);
    arena_release(arena, fewer);
    making->last_seen = 1;
    while (making->last_seen < most + most / 2)
        making->last_seen = making->last_seen * 2 + 1;
    making->seen =
        most == 0 ? NULL : arena_take(arena, (making->last_seen + 1) * sizeof *making->seen);
    return making->seen != NULL;
}

/* Adds all words of one length. False when the search is over. */
static bool find_words(struct making *making)
{
    bool fine = true;
    for (unsigned cell = 0; fine && cell < cells_of(making); cell++) {
        memset(making->seen, 0, (making->last_seen + 1) * sizeof *making->seen);
        making->start = making->board = board_with_blank(making->start.shape, cell);
        making->noted = 0;
        making->limit = making->length - 2;
        fine = walk(making, cell, 0, 0);
        making->noted = making->limit = making->length;
        fine = fine && walk(making, cell, 0, 0) && look_up_all(making);
    }
    return fine;
}

bool pruning_make(struct pruning *pruning, struct search *search, unsigned length)
{
    struct arena *arena = &search->arena;
    struct making making = {.search = search, .pruning = pruning};
    bool fine = true;
    making.start.shape = search->task->start.shape;
    for (unsigned cell = 0; fine && cell < cells_of(&making); cell++)
        fine = add_letter(&making, cell) == cell && making.letters != NULL;
    fine = fine && make_contexts(&making, pruning);
    for (making.length = 2; fine && making.length <= length; making.length++) {
        fine = take_seen(&making) && find_words(&making);
        arena_release(arena, making.seen);
        arena_release(arena, pruning->next);
        fine = fine && make_contexts(&making, pruning);
    }
    arena_release(arena, making.letters);
    if (!fine && !making.stopped)
        search->status = STATUS_memory_limit;
    return fine;
}

bool pruning_start(struct pruning *pruning, struct search *search, int64_t length)
{
    if (length < 2)
        return true;
    if (!pruning_make(pruning, search, (unsigned)length))
        return false;
    search->pruning = pruning;
    return true;
}
