/* Names in braces, {board}, that stand for something of a run: in the command of a program, in its
 * input and in its environment.
 *
 * A name is lower-case letters, digits and _, a letter first. Other braces stand for themselves,
 * and {{name}} for {name}. */
#pragma once

#include "instances/instance.h"

/* What a program is asked, and within which limits. */
struct question {
    const struct task *task;
    const struct limits *limits;
    unsigned repetition; /* from 1 */
    uint32_t seed;       /* placeholders_seed */
    unsigned threads;    /* the processors that the run holds */
    enum cost_model cost;
};

enum {
#define PLACEHOLDER(name, value, meaning)               PLACEHOLDER_##name,
#define RUN_PLACEHOLDER(name, variable, value, meaning) PLACEHOLDER_##name,
#include "harness/external/placeholders.def"
    PLACEHOLDERS
};

struct placeholder {
    const char *name;
    const char *meaning;
    const char *variable; /* of the environment; NULL: none */
};
extern const struct placeholder placeholders[PLACEHOLDERS];

/* The seed of a run: from 1 to 2^31 - 1, the same in every experiment, so that solvers on one board
 * have one seed and repetitions different ones. */
uint32_t placeholders_seed(const struct instance *instance, unsigned repetition);

/* What a text begins with. */
struct placeholder_piece {
    enum { PIECE_OTHER, PIECE_NAME, PIECE_IN_TWO } kind; /* {name}; {{name}}, for {name} itself */
    const char *name;                                    /* in the text */
    size_t name_length;
    size_t length; /* of the whole piece; 0: the text is at its end */
};
struct placeholder_piece placeholder_piece(const char *text);

/* The text with each {name} replaced by what `value` makes of it, heap memory, or as it is where
 * that is NULL, and {{name}} by {name}; heap memory. */
char *placeholders_by(const char *text,
                      char *(*value)(const void *context, const char *name, size_t length),
                      const void *context);

/* What a placeholder stands for; heap memory. */
char *placeholder_value(unsigned placeholder, const struct question *question);

/* The text with its placeholders filled in; heap memory. */
char *placeholders_filled(const char *text, const struct question *question);

/* The text with {names[i]} replaced by values[i], all other braces as they are; heap memory. */
char *placeholders_replaced(const char *text, const char *const *names, const char *const *values,
                            size_t count);

/* Whether the text has {name}. */
bool placeholders_have(const char *text, const char *name);

/* The first name in braces that is no placeholder, heap memory; NULL: there is none. */
char *placeholders_unknown(const char *text);
