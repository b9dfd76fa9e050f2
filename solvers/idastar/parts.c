#include "idastar/parts.h"
#include "base/file.h"
#include "base/heap.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* What a file is of. */
struct identity {
    char magic[8];
    uint8_t start[MAX_CELLS], goal[MAX_CELLS];
    char order[8];
    uint32_t width, threshold, part, count;
    uint64_t expanded, generated; /* before the round */
};

/* What is in a file, before the moves of a solution and a hash of all. */
struct saved {
    struct identity identity;
    struct part_sum sum;
};

static const char magic[8] = "idapart1";

static const char *const endings[] = {
    [PART_CLAIMED] = "claim", [PART_COUNTED] = "part", [PART_ENDS] = "end"};

static const char *folder_of(const struct parts *parts)
{
    return parts->search->limits.split->folder;
}

/* The path of a file; heap memory. */
static char *path_of(const struct parts *parts, unsigned part, enum part_state state)
{
    if (part == parts->count)
        return heap_format("%s/%u.round", folder_of(parts), parts->threshold);
    return heap_format("%s/%u-%u.%s", folder_of(parts), parts->threshold, part, endings[state]);
}

struct parts parts_start(struct search *search, unsigned threshold)
{
    struct parts parts = {.search = search,
                          .threshold = threshold,
                          .count = search->limits.split->parts,
                          .expanded = search->statistics.expanded,
                          .generated = search->statistics.generated};
    parts.end = parts.count - 1;
    parts.state = arena_keep(&search->arena, NULL, parts.count);
    parts.failed = parts.state == NULL || (mkdir(folder_of(&parts), 0777) != 0 && errno != EEXIST);
    if (!parts.failed)
        memset(parts.state, PART_OPEN, parts.count);
    return parts;
}

void parts_end(struct parts *parts)
{
    free(parts->state);
    parts->state = NULL;
}

/* Notes what a file of the folder says by its name. */
static void note_name(struct parts *parts, const char *name)
{
    char *rest;
    if (strtoul(name, &rest, 10) != parts->threshold || rest == name)
        return;
    if (strcmp(rest, ".round") == 0)
        parts->summed = true;
    if (*rest != '-')
        return;
    const unsigned long part = strtoul(rest + 1, &rest, 10);
    for (unsigned state = PART_CLAIMED; state <= PART_ENDS && part < parts->count; state++)
        if (*rest == '.' && strcmp(rest + 1, endings[state]) == 0 && parts->state[part] < state)
            parts->state[part] = (uint8_t)state;
    if (part < parts->end && parts->state[part] == PART_ENDS)
        parts->end = (unsigned)part;
}

void parts_look(struct parts *parts)
{
    DIR *folder = opendir(folder_of(parts));
    parts->failed = folder == NULL;
    parts->summed = false;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        note_name(parts, entry->d_name);
    if (folder != NULL)
        closedir(folder);
}

/* Takes a part that nobody began. False if another was faster, or nothing can be written. */
static bool claim(struct parts *parts, unsigned part)
{
    SCOPED char *path = path_of(parts, part, PART_CLAIMED);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    parts->state[part] = PART_CLAIMED;
    if (file >= 0)
        close(file);
    else
        parts->failed = errno != EEXIST;
    return file >= 0;
}

unsigned parts_choose(struct parts *parts)
{
    for (unsigned i = 0; i <= parts->end && !parts->failed; i++)
        if (parts->state[i] == PART_OPEN && claim(parts, i))
            return i;
    /* Each process begins elsewhere, so that two seldom repeat the same. */
    const unsigned needed = parts->end + 1;
    const unsigned first = (unsigned)(XXH3_64bits(&(pid_t){getpid()}, sizeof(pid_t)) % needed);
    for (unsigned i = 0; i < needed; i++)
        if (parts->state[(first + i) % needed] == PART_CLAIMED)
            return (first + i) % needed;
    return parts->count;
}

