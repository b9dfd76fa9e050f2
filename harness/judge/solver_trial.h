/* A program of one's own on twenty boards, each of which tells some mistake from a right program
 * (tilelab verify solver). */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct solver_question {
    char **words; /* the command, as typed */
    size_t word_count;
    bool persistent, json_protocol, tile_moves, optimal; /* as of struct external */
    bool isolate;    /* isolated or not at all, and seeing its own files alone */
    bool no_isolate; /* not isolated; neither: isolated where that can be had, seeing more */
    double seconds;  /* for each board */
    uint64_t bytes;
    uint64_t seed; /* 0: the fixed boards; else fresh ones, of the same sizes, goals and parities
                      and about as hard: a random walk from each goal (Philox, base/random.h) */
};

struct trial;

/* Finds the program and its files. NULL, and heap memory in *why, if that cannot be. Otherwise *why
 * is why it is not isolated, or NULL. */
struct trial *trial_start(const struct solver_question *question, char **why);

/* Gives it board after board, with a bar on a terminal unless `quiet`. False if it was interrupted
 * (text/interrupt.h). */
bool trial_run(struct trial *trial, bool quiet);

/* Whether it is right on all boards. */
bool trial_passed(const struct trial *trial);

/* Prints the answers, how many are right, and what the others have in common; if `quiet`, only what
 * is wrong. */
void trial_print(const struct trial *trial, bool quiet, FILE *file);

/* The same as JSON; a new reference. */
json_t *trial_json(const struct trial *trial);

void trial_end(struct trial *trial);
