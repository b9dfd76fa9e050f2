#include "idastar/parts.h"
#include "base/file.h"
#include "base/heap.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

static const char *folder_of(const struct parts *parts)
{
    return parts->search->limits.split->folder;
}

/* What a file is of, as its first line; heap memory. */
static char *first_line(const struct parts *parts, unsigned part)
{
    const struct task *task = parts->search->task;
    const size_t cells = task->start.shape.cells;
    uint64_t hash = XXH3_64bits(task->order, MOVES);
    hash = XXH3_64bits_withSeed(task->start.cell, cells, hash + task->start.shape.width);
    hash = XXH3_64bits_withSeed(task->goal.cell, cells, hash);
    return heap_format("tilelab idastar search %016" PRIx64 " threshold %u part %u of %u after "
                       "%" PRIu64 " expanded %" PRIu64 " generated cut %016" PRIx64 "\n",
                       hash, parts->threshold, part, parts->count, parts->expanded,
                       parts->generated, parts->cut);
}

#define NAME_NUMBERS "-%" PRIu64 "-%" PRIu64 "-%" PRIu64 "-%" PRIu64 "-%" PRIu64 "-%.6f"
#define NAME_SCANNED "-%" SCNu64 "-%" SCNu64 "-%" SCNu64 "-%" SCNu64 "-%" SCNu64 "-%lf"

/* The name of a part's file that says what is in the part; heap memory. */
static char *counted_name(const struct parts *parts, unsigned part, const struct part_sum *sum)
{
    const struct statistics *counted = &sum->statistics;
    SCOPED char *first = first_line(parts, part);
    char *name = heap_format("%u-%u.part" NAME_NUMBERS, parts->threshold, part, counted->expanded,
                             counted->generated, counted->max_depth, counted->max_stored,
                             sum->above, sum->cpu_seconds);
    const uint64_t hash = XXH3_64bits(first, strlen(first));
    heap_append(&name, "-%016" PRIx64, XXH3_64bits_withSeed(name, strlen(name), hash));
    return name;
}

/* Takes in such a name. False unless it is of this part of this round. */
static bool read_name(struct parts *parts, unsigned part, const char *name)
{
    struct part_sum sum = {0};
    struct statistics *counted = &sum.statistics;
    if (sscanf(name, "%*u-%*u.part" NAME_SCANNED, &counted->expanded, &counted->generated,
               &counted->max_depth, &counted->max_stored, &sum.above, &sum.cpu_seconds) != 6)
        return false;
    SCOPED char *right = counted_name(parts, part, &sum);
    if (strcmp(name, right) != 0)
        return false;
    parts->sums[part] = sum;
    return true;
}

/* The path of a file with a part's number; heap memory. */
static char *path_of(const struct parts *parts, unsigned part, const char *ending)
{
    return heap_format("%s/%u-%u.%s", folder_of(parts), parts->threshold, part, ending);
}

/* The path of a text; heap memory. */
static char *text_path(const struct parts *parts, unsigned part)
{
    return part < parts->count ? path_of(parts, part, "end")
                               : heap_format("%s/%u.round", folder_of(parts), parts->threshold);
}

struct parts parts_start(struct search *search, unsigned threshold)
{
    struct parts parts = {.search = search,
                          .threshold = threshold,
                          .count = search->limits.split->parts,
                          .expanded = search->statistics.expanded,
                          .generated = search->statistics.generated};
    parts.end = parts.count - 1;
    parts.state = arena_keep(&search->arena, NULL, parts.count + UINT64_C(1));
    parts.sums = arena_keep(&search->arena, NULL, parts.count * sizeof *parts.sums);
    parts.failed = parts.state == NULL || parts.sums == NULL || !folder_make(folder_of(&parts));
    for (unsigned i = 0; i <= parts.count && !parts.failed; i++)
        parts.state[i] = PART_OPEN;
    for (unsigned i = 0; i < parts.count && !parts.failed; i++)
        parts.sums[i] = (struct part_sum){0};
    return parts;
}

void parts_end(struct parts *parts)
{
    free(parts->state);
    free(parts->sums);
}

/* Whether there may be a part that nobody began. */
static bool has_open(const struct parts *parts)
{
    for (unsigned i = 0; i <= parts->end; i++)
        if (parts->state[i] == PART_OPEN)
            return true;
    return false;
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
    const unsigned long number = strtoul(rest + 1, &rest, 10);
    if (number > parts->count)
        return;
    const unsigned part = (unsigned)number;
    uint8_t *state = &parts->state[part];
    if (strcmp(rest, ".claim") == 0 && *state == PART_OPEN)
        *state = PART_CLAIMED;
    if (*state < PART_COUNTED && part < parts->count && read_name(parts, part, name))
        *state = PART_COUNTED;
    if (strcmp(rest, ".end") == 0)
        *state = PART_ENDS;
    if (part < parts->end && *state == PART_ENDS)
        parts->end = part;
}

void parts_look(struct parts *parts)
{
    enum { FRESH = 1 }; /* seconds; until then claims tell enough */
    if (parts->looked > 0 && clock_wall() - parts->looked < FRESH && has_open(parts))
        return;
    parts->looked = clock_wall();
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
    SCOPED char *path = path_of(parts, part, "claim");
    const bool first = file_claim(path);
    parts->failed = !first && errno != EEXIST;
    parts->state[part] = PART_CLAIMED;
    return first;
}

/* Whether to leave adding up to the process that has claimed it; a moment later, if so. */
static bool waits(struct parts *parts)
{
    static const struct timespec moment = {.tv_nsec = 20000000};
    enum { PATIENCE = 10 };
    if (parts->waits == 0)
        parts->waits = clock_wall();
    if (parts->failed || clock_wall() - parts->waits > PATIENCE)
        return false;
    nanosleep(&moment, NULL);
    return true;
}

