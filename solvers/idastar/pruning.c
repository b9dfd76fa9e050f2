#include "idastar/pruning.h"
#include "search/store.h"

/* A sequence of moves, from a cell of the blank on, to a board to which an earlier one leads. */
struct word {
    uint8_t cell;
    uint8_t length;
    uint8_t move[MAX_PRUNING];
};

/* A node of the trie of the words that are dropped. The first ones are roots, one for each cell. */
struct letter {
    uint32_t child[MOVES]; /* 0: none */
    uint8_t cell;          /* where the blank is */
    bool last;             /* of a word */
};

struct making {
    struct arena *arena;
    struct shape shape;
    const struct operators *operators;
    unsigned length;
    struct word *words;
    size_t word_count, word_room;
    struct letter *letters;
    size_t letter_count, letter_room;
    size_t dropped; /* words in the trie */
};

/* Makes room for one more in an array; NULL when the budget is spent, and the array is as it was.
 */
static void *make_room(struct arena *arena, void *array, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return array;
    const size_t wanted = *room == 0 ? 256 : *room + arena_more(*room);
    void *grown = arena_resize(arena, array, wanted * bytes);
    if (grown != NULL)
        *room = wanted;
    return grown;
}

/* Notes the sequence that leads to node `id` and then makes one move. */
static bool note_word(struct making *making, const struct store *store, uint32_t id, unsigned move)
{
    struct word *words = make_room(making->arena, making->words, making->word_count,
                                   &making->word_room, sizeof *words);
    if (words == NULL)
        return false;
    making->words = words;
    struct word *word = &words[making->word_count++];
    unsigned at = store->nodes[id].g;
    *word = (struct word){.cell = store->nodes[0].blank, .length = (uint8_t)(at + 1)};
    word->move[at] = (uint8_t)move;
    for (; at > 0; id = store->nodes[id].parent)
        word->move[--at] = store->nodes[id].move;
    return true;
}

/* Makes the children of a node in operator order, and notes a word for each board that is known. */
static bool expand(struct making *making, struct store *store, enum packing packing, uint32_t id)
{
    const struct node node = store->nodes[id];
    const struct exits *exits = &making->operators->exits[node.blank][MOVE_NONE];
    bool fine = true;
    for (unsigned i = 0; fine && i < exits->count; i++) {
        const struct exit exit = exits->exit[i];
        const union packed state =
            successor_of(packing, store_state(store, packing, id), node.blank, exit).state;
        const struct node child = {
            .parent = id, .g = node.g + 1, .blank = exit.from, .move = (uint8_t)(exit.move & 15)};
        fine = store_find(store, packing, state) != NO_NODE
                   ? note_word(making, store, id, exit.move)
                   : store_add(store, packing, state, child) != NO_NODE &&
                         store_enter(store, packing, store->count - 1);
    }
    return fine;
}

/* Notes all words from a cell, in the order in which a breadth-first search meets them. */
static bool find_words(struct making *making, unsigned cell)
{
    const enum packing packing = packing_of(making->shape);
    struct board board = {.shape = making->shape, .blank = (uint8_t)cell};
    struct store store;
    for (unsigned i = 0, tile = 1; i < board.shape.cells; i++)
        board.cell[i] = i == cell ? 0 : (uint8_t)tile++;
    store_start(&store, making->arena);
    bool fine = store_add(&store, packing, pack(packing, &board),
                          (struct node){.blank = (uint8_t)cell}) != NO_NODE &&
                store_enter(&store, packing, 0);
    for (uint32_t id = 0; fine && id < store.count && store.nodes[id].g < making->length; id++)
        fine = expand(making, &store, packing, id);
    store_end(&store);
    return fine;
}

/* Whether a word ends in one that is in the trie, where all shorter ones are. */
static bool ends_in_one(const struct making *making, const struct word *word)
{
    unsigned cell = word->cell;
    for (unsigned first = 0; first < word->length; first++) {
        uint32_t at = cell;
        unsigned i = first;
        do
            at = making->letters[at].child[word->move[i++]];
        while (at != 0 && i < word->length);
        if (at != 0 && making->letters[at].last)
            return true;
        cell = making->operators->target[cell][word->move[first]];
    }
    return false;
}

/* Adds a letter; 0 when the budget is spent, but for the first. */
static uint32_t add_letter(struct making *making, unsigned cell)
{
    struct letter *letters = make_room(making->arena, making->letters, making->letter_count,
                                       &making->letter_room, sizeof *letters);
    if (letters == NULL)
        return 0;
    making->letters = letters;
    letters[making->letter_count] = (struct letter){.cell = (uint8_t)cell};
    return (uint32_t)making->letter_count++;
}

