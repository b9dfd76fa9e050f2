/* Where results become rows: each is verified, compared with the other rows and appended to the
 * folder; what is wrong with it is reported and written to messages.csv.
 *
 * The sink also decides when the rows are flushed to the disk, and counts what it wrote. */
#pragma once

#include "harness/execution/refuted.h"
#include "harness/results/controls.h"
#include "harness/results/row_cover.h"

/* How many messages about rows of a solver there were. */
struct said {
    const char *solver;
    size_t count;
};

struct row_sink {
    /* Filled in by the caller. */
    struct folder *folder;
    struct cross *cross;
    struct display *display;
    const char *host;
    bool all_moves;          /* write long paths too */
    bool rounds;             /* keep what each round of a search counted */
    bool cover;              /* count the cover of each run's board */
    double sync_seconds;     /* how often the rows are flushed to the disk */
    struct tally tally;      /* the caller starts with the rows that are in the file already */
    const size_t *old_lines; /* by run number: the line that its row replaces, 0: none; may be NULL
                              */
    const char *finished_at; /* of the rows; NULL: the present time */
    bool dry;                /* write nothing */
    void (*wrote)(void *context, const struct record *record); /* told of each row; may be NULL */
    void *context;

    /* Its own. */
    struct row_covers covers;
    bool controls;     /* control.csv has rows */
    size_t messages;   /* written to messages.csv */
    struct said *said; /* by solver, in no order; owned */
    size_t said_count;
    size_t kept[TABLES];      /* by run table: runs that have rows there */
    struct new_line *changes; /* rows that replace others and are not in the file yet; owned */
    size_t change_count;
    double changed;    /* on clock_wall(): when rows were last replaced */
    double synced;     /* on clock_wall(): when the rows were last flushed to the disk */
    double sync_time;  /* how long that has taken in total, in seconds */
    bool failed;       /* a row could not be written, which was said: no other one is */
    bool message_lost; /* likewise a message */
    bool log_lost;     /* likewise a log */
};

enum row_outcome {
    ROW_WRITTEN,
    ROW_DOUBTED, /* written, with a claim that is wrong */
    ROW_UNWRITTEN
};

/* Takes a worker's result of a run, `elapsed` seconds after the run started, and frees it.
 * `answer` is what an external solver has beside it, the caller's to end; NULL for others.
 * `beside` is what else was seen. */
struct beside {
    const char *control;    /* the control run before it; "": none */
    const uint64_t *events; /* EVENTS of them; EVENT_UNKNOWN: not counted */
};
enum row_outcome row_sink_take(struct row_sink *sink, const struct run *run, double elapsed,
                               struct result *result, const struct answer *answer,
                               const struct beside *beside);

/* Takes the result of a control run of a worker, from 1, and frees it: a row of control.csv.
 * `control` has the worker's last one, and then this one. False, with a message, if it cannot be
 * kept. */
bool row_sink_take_control(struct row_sink *sink, const struct run *run, unsigned worker,
                           struct result *result, char control[CONTROL_ID_BYTES]);

/* Takes in that the process of a run ended before it could say anything: the run ended as `status`;
 * `why` (NULL: its status says it) is reported and kept. */
enum row_outcome row_sink_take_end(struct row_sink *sink, const struct run *run, enum status status,
                                   const char *why);

/* Once all rows are taken: marks those that later ones refuted (refuted.h). False, with a message,
 * if that fails. */
bool row_sink_settle(struct row_sink *sink, const struct run_ids *ids);

/* Reports something about a run: "WHAT: SOLVER on SET/INSTANCE: WHY", the solver by its label. */
void row_sink_say(struct row_sink *sink, const struct run *run, const char *what, const char *why);

/* Frees what the sink holds. */
void row_sink_end(struct row_sink *sink);

/* Flushes the rows to the disk if it is time to, or in any case. False, with a message, if that
 * fails or another program changed runs.csv. */
bool row_sink_sync(struct row_sink *sink, bool in_any_case);