long parts_choose(struct parts *parts)
{
    for (unsigned i = 0; i <= parts->end && !parts->failed; i++)
        if (parts->state[i] == PART_OPEN && claim(parts, i))
            return i;
    /* Each process begins elsewhere, so that two seldom repeat the same. */
    const double now = clock_wall();
    const unsigned needed = parts->end + 1;
    const unsigned first = (unsigned)(XXH3_64bits(&now, sizeof now) % needed);
    for (unsigned i = 0; i < needed; i++)
        if (parts->state[(first + i) % needed] == PART_CLAIMED)
            return (first + i) % needed;
    if (parts->state[parts->count] == PART_OPEN && claim(parts, parts->count))
        return parts->count;
    return waits(parts) ? PARTS_WAIT : (long)parts->count;
}

#define SUM_FORMAT                                                                                 \
    "expanded %" PRIu64 " generated %" PRIu64 " max_depth %" PRIu64 " max_stored %" PRIu64         \
    " above %" PRIu64 " cpu_s %.9f ends %u status %u moves %s\n"
#define SUM_SCANNED                                                                                \
    "expanded %" SCNu64 " generated %" SCNu64 " max_depth %" SCNu64 " max_stored %" SCNu64         \
    " above %" SCNu64 " cpu_s %lf ends %u status %u moves %n"

/* Makes the file that says by its name what is in a part. */
static void write_name(struct parts *parts, unsigned part)
{
    SCOPED char *name = counted_name(parts, part, &parts->sums[part]);
    SCOPED char *path = heap_format("%s/%s", folder_of(parts), name);
    if (!file_claim(path) && errno != EEXIST)
        parts->failed = true;
    parts->state[part] = PART_COUNTED;
}

/* Writes what is in a part in which the search ends, or in all. */
static void write_text(struct parts *parts, unsigned part, const struct part_sum *sum)
{
    const struct statistics *counted = &sum->statistics;
    SCOPED char *path = text_path(parts, part);
    char *text = first_line(parts, part);
    heap_append(&text, SUM_FORMAT, counted->expanded, counted->generated, counted->max_depth,
                counted->max_stored, sum->above, sum->cpu_seconds, sum->ends, sum->status,
                part_sum_solves(sum) ? parts->search->moves : "none");
    for (unsigned i = 0; part == parts->count && i < parts->count; i++)
        heap_append(&text, "%" PRIu64 "%s", parts->sums[i].statistics.generated,
                    i + 1 < parts->count ? " " : "\n");
    heap_append(&text, "%016" PRIx64 "\n", XXH3_64bits(text, strlen(text)));
    if (!file_write_shared(path, text, strlen(text)))
        parts->failed = true;
    parts->state[part] = PART_ENDS;
    if (part < parts->end)
        parts->end = part;
    free(text);
}

void parts_write(struct parts *parts, unsigned part, const struct part_sum *sum)
{
    if (part < parts->count)
        parts->sums[part] = *sum;
    if (part == parts->count || sum->ends)
        write_text(parts, part, sum);
    else
        write_name(parts, part);
}

/* Takes in what the sum's file says of each part. */
static void read_sizes(struct parts *parts, const char *text)
{
    for (unsigned i = 0; i < parts->count; i++) {
        char *rest;
        parts->sums[i].statistics.generated = strtoull(text, &rest, 10);
        text = rest;
    }
}

/* Takes in the text of a file. False unless it is whole and of this part of this round. */
static bool read_text(struct parts *parts, unsigned part, const char *text, size_t length,
                      struct part_sum *sum)
{
    enum { HASH = 17 };
    struct statistics *counted = &sum->statistics;
    SCOPED char *first = first_line(parts, part);
    const size_t before = strlen(first);
    int moves = 0;
    memset(sum, 0, sizeof *sum);
    if (length < before + HASH || strncmp(text, first, before) != 0 ||
        strtoull(text + length - HASH, NULL, 16) != XXH3_64bits(text, length - HASH) ||
        sscanf(text + before, SUM_SCANNED, &counted->expanded, &counted->generated,
               &counted->max_depth, &counted->max_stored, &sum->above, &sum->cpu_seconds,
               &sum->ends, &sum->status, &moves) != 8)
        return false;
    const char *path = text + before + moves;
    const size_t count = strcspn(path, "\n");
    if (part == parts->count)
        read_sizes(parts, path + count);
    if (!part_sum_solves(sum))
        return true;
    char *kept = search_solved(parts->search, count);
    if (kept != NULL)
        memcpy(kept, path, count);
    return kept != NULL;
}

bool parts_read(struct parts *parts, unsigned part, struct part_sum *sum)
{
    if (part < parts->count && parts->state[part] == PART_COUNTED) {
        *sum = parts->sums[part];
        return true;
    }
    SCOPED char *path = text_path(parts, part);
    SCOPED_BY(report_end) struct report report = {.file = path};
    size_t length;
    SCOPED char *text = file_read_own(path, &length, &report);
    if (text != NULL && read_text(parts, part, text, length, sum)) {
        if (part < parts->count)
            parts->sums[part] = *sum;
        return true;
    }
    remove(path);
    if (part < parts->count)
        parts->state[part] = PART_CLAIMED;
    if (part == parts->end)
        parts->end = parts->count - 1;
    return false;
}

void parts_remove(const struct parts *parts)
{
    SCOPED char *before = heap_format("%u-", parts->threshold);
    DIR *folder = opendir(folder_of(parts));
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        if (strncmp(entry->d_name, before, strlen(before)) == 0) {
            SCOPED char *path = heap_format("%s/%s", folder_of(parts), entry->d_name);
            remove(path);
        }
    if (folder != NULL)
        closedir(folder);
}
