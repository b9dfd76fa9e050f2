/* The trace of a search: what a lecturer draws on the blackboard, step by step, as text or as one
 * JSON object a line. Nothing is held but the step that is being made. */
#pragma once

#include "algorithms/solver.h"
#include <stdio.h>

/* What is to be shown. */
struct trace_wanted {
    uint64_t first; /* step, from 1 */
    uint64_t last;
    uint64_t live; /* how many live nodes to show after each step; UINT64_MAX: all */
    bool json;
};

struct trace;

/* A trace of one search, printed to `file`. *stop becomes 1 when the file cannot be written any
 * more. */
struct trace *trace_start(const struct trace_wanted *wanted, const struct solver *solver,
                          FILE *file, volatile sig_atomic_t *stop);

/* What the observer of the search calls; `context` is the trace. */
bool trace_sees(void *context, const struct event *event);

/* Prints what is left and frees the trace. */
void trace_end(struct trace *trace);

/* Why a child was not kept, or how, in words: "pruned: f 12 > threshold 10". Heap memory, free().
 */
char *trace_reason(const struct event *event);

/* A cost as it is shown: a whole number, or with up to three decimals. */
void trace_cost(double f, char text[32]);
