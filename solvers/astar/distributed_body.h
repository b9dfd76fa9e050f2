/* Hash-distributed A* (Kishimoto, Fukunaga and Botea, "Scalable, parallel best-first search for
 * optimal sequential planning", ICAPS 2009), for boards of up to 25 cells: with class_notes.h for
 * consistent heuristics, with g_notes.h for any.
 *
 * A hash of its key gives each strip, and so each state, to one of SECTIONS sections. A section has
 * a closed and an open list of its own, as astar/reopening_body.h has one: whoever works on it
 * needs no locks. Children are sent to the sections that their states belong to.
 *
 * Here all goes in rounds, so that counters depend on neither threads nor time. Let F be the
 * minimum f of all live nodes and of all children that are on their way. In a round each section
 *  1. looks up the children that were sent to it in the round before, in the order of their
 *     senders;
 *  2. takes up to a batch of nodes of f = F: first those that have just come, then the deepest on
 *     its open list;
 *  3. expands them, and sorts their children by the sections that own them.
 * Threads take sections, each the next one that nobody has begun. What a section does in a round
 * depends only on what it was sent and on F. After it, all threads wait, and F is computed anew.
 *
 * The goal is taken only in a round in which nothing live has a smaller f. So the solution is a
 * shortest one if h is admissible, as with one thread. But of the nodes of the last F, a batch of
 * each section is expanded at a time, where A* goes deepest first from one; of inconsistent
 * heuristics, a state may also be reopened more or less often. So counters are not those of one
 * thread. Batches grow with the search, so that they cost it a small share in the last round. A
 * section that has no room left ends the search after the round.
 *
 * The moves stored with the states lead back to the start: the g of a stored state only falls, so
 * it is at least one larger than that of the state before it. */
#pragma once

#include "astar/rows.h"
#include "base/crew.h"
#include "heuristics/pdb_trail.h"
#include <stdatomic.h>

enum {
    SECTION_BITS = 4,
    MIN_BATCH = 16,
    MAX_BATCH = 512,
    BATCH_SHARE = 1 << 12, /* nodes expanded so far, for each node of a batch */
    CREW_BATCH = 128,      /* smaller batches are not worth waking the other threads */
    CHILDREN_AHEAD = 16    /* whose lines of the closed list are prefetched */
};

_Static_assert(SECTIONS == 1 << SECTION_BITS, "the high bits of a key are a section");

/* A child on its way, or a node of a batch. */
struct letter {
    struct kept_board kept;
    uint16_t g;
    uint16_t f;
    uint8_t blank;
    uint8_t next; /* the way that undoes the last move, as a bit */
    uint8_t undo; /* the move that does */
    uint8_t owner;
};

struct letters {
    struct letter *letter;
    uint32_t capacity;
    uint32_t first[SECTIONS + 1]; /* of those to a section, if they are sorted */
};

/* What was sent to a section, in the order of the senders. */
struct inbox {
    unsigned owner;
    unsigned sender; /* the next one */
    const struct letter *next, *end;
};

/* A child that is about to be looked up; no letter after the last. */
struct arrival {
    const struct letter *letter;
    compact_key key;
};

struct section {
    struct search search; /* its arena, limits, counters; the rest is that of the search */
    struct compact_closed closed;
    struct word_buckets open;
    struct rows rows;
    struct board board;     /* for the heuristic */
    struct letters sent[2]; /* in this round and in the one before */
    struct letters desk;    /* the children it makes */
    struct letters batch;
    uint32_t count; /* of the batch */
    uint64_t live;
    unsigned minimum; /* f of its live nodes and of what it sent; COSTS: none */
    bool undecided;
    bool solved;
};

struct distributed {
    struct search *search;
    struct board_code code;
    compact_board goal;
    struct ways ways;
    struct step_table steps;
    unsigned f;       /* F */
    uint32_t batch;   /* nodes that a section may take */
    unsigned round;   /* its parity says which letters are sent in it */
    atomic_uint next; /* section that no thread has begun */
    _Alignas(CLOSED_LINE) struct section section[SECTIONS];
};

