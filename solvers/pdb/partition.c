#include "pdb/partition.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/named.h"
#include "pdb/pattern_build.h"
#include <ctype.h>
#include <inttypes.h>

/* 6-6-6-6: Korf and Felner 2002. clausecker-small: the catalogue called small in the result files
 * published with Clausecker and Reinefeld, "Zero-aware pattern databases with 1-bit compression for
 * sliding tile puzzles", SoCS 2019. The others: the one of the public programs if they have one,
 * else the split with the largest mean value. */
const struct partition_row partitions[] = {
    {"4-4", 3, 3, "1.2.3.4/5.6.7.8"},
    {"5-3", 3, 3, "1.2.3.4.5/6.7.8"},
    {"5-5-5", 4, 4, "1.2.4.5.8/3.6.7.10.11/9.12.13.14.15"},
    {"6-6-3", 4, 4, "1.2.4.5.8.9/3.6.7.10.11.15/12.13.14"},
    {"7-8", 4, 4, "1.2.3.4.5.6.7/8.9.10.11.12.13.14.15"},
    {"5-5-5-5-4", 5, 5, "1.2.5.6.10/3.4.8.9.13/7.12.17.22/11.15.16.20.21/14.18.19.23.24"},
    {"6-6-6-6", 5, 5, "1.2.5.6.7.12/3.4.8.9.13.14/10.11.15.16.20.21/17.18.19.22.23.24"},
    {"clausecker-small", 5, 5,
     "1.5.6.10.11.12/2.3.4.7.8.9/13.14.18.19.23.24/15.16.17.20.21.22;"
     "1.2.5.6.10.11/3.4.7.8.9.12/13.14.18.19.23.24/15.16.17.20.21.22;"
     "1.5.6.10.11.12/2.3.4.7.8.9/13.14.15.16.17.18/19.20.21.22.23.24;"
     "1.2.5.6.10.11/3.4.7.8.9.12/13.14.15.16.17.18/19.20.21.22.23.24;"
     "1.5.6.10.15.20/2.3.4.7.8.9/11.12.16.17.21.22/13.14.18.19.23.24;"
     "1.2.5.6.10.11/3.4.9.14.19.24/7.8.12.13.18.23/15.16.17.20.21.22;"
     "1.5.6.10.15.20/2.3.4.7.8.9/11.12.13.16.17.18/14.19.21.22.23.24"},
};

enum { PARTITIONS = sizeof partitions / sizeof *partitions };

const unsigned partition_count = PARTITIONS;

#define FORM "tiles joined by '.' and groups by '/', such as 1.2.3.4/5.6.7.8"

static const struct partition_row *row_of(const char *name)
{
    const size_t place = NAME_PLACE(partitions, PARTITIONS, name, name);
    return place < PARTITIONS ? &partitions[place] : NULL;
}

/* "4-4, 5-3 or 7-8": the names for a shape, or all if it is NULL; heap memory. */
static char *names_text(const struct shape *shape)
{
    const char *names[PARTITIONS];
    size_t count = 0;
    for (unsigned i = 0; i < PARTITIONS; i++)
        if (shape == NULL ||
            (partitions[i].width == shape->width && partitions[i].height == shape->height))
            names[count++] = partitions[i].name;
    return words_listed(names, count);
}

/* The name with the same sizes in another order, such as 7-8 for 8-7; else the nearest by edit
 * distance. */
static const char *nearest_name(const char *text)
{
    const char *names[PARTITIONS];
    for (unsigned i = 0; i < PARTITIONS; i++) {
        unsigned counts[2][UINT8_MAX + 1] = {0};
        names[i] = partitions[i].name;
        for (const char *at = text; *at != '\0'; at++)
            counts[0][(uint8_t)*at]++;
        for (const char *at = names[i]; *at != '\0'; at++)
            counts[1][(uint8_t)*at]++;
        if (memcmp(counts[0], counts[1], sizeof counts[0]) == 0)
            return names[i];
    }
    return nearest_word(text, names, PARTITIONS);
}

static char *read_name(const char *text, struct text_place place, struct report *report)
{
    if (row_of(text) != NULL)
        return heap_text(text);
    const char *nearest = nearest_name(text);
    SCOPED char *known = names_text(NULL);
    report_add(report, place, "unknown partition '%s'; expected %s, or " FORM "%s%s%s", text, known,
               nearest == NULL ? "" : "; did you mean '", nearest == NULL ? "" : nearest,
               nearest == NULL ? "" : "'?");
    return NULL;
}

