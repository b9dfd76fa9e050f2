/* Runs external solvers: asks one for the solution of a board, within limits.
 *
 * A program and everything that it started (its process tree) end with its run, or, if it is
 * persistent, with programs_end. The caller's process becomes the subreaper of its descendants. */
#pragma once

#include "harness/external/external.h"

/* The programs that a process runs: one at a time, and persistent ones that wait for a board. */
struct programs;

/* How long a persistent program may take to answer its first board, at least, in seconds, unless
 * programs_set_warm_up says otherwise. */
#define WARM_UP_SECONDS 60.0

/* The time limit of a run that warms a worker up, whichever solver's: its result is not kept. */
#define WARM_UP_RUN_SECONDS 1.0

/* How much a program may print for an answer, how much of its standard error is kept, how many
 * processes it may have at once, and at how many the system refuses more: there threads count as
 * well. */
enum {
    OUTPUT_BYTES = 16 << 20,
    TAIL_BYTES = 2048,
    MOST_PROCESSES = 1000,
    MOST_TASKS = 8 * MOST_PROCESSES
};

/* Starts with none; heap memory, programs_end. The process ignores SIGPIPE from now on. */
struct programs *programs_start(void);

/* Sets how long a persistent program may take to answer its first board, at least;
 * WARM_UP_SECONDS without this call. */
void programs_set_warm_up(struct programs *programs, double seconds);

/* Asks a question: the solution of a task. A program is started without a shell, in its folder, in
 * a process group of its own, with the limits of processor time and memory that this process may
 * raise its own to. A one-shot program answers with its end, at exit code 0 or 3; a persistent one
 * first gets a board one move from its goal, which is not measured, and is started anew after it
 * failed. What a persistent one printed before it had its board is no answer: the run is `crashed`.
 *
 * `result` and `answer` are always filled; result_end and
 * answer_end free them. The result is a claim that nobody has checked (judge/verdict.h), but its
 * times and bytes are the system's: wall_seconds from the start of the process to its end, for a
 * persistent one from the board to the end of the answer; cpu_seconds and peak_bytes of the process
 * tree. limits->seconds, limits->cpu_seconds (of the tree) and limits->bytes (resident memory of
 * the tree; 0: no limit) end it as time_limit, cpu_limit and memory_limit, *limits->interrupted as
 * interrupted, be it that the signal behind it ended the program first; a program that others
 * killed (SIGKILL, or the system for want of memory) is lost; an answer that says more generated
 * nodes than limits->nodes is a node_limit; whatever else goes wrong makes it `crashed`, with a
 * message. */
void programs_ask(struct programs *programs, const struct external *external,
                  const struct question *question, struct result *result, struct answer *answer);

/* Runs the command that builds a submission, in its copy, which is all that it may change.
 * STATUS_solved: it ended with exit code 0. Else `answer` has the message, with the first lines
 * that it printed, and the status says what ended it: crashed, a limit, interrupted, lost. The log
 * is kept. `build` is the submission with build_words as its words, `building`. */
enum status programs_build(struct programs *programs, const struct external *build,
                           const struct limits *limits, struct answer *answer);

/* Gives a persistent program any input, and waits for a line. The program is started for it if it
 * does not wait, and measured and ended as by programs_ask. *line is what it printed, whole lines
 * or not, after a line end if that was before it was asked (heap memory); or NULL: then *status is
 * the run's, and why is returned (heap memory; NULL if the status says it). */
char *programs_exchange(struct programs *programs, const struct external *external,
                        const struct question *question, const char *input, char **line,
                        enum status *status);

/* Whether a persistent program is running; and ends it. */
bool programs_run(const struct programs *programs, const struct external *external);
void programs_stop(struct programs *programs, const struct external *external);

/* How long the start of the program may take before a run of it, in seconds: that of a persistent
 * one, up to the answer to its first board, as each run may be the first of a new process. 0: the
 * start of others is part of their time. */
double programs_start_seconds(const struct external *external, const struct limits *limits);

/* How much longer than its time limit a run may take: the start of a persistent program, the end of
 * its processes. Seconds. */
double programs_grace(const struct external *external, const struct limits *limits);

/* Ends all programs, with all that they started. */
void programs_end(struct programs *programs);
