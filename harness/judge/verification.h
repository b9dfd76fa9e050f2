/* The values of heuristics on the boards of a goal, and which of their claims hold there, board by
 * board (heuristics/judge.h; tilelab verify heuristics). */
#pragma once

#include "heuristics/judge.h"
#include "instances/instance.h"
#include <jansson.h>
#include <stdio.h>

enum { MAX_JUDGED = 64 };

struct heuristics_question {
    const char *texts[MAX_JUDGED];
    unsigned count;  /* 0: all that are defined for the goal, but those with large tables */
    uint64_t boards; /* random ones; 0: all where their distances can be known, else 1000 */
    uint64_t seed;
    unsigned cost; /* enum cost_model: what moves cost; with another than unit only heuristics count
                      that have a price */
};

struct verification {
    struct board goal;
    struct heuristic_choice choice[MAX_JUDGED];
    struct judgement judgement[MAX_JUDGED];
    unsigned count;
    unsigned cost; /* as asked */
    bool exact;    /* all boards are judged, with their distances */
    struct distances distances;
    struct instance_list sample;
};

/* Reads the heuristics and gets the boards, for the goal of a struct verification that is zeroed
 * but for that; verification_end. False with problems in the report; says which of all heuristics
 * are left out. */
bool verification_read(const struct heuristics_question *question,
                       struct verification *verification, FILE *messages, struct report *report);

/* Judges each heuristic, whose tables are built, on each board; a bar on a terminal shows how far
 * it is, unless `quiet`. */
void verification_run(struct verification *verification, bool quiet);

/* Prints means and claims, and means by distance where it is known. */
void verification_print(const struct verification *verification, FILE *file);

/* The same as JSON; a new reference. */
json_t *verification_json(const struct verification *verification);

/* Says which claims do not hold. Returns the number of heuristics with such a claim or another
 * fault. */
unsigned verification_report(const struct verification *verification, FILE *messages);

/* How many boards are looked at. */
size_t verification_boards(const struct verification *verification);

void verification_end(struct verification *verification);
