/* A program as a heuristic: a process that answers lines of boards with a line of values.
 *
 * It reads batches: a line `W H N`, a line with the goal and N lines with boards, the cells row by
 * row, 0 the blank; and prints one line with N whole numbers for each batch. It is run as a
 * persistent external solver is (program.h): without a shell, in its folder, perhaps isolated,
 * started anew after it failed, ended together with all that it started.
 *
 * The values come to searches as those of a plugin do (heuristics/plugin.h). A search cannot fail
 * for its heuristic, so the process that makes a run says when it begins and ends: when the program
 * fails, the search is interrupted and the run has the program's status. */
#pragma once

#include "harness/external/program.h"
#include "heuristics/plugin.h"

struct program_heuristic {
    struct external external; /* owned */
    char *name;               /* owned */
    unsigned batch;           /* no batch has more boards */
    unsigned claims;          /* as of a plugin */
};

/* Makes a heuristic of the program, and takes it over; `file` is its description, at `path`, or the
 * mapping itself, {command: ..}, and `path` the folder of its files. NULL, with what is wrong in
 * *problem (heap memory); the program is then gone. */
struct plugin *program_heuristic_make(struct program_heuristic *program, const char *file,
                                      const char *path, char **problem);

/* The program that a plugin is made of; NULL: none. It belongs to the plugin, but is freed by
 * program_heuristic_end, after plugin_end. */
struct program_heuristic *program_heuristic_of(const struct plugin *plugin);
void program_heuristic_end(struct program_heuristic *program);

/* Whether a solver's heuristic, or a part of it, is a program. */
bool program_heuristics_has(const struct solver *solver);

/* A run begins, of a solver that has one: starts what does not run yet, and measures the limits
 * from then on. *programs (NULL: none yet) are those of the process, limits->interrupted is another
 * flag until the end. */
void program_heuristics_begin(struct programs **programs, const struct solver *solver,
                              const struct board *goal, struct limits *limits);

/* Sets what ends the process when a program fails outside of a run; it does not return. */
void program_heuristics_on_failure(void (*ends)(const char *message));

/* The run is over: if a program failed, the result and the answer say so and nothing else. */
void program_heuristics_end(struct result *result, struct answer *answer);

/* How much longer than its time limit such a run may take, in seconds. */
double program_heuristics_grace(const struct solver *solver, const struct limits *limits);
