#include "harness/external/cgroup.h"
#include "base/heap.h"
#include "harness/external/process_tree.h"
#include "harness/external/program.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/* The group that tilelab PID moves to, and its groups of programs. */
#define HOME    "tilelab-%ld-home"
#define PROGRAM "tilelab-%ld-program-%u"

/* What a group may hold above the program's limit: a part of it, for page tables and for the watch
 * to be the one that ends a program which grows slowly; and the kernel's own memory of as many
 * processes as a program may have, in bytes. */
enum { ABOVE_PART = 16, ABOVE_BYTES = MOST_PROCESSES * (128 << 10) };

/* How often the removal of a group is tried: what was killed takes a moment to leave it. */
enum { TRIES = 50, TRY_NS = 2000000 };

static bool is_home(const char *name, long *id)
{
    int end = 0;
    return sscanf(name, HOME "%n", id, &end) == 1 && end > 0 && name[end] == '\0';
}

static bool is_program(const char *name, long *id)
{
    int end = 0;
    unsigned number;
    return sscanf(name, PROGRAM "%n", id, &number, &end) == 2 && end > 0 && name[end] == '\0';
}

static int open_in(const char *folder, const char *name)
{
    SCOPED char *path = heap_format("%s/%s", folder, name);
    return open(path, O_WRONLY | O_CLOEXEC);
}

static bool write_in(const char *folder, const char *name, const char *text)
{
    const int file = open_in(folder, name);
    const bool written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return written;
}

/* The text of a file, in heap memory; NULL if it cannot be read or is empty. */
static char *read_in(const char *folder, const char *name)
{
    char *text = NULL;
    size_t room = 0;
    SCOPED char *path = heap_format("%s/%s", folder, name);
    SCOPED_BY(stream_end) FILE *file = fopen(path, "re");
    const bool got = file != NULL && getdelim(&text, &room, '\0', file) >= 0;
    return heap_keep(got, text);
}

/* Whether there is a controller of memory. */
static bool has_memory(const char *folder)
{
    SCOPED char *text = read_in(folder, "cgroup.controllers");
    bool found = false;
    for (char *word = text; word != NULL && !found;)
        found = strcmp(strsep(&word, " \n"), "memory") == 0;
    return found;
}

/* What stands between the number and the path of a group in /proc/PID/cgroup: of cgroup v2, and of
 * the controller of memory where that is one of v1. */
#define OF_V2     "::/"
#define OF_MEMORY ":memory:/"

/* The folder of the group of this process, in heap memory; NULL: it has none. */
static char *own_folder(const char *root, const char *self, const char *which)
{
    SCOPED char *text = read_in("", self);
    char *folder = NULL;
    for (char *rest = text; rest != NULL && folder == NULL;) {
        const char *line = strsep(&rest, "\n");
        const char *colon = line + strcspn(line, ":");
        const char *path = colon + strlen(which) - 1;
        if (strncmp(colon, which, strlen(which)) == 0)
            folder = heap_format("%s%s", root, path[1] == '\0' ? "" : path);
    }
    return folder;
}

/* Whether a process is this one or descends from it. */
static bool is_ours(long id, const struct process_tree *tree)
{
    bool ours = id == getpid();
    for (size_t i = 0; i < tree->count && !ours; i++)
        ours = tree->members[i] == id;
    return ours;
}

/* Whether this process and those that descend from it are in a group alone. */
static bool is_alone(const char *folder)
{
    struct process_tree tree = {0};
    SCOPED char *text = read_in(folder, "cgroup.procs");
    bool alone = text != NULL;
    process_tree_look(&tree);
    for (char *rest = text; alone && *rest != '\0' && *rest != '\n';) {
        alone = is_ours(strtol(rest, &rest, 10), &tree);
        rest += *rest == '\n';
    }
    process_tree_end(&tree);
    return alone;
}

/* Moves all processes of a group into another one; the system takes one at a time. */
static bool move_all(const char *from, const char *to)
{
    SCOPED char *text = read_in(from, "cgroup.procs");
    bool moved = text != NULL;
    for (char *rest = text; rest != NULL && *rest != '\0';) {
        const char *id = strsep(&rest, "\n");
        moved = write_in(to, "cgroup.procs", id) && moved;
    }
    return moved;
}

/* Moves this process and its children out of their home again. */
static void leave_home(const char *folder, const char *home)
{
    if (!write_in(folder, "cgroup.subtree_control", "-memory -pids"))
        write_in(folder, "cgroup.subtree_control", "-memory");
    move_all(home, folder);
    rmdir(home);
}

/* Moves this process and its children out of `folder`, so that it may have groups with limits. */
static bool enter_home(const char *folder)
{
    SCOPED char *home = heap_format("%s/" HOME, folder, (long)getpid());
    const bool entered = mkdir(home, 0755) == 0 && move_all(folder, home) &&
                         (write_in(folder, "cgroup.subtree_control", "+memory +pids") ||
                          write_in(folder, "cgroup.subtree_control", "+memory"));
    if (!entered)
        leave_home(folder, home);
    return entered;
}

static int remove_folder(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)place;
    if (type == FTW_DP)
        rmdir(path);
    return 0;
}

/* Removes a group with the groups that the program made in it. */
static void remove_group(const char *folder)
{
    const struct timespec moment = {.tv_nsec = TRY_NS};
    for (unsigned i = 0; i < TRIES; i++) {
        nftw(folder, remove_folder, 8, FTW_DEPTH | FTW_PHYS);
        if (access(folder, F_OK) != 0)
            return;
        nanosleep(&moment, NULL);
    }
}

