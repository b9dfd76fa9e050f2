#include "idastar/ahead.h"
#include "base/crew.h"
#include <stdatomic.h>

enum group_state {
    GROUP_OPEN,    /* not counted yet */
    GROUP_COUNTED, /* in `sum` */
    GROUP_REFUSED, /* to be walked */
    GROUP_TAKEN    /* in the statistics */
};

struct group {
    enum group_state state;
    uint64_t first; /* nodes of the trunk generated when its first root was noted .. */
    uint64_t last;  /* .. and its last one */
    struct ahead_sum sum;
};

struct ahead {
    struct search *search;
    struct crew *crew;
    const struct ahead_hands *hands;
    void *context;
    unsigned slack;
    unsigned room;                    /* how many roots this window may have */
    bool scouted;                     /* the scout is at the end of the round */
    unsigned count;                   /* roots in the window */
    unsigned at;                      /* the root that the search comes to next */
    unsigned passed_by_scout, passed; /* roots that scout and search are still to pass, as they are
                                         in the statistics already */
    uint64_t left;                    /* nodes until the limit, when the crew set out */

    /* The crew at work. */
    atomic_uint next;               /* the group to be counted next */
    atomic_bool halt;               /* no further group is wanted now */
    _Atomic uint64_t generated;     /* in the groups counted since the crew set out */
    volatile sig_atomic_t stopping; /* time is up or the search was interrupted; atomic */

    struct group groups[WINDOW_GROUPS];
    struct ahead_root roots[WINDOW_ROOTS];
    uint32_t contexts[]; /* of the roots, in a search that prunes */
};

/* Where the choice of a slack begins, and how few roots it takes to judge by; later windows are
 * larger. */
enum { FIRST_SLACK = 3, FIRST_ROOTS = 8 * GROUP_ROOTS };

struct ahead *ahead_start(struct search *search, unsigned threads, const struct ahead_hands *hands,
                          void *context)
{
    const size_t contexts = search->pruning == NULL ? 0 : WINDOW_ROOTS;
    struct ahead *ahead =
        arena_take(&search->arena, sizeof *ahead + contexts * sizeof *ahead->contexts);
    if (ahead == NULL)
        return NULL;
    ahead->search = search;
    ahead->hands = hands;
    ahead->context = context;
    ahead->slack = FIRST_SLACK;
    ahead->room = FIRST_ROOTS;
    ahead->crew = crew_start(threads);
    return ahead;
}

struct ahead_place ahead_place(const struct ahead *ahead)
{
    struct ahead_place place = {ahead->slack, ahead->passed};
    const unsigned in_group = ahead->at % GROUP_ROOTS;
    if (in_group != 0 && ahead->groups[ahead->at / GROUP_ROOTS].state == GROUP_TAKEN) {
        const unsigned first = ahead->at - in_group;
        const unsigned end =
            first + GROUP_ROOTS < ahead->count ? first + GROUP_ROOTS : ahead->count;
        place.taken = end - ahead->at;
    }
    return place;
}

void ahead_begin_round(struct ahead *ahead, const struct ahead_place *place)
{
    ahead->scouted = false;
    ahead->count = ahead->at = 0;
    ahead->passed = ahead->passed_by_scout = place == NULL ? 0 : place->taken;
    if (place != NULL && place->slack > 0)
        ahead->slack = place->slack;
}

unsigned ahead_slack(const struct ahead *ahead)
{
    return ahead->slack;
}

bool ahead_is_full(const struct ahead *ahead)
{
    return ahead->count == ahead->room;
}

void ahead_note(struct ahead *ahead, const struct enode *root, uint64_t trunk)
{
    struct group *group = &ahead->groups[ahead->count / GROUP_ROOTS];
    assert(!ahead_is_full(ahead));
    if (ahead->passed_by_scout > 0) {
        ahead->passed_by_scout--;
        return;
    }
    if (ahead->count % GROUP_ROOTS == 0)
        *group = (struct group){.first = trunk};
    group->last = trunk;
    if (ahead->search->pruning != NULL)
        ahead->contexts[ahead->count] = root->context;
    ahead->roots[ahead->count++] = (struct ahead_root){root->board, (uint16_t)root->g,
                                                       (uint16_t)root->h, (uint16_t)root->undo};
}

const volatile sig_atomic_t *ahead_interrupted(const struct ahead *ahead, unsigned number)
{
    return number == 0 ? ahead->search->limits.interrupted : &ahead->stopping;
}

/* Shows the watcher what was counted so far, although some of it may still be thrown away. */
static void show_progress(struct ahead *ahead)
{
    struct search *search = ahead->search;
    if (search->watcher == NULL)
        return;
    struct statistics statistics = search->statistics;
    statistics.generated += ahead->generated;
    search->watcher->watch(search->watcher->context, &statistics);
}

