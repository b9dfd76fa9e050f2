/* Searches of boards, and what is shown of them (tilelab solve). */
#pragma once

#include "harness/show/sheets.h"
#include "harness/show/trace.h"

enum { MAX_SOLVERS = 64 };

/* Solvers and boards, parsed and checked. */
struct job {
    struct solver solvers[MAX_SOLVERS];
    char *texts[MAX_SOLVERS]; /* owned */
    unsigned count;
    struct instance_list boards;
};

/* How to search, and what to show; of boards to svg at most one, but for moves or trace with json.
 */
struct answers_asked {
    char order[MOVES + 1];
    struct limits limits;
    bool boards, moves, json, html, trace, dot, svg;
    struct trace_wanted steps; /* of the trace */
    uint64_t draw;             /* nodes of a drawn tree */
    unsigned cost;             /* enum cost_model: what moves cost */
    enum sheet sheet;          /* the form of the answer; SHEETS: tilelab's own */
    const char *tree;        /* the file that it goes to; NULL: to `file`, in place of the answer */
    const char *tree_format; /* what Graphviz makes of it with dot: "pdf", "png"; NULL: nothing */
    const char *summary;     /* the file of five lines; NULL: none */
    const char *name;        /* of the file of boards, for the page; NULL: none */
    FILE *file, *messages;
};

/* Runs each solver, whose tables are built, on each board and prints the answers. *code becomes the
 * exit code of the last status that has one. False, with a message, if the summary or
 * the tree cannot be written. */
bool answers_give(const struct answers_asked *asked, const struct job *job, int *code);