/* The section that a key belongs to: its high bits. */
KERNEL unsigned key_owner(compact_key key)
{
    return (unsigned)(key >> (8 * sizeof key - SECTION_BITS));
}

/* The key within its section: those bits go to its other end, as the home of a key follows from its
 * high bits. */
KERNEL compact_key key_within(compact_key key)
{
    return key << SECTION_BITS | (compact_key)key_owner(key) << KEY_UNUSED;
}

KERNEL compact_key letter_key(const struct distributed *all, const struct letter *letter)
{
    return key_within(kept_key(&all->code, &letter->kept, letter->blank));
}

/* Makes room for `count` letters. False when memory is spent; the section says so. */
static bool reserve(struct section *section, struct letters *letters, uint32_t count)
{
    if (count <= letters->capacity)
        return true;
    const uint32_t capacity = count + count / 4;
    struct letter *letter =
        arena_resize(&section->search.arena, letters->letter, capacity * sizeof *letter);
    if (letter == NULL) {
        section->search.status = STATUS_memory_limit;
        return false;
    }
    letters->letter = letter;
    letters->capacity = capacity;
    return true;
}

/* Whether a child is live: its state is new, or its g smaller than the stored one. The note is
 * stored then. */
KERNEL bool settle(struct section *section, const struct letter *letter, compact_key key,
                   unsigned shift, unsigned note)
{
    struct compact_closed *closed = &section->closed;
    struct statistics *statistics = &section->search.statistics;
    struct closed_line *home = closed_home(closed, key);
    if (UNLIKELY(!closed_store_at_home(closed, home, key, shift, note))) {
        const struct closed_place place = closed_find_from(home, key);
        const unsigned known = place.known ? closed_note(place, shift) : 0;
        if (!place.known) {
            closed_enter(closed, place, key, shift, note);
        } else if (known != 0 && !note_replaces(note, known)) {
            statistics->duplicates++;
            return false;
        } else {
            closed_set_note(place, shift, note);
            closed->states += known == 0;
        }
        statistics->reopened += note_is_closed(known);
        section->live -= known != 0 && !note_is_closed(known);
    }
    section->live++;
    raise_to(&statistics->max_depth, letter->g);
    return true;
}

KERNEL bool section_has_room(const struct section *section)
{
    return closed_has_room(&section->closed) && word_buckets_has_room(&section->open);
}

/* The next child that was sent to the section; NULL after the last. */
KERNEL const struct letter *inbox_next(const struct distributed *all, struct inbox *inbox)
{
    while (UNLIKELY(inbox->next == inbox->end)) {
        if (inbox->sender == SECTIONS)
            return NULL;
        const struct letters *sent = &all->section[inbox->sender++].sent[(all->round + 1) % 2];
        const uint32_t *first = &sent->first[inbox->owner];
        if (first[0] < first[1]) {
            inbox->next = sent->letter + first[0];
            inbox->end = sent->letter + first[1];
        }
    }
    return inbox->next++;
}

/* The same, with its key, in *child; its line of the closed list is prefetched. */
KERNEL void inbox_look(const struct distributed *all, const struct section *section,
                       struct inbox *inbox, struct arrival *child)
{
    child->letter = inbox_next(all, inbox);
    if (child->letter == NULL)
        return;
    child->key = letter_key(all, child->letter);
    closed_prefetch(&section->closed, child->key);
}

/* Looks up the children that were sent to the section, in the order of their senders: nodes of
 * f = F fill the batch, others go on the open list. False when memory or time is spent. */
