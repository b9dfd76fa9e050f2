/* What a command runs in the end: an interpreter behind links and shims (pyenv, nvm, ..). */
#pragma once

#include "harness/external/external.h"

/* What became of a command that was to print a line. */
struct interpreter {
    bool started, fine; /* it could be started; it ended with exit code 0 */
    char *path; /* owned; the file that ran in the end, after links and shims; "": not known */
    char *line; /* owned; the first line that it printed which is not empty, or "" */
};

/* Runs a command (words ended by NULL; the first is looked for on the PATH) in a folder without
 * standard input, for five seconds at most; it ends then, with its process group. */
struct interpreter interpreter_ask(char *const *words, char *const *environment,
                                   const char *folder);
void interpreter_end(struct interpreter *interpreter);

/* The word that stands for the interpreter of a solver: of its command, or of its script's first
 * line (#!); heap memory; NULL: it has none. */
char *interpreter_of(const struct external *external);
