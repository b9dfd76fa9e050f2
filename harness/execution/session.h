/* A session: one call that makes the runs of an experiment, or of a shard of it, that a results
 * folder lacks.
 *
 * It opens and locks the folder, takes in the rows that are there, builds pattern databases, has
 * workers make what is missing, and keeps the manifest. The first interrupt ends the searches, and
 * the rows stay; the second ends the process. */
#pragma once

#include "harness/execution/manifest.h"
#include "harness/execution/queue.h"
#include "harness/execution/reparse.h"
#include "harness/text/terminal.h"

struct session_options {
    const char *output;   /* the results folder; NULL: the experiment's */
    struct shard shard;   /* count 0: the whole experiment */
    unsigned jobs;        /* 0: the experiment's, or one for each processor */
    bool fresh;           /* set earlier rows aside */
    bool keep;            /* leave rows of other runs where they are */
    bool all_moves;       /* write long paths, too */
    bool again[STATUSES]; /* rows of these are made again */
    bool any_again;
    double sync_seconds;       /* how often rows are flushed to the disk */
    struct reparsed *reparsed; /* not NULL: make no runs, but rows anew from logs, which this tells
                                */
};

struct session {
    /* Filled in by the caller; the rest is zero. */
    const struct experiment *experiment;
    const struct session_options *options;
    struct terminal *terminal;

    const char *results; /* the experiment's folder, of which a shard's is a part */
    char *output;        /* owned; the folder of this session */
    char *shared;        /* owned; where its searches are shared (sharing.h); NULL: they are not */
    struct run_ids ids;
    struct queue queue;
    struct folder folder;
    struct resumed resumed;
    struct cross *cross;
    struct row_sink sink;
    struct session_record record;
    unsigned *processors; /* owned; that workers are pinned to; NULL: not pinned */
    char host[256];
    size_t kept;  /* runs that had their row before */
    bool is_open; /* the folder */
    bool counted; /* the rows that exist are known */
    bool doubted; /* every run has its row, but some crashed, are wrong or are to be made again */
    char *reason; /* the caller\'s to free; why it ended otherwise than ENDING_DONE, or in doubt;
                     NULL: unsaid */
};

/* Makes the runs. The folder stays open and locked. */
enum ending session_run(struct session *session);

/* Says why the session did not end well; takes the text. */
void session_say(struct session *session, char *owned);

/* Closes the folder and frees what the session holds, but the reason. */
void session_end(struct session *session);