static bool settle_all(struct distributed *all, unsigned number)
{
    struct section *section = &all->section[number];
    struct inbox inbox = {.owner = number};
    struct arrival ahead[CHILDREN_AHEAD];
    section->count = 0;
    if (!reserve(section, &section->batch, all->batch))
        return false;
    for (unsigned i = 0; i < CHILDREN_AHEAD; i++)
        inbox_look(all, section, &inbox, &ahead[i]);
    for (unsigned at = 0; ahead[at].letter != NULL; at = (at + 1) % CHILDREN_AHEAD) {
        const struct letter *letter = ahead[at].letter;
        const compact_key key = ahead[at].key;
        const struct arrival *between = &ahead[(at + CHILDREN_AHEAD / 2) % CHILDREN_AHEAD];
        inbox_look(all, section, &inbox, &ahead[at]);
        if (between->letter != NULL)
            closed_prefetch_behind(closed_home(&section->closed, between->key));
        if (UNLIKELY(!section_has_room(section)) &&
            !lists_make_room(&section->closed, &section->open, &section->search))
            return false;
        const bool goes_on = letter->f == all->f && section->count < all->batch;
        const unsigned note = note_live(letter->g, letter->undo);
        if (!settle(section, letter, key, closed_shift(&all->code, letter->blank),
                    goes_on ? note_closed(note) : note))
            continue;
        if (goes_on)
            section->batch.letter[section->count++] = *letter;
        else if (!rows_push(&section->rows, &section->open, letter->f, letter->g,
                            word_of(&all->code, &letter->kept, letter->blank, letter->next))) {
            section->search.status = STATUS_memory_limit;
            return false;
        }
    }
    return true;
}

/* Fills the batch from the open list, and passes over nodes that were replaced. */
static void fill_batch(struct distributed *all, struct section *section)
{
    struct letter *const batch = section->batch.letter;
    uint32_t taken = section->count;
    uint64_t *bucket;
    while (taken < all->batch && (bucket = rows_first(&section->rows)) != NULL &&
           section->rows.lowest == all->f) {
        const open_word word = section->open.words[*bucket];
        struct letter *node = &batch[taken++];
        bucket_pop(&section->open, bucket);
        node->g = (uint16_t)rows_first_g(&section->rows);
        node->f = (uint16_t)all->f;
        node->blank = (uint8_t)word_board(&all->code, word, &node->kept);
        node->next = (uint8_t)word_bits(word);
        closed_prefetch(&section->closed, letter_key(all, node));
    }
    for (uint32_t i = section->count; i < taken; i++) {
        const struct closed_place place = closed_find(&section->closed, letter_key(all, &batch[i]));
        const unsigned shift = closed_shift(&all->code, batch[i].blank);
        const unsigned note = closed_note(place, shift);
        if (note_is_live(note, batch[i].g)) {
            closed_set_note(place, shift, note_closed(note));
            batch[section->count++] = batch[i];
        }
    }
}

/* The h of the child that a way leads to. The section's board is the parent's, if the heuristic
 * wants to see it. */
KERNEL unsigned child_h(struct distributed *all, struct section *section, const struct letter *node,
                        const struct way *way, unsigned tile)
{
    const struct heuristic *heuristic = all->search->heuristic;
    const unsigned h = (unsigned)node->f - node->g;
    const unsigned from = way_cell(way);
    if (all->search->steps != NULL)
        return h + (unsigned)all->steps.of[node->blank][move_undo(way->undo)][tile];
    board_slide(&section->board, from);
    const unsigned value =
        heuristic->kind->step(heuristic, &section->board, h, tile, from, node->blank);
    board_slide(&section->board, node->blank);
    return value;
}

/* The h of the children that these ways lead to, below pattern databases. */
static CALLED void children_h(struct distributed *all, struct section *section,
                              const struct letter *node, unsigned ways, const struct pdb *pdb,
                              unsigned h[MOVES])
{
    uint8_t move[MOVES];
    unsigned count = 0;
    for (; ways != 0; ways &= ways - 1)
        move[count++] = (uint8_t)move_undo(all->ways.way[node->blank][__builtin_ctz(ways)].undo);
    pdb_children(pdb, &section->board, move, count, h);
}

