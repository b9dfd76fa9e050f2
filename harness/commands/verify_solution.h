/* tilelab verify solution: marks an answer to a board, given as moves or as boards. */
#ifndef COMMANDS_VERIFY_SOLUTION_H
#define COMMANDS_VERIFY_SOLUTION_H

#include "puzzle/shape.h"
#include <stdbool.h>
#include <stddef.h>

struct solution_question {
    const char *const *words; /* the board and the answer, as typed; files among them */
    size_t count;
    const char *goal;
    const struct shape *shape; /* NULL: shown by the text */
    double seconds;            /* for the search for a shortest solution */
    bool json;
};

/* Marks the answer and prints the marks. Returns the exit code. */
int verify_solution(const struct solution_question *question);

#endif
