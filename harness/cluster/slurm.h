/* Asks Slurm by its own commands (sbatch, squeue, scontrol), which must be on the PATH. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Runs a command of sbatch (words ended by NULL) in a folder. The number of the job, in heap
 * memory; NULL with what is wrong in *problem (heap memory, free()), which has what the command
 * wrote on standard error. */
char *slurm_send(char *const *words, const char *folder, char **problem);

/* A task that waits or runs. */
struct slurm_task {
    unsigned long job; /* the array's number */
    unsigned task;     /* within the array; 0: the job is no array */
    bool runs;         /* it does not wait */
    char *state;       /* owned; as Slurm calls it: "PENDING", "RUNNING", .. */
    char *reason;      /* owned; why it waits: "Resources", "JobHeldUser", ..; "None" */
};

struct slurm_tasks {
    struct slurm_task *items; /* owned */
    size_t count;
};

/* Reads the tasks of some jobs that are not over, those jobs' numbers being separated by commas.
 * False, with what is wrong in *problem; slurm_tasks_end frees them in any case. */
bool slurm_tasks(const char *jobs, struct slurm_tasks *tasks, char **problem);
void slurm_tasks_end(struct slurm_tasks *tasks);

/* The largest number that a task of an array may have here; 0 where Slurm does not say. */
unsigned slurm_last_task(void);
