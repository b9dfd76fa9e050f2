/* A program that runs, shared by the files that start it (launch.c), talk with it (exchange.c) and
 * keep it for more boards (program.c). Nobody else includes this. */
#pragma once

#include "harness/external/cgroup.h"
#include "harness/external/process_tree.h"
#include "harness/external/program.h"
#include "harness/external/protocol.h"

/* How often the list of its processes is looked at, at most, in seconds. */
#define LOOK_SECONDS 0.02

/* A program that runs. */
struct program {
    const struct external *external;
    struct programs *programs; /* that it is one of */
    struct process_tree tree;
    struct cgroup group;
    double lost_seconds; /* processor time of those killed that the system's books lack */
    int handle;          /* its pidfd; -1 if the system has none */
    int in, out, error;  /* our ends of its pipes; -1: closed */
    char *output;        /* what it printed and is no part of an answer yet; owned */
    size_t output_bytes;
    size_t output_room;
    struct answer_scan scan;
    double asked;              /* on clock_wall(): when it was asked */
    struct arrivals arrivals;  /* of its output */
    char tail[TAIL_BYTES + 1]; /* the end of its standard error */
    size_t tail_bytes;
    char *errors;         /* the first LOG_BYTES of its standard error, if they are kept; owned */
    size_t error_bytes;   /* how many it printed there */
    unsigned long tasks;  /* that its user may have, with those from before */
    uint64_t floor_bytes; /* what this process held when it became the program: its peak as the
                             system has it is not below that */
    uint64_t oom_kills;   /* cgroup_oom_kills, before it was started */
    bool persistent;      /* as its solver, which may be gone when the program is ended */
    bool killed;          /* others ended it by SIGKILL; or it ended after the system had killed a
                             process of this group for want of memory */
    bool closed;          /* it closed its output and did not end */
};

struct programs {
    double warm_up_seconds;
    struct program **waiting; /* persistent ones; owned */
    size_t count;
    struct cgroups groups; /* where its programs have theirs */
    unsigned long tasks;   /* of the user, with those that a program may have */
    struct program *last;  /* the one that was asked last, if it waits; else NULL */
    struct process_tree
        others; /* the processes of those that wait, but for the one that is asked */
};

/* How an exchange with a program ended. */
enum outcome {
    ANSWERED, /* a persistent one answered */
    ENDED,    /* the process ended, or a persistent one closed its output */
    LATE,
    SPENT, /* its limit of processor time */
    LARGE,
    STOPPED,
    TALKATIVE,
    BREEDING,
    UNREAD, /* a persistent one answered before it had read any of the board */
    UNSEEN  /* it cannot be watched */
};

/* One board and its answer. */
struct exchange {
    struct program *program;
    const struct limits *limits;
    double begun;      /* on clock_wall() */
    double cpu_before; /* the processor time that the tree had taken by then */
    const char *input; /* what is still to be written, */
    size_t input_bytes;
    uint64_t peak_bytes; /* the most that was seen */
    bool kept;           /* the system kept a peak too: it does not depend on looks alone */
    unsigned looks;      /* that saw some memory */
    bool growing;        /* the last look for all saw more processes than the one before */
    double next_glance, next_look;
    unsigned long tasks, looked_tasks; /* of the machine, at the last glance and look */
    double wall_seconds;
};

/* Starts the program for a question, or, if it is persistent, for that and those that follow.
 * Returns what is wrong, in heap memory, or NULL; the caller ends it in either case. */
char *program_launch(struct program *program, const struct question *question);

/* Closes a file descriptor that is not -1, and sets it to -1. */
void program_close(int *end);

/* Gives the program its board and waits for what comes of it. */
enum outcome program_converse(struct exchange *exchange);

/* Reads what has come. False: it is more than a program may print. The end of the output closes our
 * end. */
bool program_read(struct program *program);

/* Reads all that there is by now. False: too much. */
bool program_drain(struct program *program);

/* The processes of the other programs that wait are not part of this one's tree: those that they
 * had when they were asked last, and those of their groups. */
void program_spare_others(struct program *program);

/* Ends a program and all that it started, and reads what it left to be read. False: it printed too
 * much. */
bool program_finish(struct program *program);