static bool add_word(struct making *making, const struct word *word)
{
    uint32_t at = word->cell;
    for (unsigned i = 0; i < word->length; i++) {
        const unsigned move = word->move[i];
        if (making->letters[at].child[move] == 0) {
            const unsigned to = making->operators->target[making->letters[at].cell][move];
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

static unsigned root_contexts(const struct making *making)
{
    return making->shape.cells * MOVES;
}

/* Puts the words into the trie, the shortest first. */
static bool make_trie(struct making *making)
{
    for (unsigned cell = 0; cell < making->shape.cells; cell++)
        if (add_letter(making, cell) == 0 && cell > 0)
            return false;
    for (unsigned length = 1; length <= making->length; length++)
        for (size_t i = 0; i < making->word_count; i++) {
            const struct word *word = &making->words[i];
            if (word->length != length || ends_in_one(making, word))
                continue;
            if (making->letter_count - making->dropped + length + root_contexts(making) >
                MAX_CONTEXTS)
                return true;
            if (!add_word(making, word))
                return false;
        }
    return making->letters != NULL;
}

/* Numbers the letters that are not the last of a word as contexts, from the roots on, and says for
 * each move which context is the longest end of what was moved then (Aho and Corasick, "Efficient
 * string matching", Communications of the ACM 18, 1975). `letters` and `shorter` have room for the
 * letter of each context and for the context of its longest proper end. */
static void link_contexts(const struct making *making, struct pruning *pruning, uint32_t *letters,
                          uint16_t *shorter)
{
    const unsigned cells = making->shape.cells;
    for (unsigned cell = 0; cell < cells; cell++)
        letters[cell] = cell;
    pruning->count = cells;
    for (unsigned context = 0; context < pruning->count; context++) {
        const struct letter *letter = &making->letters[letters[context]];
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned to = making->operators->target[letter->cell][move];
            const uint32_t child = letter->child[move];
            uint16_t *next = &pruning->next[context][move];
            if (to == NO_CELL || making->letters[child].last) {
                *next = PRUNED;
                continue;
            }
            *next = context < cells ? (uint16_t)to : pruning->next[shorter[context]][move];
            if (child != 0) {
                letters[pruning->count] = child;
                shorter[pruning->count] = *next;
                *next = (uint16_t)pruning->count++;
            }
        }
    }
}

/* Adds the contexts of root_context. */
static void add_roots(const struct making *making, struct pruning *pruning, uint32_t *letters)
{
    pruning->roots = pruning->count;
    for (unsigned cell = 0; cell < making->shape.cells; cell++)
        for (unsigned undo = 0; undo < MOVES; undo++) {
            const unsigned context = pruning->count++;
            memcpy(pruning->next[context], pruning->next[cell], sizeof *pruning->next);
            pruning->next[context][undo] = PRUNED;
            pruning->followers[context].undo = (uint8_t)undo;
            letters[context] = cell;
        }
}

/* Lists what may follow each context after a move, of which there is one: a move is the beginning
 * of a word of two moves, which undoes it. */
static void list_followers(const struct making *making, struct pruning *pruning,
                           const uint32_t *letters)
{
    for (unsigned context = 0; context < pruning->count; context++) {
        const unsigned cell = making->letters[letters[context]].cell;
        for (unsigned move = 0; move < MOVES; move++) {
            const uint16_t next = pruning->next[context][move];
            struct followers *followers = &pruning->followers[context];
            if (next == PRUNED)
                continue;
            pruning->followers[next].undo = (uint8_t)move_undo(move);
            if (context >= making->shape.cells)
                followers->slide[followers->number++] =
                    (struct follower){.context = next, .slide = (uint8_t)(cell * MOVES + move)};
        }
    }
}

bool pruning_make(struct pruning *pruning, struct arena *arena, struct shape shape,
                  const struct operators *operators, unsigned length)
{
    struct making making = {
        .arena = arena, .shape = shape, .operators = operators, .length = length};
    bool fine = true;
    for (unsigned cell = 0; fine && cell < shape.cells; cell++)
        fine = find_words(&making, cell);
    fine = fine && make_trie(&making);
    arena_release(arena, making.words);
    if (fine) {
        const size_t count = making.letter_count - making.dropped + root_contexts(&making);
        *pruning =
            (struct pruning){.next = arena_take(arena, count * sizeof *pruning->next),
                             .followers = arena_take(arena, count * sizeof *pruning->followers)};
        uint32_t *letters = arena_take(arena, count * sizeof *letters);
        uint16_t *shorter = arena_take(arena, count * sizeof *shorter);
        fine = pruning->next != NULL && pruning->followers != NULL && letters != NULL &&
               shorter != NULL;
        if (fine) {
            link_contexts(&making, pruning, letters, shorter);
            add_roots(&making, pruning, letters);
            assert(pruning->count == count);
            list_followers(&making, pruning, letters);
        }
        arena_release(arena, letters);
        arena_release(arena, shorter);
    }
    arena_release(arena, making.letters);
    return fine;
}

bool pruning_start(struct pruning *pruning, struct search *search, int64_t length)
{
    if (length < 2)
        return true;
    if (!pruning_make(pruning, &search->arena, search->task->start.shape, &search->operators,
                      (unsigned)length)) {
        search->status = STATUS_memory_limit;
        return false;
    }
    search->pruning = pruning;
    return true;
}
