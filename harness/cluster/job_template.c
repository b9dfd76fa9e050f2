#include "harness/cluster/job_template.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/external/placeholders.h"
#include <inttypes.h>

/* What the line that names the command begins with. */
static const char send_mark[] = "#tilelab ";

/* ---- Names in braces ---- */

enum name {
    NAME_SHARD,
    NAME_COUNT,
    NAME_COMMAND,
    NAME_NAME,
    NAME_FOLDER,
    NAME_SCRIPT,
    NAME_LOG,
    NAME_HOURS,
    NAME_MINUTES,
    NAME_SECONDS,
    NAME_STOP_SECONDS,
    NAME_MEMORY_MB,
    NAME_THREADS,
    NAMES
};
static const char *const names[NAMES] = {
    "shard", "count",   "command", "name",         "folder",    "script", "log",
    "hours", "minutes", "seconds", "stop_seconds", "memory_mb", "threads"};

/* Which one a text in braces, of so many letters, is; NAMES: none. */
static unsigned name_of(const char *text, size_t length)
{
    unsigned name = 0;
    while (name < NAMES &&
           (strlen(names[name]) != length || strncmp(names[name], text, length) != 0))
        name++;
    return name;
}

/* What a name stands for; heap memory. */
static char *value_of(unsigned name, const struct job *job, unsigned shard)
{
    switch (name) {
    case NAME_SHARD:
        return heap_format("%u", shard);
    case NAME_COUNT:
        return heap_format("%u", job->shards);
    case NAME_COMMAND: {
        SCOPED char *which = heap_format("%u/%u", shard, job->shards);
        return shard_command(job, which);
    }
    case NAME_NAME:
        return heap_format("%s-%u", job->name, shard);
    case NAME_FOLDER:
        return heap_text(job->folder);
    case NAME_SCRIPT: {
        SCOPED char *file = template_script_name(job, shard);
        return heap_format("%s/submit/%s", job->folder, file);
    }
    case NAME_LOG:
        return heap_format("%s/submit/shard-%u-of-%u.log", job->folder, shard, job->shards);
    case NAME_HOURS:
        return heap_format("%u", (job->minutes + 59) / 60);
    case NAME_MINUTES:
        return heap_format("%u", job->minutes);
    case NAME_SECONDS:
        return heap_format("%u", 60 * job->minutes);
    case NAME_STOP_SECONDS:
        return heap_format("%u", 60 * job->minutes - SLURM_WARNING_SECONDS);
    case NAME_MEMORY_MB:
        return heap_format("%" PRIu64, (job->bytes + (1 << 20) - 1) >> 20);
    default: /* NAME_THREADS */
        return heap_format("%u", job->searches * job->threads);
    }
}

/* A script for a shard. */
struct filling {
    const struct job *job;
    unsigned shard;
};

static char *value_in(const void *context, const char *text, size_t length)
{
    const struct filling *filling = context;
    return value_of(name_of(text, length), filling->job, filling->shard);
}

/* A text with its names replaced; heap memory. */
static char *filled(const char *text, const struct job *job, unsigned shard)
{
    return placeholders_by(text, value_in, &(struct filling){job, shard});
}

/* ---- Reading ---- */

/* Reports names that stand for nothing, and notes which are there. */
static void check_names(const char *text, bool there[NAMES], struct report *report)
{
    SCOPED char *expected = words_listed(names, NAMES);
    struct placeholder_piece piece;
    for (const char *at = text; (piece = placeholder_piece(at)).length > 0; at += piece.length) {
        if (piece.kind != PIECE_NAME)
            continue;
        const unsigned name = name_of(piece.name, piece.name_length);
        if (name < NAMES) {
            there[name] = true;
            continue;
        }
        SCOPED char *unknown = heap_format("%.*s", (int)piece.name_length, piece.name);
        SCOPED char *meant = word_meant(unknown, names, NAMES);
        report_add(report, place_in(text, at),
                   "{%s} stands for nothing; expected %s, or {{%s}} for the braces themselves%s",
                   unknown, expected, unknown, meant);
    }
}

/* Finds the line that names the command. */
static void find_send(struct job_template *template, struct report *report)
{
    size_t number = 1;
    size_t found = 0;
    for (const char *line = template->text; *line != '\0'; number++) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, send_mark, sizeof send_mark - 1) == 0 && found++ > 0)
            report_add(report, (struct text_place){number, 1},
                       "a second line '#tilelab ..'; expected one command");
        else if (strncmp(line, send_mark, sizeof send_mark - 1) == 0) {
            template->send = (size_t)(line - template->text) + sizeof send_mark - 1;
            if (strspn(template->text + template->send, " \t") + sizeof send_mark - 1 >= length)
                report_add(report, (struct text_place){number, sizeof send_mark},
                           "no command; expected the words that send the script");
        }
        line += length + (line[length] == '\n');
    }
    if (found == 0)
        report_add(report, NO_PLACE,
                   "no line '#tilelab COMMAND'; expected the command that sends the script, such "
                   "as '#tilelab qsub {script}'");
}

bool job_template_read(struct job_template *template, const char *path, struct report *report)
{
    bool there[NAMES] = {false};
    const size_t before = report->count;
    *template =
        (struct job_template){.path = heap_text(path), .text = file_read(path, NULL, report)};
    if (template->text == NULL)
        return false;
    find_send(template, report);
    check_names(template->text, there, report);
    if (report->count == before && !there[NAME_COMMAND])
        report_add(report, NO_PLACE,
                   "{command} is nowhere; expected it where the shard is to be run");
    return report->count == before;
}

char *template_script(const struct job_template *template, const struct job *job, unsigned shard)
{
    return filled(template->text, job, shard);
}

char *template_script_name(const struct job *job, unsigned shard)
{
    return heap_format("shard-%u-of-%u.job", shard, job->shards);
}

char **template_words(const struct job_template *template, const struct job *job, unsigned shard)
{
    char **words = NULL;
    const char *at = template->text + template->send;
    for (at += strspn(at, " \t\r"); *at != '\n' && *at != '\0'; at += strspn(at, " \t\r")) {
        const size_t length = strcspn(at, " \t\r\n");
        SCOPED char *word = heap_format("%.*s", (int)length, at);
        SCOPED char *full = filled(word, job, shard);
        ADD_WORDS(&words, full);
        at += length;
    }
    return words;
}

void job_template_end(struct job_template *template)
{
    FREE(template->path, template->text);
}