/* Counts one group of the window. */
static void count_group(struct ahead *ahead, unsigned number, unsigned index)
{
    struct group *group = &ahead->groups[index];
    const unsigned first = index * GROUP_ROOTS;
    const unsigned rest = ahead->count - first;
    const enum subtree_outcome outcome =
        ahead->hands->count(ahead->context, number, &ahead->roots[first], &ahead->contexts[first],
                            rest < GROUP_ROOTS ? rest : GROUP_ROOTS, ahead->left, &group->sum);
    switch (outcome) {
    case SUBTREE_COUNTED:
        group->state = GROUP_COUNTED;
        /* All groups before this one are counted or being counted: so the limit of nodes is
         * reached in one of them, and no later one is needed. */
        if (atomic_fetch_add(&ahead->generated, group->sum.generated) + group->sum.generated >
            ahead->left)
            ahead->halt = true;
        break;
    case SUBTREE_REFUSED:
        group->state = GROUP_REFUSED;
        ahead->halt = true;
        break;
    case SUBTREE_STOPPED:
        ahead->halt = true;
        __atomic_store_n(&ahead->stopping, 1, __ATOMIC_RELAXED);
        break;
    }
}

/* What each thread of the crew does. */
static void count_groups(void *context, unsigned number)
{
    struct ahead *ahead = context;
    while (!ahead->halt) {
        const unsigned index = atomic_fetch_add(&ahead->next, 1);
        if (index * GROUP_ROOTS >= ahead->count)
            return;
        if (ahead->groups[index].state != GROUP_OPEN)
            continue;
        count_group(ahead, number, index);
        if (number == 0)
            show_progress(ahead);
    }
}

/* Has groups counted from number `first` on. False when the search must end. */
static bool send_crew(struct ahead *ahead, unsigned first)
{
    struct search *search = ahead->search;
    ahead->left = search->limits.nodes - search->statistics.generated;
    ahead->next = first;
    ahead->halt = false;
    ahead->generated = 0;
    crew_work(ahead->crew, count_groups, ahead);
    return search_may_go_on(search);
}

/* Adds a group that lies before the end of the search. */
static void take_group(struct ahead *ahead, struct group *group, unsigned *above)
{
    struct statistics *statistics = &ahead->search->statistics;
    const struct ahead_sum *sum = &group->sum;
    group->state = GROUP_TAKEN;
    statistics->expanded += sum->expanded;
    statistics->generated += sum->generated;
    raise_to(&statistics->max_depth, sum->max_depth);
    raise_to(&statistics->max_stored, sum->max_depth + 1);
    if (sum->above < *above)
        *above = sum->above;
}

/* Chooses the slack by the size of the groups: the larger they are, the faster they are counted;
 * but the one with the goal is counted in vain. One more of slack makes them some six times as
 * large. */
static void choose_slack(struct ahead *ahead)
{
    enum { SMALL = 1 << 15, LARGE = 1 << 18 };
    uint64_t generated = 0;
    unsigned taken = 0;
    for (unsigned i = 0; i * GROUP_ROOTS < ahead->count; i++)
        if (ahead->groups[i].state == GROUP_TAKEN) {
            generated += ahead->groups[i].sum.generated;
            taken++;
        }
    if (taken > 0 && generated / taken < SMALL)
        ahead->slack++;
    else if (taken > 0 && generated / taken > LARGE && ahead->slack > 1)
        ahead->slack--;
    if (ahead->room < WINDOW_ROOTS)
        ahead->room *= 2;
}

enum subtree_outcome ahead_take(struct ahead *ahead, const struct enode *root, unsigned *above)
{
    const struct search *search = ahead->search;
    if (ahead->passed > 0) {
        ahead->passed--;
        return SUBTREE_COUNTED;
    }
    if (ahead->at == ahead->count) {
        assert(!ahead->scouted);
        ahead->at = ahead->count = 0;
        ahead->scouted = ahead->hands->scout(ahead->context);
    }
    const unsigned index = ahead->at++;
    struct group *group = &ahead->groups[index / GROUP_ROOTS];
    assert(index < ahead->count && ahead->roots[index].g == root->g &&
           board_equal(&ahead->roots[index].board, &root->board));
    (void)root;
    if (index % GROUP_ROOTS == 0) {
        while (group->state == GROUP_OPEN)
            if (!send_crew(ahead, index / GROUP_ROOTS))
                return SUBTREE_STOPPED;
        if (group->state == GROUP_COUNTED &&
            group->sum.generated + (group->last - group->first) <=
                search->limits.nodes - search->statistics.generated)
            take_group(ahead, group, above);
    }
    const enum subtree_outcome outcome =
        group->state == GROUP_TAKEN ? SUBTREE_COUNTED : SUBTREE_REFUSED;
    if (ahead->at == ahead->count)
        choose_slack(ahead);
    return outcome;
}

void ahead_end(struct ahead *ahead)
{
    if (ahead != NULL)
        ahead->search->crew_seconds += crew_end(ahead->crew);
}
