/* Runs another program's command and takes what it writes. */
#pragma once

#include <stdbool.h>

/* How a command ended. */
struct reply {
    char *text;    /* owned; its standard output */
    char *errors;  /* owned; its standard error, without trailing line ends */
    bool fine;     /* it ended with exit code 0 */
    char *problem; /* owned; why it could not be started; or NULL */
};

/* Runs a command (words ended by NULL; the first is looked for on the PATH) in a folder (NULL:
 * here) without standard input, and waits for its end. reply_end frees the reply. */
struct reply ask(char *const *words, const char *folder);

void reply_end(struct reply *reply);