/* Makes a node's children on the desk, from `child` on. `pdb`: as pdb_with_children(). Returns the
 * end of them. */
KERNEL struct letter *expand(struct distributed *all, struct section *section,
                             const struct letter *node, struct letter *child, const struct pdb *pdb)
{
    unsigned h[MOVES];
    unsigned left = all->ways.bits[node->blank] & ~(unsigned)node->next;
    static const uint8_t ones[1 << MOVES] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const unsigned allowed = search_may_generate(&section->search, ones[left]);
    if (all->search->steps == NULL) {
        section->board.blank = node->blank;
        compact_unpack(node->kept.board, &section->board);
        if (pdb != NULL)
            children_h(all, section, node, left, pdb, h);
    }
    for (unsigned i = 0; i < allowed; i++, left &= left - 1) {
        const struct way *way = &all->ways.way[node->blank][__builtin_ctz(left)];
        if (pdb == NULL)
            h[i] = child_h(all, section, node, way, way_tile(way, node->kept.board));
        const unsigned f = node->g + 1 + h[i];
        child->kept = child_of(&all->code, &node->kept, way);
        child->g = (uint16_t)(node->g + 1);
        child->f = (uint16_t)f;
        child->blank = (uint8_t)way_cell(way);
        child->next = way->next;
        child->undo = way->undo;
        child->owner = (uint8_t)key_owner(kept_key(&all->code, &child->kept, child->blank));
        if (UNLIKELY(!note_allows(node->f, f)) || UNLIKELY(f >= COSTS))
            section->undecided = true;
        section->minimum = f < section->minimum ? f : section->minimum;
        child++;
    }
    section->search.statistics.generated += allowed;
    return child;
}

/* Expands the batch. Returns the end of the children on the desk; NULL when memory is spent. */
static struct letter *expand_batch(struct distributed *all, struct section *section)
{
    if (!reserve(section, &section->desk, section->count * MOVES))
        return NULL;
    const struct pdb *pdb = pdb_with_children(all->search->heuristic);
    struct letter *end = section->desk.letter;
    for (uint32_t i = 0; i < section->count; i++) {
        const struct letter *node = &section->batch.letter[i];
        if (section->search.status == STATUS_node_limit)
            return end;
        section->live--;
        if (UNLIKELY(node->kept.board == all->goal)) {
            section->solved = true;
            return end;
        }
        if (UNLIKELY(node->g + 1 == DEPTHS)) {
            section->undecided = true;
            return end;
        }
        section->search.statistics.expanded++;
        end = expand(all, section, node, end, pdb);
    }
    return end;
}

/* Sorts what is on the desk by owner and sends it. False when memory is spent. */
static bool send(struct distributed *all, struct section *section, const struct letter *end)
{
    struct letters *sent = &section->sent[all->round % 2];
    uint32_t next[SECTIONS] = {0};
    uint32_t sum = 0;
    for (const struct letter *letter = section->desk.letter; letter < end; letter++)
        next[letter->owner]++;
    for (unsigned i = 0; i < SECTIONS; i++) {
        const uint32_t count = next[i];
        sent->first[i] = next[i] = sum;
        sum += count;
    }
    sent->first[SECTIONS] = sum;
    if (!reserve(section, sent, sum))
        return false;
    for (const struct letter *letter = section->desk.letter; letter < end; letter++)
        sent->letter[next[letter->owner]++] = *letter;
    return true;
}

/* A section's part of a round. */
static void work_on(struct distributed *all, unsigned number)
{
    struct section *section = &all->section[number];
    section->minimum = COSTS;
    if (!settle_all(all, number))
        return;
    fill_batch(all, section);
    const struct letter *end = expand_batch(all, section);
    if (end == NULL || !send(all, section, end))
        return;
    if (rows_first(&section->rows) != NULL && section->rows.lowest < section->minimum)
        section->minimum = section->rows.lowest;
}

