/* What is right in the answers of a program to a set of boards, and what the wrong ones have in
 * common. */
#pragma once

#include "harness/external/external.h"

enum { MAX_MARKED = 32 };

enum mark {
    MARK_RIGHT,   /* a path to the goal, shortest where that was promised; or rightly unsolvable */
    MARK_PATH,    /* its path does not lead to the goal, or cannot be */
    MARK_LONGER,  /* its path is not a shortest one, which was promised */
    MARK_DENIED,  /* there is a solution; it says that there is none */
    MARK_GAVE_UP, /* it says that it gave up */
    MARK_LATE,    /* the time limit */
    MARK_LARGE,   /* the memory limit */
    MARK_NONE,    /* no answer: it crashed, or its answer cannot be read */
};

/* An answer to a board. */
struct marked {
    const struct instance *instance;
    int shortest;         /* moves of a shortest path; -1: unsolvable */
    struct result result; /* owned: result_end */
    struct answer answer; /* owned: answer_end */
    enum mark mark;
    char *why; /* what is wrong; owned; NULL: nothing */
};

/* Marks an answer: replays its path, and holds it against the length of a shortest one. */
void marked_judge(const struct external *external, const struct limits *limits,
                  struct marked *marked);

/* What the wrong answers have in common and what to do about it, a sentence or two each; heap
 * memory, as the array, which ends with NULL. */
char **marks_explained(const struct external *external, const struct limits *limits,
                       const struct marked *marked, size_t count);

void marked_end(struct marked *marked, size_t count);
