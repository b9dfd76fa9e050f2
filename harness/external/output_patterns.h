/* How the output of a program is read that does not print `name: value`: a regular expression for
 * each name, such as expanded: '"total nodes expanded"\s+"(\d+)"'.
 *
 * The expressions are those of PCRE2, over the whole output: ^ and $ match at each line, . matches
 * no line end. The value is what the first group matched, or, without groups, the whole match. Of
 * several matches the last counts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct output_pattern {
    char *name;  /* as a line `name: value` would have it; the name of a status (`unsolvable`) says
                    that it is the answer's */
    char *text;  /* the expression */
    size_t line; /* of the experiment's file; 0: not known */
    void *compiled; /* private */
};

/* The processor time that an expression may take for one output. */
#define PATTERN_SECONDS 1.0

/* Compiles the text. NULL, or what is wrong with it, in heap memory: "at character 7: missing
 * closing parenthesis". */
char *output_pattern_compile(struct output_pattern *pattern);

/* Calls `found` with each value in a text of `length` bytes, in heap memory (which it takes over),
 * and the place where its match ends. An expression that takes too many steps or too long ends
 * with the reason, in heap memory; else returns NULL. */
char *output_pattern_each(const struct output_pattern *pattern, const char *text, size_t length,
                          void (*found)(void *context, char *value, size_t end), void *context);

/* Whether the name is that of a status. */
bool output_pattern_is_status(const struct output_pattern *pattern);

void output_pattern_end(struct output_pattern *pattern);
