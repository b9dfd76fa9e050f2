/* From a claim to a fact: the one place that may call a run solved. */
#pragma once

#include "harness/results/run.h"

/* Replays the path of a result that claims to be solved, and holds every claim against what is
 * known of the run's instance. If the claim is wrong, sets result->status to wrong_answer and
 * returns why, in heap memory; else returns NULL. The path stays in the result: it may hold. */
char *verify_result(const struct run *run, struct result *result);

/* What no search can have counted that found the path of a solved run, by what each counter means:
 * fewer expansions or nodes than the path's steps need (a path that comes back to a state needs
 * none for the detour), more successors than expansions have, more nodes held than made. Each bound
 * leaves room for a search that does not count its roots. `known`: bit i says that counter i is.
 * Heap memory; NULL: nothing. A table of solved boards may do with less, but that is no search. */
char *impossible_counts(const struct instance *instance, const struct result *result,
                        uint32_t known);

/* Holds every cell of a result that another process claims against the others, against the limits
 * of the run, and against the seconds since it was requested: counters, times, h_start and the
 * status's own condition (a limit of nodes is met to the node). If a claim is impossible, none is
 * believed: status, counters, times and h_start become those of a wrong answer without figures (the
 * path stays), and the reason is returned, in heap memory; else NULL. verify_result checks the
 * path.
 *
 * External solvers are checked less strictly. They count as they like: one may leave the root out,
 * search a board that parity shows to be unsolvable, or count nodes that tilelab does not. Its
 * processor time may be that of several processors, and its memory is watched from outside. What
 * remains to check is the clock, the limits of time and nodes, and that a start which is the goal
 * needs no moves, if it promises shortest solutions. A path that took more generated nodes than the
 * run's limit, by the program's own count, is a node_limit; if a limit of its own ended it before
 * the run's, the status becomes `stuck`. */
char *verify_cells(const struct run *run, double elapsed_seconds, struct result *result);