/* What each thread does in a round. */
static void work(void *context, unsigned number)
{
    struct distributed *all = context;
    (void)number;
    unsigned next;
    while ((next = atomic_fetch_add_explicit(&all->next, 1, memory_order_relaxed)) < SECTIONS)
        work_on(all, next);
}

/* The same by the caller alone: near the limit of nodes, so that what is generated ends there. */
static void work_to_the_limit(struct distributed *all, uint64_t left)
{
    for (unsigned i = 0; i < SECTIONS; i++) {
        struct search *own = &all->section[i].search;
        const uint64_t before = own->statistics.generated;
        own->limits.nodes = before + left;
        work_on(all, i);
        if (own->status == STATUS_node_limit)
            return;
        own->limits.nodes = UINT64_MAX;
        left -= own->statistics.generated - before;
    }
}

/* Adds up what the sections have counted. False when the search is over. */
static bool sum_up(struct distributed *all)
{
    struct search *search = all->search;
    struct statistics *sum = &search->statistics;
    const uint64_t max_open = sum->max_open;
    uint64_t live = 0;
    bool going_on = true;
    *sum = (struct statistics){.generated = 1, .iterations = 1};
    all->f = COSTS;
    for (unsigned i = 0; i < SECTIONS; i++) {
        const struct section *section = &all->section[i];
        const struct statistics *own = &section->search.statistics;
        sum->expanded += own->expanded;
        sum->generated += own->generated;
        sum->duplicates += own->duplicates;
        sum->reopened += own->reopened;
        sum->max_stored += section->closed.states;
        raise_to(&sum->max_depth, own->max_depth);
        live += section->live;
        all->f = section->minimum < all->f ? section->minimum : all->f;
        search->arena.starved |= section->search.arena.starved;
        if (section->search.status != STATUS_exhausted) {
            search->status = section->search.status;
            going_on = false;
        }
        going_on = going_on && !section->undecided;
    }
    sum->open_at_end = live;
    sum->max_open = max_open;
    raise_to(&sum->max_open, live);
    return going_on;
}

/* The stored note of a board. */
static unsigned note_of_board(const struct distributed *all, const struct board *board)
{
    const compact_key key = board_key(&all->code, board);
    const struct compact_closed *closed = &all->section[key_owner(key)].closed;
    return closed_note(closed_find(closed, key_within(key)),
                       closed_shift(&all->code, board->blank));
}

/* Goes back from the goal along the stored moves; writes those of the path into `moves`, which may
 * be NULL, from its `length`-th back. Returns how many there are. */
static size_t walk_from_goal(const struct distributed *all, char *moves, size_t length)
{
    const struct search *search = all->search;
    struct board board = search->task->goal;
    size_t count = 0;
    while (!board_equal(&board, &search->task->start)) {
        const unsigned undo = note_undo(note_of_board(all, &board));
        count++;
        if (moves != NULL)
            moves[length - count] = move_letters[move_undo(undo)];
        board_slide(&board, search->operators.target[board.blank][undo]);
    }
    return count;
}

static void solve(const struct distributed *all)
{
    const size_t length = walk_from_goal(all, NULL, 0);
    char *moves = search_solved(all->search, length);
    if (moves != NULL)
        walk_from_goal(all, moves, length);
}

static bool is_solved(const struct distributed *all)
{
    for (unsigned i = 0; i < SECTIONS; i++)
        if (all->section[i].solved)
            return true;
    return false;
}

