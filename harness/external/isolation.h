/* A program kept to itself by bubblewrap (bwrap): without network, without sight of other
 * processes, and of all files it sees the system's (/usr, /etc and the like, not tilelab's own
 * data) and its own, those of struct external, all read-only. /tmp and /dev/shm are its own, empty
 * at the start and gone at its end. A submission finds its copy in SUBMISSION_PLACE, where it can
 * add files until it ends, but change none; while it is built, the copy itself. */
#pragma once

#include "harness/external/external.h"

/* The command that runs `words` (ended by NULL) isolated, ended by NULL; `bytes` is the most that
 * /tmp and /dev/shm hold each, 0: no limit of their own. Heap memory, heap_free_words. */
char **isolation_words(const struct external *external, char *const *words, uint64_t bytes);

/* The folders of the system's programs, and the variables that name folders and files of modules.
 */
#define ISOLATED_PATH "/usr/local/bin:/usr/bin:/bin"
extern const char *const isolation_variables[];

/* For a program about which nothing is known but its command: lets it see, read-only, the current
 * folder, those of the files that its command and isolation_variables name, and the one of its
 * interpreter, be it behind links and shims, which is asked for its version; but no results folder,
 * nor the whole system. */
void isolation_show(struct external *external);

/* Why no program can be isolated on this machine, tried once, in heap memory; NULL: it can. */
char *isolation_missing(void);
