/* Control groups of the system (cgroup v2) for programs, where this process may make some.
 *
 * The memory limit of a group also holds between two looks at the processes. It is higher
 * than the program's own limit, which is on resident memory and is watched in any case: a group
 * also counts what the kernel holds for its processes, and files in the page cache.
 *
 * Wherever something is missing or refused there is no group, and nothing is said about it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Where the file system of control groups is, and what names the group of this process. */
#define CGROUP_ROOT "/sys/fs/cgroup"
#define CGROUP_SELF "/proc/self/cgroup"

/* The group that this process was started in, below which groups are made. */
struct cgroups {
    char *folder;    /* owned; NULL: none can be made */
    bool entered;    /* cgroups_open moved this process */
    unsigned number; /* of the next group */
};

/* The group of a program. */
struct cgroup {
    char *folder;   /* owned; NULL: it has none */
    int procs;      /* its file cgroup.procs, open for writing; -1: it has none */
    uint64_t bytes; /* that it may hold; 0: no limit */
};

/* Makes groups possible: no group may have both processes and groups with limits, so that this
 * process and its children move into a group next to those to come. They do so only if the group is
 * delegated to this user and nobody else is in it. A child of a process that has moved finds the
 * place again. Removes what processes that have ended left. cgroups_close. */
void cgroups_open(struct cgroups *groups, const char *root, const char *self);

/* Moves this process and its children back, if cgroups_open moved them, and removes the groups that
 * this process and those that have ended left. */
void cgroups_close(struct cgroups *groups);

/* Makes a group for a program; cgroup_end. */
void cgroup_start(struct cgroup *group, struct cgroups *groups);

/* Sets the memory that the program may have, in bytes; 0: no limit. */
void cgroup_limit(struct cgroup *group, uint64_t bytes);

/* How many processes the system has killed in the group of this process for want of memory, by the
 * group's own limit or not; of a machine with cgroup v1, too. 0: not known. */
uint64_t cgroup_oom_kills(const char *root, const char *self);

/* Moves this process into the group. Takes no heap memory. */
void cgroup_enter(const struct cgroup *group);

/* What the group held, in bytes, when it came to its limit, at which the system ends all of its
 * processes; 0: it did not. */
uint64_t cgroup_full_bytes(const struct cgroup *group);

/* The processes that are in the group, ended by 0, in heap memory; NULL: that is not known. */
pid_t *cgroup_members(const struct cgroup *group);

/* Kills all processes of the group. */
void cgroup_kill(const struct cgroup *group);

/* Removes the group, if no process is in it, and frees what it has. */
void cgroup_end(struct cgroup *group);