/* Round after round until the search is over. */
static void search_rounds(struct distributed *all, struct crew *crew)
{
    struct search *search = all->search;
    for (; all->f < COSTS; all->round++) {
        const uint64_t batch = search->statistics.expanded / BATCH_SHARE;
        const uint64_t left = search->limits.nodes - search->statistics.generated;
        if (!search_may_go_on(search))
            return;
        all->batch = batch < MIN_BATCH   ? MIN_BATCH
                     : batch > MAX_BATCH ? MAX_BATCH
                                         : (uint32_t)batch;
        all->next = 0;
        if (left < (uint64_t)SECTIONS * MOVES * all->batch)
            work_to_the_limit(all, left);
        else if (all->batch < CREW_BATCH)
            work(all, 0);
        else
            crew_work(crew, work, all);
        if (!sum_up(all))
            return;
        if (is_solved(all)) {
            solve(all);
            return;
        }
    }
    search->status = STATUS_exhausted;
}

/* Gives a section its lists, and a share of the budget. False when that is too small. */
static bool section_start(struct distributed *all, struct section *section, uint64_t bytes,
                          uint64_t lines)
{
    struct search *own = &section->search;
    *own = (struct search){.task = all->search->task,
                           .limits = all->search->limits,
                           .deadline = all->search->deadline,
                           .cpu_deadline = all->search->cpu_deadline,
                           .cpu_clock = all->search->cpu_clock,
                           .status = STATUS_exhausted};
    own->limits.nodes = UINT64_MAX;
    arena_start(&own->arena, bytes);
    section->rows.lowest = COSTS;
    section->board = all->search->task->start;
    return closed_start(&section->closed, &own->arena, lines) &&
           word_buckets_start(&section->open, &own->arena);
}

/* The root is sent to its section. False when memory is spent. */
static bool send_root(struct distributed *all)
{
    const struct board *start = &all->search->task->start;
    const compact_key key = board_key(&all->code, start);
    struct section *section = &all->section[0];
    struct letters *sent = &section->sent[1]; /* before round 0 */
    if (!reserve(section, sent, 1))
        return false;
    sent->letter[0] = (struct letter){
        .kept = keep_board(compact_pack(start), key), .f = (uint16_t)all->f, .blank = start->blank};
    for (unsigned i = key_owner(key) + 1; i <= SECTIONS; i++)
        sent->first[i] = 1;
    return true;
}

static bool start(struct distributed *all, uint64_t lines)
{
    struct search *search = all->search;
    const uint64_t bytes = (search->arena.budget - search->arena.used) / SECTIONS;
    code_make(&all->code, &search->task->start);
    all->goal = compact_pack(&search->task->goal);
    ways_make(&all->ways, search, &all->code);
    search_table_steps(search, &all->steps);
    all->f = search_start_h(search);
    bool fine = true;
    for (unsigned i = 0; i < SECTIONS; i++)
        fine = section_start(all, &all->section[i], bytes, lines) && fine;
    return fine && send_root(all);
}

/* Frees the sections; what they held at most, in all, counts as held at once. */
static void end(struct distributed *all)
{
    struct arena *arena = &all->search->arena;
    uint64_t peak = 0;
    for (unsigned i = 0; i < SECTIONS; i++) {
        peak += all->section[i].search.arena.peak;
        arena_end(&all->section[i].search.arena);
    }
    if (arena_count(arena, peak))
        arena_discount(arena, peak);
    all->search->steps = NULL;
    arena_release(arena, all);
}

bool STAMP(struct search *search, const struct compact_pace *pace)
{
    const struct statistics before = search->statistics;
    struct distributed *all = arena_take(&search->arena, sizeof *all);
    bool decided = true;
    search->status = STATUS_memory_limit;
    if (!search_generates(search) || all == NULL) {
        arena_release(&search->arena, all);
        return true;
    }
    all->search = search;
    if (search_start_h(search) >= COSTS) {
        decided = false;
    } else if (start(all, pace->lines)) {
        struct crew *crew = crew_start(pace->threads);
        search_rounds(all, crew);
        search->crew_seconds += crew_end(crew);
    }
    for (unsigned i = 0; i < SECTIONS; i++)
        decided = decided && !all->section[i].undecided;
    if (!decided)
        search->statistics = before;
    end(all);
    return decided;
}
