/* Dynamic Potential Search (Gilon, Felner and Stern, "Dynamic potential search: a new bounded
 * suboptimal search", SoCS 2016): the node of largest potential u = (w f - g) / h goes first, f
 * being the least of all live nodes. u is how much h may err below the node without the solution
 * costing more than w f, and so more than w times a shortest one.
 *
 * When the least f rises, all u change. Live nodes of equal g and h lie in one bucket, and buckets
 * are few, so the order is made anew for them only. In a bucket the newest goes first. `iterations`
 * counts the values that the least f had. A node that is reached by a shorter path is opened again.
 */
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(dps);

enum { W };

const struct option_row dps_options[] = {
    [W] = WITHIN_OPTION,
    {.kind = OPTION_END},
};

/* Columns by bucket, as there are no more buckets than live nodes: its places in the two heaps. By
 * node: the next and the previous one of its bucket, + 1, and its bucket. */
enum { LEAST_F, POTENTIAL, NEXT, PREVIOUS, BUCKET };

struct bucket {
    uint64_t g, h;
    uint32_t first; /* node + 1; 0: it is empty, and free */
    uint32_t next;  /* bucket + 1 of the same hash, or the next free one */
};

struct dps {
    struct lists lists;
    struct open_list by_f, by_potential; /* of buckets */
    struct bucket *buckets;
    uint32_t count, room;
    uint32_t free;   /* bucket + 1 */
    uint32_t *heads; /* by hash: bucket + 1 */
    uint64_t least;  /* the largest f that was the least */
};

enum { HEADS = 1 << 16 };

static const struct bucket *bucket_of(const struct lists *lists, uint32_t bucket)
{
    return &((const struct dps *)lists)->buckets[bucket];
}

static bool by_f(const struct lists *lists, uint32_t a, uint32_t b)
{
    const struct bucket *of_a = bucket_of(lists, a);
    const struct bucket *of_b = bucket_of(lists, b);
    return of_a->g + of_a->h < of_b->g + of_b->h;
}

__extension__ typedef __int128 int128;

/* By potential; of equal ones the nearer to the goal. */
static bool by_potential(const struct lists *lists, uint32_t a, uint32_t b)
{
    const struct bucket *of_a = bucket_of(lists, a);
    const struct bucket *of_b = bucket_of(lists, b);
    const int128 most = (int128)lists->w * ((const struct dps *)lists)->least;
    const int128 u_a = (most - (int128)of_a->g * DECIMAL_ONE) * of_b->h;
    const int128 u_b = (most - (int128)of_b->g * DECIMAL_ONE) * of_a->h;
    if (u_a != u_b)
        return u_a > u_b;
    return of_a->h != of_b->h ? of_a->h < of_b->h : of_a->g < of_b->g;
}

static uint32_t *head_of(const struct dps *dps, const struct label *label)
{
    const uint64_t mixed =
        (label->g * UINT64_C(0x9e3779b97f4a7c15) ^ label->h) * UINT64_C(0xd6e8feb86659fd93);
    return &dps->heads[mixed >> 48];
}

/* The bucket of a label, which is made if there is none; NO_NODE if memory is spent. */
static uint32_t bucket_for(struct dps *dps, const struct label *label)
{
    struct lists *lists = &dps->lists;
    uint32_t *head = head_of(dps, label);
    for (uint32_t at = *head; at != 0; at = dps->buckets[at - 1].next)
        if (dps->buckets[at - 1].g == label->g && dps->buckets[at - 1].h == label->h)
            return at - 1;
    if (dps->free == 0 && dps->count == dps->room) {
        const uint32_t room = 2 * dps->room + 64;
        struct bucket *buckets =
            arena_resize(lists->store.arena, dps->buckets, room * sizeof *buckets);
        if (buckets == NULL)
            return NO_NODE;
        dps->buckets = buckets;
        dps->room = room;
    }
    const uint32_t id = dps->free != 0 ? dps->free - 1 : dps->count++;
    if (dps->free != 0)
        dps->free = dps->buckets[id].next;
    dps->buckets[id] = (struct bucket){label->g, label->h, 0, *head};
    *head = id + 1;
    return lists_put(lists, &dps->by_f, id) && lists_put(lists, &dps->by_potential, id) ? id
                                                                                        : NO_NODE;
}

static bool arrives(struct lists *lists, uint32_t id)
{
    struct dps *dps = (struct dps *)lists;
    const uint32_t bucket = bucket_for(dps, &lists->labels[id]);
    if (bucket == NO_NODE)
        return false;
    const uint32_t first = dps->buckets[bucket].first;
    lists->columns[BUCKET][id] = bucket;
    lists->columns[NEXT][id] = first;
    lists->columns[PREVIOUS][id] = 0;
    if (first != 0)
        lists->columns[PREVIOUS][first - 1] = id + 1;
    dps->buckets[bucket].first = id + 1;
    return true;
}

/* Frees a bucket that is empty. */
static void free_bucket(struct dps *dps, uint32_t id)
{
    struct bucket *bucket = &dps->buckets[id];
    const struct label label = {.g = bucket->g, .h = bucket->h};
    lists_remove(&dps->lists, &dps->by_f, id);
    lists_remove(&dps->lists, &dps->by_potential, id);
    uint32_t *link = head_of(dps, &label);
    while (*link != id + 1)
        link = &dps->buckets[*link - 1].next;
    *link = bucket->next;
    bucket->next = dps->free;
    dps->free = id + 1;
}

static void leaves(struct lists *lists, uint32_t id)
{
    struct dps *dps = (struct dps *)lists;
    const uint32_t next = lists->columns[NEXT][id];
    const uint32_t previous = lists->columns[PREVIOUS][id];
    const uint32_t bucket = lists->columns[BUCKET][id];
    if (next != 0)
        lists->columns[PREVIOUS][next - 1] = previous;
    if (previous != 0)
        lists->columns[NEXT][previous - 1] = next;
    else if ((dps->buckets[bucket].first = next) == 0)
        free_bucket(dps, bucket);
}

static uint32_t choose(struct lists *lists)
{
    struct dps *dps = (struct dps *)lists;
    const uint32_t first = list_first(&dps->by_f);
    if (first == NO_NODE)
        return NO_NODE;
    const uint64_t least = dps->buckets[first].g + dps->buckets[first].h;
    if (least > dps->least) {
        lists->search->statistics.iterations += lists->search->statistics.expanded > 0;
        dps->least = least;
        lists_remake(lists, &dps->by_potential);
    }
    return dps->buckets[list_first(&dps->by_potential)].first - 1;
}

void dps_run(struct search *search)
{
    struct dps dps = {.by_f = {.before = by_f, .column = LEAST_F},
                      .by_potential = {.before = by_potential, .column = POTENTIAL}};
    struct lists *lists = &dps.lists;
    struct arena *arena = &search->arena;
    lists_start(lists, search, 0, NULL);
    lists->column_count = BUCKET + 1;
    lists->w = (uint64_t)search->options[W];
    lists->arrives = arrives;
    lists->leaves = leaves;
    dps.heads = arena_take(arena, HEADS * sizeof *dps.heads);
    if (dps.heads == NULL)
        search->status = STATUS_memory_limit;
    else
        lists_run(lists, choose);
    arena_release(arena, dps.heads);
    arena_release(arena, dps.buckets);
    arena_release(arena, dps.by_f.entries);
    arena_release(arena, dps.by_potential.entries);
}