static struct identity identity_of(const struct parts *parts, unsigned part)
{
    const struct task *task = parts->search->task;
    struct identity identity;
    memset(&identity, 0, sizeof identity);
    memcpy(identity.magic, magic, sizeof magic);
    memcpy(identity.start, task->start.cell, task->start.shape.cells);
    memcpy(identity.goal, task->goal.cell, task->goal.shape.cells);
    memcpy(identity.order, task->order, MOVES);
    identity.width = task->start.shape.width;
    identity.threshold = parts->threshold;
    identity.part = part;
    identity.count = parts->count;
    identity.expanded = parts->expanded;
    identity.generated = parts->generated;
    return identity;
}

/* Writes under a name that no other process uses, and renames. */
static bool write_whole(const char *path, const char *whole, size_t bytes)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    SCOPED char *part = heap_format("%s.%s.%d", path, host, (int)getpid());
    return file_write_through(part, path, whole, bytes);
}

void parts_write(struct parts *parts, unsigned part, const struct part_sum *sum)
{
    struct saved saved;
    memset(&saved, 0, sizeof saved);
    saved.identity = identity_of(parts, part);
    saved.sum = *sum;
    const size_t bytes = sizeof saved + sum->length;
    SCOPED char *path = path_of(parts, part, sum->ends ? PART_ENDS : PART_COUNTED);
    SCOPED char *whole = heap_take(bytes + sizeof(XXH64_hash_t), 1);
    memcpy(whole, &saved, sizeof saved);
    if (sum->length > 0)
        memcpy(whole + sizeof saved, parts->search->moves, sum->length);
    const XXH64_hash_t hash = XXH3_64bits(whole, bytes);
    memcpy(whole + bytes, &hash, sizeof hash);
    if (!write_whole(path, whole, bytes + sizeof hash))
        parts->failed = true;
}

/* Whether the contents of a file are whole and of this part of this round. */
static bool is_of(const struct parts *parts, unsigned part, const char *whole, size_t bytes)
{
    struct saved saved;
    XXH64_hash_t hash;
    if (bytes < sizeof saved + sizeof hash)
        return false;
    memcpy(&saved, whole, sizeof saved);
    memcpy(&hash, whole + bytes - sizeof hash, sizeof hash);
    const struct identity wanted = identity_of(parts, part);
    return memcmp(&saved.identity, &wanted, sizeof wanted) == 0 &&
           bytes == sizeof saved + saved.sum.length + sizeof hash &&
           hash == XXH3_64bits(whole, bytes - sizeof hash);
}

bool parts_read(struct parts *parts, unsigned part, struct part_sum *sum)
{
    enum { MOST = sizeof(struct saved) + (1 << 16) };
    const bool ends = part < parts->count && parts->state[part] == PART_ENDS;
    SCOPED char *path = path_of(parts, part, ends ? PART_ENDS : PART_COUNTED);
    SCOPED char *whole = heap_take(MOST, 1);
    const char *why;
    FILE *file = file_open_own(path, &why);
    const size_t bytes = file == NULL ? 0 : fread(whole, 1, MOST, file);
    if (file != NULL)
        fclose(file);
    if (!is_of(parts, part, whole, bytes)) {
        unlink(path);
        if (part < parts->count)
            parts->state[part] = PART_CLAIMED;
        if (part == parts->end)
            parts->end = parts->count - 1;
        return false;
    }
    memcpy(sum, whole + offsetof(struct saved, sum), sizeof *sum);
    if (sum->length > 0) {
        char *moves = search_solved(parts->search, sum->length);
        if (moves == NULL)
            return false;
        memcpy(moves, whole + sizeof(struct saved), sum->length);
    }
    return true;
}

void parts_remove(struct parts *parts)
{
    for (unsigned i = 0; i < parts->count; i++)
        for (unsigned state = PART_CLAIMED; state <= parts->state[i]; state++) {
            SCOPED char *path = path_of(parts, i, state);
            unlink(path);
        }
}
