/* What heuristics need before a search and what may take long to make: pattern databases.
 *
 * They are made before any clock runs, with a bar on a terminal and a line for each that was built,
 * and stay in the process, so that workers forked later share them. Ctrl-C stops a build; what was
 * built before is kept. */
#ifndef COMMANDS_TABLES_H
#define COMMANDS_TABLES_H

#include "harness/commands/progress.h"
#include "heuristics/heuristic.h"
#include "pdb/pattern_store.h"
#include <argp.h>

/* The option --pdb-dir, for a command's children; it takes effect at once. */
extern const struct argp tables_parser;

/* Who shows what goes on while tables are made. Zeroed at the start, but for `quiet`. */
struct table_watch {
    struct progress progress;
    const struct pattern *pattern; /* what is being built; NULL before the first */
    bool quiet;                    /* no bar, and no line for what was built */
    bool stopped;                  /* by Ctrl-C */
};

/* The watcher for a build that is shown; it stops when the process is interrupted, from now on
 * until table_watch_end. */
struct pattern_watcher table_watch_start(struct table_watch *watch);
void table_watch_end(struct table_watch *watch);

/* Makes ready what the heuristic needs for the goal; a kind of NULL needs nothing. Returns
 * EXIT_DONE, or what to exit with, and says why on standard error; `quiet`: nothing else. */
int tables_build(const struct heuristic_choice *choice, const struct board *goal, bool quiet);

#endif