/* Groups of tiles while they are read. */
struct reading {
    unsigned count;
    unsigned sizes[MAX_GROUPS + 1]; /* tiles of each group */
    uint8_t tiles[MAX_GROUPS + 1][MAX_CELLS];
    uint8_t group_of[MAX_CELLS]; /* by tile: the number of its group, from 1; 0: none yet */
};

/* Adds a tile to the last group; false, with a problem in the report, if it does not belong
 * there. */
static bool read_tile(struct reading *reading, const char *text, size_t digits,
                      struct text_place place, struct report *report)
{
    const unsigned group = reading->count;
    const char *end = text + digits;
    unsigned tile = 0;
    for (const char *at = text; at < end && tile < MAX_CELLS; at++)
        tile = 10 * tile + (unsigned)(*at - '0');
    if (tile == 0)
        return report_add(report, place,
                          "tile 0 in group %u: the blank belongs to no group; leave it out", group);
    if (tile >= MAX_CELLS)
        return report_add(report, place, "tile %.*s in group %u: expected a tile from 1 to %d",
                          (int)(digits < 20 ? digits : 20), text, group, MAX_CELLS - 1);
    if (reading->group_of[tile] == group)
        return report_add(report, place, "tile %u is in group %u twice; expected each tile once",
                          tile, group);
    if (reading->group_of[tile] != 0)
        return report_add(report, place,
                          "tile %u is in group %u and in group %u; expected each tile in one", tile,
                          reading->group_of[tile], group);
    reading->group_of[tile] = (uint8_t)group;
    reading->tiles[group][reading->sizes[group]++] = (uint8_t)tile;
    return true;
}

