/* Marks an answer to a board, given as moves or as boards (tilelab verify solution). */
#pragma once

#include "base/report.h"
#include "puzzle/board.h"
#include <jansson.h>
#include <stdio.h>

struct solution_question {
    const char *const *words; /* the board and the answer, as typed; files among them */
    size_t count;
    const char *goal;
    const struct shape *shape; /* NULL: shown by the text */
    double seconds;            /* for the search for a shortest solution */
};

struct solution_marks {
    struct board start, goal;
    char *moves;       /* owned; the legal ones, up to the first that is not; in capitals */
    size_t length;     /* how many they are */
    char *problem;     /* owned; what is wrong with the next one; NULL if all are legal */
    struct board last; /* where they lead */
    bool reaches_goal;
    size_t goal_after;   /* after so many moves the goal was there for the first time, */
    bool goal_passed;    /* if it was there at all */
    bool as_tiles;       /* the letters make sense as moves of the tiles */
    uint8_t exchange[2]; /* two tiles whose exchange makes the start solvable; 0: it is */
    bool decided;        /* whether the shortest length is known */
    size_t shortest;     /* the length of a shortest solution, or a bound below it */
};

/* Reads and marks the answer. False, with problems in the report, if it cannot be read. */
bool solution_mark(const struct solution_question *question, struct solution_marks *marks,
                   struct report *report);

void solution_marks_print(const struct solution_marks *marks, FILE *file);

/* A new reference. */
json_t *solution_marks_json(const struct solution_marks *marks);

void solution_marks_end(struct solution_marks *marks);
