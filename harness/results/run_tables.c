#include "harness/results/run_tables.h"
#include "base/heap.h"
#include "harness/results/side_table.h"
#include "harness/text/human.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

const enum table run_tables[] = {TABLE_ROUNDS, TABLE_INCUMBENTS, TABLES};

bool run_table_has(enum table table, const struct result *result)
{
    return table == TABLE_ROUNDS ? result->round_count > 0 : result->incumbent_count > 0;
}

static char *round_lines(const struct run *run, const struct result *result)
{
    char *lines = NULL;
    for (size_t i = 0; i < result->round_count; i++) {
        const struct search_round *round = &result->rounds[i];
        heap_append(&lines, "%s,%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", run->id, i + 1,
                    round->threshold, round->expanded, round->generated);
    }
    return lines;
}

/* A cell and its comma: empty where the count is not known. */
static void add_count(char **lines, uint64_t count)
{
    if (count == COUNT_UNKNOWN)
        heap_append(lines, ",");
    else
        heap_append(lines, "%" PRIu64 ",", count);
}

static char *incumbent_lines(const struct run *run, const struct result *result)
{
    const uint64_t scale = costs_make(run->instance->cost, run->instance->start.shape).scale;
    char *lines = NULL;
    char text[COST_TEXT];
    for (size_t i = 0; i < result->incumbent_count; i++) {
        const struct incumbent *incumbent = &result->incumbents[i];
        char seconds[NUMBER_TEXT];
        number_text(COLUMN_wall_s, incumbent->seconds, seconds);
        heap_append(&lines, "%s,%s,", run->id, seconds);
        add_count(&lines, incumbent->expanded);
        add_count(&lines, incumbent->generated);
        heap_append(&lines, "%s,%" PRIu64 ",", cost_text(incumbent->cost, scale, text),
                    incumbent->length);
        heap_append(&lines, "%s,%d\n",
                    incumbent->bound == 0 ? "" : cost_text(incumbent->bound, scale, text),
                    incumbent->verified);
    }
    return lines;
}

bool run_table_add(enum table table, const char *folder, const struct run *run,
                   const struct result *result, const char **why)
{
    SCOPED char *lines = (table == TABLE_ROUNDS ? round_lines : incumbent_lines)(run, result);
    return lines == NULL || side_table_append(folder, table, lines, why);
}

static int compare_id(const void *id, const void *run)
{
    return strncmp(id, ((const struct table_run *)run)->id, RUN_ID_BYTES - 1);
}

/* Whether a line, its newline included, is a whole row of one of the runs. */
static bool belongs(const char *line, size_t length, struct table_run *runs, size_t count)
{
    if (length < RUN_ID_BYTES || line[length - 1] != '\n' || line[RUN_ID_BYTES - 1] != ',')
        return false;
    struct table_run *run =
        count == 0 ? NULL : bsearch(line, runs, count, sizeof *runs, compare_id);
    if (run != NULL)
        run->has_rounds = true;
    return run != NULL;
}

/* A table whose lines are looked at. */
struct copying {
    FILE *from;
    struct table_run *runs;
    size_t count;
    size_t others; /* lines that do not belong */
};

/* Copies the lines that belong, unless `to` is NULL; counts the others. False with errno. */
static bool copy_lines(struct copying *copying, FILE *to)
{
    FILE *from = copying->from;
    SCOPED char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool fine = true;
    copying->others = 0;
    for (bool header = true; fine && (length = getline(&line, &room, from)) > 0; header = false) {
        if (header || belongs(line, (size_t)length, copying->runs, copying->count))
            fine = to == NULL || fwrite(line, 1, (size_t)length, to) == (size_t)length;
        else
            copying->others++;
    }
    fine = fine && !ferror(from);
    rewind(from);
    return fine;
}

/* Whether a file begins with the header of a table. */
static bool has_header(FILE *file, enum table table)
{
    SCOPED char *header = side_table_header(table);
    const size_t length = strlen(header);
    SCOPED char *begins = heap_take(length, 1);
    const size_t got = fread(begins, 1, length, file);
    const bool ours = memcmp(begins, header, got) == 0 && (got == length || feof(file));
    rewind(file);
    return ours;
}

static bool copy_own(FILE *out, void *context)
{
    return copy_lines(context, out);
}

static bool set_aside(const struct folder *folder, enum table table)
{
    SCOPED char *path = side_table_path(folder->path, table);
    SCOPED char *what = heap_format("the earlier rows of %s.csv are", table_schemas[table].name);
    return folder_set_aside(path, what, folder->display);
}

bool run_tables_set_aside(const struct folder *folder)
{
    bool fine = true;
    for (size_t i = 0; fine && run_tables[i] != TABLES; i++)
        fine = set_aside(folder, run_tables[i]);
    return fine && set_aside(folder, TABLE_CONTROL);
}

enum ending run_table_keep(enum table table, const struct folder *folder, struct table_run *runs,
                           size_t count, bool wanted)
{
    SCOPED char *path = side_table_path(folder->path, table);
    struct stat status;
    const char *why = "it is not one that tilelab wrote";
    if (lstat(path, &status) != 0)
        return ENDING_DONE;
    SCOPED_BY(stream_end) FILE *file = S_ISREG(status.st_mode) ? file_open(path, &why) : NULL;
    struct copying copying = {.from = file, .runs = runs, .count = count};
    if (file == NULL || !has_header(file, table)) {
        if (wanted)
            display_say(folder->display,
                        "%s: %s; move it away, or choose another folder with --output", path, why);
        return wanted ? ENDING_REFUSED : ENDING_DONE;
    }
    if (!copy_lines(&copying, NULL) ||
        (copying.others > 0 && !file_write_stream(path, copy_own, &copying))) {
        display_say(folder->display, "%s cannot be written anew: %s", path, strerror(errno));
        return ENDING_FAILED;
    }
    if (copying.others > 0)
        display_note(folder->display, "%zu row%s of %s that no row of runs.csv has %s taken out",
                     copying.others, plural(copying.others), path,
                     copying.others == 1 ? "was" : "were");
    return ENDING_DONE;
}
