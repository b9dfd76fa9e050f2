#include "search/store.h"

/* Twice the room while it is small, a quarter more when it is large (large blocks are moved, not
 * copied), or as much as the budget still allows. */
bool store_grow(struct store *store, size_t state_bytes)
{
    enum { FIRST = 256, MIN = 16, LARGE = 1 << 20 };
    size_t node_bytes = state_bytes + sizeof(struct node);
    uint64_t left = (store->arena->budget - store->arena->used) / node_bytes;
    uint64_t more = store->capacity == 0 ? FIRST : store->capacity;
    if (more >= LARGE)
        more /= 4;
    if (more > left)
        more = left;
    if (more > NO_NODE - 1 - store->capacity)
        more = NO_NODE - 1 - store->capacity;
    if (more < MIN)
        return false;
    uint64_t capacity = store->capacity + more;
    unsigned char *states = arena_resize(store->arena, store->states, capacity * state_bytes);
    if (states == NULL)
        return false;
    store->states = states;
    struct node *nodes = arena_resize(store->arena, store->nodes, capacity * sizeof *nodes);
    if (nodes == NULL)
        return false;
    store->nodes = nodes;
    store->capacity = (uint32_t)capacity;
    return true;
}

void store_solution(const struct store *store, uint32_t id, struct search *search)
{
    size_t length = store->nodes[id].g;
    char *moves = search_solved(search, length);
    if (moves == NULL)
        return;
    for (size_t i = length; i > 0; i--) {
        moves[i - 1] = move_letters[store->nodes[id].move];
        id = store->nodes[id].parent;
    }
    assert(store->nodes[id].parent == NO_NODE);
}
