/* The processes that a process has started, whatever they did to get away: its descendants, as
 * /proc shows them, and, once it is a subreaper, those whose parents have ended. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* How long the system may take to end what is killed, in seconds. */
#define KILL_SECONDS 10.0

struct process_tree {
    /* Filled in by the caller. */
    pid_t root;                    /* the process whose end is noted; 0: none */
    const pid_t *spared;           /* not part of the tree, nor are their descendants; not owned */
    const uint64_t *spared_starts; /* when they started (`starts`), as numbers are used again; 0:
                                      not known; NULL: of none; not owned */
    size_t spared_count;

    /* What was seen at the last look. */
    pid_t *members;   /* owned; descendants of this process that have not ended; the first one is
                         `root` until the first look */
    uint64_t *starts; /* owned; when each of them started, in ticks since the system's; NULL before
                         the first look */
    size_t count;

    /* What is known of those that have ended. */
    bool root_ended;
    int root_status;          /* as wait() has it */
    uint64_t root_peak_bytes; /* the most resident memory of the root or of one of its children */
    double ended_seconds;     /* processor time, with that of the children they waited for */
};

/* Before hundreds of processes that compute, this one would hardly have a turn. Makes it go first,
 * where the system allows that, or no longer. Returns whether it went first before. */
bool process_goes_first(bool first);

/* A new process that shares its parent's memory does not go first; its parent still does. */
void process_goes_as_any(void);

/* Makes the system forget the peak of a process's memory: its largest resident memory is that since
 * now. Without /proc it stays. */
void process_forget_peak(pid_t process);

/* Reads the beginning of a file of /proc/PID; false, and an empty text, if the process is gone.
 * Takes no heap memory. */
bool process_read(pid_t process, const char *name, char *text, size_t room);

/* What a process does, as /proc/PID/stat has it: 'R' runs or waits for a processor, 'S' sleeps, ..;
 * '\0': there is none. */
char process_state(pid_t process);

/* How many processes and threads this process's user has, as far as /proc shows them. */
unsigned long process_tasks_of_user(void);

/* Makes this process the one to which descendants fall whose parents end. */
void process_tree_adopt(void);

/* Looks for all members. Costs three system calls for each process of the machine. */
void process_tree_look(struct process_tree *tree);

/* The same, and waits for members that have ended and are children of this process. */
void process_tree_reap(struct process_tree *tree);

/* Waits for the root if it has ended. Returns whether it has. */
bool process_tree_root_ended(struct process_tree *tree);

/* The resident memory of the members that the last look saw, in bytes. Pages that several share
 * count once where that is known, if without this the sum would be above `known`. 0: it cannot be
 * told now. */
uint64_t process_tree_bytes(const struct process_tree *tree, uint64_t known);

/* The processor time of all members so far, ended or not, in seconds. */
double process_tree_seconds(const struct process_tree *tree);

/* Ends all processes of the tree, and waits for them. False if some are left after a while, as the
 * system cannot end them. */
bool process_tree_kill(struct process_tree *tree);

void process_tree_end(struct process_tree *tree);