/* Reads "1.2.3/4.5"; stops at the first problem. */
static bool read_groups(const char *text, struct reading *reading, struct text_place place,
                        struct report *report)
{
    const char *at = text;
    memset(reading, 0, sizeof *reading);
    for (char mark = '/'; mark != '\0';) {
        const char *group = at;
        reading->count++;
        do {
            const size_t digits = strspn(at, "0123456789");
            const struct text_place here = place_after(place, (size_t)(at - text));
            if (digits == 0 || strchr("./", at[digits]) == NULL) {
                const size_t word = strcspn(at, "./");
                if (word == 0)
                    report_add(report, here, "no tile in group %u %s; expected " FORM,
                               reading->count, at == group ? "at its beginning" : "after a '.'");
                else
                    report_add(report, here, "'%.*s' in group %u is not a tile; expected " FORM,
                               (int)word, at, reading->count);
                return false;
            }
            if (!read_tile(reading, at, digits, here, report))
                return false;
            at += digits;
            mark = *at;
            if (mark != '\0')
                at++;
        } while (mark == '.');
        if (reading->sizes[reading->count] > MAX_PATTERN)
            return report_add(report, place_after(place, (size_t)(group - text)),
                              "group %u has %u tiles; expected at most %d: split it with a '/'",
                              reading->count, reading->sizes[reading->count], MAX_PATTERN);
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

/* The canonical text of one partition, or the name of a catalogue. */
static char *read_partition(const char *text, struct text_place place, struct report *report)
{
    struct reading reading;
    if (strchr(text, '-') != NULL)
        return read_name(text, place, report);
    if (!isdigit((unsigned char)text[0]) && strchr(text, '.') == NULL && strchr(text, '/') == NULL)
        return read_name(text, place, report);
    if (!read_groups(text, &reading, place, report))
        return NULL;
    char *canonical = heap_text("");
    for (unsigned group = 1; group <= reading.count; group++) {
        qsort(reading.tiles[group], reading.sizes[group], 1, by_number);
        for (unsigned i = 0; i < reading.sizes[group]; i++) {
            heap_append(&canonical, "%s%u",
                        i > 0       ? "."
                        : group > 1 ? "/"
                                    : "",
                        reading.tiles[group][i]);
        }
    }
    return canonical;
}

/* Reads one partition of a catalogue, the `length` bytes at `text`, and appends it. */
static bool read_part(const char *text, size_t length, struct text_place place,
                      struct report *report, char **list)
{
    if (length == 0)
        return report_add(report, place, "no partition here; expected a name, or " FORM);
    SCOPED char *word = heap_format("%.*s", (int)length, text);
    SCOPED char *part = read_partition(word, place, report);
    if (part == NULL)
        return false;
    unsigned count = (*list)[0] != '\0';
    for (const char *at = *list; *at != '\0'; at++)
        count += *at == ';';
    const bool fine = !heap_has_part(*list, ';', part) && count < MAX_PARTITIONS;
    if (fine)
        heap_append(list, "%s%s", count == 0 ? "" : ";", part);
    else if (count == MAX_PARTITIONS)
        report_add(report, place, "more than %d partitions", MAX_PARTITIONS);
    else
        report_add(report, place, "partition %s a second time; expected another", part);
    return fine;
}

static char *read_list(const char *text, struct text_place place, struct report *report)
{
    char *list = heap_text("");
    for (const char *at = text; at != NULL;) {
        const size_t length = strcspn(at, ";");
        if (!read_part(at, length, place_after(place, (size_t)(at - text)), report, &list)) {
            free(list);
            return NULL;
        }
        at = at[length] == ';' ? at + length + 1 : NULL;
    }
    return list;
}

/* Reads the lines of a catalogue's file; problems have their places in it. */
static char *read_lines(const char *text, struct report *report)
{
    const char *const blanks = " \t\r";
    char *list = heap_text("");
    size_t line = 0;
    for (const char *at = file_past_mark(text); *at != '\0';) {
        const size_t whole = strcspn(at, "\n");
        const char *word = at + strspn(at, blanks);
        const size_t length = strcspn(word, " \t\r\n#");
        const char *rest = word + length + strspn(word + length, blanks);
        line++;
        if (*rest != '\0' && *rest != '\n' && *rest != '#')
            report_add(report, (struct text_place){line, (size_t)(rest - at) + 1},
                       "unexpected text; expected one partition on a line");
        else if (length > 0)
            read_part(word, length, (struct text_place){line, (size_t)(word - at) + 1}, report,
                      &list);
        at += whole + (at[whole] == '\n');
    }
    if (report->count == 0 && list[0] == '\0')
        report_add(report, NO_PLACE,
                   "no partition; expected one on each line, such as 1.2.3.4/5.6.7.8");
    return heap_keep(report->count == 0, list);
}

static char *read_file(const char *path, struct text_place place, struct report *report)
{
    SCOPED_BY(report_end) struct report inner = {.file = path};
    SCOPED char *text = file_read(path, NULL, &inner);
    char *list = text == NULL ? NULL : read_lines(text, &inner);
    if (list == NULL) {
        SCOPED char *problem = report_first(&inner);
        report_add(report, place, "catalogue %s", problem);
    }
    return list;
}

char *partition_read(const char *text, struct text_place place, struct report *report)
{
    if (text[0] == '@')
        return read_file(text + 1, place, report);
    return read_list(text, place, report);
}

/* The tiles that are in no group, as text; heap memory, NULL if there are none. */
static char *missing_text(const struct reading *reading, unsigned cells, unsigned *count)
{
    char *text = NULL;
    *count = 0;
    for (unsigned tile = 1; tile < cells; tile++)
        if (reading->group_of[tile] == 0) {
            heap_append(&text, "%s%u", text == NULL ? "" : ", ", tile);
            ++*count;
        }
    return text;
}

/* Whether the groups hold every tile of a board of this shape, and no others. */
static bool fits(const struct reading *reading, struct shape shape, struct text_place place,
                 struct report *report)
{
    unsigned missing;
    for (unsigned tile = shape.cells; tile < MAX_CELLS; tile++)
        if (reading->group_of[tile] != 0)
            return report_add(
                report, place,
                "tile %u in group %u does not exist on a %ux%u board; expected tiles from 1 to %u",
                tile, reading->group_of[tile], shape.width, shape.height, shape.cells - 1U);
    SCOPED char *text = missing_text(reading, shape.cells, &missing);
    if (text != NULL)
        report_add(report, place,
                   "tile%s %s %s in no group; expected every tile from 1 to %u in one",
                   missing == 1 ? "" : "s", text, missing == 1 ? "is" : "are", shape.cells - 1U);
    return missing == 0;
}

/* The cell of a goal with its blank in corner `blank` that corresponds to `cell` of a goal with its
 * blank in the first cell. */
static uint8_t mirrored(struct shape shape, unsigned blank, unsigned cell)
{
    unsigned column = cell % shape.width;
    unsigned row = cell / shape.width;
    if (blank % shape.width != 0)
        column = shape.width - 1U - column;
    if (blank >= shape.width)
        row = shape.height - 1U - row;
    return (uint8_t)(row * shape.width + column);
}

static bool in_corner(struct shape shape, unsigned cell)
{
    return mirrored(shape, cell, 0) == cell;
}

/* Whether a named partition fits the goal. */
static bool suits(const struct partition_row *row, const struct board *goal,
                  struct text_place place, struct report *report)
{
    const struct shape shape = goal->shape;
    if (row->width != shape.width || row->height != shape.height) {
        SCOPED char *known = names_text(&shape);
        return report_add(report, place,
                          "partition %s is for %ux%u, the goal is %ux%u; expected %s%s" FORM,
                          row->name, row->width, row->height, shape.width, shape.height, known,
                          known[0] == '\0' ? "" : ", or ");
    }
    if (!in_corner(shape, goal->blank))
        return report_add(
            report, place,
            "partition %s is for goals that have the blank in a corner; expected " FORM, row->name);
    return true;
}

/* Makes one partition, written group by group; `row` is the one that it is of, or NULL. */
static bool make(const char *groups, const struct partition_row *row, const struct board *goal,
                 bool zero, struct text_place place, struct report *report,
                 struct partition *partition)
{
    const struct shape shape = goal->shape;
    struct reading reading;
    uint8_t home[MAX_CELLS] = {0};
    for (unsigned cell = 0; cell < shape.cells; cell++)
        home[goal->cell[cell]] = (uint8_t)cell;
    if (!read_groups(groups, &reading, place, report) || !fits(&reading, shape, place, report))
        return false;
    *partition = (struct partition){.count = reading.count};
    bool fine = true;
    for (unsigned group = 0; group < reading.count; group++) {
        struct pattern *pattern = &partition->group[group];
        *pattern = (struct pattern){.shape = shape,
                                    .blank = goal->blank,
                                    .count = (uint8_t)reading.sizes[group + 1],
                                    .kind = zero ? PATTERN_ZERO_AWARE : PATTERN_ADDITIVE};
        for (unsigned i = 0; i < pattern->count; i++) {
            const uint8_t tile = reading.tiles[group + 1][i];
            reading.tiles[group + 1][i] =
                row == NULL ? tile : goal->cell[mirrored(shape, goal->blank, tile)];
        }
        qsort(reading.tiles[group + 1], pattern->count, 1, by_number);
        for (unsigned i = 0; i < pattern->count; i++)
            pattern->cell[i] = home[reading.tiles[group + 1][i]];
        const uint64_t entries = pattern_entries(pattern);
        if (entries <= MAX_ENTRIES)
            continue;
        fine =
            report_add(report, place,
                       "group %u of %u tiles needs a table of %" PRIu64
                       " entries on %ux%u; expected at most %" PRIu64 ": split it with a '/'",
                       group + 1, pattern->count, entries, shape.width, shape.height, MAX_ENTRIES);
    }
    return fine;
}

struct partition *partitions_make(const char *text, const struct board *goal, bool zero,
                                  struct text_place place, struct report *report, unsigned *count)
{
    struct partition *list = NULL;
    const bool several = strchr(text, ';') != NULL;
    bool fine = true;
    *count = 0;
    for (const char *at = text; at != NULL && fine;) {
        const size_t length = strcspn(at, ";");
        SCOPED char *word = heap_format("%.*s", (int)length, at);
        const struct partition_row *row = row_of(word);
        fine = row == NULL || suits(row, goal, place, report);
        for (const char *groups = row == NULL ? word : row->groups; groups != NULL && fine;) {
            const size_t part = strcspn(groups, ";");
            SCOPED char *one = heap_format("%.*s", (int)part, groups);
            list = heap_grow(list, *count, sizeof *list);
            SCOPED_BY(report_end) struct report inner = {0};
            fine = make(one, row, goal, zero, place, several ? &inner : report, &list[*count]);
            if (inner.count > 0) {
                SCOPED char *problem = report_first(&inner);
                report_add(report, place, "%s: %s", one, problem);
            }
            ++*count;
            groups = groups[part] == ';' ? groups + part + 1 : NULL;
        }
        at = at[length] == ';' ? at + length + 1 : NULL;
    }
    return heap_keep(fine, list);
}

bool partition_shape(const char *text, struct shape *shape)
{
    const struct partition_row *row = row_of(text);
    return row != NULL && shape_make(row->width, row->height, shape);
}

char *partition_group_text(const struct pattern *group, const struct board *goal)
{
    char *text = heap_text("");
    for (unsigned i = 0; i < group->count; i++) {
        heap_append(&text, "%s%u", i == 0 ? "" : ".", goal->cell[group->cell[i]]);
    }
    return text;
}
