/* Observers of a search, and what they are told.
 *
 * There are three ways to look, from cheap to thorough. `watch` sees the counters many times a
 * second. `expands` sees which boards are expanded, in which order; the fast forms of bfs and astar
 * stay in use. `sees` receives everything: each node that is expanded, each child and what becomes
 * of it, the live nodes after each step, rounds and solutions. For it every algorithm runs in its
 * plain form, of which tests show that it expands the same nodes in the same order with the same
 * counters (but for peak_bytes). Who is not there costs nothing. */
#pragma once

#include "puzzle/board.h"
#include <stdint.h>

struct statistics;

/* A node. Nodes that are kept have numbers, from 1 in the order in which they were generated. A
 * root that is searched again, round after round, is number 1 each time; other nodes that are
 * generated again get new numbers. */
struct node_seen {
    uint64_t number; /* 0: not kept */
    uint64_t parent; /* the parent's number; 0: a root */
    unsigned move;   /* that led here; MOVE_NONE at a root */
    unsigned side;   /* bidirectional searches: 0 from the start, 1 from the goal */
    unsigned g;
    unsigned h;
    double f; /* the cost by which live nodes are ordered or dropped; negative if there is none */
    const struct board *board; /* valid during the call */
};

/* What becomes of a child. Up to FATE_REOPENED it is kept. */
enum fate {
    FATE_KEPT,      /* it is a live node now */
    FATE_SHORTER,   /* .. instead of a live node with its state and a larger g */
    FATE_REOPENED,  /* .. instead of a closed one */
    FATE_DUPLICATE, /* dropped: its state is stored */
    FATE_ON_PATH,   /* dropped: its state is on the path to it */
    FATE_ABOVE,     /* dropped: its f is above the threshold */
    FATE_BOUNDED,   /* dropped: its f is not below the bound */
    FATE_DEPTH,     /* not to be expanded: it is at the depth limit */
    FATE_WORSE,     /* dropped: others have a smaller h */
    FATE_MEETS,     /* the other side holds its state: a solution */
    FATES
};

enum event_kind {
    EVENT_ROOT,    /* `node` was generated as a root */
    EVENT_ROUND,   /* a round begins; `round` says by what, `limit` up to where. "piece": a search
                      for `limit` moves of the path, from a root of its own, which comes next.
                      "frontier": a search below each node that was live before the first such round;
                      all others are forgotten */
    EVENT_EXPANDS, /* `node` is expanded. dfbnb: `limit` is the bound. rbfs: `limit` is its f-limit
                      (0: none). rbfs, pea, epea: `stored` is its stored cost */
    EVENT_CHILD,   /* `node` was generated; `fate` says what becomes of it */
    EVENT_FORGETS, /* rbfs: what lies below `node` is forgotten; `stored` is its cost from now on */
    EVENT_RETURNS, /* pea, epea: `node`, just expanded, is live again; `stored` is its cost from now
                      on */
    EVENT_STEP,    /* all is done for the node that was expanded last; `count` nodes are live. True:
                      show them to me */
    EVENT_LIVE,    /* `node` is the next of them, in the order in which they will go. True: go on */
    EVENT_DROPS,   /* the live node `node` will not be expanded: `fate` */
    EVENT_GOAL     /* a solution of `count` moves was found */
};

struct event {
    enum event_kind kind;
    struct node_seen node;
    enum fate fate;
    unsigned known_g;  /* FATE_SHORTER, FATE_REOPENED, FATE_DUPLICATE: the g of the stored node */
    bool known_closed; /* FATE_DUPLICATE: a shorter path, but the stored node is closed and stays */
    uint64_t joins;    /* a child that is kept, whose state the other side holds: the length of the
                          path that the two make; 0: none */
    uint64_t limit;    /* FATE_ABOVE, FATE_BOUNDED, FATE_DEPTH; see event_kind too */
    unsigned stored;   /* rbfs, pea, epea: the stored cost of `node` */
    uint64_t count;
    const char
        *round; /* "greedy", "weighted", "bound", "threshold", "depth", "piece", "frontier" */
};

/* Any of the functions may be NULL. */
struct observer {
    /* A node is about to be expanded. */
    void (*expands)(void *context, const struct board *board, unsigned g, unsigned h);
    void *context;
    /* Called many times a second, when the search looks at the clock: what it has counted so far.
     */
    void (*watch)(void *context, const struct statistics *statistics);
    /* Something happened. The result counts for EVENT_STEP and EVENT_LIVE only. */
    bool (*sees)(void *context, const struct event *event);
};