/* Removes the groups of this process and of those that have ended. In a home nobody is killed. */
static void remove_left(const char *place)
{
    const struct dirent *entry;
    SCOPED_BY(listing_end) DIR *folder = opendir(place);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        long id;
        const bool home = is_home(entry->d_name, &id);
        if ((!home && !is_program(entry->d_name, &id)) ||
            (id != getpid() && (kill((pid_t)id, 0) == 0 || errno != ESRCH)))
            continue;
        SCOPED char *path = heap_format("%s/%s", place, entry->d_name);
        if (home) {
            rmdir(path);
        } else {
            write_in(path, "cgroup.kill", "1");
            remove_group(path);
        }
    }
}

void cgroups_open(struct cgroups *groups, const char *root, const char *self)
{
    long id;
    char *folder = own_folder(root, self, OF_V2);
    char *name = folder == NULL ? NULL : strrchr(folder, '/');
    *groups = (struct cgroups){0};
    const bool at_home = name != NULL && is_home(name + 1, &id);
    if (at_home)
        *name = '\0';
    if (folder != NULL && access(folder, W_OK) == 0 && has_memory(folder) &&
        (at_home || is_alone(folder))) {
        remove_left(folder);
        groups->entered = !at_home && enter_home(folder);
    } else {
        folder = heap_keep(false, folder);
    }
    groups->folder = heap_keep(at_home || groups->entered, folder);
}

void cgroups_close(struct cgroups *groups)
{
    if (groups->entered) {
        SCOPED char *home = heap_format("%s/" HOME, groups->folder, (long)getpid());
        leave_home(groups->folder, home);
    }
    if (groups->folder != NULL)
        remove_left(groups->folder);
    free(groups->folder);
    *groups = (struct cgroups){0};
}

void cgroup_start(struct cgroup *group, struct cgroups *groups)
{
    char tasks[32];
    *group = (struct cgroup){.procs = -1};
    if (groups->folder == NULL)
        return;
    group->folder = heap_format("%s/" PROGRAM, groups->folder, (long)getpid(), groups->number++);
    snprintf(tasks, sizeof tasks, "%d", MOST_TASKS);
    SCOPED char *events = NULL;
    if (mkdir(group->folder, 0755) == 0 && write_in(group->folder, "memory.max", "max") &&
        write_in(group->folder, "memory.oom.group", "1") &&
        (events = read_in(group->folder, "memory.events.local")) != NULL) {
        write_in(group->folder, "memory.swap.max", "0");
        write_in(group->folder, "pids.max", tasks);
        group->procs = open_in(group->folder, "cgroup.procs");
    }
    if (group->procs < 0)
        cgroup_end(group);
}

void cgroup_limit(struct cgroup *group, uint64_t bytes)
{
    char text[32] = "max";
    group->bytes =
        bytes > 0 && bytes < UINT64_MAX / 2 ? bytes + bytes / ABOVE_PART + ABOVE_BYTES : 0;
    if (group->bytes > 0)
        snprintf(text, sizeof text, "%ju", (uintmax_t)group->bytes);
    if (group->folder != NULL)
        write_in(group->folder, "memory.max", text);
}

void cgroup_enter(const struct cgroup *group)
{
    if (group->procs >= 0 && write(group->procs, "0", 1) != 1)
        errno = 0; /* then it is watched alone */
}

/* The number in the line that begins with `name`; 0 if there is none. */
static uint64_t read_count(const char *folder, const char *file, const char *name)
{
    uint64_t count = 0;
    SCOPED char *text = read_in(folder, file);
    for (char *rest = text; rest != NULL && count == 0;) {
        const char *line = strsep(&rest, "\n");
        if (strncmp(line, name, strlen(name)) == 0)
            count = strtoull(line + strlen(name), NULL, 10);
    }
    return count;
}

uint64_t cgroup_oom_kills(const char *root, const char *self)
{
    SCOPED char *root_v1 = heap_format("%s/memory", root);
    char *folders[] = {own_folder(root, self, OF_V2), own_folder(root_v1, self, OF_MEMORY)};
    uint64_t kills = 0;
    if (folders[0] != NULL)
        kills = read_count(folders[0], "memory.events", "oom_kill ");
    if (folders[1] != NULL)
        kills += read_count(folders[1], "memory.oom_control", "oom_kill ");
    FREE(folders[0], folders[1]);
    return kills;
}

uint64_t cgroup_full_bytes(const struct cgroup *group)
{
    /* `oom` of this very group: oom_kill also counts what the whole system had no memory for. */
    const bool full =
        group->folder != NULL && read_count(group->folder, "memory.events.local", "oom ") > 0;
    return full ? group->bytes : 0;
}

pid_t *cgroup_members(const struct cgroup *group)
{
    SCOPED char *text = group->folder == NULL ? NULL : read_in(group->folder, "cgroup.procs");
    pid_t *ids = text == NULL ? NULL : heap_take(strlen(text) + 1, sizeof *ids);
    size_t count = 0;
    for (char *rest = text; rest != NULL && *rest != '\0';) {
        ids[count] = (pid_t)strtol(rest, &rest, 10);
        count += ids[count] > 0;
        rest += strcspn(rest, "\n");
        rest += *rest == '\n';
    }
    return ids;
}

void cgroup_kill(const struct cgroup *group)
{
    if (group->folder != NULL)
        write_in(group->folder, "cgroup.kill", "1");
}

void cgroup_end(struct cgroup *group)
{
    if (group->procs >= 0)
        close(group->procs);
    if (group->folder != NULL)
        remove_group(group->folder);
    free(group->folder);
    *group = (struct cgroup){.procs = -1};
}
