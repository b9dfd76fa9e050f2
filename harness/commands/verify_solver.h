/* tilelab verify solver: marks a program of one's own on twenty boards. */
#ifndef COMMANDS_VERIFY_SOLVER_H
#define COMMANDS_VERIFY_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct solver_question {
    char **words; /* the command, as typed */
    size_t word_count;
    bool persistent, json_protocol, tile_moves, optimal; /* as of struct external */
    double seconds;                                      /* for each board */
    uint64_t bytes;
    bool json, quiet;
};

/* Runs the program on the boards and prints the marks. Returns the exit code. */
int verify_solver(const struct solver_question *question);

#endif
