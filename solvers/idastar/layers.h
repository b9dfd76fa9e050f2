/* Counting a group of subtrees at once, layer by layer (idastar/layers_body.h), on 4x4: for the
 * Manhattan distance, and for pattern databases whose groups have at most five tiles
 * (idastar/falls.h). Many nodes by one instruction.
 *
 * There is one form for each kind of vector: eight nodes at once with AVX-512, four with AVX2, one
 * in plain C. They are one source, compiled three times, and count the same in the same memory. The
 * fastest that the processor has is used. */
#pragma once

#include "idastar/ahead.h"
#include "idastar/falls.h"

struct layers;

/* One form of it. */
struct layers_form {
    unsigned lanes;          /* nodes at once */
    size_t bytes;            /* its size: tables and nodes; the same for all forms of a heuristic */
    falls_maker *make_falls; /* of pattern databases, else NULL */
    void (*prepare)(struct layers *layers, struct search *search, const struct falls *falls);
    enum subtree_outcome (*count)(struct layers *layers, const struct ahead_root *roots,
                                  unsigned count, unsigned threshold, uint64_t left,
                                  struct ahead_sum *sum);
};

struct layers_counter {
    const struct layers_form *form; /* NULL: none */
    struct layers *layers;
    struct falls *falls; /* shared by the counters of one search; NULL: it has none */
    bool owner;          /* of falls */
};

/* From now on at most `lanes` nodes are worked on at once; 0: subtrees are counted one by one. For
 * tests and measurements; not while a search runs. */
void layers_allow(unsigned lanes);

/* Whether there is a form for the heuristic. */
bool layers_fit(const struct heuristic *heuristic);

/* A counter with its memory from `arena`, for a search for which one fits. Its form is NULL if the
 * budget does not allow it. `search` is where limits of time are looked up. `other`: one of the
 * same search, with whom tables are shared; NULL: none. */
struct layers_counter layers_start(struct search *search, struct arena *arena,
                                   const struct layers_counter *other);

/* Returns a counter's memory to its arena; optional: arena_end frees it. */
void layers_end(struct layers_counter *counter, struct arena *arena);

/* Counts the subtrees of a group below a threshold. REFUSED: the goal is in one of them, they have
 * more than `left` nodes, or more slack or width than the counter is made for. */
static inline enum subtree_outcome layers_count(const struct layers_counter *counter,
                                                const struct ahead_root *roots, unsigned count,
                                                unsigned threshold, uint64_t left,
                                                struct ahead_sum *sum)
{
    return counter->form->count(counter->layers, roots, count, threshold, left, sum);
}
