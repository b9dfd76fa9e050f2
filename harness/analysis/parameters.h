/* Parameters of solvers: the options of a built-in one, those at their defaults too, and the
 * `params` of a program, as the column options_json has them.
 *
 * Solvers that differ in nothing but one parameter are a family: a line over its values, not a
 * category each. A parameter `seed` does not tell them apart either. */
#pragma once

#include "harness/analysis/results.h"

/* The names of the parameters that are numbers, of all solvers: "seed, w"; "none" where there are
 * none. To be freed. */
char *parameters_listed(const struct results *results);

/* Those of a solver, {NAME: number}; a new reference. */
json_t *parameters_of(const struct results *results, size_t solver);

/* The value of a parameter of a solver; NaN where it has none or it is no number. */
double parameter_of(const struct results *results, size_t solver, const char *parameter);

struct member {
    size_t solver;
    double value;
};

struct family {
    char *name;  /* owned; what nothing else is called: "wastar(manhattan), w=.." */
    char *shown; /* owned; as tables call its solvers, without the parameter: "wastar(manhattan)" */
    char *as;    /* owned; a solver's short form, for its look */
    struct member *members; /* owned; by value */
    size_t count;
};

struct families {
    struct family *items; /* owned; in the order of their first solvers */
    size_t count;
};

/* Solvers that do not have the parameter are in none. The results are settled. */
struct families families_of(const struct results *results, const char *parameter);

void families_end(struct families *families);
