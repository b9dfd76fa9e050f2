/* Arrangements, the states of walking distance (Ken'ichiro Takahashi, 2001): how many tiles in each
 * of `lines` lines have their goal in which line, and the line of the blank. A move exchanges the
 * blank with a tile of a neighbouring line; which of that line's tiles with the same goal line
 * makes no difference.
 *
 * They are numbered without gaps, in the lexicographic order of their lines. What a line holds has
 * a code. After some lines, a state is how many tiles of each goal line are left for the lines
 * behind; it and the next line's code lead to the next state. `before` is how many arrangements
 * begin as this one does up to that line and have a smaller code there, so the number is a sum over
 * the lines. A move changes two neighbouring lines, and the state between them alone: two terms of
 * the sum.
 *
 * On 5x5 there are 65,650,495 of them; the tables by which they are numbered take 4 MB. */
#pragma once

#include "pdb/pattern_build.h"
#include "puzzle/shape.h"
#include <stdint.h>

enum {
    MAX_LINES = 7,              /* of shapes that have a numbering */
    MAX_CODES = 255,            /* NO_CODE is none */
    NO_CODE = 255,              /* not the contents of a line */
    MAX_ARRANGEMENTS = 1 << 26, /* 64 MiB of distances */
};

/* Where a line's code leads from a state. */
struct arrangement_step {
    uint32_t before; /* what it adds to the number */
    uint16_t next;   /* state; 0 if the code cannot stand here (0 is the first state) */
};

/* The numbering of all arrangements of a number of lines of one length, with one goal line of the
 * blank. */
struct numbering {
    unsigned lines;
    unsigned length;
    unsigned blank_line; /* in the goal */
    uint32_t count;
    unsigned codes;
    unsigned full;                        /* codes below this have no blank, the others do */
    uint16_t weight[MAX_LINES];           /* by goal line: what a tile adds to its line's sum */
    uint8_t *code;                        /* by sum: the code of a line */
    uint8_t tiles[MAX_CODES][MAX_LINES];  /* code, goal line: how many tiles */
    uint8_t change[MAX_CODES][MAX_LINES]; /* code, goal line: with a tile less, in place of which
                                             the blank comes, or a tile in place of the blank */
    struct arrangement_step *step;        /* state * codes + code */
};

/* Whether neither the rows of a shape nor its columns have more than MAX_ARRANGEMENTS arrangements:
 * up to 7x2, 6x3 and 5x5, and these on their sides. */
bool numbering_exists(struct shape shape);

/* The numbering of such a shape's rows: lines as many as its height and as long as its width. Made
 * once and kept until the program ends; not thread-safe. */
const struct numbering *numbering_hold(struct shape shape, unsigned blank_line);

/* The step of a line's code from a state. */
static inline struct arrangement_step numbering_step(const struct numbering *numbering,
                                                     unsigned state, unsigned code)
{
    return numbering->step[state * numbering->codes + code];
}

/* The number of the goal's arrangement. */
uint32_t numbering_goal(const struct numbering *numbering);

/* An arrangement, line by line. */
struct arrangement {
    uint32_t number;
    unsigned blank_line;
    uint8_t code[MAX_LINES];
    uint16_t state[MAX_LINES + 1];  /* before each line */
    uint32_t before[MAX_LINES + 1]; /* each: the terms of all lines above it */
};

/* Makes *at the arrangement of a number; it may hold another one, or be zeroed. */
void arrangement_at(const struct numbering *numbering, uint32_t number, struct arrangement *at);

/* The number of the arrangement after a tile with its goal in `goal_line` came into the blank's
 * line from the one before it or, if `behind`, after it; UINT32_MAX if there is no such tile. */
uint32_t arrangement_after(const struct numbering *numbering, const struct arrangement *from,
                           bool behind, unsigned goal_line);

/* The fewest moves of each arrangement from the goal's, by number: breadth-first search. Memory,
 * threads, progress and failure as pattern_build. */
uint8_t *arrangements_build(const struct numbering *numbering, unsigned threads,
                            pattern_progress *progress, void *context, const char **problem);
