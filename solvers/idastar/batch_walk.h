/* What the counters that take nodes from a stack in batches have in common: part of their bodies,
 * after what each defines for itself: struct node and counting, expand_batch, follower_of,
 * root_values, tables_make and has_room_for. */
#pragma once

KERNEL void begin(struct counting *counting, unsigned threshold)
{
    counting->threshold = threshold;
    counting->deepest = 0;
    counting->outcome = SUBTREE_COUNTED;
    counting->look -= counting->look > counting->expanded ? counting->expanded : counting->look;
    counting->expanded = counting->generated = 0;
}

static bool too_many(const struct counting *counting)
{
    const struct search *search = counting->search;
    return counting->generated > search->limits.nodes - search->statistics.generated;
}

/* Whether there is reason to go on. Asked once in some ten thousand nodes. The watcher is shown
 * what was counted so far, although the subtree may still be refused. */
CALLED static bool goes_on(struct counting *counting)
{
    enum { EXPANDED_PER_LOOK = 1 << 14 };
    struct search *search = counting->search;
    struct statistics *statistics = &search->statistics;
    counting->look = counting->expanded + EXPANDED_PER_LOOK;
    if (too_many(counting)) {
        counting->outcome = SUBTREE_REFUSED;
    } else {
        statistics->expanded += counting->expanded;
        statistics->generated += counting->generated;
        if (!search_may_go_on(search))
            counting->outcome = SUBTREE_STOPPED;
        statistics->expanded -= counting->expanded;
        statistics->generated -= counting->generated;
    }
    return counting->outcome == SUBTREE_COUNTED;
}

/* Counts all nodes below the roots, of which there are so many on the stack. */
KERNEL void expand_all(struct counting *counting, unsigned roots, unsigned sums)
{
    struct node *const full =
        counting->stack + STACK - 2 * BATCH; /* room for what a batch may add */
    struct node *top = counting->stack + roots;
    while (top > counting->stack) {
        top = expand_batch(counting, top, sums);
        if (UNLIKELY(counting->deepest >= counting->threshold || top > full)) {
            counting->outcome = SUBTREE_REFUSED; /* the goal is in it, or it is too wide */
            return;
        }
        if (UNLIKELY(counting->expanded >= counting->look) && !goes_on(counting))
            return;
    }
}

/* What is counted goes into the statistics, unless the subtree is counted or walked again. */
KERNEL enum subtree_outcome finish(struct counting *counting)
{
    const struct search *search = counting->search;
    struct statistics *statistics = &counting->search->statistics;
    if (counting->outcome == SUBTREE_COUNTED && too_many(counting))
        counting->outcome = SUBTREE_REFUSED;
    if (counting->outcome == SUBTREE_REFUSED || search->paused)
        return counting->outcome;
    const uint64_t left = search->limits.nodes - statistics->generated;
    statistics->expanded += counting->expanded;
    statistics->generated += counting->generated < left ? counting->generated : left;
    raise_to(&statistics->max_depth, counting->deepest);
    raise_to(&statistics->max_stored, statistics->max_depth + 1);
    return counting->outcome;
}

/* Lists those slides that may follow with the blank on a cell of which `moves` has the bit. */
static void list_followers(struct followers *followers, struct shape shape, unsigned cell,
                           unsigned moves)
{
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned to = move_target(shape, cell, move);
        if ((moves >> move & 1) != 0 && to != NO_CELL)
            followers->slide[followers->number++] = follower_of(cell * MOVES + move, to);
    }
}

/* Lists the slides that may follow each origin. */
static void followers_make(struct counting *counting, struct shape shape)
{
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned slide = cell * MOVES + move;
            const unsigned to = move_target(shape, cell, move);
            if (to == NO_CELL)
                continue;
            counting->from[slide] = (uint8_t)to;
            if (!PRUNES)
                list_followers(&counting->followers[slide], shape, to, ~(1U << move_undo(move)));
        }
    for (unsigned left = 0; PRUNES && left < (unsigned)shape.cells << MOVES; left++)
        if (left % (1U << MOVES) < (1U << MOVES) - 1)
            list_followers(&counting->followers[left], shape, left >> MOVES, left);
}

static enum subtree_outcome count_many(void *data, const struct enode *roots, unsigned number,
                                       unsigned threshold)
{
    struct counting *counting = data;
    begin(counting, threshold);
    for (unsigned i = 0; i < number; i++) {
        const struct enode *root = &roots[i];
        struct node *node = &counting->stack[i];
        *node = (struct node){.origin = origin_of_root(counting->search, root)};
        memcpy(node->cell, root->board.cell, root->board.shape.cells);
        root_values(counting, root, node);
        counting->deepest = root->g > counting->deepest ? root->g : counting->deepest;
    }
    /* Compiled for one sum, for two, and for more. */
    if (SUMS(counting) == 1)
        expand_all(counting, number, 1);
    else if (SUMS(counting) == 2)
        expand_all(counting, number, 2);
    else
        expand_all(counting, number, SUMS(counting));
    return finish(counting);
}

static enum subtree_outcome count(void *data, const struct enode *root, unsigned slack)
{
    return count_many(data, root, 1, root->g + root->h + 2 * slack);
}

static void prepare(void *data, struct search *search, const struct pdb_falls *falls)
{
    struct counting *counting = data;
    const struct shape shape = search->task->start.shape;
    counting->search = search;
    counting->pdb = pdb_of(search->heuristic);
    followers_make(counting, shape);
    tables_make(counting, shape, falls);
}

static bool fits(const struct heuristic *heuristic)
{
    const struct pdb *pdb = fitting_pdb(heuristic);
    return pdb != NULL && has_room_for(pdb);
}

const struct subtree_kind STAMP = {
    .falls = READS_FALLS,
    .prunes = PRUNES,
    .fits = fits,
    .bytes = sizeof(struct counting),
    .max_slack = 3,
    .prepare = prepare,
    .count = count,
    .count_many = count_many,
};
